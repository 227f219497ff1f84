/* SPDX-License-Identifier: BSD-2-Clause */
/* Verdicts, and their combination over several plays of a case. */
#include <peer/verdict.h>

#include <stdio.h>
#include <string.h>

static const char *const verdict_names[PEER_NUM_VERDICTS] = {
    "undecided", "pass", "allowed", "warning", "fail", "unstable", "skipped", "error"};

const char *peer_verdict_name(peer_verdict verdict) {
  return (unsigned int)verdict < PEER_NUM_VERDICTS ? verdict_names[verdict] : "unknown";
}

bool peer_verdict_find(const char *name, peer_verdict *out) {
  for (unsigned int i = 0; i < PEER_NUM_VERDICTS; i++) {
    if (strcmp(name, verdict_names[i]) == 0) {
      *out = (peer_verdict)i;
      return true;
    }
  }
  return false;
}

bool peer_result_alike(const peer_result *a, const peer_result *b) {
  return a->verdict == b->verdict && a->line == b->line && strcmp(a->seen, b->seen) == 0;
}

bool peer_result_again(const peer_result *result) {
  return result->verdict == PEER_FAIL || result->verdict == PEER_WARNING;
}

/* Appends to the text of a result; what does not fit is cut. */
static void verdict_append(char *text, const char *before, size_t num, const char *name) {
  const size_t len = strlen(text);
  snprintf(text + len, PEER_TEXT_CAP - len, "%s%zu %s", before, num, name);
}

/* Writes the counts of the verdicts. */
static void verdict_counts(char *why, const peer_result *plays, size_t num) {
  size_t counts[PEER_NUM_VERDICTS] = {0};
  for (size_t i = 0; i < num; i++) {
    counts[plays[i].verdict]++;
  }
  why[0] = '\0';
  for (size_t i = 0; i < PEER_NUM_VERDICTS; i++) {
    if (counts[i] > 0) {
      verdict_append(why, why[0] == '\0' ? "" : ", ", counts[i], verdict_names[i]);
    }
  }
}

peer_result peer_result_combine(const peer_result *plays, size_t num) {
  peer_result result = plays[0];
  bool alike = true;
  for (size_t i = 1; i < num; i++) {
    alike = alike && peer_result_alike(&plays[0], &plays[i]);
  }
  if (!alike) {
    result.verdict = PEER_UNSTABLE;
    verdict_counts(result.why, plays, num);
  }
  return result;
}
