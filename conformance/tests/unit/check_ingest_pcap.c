/* SPDX-License-Identifier: BSD-2-Clause */
/* Captures opened through libpcap: every format, and one clear line for other files. */
#define _GNU_SOURCE /* mkdtemp, mkfifo, fork */

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ingest/capture.h>
#include <ingest/pcap_src.h>
#include <ingest/pcap_time.h>

#include "check_run.h"
#include "tcp_fixture.h"

static char folder[256];
static char path[300];
static char error[PCAP_SRC_ERROR_LEN];

static void make_folder(void) {
  const char *tmp = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/ingest-XXXXXX", tmp != NULL ? tmp : P_tmpdir);
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/capture", folder);
}

static void remove_folder(void) {
  (void)unlink(path);
  (void)rmdir(folder);
}

/* --- Captures made octet by octet --- */

typedef struct file {
  uint8_t octets[4096];
  size_t len;
  bool big;
} file;

static void add16(file *f, uint32_t value) {
  f->octets[f->len + (f->big ? 1 : 0)] = (uint8_t)value;
  f->octets[f->len + (f->big ? 0 : 1)] = (uint8_t)(value >> 8);
  f->len += 2;
}

static void add32(file *f, uint32_t value) {
  add16(f, f->big ? value >> 16 : value & 0xffff);
  add16(f, f->big ? value & 0xffff : value >> 16);
}

static void add_octets(file *f, const char *text) {
  memcpy(f->octets + f->len, text, strlen(text));
  f->len += strlen(text);
}

static void pcap_header(file *f, uint32_t magic, uint32_t link) {
  add32(f, magic);
  add16(f, 2);
  add16(f, 4);
  add32(f, 0);
  add32(f, 0);
  add32(f, 262144);
  add32(f, link);
}

/* A packet of 8 octets, 12 on the wire. */
static void pcap_packet(file *f, uint32_t seconds, uint32_t fraction, const char *text) {
  add32(f, seconds);
  add32(f, fraction);
  add32(f, 8);
  add32(f, 12);
  add_octets(f, text);
}

static void ng_section(file *f) {
  add32(f, 0x0a0d0d0a);
  add32(f, 28);
  add32(f, 0x1a2b3c4d);
  add16(f, 1);
  add16(f, 0);
  add32(f, 0xffffffff);
  add32(f, 0xffffffff);
  add32(f, 28);
}

static void ng_interface(file *f, uint32_t link) {
  add32(f, 1);
  add32(f, 32);
  add16(f, link);
  add16(f, 0);
  add32(f, 0);
  add16(f, 9); /* if_tsresol: nanoseconds */
  add16(f, 1);
  add_octets(f, "\t"); /* 10^-9 */
  memset(f->octets + f->len, 0, 7);
  f->len += 7;
  add32(f, 32);
}

static void ng_packet(file *f, uint32_t interface, const char *text) {
  uint64_t time = UINT64_C(1700000000123456789);
  add32(f, 6);
  add32(f, 40);
  add32(f, interface);
  add32(f, (uint32_t)(time >> 32));
  add32(f, (uint32_t)time);
  add32(f, 8);
  add32(f, 12);
  add_octets(f, text);
  add32(f, 40);
}

static void save(const file *f) {
  FILE *out = fopen(path, "wb");
  ck_assert_ptr_nonnull(out);
  ck_assert_uint_eq(fwrite(f->octets, 1, f->len, out), f->len);
  ck_assert_int_eq(fclose(out), 0);
}

/* --- What can be read --- */

static void expect_packets(const char *name, const file *f, uint64_t fraction) {
  pcap_src *src = pcap_src_open(name, NULL, error);
  ck_assert_msg(src != NULL, "%s", error);
  ingest_packet pkt;
  uint64_t done;
  uint64_t total;
  for (uint64_t n = 1; n <= 2; n++) {
    ck_assert_int_eq(pcap_src_next(src, &pkt), PCAP_SRC_PACKET);
    ck_assert_uint_eq(pkt.caplen, 8);
    ck_assert_uint_eq(pkt.len, 12);
    ck_assert_int_eq(memcmp(pkt.data, n == 1 ? "packet 1" : "packet 2", 8), 0);
    ck_assert_int_eq(pkt.link_type, 1);
    ck_assert_uint_eq(pkt.number, n);
    ck_assert_uint_eq(pkt.time_ns, UINT64_C(1700000000000000000) + fraction);
  }
  ck_assert_int_eq(pcap_src_next(src, &pkt), PCAP_SRC_END);
  ck_assert_int_eq(pcap_src_next(src, &pkt), PCAP_SRC_END);
  pcap_src_progress(src, &done, &total);
  if (total != 0) {
    ck_assert_uint_eq(total, f->len);
    ck_assert_uint_eq(done, f->len);
  }
  pcap_src_close(src);
}

