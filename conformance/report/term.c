/* SPDX-License-Identifier: BSD-2-Clause */
/* A Terminate in words, and the reading that its sender is likely to have meant. */
#include "dump_parts.h"
#include "pdu_parts.h"

#include <string.h>

#include <report/place.h>

#define TERM_CONTROL_LEN 4u
#define TERM_LENGTH_LEN 2u /* DDP Segment Length */

static void term_json_name(jsonw *w, const char *key, const char *name) {
  if (iwarp_name_known(name)) {
    jsonw_string(w, key, name, strlen(name));
  }
}

static void term_json_names(jsonw *w, const iwarp_rdmap_term *v) {
  jsonw_object(w, "names");
  term_json_name(w, "layer", iwarp_rdmap_term_layer_name(v->layer));
  term_json_name(w, "etype", iwarp_rdmap_term_etype_name(v->layer, v->etype));
  term_json_name(w, "code", iwarp_rdmap_term_code_name(v->layer, v->etype, v->code));
  jsonw_end_object(w);
}

static void term_json_members(jsonw *w, const iwarp_rdmap_term *v) {
  uint8_t octets[TERM_CONTROL_LEN + TERM_LENGTH_LEN];
  size_t len = 0;
  iwarp_rdmap_term fixed = *v;
  fixed.ddp_header = fixed.rdma_header = fixed.rest = (iwarp_span){0};
  iwarp_rdmap_term_encode(octets, sizeof octets, &len, &fixed);
  report_brief_json(w, IWARP_FORM_RDMAP_TERM, (iwarp_span){octets, TERM_CONTROL_LEN});
  report_brief_json(w, IWARP_FORM_RDMAP_TERM_LENGTH,
                    (iwarp_span){octets + TERM_CONTROL_LEN, len - TERM_CONTROL_LEN});
  if (v->ddp_header.len > 0) {
    jsonw_octets(w, "ddp_header", v->ddp_header.ptr, v->ddp_header.len);
  }
  if (v->rdma_header.len > 0) {
    jsonw_octets(w, "rdma_header", v->rdma_header.ptr, v->rdma_header.len);
  }
  term_json_names(w, v);
}

void report_json_term(jsonw *w, const observe_conn *conn, const iwarp_rdmap_term *v,
                      iwarp_rdmap_term_place place, uint64_t about) {
  iwarp_rdmap_term likely;
  jsonw_object(w, "terminate");
  term_json_members(w, v);
  if (about != 0) {
    report_place_json(w, "about_frame", conn, 0, about);
  }
  if (iwarp_rdmap_term_likely(&likely, v, place)) {
    jsonw_object(w, "likely");
    term_json_members(w, &likely);
    jsonw_end_object(w);
  }
  jsonw_end_object(w);
}

static void term_text_name(out_buf *out, const char *name, uint8_t value) {
  if (iwarp_name_known(name)) {
    out_str(out, name);
  } else {
    out_str(out, "unassigned ");
    out_hex(out, value, 2);
  }
}

void report_text_triple(out_buf *out, const iwarp_rdmap_term *v) {
  term_text_name(out, iwarp_rdmap_term_layer_name(v->layer), v->layer);
  out_str(out, " / ");
  term_text_name(out, iwarp_rdmap_term_etype_name(v->layer, v->etype), v->etype);
  out_str(out, " / ");
  term_text_name(out, iwarp_rdmap_term_code_name(v->layer, v->etype, v->code), v->code);
}

static void term_text_reading(out_buf *out, const iwarp_rdmap_term *v) {
  report_text_triple(out, v);
  if (v->m || v->d || v->r) {
    out_str(out, " hdrct ");
    out_str(out, v->m ? "M" : "");
    out_str(out, v->d ? "D" : "");
    out_str(out, v->r ? "R" : "");
  }
  if (v->m && v->has_ddp_segment_length) {
    out_str(out, " segment-length ");
    out_u64(out, v->ddp_segment_length);
  }
}

void report_text_term(out_buf *out, const iwarp_rdmap_term *v, iwarp_rdmap_term_place place) {
  iwarp_rdmap_term likely;
  term_text_reading(out, v);
  if (iwarp_rdmap_term_likely(&likely, v, place)) {
    out_str(out, " (likely meant: ");
    term_text_reading(out, &likely);
    out_str(out, ")");
  }
}
