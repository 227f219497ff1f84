/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the DDP streams among the streams of SCTP associations and drives their session engines. */
#include "sctp.h"

#include <stdlib.h>
#include <string.h>

/* Some senders do not turn the identifier into network byte order. */
static uint32_t sctp_ppid(uint32_t ppid) {
  const uint32_t swapped =
      ppid >> 24 | (ppid >> 8 & 0xFF00u) | (ppid << 8 & 0xFF0000u) | ppid << 24;
  return iwarp_sctp_ppid_name(swapped) != NULL ? swapped : ppid;
}

/* ---- messages that wait ---- */

static void sctp_msg_drop(session *s, sctp_stream *st, sctp_msg *msg) {
  *(msg->prev != NULL ? &msg->prev->next : &st->msgs) = msg->next;
  if (msg->next != NULL) {
    msg->next->prev = msg->prev;
  }
  s->sctp.held -= sizeof *msg + msg->m.cap;
  free(msg);
}

/* NULL: there is no memory for it. */
static sctp_msg *sctp_msg_keep(session *s, sctp_stream *st, const ingest_sctp_event *ev) {
  const ingest_sctp_message *m = ev->message;
  sctp_msg *msg = malloc(sizeof *msg + m->cap);
  if (msg == NULL) {
    return NULL;
  }
  memset(msg, 0, sizeof *msg);
  msg->side = ev->side;
  msg->pos = ev->pos;
  msg->len = ev->len;
  msg->m = *m;
  msg->last = (iwarp_meta){.packet = ev->packet,
                           .time_ns = ev->time_ns,
                           .peer_pos = m->cause_seen ? 0 : IWARP_POS_UNKNOWN,
                           .segment_start = true,
                           .damaged = m->damaged};
  msg->first = msg->last;
  msg->first.packet = m->first_packet;
  msg->first.time_ns = m->first_time_ns;
  if (m->cap > 0) {
    memcpy(msg->data, m->data, m->cap);
  }
  msg->m.data = msg->data;
  msg->next = st->msgs;
  if (st->msgs != NULL) {
    st->msgs->prev = msg;
  }
  st->msgs = msg;
  s->sctp.held += sizeof *msg + m->cap;
  return msg;
}

/* The token of an event is the message's place in memory. */
static sctp_msg *sctp_msg_of(const iwarp_sctp_event *ev) {
  return ev->kind == IWARP_SCTP_EVENT_GAP ? NULL : (sctp_msg *)(uintptr_t)ev->token;
}

/* ---- the engine ---- */

static void sctp_drain(session *s, sctp_stream *st, bool final) {
  iwarp_sctp_event ev;
  while (iwarp_sctp_next(st->sess, &ev) == IWARP_OK) {
    sctp_msg *msg = sctp_msg_of(&ev);
    sctp_tell(s, st, &ev, msg, final);
    if (msg != NULL) {
      sctp_msg_drop(s, st, msg);
    }
  }
}

/* Gives up what is missing before the first message that waits; false: none does. */
static bool sctp_skip(session *s, sctp_stream *st, uint8_t side, bool final) {
  iwarp_sctp_event ev;
  if (iwarp_sctp_skip(st->sess, side, &ev) != IWARP_OK) {
    return false;
  }
  sctp_tell(s, st, &ev, NULL, final);
  sctp_drain(s, st, final);
  return true;
}

static bool sctp_engine(sctp_stream *st, bool joined) {
  const iwarp_sctp_cfg cfg = {
      .size = sizeof cfg, .observer = true, .joined = joined, .window = SCTP_WINDOW};
  st->joined = st->joined || joined;
  return iwarp_sctp_init(&st->sess, st->memory, iwarp_sctp_size(SCTP_WINDOW), &cfg) == IWARP_OK;
}

static void sctp_tell_missing(session *s, sctp_stream *st, uint8_t side, uint16_t due,
                              uint16_t missing) {
  const iwarp_sctp_info info = iwarp_sctp_info_get(st->sess);
  const iwarp_sctp_event gap = {.kind = IWARP_SCTP_EVENT_GAP,
                                .side = side,
                                .state = info.state,
                                .unsure = true,
                                .ssn = due,
                                .missing = missing,
                                .session = info.session};
  if (missing > 0) {
    sctp_tell(s, st, &gap, NULL, false);
  }
}