static const struct format {
  uint32_t magic; /* 0: pcapng */
  bool big;
  uint64_t fraction;
} formats[] = {
    {0xa1b2c3d4, false, 123456000}, {0xa1b2c3d4, true, 123456000}, {0xa1b23c4d, false, 123456},
    {0xa1b23c4d, true, 123456},     {0, false, 123456789},         {0, true, 123456789},
};

static void make_capture(file *f, const struct format *format) {
  *f = (file){.big = format->big};
  if (format->magic != 0) {
    pcap_header(f, format->magic, 1);
    pcap_packet(f, 1700000000, 123456, "packet 1");
    pcap_packet(f, 1700000000, 123456, "packet 2");
  } else {
    ng_section(f);
    ng_interface(f, 1);
    ng_interface(f, 1);
    ng_packet(f, 0, "packet 1");
    ng_packet(f, 1, "packet 2");
  }
}

START_TEST(all_formats)
{
  file f;
  make_folder();
  make_capture(&f, &formats[_i]);
  save(&f);
  expect_packets(path, &f, formats[_i].fraction);
  ck_assert(pcap_src_begins(path));
  remove_folder();
}
END_TEST

/* 5 * 2^28 units of 2^-30 seconds, which are no whole number of nanoseconds each. */
START_TEST(times_in_binary_fractions)
{
  enum { RESOLUTION = 28 + 20, TIME = 28 + 32 + 32 + 12 };
  file f;
  ingest_packet pkt;
  make_folder();
  make_capture(&f, &formats[5]);
  f.octets[RESOLUTION] = 0x80 | 30;
  f.len = TIME;
  add32(&f, 0);
  add32(&f, UINT32_C(5) << 28);
  f.len = TIME - 12 + 40;
  save(&f);
  pcap_src *src = pcap_src_open(path, NULL, error);
  ck_assert_msg(src != NULL, "%s", error);
  ck_assert_int_eq(pcap_src_next(src, &pkt), PCAP_SRC_PACKET);
  ck_assert_uint_eq(pkt.time_ns, 1250000000);
  pcap_src_close(src);
  remove_folder();
}
END_TEST

/* Fields of 32 bits that a release of libpcap takes for signed, or does not. */
START_TEST(times_of_libpcap)
{
  static const struct {
    int64_t sec;
    int64_t usec;
    uint64_t time_ns;
    bool nano;
  } rows[] = {{1, 999999000, 1999999000, false},
              {-1, 5, UINT64_C(4294967295000000005), true},
              {1, INT64_C(4294967295000), UINT64_C(4295967295000), false},
              {1, -1000, UINT64_C(4295967295000), false},
              {1, INT64_C(4294967295), UINT64_C(5294967295), true},
              {1, -1, UINT64_C(5294967295), true}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    ck_assert_uint_eq(pcap_time_ns(rows[i].sec, rows[i].usec, rows[i].nano), rows[i].time_ns);
  }
}
END_TEST

/* Seconds of a pcap file are 32 bits without a sign: they last until 2106. */
START_TEST(times_after_2038)
{
  static const uint32_t seconds[] = {0, 0x7fffffff, 0x80000000, 0xffffffff};
  file f = {.len = 0};
  ingest_packet pkt;
  make_folder();
  pcap_header(&f, 0xa1b2c3d4, 1);
  for (size_t i = 0; i < sizeof seconds / sizeof seconds[0]; i++) {
    pcap_packet(&f, seconds[i], 999999, "packet 1");
  }
  save(&f);
  pcap_src *src = pcap_src_open(path, NULL, error);
  ck_assert_msg(src != NULL, "%s", error);
  for (size_t i = 0; i < sizeof seconds / sizeof seconds[0]; i++) {
    ck_assert_int_eq(pcap_src_next(src, &pkt), PCAP_SRC_PACKET);
    ck_assert_uint_eq(pkt.time_ns, seconds[i] * UINT64_C(1000000000) + 999999000);
  }
  pcap_src_close(src);
  remove_folder();
}
END_TEST

