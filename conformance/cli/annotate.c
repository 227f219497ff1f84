/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the capture of a check again, with comments. */
#define _POSIX_C_SOURCE 200809L

#include "annotate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <ingest/pcap_src.h>
#include <memory/memory.h>
#include <report/pcapng.h>

#include "capture_file.h"
#include "capture_twice.h"
#include "diag.h"
#include "joined.h"

/* The comments of a packet come after all packets were read, so the capture must be one that can be
 * read twice. */
static bool annotate_source(const opts *o) {
  if (o->num_operands != 1 && !o->join) {
    diag("--annotate takes one capture at a time");
    return false;
  }
  if (!capture_twice(o->operands[0])) {
    diag("--annotate reads the capture twice, which a pipe does not allow");
    return false;
  }
  return true;
}

annotate_result annotate_open(annotate *a, const opts *o) {
  *a = (annotate){.o = o, .file = OUTPUT_FILE_NONE};
  if (o->annotate == NULL) {
    return ANNOTATE_OK;
  }
  if (!annotate_source(o)) {
    return ANNOTATE_UNUSABLE;
  }
  if (!output_file_open(&a->file, o->annotate, o)) {
    return ANNOTATE_UNUSABLE;
  }
  a->comments = report_comments_new();
  a->ends = memory_zeroed(o->num_operands, sizeof *a->ends);
  return a->comments != NULL && a->ends != NULL ? ANNOTATE_OK : ANNOTATE_NO_MEMORY;
}

report_output annotate_output(const annotate *a, const report_check *standard) {
  report_output output = {.format = &report_format_comments, .check = *standard};
  output.check.ctx = a->comments;
  output.check.input = NULL;
  output.check.same = UINT64_MAX;
  output.check.max_findings = UINT64_MAX;
  return output;
}

/* The comments of a frame as options; the last one counts those beyond the limit. */
static void annotate_options(annotate *a, uint64_t frame, out_buf *options, out_buf *text) {
  out_clear(options);
  while (report_comments_next(a->comments, frame, text)) {
    report_pcapng_comment(options, text->buf, text->len);
  }
  const uint64_t omitted = report_comments_omitted(a->comments);
  if (omitted > 0) {
    out_clear(text);
    out_u64(text, omitted);
    out_str(text, " more findings about this packet");
    report_pcapng_comment(options, text->buf, text->len);
  }
}

/* The file that is written, with the packets of all captures read. */
typedef struct annotate_copy {
  annotate *a;
  capture_file file;
  out_buf options;
  out_buf text;
  uint64_t packets;
  uint64_t most; /* limit of these packets */
  bool any;      /* some capture could be opened */
} annotate_copy;

static void annotate_packet(annotate_copy *c, const ingest_packet *packet) {
  c->packets++;
  annotate_options(c->a, c->packets, &c->options, &c->text);
  if (!memory_ran_out()) { /* else a comment may lack */
    (void)capture_file_packet(&c->file, packet, &c->options);
  }
}

/* What cannot be read has been said when it was read for the first time. */
static pcap_src *annotate_source_open(void *ctx, size_t i) {
  annotate_copy *c = ctx;
  char error[PCAP_SRC_ERROR_LEN] = "";
  pcap_src *src = pcap_src_open(c->a->o->operands[i], c->a->o->filter, error);
  c->any = c->any || src != NULL;
  if (src != NULL) {
    pcap_src_set_max(src, &c->a->o->max_unpacked);
  }
  return src;
}

static pcap_src_result annotate_next(void *ctx, size_t i, pcap_src *src, ingest_packet *packet) {
  const annotate_copy *c = ctx;
  const bool limited = c->a->ends[i] > 0 && c->packets >= c->a->ends[i];
  return limited ? PCAP_SRC_END : pcap_src_next(src, packet);
}

static void annotate_end(void *ctx, size_t i, pcap_src *src, pcap_src_result result) {
  (void)ctx;
  (void)i;
  (void)src;
  (void)result;
}

/* Copies packets in the order in which they were read. False: no memory. */
static bool annotate_packets(annotate_copy *c) {
  const joined_calls calls = {
      .ctx = c, .open = annotate_source_open, .next = annotate_next, .end = annotate_end};
  joined *files = joined_new(&calls, c->a->o->num_operands);
  ingest_packet packet;
  size_t from = 0;
  while (files != NULL && c->packets < c->most && joined_next(files, &packet, &from)) {
    annotate_packet(c, &packet);
  }
  joined_free(files);
  return files != NULL;
}

/* False: the copy would be no whole capture. */
static bool annotate_files(annotate *a, out_buf *out, uint64_t most) {
  annotate_copy c = {.a = a, .most = most};
  bool ok = capture_file_begin(&c.file, out, true);
  if (ok) {
    out_open_memory(&c.options);
    out_open_memory(&c.text);
    ok = annotate_packets(&c);
    capture_file_end(&c.file);
    out_close(&c.options);
    out_close(&c.text);
  }
  capture_file_free(&c.file);
  return ok && c.any;
}

static bool annotate_ok(const annotate *a, const out_buf *out) {
  if (out->error != 0) {
    diag("%s: %s", a->o->annotate, strerror(out->error));
  } else if (report_comments_failed(a->comments)) {
    diag("%s: there was no room for the comments in a temporary file", a->o->annotate);
  }
  return out->error == 0 && !report_comments_failed(a->comments);
}

bool annotate_write(annotate *a, uint64_t most) {
  out_buf out;
  if (a->comments == NULL || memory_ran_out()) {
    return a->comments == NULL;
  }
  if (!out_open_fd(&out, a->file.fd)) {
    diag("%s: out of memory", a->o->annotate);
    return false;
  }
  report_comments_sort(a->comments);
  const bool whole = annotate_files(a, &out, most);
  out.error = memory_ran_out() ? ENOMEM : out.error;
  out_flush(&out);
  const bool ok = annotate_ok(a, &out) && whole;
  out_close(&out);
  return ok;
}

bool annotate_close(annotate *a, bool whole) {
  const bool ok = !whole || output_file_close(&a->file, 0);
  output_file_discard(&a->file);
  report_comments_free(a->comments);
  free(a->ends);
  return ok;
}
