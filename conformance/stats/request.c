/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests and the Responses that answer them. */
#include <stdlib.h>
#include <string.h>

#include <memory/memory.h>

#include "state.h"

enum { REQUEST_FIRST_ROOM = 8 };

#define REQUEST_NO_LIMIT 0x3fffu /* ORD and IRD: not negotiated. RFC 6581 9.1 */

static stats_requests *request_figures(stats *s, unsigned side, bool atomic) {
  return atomic ? &s->figures.side[side].atomics : &s->figures.side[side].reads;
}

/* ---- Requests outstanding ---- */

/* The smaller of the side's ORD and the other side's IRD; 0x3fff: there is no limit. */
static uint64_t request_limit(const observe_conn *conn, unsigned side) {
  const iwarp_observer_side *own = &conn->info->side[side];
  const iwarp_observer_side *peer = &conn->info->side[side ^ 1u];
  const uint64_t ord = own->enh.ord;
  const uint64_t ird = peer->enh.ird;
  if (!own->has_startup || !peer->has_startup || !own->enhanced || !peer->enhanced) {
    return REQUEST_NO_LIMIT;
  }
  return ord < ird ? ord : ird;
}

static void steps_area(st_requests *r, uint64_t ns) {
  /* Requests are 32,768 at most, so that a half of the time times them fits */
  const uint64_t low = (ns & UINT32_MAX) * r->steps;
  const uint64_t high = (ns >> 32) * r->steps + (low >> 32);
  const uint64_t sum = high << 32 | (low & UINT32_MAX);
  r->area[0] += sum;
  r->area[1] += (high >> 32) + (r->area[0] < sum ? 1u : 0u);
}

/* Moves the step function of a side to a time, at which it changes. */
static void steps_move(const stats *s, unsigned side, st_requests *r, uint64_t ns) {
  const uint64_t limit = s->conn != NULL ? request_limit(s->conn, side) : REQUEST_NO_LIMIT;
  const uint64_t past = ns > r->since_ns ? ns - r->since_ns : 0;
  if (r->steps > 0) {
    r->busy_ns += past;
    r->at_limit_ns += r->steps >= limit ? past : 0;
    steps_area(r, past);
  }
  r->since_ns = ns > r->since_ns ? ns : r->since_ns;
}

static void steps_change(stats *s, unsigned side, uint64_t ns, bool up) {
  st_requests *r = &s->side[side].requests;
  if (s->steps_over) {
    return;
  }
  steps_move(s, side, r, ns);
  r->steps += up ? 1u : 0u;
  r->steps -= !up && r->steps > 0 ? 1u : 0u;
  r->most = r->steps > r->most ? r->steps : r->most;
  st_plot_add(s, &s->figures.side[side].plots.outstanding, ns, r->steps, 0);
}

/* ---- open Requests ---- */

static bool requests_make_room(stats *s, st_requests *r) {
  if (r->num == ST_REQUESTS_MAX) {
    s->figures.limits |= STATS_LIMIT_REQUESTS;
    return false;
  }
  if (r->num < r->room) {
    return true;
  }
  const size_t room = r->room > 0 ? 2 * r->room : REQUEST_FIRST_ROOM;
  st_request *grown = memory_resize(r->of, room * sizeof *grown);
  if (grown == NULL) {
    return false;
  }
  r->of = grown;
  r->room = room;
  return true;
}

static bool requests_add(stats *s, unsigned side, const st_request *request) {
  st_requests *r = &s->side[side].requests;
  if (!requests_make_room(s, r)) {
    return false;
  }
  r->of[r->num] = *request;
  r->of[r->num++].id = ++r->next_id;
  return true;
}

/* A Request is over. `left`: it was dropped. */
static void requests_remove(stats *s, unsigned side, size_t i, bool left) {
  st_requests *r = &s->side[side].requests;
  const st_request *x = &r->of[i];
  if (left && !x->unseen) {
    request_figures(s, side, x->atomic)->left_out++;
  }
  r->taken = x->id == r->taken ? 0 : r->taken;
  r->num--;
  memmove(r->of + i, r->of + i + 1, (r->num - i) * sizeof *r->of);
}

/* Drops the open Requests of the side, or its Reads alone. */
static void requests_drop(stats *s, unsigned side, bool reads_only) {
  st_requests *r = &s->side[side].requests;
  size_t kept = 0;
  for (size_t i = 0; i < r->num; i++) {
    const st_request x = r->of[i];
    if (reads_only && (x.atomic || x.unseen)) {
      r->of[kept++] = x;
    } else if (!x.unseen) {
      request_figures(s, side, x.atomic)->left_out++;
    }
  }
  r->num = kept;
  r->taken = 0;
}