START_TEST(standard_input)
{
  file f;
  make_folder();
  make_capture(&f, &formats[0]);
  save(&f);
  ck_assert_ptr_nonnull(freopen(path, "rb", stdin));
  expect_packets("-", &f, formats[0].fraction);
  remove_folder();
}
END_TEST

START_TEST(fifo_with_a_writer)
{
  file f;
  make_folder();
  make_capture(&f, &formats[0]);
  ck_assert_int_eq(mkfifo(path, 0600), 0);
  /* The writer is there before the reader looks, however late the child runs: it says so. */
  const int kept = open(path, O_RDONLY | O_NONBLOCK);
  int ready[2];
  char octet;
  ck_assert_int_ge(kept, 0);
  ck_assert_int_eq(pipe(ready), 0);
  pid_t child = fork();
  if (child == 0) {
    FILE *out = fopen(path, "wb");
    bool ok = write(ready[1], "!", 1) == 1;
    ok = ok && out != NULL && fwrite(f.octets, 1, f.len, out) == f.len && fclose(out) == 0;
    _exit(ok ? 0 : 1);
  }
  ck_assert_int_eq(read(ready[0], &octet, 1), 1);
  expect_packets(path, &f, formats[0].fraction);
  (void)close(kept);
  (void)close(ready[0]);
  (void)close(ready[1]);
  int status;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert_int_eq(status, 0);
  remove_folder();
}
END_TEST

/* --- What cannot --- */

static void expect_refusal(const char *name, const char *text) {
  memset(error, 'x', sizeof error);
  pcap_src *src = pcap_src_open(name, NULL, error);
  ck_assert_ptr_null(src);
  ck_assert_msg(strstr(error, text) != NULL, "%s", error);
  ck_assert_ptr_null(strchr(error, '\n'));
  ck_assert_ptr_null(strstr(error, folder));
}

START_TEST(no_captures)
{
  file f = {.len = 0};
  make_folder();
  expect_refusal(folder, "a directory that holds no capture");
  expect_refusal(path, "No such file");
  save(&f);
  expect_refusal(path, "is empty");
  add_octets(&f, "This is no capture, only text that is long enough to be one.");
  save(&f);
  expect_refusal(path, "not pcap or pcapng, but text: ");
  ck_assert(!pcap_src_begins(path));
  f.len = 3;
  save(&f);
  expect_refusal(path, "not a capture");
  f = (file){.len = 0};
  pcap_header(&f, 0xa1b2c3d4, 1);
  f.len = 23;
  save(&f);
  expect_refusal(path, "cut short in its header");
  f.len = 0;
  pcap_header(&f, 0xa1b2c3d4, 105);
  save(&f);
  expect_refusal(path, "link type 105 (IEEE802_11) is not supported");
  f.len = 0;
  pcap_header(&f, 0xa1b2c3d4, 9999);
  save(&f);
  expect_refusal(path, "link type 9999 (unknown) is not supported");
  f.octets[4] = 77; /* an unknown version */
  save(&f);
  expect_refusal(path, "not a capture that can be read");
  remove_folder();
}
END_TEST

/* An offset has four to eight digits. */
START_TEST(hex_dumps)
{
  static const struct {
    const char *text;
    const char *kind;
  } rows[] = {{"000  45 00 00 28\n", "text"},
              {"0000  45 00 00 28\n", "a hex dump"},
              {"00000010  45 00 00 28\n", "a hex dump"},
              {"000000010  45 00 00 28\n", "text"}};
  make_folder();
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char due[64];
    file f = {.len = 0};
    add_octets(&f, rows[i].text);
    save(&f);
    snprintf(due, sizeof due, "not pcap or pcapng, but %s: ", rows[i].kind);
    expect_refusal(path, due);
  }
  remove_folder();
}
END_TEST

START_TEST(fifo_without_a_writer)
{
  make_folder();
  ck_assert_int_eq(mkfifo(path, 0600), 0);
  expect_refusal(path, "without a writer");
  remove_folder();
}
END_TEST

START_TEST(forbidden_file)
{
  if (geteuid() == 0) {
    return; /* may read everything */
  }
  make_folder();
  ck_assert_int_eq(close(open(path, O_CREAT | O_WRONLY, 0)), 0);
  expect_refusal(path, "Permission denied");
  remove_folder();
}
END_TEST

