/* SPDX-License-Identifier: BSD-2-Clause */
/* Rounds, medians and quartiles of ratios, and their tables. */
#define _POSIX_C_SOURCE 200809L

#include "compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS 41u
#define ROUNDS_MAX 1001u
#define SECONDS 0.0008
#define NOISE 0.15 /* bound between the quartiles of ours to ours */
#define PAGE_MAX (1u << 20)

volatile uint32_t bench_keep;

enum { OURS, AGAIN, THEIRS, BOUND, NUM_SIDES };

typedef struct result {
  double ours; /* seconds of one measurement, medians */
  double theirs;
  double bound;
  bench_spread ratio; /* speed of ours to theirs */
  bench_spread self;  /* speed of ours to ours */
  bench_spread limit; /* speed of ours to the limit */
} result;

_Noreturn void bench_stop(const char *what, const char *reason) {
  fprintf(stderr, "%s: %s\n", what, reason);
  exit(EXIT_FAILURE);
}

/* The time of the processor: when others have it, that is not counted. */
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double measure(bench_work work, const void *scene, size_t times) {
  const double begin = now();
  for (size_t i = 0; i < times; i++) {
    work(scene);
  }
  return now() - begin;
}

/* Returns the runs of the work for a measurement of so many seconds; warms up, too. */
static size_t times_for(const bench_row *row, double seconds) {
  size_t times = 1;
  while (measure(row->ours, row->scene, times) < seconds) {
    times *= 2;
  }
  return times;
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a;
  const double y = *(const double *)b;
  return (x > y) - (x < y);
}

bench_spread bench_spread_of(double *v, size_t num) {
  qsort(v, num, sizeof v[0], by_size);
  return (bench_spread){.low = v[num / 4], .median = v[num / 2], .high = v[num - 1 - num / 4]};
}

static bench_spread ratios(double t[ROUNDS_MAX][NUM_SIDES], size_t num, size_t a, size_t b) {
  double v[ROUNDS_MAX];
  for (size_t i = 0; i < num; i++) {
    v[i] = t[i][a] / t[i][b];
  }
  return bench_spread_of(v, num);
}

static double median_of(double t[ROUNDS_MAX][NUM_SIDES], size_t num, size_t side) {
  double v[ROUNDS_MAX];
  for (size_t i = 0; i < num; i++) {
    v[i] = t[i][side];
  }
  return bench_spread_of(v, num).median;
}

static result compare(const bench_run *run, const bench_row *row) {
  static double t[ROUNDS_MAX][NUM_SIDES];
  const bench_work work[NUM_SIDES] = {row->ours, row->ours, row->theirs, row->bound};
  const size_t times = times_for(row, run->seconds);
  for (size_t i = 0; i <= run->rounds; i++) { /* the first round warms up */
    for (size_t side = 0; side < NUM_SIDES; side++) {
      const size_t begin = (side + i) % NUM_SIDES; /* the order rotates */
      t[i > 0 ? i - 1 : 0][begin] = measure(work[begin], row->scene, times) / (double)times;
    }
  }
  return (result){.ours = median_of(t, run->rounds, OURS),
                  .theirs = median_of(t, run->rounds, THEIRS),
                  .bound = median_of(t, run->rounds, BOUND),
                  .ratio = ratios(t, run->rounds, THEIRS, OURS),
                  .self = ratios(t, run->rounds, AGAIN, OURS),
                  .limit = ratios(t, run->rounds, BOUND, OURS)};
}

bool bench_noisy(const bench_spread *self) {
  return self->high - self->low > NOISE;
}

bool bench_chosen(const bench_run *run, const char *what) {
  return run->only == NULL || strstr(what, run->only) != NULL;
}

static const char *verdict(const bench_row *row, const result *r) {
  if (bench_noisy(&r->self)) {
    return "too noisy to judge";
  }
  if (r->ratio.median < row->at_least) {
    return "below";
  }
  return r->ratio.median < row->aim ? "reached" : "aim reached";
}

/* ---- the table, as Markdown ---- */

