/* SPDX-License-Identifier: BSD-2-Clause */
/* Captures opened: files and pipes for the reader in capture.c, what it does not know through
 * libpcap. With file_src.c, these are the only files of ingest that touch the system. */
#define _DEFAULT_SOURCE /* u_char and the like of pcap.h, clock_gettime */

#include <ingest/pcap_src.h>

#include <errno.h>
#include <ingest/capture.h>
#include <ingest/pcap_time.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <memory/memory.h>

#include "file_src.h"
#include "packet.h"

enum { SCANNER_SIZE = 64 * 1024 }; /* more than libpcap's scanner takes for a filter */
enum { PLAIN_SIZE = 256 * 1024 };  /* octets of a read: they stay in the cache of a processor */

/* A plain file or pipe, or what is unpacked of one, in large pieces: what was read and not taken
 * lies from begin to end. */
typedef struct plain_file {
  capture_reader reader;
  const uint8_t *octets; /* `buffer`, or octets that were given */
  size_t begin;
  size_t end;
  uint8_t *buffer;
  size_t size;
  bool fed;   /* octets are given */
  bool last;  /* no more octets will be given */
  bool wrong; /* an error ended the octets */
} plain_file;

/* The program of the filter for packets of a link type. */
typedef struct plain_filter {
  struct bpf_program program;
  int link_type;
} plain_filter;

/* What an interface needs beside libpcap. */
typedef struct live_end {
  bool live;
  bool nano;          /* times have nanoseconds */
  uint64_t at_ns;     /* end of the capture, by the monotonic clock */
  uint64_t until_ns;  /* time of the last packet to return; else 0 */
  unsigned int since; /* packets since the last look at the clock */
} live_end;

struct pcap_src {
  file_src in;
  live_end live;
  pcap_t *pcap; /* NULL if capture.c reads the file */
  plain_file plain;
  const char *filter; /* filter of a plain file, or NULL */
  size_t num_filters; /* filters, for each link type that was met so far */
  plain_filter filters[INGEST_LINKS_MAX];
  int link_type;
  uint64_t number;
  uint64_t work; /* blocks that PDUs count as */
  char error[PCAP_SRC_ERROR_LEN];
};

static ingest_tunnels *src_tunnels;

void pcap_src_tunnels(ingest_tunnels *tunnels) {
  src_tunnels = tunnels;
}

static void explain_open(char error[PCAP_SRC_ERROR_LEN], const file_src *in, const char *reason) {
  const bool cut = in->cut || strncmp(reason, "truncated", strlen("truncated")) == 0;
  if (!in->failed && in->foreign != NULL) {
    file_src_foreign(error, in);
    return;
  }
  if (!in->failed && strcmp(reason, "unknown file format") == 0) {
    file_src_error(error, "not a capture: neither pcap nor pcapng");
    return;
  }
  file_src_error(error, "not a capture%s (%s)",
                 cut ? ", or one cut short in its header" : " that can be read",
                 in->failed ? in->error : reason);
}

/* libpcap crashes or ends the process if the scanner of its filters lacks memory. Memory that was
 * there right before the call is there in it. */
static bool scanner_fits(void) {
  void *room = memory_get(SCANNER_SIZE);
  free(room);
  return room != NULL;
}

/* Makes the program of a filter; the link type of `pcap` decides what it is. */
static bool compile(pcap_t *pcap, const char *filter, struct bpf_program *program,
                    char error[PCAP_SRC_ERROR_LEN]) {
  if (!scanner_fits()) {
    file_src_error(error, "%s", strerror(ENOMEM));
    return false;
  }
  errno = 0;
  if (pcap_compile(pcap, program, filter, 1, PCAP_NETMASK_UNKNOWN) != 0) {
    memory_failed_errno(errno);
    file_src_error(error, "bad filter: %s", pcap_geterr(pcap));
    return false;
  }
  return true;
}

