/* SPDX-License-Identifier: BSD-2-Clause */
/* Why connections failed: each diagnosis of the catalogue, and what is only like it. */
#include <stdio.h>
#include <string.h>

#include "check_run.h"
#include "diagnose_scenes.h"

static observe_facts facts;
static iwarp_observer_info info;
static observe_conn conn;
static bool met[IWARP_DIAGNOSES];

/* ---- scenes ---- */

static uint8_t mirror(uint8_t side, bool swapped) {
  return swapped ? 1 - side : side;
}

static void find_faults(const diagnose_scene *scene, bool swapped) {
  for (size_t i = 0; i < SCENE_FAULTS; i++) {
    if (scene->faults[i].rule != NULL) {
      const iwarp_rule *rule = iwarp_rule_find(scene->faults[i].rule);
      observe_facts_side *s = &facts.side[mirror(scene->faults[i].side, swapped)];
      ck_assert_msg(rule != NULL, "%s", scene->faults[i].rule);
      uint16_t id = 0;
      while (iwarp_rule_get(id) != rule) {
        id++;
      }
      s->findings[s->num_findings++] =
          (observe_finding_fact){.packet = scene->faults[i].packet, .rule = id};
    }
  }
}

/* The connection of a scene, whose Initiator is side 0 or, swapped, side 1. */
static void enter(const diagnose_scene *scene, bool swapped) {
  facts = scene->facts;
  facts.latest_side = mirror(facts.latest_side, swapped);
  facts.silence.speaker = mirror(facts.silence.speaker, swapped);
  facts.silence.breaker = mirror(facts.silence.breaker, swapped);
  info.side[swapped ? 1 : 0].role = IWARP_ROLE_INITIATOR;
  info.side[swapped ? 0 : 1].role = IWARP_ROLE_RESPONDER;
  conn = (observe_conn){
      .info = &info, .facts = &facts, .outcome = scene->outcome, .at_end = scene->at_end};
  conn.outcome.side = mirror(conn.outcome.side, swapped);
  conn.outcome.terminate = conn.outcome.how == OBSERVE_TERMINATED ? &scene->term : NULL;
  for (uint8_t i = 0; i < 2; i++) {
    const uint8_t from = mirror(i, swapped);
    facts.side[i] = scene->facts.side[from];
    conn.at_end.owed[i] = scene->at_end.owed[from];
    conn.at_end.oldest[i] = scene->at_end.oldest[from];
    conn.at_end.unacknowledged[i] = scene->at_end.unacknowledged[from];
    conn.undecodable[i] = scene->undecodable[from];
    conn.again[i] = scene->again[from];
    conn.late[i] = scene->late[from];
    conn.alone[i] = scene->alone[from];
    conn.at_end.heard[i] = !scene->unheard[from];
    conn.shut[i] = scene->shut[from];
    conn.unreachable[i] = scene->unreachable[from];
    conn.too_big[i] = scene->too_big[from];
    conn.tally.fpdus[i] = scene->fpdus[from];
  }
  find_faults(scene, swapped);
}

/* ---- the diagnoses ---- */

/* Frames and words that the text names are there. */
static void check_text(const char *what, const iwarp_diagnosis *d) {
  for (const char *at = strchr(d->text, '%'); at != NULL; at = strchr(at + 2, '%')) {
    const char c = at[1];
    ck_assert_msg(c != '\0' && strchr("spqr012abcABCtvw", c) != NULL, "%s: %s", what, d->text);
    if (c >= '0' && c <= '2') {
      ck_assert_msg(d->frames[c - '0'] != 0, "%s: no frame %c: %s", what, c, d->text);
    }
    if (c == 'v' || c == 'w') {
      const char *word = d->word[c - 'v'];
      ck_assert_msg(word != NULL && word[0] != '\0', "%s: no word: %s", what, d->text);
    }
  }
}

