/* SPDX-License-Identifier: BSD-2-Clause */
/* iwarp peer: plays cases against a live target. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <memory/memory.h>
#include <peer_net/campaign.h>
#include <peer_report/select.h>

#include "commands.h"
#include "diag.h"
#include "interrupt.h"
#include "live.h"
#include "output_file.h"
#include "peer_known.h"
#include "peer_packets.h"
#include "run.h"
#include "target.h"

/* A report that goes to a file. */
typedef struct peer_file {
  output_file file;
  out_buf out;
  const peer_report_format *format;
} peer_file;

/* All that a run has. */
typedef struct peer_command {
  const opts *o;
  peer_pages pages;
  peer_run run;
  peer_known_files known;
  peer_campaign *campaign;
  net_target target;
  out_buf out; /* standard output */
  peer_packets packets;
  peer_file *files;
  size_t num_files;
  bool unwritten; /* some capture could not be written */
} peer_command;

/* ---- the cases ---- */

static int peer_unselected(peer_selected how, const char *word) {
  switch (how) {
  case PEER_SELECTED_NOTHING:
    if (word == NULL) {
      diag("peer: no case is left to play");
    } else {
      diag("peer: no case matches '%.60s' ('iwarp peer --list' lists them)", word);
    }
    return EXIT_USAGE;
  case PEER_SELECTED_DANGER:
    diag("peer: '%.60s' matches only cases that are known to crash some stack: add --danger", word);
    return EXIT_USAGE;
  case PEER_SELECTED_BAD_PAGE: diag("peer: the page of %.60s cannot be read", word); break;
  case PEER_SELECTED_OK:
  case PEER_SELECTED_NO_MEMORY: break;
  }
  return EXIT_INTERNAL;
}

static bool peer_listens(const opts *o) {
  return o->num_operands > 0 && strcmp(o->operands[0], "listen") == 0;
}

static uint32_t peer_plays(const opts *o) {
  if (o->num_operands == 0) {
    return PEER_PLAYS_INITIATOR | PEER_PLAYS_RESPONDER;
  }
  return peer_listens(o) ? PEER_PLAYS_RESPONDER : PEER_PLAYS_INITIATOR;
}

static int peer_choose(peer_command *c) {
  const opts *o = c->o;
  const peer_selection wanted = {.plays = peer_plays(o),
                                 .danger = o->danger || o->list,
                                 .only = o->only,
                                 .num_only = o->num_only,
                                 .exclude = o->exclude,
                                 .num_exclude = o->num_exclude};
  const char *word = NULL;
  peer_selected how = peer_pages_read(&c->pages, &word);
  if (how == PEER_SELECTED_OK) {
    how = peer_select(&c->run, &c->pages, &wanted, &word);
  }
  return how == PEER_SELECTED_OK ? EXIT_OK : peer_unselected(how, word);
}

/* ---- reports ---- */

static void peer_each_report(peer_command *c,
                             void (*write)(const peer_report_format *, out_buf *, const peer_run *,
                                           size_t),
                             size_t i) {
  write(c->o->peer_report, &c->out, &c->run, i);
  out_flush(&c->out);
  for (size_t k = 0; k < c->num_files; k++) {
    write(c->files[k].format, &c->files[k].out, &c->run, i);
  }
}

static void peer_write_begin(const peer_report_format *f, out_buf *out, const peer_run *of,
                             size_t i) {
  (void)i;
  f->begin(out, of);
}

static void peer_write_one(const peer_report_format *f, out_buf *out, const peer_run *of,
                           size_t i) {
  f->one(out, of, i);
}

static void peer_write_end(const peer_report_format *f, out_buf *out, const peer_run *of,
                           size_t i) {
  (void)i;
  f->end(out, of);
}

static bool peer_files_open(peer_command *c) {
  const opts *o = c->o;
  c->files = memory_zeroed(o->num_peer_reports + 1, sizeof *c->files);
  for (size_t i = 0; c->files != NULL && i < o->num_peer_reports; i++) {
    peer_file *f = &c->files[i];
    *f = (peer_file){.file = OUTPUT_FILE_NONE, .format = o->peer_reports[i].format};
    if (!output_file_open(&f->file, o->peer_reports[i].path, o)) {
      return false;
    }
    c->num_files++;
    if (!out_open_fd(&f->out, f->file.fd)) {
      return false;
    }
  }
  return c->files != NULL;
}

