/* SPDX-License-Identifier: BSD-2-Clause */
/* Connections that did not come up, or were never used. */
#include "parts.h"

#include <observe/ulp.h>
#include <string.h>

#define STARTUP_SIW_PRIVATE 256u /* octets of Private Data that siw accepts */

static bool startup_flag(const observe_startup_fact *f, uint8_t flag) {
  return (f->flags & flag) != 0;
}

/* ---- a service that is not iWARP ---- */

/* Words for what obs_looks_like finds. */
static const char *startup_protocol(const char *name) {
  static const char *const rows[][2] = {{"http", "HTTP"},        {"http2", "HTTP/2"},
                                        {"ssh", "SSH"},          {"tls", "TLS"},
                                        {"smb", "SMB"},          {"smb2", "SMB"},
                                        {"iscsi", "iSCSI"},      {"nvme-tcp", "NVMe/TCP"},
                                        {"rpc", "RPC over TCP"}, {"mail-ftp", "SMTP or FTP"}};
  for (size_t i = 0; name != NULL && i < sizeof rows / sizeof rows[0]; i++) {
    if (strcmp(rows[i][0], name) == 0) {
      return rows[i][1];
    }
  }
  return NULL;
}

/* The Request came back: its receiver echoes what it gets. */
static bool startup_is_echo(const diagnose_case *c) {
  const observe_startup_fact *q = &c->side[c->first].startup;
  const observe_startup_fact *p = &c->side[1 - c->first].startup;
  return q->at.packet != 0 && p->at.packet != 0 && !q->reply && !p->reply && !p->wrong_key &&
         q->flags == p->flags && q->rev == p->rev && q->pd_length == p->pd_length &&
         q->enh.ird == p->enh.ird && q->enh.ord == p->enh.ord && q->private_len == p->private_len &&
         memcmp(q->private_data, p->private_data, q->private_len) == 0;
}

/* The Responder sends something else than MPA. */
bool diagnose_not_iwarp(const diagnose_case *c) {
  const uint8_t side = 1 - c->first;
  const observe_facts_side *s = &c->side[side];
  const char *protocol = startup_protocol(s->looks_like);
  iwarp_diagnosis *d;
  if (c->side[c->first].startup.at.packet == 0 || !(s->foreign || startup_is_echo(c))) {
    return false;
  }
  if (!s->foreign) {
    d = diagnose_add(c, IWARP_DIAGNOSIS_NOT_IWARP, false, side,
                     "%s sent the Request of %p in frame %0 back: it echoes what it receives, and "
                     "does not speak MPA");
  } else if (protocol != NULL) {
    d = diagnose_add(c, IWARP_DIAGNOSIS_NOT_IWARP, true, side,
                     "%s does not speak MPA: what it sends to %p, whose Request is in frame %0, is "
                     "%v");
    d->word[0] = protocol;
  } else {
    d = diagnose_add(c, IWARP_DIAGNOSIS_NOT_IWARP, false, side,
                     "%s does not speak MPA: what it sends to %p, whose Request is in frame %0, is "
                     "no startup frame");
  }
  diagnose_frames(d, c->side[c->first].startup.at.packet,
                  s->startup.at.packet != 0 ? s->startup.at.packet : s->cut.packet, 0);
  return true;
}

static uint64_t startup_since(uint64_t from_ns, uint64_t to_ns) {
  return to_ns > from_ns ? to_ns - from_ns : 0;
}

/* ---- a Reject ---- */

static iwarp_span startup_private(const observe_startup_fact *f) {
  return (iwarp_span){f->private_data, f->private_len};
}

/* The status of a Reject of NVMe/RDMA. NVMe over Fabrics 1.1, 7.3.6.5 */
static const char *startup_nvme_status(const observe_startup_fact *request,
                                       const observe_startup_fact *reply) {
  static const char *const names[] = {NULL,
                                      "invalid length of the Private Data (1)",
                                      "invalid RECFMT (2)",
                                      "invalid QID (3)",
                                      "invalid HSQSIZE (4)",
                                      "invalid HRQSIZE (5)",
                                      "no resources (6)",
                                      "invalid IRD (7)",
                                      "invalid ORD (8)",
                                      "invalid CNTLID (9)"};
  const bool nvme = observe_ulp_of(startup_private(request)) == OBSERVE_ULP_NVME;
  return nvme ? names[observe_nvme_status(startup_private(reply))] : NULL;
}

