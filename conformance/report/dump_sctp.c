/* SPDX-License-Identifier: BSD-2-Clause */
/* Items of a DDP Stream Session over SCTP, as text and as JSON Lines. RFC 5043. */
#include <iwarp/sctp_observer.h>
#include <report/dump.h>
#include <report/jsonw.h>
#include <report/names.h>

#include "dump_parts.h"
#include "pdu_parts.h"

/* Why a message has no place in its session; NULL when it has. */
static const char *sctp_reason(iwarp_sctp_reason reason) {
  switch (reason) {
  case IWARP_SCTP_REASON_NONE: break;
  case IWARP_SCTP_REASON_SEQUENCE: return "fits no legal sequence of the session";
  case IWARP_SCTP_REASON_PPID: return "Payload Protocol Identifier is neither 16 nor 17";
  case IWARP_SCTP_REASON_SHORT: return "too short for its header";
  case IWARP_SCTP_REASON_FUNCTION: return "Function Code unassigned, or of the other form";
  case IWARP_SCTP_REASON_LENGTH: return "Private Data too long, or without the enhanced data";
  case IWARP_SCTP_REASON_SSN: return "DDP-SSN repeated or out of range";
  case IWARP_SCTP_REASON_NO_SESSION: return "no session that it belongs to";
  case IWARP_SCTP_REASON_BROKEN: return "after an illegal message";
  case IWARP_SCTP_REASON_REFUSED: return "refused";
  case IWARP_SCTP_REASON_OVER: return "held back when its session ended";
  }
  return NULL;
}

static const char *sctp_function(const iwarp_ev_sctp_message *m) {
  const iwarp_sctp_function_info *info = iwarp_sctp_function_get(m->control.function);
  return info != NULL ? info->name : "unassigned";
}

/* ---- JSON ---- */

static void sctp_json_common(jsonw *w, const observe_conn *conn, const iwarp_ev_sctp_message *m) {
  jsonw_u64(w, "stream", conn->info->sctp_stream);
  if (m->has_ssn) {
    jsonw_u64(w, "ssn", m->ssn);
  }
}

static void sctp_json_gap(jsonw *w, const observe_conn *conn, const iwarp_ev_sctp_gap *gap) {
  jsonw_u64(w, "stream", conn->info->sctp_stream);
  jsonw_u64(w, "ssn", gap->ssn);
  jsonw_u64(w, "messages", gap->missing);
}

static void sctp_json_error(jsonw *w, const iwarp_event *ev) {
  const char *reason = sctp_reason(ev->sctp->u.message.reason);
  if (reason != NULL) {
    jsonw_text(w, "error", reason);
  } else if (report_sctp_is_segment(ev) && report_fpdu_has_error(&ev->u.fpdu)) {
    jsonw_key(w, "error");
    out_char(w->out, '"');
    report_fpdu_error_put(w->out, &ev->u.fpdu);
    out_char(w->out, '"');
  }
}

static void sctp_json_init(jsonw *w, const iwarp_sctp_assoc_params *m) {
  jsonw_bool(w, "ack", m->ack);
  jsonw_u64(w, "outbound_streams", m->out_streams);
  jsonw_u64(w, "inbound_streams", m->in_streams);
  if (m->has_adaptation) {
    jsonw_hex32(w, "adaptation", m->adaptation);
  }
}

static void sctp_json_control(jsonw *w, const iwarp_ev_sctp_message *m) {
  jsonw_u64(w, "function", m->control.function);
  jsonw_text(w, "name", sctp_function(m));
  if (m->enhanced) {
    report_json_enhanced(w, &m->enh);
  }
  jsonw_octets(w, "private_data", m->ulp_data.ptr, m->ulp_data.len);
}

static void sctp_json_fields(jsonw *w, const iwarp_event *ev) {
  const iwarp_ev_sctp_message *m = &ev->sctp->u.message;
  jsonw_u64(w, "ppid", m->captured->ppid);
  jsonw_bool(w, "ordered", m->captured->ordered);
  jsonw_u64(w, "fragments", m->captured->fragments);
  jsonw_bool(w, "complete", m->user_data.len == m->captured->length);
  if (report_sctp_is_segment(ev)) {
    report_json_others(w, ev);
  }
}

static void sctp_json_message(jsonw *w, const observe_conn *conn, const iwarp_event *ev,
                              const upper_message *name) {
  const iwarp_ev_sctp_message *m = &ev->sctp->u.message;
  const bool segment = report_sctp_is_segment(ev);
  report_json_head(w, conn, ev);
  sctp_json_common(w, conn, m);
  jsonw_u64(w, "length", m->captured->length);
  if (m->has_control) {
    sctp_json_control(w, m);
  } else if (segment) {
    report_json_segment(w, ev, name);
  }
  if (m->has_control || segment) {
    sctp_json_error(w, ev);
  } else {
    jsonw_text(w, "reason", sctp_reason(m->reason));
  }
}

