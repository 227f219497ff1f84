/* SPDX-License-Identifier: BSD-2-Clause */
/* What a connection left of its traffic, as far as it may explain how the connection ended. */
#ifndef OBSERVE_FACTS_H
#define OBSERVE_FACTS_H

#include <iwarp/mpa.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OBSERVE_FACTS_PRIVATE 36u  /* octets of Private Data that are kept */
#define OBSERVE_FACTS_FINDINGS 4u  /* findings of a side, the latest */
#define OBSERVE_FACTS_SENDS 8u     /* Sends of a side, the latest */
#define OBSERVE_FACTS_STAGS 8u     /* uses of an STag by a side, the latest */
#define OBSERVE_FACTS_REQUESTS 16u /* requests of a side that wait, the latest */

/** observe_moment is a packet and its time; packet 0: there is no such packet. */
typedef struct observe_moment {
  uint64_t packet;
  uint64_t time_ns;
} observe_moment;

/** observe_startup_fact is the startup frame of a side. */
typedef struct observe_startup_fact {
  observe_moment at;
  bool reply;
  bool whole;     /* all of its Private Data came */
  bool wrong_key; /* the frame has no startup key */
  uint8_t flags;
  uint8_t rev;
  bool enhanced; /* `enh` is set */
  iwarp_mpa_enhanced enh;
  uint16_t pd_length;
  uint8_t private_len; /* octets of the next member that are set: the first ones of the ULP's */
  uint8_t private_data[OBSERVE_FACTS_PRIVATE];
} observe_startup_fact;

/** observe_fpdu_fact is one FPDU. */
typedef struct observe_fpdu_fact {
  observe_moment at;
  uint8_t opcode;
  bool last;  /* L */
  bool whole; /* the header was decoded */
} observe_fpdu_fact;

/** observe_finding_fact is a certain violation that may matter to the receiver. */
typedef struct observe_finding_fact {
  uint64_t packet;
  uint16_t rule;
} observe_finding_fact;

/** observe_send_fact is a message on queue 0. */
typedef struct observe_send_fact {
  uint64_t packet; /* packet of the first segment that was seen */
  uint32_t msn;
  uint64_t octets; /* octets so far */
} observe_send_fact;

/** observe_stag_use is what a side did with an STag of the other side. */
typedef enum observe_stag_use {
  OBSERVE_STAG_WRITE = 0,  /* the side wrote to it */
  OBSERVE_STAG_READ,       /* the side read from it */
  OBSERVE_STAG_INVALIDATED /* the side invalidated it */
} observe_stag_use;

typedef struct observe_stag_fact {
  uint64_t first;  /* packet of the first such use in a row */
  uint64_t latest; /* first packet of the latest message with such a use */
  uint32_t stag;
  uint8_t use; /* observe_stag_use */
} observe_stag_fact;

/** observe_request_fact is a Read Request or an Atomic Request that waits. */
typedef struct observe_request_fact {
  uint64_t packet;
  uint64_t to;   /* TO of the sink */
  uint32_t name; /* sink STag, or Request Identifier */
  uint32_t size; /* size of a Read */
  bool atomic;
} observe_request_fact;

/** observe_requests are the requests of a side that were not answered so far. */
typedef struct observe_requests {
  uint32_t reads;
  uint32_t atomics;
  uint64_t num;       /* requests ever; `of` is a ring: the latest has index num - 1, modulo */
  bool uncertain;     /* octets are missing that may have been requests or answers */
  uint64_t num_early; /* answers without a waiting request */
  uint64_t early;     /* packet of the latest of `num_early` */
  observe_request_fact of[OBSERVE_FACTS_REQUESTS];
} observe_requests;

/** observe_silence is a stretch of time without an FPDU or a startup frame of either side. */
typedef struct observe_silence {
  uint64_t ns;
  uint64_t before;  /* packet before the silence */
  uint64_t after;   /* packet that ended the silence */
  uint8_t speaker;  /* side that sent `before` */
  uint8_t breaker;  /* side that sent `after` */
  bool read_waited; /* a request of the speaker waited for its answer */
} observe_silence;

/** observe_facts_side is what is kept of a side, as the sender. */
typedef struct observe_facts_side {
  observe_startup_fact startup;
  bool foreign;           /* the first octets are not even the beginning of a startup key */
  const char *looks_like; /* protocol of the first octets, or NULL; static storage */
  observe_fpdu_fact first;
  observe_fpdu_fact latest;
  observe_moment cut; /* octets that its stream ends with, of an item that is not whole */
  uint64_t num_sends; /* messages on queue 0 */
  uint64_t longest;   /* octets of the longest message before the latest OBSERVE_FACTS_SENDS */
  observe_send_fact sends[OBSERVE_FACTS_SENDS]; /* a ring: the latest has index num_sends - 1 */
  uint64_t num_stags;
  observe_stag_fact stags[OBSERVE_FACTS_STAGS]; /* a ring, likewise */
  uint64_t num_findings;
  observe_finding_fact findings[OBSERVE_FACTS_FINDINGS]; /* a ring, likewise */
  observe_requests requests;
  uint64_t num_reads; /* Read Requests of the side */
  /* Read Requests that a Write or a message on queue 0 of the side followed */
  uint64_t reads_followed;
  uint64_t answered;    /* Sends of the other side to which this side sent the next message */
  uint64_t passed;      /* Sends of the other side to which this side did not */
  uint64_t largest;     /* octets of the longest FPDU */
  uint64_t largest_pos; /* position of the first FPDU of this length */
  uint64_t smaller;     /* octets of the longest FPDU before it */
  uint64_t end;         /* position after the latest FPDU */
  uint64_t crc_good;    /* FPDUs with a right CRC */
  uint64_t crc_bad;     /* FPDUs with a wrong CRC */
  observe_moment fin;   /* FIN of the side; over SCTP its Session Terminate */
} observe_facts_side;

/** observe_facts is what is kept of a connection. */
typedef struct observe_facts {
  observe_facts_side side[2];
  observe_moment latest;   /* the latest FPDU or startup frame */
  uint8_t latest_side;     /* sender of `latest` */
  observe_silence silence; /* the longest silence */
} observe_facts;

/** observe_at_end is what a connection left undone. Sides by index. */
typedef struct observe_at_end {
  bool has_waiting;   /* `reads` and `atomics` are known */
  uint64_t reads;     /* RDMA Reads without their whole answer, of both sides */
  uint64_t atomics;   /* Atomic Operations without their answer, of both sides */
  uint32_t owed[2];   /* requests that the side did not answer */
  uint64_t oldest[2]; /* packet of the oldest request in `owed`; 0: not known */
  bool has_last;      /* `last_side` and `last` are known */
  uint8_t last_side;  /* sender of the last packet with payload, SYN, FIN or RST */
  observe_moment last;
  bool has_idle;
  uint64_t idle_ns; /* time from `last` to the end of the capture */
  bool heard[2];    /* a packet of the side is in the capture */
  bool has_unacknowledged;
  uint64_t unacknowledged[2]; /* octets that the side sent */
} observe_at_end;

#endif
