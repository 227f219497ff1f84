/* SPDX-License-Identifier: BSD-2-Clause */
/* A scenario: whatever the text is, it is refused with a place in it, or makes the same capture
 * each time, each variant too. */
#include <string.h>

#include <scenario/scenario.h>

#include "fuzz.h"
#include "tool.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_OCTETS;

#define TEXT_MAX ((size_t)4096)

/* The place of a mistake is one of the text. */
static void placed(const scenario_error *error, const char *text, size_t len) {
  unsigned int lines = 1;
  for (size_t i = 0; i < len; i++) {
    lines += text[i] == '\n' ? 1u : 0u;
  }
  fuzz_expect(error->line >= 1 && error->line <= lines && error->column >= 1 &&
                  error->column <= len + 1 && error->message[0] != 0,
              "a mistake at %u:%u of %u lines", error->line, error->column, lines);
}

/* Writes the capture of a text in a variant; false: the text is refused. */
static bool make(out_buf *out, const char *text, size_t len, const char *variant) {
  scenario_error error;
  scenario *s = scenario_new();
  fuzz_expect(s != NULL, "no memory");
  out_open_memory(out);
  const bool ok = scenario_read(s, text, len, &error);
  if (ok) {
    fuzz_expect(!scenario_has_variant(s, variant) || scenario_derive(s, variant), "no memory");
    scenario_write(s, SCENARIO_PCAP, out);
  } else {
    placed(&error, text, len);
  }
  scenario_free(s);
  return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_in f = fuzz_begin(data, size);
  const char *text = (const char *)f.body;
  const size_t len = f.len < TEXT_MAX ? f.len : TEXT_MAX;
  size_t num = 0;
  while (scenario_variants[num] != NULL) {
    num++;
  }
  const char *variant = scenario_variants[fuzz_u8(&f) % num];
  out_buf a;
  out_buf b;
  const bool ok = make(&a, text, len, variant);
  fuzz_expect(make(&b, text, len, variant) == ok && a.len == b.len &&
                  (a.len == 0 || memcmp(a.buf, b.buf, a.len) == 0),
              "two captures of one text differ");
  if (ok) {
    const char *path = tool_file((iwarp_span){(const uint8_t *)a.buf, a.len});
    const char *words[] = {"check", "-q", path};
    const tool_result r = tool_run(3, words, (iwarp_span){0});
    fuzz_expect(r.status >= 0 && r.status <= 4 && r.status != 2, "exit status %d", r.status);
  }
  out_close(&a);
  out_close(&b);
  return 0;
}