/* Reports that are not whole are dropped. */
static bool peer_files_close(peer_command *c, bool whole) {
  bool good = true;
  for (size_t i = 0; i < c->num_files; i++) {
    peer_file *f = &c->files[i];
    if (whole) {
      out_flush(&f->out);
      good = output_file_close(&f->file, f->out.error) && good;
    }
    output_file_discard(&f->file);
    out_close(&f->out);
  }
  free(c->files);
  return good;
}

/* ---- captures ---- */

static bool peer_trace_write(peer_command *c, const char *path, net_trace *trace) {
  output_file file = OUTPUT_FILE_NONE;
  out_buf out;
  if (!output_file_open(&file, path, c->o)) {
    return false;
  }
  bool good = out_open_fd(&out, file.fd);
  if (good) {
    if (!peer_packets_write(&c->packets, trace, &out)) {
      net_trace_write(trace, &out);
    }
    out_flush(&out);
    good = output_file_close(&file, out.error);
    out_close(&out);
  }
  output_file_discard(&file);
  return good;
}

static void peer_keep(peer_command *c, peer_run_case *one, net_trace *trace) {
  const size_t len = strlen(c->o->keep) + strlen(one->name) + sizeof "/.pcapng";
  char *path = memory_get(len);
  if (path == NULL) {
    return;
  }
  (void)snprintf(path, len, "%s/%s.pcapng", c->o->keep, one->name);
  if (peer_trace_write(c, path, trace)) {
    one->file = path;
    return;
  }
  c->unwritten = true;
  free(path);
}

/* ---- what the campaign says ---- */

static const char *peer_on_name(void *ctx, size_t item) {
  const peer_command *c = ctx;
  return c->run.cases[item].name;
}

static void peer_on_played(void *ctx, size_t item, const peer_player *player) {
  peer_command *c = ctx;
  peer_run_case *one = &c->run.cases[item];
  size_t num = 0;
  peer_packets_read(&c->packets);
  while (peer_player_finding(player, num) != NULL) {
    num++;
  }
  one->findings = num > 0 ? memory_zeroed(num, sizeof *one->findings) : NULL;
  for (size_t i = 0; one->findings != NULL && i < num; i++) {
    one->findings[one->num_findings++] = *peer_player_finding(player, i);
  }
}

static void peer_on_decided(void *ctx, size_t item, net_trace *trace) {
  peer_command *c = ctx;
  peer_run_case *one = &c->run.cases[item];
  one->known = peer_expect_compare(&c->known.expect, one->name, &one->outcome->result);
  if (trace != NULL) {
    peer_keep(c, one, trace);
  }
  peer_packets_drop(&c->packets);
  peer_each_report(c, peer_write_one, item);
  if (one->outcome->lost) {
    diag("target lost after %s", one->name);
  }
}

static void peer_on_restarted(void *ctx, bool good) {
  (void)ctx;
  diag(good ? "the target was restarted" : "--restart failed: the run ends here");
}

/* ---- the run ---- */

static const peer_fail_on peer_fails[] = {[OPTS_FAIL_MUST] = PEER_FAIL_ON_MUST,
                                          [OPTS_FAIL_SHOULD] = PEER_FAIL_ON_SHOULD,
                                          [OPTS_FAIL_NOTE] = PEER_FAIL_ON_NOTE,
                                          [OPTS_FAIL_NEVER] = PEER_FAIL_ON_NEVER};

static bool peer_offer_of(const opts *o, peer_offer *offer) {
  const char *bad = NULL;
  size_t len = 0;
  if (!peer_offer_read(offer, o->ulp != NULL ? o->ulp : "none", !peer_listens(o), &bad, &len)) {
    diag("--ulp: '%.*s' is no word of it", (int)(len < 60 ? len : 60), bad);
    return false;
  }
  return true;
}