static bool set_filter(pcap_t *pcap, const char *filter, char error[PCAP_SRC_ERROR_LEN]) {
  struct bpf_program program;
  if (!compile(pcap, filter, &program, error)) {
    return false;
  }
  errno = 0;
  bool ok = pcap_setfilter(pcap, &program) == 0;
  if (!ok) {
    memory_failed_errno(errno);
    file_src_error(error, "bad filter: %s", pcap_geterr(pcap));
  }
  pcap_freecode(&program);
  return ok;
}

/* Makes the program of a filter for packets of a link type that no libpcap reads. */
static bool compile_for(int link_type, uint32_t snaplen, const char *filter,
                        struct bpf_program *program, char error[PCAP_SRC_ERROR_LEN]) {
  pcap_t *dead = pcap_open_dead(link_type, (int)snaplen);
  if (dead == NULL) {
    memory_failed();
    file_src_error(error, "%s", strerror(ENOMEM));
    return false;
  }
  const bool ok = compile(dead, filter, program, error);
  pcap_close(dead);
  return ok;
}

const char *pcap_src_link_name(int link_type) {
  const char *name = pcap_datalink_val_to_name(link_type);
  return name != NULL ? name : "unknown";
}

static void refuse_link(int link_type, char error[PCAP_SRC_ERROR_LEN]) {
  file_src_error(error, "link type %d (%s) is not supported", link_type,
                 pcap_src_link_name(link_type));
}

static bool check_link(pcap_src *src, char error[PCAP_SRC_ERROR_LEN]) {
  src->link_type = pcap_datalink(src->pcap);
  if (!ingest_link_known(src->link_type)) {
    refuse_link(src->link_type, error);
    return false;
  }
  return true;
}

static bool open_pcap(pcap_src *src, const char *filter, char error[PCAP_SRC_ERROR_LEN]) {
  char reason[PCAP_ERRBUF_SIZE] = "";
  FILE *stream = file_src_stream(&src->in);
  if (stream == NULL) {
    file_src_error(error, "%s", strerror(ENOMEM));
    return false;
  }
  errno = 0;
  src->pcap = pcap_fopen_offline_with_tstamp_precision(stream, PCAP_TSTAMP_PRECISION_NANO, reason);
  if (src->pcap == NULL) {
    memory_failed_errno(errno);
    explain_open(error, &src->in, reason);
    (void)fclose(stream);
    return false;
  }
  return check_link(src, error) && (filter == NULL || set_filter(src->pcap, filter, error));
}

/* --- Plain files --- */

static void *plain_get(void *ctx, size_t size) {
  (void)ctx;
  return memory_get(size);
}

static void plain_put(void *ctx, void *ptr, size_t size) {
  (void)ctx;
  (void)size;
  free(ptr);
}

/* Makes room for what is wanted, after what was not taken yet. */
static bool plain_room(plain_file *f) {
  const size_t size = f->reader.want > PLAIN_SIZE ? f->reader.want : PLAIN_SIZE;
  const size_t left = f->end - f->begin;
  if (left > 0) {
    memmove(f->buffer, f->buffer + f->begin, left);
  }
  f->begin = 0;
  f->end = left;
  if (size > f->size) {
    uint8_t *more = memory_resize(f->buffer, size);
    f->buffer = more != NULL ? more : f->buffer;
    f->size = more != NULL ? size : f->size;
  }
  f->octets = f->buffer;
  return size <= f->size;
}

/* Reads on; returns the number of octets, 0 at the end of the file, or -1. A file may get shorter
 * or longer meanwhile: what counts is what is read. */
static ssize_t plain_read(plain_file *f, file_src *in) {
  if (!plain_room(f)) {
    file_src_error(in->error, "%s", strerror(ENOMEM));
    return -1;
  }
  const ssize_t got = file_src_read(in, f->buffer + f->end, f->size - f->end);
  f->end += got > 0 ? (size_t)got : 0;
  return got;
}

/* Returns true if it is a file of the formats that are read here. No more is read than is needed to
 * know: the writer of a pipe may be slow. */
