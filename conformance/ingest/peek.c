/* SPDX-License-Identifier: BSD-2-Clause */
/* The payload of a single packet. */
#include <ingest/peek.h>

#include <string.h>

#include "decap/decap.h"
#include "sctp_priv.h"

static ingest_peek_result peek_return(ingest_payload *out, const ing_span *s) {
  out->data = s->data;
  out->caplen = s->cap;
  out->len = s->len;
  return s->len > 0 ? INGEST_PEEK_PAYLOAD : INGEST_PEEK_EMPTY;
}

static ingest_peek_result peek_tcp(ingest_payload *out, const ing_ip *ip) {
  ing_segment seg;
  if (!ing_tcp_open(ip, &seg)) {
    return INGEST_PEEK_OTHER;
  }
  return peek_return(out, &seg.payload);
}

static ingest_peek_result peek_sctp(ingest_payload *out, const ing_ip *ip) {
  sctp_packet pkt;
  sctp_chunk chunk;
  if (!ing_sctp_open(ip, false, &pkt)) {
    return INGEST_PEEK_OTHER;
  }
  ing_span rest = pkt.body;
  (void)ing_skip(&rest, SCTP_HEADER);
  while (ing_sctp_chunk(&rest, &chunk)) {
    if (chunk.type == SCTP_DATA && chunk.body.len > SCTP_DATA_HEADER) {
      out->sctp = true;
      out->ppid = ing_be32(&chunk.body, 12);
      (void)ing_skip(&chunk.body, SCTP_DATA_HEADER);
      return peek_return(out, &chunk.body);
    }
  }
  return INGEST_PEEK_EMPTY;
}

/* Takes the headers off down to TCP or SCTP. */
static bool peek_ip(ing_ip *ip, const ingest_packet *pkt) {
  ing_decap d;
  decap_end end = ing_decap_open(&d, pkt);
  while (end == DECAP_FRAGMENT && d.ip.offset == 0) {
    end = ing_decap_resume(&d);
  }
  *ip = d.ip;
  return end == DECAP_TRANSPORT;
}

ingest_peek_result ingest_peek(ingest_payload *out, const ingest_packet *pkt) {
  ing_ip ip;
  *out = (ingest_payload){0};
  if (!peek_ip(&ip, pkt)) {
    return INGEST_PEEK_OTHER;
  }
  if (ip.next == ING_PROTO_TCP) {
    return peek_tcp(out, &ip);
  }
  return ip.next == ING_PROTO_SCTP ? peek_sctp(out, &ip) : INGEST_PEEK_OTHER;
}

bool ingest_peek_ends(ingest_addr addr[2], bool *sctp, const ingest_packet *pkt) {
  ing_ip ip;
  if (!peek_ip(&ip, pkt) || (ip.next != ING_PROTO_TCP && ip.next != ING_PROTO_SCTP) ||
      ip.body.cap < 4) {
    return false;
  }
  *sctp = ip.next == ING_PROTO_SCTP;
  for (size_t i = 0; i < 2; i++) {
    addr[i] = (ingest_addr){.family = ip.family, .port = ing_be16(&ip.body, 2 * i)};
    memcpy(addr[i].ip, i == 0 ? ip.src : ip.dst, sizeof addr[i].ip);
  }
  return true;
}