static bool request_fits(const st_request *x, const st_item *response) {
  if (x->unseen) {
    return true;
  }
  return x->atomic == response->atomic &&
         (x->any_stag || response->any_stag || x->stag == response->stag) &&
         (x->atomic || x->any_to || x->to == response->to);
}

/* How many open Requests that no Response took fit; *first is the oldest one. More than two count
 * as two. */
static unsigned requests_fit(const st_requests *r, const st_item *response, size_t *first) {
  unsigned fit = 0;
  for (size_t i = 0; i < r->num && fit < 2; i++) {
    if (!r->of[i].taken && request_fits(&r->of[i], response)) {
      *first = fit == 0 ? i : *first;
      fit++;
    }
  }
  return fit;
}

/* A Response that fits several drops them all. */
static void requests_drop_fitting(stats *s, unsigned side, const st_item *response) {
  st_requests *r = &s->side[side].requests;
  for (size_t i = r->num; i > 0; i--) {
    if (!r->of[i - 1].taken && request_fits(&r->of[i - 1], response)) {
      requests_remove(s, side, i - 1, true);
    }
  }
}

/* The Request of `side` that a Response takes, or NULL. */
static st_request *requests_take(stats *s, unsigned side, const st_item *response) {
  st_requests *r = &s->side[side].requests;
  size_t first = 0;
  const unsigned fit = response->fits ? requests_fit(r, response, &first) : 0;
  if (fit == 0 || (fit > 1 && s->hole)) {
    r->orphan = true;
    if (fit > 1) {
      requests_drop_fitting(s, side, response);
    }
    return NULL;
  }
  st_request *x = &r->of[first];
  x->taken = true;
  x->first_ns = response->at.ns;
  x->response_stag = response->stag;
  x->response_to = response->to;
  x->after_hole = s->hole;
  return x;
}

static void request_answer(stats *s, unsigned side, size_t i, uint64_t ns) {
  const st_request *x = &s->side[side].requests.of[i];
  stats_requests *out = request_figures(s, side, x->atomic);
  if (!x->unseen) {
    out->answered++;
    out->after_hole += x->after_hole ? 1u : 0u;
    stats_hist_add(&out->response_time, ns - x->ns);
    if (!x->atomic) {
      stats_interval *interval = st_interval_at(s, ns);
      stats_hist_add(&out->first_octet_time, x->first_ns - x->ns);
      st_plot_add(s, &s->figures.side[side].plots.latency, ns, ns - x->ns,
                  IWARP_RDMAP_OP_READ_RESP);
      if (interval != NULL) {
        interval->side[side].reads++;
        interval->side[side].read_sum_ns += ns - x->ns;
        interval->side[side].read_max_ns = ns - x->ns > interval->side[side].read_max_ns
                                               ? ns - x->ns
                                               : interval->side[side].read_max_ns;
      }
    }
    steps_change(s, side, ns, false);
  }
  requests_remove(s, side, i, false);
}

/* ---- items ---- */

static void take_request(stats *s, unsigned side, const st_item *item) {
  st_requests *r = &s->side[side].requests;
  const uint32_t next = r->any_msn ? r->msn + 1u : 1u;
  const bool unseen = r->after_hole && item->msn != next;
  const st_request missed = {.ns = item->at.ns, .unseen = true};
  const st_request request = {.ns = item->at.ns,
                              .to = item->to,
                              .stag = item->stag,
                              .atomic = item->atomic,
                              .any_stag = item->any_stag,
                              .any_to = item->any_to};
  r->after_hole = false;
  r->any_msn = true;
  r->msn = item->msn;
  if (unseen) {
    (void)requests_add(s, side, &missed);
  }
  request_figures(s, side, item->atomic)->requests++;
  if (!item->fits || (r->over && !item->atomic) || !requests_add(s, side, &request)) {
    request_figures(s, side, item->atomic)->left_out++;
  } else {
    steps_change(s, side, item->at.ns, true);
  }
}

static void take_hole(stats *s, unsigned side) {
  s->hole = true;
  s->side[side].requests.after_hole = true;
  requests_drop(s, side ^ 1u, false);
  for (unsigned i = 0; i < 2; i++) {
    st_requests *r = &s->side[i].requests;
    if (r->overlap && !r->over) {
      r->over = true;
      requests_drop(s, i, true);
    }
  }
}

