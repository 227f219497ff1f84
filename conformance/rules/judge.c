/* SPDX-License-Identifier: BSD-2-Clause */
/* How a rule says its judgement: verdicts, values and the place of the octets. */
#include <string.h>

#include "engine.h"

iwarp_value iwarp_rules_octets(const uint8_t *octets, size_t len) {
  iwarp_value v = {.kind = IWARP_VALUE_OCTETS};
  v.num_octets = (uint8_t)(len < sizeof(v.octets) ? len : sizeof(v.octets));
  memcpy(v.octets, octets, v.num_octets);
  return v;
}

iwarp_finding *iwarp_rules_fail(struct rules_judge *j, iwarp_value expected, iwarp_value observed) {
  return iwarp_rules_fail_event(j, j->ev, expected, observed);
}

void iwarp_rules_at_startup(iwarp_finding *f, const struct rules_judge *j, uint32_t off,
                            uint32_t len) {
  f->octet_pos = j->ev->pos + off;
  f->octet_len = len;
}

/* Markers stand between the octets of the ULPDU: RFC 5044 4.3. */
void iwarp_rules_at_ulpdu(iwarp_finding *f, const struct rules_judge *j, uint32_t off,
                          uint32_t len) {
  const iwarp_mpa_layout *l = &j->ev->u.fpdu.fpdu.layout;
  const uint32_t at = 2u + off; /* from the first octet of ULPDU_Length */
  uint32_t before = 0;
  if (l->num_markers > (l->lead != 0 ? 1u : 0u)) {
    const uint32_t to_first = l->first_marker - l->lead;
    const uint32_t between = IWARP_MPA_MARKER_PERIOD - IWARP_MPA_MARKER_LEN;
    before = at < to_first ? 0 : 1u + (at - to_first) / between;
  }
  f->octet_pos = j->ev->pos + at + (uint64_t)before * IWARP_MPA_MARKER_LEN;
  f->octet_len = len;
}

uint32_t iwarp_rules_missing(const struct rules_judge *j, uint8_t side) {
  if (!j->info->side[side].seen) {
    return IWARP_WHY_ONE_DIRECTION;
  }
  return j->track->side[side].gap_why;
}

bool iwarp_rules_saw_cause(const struct rules_judge *j) {
  const struct rules_side *other = rules_other(j);
  const uint64_t received = j->ev->first.peer_pos;
  return received != IWARP_POS_UNKNOWN && other->moved && received <= other->end;
}

static bool judge_right_frames(const iwarp_conn_side *request, const iwarp_conn_side *reply) {
  return request->has_startup && !request->is_reply && request->key == IWARP_MPA_KEY_REQUEST &&
         reply->has_startup && reply->is_reply && reply->key == IWARP_MPA_KEY_REPLY;
}

const iwarp_conn_side *iwarp_rules_reply(const struct rules_judge *j) {
  const iwarp_conn_side *s = j->info->side;
  if (judge_right_frames(&s[0], &s[1])) {
    return &s[1];
  }
  return judge_right_frames(&s[1], &s[0]) ? &s[0] : NULL;
}

const iwarp_conn_side *iwarp_rules_request(const struct rules_judge *j) {
  const iwarp_conn_side *reply = iwarp_rules_reply(j);
  if (reply == NULL) {
    return NULL;
  }
  return reply == &j->info->side[0] ? &j->info->side[1] : &j->info->side[0];
}
