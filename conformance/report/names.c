/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of enumerated values, and the sentences that are made of them. */
#include <report/names.h>
#include <report/utf8.h>

enum { NAMES_TEXT_MIN = 8 };

const char *report_role_name(iwarp_role role) {
  switch (role) {
  case IWARP_ROLE_INITIATOR: return "initiator";
  case IWARP_ROLE_RESPONDER: return "responder";
  case IWARP_ROLE_UNKNOWN: break;
  }
  return "unknown";
}

const char *report_crc_name(iwarp_crc_state crc) {
  switch (crc) {
  case IWARP_CRC_GOOD: return "good";
  case IWARP_CRC_BAD: return "bad";
  case IWARP_CRC_UNCHECKED: break;
  }
  return "unchecked";
}

const char *report_undec_name(iwarp_undec_reason reason) {
  switch (reason) {
  case IWARP_UNDEC_UNFINISHED: return "unfinished";
  case IWARP_UNDEC_AFTER_REJECT: return "after reject";
  case IWARP_UNDEC_NO_BOUNDARY: return "no FPDU start found";
  case IWARP_UNDEC_NOT_FPDU: break;
  }
  return "not an FPDU";
}

const char *report_tri_name(iwarp_tristate tri) {
  switch (tri) {
  case IWARP_TRISTATE_ON: return "on";
  case IWARP_TRISTATE_OFF: return "off";
  case IWARP_TRISTATE_UNKNOWN: break;
  }
  return "unknown";
}

const char *report_sync_name(iwarp_fpdu_sync sync) {
  switch (sync) {
  case IWARP_SYNC_STARTUP: return "startup frame";
  case IWARP_SYNC_MARKER: return "Marker";
  case IWARP_SYNC_CRC: return "CRC";
  case IWARP_SYNC_HEURISTIC: return "heuristic";
  case IWARP_SYNC_NONE: break;
  }
  return "none";
}

const char *report_severity_name(iwarp_severity severity) {
  switch (severity) {
  case IWARP_SEVERITY_VIOLATION: return "violation";
  case IWARP_SEVERITY_WARNING: return "warning";
  case IWARP_SEVERITY_NOTE: break;
  }
  return "note";
}

const char *report_impact_name(iwarp_impact impact) {
  switch (impact) {
  case IWARP_IMPACT_CORRUPTION: return "corruption";
  case IWARP_IMPACT_SECURITY: return "security";
  case IWARP_IMPACT_INTEROP: return "interop";
  case IWARP_IMPACT_RESOURCE: return "resource";
  case IWARP_IMPACT_HYGIENE: break;
  }
  return "hygiene";
}

const char *report_verdict_name(iwarp_verdict verdict) {
  switch (verdict) {
  case IWARP_VERDICT_PASS: return "pass";
  case IWARP_VERDICT_FAIL: return "fail";
  case IWARP_VERDICT_INCONCLUSIVE: return "inconclusive";
  case IWARP_VERDICT_DISABLED: return "disabled";
  case IWARP_VERDICT_NOT_SEEN: break;
  }
  return "not-seen";
}

const char *report_outcome_name(observe_how how) {
  switch (how) {
  case OBSERVE_REJECTED: return "rejected";
  case OBSERVE_TERMINATED: return "terminated";
  case OBSERVE_STARTUP_FAILED: return "startup-failed";
  case OBSERVE_NO_REPLY: return "no-reply";
  case OBSERVE_RESET: return "reset";
  case OBSERVE_CLOSED: return "closed";
  case OBSERVE_HALF_CLOSED: return "half-closed";
  case OBSERVE_OPEN: return "open";
  case OBSERVE_UNKNOWN: break;
  }
  return "unknown";
}

const char *report_cause_text(const char *cause) {
  static const char *const rows[][2] = {
      {"terminate-host-bit-order", ", as Linux siw on little-endian machines does"},
      {"rdmac-revision", ", as RNICs of the RDMA Consortium do"},
      {"reply-ignores-request", ", as a Responder does that answers every Request alike"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (strcmp(rows[i][0], cause) == 0) {
      return rows[i][1];
    }
  }
  return "";
}

void report_name_put(out_buf *s, const char *name) {
  for (size_t left = strlen(name); left > 0;) {
    const size_t len = report_plain_len(name, left);
    const size_t step = len > 0 ? len : 1;
    out_put(s, len > 0 ? name : "?", step);
    name += step;
    left -= step;
  }
}

void report_reason_put(out_buf *s, uint32_t reason) {
  static const char *const names[] = {
      "gap",         "snaplen", "one-direction", "mid-stream",     "no-negotiation",
      "crc-unknown", "limit",   "octets-differ", "checksum-wrong", "after-fault"};
  bool any = false;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if ((reason >> i & 1u) != 0) {
      out_str(s, any ? ", " : "");
      out_str(s, names[i]);
      any = true;
    }
  }
}

