/* SPDX-License-Identifier: BSD-2-Clause */
/* Connections that a Terminate ended. */
#include "parts.h"

#include <string.h>

/* A Terminate that is explained. */
typedef struct term_case {
  const diagnose_case *c;
  uint8_t by;                     /* the sender of the Terminate */
  const observe_facts_side *peer; /* the side whose message it is about */
  const observe_terminate *t;
  iwarp_rdmap_term term; /* the Terminate in its likely meaning */
  bool stands;           /* the reading is the field as it stands */
  bool certain;          /* no other reading is possible */
  uint64_t about;        /* the packet of the message, or 0 */
  bool has_ddp;
  iwarp_ddp_hdr ddp; /* the header that it returns */
  bool has_stag;
  uint32_t stag;                     /* STag that the message names */
  const observe_finding_fact *fault; /* fault of the message, or NULL */
} term_case;

#define TERM_CRC_GOOD                                                                              \
  8u /* right CRCs beside a wrong one, after which its sender is not suspected */

#define TERM_PLACED 5u /* codes from this one on belong to the startup or to messages */

/* Layer, Error Type and Error Code as one number. */
#define TERM(layer, etype, code) ((unsigned int)(layer) << 12 | (unsigned int)(etype) << 8 | (code))

static unsigned int term_number(const iwarp_rdmap_term *t) {
  return TERM(t->layer, t->etype, t->code);
}

/* ---- what it is about ---- */

/* The request that the Terminate must be about where the peer waits for one alone; or 0. */
static uint64_t term_only_request(const term_case *x) {
  const observe_requests *r = &x->peer->requests;
  return r->reads + r->atomics == 1 && !r->uncertain
             ? r->of[(r->num - 1) % OBSERVE_FACTS_REQUESTS].packet
             : 0;
}

static void term_headers(term_case *x) {
  iwarp_rdmap_read_req read;
  x->has_ddp = iwarp_ddp_hdr_decode(&x->ddp, x->term.ddp_header).err == IWARP_OK;
  if (x->has_ddp && x->ddp.tagged) {
    x->has_stag = true;
    x->stag = x->ddp.stag;
  } else if (iwarp_rdmap_read_req_decode(&read, x->term.rdma_header).err == IWARP_OK) {
    x->has_stag = true;
    x->stag = read.source_stag;
  }
}

static bool term_is_rule(const term_case *x, const char *slug) {
  return x->fault != NULL && strcmp(diagnose_slug(x->fault), slug) == 0;
}

/* The fault is one of the startup, which no Terminate about a message reports. */
static bool term_is_elsewhere(const term_case *x) {
  return x->fault->packet == x->peer->startup.at.packet || term_is_rule(x, "mpa.responder-first");
}

/* Without returned headers some fields have two readings, since the nibbles of the first octet may
 * stand in either order. Where the place of the Terminate tells them apart, the codes from 5 on do.
 */
static bool term_is_ambiguous(const observe_terminate *terminate) {
  const iwarp_rdmap_term *t = &terminate->term;
  return (t->code < TERM_PLACED || terminate->place == IWARP_RDMAP_TERM_PLACE_UNKNOWN) &&
         t->ddp_header.len == 0 && !t->m && !t->d && !t->r && t->layer != t->etype &&
         iwarp_name_known(iwarp_rdmap_term_code_name(t->etype, t->layer, t->code));
}

static void term_open(term_case *x, const diagnose_case *c) {
  const observe_outcome *o = c->outcome;
  *x = (term_case){.c = c, .by = o->side, .peer = &c->side[1 - o->side], .t = o->terminate};
  x->term = x->t->term;
  x->stands = !iwarp_rdmap_term_likely(&x->term, &x->t->term, x->t->place);
  x->certain = x->stands && !term_is_ambiguous(x->t);
  x->about = x->t->about;
  if (x->about == 0 && x->term.ddp_header.len > 0) {
    x->stands = x->certain = false; /* no captured segment has the header that it returns */
  }
  term_headers(x);
  if (x->about == 0 && x->term.layer == 0 && x->term.etype == 1) {
    x->about = term_only_request(x);
  }
  x->fault = x->about != 0 ? diagnose_fault(x->peer, x->about, x->about) : NULL;
  if (x->fault == NULL && x->about == 0) {
    x->fault = diagnose_fault(x->peer, 0, o->packet);
    x->about = x->fault != NULL ? x->fault->packet : x->peer->latest.at.packet;
  }
  if (x->fault != NULL && term_is_elsewhere(x)) {
    x->fault = NULL;
  }
  if (x->about == 0 && (x->peer->startup.at.packet == 0 || x->term.d)) {
    x->stands = x->certain = false; /* the message of the peer was not captured */
  }
}

