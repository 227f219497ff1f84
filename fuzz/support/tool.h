/* SPDX-License-Identifier: BSD-2-Clause */
/* The tool inside this process: a command line in, its output and messages back. */
#ifndef FUZZ_SUPPORT_TOOL_H
#define FUZZ_SUPPORT_TOOL_H

#include "refuse.h"

#define TOOL_WORDS 32u

/* Exit statuses: a violation was found, or the command came to no verdict. */
#define TOOL_VIOLATION 1
#define TOOL_USAGE 2
#define TOOL_UNDECIDED 4
#define TOOL_INTERNAL 70

typedef struct tool_result {
  int status;
  iwarp_span out; /* standard output; until the next run */
  iwarp_span err; /* standard error */
} tool_result;

/* tool_file makes a file in memory with these octets and returns its path; one file at a time. */
const char *tool_file(iwarp_span octets);

/* tool_second_file makes a second file, such as of the octets printed for the first. */
const char *tool_second_file(iwarp_span octets);

/* tool_run runs `iwarp` with these words after its name, and `in` as standard input. */
tool_result tool_run(int num, const char *const words[], iwarp_span in);

/* tool_starve does so while requests for memory are refused. */
tool_result tool_starve(int num, const char *const words[], iwarp_span in, refusal *refused);

/* tool_jsonl expects lines of well-formed JSON, tool_json one value, tool_xml a well-formed
 * document; tool_text expects UTF-8 that a terminal does not obey. */
void tool_jsonl(iwarp_span out);
void tool_json(iwarp_span out);
void tool_xml(iwarp_span out);
void tool_text(iwarp_span out);

#endif