static void check_said(const char *what, const iwarp_diagnoses *out, const char *due) {
  char said[512] = "";
  size_t len = 0;
  for (size_t i = 0; i < out->num; i++) {
    const iwarp_diagnosis *d = &out->of[i];
    const iwarp_diagnosis_row *row = iwarp_diagnosis_get(d->id);
    const bool certain = d->certainty == IWARP_DIAGNOSIS_CERTAIN;
    ck_assert(!certain || strcmp(row->certainty, "certain") == 0);
    met[d->id] = true;
    len += (size_t)snprintf(said + len, sizeof said - len, "%s%c %s", i > 0 ? " " : "",
                            certain ? 'C' : 'L', row->id);
    check_text(what, d);
  }
  ck_assert_msg(strcmp(said, due) == 0, "%s: \"%s\" in place of \"%s\"", what, said, due);
}

static void check_scenes(const diagnose_scene *scenes, size_t num) {
  for (size_t i = 0; i < num; i++) {
    uint8_t side[DIAGNOSE_MAX + 1u];
    iwarp_diagnoses out;
    enter(&scenes[i], false);
    iwarp_diagnose(&out, &conn);
    check_said(scenes[i].what, &out, scenes[i].due);
    ck_assert_msg(scenes[i].words == NULL || strstr(out.of[0].text, scenes[i].words) != NULL,
                  "%s: %s", scenes[i].what, out.of[0].text);
    for (size_t k = 0; k < out.num; k++) {
      side[k] = out.of[k].side;
    }
    enter(&scenes[i], true);
    iwarp_diagnose(&out, &conn);
    if (out.num < DIAGNOSE_MAX) { /* two of a kind stand in the order of the sides */
      check_said(scenes[i].what, &out, scenes[i].due);
      for (size_t k = 0; k < out.num; k++) {
        ck_assert_msg(out.of[k].side == 1 - side[k] ||
                          (k > 0 && out.of[k].id == out.of[k - 1].id) ||
                          (k + 1 < out.num && out.of[k].id == out.of[k + 1].id),
                      "%s: side %u", scenes[i].what, out.of[k].side);
      }
    }
  }
}

START_TEST(connections_that_did_not_come_up)
{ check_scenes(scenes_startup, scenes_startup_num); }
END_TEST

START_TEST(connections_that_were_terminated)
{ check_scenes(scenes_terminate, scenes_terminate_num); }
END_TEST

START_TEST(connections_that_ended)
{ check_scenes(scenes_ended, scenes_ended_num); }
END_TEST