static bool plain_begin(plain_file *f, file_src *in) {
  const ingest_alloc alloc = {.get = plain_get, .put = plain_put};
  bool more = true;
  while (f->begin == 0 && more) {
    more = plain_read(f, in) > 0;
    capture_end(&f->reader);
    f->begin = more ? capture_begin(&f->reader, &alloc, f->octets, f->end) : 0;
    more = more && f->reader.want > f->end && f->reader.want <= PLAIN_SIZE;
  }
  return f->begin != 0;
}

static void plain_end(plain_file *f) {
  capture_end(&f->reader);
  free(f->buffer);
}

/* The program for packets of a link type, which is made for the first one; NULL: it cannot be. */
static const plain_filter *plain_filter_for(pcap_src *src, int link_type,
                                            char error[PCAP_SRC_ERROR_LEN]) {
  size_t i = 0;
  while (i < src->num_filters && src->filters[i].link_type != link_type) {
    i++;
  }
  plain_filter *f = &src->filters[i];
  if (i == src->num_filters) {
    if (!compile_for(link_type, CAPTURE_PACKET_MAX, src->filter, &f->program, error)) {
      return NULL;
    }
    f->link_type = link_type;
    src->num_filters++;
  }
  return f;
}

/* Gives back what was read of a file that libpcap has to read; false when that cannot be. */
static bool plain_leave(plain_file *f, file_src *in) {
  bool ok = true;
  capture_end(&f->reader);
  if (in->regular) {
    free(f->buffer);
    ok = file_src_again(in);
  } else {
    file_src_unread(in, f->buffer, f->end);
  }
  *f = (plain_file){.begin = 0};
  return ok;
}

/* Opens a plain file or pipe, unpacked or not; otherwise libpcap has to, from its first octet on.
 */
static bool open_file(pcap_src *src, const char *filter, char error[PCAP_SRC_ERROR_LEN]) {
  if (plain_begin(&src->plain, &src->in)) {
    src->link_type = src->plain.reader.link_type;
    src->plain.reader.tunnels = src_tunnels;
    src->filter = filter;
    return filter == NULL || !ingest_link_known(src->link_type) ||
           plain_filter_for(src, src->link_type, error) != NULL;
  }
  src->in.foreign = ing_foreign_find(src->plain.octets, src->plain.end);
  if (!plain_leave(&src->plain, &src->in)) {
    file_src_error(error, "%s", src->in.error);
    return false;
  }
  return open_pcap(src, filter, error);
}

pcap_src *pcap_src_open(const char *path, const char *filter, char error[PCAP_SRC_ERROR_LEN]) {
  pcap_src *src = memory_zeroed(1, sizeof *src);
  if (src == NULL) {
    file_src_error(error, "%s", strerror(ENOMEM));
    return NULL;
  }
  bool ok = file_src_open(&src->in, path);
  if (ok) {
    ok = open_file(src, filter, error);
  } else {
    file_src_error(error, "%s", src->in.error);
  }
  if (!ok) {
    pcap_src_close(src);
    return NULL;
  }
  return src;
}

/* The first octets of captures, in the byte order of this machine, and with the octets swapped. */
static bool begins_as_capture(const uint8_t *octets) {
  static const uint32_t magics[] = {0x0a0d0d0a, 0xa1b2c3d4, 0xa1b23c4d,
                                    0xa1b2cd34, 0xa1b234cd, 0xa12b3c4d};
  uint32_t v;
  memcpy(&v, octets, sizeof v);
  const uint32_t swapped = v >> 24 | (v >> 8 & 0xff00u) | (v << 8 & 0xff0000u) | v << 24;
  size_t i = 0;
  while (i < sizeof magics / sizeof magics[0] && magics[i] != v && magics[i] != swapped) {
    i++;
  }
  return i < sizeof magics / sizeof magics[0];
}

bool pcap_src_begins(const char *path) {
  file_src in;
  uint8_t octets[4];
  size_t have = 0;
  ssize_t got = 1;
  if (!file_src_open(&in, path)) {
    const bool empty = in.octets != NULL && in.ended && in.end == 0;
    file_src_close(&in);
    return !empty;
  }
  while (have < sizeof octets && got > 0) {
    got = file_src_read(&in, octets + have, sizeof octets - have);
    have += got > 0 ? (size_t)got : 0;
  }
  const bool refused = got < 0 && !in.failed; /* see `failed`: what is compressed is damaged */
  file_src_close(&in);
  return refused || (have == sizeof octets && begins_as_capture(octets));
}

