/* SPDX-License-Identifier: BSD-2-Clause */
/* Each allocation of a command in its turn fails: it ends, and the failure is remembered. */
#define _POSIX_C_SOURCE 200809L

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <memory/memory.h>
#include <scenario/scenario.h>

#include "check_run.h"
#include "cli/commands.h"
#include "cli/diag.h"

#define RECORD 16u

static _Atomic long countdown = -1; /* allocations until one fails; negative: none does */

static bool fails(void) {
  return countdown >= 0 && countdown-- == 0; /* threads may pass 0 together: fewer fail then */
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t num, size_t size);
void *__real_realloc(void *at, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t num, size_t size);
void *__wrap_realloc(void *at, size_t size);

void *__wrap_malloc(size_t size) {
  return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t num, size_t size) {
  return fails() ? NULL : __real_calloc(num, size);
}

void *__wrap_realloc(void *at, size_t size) {
  return fails() ? NULL : __real_realloc(at, size);
}

/* ---- a capture: a SYN, and a Request whose reserved flags are set ---- */

static const uint8_t file_header[24] = {0xa1, 0xb2, 0xc3, 0xd4, 0, 2, 0, 4, 0, 0, 0, 0,
                                        0,    0,    0,    0,    0, 1, 0, 0, 0, 0, 0, 101};

static void put_packet(int fd, uint8_t flags, uint8_t seq, const char *payload, size_t n) {
  uint8_t packet[RECORD + 40 + 64] = {0};
  uint8_t *ip = packet + RECORD;
  const size_t len = 40 + n;
  packet[11] = packet[15] = (uint8_t)len;
  ip[0] = 0x45;
  ip[3] = (uint8_t)len;
  ip[8] = 64;
  ip[9] = 6;
  memcpy(ip + 12, "\x0a\0\0\1\x0a\0\0\2\x9c\x40\x1c\6", 12);
  ip[27] = seq;
  ip[32] = 0x50;
  ip[33] = flags;
  memcpy(ip + 40, payload, n);
  ck_assert_int_eq(write(fd, packet, RECORD + len), (ssize_t)(RECORD + len));
}

static char path[] = "cli-memory-XXXXXX"; /* in the folder of the run */

static void make_capture(void) {
  const int fd = mkstemp(path);
  ck_assert_int_ge(fd, 0);
  ck_assert_int_eq(write(fd, file_header, sizeof file_header), (ssize_t)sizeof file_header);
  put_packet(fd, 2, 1, "", 0);
  put_packet(fd, 0x10, 2, "MPA ID Req Frame\x0f\1\0\0", 20);
  close(fd);
}

/* ---- commands ---- */

/* Runs a command with the words of a line, "FILE" being the capture. */
static int run(const char *line, int (*command)(const opts *)) {
  static char words[256];
  char *argv[16] = {words};
  int argc = 1;
  opts o;
  bool named = false;
  char error[OPTS_ERROR_CAP] = "";
  const long left = countdown;
  countdown = -1;
  ck_assert_uint_lt(strlen(line), sizeof words - 6);
  strcpy(words, "iwarp");
  strcpy(words + 6, line);
  for (char *word = strtok(words + 6, " "); word != NULL; word = strtok(NULL, " ")) {
    argv[argc++] = strcmp(word, "FILE") == 0 ? path : word;
  }
  ck_assert_int_eq(opts_parse(&o, &named, argc, argv, error), OPTS_RUN);
  countdown = left;
  const int status = command(&o);
  opts_free(&o);
  return status;
}

/* A command with one allocation after the other failing, until all succeed; returns how many there
 * are. */
static long each_fails(const char *line, int (*command)(const opts *), int without) {
  const int null = open("/dev/null", O_WRONLY);
  ck_assert_int_ge(dup2(null, STDOUT_FILENO), 0);
  ck_assert_int_ge(dup2(null, STDERR_FILENO), 0);
  long n = 0;
  for (bool failed = true; failed; n++) {
    memory_forget();
    countdown = n;
    const int status = run(line, command);
    failed = countdown < 0;
    countdown = -1;
    ck_assert_msg(failed || status == without, "allocation %ld: status %d", n, status);
    ck_assert_msg(memory_ran_out() == failed, "allocation %ld: nobody knows of it", n);
  }
  return n;
}

