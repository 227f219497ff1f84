/* SPDX-License-Identifier: BSD-2-Clause */
/* What opening a capture leaves after: a FIFO that can be waited for, the reason of a
 * failure, how far it has been read. */
#define _DEFAULT_SOURCE /* mkdtemp, mkfifo, truncate */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <ingest/pcap_src.h>
#include <unpack/unpack.h>

#include "check_run.h"

/* A capture of one packet of four octets, as a little-endian machine writes it. */
static const uint8_t capture[] = {
    0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 1, 0, 0, 0, /* header */
    1,    0,    0,    0,    2, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 9, 8, 7, 6,
};

static char folder[256];
static char path[300];
static char error[PCAP_SRC_ERROR_LEN];

static void make_folder(void) {
  const char *tmp = getenv("TMPDIR");
  snprintf(folder, sizeof(folder), "%s/ingest-XXXXXX", tmp != NULL ? tmp : P_tmpdir);
  expect(mkdtemp(folder) != NULL, "%s", folder);
  snprintf(path, sizeof(path), "%s/capture", folder);
}

static void remove_folder(void) {
  (void)unlink(path);
  (void)rmdir(folder);
}

static void save(const void *octets, size_t len) {
  FILE *file = fopen(path, "wb");
  expect(file != NULL, "%s", path);
  expect(fwrite(octets, 1, len, file) == len, "not written");
  expect(fclose(file) == 0, "not written");
}

/* A FIFO of the path, opened to be written to. */
static int make_fifo(void) {
  expect(mkfifo(path, 0600) == 0, "no FIFO");
  return open(path, O_RDWR);
}

/* The lowest number that a file opened now would get. */
static int next_number(void) {
  const int next = open(path, O_RDONLY);
  (void)close(next);
  return next;
}

START_TEST(a_fifo_can_be_waited_for)
{
  make_folder();
  const int writer = make_fifo();
  expect(write(writer, capture, sizeof(capture)) == (ssize_t)sizeof(capture), "not written");
  const int next = dup(writer); /* the number that the source gets */
  (void)close(next);
  pcap_src *src = pcap_src_open(path, NULL, error);
  expect(src != NULL, "%s", error);
  const int flags = fcntl(next, F_GETFL);
  expect(flags >= 0 && (flags & O_NONBLOCK) == 0, "a read would not wait: flags 0x%x", flags);
  ingest_packet pkt;
  expect(pcap_src_next(src, &pkt) == PCAP_SRC_PACKET && pkt.data[3] == 6, "no packet");
  uint64_t done = 7;
  uint64_t total = 7;
  pcap_src_progress(src, &done, &total);
  expect(done == sizeof capture && total == 0, "a FIFO has no size");
  pcap_src_close(src);
  (void)close(writer);
  remove_folder();
}
END_TEST

START_TEST(a_file_says_how_far_it_was_read)
{
  make_folder();
  save(capture, sizeof(capture));
  pcap_src *src = pcap_src_open(path, NULL, error);
  expect(src != NULL, "%s", error);
  ingest_packet pkt;
  expect(pcap_src_next(src, &pkt) == PCAP_SRC_PACKET, "%s", pcap_src_error(src));
  expect(pkt.number == 1 && pkt.time_ns == 1000002000 && pkt.caplen == 4 && pkt.len == 4, "packet");
  uint64_t done = 0;
  uint64_t total = 0;
  pcap_src_progress(src, &done, &total);
  expect(done == sizeof(capture) && total == sizeof(capture), "all of it");
  pcap_src_close(src);
  remove_folder();
}
END_TEST

/* --- Files that are larger than what is read of them at once --- */

enum { LARGE = 1200000, LARGE_BLOCK = 600000 };

static uint8_t large[LARGE];
static size_t large_len;

static void large_add(uint32_t value) {
  for (unsigned i = 0; i < 4; i++) {
    large[large_len++] = (uint8_t)(value >> 8 * i);
  }
}