static const struct {
  const char *what;
  const char *due;
  observe_transport transport;
  uint8_t side;
} tcp_rows[] = {
    {"an RST to the SYN",
     "C tcp-refused",
     {.state = OBSERVE_TRANSPORT_REFUSED, .packet = 1, .ended = 2},
     1},
    {"no answer to the SYN",
     "C tcp-unanswered",
     {.state = OBSERVE_TRANSPORT_UNANSWERED, .packet = 1, .syn_again = true, .waited_ns = SCENE_S},
     1},
    {"no answer to the SYN, for less",
     "L tcp-unanswered",
     {.state = OBSERVE_TRANSPORT_UNANSWERED,
      .packet = 1,
      .syn_again = true,
      .waited_ns = SCENE_S - 1},
     1},
    {"no answer to a SYN that came once",
     "L tcp-unanswered",
     {.state = OBSERVE_TRANSPORT_UNANSWERED, .packet = 1, .waited_ns = SCENE_S},
     1},
    {"an RST of the server after the handshake",
     "L tcp-reset",
     {.state = OBSERVE_TRANSPORT_RESET, .packet = 1, .ended = 4, .ended_by_server = true},
     1},
    {"an RST of the client after the handshake",
     "L tcp-reset",
     {.state = OBSERVE_TRANSPORT_RESET, .packet = 1, .ended = 4},
     0},
    {"a FIN of the server",
     "L no-request",
     {.state = OBSERVE_TRANSPORT_NO_PAYLOAD, .packet = 1, .ended = 4, .ended_by_server = true},
     0},
    {"a FIN of the client",
     "L no-request",
     {.state = OBSERVE_TRANSPORT_NO_PAYLOAD, .packet = 1, .ended = 4},
     0},
    {"a SYN+ACK without an acknowledgment",
     "L handshake-unfinished",
     {.state = OBSERVE_TRANSPORT_NO_PAYLOAD, .packet = 1, .unfinished = true, .waited_ns = SCENE_S},
     0},
    {"the same for less",
     "",
     {.state = OBSERVE_TRANSPORT_NO_PAYLOAD,
      .packet = 1,
      .unfinished = true,
      .waited_ns = SCENE_S - 1},
     0},
    {"a SYN+ACK, and a FIN after it",
     "L no-request",
     {.state = OBSERVE_TRANSPORT_NO_PAYLOAD,
      .packet = 1,
      .ended = 4,
      .unfinished = true,
      .waited_ns = SCENE_S},
     0},
    {"no payload for 30 seconds",
     "L no-request",
     {.state = OBSERVE_TRANSPORT_NO_PAYLOAD, .packet = 1, .waited_ns = 30 * SCENE_S},
     0},
    {"no payload for less",
     "",
     {.state = OBSERVE_TRANSPORT_NO_PAYLOAD, .packet = 1, .waited_ns = 30 * SCENE_S - 1},
     0},
    {"a FIN, and a client of which nothing was captured",
     "",
     {.state = OBSERVE_TRANSPORT_NO_PAYLOAD, .packet = 1, .ended = 4, .client_unseen = true},
     0},
    {"an RST, and a client of which nothing was captured",
     "",
     {.state = OBSERVE_TRANSPORT_RESET, .packet = 1, .ended = 4, .client_unseen = true},
     0},
    {"the beginning of a key, when the capture ends",
     "",
     {.state = OBSERVE_TRANSPORT_NO_STARTUP, .packet = 1, .looks_like = "mpa"},
     0},
    {"the beginning of a key, and its packet was cut",
     "",
     {.state = OBSERVE_TRANSPORT_NO_STARTUP,
      .packet = 1,
      .ended = 4,
      .cut = true,
      .looks_like = "mpa"},
     0},
    {"no payload so far", "", {.state = OBSERVE_TRANSPORT_NO_PAYLOAD, .packet = 1}, 0},
    {"a payload that was cut off",
     "",
     {.state = OBSERVE_TRANSPORT_NO_PAYLOAD, .packet = 1, .ended = 4, .cut = true},
     0},
    {"a payload without a startup frame",
     "",
     {.state = OBSERVE_TRANSPORT_NO_STARTUP, .packet = 1, .ended = 4},
     0},
    {"a payload of HTTP",
     "",
     {.state = OBSERVE_TRANSPORT_NO_STARTUP, .packet = 1, .looks_like = "http"},
     0},
    {"a startup frame with a wrong key",
     "L key-wrong",
     {.state = OBSERVE_TRANSPORT_NO_STARTUP, .packet = 1, .ended = 4, .looks_like = "mpa"},
     0},
    {"no host",
     "C icmp-unreachable",
     {.state = OBSERVE_TRANSPORT_UNANSWERED,
      .packet = 1,
      .waited_ns = SCENE_S,
      .icmp = {{.says = "host unreachable", .first = 2, .latest = 2, .open = true}}},
     1},
    {"no host, and the capture ends",
     "L icmp-unreachable",
     {.state = OBSERVE_TRANSPORT_UNANSWERED,
      .packet = 1,
      .waited_ns = SCENE_S - 1,
      .icmp = {{.says = "host unreachable", .first = 2, .latest = 2, .open = true}}},
     1},
    {"a firewall of the server",
     "C icmp-refused",
     {.state = OBSERVE_TRANSPORT_UNANSWERED,
      .packet = 1,
      .waited_ns = SCENE_S,
      .icmp = {{.says = "port unreachable",
                .first = 2,
                .latest = 2,
                .refused = true,
                .by_host = true,
                .open = true}}},
     1},
    {"an error about a SYN that was answered",
     "",
     {.state = OBSERVE_TRANSPORT_NO_PAYLOAD,
      .packet = 1,
      .waited_ns = SCENE_S,
      .icmp = {{.says = "host unreachable", .first = 2, .latest = 2}}},
     0},
    {"a firewall before the client",
     "L icmp-refused",
     {.state = OBSERVE_TRANSPORT_NO_PAYLOAD,
      .packet = 1,
      .waited_ns = SCENE_S,
      .unfinished = true,
      .icmp = {{0},
               {.says = "administratively prohibited",
                .first = 3,
                .latest = 3,
                .refused = true,
                .open = true}}},
     0},
    {"octets that are no Request, and the server left",
     "L client-not-iwarp",
     {.state = OBSERVE_TRANSPORT_NO_STARTUP,
      .packet = 1,
      .ended = 5,
      .ended_by_server = true,
      .server_silent = true},
     0},
    {"HTTP, and the server left",
     "L client-not-iwarp",
     {.state = OBSERVE_TRANSPORT_NO_STARTUP,
      .looks_like = "http",
      .packet = 1,
      .ended = 5,
      .ended_by_server = true,
      .server_silent = true},
     0},
    {"octets that are no Request, and the client left",
     "",
     {.state = OBSERVE_TRANSPORT_NO_STARTUP, .packet = 1, .ended = 5, .server_silent = true},
     0},
    {"octets that are no Request, and the server answered",
     "",
     {.state = OBSERVE_TRANSPORT_NO_STARTUP, .packet = 1, .ended = 5, .ended_by_server = true},
     0},
    {"a start that was not captured",
     "",
     {.state = OBSERVE_TRANSPORT_LATE, .packet = 1, .ended = 4},
     0},
};

