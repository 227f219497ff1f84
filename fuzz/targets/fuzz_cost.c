/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a capture costs its reader: captures that are made to cost much. The steps of ingest, the
 * work of all before the reports, and the octets printed are bounded for each octet of input.
 */
#include "attack.h"
#include "tool.h"
#include "work.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_OCTETS;

#define STEPS_AN_OCTET 50u  /* steps of ingest, which ingest counts itself */
#define WORK_AN_OCTET 1000u /* work of ingest, the library, observers and rules */
#define WORK_AT_ALL                                                                                \
  2000000u /* steps for the memory of the first connections, before its next use                   \
            */

#define PRINTED_AN_OCTET 20u
#define PRINTED_AT_ALL 100000u /* a summary names each rule */

static void printed(const char *format, const char *path, size_t input) {
  const char *const words[] = {"check", "-T", format, path};
  const tool_result r = tool_run(4, words, (iwarp_span){0});
  fuzz_expect(r.out.len <= PRINTED_AT_ALL + PRINTED_AN_OCTET * input, "%zu octets printed for %zu",
              r.out.len, input);
}

static void worked(const follow *f) {
  const uint64_t work = work_steps();
  fuzz_expect(f->steps <= STEPS_AN_OCTET * f->input, "%llu steps for %llu octets",
              (unsigned long long)f->steps, (unsigned long long)f->input);
  fuzz_expect(work <= WORK_AT_ALL + WORK_AN_OCTET * f->input, "work of %llu for %llu octets",
              (unsigned long long)work, (unsigned long long)f->input);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static follow_packets packets;
  static follow all;
  fuzz_in f = fuzz_begin(data, size);
  const uint8_t how = fuzz_u8(&f);
  attack_make(&packets, (iwarp_span){f.body, f.len});
  all.refuse = refusal_of(&f);
  work_begin();
  follow_run(&all, &packets, NULL);
  worked(&all);
  if ((how & 1u) != 0) {
    const iwarp_span file = attack_write(&packets);
    const char *path = tool_file(file);
    printed("text", path, file.len);
    printed("jsonl", path, file.len);
  }
  return 0;
}
