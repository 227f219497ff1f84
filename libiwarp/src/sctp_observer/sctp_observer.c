/* SPDX-License-Identifier: BSD-2-Clause */
/* Observer of a DDP stream over SCTP: drives the session engine, whatever the capture lacks. */
#include <string.h>

#include "../base/mem.h"
#include "state.h"

/* ---- the association ---- */

_Static_assert(sizeof(iwarp_sctp_assoc) <= IWARP_SCTP_ASSOC_SIZE, "the bound for static storage");

size_t iwarp_sctp_assoc_size(void) {
  return sizeof(iwarp_sctp_assoc);
}

iwarp_err iwarp_sctp_assoc_init(iwarp_sctp_assoc **out, void *mem, size_t mem_len) {
  const iwarp_err err = mem_error(out, mem, mem_len, sizeof(iwarp_sctp_assoc));
  if (err != IWARP_OK) {
    return err;
  }
  *out = mem;
  memset(*out, 0, sizeof(**out));
  return IWARP_OK;
}

void iwarp_sctp_assoc_set_start(iwarp_sctp_assoc *assoc, uint8_t side, bool known) {
  assoc->start_known[side] = known;
}

void iwarp_sctp_assoc_now(iwarp_sctp_assoc *assoc, uint64_t packet, uint64_t time_ns) {
  assoc->now = (iwarp_meta){.packet = packet, .time_ns = time_ns, .peer_pos = IWARP_POS_UNKNOWN};
}

void iwarp_sctp_assoc_set_params(iwarp_sctp_assoc *assoc, uint8_t side,
                                 const iwarp_sctp_assoc_params *params) {
  assoc->init[side] = *params;
  assoc->init_meta[side] = assoc->now;
  assoc->init_seen[side] = true;
  assoc->init_due[side] = true;
}

void iwarp_sctp_assoc_lost(iwarp_sctp_assoc *assoc, uint8_t side, iwarp_gap_reason reason) {
  assoc->lost[side]++;
  assoc->why[side] = reason;
}

/* ---- making ---- */

static uint16_t sctp_observer_window(const iwarp_sctp_observer_cfg *cfg) {
  return cfg->window != 0 ? cfg->window : IWARP_SCTP_OBSERVER_WINDOW;
}

/* The observer, up to where the engine begins. */
#define SCTP_OBSERVER_HEAD mem_up(sizeof(iwarp_sctp_observer))

size_t iwarp_sctp_observer_size(const iwarp_sctp_observer_cfg *cfg) {
  if (cfg == NULL || cfg->size != sizeof(*cfg) || cfg->assoc == NULL ||
      iwarp_sctp_session_size(sctp_observer_window(cfg)) == 0) {
    return 0;
  }
  return SCTP_OBSERVER_HEAD + iwarp_sctp_session_size(sctp_observer_window(cfg));
}

/* Begins the engine; with `joined` in the middle of a session. The caller has checked the size of
 * the memory.
 */
static void sctp_observer_engine(iwarp_sctp_observer *obs, bool joined) {
  const iwarp_sctp_session_cfg cfg = {
      .size = sizeof(cfg), .observer = true, .joined = joined, .window = obs->window};
  void *mem = (char *)obs + SCTP_OBSERVER_HEAD;
  (void)iwarp_sctp_session_init(&obs->sess, mem, iwarp_sctp_session_size(obs->window), &cfg);
  obs->joined = obs->joined || joined;
}

iwarp_err iwarp_sctp_observer_init(iwarp_sctp_observer **out, void *mem, size_t mem_len,
                                   const iwarp_sctp_observer_cfg *cfg) {
  iwarp_sctp_observer *obs = mem;
  const iwarp_err err = mem_error(out, mem, mem_len, iwarp_sctp_observer_size(cfg));
  if (err != IWARP_OK) {
    return err;
  }
  memset(obs, 0, sizeof(*obs));
  obs->assoc = cfg->assoc;
  obs->stream = cfg->stream;
  obs->window = sctp_observer_window(cfg);
  obs->patience = cfg->patience != 0 ? cfg->patience : IWARP_SCTP_OBSERVER_PATIENCE;
  obs->may_join = cfg->joined;
  memcpy(obs->lost_seen, cfg->assoc->lost, sizeof(obs->lost_seen));
  sctp_observer_engine(obs, false);
  *out = obs;
  return IWARP_OK;
}