START_TEST(a_socket_is_no_file)
{
  struct sockaddr_un addr = {.sun_family = AF_UNIX};
  make_folder();
  ck_assert_uint_lt(strlen(path), sizeof addr.sun_path);
  strcpy(addr.sun_path, path);
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  ck_assert_int_eq(bind(fd, (const struct sockaddr *)&addr, sizeof addr), 0);
  expect_refusal(path, strerror(ENXIO));
  ck_assert_int_eq(close(fd), 0);
  remove_folder();
}
END_TEST

START_TEST(standard_input_that_cannot_be_read)
{
  make_folder();
  ck_assert_ptr_nonnull(freopen(path, "wb", stdin));
  expect_refusal("-", strerror(EBADF));
  ck_assert_int_eq(close(STDIN_FILENO), 0);
  expect_refusal("-", strerror(EBADF));
  remove_folder();
}
END_TEST

static void expect_error_after(unsigned packets, const char *text) {
  pcap_src *src = pcap_src_open(path, NULL, error);
  ck_assert_msg(src != NULL, "%s", error);
  ingest_packet pkt;
  while (packets-- > 0) {
    ck_assert_int_eq(pcap_src_next(src, &pkt), PCAP_SRC_PACKET);
  }
  ck_assert_int_eq(pcap_src_next(src, &pkt), PCAP_SRC_ERROR);
  ck_assert_msg(strstr(pcap_src_error(src), text) != NULL, "%s", pcap_src_error(src));
  ck_assert_ptr_null(strchr(pcap_src_error(src), '\n'));
  pcap_src_close(src);
}

START_TEST(cut_short)
{
  file f;
  make_folder();
  make_capture(&f, &formats[0]);
  for (size_t less = 1; less < 24; less++) {
    f.len = 24 + 2 * 24 - less;
    save(&f);
    expect_error_after(1, "cut short after packet 1");
  }
  remove_folder();
}
END_TEST

/* Reads packets and expects, for each, the link type that a file calls so; then what ends it. */
static void expect_links(const char *filter, const int *links, const char *end) {
  pcap_src *src = pcap_src_open(path, filter, error);
  ck_assert_msg(src != NULL, "%s", error);
  ingest_packet pkt;
  for (; *links >= 0; links++) {
    ck_assert_msg(pcap_src_next(src, &pkt) == PCAP_SRC_PACKET, "%s", pcap_src_error(src));
    ck_assert_int_eq(pkt.link_type, *links);
  }
  const pcap_src_result result = pcap_src_next(src, &pkt);
  ck_assert_int_eq(result, (end == NULL ? PCAP_SRC_END : PCAP_SRC_ERROR));
  ck_assert_msg(end == NULL || strstr(pcap_src_error(src), end) != NULL, "%s", pcap_src_error(src));
  pcap_src_close(src);
}

/* Ethernet, raw IP, IEEE 802.11, which is not read, and a section of the other byte order. */
START_TEST(interfaces_of_different_kinds)
{
  file f = {.len = 0};
  make_folder();
  ng_section(&f);
  ng_interface(&f, 105);
  ng_packet(&f, 0, "@packet0");
  save(&f);
  expect_links(NULL, (const int[]){105, -1}, "link type 105 (IEEE802_11) is not supported");
  ng_interface(&f, 1);
  ng_packet(&f, 1, "@packet1");
  ng_interface(&f, 101);
  ng_packet(&f, 2, "@packet2");
  ng_packet(&f, 1, "@packet3");
  f.big = true;
  ng_section(&f);
  ng_interface(&f, 101);
  ng_packet(&f, 0, "`packet4");
  save(&f);
  expect_links(NULL, (const int[]){105, 1, 12, 1, 12, -1}, NULL);
  expect_links("ip", (const int[]){105, 12, -1}, NULL); /* what is not read passes all filters */
  expect_links("ether dst 40:70:61:63:6b:65", (const int[]){105, 1, -1},
               "after packet 2 (link type 12: bad filter: ");
  remove_folder();
}
END_TEST