/* More is missing than the engine can be told to skip: it begins anew in the middle. */
static void sctp_rejoin(session *s, sctp_stream *st, uint8_t side, uint16_t ssn) {
  while (sctp_skip(s, st, 1u - side, false)) {
  }
  const iwarp_sctp_info info = iwarp_sctp_info_get(st->sess);
  sctp_tell_missing(s, st, side, info.next[side], (uint16_t)(ssn - info.next[side]));
  st->resumed[1 - side] = true;
  st->due[1 - side] = info.next[1 - side];
  if (!sctp_engine(st, true)) {
    s->failed = true;
  }
  st->current = 1;
}

/* The engine takes the next message of a side that it does not know for the one that is due. */
static void sctp_resume(session *s, sctp_stream *st, const sctp_msg *msg) {
  iwarp_sctp_segment head = {0};
  const uint8_t side = msg->side;
  if (!st->resumed[side] || iwarp_sctp_ppid_name(sctp_ppid(msg->m.ppid)) == NULL ||
      iwarp_sctp_segment_decode(&head, (iwarp_span){msg->data, msg->m.cap}).err != IWARP_OK) {
    return;
  }
  const uint16_t ahead = iwarp_sctp_ssn_distance(head.ssn, st->due[side]);
  st->resumed[side] = false;
  st->repeated[side] = true;
  sctp_tell_missing(s, st, side, st->due[side], ahead < IWARP_SCTP_UNACKED_MAX ? ahead : 0);
}

/* No more messages may wait for their DDP-SSN. Where some are known to be lost that is what they
 * wait for; else the limit may have cost what comes later. */
static void sctp_full(sctp_stream *st, uint8_t side) {
  if (st->lost_seen[side] == st->flow->lost[side]) {
    sctp_tell_limit(st, ingest_limit_name(INGEST_LIMIT_HELD_OCTETS));
  }
}

static void sctp_push(session *s, sctp_stream *st, sctp_msg *msg) {
  const iwarp_sctp_chunk chunk = {.ppid = sctp_ppid(msg->m.ppid),
                                  .user_data = {msg->data, msg->m.cap},
                                  .token = (uint64_t)(uintptr_t)msg};
  const uint8_t side = msg->side;
  iwarp_sctp_segment head = {0};
  sctp_resume(s, st, msg);
  iwarp_err err = iwarp_sctp_push(st->sess, side, &chunk);
  if (err == IWARP_ERR_NOBUF) {
    sctp_full(st, side);
  }
  while (err == IWARP_ERR_NOBUF && sctp_skip(s, st, side, false)) {
    err = iwarp_sctp_push(st->sess, side, &chunk);
  }
  if (err == IWARP_ERR_NOBUF && iwarp_sctp_segment_decode(&head, chunk.user_data).err == IWARP_OK) {
    sctp_rejoin(s, st, side, head.ssn);
    err = iwarp_sctp_push(st->sess, side, &chunk);
  }
  if (err != IWARP_OK) {
    s->failed = true;
    sctp_msg_drop(s, st, msg);
    return;
  }
  sctp_drain(s, st, false);
}

/* ---- streams ---- */

static void sctp_unlink(session *s, sctp_stream *st) {
  *(st->newer != NULL ? &st->newer->older : &s->sctp.newest) = st->older;
  *(st->older != NULL ? &st->older->newer : &s->sctp.oldest) = st->newer;
}

static void sctp_link(session *s, sctp_stream *st) {
  st->newer = NULL;
  st->older = s->sctp.newest;
  *(s->sctp.newest != NULL ? &s->sctp.newest->newer : &s->sctp.oldest) = st;
  s->sctp.newest = st;
}

static void sctp_stream_free(session *s, sctp_stream *st) {
  while (st->msgs != NULL) {
    sctp_msg_drop(s, st, st->msgs);
  }
  free(st->memory);
  free(st);
}