/* --- Interfaces --- */

enum {
  LIVE_SNAPLEN = 262144,
  LIVE_BUFFER = 16 * 1024 * 1024, /* octets that the kernel keeps for a slow reader */
  LIVE_TICK_MS = 500,             /* between two IDLEs */
  LIVE_LOOK = 64                  /* packets between two looks at the clock */
};

#define LIVE_NS UINT64_C(1000000000)

static uint64_t live_clock(clockid_t clock) {
  struct timespec now = {0};
  (void)clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * LIVE_NS + (uint64_t)now.tv_nsec;
}

static bool live_activate(pcap_src *src, char error[PCAP_SRC_ERROR_LEN]) {
  const int set = pcap_set_snaplen(src->pcap, LIVE_SNAPLEN) | pcap_set_promisc(src->pcap, 1) |
                  pcap_set_immediate_mode(src->pcap, 1) |
                  pcap_set_buffer_size(src->pcap, LIVE_BUFFER);
  src->live.nano = pcap_set_tstamp_precision(src->pcap, PCAP_TSTAMP_PRECISION_NANO) == 0;
  const int got = set < 0 ? set : pcap_activate(src->pcap);
  if (got < 0) {
    const char *more = pcap_geterr(src->pcap);
    file_src_error(error, "%s%s%s", pcap_statustostr(got), more[0] != '\0' ? ": " : "", more);
  }
  return got >= 0;
}

static bool live_open(pcap_src *src, const char *interface, const char *filter,
                      char error[PCAP_SRC_ERROR_LEN]) {
  char reason[PCAP_ERRBUF_SIZE] = "";
  src->live.live = true;
  src->in.regular = false;
  src->pcap = pcap_create(interface, reason);
  if (src->pcap == NULL) {
    file_src_error(error, "%s", reason);
    return false;
  }
  if (!live_activate(src, error) || !check_link(src, error) ||
      (filter != NULL && !set_filter(src->pcap, filter, error))) {
    return false;
  }
  const bool ok =
      pcap_setnonblock(src->pcap, 1, reason) == 0 && pcap_get_selectable_fd(src->pcap) >= 0;
  if (!ok) {
    file_src_error(error, "cannot be waited for (%s)", reason);
  }
  return ok;
}

pcap_src *pcap_src_open_live(const char *interface, const char *filter, uint64_t duration_ns,
                             char error[PCAP_SRC_ERROR_LEN]) {
  pcap_src *src = memory_zeroed(1, sizeof *src);
  if (src == NULL) {
    file_src_error(error, "%s", strerror(ENOMEM));
    return NULL;
  }
  if (!live_open(src, interface, filter, error)) {
    pcap_src_close(src);
    return NULL;
  }
  const uint64_t now = live_clock(CLOCK_MONOTONIC);
  src->live.at_ns = duration_ns < PCAP_SRC_FOREVER - now ? now + duration_ns : PCAP_SRC_FOREVER;
  return src;
}

uint64_t pcap_src_lost(pcap_src *src) {
  struct pcap_stat stats = {0};
  return pcap_stats(src->pcap, &stats) == 0 ? (uint64_t)stats.ps_drop + stats.ps_ifdrop : 0;
}

/* Decides whether it ends now: packets that came before are still in the kernel's buffer. */
static void live_look(pcap_src *src) {
  live_end *l = &src->live;
  l->since = 0;
  if (l->until_ns == 0 && (pcap_src_stopped() || live_clock(CLOCK_MONOTONIC) >= l->at_ns)) {
    l->until_ns = live_clock(CLOCK_REALTIME);
  }
}

static int live_wait_ms(const live_end *l) {
  const uint64_t now = live_clock(CLOCK_MONOTONIC);
  const uint64_t left = l->at_ns > now ? (l->at_ns - now) / 1000000 + 1 : 0;
  return left < LIVE_TICK_MS ? (int)left : LIVE_TICK_MS;
}

