/* SPDX-License-Identifier: BSD-2-Clause */
/* The loop over packets. */
#define _DEFAULT_SOURCE 1 /* struct winsize */

#include "run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <ingest/pcap_src.h>
#include <ingest/peek.h>
#include <memory/memory.h>
#include <report/transports.h>

#include "capture_names.h"
#include "diag.h"
#include "digest.h"
#include "interrupt.h"
#include "joined.h"
#include "live.h"
#include "progress.h"
#include "tunnels.h"

#define RUN_PROGRESS_PACKETS 1024u /* between two looks at the progress */

/* A key that the author of a capture cannot know; no output depends on it. */
static void run_hash_key(uint64_t key[2]) {
  if (getentropy(key, 2 * sizeof key[0]) != 0) {
    key[0] = key[1] = 0;
  }
}

/* What messages call a capture: they are for the one who typed the path. */
static const char *run_name(const char *path) {
  return strcmp(path, "-") == 0 ? "standard input" : path;
}

/* Returns true if the terminal has no colours, and cannot erase a line. */
static bool run_is_dumb(void) {
  const char *term = getenv("TERM");
  return term != NULL && strcmp(term, "dumb") == 0;
}

bool run_color(opts_when when) {
  const char *no_color = getenv("NO_COLOR");
  if (when != OPTS_AUTO) {
    return when == OPTS_ALWAYS;
  }
  return isatty(STDOUT_FILENO) != 0 && !run_is_dumb() && (no_color == NULL || no_color[0] == 0);
}