static sctp_stream *sctp_stream_find(const sctp_flow *f, uint16_t id) {
  const sctp_page *page = f->pages != NULL ? f->pages[id / SCTP_PAGE] : NULL;
  return page != NULL ? page->at[id % SCTP_PAGE] : NULL;
}

/* Memory that is counted in the budget. */
static void *sctp_get(session *s, size_t size) {
  void *at = calloc(1, size);
  s->budget->engines += at != NULL ? budget_cost(size) : 0;
  return at;
}

static void sctp_put(session *s, void *at, size_t size) {
  s->budget->engines -= at != NULL ? budget_cost(size) : 0;
  free(at);
}

/* Lets the stream be found; false: there is no memory for that. */
static bool sctp_stream_enter(session *s, sctp_flow *f, sctp_stream *st) {
  if (f->pages == NULL) {
    f->pages = sctp_get(s, SCTP_PAGES_SIZE);
  }
  sctp_page **page = f->pages != NULL ? &f->pages[st->id / SCTP_PAGE] : NULL;
  if (page != NULL && *page == NULL) {
    *page = sctp_get(s, sizeof **page);
  }
  if (page == NULL || *page == NULL) {
    return false;
  }
  (*page)->at[st->id % SCTP_PAGE] = st;
  (*page)->used++;
  f->streams++;
  return true;
}

static void sctp_stream_leave(session *s, sctp_flow *f, const sctp_stream *st) {
  sctp_page **page = &f->pages[st->id / SCTP_PAGE];
  (*page)->at[st->id % SCTP_PAGE] = NULL;
  (*page)->used--;
  f->streams--;
  if ((*page)->used == 0) {
    sctp_put(s, *page, sizeof **page);
    *page = NULL;
  }
}

static void sctp_stream_close(session *s, sctp_stream *st, iwarp_end how) {
  const bool final = how == IWARP_END_FIN;
  while (sctp_skip(s, st, 0, final) || sctp_skip(s, st, 1, final)) {
  }
  sctp_tell_close(s, st, how);
  sctp_stream_leave(s, st->flow, st);
  sctp_unlink(s, st);
  s->sctp.num--;
  sctp_stream_free(s, st);
}

static void sctp_stream_give_up(session *s, sctp_stream *st, const char *limit) {
  sctp_tell_limit(st, limit);
  st->flow->gave_up = true;
  sctp_stream_close(s, st, IWARP_END_CAPTURE);
}

bool sctp_give_up(session *s) {
  if (s->sctp.oldest == NULL) {
    return false;
  }
  sctp_stream_give_up(s, s->sctp.oldest, ingest_limit_name(INGEST_LIMIT_MEMORY));
  return true;
}

static bool sctp_is_initiate(const ingest_sctp_message *m) {
  iwarp_sctp_control v;
  return sctp_ppid(m->ppid) == IWARP_SCTP_PPID_CONTROL &&
         iwarp_sctp_control_decode(&v, (iwarp_span){m->data, m->cap}).err == IWARP_OK &&
         v.ssn == 0 &&
         (v.function == IWARP_SCTP_INITIATE || v.function == IWARP_SCTP_ENHANCED_INITIATE);
}

/* Whether the session was under way before its first message was seen. Where all of the association
 * is at hand, it cannot. */
static bool sctp_joins(const ingest_sctp_event *ev) {
  return !(ev->lossless[0] && ev->lossless[1]) && !sctp_is_initiate(ev->message);
}

/* Where messages are missing, the end of a session may be among them: an Initiate that has no place
 * in it begins another one. */
static bool sctp_begins_anew(const sctp_stream *st, const ingest_sctp_event *ev) {
  const iwarp_sctp_info info = iwarp_sctp_info_get(st->sess);
  const bool missing =
      st->joined || st->lost_base[0] != st->flow->lost[0] || st->lost_base[1] != st->flow->lost[1];
  const bool open = info.state == IWARP_SCTP_STATE_EST ||
                    info.state == IWARP_SCTP_STATE_INIT_SENT ||
                    info.state == IWARP_SCTP_STATE_PENDING;
  return missing && open && sctp_is_initiate(ev->message) &&
         iwarp_sctp_ssn_distance(0, info.next[ev->side]) >= IWARP_SCTP_UNACKED_MAX;
}

