/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line: words of the body, one a line. Whatever they are, the tool answers with a
 * status of its contract, and prints nothing that a terminal obeys. */
#include <string.h>

#include "fuzz.h"
#include "tool.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_OCTETS;

#define WORD_MAX 200u

/* A word that names a file anywhere names the capture in memory instead. */
static const char *harmless(const char *word, const char *file) {
  return word[0] != '-' && strchr(word, '/') != NULL ? file : word;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static char text[TOOL_WORDS][WORD_MAX + 1];
  const char *words[TOOL_WORDS];
  fuzz_in f = fuzz_begin(data, size);
  const char *file = tool_file((iwarp_span){f.body, f.len});
  size_t num = 0;
  size_t at = 0;
  while (num < TOOL_WORDS && at < f.len) {
    size_t n = 0;
    while (at < f.len && f.body[at] != '\n' && f.body[at] != 0 && n < WORD_MAX) {
      text[num][n++] = (char)f.body[at++];
    }
    at++;
    text[num][n] = 0;
    words[num] = harmless(text[num], file);
    num++;
  }
  const tool_result r = tool_run((int)num, words, (iwarp_span){0});
  fuzz_expect(r.status >= 0 && r.status <= 4, "exit status %d", r.status);
  tool_text(r.out);
  tool_text(r.err);
  return 0;
}