/* What a Reject means whose format has no reason, by the upper layer of the Request. RFC 8797,
 * MS-SMBD and RFC 7145 define none. */
static const char *startup_rejected_text(const observe_startup_fact *request) {
  switch (observe_ulp_of(startup_private(request))) {
  case OBSERVE_ULP_RPC_RDMA:
    return "%s rejected the connection in frame %0: its server of RPC-over-RDMA, such as NFS, "
           "refused, or its backlog is full";
  case OBSERVE_ULP_SMBD:
    return "%s rejected the connection in frame %0: its application, likely a server of SMB "
           "Direct, refused, or its backlog is full";
  case OBSERVE_ULP_ISER:
    return "%s rejected the connection in frame %0: its application, likely an iSER target, "
           "refused, or its backlog is full";
  case OBSERVE_ULP_NVME:
    return "%s rejected the connection in frame %0: its application, likely an NVMe/RDMA "
           "subsystem, refused without a reason, or its backlog is full";
  case OBSERVE_ULP_UNKNOWN: break;
  }
  return "%s rejected the connection in frame %0: its application refused, or its backlog is full";
}

/* A Reject that has the numbers of the Request asks for nothing else. */
static bool startup_depths_differ(const observe_startup_fact *request,
                                  const observe_startup_fact *reply) {
  const bool copied = reply->enh.ird == request->enh.ird && reply->enh.ord == request->enh.ord;
  return request->enhanced && reply->enhanced && reply->enh.ird + reply->enh.ord > 0 && !copied &&
         (reply->enh.ird < request->enh.ord || reply->enh.ord > request->enh.ird);
}

/* The reason that the frames show, if they do. */
static iwarp_diagnosis *startup_reject_reason(const diagnose_case *c, uint8_t side) {
  const observe_startup_fact *request = &c->side[1 - side].startup;
  const observe_startup_fact *reply = &c->side[side].startup;
  const observe_finding_fact *fault =
      diagnose_fault(&c->side[1 - side], request->at.packet, request->at.packet);
  const char *status = startup_nvme_status(request, reply);
  iwarp_diagnosis *d = NULL;
  if (status != NULL) {
    d = diagnose_add(c, IWARP_DIAGNOSIS_REJECTED_BY_ULP, true, side,
                     "%s rejected the connection in frame %0: NVMe/RDMA gives the reason %v");
    d->word[0] = status;
  } else if (request->at.packet != 0 && fault != NULL) {
    d = diagnose_add(c, IWARP_DIAGNOSIS_STARTUP_MALFORMED, false, side,
                     "%s rejected the connection in frame %0, likely since the Request in frame %1 "
                     "breaks the rule %v (\"%w\")");
    diagnose_rule(d, fault);
  } else if (startup_flag(request, IWARP_MPA_FLAG_R)) {
    d = diagnose_add(c, IWARP_DIAGNOSIS_STARTUP_MALFORMED, false, side,
                     "%s answered in frame %0 with a Reply that has R set, as the Request in frame "
                     "%1 has, although R belongs into a Reply: it may have copied the flag");
  } else if (startup_flag(request, IWARP_MPA_FLAG_M)) {
    d = diagnose_add(c, IWARP_DIAGNOSIS_REJECTED_MARKERS, false, side,
                     "%s rejected the connection in frame %0, likely since the Request demands "
                     "Markers, which it does not support");
  } else if (startup_flag(request, IWARP_MPA_FLAG_C) && !startup_flag(reply, IWARP_MPA_FLAG_C)) {
    d = diagnose_add(c, IWARP_DIAGNOSIS_REJECTED_CRC, false, side,
                     "%s rejected the connection in frame %0, likely since the Request demands "
                     "CRCs, which its configuration forbids");
  } else if (request->at.packet != 0 && reply->rev < request->rev) {
    d = diagnose_add(c, IWARP_DIAGNOSIS_REJECTED_REV, false, side,
                     "%s rejected the connection in frame %0 and answered in Rev %a: it may not "
                     "support Rev %b of the Request");
    d->number[0] = reply->rev;
    d->number[1] = request->rev;
  } else if (startup_depths_differ(request, reply)) {
    d = diagnose_add(c, IWARP_DIAGNOSIS_REJECTED_IRD_ORD, false, side,
                     "%s rejected the connection in frame %0, likely for the depth of RDMA Reads: "
                     "it offers IRD %a and ORD %b");
    d->number[0] = reply->enh.ird;
    d->number[1] = reply->enh.ord;
  }
  return d;
}

