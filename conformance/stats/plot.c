/* SPDX-License-Identifier: BSD-2-Clause */
/* Points over time for plots, in bounded memory. */
#include <stdlib.h>

#include <memory/memory.h>

#include "state.h"

enum { PLOT_FIRST_ROOM = 16 };

/* The higher one of two points; of equally high ones the later one. */
static stats_point plot_higher(stats_point a, stats_point b) {
  return b.v >= a.v ? b : a;
}

/* Makes one point of two that follow one another. */
static void plot_halve(stats_series *x) {
  for (size_t i = 0; i < x->num / 2; i++) {
    x->of[i] = plot_higher(x->of[2 * i], x->of[2 * i + 1]);
  }
  x->num /= 2;
  x->stride *= 2;
}

static bool plot_make_room(stats_series *x) {
  if (x->num < x->room) {
    return true;
  }
  if (x->num == STATS_POINTS) {
    plot_halve(x);
    return true;
  }
  size_t room = x->room > 0 ? 2 * x->room : PLOT_FIRST_ROOM;
  room = room < STATS_POINTS ? room : STATS_POINTS;
  stats_point *grown = memory_resize(x->of, room * sizeof *grown);
  if (grown == NULL) {
    return false;
  }
  x->of = grown;
  x->room = room;
  return true;
}

void st_plot_add(stats *s, stats_series *x, uint64_t ns, uint64_t v, uint8_t kind) {
  const stats_point point = {.ns = ns - s->figures.first_ns, .v = v, .kind = kind};
  if (!s->cfg->plots) {
    return;
  }
  x->stride = x->stride > 0 ? x->stride : 1;
  x->waiting = x->waits > 0 ? plot_higher(x->waiting, point) : point;
  x->waits++;
  if (x->waits >= x->stride && plot_make_room(x)) {
    x->of[x->num++] = x->waiting;
    x->waits = 0;
  }
}

void st_plot_free(stats_plots *p) {
  free(p->sequence.of);
  free(p->latency.of);
  free(p->outstanding.of);
}
