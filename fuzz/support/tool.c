/* SPDX-License-Identifier: BSD-2-Clause */
/* The tool inside this process: a command line in, its output and messages back. */
#define _GNU_SOURCE
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <memory/memory.h>
#include <report/utf8.h>

#include "cli/commands.h"
#include "cli/diag.h"
#include "cli/opts.h"

_Static_assert(TOOL_VIOLATION == EXIT_VIOLATION && TOOL_USAGE == EXIT_USAGE &&
                   TOOL_UNDECIDED == EXIT_UNDECIDED && TOOL_INTERNAL == EXIT_INTERNAL,
               "the statuses of cli/diag.h");

/* ---- files in memory ---- */

#define PATH_LEN 64u

static int memory_file(int *fd, const char *name) {
  if (*fd == 0) {
    *fd = memfd_create(name, 0);
    fuzz_expect(*fd > 0, "no memory file");
  }
  return *fd;
}

static void fill(int fd, char path[PATH_LEN], iwarp_span octets) {
  snprintf(path, PATH_LEN, "/proc/self/fd/%d", fd);
  fuzz_expect(ftruncate(fd, 0) == 0 && pwrite(fd, octets.len > 0 ? (const void *)octets.ptr : "",
                                              octets.len, 0) == (ssize_t)octets.len,
              "a file in memory");
}

const char *tool_file(iwarp_span octets) {
  static int fd;
  static char path[PATH_LEN];
  fill(memory_file(&fd, "capture"), path, octets);
  return path;
}

const char *tool_second_file(iwarp_span octets) {
  static int fd;
  static char path[PATH_LEN];
  fill(memory_file(&fd, "printed"), path, octets);
  return path;
}

/* ---- a run ---- */

/* Whatever a command line names, no file of the machine is written. */
static void write_nothing(opts *o) {
  for (size_t i = 0; i < o->num_reports; i++) {
    o->reports[i].path = "/dev/null";
  }
  o->annotate = o->annotate != NULL ? "/dev/null" : NULL;
  o->output = o->output != NULL ? "/dev/null" : NULL;
}

/* Each run begins with memory; one that lacked it ends as the program does. */
static int main_of(int argc, char **argv) {
  opts o;
  bool named = false;
  char error[OPTS_ERROR_CAP] = "";
  int status = 0;
  memory_forget();
  switch (opts_parse(&o, &named, argc, argv, error)) {
  case OPTS_RUN: {
    static int (*const commands[])(const opts *o) = {
        cmd_check, cmd_dump,    cmd_observe,  cmd_observe, cmd_decode,
        cmd_rules, cmd_explain, cmd_coverage, cmd_gen,     cmd_merge};
    write_nothing(&o);
    status = commands[o.command](&o);
    break;
  }
  case OPTS_HELP: opts_help(stdout, named ? o.command : COMMAND_COUNT); break;
  case OPTS_VERSION: break;
  case OPTS_NOTHING: status = 2; break;
  case OPTS_WRONG:
    fuzz_expect(error[0] != 0 && strchr(error, '\n') == NULL, "an error that is no line");
    status = 2;
    break;
  }
  opts_free(&o);
  fflush(stdout);
  return memory_ran_out() ? TOOL_INTERNAL : status;
}

static iwarp_span read_back(int fd) {
  static uint8_t *octets;
  const off_t len = lseek(fd, 0, SEEK_END);
  octets = realloc(octets, (size_t)len + 1);
  fuzz_expect(len >= 0 && octets != NULL && pread(fd, octets, (size_t)len, 0) == len, "output");
  return (iwarp_span){octets, (size_t)len};
}

