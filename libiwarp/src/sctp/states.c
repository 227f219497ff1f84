/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of states of a DDP Stream Session: RFC 5043 6. */
#include "lists.h"

#define SCTP_STATES_CELL(verdict_, next_)                                                          \
  { .verdict = IWARP_SCTP_##verdict_, .next = IWARP_SCTP_STATE_##next_ }

/*
 * A row for what the peer sends in each state: Initiate, Accept, Reject, Terminate, Segment, Other.
 * What the RFC leaves open is a NOTE: segments before Accept, a Terminate before any answer and
 * the answers that cross it.
 */
#define SCTP_STATES_SIX(i, a, r, t, s, o)                                                          \
  { i, a, r, t, s, o }
#define SCTP_STATES_BAD(state) SCTP_STATES_CELL(ILLEGAL, state)
#define SCTP_STATES_LEGAL(state) SCTP_STATES_CELL(LEGAL, state)
#define SCTP_STATES_NOTE(state) SCTP_STATES_CELL(NOTE, state)
#define SCTP_STATES_STRAY SCTP_STATES_CELL(STRAY, IDLE)

static const iwarp_sctp_cell sctp_states_table[IWARP_SCTP_NUM_STATES][IWARP_SCTP_NUM_KINDS] = {
    [IWARP_SCTP_STATE_IDLE] =
        SCTP_STATES_SIX(SCTP_STATES_LEGAL(PENDING), SCTP_STATES_STRAY, SCTP_STATES_STRAY,
                        SCTP_STATES_STRAY, SCTP_STATES_STRAY, SCTP_STATES_STRAY),
    [IWARP_SCTP_STATE_INIT_SENT] = SCTP_STATES_SIX(
        SCTP_STATES_BAD(INIT_SENT), SCTP_STATES_LEGAL(EST), SCTP_STATES_LEGAL(REFUSED),
        SCTP_STATES_LEGAL(REFUSED), SCTP_STATES_BAD(INIT_SENT), SCTP_STATES_BAD(INIT_SENT)),
    [IWARP_SCTP_STATE_PENDING] = SCTP_STATES_SIX(
        SCTP_STATES_BAD(PENDING), SCTP_STATES_BAD(PENDING), SCTP_STATES_BAD(PENDING),
        SCTP_STATES_NOTE(ABANDONED), SCTP_STATES_NOTE(PENDING), SCTP_STATES_BAD(PENDING)),
    [IWARP_SCTP_STATE_EST] =
        SCTP_STATES_SIX(SCTP_STATES_BAD(EST), SCTP_STATES_BAD(EST), SCTP_STATES_BAD(EST),
                        SCTP_STATES_LEGAL(T_RCVD), SCTP_STATES_LEGAL(EST), SCTP_STATES_BAD(EST)),
    [IWARP_SCTP_STATE_T_SENT] = SCTP_STATES_SIX(SCTP_STATES_BAD(T_SENT), SCTP_STATES_BAD(T_SENT),
                                                SCTP_STATES_BAD(T_SENT), SCTP_STATES_LEGAL(DRAIN),
                                                SCTP_STATES_LEGAL(T_SENT), SCTP_STATES_BAD(T_SENT)),
    [IWARP_SCTP_STATE_T_RCVD] =
        SCTP_STATES_SIX(SCTP_STATES_BAD(T_RCVD), SCTP_STATES_BAD(T_RCVD), SCTP_STATES_BAD(T_RCVD),
                        SCTP_STATES_BAD(T_RCVD), SCTP_STATES_BAD(T_RCVD), SCTP_STATES_BAD(T_RCVD)),
    [IWARP_SCTP_STATE_GAVE_UP] = SCTP_STATES_SIX(
        SCTP_STATES_BAD(GAVE_UP), SCTP_STATES_NOTE(T_SENT), SCTP_STATES_NOTE(DRAIN),
        SCTP_STATES_LEGAL(DRAIN), SCTP_STATES_BAD(GAVE_UP), SCTP_STATES_BAD(GAVE_UP)),
    [IWARP_SCTP_STATE_ABANDONED] = SCTP_STATES_SIX(
        SCTP_STATES_BAD(ABANDONED), SCTP_STATES_BAD(ABANDONED), SCTP_STATES_BAD(ABANDONED),
        SCTP_STATES_BAD(ABANDONED), SCTP_STATES_BAD(ABANDONED), SCTP_STATES_BAD(ABANDONED)),
    [IWARP_SCTP_STATE_REFUSED] = SCTP_STATES_SIX(
        SCTP_STATES_LEGAL(PENDING), SCTP_STATES_BAD(REFUSED), SCTP_STATES_BAD(REFUSED),
        SCTP_STATES_BAD(REFUSED), SCTP_STATES_BAD(REFUSED), SCTP_STATES_BAD(REFUSED)),
    [IWARP_SCTP_STATE_REFUSING] = SCTP_STATES_SIX(
        SCTP_STATES_LEGAL(PENDING), SCTP_STATES_BAD(REFUSING), SCTP_STATES_BAD(REFUSING),
        SCTP_STATES_NOTE(DRAIN), SCTP_STATES_NOTE(REFUSING), SCTP_STATES_BAD(REFUSING)),
    [IWARP_SCTP_STATE_DRAIN] =
        SCTP_STATES_SIX(SCTP_STATES_LEGAL(PENDING), SCTP_STATES_BAD(DRAIN), SCTP_STATES_BAD(DRAIN),
                        SCTP_STATES_BAD(DRAIN), SCTP_STATES_BAD(DRAIN), SCTP_STATES_BAD(DRAIN)),
};

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

iwarp_sctp_cell iwarp_sctp_step(iwarp_sctp_state state, bool own, iwarp_sctp_kind kind) {
  if ((size_t)state >= IWARP_SCTP_NUM_STATES || (size_t)kind >= IWARP_SCTP_NUM_KINDS) {
    return (iwarp_sctp_cell){.verdict = IWARP_SCTP_ILLEGAL, .next = state};
  }
  if (!own) {
    return sctp_states_table[state][kind];
  }
  iwarp_sctp_cell cell = sctp_states_table[sctp_states_mirror[state]][kind];
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
