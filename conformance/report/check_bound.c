/* SPDX-License-Identifier: BSD-2-Clause */
/* What of a check is printed and what is only counted, so that no capture fills a disk. */
#include <stdlib.h>

#include "check_slot.h"

/*
 * Octets of output for each octet of input, and octets that need no input. The first finding of
 * each rule is printed whatever came before, and so is the summary. What is promised is 20.
 */
#define BOUND_RATIO 18u
#define BOUND_FLOOR ((uint64_t)32 * 1024)

/* Above what a finding or a connection takes in any format, without the name of its file. */
#define BOUND_FINDING 1024u
#define BOUND_CONNECTION 2048u
#define BOUND_NAME 6u /* octets of "\u00xx", for each of a name */

bool check_affords(const report_check *check, uint64_t n) {
  if (check->input == NULL) {
    return true;
  }
  const uint64_t due = *check->input * BOUND_RATIO;
  return check->spent + n <= (due > BOUND_FLOOR ? due : BOUND_FLOOR);
}

static uint64_t bound_name(const observe_conn *conn) {
  size_t longest = strlen(conn->file);
  for (size_t i = 0; conn->parts != NULL && i < conn->parts->num; i++) {
    const size_t len = strlen(conn->parts->names[i]);
    longest = len > longest ? len : longest;
  }
  return BOUND_NAME * (uint64_t)longest;
}

static bool bound_first_of_rule(report_check *check, uint16_t rule) {
  const size_t at = rule / 8u;
  const uint8_t bit = (uint8_t)(1u << rule % 8u);
  const bool first = at < sizeof check->rule_shown && (check->rule_shown[at] & bit) == 0;
  if (first) {
    check->rule_shown[at] = (uint8_t)(check->rule_shown[at] | bit);
  }
  return first;
}

check_slot *check_slot_get(void **slot) {
  check_slot *held = *slot;
  if (held == NULL) {
    held = calloc(1, sizeof *held);
    *slot = held;
    if (held != NULL) {
      out_open_memory(&held->lines);
    }
  }
  return held;
}

static uint64_t bound_printed(const report_check *check, const check_slot *held) {
  return out_tell(check->out) + check_groups_len(&held->groups);
}

/* A connection of which a finding is printed gets its own lines too, so room is kept for them. */
static uint64_t bound_reserve(const check_slot *held, const observe_conn *conn) {
  return held->shown > 0 ? 0 : BOUND_CONNECTION + 3 * bound_name(conn);
}

static bool bound_admits(report_check *check, const check_slot *held, const observe_conn *conn,
                         const report_repeat *r, const iwarp_finding *f) {
  const uint64_t n = BOUND_FINDING + bound_name(conn) + bound_reserve(held, conn);
  const bool affordable = check_affords(check, n);
  return r->shown < check->same && (bound_first_of_rule(check, f->rule) || affordable);
}

void report_check_finding(report_check *check, const report_format *format, void **slot,
                          const observe_conn *conn, const iwarp_finding *f, const iwarp_event *ev) {
  check_slot *held = check_slot_get(slot);
  report_repeat *r = held != NULL ? report_repeats_get(&held->repeats, f) : NULL;
  if (r == NULL) {
    check->num_repeated++;
    return;
  }
  r->of_role[f->role]++;
  if (!bound_admits(check, held, conn, r, f)) {
    r->first = r->more == 0 ? f->last.packet : r->first;
    r->last = f->last.packet;
    r->more++;
    check->num_repeated++;
    return;
  }
  if (check->num_printed >= check->max_findings) {
    check->num_withheld++;
    return;
  }
  const uint64_t before = bound_printed(check, held);
  const uint64_t reserve = bound_reserve(held, conn);
  held->reserved += reserve;
  check->spent += reserve;
  r->shown++;
  held->shown++;
  check->num_printed++;
  format->finding(check, slot, conn, f, ev);
  check->spent += bound_printed(check, held) - before;
}

void report_check_connection(report_check *check, const report_format *format, void **slot,
                             const observe_conn *conn) {
  check_slot *held = check_slot_get(slot);
  if (held == NULL ||
      (held->shown == 0 && !check_affords(check, BOUND_CONNECTION + 3 * bound_name(conn)))) {
    check->num_conns_withheld++;
  } else {
    const uint64_t before = bound_printed(check, held);
    check->spent -= held->reserved;
    format->connection(check, slot, conn);
    check->spent += bound_printed(check, held) - before;
  }
  if (held != NULL) {
    check->num_held -= check_groups_len(&held->groups) + held->lines.len;
    check_groups_free(&held->groups);
    out_close(&held->lines);
    report_repeats_free(&held->repeats);
    free(held);
    *slot = NULL;
  }
}