#define TCP_ROWS (sizeof tcp_rows / sizeof tcp_rows[0])

static void check_tcp(void) {
  for (size_t i = 0; i < TCP_ROWS; i++) {
    iwarp_diagnoses out;
    iwarp_diagnose_transport(&out, &tcp_rows[i].transport);
    check_said(tcp_rows[i].what, &out, tcp_rows[i].due);
    ck_assert(out.num == 0 || out.of[0].side == tcp_rows[i].side);
  }
}

START_TEST(tcp_connections)
{ check_tcp(); }
END_TEST

START_TEST(each_diagnosis_is_met)
{
  check_scenes(scenes_startup, scenes_startup_num);
  check_scenes(scenes_terminate, scenes_terminate_num);
  check_scenes(scenes_ended, scenes_ended_num);
  check_tcp();
  for (unsigned int i = 0; i < IWARP_DIAGNOSES; i++) {
    const iwarp_diagnosis_row *row = iwarp_diagnosis_get(i);
    ck_assert_msg(met[i], "%s is in no scene", row->id);
    ck_assert_ptr_eq(iwarp_diagnosis_find(row->id), row);
  }
  ck_assert_ptr_null(iwarp_diagnosis_get(IWARP_DIAGNOSES));
  ck_assert_ptr_null(iwarp_diagnosis_find("no-such-diagnosis"));
}
END_TEST

/* ---- what is only like it ---- */

