/* SPDX-License-Identifier: BSD-2-Clause */
/* How a connection ended, in words. */
#include "check_text.h"

#include <report/names.h>
#include <report/place.h>

#include "dump_parts.h"

static void outcome_by(out_buf *s, const char *words, const observe_conn *conn) {
  out_str(s, words);
  check_text_side(s, conn, conn->outcome.side);
}

static void outcome_where(report_check *check, const observe_conn *conn) {
  out_buf *s = check->out;
  out_str(s, " in frame ");
  report_place_put(s, conn, 0, conn->outcome.packet);
  out_str(s, ", ");
  check_text_time(check, s, conn, conn->outcome.time_ns);
}

static const char *outcome_reset_words(const observe_conn *conn) {
  return conn->info->sctp ? "aborted (ABORT) by " : "reset (RST) by ";
}

static const char *outcome_fin_words(const observe_conn *conn) {
  return conn->info->sctp ? "closed (Session Terminate) by " : "closed (FIN) by ";
}

/* Who left the connection, where the outcome does not say it. */
static void outcome_then(report_check *check, const observe_conn *conn) {
  out_buf *s = check->out;
  if (conn->outcome.ended) {
    out_str(s, "; ");
    outcome_by(s, conn->outcome.reset ? outcome_reset_words(conn) : outcome_fin_words(conn), conn);
    outcome_where(check, conn);
  } else {
    out_str(s, "; neither side has closed it when the capture ends");
  }
}

/* Neither side has closed, but only one side has sent something. */
static void outcome_unanswered(out_buf *s, const observe_conn *conn) {
  for (unsigned side = 0; side < 2; side++) {
    const iwarp_observer_side *other = &conn->info->side[1 - side];
    if (conn->info->side[side].role == IWARP_ROLE_INITIATOR && !other->seen &&
        !other->has_startup && !other->gap) {
      out_str(s, conn->info->sctp ? "; the Initiate has no Accept so far"
                                  : "; the Request has no Reply so far");
    }
  }
}

static bool outcome_same_words(const iwarp_rdmap_term *a, const iwarp_rdmap_term *b) {
  return a->layer == b->layer && a->etype == b->etype && a->code == b->code;
}

static void outcome_terminate(out_buf *s, const observe_conn *conn, bool brief) {
  const observe_terminate *t = conn->outcome.terminate;
  iwarp_rdmap_term likely = t->term;
  const bool swapped = iwarp_rdmap_term_likely(&likely, &t->term, t->place);
  out_str(s, "    Terminate: ");
  report_text_triple(s, &likely);
  if (swapped && outcome_same_words(&likely, &t->term)) {
    out_str(s, " (its flags are in the bit order of the sender)");
  } else if (swapped) {
    out_str(s, " (likely meant, in the bit order of the sender; as it stands: ");
    report_text_triple(s, &t->term);
    out_char(s, ')');
  }
  if (brief) {
    return;
  }
  if (t->about != 0) {
    out_str(s, "\n    about frame ");
    report_place_put(s, conn, conn->outcome.packet, t->about);
    out_str(s, t->about_read ? ", whose RDMA header it returns" : ", whose DDP header it returns");
  } else if (likely.ddp_header.len > 0) {
    out_str(s, "\n    the DDP header that it returns belongs to no segment captured");
  }
}

static const char *outcome_lack_words(const observe_conn *conn) {
  switch (conn->outcome.lack) {
  case OBSERVE_LACK_GIVEN_UP: return "the connection was given up";
  case OBSERVE_LACK_END: return "its ports were used again without a FIN or RST";
  case OBSERVE_LACK_DIRECTION: return "one direction was not captured";
  case OBSERVE_LACK_TAIL:
  case OBSERVE_LACK_NONE: break;
  }
  return conn->info->sctp ? "messages are missing at its end"
                          : "octets that were acknowledged are missing at its end";
}

void check_text_outcome(report_check *check, const observe_conn *conn, bool brief) {
  out_buf *s = check->out;
  switch (conn->outcome.how) {
  case OBSERVE_REJECTED:
    outcome_by(s, "rejected by ", conn);
    outcome_where(check, conn);
    out_str(s, ": the connection never came up");
    break;
  case OBSERVE_TERMINATED:
    outcome_by(s, "terminated by ", conn);
    outcome_where(check, conn);
    out_char(s, '\n');
    outcome_terminate(s, conn, brief);
    break;
  case OBSERVE_STARTUP_FAILED:
    out_str(s, "startup failed: a startup frame is incomplete or malformed");
    outcome_then(check, conn);
    break;
  case OBSERVE_NO_REPLY:
    out_str(s, conn->info->sctp ? "never answered: the Initiate has no Accept"
                                : "never answered: the Request has no Reply");
    outcome_then(check, conn);
    break;
  case OBSERVE_RESET:
    outcome_by(s, outcome_reset_words(conn), conn);
    outcome_where(check, conn);
    break;
  case OBSERVE_CLOSED:
    outcome_by(s, "closed by both sides, first by ", conn);
    outcome_where(check, conn);
    break;
  case OBSERVE_HALF_CLOSED:
    out_str(s, conn->info->sctp ? "half-closed: a Session Terminate" : "half-closed: a FIN");
    outcome_by(s, " was captured only of ", conn);
    outcome_where(check, conn);
    break;
  case OBSERVE_OPEN:
    out_str(s, conn->info->sctp ? "not ended by either side" : "still open when the capture ends");
    outcome_unanswered(s, conn);
    break;
  case OBSERVE_UNKNOWN:
    out_str(s, "not known, since ");
    out_str(s, outcome_lack_words(conn));
    break;
  }
  out_char(s, '\n');
}

static const char *outcome_words(observe_how how) {
  switch (how) {
  case OBSERVE_NO_REPLY: return "never answered";
  case OBSERVE_STARTUP_FAILED: return "startup failed";
  case OBSERVE_UNKNOWN: return "end not known";
  case OBSERVE_REJECTED:
  case OBSERVE_TERMINATED:
  case OBSERVE_RESET:
  case OBSERVE_CLOSED:
  case OBSERVE_HALF_CLOSED:
  case OBSERVE_OPEN: break;
  }
  return report_outcome_name(how);
}

void check_text_outcomes(out_buf *s, const report_totals *totals) {
  const char *before = ": ";
  check_text_count(s, totals->connections, "connection", "connections");
  for (unsigned int i = 1; i <= OBSERVE_HOWS; i++) { /* unknown outcomes come last */
    const unsigned int how = i % OBSERVE_HOWS;
    if (totals->outcomes[how] > 0) {
      out_str(s, before);
      out_u64(s, totals->outcomes[how]);
      out_char(s, ' ');
      out_str(s, outcome_words((observe_how)how));
      before = ", ";
    }
  }
}

uint64_t check_text_troubled(const report_totals *totals) {
  return totals->outcomes[OBSERVE_REJECTED] + totals->outcomes[OBSERVE_TERMINATED] +
         totals->outcomes[OBSERVE_STARTUP_FAILED] + totals->outcomes[OBSERVE_NO_REPLY] +
         totals->outcomes[OBSERVE_RESET];
}