static bool live_take(pcap_src *src, const struct pcap_pkthdr *header, const u_char *data,
                      ingest_packet *out) {
  const uint64_t unit = src->live.nano ? 1 : 1000;
  *out = (ingest_packet){.data = data,
                         .caplen = header->caplen,
                         .len = header->len,
                         .link_type = src->link_type,
                         .number = src->number + 1,
                         .time_ns = (uint64_t)header->ts.tv_sec * LIVE_NS +
                                    (uint64_t)header->ts.tv_usec * unit};
  if (src->live.until_ns != 0 && out->time_ns > src->live.until_ns) {
    return false;
  }
  src->number++;
  return true;
}

/* Waits until a packet can be read. */
static void live_wait(pcap_src *src) {
  file_src_wait(pcap_get_selectable_fd(src->pcap), live_wait_ms(&src->live));
  live_look(src);
}

pcap_src_result pcap_src_next_now(pcap_src *src, ingest_packet *out) {
  struct pcap_pkthdr *header;
  const u_char *data;
  errno = 0;
  const int got = pcap_next_ex(src->pcap, &header, &data);
  if (got == 1) {
    return live_take(src, header, data, out) ? PCAP_SRC_PACKET : PCAP_SRC_END;
  }
  if (got == 0) {
    return src->live.until_ns != 0 ? PCAP_SRC_END : PCAP_SRC_IDLE;
  }
  memory_failed_errno(errno);
  file_src_error(src->error, "cannot be read after packet %llu (%s)",
                 (unsigned long long)src->number, pcap_geterr(src->pcap));
  return PCAP_SRC_ERROR;
}

static pcap_src_result live_next(pcap_src *src, ingest_packet *out) {
  if (++src->live.since >= LIVE_LOOK) {
    live_look(src);
  }
  const pcap_src_result result = pcap_src_next_now(src, out);
  if (result == PCAP_SRC_IDLE) {
    live_wait(src);
  }
  return result;
}

bool pcap_src_feed_begin(pcap_src *src, uint64_t *at) {
  plain_file *f = &src->plain;
  if (src->pcap != NULL || src->in.unpack != NULL || !src->in.regular) {
    return false;
  }
  *at = src->in.taken - (f->end - f->begin);
  f->begin = f->end = 0; /* the octets that were read to open the file are read again */
  f->fed = true;
  return true;
}

size_t pcap_src_read_at(const pcap_src *src, uint64_t at, uint8_t *out, size_t len, int *error) {
  return file_src_read_at(&src->in, at, out, len, error);
}

size_t pcap_src_left(const pcap_src *src, const uint8_t **octets) {
  *octets = src->plain.octets + src->plain.begin;
  return src->plain.end - src->plain.begin;
}

void pcap_src_feed(pcap_src *src, const pcap_src_piece *piece) {
  plain_file *f = &src->plain;
  f->octets = piece->octets;
  f->begin = 0;
  f->end = piece->len;
  f->last = piece->last;
  f->wrong = piece->error != 0;
  src->in.taken = piece->end;
  if (f->wrong) {
    file_src_error(src->in.error, "%s", strerror(piece->error));
  }
}

bool pcap_src_filter_check(const char *filter, char error[PCAP_SRC_ERROR_LEN]) {
  struct bpf_program program;
  const bool ok = compile_for(DLT_EN10MB, 65535, filter, &program, error);
  if (ok) {
    pcap_freecode(&program);
  }
  return ok;
}

/* Explains that the octets of the file end by an error, or too early. */
static void explain_source(pcap_src *src) {
  file_src_error(src->error, "%s after packet %llu (%s)",
                 src->in.cut ? "cut short" : "cannot be read", (unsigned long long)src->number,
                 src->in.error);
}

static pcap_src_result stopped(pcap_src *src) {
  file_src_error(src->error, "not read further than packet %llu: interrupted",
                 (unsigned long long)src->number);
  return PCAP_SRC_STOPPED;
}