static iwarp_diagnosis *term_add(const term_case *x, iwarp_diagnosis_id id, bool certain,
                                 const char *text) {
  iwarp_diagnosis *d = diagnose_add(x->c, id, certain, 1 - x->by, text);
  const char *name = iwarp_rdmap_term_code_name(x->term.layer, x->term.etype, x->term.code);
  diagnose_frames(d, x->about, x->c->outcome->packet, 0);
  d->word[1] = iwarp_name_known(name) ? name : "an error that is not assigned";
  if (x->about == 0) {
    d->text = "%p terminated the connection with %s in frame %1 and reports \"%w\"; the capture "
              "does not show for which message";
  }
  return d;
}

/* ---- STags ---- */

/* The latest use of the STag by the peer before the message, of this kind or, with `not`, of
 * another one; or NULL. */
static const observe_stag_fact *term_used(const term_case *x, bool invalidated) {
  const observe_facts_side *s = x->peer;
  const uint64_t kept = s->num_stags < OBSERVE_FACTS_STAGS ? s->num_stags : OBSERVE_FACTS_STAGS;
  bool own = false;
  for (uint64_t i = 1; i <= kept; i++) {
    const observe_stag_fact *f = &s->stags[(s->num_stags - i) % OBSERVE_FACTS_STAGS];
    if (f->stag != x->stag || f->first >= x->about ||
        (f->use == OBSERVE_STAG_INVALIDATED) != invalidated) {
      continue;
    }
    if (own || f->first != f->latest || f->use != OBSERVE_STAG_WRITE || !x->has_ddp ||
        !x->ddp.tagged) {
      return f;
    }
    own = true; /* earlier segments of the Write itself */
  }
  return NULL;
}

static void term_stag(const term_case *x) {
  const observe_stag_fact *gone = x->has_stag ? term_used(x, true) : NULL;
  const observe_stag_fact *used = x->has_stag ? term_used(x, false) : NULL;
  iwarp_diagnosis *d;
  if (gone != NULL) {
    d = term_add(x, IWARP_DIAGNOSIS_TERM_STAG_INVALIDATED, x->certain,
                 "%s uses STag %A in frame %0, which it had invalidated in frame %2; %p terminated "
                 "the connection in frame %1");
    d->frames[2] = gone->first;
  } else if (used != NULL) {
    d = term_add(x, IWARP_DIAGNOSIS_TERM_STAG, x->certain,
                 "%s uses STag %A in frame %0, which %p does not accept any more, or not for this "
                 "(it was used in frame %2 before); %q terminated the connection in frame %1");
    d->frames[2] = used->first;
  } else if (x->has_stag) {
    d = term_add(
        x, IWARP_DIAGNOSIS_TERM_STAG, x->certain,
        "%s uses STag %A in frame %0, which %p does not know; %q terminated the connection "
        "in frame %1");
  } else {
    d = term_add(x, IWARP_DIAGNOSIS_TERM_STAG, x->certain,
                 "%s uses an STag in frame %0, or before, that %p does not know; %q terminated the "
                 "connection in frame %1");
  }
  d->number[0] = x->stag;
}

static void term_bounds(const term_case *x) {
  iwarp_diagnosis *d = term_add(
      x, IWARP_DIAGNOSIS_TERM_BOUNDS, x->certain,
      x->has_stag ? "%s reaches outside of the region of STag %A in frame %0; %p terminated the "
                    "connection in frame %1"
                  : "%s reaches outside of a region in frame %0, or before; %p terminated the "
                    "connection in frame %1");
  d->number[0] = x->stag;
}

static void term_access(const term_case *x, iwarp_diagnosis_id id, const char *with,
                        const char *without) {
  iwarp_diagnosis *d = term_add(x, id, x->certain, x->has_stag ? with : without);
  d->number[0] = x->stag;
}

/* ---- receives ---- */

