/* SPDX-License-Identifier: BSD-2-Clause */
/* CRC32c against what others do with the same octets: ISA-L where it is installed, memcpy, a bare
 * read, and methods that need no library. */
#include <iwarp/crc32c.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "crc32c/variants.h"

#ifdef BENCH_ISAL
#include <isa-l/crc.h>
#endif

#define ABOUT "CRC32c in ratios to what others do with the same octets, on this machine."

#define HOT 16384u               /* octets that fit the nearest cache */
#define COLD (64u * 1024 * 1024) /* octets that fit none */
#define COLD_BRIEF (1024u * 1024)
#define LISTED 4096u  /* calls of one measurement, at most */
#define TOTAL 262144u /* octets of one measurement, about */
#define MIXED 131072u /* calls of mixed lengths: fewer of them the processor learns by heart */

/* Calls of one measurement: the octets of each call. */
typedef struct list {
  size_t num;
  struct {
    uint32_t at;
    uint32_t len;
  } calls[];
} list;

static _Alignas(4096) uint8_t octets[COLD];
static _Alignas(4096) uint8_t place[COLD]; /* target of the copies */

/* The work of one call; each kind is reached the same way, by a pointer. */
typedef uint32_t (*job)(uint8_t *to, const uint8_t *from, size_t len);

static void do_all(const list *l, job volatile *what) {
  uint32_t all = 0;
  const job one = *what;
  for (size_t i = 0; i < l->num; i++) {
    all ^= one(place + l->calls[i].at, octets + l->calls[i].at, l->calls[i].len);
  }
  bench_keep = all;
}

/* JOB makes the measurement `name` of calls of `expression`. */
#define JOB(name, expression)                                                                      \
  static uint32_t name##_one(uint8_t *to, const uint8_t *from, size_t len) {                       \
    (void)to;                                                                                      \
    return expression;                                                                             \
  }                                                                                                \
  static void name(const void *scene) {                                                            \
    static job volatile what = name##_one;                                                         \
    do_all(scene, &what);                                                                          \
  }

JOB(ours, iwarp_crc32c(0, from, len))
JOB(ours_portable, iwarpi_crc32c_portable(0, from, len))
JOB(ours_copy, iwarp_crc32c_copy(0, to, from, len))
JOB(copy, (memcpy(to, from, len), 0))

/* ---- the machine ---- */

/* Returns true if a variant is compiled in and runs here. */
static bool runs(const char *name) {
  size_t num;
  const iwarpi_crc32c_variant *v = iwarpi_crc32c_variants(&num);
  size_t i = 0;
  while (i < num && strcmp(v[i].name, name) != 0) {
    i++;
  }
  return i < num && iwarpi_crc32c_usable(&v[i]);
}

typedef uint64_t eight __attribute__((vector_size(64), aligned(1), may_alias));

static inline void read_list(const list *l) {
  eight sum[4] = {{0}};
  for (size_t i = 0; i < l->num; i++) {
    const uint8_t *p = octets + l->calls[i].at;
    const uint8_t *end = p + l->calls[i].len;
    for (; end - p >= 256; p += 256) {
      sum[0] += *(const eight *)(const void *)p;
      sum[1] += *(const eight *)(const void *)(p + 64);
      sum[2] += *(const eight *)(const void *)(p + 128);
      sum[3] += *(const eight *)(const void *)(p + 192);
    }
    for (; end - p >= 64; p += 64) {
      sum[0] += *(const eight *)(const void *)p;
    }
  }
  sum[0] += sum[1] + sum[2] + sum[3];
  bench_keep = (uint32_t)(sum[0][0] + sum[0][7]);
}

#ifdef __x86_64__
__attribute__((target("avx512f"))) static void read_wide(const void *scene) {
  read_list(scene);
}
#else
#define read_wide read_any
#endif

static void read_any(const void *scene) {
  read_list(scene);
}

/* Adds up whole 64 octets: nothing that reads them can be faster. */
static void read_all(const void *scene) {
  runs("avx512") ? read_wide(scene) : read_any(scene);
}