void report_value_put(out_buf *s, const iwarp_value *v) {
  switch (v->kind) {
  case IWARP_VALUE_NONE: break;
  case IWARP_VALUE_UINT: out_u64(s, v->u); break;
  case IWARP_VALUE_HEX8: out_hex(s, v->u, 2); break;
  case IWARP_VALUE_HEX16: out_hex(s, v->u, 4); break;
  case IWARP_VALUE_HEX32: out_hex(s, v->u, 8); break;
  case IWARP_VALUE_HEX64: out_hex(s, v->u, 16); break;
  case IWARP_VALUE_TEXT: out_str(s, v->text != NULL ? v->text : ""); break;
  case IWARP_VALUE_OCTETS: out_octets(s, v->octets, v->num_octets, ' '); break;
  case IWARP_VALUE_AT_MOST:
    out_str(s, "at most ");
    out_u64(s, v->u);
    break;
  case IWARP_VALUE_AT_LEAST:
    out_str(s, "at least ");
    out_u64(s, v->u);
    break;
  }
}

static bool names_prints(uint8_t octet) {
  return octet >= ' ' && octet <= '~';
}

/* Returns true if octets read as text of one or more lines; NAMES_TEXT_MIN octets rule chance
 * out. */
static bool names_is_text(const iwarp_value *v) {
  bool text = v->kind == IWARP_VALUE_OCTETS && v->num_octets >= NAMES_TEXT_MIN;
  for (size_t i = 0; text && i < v->num_octets; i++) {
    text = names_prints(v->octets[i]) || v->octets[i] == '\r' || v->octets[i] == '\n';
  }
  return text;
}

void report_value_said(out_buf *s, const iwarp_value *v) {
  report_value_put(s, v);
  if (names_is_text(v)) {
    out_str(s, " (\"");
    for (size_t i = 0; i < v->num_octets; i++) {
      out_char(s, names_prints(v->octets[i]) ? (char)v->octets[i] : '.');
    }
    out_str(s, "\")");
  }
}

void report_message_put(out_buf *s, const iwarp_rule *rule, const iwarp_finding *finding) {
  for (const char *p = rule->message; *p != 0; p++) {
    if (p[0] == '%' && p[1] == 'e') {
      report_value_said(s, &finding->expected);
      p++;
    } else if (p[0] == '%' && p[1] == 'o') {
      report_value_said(s, &finding->observed);
      p++;
    } else {
      out_char(s, *p);
    }
  }
}

static void names_short_header(out_buf *s, const iwarp_rdmap_seg *seg) {
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(seg->ctrl.opcode);
  out_str(s, "a DDP payload of ");
  out_u64(s, seg->payload_len);
  out_str(s, seg->payload_len == 1 ? " octet" : " octets");
  out_str(s, " is too short for the header of ");
  out_str(s, strchr("aeiou", op->name[0]) != NULL ? "an " : "a ");
  out_str(s, op->name);
  out_str(s, seg->ctrl.opcode == IWARP_RDMAP_OP_TERMINATE ? " (at least " : " (");
  out_u64(s, op->hdr_len);
  out_str(s, " octets)");
}

bool report_fpdu_has_error(const iwarp_event_fpdu *v) {
  const iwarp_rdmap_seg *seg = &v->seg;
  const iwarp_err err = iwarp_rdmap_seg_check(seg);
  const bool goes_on = err == IWARP_ERR_RDMAP_SHORT && !seg->ddp.last;
  return err != IWARP_OK && err != IWARP_ERR_RDMAP_LONG && !goes_on;
}

void report_fpdu_error_put(out_buf *s, const iwarp_event_fpdu *v) {
  const iwarp_rdmap_seg *seg = &v->seg;
  if (seg->err == IWARP_ERR_DDP_SHORT) {
    out_str(s, "a ULPDU of ");
    out_u64(s, v->fpdu.ulpdu_length);
    out_str(s, v->fpdu.ulpdu_length == 1 ? " octet" : " octets");
    out_str(s, " is too short for a DDP header (14 or 18 octets)");
  } else if (seg->err == IWARP_ERR_RDMAP_SHORT) {
    names_short_header(s, seg);
  } else if (seg->kind == IWARP_RDMAP_KIND_TERM && iwarp_rdmap_seg_check(seg) != IWARP_OK) {
    out_str(s, iwarp_strerror(iwarp_rdmap_seg_check(seg)));
  }
}

bool report_startup_error_put(out_buf *s, const iwarp_event_startup *v) {
  const bool no_room = iwarp_mpa_startup_check(&v->frame) == IWARP_ERR_MPA_ENHANCED;
  if (v->err != IWARP_OK) {
    const size_t ext = iwarp_mpa_startup_size(v->frame.rev, 0) - IWARP_MPA_STARTUP_LEN;
    const size_t held = v->frame.private_data.len;
    out_u64(s, held > ext ? held - ext : 0);
    out_str(s, " of ");
    out_u64(s, v->frame.pd_length);
    out_str(s, " octets of private data are there");
    return true;
  }
  if (no_room) {
    out_str(s, "S is set, but a PD_Length of ");
    out_u64(s, v->frame.pd_length);
    out_str(s, " has no room for the enhanced data");
  }
  return no_room;
}
