/* SPDX-License-Identifier: BSD-2-Clause */
/* Keeps diagnoses: generated from their catalogue. */
#include "diagnoses.h"

#include <report/diagnosis.h>

#include "conns.h"
#include "iwarp_proto.h"
#include "records.h"

static expert_field diagnoses_fields[IWARP_DIAGNOSES];

void diagnoses_register(expert_module_t *module) {
  ei_register_info *rows = wmem_alloc0_array(wmem_epan_scope(), ei_register_info, IWARP_DIAGNOSES);
  for (guint i = 0; i < IWARP_DIAGNOSES; i++) {
    const iwarp_diagnosis_row *row = iwarp_diagnosis_get(i);
    diagnoses_fields[i] = (expert_field)EI_INIT;
    rows[i].ids = &diagnoses_fields[i];
    rows[i].eiinfo.name =
        wmem_strdup_printf(wmem_epan_scope(), IWARP_NAME ".diagnosis.%s", row->id);
    rows[i].eiinfo.group = PI_PROTOCOL;
    rows[i].eiinfo.severity = PI_WARN;
    rows[i].eiinfo.summary = row->summary;
  }
  expert_register_field_array(module, rows, IWARP_DIAGNOSES);
}

/* Gives the frames of a diagnosis the numbers that Wireshark has for them; false: one was dropped.
 */
static bool diagnoses_renumber(iwarp_diagnosis *d) {
  for (size_t i = 0; i < DIAGNOSE_FRAMES; i++) {
    const guint32 record = (guint32)d->frames[i];
    d->frames[i] = record != 0 ? records_frame(record) : 0;
    if (record != 0 && d->frames[i] == 0) {
      return false;
    }
  }
  return true;
}

/* The first frame that a diagnosis names, or 0. */
static guint32 diagnoses_frame(const iwarp_diagnosis *d) {
  for (size_t i = 0; i < DIAGNOSE_FRAMES; i++) {
    if (d->frames[i] != 0) {
      return (guint32)d->frames[i];
    }
  }
  return 0;
}

void diagnoses_closed(conn *c, const observe_conn *observed) {
  iwarp_diagnoses list;
  iwarp_diagnose(&list, observed);
  for (size_t i = 0; i < list.num; i++) {
    iwarp_diagnosis *d = &list.of[i];
    const guint32 record = diagnoses_frame(d);
    out_buf text;
    if (record != 0 && diagnoses_renumber(d)) {
      out_open_memory(&text);
      report_diagnosis_put(&text, observed, d);
      frames_add_note(record, c, &diagnoses_fields[d->id],
                      wmem_strndup(wmem_file_scope(), text.buf != NULL ? text.buf : "", text.len));
      out_close(&text);
    }
  }
}
