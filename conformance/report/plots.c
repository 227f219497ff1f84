/* SPDX-License-Identifier: BSD-2-Clause */
/* Plots of a connection as SVG: of the page of `stats`, and of the page of `check`. */
#include <report/conn.h>
#include <report/names.h>
#include <report/stats.h>

#include <report/xml.h>

#include "plots.h"

enum {
  PLOT_LEFT = 90,
  PLOT_RIGHT = 750,
  PLOT_TOP = 10,
  PLOT_BOTTOM = 185,
  PLOT_TICKS = 4,
  PLOT_COLUMNS = 8 /* least columns of a distribution */
};

/* The inside of a frame, with a margin of four units. */
#define PLOT_AREA                                                                                  \
  "<svg class=\"area\" x=\"86\" y=\"6\" width=\"668\" height=\"183\" "                             \
  "viewBox=\"86 6 668 183\" preserveAspectRatio=\"none\">\n"

/* What is drawn in one frame: from 0 up to these values. */
typedef struct plot {
  out_buf *out;
  uint64_t max_x;
  uint64_t max_y;
} plot;

/* ---- frames ---- */

/* Tenths of a unit of the drawing. */
static uint64_t plot_scale(uint64_t v, uint64_t max, uint64_t size) {
  const uint64_t whole = max > 0 ? max : 1;
  const uint64_t part = v < whole ? v : whole;
  return whole > UINT64_MAX / (10 * size) ? part / (whole / (10 * size) + 1)
                                          : part * 10 * size / whole;
}

static void plot_tenths(out_buf *out, uint64_t tenths) {
  out_u64(out, tenths / 10);
  if (tenths % 10 != 0) {
    out_char(out, '.');
    out_char(out, (char)('0' + tenths % 10));
  }
}

static void plot_x(const plot *p, uint64_t v) {
  plot_tenths(p->out, PLOT_LEFT * 10u + plot_scale(v, p->max_x, PLOT_RIGHT - PLOT_LEFT));
}

static void plot_y(const plot *p, uint64_t v) {
  plot_tenths(p->out, PLOT_BOTTOM * 10u - plot_scale(v, p->max_y, PLOT_BOTTOM - PLOT_TOP));
}

/* A number of octets or a count; or seconds, up to microseconds. */
static void plot_label(out_buf *out, uint64_t v, bool seconds) {
  if (seconds) {
    out_time(out, v, 6);
    out_str(out, " s");
  } else {
    out_u64(out, v);
  }
}

/* A line across the frame. */
static void plot_across(const plot *p, const char *kind, uint64_t y) {
  out_str(p->out, "<path class=\"");
  out_str(p->out, kind);
  out_str(p->out, "\" d=\"M");
  plot_tenths(p->out, PLOT_LEFT * 10u);
  out_char(p->out, ' ');
  plot_y(p, y);
  out_str(p->out, "H");
  plot_tenths(p->out, PLOT_RIGHT * 10u);
  out_str(p->out, "\"/>");
}

static void plot_grid(const plot *p, uint64_t y, bool seconds) {
  plot_across(p, "grid", y);
  out_str(p->out, "<text text-anchor=\"end\" x=\"84\" y=\"");
  plot_y(p, y);
  out_str(p->out, "\">");
  plot_label(p->out, y, seconds);
  out_str(p->out, "</text>");
}

/* Part of the whole up to so many ticks. */
static uint64_t plot_part(uint64_t most, uint64_t ticks) {
  return most / PLOT_TICKS * ticks + most % PLOT_TICKS * ticks / PLOT_TICKS;
}

static void plot_axis(const plot *p, bool seconds) {
  const uint64_t rows = p->max_y < PLOT_TICKS ? p->max_y : PLOT_TICKS;
  out_str(p->out, "<g class=\"axis\">");
  for (uint64_t i = 0; i <= rows; i++) {
    plot_grid(p, rows < PLOT_TICKS ? i : plot_part(p->max_y, i), seconds);
  }
  for (uint64_t i = 0; i <= PLOT_TICKS && p->max_x > 0; i++) {
    out_str(p->out, "<text text-anchor=\"end\" y=\"205\" x=\"");
    plot_x(p, plot_part(p->max_x, i));
    out_str(p->out, "\">");
    plot_label(p->out, plot_part(p->max_x, i), true);
    out_str(p->out, "</text>\n");
  }
  out_str(p->out, "</g>\n");
}

static void plot_begin_text(out_buf *out, const char *title) {
  out_str(out, "<figure class=\"plot\"><figcaption>");
  xml_text(out, title);
  out_str(out, "</figcaption>\n<svg role=\"img\" aria-label=\"");
  xml_text(out, title);
  out_str(out, "\" viewBox=\"0 0 760 220\"");
}

/* Begins a figure; `seconds`: its values are nanoseconds. Those over time say how far they go, for
 * a script that zooms in; what is drawn stands in an svg of its own. */
