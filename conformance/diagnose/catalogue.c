/* SPDX-License-Identifier: BSD-2-Clause */
/* The catalogue of diagnoses. */
#include <diagnose/diagnose.h>

#include <string.h>

static const iwarp_diagnosis_row diagnose_rows[] = {
#define DIAGNOSIS(id, slug, certainty, summary, meaning, operator_do, implementer_do)              \
  {slug, certainty, summary, meaning, operator_do, implementer_do},
#include <diagnose/catalogue.def>
#undef DIAGNOSIS
};

const iwarp_diagnosis_row *iwarp_diagnosis_get(unsigned int id) {
  return id < IWARP_DIAGNOSES ? &diagnose_rows[id] : NULL;
}

const iwarp_diagnosis_row *iwarp_diagnosis_find(const char *id) {
  for (unsigned int i = 0; i < IWARP_DIAGNOSES; i++) {
    if (strcmp(diagnose_rows[i].id, id) == 0) {
      return &diagnose_rows[i];
    }
  }
  return NULL;
}
