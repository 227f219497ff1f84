/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the capture of a check again, with comments. */
#define _POSIX_C_SOURCE 200809L

#include "annotate.h"

#include <string.h>
#include <sys/stat.h>

#include <ingest/pcap_src.h>
#include <report/pcapng.h>

#include "diag.h"
#include "output_file.h"

/* The comments of a packet come after all packets were read, so the capture must be one that can be
 * read twice. */
static bool annotate_source(const opts *o) {
  struct stat st;
  if (o->num_operands != 1) {
    diag("--annotate takes one capture at a time");
    return false;
  }
  if (strcmp(o->operands[0], "-") == 0 ||
      (stat(o->operands[0], &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))) {
    diag("--annotate reads the capture twice, which a pipe does not allow");
    return false;
  }
  return true;
}

annotate_result annotate_open(annotate *a, const opts *o) {
  *a = (annotate){.o = o, .fd = -1};
  if (o->annotate == NULL) {
    return ANNOTATE_OK;
  }
  if (!annotate_source(o)) {
    return ANNOTATE_UNUSABLE;
  }
  a->fd = output_file_open(o->annotate, o);
  if (a->fd < 0) {
    return ANNOTATE_UNUSABLE;
  }
  a->comments = report_comments_new();
  return a->comments != NULL ? ANNOTATE_OK : ANNOTATE_NO_MEMORY;
}

report_output annotate_output(const annotate *a, const report_check *standard) {
  report_output output = {.format = &report_format_comments, .check = *standard};
  output.check.ctx = a->comments;
  output.check.input = NULL;
  output.check.same = UINT64_MAX;
  output.check.max_findings = UINT64_MAX;
  return output;
}

/* The comments of a frame as options; what is beyond the limit is counted. */
static void annotate_options(annotate *a, uint64_t frame, out_buf *options, out_buf *text) {
  uint64_t num = 0;
  out_clear(options);
  while (report_comments_next(a->comments, frame, text)) {
    if (num++ < REPORT_COMMENTS_OF_FRAME) {
      report_pcapng_comment(options, text->buf, text->len);
    }
  }
  if (num > REPORT_COMMENTS_OF_FRAME) {
    out_clear(text);
    out_u64(text, num - REPORT_COMMENTS_OF_FRAME);
    out_str(text, " more findings about this packet");
    report_pcapng_comment(options, text->buf, text->len);
  }
}

/* What cannot be read has been said when it was read for the first time. */
static void annotate_packets(annotate *a, pcap_src *src, out_buf *out) {
  ingest_packet packet;
  out_buf options;
  out_buf text;
  bool begun = false;
  out_open_memory(&options);
  out_open_memory(&text);
  for (uint64_t n = 0; n < a->o->max_packets && pcap_src_next(src, &packet) == PCAP_SRC_PACKET;
       n++) {
    if (!begun) {
      report_pcapng_begin(out, packet.link_type);
      begun = true;
    }
    annotate_options(a, packet.number, &options, &text);
    const report_pcapng_packet copy = {.octets = packet.data,
                                       .captured = (uint32_t)packet.caplen,
                                       .length = (uint32_t)packet.len,
                                       .time_ns = packet.time_ns};
    report_pcapng_packet_put(out, &copy, &options);
  }
  if (!begun) { /* a capture without packets is one still */
    report_pcapng_begin(out, 1);
  }
  out_close(&options);
  out_close(&text);
}

static bool annotate_ok(const annotate *a, const out_buf *out) {
  if (out->error != 0) {
    diag("%s: %s", a->o->annotate, strerror(out->error));
  } else if (report_comments_failed(a->comments)) {
    diag("%s: there was no room for the comments in a temporary file", a->o->annotate);
  }
  return out->error == 0 && !report_comments_failed(a->comments);
}

bool annotate_write(annotate *a) {
  char error[PCAP_SRC_ERROR_LEN] = "";
  out_buf out;
  if (a->comments == NULL) {
    return true;
  }
  pcap_src *src = pcap_src_open(a->o->operands[0], a->o->filter, error);
  if (src == NULL) {
    return true; /* it could not be read the first time either */
  }
  if (!out_open_fd(&out, a->fd)) {
    pcap_src_close(src);
    diag("%s: out of memory", a->o->annotate);
    return false;
  }
  report_comments_sort(a->comments);
  annotate_packets(a, src, &out);
  out_flush(&out);
  const bool ok = annotate_ok(a, &out);
  out_close(&out);
  pcap_src_close(src);
  return ok;
}

bool annotate_close(annotate *a) {
  const bool ok = a->fd < 0 || output_file_close(a->fd, a->o->annotate, 0);
  report_comments_free(a->comments);
  return ok;
}
