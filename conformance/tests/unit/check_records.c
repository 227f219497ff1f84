/* SPDX-License-Identifier: BSD-2-Clause */
/* Captures of the repository as records. */
#define _POSIX_C_SOURCE 200809L

#include <records/records.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check_run.h"

#define REAL "pcaps/real/siw/big-write-read.pcap"
#define SCTP "pcaps/synthetic/sctp/sessions.pcap"
#define DEFECTS "pcaps/synthetic/wireshark-defects/t21.pcap"
#define OTHER "pcaps/synthetic/traffic/no-iwarp.pcap"

static records *opened(const records_cfg *cfg) {
  char error[RECORDS_ERROR_LEN];
  records *r = records_open(cfg, error);
  ck_assert_msg(r != NULL, "%s: %s", cfg->path, error);
  return r;
}

static records_result next(records *r) {
  records_result result = RECORDS_AGAIN;
  while (result == RECORDS_AGAIN) {
    result = records_next(r);
  }
  return result;
}

/* Takes all connections; the first one is returned. */
static records_conn *only(records *r, size_t *num) {
  records_conn *first = NULL;
  *num = 0;
  while (next(r) == RECORDS_READY) {
    records_conn *c = records_take(r);
    ck_assert_ptr_nonnull(c);
    if ((*num)++ == 0) {
      first = c;
    } else {
      records_conn_free(c);
    }
  }
  ck_assert_ptr_null(records_take(r));
  return first;
}

START_TEST(a_connection_comes_with_findings_verdicts_and_an_outcome)
{
  size_t num = 0;
  records *r = opened(&(records_cfg){.path = DEFECTS});
  records_conn *c = only(r, &num);
  ck_assert_uint_eq(num, 1);
  ck_assert_uint_gt(c->num_findings, 1);
  ck_assert_uint_eq(c->num_verdicts, iwarp_rule_count());
  for (size_t i = 0; i < c->num_findings; i++) {
    const records_finding *f = &c->findings[i];
    ck_assert_ptr_nonnull(f->message);
    ck_assert_ptr_nonnull(f->where);
    ck_assert_ptr_nonnull(f->severity);
    ck_assert_uint_ne(c->verdicts[f->rule->id].result.num_fail, 0);
  }
  ck_assert_ptr_nonnull(c->outcome);
  ck_assert_ptr_eq(c->conn.info, &c->info);
  ck_assert_str_ne(c->conn.addr[0], "");
  ck_assert_ptr_null(records_error(r));
  records_close(r);
  records_conn_free(c); /* it outlives the records */
}
END_TEST

START_TEST(findings_beyond_the_limit_are_counted)
{
  size_t num = 0;
  records *r = opened(&(records_cfg){.path = DEFECTS, .findings_max = 3});
  records_conn *c = only(r, &num);
  ck_assert_uint_eq(c->num_findings, 3);
  ck_assert_uint_gt(c->left_out, 0);
  records_conn_free(c);
  records_close(r);
}
END_TEST

START_TEST(a_failed_connection_has_a_diagnosis)
{
  size_t num = 0;
  records *r = opened(&(records_cfg){.path = "pcaps/synthetic/sctp/terminate.pcap"});
  records_conn *c = only(r, &num);
  ck_assert(c->info.sctp);
  records_conn_free(c);
  records_close(r);
  r = opened(&(records_cfg){.path = "pcaps/real/siw/all-bad.pcap"});
  c = only(r, &num);
  ck_assert_uint_eq(c->num_diagnoses, 1);
  ck_assert_str_eq(c->diagnoses[0].row->id, "packets-lost");
  ck_assert_ptr_nonnull(strstr(c->diagnoses[0].text, "sent again"));
  ck_assert(!c->failed);
  records_conn_free(c);
  records_close(r);
}
END_TEST

