/* SPDX-License-Identifier: BSD-2-Clause */
/* Comparisons of the speed of ours and of a peer, by turns in each round, on one machine. */
#ifndef BENCH_COMPARE_H
#define BENCH_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* bench_work does the whole of one measurement. */
typedef void (*bench_work)(const void *scene);

/* One kind of work, done by the library, by another program, and as fast as the machine can. */
typedef struct bench_row {
  const char *what;    /* name of the work */
  const char *missing; /* the reason why it cannot be measured here; may be NULL */
  const char *peer;
  const char *limit;
  bench_work ours;
  bench_work theirs;
  bench_work bound;
  const void *scene;
  double octets;   /* octets of one measurement */
  double calls;    /* calls of one measurement */
  double at_least; /* times the speed of the peer */
  double aim;      /* times the speed of the peer */
} bench_row;

/* The options of the command line. */
typedef struct bench_run {
  bool brief; /* run once, as a test */
  size_t rounds;
  double seconds;   /* least seconds of one measurement */
  const char *only; /* part of the name of the rows to run; NULL: all rows */
  const char *page; /* page that the tables are written to; may be NULL */
  const char *mark; /* the tables go between `<!-- mark -->` and `<!-- /mark -->` */
} bench_run;

/* bench_arguments reads --brief, --rounds N, --only TEXT and --write PAGE. --help prints them after
 * `about`, what the program does in a line or two; --help and unknown arguments end the program. */
bench_run bench_arguments(int argc, char **argv, const char *about, const char *mark);

/* Ratios of one round each, in order of size. */
typedef struct bench_spread {
  double low; /* the first quartile */
  double median;
  double high; /* the third one */
} bench_spread;

/* bench_spread_of puts the values in order. */
bench_spread bench_spread_of(double *v, size_t num);

/* bench_noisy says whether the ratios of a thing to itself differ so much that nothing compared
 * with it can be judged. */
bool bench_noisy(const bench_spread *self);

/* bench_chosen says whether a row of that name is to be measured. */
bool bench_chosen(const bench_run *run, const char *what);

/* bench_write puts tables between the marks of the page, if one was given. */
void bench_write(const bench_run *run, const char *tables);

/* bench_compare measures the rows, prints them with `head` above, and writes them to the page.
 * Returns the status of the program: not 0 when a row is below what it is to be at least, and the
 * machine was quiet enough to say so. In brief nothing is judged, nor when a page is written. */
int bench_compare(const bench_run *run, const char *head, const bench_row *rows, size_t num);

/* bench_stop ends the program. */
_Noreturn void bench_stop(const char *what, const char *reason);

/* bench_keep is where results go, so that no compiler leaves the work out. */
extern volatile uint32_t bench_keep;

#endif
