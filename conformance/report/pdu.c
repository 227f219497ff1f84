/* SPDX-License-Identifier: BSD-2-Clause */
/* Every form of a PDU that is there, by the walk of the library: for PDUs that are cut. */
#include "pdu_parts.h"

#include <iwarp/sctp_observer.h>
#include <report/dump.h>
#include <report/frame.h>

#include <string.h>

/* Returns true if the first field of a form is there. */
static bool pdu_has_field(const iwarp_pdu_part *part) {
  iwarp_span octets;
  const iwarp_form_info *info = iwarp_form_get(part->form);
  return info != NULL && iwarp_field_octets(&octets, &info->fields[0], part->octets) == IWARP_OK;
}

/* ---- text ---- */

void report_octets_put(out_buf *out, const char *label, iwarp_span octets) {
  if (octets.len > 0) {
    report_note_put(out, label);
    out_octets(out, octets.ptr, octets.len, 0);
    out_char(out, '\n');
  }
}

bool report_is_ddp(const iwarp_pdu_part *part) {
  return !part->returned &&
         (part->form == IWARP_FORM_DDP_TAGGED || part->form == IWARP_FORM_DDP_UNTAGGED);
}

bool report_is_of_segment(const iwarp_pdu_part *part, const iwarp_rdmap_seg *seg) {
  const iwarp_form header = iwarp_rdmap_op_get(seg->ctrl.opcode)->form;
  if (part->returned || part->form == IWARP_FORM_NONE) {
    return false;
  }
  return report_is_ddp(part) || part->form == IWARP_FORM_RDMAP_CTRL || part->form == header ||
         part->form == IWARP_FORM_RDMAP_TERM_LENGTH;
}

void report_part_put(out_buf *out, const iwarp_pdu_part *part) {
  if (!pdu_has_field(part)) {
    report_octets_put(out, "part of a field", part->octets);
  } else {
    out_str(out, part->returned ? "    terminated: " : "");
    report_form_put(out, part->form, part->octets);
  }
}

void report_pdu_text(out_buf *out, const iwarp_pdu_iter *it) {
  iwarp_pdu_iter walk = *it;
  iwarp_pdu_part part;
  while (iwarp_pdu_next(&part, &walk) == IWARP_OK) {
    if (part.form == IWARP_FORM_NONE) {
      report_octets_put(out, "payload", part.octets);
    } else {
      report_part_put(out, &part);
    }
  }
}

/* ---- JSON ---- */

/* PAD has the key of the FPDU, which was closed before it: it stands by itself, as in whole ones.
 */
static bool pdu_json_object(const iwarp_pdu_part *part) {
  return part->form != IWARP_FORM_MPA_MARKER && part->form != IWARP_FORM_MPA_PAD &&
         pdu_has_field(part);
}

/* Forms in a row with one key are one object: `open` is the key of the one that is not closed. */
static const char *pdu_json_open(jsonw *w, const char *open, const char *key) {
  if (open != NULL && (key == NULL || strcmp(open, key) != 0)) {
    jsonw_end_object(w);
  }
  if (key != NULL && (open == NULL || strcmp(open, key) != 0)) {
    jsonw_object(w, key);
  }
  return key;
}

/* The forms of the PDU itself, or those that a Terminate returns. */
static void pdu_json_forms(jsonw *w, const iwarp_pdu_iter *it, bool returned) {
  iwarp_pdu_iter walk = *it;
  iwarp_pdu_part part;
  const char *open = NULL;
  while (iwarp_pdu_next(&part, &walk) == IWARP_OK) {
    if (part.returned == returned && pdu_json_object(&part)) {
      open = pdu_json_open(w, open, iwarp_form_get(part.form)->key);
      report_fields_json(w, part.form, part.octets);
    }
  }
  pdu_json_open(w, open, NULL);
}

static void pdu_json_markers(jsonw *w, const iwarp_pdu_iter *it) {
  iwarp_pdu_iter walk = *it;
  iwarp_pdu_part part;
  jsonw_array(w, "markers");
  while (iwarp_pdu_next(&part, &walk) == IWARP_OK) {
    if (part.form == IWARP_FORM_MPA_MARKER) {
      jsonw_object(w, NULL);
      jsonw_u64(w, "at", part.wire_off);
      report_fields_json(w, part.form, part.octets);
      jsonw_end_object(w);
    }
  }
  jsonw_end_array(w);
}

static bool pdu_has(const iwarp_pdu_iter *it, bool returned) {
  iwarp_pdu_iter walk = *it;
  iwarp_pdu_part part;
  while (iwarp_pdu_next(&part, &walk) == IWARP_OK) {
    if (returned ? part.returned : part.form == IWARP_FORM_MPA_MARKER) {
      return true;
    }
  }
  return false;
}

void report_pdu_json(jsonw *w, const iwarp_pdu_iter *it) {
  pdu_json_forms(w, it, false);
  if (pdu_has(it, false)) {
    pdu_json_markers(w, it);
  }
  if (pdu_has(it, true)) {
    jsonw_object(w, "returned");
    pdu_json_forms(w, it, true);
    jsonw_end_object(w);
  }
}

/* ---- events ---- */

bool report_sctp_is_segment(const iwarp_event *ev) {
  const iwarp_ev_sctp_message *m = &ev->sctp->u.message;
  return !m->has_control && m->has_ssn && m->reason != IWARP_SCTP_REASON_SHORT;
}

static const char *pdu_sctp_name(const iwarp_event *ev) {
  if (ev->sctp->u.message.has_control) {
    return "sctp-control";
  }
  return report_sctp_is_segment(ev) ? "ddp-segment" : "undecodable";
}

const char *report_pdu_name(const iwarp_event *ev) {
  switch (ev->kind) {
  case IWARP_EVENT_STARTUP: return ev->u.startup.is_reply ? "mpa-reply" : "mpa-request";
  case IWARP_EVENT_FPDU: return "fpdu";
  case IWARP_EVENT_GAP: return "gap";
  case IWARP_EVENT_UNDECODABLE: return "undecodable";
  case IWARP_EVENT_SCTP_INIT: return "sctp-init";
  case IWARP_EVENT_SCTP_MESSAGE:
  case IWARP_EVENT_SCTP_SEGMENT: return pdu_sctp_name(ev);
  case IWARP_EVENT_STREAMING:
  case IWARP_EVENT_END: break;
  }
  return NULL;
}

static bool pdu_of_sctp(iwarp_pdu_iter *it, const iwarp_ev_sctp_message *m) {
  if (m->has_control) {
    iwarp_pdu_sctp_control(it, m->user_data);
  } else if (m->has_ssn) {
    iwarp_pdu_sctp_segment(it, m->user_data, m->captured->length);
  }
  return m->has_control || m->has_ssn;
}

bool report_event_walk(iwarp_pdu_iter *it, const iwarp_event *ev) {
  if (ev->kind == IWARP_EVENT_SCTP_MESSAGE || ev->kind == IWARP_EVENT_SCTP_SEGMENT) {
    return pdu_of_sctp(it, &ev->sctp->u.message);
  }
  if (ev->kind == IWARP_EVENT_FPDU) {
    iwarp_pdu_decoded_fpdu(it, &ev->u.fpdu.fpdu);
  }
  return ev->kind == IWARP_EVENT_FPDU;
}