/* A snapshot length of 4 is not true of a packet with 8 octets, in any format. */
START_TEST(packets_longer_than_the_snapshot_length)
{
  static const uint32_t block[] = {3, 24, 8, 0x61616161, 0x62626262, 24};
  make_folder();
  for (int ng = 0; ng <= 2; ng++) {
    file f = {.len = 0};
    if (ng == 0) {
      pcap_header(&f, 0xa1b2c3d4, 1);
      f.octets[16] = 4;
      f.octets[17] = f.octets[18] = f.octets[19] = 0;
      pcap_packet(&f, 1, 0, "packet 1");
    } else {
      ng_section(&f);
      ng_interface(&f, 1);
      f.octets[28 + 12] = 4;
      f.octets[28 + 13] = f.octets[28 + 14] = f.octets[28 + 15] = 0;
      if (ng == 1) {
        ng_packet(&f, 0, "packet 1");
      }
      for (size_t i = 0; ng == 2 && i < sizeof block / sizeof block[0]; i++) {
        add32(&f, block[i]);
      }
    }
    save(&f);
    pcap_src *src = pcap_src_open(path, NULL, error);
    ingest_packet pkt;
    ck_assert_msg(src != NULL, "%s", error);
    ck_assert_msg(pcap_src_next(src, &pkt) == PCAP_SRC_PACKET, "%s", pcap_src_error(src));
    ck_assert_uint_eq(pkt.caplen, 8);
    ck_assert_int_eq(pcap_src_next(src, &pkt), PCAP_SRC_END);
    pcap_src_close(src);
  }
  remove_folder();
}
END_TEST

/* Every interface of these sections names raw IP by 101; libpcap stops at the second interface. An
 * octet 0x40 or 0x60 begins a packet of IPv4 or IPv6. */
static void make_raw_interfaces(file *f) {
  ng_section(f);
  ng_interface(f, 101);
  ng_packet(f, 0, "@packet1");
  ng_interface(f, 101);
  ng_packet(f, 1, "`packet2");
  ng_packet(f, 0, "@packet3");
  ng_section(f);
  ng_interface(f, 101);
  ng_packet(f, 0, "`packet4");
}

static void expect_raw(const char *name, const char *filter, const char *numbers) {
  pcap_src *src = pcap_src_open(name, filter, error);
  ck_assert_msg(src != NULL, "%s", error);
  ingest_packet pkt;
  for (; *numbers != 0; numbers++) {
    ck_assert_msg(pcap_src_next(src, &pkt) == PCAP_SRC_PACKET, "%s", pcap_src_error(src));
    ck_assert_int_eq(pkt.data[7], *numbers);
    ck_assert_int_eq(pkt.link_type, 12); /* as libpcap numbers raw IP */
  }
  ck_assert_msg(pcap_src_next(src, &pkt) == PCAP_SRC_END, "%s", pcap_src_error(src));
  pcap_src_close(src);
}

START_TEST(interfaces_of_raw_ip)
{
  for (int big = 0; big <= 1; big++) {
    file f = {.big = big == 1};
    make_folder();
    make_raw_interfaces(&f);
    save(&f);
    expect_raw(path, NULL, "1234");
    expect_raw(path, "ip", "13");
    expect_raw(path, "ip6", "24");
    remove_folder();
  }
}
END_TEST

static int pipe_end = -1;

/* The name of a pipe that holds all of the file and has no writer any more. */
static const char *pipe_of(const file *f) {
  static char name[32];
  int ends[2];
  ck_assert_int_eq(pipe(ends), 0);
  ck_assert_int_eq(write(ends[1], f->octets, f->len), (ssize_t)f->len);
  (void)close(ends[1]);
  pipe_end = ends[0];
  snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
  return name;
}

static void pipe_over(void) {
  (void)close(pipe_end);
}

START_TEST(interfaces_of_raw_ip_in_a_pipe)
{
  for (int big = 0; big <= 1; big++) {
    file f = {.big = big == 1};
    make_raw_interfaces(&f);
    expect_raw(pipe_of(&f), NULL, "1234");
    pipe_over();
    expect_raw(pipe_of(&f), "ip6", "24");
    pipe_over();
  }
}
END_TEST

START_TEST(all_formats_in_a_pipe)
{
  file f;
  make_capture(&f, &formats[_i]);
  expect_packets(pipe_of(&f), &f, formats[_i].fraction);
  pipe_over();
}
END_TEST

/* Version 2.3 is left to libpcap, which gets the octets that were read to know the version. */
START_TEST(what_libpcap_has_to_read_in_a_pipe)
{
  file f;
  make_capture(&f, &formats[0]);
  f.octets[6] = 3;
  expect_packets(pipe_of(&f), &f, formats[0].fraction);
  pipe_over();
  f = (file){.len = 0};
  add_octets(&f, "This is no capture, only text that is long enough to be one.");
  ck_assert_ptr_null(pcap_src_open(pipe_of(&f), NULL, error));
  ck_assert_ptr_nonnull(strstr(error, "not pcap or pcapng, but text: "));
  pipe_over();
}
END_TEST

static void *reader_get(void *ctx, size_t size) {
  (void)ctx;
  return malloc(size);
}

