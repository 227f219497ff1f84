/* SPDX-License-Identifier: BSD-2-Clause */
/* The cursors and the errors. */
#include <iwarp/version.h>
#include <string.h>

#include "base/cursor.h"
#include "check_run.h"
#include "guard.h"

static const uint8_t count[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};

START_TEST(reads_are_big_endian)
{
  rd r = rd_of(guard_in(count, sizeof count));
  ck_assert_uint_eq(rd_u8(&r), 0x01);
  ck_assert_uint_eq(rd_u64(&r), UINT64_C(0x0203040506070809));
  ck_assert(!r.bad);
  ck_assert_uint_eq(r.left, 0);
  ck_assert_uint_eq(r.used, 9);

  r = rd_of(guard_in(count, sizeof count));
  ck_assert_uint_eq(rd_u16(&r), 0x0102);
  ck_assert_uint_eq(rd_u32(&r), 0x03040506);
  r = rd_of(guard_in(count, 4));
  ck_assert_uint_eq(rd_u32le(&r), 0x04030201);
}
END_TEST

START_TEST(a_read_beyond_the_end_yields_zero)
{
  for (size_t left = 0; left < 8; left++) {
    iwarp_span in = guard_in(count, left);
    rd r = rd_of(in);
    ck_assert_uint_eq(rd_u64(&r), 0);
    ck_assert(r.bad);
    r = rd_of(in);
    ck_assert(rd_u32(&r) == 0 || left >= 4);
    r = rd_of(in);
    ck_assert(rd_u32le(&r) == 0 || left >= 4);
    r = rd_of(in);
    ck_assert(rd_u16(&r) == 0 || left >= 2);
    r = rd_of(in);
    ck_assert(rd_u8(&r) == 0 || left >= 1);
  }
}
END_TEST

START_TEST(failure_is_sticky_and_keeps_the_first_need)
{
  rd r = rd_of(guard_in(count, 5));
  rd_u32(&r);
  ck_assert_uint_eq(rd_u16(&r), 0);
  ck_assert_uint_eq(rd_u8(&r), 0); /* one octet was left, but the stream of reads is broken */
  ck_assert_ptr_null(rd_take(&r, 100));
  iwarp_dec dec = rd_result(&r);
  ck_assert_int_eq(dec.err, IWARP_ERR_NEED_MORE);
  ck_assert_uint_eq(dec.need, 6);
  ck_assert_uint_eq(dec.used, 0);
}
END_TEST

START_TEST(success_reports_the_octets_used)
{
  rd r = rd_of(guard_in(count, 5));
  rd_u32(&r);
  iwarp_dec dec = rd_result(&r);
  ck_assert_int_eq(dec.err, IWARP_OK);
  ck_assert_uint_eq(dec.used, 4);
  ck_assert_uint_eq(dec.need, 0);
}
END_TEST

START_TEST(spans_borrow_and_copies_copy)
{
  iwarp_span in = guard_in(count, 5);
  rd r = rd_of(in);
  iwarp_span span = rd_span(&r, 2);
  ck_assert_ptr_eq(span.ptr, in.ptr);
  ck_assert_uint_eq(span.len, 2);
  span = rd_upto(&r, 9);
  ck_assert_uint_eq(span.len, 3);
  span = rd_upto(&r, 9);
  ck_assert_uint_eq(span.len, 0);
  ck_assert(!r.bad);
  span = rd_span(&r, 1);
  ck_assert_ptr_null(span.ptr);
  ck_assert_uint_eq(span.len, 0);
  ck_assert(r.bad);

  uint8_t four[4] = {0xAA, 0xAA, 0xAA, 0xAA};
  r = rd_of(in);
  rd_octets(&r, four, sizeof four, 0);
  ck_assert_uint_eq(four[0], 0xAA);
  rd one = r;
  rd_octets(&one, four, sizeof four, 1);
  ck_assert_uint_eq(four[0], 1);
  rd_array(&r, four);
  ck_assert_mem_eq(four, count, 4);
  rd_front(&r, four, 2);
  ck_assert_mem_eq(four, "\0\0\3\4", 4);
}
END_TEST

START_TEST(nothing_can_be_read_from_nowhere)
{
  rd r = rd_of((iwarp_span){0});
  iwarp_span span = rd_span(&r, 0);
  ck_assert_ptr_null(span.ptr);
  ck_assert(!r.bad);
  ck_assert_uint_eq(rd_u8(&r), 0);
  ck_assert_uint_eq(rd_result(&r).need, 1);
}
END_TEST

static void write_all(wr *w) {
  wr_u8(w, 0x01);
  wr_u16(w, 0x0203);
  wr_u32(w, 0x04050607);
  wr_u64(w, UINT64_C(0x08090A0B0C0D0E0F));
  wr_u32le(w, 0x13121110);
  wr_span(w, (iwarp_span){.ptr = count, .len = 2});
  wr_span(w, (iwarp_span){0});
}

