/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A whole capture file through every reporter. The output is well formed, and its length is bounded
 * by the input. Text and JSON Lines come to the same verdict, and lack of memory does not change
 * it.
 */
#include <string.h>

#include "fuzz.h"
#include "tool.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_CAPTURE;

#define AN_OCTET 20u     /* octets printed by a check for an octet of input, at most */
#define ANYTHING 100000u /* octets printed by a run without input: its summary names each rule */

static void bounded(const tool_result *r, size_t input) {
  fuzz_expect(r->out.len <= ANYTHING + AN_OCTET * input, "%zu octets printed for %zu", r->out.len,
              input);
}

/* Options of check and of dump, by choice; the first of check's are those whose output is bounded.
 */
#define OPTIONS 4u
static const char *const check_options[][OPTIONS] = {
    {NULL},
    {"--max-findings", "1"},
    {"--level", "should", "-t", "r"},
    {"-v", "-d", "tcp.port==7174"},
    {"-v", "-x", "-t", "a"},
    {"-V", "--color", "always"},
    {"-q", "--exclude", "*crc*"},
    {"-t", "d", "--memory", "4M"},
    {"--only", "mpa.*", "--markers", "off"},
    {"-c", "7", "--crc", "off"},
    {"-f", "tcp", "--fail-on", "never"},
    {"--require-decided", "-x", "--max-findings", "3"},
    {"--annotate", "nothing is written"},
};
#define BOUNDED 3u
static const char *const dump_options[][OPTIONS] = {
    {NULL}, {"-V", "-x"}, {"-q"}, {"-t", "d"}, {"-t", "r", "-V"}, {"-x", "-d", "tcp.port==7174"},
};

/* Runs a command on the capture in a format with these options. */
static tool_result run(const char *command, const char *format, const char *path,
                       const char *const options[OPTIONS]) {
  const char *words[4 + OPTIONS] = {command, "-T", format, path};
  int num = 4;
  for (size_t i = 0; i < OPTIONS && options[i] != NULL; i++) {
    words[num++] = options[i];
  }
  return tool_run(num, words, (iwarp_span){0});
}

/* The formats beside text and JSON Lines, and what each must be. */
static const struct {
  const char *name;
  void (*is)(iwarp_span out);
} formats[] = {{"timeline", tool_text}, {"junit", tool_xml},  {"sarif", tool_json},
               {"tap", tool_text},      {"tap13", tool_text}, {"html", tool_text}};

static int check(const char *format, const char *path, const uint8_t how, size_t input) {
  const size_t which = how % (sizeof check_options / sizeof check_options[0]);
  const tool_result r = run("check", format, path, check_options[which]);
  if (which < BOUNDED) {
    bounded(&r, input);
  }
  if (format[0] == 'j') {
    tool_jsonl(r.out);
  } else if (strcmp(check_options[which][0] != NULL ? check_options[which][0] : "", "-V") != 0) {
    tool_text(r.out); /* colors are what a terminal obeys */
  }
  fuzz_expect(r.status >= 0 && r.status <= 4, "exit status %d", r.status);
  tool_text(r.err);
  return r.status;
}

/* Prints one format for each input; the octets of the input choose the format. */
static void report(const char *path, uint8_t how, int status) {
  const size_t num_options = sizeof check_options / sizeof check_options[0];
  const size_t which = how / num_options % (sizeof formats / sizeof formats[0]);
  const char *const *options = check_options[how % num_options];
  const tool_result r = run("check", formats[which].name, path, options);
  const bool colored = options[0] != NULL && strcmp(options[0], "-V") == 0;
  if (!colored || formats[which].is != tool_text) {
    formats[which].is(r.out);
  }
  fuzz_expect(r.status == status, "exit status %d for %s, %d for text", r.status,
              formats[which].name, status);
}

static void dump(const char *path, uint8_t how) {
  const char *const *options = dump_options[how % (sizeof dump_options / sizeof dump_options[0])];
  const tool_result a = run("dump", "text", path, options);
  tool_text(a.out);
  const tool_result b = run("dump", "jsonl", path, options);
  tool_jsonl(b.out);
  fuzz_expect(a.status == b.status, "exit status %d for text, %d for JSON", a.status, b.status);
}

/* What `check --baseline` takes: it counts findings, and finds fault with none of them. With it the
 * same capture has no finding that is new. */
static void baseline(const char *path, int status) {
  const char *const words[] = {"baseline", path};
  const tool_result r = tool_run(2, words, (iwarp_span){0});
  tool_text(r.out);
  fuzz_expect(r.status == 0 || r.status == status || r.status == TOOL_USAGE,
              "exit status %d of baseline, %d of check", r.status, status);
  if (r.status == 0) {
    const char *const known[OPTIONS] = {"--baseline", tool_second_file(r.out)};
    const int text = run("check", "text", path, known).status;
    const tool_result json = run("check", "jsonl", path, known);
    tool_jsonl(json.out);
    fuzz_expect(text == json.status && text != TOOL_VIOLATION,
                "exit status %d for text, %d for JSON, with a baseline of the same capture", text,
                json.status);
  }
}

/* The joined result of the only shard equals a check of the whole. */
static void shard(const char *path, const tool_result *whole) {
  static const char *const only[OPTIONS] = {"--shard", "0/1"};
  const tool_result part = run("check", "jsonl", path, only);
  tool_jsonl(part.out);
  const char *const words[] = {"merge", tool_second_file(part.out)};
  const tool_result joined = tool_run(2, words, (iwarp_span){0});
  tool_jsonl(joined.out);
  fuzz_expect(joined.status == whole->status, "exit status %d of a shard joined, %d of the whole",
              joined.status, whole->status);
}

/* A check that lacks memory comes to the verdict that it comes to `with` it, or to none. */
static void starve(const char *path, int with, refusal refused) {
  for (size_t i = 0; i < 2; i++) {
    const char *const words[] = {"check", "-T", i == 0 ? "text" : "jsonl", path};
    refusal r = refused;
    const tool_result got = tool_starve(4, words, (iwarp_span){0}, &r);
    const bool none = got.status == TOOL_UNDECIDED || got.status == TOOL_USAGE ||
                      (got.status == TOOL_INTERNAL && r.asked >= r.first);
    fuzz_expect(got.status == with || none, "exit status %d without memory, %d with it", got.status,
                with);
    (i == 0 ? tool_text : tool_jsonl)(got.out);
    tool_text(got.err);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_in f = fuzz_begin(data, size);
  const uint8_t how = fuzz_u8(&f);
  const char *path = tool_file((iwarp_span){f.body, f.len});
  const int text = check("text", path, how, f.len);
  const int json = check("jsonl", path, how, f.len);
  fuzz_expect(text == json, "exit status %d for text, %d for JSON", text, json);
  report(path, how, text);
  const uint8_t other = fuzz_u8(&f);
  dump(path, other);
  if ((other & 1u) != 0) {
    baseline(path, text);
  } else {
    const tool_result whole = run("check", "jsonl", path, check_options[0]);
    shard(path, &whole);
  }
  const refusal refused = refusal_of(&f);
  if (refused.first != 0) {
    starve(path, run("check", "text", path, check_options[0]).status, refused);
  }
  return 0;
}
