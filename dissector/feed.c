/* SPDX-License-Identifier: BSD-2-Clause */
/* Drives ingest and observe over the frames of a capture file and keeps the results. */
#include "feed.h"

#include <stdlib.h>

#include <ingest/sctp.h>
#include <observe/observe.h>

#include "capture_notes.h"
#include "feed_events.h"
#include "port_pref.h"
#include "prefs.h"
#include "records.h"
#include "takeover.h"
#include "tunnel_ports.h"

static struct {
  ingest *ing;
  observe *obs;
  observe_budget memory;
  guint64 last; /* number of the last frame */
  gint64 place; /* place of the frame's record in the file */
  feed_now now;
} feed;

/* ---- memory: as for `iwarp check`, so that limits are reached alike ---- */

static void *feed_get(void *ctx, size_t size) {
  const size_t cost = observe_budget_cost(size);
  (void)ctx;
  if (!observe_budget_ingest_may(&feed.memory, cost)) {
    return NULL;
  }
  while (observe_budget_over(&feed.memory, cost) && observe_give_up(feed.obs)) {
  }
  void *ptr = malloc(size);
  feed.memory.ingest += ptr != NULL ? cost : 0;
  return ptr;
}

static void feed_put(void *ctx, void *ptr, size_t size) {
  (void)ctx;
  feed.memory.ingest -= ptr != NULL ? observe_budget_cost(size) : 0;
  free(ptr);
}

/* ---- the run ---- */

static bool feed_open(void) {
  const observe_cfg cfg = {.ports = takeover_ports(),
                           .markers = (iwarp_tristate)prefs_iwarp.markers,
                           .crc = (iwarp_tristate)prefs_iwarp.crc,
                           .budget = &feed.memory};
  const observe_hooks hooks = {.ctx = &feed.now,
                               .event = feed_event,
                               .fpdu = feed_fpdu,
                               .link = feed_link,
                               .finding = feed_finding,
                               .closed = feed_closed,
                               .differ = capture_notes_differ};
  const ingest_cfg in = {.alloc = {.get = feed_get, .put = feed_put},
                         .opening = observe_opening,
                         .at_once = true, /* a frame shows the events of its octets */
                         .hash_key = {g_random_int(), g_random_int()}};
  feed.memory = (observe_budget){.limit = OBSERVE_BUDGET_DEFAULT};
  feed.obs = observe_new(&cfg, &hooks);
  feed.ing = feed.obs != NULL ? ingest_new(&in) : NULL;
  if (feed.ing == NULL) {
    observe_free(feed.obs);
    feed.obs = NULL;
    return false;
  }
  observe_file(feed.obs, "");
  capture_notes_begin();
  return true;
}

static void feed_tcp(const ingest_event *ev) {
  const bool data = ev->kind == INGEST_EVENT_DATA;
  feed.now.tcp = data ? ev : NULL;
  if (data) {
    feed_octets(&feed.now, observe_tcp_conn(ev));
  }
  const bool known = data && observe_tcp_conn(ev) != NULL;
  observe_event(feed.obs, ev);
  if (data && !known) {
    feed_octets(&feed.now, observe_tcp_conn(ev));
  }
  feed.now.tcp = NULL;
}

static void feed_drain(void) {
  ingest_event ev;
  while (ingest_next(feed.ing, &ev)) {
    feed_tcp(&ev);
  }
  ingest_sctp_event sctp;
  while (ingest_sctp_next(feed.ing, &sctp)) {
    observe_sctp_event(feed.obs, &sctp);
  }
}

static bool feed_taken(const ingest_packet *packet, gint64 place) {
  return packet->number < feed.last || (packet->number == feed.last && place == feed.place);
}

void feed_packet(const ingest_packet *packet, gint64 place) {
  if (feed_taken(packet, place) || (feed.ing == NULL && !feed_open())) {
    return;
  }
  ingest_packet record = *packet;
  record.number = records_add((guint32)packet->number);
  feed.last = packet->number;
  feed.place = place;
  capture_notes_packet(&record);
  feed.now.packet = &record;
  feed.now.in_turn = NULL;
  ingest_push(feed.ing, &record);
  feed_drain();
  feed.now.packet = NULL;
}

void feed_passed(guint32 frame, gint64 place) {
  if (frame == feed.last && place != feed.place) {
    records_drop(frame);
  }
}

/* ---- its beginning and its end ---- */

/* All frames were seen once: reports the facts that are known only at the end. */
static void feed_finish(void) {
  if (feed.ing != NULL) {
    ingest_finish(feed.ing);
    feed_drain();
    capture_notes_finish(ingest_stats_get(feed.ing));
    ingest_free(feed.ing);
    observe_free(feed.obs);
    feed.ing = NULL;
    feed.obs = NULL;
    feed.last = G_MAXUINT64;
  }
}

static void feed_begin(void) {
  port_pref_update(); /* sharkd calls no callback when preferences changed */
  tunnel_ports_read();
  feed.last = 0;
}

static void feed_end(void) {
  feed_finish();
  frames_forget();
  records_forget();
}

void feed_register(void) {
  register_init_routine(feed_begin);
  register_cleanup_routine(feed_end);
  register_postseq_cleanup_routine(feed_finish);
}