static void take_read_first(stats *s, unsigned side, const st_item *item) {
  st_item response = *item;
  response.fits = true;
  const st_request *x = requests_take(s, side ^ 1u, &response);
  s->side[side ^ 1u].requests.taken = x != NULL ? x->id : 0;
}

static void take_read_last(stats *s, unsigned side, const st_item *item) {
  const unsigned asker = side ^ 1u;
  st_requests *r = &s->side[asker].requests;
  size_t i = 0;
  while (i < r->num && r->of[i].id != r->taken) {
    i++;
  }
  if (r->taken == 0 || i == r->num) {
    return;
  }
  const st_request *x = &r->of[i];
  const st_item response = {.stag = x->response_stag, .to = x->response_to};
  for (size_t other = 0; other < r->num && !r->overlap; other++) {
    r->overlap = other != i && !r->of[other].unseen && request_fits(&r->of[other], &response);
  }
  request_answer(s, asker, i, item->at.ns);
}

static void take_atomic_response(stats *s, unsigned side, const st_item *item) {
  const unsigned asker = side ^ 1u;
  const st_requests *r = &s->side[asker].requests;
  const st_request *x = requests_take(s, asker, item);
  if (x != NULL) {
    request_answer(s, asker, (size_t)(x - r->of), item->at.ns);
  }
}

static void take_terminate(stats *s, const st_item *item) {
  for (unsigned side = 0; side < 2 && !s->steps_over; side++) {
    steps_move(s, side, &s->side[side].requests, item->at.ns);
  }
  s->steps_over = true;
}

void st_item_take(stats *s, unsigned side, const st_item *item) {
  switch (item->kind) {
  case ST_REQUEST: take_request(s, side, item); break;
  case ST_HOLE: take_hole(s, side); break;
  case ST_READ_FIRST: take_read_first(s, side, item); break;
  case ST_READ_LAST: take_read_last(s, side, item); break;
  case ST_ATOMIC_RESPONSE: take_atomic_response(s, side, item); break;
  case ST_TERMINATE: take_terminate(s, item); break;
  }
}

/* ---- the end ---- */

/* 10^6 * (area / busy), rounded to nearest, digit by digit. */
static uint64_t steps_mean(const uint64_t area[2], uint64_t busy) {
  uint64_t rest = 0;
  uint64_t mean = 0;
  for (int bit = 127; bit >= 0; bit--) { /* long division by a number below 2^63 */
    rest = rest << 1 | (area[bit / 64] >> (bit % 64) & 1u);
    mean <<= 1;
    if (rest >= busy) {
      rest -= busy;
      mean |= 1u;
    }
  }
  for (int i = 0; i < 6; i++) {
    uint64_t digit = 0;
    uint64_t ten = 0;
    for (int k = 0; k < 10; k++) {
      ten += rest;
      if (ten >= busy) {
        ten -= busy;
        digit++;
      }
    }
    mean = mean * 10 + digit;
    rest = ten;
  }
  return mean + (rest >= busy - rest ? 1u : 0u);
}

static void steps_end(stats *s, unsigned side, const observe_conn *conn) {
  st_requests *r = &s->side[side].requests;
  stats_side *out = &s->figures.side[side];
  stats_outstanding *o = &out->outstanding;
  const uint64_t limit = request_limit(conn, side);
  const bool asked = out->reads.requests + out->atomics.requests > 0;
  if (!s->steps_over) {
    steps_move(s, side, r, s->clock_ns);
  }
  o->known = asked && !s->side[0].hole && !s->side[1].hole &&
             out->reads.left_out + out->atomics.left_out == 0 && !r->orphan &&
             r->busy_ns <= INT64_MAX;
  o->max = r->most;
  o->busy_ns = r->busy_ns;
  o->mean_micro = o->known && r->busy_ns > 0 ? steps_mean(r->area, r->busy_ns) : 0;
  o->has_limit = limit != REQUEST_NO_LIMIT;
  o->limit = limit;
  o->at_limit_ns = r->at_limit_ns;
}

void st_requests_end(stats *s, const observe_conn *conn) {
  for (unsigned side = 0; side < 2; side++) {
    const st_requests *r = &s->side[side].requests;
    for (size_t i = 0; i < r->num; i++) {
      if (!r->of[i].unseen) {
        request_figures(s, side, r->of[i].atomic)->unanswered++;
      }
    }
    steps_end(s, side, conn);
  }
}