tool_result tool_starve(int num, const char *const words[], iwarp_span in, refusal *refused) {
  static int fd;
  static char *messages;
  static int saved;
  char *argv[TOOL_WORDS + 2] = {0};
  size_t num_messages = 0;
  FILE *const streams[2] = {stdin, stderr};
  saved = saved != 0 ? saved : dup(STDOUT_FILENO);
  free(messages);
  messages = NULL;
  argv[0] = strdup("iwarp");
  for (int i = 0; i < num && i < (int)TOOL_WORDS; i++) {
    argv[i + 1] = strdup(words[i]);
  }
  (void)memory_file(&fd, "output");
  fuzz_expect(ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0, "output");
  dup2(fd, STDOUT_FILENO);
  stderr = open_memstream(&messages, &num_messages);
  stdin = fmemopen((void *)(uintptr_t)(in.len > 0 ? in.ptr : (const uint8_t *)" "),
                   in.len > 0 ? in.len : 1, "rb");
  refuse_begin(refused);
  tool_result r = {.status = main_of(num + 1, argv)};
  refuse_end();
  fclose(stdin);
  fclose(stderr);
  stdin = streams[0];
  stderr = streams[1];
  dup2(saved, STDOUT_FILENO);
  for (int i = 0; i <= num && i <= (int)TOOL_WORDS; i++) {
    free(argv[i]);
  }
  r.out = read_back(fd);
  r.err = (iwarp_span){(const uint8_t *)messages, num_messages};
  return r;
}

tool_result tool_run(int num, const char *const words[], iwarp_span in) {
  return tool_starve(num, words, in, NULL);
}

/* ---- allowed output ---- */

void tool_text(iwarp_span out) {
  for (size_t i = 0; i < out.len;) {
    const char *at = (const char *)out.ptr + i;
    const size_t n = *at == '\n' ? 1 : report_plain_len(at, out.len - i);
    fuzz_expect(n > 0, "octet 0x%02x of the output is not to be printed", out.ptr[i]);
    i += n;
  }
}

/* A JSON value without a tree: each character by what may stand there. RFC 8259 */
typedef struct json {
  const uint8_t *at;
  const uint8_t *end;
} json;

/* Lines that merge passes on may have blanks between tokens. */
static void skip_blanks(json *j) {
  while (j->at < j->end && (*j->at == ' ' || *j->at == '\t')) {
    j->at++;
  }
}

static bool eat(json *j, char c) {
  if (j->at < j->end && *j->at == (uint8_t)c) {
    j->at++;
    return true;
  }
  return false;
}

static bool eat_token(json *j, char c) {
  skip_blanks(j);
  return eat(j, c);
}

static bool json_string(json *j) {
  if (!eat_token(j, '"')) {
    return false;
  }
  while (j->at < j->end && *j->at != '"') {
    if (*j->at < 0x20 || (*j->at == '\\' && ++j->at == j->end)) {
      return false;
    }
    j->at++;
  }
  return eat(j, '"');
}

static bool json_word(json *j) {
  skip_blanks(j);
  const uint8_t *begin = j->at;
  while (j->at < j->end && (strchr("+-.eE", *j->at) != NULL || (*j->at >= '0' && *j->at <= '9'))) {
    j->at++;
  }
  static const char *const words[] = {"true", "false", "null"};
  for (size_t i = 0; i < 3 && j->at == begin; i++) {
    const size_t n = strlen(words[i]);
    j->at += (size_t)(j->end - j->at) >= n && memcmp(j->at, words[i], n) == 0 ? n : 0;
  }
  return j->at > begin;
}

#define JSON_DEPTH 32u

/* Values nested to any depth, without recursion: `open` holds what closes each. */
static bool json_value(json *j) {
  char open[JSON_DEPTH];
  size_t depth = 0;
  for (;;) {
    if (depth > 0 && open[depth - 1] == '}' && (!json_string(j) || !eat_token(j, ':'))) {
      return false;
    }
    if (j->at < j->end && (*j->at == '{' || *j->at == '[')) {
      if (depth == JSON_DEPTH) {
        return false;
      }
      open[depth++] = *j->at++ == '{' ? '}' : ']';
      if (j->at < j->end && *j->at != (uint8_t)open[depth - 1]) {
        continue;
      }
    } else if (!(j->at < j->end && *j->at == '"' ? json_string(j) : json_word(j))) {
      return false;
    }
    while (depth > 0 && eat_token(j, open[depth - 1])) {
      depth--;
    }
    if (depth == 0) {
      return true;
    }
    if (!eat_token(j, ',')) {
      return false;
    }
  }
}

