/* SPDX-License-Identifier: BSD-2-Clause */
/* The limits of a run by name. */
#include <report/limits.h>

#include <string.h>

typedef struct limit_row {
  const char *name;
  const char *text;
  bool captures; /* the limit ends a capture */
} limit_row;

/* Limits of ingest first, then limits of the tool, then limits of the engines. */
static const limit_row limit_rows[REPORT_LIMITS] = {
    {"connections", "more connections were open than are followed at a time", false},
    {"memory", "the memory of the run was used up (--memory)", false},
    {"held-octets", "too much waited for octets that were missing", false},
    {"fragments", "too many IP packets were in fragments at a time", false},
    {"message", "a message was longer or in more pieces than is put together", false},
    {"streams", "more DDP streams were open than are followed at a time", false},
    {"early-data", "the beginning of the stream was not kept until its startup frame was known",
     false},
    {"search", "octets without a known FPDU boundary took more work than is allowed", false},
    {"holes", "an FPDU lacked octets in more places than are distinguished", false},
    {"packets", "octets came in more packets than are distinguished", false},
    {"rule-state", "rules had to remember more than they have room for", false},
    {"unpacked", "the capture unpacks to more than is read of it (--max-unpacked)", true},
    {"interrupted", "a signal ended the reading before the end of the capture", true},
    {"other", "a limit was reached", false},
};

const char *report_limit_name(size_t i) {
  return i < REPORT_LIMITS ? limit_rows[i].name : NULL;
}

bool report_limit_of_captures(size_t i) {
  return i < REPORT_LIMITS && limit_rows[i].captures;
}

bool report_limit_is_of_captures(const char *name) {
  size_t i = 0;
  while (i < REPORT_LIMITS && strcmp(report_limit_name(i), name) != 0) {
    i++;
  }
  return i < REPORT_LIMITS && report_limit_of_captures(i);
}

static size_t limit_index(const char *name) {
  size_t i = 0;
  while (i < REPORT_LIMITS - 1 && strcmp(limit_rows[i].name, name) != 0) {
    i++;
  }
  return i;
}

const char *report_limit_text(const char *name) {
  return limit_rows[limit_index(name)].text;
}

void report_limits_add(report_limits *limits, const char *name, uint64_t n) {
  limits->of[limit_index(name)] += n;
}

void report_limits_join(report_limits *limits, const report_limits *part) {
  for (size_t i = 0; i < REPORT_LIMITS; i++) {
    limits->of[i] += part->of[i];
  }
}

uint64_t report_limits_sum(const report_limits *limits) {
  uint64_t sum = 0;
  for (size_t i = 0; i < REPORT_LIMITS; i++) {
    sum += limits->of[i];
  }
  return sum;
}