/* The Send with the MSN that the Terminate returns, else the latest one; NULL: it is not known. */
static const observe_send_fact *term_send(const term_case *x) {
  const observe_facts_side *s = x->peer;
  const uint64_t kept = s->num_sends < OBSERVE_FACTS_SENDS ? s->num_sends : OBSERVE_FACTS_SENDS;
  for (uint64_t i = 1; i <= kept; i++) {
    const observe_send_fact *f = &s->sends[(s->num_sends - i) % OBSERVE_FACTS_SENDS];
    if (x->has_ddp && !x->ddp.tagged && x->ddp.msn == f->msn) {
      return f;
    }
  }
  return kept > 0 && !x->has_ddp ? &s->sends[(s->num_sends - 1) % OBSERVE_FACTS_SENDS] : NULL;
}

/* Octets of the longest Send before this one. */
static uint64_t term_longest_before(const term_case *x, const observe_send_fact *send) {
  const observe_facts_side *s = x->peer;
  const uint64_t kept = s->num_sends < OBSERVE_FACTS_SENDS ? s->num_sends : OBSERVE_FACTS_SENDS;
  uint64_t longest = s->longest;
  for (uint64_t i = 0; i < kept; i++) {
    const observe_send_fact *f = &s->sends[(s->num_sends - kept + i) % OBSERVE_FACTS_SENDS];
    if (f == send) {
      break;
    }
    longest = f->octets > longest ? f->octets : longest;
  }
  return longest;
}

static void term_too_long(const term_case *x, const observe_send_fact *send, bool certain) {
  iwarp_diagnosis *d =
      term_add(x, IWARP_DIAGNOSIS_TERM_TOO_LONG, certain,
               send != NULL ? "the Send of %s in frame %0 (%a octets or more) is longer than the "
                              "receive that %p posted; %q terminated the connection in frame %1"
                            : "the Send of %s in frame %0 is longer than the receive that %p "
                              "posted; %q terminated the connection in frame %1");
  d->number[0] = send != NULL ? send->octets : 0;
}

/* A Send before was as long, and was received: the receive is missing. A longer one may be too long
 * for it. */
static void term_no_receive(const term_case *x) {
  const observe_send_fact *send = term_send(x);
  const uint64_t before = send != NULL ? term_longest_before(x, send) : 0;
  iwarp_diagnosis *d;
  if (send != NULL && before > 0 && send->octets > before && !x->certain) {
    term_too_long(x, send, false);
  } else if (send != NULL && before > 0) {
    d = term_add(x, IWARP_DIAGNOSIS_TERM_NO_RECEIVE_AGAIN, false,
                 "%p had no receive left for the Send of %s in frame %0 (its Send number %a), and "
                 "terminated the connection in frame %1");
    d->number[0] = send->msn;
  } else {
    term_add(x, IWARP_DIAGNOSIS_TERM_NO_RECEIVE, x->certain,
             "%p had no receive posted for the Send of %s in frame %0, and terminated the "
             "connection in frame %1");
  }
}

/* ---- faults of the message ---- */

static void term_reads(const term_case *x) {
  const observe_startup_fact *allowed = &x->c->side[x->by].startup;
  iwarp_diagnosis *d =
      term_add(x, IWARP_DIAGNOSIS_TERM_READS, x->certain || x->fault != NULL,
               allowed->enhanced
                   ? "%s has more RDMA Reads outstanding in frame %0 than %p allows (its IRD is "
                     "%a); %q terminated the connection in frame %1"
                   : "%s has more RDMA Reads outstanding in frame %0 than %p allows; %q terminated "
                     "the connection in frame %1");
  d->number[0] = allowed->enh.ird;
  diagnose_rev1(x->c, 1 - x->by,
                "%s reads in frame %0, although both startup frames have Rev 1, which carries no "
                "IRD and ORD: %p may allow no RDMA Read",
                x->about, x->c->outcome->packet);
}

static void term_fault(const term_case *x) {
  iwarp_diagnosis *d =
      term_add(x, IWARP_DIAGNOSIS_TERM_PEER_FAULT, x->fault->packet == x->t->about || x->stands,
               "the message of %s in frame %0 breaks the rule %v (\"%w\"), and %p terminated the "
               "connection in frame %1");
  diagnose_rule(d, x->fault);
}