const iwarp_observer_info *iwarp_sctp_observer_info_get(const iwarp_sctp_observer *obs) {
  return &obs->info;
}

void iwarp_sctp_observer_drop(iwarp_sctp_observer *obs) {
  obs->open = false;
  obs->joined = true;
}

/* ---- missing messages ---- */

/* Gives up the DDP-SSNs missing before the first message of a side that waits; false: no message
 * waits. */
static bool sctp_observer_skip(iwarp_sctp_observer *obs, uint8_t side) {
  obs->waits = iwarp_sctp_session_skip(obs->sess, side, &obs->now) == IWARP_OK;
  return obs->waits;
}

static bool sctp_observer_skip_any(iwarp_sctp_observer *obs) {
  return sctp_observer_skip(obs, 0) || sctp_observer_skip(obs, 1) ||
         iwarpi_sctp_observer_give_beyond_window(obs, 0) ||
         iwarpi_sctp_observer_give_beyond_window(obs, 1);
}

/* Makes a GAP of `missing` DDP-SSNs, which the engine does not know of, the next event. */
static void sctp_observer_missing(iwarp_sctp_observer *obs, uint8_t side, uint16_t due,
                                  uint16_t missing) {
  const iwarp_sctp_session_info info = iwarp_sctp_session_info_get(obs->sess);
  obs->now = (iwarp_sctp_session_event){.kind = IWARP_SCTP_SESSION_EVENT_GAP,
                                        .side = side,
                                        .state = info.state,
                                        .inconclusive = true,
                                        .ssn = due,
                                        .missing = missing,
                                        .session = info.session};
  obs->waits = missing > 0;
}

/* Returns true if no message has ended the session. */
static bool sctp_observer_unended(iwarp_sctp_state state) {
  return state == IWARP_SCTP_STATE_EST || state == IWARP_SCTP_STATE_INIT_SENT ||
         state == IWARP_SCTP_STATE_PENDING;
}

/* Returns true if the Initiate begins another session: it has no place in the current one, whose
 * end may be among missing messages. */
static bool sctp_observer_begins_again(const iwarp_sctp_observer *obs) {
  const iwarp_sctp_session_info info = iwarp_sctp_session_info_get(obs->sess);
  const bool missing = obs->joined || obs->lost_base[0] != obs->assoc->lost[0] ||
                       obs->lost_base[1] != obs->assoc->lost[1];
  return missing && sctp_observer_unended(info.state) &&
         iwarpi_sctp_observer_is_initiate(obs->msg) &&
         iwarp_sctp_ssn_distance(0, info.next[obs->side]) >= IWARP_SCTP_UNACKED_MAX;
}

/* ---- the stages of an input: each returns false when nothing is left to do ---- */

/* Makes the two END events of the open session the next events. */
static void sctp_observer_end(iwarp_sctp_observer *obs, iwarp_end how) {
  obs->session_end = how;
  obs->ends = 2;
}

/* The stage of a message that was not examined yet. */
static sctp_observer_stage sctp_observer_first_stage(const iwarp_sctp_observer *obs) {
  return sctp_observer_begins_again(obs) ? SCTP_OBSERVER_RESTART : SCTP_OBSERVER_RESUME;
}

static bool sctp_observer_idle(iwarp_sctp_observer *obs) {
  const bool settled = obs->held[0] == 0 && obs->held[1] == 0;
  if (iwarpi_sctp_observer_enters_window(obs)) {
    obs->stage = SCTP_OBSERVER_RESUME;
    return true;
  }
  obs->deferred_due = (obs->deferred_due || settled) && obs->num_deferred > 0;
  if (obs->deferred_due) {
    iwarpi_sctp_observer_next_deferred(obs);
    obs->stage = sctp_observer_first_stage(obs);
    return true;
  }
  obs->stage = obs->flushing ? SCTP_OBSERVER_FLUSH : SCTP_OBSERVER_IDLE;
  return obs->flushing;
}