static bool sctp_json_line(jsonw *w, const observe_conn *conn, const iwarp_event *ev,
                           const upper_message *name) {
  switch (ev->kind) {
  case IWARP_EVENT_SCTP_INIT:
    report_json_head(w, conn, ev);
    sctp_json_init(w, ev->sctp->u.init.params);
    return true;
  case IWARP_EVENT_SCTP_MESSAGE:
  case IWARP_EVENT_SCTP_SEGMENT: sctp_json_message(w, conn, ev, name); return true;
  case IWARP_EVENT_GAP:
    report_json_head(w, conn, ev);
    sctp_json_gap(w, conn, &ev->sctp->u.gap);
    return true;
  case IWARP_EVENT_STARTUP:
  case IWARP_EVENT_FPDU:
  case IWARP_EVENT_UNDECODABLE:
  case IWARP_EVENT_STREAMING:
  case IWARP_EVENT_END: break;
  }
  return false;
}

void report_json_sctp(out_buf *out, const observe_conn *conn, const iwarp_event *ev,
                      const upper_message *name, const report_dump_opts *opts) {
  jsonw w = {.out = out};
  const bool message = ev->kind == IWARP_EVENT_SCTP_MESSAGE || ev->kind == IWARP_EVENT_SCTP_SEGMENT;
  if (!sctp_json_line(&w, conn, ev, name)) {
    return;
  }
  if (opts->fields && message) {
    sctp_json_fields(&w, ev);
  }
  if (opts->octets && message) {
    jsonw_octets(&w, "octets", ev->sctp->u.message.user_data.ptr,
                 ev->sctp->u.message.user_data.len);
  }
  jsonw_end_object(&w);
  jsonw_end_line(&w);
}

/* ---- text ---- */

static void sctp_text_number(out_buf *out, const char *label, uint64_t v) {
  out_str(out, label);
  out_u64(out, v);
}

static void sctp_text_init(out_buf *out, const iwarp_sctp_assoc_params *m) {
  out_str(out, m->ack ? "sctp-init ack" : "sctp-init");
  sctp_text_number(out, " streams out ", m->out_streams);
  sctp_text_number(out, " in ", m->in_streams);
  out_str(out, ", adaptation ");
  if (m->has_adaptation) {
    out_hex(out, m->adaptation, 8);
  } else {
    out_str(out, m->whole ? "none" : "not captured");
  }
}

static void sctp_text_body(out_buf *out, const iwarp_event *ev, const upper_message *name) {
  const iwarp_ev_sctp_message *m = &ev->sctp->u.message;
  if (m->has_control) {
    out_str(out, "sctp-control ");
    out_str(out, sctp_function(m));
    if (iwarp_sctp_function_get(m->control.function) == NULL) {
      sctp_text_number(out, " ", m->control.function);
    }
    if (m->enhanced) {
      report_text_enhanced(out, &m->enh);
    }
    sctp_text_number(out, " pd ", m->captured->length - IWARP_SCTP_CONTROL_LEN);
    return;
  }
  if (report_sctp_is_segment(ev)) {
    report_text_segment(out, ev, name, "ddp-segment");
  } else {
    out_str(out, "undecodable");
  }
  if (!report_sctp_is_segment(ev) || !ev->u.fpdu.seg.has_ddp) {
    sctp_text_number(out, " user data ", m->captured->length);
  }
}

static void sctp_text_message(out_buf *out, const observe_conn *conn, const iwarp_event *ev,
                              const upper_message *name) {
  const iwarp_ev_sctp_message *m = &ev->sctp->u.message;
  sctp_text_body(out, ev, name);
  sctp_text_number(out, ", stream ", conn->info->sctp_stream);
  if (m->has_ssn) {
    sctp_text_number(out, " ssn ", m->ssn);
  }
  if (m->captured->fragments > 1) {
    sctp_text_number(out, ", fragments ", m->captured->fragments);
  }
  out_str(out, m->captured->ordered ? ", ordered" : "");
  out_str(out, m->user_data.len < m->captured->length ? ", cut" : "");
  const char *reason = sctp_reason(m->reason);
  if (reason != NULL) {
    out_str(out, ", error: ");
    out_str(out, reason);
  } else if (report_sctp_is_segment(ev) && report_fpdu_has_error(&ev->u.fpdu)) {
    out_str(out, ", error: ");
    report_fpdu_error_put(out, &ev->u.fpdu);
  }
}

bool report_text_sctp(out_buf *out, const observe_conn *conn, const iwarp_event *ev,
                      const upper_message *name) {
  if (ev->kind == IWARP_EVENT_END) {
    return false;
  }
  if (ev->kind == IWARP_EVENT_SCTP_INIT) {
    sctp_text_init(out, ev->sctp->u.init.params);
  } else if (ev->kind == IWARP_EVENT_GAP) {
    sctp_text_number(out, "gap ", ev->sctp->u.gap.missing);
    out_str(out, ev->sctp->u.gap.missing == 1 ? " message" : " messages");
    sctp_text_number(out, ", stream ", conn->info->sctp_stream);
    sctp_text_number(out, " ssn ", ev->sctp->u.gap.ssn);
    out_str(out, report_gap_note(ev->u.gap));
  } else {
    sctp_text_message(out, conn, ev, name);
  }
  return true;
}