START_TEST(check_ends_without_memory)
{
  make_capture();
  ck_assert_int_ge(dup2(open("/dev/null", O_RDONLY), STDIN_FILENO), 0);
  ck_assert_int_gt(each_fails("check -v FILE -", cmd_check, EXIT_USAGE), 8);
  ck_assert_int_gt(each_fails("check -T jsonl -d tcp.port==7174 FILE", cmd_check, EXIT_VIOLATION),
                   8);
  ck_assert_int_gt(each_fails("check -T jsonl --jobs 3 FILE", cmd_check, EXIT_VIOLATION), 8);
  ck_assert_int_gt(each_fails("timeline FILE", cmd_observe, EXIT_OK), 8);
  for (size_t i = 0; report_formats[i] != NULL; i++) {
    char line[64];
    snprintf(line, sizeof line, "check -v -T %s FILE", report_formats[i]->name);
    ck_assert_int_gt(each_fails(line, cmd_check, EXIT_VIOLATION), 8);
  }
  ck_assert_int_gt(each_fails("check --report tap=cli-memory.a --report jsonl=cli-memory.b FILE",
                              cmd_check, EXIT_VIOLATION),
                   8);
  ck_assert_int_gt(each_fails("check --report tap=cli-memory.a --annotate cli-memory.b FILE",
                              cmd_check, EXIT_VIOLATION),
                   8);
  unlink("cli-memory.a");
  unlink("cli-memory.b");
  unlink(path);
}
END_TEST

START_TEST(merge_ends_without_memory)
{
  const int shard = open("cli-memory.a", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  make_capture();
  ck_assert_int_ge(dup2(shard, STDOUT_FILENO), 0);
  ck_assert_int_eq(run("check --shard 0/1 FILE", cmd_check), EXIT_VIOLATION);
  ck_assert_int_gt(each_fails("merge cli-memory.a", cmd_merge, EXIT_VIOLATION), 8);
  ck_assert_int_gt(each_fails("check --shard 0/1 --jobs 2 FILE", cmd_check, EXIT_VIOLATION), 8);
  close(shard);
  unlink("cli-memory.a");
  unlink(path);
}
END_TEST

START_TEST(dump_ends_without_memory)
{
  make_capture();
  ck_assert_int_gt(each_fails("dump -V -d tcp.port==7174 FILE", cmd_dump, EXIT_OK), 8);
  unlink(path);
}
END_TEST

START_TEST(gen_ends_without_memory)
{
  static const char text[] = "i> mpa-request\nr> mpa-reply\ni> send len=9 segment=4\ni> send\n";
  const int fd = open("cli-memory.scn", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ck_assert_int_eq(write(fd, text, sizeof text - 1), (ssize_t)sizeof text - 1);
  close(fd);
  for (size_t i = 0; scenario_variants[i] != NULL; i++) {
    char line[96];
    snprintf(line, sizeof line, "gen --variant %s -o cli-memory.a cli-memory.scn",
             scenario_variants[i]);
    ck_assert_int_gt(each_fails(line, cmd_gen, EXIT_OK), 8);
  }
  unlink("cli-memory.a");
  unlink("cli-memory.scn");
}
END_TEST

START_TEST(the_other_commands_end_without_memory)
{
  ck_assert_int_gt(each_fails("decode 0000", cmd_decode, EXIT_USAGE), 1);
  ck_assert_int_gt(each_fails("rules mpa.*", cmd_rules, EXIT_OK), 0);
  ck_assert_int_gt(each_fails("explain mpa.crc", cmd_explain, EXIT_OK), 0);
  ck_assert_int_gt(each_fails("explain rfc5044-4.4-99", cmd_explain, EXIT_USAGE), 0);
  ck_assert_int_gt(each_fails("coverage 7146", cmd_coverage, EXIT_OK), 0);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {check_ends_without_memory,
                                merge_ends_without_memory,
                                dump_ends_without_memory,
                                gen_ends_without_memory,
                                the_other_commands_end_without_memory,
                                NULL};
  return check_run(check_suite("memory", tests));
}