static bool sctp_observer_rest(iwarp_sctp_observer *obs) {
  (void)obs;
  return false;
}

static bool sctp_observer_restart(iwarp_sctp_observer *obs) {
  if (sctp_observer_skip_any(obs)) {
    return true;
  }
  if (obs->open) {
    sctp_observer_end(obs, IWARP_END_CAPTURE);
    return true;
  }
  obs->joined = false;
  obs->resumed[0] = false;
  obs->resumed[1] = false;
  sctp_observer_engine(obs, false);
  obs->stage = SCTP_OBSERVER_RESUME;
  return true;
}

/* After a restart the engine takes the first message of a side as the expected one. So the DDP-SSNs
 * missing before that message are reported here. */
static bool sctp_observer_resume(iwarp_sctp_observer *obs) {
  iwarp_sctp_segment head = {0};
  const uint8_t side = obs->side;
  if (iwarpi_sctp_observer_is_initiate(obs->msg) &&
      (iwarpi_sctp_observer_give_beyond_window(obs, 0) ||
       iwarpi_sctp_observer_give_beyond_window(obs, 1))) {
    return true; /* messages beyond the window belong to the session before */
  }
  obs->due = iwarp_sctp_session_info_get(obs->sess).next[side];
  obs->stage = SCTP_OBSERVER_OFFER;
  if (!obs->resumed[side] ||
      !iwarp_name_known(iwarp_sctp_ppid_name(iwarp_sctp_ppid_host(obs->msg->ppid))) ||
      iwarp_sctp_segment_decode(&head, obs->msg->user_data).err != IWARP_OK) {
    return true;
  }
  const uint16_t ahead = iwarp_sctp_ssn_distance(head.ssn, obs->resume[side]);
  obs->resumed[side] = false;
  obs->resumes[side] = true;
  sctp_observer_missing(obs, side, obs->resume[side], ahead < IWARP_SCTP_UNACKED_MAX ? ahead : 0);
  return true;
}

/* The window is full. Messages that are known to be lost explain that; otherwise the limit may have
 * cost messages that come later. */
static void sctp_observer_full(iwarp_sctp_observer *obs) {
  if (obs->lost_seen[obs->side] == obs->assoc->lost[obs->side]) {
    *(obs->open ? &obs->info.limits : &obs->next_limits) |= IWARP_LIMIT_WINDOW;
  }
}

static bool sctp_observer_offer(iwarp_sctp_observer *obs) {
  const iwarp_sctp_message message = {.ppid = iwarp_sctp_ppid_host(obs->msg->ppid),
                                      .user_data = obs->msg->user_data,
                                      .token = (uint64_t)(uintptr_t)obs->msg};
  if (iwarp_sctp_session_push(obs->sess, obs->side, &message) == IWARP_OK) {
    obs->held[obs->side]++;
    obs->pressed = false;
    iwarpi_sctp_observer_note(obs);
    obs->stage = SCTP_OBSERVER_WAIT;
    return true;
  }
  if (iwarpi_sctp_observer_keep_beyond_window(obs)) {
    obs->stage = SCTP_OBSERVER_IDLE;
    return true;
  }
  sctp_observer_full(obs);
  if (!sctp_observer_skip(obs, obs->side)) {
    obs->stage = SCTP_OBSERVER_REJOIN;
  }
  return true;
}

/* More DDP-SSNs are missing than the engine can skip: it begins again in the middle. */
static bool sctp_observer_rejoin(iwarp_sctp_observer *obs) {
  const uint8_t other = 1 - obs->side;
  if (sctp_observer_skip(obs, other) || iwarpi_sctp_observer_give_beyond_window(obs, other)) {
    return true;
  }
  const uint16_t due = iwarp_sctp_session_info_get(obs->sess).next[obs->side];
  iwarp_sctp_segment head = {0};
  (void)iwarp_sctp_segment_decode(&head, obs->msg->user_data); /* the message has a DDP-SSN */
  sctp_observer_missing(obs, obs->side, due, (uint16_t)(head.ssn - due));
  obs->stage = SCTP_OBSERVER_AGAIN;
  return true;
}