/* The octets of packet n, which each packet has others of, in number too. */
static size_t large_packet(uint32_t n) {
  const size_t len = 1 + n * 37 % 3000;
  memset(large + large_len, (int)(n & 0xff), len);
  return len;
}

static uint32_t make_large_pcap(void) {
  uint32_t n = 0;
  memcpy(large, capture, 24);
  large_len = 24;
  large[18] = 0x10; /* snapshot length */
  while (large_len < LARGE - 4000) {
    const size_t at = large_len;
    large_len += 16;
    const size_t len = large_packet(n++);
    large_len = at;
    large_add(n);
    large_add(0);
    large_add((uint32_t)len);
    large_add((uint32_t)len);
    large_len += len;
  }
  return n;
}

/* A section, an interface, and before each packet a block that no reader knows, as large as few. */
static uint32_t make_large_pcapng(void) {
  static const uint32_t head[] = {0x0a0d0d0a, 28, 0x1a2b3c4d, 1, 0xffffffff, 0xffffffff,
                                  28,         1,  20,         1, 0,          20};
  uint32_t n = 0;
  large_len = 0;
  for (size_t i = 0; i < sizeof head / sizeof head[0]; i++) {
    large_add(head[i]);
  }
  for (; n < 2; n++) {
    const uint32_t size = n == 0 ? 12 : LARGE_BLOCK;
    large_add(5);
    large_add(size);
    large_len += size - 12;
    large_add(size);
    const uint32_t padded = (1 + n * 37 + 3) & ~3u;
    const uint32_t block[] = {6, 32 + padded, 0, 0, (n + 1) * 1000000, 1 + n * 37, 1 + n * 37};
    for (size_t i = 0; i < sizeof block / sizeof block[0]; i++) {
      large_add(block[i]);
    }
    (void)large_packet(n);
    large_len += padded;
    large_add(32 + padded);
  }
  return n;
}

/* Reads packet n, counted from 0, and expects it to be what was made. */
static void expect_large(pcap_src *src, uint32_t n) {
  ingest_packet pkt;
  const size_t len = 1 + n * 37 % 3000;
  expect(pcap_src_next(src, &pkt) == PCAP_SRC_PACKET, "packet %u: %s", n, pcap_src_error(src));
  expect(pkt.number == n + 1 && pkt.caplen == len && pkt.len == len, "packet %u: length", n);
  expect(pkt.time_ns == (n + 1) * UINT64_C(1000000000), "packet %u: time", n);
  for (size_t i = 0; i < len; i++) {
    expect(pkt.data[i] == (n & 0xff), "packet %u: octet %zu", n, i);
  }
}

START_TEST(large_files)
{
  make_folder();
  for (int i = 0; i < 2; i++) {
    const uint32_t packets = i == 0 ? make_large_pcap() : make_large_pcapng();
    save(large, large_len);
    pcap_src *src = pcap_src_open(path, NULL, error);
    expect(src != NULL, "%s", error);
    for (uint32_t n = 0; n < packets; n++) {
      expect_large(src, n);
    }
    ingest_packet pkt;
    uint64_t done;
    uint64_t total;
    expect(pcap_src_next(src, &pkt) == PCAP_SRC_END, "%s", pcap_src_error(src));
    pcap_src_progress(src, &done, &total);
    expect(done == large_len && total == large_len, "all of it");
    pcap_src_close(src);
  }
  remove_folder();
}
END_TEST

/* --- Octets that are given --- */

enum { GIVEN_MAX = LARGE + 65536 };

/* What reads a file and gives it to a source: so many octets at a time, each after those left. */
typedef struct giver {
  pcap_src *src;
  uint64_t at;
  size_t step;
  uint8_t *octets; /* of the last piece, in memory of its own, so that a late use is seen */
} giver;