static void plot_begin(const plot *p, const char *title, bool seconds) {
  plot_begin_text(p->out, title);
  if (p->max_x > 0) {
    out_str(p->out, " data-ns=\"");
    out_u64(p->out, p->max_x);
    out_str(p->out, "\" data-most=\"");
    out_u64(p->out, p->max_y);
    out_str(p->out, seconds ? "\" data-seconds=\"\"" : "\"");
  }
  out_str(p->out, ">\n");
  plot_axis(p, seconds);
  out_str(p->out, PLOT_AREA);
}

static void plot_end_area(const plot *p) {
  out_str(p->out, "</svg>\n");
}

static void plot_end(const plot *p) {
  plot_end_area(p);
  out_str(p->out, "</svg></figure>\n");
}

/* ---- what is drawn ---- */

/* Points of one kind as dots. */
static void plot_dots(const plot *p, const stats_series *x, uint8_t kind) {
  bool any = false;
  for (size_t i = 0; i < x->num; i++) {
    if (x->of[i].kind != kind) {
      continue;
    }
    if (!any) {
      out_str(p->out, "<path class=\"dots k");
      out_u64(p->out, kind);
      out_str(p->out, "\" d=\"");
      any = true;
    }
    out_char(p->out, 'M');
    plot_x(p, x->of[i].ns);
    out_char(p->out, ' ');
    plot_y(p, x->of[i].v);
    out_str(p->out, "h0");
  }
  out_str(p->out, any ? "\"/>\n" : "");
}

static void plot_steps(const plot *p, const stats_series *x) {
  out_str(p->out, "<path class=\"line\" d=\"M");
  plot_x(p, 0);
  out_char(p->out, ' ');
  plot_y(p, 0);
  for (size_t i = 0; i < x->num; i++) {
    out_char(p->out, 'H');
    plot_x(p, x->of[i].ns);
    out_char(p->out, 'V');
    plot_y(p, x->of[i].v);
  }
  out_str(p->out, "\"/>\n");
}

/* A bar between two places, in tenths of a unit from the left. */
static void plot_bar(const plot *p, uint64_t from, uint64_t to, uint64_t v) {
  const uint64_t width = to - from;
  const uint64_t height = plot_scale(v, p->max_y, PLOT_BOTTOM - PLOT_TOP);
  out_str(p->out, "<rect class=\"bar\" x=\"");
  plot_tenths(p->out, PLOT_LEFT * 10u + from + width / 10);
  out_str(p->out, "\" y=\"");
  plot_tenths(p->out, PLOT_BOTTOM * 10u - height);
  out_str(p->out, "\" width=\"");
  plot_tenths(p->out, width - width / 5);
  out_str(p->out, "\" height=\"");
  plot_tenths(p->out, height);
  out_str(p->out, "\"/>");
}

/* The place of a time. */
static uint64_t plot_place(const plot *p, uint64_t ns) {
  return plot_scale(ns, p->max_x, PLOT_RIGHT - PLOT_LEFT);
}

static uint64_t series_max(const stats_series *x) {
  uint64_t max = 0;
  for (size_t i = 0; i < x->num; i++) {
    max = x->of[i].v > max ? x->of[i].v : max;
  }
  return max;
}

/* ---- the plots of a direction ---- */

static void html_sequence(out_buf *out, const stats_figures *f, unsigned side) {
  const stats_series *x = &f->side[side].plots.sequence;
  const plot p = {.out = out, .max_x = f->duration_ns, .max_y = series_max(x)};
  if (x->num == 0) {
    return;
  }
  plot_begin(&p, "Octets of the stream by time, a dot for each FPDU or group of FPDUs", false);
  for (uint8_t kind = 0; kind < STATS_NAMES; kind++) {
    plot_dots(&p, x, kind);
  }
  plot_end(&p);
  out_str(out, "<p class=\"legend\">");
  for (uint8_t kind = 0; kind < STATS_NAMES; kind++) {
    if (f->side[side].messages[kind] != NULL) {
      out_str(out, "<span class=\"k");
      out_u64(out, kind);
      out_str(out, "\">&#9679; ");
      out_str(out, stats_name(kind));
      out_str(out, "</span> ");
    }
  }
  out_str(out, "</p>\n");
}

