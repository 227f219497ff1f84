/* SPDX-License-Identifier: BSD-2-Clause */
/* The checker beside other programs that read the same captures: CPU time and peak memory. */
#define _DEFAULT_SOURCE /* wait4, mkdtemp */

#include "compare.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ABOUT                                                                                      \
  "iwarp check beside a bare loop over libpcap, capinfos and tshark on the same captures, in "     \
  "turn."
#define ROUNDS 11u
#define ROUNDS_MAX 1001u
#define WORDS 8u
#define SHARED 1.15   /* times the CPU time of one thread: others run beside it */
#define NOT_THERE 127 /* exit status */

/* Captures that are made, and how large. */
typedef enum scene_id { FULL, SMALL, BOTH, ONE, LITTLE, MANY, SCENES } scene_id;

typedef struct scene {
  const char *octets;
  const char *brief; /* octets of a short run */
  const char *conns;
  const char *kind; /* kind of capture for bigcap */
  char path[256];
  double size; /* octets */
} scene;

static scene scenes[SCENES] = {
    [FULL] = {.octets = "1000000000", .brief = "300000", .conns = "64", .kind = "mixed"},
    [SMALL] = {.octets = "540000000", .brief = "90000", .conns = "64", .kind = "small"},
    [BOTH] = {.octets = "200000000", .brief = "300000", .conns = "64", .kind = "both"},
    [ONE] = {.octets = "200000000", .brief = "300000", .conns = "64", .kind = "one"},
    [LITTLE] = {.octets = "100000000", .brief = "300000", .conns = "8", .kind = "mixed"},
    [MANY] = {.octets = "1", .brief = "1", .conns = "100000", .kind = "many"},
};

/* CAPTURE stands for the path of the capture. */
#define CAPTURE "?"
static const char *const check[WORDS] = {BENCH_TOOL, "check", "-q", CAPTURE};
static const char *const two[WORDS] = {BENCH_TOOL, "check", "-q", "--jobs", "2", CAPTURE};
static const char *const loop[WORDS] = {BENCH_LOOP, CAPTURE};
static const char *const count[WORDS] = {"capinfos", "-c", CAPTURE};
static const char *const dissect[WORDS] = {"tshark", "-q", "-z", "io,stat,0", "-r", CAPTURE};
static const char *const copy[WORDS] = {"cat", CAPTURE};

/* Which time counts: of processors, or what passed; or what passed while ours ran twice at the same
 * time, which is what the machine has for two at most. */
typedef enum measured { PROCESSORS, ELAPSED, TWICE } measured;

/* Two programs on the same capture, or the same one on two captures of equal FPDUs. */
typedef struct row {
  const char *what;
  const char *peer;
  const char *const *ours;
  scene_id scene;
  const char *const *theirs;
  scene_id their_scene;
  double at_least; /* times the speed of the peer; 0: nothing is asked */
  double aim;
  measured how;
} row;

static const row rows[] = {
    {"full segments, 64 connections", "a bare libpcap loop", check, FULL, loop, FULL, 1.15, 2,
     PROCESSORS},
    {"full segments, 64 connections", "capinfos -c", check, FULL, count, FULL, 0, 0, PROCESSORS},
    {"packets of 74 octets", "a bare libpcap loop", check, SMALL, loop, SMALL, 0.7, 2, PROCESSORS},
    {"packets of 74 octets", "capinfos -c", check, SMALL, count, SMALL, 0, 0, PROCESSORS},
    {"full segments, 100 MB", "tshark -q -z io,stat,0", check, LITTLE, dissect, LITTLE, 40, 70,
     PROCESSORS},
    {"one side alone", "both sides, an octet", check, ONE, check, BOTH, 0.85, 0.95, PROCESSORS},
    {"two jobs, full segments, elapsed", "one job", two, FULL, check, FULL, 1.7, 1.95, ELAPSED},
    {"two checks at once, full segments, elapsed", "one check", check, FULL, check, FULL, 0, 0,
     TWICE},
    {"two jobs, packets of 74 octets, elapsed", "one job", two, SMALL, check, SMALL, 1.7, 1.95,
     ELAPSED},
    {"two checks at once, packets of 74 octets, elapsed", "one check", check, SMALL, check, SMALL,
     0, 0, TWICE},
};

typedef struct limit {
  const char *what;
  const char *const *ours;
  scene_id scene;
  double at_most; /* MiB */
  double aim;
} limit;

static const limit limits[] = {
    {"64 connections", check, FULL, 16, 8},
    {"64 connections, two jobs", two, FULL, 16, 12},
    {"100,000 connections, 4,096 open at a time", check, MANY, 256, 128},
};