size_t run_columns(void) {
  struct winsize size;
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool run_progress(opts_when when, bool out_is_terminal) {
  if (when != OPTS_AUTO) {
    return when == OPTS_ALWAYS;
  }
  return isatty(STDERR_FILENO) != 0 && !run_is_dumb() && !out_is_terminal;
}

bool run_output_ok(out_buf *out) {
  out_flush(out);
  if (out->error != 0 && out->error != EPIPE) {
    diag("standard output: %s", strerror(out->error));
  }
  return out->error == 0;
}

bool run_ends(const run *r) {
  return r->out->error != 0 || memory_ran_out();
}

/* Hands the events that ingest has ready to the jobs. */
static void run_drain(run *r, ingest *ing, ingest_due due) {
  ingest_event ev;
  while (due != INGEST_DUE_NOTHING && ingest_next(ing, &ev)) {
    jobs_event(r->jobs, &ev, r->read);
    due = due == INGEST_DUE_EVENT ? ingest_due_after(ing) : due;
  }
  if (due == INGEST_DUE_NOTHING) {
    return;
  }
  ingest_sctp_event sctp;
  while (ingest_sctp_next(ing, &sctp)) {
    jobs_sctp_event(r->jobs, &sctp, r->read);
  }
}

/* Takes the packet further: mostly it is one segment. */
static void run_packet(run *r, ingest *ing, const ingest_packet *packet) {
  ingest_due due = ingest_push(ing, packet);
  jobs_count_packet(r->jobs);
  if (due == INGEST_DUE_EVENT && jobs_segment(r->jobs, ingest_next_segment(ing), r->read)) {
    ingest_take_segment(ing);
    due = ingest_due_after(ing);
  }
  if (due != INGEST_DUE_NOTHING) {
    run_drain(r, ing, due);
  }
}

static void run_show(const run *r, const char *name, const jobs_read_progress *shown) {
  progress_state state = {.file = name,
                          .done = shown->done,
                          .total = shown->total,
                          .packets = shown->packets,
                          .connections = jobs_connections(r->jobs)};
  for (size_t i = 0; r->findings != NULL && i < OBSERVE_SEVERITIES; i++) {
    state.findings += r->findings[i];
  }
  progress_show(&state);
}

static void run_look(const run *r, const pcap_src *src, const ingest *ing, const char *name) {
  jobs_read_progress shown = {.packets = ingest_stats_get(ing)->packets};
  pcap_src_progress(src, &shown.done, &shown.total);
  run_show(r, name, &shown);
}

/* What follows a packet where somebody looks on. */
static void run_watch(const run *r, const pcap_src *src, const ingest *ing, const char *name,
                      bool live) {
  if (live) {
    out_flush(r->out);
  }
  if (progress_enabled() && r->packets % RUN_PROGRESS_PACKETS == 0) {
    run_look(r, src, ing, name);
  }
}

/* Returns true if a reader is likely to wait for each line of output. */
static bool run_is_live(const run *r, const char *name) {
  return strcmp(name, "-") == 0 || r->out_is_terminal || r->o->interface != NULL;
}

/* Each packet counts in one shard: the shard of its ports, or else the first one. */
static void run_shard(void *ctx, const ingest_packet *packet) {
  run *r = ctx;
  ingest_addr addr[2];
  bool sctp = false;
  const bool any = ingest_peek_ends(addr, &sctp, packet);
  r->digest = digest_packet(r->digest, packet);
  if ((any ? jobs_shard(addr, sctp, r->o->shards) : 0) == r->o->shard) {
    r->totals.packets++;
    r->totals.octets += packet->len;
  }
}

/* What the reading of a file is watched with. */
typedef struct run_watched {
  run *r;
  const char *name;
  bool live;
} run_watched;

static void run_watch_look(void *ctx, const jobs_read_progress *shown) {
  const run_watched *w = ctx;
  w->r->began_ns = shown->began_ns;
  if (w->live) {
    out_flush(w->r->out);
  }
  if (progress_enabled()) {
    run_show(w->r, w->name, shown);
  }
}

static bool run_watch_enough(void *ctx) {
  const run_watched *w = ctx;
  return run_ends(w->r);
}

/* Lets jobs read packets until something ends it; returns the result of the source. */
static pcap_src_result run_jobs(run *r, pcap_src *src, const char *name) {
  const bool live = run_is_live(r, name);
  run_watched watched = {.r = r, .name = name, .live = live};
  const jobs_watch watch = {.ctx = &watched,
                            .look = run_watch_look,
                            .eager = live || progress_enabled(),
                            .enough = run_watch_enough};
  jobs_read read = {.src = src,
                    .max = r->o->max_packets,
                    .before = r->packets,
                    .facts = r->facts,
                    .so_far = {.packets = r->packets, .input = r->read, .began_ns = r->began_ns},
                    .ctx = r,
                    .each = r->o->shards > 0 ? run_shard : NULL};
  jobs_read_file(r->jobs, &read, &watch);
  if (r->o->shards == 0) {
    r->totals.packets += read.so_far.packets - r->packets;
    r->totals.octets += read.so_far.octets;
  }
  ingest_encap_add(&r->encap, &read.encap);
  r->facts = read.facts;
  r->packets = read.so_far.packets;
  r->read = read.so_far.input;
  r->began_ns = read.so_far.began_ns;
  return read.result == PCAP_SRC_FEED ? PCAP_SRC_END : read.result;
}

/* The pieces of a file that one job reads: they end where the pieces of many jobs would. */
typedef struct run_pieces {
  jobs_work work;
  uint64_t piece;
  uint64_t before;  /* work before this piece */
  uint64_t packets; /* packets of this piece */
  size_t octets;    /* octets of these packets */
} run_pieces;

static uint64_t run_work(const run *r, const ingest *ing) {
  return jobs_work_of_one(r->jobs) + ingest_stats_get(ing)->chunks;
}

/* Ends a piece, and lets the source know what the file costs. A shard knows its own work alone. */
static void run_piece(const run *r, run_pieces *p, pcap_src *src, const ingest *ing) {
  const uint64_t now = run_work(r, ing);
  jobs_work_add(&p->work, p->piece, now - p->before);
  p->before = now;
  p->octets = 0;
  p->packets = 0;
  const uint64_t work = jobs_work_begin(&p->work, ++p->piece);
  pcap_src_set_work(src, r->o->shards > 0 ? 0 : work);
}

/* The next packet. */
static pcap_src_result run_next(const run *r, run_pieces *p, pcap_src *src, const ingest *ing,
                                ingest_packet *packet) {
  if (jobs_work_ends(p->octets, p->packets)) {
    run_piece(r, p, src, ing);
  }
  const pcap_src_result got = pcap_src_next(src, packet);
  p->octets += got == PCAP_SRC_PACKET ? packet->caplen : 0;
  p->packets++;
  return got;
}

/* Takes a packet with its number in the capture further. */
static void run_take(run *r, ingest *ing, const ingest_packet *packet) {
  ingest_packet_facts_add(&r->facts, packet);
  r->read += JOBS_PACKET_HEAD + packet->caplen;
  if (r->o->shards > 0) {
    run_shard(r, packet);
  }
  if (r->packets == 0) {
    r->began_ns = packet->time_ns;
  }
  run_packet(r, ing, packet);
}

/* What an interface has besides packets: time without one, and a file that they are kept in. */
static bool run_keep(run *r, const ingest_packet *packet) {
  r->unkept = r->o->interface != NULL && !live_packet(packet);
  return !r->unkept;
}

/* Reads packets until something ends it; returns the result of the source. */
static pcap_src_result run_packets(run *r, pcap_src *src, ingest *ing, const char *name) {
  const bool live = run_is_live(r, name);
  const bool watched = live || progress_enabled();
  const uint64_t before = r->packets;
  run_pieces pieces = {.before = run_work(r, ing)};
  ingest_packet packet;
  while (r->packets < r->o->max_packets && !run_ends(r)) {
    const pcap_src_result got = run_next(r, &pieces, src, ing, &packet);
    if (got == PCAP_SRC_IDLE) {
      run_look(r, src, ing, name);
      if (r->idle != NULL) {
        r->idle(r->idle_ctx);
      }
      continue;
    }
    if (got != PCAP_SRC_PACKET || !run_keep(r, &packet)) {
      return got;
    }
    packet.number += before;
    run_take(r, ing, &packet);
    if (watched) {
      run_watch(r, src, ing, name, live);
    }
    r->packets++;
  }
  return PCAP_SRC_END;
}

/* ---- hints about captures without iWARP ---- */

#define RUN_WORDS 96u /* size of a part of a hint */

/* The SCTP associations, and how many of them may have what is not decoded. */
static void run_hint_sctp(char *out, size_t cap, const observe_found *found) {
  const unsigned long long num = found->sctp;
  const unsigned long long opaque = found->sctp_opaque;
  char of[RUN_WORDS] = "";
  if (opaque > 0) {
    snprintf(of, sizeof of, ", %llu of them with I-DATA chunks, which are not decoded", opaque);
  }
  if (num > 0) {
    snprintf(out, cap, ", %llu SCTP association%s%s", num, num == 1 ? "" : "s", of);
  }
}

/* The connections, how far they came, and what to try with those whose start was not captured. */
static void run_hint_found(const char *name, const observe_found *found, size_t roce) {
  const unsigned long long tcp = found->tcp;
  char sctp[2 * RUN_WORDS] = "";
  char hint[RUN_WORDS] = "";
  out_buf states;
  out_open_memory(&states);
  out_str(&states, " (");
  report_transports_words(&states, found->transports);
  out_str(&states, states.len > 2 ? ")" : "");
  run_hint_sctp(sctp, sizeof sctp, found);
  if (found->port != 0) {
    snprintf(hint, sizeof hint, "; if that is iWARP, try -d tcp.port==%u",
             (unsigned int)found->port);
  }
  diag("%s: no iWARP found: %llu TCP connection%s%.*s%s%s%s", name, tcp, tcp == 1 ? "" : "s",
       states.len > 2 ? (int)states.len : 0, states.len > 2 ? states.buf : "", sctp,
       roce > 0 ? ", RoCEv2 over UDP (RDMA, but not iWARP)" : "", hint);
  out_close(&states);
}

static void run_hint(const run *r, const char *name, uint64_t packets) {
  const observe_found found = jobs_found(r->jobs);
  if (packets == 0 && r->o->filter != NULL) {
    diag("%s: no packet matches -f '%s'", name, r->o->filter);
  } else if (packets == 0) {
    diag("%s: the capture holds no packet", name);
  } else if (found.iwarp == 0) {
    run_hint_found(name, &found, r->stats.encap[0].num_roce + r->stats.encap[1].num_roce);
  } else if (found.sctp_opaque > 0) {
    diag("%s: SCTP associations with I-DATA chunks, which are not decoded: %llu", name,
         (unsigned long long)found.sctp_opaque);
  }
}

void run_ports_met(const run *r) {
  for (uint32_t port = 1; r->o->any_port && port <= UINT16_MAX; port++) {
    if (observe_ports_has(r->o->ports, (uint16_t)port) && !jobs_port_met(r->jobs, (uint16_t)port)) {
      diag("-d tcp.port==%u: no packet has this port", (unsigned int)port);
    }
  }
  for (size_t i = 0; i < r->o->num_tunnels; i++) {
    const opts_tunnel *t = &r->o->tunnels[i];
    if (r->tunnels->met[t->port] == 0) {
      diag("-d udp.port==%u,%s: no packet has this port", (unsigned int)t->port,
           ingest_layer_name(t->layer));
    }
  }
}

bool run_conns_met(const run *r) {
  bool met = true;
  for (size_t i = 0; i < r->o->num_conns; i++) {
    const unsigned long long number = r->o->conns[i];
    if (number >= r->most_conns && r->most_conns > 0) {
      diag("--conn %llu: there is no such connection: their numbers go from 0 to %llu", number,
           (unsigned long long)r->most_conns - 1);
    } else if (number >= r->most_conns) {
      diag("--conn %llu: there is no iWARP connection", number);
    }
    met = met && number < r->most_conns;
  }
  return met;
}

#define RUN_MEMORY_UNIT (UINT64_C(64) << 20) /* unit of the estimated memory */

void run_memory_wanted(const run *r) {
  const uint64_t wanted = jobs_wanted(r->jobs);
  const uint64_t units = (wanted + RUN_MEMORY_UNIT - 1) / RUN_MEMORY_UNIT;
  if (wanted > 0) {
    diag("--memory %llu%s does not hold all connections; --memory %lluM would do",
         (unsigned long long)(r->o->memory >> (r->o->memory % (1u << 20) == 0 ? 20 : 0)),
         r->o->memory % (1u << 20) == 0 ? "M" : "",
         (unsigned long long)(units * (RUN_MEMORY_UNIT >> 20)));
  }
}

void run_tell_limits(const run *r, size_t i, report_limits *limits) {
  for (size_t k = 0; k < REPORT_LIMITS; k++) {
    const uint64_t n = limits->of[k];
    if (n > 0) {
      const char *name = report_limit_name(k);
      diag("%s: given up: %llu %s%s (%s): %s", r->names[i], (unsigned long long)n,
           report_limit_of_captures(k) ? "capture" : "connection", n == 1 ? "" : "s", name,
           report_limit_text(name));
    }
  }
  *limits = (report_limits){0};
}

int run_status(const run *r, int status) {
  run_ports_met(r);
  run_memory_wanted(r);
  status = run_ends(r) || run_conns_met(r) || status == EXIT_INTERNAL ? status : EXIT_USAGE;
  status = r->limited && status == EXIT_OK ? EXIT_USAGE : status;
  return run_output_ok(r->out) || status != EXIT_OK ? status : EXIT_USAGE;
}

/* What ended the reading of a file before its end, if something did. A limit counts in one shard.
 */
static void run_file_ended(run *r, pcap_src_result got, size_t i, const pcap_src *src) {
  if (got == PCAP_SRC_ERROR || got == PCAP_SRC_LIMIT || got == PCAP_SRC_STOPPED) {
    diag("%s: %s", run_name(r->o->operands[i]), pcap_src_error(src));
  }
  if (got == PCAP_SRC_LIMIT && r->ends != NULL) {
    r->ends[i] = r->packets;
  }
  r->interrupted = r->interrupted || got == PCAP_SRC_STOPPED;
  r->limited = r->limited || got == PCAP_SRC_LIMIT || r->interrupted;
  if (got == PCAP_SRC_LIMIT && r->o->shard == 0) {
    jobs_limit(r->jobs, "unpacked", 1);
  }
}

/* A signal came before anything of a file was read. */
static run_result run_file_left(run *r, const char *path) {
  diag("%s: not read: interrupted", run_name(path));
  r->interrupted = r->limited = true;
  return RUN_OK;
}

/* Opens operand `i`. NULL: *result is why. */
static pcap_src *run_open_file(run *r, size_t i, run_result *result) {
  const char *path = r->o->operands[i];
  char error[PCAP_SRC_ERROR_LEN] = "";
  const bool live = r->o->interface != NULL;
  pcap_src *src = live                 ? live_take()
                  : pcap_src_stopped() ? NULL
                                       : pcap_src_open(path, r->o->filter, error);
  if (src != NULL) {
    pcap_src_set_max(src, &r->o->max_unpacked);
  } else if (pcap_src_stopped()) {
    *result = run_file_left(r, path);
  } else {
    diag("%s: %s", run_name(path), error);
    *result = RUN_UNREADABLE;
  }
  return src;
}

#define RUN_STRETCHES 64u     /* stretches that have room at first */
#define RUN_STRETCHES_PART 4u /* part of --memory that stretches may take: 1 / this */

/* Notes that packets of file `i` follow, with --join. */
static void run_stretch(run *r, size_t i) {
  observe_parts *parts = &r->parts;
  if (parts->num_stretches == r->room_stretches) {
    const size_t room = r->room_stretches > 0 ? 2 * r->room_stretches : RUN_STRETCHES;
    const size_t size = room * sizeof *r->stretches;
    r->crowded = r->crowded || size > r->memory.limit / RUN_STRETCHES_PART;
    observe_stretch *grown = r->crowded ? NULL : memory_resize(r->stretches, size);
    if (grown == NULL) {
      return; /* the caller ends the reading */
    }
    r->stretches = grown;
    r->room_stretches = room;
    parts->stretches = grown;
  }
  r->stretches[parts->num_stretches++] =
      (observe_stretch){.before = r->packets, .frames = r->frames[i], .part = i};
}

/* Reads operand `i`, which begins or goes on with a capture; many jobs have no need of `ing`. */
static run_result run_file(run *r, ingest *ing, size_t i) {
  run_result result = RUN_OK;
  if (r->o->join) {
    run_stretch(r, i);
  }
  pcap_src *src = run_open_file(r, i, &result);
  if (src == NULL) {
    return result;
  }
  if (!r->o->join) {
    r->digest = digest_file(r->digest, r->names[i]);
  }
  const bool live = r->o->interface != NULL;
  if (live) {
    diag("capturing on %s; SIGINT ends it", r->o->operands[i]);
  }
  const pcap_src_result got =
      jobs_many(r->jobs) ? run_jobs(r, src, r->names[i]) : run_packets(r, src, ing, r->names[i]);
  progress_erase();
  run_file_ended(r, got, i, src);
  if (live && !live_end(src, r->o->operands[i])) {
    r->unkept = true;
  }
  pcap_src_close(src);
  return got == PCAP_SRC_ERROR || r->unkept ? RUN_INPUT_ERROR : RUN_OK;
}

/* Joins the results of two files of a capture: the packets of a file count, whatever
 * became of the other file. */
static run_result run_worse(run_result a, run_result b) {
  return a == b ? a : RUN_INPUT_ERROR;
}

/* ---- captures that may overlap ---- */

/* A single job reads --join by time. */
typedef struct run_join {
  run *r;
  const ingest *ing;
  run_pieces *pieces; /* pieces by file */
  run_result result;
  bool any;
} run_join;

static void run_join_add(run_join *join, run_result result) {
  join->result = join->any ? run_worse(join->result, result) : result;
  join->any = true;
}

static pcap_src *run_join_open(void *ctx, size_t i) {
  run_join *join = ctx;
  run_result result = RUN_OK;
  pcap_src *src = run_open_file(join->r, i, &result);
  if (src == NULL) {
    run_join_add(join, result);
  }
  return src;
}

static void run_join_begin(void *ctx, size_t i) {
  const run_join *join = ctx;
  join->pieces[i].before = run_work(join->r, join->ing);
}

static pcap_src_result run_join_next(void *ctx, size_t i, pcap_src *src, ingest_packet *packet) {
  const run_join *join = ctx;
  return run_next(join->r, &join->pieces[i], src, join->ing, packet);
}

static void run_join_end(void *ctx, size_t i, pcap_src *src, pcap_src_result got) {
  run_join *join = ctx;
  progress_erase();
  run_file_ended(join->r, got, i, src);
  run_join_add(join, got == PCAP_SRC_ERROR ? RUN_INPUT_ERROR : RUN_OK);
}

/* Takes packets of all files further, by time. */
static void run_join_packets(run *r, ingest *ing, joined *files) {
  const bool watched = r->out_is_terminal || progress_enabled();
  ingest_packet packet;
  size_t from = 0;
  size_t last = SIZE_MAX;
  for (; r->packets < r->o->max_packets && !run_ends(r) && !r->crowded; r->packets++) {
    if (!joined_next(files, &packet, &from)) {
      return;
    }
    if (from != last) {
      run_stretch(r, from);
      last = from;
    }
    r->frames[from]++;
    packet.number = r->packets + 1;
    run_take(r, ing, &packet);
    if (watched) {
      run_watch(r, joined_source(files), ing, r->names[from], r->out_is_terminal);
    }
  }
}

static run_result run_joined(run *r, ingest *ing) {
  run_join join = {
      .r = r, .ing = ing, .pieces = memory_zeroed(r->o->num_operands, sizeof *join.pieces)};
  const joined_calls calls = {.ctx = &join,
                              .open = run_join_open,
                              .begin = run_join_begin,
                              .next = run_join_next,
                              .end = run_join_end};
  joined *files = join.pieces != NULL ? joined_new(&calls, r->o->num_operands) : NULL;
  if (files != NULL) {
    run_join_packets(r, ing, files);
  }
  if (files != NULL && joined_late(files)) {
    diag("more than %u captures overlap in time: packets of some were read too late",
         JOINED_OPEN_MAX);
    run_join_add(&join, RUN_INPUT_ERROR);
  }
  if (r->crowded) {
    diag("--memory %zu does not hold the order of packets of captures that overlap",
         r->memory.limit);
    run_join_add(&join, RUN_INPUT_ERROR);
  }
  progress_erase();
  joined_free(files);
  free(join.pieces);
  return join.any ? join.result : RUN_OK;
}

/* Many jobs read the files of --join one after the other, which are known not to overlap. */
static run_result run_files(run *r, ingest *ing, size_t i) {
  const bool one = !jobs_many(r->jobs);
  run_result result;
  if (r->o->join && one) {
    result = run_joined(r, ing);
  } else {
    result = run_file(r, ing, i);
  }
  for (size_t next = i + 1; r->o->join && !one && next < r->o->num_operands; next++) {
    result = run_worse(result, run_file(r, ing, next));
  }
  if (r->interrupted) { /* also with --shard: each is interrupted on its own */
    jobs_limit(r->jobs, "interrupted", 1);
  }
  return result;
}

/* Packets of which nothing could be kept: of which connection is not known. */
static void run_dropped(run *r, uint64_t dropped) {
  if (dropped > 0 && r->o->shard == 0) {
    jobs_limit(r->jobs, ingest_limit_name(INGEST_LIMIT_MEMORY), 1);
  }
}

/* Ends a capture that is read here. */
static ingest_stats run_end(run *r, ingest *ing) {
  observe_capture_ends(jobs_observe(r->jobs), r->facts.last_ns);
  ingest_finish(ing);
  run_drain(r, ing, INGEST_DUE_MORE);
  if (r->o->shards == 0) {
    r->totals.packets += ingest_stats_get(ing)->packets;
    r->totals.octets += ingest_stats_get(ing)->octets;
  }
  return *ingest_stats_get(ing);
}

/* Ends a capture that jobs read, and returns its counts. */
static ingest_stats run_jobs_end(run *r) {
  jobs_finish(r->jobs, r->read, r->facts.last_ns);
  ingest_stats stats = jobs_stats(r->jobs);
  ingest_encap_add(&stats.encap[0], &r->encap);
  r->encap = (ingest_encap){0};
  return stats;
}

/* Ends the capture; false: what was found is not to be relied on. */
static bool run_finish(run *r, ingest *ing, const char *name) {
  r->stats = jobs_many(r->jobs) ? run_jobs_end(r) : run_end(r, ing);
  jobs_wait(r->jobs, r->read);
  progress_erase();
  run_dropped(r, r->stats.dropped);
  const char *failed = jobs_failed(r->jobs);
  if (failed != NULL) {
    diag("%s: %s", name, failed);
  }
  return failed == NULL;
}

/* Makes the engine of a single job; NULL: no memory. */
static ingest *run_ingest(run *r) {
  ingest_cfg cfg = {
      .alloc = {.ctx = jobs_observe(r->jobs), .get = observe_ingest_get, .put = observe_ingest_put},
      .opening = observe_opening,
      .conns_max = SIZE_MAX,
      .copies_max = r->memory.limit / JOBS_COPIES,
      .prompt = r->findings == NULL}; /* no rule judges */
  if (r->sees_packets) {
    cfg.packets = (ingest_packets){.ctx = jobs_observe(r->jobs), .each = observe_packets_see};
  }
  run_hash_key(cfg.hash_key);
  return ingest_new(&cfg);
}

run_result run_capture(run *r, size_t i) {
  const char *name = r->o->join ? "the joined captures" : run_name(r->o->operands[i]);
  ingest *ing = jobs_many(r->jobs) ? NULL : run_ingest(r);
  if (ing == NULL && !jobs_many(r->jobs)) {
    diag("%s: out of memory", name);
    return RUN_INTERNAL;
  }
  r->packets = 0;
  r->facts = (ingest_packet_facts){0};
  jobs_file(r->jobs, r->names[i]);
  for (size_t part = 0; r->o->join && part < r->o->num_operands; part++) {
    r->digest = digest_file(r->digest, r->names[part]);
  }
  run_result result = run_files(r, ing, i);
  const bool reliable = run_finish(r, ing, name);
  ingest_free(ing);
  const uint64_t conns = jobs_connections(r->jobs);
  r->most_conns = conns > r->most_conns ? conns : r->most_conns;
  result = reliable ? result : RUN_INTERNAL;
  if (result == RUN_OK && r->o->shards == 0 && !r->interrupted) {
    run_hint(r, name, r->packets);
  }
  return result;
}

/* ---- all of them ---- */

size_t run_captures(const run *r) {
  return r->o->join ? 1 : r->o->num_operands;
}

bool run_open(run *r, const jobs_cfg *cfg) {
  jobs_cfg mine = *cfg;
  if (!tunnels_open(&r->tunnels, r->o)) {
    return false;
  }
  r->names = capture_names_make(r->o->operands, r->o->num_operands);
  r->frames = memory_zeroed(r->o->num_operands, sizeof *r->frames);
  r->parts = (observe_parts){.names = (const char *const *)r->names, .num = r->o->num_operands};
  mine.observe.parts = r->o->join ? &r->parts : NULL;
  run_hash_key(mine.hash_key);
  interrupt_begin();
  r->jobs = r->names != NULL && r->frames != NULL ? jobs_new(&mine) : NULL;
  return r->jobs != NULL;
}

void run_close(run *r) {
  jobs_free(r->jobs);
  interrupt_done();
  capture_names_free(r->names, r->o->num_operands);
  tunnels_close(r->tunnels);
  free(r->frames);
  free(r->stretches);
}