/* The sender computes CRCs otherwise, or octets were changed on the way. */
static void term_crc_wrong(const term_case *x) {
  const uint64_t good = x->peer->crc_good;
  iwarp_diagnosis *d = term_add(
      x, IWARP_DIAGNOSIS_TERM_CRC, good < TERM_CRC_GOOD,
      good == 0 ? "the CRC of %s in frame %0 is wrong, as each CRC that it sent; %p "
                  "terminated the connection in frame %1"
      : good < TERM_CRC_GOOD
          ? "the CRC of %s in frame %0 is wrong; %p terminated the connection in frame %1"
          : "the CRC of %s in frame %0 is wrong, while %a other FPDUs of it have "
            "right ones: octets were likely changed on the way; %p terminated the connection "
            "in frame %1");
  d->number[0] = good;
}

/* Octets of the peer form no FPDUs, so that their receiver found no right CRC. */
static bool term_is_framing(const term_case *x) {
  const observe_undecodable *u = &x->c->conn->undecodable[1 - x->by];
  return u->octets > u->cut && u->packet <= x->c->outcome->packet;
}

static void term_crc(const term_case *x) {
  if (term_is_rule(x, "mpa.crc")) {
    term_crc_wrong(x);
  } else if (term_is_framing(x)) {
    diagnose_framing(x->c);
  } else if (x->peer->crc_good > 0 && x->peer->crc_bad == 0) {
    iwarp_diagnosis *d =
        term_add(x, IWARP_DIAGNOSIS_TERM_CRC_PATH, false,
                 "%p reports a CRC error in frame %1, but the captured CRCs of all %a FPDUs of %s "
                 "are right: octets changed after this capture, or %q computes otherwise");
    d->number[0] = x->peer->crc_good;
    d->frames[0] = 0;
  } else {
    (void)term_add(x, IWARP_DIAGNOSIS_TERM_UNEXPLAINED, false,
                   "%p reports a CRC error in frame %1; the CRCs of %s could not be checked");
  }
}

static void term_unexplained(const term_case *x) {
  (void)term_add(x, IWARP_DIAGNOSIS_TERM_UNEXPLAINED, false,
                 "%p terminated the connection in frame %1 and reports \"%w\", which no captured "
                 "message of %s explains");
}

/* The latest message of the peer has an opcode that not all stacks know. RFC 7306, RFC 6580 2 */
static bool term_is_rare(const term_case *x) {
  return x->peer->latest.whole && x->peer->latest.opcode > IWARP_RDMAP_OP_TERMINATE;
}

static void term_opcode(const term_case *x) {
  iwarp_diagnosis *d = term_add(x, IWARP_DIAGNOSIS_TERM_OPCODE, x->stands,
                                "%s sent a message of the kind \"%v\" in frame %0, which %p does "
                                "not support; %q terminated the connection in frame %1");
  d->word[0] = iwarp_rdmap_op_get(x->peer->latest.opcode)->name;
  d->frames[0] = x->peer->latest.at.packet;
}

static void term_local(const term_case *x) {
  if (x->about == 0 && x->peer->startup.at.packet == 0) {
    term_unexplained(x); /* no message of the peer was captured: one may be the cause */
    return;
  }
  iwarp_diagnosis *d = diagnose_add(
      x->c, IWARP_DIAGNOSIS_TERM_LOCAL, x->certain, x->by,
      "%s terminated the connection in frame %0 and reports a catastrophic error of its own");
  diagnose_frames(d, x->c->outcome->packet, 0, 0);
}

/* ---- the startup ---- */

/* A Terminate about a startup frame: its sender may have a CRC field of 0 although CRCs are on. */
static void term_startup(const term_case *x, iwarp_diagnosis_id id, const char *text) {
  const observe_startup_fact *frame = &x->peer->startup;
  const observe_finding_fact *fault = diagnose_fault(x->peer, frame->at.packet, frame->at.packet);
  if (frame->at.packet == 0) {
    term_unexplained(x);
    return;
  }
  const bool shown = id != IWARP_DIAGNOSIS_TERM_RTR || diagnose_no_rtr(x->c);
  iwarp_diagnosis *d = diagnose_add(x->c, id, x->certain && shown, 1 - x->by, text);
  diagnose_frames(d, frame->at.packet, x->c->outcome->packet, 0);
  d->number[0] = frame->enh.ird;
  d->number[1] = x->c->side[x->by].startup.enh.ord;
  if (id == IWARP_DIAGNOSIS_TERM_STARTUP && fault != NULL) {
    diagnose_rule(d, fault);
    d->text = "the startup frame of %s in frame %0 breaks the rule %v (\"%w\"), and %p terminated "
              "the connection in frame %1";
    d->certainty = IWARP_DIAGNOSIS_CERTAIN;
  }
}