/* A scene that lacks the diagnosis, and differs little from one that has it. */
static const struct {
  const char *id;
  const char *scene;
} nearly[] = {
    {"tcp-refused", "an RST of the server after the handshake"},
    {"tcp-unanswered", "an RST to the SYN"},
    {"icmp-unreachable", "an error about a SYN that was answered"},
    {"icmp-refused", "no host"},
    {"tcp-reset", "an RST to the SYN"},
    {"client-not-iwarp", "octets that are no Request, and the client left"},
    {"no-request", "no payload so far"},
    {"key-wrong", "a payload of HTTP"},
    {"no-reply-timeout", "a FIN in place of a Reply"},
    {"no-reply-close", "an RST in place of a Reply"},
    {"no-reply-reset", "a FIN in place of a Reply"},
    {"rev-unsupported", "the Rev of a demonstration is known"},
    {"private-data-long", "Private Data that all take"},
    {"ird-ord-refused", "no depths in a Request"},
    {"rejected", "a Reject of NVMe"},
    {"rejected-by-ulp", "a status that NVMe does not have"},
    {"rejected-crc", "CRCs that both want"},
    {"rejected-markers", "a Reject"},
    {"rejected-rev", "a Reject"},
    {"rejected-ird-ord", "depths that fit"},
    {"startup-malformed", "a fault after the Request"},
    {"startup-unfinished", "no answer"},
    {"rev1-fallback", "Rev 2 in answer to Rev 1"},
    {"rev1-no-reads", "a Responder that leaves in Rev 2"},
    {"markers-refused", "Markers in the Reply, and the Responder left"},
    {"no-rtr", "a Send as RTR message in common"},
    {"no-messages", "no message so far"},
    {"term-stag", "an STag that was invalidated before"},
    {"term-stag-invalidated", "another STag that was invalidated"},
    {"term-bounds", "a wrap"},
    {"term-rights", "bounds"},
    {"term-stream", "rights"},
    {"term-wrap", "bounds"},
    {"term-no-receive", "no receive, and Sends before"},
    {"term-no-receive-again", "no receive for the first Send"},
    {"term-too-long", "siw, and a Send like those before"},
    {"term-crc", "CRCs that are right"},
    {"term-crc-path", "a CRC that is wrong elsewhere"},
    {"term-reads", "a finding of another message"},
    {"term-invalidate", "an STag that was invalidated before"},
    {"term-opcode", "an opcode that all know"},
    {"term-peer-fault", "a finding of another message"},
    {"term-startup", "IRD"},
    {"term-ird", "RTR"},
    {"term-rtr", "IRD"},
    {"term-local", "a version that is right"},
    {"term-unexplained", "Immediate Data"},
    {"process-killed", "a FIN after a whole message"},
    {"work-unanswered", "a FIN of the side that waits"},
    {"path-lost", "the same within a second"},
    {"path-mtu", "a long FPDU, and others that are almost as long"},
    {"no-answer", "a first Send, and its sender left"},
    {"handshake-unfinished", "a SYN+ACK, and a FIN after it"},
    {"not-iwarp", "another Request in answer to it"},
    {"no-first-message", "no message in less"},
    {"reset-after-idle", "the same after less"},
    {"reset", "an RST in a message of the other side"},
    {"left-after-fault", "a fault that was answered"},
    {"zero-window", "a window of 0 for less"},
    {"silent-peer", "silence of less"},
    {"slow-answer", "an answer after less"},
    {"framing-lost", "octets that the end cuts"},
    {"packets-lost", "less than one in fifty"},
};

/* The diagnoses of a scene of a table, or NULL. */
static const char *due_in(const diagnose_scene *scenes, size_t num, const char *what) {
  size_t i = 0;
  while (i < num && strcmp(scenes[i].what, what) != 0) {
    i++;
  }
  return i < num ? scenes[i].due : NULL;
}

static const char *due_of(const char *what) {
  const char *due = due_in(scenes_startup, scenes_startup_num, what);
  due = due != NULL ? due : due_in(scenes_terminate, scenes_terminate_num, what);
  due = due != NULL ? due : due_in(scenes_ended, scenes_ended_num, what);
  for (size_t i = 0; i < TCP_ROWS && due == NULL; i++) {
    due = strcmp(tcp_rows[i].what, what) == 0 ? tcp_rows[i].due : NULL;
  }
  return due;
}

/* Returns true if a list of diagnoses, "C id L id", has this one. */
static bool has_id(const char *due, const char *id) {
  const size_t len = strlen(id);
  for (const char *at = strstr(due, id); at != NULL; at = strstr(at + 1, id)) {
    if (at[-1] == ' ' && (at[len] == ' ' || at[len] == '\0')) {
      return true;
    }
  }
  return false;
}

START_TEST(each_diagnosis_has_a_near_miss)
{
  bool has[IWARP_DIAGNOSES] = {false};
  for (size_t i = 0; i < sizeof nearly / sizeof nearly[0]; i++) {
    const char *due = due_of(nearly[i].scene);
    const iwarp_diagnosis_row *row = iwarp_diagnosis_find(nearly[i].id);
    ck_assert_msg(due != NULL && row != NULL, "%s: %s", nearly[i].id, nearly[i].scene);
    ck_assert_msg(!has_id(due, nearly[i].id), "%s has %s", nearly[i].scene, nearly[i].id);
    for (unsigned int k = 0; k < IWARP_DIAGNOSES; k++) {
      has[k] = has[k] || iwarp_diagnosis_get(k) == row;
    }
  }
  for (unsigned int k = 0; k < IWARP_DIAGNOSES; k++) {
    ck_assert_msg(has[k], "%s has no near miss", iwarp_diagnosis_get(k)->id);
  }
}
END_TEST

