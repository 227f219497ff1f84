/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of the scenario language share. */
#ifndef SCENARIO_PRIV_H
#define SCENARIO_PRIV_H

#include <iwarp/field.h>
#include <iwarp/mpa.h>
#include <iwarp/rdmap.h>

#include <scenario/scenario.h>

#define SCN_WORDS_MAX 64u
#define SCN_OCTETS_MAX 65536u           /* of one item, Markers included */
#define SCN_PACKETS_MAX 100000u         /* of one scenario */
#define SCN_SEGMENT_MAX ((size_t)60000) /* octets of a TCP segment */

#define SCN_FIN 0x01u
#define SCN_SYN 0x02u
#define SCN_RST 0x04u
#define SCN_PSH 0x08u
#define SCN_ACK 0x10u

/* ---- words: scenario_words.c ---- */

/* scn_word is KEY or KEY=VALUE; `value` is NULL where there is none. */
typedef struct scn_word {
  const char *key;
  size_t key_len;
  const char *value;
  size_t value_len;
  unsigned int column;
} scn_word;

typedef struct scn_line {
  scn_word words[SCN_WORDS_MAX];
  size_t num;
  unsigned int number;
} scn_line;

/* scn_line_read splits the line at the front of a text, without its comment, and returns how many
 * characters it has with its end. */
size_t scn_line_read(scn_line *line, const char *text, size_t len);
bool scn_word_is(const scn_word *word, const char *name);
/* These return false where the value is none of that kind. */
bool scn_word_number(const scn_word *word, uint64_t *out);
bool scn_word_octets(const scn_word *word, uint8_t *out, size_t cap, size_t *len);

/* ---- packets: scenario_packets.c ---- */

typedef struct scn_packet {
  uint8_t side; /* 0: the Initiator */
  uint8_t flags;
  uint32_t seq; /* from the SYN of its side on, which is 0 */
  uint32_t ack; /* likewise, of the other side */
  uint8_t *octets;
  size_t len;
} scn_packet;

typedef struct scn_side {
  uint32_t seq;    /* next one */
  bool markers;    /* wanted in what it receives */
  bool crc;        /* wanted */
  uint64_t off;    /* stream offset of its next FPDU */
  uint32_t msn[4]; /* last one of each queue */
} scn_side;

struct scenario {
  scn_packet *packets;
  size_t num;
  size_t cap;
  scn_side side[2];
  bool closed; /* a side said how the conversation ends */
  bool ipv6;
  bool vlan;
  bool swapped;   /* each side has the address and port of the other one */
  uint32_t isn;   /* of both sides */
  size_t snaplen; /* 0: none */
};

/* How an item travels. */
typedef struct scn_travel {
  size_t segment; /* octets of a TCP segment; 0: as many as fit */
  bool lost;      /* its packets are not captured */
  bool twice;     /* each packet is captured twice */
} scn_travel;

/* scn_send makes packets of octets; false: no memory, or too many. scn_packet_add makes one. */
bool scn_send(scenario *s, uint8_t side, const uint8_t *octets, size_t len, const scn_travel *how);
bool scn_packet_add(scenario *s, uint8_t side, uint8_t flags, const uint8_t *octets, size_t len);
bool scn_packet_copy(scenario *s, const scn_packet *packet);

/* ---- items: scenario_items.c ---- */

/* scn_item makes the octets of a startup frame or a message out of a line and lets them travel;
 * false: `error` says why. scn_fail writes that. */
bool scn_item(scenario *s, uint8_t side, const scn_line *line, scenario_error *error);
bool scn_fail(scenario_error *error, const scn_line *line, const scn_word *word, const char *text);

#endif
