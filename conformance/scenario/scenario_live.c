/* SPDX-License-Identifier: BSD-2-Clause */
/* One line at a time, for a player: the octets that a side sends, and the terms that it heard. */
#include "scenario_priv.h"

void scenario_play(scenario *s, const scenario_terms *terms) {
  scn_conn *c = s->conn;
  scn_forget(s);
  memset(c->side, 0, sizeof c->side);
  memset(c->num_items, 0, sizeof c->num_items);
  memset(c->fin, 0, sizeof c->fin);
  c->asked = (scn_asked){.known = false};
  memset(c->blame, 0, sizeof c->blame);
  c->begun = c->closed = true;
  s->is_case = s->live = true;
  s->items = 0;
  s->terms = *terms;
}

void scenario_ask(scenario *s, const scenario_terms *terms) {
  s->terms = *terms;
}

void scenario_heard(scenario *s, uint8_t side, const iwarp_mpa_startup *frame,
                    const iwarp_mpa_enhanced *enhanced) {
  scn_conn *c = s->conn;
  c->side[side].markers = (frame->flags & IWARP_MPA_FLAG_M) != 0;
  c->side[side].crc = (frame->flags & IWARP_MPA_FLAG_C) != 0;
  c->asked = (scn_asked){.known = true, .enhanced = enhanced != NULL, .rev = frame->rev};
  if (enhanced != NULL) {
    c->asked.terms = *enhanced;
  }
}

void scenario_heard_segment(scenario *s, uint8_t side, iwarp_span head, size_t segment_len) {
  scn_blame *blame = &s->conn->blame[side];
  blame->len = head.len < sizeof blame->octets ? head.len : sizeof blame->octets;
  blame->segment_len = segment_len;
  memcpy(blame->octets, head.ptr, blame->len);
}

bool scenario_say(scenario *s, uint8_t side, const scn_line *line, scenario_error *error) {
  return scn_said(s, side, line, error);
}

bool scenario_said_get(const scenario *s, size_t i, scenario_said *out) {
  if (i >= s->num) {
    return false;
  }
  const scn_packet *p = &s->packets[i];
  *out = (scenario_said){.octets = {p->octets, p->len},
                         .fin = (p->flags & SCN_FIN) != 0,
                         .rst = (p->flags & SCN_RST) != 0};
  return true;
}

void scenario_clear(scenario *s) {
  scn_forget(s);
}