static void give(giver *g) {
  const uint8_t *left;
  int failed = -1;
  const size_t len = pcap_src_left(g->src, &left);
  uint8_t *octets = malloc(len + g->step);
  expect(octets != NULL && len < GIVEN_MAX, "no room for %zu octets", len);
  if (len > 0) {
    memcpy(octets, left, len);
  }
  const size_t got = pcap_src_read_at(g->src, g->at, octets + len, g->step, &failed);
  expect(failed == 0, "%s", strerror(failed));
  g->at += got;
  pcap_src_feed(
      g->src,
      &(pcap_src_piece){.octets = octets, .len = len + got, .end = g->at, .last = got < g->step});
  free(g->octets);
  g->octets = octets;
}

/* Reads packet n, counted from 0, of what is given. */
static void expect_given(giver *g, uint32_t n) {
  ingest_packet pkt;
  pcap_src_result result;
  const size_t len = 1 + n * 37 % 3000;
  while ((result = pcap_src_next(g->src, &pkt)) == PCAP_SRC_FEED) {
    give(g);
  }
  expect(result == PCAP_SRC_PACKET, "packet %u: %s", n, pcap_src_error(g->src));
  expect(pkt.number == n + 1 && pkt.caplen == len && pkt.len == len, "packet %u: length", n);
  for (size_t i = 0; i < len; i++) {
    expect(pkt.data[i] == (n & 0xff), "packet %u: octet %zu", n, i);
  }
}

/* Wherever pieces end: in a header, in a packet, between two, in a block longer than many. */
START_TEST(octets_given_in_pieces)
{
  static const size_t steps[] = {2003, 4096, 65536, LARGE};
  make_folder();
  for (size_t i = 0; i < 2 * sizeof steps / sizeof steps[0]; i++) {
    const uint32_t packets = i % 2 == 0 ? make_large_pcap() : make_large_pcapng();
    uint64_t done;
    uint64_t total;
    ingest_packet pkt;
    save(large, large_len);
    giver g = {.src = pcap_src_open(path, NULL, error), .step = steps[i / 2]};
    expect(g.src != NULL && pcap_src_feed_begin(g.src, &g.at), "%s", error);
    for (uint32_t n = 0; n < packets; n++) {
      expect_given(&g, n);
    }
    while (pcap_src_next(g.src, &pkt) == PCAP_SRC_FEED) {
      give(&g);
    }
    expect(pcap_src_next(g.src, &pkt) == PCAP_SRC_END, "%s", pcap_src_error(g.src));
    pcap_src_progress(g.src, &done, &total);
    expect(done == large_len && total == large_len, "all of it");
    pcap_src_close(g.src);
    free(g.octets);
  }
  remove_folder();
}
END_TEST

/* Where they end too early, and where no more can be read. */
START_TEST(octets_given_that_end_by_an_error)
{
  uint64_t at;
  ingest_packet pkt;
  int failed = 0;
  make_folder();
  save(capture, sizeof(capture));
  for (int i = 0; i < 2; i++) {
    pcap_src *src = pcap_src_open(path, NULL, error);
    expect(src != NULL && pcap_src_feed_begin(src, &at) && at == 24, "%s", error);
    expect(pcap_src_next(src, &pkt) == PCAP_SRC_FEED, "no octets, and a result");
    uint8_t octets[20];
    expect(pcap_src_read_at(src, at, octets, 19, &failed) == 19 && failed == 0, "not read");
    pcap_src_feed(
        src,
        &(pcap_src_piece){
            .octets = octets, .len = 19, .end = at + 19, .last = true, .error = i == 0 ? 0 : EIO});
    expect(pcap_src_next(src, &pkt) == PCAP_SRC_ERROR, "no error");
    expect(strstr(pcap_src_error(src), i == 0 ? "cut short after packet 0 (19 of the next 20"
                                              : "cannot be read after packet 0 (") != NULL,
           "%s", pcap_src_error(src));
    expect(pcap_src_read_at(src, at + 20, octets, 1, &failed) == 0 && failed == 0,
           "beyond the end");
    pcap_src_close(src);
  }
  remove_folder();
}
END_TEST

