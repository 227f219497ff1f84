/* SPDX-License-Identifier: BSD-2-Clause */
/* Words of the text report: counts, sides, colours. */
#include "check_text.h"

#include <report/names.h>

void check_text_count(out_buf *s, uint64_t n, const char *one, const char *many) {
  out_u64(s, n);
  out_char(s, ' ');
  out_str(s, n == 1 ? one : many);
}

void check_text_severities(out_buf *s, const uint64_t findings[OBSERVE_SEVERITIES]) {
  check_text_count(s, findings[IWARP_SEVERITY_VIOLATION], "violation", "violations");
  out_str(s, ", ");
  check_text_count(s, findings[IWARP_SEVERITY_WARNING], "warning", "warnings");
  out_str(s, ", ");
  check_text_count(s, findings[IWARP_SEVERITY_NOTE], "note", "notes");
}

void check_text_suspected(out_buf *s, uint64_t suspected) {
  if (suspected > 0) {
    out_str(s, ", ");
    out_u64(s, suspected);
    out_str(s, " suspected");
  }
}

void check_text_paint(const report_check *check, out_buf *s, const char *code, const char *text) {
  if (check->color) {
    out_str(s, "\033[");
    out_str(s, code);
    out_char(s, 'm');
  }
  out_str(s, text);
  if (check->color) {
    out_str(s, "\033[0m");
  }
}

void check_text_side(out_buf *s, const observe_conn *conn, uint8_t side) {
  out_str(s, conn->addr[side]);
  if (report_roles_known(conn->info)) {
    out_str(s, " (");
    out_str(s, report_role_name(conn->info->side[side].role));
    out_char(s, ')');
  }
}

const char *check_text_end(const iwarp_event *ev) {
  if (ev->kind != IWARP_EVENT_END || ev->sctp != NULL) {
    return NULL;
  }
  switch (ev->u.end) {
  case IWARP_END_FIN: return "FIN";
  case IWARP_END_RST: return ev->first.peer_pos != IWARP_POS_UNKNOWN ? "RST" : NULL;
  case IWARP_END_CAPTURE:
  case IWARP_END_OPEN: break;
  }
  return NULL;
}

const char *check_text_reset(const check_slot *held, const observe_conn *conn) {
  if (!conn->outcome.ended || !conn->outcome.reset || held->reset_shown) {
    return NULL;
  }
  return conn->info->sctp ? "ABORT" : "RST";
}