static void reader_put(void *ctx, void *ptr, size_t size) {
  (void)ctx;
  (void)size;
  free(ptr);
}

/* Whoever reads from a pipe learns how many octets are needed, and never waits for more. */
START_TEST(a_header_says_how_much_of_it_is_needed)
{
  const ingest_alloc alloc = {.get = reader_get, .put = reader_put};
  for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
    file f;
    size_t begun = 0;
    make_capture(&f, &formats[i]);
    const size_t header = formats[i].magic != 0 ? 24 : 28 + 32;
    for (size_t len = 0; begun == 0; len++) {
      capture_reader r;
      begun = capture_begin(&r, &alloc, f.octets, len);
      ck_assert_uint_eq(begun, len < header ? 0 : header);
      ck_assert(begun != 0 || (r.want > len && r.want <= header));
      capture_end(&r);
    }
  }
}
END_TEST

/* No further octet makes a capture of it. */
START_TEST(a_wrong_header_needs_no_more)
{
  enum { TOTAL = 4, VERSION = 12 };
  static const struct {
    size_t at;
    uint8_t octet;
  } rows[] = {{TOTAL, 24}, {VERSION, 2}};
  const ingest_alloc alloc = {.get = reader_get, .put = reader_put};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    file f;
    capture_reader r;
    make_capture(&f, &formats[4]);
    f.octets[rows[i].at] = rows[i].octet;
    ck_assert_uint_eq(capture_begin(&r, &alloc, f.octets, f.len), 0);
    ck_assert_uint_eq(r.want, 0);
    capture_end(&r);
  }
}
END_TEST

/* --- Filters --- */

START_TEST(filters)
{
  file f = {.len = 0};
  make_folder();
  pcap_header(&f, 0xa1b2c3d4, 1);
  pcap_packet(&f, 1, 1, "packet 1");
  pcap_packet(&f, 1, 1, "racket 2");
  save(&f);
  pcap_src *src = pcap_src_open(path, "ether[0] = 0x72", error);
  ck_assert_ptr_nonnull(src);
  ingest_packet pkt;
  ck_assert_int_eq(pcap_src_next(src, &pkt), PCAP_SRC_PACKET);
  ck_assert_int_eq(pkt.data[0], 'r');
  ck_assert_int_eq(pcap_src_next(src, &pkt), PCAP_SRC_END);
  pcap_src_close(src);
  ck_assert_ptr_null(pcap_src_open(path, "no filter at all", error));
  ck_assert_ptr_nonnull(strstr(error, "bad filter: "));
  ck_assert(pcap_src_filter_check("tcp port 7174 or vlan", error));
  ck_assert(!pcap_src_filter_check("tcp porridge", error));
  ck_assert_ptr_nonnull(strstr(error, "bad filter: "));
  ck_assert_ptr_null(strchr(error, '\n'));
  ck_assert(!pcap_src_filter_check("port \\\033\177x", error));
  for (const char *c = error; *c != 0; c++) {
    ck_assert((unsigned char)*c >= ' ' && *c != 0x7f);
  }
  remove_folder();
}
END_TEST

START_TEST(closing_nothing)
{ pcap_src_close(NULL); }
END_TEST

int main(void) {
  Suite *suite = suite_create("ingest-pcap");
  TCase *tcase = tcase_create("pcap");
  tcase_add_loop_test(tcase, all_formats, 0, (int)(sizeof formats / sizeof formats[0]));
  tcase_add_loop_test(tcase, all_formats_in_a_pipe, 0, (int)(sizeof formats / sizeof formats[0]));
  const TTest *const tests[] = {standard_input,
                                fifo_with_a_writer,
                                times_of_libpcap,
                                times_after_2038,
                                times_in_binary_fractions,
                                no_captures,
                                hex_dumps,
                                a_socket_is_no_file,
                                standard_input_that_cannot_be_read,
                                fifo_without_a_writer,
                                forbidden_file,
                                cut_short,
                                interfaces_of_different_kinds,
                                packets_longer_than_the_snapshot_length,
                                interfaces_of_raw_ip,
                                interfaces_of_raw_ip_in_a_pipe,
                                what_libpcap_has_to_read_in_a_pipe,
                                a_header_says_how_much_of_it_is_needed,
                                a_wrong_header_needs_no_more,
                                filters,
                                closing_nothing};
  for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
    tcase_add_test(tcase, tests[i]);
  }
  suite_add_tcase(suite, tcase);
  return check_run(suite);
}