START_TEST(writes_fill_exactly_what_was_announced)
{
  static const uint8_t want[21] = {1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11,
                                   12, 13, 14, 15, 16, 17, 18, 19, 1, 2};
  uint8_t *dst = guard_out(21);
  wr w = wr_of(dst, 21, 21);
  write_all(&w);
  size_t len = 0;
  ck_assert_uint_eq(wr_written(&w).len, 21);
  ck_assert_ptr_eq(wr_written(&w).ptr, dst);
  ck_assert_int_eq(wr_end(&w, &len), IWARP_OK);
  ck_assert_uint_eq(len, 21);
  ck_assert_mem_eq(dst, want, 21);
}
END_TEST

START_TEST(too_small_a_destination_stays_untouched)
{
  for (size_t cap = 0; cap < 21; cap++) {
    uint8_t *dst = guard_out(cap);
    wr w = wr_of(dst, cap, 21);
    write_all(&w);
    size_t len = 0;
    ck_assert_uint_eq(wr_written(&w).len, 0);
    ck_assert_int_eq(wr_end(&w, &len), IWARP_ERR_NOBUF);
    ck_assert_uint_eq(len, 21);
    for (size_t i = 0; i < cap; i++) {
      ck_assert_uint_eq(dst[i], 0xA5);
    }
  }
}
END_TEST

START_TEST(no_destination_asks_for_the_size)
{
  wr w = wr_of(NULL, 0, 21);
  write_all(&w);
  size_t len = 0;
  ck_assert_int_eq(wr_end(&w, &len), IWARP_OK);
  ck_assert_uint_eq(len, 21);
  w = wr_of(NULL, 21, 21); /* a size without memory is no memory */
  write_all(&w);
  ck_assert_int_eq(wr_end(&w, &len), IWARP_OK);
}
END_TEST

START_TEST(more_than_announced_is_not_written)
{
  uint8_t *dst = guard_out(4);
  wr w = wr_of(dst, 4, 3);
  wr_u16(&w, 1);
  wr_u16(&w, 2);
  wr_u8(&w, 3); /* nor what would fit again */
  size_t len = 0;
  ck_assert_int_eq(wr_end(&w, &len), IWARP_ERR_NOBUF);
  ck_assert_uint_eq(len, 5);
  ck_assert_uint_eq(dst[2], 0xA5);
}
END_TEST

START_TEST(the_count_does_not_wrap)
{
  wr w = wr_of(NULL, 0, 0);
  wr_u8(&w, 1);
  wr_span(&w,
          (iwarp_span){.ptr = count, .len = SIZE_MAX}); /* never looked at: nothing is written */
  wr_u8(&w, 1);
  size_t len = 0;
  wr_end(&w, &len);
  ck_assert_uint_eq(len, SIZE_MAX);
  uint8_t dst[1] = {0xA5};
  w = wr_of(dst, SIZE_MAX, SIZE_MAX); /* not even where the caller says that there is room */
  wr_span(&w, (iwarp_span){.ptr = count, .len = SIZE_MAX});
  wr_move(&w, (iwarp_span){.ptr = count, .len = SIZE_MAX});
  ck_assert_uint_eq(dst[0], 0xA5);
}
END_TEST

START_TEST(the_version_is_that_of_the_headers)
{ ck_assert_str_eq(iwarp_version(), IWARP_VERSION_STRING); }
END_TEST

typedef struct err_want {
  iwarp_err err;
  int value;
  enum iwarp_err_class cls;
  const char *name;
} err_want;