START_TEST(a_capture_without_iwarp_lists_its_connections)
{
  size_t num = 0;
  records_summary s;
  records *r = opened(&(records_cfg){.path = OTHER});
  ck_assert_ptr_null(only(r, &num));
  records_summary_get(&s, r);
  ck_assert_uint_eq(s.connections, 0);
  ck_assert_uint_gt(s.packets, 0);
  ck_assert_uint_gt(s.num_transports, 0);
  ck_assert_ptr_nonnull(s.transports[0].state);
  ck_assert_ptr_null(s.transports[0].transport.streams);
  records_close(r);
}
END_TEST

static const records_column *column(const records_batch *b, const char *name) {
  for (size_t i = 0; i < b->num_columns; i++) {
    if (strcmp(b->columns[i].name, name) == 0) {
      return &b->columns[i];
    }
  }
  ck_abort_msg("no column %s", name);
  return NULL;
}

/* Rows are counted, and the sum of a field with 16 bits. */
static uint64_t sum_of(const records_cfg *cfg, size_t *rows, const char *name) {
  uint64_t sum = 0;
  records *r = opened(cfg);
  *rows = 0;
  while (next(r) == RECORDS_READY) {
    const records_batch *b = records_batch_get(r);
    const records_column *c = column(b, name);
    ck_assert_uint_gt(b->num, 0);
    ck_assert_uint_gt(b->num_ends, 0);
    *rows += b->num;
    for (size_t i = 0; c->any && i < b->num; i++) {
      sum += c->missing[i] ? 0 : ((const uint16_t *)c->values)[i];
    }
  }
  records_close(r);
  return sum;
}

START_TEST(the_rows_do_not_depend_on_the_size_of_a_batch)
{
  static const char *const paths[] = {REAL, SCTP, DEFECTS};
  for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
    size_t many = 0;
    size_t few = 0;
    const char *field = i == 1 ? "sctp_segment.ssn" : "fpdu.ulpdu_length";
    const uint64_t sum =
        sum_of(&(records_cfg){.want = RECORDS_PDUS, .path = paths[i]}, &many, field);
    ck_assert_uint_gt(sum, 0);
    ck_assert_uint_eq(
        sum_of(&(records_cfg){.want = RECORDS_PDUS, .path = paths[i], .rows = 1, .octets = true},
               &few, field),
        sum);
    ck_assert_uint_eq(few, many);
  }
}
END_TEST

START_TEST(octets_of_a_row_are_those_of_its_pdu)
{
  records *r = opened(&(records_cfg){.want = RECORDS_PDUS, .path = REAL, .octets = true});
  uint64_t before = 0;
  ck_assert_int_eq(next(r), RECORDS_READY);
  const records_batch *b = records_batch_get(r);
  const records_column *length = column(b, "length");
  const records_column *kind = column(b, "kind");
  for (size_t i = 0; i < b->num; i++) {
    ck_assert_uint_eq(b->octets_ends[i] - before, ((const uint64_t *)length->values)[i]);
    before = b->octets_ends[i];
  }
  ck_assert_str_eq(kind->names[((const uint8_t *)kind->values)[0]], "mpa-request");
  ck_assert_mem_eq(b->octets, "MPA ID Req Frame", 16);
  ck_assert_str_eq(b->ends[0].addr[0], "10.7.0.2:51787");
  ck_assert_int_eq(next(r), RECORDS_END);
  records_close(r);
}
END_TEST

START_TEST(figures_come_with_series_and_intervals)
{
  size_t num = 0;
  records *r = opened(&(records_cfg){
      .want = RECORDS_FIGURES, .path = REAL, .series = true, .interval_ns = 1000000});
  records_conn *c = only(r, &num);
  ck_assert_uint_eq(num, 1);
  ck_assert_ptr_nonnull(c->figures);
  ck_assert_uint_eq(c->figures->packets, 769);
  ck_assert_uint_gt(c->num_intervals, 1);
  ck_assert(!c->intervals_cut);
  ck_assert_uint_gt(c->figures->side[c->first].plots.latency.num, 0);
  ck_assert_uint_eq(c->num_verdicts, 0);
  records_conn_free(c);
  records_close(r);
  r = opened(&(records_cfg){.want = RECORDS_FIGURES, .path = SCTP});
  c = only(r, &num);
  ck_assert_uint_gt(num, 1);
  ck_assert_ptr_nonnull(c->figures);
  records_conn_free(c);
  records_close(r);
}
END_TEST