static bool peer_campaign_open(peer_command *c, const peer_item *items) {
  const opts *o = c->o;
  peer_campaign_cfg cfg = {.items = items,
                           .num_items = c->run.num_cases,
                           .canary = c->pages.canary,
                           .how = {.role = c->run.role, .timeout_ns = o->timeout_ns},
                           .can_restart = o->restart != NULL};
  if (!peer_offer_of(o, &cfg.how.offer)) {
    return false;
  }
  c->campaign = peer_campaign_new(&cfg);
  for (size_t i = 0; c->campaign != NULL && i < c->run.num_cases; i++) {
    c->run.cases[i].outcome = peer_campaign_outcome(c->campaign, i);
  }
  return c->campaign != NULL;
}

static bool peer_target_open(peer_command *c) {
  const opts *o = c->o;
  c->target = (net_target){.listening = -1, .stop_fd = interrupt_fd(), .run = o->run};
  if (!peer_listens(o)) {
    c->target.to = target_addresses();
    return true;
  }
  c->target.listening = net_listen(&target_addresses()->list[0], &c->target.bound);
  if (c->target.listening < 0) {
    diag("%s: %s", o->operands[1], strerror(errno));
  }
  return c->target.listening >= 0;
}

static int peer_play(peer_command *c) {
  const net_campaign_cfg cfg = {.campaign = c->campaign,
                                .num_items = c->run.num_cases,
                                .target = &c->target,
                                .restart = c->o->restart,
                                .traces = c->o->keep != NULL};
  const net_campaign_user user = {.ctx = c,
                                  .name = peer_on_name,
                                  .played = peer_on_played,
                                  .decided = peer_on_decided,
                                  .restarted = peer_on_restarted};
  interrupt_begin();
  peer_packets_begin(&c->packets, live_take());
  peer_each_report(c, peer_write_begin, 0);
  const net_play_end end = net_campaign(&cfg, &user);
  if (end == NET_PLAY_NO_MEMORY) {
    return EXIT_INTERNAL;
  }
  c->run.canary = peer_campaign_canary(c->campaign, &c->run.canary_ns);
  peer_each_report(c, peer_write_end, 0);
  return run_output_ok(&c->out) && !c->unwritten ? peer_run_status(&c->run) : EXIT_USAGE;
}

static int peer_run_all(peer_command *c) {
  peer_item *items = memory_zeroed(c->run.num_cases + 1, sizeof *items);
  int status = EXIT_INTERNAL;
  for (size_t i = 0; items != NULL && i < c->run.num_cases; i++) {
    items[i] = c->run.cases[i].item;
  }
  if (items != NULL) {
    status = !peer_known_files_open(&c->known, c->o) || !peer_campaign_open(c, items) ||
                     !peer_target_open(c) || !peer_files_open(c)
                 ? EXIT_USAGE
                 : peer_play(c);
  }
  if (!peer_files_close(c, status != EXIT_INTERNAL && status != EXIT_USAGE)) {
    status = EXIT_USAGE;
  }
  if (c->target.listening >= 0) {
    (void)close(c->target.listening);
  }
  peer_packets_end(&c->packets);
  peer_campaign_free(c->campaign);
  peer_known_files_close(&c->known);
  free(items);
  return status;
}

static int peer_list(peer_command *c) {
  peer_report_list(&c->out, &c->run, c->o->peer_report == &peer_report_jsonl);
  return run_output_ok(&c->out) ? EXIT_OK : EXIT_USAGE;
}

int cmd_peer(const opts *o) {
  peer_command c = {.o = o,
                    .target = {.listening = -1},
                    .run = {.target = o->num_operands > 1 ? o->operands[1] : "",
                            .role = peer_listens(o) ? IWARP_ROLE_RESPONDER : IWARP_ROLE_INITIATOR,
                            .fail_on = peer_fails[o->fail_on],
                            .level = o->level}};
  int status = EXIT_INTERNAL;
  if (out_open_fd(&c.out, STDOUT_FILENO)) {
    status = peer_choose(&c);
    if (status == EXIT_OK) {
      status = o->list ? peer_list(&c) : peer_run_all(&c);
    }
    out_close(&c.out);
  }
  peer_select_free(&c.run);
  peer_pages_free(&c.pages);
  return status;
}
