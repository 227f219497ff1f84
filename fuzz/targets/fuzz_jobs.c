/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A whole capture file checked by several jobs, in pieces that are shorter than most packets. The
 * output and the status equal the result of one job.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "tool.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_CAPTURE;

#define OPTIONS 4u
static const char *const options[][OPTIONS] = {
    {NULL},
    {"-T", "jsonl"},
    {"-V", "-x"},
    {"-T", "jsonl", "-f", "tcp"},
    {"-T", "timeline", "-d", "tcp.port==7174"},
    {"-T", "jsonl", "--shard", "1/2"},
    {"-v", "-t", "r", "--max-findings=1"},
    {"-T", "jsonl", "-c", "9"},
};

static tool_result check(const char *const how[OPTIONS], const char *jobs, const char *path) {
  const char *words[4 + OPTIONS] = {"check", "--jobs", jobs};
  int num = 3;
  for (size_t i = 0; i < OPTIONS && how[i] != NULL; i++) {
    words[num++] = how[i];
  }
  words[num++] = path;
  return tool_run(num, words, (iwarp_span){0});
}

/* A copy that outlives the next run. */
static iwarp_span kept(iwarp_span octets) {
  uint8_t *copy = malloc(octets.len + 1);
  fuzz_expect(copy != NULL, "no memory");
  memcpy(copy, octets.ptr, octets.len);
  return (iwarp_span){copy, octets.len};
}

static void same(iwarp_span one, iwarp_span several, const char *what) {
  fuzz_expect(one.len == several.len, "%s: %zu octets, %zu of one job", what, several.len, one.len);
  fuzz_same(one, several.ptr, several.len, what);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const numbers[] = {"2", "3", "5"};
  fuzz_in f = fuzz_begin(data, size);
  const char *const *how = options[fuzz_u8(&f) % (sizeof options / sizeof options[0])];
  const char *jobs = numbers[fuzz_u8(&f) % (sizeof numbers / sizeof numbers[0])];
  const char *path = tool_file((iwarp_span){f.body, f.len});
  const tool_result one = check(how, "1", path);
  const iwarp_span out = kept(one.out);
  const iwarp_span err = kept(one.err);
  const tool_result several = check(how, jobs, path);
  fuzz_expect(one.status == several.status, "exit status %d, %d of one job", several.status,
              one.status);
  same(out, several.out, "output");
  same(err, several.err, "messages");
  free((void *)(uintptr_t)out.ptr);
  free((void *)(uintptr_t)err.ptr);
  return 0;
}