void diagnose_rejected(const diagnose_case *c) {
  const uint8_t side = c->outcome->side;
  iwarp_diagnosis *d = startup_reject_reason(c, side);
  if (d == NULL) {
    d = diagnose_add(c, IWARP_DIAGNOSIS_REJECTED, false, side,
                     startup_rejected_text(&c->side[1 - side].startup));
  }
  diagnose_frames(d, c->outcome->packet, c->side[1 - side].startup.at.packet, 0);
}

/* ---- no Reply ---- */

/* What the Responder may not like about the Request. */
static void startup_suspect(const diagnose_case *c, uint8_t first) {
  const observe_startup_fact *request = &c->side[first].startup;
  const uint64_t packet = request->at.packet;
  const uint64_t early = c->side[first].first.at.packet;
  iwarp_diagnosis *d = NULL;
  if (request->rev == 0 || (request->rev > 2 && request->rev != 129)) {
    d = diagnose_add(c, IWARP_DIAGNOSIS_REV_UNSUPPORTED, false, first,
                     "%s asks for MPA revision %a in frame %0, which %p does not seem to know");
    d->number[0] = request->rev;
  } else if (early != 0) {
    d = diagnose_add(c, IWARP_DIAGNOSIS_STARTUP_MALFORMED, false, first,
                     "%s sent an FPDU in frame %1 right after its Request in frame %0, before it "
                     "had a Reply, and %p left");
  } else if (diagnose_fault(&c->side[first], packet, packet) != NULL) {
    d = diagnose_add(c, IWARP_DIAGNOSIS_STARTUP_MALFORMED, false, first,
                     "the Request of %s in frame %0 breaks the rule %v (\"%w\"), and %p left");
    diagnose_rule(d, diagnose_fault(&c->side[first], packet, packet));
  } else if (request->pd_length >= STARTUP_SIW_PRIVATE) {
    d = diagnose_add(c, IWARP_DIAGNOSIS_PRIVATE_DATA_LONG, false, first,
                     "the Request of %s in frame %0 has %a octets of Private Data, which may be "
                     "too many for %p");
    d->number[0] = request->pd_length;
  }
  if (d != NULL) {
    diagnose_frames(d, packet, early, 0);
  }
}

/* IRD and ORD of the Request may be what the Responder cannot provide. */
static void startup_suspect_depths(const diagnose_case *c, uint8_t first) {
  const observe_startup_fact *request = &c->side[first].startup;
  if (c->out->num > 1 || !request->enhanced || request->enh.ird + request->enh.ord == 0) {
    return;
  }
  iwarp_diagnosis *d =
      diagnose_add(c, IWARP_DIAGNOSIS_IRD_ORD_REFUSED, false, first,
                   "%s asks for IRD %a and ORD %b in frame %0, which %p may be unable to provide");
  d->number[0] = request->enh.ird;
  d->number[1] = request->enh.ord;
  diagnose_frames(d, request->at.packet, 0, 0);
}

static uint64_t startup_until(const diagnose_case *c) {
  const observe_at_end *end = &c->conn->at_end;
  return end->last.time_ns + (end->has_idle ? end->idle_ns : 0);
}

bool diagnose_waits(const diagnose_case *c) {
  const observe_facts_side *q = &c->side[c->first];
  const observe_facts_side *p = &c->side[1 - c->first];
  if (c->outcome->how != OBSERVE_OPEN || q->startup.at.packet == 0 || q->startup.reply ||
      !q->startup.whole || p->startup.at.packet + p->first.at.packet + p->cut.packet != 0 ||
      startup_since(q->startup.at.time_ns, startup_until(c)) < DIAGNOSE_LONG_NS) {
    return false;
  }
  diagnose_no_reply(c);
  return true;
}

