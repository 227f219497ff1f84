/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The state table of a DDP Stream Session. RFC 5043 6
 *
 * Theory of operation
 *
 * A DDP stream over SCTP carries one session after the other. The table has what a message of the
 * peer is in each state, and the next state. Messages of this side are looked up in the mirrored
 * state: what one side sends is what the other side receives.
 *
 * 1. Beginning. One side sends an Initiate: it is active (INIT_SENT), the other one is passive
 *    (PENDING). The passive side answers: an Accept establishes the session (EST), a Reject or a
 *    Terminate refuses it (REFUSED on the active side, REFUSING on the passive side).
 *
 * 2. Established. Both sides send segments.
 *
 * 3. End. Each side sends one Terminate. T_SENT and T_RCVD are the states after the first one,
 *    DRAIN is the state after both.
 *
 * RFC 5043 leaves open whether the active side may send before it has an answer. So a segment or a
 * Terminate before the answer is a NOTE, and so is an answer that crosses the Terminate. After that
 * Terminate the active side is in GAVE_UP, the passive side in ABANDONED. REFUSED, REFUSING and
 * DRAIN end a session: only an Initiate leaves them, and begins the next one.
 *
 * Without a session (IDLE) every message but an Initiate is a STRAY. Where the table has no row, a
 * message is ILLEGAL and the state stays.
 */
#include "lists.h"

/* One cell of the table; it is not listed where the table has no row. */
typedef struct sctp_states_row {
  bool listed;
  uint8_t verdict; /* an iwarp_sctp_verdict */
  uint8_t next;    /* an iwarp_sctp_state */
} sctp_states_row;

/* State, message of the peer, verdict, next state. */
#define ON(state, kind, verdict, next)                                                             \
  [IWARP_SCTP_STATE_##                                                                             \
      state][IWARP_SCTP_KIND_##kind] = {true, IWARP_SCTP_##verdict, IWARP_SCTP_STATE_##next},

/* clang-format off */
static const sctp_states_row sctp_states_table[IWARP_SCTP_NUM_STATES][IWARP_SCTP_NUM_KINDS] = {
  ON(IDLE, INITIATE, LEGAL, PENDING)
  ON(IDLE, ACCEPT, STRAY, IDLE)
  ON(IDLE, REJECT, STRAY, IDLE)
  ON(IDLE, TERMINATE, STRAY, IDLE)
  ON(IDLE, SEGMENT, STRAY, IDLE)
  ON(IDLE, OTHER, STRAY, IDLE)

  ON(INIT_SENT, ACCEPT, LEGAL, EST)
  ON(INIT_SENT, REJECT, LEGAL, REFUSED)
  ON(INIT_SENT, TERMINATE, LEGAL, REFUSED)

  ON(PENDING, TERMINATE, NOTE, ABANDONED)
  ON(PENDING, SEGMENT, NOTE, PENDING)

  ON(EST, TERMINATE, LEGAL, T_RCVD)
  ON(EST, SEGMENT, LEGAL, EST)

  ON(T_SENT, TERMINATE, LEGAL, DRAIN)
  ON(T_SENT, SEGMENT, LEGAL, T_SENT)

  ON(GAVE_UP, ACCEPT, NOTE, T_SENT)
  ON(GAVE_UP, REJECT, NOTE, DRAIN)
  ON(GAVE_UP, TERMINATE, LEGAL, DRAIN)

  ON(REFUSED, INITIATE, LEGAL, PENDING)

  ON(REFUSING, INITIATE, LEGAL, PENDING)
  ON(REFUSING, TERMINATE, NOTE, DRAIN)
  ON(REFUSING, SEGMENT, NOTE, REFUSING)

  ON(DRAIN, INITIATE, LEGAL, PENDING)
};
/* clang-format on */
#undef ON

/* The same situation seen from the other side. */
static const iwarp_sctp_state sctp_states_mirror[IWARP_SCTP_NUM_STATES] = {
    [IWARP_SCTP_STATE_IDLE] = IWARP_SCTP_STATE_IDLE,
    [IWARP_SCTP_STATE_INIT_SENT] = IWARP_SCTP_STATE_PENDING,
    [IWARP_SCTP_STATE_PENDING] = IWARP_SCTP_STATE_INIT_SENT,
    [IWARP_SCTP_STATE_EST] = IWARP_SCTP_STATE_EST,
    [IWARP_SCTP_STATE_T_SENT] = IWARP_SCTP_STATE_T_RCVD,
    [IWARP_SCTP_STATE_T_RCVD] = IWARP_SCTP_STATE_T_SENT,
    [IWARP_SCTP_STATE_GAVE_UP] = IWARP_SCTP_STATE_ABANDONED,
    [IWARP_SCTP_STATE_ABANDONED] = IWARP_SCTP_STATE_GAVE_UP,
    [IWARP_SCTP_STATE_REFUSED] = IWARP_SCTP_STATE_REFUSING,
    [IWARP_SCTP_STATE_REFUSING] = IWARP_SCTP_STATE_REFUSED,
    [IWARP_SCTP_STATE_DRAIN] = IWARP_SCTP_STATE_DRAIN,
};

/* The cell of a message that the peer sends. */
static iwarp_sctp_cell sctp_states_cell(iwarp_sctp_state state, iwarp_sctp_kind kind) {
  const sctp_states_row *row = &sctp_states_table[state][kind];
  if (!row->listed) {
    return (iwarp_sctp_cell){.verdict = IWARP_SCTP_ILLEGAL, .next = state};
  }
  return (iwarp_sctp_cell){.verdict = (iwarp_sctp_verdict)row->verdict,
                           .next = (iwarp_sctp_state)row->next};
}

iwarp_sctp_cell iwarp_sctp_step(iwarp_sctp_state state, bool own, iwarp_sctp_kind kind) {
  if ((size_t)state >= IWARP_SCTP_NUM_STATES || (size_t)kind >= IWARP_SCTP_NUM_KINDS) {
    return (iwarp_sctp_cell){.verdict = IWARP_SCTP_ILLEGAL, .next = state};
  }
  if (!own) {
    return sctp_states_cell(state, kind);
  }
  iwarp_sctp_cell cell = sctp_states_cell(sctp_states_mirror[state], kind);
  cell.next = sctp_states_mirror[cell.next];
  return cell;
}

const char *iwarp_sctp_state_name(iwarp_sctp_state state) {
  static const char *const names[] = {
#define SCTP_STATES_NAME(name, text) text,
      SCTP_STATE_MAP(SCTP_STATES_NAME)
#undef SCTP_STATES_NAME
  };
  _Static_assert(sizeof names / sizeof names[0] == IWARP_SCTP_NUM_STATES, "one name a state");
  return (size_t)state < IWARP_SCTP_NUM_STATES ? names[state] : IWARP_NAME_UNKNOWN;
}
