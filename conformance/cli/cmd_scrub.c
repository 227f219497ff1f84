/* SPDX-License-Identifier: BSD-2-Clause */
/* iwarp scrub: a capture without what is private. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <memory/memory.h>
#include <scrub/scrub.h>

#include "capture_file.h"
#include "capture_twice.h"
#include "commands.h"
#include "diag.h"
#include "output_file.h"
#include "run.h"
#include "sandbox.h"
#include "tunnels.h"

enum { SCRUB_KEY_MAX = 1024 * 1024 };

/* A run of the command. */
typedef struct scrub_run {
  const opts *o;
  const char *path;
  scrub *scrub;
  capture_file file;
  out_buf out;
  uint8_t *octets; /* a packet as it is written */
  size_t room;
  ingest_tunnels *tunnels; /* may be NULL */
  bool damaged;            /* the capture cannot be read to its end */
  bool wrong;              /* a message has said why nothing can be written */
  bool any;                /* packets were read */
} scrub_run;

static bool scrub_note(scrub_run *r, const ingest_packet *pkt) {
  scrub_digest(r->scrub, pkt);
  return true;
}

static bool scrub_look(scrub_run *r, const ingest_packet *pkt) {
  return scrub_learn(r->scrub, pkt);
}

static bool scrub_write(scrub_run *r, const ingest_packet *pkt) {
  ingest_packet now = *pkt;
  if (pkt->caplen > r->room) {
    uint8_t *more = memory_resize(r->octets, pkt->caplen);
    if (more == NULL) {
      return false;
    }
    r->octets = more;
    r->room = pkt->caplen;
  }
  if (!scrub_packet(r->scrub, pkt, r->octets)) {
    return false;
  }
  now.data = r->octets;
  if (!capture_file_packet(&r->file, &now, NULL)) {
    diag("%s: packet %llu has another link type: a pcap file holds one. Name a file that ends in "
         ".pcapng",
         r->path, (unsigned long long)pkt->number);
    r->wrong = true;
  }
  return !r->wrong && r->out.error == 0;
}

/* Reads the capture once. What ends it early ends every reading there, and one message says so. A
 * packet counts as a PDU, too, since three readings cost more than one. */
static bool scrub_read(scrub_run *r, bool (*each)(scrub_run *r, const ingest_packet *pkt),
                       bool tell) {
  char error[PCAP_SRC_ERROR_LEN] = "";
  ingest_packet pkt;
  pcap_src_result got = PCAP_SRC_PACKET;
  bool ok = true;
  pcap_src *src = pcap_src_open(r->path, r->o->filter, error);
  if (src == NULL) {
    diag("%s: %s", r->path, error);
    r->wrong = true;
    return false;
  }
  pcap_src_set_max(src, &r->o->max_unpacked);
  for (uint64_t n = 0; ok && n < r->o->max_packets && got == PCAP_SRC_PACKET; n++) {
    pcap_src_set_work(src, n);
    got = pcap_src_next(src, &pkt);
    ok = got != PCAP_SRC_PACKET || each(r, &pkt);
    r->any = r->any || got == PCAP_SRC_PACKET;
  }
  r->damaged = got != PCAP_SRC_PACKET && got != PCAP_SRC_END;
  if (r->damaged && tell) {
    diag("%s: %s", r->path, pcap_src_error(src));
  }
  r->wrong = r->wrong || (r->damaged && !r->any);
  pcap_src_close(src);
  return ok && !r->wrong;
}

/* The secret of --key. */
static bool scrub_key(scrub_run *r) {
  FILE *file = sandbox_fopen(r->o->key);
  char *text = memory_get(SCRUB_KEY_MAX);
  size_t len = 0;
  if (file != NULL && text != NULL) {
    len = fread(text, 1, SCRUB_KEY_MAX, file);
  }
  const bool ok = file != NULL && text != NULL && ferror(file) == 0 && len > 0;
  if (ok) {
    scrub_secret(r->scrub, text, len);
  } else {
    diag("%s: %s", r->o->key,
         file != NULL && len == 0 && ferror(file) == 0 ? "is empty" : strerror(errno));
  }
  if (file != NULL) {
    (void)fclose(file);
  }
  free(text);
  r->wrong = r->wrong || !ok;
  return ok;
}