/* The numbers are part of the API: written out, not taken from the list. */
static const err_want err_wants[] = {
    {IWARP_OK, 0, IWARP_ERR_CLASS_OK, "IWARP_OK"},
    {IWARP_ERR_NEED_MORE, 1, IWARP_ERR_CLASS_FLOW, "IWARP_ERR_NEED_MORE"},
    {IWARP_ERR_END, 2, IWARP_ERR_CLASS_FLOW, "IWARP_ERR_END"},
    {IWARP_ERR_ARG, -1, IWARP_ERR_CLASS_CALLER, "IWARP_ERR_ARG"},
    {IWARP_ERR_STATE, -2, IWARP_ERR_CLASS_CALLER, "IWARP_ERR_STATE"},
    {IWARP_ERR_NOBUF, -3, IWARP_ERR_CLASS_CALLER, "IWARP_ERR_NOBUF"},
    {IWARP_ERR_ORD, -4, IWARP_ERR_CLASS_CALLER, "IWARP_ERR_ORD"},
    {IWARP_ERR_MPA_KEY, -101, IWARP_ERR_CLASS_MPA, "IWARP_ERR_MPA_KEY"},
    {IWARP_ERR_MPA_REV, -102, IWARP_ERR_CLASS_MPA, "IWARP_ERR_MPA_REV"},
    {IWARP_ERR_MPA_PD_LENGTH, -103, IWARP_ERR_CLASS_MPA, "IWARP_ERR_MPA_PD_LENGTH"},
    {IWARP_ERR_MPA_ENHANCED, -104, IWARP_ERR_CLASS_MPA, "IWARP_ERR_MPA_ENHANCED"},
    {IWARP_ERR_MPA_CRC, -105, IWARP_ERR_CLASS_MPA, "IWARP_ERR_MPA_CRC"},
    {IWARP_ERR_MPA_MARKER, -106, IWARP_ERR_CLASS_MPA, "IWARP_ERR_MPA_MARKER"},
    {IWARP_ERR_MPA_ULPDU_LENGTH, -107, IWARP_ERR_CLASS_MPA, "IWARP_ERR_MPA_ULPDU_LENGTH"},
    {IWARP_ERR_DDP_SHORT, -201, IWARP_ERR_CLASS_DDP, "IWARP_ERR_DDP_SHORT"},
    {IWARP_ERR_RDMAP_SHORT, -301, IWARP_ERR_CLASS_RDMAP, "IWARP_ERR_RDMAP_SHORT"},
    {IWARP_ERR_RDMAP_LONG, -302, IWARP_ERR_CLASS_RDMAP, "IWARP_ERR_RDMAP_LONG"},
    {IWARP_ERR_RDMAP_TERM_TRUNCATED, -303, IWARP_ERR_CLASS_RDMAP, "IWARP_ERR_RDMAP_TERM_TRUNCATED"},
    {IWARP_ERR_RDMAP_TERM_HDRCT, -304, IWARP_ERR_CLASS_RDMAP, "IWARP_ERR_RDMAP_TERM_HDRCT"},
    {IWARP_ERR_FLUSHED, -401, IWARP_ERR_CLASS_CONNECTION, "IWARP_ERR_FLUSHED"},
    {IWARP_ERR_REFUSED, -402, IWARP_ERR_CLASS_CONNECTION, "IWARP_ERR_REFUSED"},
    {IWARP_ERR_TERMINATED, -403, IWARP_ERR_CLASS_CONNECTION, "IWARP_ERR_TERMINATED"},
    {IWARP_ERR_FAULT, -404, IWARP_ERR_CLASS_CONNECTION, "IWARP_ERR_FAULT"},
    {IWARP_ERR_EOF, -405, IWARP_ERR_CLASS_CONNECTION, "IWARP_ERR_EOF"},
    {IWARP_ERR_LOST, -406, IWARP_ERR_CLASS_CONNECTION, "IWARP_ERR_LOST"},
    {IWARP_ERR_TIMEOUT, -407, IWARP_ERR_CLASS_CONNECTION, "IWARP_ERR_TIMEOUT"},
    {IWARP_ERR_ABORTED, -408, IWARP_ERR_CLASS_CONNECTION, "IWARP_ERR_ABORTED"},
};

START_TEST(errors_have_their_value_name_and_class)
{
  size_t listed = 1; /* IWARP_OK */
#define COUNT_ERR(name, value, cls, sentence) listed++;
  IWARP_ERR_MAP(COUNT_ERR)
  ck_assert_uint_eq(listed, sizeof err_wants / sizeof err_wants[0]);
  for (size_t i = 0; i < listed; i++) {
    const err_want *want = &err_wants[i];
    ck_assert_msg((int)want->err == want->value, "%s has another value", want->name);
    ck_assert_str_eq(iwarp_errname(want->err), want->name);
    ck_assert_msg(iwarp_err_class(want->err) == want->cls, "%s has another class", want->name);
    const char *sentence = iwarp_strerror(want->err);
    ck_assert_msg(strlen(sentence) > 5 && sentence[strlen(sentence) - 1] != '.', "%s: %s",
                  want->name, sentence);
  }
}
END_TEST

START_TEST(a_number_that_is_no_error_is_the_callers)
{
  iwarp_err odd[] = {(iwarp_err)3, (iwarp_err)-5, (iwarp_err)-100, (iwarp_err)-999};
  for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
    ck_assert_int_eq(iwarp_err_class(odd[i]), IWARP_ERR_CLASS_CALLER);
    ck_assert_str_eq(iwarp_errname(odd[i]), "IWARP_ERR_UNKNOWN");
    ck_assert_str_eq(iwarp_strerror(odd[i]), "unknown error");
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {reads_are_big_endian,
                                a_read_beyond_the_end_yields_zero,
                                failure_is_sticky_and_keeps_the_first_need,
                                success_reports_the_octets_used,
                                spans_borrow_and_copies_copy,
                                nothing_can_be_read_from_nowhere,
                                writes_fill_exactly_what_was_announced,
                                too_small_a_destination_stays_untouched,
                                no_destination_asks_for_the_size,
                                more_than_announced_is_not_written,
                                the_count_does_not_wrap,
                                errors_have_their_value_name_and_class,
                                a_number_that_is_no_error_is_the_callers,
                                the_version_is_that_of_the_headers,
                                NULL};
  return check_run(check_suite("base", tests));
}
