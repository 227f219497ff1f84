/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads on as far as somebody asks. */
#define _DEFAULT_SOURCE 1 /* getentropy */

#include "parts.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ingest/pcap_src.h>
#include <ingest/sctp.h>
#include <memory/memory.h>
#include <report/transports.h>

#define RECORDS_STEPS 4096u /* steps of a call, so that the caller can be interrupted */
#define RECORDS_COPIES                                                                             \
  32u /* a part of the budget: octets that came out are kept for comparison                        \
       */

/* A failure of an allocation is remembered for the process until no capture is open any more. */
static atomic_uint records_open_now;

char *records_text(out_buf *out) {
  char *text = NULL;
  if (out->error == 0 && out->len > 0) {
    out_char(out, 0);
    text = out->error == 0 ? memory_text(out->buf) : NULL;
  }
  out_close(out);
  return text;
}

/* ---- opening and closing ---- */

static bool records_keep_cfg(records *r, const records_cfg *cfg) {
  r->cfg = *cfg;
  r->cfg.rows = cfg->rows > 0 ? cfg->rows : RECORDS_ROWS;
  r->cfg.findings_max = cfg->findings_max > 0 ? cfg->findings_max : RECORDS_FINDINGS;
  r->budget.limit = cfg->memory > 0 ? cfg->memory : OBSERVE_BUDGET_DEFAULT;
  r->tail = &r->head;
  r->path = memory_text(cfg->path);
  r->filter = cfg->filter != NULL ? memory_text(cfg->filter) : NULL;
  r->ports = cfg->num_ports > 0 ? memory_zeroed(OBSERVE_PORTS_SIZE, 1) : NULL;
  for (size_t i = 0; r->ports != NULL && i < cfg->num_ports; i++) {
    observe_ports_add(r->ports, cfg->ports[i]);
  }
  return r->path != NULL && (cfg->filter == NULL || r->filter != NULL) &&
         (cfg->num_ports == 0 || r->ports != NULL);
}

static observe_hooks records_hooks(records *r) {
  observe_hooks hooks = {.ctx = r};
  switch (r->cfg.want) {
  case RECORDS_PDUS: records_hook_pdus(&hooks); break;
  case RECORDS_FIGURES: records_hook_figures(r, &hooks); break;
  case RECORDS_CONNECTIONS: records_hook_connections(&hooks); break;
  }
  return hooks;
}

static bool records_make_observe(records *r) {
  const observe_cfg cfg = {
      .ports = r->ports, .markers = r->cfg.markers, .crc = r->cfg.crc, .budget = &r->budget};
  const observe_hooks hooks = records_hooks(r);
  r->obs = observe_new(&cfg, &hooks);
  return r->obs != NULL;
}

/* The author of a capture cannot foresee the key. No result depends on it. */
static void records_hash_key(uint64_t key[2]) {
  if (getentropy(key, 2 * sizeof key[0]) != 0) {
    key[0] = key[1] = 0;
  }
}

static bool records_make_ingest(records *r) {
  ingest_cfg cfg = {.alloc = {.ctx = r->obs, .get = observe_ingest_get, .put = observe_ingest_put},
                    .opening = observe_opening,
                    .conns_max = SIZE_MAX,
                    .copies_max = r->budget.limit / RECORDS_COPIES,
                    .prompt = r->cfg.want != RECORDS_CONNECTIONS};
  if (r->cfg.want == RECORDS_FIGURES) {
    cfg.packets = (ingest_packets){.ctx = r->obs, .each = observe_packets_see};
  }
  records_hash_key(cfg.hash_key);
  r->ing = ingest_new(&cfg);
  return r->ing != NULL;
}

static bool records_make(records *r, const records_cfg *cfg) {
  if (!records_keep_cfg(r, cfg) || (cfg->want == RECORDS_PDUS && !records_pdus_open(r)) ||
      !records_make_observe(r) || !records_make_ingest(r)) {
    return false;
  }
  observe_file(r->obs, r->path);
  return true;
}

records *records_open(const records_cfg *cfg, char error[RECORDS_ERROR_LEN]) {
  if (atomic_fetch_add(&records_open_now, 1) == 0) {
    memory_forget();
  }
  error[0] = 0;
  records *r = memory_zeroed(1, sizeof *r);
  if (r == NULL) {
    atomic_fetch_sub(&records_open_now, 1);
    return NULL;
  }
  const bool filter = cfg->filter == NULL || pcap_src_filter_check(cfg->filter, error);
  if (filter && records_make(r, cfg)) {
    r->src = pcap_src_open(r->path, r->filter, error);
  }
  if (r->src == NULL) {
    records_close(r);
    return NULL;
  }
  const pcap_src_max max = {.octets = PCAP_SRC_MAX_OCTETS, .times = PCAP_SRC_MAX_TIMES};
  pcap_src_set_max(r->src, &max);
  return r;
}

