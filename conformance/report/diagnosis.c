/* SPDX-License-Identifier: BSD-2-Clause */
/* Diagnoses in words and in JSON. */
#include <report/diagnosis.h>

#include <string.h>

#include <report/names.h>
#include <report/place.h>

/* The subject of a diagnosis. */
typedef struct diagnosis_words {
  const observe_conn *conn;      /* the connection, or the capture */
  const observe_transport *what; /* may be NULL */
  const iwarp_diagnosis *d;
} diagnosis_words;

static void diagnosis_side(out_buf *out, const diagnosis_words *w, uint8_t side) {
  if (w->what != NULL) {
    out_str(out, side == 0 ? w->what->client : w->what->server);
    return;
  }
  out_str(out, w->conn->addr[side]);
  if (w->conn->info->side[side].role != IWARP_ROLE_UNKNOWN) {
    out_str(out, " (");
    out_str(out, report_role_name(w->conn->info->side[side].role));
    out_char(out, ')');
  }
}

/* The side by its role, where that tells the sides apart. */
static void diagnosis_role(out_buf *out, const diagnosis_words *w, uint8_t side) {
  const iwarp_role role = w->what == NULL ? w->conn->info->side[side].role : IWARP_ROLE_UNKNOWN;
  if (role == IWARP_ROLE_UNKNOWN) {
    diagnosis_side(out, w, side);
  } else {
    out_str(out, "the ");
    out_str(out, report_role_name(role));
  }
}

/* Tenths of a second. */
static void diagnosis_time(out_buf *out, uint64_t ns) {
  out_fixed(out, (ns + 50000000u) / 100000000u, 1);
  out_str(out, " s");
}

/* What a placeholder stands for. */
static void diagnosis_part(out_buf *out, const diagnosis_words *w, char c) {
  const iwarp_diagnosis *d = w->d;
  switch (c) {
  case 's': diagnosis_side(out, w, d->side); break;
  case 'p': diagnosis_side(out, w, 1 - d->side); break;
  case 'r': diagnosis_role(out, w, d->side); break;
  case 'q': diagnosis_role(out, w, 1 - d->side); break;
  case '0':
  case '1':
  case '2': report_place_put(out, w->conn, 0, d->frames[c - '0']); break;
  case 'a':
  case 'b':
  case 'c': out_u64(out, d->number[c - 'a']); break;
  case 'A':
  case 'B':
  case 'C': out_hex(out, d->number[c - 'A'], 8); break;
  case 't': diagnosis_time(out, d->number[2]); break;
  case 'v':
  case 'w': out_str(out, d->word[c - 'v']); break;
  default: break;
  }
}

static void diagnosis_put(out_buf *out, const diagnosis_words *w) {
  for (const char *at = w->d->text; *at != 0;) {
    const size_t n = strcspn(at, "%");
    out_put(out, at, n);
    at += n;
    if (*at == '%') {
      diagnosis_part(out, w, at[1]);
      at += 2;
    }
  }
}

void report_diagnosis_put(out_buf *out, const observe_conn *conn, const iwarp_diagnosis *d) {
  diagnosis_put(out, &(diagnosis_words){.conn = conn, .d = d});
}

void report_diagnosis_transport_put(out_buf *out, const observe_conn *capture,
                                    const observe_transport *what, const iwarp_diagnosis *d) {
  diagnosis_put(out, &(diagnosis_words){.conn = capture, .what = what, .d = d});
}

const char *report_diagnosis_certainty(const iwarp_diagnosis *d) {
  return d->certainty == IWARP_DIAGNOSIS_CERTAIN ? "certain" : "likely";
}

/* ---- JSON ---- */

/* Returns true if the frame is listed: each one once. */
static bool diagnosis_names(const iwarp_diagnosis *d, size_t i) {
  for (size_t before = 0; before < i; before++) {
    if (d->frames[before] == d->frames[i]) {
      return false;
    }
  }
  return d->frames[i] != 0;
}

/* Numbers of frames, and their files if one of them is another file than the line has. */
static void diagnosis_frames(jsonw *w, const diagnosis_words *words) {
  const iwarp_diagnosis *d = words->d;
  const char *own = report_place_of(words->conn, 0).file;
  bool elsewhere = false;
  jsonw_array(w, "frames");
  for (size_t i = 0; i < DIAGNOSE_FRAMES; i++) {
    const report_place place = report_place_of(words->conn, d->frames[i]);
    if (diagnosis_names(d, i)) {
      jsonw_u64(w, NULL, place.frame);
      elsewhere = elsewhere || strcmp(place.file, own) != 0;
    }
  }
  jsonw_end_array(w);
  if (elsewhere) {
    jsonw_array(w, "frames_file");
    for (size_t i = 0; i < DIAGNOSE_FRAMES; i++) {
      const char *file = report_place_of(words->conn, d->frames[i]).file;
      if (diagnosis_names(d, i)) {
        jsonw_string(w, NULL, file, strlen(file));
      }
    }
    jsonw_end_array(w);
  }
}

static void diagnosis_members(jsonw *w, const diagnosis_words *words) {
  const iwarp_diagnosis_row *row = iwarp_diagnosis_get(words->d->id);
  out_buf text;
  out_open_memory(&text);
  diagnosis_put(&text, words);
  jsonw_text(w, "id", row->id);
  jsonw_text(w, "certainty", report_diagnosis_certainty(words->d));
  jsonw_string(w, "text", text.buf, text.len);
  diagnosis_frames(w, words);
  jsonw_string(w, "operator", row->operator_do, strlen(row->operator_do));
  jsonw_string(w, "implementer", row->implementer_do, strlen(row->implementer_do));
  out_close(&text);
}

static void diagnosis_list(jsonw *w, const iwarp_diagnoses *list, diagnosis_words words) {
  if (list->num == 0) {
    return;
  }
  jsonw_array(w, "diagnosis");
  for (size_t i = 0; i < list->num; i++) {
    words.d = &list->of[i];
    jsonw_object(w, NULL);
    diagnosis_members(w, &words);
    jsonw_end_object(w);
  }
  jsonw_end_array(w);
}

void report_diagnosis_json(jsonw *w, const observe_conn *conn, const iwarp_diagnosis *d) {
  diagnosis_members(w, &(diagnosis_words){.conn = conn, .d = d});
}

void report_diagnoses_json(jsonw *w, const observe_conn *conn) {
  iwarp_diagnoses list;
  iwarp_diagnose(&list, conn);
  diagnosis_list(w, &list, (diagnosis_words){.conn = conn});
}

void report_transport_diagnoses_json(jsonw *w, const observe_conn *capture,
                                     const observe_transport *what) {
  iwarp_diagnoses list;
  iwarp_diagnose_transport(&list, what);
  diagnosis_list(w, &list, (diagnosis_words){.conn = capture, .what = what});
}