static void sctp_begin_anew(session *s, sctp_stream *st) {
  while (sctp_skip(s, st, 0, false) || sctp_skip(s, st, 1, false)) {
  }
  sctp_tell_close(s, st, IWARP_END_CAPTURE);
  st->joined = false;
  st->resumed[0] = st->resumed[1] = false;
  if (!sctp_engine(st, false)) {
    s->failed = true;
  }
}

/* NULL: there is no memory for it. */
static sctp_stream *sctp_stream_make(session *s, sctp_flow *f, const ingest_sctp_event *ev) {
  sctp_stream *st = calloc(1, sizeof *st);
  if (st == NULL) {
    return NULL;
  }
  st->memory = malloc(iwarp_sctp_size(SCTP_WINDOW));
  st->flow = f;
  st->id = ev->message->stream;
  if (st->memory == NULL || !sctp_engine(st, sctp_joins(ev)) || !sctp_stream_enter(s, f, st)) {
    sctp_stream_free(s, st);
    return NULL;
  }
  return st;
}

static sctp_stream *sctp_stream_open(session *s, sctp_flow *f, const ingest_sctp_event *ev) {
  if (s->sctp.num >= SCTP_STREAMS_MAX) {
    sctp_stream_give_up(s, s->sctp.oldest, "streams");
  }
  sctp_stream *st = sctp_stream_make(s, f, ev);
  while (st == NULL && sctp_give_up(s)) { /* the longest silent ones make room */
    st = sctp_stream_make(s, f, ev);
  }
  if (st != NULL) {
    s->sctp.num++;
    sctp_link(s, st);
    memcpy(st->lost_seen, f->lost, sizeof st->lost_seen);
  }
  return st;
}

/* ---- events of ingest ---- */

/* What waits behind a loss is not waited for for ever. */
static void sctp_lose_patience(session *s, sctp_stream *st, uint8_t side, uint16_t due) {
  if (iwarp_sctp_info_get(st->sess).next[side] != due) {
    st->waited[side] = 0;
    st->lost_seen[side] = st->flow->lost[side];
    return;
  }
  st->waited[side]++;
  if (st->waited[side] >= SCTP_PATIENCE && st->lost_seen[side] != st->flow->lost[side]) {
    sctp_skip(s, st, side, false);
    st->waited[side] = 0;
  }
  while (s->sctp.held > SCTP_HELD_MAX &&
         (sctp_skip(s, st, 0, false) || sctp_skip(s, st, 1, false))) {
    sctp_tell_limit(st, ingest_limit_name(INGEST_LIMIT_HELD_OCTETS));
  }
}

/* A limit cost the association messages: of which stream is not known. Its sessions learn of it at
 * their ends. */
static void sctp_limit(sctp_flow *f, const char *name) {
  if (name != NULL) {
    f->limit = name;
    f->limits++;
  }
}

/* Octets that must be there for the engine to tell what the message is. */
static bool sctp_is_cut(const ingest_sctp_message *m) {
  const size_t least = sctp_ppid(m->ppid) == IWARP_SCTP_PPID_CONTROL
                           ? IWARP_SCTP_CONTROL_LEN + IWARP_SCTP_ENHANCED_LEN
                           : IWARP_SCTP_SEGMENT_LEN;
  return m->cap < m->len && m->cap < least;
}

static void sctp_message(session *s, sctp_flow *f, const ingest_sctp_event *ev) {
  const ingest_sctp_message *m = ev->message;
  sctp_stream *st = sctp_stream_find(f, m->stream);
  if (sctp_is_cut(m)) {
    f->lost[ev->side]++;
    f->snapped[ev->side] = true;
    return;
  }
  if (st == NULL && iwarp_sctp_ppid_name(sctp_ppid(m->ppid)) == NULL) {
    return;
  }
  if (st == NULL) {
    st = sctp_stream_open(s, f, ev);
  } else {
    sctp_unlink(s, st);
    sctp_link(s, st);
    if (sctp_begins_anew(st, ev)) {
      sctp_begin_anew(s, st);
    }
  }
  sctp_msg *msg = st != NULL ? sctp_msg_keep(s, st, ev) : NULL;
  if (msg == NULL) {
    f->lost[ev->side]++;
    sctp_limit(f, ingest_limit_name(INGEST_LIMIT_MEMORY));
    return;
  }
  const uint16_t due = iwarp_sctp_info_get(st->sess).next[ev->side];
  sctp_push(s, st, msg);
  sctp_lose_patience(s, st, ev->side, due);
}

