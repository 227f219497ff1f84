/* SPDX-License-Identifier: BSD-2-Clause */
/* A Terminate in words, and the reading that its sender is likely to have meant. */
#include "dump_parts.h"

#include <string.h>

static void term_json_name(jsonw *w, const char *key, const char *name) {
  if (name != NULL) {
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
  jsonw_u64(w, "layer", v->layer);
  jsonw_u64(w, "etype", v->etype);
  jsonw_u64(w, "code", v->code);
  jsonw_bool(w, "m", v->m);
  jsonw_bool(w, "d", v->d);
  jsonw_bool(w, "r", v->r);
  if (v->has_ddp_segment_length) {
    jsonw_u64(w, "ddp_segment_length", v->ddp_segment_length);
  }
  if (v->ddp_header.len > 0) {
    jsonw_octets(w, "ddp_header", v->ddp_header.ptr, v->ddp_header.len);
  }
  if (v->rdma_header.len > 0) {
    jsonw_octets(w, "rdma_header", v->rdma_header.ptr, v->rdma_header.len);
  }
  term_json_names(w, v);
}

void report_json_term(jsonw *w, const iwarp_rdmap_term *v) {
  iwarp_rdmap_term likely;
  jsonw_object(w, "terminate");
  term_json_members(w, v);
  if (iwarp_rdmap_term_likely(&likely, v)) {
    jsonw_object(w, "likely");
    term_json_members(w, &likely);
    jsonw_end_object(w);
  }
  jsonw_end_object(w);
}

static void term_text_name(sink *out, const char *name, uint8_t value) {
  if (name != NULL) {
    sink_str(out, name);
  } else {
    sink_str(out, "unassigned ");
    sink_hex(out, value, 2);
  }
}

static void term_text_reading(sink *out, const iwarp_rdmap_term *v) {
  term_text_name(out, iwarp_rdmap_term_layer_name(v->layer), v->layer);
  sink_str(out, " / ");
  term_text_name(out, iwarp_rdmap_term_etype_name(v->layer, v->etype), v->etype);
  sink_str(out, " / ");
  term_text_name(out, iwarp_rdmap_term_code_name(v->layer, v->etype, v->code), v->code);
  if (v->m || v->d || v->r) {
    sink_str(out, " hdrct ");
    sink_str(out, v->m ? "M" : "");
    sink_str(out, v->d ? "D" : "");
    sink_str(out, v->r ? "R" : "");
  }
  if (v->m && v->has_ddp_segment_length) {
    sink_str(out, " segment-length ");
    sink_u64(out, v->ddp_segment_length);
  }
}

void report_text_term(sink *out, const iwarp_rdmap_term *v) {
  iwarp_rdmap_term likely;
  term_text_reading(out, v);
  if (iwarp_rdmap_term_likely(&likely, v)) {
    sink_str(out, " (likely meant: ");
    term_text_reading(out, &likely);
    sink_str(out, ")");
  }
}
