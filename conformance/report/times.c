/* SPDX-License-Identifier: BSD-2-Clause */
/* Times as text: spans in seconds, dates of the Gregorian calendar in UTC. */
#include <report/times.h>

#define TIME_SECOND UINT64_C(1000000000)
#define TIME_DAY UINT64_C(86400)

uint64_t report_clock_before(const report_clock *clock, const char *file) {
  return clock->last_file == file ? clock->last_ns : *clock->capture_ns;
}

void report_clock_note(report_clock *clock, const char *file, uint64_t ns) {
  clock->last_file = file;
  clock->last_ns = ns;
}

void report_span_put(out_buf *s, uint64_t ns) {
  out_time(s, ns, ns % 1000 == 0 ? 6 : 9);
}

void report_since_put(out_buf *s, uint64_t from_ns, uint64_t to_ns) {
  const bool back = to_ns < from_ns;
  out_str(s, back ? "-" : "");
  report_span_put(s, back ? from_ns - to_ns : to_ns - from_ns);
}

static void time_two(out_buf *s, uint64_t v, char after) {
  out_char(s, (char)('0' + v / 10 % 10));
  out_char(s, (char)('0' + v % 10));
  out_char(s, after);
}

/* Days since the epoch as a date of the Gregorian calendar, with years that begin in March. */
static void time_date(out_buf *s, uint64_t days) {
  const uint64_t since = days + 719468; /* days from 0000-03-01 to 1970-01-01 */
  const uint64_t era = since / 146097;
  const uint64_t of_era = since % 146097;
  const uint64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  const uint64_t day = of_era - (365 * year + year / 4 - year / 100);
  const uint64_t month = (5 * day + 2) / 153; /* 0: March */
  const uint64_t number = month < 10 ? month + 3 : month - 9;
  out_u64(s, year + era * 400 + (number <= 2 ? 1 : 0));
  out_char(s, '-');
  time_two(s, number, '-');
  time_two(s, day - (153 * month + 2) / 5 + 1, ' ');
}

void report_date_put(out_buf *s, uint64_t ns) {
  const uint64_t seconds = ns / TIME_SECOND;
  const uint64_t of_day = seconds % TIME_DAY;
  time_date(s, seconds / TIME_DAY);
  time_two(s, of_day / 3600, ':');
  time_two(s, of_day / 60 % 60, ':');
  if (of_day % 60 < 10) {
    out_char(s, '0');
  }
  report_span_put(s, of_day % 60 * TIME_SECOND + ns % TIME_SECOND);
  out_str(s, " UTC");
}