static void sctp_init(sctp_flow *f, const ingest_sctp_event *ev) {
  f->init[ev->side] = *ev->init;
  f->init_seen[ev->side] = true;
  f->init_meta[ev->side] =
      (iwarp_meta){.packet = ev->packet, .time_ns = ev->time_ns, .peer_pos = IWARP_POS_UNKNOWN};
}

static iwarp_end sctp_how(ingest_end end) {
  switch (end) {
  case INGEST_END_FIN: return IWARP_END_FIN;
  case INGEST_END_RST: return IWARP_END_RST;
  case INGEST_END_CAPTURE: break;
  }
  return IWARP_END_CAPTURE;
}

static void sctp_close(session *s, sctp_flow *f, const ingest_sctp_event *ev) {
  if (ev->limit != INGEST_LIMIT_NONE && f->limit == NULL) {
    sctp_limit(f, ingest_limit_name(ev->limit));
  }
  for (uint32_t id = 0; f->streams > 0; id++) { /* in the order of their numbers */
    sctp_stream *st = sctp_stream_find(f, (uint16_t)id);
    if (st != NULL) {
      sctp_stream_close(s, st, sctp_how(ev->end));
    } else if (f->pages[id / SCTP_PAGE] == NULL) {
      id |= SCTP_PAGE - 1;
    }
  }
  if (f->limit != NULL && !f->limit_told) {
    session_limit(s, f->limit, 1);
  }
  sctp_put(s, f->pages, SCTP_PAGES_SIZE);
  sctp_put(s, f, sizeof *f);
  *ev->user = NULL;
}

static void sctp_lost(sctp_flow *f, const ingest_sctp_event *ev) {
  f->lost[ev->side]++;
  f->snapped[ev->side] = ev->snapped;
  sctp_limit(f, ingest_limit_name(ev->limit));
}

/* NULL: there is no memory for it, and the association is not followed. */
static sctp_flow *sctp_open(session *s) {
  sctp_flow *f = sctp_get(s, sizeof *f);
  if (f == NULL) {
    session_limit(s, ingest_limit_name(INGEST_LIMIT_MEMORY), 1);
  }
  return f;
}

static void sctp_move(sctp_flow *f, const ingest_sctp_event *ev) {
  const bool moves = ev->kind == INGEST_SCTP_MESSAGE || ev->kind == INGEST_SCTP_LOST;
  if (moves && ev->pos + ev->len > f->next[ev->side]) {
    f->next[ev->side] = ev->pos + ev->len;
  }
}

void session_sctp_event(session *s, const ingest_sctp_event *ev) {
  sctp_flow *f = *ev->user;
  if (ev->kind == INGEST_SCTP_OPEN) {
    f = sctp_open(s);
    *ev->user = f;
  }
  if (f == NULL) {
    return;
  }
  memcpy(f->start_known, ev->start_known, sizeof f->start_known);
  memcpy(f->addr, ev->addr, sizeof f->addr);
  f->now =
      (iwarp_meta){.packet = ev->packet, .time_ns = ev->time_ns, .peer_pos = IWARP_POS_UNKNOWN};
  sctp_move(f, ev);
  switch (ev->kind) {
  case INGEST_SCTP_OPEN: break;
  case INGEST_SCTP_INIT: sctp_init(f, ev); break;
  case INGEST_SCTP_MESSAGE: sctp_message(s, f, ev); break;
  case INGEST_SCTP_LOST: sctp_lost(f, ev); break;
  case INGEST_SCTP_CLOSE: sctp_close(s, f, ev); break;
  }
  session_fit(s);
}