START_TEST(without_facts_nothing_is_said)
{
  iwarp_diagnoses out = {.num = 1};
  enter(&scenes_startup[0], false);
  conn.facts = NULL;
  iwarp_diagnose(&out, &conn);
  ck_assert_uint_eq(out.num, 0);
}
END_TEST

/* ---- ways to end ---- */

START_TEST(a_connection_failed_by_its_outcome_or_by_what_it_left)
{
  static const struct {
    observe_how how;
    bool failed;
    bool reads_count; /* Reads that wait make it fail */
  } rows[] = {
      {OBSERVE_UNKNOWN, false, false},     {OBSERVE_REJECTED, true, false},
      {OBSERVE_TERMINATED, true, true},    {OBSERVE_STARTUP_FAILED, true, false},
      {OBSERVE_NO_REPLY, true, false},     {OBSERVE_RESET, true, true},
      {OBSERVE_CLOSED, false, true},       {OBSERVE_OPEN, false, false},
      {OBSERVE_HALF_CLOSED, false, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    conn = (observe_conn){.outcome = {.how = rows[i].how, .ended = true}};
    const uint32_t how = 1u << (unsigned int)rows[i].how;
    const uint32_t failed = rows[i].failed ? IWARP_ENDS_FAILED : 0u;
    ck_assert(iwarp_diagnose_failed(&conn) == rows[i].failed);
    ck_assert_uint_eq(iwarp_diagnose_ends(&conn), how | failed);
    conn.at_end = (observe_at_end){.has_waiting = true, .reads = 1, .owed = {0, 1}};
    ck_assert_uint_eq(iwarp_diagnose_ends(&conn),
                      how | failed |
                          (rows[i].reads_count ? IWARP_ENDS_UNANSWERED | IWARP_ENDS_FAILED : 0u));
    conn.at_end.has_waiting = false;
    ck_assert_uint_eq(iwarp_diagnose_ends(&conn), how | failed);
  }
}
END_TEST

START_TEST(a_fin_alone_leaves_the_work_of_its_sender)
{
  conn = (observe_conn){.outcome = {.how = OBSERVE_HALF_CLOSED, .ended = true, .side = 1},
                        .at_end = {.has_waiting = true, .atomics = 1, .owed = {0, 1}}};
  ck_assert(iwarp_diagnose_unanswered(&conn));
  conn.outcome.side = 0;
  ck_assert(!iwarp_diagnose_unanswered(&conn));
  conn.outcome.how = OBSERVE_CLOSED;
  conn.at_end.atomics = 0;
  ck_assert(!iwarp_diagnose_unanswered(&conn));
}
END_TEST

START_TEST(a_tcp_connection_failed_that_was_refused_or_not_answered)
{
  static const uint32_t ends[OBSERVE_TRANSPORT_STATES] = {
      [OBSERVE_TRANSPORT_REFUSED] = IWARP_ENDS_SYN_REFUSED | IWARP_ENDS_FAILED,
      [OBSERVE_TRANSPORT_UNANSWERED] = IWARP_ENDS_SYN_UNANSWERED | IWARP_ENDS_FAILED};
  for (unsigned int i = 0; i < OBSERVE_TRANSPORT_STATES; i++) {
    const observe_transport what = {.state = (observe_transport_state)i};
    ck_assert_uint_eq(iwarp_diagnose_transport_ends(&what), ends[i]);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {connections_that_did_not_come_up,
                                connections_that_were_terminated,
                                connections_that_ended,
                                tcp_connections,
                                each_diagnosis_is_met,
                                each_diagnosis_has_a_near_miss,
                                without_facts_nothing_is_said,
                                a_connection_failed_by_its_outcome_or_by_what_it_left,
                                a_fin_alone_leaves_the_work_of_its_sender,
                                a_tcp_connection_failed_that_was_refused_or_not_answered,
                                NULL};
  return check_run(check_suite("diagnose", tests));
}