void diagnose_no_reply(const diagnose_case *c) {
  const uint8_t first = c->first;
  const observe_outcome *o = c->outcome;
  const bool by_responder = o->ended && o->side != first;
  const observe_startup_fact *request = &c->side[first].startup;
  iwarp_diagnosis *d;
  if (diagnose_not_iwarp(c)) {
    return;
  }
  (void)diagnose_path(c);
  if (by_responder) {
    startup_suspect(c, first);
    d = o->reset
            ? diagnose_add(c, IWARP_DIAGNOSIS_NO_REPLY_RESET, true, 1 - first,
                           "%s reset the connection (RST) in frame %1, in place of a Reply to the "
                           "Request in frame %0")
            : diagnose_add(c, IWARP_DIAGNOSIS_NO_REPLY_CLOSE, true, 1 - first,
                           "%s closed the connection (FIN) in frame %1, in place of a Reply to the "
                           "Request in frame %0");
  } else {
    const uint64_t waited =
        startup_since(request->at.time_ns, o->ended ? o->time_ns : startup_until(c));
    const bool hasty = o->ended && waited < DIAGNOSE_SHORT_NS;
    d = diagnose_add(
        c, IWARP_DIAGNOSIS_NO_REPLY_TIMEOUT, o->ended && !hasty, hasty ? first : 1 - first,
        hasty      ? "%s left in frame %1, %t after its Request in frame %0, before %p had "
                     "answered: its process was likely stopped, or gave up early"
        : o->ended ? "%s never answered the Request in frame %0, and %p left after %t in "
                     "frame %1"
                   : "%s did not answer the Request in frame %0 for %t, until the capture "
                     "ends");
    d->number[2] = waited;
  }
  diagnose_frames(d, request->at.packet, o->packet, 0);
  if (by_responder && !o->reset) {
    startup_suspect_depths(c, first);
  }
}

/* ---- a frame that is wrong or not whole ---- */

static void startup_broken(const diagnose_case *c, uint8_t side) {
  const observe_facts_side *s = &c->side[side];
  const observe_finding_fact *fault = diagnose_fault(s, 0, UINT64_MAX);
  iwarp_diagnosis *d;
  if (fault != NULL) {
    d = diagnose_add(c, IWARP_DIAGNOSIS_STARTUP_MALFORMED, c->outcome->ended, side,
                     s->startup.reply
                         ? "the Reply of %s in frame %0 breaks the rule %v (\"%w\")"
                         : "the Request of %s in frame %0 breaks the rule %v (\"%w\")");
    diagnose_rule(d, fault);
  } else {
    d = diagnose_add(c, IWARP_DIAGNOSIS_STARTUP_UNFINISHED, true, side,
                     "%s announced %a octets of Private Data in its startup frame, and did not "
                     "send all of them");
    d->number[0] = s->startup.pd_length;
  }
  diagnose_frames(d, fault != NULL ? fault->packet : s->startup.at.packet, c->outcome->packet, 0);
}

void diagnose_startup(const diagnose_case *c) {
  if (diagnose_not_iwarp(c)) {
    return;
  }
  for (uint8_t i = 0; i < 2; i++) {
    const uint8_t side = i == 0 ? c->first : 1 - c->first;
    const observe_facts_side *s = &c->side[side];
    if (diagnose_fault(s, 0, UINT64_MAX) != NULL ||
        (s->startup.at.packet != 0 && !s->startup.whole)) {
      startup_broken(c, side);
      return;
    }
  }
  for (uint8_t i = 0; i < 2; i++) { /* a frame that was cut before its Private Data */
    const uint8_t side = i == 0 ? c->first : 1 - c->first;
    if (c->side[side].startup.at.packet == 0 && c->side[side].cut.packet != 0) {
      iwarp_diagnosis *d = diagnose_add(c, IWARP_DIAGNOSIS_STARTUP_UNFINISHED, true, side,
                                        "the startup frame of %s in frame %0 is not whole");
      diagnose_frames(d, c->side[side].cut.packet, 0, 0);
      return;
    }
  }
  iwarp_diagnosis *d = diagnose_add(c, IWARP_DIAGNOSIS_STARTUP_UNFINISHED, false, c->first,
                                    "the startup between %s and %p was not completed");
  diagnose_frames(d, c->outcome->packet, 0, 0);
}

