/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Prints what a target gives to the engines, a line for each piece, before the engine gets it: a
 * crash loses nothing. crash2pcap.py makes a capture of the lines.
 */
#include <ingest/ingest.h>
#include <iwarp/endpoint.h>
#include <iwarp/observer.h>
#include <iwarp/rx.h>
#include <iwarp/sctp_observer.h>
#include <iwarp/sctp_session.h>
#include <stdio.h>

#include "probe.h"

static void print_octets(const uint8_t *octets, size_t n) {
  for (size_t i = 0; i < n; i++) {
    printf("%02x", (unsigned)octets[i]);
  }
  printf("\n");
  fflush(stdout);
}

/* ---- an observer: the first one that is made, the others see the same again ---- */

static const iwarp_observer *observer;
static bool observing; /* the call of an engine is the observer's */

PROBE(iwarp_err, iwarp_observer_init, iwarp_observer **out, void *mem, size_t mem_len,
      const iwarp_observer_cfg *cfg) {
  const iwarp_err err = __real_iwarp_observer_init(out, mem, mem_len, cfg);
  if (err == IWARP_OK) {
    observer = observer == NULL ? *out : observer;
    printf("observer-init\n"); /* another one in the same memory is not the first one */
  }
  return err;
}

PROBE(iwarp_err, iwarp_observer_start, iwarp_observer *conn, uint8_t side, uint64_t start,
      bool start_known, uint64_t pos) {
  printf("start %u %u\n", (unsigned)side, start_known ? 1u : 0u);
  return __real_iwarp_observer_start(conn, side, start, start_known, pos);
}

PROBE(iwarp_err, iwarp_observer_push, iwarp_observer *conn, uint8_t side, iwarp_span in,
      const iwarp_meta *meta) {
  if (conn == observer) {
    printf("push %u %u ", (unsigned)side, meta->damaged ? 1u : 0u);
    print_octets(in.ptr, in.len);
  }
  observing = true;
  const iwarp_err err = __real_iwarp_observer_push(conn, side, in, meta);
  observing = false;
  return err;
}

PROBE(iwarp_err, iwarp_observer_gap, iwarp_observer *conn, uint8_t side, uint64_t len,
      iwarp_gap_reason reason, const iwarp_meta *meta) {
  if (conn == observer) {
    printf("gap %u %llu\n", (unsigned)side, (unsigned long long)len);
    fflush(stdout);
  }
  observing = true;
  const iwarp_err err = __real_iwarp_observer_gap(conn, side, len, reason, meta);
  observing = false;
  return err;
}

PROBE(iwarp_err, iwarp_observer_eof, iwarp_observer *conn, uint8_t side, iwarp_end how,
      const iwarp_meta *meta) {
  if (conn == observer) {
    printf("end %u %d\n", (unsigned)side, (int)how);
    fflush(stdout);
  }
  observing = true;
  const iwarp_err err = __real_iwarp_observer_eof(conn, side, how, meta);
  observing = false;
  return err;
}

/* ---- a receive engine: one direction, in Full Operation ---- */

PROBE(iwarp_err, iwarp_rx_init, iwarp_rx **out, void *mem, size_t mem_len,
      const iwarp_rx_cfg *cfg) {
  printf("rx-init %d %d %d\n", cfg->at_start ? 1 : 0, (int)cfg->markers, (int)cfg->crc);
  return __real_iwarp_rx_init(out, mem, mem_len, cfg);
}

PROBE(iwarp_err, iwarp_rx_push, iwarp_rx *rx, iwarp_span in, const iwarp_meta *meta) {
  if (!observing) {
    printf("push 0 %u ", meta->damaged ? 1u : 0u);
    print_octets(in.ptr, in.len);
  }
  return __real_iwarp_rx_push(rx, in, meta);
}

PROBE(iwarp_err, iwarp_rx_gap, iwarp_rx *rx, uint64_t len, iwarp_gap_reason reason,
      const iwarp_meta *meta) {
  if (!observing) {
    printf("gap 0 %llu\n", (unsigned long long)len);
    fflush(stdout);
  }
  return __real_iwarp_rx_gap(rx, len, reason, meta);
}

/* ---- an endpoint: its input and output; an observer beside it sees more ---- */

static iwarp_span said[IWARP_TX_SPANS_MIN];
static size_t num_said;
static unsigned own; /* side of the endpoint */

