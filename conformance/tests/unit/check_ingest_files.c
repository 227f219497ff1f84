/* SPDX-License-Identifier: BSD-2-Clause */
/* What opening a capture leaves after: a FIFO that can be waited for, the reason of a
 * failure, how far it has been read. */
#define _DEFAULT_SOURCE /* mkdtemp, mkfifo */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <ingest/pcap_src.h>

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

/* The lowest number that a file opened now would get. */
static int next_number(void) {
  const int next = open(path, O_RDONLY);
  (void)close(next);
  return next;
}

START_TEST(a_fifo_can_be_waited_for)
{
  make_folder();
  expect(mkfifo(path, 0600) == 0, "no FIFO");
  const int writer = open(path, O_RDWR);
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
  expect(done == 0 && total == 0, "a FIFO has no place and no size");
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

/* More files are open than may be: the reason is that of the system, for a FIFO too. */
START_TEST(too_many_open_files)
{
  make_folder();
  expect(mkfifo(path, 0600) == 0, "no FIFO");
  const int writer = open(path, O_RDWR);
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
                                what_cannot_be_opened_says_why,
                                what_is_refused_is_closed,
                                standard_input_stays_open,
                                too_many_open_files,
                                NULL};
  return check_run(check_suite("ingest_files", tests));
}
