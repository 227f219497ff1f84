/* SPDX-License-Identifier: BSD-2-Clause */
/* What of a check is printed and what is only counted, so that no capture fills a disk. */
#include <stdlib.h>

#include <memory/memory.h>

#include "check_plots.h"

/*
 * Octets of output for each octet of input, and octets that need no input. The first finding of
 * each rule is printed whatever came before, and so is the summary. What is promised is 20.
 */
#define BOUND_RATIO 18u
#define BOUND_FLOOR ((uint64_t)32 * 1024)

/* Above what a PDU, a finding or a connection takes in a format that prints it when it comes,
 * without the name of its file. */
#define BOUND_PDU 1024u
#define BOUND_FINDING 1024u
#define BOUND_CONNECTION 4096u /* a connection with its diagnoses */
#define BOUND_NAME 6u          /* octets of "\u00xx", for each of a name */

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
    held = memory_zeroed(1, sizeof *held);
    *slot = held;
    if (held != NULL) {
      out_open_memory(&held->lines);
    }
  }
  return held;
}

/* What is printed, or held back to be printed. */
static uint64_t bound_printed(const report_check *check, const check_slot *held) {
  return out_tell(check->out) + check_groups_len(&held->groups) + held->lines.len;
}

/* A connection of which anything is printed gets its own lines too, so room is kept for them. */
static uint64_t bound_reserve(const check_slot *held, const observe_conn *conn) {
  return held->reserved > 0 ? 0 : BOUND_CONNECTION + 3 * bound_name(conn);
}

static void bound_keep_room(report_check *check, check_slot *held, const observe_conn *conn) {
  const uint64_t reserve = bound_reserve(held, conn);
  held->reserved += reserve;
  check->spent += reserve;
}

/* ---- PDUs ---- */

/* Returns true if a format prints a line for such an event; the end of a direction is no PDU. */
static bool bound_is_pdu(const iwarp_event *ev) {
  return ev->kind != IWARP_EVENT_STREAMING && ev->kind != IWARP_EVENT_END &&
         ev->kind != IWARP_EVENT_SCTP_INIT;
}

void report_check_pdu(report_check *check, const report_format *format, void **slot,
                      const observe_conn *conn, const iwarp_event *ev) {
  check_slot *held = check_slot_get(slot);
  const uint64_t n =
      held != NULL ? BOUND_PDU + bound_name(conn) + bound_reserve(held, conn) : UINT64_MAX;
  if (held != NULL && format->plots) {
    check_plots_event(check, held, conn, ev);
  }
  if (held == NULL || !check_affords(check, n)) {
    check->num_pdus_withheld += bound_is_pdu(ev) ? 1u : 0u;
    return;
  }
  const uint64_t before = bound_printed(check, held);
  format->pdu(check, slot, conn, ev);
  const uint64_t after =
      bound_printed(check, held); /* less where lines that were held are dropped */
  const uint64_t added = after > before ? after - before : 0;
  if (added > 0) {
    bound_keep_room(check, held, conn);
  }
  check->spent += added;
}

/* ---- findings ---- */

static bool bound_admits(report_check *check, check_slot *held, const observe_conn *conn,
                         const report_repeat *r, const iwarp_finding *f) {
  const uint64_t n = BOUND_FINDING + bound_name(conn) + bound_reserve(held, conn);
  const bool affordable = check_affords(check, n);
  if (r->shown >= check->same) {
    return false;
  }
  const bool first = bound_first_of_rule(check, f->rule);
  held->has_first = held->has_first || first;
  return first || affordable;
}

void report_check_finding(report_check *check, const report_format *format, void **slot,
                          const observe_conn *conn, const iwarp_finding *f, const iwarp_event *ev) {
  check_slot *held = check_slot_get(slot);
  report_repeat *r = held != NULL ? report_repeats_get(&held->repeats, f) : NULL;
  if (r == NULL) { /* out of memory, which ends the report */
    return;
  }
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
  bound_keep_room(check, held, conn);
  r->shown++;
  held->shown++;
  check->num_printed++;
  format->finding(check, slot, conn, f, ev);
  check->spent += format->at_end ? 0 : bound_printed(check, held) - before;
}

/* ---- connections ---- */

static void bound_withhold(report_check *check, const check_slot *held) {
  check->num_conns_withheld++;
  check->num_printed -= held->shown;
  check->num_repeated += held->shown;
}

static void bound_render(report_check *check, const report_format *format, void **slot,
                         const observe_conn *conn, out_buf *text) {
  out_buf *out = check->out;
  out_open_memory(text);
  check->out = text;
  format->connection(check, slot, conn);
  check->out = out;
}

/* The length of the connection is known only now. Beyond the bound it is withheld, or brief where
 * it has the first finding of a rule. */
static void bound_at_end(report_check *check, const report_format *format, void **slot,
                         const observe_conn *conn) {
  const check_slot *held = *slot;
  const uint64_t suites = check->num_suites;
  out_buf text;
  bound_render(check, format, slot, conn, &text);
  const bool affordable = check_affords(check, text.len);
  if (!affordable) {
    check->num_suites = suites;
  }
  if (!affordable && !held->has_first) {
    bound_withhold(check, held);
  } else {
    if (!affordable) {
      out_close(&text);
      check->brief = true;
      bound_render(check, format, slot, conn, &text);
      check->brief = false;
    }
    check->out->error = text.error != 0 ? text.error : check->out->error;
    if (text.len > 0) {
      out_put(check->out, text.buf, text.len);
    }
    check->spent += text.len;
  }
  out_close(&text);
}

static void bound_connection(report_check *check, const report_format *format, void **slot,
                             const observe_conn *conn) {
  const check_slot *held = *slot;
  check->spent -= held->reserved;
  if (format->at_end && check->input != NULL) {
    bound_at_end(check, format, slot, conn);
    return;
  }
  const uint64_t before = bound_printed(check, held) - check->plots_octets;
  format->connection(check, slot, conn);
  check->spent += bound_printed(check, held) - check->plots_octets - before;
}

void report_check_connection(report_check *check, const report_format *format, void **slot,
                             const observe_conn *conn) {
  check_slot *held = check_slot_get(slot);
  if (held == NULL || memory_ran_out() ||
      (held->reserved == 0 && !check_affords(check, BOUND_CONNECTION + 3 * bound_name(conn)))) {
    check->num_conns_withheld++;
  } else {
    bound_connection(check, format, slot, conn);
  }
  if (held != NULL) {
    check->num_held -= check_groups_len(&held->groups) + held->lines.len;
    check_groups_free(&held->groups);
    out_close(&held->lines);
    upper_free(held->upper);
    check_plots_free(check, held);
    report_repeats_free(&held->repeats);
    free(held);
    *slot = NULL;
  }
}
