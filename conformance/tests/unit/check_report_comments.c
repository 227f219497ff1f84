/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts about frames come back in the order of the frames, however they were added; pcapng. */
#define _POSIX_C_SOURCE 200809L

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include <report/comments.h>
#include <report/pcapng.h>

#include "check_run.h"

static out_buf text;

static void add(report_comments *c, uint64_t frame, unsigned int number) {
  char line[32];
  snprintf(line, sizeof line, "%u", number);
  report_comments_add(c, frame, line, strlen(line));
}

static unsigned int number_of(void) {
  unsigned int number = 0;
  out_char(&text, '\0');
  ck_assert_int_eq(sscanf(text.buf, "%u", &number), 1);
  return number;
}

/* More than are sorted in memory, in three runs. */
START_TEST(texts_come_in_the_order_of_frames)
{
  enum { MANY = 40000, FRAMES = 997 };
  report_comments *c = report_comments_new();
  out_open_memory(&text);
  ck_assert_ptr_nonnull(c);
  for (unsigned int i = 0; i < MANY; i++) {
    add(c, 1 + (uint64_t)i * 7919 % FRAMES, i);
  }
  ck_assert(report_comments_sort(c));
  unsigned int seen = 0;
  for (uint64_t frame = 1; frame <= FRAMES; frame++) {
    unsigned int before = 0;
    for (unsigned int n = 0; report_comments_next(c, frame, &text); n++) {
      const unsigned int number = number_of();
      ck_assert_uint_eq(1 + (uint64_t)number * 7919 % FRAMES, frame);
      ck_assert(n == 0 || number > before);
      before = number;
      seen++;
    }
  }
  ck_assert_uint_eq(seen, MANY);
  ck_assert(!report_comments_next(c, UINT64_MAX, &text));
  ck_assert(!report_comments_failed(c));
  report_comments_free(c);
  out_close(&text);
}
END_TEST

/* The texts of this frame that come back are the first ones; returns how many were omitted. */
static uint64_t first_texts(report_comments *c, uint64_t frame, unsigned int step) {
  unsigned int n = 0;
  unsigned int before = 0;
  while (report_comments_next(c, frame, &text)) {
    const unsigned int number = number_of();
    ck_assert(n == 0 || number >= before + step);
    before = number;
    n++;
  }
  ck_assert_uint_eq(n, REPORT_COMMENTS_OF_FRAME);
  return report_comments_omitted(c);
}

/* Two frames take turns, so that no single count of the latest frame would do. */
START_TEST(texts_beyond_the_limit_of_a_frame_are_counted_and_not_written)
{
  enum { EACH = 100000, FILE_MAX = 64 * 1024 };
  struct rlimit before;
  report_comments *c = report_comments_new();
  ck_assert_ptr_nonnull(c);
  out_open_memory(&text);
  ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
  (void)signal(SIGXFSZ, SIG_IGN);
  const struct rlimit now = {.rlim_cur = FILE_MAX, .rlim_max = before.rlim_max};
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &now), 0);
  for (unsigned int i = 0; i < 2 * EACH; i++) {
    add(c, 7 + i % 2, i);
  }
  const bool sorted = report_comments_sort(c);
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
  ck_assert(sorted);
  ck_assert_uint_eq(first_texts(c, 7, 2), EACH - REPORT_COMMENTS_OF_FRAME);
  ck_assert_uint_eq(first_texts(c, 8, 2), EACH - REPORT_COMMENTS_OF_FRAME);
  ck_assert(!report_comments_next(c, 9, &text));
  ck_assert_uint_eq(report_comments_omitted(c), 0);
  ck_assert(!report_comments_failed(c));
  report_comments_free(c);
  out_close(&text);
}
END_TEST

/* So many frames that several runs hold texts of each one. */
START_TEST(the_limit_of_a_frame_holds_across_runs)
{
  enum { FRAMES = 100, EACH = 700 };
  report_comments *c = report_comments_new();
  ck_assert_ptr_nonnull(c);
  out_open_memory(&text);
  for (unsigned int i = 0; i < FRAMES * EACH; i++) {
    add(c, 1 + i % FRAMES, i);
  }
  ck_assert(report_comments_sort(c));
  for (uint64_t frame = 1; frame <= FRAMES; frame++) {
    ck_assert_uint_eq(first_texts(c, frame, FRAMES), EACH - REPORT_COMMENTS_OF_FRAME);
  }
  report_comments_free(c);
  out_close(&text);
}
END_TEST

START_TEST(no_texts_are_a_list_too)
{
  report_comments *c = report_comments_new();
  out_open_memory(&text);
  ck_assert(report_comments_sort(c));
  ck_assert(!report_comments_next(c, 1, &text));
  report_comments_free(c);
  report_comments_free(NULL);
  out_close(&text);
}
END_TEST

START_TEST(blocks_are_padded_and_give_their_length_twice)
{
  static const uint8_t octets[5] = {1, 2, 3, 4, 5};
  static const char wanted[] = "\x06\0\0\0\x34\0\0\0"
                               "\0\0\0\0\x01\0\0\0\x02\0\0\0\x05\0\0\0\x09\0\0\0"
                               "\x01\x02\x03\x04\x05\0\0\0"
                               "\x01\0\x03\0abc\0\0\0\0\0\x34\0\0\0";
  const report_pcapng_packet packet = {
      .octets = octets, .captured = 5, .length = 9, .time_ns = UINT64_C(0x100000002)};
  out_buf options;
  out_open_memory(&text);
  out_open_memory(&options);
  report_pcapng_comment(&options, "abc", 3);
  report_pcapng_packet_put(&text, &packet, &options);
  ck_assert_uint_eq(text.len, sizeof wanted - 1);
  ck_assert_mem_eq(text.buf, wanted, text.len);
  out_clear(&text);
  out_clear(&options);
  report_pcapng_packet_put(&text, &packet, &options);
  ck_assert_uint_eq(text.len, 12u + 20u + 8u);
  out_close(&options);
  out_close(&text);
}
END_TEST

START_TEST(a_comment_that_does_not_fit_is_cut)
{
  static char line[REPORT_PCAPNG_COMMENT_MAX + 10];
  out_open_memory(&text);
  memset(line, 'a', sizeof line);
  report_pcapng_comment(&text, line, sizeof line);
  ck_assert_uint_eq(text.len, 4 + REPORT_PCAPNG_COMMENT_MAX + 1);
  ck_assert_mem_eq(text.buf, "\x01\0\xff\xff", 4);
  out_close(&text);
}
END_TEST

START_TEST(raw_ip_has_the_number_of_files)
{
  out_open_memory(&text);
  report_pcapng_begin(&text, NULL);
  report_pcapng_interface(&text, 12);
  ck_assert_mem_eq(text.buf + text.len - 4 - 20, "\x65\0\0\0\0\0\0\0", 8);
  out_close(&text);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {texts_come_in_the_order_of_frames,
                                texts_beyond_the_limit_of_a_frame_are_counted_and_not_written,
                                the_limit_of_a_frame_holds_across_runs,
                                no_texts_are_a_list_too,
                                blocks_are_padded_and_give_their_length_twice,
                                a_comment_that_does_not_fit_is_cut,
                                raw_ip_has_the_number_of_files,
                                NULL};
  return check_run(check_suite("comments", tests));
}