START_TEST(records_that_are_left_early_give_all_back)
{
  static const char *const paths[] = {REAL, SCTP, DEFECTS, OTHER};
  for (size_t i = 0; i < 3 * sizeof paths / sizeof paths[0]; i++) {
    records *r = opened(&(records_cfg){.want = (records_want)(i % 3),
                                       .path = paths[i / 3],
                                       .rows = 1,
                                       .series = true,
                                       .interval_ns = 1000});
    records_next(r);
    records_close(r);
    records_close(opened(&(records_cfg){.want = (records_want)(i % 3), .path = paths[i / 3]}));
  }
  records_close(NULL);
  records_conn_free(NULL);
}
END_TEST

START_TEST(what_cannot_be_opened_says_why)
{
  char error[RECORDS_ERROR_LEN];
  ck_assert_ptr_null(records_open(&(records_cfg){.path = "no/such/file"}, error));
  ck_assert_str_ne(error, "");
  ck_assert_ptr_null(records_open(&(records_cfg){.path = REAL, .filter = "no such filter"}, error));
  ck_assert_str_ne(error, "");
}
END_TEST

START_TEST(a_capture_that_is_cut_short_says_so_at_its_end)
{
  char path[4096];
  const char *folder = getenv("TMPDIR");
  static char octets[4000];
  FILE *in = fopen(REAL, "rb");
  snprintf(path, sizeof path, "%s/check_records.XXXXXX", folder != NULL ? folder : "/tmp");
  const int fd = mkstemp(path);
  ck_assert(in != NULL && fd >= 0);
  const size_t len = fread(octets, 1, sizeof octets, in);
  fclose(in);
  ck_assert_int_eq(write(fd, octets, len), (ssize_t)len);
  close(fd);
  size_t num = 0;
  records *r = opened(&(records_cfg){.path = path});
  records_conn *c = only(r, &num);
  ck_assert_uint_eq(num, 1);
  ck_assert_ptr_nonnull(records_error(r));
  records_conn_free(c);
  records_close(r);
  unlink(path);
}
END_TEST

START_TEST(filter_and_ports_choose_what_is_read)
{
  size_t num = 0;
  const uint16_t ports[] = {7200, 7174};
  records *r = opened(&(records_cfg){.path = REAL, .filter = "tcp port 7200"});
  records_conn_free(only(r, &num));
  ck_assert_uint_eq(num, 1);
  records_close(r);
  r = opened(&(records_cfg){.path = REAL, .filter = "udp"});
  ck_assert_ptr_null(only(r, &num));
  records_close(r);
  r = opened(&(records_cfg){.path = OTHER, .ports = ports, .num_ports = 2});
  records_conn_free(only(r, &num));
  records_close(r);
}
END_TEST

START_TEST(the_least_budget_holds_a_connection_and_one_without_room_is_no_memory)
{
  size_t num = 0;
  char error[RECORDS_ERROR_LEN];
  records *r = opened(&(records_cfg){.path = REAL, .memory = OBSERVE_BUDGET_LEAST});
  records_conn_free(only(r, &num));
  ck_assert_uint_eq(num, 1);
  records_close(r);
  ck_assert_ptr_null(records_open(&(records_cfg){.path = REAL, .memory = 1}, error));
  ck_assert_str_eq(error, "");
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      a_connection_comes_with_findings_verdicts_and_an_outcome,
      findings_beyond_the_limit_are_counted,
      a_failed_connection_has_a_diagnosis,
      a_capture_without_iwarp_lists_its_connections,
      the_rows_do_not_depend_on_the_size_of_a_batch,
      octets_of_a_row_are_those_of_its_pdu,
      figures_come_with_series_and_intervals,
      records_that_are_left_early_give_all_back,
      what_cannot_be_opened_says_why,
      a_capture_that_is_cut_short_says_so_at_its_end,
      filter_and_ports_choose_what_is_read,
      the_least_budget_holds_a_connection_and_one_without_room_is_no_memory,
      NULL};
  return check_run(check_suite("records", tests));
}
