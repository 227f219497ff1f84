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
  bool wrong_key; /* it has no startup key */
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
  bool whole; /* its header was decoded */
} observe_fpdu_fact;

/** observe_finding_fact is a certain violation that may matter to the receiver. */
typedef struct observe_finding_fact {
  uint64_t packet;
  uint16_t rule;
} observe_finding_fact;

/** observe_send_fact is a message on queue 0. */
typedef struct observe_send_fact {
  uint64_t packet; /* of its first segment that was seen */
  uint32_t msn;
  uint64_t octets; /* so far */
} observe_send_fact;

/** observe_stag_use is what a side did with an STag of the other side. */
typedef enum observe_stag_use {
  OBSERVE_STAG_WRITE = 0,  /* wrote to it */
  OBSERVE_STAG_READ,       /* read from it */
  OBSERVE_STAG_INVALIDATED /* invalidated it */
} observe_stag_use;

typedef struct observe_stag_fact {
  uint64_t first;  /* the packet of the first such use in a row, */
  uint64_t latest; /* and the first packet of the latest message with one */
  uint32_t stag;
  uint8_t use; /* observe_stag_use */
} observe_stag_fact;

/** observe_request_fact is a Read Request or an Atomic Request that waits. */
typedef struct observe_request_fact {
  uint64_t packet;
  uint64_t to;   /* of the sink */
  uint32_t name; /* sink STag, or Request Identifier */
  uint32_t size; /* of a Read */
  bool atomic;
} observe_request_fact;

/** observe_requests are the requests of a side that were not answered so far. */
typedef struct observe_requests {
  uint32_t reads;
  uint32_t atomics;
  uint64_t num;       /* requests ever; `of` is a ring: the latest has index num - 1, modulo */
  bool uncertain;     /* octets are missing that may have been requests or answers */
  uint64_t num_early; /* answers that no request waited for, */
  uint64_t early;     /* and the packet of the latest one */
  observe_request_fact of[OBSERVE_FACTS_REQUESTS];
} observe_requests;

/** observe_silence is a stretch of time without an FPDU or a startup frame of either side. */
typedef struct observe_silence {
  uint64_t ns;
  uint64_t before;  /* the packet before it, */
  uint64_t after;   /* and the packet that ended it */
  uint8_t speaker;  /* who sent the packet before it, */
  uint8_t breaker;  /* and who sent the packet after it */
  bool read_waited; /* a request of the speaker waited for its answer */
} observe_silence;

/** observe_facts_side is what is kept of a side, as the sender. */
typedef struct observe_facts_side {
  observe_startup_fact startup;
  bool foreign;           /* its first octets are not even the beginning of a startup key, */
  const char *looks_like; /* and the protocol that they belong to, or NULL; static storage */
  observe_fpdu_fact first;
  observe_fpdu_fact latest;
  observe_moment cut; /* octets that its stream ends with, of an item that is not whole */
  uint64_t num_sends; /* messages on queue 0 */
  uint64_t longest;   /* octets of the longest of these before the latest OBSERVE_FACTS_SENDS */
  observe_send_fact sends[OBSERVE_FACTS_SENDS]; /* a ring: the latest has index num_sends - 1 */
  uint64_t num_stags;
  observe_stag_fact stags[OBSERVE_FACTS_STAGS]; /* a ring, likewise */
  uint64_t num_findings;
  observe_finding_fact findings[OBSERVE_FACTS_FINDINGS]; /* a ring, likewise */
  observe_requests requests;
  uint64_t num_reads;      /* Read Requests, */
  uint64_t reads_followed; /* and of these: a Write or a message on queue 0 came next of the side */
  uint64_t answered;       /* Sends of the other side to which this one sent the next message, */
  uint64_t passed;         /* and those to which it did not */
  uint64_t largest;        /* octets of its longest FPDU, */
  uint64_t largest_pos;    /* the position of the first one that is so long, */
  uint64_t smaller;        /* octets of the longest FPDU before that, */
  uint64_t end;            /* and the position after the latest FPDU */
  uint64_t crc_good;       /* FPDUs with a right CRC, */
  uint64_t crc_bad;        /* and with a wrong one */
  observe_moment fin;      /* over SCTP its Session Terminate */
} observe_facts_side;

/** observe_facts is all of it. */
typedef struct observe_facts {
  observe_facts_side side[2];
  observe_moment latest;   /* the latest FPDU or startup frame, */
  uint8_t latest_side;     /* and its sender */
  observe_silence silence; /* the longest one between two of these */
} observe_facts;

/** observe_at_end is what a connection left undone. Sides by index. */
typedef struct observe_at_end {
  bool has_waiting;   /* the next two are known */
  uint64_t reads;     /* RDMA Reads without their whole answer, of both sides */
  uint64_t atomics;   /* Atomic Operations likewise */
  uint32_t owed[2];   /* requests that the side did not answer */
  uint64_t oldest[2]; /* the packet of the oldest of these, or 0: it is not known */
  bool has_last;      /* the next two are known */
  uint8_t last_side;  /* sender of the last packet with payload, SYN, FIN or RST */
  observe_moment last;
  bool has_idle;
  uint64_t idle_ns; /* from that packet to the end of the capture */
  bool heard[2];    /* a packet of the side is in the capture */
  bool has_unacknowledged;
  uint64_t unacknowledged[2]; /* octets that the side sent */
} observe_at_end;

#endif
