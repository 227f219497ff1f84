/* SPDX-License-Identifier: BSD-2-Clause */
/* The queue of actions, and the verdict. */
#include "player_priv.h"

#include <stdio.h>
#include <stdlib.h>

#include <memory/memory.h>

/* ---- actions ---- */

bool player_act(peer_player *p, peer_action_kind kind, iwarp_span octets, unsigned int line) {
  size_t at = 0;
  do { /* a drip makes several */
    const bool drips = kind == PEER_ACTION_SEND && p->drip_ns > 0;
    const size_t left = octets.len - at;
    const size_t n = drips && left > p->drip_num ? p->drip_num : left;
    if (p->num_acts == p->cap_acts) {
      const size_t cap = p->cap_acts > 0 ? 2 * p->cap_acts : 16;
      act *grown = cap <= PLAYER_SENDS_MAX ? memory_resize(p->acts, cap * sizeof *grown) : NULL;
      if (grown == NULL) {
        return false;
      }
      p->acts = grown;
      p->cap_acts = cap;
    }
    act *a = &p->acts[p->num_acts];
    *a = (act){.kind = kind, .len = n, .line = line, .octets = n > 0 ? memory_get(n) : NULL};
    if (n > 0 && a->octets == NULL) {
      return false;
    }
    if (n > 0) {
      memcpy(a->octets, octets.ptr + at, n);
    }
    if (drips) {
      p->drip_next = p->drip_next > p->now ? p->drip_next + p->drip_ns : p->now;
      a->not_before = p->drip_next;
      p->drip_next += p->drip_next == p->now ? p->drip_ns : 0;
    }
    p->num_acts++;
    at += n;
  } while (at < octets.len);
  return true;
}

void player_acts_drop(peer_player *p) {
  for (size_t i = p->at_act; i < p->num_acts; i++) {
    p->cut_off = p->cut_off || p->acts[i].kind == PEER_ACTION_SEND;
    free(p->acts[i].octets);
    p->acts[i].octets = NULL;
  }
  p->num_acts = p->at_act;
}

/* ---- the verdict ---- */

void player_text(char *to, const char *from) {
  if (from != NULL) {
    snprintf(to, PEER_TEXT_CAP, "%s", from);
  }
}

void player_decide(peer_player *p, peer_verdict verdict, unsigned int line, const char *due,
                   const char *seen_text, const char *why) {
  if (p->decided) {
    return;
  }
  p->decided = true;
  p->result.verdict = verdict;
  p->result.line = line;
  player_text(p->result.due, due);
  player_text(p->result.seen, seen_text);
  player_text(p->result.why, why);
}