static bool sctp_observer_again(iwarp_sctp_observer *obs) {
  const uint8_t other = 1 - obs->side;
  if (!obs->resumed[other]) { /* else the engine knows nothing of that side yet */
    obs->resumed[other] = true;
    obs->resume[other] = iwarp_sctp_session_info_get(obs->sess).next[other];
  }
  sctp_observer_engine(obs, true);
  obs->current = 1;
  obs->stage = SCTP_OBSERVER_OFFER;
  return true;
}

static bool sctp_observer_wait(iwarp_sctp_observer *obs) {
  const uint8_t side = obs->side;
  const uint64_t lost = obs->assoc->lost[side];
  obs->stage = SCTP_OBSERVER_IDLE;
  if (iwarp_sctp_session_info_get(obs->sess).next[side] != obs->due) {
    obs->waited[side] = 0;
    obs->lost_seen[side] = lost;
    return true;
  }
  obs->waited[side]++;
  if (obs->waited[side] >= obs->patience && obs->lost_seen[side] != lost) {
    obs->waited[side] = 0;
    (void)sctp_observer_skip(obs, side);
  }
  return true;
}

/* Reports the waiting messages of the session before, then takes the messages that begin the next
 * one, in whatever state the session before is. */
static bool sctp_observer_settle(iwarp_sctp_observer *obs) {
  if (sctp_observer_skip_any(obs)) {
    return true;
  }
  const iwarp_sctp_session_info info = iwarp_sctp_session_info_get(obs->sess);
  obs->deferred_due = true;
  iwarpi_sctp_observer_next_deferred(obs);
  obs->stage = sctp_observer_unended(info.state) ? SCTP_OBSERVER_RESTART : SCTP_OBSERVER_RESUME;
  return true;
}

static bool sctp_observer_flush(iwarp_sctp_observer *obs) {
  if (sctp_observer_skip_any(obs)) {
    return true;
  }
  if (obs->num_deferred > 0) {
    obs->follows[obs->deferred[0].side] = IWARP_SCTP_FOLLOWS_SIDE;
    obs->follows[1 - obs->deferred[0].side] = IWARP_SCTP_FOLLOWS;
    obs->stage = SCTP_OBSERVER_SETTLE;
    return true;
  }
  if (obs->open) {
    sctp_observer_end(obs, obs->how);
    return true;
  }
  obs->stage = SCTP_OBSERVER_ENDED;
  return false;
}

static bool sctp_observer_step(iwarp_sctp_observer *obs) {
  static bool (*const stages[])(iwarp_sctp_observer *) = {
      [SCTP_OBSERVER_IDLE] = sctp_observer_idle,
      [SCTP_OBSERVER_RESTART] = sctp_observer_restart,
      [SCTP_OBSERVER_RESUME] = sctp_observer_resume,
      [SCTP_OBSERVER_OFFER] = sctp_observer_offer,
      [SCTP_OBSERVER_REJOIN] = sctp_observer_rejoin,
      [SCTP_OBSERVER_AGAIN] = sctp_observer_again,
      [SCTP_OBSERVER_WAIT] = sctp_observer_wait,
      [SCTP_OBSERVER_DEFER] = sctp_observer_rest,
      [SCTP_OBSERVER_SETTLE] = sctp_observer_settle,
      [SCTP_OBSERVER_FLUSH] = sctp_observer_flush,
      [SCTP_OBSERVER_ENDED] = sctp_observer_rest,
  };
  return stages[obs->stage](obs);
}

/* ---- input ---- */

static bool sctp_observer_may_take(const iwarp_sctp_observer *obs) {
  return !obs->busy && obs->stage != SCTP_OBSERVER_ENDED;
}