START_TEST(a_fifo_is_not_read_in_pieces)
{
  uint64_t at = 0;
  make_folder();
  const int writer = make_fifo();
  expect(write(writer, capture, sizeof(capture)) == (ssize_t)sizeof(capture), "not written");
  pcap_src *src = pcap_src_open(path, NULL, error);
  ingest_packet pkt;
  expect(src != NULL, "%s", error);
  expect(!pcap_src_feed_begin(src, &at), "a piece of a FIFO");
  expect(pcap_src_next(src, &pkt) == PCAP_SRC_PACKET && pkt.data[3] == 6, "another packet");
  pcap_src_close(src);
  (void)close(writer);
  remove_folder();
}
END_TEST

/* What another program does to the file meanwhile: what is there is read, and no more. */
START_TEST(a_file_that_changes_while_it_is_read)
{
  ingest_packet pkt;
  make_folder();
  const uint32_t packets = make_large_pcap();
  save(large, LARGE / 2);
  pcap_src *src = pcap_src_open(path, NULL, error);
  expect(src != NULL, "%s", error);
  expect_large(src, 0);
  FILE *file = fopen(path, "r+b");
  expect(file != NULL && fseek(file, 0, SEEK_END) == 0, "not opened");
  expect(fwrite(large + LARGE / 2, 1, large_len - LARGE / 2, file) > 0, "not written");
  expect(fclose(file) == 0, "not written");
  for (uint32_t n = 1; n < packets / 2; n++) {
    expect_large(src, n);
  }
  expect(truncate(path, 100) == 0, "not cut");
  pcap_src_result result = PCAP_SRC_PACKET;
  while (result == PCAP_SRC_PACKET) {
    result = pcap_src_next(src, &pkt);
  }
  expect(result == PCAP_SRC_END || strstr(pcap_src_error(src), "cut short") != NULL, "%s",
         pcap_src_error(src));
  pcap_src_close(src);
  remove_folder();
}
END_TEST

/* ---- compressed ---- */

#define GZIP_HEAD 15u /* octets before the capture's, which are stored as they are */
#define GZIP_LEN (GZIP_HEAD + sizeof(capture) + 8u)

/* The capture as a gzip file; the checksum at its end is wrong. RFC 1952 2.3, RFC 1951 3.2.4 */
static const uint8_t *packed(void) {
  static uint8_t gzip[GZIP_LEN] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3};
  gzip[10] = 1; /* the last block, stored; its length, and that again with all bits changed */
  gzip[11] = sizeof(capture);
  gzip[13] = (uint8_t) ~sizeof(capture);
  gzip[14] = 0xff;
  memcpy(gzip + GZIP_HEAD, capture, sizeof(capture));
  return gzip;
}

/* The packet is there, and then the error. */
static void expect_packet_then(pcap_src *src, const char *reason) {
  ingest_packet pkt;
  expect(src != NULL, "%s", error);
  expect(pcap_src_next(src, &pkt) == PCAP_SRC_PACKET && pkt.data[3] == 6, "another packet");
  for (int i = 0; i < 2; i++) {
    expect(pcap_src_next(src, &pkt) == PCAP_SRC_ERROR, "no error");
    expect(strstr(pcap_src_error(src), reason) != NULL, "%s", pcap_src_error(src));
  }
}

START_TEST(a_compressed_file_that_is_cut_or_damaged)
{
  static const struct {
    size_t len;
    const char *reason;
  } cases[] = {{GZIP_LEN, "cannot be read after packet 1 (the gzip file is damaged at octet "},
               {GZIP_LEN - 5, "cut short after packet 1 (the gzip file ends within a member"},
               {GZIP_LEN - 8, "cut short after packet 1 (the gzip file ends within a member"}};
  make_folder();
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]) && unpack_form_built(UNPACK_GZIP); i++) {
    save(packed(), cases[i].len);
    pcap_src *src = pcap_src_open(path, NULL, error);
    expect_packet_then(src, cases[i].reason);
    pcap_src_close(src);
  }
  remove_folder();
}
END_TEST

