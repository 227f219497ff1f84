/* SPDX-License-Identifier: BSD-2-Clause */
/* Why a connection failed: its outcome and what it left in, diagnoses out. Pure: no text is made,
 * no I/O, no allocation. */
#ifndef DIAGNOSE_DIAGNOSE_H
#define DIAGNOSE_DIAGNOSE_H

#include <observe/conn.h>

#define DIAGNOSE_MAX 4u     /* diagnoses of a connection */
#define DIAGNOSE_FRAMES 3u  /* packets that a diagnosis names */
#define DIAGNOSE_NUMBERS 3u /* numbers in its text */
#define DIAGNOSE_WORDS 2u   /* words in its text */

/** iwarp_diagnosis_certainty says whether the capture proves a diagnosis. */
typedef enum iwarp_diagnosis_certainty {
  IWARP_DIAGNOSIS_LIKELY = 0, /* another cause is possible */
  IWARP_DIAGNOSIS_CERTAIN
} iwarp_diagnosis_certainty;

/** iwarp_diagnosis_row is one row of the catalogue. All strings have static storage. */
typedef struct iwarp_diagnosis_row {
  const char *id;             /* "no-reply-timeout" */
  const char *certainty;      /* largest certainty of it: "certain" or "likely" */
  const char *summary;        /* line that says what happened */
  const char *meaning;        /* sign of it, and similar situations */
  const char *operator_do;    /* sentence: the operator's next step */
  const char *implementer_do; /* sentence: the implementer's next step */
} iwarp_diagnosis_row;

/** iwarp_diagnosis_id numbers the rows. */
typedef enum iwarp_diagnosis_id {
#define DIAGNOSIS(id, slug, certainty, summary, meaning, operator_do, implementer_do)              \
  IWARP_DIAGNOSIS_##id,
#include <diagnose/catalogue.def>
#undef DIAGNOSIS
  IWARP_DIAGNOSES
} iwarp_diagnosis_id;

/** iwarp_diagnosis_get returns row `id`, or NULL. */
const iwarp_diagnosis_row *iwarp_diagnosis_get(unsigned int id);

/** iwarp_diagnosis_find returns the row with this id, or NULL. */
const iwarp_diagnosis_row *iwarp_diagnosis_find(const char *id);

/**
 * iwarp_diagnosis is one diagnosis of a connection.
 *
 * `text` is a sentence without its period, with these placeholders:
 *
 * - %s and %p: `side` and the other side, with their addresses
 * - %r and %q: the same by their roles alone, where these are known
 * - %0 to %2: a frame
 * - %a to %c, %A to %C: a number in decimal, or in hex with eight digits
 * - %t: the third number, which is in nanoseconds, as a time
 * - %v and %w: a word
 */
typedef struct iwarp_diagnosis {
  iwarp_diagnosis_id id;
  iwarp_diagnosis_certainty certainty;
  const char *text;                 /* static storage */
  uint8_t side;                     /* whom it is about */
  uint64_t frames[DIAGNOSE_FRAMES]; /* packets; 0: none */
  uint64_t number[DIAGNOSE_NUMBERS];
  const char *word[DIAGNOSE_WORDS]; /* static storage */
} iwarp_diagnosis;

/** iwarp_diagnoses is a list, the most important one first. */
typedef struct iwarp_diagnoses {
  iwarp_diagnosis
      of[DIAGNOSE_MAX + 1u]; /* a diagnosis that does not fit is written to the last one */
  size_t num;                /* DIAGNOSE_MAX or less */
} iwarp_diagnoses;

/** iwarp_diagnose explains a connection that has ended; `conn` as in the `closed` hook. Without its
 * facts there is no diagnosis. */
void iwarp_diagnose(iwarp_diagnoses *out, const observe_conn *conn);

/** iwarp_diagnose_transport explains a TCP connection without iWARP. Its side 0 is the client. */
void iwarp_diagnose_transport(iwarp_diagnoses *out, const observe_transport *what);

/** Ways to end, as bits: 1 << observe_how for each outcome, and these. */
#define IWARP_ENDS_UNANSWERED 0x10000u     /* iwarp_diagnose_unanswered */
#define IWARP_ENDS_SYN_REFUSED 0x20000u    /* a TCP connection that was refused */
#define IWARP_ENDS_SYN_UNANSWERED 0x40000u /* a TCP connection that was not answered */
#define IWARP_ENDS_FAILED 0x80000u         /* iwarp_diagnose_failed, or either of the two before */

/** iwarp_diagnose_ends and iwarp_diagnose_transport_ends return the ways in which a connection
 * ended. */
uint32_t iwarp_diagnose_ends(const observe_conn *conn);
uint32_t iwarp_diagnose_transport_ends(const observe_transport *what);

/** iwarp_diagnose_unanswered says whether work of the connection was left unanswered at an end that
 * was captured. */
bool iwarp_diagnose_unanswered(const observe_conn *conn);

/** iwarp_diagnose_failed says whether the connection failed: it was rejected, terminated or reset,
 * its startup failed or was not answered, or work was left unanswered. */
bool iwarp_diagnose_failed(const observe_conn *conn);

#endif