void tool_jsonl(iwarp_span out) {
  json j = {out.ptr, out.ptr + out.len};
  tool_text(out);
  for (size_t line = 1; j.at < j.end; line++) {
    fuzz_expect(json_value(&j) && eat(&j, '\n'), "line %zu is no JSON", line);
  }
}

void tool_json(iwarp_span out) {
  uint8_t *octets = malloc(out.len + 1);
  size_t len = 0;
  fuzz_expect(octets != NULL, "no memory");
  tool_text(out);
  for (size_t i = 0; i < out.len; i++) { /* lines end between values only */
    octets[len] = out.ptr[i];
    len += out.ptr[i] != '\n' ? 1u : 0u;
  }
  json j = {octets, octets + len};
  fuzz_expect(json_value(&j) && j.at == j.end, "no JSON at octet %zu of %zu",
              (size_t)(j.at - octets), len);
  free(octets);
}

/* ---- XML: elements that nest, attributes in quotes, no other markup than the escapes ---- */

#define XML_DEPTH 16u
#define XML_NAME 32u

static size_t xml_name(const json *x, char name[XML_NAME]) {
  size_t n = 0;
  while (x->at + n < x->end && n < XML_NAME - 1 && strchr(" />=\n", x->at[n]) == NULL) {
    name[n] = (char)x->at[n];
    n++;
  }
  name[n] = 0;
  return n;
}

/* Text up to one of `ends`; each '&' begins an escape. */
static bool xml_text(json *x, const char *ends) {
  static const char *const escapes[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
  while (x->at < x->end && strchr(ends, *x->at) == NULL) {
    bool known = *x->at != '&';
    for (size_t i = 0; i < 4 && !known; i++) {
      const size_t n = strlen(escapes[i]);
      known = (size_t)(x->end - x->at) >= n && memcmp(x->at, escapes[i], n) == 0;
    }
    if (!known || *x->at == '>') {
      return false;
    }
    x->at++;
  }
  return true;
}

static bool xml_attributes(json *x) {
  char name[XML_NAME];
  while (eat(x, ' ')) {
    x->at += xml_name(x, name);
    if (!eat(x, '=') || !eat(x, '"') || !xml_text(x, "\"<") || !eat(x, '"')) {
      return false;
    }
  }
  return true;
}

/* A tag after its '<'. */
static bool xml_tag(json *x, char open[XML_DEPTH][XML_NAME], size_t *depth) {
  char name[XML_NAME];
  const bool closes = eat(x, '/');
  x->at += xml_name(x, name);
  if (closes) {
    return *depth > 0 && strcmp(open[--*depth], name) == 0 && eat(x, '>');
  }
  if (*depth == XML_DEPTH || !xml_attributes(x)) {
    return false;
  }
  memcpy(open[*depth], name, XML_NAME);
  *depth += eat(x, '/') ? 0u : 1u;
  return eat(x, '>');
}

void tool_xml(iwarp_span out) {
  static const char head[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  const size_t n = sizeof head - 1;
  char open[XML_DEPTH][XML_NAME];
  size_t depth = 0;
  tool_text(out);
  fuzz_expect(out.len > n && memcmp(out.ptr, head, n) == 0, "no head");
  json x = {out.ptr + n, out.ptr + out.len};
  while (x.at < x.end) {
    fuzz_expect(eat(&x, '<') && xml_tag(&x, open, &depth) && xml_text(&x, "<"),
                "no XML at octet %zu", (size_t)(x.at - out.ptr));
  }
  fuzz_expect(depth == 0, "%zu elements are open", depth);
}
