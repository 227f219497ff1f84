/* SPDX-License-Identifier: BSD-2-Clause */
/* Verdicts, values, and the place of the octets. */
#include "verdict.h"

#include <string.h>

iwarp_value rulesi_octets(const uint8_t *octets, size_t len) {
  iwarp_value v = {.kind = IWARP_VALUE_OCTETS};
  v.num_octets = (uint8_t)(len < sizeof(v.octets) ? len : sizeof(v.octets));
  memcpy(v.octets, octets, v.num_octets);
  return v;
}

void rulesi_inconclusive(struct rules_ctx *j, uint32_t why) {
  iwarp_rule_result *r = &j->results[j->rule];
  if (why == 0) {
    return; /* another rule says what keeps this one from judging */
  }
  r->num_inconclusive++;
  r->why |= why;
}

iwarp_finding *rulesi_fail_event(struct rules_ctx *j, const iwarp_event *ev, iwarp_value expected,
                                 iwarp_value observed) {
  iwarp_rule_result *r = &j->results[j->rule];
  struct rules_findings *all = j->findings;
  iwarp_finding *f = &all->entry[all->num];
  r->num_fail++;
  all->num++;
  all->touched = all->num > all->touched ? all->num : all->touched;
  memset(f, 0, sizeof(*f));
  f->rule = j->rule;
  f->side = ev->side;
  f->role = j->info->side[ev->side].role;
  f->pos = ev->pos;
  f->offset = ev->kind == IWARP_EVENT_FPDU ? ev->u.fpdu.offset : IWARP_POS_UNKNOWN;
  f->octet_pos = IWARP_POS_UNKNOWN;
  f->first = ev->first;
  f->last = ev->last;
  f->expected = expected;
  f->observed = observed;
  return f;
}

iwarp_finding *rulesi_fail(struct rules_ctx *j, iwarp_value expected, iwarp_value observed) {
  return rulesi_fail_event(j, j->ev, expected, observed);
}

void rulesi_at_startup(iwarp_finding *f, const struct rules_ctx *j, uint32_t off, uint32_t len) {
  f->octet_pos = j->ev->pos + off;
  f->octet_len = len;
}

/* Markers stand between the octets of the ULPDU: RFC 5044 4.3. */
void rulesi_at_ulpdu(iwarp_finding *f, const struct rules_ctx *j, uint32_t off, uint32_t len) {
  const iwarp_mpa_layout *layout = &j->ev->u.fpdu.fpdu.layout;
  size_t run = 0;
  const size_t at = iwarp_mpa_wire_offset(&run, layout, IWARP_MPA_LENGTH_LEN + (size_t)off);
  f->octet_pos = j->ev->pos + at - layout->lead; /* pos is that of ULPDU_Length */
  f->octet_len = len;
}
