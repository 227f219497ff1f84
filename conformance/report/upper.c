/* SPDX-License-Identifier: BSD-2-Clause */
/* The name of a message of an upper layer, in text and as JSON. */
#include "dump_parts.h"

#define UPPER_STATUS_NVME 4u /* digits of a status */
#define UPPER_STATUS 8u

static void upper_word(out_buf *out, const char *word) {
  if (word != NULL) {
    out_char(out, ' ');
    out_str(out, word);
  }
}

/* " (SEQUENCE PUTFH READ ...)" */
static void upper_parts(out_buf *out, const upper_message *m) {
  for (size_t i = 0; i < UPPER_PARTS && m->parts[i] != NULL; i++) {
    out_str(out, i == 0 ? " (" : " ");
    out_str(out, m->parts[i]);
  }
  if (m->parts[0] != NULL) {
    out_str(out, m->more_parts ? " ...)" : ")");
  }
}

/* All words but the protocol, with a blank before each. */
static void upper_put(out_buf *out, const upper_message *m) {
  upper_word(out, m->program);
  upper_word(out, m->name);
  if (m->has_number) {
    out_char(out, ' ');
    out_u64(out, m->number);
  }
  upper_parts(out, m);
  upper_word(out, m->kind);
}

static void upper_status(out_buf *out, const upper_message *m) {
  out_hex(out, m->status, m->protocol == UPPER_NVME ? UPPER_STATUS_NVME : UPPER_STATUS);
}

void report_text_upper(out_buf *out, const upper_message *m) {
  if (m == NULL) {
    return;
  }
  out_str(out, ", ");
  out_str(out, upper_protocol_label(m->protocol));
  upper_put(out, m);
  if (m->status != 0) {
    out_str(out, ", status ");
    upper_status(out, m);
  }
}

void report_json_upper(jsonw *w, const upper_message *m) {
  out_buf words;
  if (m == NULL) {
    return;
  }
  out_open_memory(&words);
  jsonw_object(w, "ulp");
  jsonw_text(w, "protocol", upper_protocol_key(m->protocol));
  upper_put(&words, m);
  const bool any = words.len > 0; /* else memory ran out */
  jsonw_string(w, "message", any ? words.buf + 1 : "", any ? words.len - 1 : 0);
  if (m->status != 0) {
    out_clear(&words);
    upper_status(&words, m);
    jsonw_string(w, "status", words.buf, words.len);
  }
  jsonw_end_object(w);
  out_close(&words);
}
