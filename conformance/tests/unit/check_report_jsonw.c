/* SPDX-License-Identifier: BSD-2-Clause */
/* The JSON writer and the output buffer below it. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <report/jsonw.h>

#include "check_run.h"

static out_buf text;

static const char *written(void) {
  out_char(&text, '\0');
  return text.buf;
}

static jsonw begin(void) {
  out_close(&text);
  out_open_memory(&text);
  return (jsonw){.out = &text};
}

START_TEST(values_are_separated_by_commas)
{
  jsonw w = begin();
  jsonw_object(&w, NULL);
  jsonw_u64(&w, "a", 1);
  jsonw_object(&w, "b");
  jsonw_end_object(&w);
  jsonw_array(&w, "c");
  jsonw_u64(&w, NULL, 2);
  jsonw_bool(&w, NULL, true);
  jsonw_object(&w, NULL);
  jsonw_bool(&w, "d", false);
  jsonw_end_object(&w);
  jsonw_end_array(&w);
  jsonw_text(&w, "e", "f");
  jsonw_end_object(&w);
  jsonw_end_line(&w);
  jsonw_object(&w, NULL);
  jsonw_end_object(&w);
  ck_assert_str_eq(written(), "{\"a\":1,\"b\":{},\"c\":[2,true,{\"d\":false}],\"e\":\"f\"}\n{}");
}
END_TEST

START_TEST(large_numbers_are_hex_of_a_fixed_width)
{
  jsonw w = begin();
  jsonw_hex32(&w, NULL, 0xbeef);
  jsonw_hex64(&w, NULL, 0x1000);
  jsonw_hex64(&w, NULL, UINT64_MAX);
  ck_assert_str_eq(written(), "\"0x0000beef\",\"0x0000000000001000\",\"0xffffffffffffffff\"");
}
END_TEST

START_TEST(numbers_of_every_length_are_decimal)
{
  jsonw w = begin();
  jsonw_u64(&w, NULL, 0);
  jsonw_u64(&w, NULL, 9);
  jsonw_u64(&w, NULL, 10);
  jsonw_u64(&w, NULL, UINT64_MAX);
  ck_assert_str_eq(written(), "0,9,10,18446744073709551615");
}
END_TEST

START_TEST(time_has_nine_decimals)
{
  jsonw w = begin();
  jsonw_time(&w, NULL, 0);
  jsonw_time(&w, NULL, UINT64_C(1000000001));
  jsonw_time(&w, NULL, UINT64_MAX);
  ck_assert_str_eq(written(), "\"0.000000000\",\"1.000000001\",\"18446744073.709551615\"");
}
END_TEST

START_TEST(octets_are_lower_case_hex)
{
  const uint8_t octets[] = {0x00, 0xAB, 0xFF};
  jsonw w = begin();
  jsonw_octets(&w, NULL, octets, sizeof octets);
  jsonw_octets(&w, NULL, NULL, 0);
  ck_assert_str_eq(written(), "\"00abff\",\"\"");
}
END_TEST

typedef struct escape_case {
  const char *in;
  size_t len;
  const char *out;
} escape_case;

static const escape_case escapes[] = {
    {"", 0, "\"\""},
    {"plain", 5, "\"plain\""},
    {"\"\\/", 3, "\"\\\"\\\\/\""},
    {"\b\f\n\r\t", 5, "\"\\b\\f\\n\\r\\t\""},
    {"\x01\x1f\x7f", 3, "\"\\u0001\\u001f\\u007f\""},
    {"a\0b", 3, "\"a\\u0000b\""},
    {"\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0", 8, "\"\\u0080\\u009b\\u009f\xc2\xa0\""},
    {"\xc3\xa9", 2, "\"\xc3\xa9\""},
    {"\xe2\x82\xac", 3, "\"\xe2\x82\xac\""},
    {"\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xae\xe2\x80\xaf", 12,
     "\"\xe2\x80\xa7\\u2028\\u202e\xe2\x80\xaf\""},
    {"\xe2\x81\xa5\xe2\x81\xa6\xe2\x81\xa9\xe2\x81\xaa", 12,
     "\"\xe2\x81\xa5\\u2066\\u2069\xe2\x81\xaa\""},
    {"\xf0\x9f\x98\x80", 4, "\"\xf0\x9f\x98\x80\""},
    {"\xf4\x8f\xbf\xbf", 4, "\"\xf4\x8f\xbf\xbf\""},
    /* what is no UTF-8: RFC 3629 3 */
    {"\x80", 1, "\"\\ufffd\""},
    {"\xff", 1, "\"\\ufffd\""},
    {"\xc3", 1, "\"\\ufffd\""},
    {"\xc3(", 2, "\"\\ufffd(\""},
    {"\xc0\xaf", 2, "\"\\ufffd\\ufffd\""},
    {"\xe0\x80\xaf", 3, "\"\\ufffd\\ufffd\\ufffd\""},
    {"\xed\xa0\x80", 3, "\"\\ufffd\\ufffd\\ufffd\""},
    {"\xf0\x80\x80\xaf", 4, "\"\\ufffd\\ufffd\\ufffd\\ufffd\""},
    {"\xf4\x90\x80\x80", 4, "\"\\ufffd\\ufffd\\ufffd\\ufffd\""},
    {"\xe2\x82", 2, "\"\\ufffd\\ufffd\""},
};

START_TEST(strings_are_escaped_and_valid_utf8)
{
  const escape_case *c = &escapes[_i];
  jsonw w = begin();
  jsonw_string(&w, NULL, c->in, c->len);
  ck_assert_str_eq(written(), c->out);
}
END_TEST

