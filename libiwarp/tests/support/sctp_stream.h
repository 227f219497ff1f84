/* SPDX-License-Identifier: BSD-2-Clause */
/* One DDP stream over SCTP, message by message, and the events of its observer. */
#ifndef SUPPORT_SCTP_STREAM_H
#define SUPPORT_SCTP_STREAM_H

#include <stddef.h>

#include <iwarp/sctp_observer.h>

#define STREAM_MESSAGES 4096u
#define STREAM_LOG 16384u
#define STREAM_SEGMENT IWARP_SCTP_PPID_SEGMENT
#define STREAM_CONTROL IWARP_SCTP_PPID_CONTROL

/* What else gets the messages and events of the stream; each may be NULL. */
typedef struct stream_hooks {
  const char *(*mark)(iwarp_event *ev);       /* returns a mark of the event for the log */
  void (*passed)(uint8_t side, uint64_t end); /* a message of the side comes, up to this position */
  void (*lost)(uint8_t side, uint64_t end);   /* messages of the side were lost, likewise */
} stream_hooks;

/* One stream, and its events, a word for each event. */
typedef struct stream_fixture {
  iwarp_sctp_assoc *assoc; /* in assoc_mem */
  _Alignas(max_align_t) uint8_t assoc_mem[IWARP_SCTP_ASSOC_SIZE];
  stream_hooks hooks; /* the caller's; they stay from one stream to the next */
  iwarp_sctp_observer *obs;
  void *mem;
  iwarp_sctp_captured msg[STREAM_MESSAGES];
  uint8_t octets[STREAM_MESSAGES][64];
  unsigned back[STREAM_MESSAGES]; /* how often it came back */
  size_t num;
  uint64_t pos[2];
  uint64_t packet;
  char log[STREAM_LOG];
  size_t log_len;
  unsigned ends; /* ENDs of side 0 whose other side has not followed */
  iwarp_event last;
  iwarp_ev_sctp facts;
} stream_fixture;

extern stream_fixture stream_w;

/* stream_begin_as begins a stream with this configuration, stream_begin with the default one. */
void stream_begin_as(iwarp_sctp_observer_cfg cfg, bool start_known);
void stream_begin(void);
/* stream_drain takes all events. */
void stream_drain(void);
/* stream_make returns a message that is not pushed yet; its sender had received all that the other
 * side sent. */
iwarp_sctp_captured *stream_make(uint8_t side, uint32_t ppid, uint16_t ssn, const void *body,
                                 size_t len);
iwarp_sctp_captured *stream_make_control(uint8_t side, uint16_t ssn, uint16_t function);
iwarp_sctp_captured *stream_make_segment(uint8_t side, uint16_t ssn);
/* stream_push gives the message to the observer and takes its events; so do those after it, of a
 * message that they make. */
void stream_push(uint8_t side, const iwarp_sctp_captured *m);
void stream_control(uint8_t side, uint16_t ssn, uint16_t function);
void stream_segment(uint8_t side, uint16_t ssn);
/* stream_shake gives it Initiate and Accept. */
void stream_shake(void);
/* stream_lose loses a message of the side. */
void stream_lose(uint8_t side, iwarp_gap_reason reason);
/* stream_end ends the stream; each message must have come back once. */
void stream_end(iwarp_end how);
/* stream_want expects these events since it was called last. */
void stream_want(const char *log);
const iwarp_observer_info *stream_info(void);

#endif