START_TEST(a_compressed_file_whose_capture_has_no_whole_header)
{
  static const struct {
    size_t len;
    const char *reason;
  } cases[] = {{11, "not a capture, or one cut short in its header (the gzip file ends within a "},
               {GZIP_HEAD + 20, "not a capture, or one cut short in its header (the gzip file "}};
  make_folder();
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]) && unpack_form_built(UNPACK_GZIP); i++) {
    save(packed(), cases[i].len);
    expect(pcap_src_open(path, NULL, error) == NULL, "opened");
    expect(strstr(error, cases[i].reason) != NULL, "%s", error);
  }
  if (unpack_form_built(UNPACK_GZIP)) {
    uint8_t damaged[GZIP_LEN];
    memcpy(damaged, packed(), sizeof(damaged));
    damaged[14] = 0; /* the two lengths differ */
    save(damaged, sizeof(damaged));
    expect(pcap_src_open(path, NULL, error) == NULL, "opened");
    expect(strstr(error, "not a capture that can be read (the gzip file is damaged at ") != NULL,
           "%s", error);
  }
  remove_folder();
}
END_TEST

/* libpcap reads it, and does not say why there is no more. */
START_TEST(a_compressed_fifo_that_is_cut)
{
  make_folder();
  const int writer = make_fifo();
  const size_t len = GZIP_LEN - 8;
  expect(write(writer, packed(), len) == (ssize_t)len, "not written");
  pcap_src *src = unpack_form_built(UNPACK_GZIP) ? pcap_src_open(path, NULL, error) : NULL;
  (void)close(writer);
  if (unpack_form_built(UNPACK_GZIP)) {
    expect_packet_then(src, "cut short after packet 1 (the gzip file ends within a member");
    pcap_src_close(src);
  }
  remove_folder();
}
END_TEST

/* Neither root nor anybody else can open a socket as a file. */
START_TEST(what_cannot_be_opened_says_why)
{
  make_folder();
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  expect(strlen(path) < sizeof(address.sun_path), "%s is too long", path);
  strcpy(address.sun_path, path);
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  expect(bind(listener, (const struct sockaddr *)&address, sizeof(address)) == 0, "no socket");
  memset(error, 'x', sizeof(error));
  expect(pcap_src_open(path, NULL, error) == NULL, "opened");
  expect(strcmp(error, strerror(ENXIO)) == 0, "%s", error);
  (void)close(listener);
  remove_folder();
}
END_TEST

START_TEST(what_is_refused_is_closed)
{
  static const size_t lengths[] = {0, 3, 20, 23}; /* empty, and cut in its header */
  make_folder();
  for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
    save(capture, lengths[i]);
    const int next = next_number();
    expect(pcap_src_open(path, NULL, error) == NULL, "%zu octets opened", lengths[i]);
    expect(next_number() == next, "%zu octets: left open", lengths[i]);
  }
  save(capture, sizeof(capture));
  const int next = next_number();
  expect(pcap_src_open(path, "no filter at all", error) == NULL, "opened");
  expect(next_number() == next, "left open");
  pcap_src_close(pcap_src_open(path, NULL, error));
  expect(next_number() == next, "closed, and left open");
  remove_folder();
}
END_TEST