/* ---- a connection that was never used ---- */

/* True if both sides choose the peer-to-peer model, and offer no RTR message in common. */
bool diagnose_no_rtr(const diagnose_case *c) {
  const observe_startup_fact *q = &c->side[c->first].startup;
  const observe_startup_fact *r = &c->side[1 - c->first].startup;
  return q->enhanced && r->enhanced && q->enh.a && r->enh.a && !(q->enh.b && r->enh.b) &&
         !(q->enh.c && r->enh.c) && !(q->enh.d && r->enh.d);
}

/* Octets of a side are no FPDUs: it did not leave the connection unused. */
static bool startup_was_tried(const diagnose_case *c) {
  const observe_undecodable *u = c->conn->undecodable;
  return u[0].octets + u[1].octets > u[0].cut + u[1].cut;
}

bool diagnose_unused(const diagnose_case *c) {
  const observe_facts_side *i = &c->side[c->first];
  const observe_facts_side *r = &c->side[1 - c->first];
  const observe_startup_fact *q = &i->startup;
  const observe_startup_fact *p = &r->startup;
  const observe_outcome *o = c->outcome;
  iwarp_diagnosis *d;
  if (q->at.packet == 0 || p->at.packet == 0 || i->first.at.packet + r->first.at.packet != 0 ||
      !o->ended || startup_was_tried(c)) {
    return false;
  }
  const observe_finding_fact *fault = diagnose_fault(r, p->at.packet, p->at.packet);
  const uint64_t waited = startup_since(p->at.time_ns, o->time_ns);
  if (diagnose_not_iwarp(c)) {
    return true;
  }
  if (p->rev < q->rev) {
    d = diagnose_add(c, IWARP_DIAGNOSIS_REV1_FALLBACK, false, 1 - c->first,
                     "%s answered the Request of Rev %b in Rev %a in frame %0, and the connection "
                     "was not used");
    d->number[0] = p->rev;
    d->number[1] = q->rev;
  } else if (fault != NULL) {
    d = diagnose_add(c, IWARP_DIAGNOSIS_STARTUP_MALFORMED, false, 1 - c->first,
                     "the Reply of %s in frame %0 breaks the rule %v (\"%w\"), and the connection "
                     "was not used");
    diagnose_rule(d, fault);
  } else if (diagnose_no_rtr(c)) {
    d = diagnose_add(c, IWARP_DIAGNOSIS_NO_RTR, false, 1 - c->first,
                     "the Reply of %s in frame %0 has no RTR message in common with the Request");
  } else if (p->rev != q->rev) {
    d = diagnose_add(c, IWARP_DIAGNOSIS_STARTUP_MALFORMED, false, 1 - c->first,
                     "%s answered the Request of Rev %b in Rev %a in frame %0, and the connection "
                     "was not used");
    d->number[0] = p->rev;
    d->number[1] = q->rev;
  } else if (startup_flag(p, IWARP_MPA_FLAG_M) && o->side == c->first) {
    d = diagnose_add(c, IWARP_DIAGNOSIS_MARKERS_REFUSED, false, 1 - c->first,
                     "%s demands Markers in its Reply in frame %0, and %p left without a message");
  } else if (o->side != c->first && waited >= DIAGNOSE_SHORT_NS) {
    d = diagnose_add(c, IWARP_DIAGNOSIS_NO_FIRST_MESSAGE, false, c->first,
                     q->enhanced && q->enh.a
                         ? "%s sent no RTR message in the %t after the Reply in frame %0, and %p "
                           "left in frame %1"
                         : "%s sent no message in the %t after the Reply in frame %0, and %p left "
                           "in frame %1");
    d->number[2] = waited;
  } else {
    d = diagnose_add(c, IWARP_DIAGNOSIS_NO_MESSAGES, false, o->side,
                     "the connection came up with the Reply in frame %0, and %s left it in frame "
                     "%1 before any message");
  }
  diagnose_frames(d, p->at.packet, o->packet, 0);
  return true;
}