/* What cannot be read of a plain file: all of a packet, octets at all, or a sense in them. */
static pcap_src_result plain_stop(pcap_src *src, capture_result result, ssize_t got) {
  const plain_file *f = &src->plain;
  const unsigned long long number = src->number;
  if (result == CAPTURE_DAMAGED) {
    file_src_error(src->error, "cannot be read after packet %llu (%s: %lu)", number,
                   f->reader.reason, (unsigned long)f->reader.value);
  } else if (got < 0 && src->in.stopped) {
    return stopped(src);
  } else if (got < 0) {
    explain_source(src);
  } else if (f->begin == f->end && f->reader.unknown >= 0 && !f->reader.any) {
    refuse_link(f->reader.unknown, src->error);
  } else if (f->begin == f->end) {
    return PCAP_SRC_END;
  } else {
    file_src_error(src->error, "cut short after packet %llu (%zu of the next %zu octets are there)",
                   number, f->end - f->begin, f->reader.want);
  }
  return PCAP_SRC_ERROR;
}

/* --- The limit of a compressed file --- */

void pcap_src_set_max(pcap_src *src, const pcap_src_max *max) {
  src->in.max = *max;
}

void pcap_src_set_work(pcap_src *src, uint64_t pdus) {
  src->work = PCAP_SRC_PDU * pdus;
}

/* Returns true if more blocks and PDUs came of a compressed file than may. */
static bool limit_blocks(const pcap_src *src, uint64_t blocks) {
  const file_src *in = &src->in;
  return in->unpack != NULL &&
         blocks + in->parts + src->work > file_src_allowed(in) / PCAP_SRC_BLOCK;
}

/* Which limit it was. */
static pcap_src_result limit_stop(pcap_src *src) {
  const file_src *in = &src->in;
  const bool octets = in->limited;
  const unsigned long long most = file_src_allowed(in) / (octets ? 1u : PCAP_SRC_BLOCK);
  file_src_error(
      src->error,
      "not read further than packet %llu: %llu octets that are compressed hold more than "
      "%llu %s (--max-unpacked)",
      (unsigned long long)src->number, (unsigned long long)in->taken, most,
      octets ? "octets" : "records, blocks and PDUs");
  return PCAP_SRC_LIMIT;
}

/* No further octets can be read if octets are given. */
static ssize_t plain_more(pcap_src *src) {
  plain_file *f = &src->plain;
  return !f->fed ? plain_read(f, &src->in) : f->wrong ? -1 : 0;
}

/* Reads the next packet of the octets that are there. */
static inline capture_result plain_step(plain_file *f, ingest_packet *out) {
  size_t used;
  const capture_result result =
      capture_next(&f->reader, f->octets + f->begin, f->end - f->begin, out, &used);
  f->begin += used;
  return result;
}

typedef enum plain_pass { PLAIN_PASSES, PLAIN_FILTERED, PLAIN_NO_FILTER } plain_pass;

/* A packet of a link type that is not known passes any filter: it is counted and not looked into.
 */
static plain_pass plain_passes(pcap_src *src, const ingest_packet *packet) {
  const struct pcap_pkthdr header = {.caplen = (bpf_u_int32)packet->caplen,
                                     .len = (bpf_u_int32)packet->len};
  char reason[PCAP_SRC_ERROR_LEN];
  if (src->filter == NULL || !ingest_link_known(packet->link_type)) {
    return PLAIN_PASSES;
  }
  const plain_filter *f = plain_filter_for(src, packet->link_type, reason);
  if (f == NULL) {
    file_src_error(src->error, "cannot be read after packet %llu (link type %d: %s)",
                   (unsigned long long)src->number, packet->link_type, reason);
    return PLAIN_NO_FILTER;
  }
  return pcap_offline_filter(&f->program, &header, packet->data) != 0 ? PLAIN_PASSES
                                                                      : PLAIN_FILTERED;
}