/* ---- others ---- */

#ifdef BENCH_ISAL

static uint32_t isal_sum(const uint8_t *from, size_t len) {
  return ~crc32_iscsi((unsigned char *)(uintptr_t)from, (int)len, ~0u);
}

JOB(isal, isal_sum(from, len))
JOB(isal_copy, (memcpy(to, from, len), isal_sum(to, len)))

#define ISAL_MISSING NULL

#else

#define isal NULL
#define isal_copy NULL
#define ISAL_MISSING "ISA-L is not installed (Debian: libisal-dev)"

#endif

static uint32_t le32(const uint8_t *p) {
  return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

/* Slicing by 8: one step of eight tables after the other. */
static __attribute__((noinline)) uint32_t slice_sum(const uint8_t *p, size_t len) {
  uint32_t rem = UINT32_MAX;
  for (; len >= 8; len -= 8, p += 8) {
    const uint32_t low = rem ^ le32(p);
    const uint32_t high = le32(p + 4);
    rem = iwarpi_crc32c_slice[7][low & 0xFF] ^ iwarpi_crc32c_slice[6][low >> 8 & 0xFF] ^
          iwarpi_crc32c_slice[5][low >> 16 & 0xFF] ^ iwarpi_crc32c_slice[4][low >> 24] ^
          iwarpi_crc32c_slice[3][high & 0xFF] ^ iwarpi_crc32c_slice[2][high >> 8 & 0xFF] ^
          iwarpi_crc32c_slice[1][high >> 16 & 0xFF] ^ iwarpi_crc32c_slice[0][high >> 24];
  }
  for (; len > 0; len--) {
    rem = rem >> 8 ^ iwarpi_crc32c_slice[0][(rem ^ *p++) & 0xFF];
  }
  return ~rem;
}

JOB(slice, slice_sum(from, len))

#if IWARPI_CRC32C_X86

#include <immintrin.h>

JOB(ours_sse42, iwarpi_crc32c_sse42(0, from, len))

#define THREE 480u /* octets of each of three streams */

static uint32_t three_shift[4][256];

/* Computes the change of each octet of a remainder by a stream of zeros. */
static void make_three(void) {
  static const uint8_t zeros[THREE];
  for (uint32_t i = 0; i < 4; i++) {
    for (uint32_t octet = 0; octet < 256; octet++) {
      three_shift[i][octet] = ~iwarp_crc32c(~(octet << 8 * i), zeros, THREE);
    }
  }
}

static uint32_t three_move(uint32_t rem) {
  return three_shift[0][rem & 0xFF] ^ three_shift[1][rem >> 8 & 0xFF] ^
         three_shift[2][rem >> 16 & 0xFF] ^ three_shift[3][rem >> 24];
}

/* The crc32 instruction in three streams that tables join: what most libraries have. */
__attribute__((target("sse4.2"), noinline)) static uint32_t three_sum(const uint8_t *p,
                                                                      size_t len) {
  uint64_t a = UINT32_MAX;
  uint64_t word[3];
  for (; len >= 3 * THREE; len -= 3 * THREE, p += 3 * THREE) {
    uint64_t b = 0;
    uint64_t c = 0;
    for (size_t i = 0; i < THREE; i += 8) {
      memcpy(&word[0], p + i, 8);
      memcpy(&word[1], p + THREE + i, 8);
      memcpy(&word[2], p + 2 * THREE + i, 8);
      a = _mm_crc32_u64(a, word[0]);
      b = _mm_crc32_u64(b, word[1]);
      c = _mm_crc32_u64(c, word[2]);
    }
    a = three_move(three_move((uint32_t)a) ^ (uint32_t)b) ^ c;
  }
  for (; len >= 8; len -= 8, p += 8) {
    memcpy(&word[0], p, 8);
    a = _mm_crc32_u64(a, word[0]);
  }
  for (; len > 0; len--) {
    a = _mm_crc32_u8((uint32_t)a, *p++);
  }
  return ~(uint32_t)a;
}

JOB(three, three_sum(from, len))

#else

static void make_three(void) {
}

#define ours_sse42 NULL
#define three NULL

#endif

/* ---- rows ---- */

static uint32_t next_random(void) {
  static uint64_t state = 1;
  state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
  return (uint32_t)(state >> 33);
}

static size_t calls_of(size_t low, size_t high) {
  if (low != high) {
    return MIXED;
  }
  const size_t num = TOTAL / low;
  return num < 1 ? 1 : num < LISTED ? num : LISTED;
}

/* Calls with lengths from low to high, in steps of 4 as of FPDUs, at random places. */
static list *list_of(size_t low, size_t high) {
  const size_t num = calls_of(low, high);
  list *l = malloc(sizeof *l + num * sizeof l->calls[0]);
  if (l == NULL) {
    bench_stop("bench_crc", "no memory");
  }
  const size_t area = high <= HOT / 4 ? HOT : high;
  l->num = num;
  for (size_t i = 0; i < l->num; i++) {
    const size_t len = low + next_random() % ((high - low) / 4 + 1) * 4;
    l->calls[i].len = (uint32_t)len;
    l->calls[i].at = (uint32_t)(next_random() % ((area - len) / 4 + 1) * 4);
  }
  return l;
}

/* A row's numbers that follow from its calls. */
static bench_row row_of(bench_row row, size_t low, size_t high) {
  const list *l = list_of(low, high);
  row.scene = l;
  row.calls = (double)l->num;
  row.octets = 0;
  for (size_t i = 0; i < l->num; i++) {
    row.octets += l->calls[i].len;
  }
  return row;
}

/* Two sides of a comparison. */
typedef struct pair {
  const char *peer;
  const char *limit;
  bench_work ours;
  bench_work theirs;
  bench_work bound;
  const char *missing;
} pair;

static const pair to_isal = {"ISA-L", "read", ours, isal, read_all, ISAL_MISSING};
static const pair to_memcpy = {"memcpy", "read", ours, copy, read_all, NULL};
static const pair to_read = {"read", "read", ours, read_all, read_all, NULL};
static const pair to_slices = {"slicing by 8", "read", ours_portable, slice, read_all, NULL};
static const pair to_three = {"crc32 in 3 streams", "read", ours_sse42, three, read_all, NULL};
static const pair to_two_passes = {"memcpy, then ISA-L", "memcpy", ours_copy, isal_copy, copy,
                                   ISAL_MISSING};

/* The figures hold for a machine with AVX-512; `fast` marks rows that need it. */
static const struct {
  const char *what;
  const pair *pair;
  size_t low;
  size_t high;
  double at_least;
  double aim;
  bool fast;
} plans[] = {
    {"random, 16 to 64 octets", &to_isal, 16, 64, 3.0, 4.9, true},
    {"16 octets", &to_isal, 16, 16, 1.5, 2.2, true},
    {"16 octets", &to_memcpy, 16, 16, 1.0, 1.3, true},
    {"28 octets", &to_isal, 28, 28, 1.5, 2.2, true},
    {"28 octets", &to_memcpy, 28, 28, 1.0, 1.3, true},
    {"48 octets", &to_isal, 48, 48, 1.5, 2.2, true},
    {"48 octets", &to_memcpy, 48, 48, 1.0, 1.3, true},
    {"64 octets", &to_isal, 64, 64, 1.5, 2.2, true},
    {"64 octets", &to_memcpy, 64, 64, 1.0, 1.3, true},
    {"128 octets", &to_isal, 128, 128, 2.0, 3.0, true},
    {"random, 16 to 1448 octets", &to_isal, 16, 1448, 1.4, 1.7, true},
    {"256 octets", &to_isal, 256, 256, 1.0, 1.2, true},
    {"512 octets", &to_isal, 512, 512, 1.0, 1.2, true},
    {"1024 octets", &to_isal, 1024, 1024, 1.0, 1.2, true},
    {"1448 octets", &to_isal, 1448, 1448, 1.4, 1.7, true},
    {"1448 octets", &to_memcpy, 1448, 1448, 0.42, 0.50, true},
    {"4 KiB", &to_isal, 4096, 4096, 1.2, 1.4, true},
    {"16 KiB", &to_isal, 16384, 16384, 1.2, 1.4, true},
    {"64 KiB", &to_isal, 65536, 65536, 1.2, 1.4, true},
    {"64 MiB from memory", &to_read, COLD, COLD, 0.8, 0.93, true},
    {"SSE4.2 variant, 1448 octets", &to_three, 1448, 1448, 1.0, 1.2, false},
    {"portable variant, 16 octets", &to_slices, 16, 16, 1.0, 1.0, false},
    {"portable variant, 64 octets", &to_slices, 64, 64, 1.0, 1.0, false},
    {"portable variant, 256 octets", &to_slices, 256, 256, 1.0, 2.0, false},
    {"portable variant, 1448 octets", &to_slices, 1448, 1448, 1.0, 2.0, false},
    {"portable variant, 64 KiB", &to_slices, 65536, 65536, 1.0, 2.0, false},
    {"copy and CRC32c, 1448 octets", &to_two_passes, 1448, 1448, 1.2, 1.3, true},
    {"copy and CRC32c, 64 KiB", &to_two_passes, 65536, 65536, 1.4, 1.6, true},
};

#define PLANS (sizeof plans / sizeof plans[0])

static bench_row plan_row(size_t i, bool brief) {
  const pair *p = plans[i].pair;
  const bench_row row = {.what = plans[i].what,
                         .missing = p->missing,
                         .peer = p->peer,
                         .limit = p->limit,
                         .ours = p->ours,
                         .theirs = p->theirs,
                         .bound = p->bound,
                         .at_least = plans[i].at_least,
                         .aim = plans[i].aim};
  const size_t most = brief ? COLD_BRIEF : COLD;
  const size_t high = plans[i].high < most ? plans[i].high : most;
  bench_row made = row_of(row, plans[i].low < high ? plans[i].low : high, high);
  if (plans[i].fast && !runs("avx512")) {
    made.missing = "this machine has no AVX-512 with VPCLMULQDQ";
  } else if (p == &to_three && !runs("sse42")) {
    made.missing = "this machine has no SSE4.2 with PCLMULQDQ";
  }
  return made;
}

/* All that are compared give the same. */
static void check(void) {
  static const size_t lengths[] = {0, 1, 16, 64, 129, 1448, HOT};
  for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
    const size_t len = lengths[i];
    bool same = slice_one(place, octets, len) == ours_one(place, octets, len);
    same = same && ours_copy_one(place, octets, len) == ours_one(place, octets, len);
#ifdef BENCH_ISAL
    same = same && isal_one(place, octets, len) == ours_one(place, octets, len);
#endif
#if IWARPI_CRC32C_X86
    same =
        same && (!runs("sse42") || three_one(place, octets, len) == ours_one(place, octets, len));
#endif
    if (!same) {
      bench_stop("bench_crc", "the checksums differ");
    }
  }
}

int main(int argc, char **argv) {
  const bench_run run = bench_arguments(argc, argv, ABOUT, "bench-crc");
  bench_row rows[PLANS];
  char head[128] = "CRC32c, variant in use: ";
  for (size_t i = 0; i < sizeof octets; i++) {
    octets[i] = (uint8_t)(next_random() >> 7);
  }
  memset(place, 1, sizeof place);
  make_three();
  check();
  for (size_t i = 0; i < PLANS; i++) {
    rows[i] = plan_row(i, run.brief);
  }
  const int status = bench_compare(&run, strcat(head, iwarp_crc32c_impl()), rows, PLANS);
  for (size_t i = 0; i < PLANS; i++) {
    free((list *)(uintptr_t)rows[i].scene);
  }
  return status;
}
