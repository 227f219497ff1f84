/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings in words. */
#include <report/finding.h>

#include <iwarp/field.h>

#include <report/names.h>
#include <report/place.h>

void report_finding_where(out_buf *s, const observe_conn *conn, const iwarp_finding *f) {
  if (f->role != IWARP_ROLE_UNKNOWN) {
    out_str(s, report_role_name(f->role));
    out_char(s, ' ');
  }
  out_str(s, conn->addr[f->side]);
  if (f->pos != IWARP_POS_UNKNOWN) {
    out_str(s, conn->info->sctp ? ", TSN " : ", seq ");
    out_u64(s, (uint32_t)f->pos);
  }
  if (f->offset != IWARP_POS_UNKNOWN) {
    out_str(s, ", offset ");
    out_u64(s, f->offset);
  }
  if (f->other_packet != 0 && f->other_packet != f->last.packet) {
    out_str(s, ", see frame ");
    report_place_put(s, conn, f->last.packet, f->other_packet);
  }
}

bool report_finding_values(out_buf *s, const iwarp_finding *f) {
  if (f->expected.kind == IWARP_VALUE_NONE && f->observed.kind == IWARP_VALUE_NONE) {
    return false;
  }
  const iwarp_field *field = iwarp_field_get(f->field);
  if (field != NULL) {
    out_str(s, field->label);
    out_str(s, ": ");
  }
  if (f->expected.kind != IWARP_VALUE_NONE) {
    out_str(s, "expected ");
    report_value_said(s, &f->expected);
    out_str(s, f->observed.kind != IWARP_VALUE_NONE ? ", " : "");
  }
  if (f->observed.kind != IWARP_VALUE_NONE) {
    out_str(s, "observed ");
    report_value_said(s, &f->observed);
  }
  return true;
}

void report_finding_weight(out_buf *s, const iwarp_finding *f, const char *known) {
  out_str(s, iwarp_finding_suspected(f) ? "suspected " : "");
  if (known == NULL) {
    out_str(s, report_severity_name(iwarp_rule_get(f->rule)->severity));
    return;
  }
  out_str(s, "expected (");
  report_name_put(s, known);
  out_char(s, ')');
}

void report_finding_unless(out_buf *s, const iwarp_finding *f, const char *before) {
  if (iwarp_finding_suspected(f)) {
    out_str(s, before);
    out_str(s, "suspected, unless ");
    out_str(s, iwarp_finding_unless(f));
  }
}

void report_finding_line(out_buf *s, const observe_conn *conn, const iwarp_finding *f) {
  report_message_put(s, iwarp_rule_get(f->rule), f);
  out_str(s, " (");
  out_str(s, report_finding_values(s, f) ? "; " : "");
  report_finding_where(s, conn, f);
  out_char(s, ')');
  report_finding_unless(s, f, "; ");
}

/* ---- requirements ---- */

/* The section of "rfc5044-4.4-03" is what stands between its first and its last dash. */
static size_t requirement_section_len(const char *id, size_t len) {
  size_t last = len;
  while (last > 0 && id[last - 1] != '-') {
    last--;
  }
  return last > 0 ? last - 1 : len;
}

void report_requirement_put(out_buf *s, const char *id, size_t len) {
  const size_t end = requirement_section_len(id, len);
  size_t dash = 0;
  while (dash < end && id[dash] != '-') {
    dash++;
  }
  out_str(s, "RFC ");
  out_put(s, id + 3, dash - 3);
  out_char(s, ' ');
  out_put(s, id + dash + 1, end - dash - 1);
}

static bool requirement_section_seen(const char *ids, const char *id, size_t len) {
  const size_t end = requirement_section_len(id, len) + 1;
  while (ids < id) {
    if (strncmp(ids, id, end) == 0) {
      return true;
    }
    ids += strcspn(ids, " ") + 1;
  }
  return false;
}

void report_sections_put(out_buf *s, const char *ids) {
  const char *before = "";
  for (const char *id = ids; *id != 0;) {
    const size_t len = strcspn(id, " ");
    if (!requirement_section_seen(ids, id, len)) {
      out_str(s, before);
      report_requirement_put(s, id, len);
      before = ", ";
    }
    id += len + (id[len] != 0 ? 1 : 0);
  }
}