static void print_head(FILE *out, const char *head) {
  fprintf(out, "%s\n\n", head);
  fprintf(out,
          "| What | Peer | Ours, ns | Ours, GB/s | Peer, GB/s | Ratio, median | Quartiles | At "
          "least | Aim | | Limit | Limit, GB/s | Of the limit |\n");
  fprintf(out, "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
}

static void print_row(FILE *out, const bench_row *row, const result *r) {
  const double giga = row->octets * 1e-9;
  fprintf(out,
          "| %s | %s | %.1f | %.1f | %.1f | **%.2f** | %.2f to %.2f | %.2f | %.2f | %s | %s | %.1f "
          "| %.2f |\n",
          row->what, row->peer, r->ours / row->calls * 1e9, giga / r->ours, giga / r->theirs,
          r->ratio.median, r->ratio.low, r->ratio.high, row->at_least, row->aim, verdict(row, r),
          row->limit, giga / r->bound, r->limit.median);
}

static void print_missing(FILE *out, const bench_row *row) {
  fprintf(out, "| %s | %s | | | | | | %.2f | %.2f | not measured: %s | | | |\n", row->what,
          row->peer, row->at_least, row->aim, row->missing);
}

/* ---- the page ---- */

static char *read_page(const char *path) {
  static char text[PAGE_MAX];
  FILE *in = fopen(path, "r");
  if (in == NULL) {
    bench_stop(path, "cannot be read");
  }
  text[fread(text, 1, sizeof text - 1, in)] = '\0';
  fclose(in);
  return text;
}

void bench_write(const bench_run *run, const char *tables) {
  if (run->page == NULL) {
    return;
  }
  char begin_mark[64];
  char end_mark[64];
  snprintf(begin_mark, sizeof begin_mark, "<!-- %s -->\n", run->mark);
  snprintf(end_mark, sizeof end_mark, "<!-- /%s -->", run->mark);
  char *text = read_page(run->page);
  char *begin = strstr(text, begin_mark);
  char *end = begin != NULL ? strstr(begin, end_mark) : NULL;
  if (end == NULL) {
    bench_stop(run->page, "has no place for these tables");
  }
  FILE *out = fopen(run->page, "w");
  if (out == NULL) {
    bench_stop(run->page, "cannot be written");
  }
  fwrite(text, 1, (size_t)(begin - text) + strlen(begin_mark), out);
  fprintf(out, "%s%s", tables, end);
  fclose(out);
}

int bench_compare(const bench_run *run, const char *head, const bench_row *rows, size_t num) {
  bool below = false;
  size_t size = 0;
  char *table = NULL;
  FILE *out = open_memstream(&table, &size);
  print_head(out, head);
  print_head(stdout, head);
  for (size_t i = 0; i < num; i++) {
    const bench_row *row = &rows[i];
    if (!bench_chosen(run, row->what)) {
      continue;
    }
    if (row->missing != NULL) {
      print_missing(out, row);
      print_missing(stdout, row);
      continue;
    }
    const result r = compare(run, row);
    print_row(out, row, &r);
    print_row(stdout, row, &r);
    fflush(stdout);
    below = below || (!bench_noisy(&r.self) && r.ratio.median < row->at_least);
  }
  fclose(out);
  bench_write(run, table);
  free(table);
  return below && !run->brief && run->page == NULL ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* ---- the command line ---- */

static const char usage[] =
    "  --brief       once, to see that it works; nothing is judged\n"
    "  --rounds N    1 to 1000\n"
    "  --only TEXT   rows with this in their name\n"
    "  --write PAGE  put the tables where the page has its marks for them; nothing is judged\n"
    "  --help        this\n";

static _Noreturn void print_usage(FILE *to, const char *name, const char *about, int status) {
  const char *slash = strrchr(name, '/');
  fprintf(to, "%s [--brief] [--rounds N] [--only TEXT] [--write PAGE]\n%s\n%s",
          slash != NULL ? slash + 1 : name, about, usage);
  exit(status);
}

static size_t rounds_of(const char *name, const char *text) {
  char *end;
  const unsigned long rounds = strtoul(text, &end, 10);
  if (*end != '\0' || rounds < 1 || rounds >= ROUNDS_MAX) {
    bench_stop(name, "--rounds takes 1 to 1000");
  }
  return rounds;
}

/* The value of an option that takes one. */
static char *value_of(int argc, char **argv, int *i) {
  if (*i + 1 >= argc) {
    bench_stop(argv[*i], "takes a value");
  }
  return argv[++*i];
}

bench_run bench_arguments(int argc, char **argv, const char *about, const char *mark) {
  bench_run run = {.rounds = ROUNDS, .seconds = SECONDS, .mark = mark};
  for (int i = 1; i < argc; i++) {
    const char *option = argv[i];
    if (strcmp(option, "--help") == 0) {
      print_usage(stdout, argv[0], about, EXIT_SUCCESS);
    } else if (strcmp(option, "--brief") == 0) {
      run.brief = true;
      run.rounds = 1;
      run.seconds = 0;
    } else if (strcmp(option, "--rounds") == 0) {
      run.rounds = rounds_of(argv[0], value_of(argc, argv, &i));
    } else if (strcmp(option, "--only") == 0) {
      run.only = value_of(argc, argv, &i);
    } else if (strcmp(option, "--write") == 0) {
      run.page = value_of(argc, argv, &i);
    } else {
      fprintf(stderr, "%s: no such option\n", option);
      print_usage(stderr, argv[0], about, EXIT_FAILURE);
    }
  }
  return run;
}
