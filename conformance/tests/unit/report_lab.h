/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of report share: a sink in memory, and a connection to speak of. */
#ifndef TEST_REPORT_LAB_H
#define TEST_REPORT_LAB_H

#include <stdio.h>
#include <string.h>

#include <report/dump.h>

#include "check_run.h"

static out_buf text;
static iwarp_observer_info info;
static observe_conn conn;

static inline void lab_clear(void) {
  out_close(&text);
  out_open_memory(&text);
}

static inline const char *lab_written(void) {
  out_char(&text, '\0');
  text.len--;
  return text.buf;
}

static inline void lab_conn(void) {
  memset(&info, 0, sizeof info);
  info.side[0].role = IWARP_ROLE_INITIATOR;
  info.side[1].role = IWARP_ROLE_RESPONDER;
  conn = (observe_conn){.file = "f", .number = 3, .info = &info};
  strcpy(conn.addr[0], "10.0.0.1:1");
  strcpy(conn.addr[1], "[::1]:2");
  lab_clear();
}

/* lab_event makes an event of side 1. */
static inline iwarp_event lab_event(iwarp_event_kind kind) {
  iwarp_event ev = {.kind = kind, .side = 1, .pos = UINT64_C(0x1ffffffff), .len = 7};
  ev.last.packet = 9;
  ev.last.time_ns = UINT64_C(1500000000);
  return ev;
}

/* lab_dump writes an event and returns what stands after the facts that all lines begin with. */
static inline const char *lab_dump(bool json, const iwarp_event *ev, const report_dump_opts *opts) {
  static const char text_head[] = "1.500000 frame 9 conn 3 [::1]:2 > 10.0.0.1:1: ";
  static const char json_head[] =
      "\"file\":\"f\",\"frame\":9,\"time\":\"1.500000000\",\"conn\":3,\"src\":\"[::1]:2\","
      "\"dst\":\"10.0.0.1:1\",\"dir\":\"responder\",\"seq\":4294967295";
  lab_clear();
  (json ? report_dump_json : report_dump_text)(&text, &conn, ev, opts);
  const char *head = json ? json_head : text_head;
  const char *at = strstr(lab_written(), head);
  ck_assert_msg(at != NULL && (json || at == text.buf), "%s", text.buf);
  return at + strlen(head);
}

/* lab_pdu returns the kind of the line of JSON that was written last. */
static inline bool lab_pdu_is(const char *kind) {
  static const char before[] = "{\"pdu\":\"";
  const size_t n = strlen(kind);
  return strncmp(text.buf, before, sizeof before - 1) == 0 &&
         strncmp(text.buf + sizeof before - 1, kind, n) == 0 &&
         text.buf[sizeof before - 1 + n] == '"';
}

#endif