/* Goes on after a step: the packet may not pass the filter, or not be there. */
ING_NOINLINE static pcap_src_result plain_go_on(pcap_src *src, capture_result result,
                                                ingest_packet *out) {
  for (;;) {
    const plain_pass pass = result == CAPTURE_PACKET ? plain_passes(src, out) : PLAIN_FILTERED;
    if (pass == PLAIN_NO_FILTER) {
      return PCAP_SRC_ERROR;
    }
    if (pass == PLAIN_PASSES) {
      out->number = ++src->number;
      return PCAP_SRC_PACKET;
    }
    const bool more = result == CAPTURE_MORE;
    if (more && src->plain.fed && !src->plain.last) {
      return pcap_src_stopped() ? stopped(src) : PCAP_SRC_FEED;
    }
    if (more && limit_blocks(src, src->plain.reader.blocks)) {
      return limit_stop(src);
    }
    const ssize_t got = more ? plain_more(src) : 0;
    if (more && got == 0 && src->in.limited) {
      return limit_stop(src);
    }
    if (result != CAPTURE_PACKET && got <= 0) {
      out->number = src->number;
      return plain_stop(src, result, got);
    }
    result = plain_step(&src->plain, out);
  }
}

static inline pcap_src_result plain_next(pcap_src *src, ingest_packet *out) {
  const capture_result result = plain_step(&src->plain, out);
  if (result != CAPTURE_PACKET || src->filter != NULL) {
    return plain_go_on(src, result, out);
  }
  out->number = ++src->number;
  return PCAP_SRC_PACKET;
}

/* --- Reading --- */

static void explain_read(pcap_src *src) {
  const char *reason = pcap_geterr(src->pcap);
  const bool cut = strncmp(reason, "truncated", strlen("truncated")) == 0;
  if (src->in.failed) {
    explain_source(src);
    return;
  }
  file_src_error(src->error, "%s after packet %llu (%s)", cut ? "cut short" : "cannot be read",
                 (unsigned long long)src->number, reason);
}

ING_NOINLINE static pcap_src_result pcap_next_passing(pcap_src *src, ingest_packet *out) {
  struct pcap_pkthdr *header;
  const u_char *data;
  if (limit_blocks(src, src->number)) {
    return limit_stop(src);
  }
  errno = 0;
  int got = pcap_next_ex(src->pcap, &header, &data);
  if (got != 1 && src->in.stopped) {
    return stopped(src);
  }
  if (got != 1 && src->in.limited) {
    return limit_stop(src);
  }
  if (got == PCAP_ERROR_BREAK) {
    return PCAP_SRC_END;
  }
  if (got != 1) {
    memory_failed_errno(errno);
    explain_read(src);
    return PCAP_SRC_ERROR;
  }
  src->number++;
  const bool nano = header->ts.tv_usec % 1000 != 0; /* asked where it matters: a fraction below 0 */
  *out = (ingest_packet){.data = data,
                         .caplen = header->caplen,
                         .len = header->len,
                         .link_type = src->link_type,
                         .tunnels = src_tunnels,
                         .number = src->number,
                         .time_ns = pcap_time_ns(header->ts.tv_sec, header->ts.tv_usec, nano)};
  return PCAP_SRC_PACKET;
}

pcap_src_result pcap_src_next(pcap_src *src, ingest_packet *out) {
  if (src->live.live) {
    return live_next(src, out);
  }
  return src->pcap != NULL ? pcap_next_passing(src, out) : plain_next(src, out);
}

const char *pcap_src_error(const pcap_src *src) {
  return src->error;
}

void pcap_src_progress(const pcap_src *src, uint64_t *done, uint64_t *total) {
  const size_t ahead = src->in.unpack == NULL ? src->plain.end - src->plain.begin : 0;
  *done = src->in.taken - ahead;
  *total = src->in.size;
}

void pcap_src_close(pcap_src *src) {
  if (src == NULL) {
    return;
  }
  if (src->pcap != NULL) {
    pcap_close(src->pcap); /* closes the stream too */
  }
  for (size_t i = 0; i < src->num_filters; i++) {
    pcap_freecode(&src->filters[i].program);
  }
  plain_end(&src->plain);
  file_src_close(&src->in);
  free(src);
}