static void html_throughput(out_buf *out, const stats_figures *f, unsigned side) {
  const stats_side *s = &f->side[side];
  plot p = {.out = out, .max_x = f->duration_ns};
  if (s->slots.num < 2) {
    return;
  }
  for (size_t i = 0; i < s->slots.num; i++) {
    p.max_y = s->slots.of[i] > p.max_y ? s->slots.of[i] : p.max_y;
  }
  out_buf title;
  out_open_memory(&title);
  out_str(&title, "Throughput: octets of payload in each ");
  out_time(&title, s->slots.width_ns, 9);
  out_str(&title, " s");
  out_char(&title, 0);
  out_fail_with(out, &title);
  plot_begin(&p, title.buf != NULL ? title.buf : "", false);
  out_close(&title);
  for (size_t i = 0; i < s->slots.num; i++) {
    if (s->slots.of[i] > 0) {
      const uint64_t from = plot_place(&p, i * s->slots.width_ns);
      plot_bar(&p, from, plot_place(&p, (i + 1) * s->slots.width_ns), s->slots.of[i]);
    }
  }
  plot_end(&p);
}

static void html_latency(out_buf *out, const stats_figures *f, unsigned side) {
  const stats_series *x = &f->side[side].plots.latency;
  const plot p = {.out = out, .max_x = f->duration_ns, .max_y = series_max(x)};
  if (x->num == 0) {
    return;
  }
  plot_begin(&p, "Response time of Reads by the time of the answer", true);
  plot_dots(&p, x, IWARP_RDMAP_OP_READ_RESP);
  plot_end(&p);
}

static void html_bound(out_buf *out, stats_hist_kind kind, uint64_t bound) {
  if (bound == UINT64_MAX) {
    out_str(out, "more");
  } else if (kind == STATS_DURATIONS) {
    plot_label(out, bound, true);
  } else {
    out_u64(out, bound);
  }
}

/* The buckets of a distribution that are in use, with those between them. */
static void html_hist(out_buf *out, const char *title, const stats_hist *h) {
  plot p = {.out = out};
  size_t first = 0;
  size_t last = 0;
  if (h->count == 0) {
    return;
  }
  for (size_t i = 0; i < stats_hist_buckets(h->kind); i++) {
    if (h->bound[i] > 0) {
      first = p.max_y == 0 ? i : first;
      last = i;
      p.max_y = h->bound[i] > p.max_y ? h->bound[i] : p.max_y;
    }
  }
  plot_begin(&p, title, false);
  const size_t columns = last - first + 1 > PLOT_COLUMNS ? last - first + 1 : PLOT_COLUMNS;
  const uint64_t width = (PLOT_RIGHT - PLOT_LEFT) * 10u / columns;
  for (size_t i = first; i <= last; i++) {
    plot_bar(&p, (i - first) * width, (i - first + 1) * width, h->bound[i]);
  }
  plot_end_area(&p);
  for (size_t i = first; i <= last; i++) {
    out_str(out, "<text text-anchor=\"end\" y=\"205\" x=\"");
    plot_tenths(out, PLOT_LEFT * 10u + (i - first + 1) * width);
    out_str(out, "\">");
    html_bound(out, h->kind, stats_hist_bound(h->kind, i));
    out_str(out, "</text>\n");
  }
  out_str(out, "</svg></figure>\n");
}

static void html_outstanding(out_buf *out, const stats_figures *f, unsigned side) {
  const stats_series *x = &f->side[side].plots.outstanding;
  const stats_outstanding *o = &f->side[side].outstanding;
  plot p = {.out = out, .max_x = f->duration_ns, .max_y = series_max(x)};
  if (x->num == 0 || !o->known) {
    return;
  }
  p.max_y = o->has_limit && o->limit > p.max_y ? o->limit : p.max_y;
  plot_begin(&p,
             o->has_limit ? "Requests outstanding, and the limit by ORD and IRD"
                          : "Requests outstanding",
             false);
  plot_steps(&p, x);
  if (o->has_limit) {
    plot_across(&p, "limit", o->limit);
    out_char(out, '\n');
  }
  plot_end(&p);
}

static void html_direction(out_buf *out, const report_stats_conn *c, unsigned side) {
  const stats_side *s = &c->figures->side[side];
  out_str(out, "<h3>");
  out_str(out, report_role_name(c->conn->info->side[side].role));
  out_str(out, ": ");
  xml_text(out, c->conn->addr[side]);
  out_str(out, " sends</h3>\n");
  html_sequence(out, c->figures, side);
  html_throughput(out, c->figures, side);
  html_latency(out, c->figures, side);
  html_hist(out, "Response times of Reads: how many up to each bound", &s->reads.response_time);
  html_outstanding(out, c->figures, side);
  for (size_t i = 0; i < STATS_NAMES; i++) {
    if (s->messages[i] != NULL) {
      out_buf title;
      out_open_memory(&title);
      out_str(&title, "Octets of each ");
      out_str(&title, stats_name(i));
      out_str(&title, ": how many messages up to each bound");
      out_char(&title, 0);
      out_fail_with(out, &title);
      html_hist(out, title.buf != NULL ? title.buf : "", &s->messages[i]->size);
      out_close(&title);
    }
  }
}

void report_plots_put(out_buf *out, const report_stats_conn *c) {
  html_direction(out, c, c->first);
  html_direction(out, c, c->first ^ 1u);
}
