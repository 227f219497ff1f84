/* SPDX-License-Identifier: BSD-2-Clause */
/* `iwarp decode` on any text: hex, or a dump of packets. Text and JSON come to the same end;
 * without memory it ends as well. */
#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "tool.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_OCTETS;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const layers[] = {
      "mpa",      "ddp",    "rdmap", "sctp-segment", "sctp-control", "sctp-adaptation",
      "enhanced", "marker", "erdma", "smbd",         "smbd-le",      "rpc-rdma"};
  fuzz_in f = fuzz_begin(data, size);
  const uint8_t how = fuzz_u8(&f);
  const char *layer = layers[how % (sizeof layers / sizeof layers[0])];
  const iwarp_span in = {f.body, f.len};
  refusal refused = refusal_of(&f);
  const fuzz_fpdu_place place = fuzz_fpdu_place_of(&f);
  char offset[8];
  (void)snprintf(offset, sizeof offset, "%u", (unsigned)place.off);
  const char *words[] = {"decode", "-", "--layer", layer, "-T", "text", "--offset", offset};
  const int num = place.markers && strcmp(layer, "mpa") == 0 ? 8 : 6;
  const tool_result a = tool_run(num, words, in);
  const int status = a.status;
  fuzz_expect(status == 0 || status == 2, "exit status %d", status);
  tool_text(a.out);
  tool_text(a.err);
  words[5] = "jsonl";
  const tool_result b = tool_run(num, words, in);
  tool_jsonl(b.out);
  fuzz_expect(b.status == status, "exit status %d for text, %d for JSON", status, b.status);
  if (refused.first != 0) {
    const tool_result c = tool_starve(num, words, in, &refused);
    fuzz_expect(c.status == status || c.status == TOOL_USAGE || c.status == TOOL_INTERNAL,
                "exit status %d without memory, %d with it", c.status, status);
    tool_jsonl(c.out);
    tool_text(c.err);
  }
  return 0;
}