/* What stopped it, where nothing has said so yet. */
static int scrub_stopped(const scrub_run *r) {
  const size_t unit = (size_t)64 << 20;
  if (r->out.error != 0) {
    diag("%s: %s", r->o->output, strerror(r->out.error));
    return EXIT_USAGE;
  }
  switch (scrub_failed(r->scrub)) {
  case SCRUB_OK: break;
  case SCRUB_NO_MEMORY: return EXIT_INTERNAL;
  case SCRUB_FULL:
    diag("%s: --memory does not hold where its headers stand; --memory %zuM may do", r->path,
         (scrub_wanted(r->scrub) / unit + 1) * (unit >> 20));
    break;
  case SCRUB_SPOOL: diag("a temporary file: %s", strerror(scrub_spool_error(r->scrub))); break;
  }
  return EXIT_USAGE;
}

static bool scrub_readings(scrub_run *r) {
  const bool first = r->o->key == NULL;
  return (first ? scrub_read(r, scrub_note, true) : scrub_key(r)) &&
         scrub_read(r, scrub_look, !first) && scrub_learnt(r->scrub) &&
         scrub_read(r, scrub_write, false);
}

/* The file is complete even where a check finds something else in it: then a message says so. */
static int scrub_end(scrub_run *r, output_file *file) {
  const bool same = scrub_finish(r->scrub);
  if (scrub_failed(r->scrub) != SCRUB_OK) {
    return scrub_stopped(r);
  }
  capture_file_end(&r->file);
  out_flush(&r->out);
  const bool standard = file->fd < 0;
  const bool ok = standard ? run_output_ok(&r->out) : output_file_close(file, r->out.error);
  if (ok && !same) {
    diag("%s: 'iwarp check' does not find the same in it as in %s", r->o->output, r->path);
  }
  return ok && same && !r->damaged ? EXIT_OK : EXIT_USAGE;
}

static int scrub_with(scrub_run *r, output_file *file) {
  FILE *spool = tmpfile();
  if (spool == NULL) {
    diag("a temporary file: %s", strerror(errno));
    return EXIT_USAGE;
  }
  const bool tunnels = tunnels_open(&r->tunnels, r->o);
  const scrub_cfg cfg = {.observe = {.ports = r->o->any_port ? r->o->ports : NULL,
                                     .markers = r->o->markers,
                                     .crc = r->o->crc},
                         .tunnels = r->tunnels,
                         .memory = r->o->memory,
                         .private_data = r->o->keep_private_data,
                         .spool = spool};
  r->scrub = tunnels ? scrub_new(&cfg) : NULL;
  int status = EXIT_INTERNAL;
  if (r->scrub != NULL && scrub_readings(r)) {
    status = scrub_end(r, file);
  } else if (r->scrub != NULL) {
    status = r->wrong ? EXIT_USAGE : scrub_stopped(r);
  }
  scrub_free(r->scrub);
  free(r->octets);
  tunnels_close(r->tunnels);
  (void)fclose(spool);
  return status;
}

static bool scrub_may(const opts *o) {
  char error[PCAP_SRC_ERROR_LEN] = "";
  if (o->output == NULL) {
    diag("scrub: -o FILE is missing ('-' is standard output)");
  } else if (!capture_twice(o->operands[0])) {
    diag("scrub reads the capture more than once, which a pipe does not allow");
  } else if (o->filter != NULL && !pcap_src_filter_check(o->filter, error)) {
    diag("-f: %s", error);
  } else {
    return true;
  }
  return false;
}

int cmd_scrub(const opts *o) {
  scrub_run r = {.o = o, .path = o->operands[0]};
  output_file file = OUTPUT_FILE_NONE;
  if (!scrub_may(o)) {
    return EXIT_USAGE;
  }
  const bool standard = strcmp(o->output, "-") == 0;
  if (!standard && !output_file_open(&file, o->output, o)) {
    return EXIT_USAGE;
  }
  int status = EXIT_INTERNAL;
  if (out_open_fd(&r.out, standard ? STDOUT_FILENO : file.fd)) {
    if (capture_file_begin(&r.file, &r.out, capture_file_is_ng(o->output))) {
      status = scrub_with(&r, &file);
    }
    capture_file_free(&r.file);
    out_close(&r.out);
  }
  output_file_discard(&file);
  return status;
}