START_TEST(an_out_buf_before_a_descriptor_writes_everything_in_order)
{
  char got[64] = "";
  int ends[2];
  out_buf s;
  ck_assert_int_eq(pipe(ends), 0);
  ck_assert(out_open_fd(&s, ends[1]));
  out_str(&s, "one ");
  out_flush(&s);
  out_flush(&s);
  out_str(&s, "two");
  out_flush(&s);
  ck_assert_int_eq(s.error, 0);
  out_close(&s);
  close(ends[1]);
  ck_assert_int_eq(read(ends[0], got, sizeof got - 1), 7);
  ck_assert_str_eq(got, "one two");
  close(ends[0]);
}
END_TEST

START_TEST(an_out_buf_larger_than_its_buffer_loses_nothing)
{
  char path[] = "out-XXXXXX";
  const int fd = mkstemp(path);
  out_buf s;
  ck_assert_int_ge(fd, 0);
  unlink(path);
  ck_assert(out_open_fd(&s, fd));
  for (int i = 0; i < 100000; i++) {
    out_str(&s, "0123456789");
  }
  out_flush(&s);
  out_close(&s);
  ck_assert_int_eq(lseek(fd, 0, SEEK_END), 1000000);
  close(fd);
}
END_TEST

START_TEST(a_write_that_fails_is_remembered_and_ends_the_writing)
{
  out_buf s;
  const int fd = open("/dev/null", O_RDONLY);
  ck_assert_int_ge(fd, 0);
  ck_assert(out_open_fd(&s, fd));
  out_str(&s, "x");
  out_flush(&s);
  ck_assert_int_eq(s.error, EBADF);
  out_str(&s, "y");
  out_flush(&s);
  ck_assert_int_eq(s.error, EBADF);
  out_close(&s);
  close(fd);
}
END_TEST

static int hook_calls;

static void hook(void *ctx) {
  hook_calls += *(int *)ctx;
}

START_TEST(the_hook_runs_before_octets_leave_and_only_then)
{
  int step = 1;
  out_buf s;
  const int fd = open("/dev/null", O_WRONLY);
  hook_calls = 0;
  ck_assert(out_open_fd(&s, fd));
  s.before_write = hook;
  s.ctx = &step;
  out_flush(&s);
  ck_assert_int_eq(hook_calls, 0);
  out_char(&s, 'x');
  out_flush(&s);
  ck_assert_int_eq(hook_calls, 1);
  out_close(&s);
  close(fd);
}
END_TEST

static void wrapped_at(size_t columns, const char *in, const char *wanted) {
  out_buf lines;
  begin();
  out_open_memory(&lines);
  out_str(&lines, in);
  out_wrapped(&text, &lines, columns);
  out_close(&lines);
  ck_assert_str_eq(written(), wanted);
}

START_TEST(lines_are_wrapped_to_the_width_of_a_terminal)
{
  wrapped_at(8, "12345678\n", "12345678\n");
  wrapped_at(8, "123 456 789\nx\n", "123 456 \n789\nx\n");
  wrapped_at(4, "123456789", "1234\n5678\n9\n");
  wrapped_at(30, "    aaaa bbbb cccc dddd eeee ffff gggg\n",
             "    aaaa bbbb cccc dddd eeee \n            ffff gggg\n");
  wrapped_at(3, "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\n", "\xc3\xa9\xc3\xa9\xc3\xa9\n\xc3\xa9\n");
  wrapped_at(2, "    abc\n", "    ab\nc\n");
  wrapped_at(3, "", "");
}
END_TEST

START_TEST(numbers_are_aligned_to_the_right)
{
  begin();
  out_u64_width(&text, 7, 3);
  out_u64_width(&text, 1234, 3);
  out_fill(&text, '-', 2);
  ck_assert_str_eq(written(), "  71234--");
}
END_TEST

START_TEST(time_is_cut_to_microseconds_on_demand)
{
  begin();
  out_time(&text, UINT64_C(1500000999), 6);
  ck_assert_str_eq(written(), "1.500000");
}
END_TEST

START_TEST(octets_may_be_separated)
{
  const uint8_t octets[] = {0x01, 0x02, 0x03};
  begin();
  out_octets(&text, octets, sizeof octets, ' ');
  ck_assert_str_eq(written(), "01 02 03");
}
END_TEST

int main(void) {
  const TTest *const tests[] = {values_are_separated_by_commas,
                                large_numbers_are_hex_of_a_fixed_width,
                                numbers_of_every_length_are_decimal,
                                time_has_nine_decimals,
                                octets_are_lower_case_hex,
                                an_out_buf_before_a_descriptor_writes_everything_in_order,
                                an_out_buf_larger_than_its_buffer_loses_nothing,
                                a_write_that_fails_is_remembered_and_ends_the_writing,
                                the_hook_runs_before_octets_leave_and_only_then,
                                lines_are_wrapped_to_the_width_of_a_terminal,
                                numbers_are_aligned_to_the_right,
                                time_is_cut_to_microseconds_on_demand,
                                octets_may_be_separated,
                                NULL};
  Suite *suite = check_suite("jsonw", tests);
  TCase *loop = tcase_create("escapes");
  tcase_add_loop_test(loop, strings_are_escaped_and_valid_utf8, 0,
                      sizeof escapes / sizeof escapes[0]);
  suite_add_tcase(suite, loop);
  return check_run(suite);
}
