/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A whole capture file through every reporter: what is printed is well formed, text and JSON Lines
 * come to the same end, and no more is printed than the input is worth.
 */
#include "fuzz.h"
#include "tool.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_CAPTURE;

#define AN_OCTET 20u     /* octets printed by a check for an octet of input, at most */
#define ANYTHING 100000u /* and by a run without input: its summary names each rule */

static void bounded(const tool_result *r, size_t input) {
  fuzz_expect(r->out.len <= ANYTHING + AN_OCTET * input, "%zu octets printed for %zu", r->out.len,
              input);
}

static int check(const char *format, const char *path, const uint8_t how, size_t input) {
  const char *const words[] = {"check", "-T", format, path, "-v", "-x", "-d", "tcp.port==7174"};
  const int num = 4 + ((how & 1u) != 0 ? 4 : 0);
  const tool_result r = tool_run(num, words, (iwarp_span){0});
  if (num == 4) {
    bounded(&r, input);
  }
  if (format[0] == 'j') {
    tool_jsonl(r.out);
  } else {
    tool_text(r.out);
  }
  fuzz_expect(r.status >= 0 && r.status <= 4, "exit status %d", r.status);
  tool_text(r.err);
  return r.status;
}

static void dump(const char *path, uint8_t how) {
  const char *const text[] = {"dump", "-T", "text", path, "-V", "-x"};
  const char *const json[] = {"dump", "-T", "jsonl", path, "-V", "-x"};
  const int num = 4 + ((how & 2u) != 0 ? 2 : 0);
  const tool_result a = tool_run(num, text, (iwarp_span){0});
  tool_text(a.out);
  const tool_result b = tool_run(num, json, (iwarp_span){0});
  tool_jsonl(b.out);
  fuzz_expect(a.status == b.status, "exit status %d for text, %d for JSON", a.status, b.status);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_in f = fuzz_begin(data, size);
  const uint8_t how = fuzz_u8(&f);
  const char *path = tool_file((iwarp_span){f.body, f.len});
  const int text = check("text", path, how, f.len);
  const int json = check("jsonl", path, how, f.len);
  fuzz_expect(text == json, "exit status %d for text, %d for JSON", text, json);
  dump(path, how);
  return 0;
}