PROBE(iwarp_err, iwarp_endpoint_init, iwarp_endpoint **out, void *mem, size_t mem_len,
      const iwarp_endpoint_cfg *cfg) {
  own = cfg->role == IWARP_ROLE_RESPONDER ? 1 : 0;
  printf("endpoint-init %u\n", own);
  return __real_iwarp_endpoint_init(out, mem, mem_len, cfg);
}

PROBE(iwarp_err, iwarp_endpoint_push, iwarp_endpoint *ep, iwarp_span in) {
  printf("hear %u ", 1 - own);
  print_octets(in.ptr, in.len);
  return __real_iwarp_endpoint_push(ep, in);
}

PROBE(iwarp_err, iwarp_endpoint_push_at, iwarp_endpoint *ep, uint64_t offset, iwarp_span in) {
  printf("hear-at %u %llu ", 1 - own, (unsigned long long)offset);
  print_octets(in.ptr, in.len);
  return __real_iwarp_endpoint_push_at(ep, offset, in);
}

PROBE(iwarp_err, iwarp_endpoint_next_output, iwarp_endpoint *ep, iwarp_span *spans, size_t cap,
      iwarp_tx_out *out) {
  const iwarp_err err = __real_iwarp_endpoint_next_output(ep, spans, cap, out);
  num_said = 0;
  for (size_t i = 0; err == IWARP_OK && i < out->num_spans && i < IWARP_TX_SPANS_MIN; i++) {
    said[num_said++] = spans[i];
  }
  return err;
}

PROBE(iwarp_err, iwarp_endpoint_advance, iwarp_endpoint *ep, size_t len) {
  size_t left = len;
  for (size_t i = 0; i < num_said && left > 0; i++) {
    const size_t n = said[i].len < left ? said[i].len : left;
    printf("say %u ", own);
    print_octets(said[i].ptr, n);
    left -= n;
  }
  num_said = 0;
  return __real_iwarp_endpoint_advance(ep, len);
}

/* ---- sessions over SCTP ---- */

static const iwarp_sctp_session *watched;
static bool observed; /* sessions are an observer's, which is given their messages itself */

static void print_message(uint8_t side, uint32_t ppid, iwarp_span user_data) {
  printf("message %u %u ", (unsigned)side, (unsigned)ppid);
  print_octets(user_data.ptr, user_data.len);
}

PROBE(iwarp_err, iwarp_sctp_observer_init, iwarp_sctp_observer **out, void *mem, size_t mem_len,
      const iwarp_sctp_observer_cfg *cfg) {
  printf("sctp-observer-init\n");
  observed = true;
  return __real_iwarp_sctp_observer_init(out, mem, mem_len, cfg);
}

PROBE(iwarp_err, iwarp_sctp_observer_push, iwarp_sctp_observer *obs, uint8_t side,
      const iwarp_sctp_captured *msg) {
  print_message(side, msg->ppid, msg->user_data);
  return __real_iwarp_sctp_observer_push(obs, side, msg);
}

PROBE(void, iwarp_sctp_assoc_lost, iwarp_sctp_assoc *assoc, uint8_t side, iwarp_gap_reason reason) {
  printf("lost %u\n", (unsigned)side);
  fflush(stdout);
  __real_iwarp_sctp_assoc_lost(assoc, side, reason);
}

PROBE(iwarp_err, iwarp_sctp_session_init, iwarp_sctp_session **out, void *mem, size_t mem_len,
      const iwarp_sctp_session_cfg *cfg) {
  const iwarp_err err = __real_iwarp_sctp_session_init(out, mem, mem_len, cfg);
  if (err == IWARP_OK && cfg->observer && !observed) {
    watched = *out;
  }
  return err;
}

PROBE(iwarp_err, iwarp_sctp_session_push, iwarp_sctp_session *s, uint8_t side,
      const iwarp_sctp_message *message) {
  if (s == watched) {
    print_message(side, message->ppid, message->user_data);
  }
  return __real_iwarp_sctp_session_push(s, side, message);
}

/* ---- packets ---- */

PROBE(ingest *, ingest_new, const ingest_cfg *cfg) {
  printf("ingest-new\n");
  return __real_ingest_new(cfg);
}

PROBE(ingest_due, ingest_push, ingest *ing, const ingest_packet *pkt) {
  printf("packet %d %zu ", pkt->link_type, pkt->len);
  print_octets(pkt->data, pkt->caplen);
  return __real_ingest_push(ing, pkt);
}