/* The first message of the stream may be in the middle of a session. */
static void sctp_observer_first(iwarp_sctp_observer *obs) {
  if (!obs->begun && obs->may_join && !iwarpi_sctp_observer_is_initiate(obs->msg)) {
    sctp_observer_engine(obs, true);
  }
  obs->begun = true;
}

iwarp_err iwarp_sctp_observer_push(iwarp_sctp_observer *obs, uint8_t side,
                                   const iwarp_sctp_captured *msg) {
  if (side > 1) {
    return IWARP_ERR_ARG;
  }
  if (!sctp_observer_may_take(obs)) {
    return IWARP_ERR_STATE;
  }
  obs->busy = true;
  obs->side = side;
  obs->msg = msg;
  sctp_observer_first(obs);
  if (obs->num_deferred > 0) {
    obs->stage = iwarpi_sctp_observer_take_deferred(obs);
  } else if (iwarpi_sctp_observer_defers(obs)) {
    iwarpi_sctp_observer_defer(obs);
    obs->stage = SCTP_OBSERVER_DEFER;
  } else {
    obs->stage = sctp_observer_first_stage(obs);
  }
  return IWARP_OK;
}

iwarp_err iwarp_sctp_observer_skip(iwarp_sctp_observer *obs) {
  if (!sctp_observer_may_take(obs)) {
    return IWARP_ERR_STATE;
  }
  obs->busy = sctp_observer_skip_any(obs) || obs->num_deferred > 0;
  obs->stage = obs->num_deferred > 0 ? SCTP_OBSERVER_SETTLE : obs->stage;
  return obs->busy ? IWARP_OK : IWARP_ERR_END;
}

iwarp_err iwarp_sctp_observer_eof(iwarp_sctp_observer *obs, iwarp_end how) {
  if (!sctp_observer_may_take(obs)) {
    return IWARP_ERR_STATE;
  }
  obs->busy = true;
  obs->flushing = true;
  obs->how = how;
  obs->stage = SCTP_OBSERVER_FLUSH;
  return IWARP_OK;
}

/* ---- events ---- */

/* Reports the events that come before all others: ENDs of the session before, then INITs. */
static bool sctp_observer_due(iwarp_sctp_observer *obs, iwarp_event *ev) {
  if (obs->ends > 0) {
    iwarpi_sctp_observer_end_event(obs, ev, 2 - obs->ends);
    obs->ends--;
    obs->open = obs->ends > 0;
    obs->joined = obs->joined && obs->open;
    return true;
  }
  for (uint8_t side = 0; side < 2; side++) {
    if (iwarpi_sctp_observer_init_due(obs, side)) {
      iwarpi_sctp_observer_init_event(obs, ev, side);
      return true;
    }
  }
  return false;
}

/* Reports obs->now, unless ENDs or INITs come before it. */
static bool sctp_observer_now(iwarp_sctp_observer *obs, iwarp_event *ev) {
  const iwarp_sctp_captured *msg = iwarpi_sctp_observer_msg_of(&obs->now);
  if (obs->open && obs->now.session != obs->current) {
    sctp_observer_end(obs, IWARP_END_FIN);
    return false;
  }
  if (!obs->open) {
    iwarpi_sctp_observer_begin(obs, msg);
    return false;
  }
  obs->waits = false;
  iwarpi_sctp_observer_report(obs, ev, msg);
  return true;
}

iwarp_err iwarp_sctp_observer_next_event(iwarp_sctp_observer *obs, iwarp_event *ev) {
  bool more = true;
  while (more) {
    if (sctp_observer_due(obs, ev)) {
      return IWARP_OK;
    }
    if (obs->waits) {
      if (sctp_observer_now(obs, ev)) {
        return IWARP_OK;
      }
    } else {
      obs->waits = iwarp_sctp_session_next_event(obs->sess, &obs->now) == IWARP_OK;
      more = obs->waits || sctp_observer_step(obs);
    }
  }
  obs->busy = false;
  return IWARP_ERR_END;
}
