/* SPDX-License-Identifier: BSD-2-Clause */
/* Results of shards: two files of lines. Any files are refused in one line before anything is
 * printed, or joined into lines of JSON. Their order on the command line does not matter. */
#include <string.h>

#include "fuzz.h"
#include "tool.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_OCTETS;

#define OUTPUT_MAX ((size_t)1 << 20)

/* Returns the place of the second file: after its mark, or the end. */
static size_t second(const uint8_t *body, size_t len) {
  static const char mark[] = "\n----\n";
  for (size_t i = 0; i + sizeof mark - 1 <= len; i++) {
    if (memcmp(body + i, mark, sizeof mark - 1) == 0) {
      return i + 1;
    }
  }
  return len;
}

static void joined(const tool_result *r) {
  fuzz_expect((r->status >= 0 && r->status <= 4) || r->status == TOOL_INTERNAL, /* a shard's */
              "exit status %d", r->status);
  tool_text(r->out);
  tool_text(r->err);
  if (r->status != TOOL_USAGE) {
    fuzz_expect(r->out.len > 0 && r->err.len == 0, "neither refused nor joined");
    tool_jsonl(r->out);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static uint8_t first_out[OUTPUT_MAX];
  fuzz_in f = fuzz_begin(data, size);
  const size_t cut = second(f.body, f.len);
  const size_t from = cut + 5 < f.len ? cut + 5 : f.len;
  const iwarp_span rest = {f.body + from, f.len - from};
  const char *file = tool_file((iwarp_span){f.body, cut});
  const char *const alone[] = {"merge", file};
  const char *const in_order[] = {"merge", file, "-"};
  const char *const reversed[] = {"merge", "-", file};
  const bool two = cut < f.len;
  const tool_result r = tool_run(two ? 3 : 2, two ? in_order : alone, rest);
  joined(&r);
  const size_t len = r.out.len < OUTPUT_MAX ? r.out.len : OUTPUT_MAX;
  if (two && len > 0) {
    const int status = r.status;
    memcpy(first_out, r.out.ptr, len);
    const tool_result again = tool_run(3, reversed, rest);
    joined(&again);
    fuzz_expect(again.status == status && again.out.len >= len &&
                    memcmp(first_out, again.out.ptr, len) == 0,
                "the order of the operands shows");
  }
  return 0;
}