void diagnose_terminated(const diagnose_case *c) {
  term_case x;
  term_open(&x, c);
  const unsigned int number = term_number(&x.term);
  const bool read_queue = x.has_ddp && !x.ddp.tagged && x.ddp.qn == IWARP_RDMAP_QN_READ_REQ;
  if (number == TERM(2, 0, 2)) {
    term_crc(&x);
  } else if (number == TERM(2, 0, 4) && diagnose_not_iwarp(c)) {
    return;
  } else if (number == TERM(2, 0, 4)) {
    term_startup(&x, IWARP_DIAGNOSIS_TERM_STARTUP,
                 "%p refused the startup frame of %s in frame %0 and terminated the connection in "
                 "frame %1");
  } else if (number >= TERM(2, 0, 6) && number <= TERM(2, 0, 7) && x.fault != NULL) {
    term_fault(&x); /* an RTR message of another type, or in another order */
  } else if (number == TERM(2, 0, 6)) {
    term_startup(&x, IWARP_DIAGNOSIS_TERM_IRD,
                 "%p terminated the connection in frame %1, since IRD and ORD of %s in frame %0 do "
                 "not suit its own");
  } else if (number == TERM(2, 0, 7)) {
    term_startup(&x, IWARP_DIAGNOSIS_TERM_RTR,
                 "%p terminated the connection in frame %1, since %s offers no RTR message in "
                 "frame %0 that suits it");
  } else if (term_is_rule(&x, "rdmap.reads-outstanding") ||
             (number == TERM(1, 2, 2) && read_queue)) {
    term_reads(&x);
  } else if (number == TERM(0, 2, 6) && term_is_rare(&x)) {
    term_opcode(&x);
  } else if (x.fault != NULL) {
    term_fault(&x);
  } else if (x.term.layer <= 1 && x.term.etype == 0) { /* whatever the code: RFC 5040 4.8 */
    term_local(&x);
  } else {
    switch (number) {
    case TERM(0, 1, 0):
    case TERM(1, 1, 0): term_stag(&x); break;
    case TERM(0, 1, 1):
    case TERM(1, 1, 1): term_bounds(&x); break;
    case TERM(0, 1, 2):
      term_access(&x, IWARP_DIAGNOSIS_TERM_RIGHTS,
                  "%s uses STag %A in frame %0 for what its region does not allow; %p terminated "
                  "the connection in frame %1",
                  "%s uses a region in frame %0, or before, for what it does not allow; %p "
                  "terminated the connection in frame %1");
      break;
    case TERM(0, 1, 3):
    case TERM(1, 1, 2):
      term_access(&x, IWARP_DIAGNOSIS_TERM_STREAM,
                  "%s uses STag %A in frame %0, which belongs to another connection; %p terminated "
                  "the connection in frame %1",
                  "%s uses an STag of another connection in frame %0, or before; %p terminated the "
                  "connection in frame %1");
      break;
    case TERM(0, 1, 4):
    case TERM(1, 1, 3):
      term_access(
          &x, IWARP_DIAGNOSIS_TERM_WRAP,
          "the offset that %s uses with STag %A in frame %0 wraps; %p terminated the "
          "connection in frame %1",
          "the offset that %s uses in frame %0, or before, wraps; %p terminated the connection in "
          "frame %1");
      break;
    case TERM(0, 1, 9):
    case TERM(0, 2, 9):
      (void)term_add(&x, IWARP_DIAGNOSIS_TERM_INVALIDATE, x.certain,
                     "%s asks in frame %0 to invalidate an STag that cannot be invalidated; %p "
                     "terminated the connection in frame %1");
      break;
    case TERM(1, 2, 2): term_no_receive(&x); break;
    case TERM(1, 2, 5): term_too_long(&x, term_send(&x), x.certain); break;
    case TERM(0, 2, 7):
    case TERM(0, 2, 8):
    case TERM(2, 0, 5): term_local(&x); break;
    case TERM(0, 2, 5): /* no captured message has another version: as the field stands */
      if (term_number(&x.t->term) == TERM(2, 0, 5)) {
        term_local(&x);
      } else {
        term_unexplained(&x);
      }
      break;
    default: term_unexplained(&x); break;
    }
  }
}
