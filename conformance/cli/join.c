/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the order of captures that are one cut into files. */
#include "join.h"

#include <stdlib.h>

#include <ingest/pcap_src.h>
#include <memory/memory.h>

#include "capture_twice.h"
#include "diag.h"

/* A capture, and when it begins. */
typedef struct join_part {
  const char *path;
  uint64_t time_ns; /* UINT64_MAX: that is not known */
  size_t given;
} join_part;

static int join_order(const void *a, const void *b) {
  const join_part *x = a;
  const join_part *y = b;
  if (x->time_ns != y->time_ns) {
    return x->time_ns < y->time_ns ? -1 : 1;
  }
  return (x->given > y->given) - (x->given < y->given);
}

/* What cannot be read is reported when it is read again. */
static uint64_t join_begin(const opts *o, const char *path) {
  char error[PCAP_SRC_ERROR_LEN];
  ingest_packet packet;
  pcap_src *src = pcap_src_open(path, NULL, error);
  if (src != NULL) {
    pcap_src_set_max(src, &o->max_unpacked);
  }
  const bool any = src != NULL && pcap_src_next(src, &packet) == PCAP_SRC_PACKET;
  const uint64_t time_ns = any ? packet.time_ns : UINT64_MAX;
  pcap_src_close(src);
  return time_ns;
}

static bool join_twice(const char *path) {
  const bool twice = capture_twice(path);
  if (!twice) {
    diag("%s: --join reads the beginning of each capture twice, which a pipe does not allow", path);
  }
  return twice;
}

bool join_sort(const opts *o) {
  if (!o->join) {
    return true;
  }
  join_part *parts = memory_zeroed(o->num_operands, sizeof *parts);
  bool ok = parts != NULL;
  for (size_t i = 0; ok && i < o->num_operands; i++) {
    ok = join_twice(o->operands[i]);
    parts[i] = (join_part){.path = o->operands[i],
                           .time_ns = ok ? join_begin(o, o->operands[i]) : UINT64_MAX,
                           .given = i};
  }
  if (ok) {
    qsort(parts, o->num_operands, sizeof *parts, join_order);
    for (size_t i = 0; i < o->num_operands; i++) {
      o->operands[i] = parts[i].path;
    }
  }
  free(parts);
  return ok;
}

bool join_overlaps(const opts *o) {
  char error[PCAP_SRC_ERROR_LEN];
  ingest_packet packet;
  uint64_t latest = 0;
  bool overlaps = false;
  for (size_t i = 0; i < o->num_operands && !overlaps; i++) {
    pcap_src *src = pcap_src_open(o->operands[i], NULL, error);
    bool first = true;
    if (src != NULL) {
      pcap_src_set_max(src, &o->max_unpacked);
    }
    while (src != NULL && !overlaps && pcap_src_next(src, &packet) == PCAP_SRC_PACKET) {
      overlaps = first && i > 0 && packet.time_ns < latest;
      latest = packet.time_ns > latest ? packet.time_ns : latest;
      first = false;
    }
    pcap_src_close(src);
  }
  return overlaps;
}