void records_close(records *r) {
  if (r == NULL) {
    return;
  }
  r->closing = true;
  if (r->ing != NULL && !r->finished) {
    ingest_finish(r->ing);
    r->finished = true;
    r->due = INGEST_DUE_MORE;
  }
  if (r->ing != NULL) {
    observe_drain(r->obs, r->ing, r->due);
  }
  ingest_free(r->ing);
  observe_free(r->obs);
  if (r->src != NULL) {
    pcap_src_close(r->src);
  }
  for (records_conn *c = records_take(r); c != NULL; c = records_take(r)) {
    records_conn_free(c);
  }
  for (size_t i = 0; i < r->num_transports; i++) {
    free(r->transports[i].text);
  }
  free(r->transports);
  records_pdus_close(&r->pdus);
  free(r->error);
  free(r->ports);
  free(r->filter);
  free(r->path);
  free(r);
  atomic_fetch_sub(&records_open_now, 1);
}

/* ---- reading ---- */

/* What ended the reading. */
static void records_ended(records *r, pcap_src_result got) {
  if (got != PCAP_SRC_END) {
    r->error = memory_text(pcap_src_error(r->src));
  }
  if (got == PCAP_SRC_LIMIT) {
    report_limits_add(&r->given_up, "unpacked", 1);
  }
  observe_capture_ends(r->obs, r->last_ns);
  ingest_finish(r->ing);
  r->finished = true;
  r->due = INGEST_DUE_MORE;
}

/* The next packet, as far as its first event. */
static void records_packet(records *r) {
  ingest_packet packet;
  const pcap_src_result got = pcap_src_next(r->src, &packet);
  if (got != PCAP_SRC_PACKET) {
    records_ended(r, got);
    return;
  }
  r->packets++;
  r->last_ns = packet.time_ns;
  r->due = ingest_push(r->ing, &packet);
  if (r->packets % RECORDS_STEPS == 0) {
    pcap_src_set_work(r->src, observe_work(r->obs) + ingest_stats_get(r->ing)->chunks);
  }
  if (r->due == INGEST_DUE_EVENT && observe_segment(r->obs, ingest_next_segment(r->ing))) {
    ingest_take_segment(r->ing);
    r->due = ingest_due_after(r->ing);
  }
}

/* One event, or one packet where no event is left. */
static void records_step(records *r) {
  ingest_event ev;
  ingest_sctp_event sctp;
  if (r->due == INGEST_DUE_NOTHING) {
    records_packet(r);
  } else if (!r->sctp && ingest_next(r->ing, &ev)) {
    observe_event(r->obs, &ev);
    r->due = r->due == INGEST_DUE_EVENT ? ingest_due_after(r->ing) : r->due;
  } else if (ingest_sctp_next(r->ing, &sctp)) {
    r->sctp = true;
    observe_sctp_event(r->obs, &sctp);
  } else {
    r->sctp = false;
    r->due = INGEST_DUE_NOTHING;
  }
}

static bool records_over(const records *r) {
  return r->finished && r->due == INGEST_DUE_NOTHING;
}

static bool records_enough(const records *r) {
  if (r->cfg.want == RECORDS_PDUS) {
    return r->pdus.batch.num >= r->cfg.rows || (records_over(r) && r->pdus.batch.num > 0);
  }
  return r->head != NULL;
}

records_result records_next(records *r) {
  const bool pdus = r->cfg.want == RECORDS_PDUS;
  if (pdus && r->pdus.batch.num > 0) {
    records_pdus_begin(&r->pdus);
  }
  for (size_t i = 0; !records_enough(r) && !records_over(r) && !memory_ran_out(); i++) {
    if (i >= RECORDS_STEPS && (!pdus || r->pdus.batch.num == 0)) {
      return RECORDS_AGAIN;
    }
    records_step(r);
  }
  if (memory_ran_out() || observe_failed(r->obs)) {
    return RECORDS_NO_MEMORY;
  }
  return records_enough(r) ? RECORDS_READY : RECORDS_END;
}

const char *records_error(const records *r) {
  return r->error;
}

void records_summary_get(records_summary *out, const records *r) {
  *out = (records_summary){.packets = r->packets,
                           .octets = ingest_stats_get(r->ing)->octets,
                           .connections = observe_connections(r->obs),
                           .found = *observe_found_get(r->obs),
                           .ingest = *ingest_stats_get(r->ing),
                           .given_up = r->given_up,
                           .transports = r->transports,
                           .num_transports = r->num_transports};
}