/* Octets of the pipe that were read before the stop are still packets. */
START_TEST(a_stop_ends_the_reading)
{
  int ends[2];
  ingest_packet packet;
  uint64_t at;
  make_folder();
  expect(pipe(ends) == 0, "%s", strerror(errno));
  const int writer = make_fifo();
  expect(write(writer, capture, sizeof capture) == (ssize_t)sizeof capture, "%s", strerror(errno));
  pcap_src_stop_by(ends[0]);
  errno = EINTR; /* of an earlier call */
  expect(!pcap_src_stopped(), "stopped too early");
  pcap_src *src = pcap_src_open(path, NULL, error);
  expect(src != NULL && pcap_src_next(src, &packet) == PCAP_SRC_PACKET, "%s", error);
  expect(write(ends[1], "", 1) == 1 && pcap_src_stopped(), "not stopped");
  expect(pcap_src_next(src, &packet) == PCAP_SRC_STOPPED, "the FIFO is read");
  ck_assert_str_eq(pcap_src_error(src), "not read further than packet 1: interrupted");
  pcap_src_close(src);
  (void)close(writer);
  (void)unlink(path);
  save(capture, sizeof capture);
  expect(pcap_src_open(path, NULL, error) == NULL && strstr(error, "interrupted") != NULL, "%s",
         error);
  pcap_src_stop_by(-1);
  src = pcap_src_open(path, NULL, error);
  expect(src != NULL && pcap_src_feed_begin(src, &at), "%s", error);
  pcap_src_stop_by(ends[0]);
  const pcap_src_piece piece = {
      .octets = capture + at, .len = sizeof capture - at, .end = sizeof capture};
  pcap_src_feed(src, &piece);
  expect(pcap_src_next(src, &packet) == PCAP_SRC_PACKET, "no packet of a piece");
  expect(pcap_src_next(src, &packet) == PCAP_SRC_STOPPED, "another piece is asked for");
  pcap_src_close(src);
  pcap_src_stop_by(-1);
  (void)close(ends[0]);
  (void)close(ends[1]);
  remove_folder();
}
END_TEST

START_TEST(standard_input_stays_open)
{
  make_folder();
  save(capture, 0);
  expect(freopen(path, "rb", stdin) != NULL, "no standard input");
  const int number = fileno(stdin);
  expect(pcap_src_open("-", NULL, error) == NULL, "opened");
  expect(fcntl(number, F_GETFD) >= 0, "closed when it was empty");
  save(capture, 20);
  rewind(stdin);
  expect(pcap_src_open("-", NULL, error) == NULL, "opened");
  expect(fcntl(number, F_GETFD) >= 0, "closed when it was cut short");
  remove_folder();
}
END_TEST

/* More files are open than may be: the system gives the reason, for a FIFO too. */
START_TEST(too_many_open_files)
{
  make_folder();
  const int writer = make_fifo();
  const int next = dup(writer);
  (void)close(next);
  struct rlimit was;
  expect(getrlimit(RLIMIT_NOFILE, &was) == 0, "no limit");
  struct rlimit now = was;
  now.rlim_cur = (rlim_t)next;
  expect(setrlimit(RLIMIT_NOFILE, &now) == 0, "%s", strerror(errno));
  const pcap_src *src = pcap_src_open(path, NULL, error);
  expect(setrlimit(RLIMIT_NOFILE, &was) == 0, "%s", strerror(errno));
  expect(src == NULL && strcmp(error, strerror(EMFILE)) == 0, "%s", error);
  (void)close(writer);
  remove_folder();
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_fifo_can_be_waited_for,
                                a_file_says_how_far_it_was_read,
                                large_files,
                                octets_given_in_pieces,
                                octets_given_that_end_by_an_error,
                                a_fifo_is_not_read_in_pieces,
                                a_file_that_changes_while_it_is_read,
                                a_compressed_file_that_is_cut_or_damaged,
                                a_compressed_file_whose_capture_has_no_whole_header,
                                a_compressed_fifo_that_is_cut,
                                what_cannot_be_opened_says_why,
                                what_is_refused_is_closed,
                                a_stop_ends_the_reading,
                                standard_input_stays_open,
                                too_many_open_files,
                                NULL};
  return check_run(check_suite("ingest_files", tests));
}
