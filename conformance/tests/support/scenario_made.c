/* SPDX-License-Identifier: BSD-2-Clause */
#include "scenario_made.h"

#include <string.h>

#include <check.h>

out_buf scenario_out;

void scenario_made(const char *text, const char *variant) {
  scenario_error error;
  scenario *s = scenario_new();
  ck_assert_msg(scenario_read(s, text, strlen(text), &error), "%u:%u: %s", error.line, error.column,
                error.message);
  ck_assert(variant == NULL || scenario_derive(s, variant));
  out_close(&scenario_out);
  out_open_memory(&scenario_out);
  scenario_write(s, SCENARIO_PCAP, &scenario_out);
  scenario_free(s);
}

void scenario_refused(const char *text, unsigned int line, unsigned int column,
                      const char *message) {
  scenario_error error;
  scenario *s = scenario_new();
  ck_assert(!scenario_read(s, text, strlen(text), &error));
  ck_assert_str_eq(error.message, message);
  ck_assert_uint_eq(error.line, line);
  ck_assert_uint_eq(error.column, column);
  scenario_free(s);
}

size_t scenario_made_packets(void) {
  size_t n = 0;
  for (size_t at = SCENARIO_FIRST_PACKET; at < scenario_out.len; n++) {
    uint8_t len[2];
    memcpy(len, scenario_out.buf + at + 8, 2);
    at += 16u + len[0] + 256u * len[1];
  }
  return n;
}

/* Where the TCP header of a packet begins, which has an Ethernet and an IPv4 header before it. */
static size_t made_tcp(size_t packet) {
  size_t at = SCENARIO_FIRST_PACKET;
  for (size_t i = 0; i < packet; i++) {
    uint8_t len[2];
    memcpy(len, scenario_out.buf + at + 8, 2);
    at += 16u + len[0] + 256u * len[1];
  }
  return at + 16 + 14 + 20;
}

static uint32_t made_number(size_t at) {
  uint32_t v = 0;
  for (size_t i = 0; i < 4; i++) {
    v = v << 8 | (uint8_t)scenario_out.buf[at + i];
  }
  return v;
}

uint32_t scenario_seq(size_t packet) {
  return made_number(made_tcp(packet) + 4);
}

uint32_t scenario_ack(size_t packet) {
  return made_number(made_tcp(packet) + 8);
}

bool scenario_holds(const char *octets, size_t n) {
  for (size_t i = 0; i + n <= scenario_out.len; i++) {
    if (memcmp(scenario_out.buf + i, octets, n) == 0) {
      return true;
    }
  }
  return false;
}
