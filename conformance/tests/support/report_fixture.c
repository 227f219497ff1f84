/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of report share: an output in memory, and a connection to speak of. */
#include "report_fixture.h"

#include <stdio.h>
#include <string.h>

#include "check_run.h"

report_fixture fixture;

void report_fixture_clear(void) {
  out_close(&fixture.text);
  out_open_memory(&fixture.text);
}

const char *report_fixture_written(void) {
  out_char(&fixture.text, '\0');
  fixture.text.len--;
  return fixture.text.buf;
}

void report_fixture_begin(void) {
  memset(&fixture.info, 0, sizeof fixture.info);
  fixture.info.side[0].role = IWARP_ROLE_INITIATOR;
  fixture.info.side[1].role = IWARP_ROLE_RESPONDER;
  fixture.conn = (observe_conn){.file = "f", .number = 3, .info = &fixture.info};
  strcpy(fixture.conn.addr[0], "10.0.0.1:1");
  strcpy(fixture.conn.addr[1], "[::1]:2");
  report_fixture_clear();
}

iwarp_event report_fixture_event(iwarp_event_kind kind) {
  iwarp_event ev = {.kind = kind, .side = 1, .pos = UINT64_C(0x1ffffffff), .len = 7};
  ev.last.packet = 9;
  ev.last.time_ns = UINT64_C(1500000000);
  return ev;
}

const char *report_fixture_dump(bool json, const iwarp_event *ev, const report_dump_opts *opts) {
  static const char text_head[] = "1.500000 frame 9 conn 3 [::1]:2 > 10.0.0.1:1: ";
  char json_head[160];
  snprintf(json_head, sizeof json_head,
           "\"file\":\"f\",\"frame\":9,\"time\":\"1.500000000\",\"conn\":3,\"src\":\"[::1]:2\","
           "\"dst\":\"10.0.0.1:1\",\"dir\":\"%s\",\"seq\":4294967295",
           ev->kind == IWARP_EVENT_SCTP_INIT ? "unknown" : "responder"); /* an INIT has no role */
  report_fixture_clear();
  (json ? report_dump_json : report_dump_text)(&fixture.text, &fixture.conn, ev, NULL, opts);
  const char *head = json ? json_head : text_head;
  const char *at = strstr(report_fixture_written(), head);
  ck_assert_msg(at != NULL && (json || at == fixture.text.buf), "%s", fixture.text.buf);
  return at + strlen(head);
}

bool report_fixture_pdu_is(const char *kind) {
  static const char before[] = "{\"pdu\":\"";
  const size_t n = strlen(kind);
  return strncmp(fixture.text.buf, before, sizeof before - 1) == 0 &&
         strncmp(fixture.text.buf + sizeof before - 1, kind, n) == 0 &&
         fixture.text.buf[sizeof before - 1 + n] == '"';
}