/* ---- programs ---- */

typedef struct usage {
  double seconds; /* user and system */
  double elapsed;
  double mib; /* resident at most */
  bool there;
} usage;

static _Noreturn void become(const char *const words[WORDS], const char *capture, int out) {
  const char *argv[WORDS + 1] = {NULL};
  const int nothing = open("/dev/null", O_RDWR);
  for (size_t i = 0; i < WORDS && words[i] != NULL; i++) {
    argv[i] = strcmp(words[i], CAPTURE) == 0 ? capture : words[i];
  }
  dup2(out >= 0 ? out : nothing, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  execvp(argv[0], (char *const *)(uintptr_t)argv);
  _exit(NOT_THERE);
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static pid_t begin(const char *const words[WORDS], const char *capture, int out) {
  const pid_t child = fork();
  if (child == 0) {
    become(words, capture, out);
  }
  return child;
}

static usage end(const char *const words[WORDS], pid_t child, double began) {
  struct rusage used;
  int status = 0;
  if (child < 0 || wait4(child, &status, 0, &used) != child) {
    bench_stop(words[0], "cannot be run");
  }
  const bool there = !WIFEXITED(status) || WEXITSTATUS(status) != NOT_THERE;
  if (there && (!WIFEXITED(status) || WEXITSTATUS(status) != 0)) {
    bench_stop(words[0], "failed");
  }
  return (usage){.seconds = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                            (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6,
                 .elapsed = seconds_now() - began,
                 .mib = (double)used.ru_maxrss / 1024,
                 .there = there};
}

static usage run_on(const char *const words[WORDS], const char *capture, int out) {
  const double began = seconds_now();
  return end(words, begin(words, capture, out), began);
}

/* Runs two of the program at the same time. */
static usage run_twice(const char *const words[WORDS], const char *capture) {
  const double began = seconds_now();
  const pid_t first = begin(words, capture, -1);
  const pid_t second = begin(words, capture, -1);
  (void)end(words, first, began);
  return end(words, second, began);
}

/* ---- captures ---- */

static char folder[200];

static void remove_scenes(void) {
  for (size_t i = 0; i < SCENES; i++) {
    if (scenes[i].path[0] != '\0') {
      (void)unlink(scenes[i].path);
      scenes[i].path[0] = '\0';
    }
  }
  (void)rmdir(folder);
}

static void make_folder(void) {
  const char *tmp = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/bench-check-XXXXXX", tmp != NULL ? tmp : "/var/tmp");
  if (mkdtemp(folder) == NULL) {
    bench_stop(folder, "cannot be made");
  }
  (void)atexit(remove_scenes);
}

/* Makes the capture when it is needed for the first time. */
static const char *scene_path(const bench_run *run, scene_id id) {
  scene *s = &scenes[id];
  struct stat st;
  if (s->path[0] != '\0') {
    return s->path;
  }
  const char *const words[WORDS] = {BENCH_BIGCAP, run->brief ? s->brief : s->octets,
                                    run->brief && id == MANY ? "100" : s->conns, s->kind};
  snprintf(s->path, sizeof s->path, "%s/%zu", folder, (size_t)id);
  const int out = open(s->path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);
  if (out < 0 || !run_on(words, "", out).there || fstat(out, &st) != 0) {
    bench_stop(s->path, "cannot be made");
  }
  (void)close(out);
  s->size = (double)st.st_size;
  return s->path;
}

/* ---- comparisons ---- */

enum { OURS, AGAIN, THEIRS, BOUND, SIDES };

static double t[ROUNDS_MAX][SIDES]; /* seconds an octet */

static bench_spread ratios(size_t rounds, size_t a, size_t b) {
  double v[ROUNDS_MAX];
  for (size_t i = 0; i < rounds; i++) {
    v[i] = t[i][a] / t[i][b];
  }
  return bench_spread_of(v, rounds);
}

static double median(size_t rounds, size_t side) {
  double v[ROUNDS_MAX];
  for (size_t i = 0; i < rounds; i++) {
    v[i] = t[i][side];
  }
  return bench_spread_of(v, rounds).median;
}

/* A time that is too short for the clock of the system counts as one tick. */
static double an_octet(const bench_run *run, const row *r, const char *const words[WORDS],
                       scene_id id, bool twice) {
  const char *path = scene_path(run, id);
  const usage used = twice ? run_twice(words, path) : run_on(words, path, -1);
  const double seconds = r->how != PROCESSORS ? used.elapsed : used.seconds;
  return (seconds > 1e-6 ? seconds : 1e-6) / scenes[id].size / (twice ? 2 : 1);
}

static void measure(const bench_run *run, const row *r) {
  const char *const *words[SIDES] = {r->ours, r->ours, r->theirs, copy};
  const scene_id on[SIDES] = {r->scene, r->scene, r->their_scene, r->scene};
  for (size_t i = 0; i <= run->rounds; i++) { /* the first round warms up */
    for (size_t side = 0; side < SIDES; side++) {
      const size_t which = (side + i) % SIDES;
      const bool twice = r->how == TWICE && which <= AGAIN;
      t[i > 0 ? i - 1 : 0][which] = an_octet(run, r, words[which], on[which], twice);
    }
  }
}

/* True if other programs used the processors while one job ran: a row that passes then says little
 * about two jobs. */
static bool shared(const bench_run *run, const row *r) {
  double v[ROUNDS_MAX];
  for (size_t i = 0; r->how != PROCESSORS && i < run->rounds; i++) {
    const usage used = run_on(r->theirs, scene_path(run, r->their_scene), -1);
    v[i] = used.elapsed / (used.seconds > 1e-6 ? used.seconds : 1e-6);
  }
  return r->how != PROCESSORS && bench_spread_of(v, run->rounds).median > SHARED;
}

static const char *verdict(double is, double at_least, double aim, bool noisy) {
  if (at_least <= 0) {
    return "";
  }
  if (noisy) {
    return "too noisy to judge";
  }
  return is < at_least ? "below" : is < aim ? "reached" : "aim reached";
}

/* Returns whether the row is below what it is to be at least. */
static bool compare(const bench_run *run, const row *r, FILE *out) {
  if (!run_on(r->theirs, scene_path(run, r->their_scene), -1).there) {
    fprintf(out, "| %s | %s | | | | | %.2f | %.2f | not measured: not installed | |\n", r->what,
            r->peer, r->at_least, r->aim);
    return false;
  }
  measure(run, r);
  const bench_spread ratio = ratios(run->rounds, THEIRS, OURS);
  const bench_spread self = ratios(run->rounds, AGAIN, OURS);
  const bool noisy = bench_noisy(&self) || shared(run, r);
  fprintf(out, "| %s | %s | %.2f | %.2f | **%.2f** | %.2f to %.2f | ", r->what, r->peer,
          1e-9 / median(run->rounds, OURS), 1e-9 / median(run->rounds, THEIRS), ratio.median,
          ratio.low, ratio.high);
  if (r->at_least > 0) {
    fprintf(out, "%.2f | %.2f | ", r->at_least, r->aim);
  } else {
    fprintf(out, "| | ");
  }
  fprintf(out, "%s | %.2f |\n", verdict(ratio.median, r->at_least, r->aim, noisy),
          1e-9 / median(run->rounds, BOUND));
  return !noisy && ratio.median < r->at_least;
}

static const char *weight(double mib, const limit *l) {
  if (mib > l->at_most) {
    return "above";
  }
  return mib > l->aim ? "reached" : "aim reached";
}

static bool weigh(const bench_run *run, const limit *l, FILE *out) {
  const double mib = run_on(l->ours, scene_path(run, l->scene), -1).mib;
  fprintf(out, "| %s | **%.1f** | %.0f | %.0f | %s |\n", l->what, mib, l->at_most, l->aim,
          weight(mib, l));
  return mib > l->at_most;
}

int main(int argc, char **argv) {
  bench_run run = bench_arguments(argc, argv, ABOUT, "bench-check");
  run.rounds = run.rounds == 41 ? ROUNDS : run.rounds; /* the default is smaller here */
  size_t size = 0;
  char *table = NULL;
  FILE *out = open_memstream(&table, &size);
  bool missed = false;
  make_folder();
  fprintf(out, "CPU time, user and system, unless the row names another measure\n\n"
               "| What | Peer | Ours, GB/s | Peer, GB/s | Ratio, median | Quartiles | At least | "
               "Aim | | cat, GB/s |\n|---|---|---|---|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (bench_chosen(&run, rows[i].what)) {
      missed = compare(&run, &rows[i], out) || missed;
    }
  }
  fprintf(out, "\n| Peak resident memory | MiB | At most | Aim | |\n|---|---|---|---|---|\n");
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
    if (bench_chosen(&run, limits[i].what)) {
      missed = weigh(&run, &limits[i], out) || missed;
    }
  }
  fclose(out);
  printf("%s", table);
  bench_write(&run, table);
  free(table);
  return missed && !run.brief && run.page == NULL ? EXIT_FAILURE : EXIT_SUCCESS;
}
