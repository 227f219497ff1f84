/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * DDP Stream Sessions: two endpoints over a network that changes the order of messages and lets
 * foreign ones in. Each message comes back in exactly one event; as long as nothing foreign came,
 * an observer finds nothing illegal and segments come in order.
 */
#include <iwarp/sctp_session.h>
#include <stdalign.h>
#include <string.h>

#include "fuzz.h"
#include "sctp/session_send.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_OCTETS;

#define FLIGHT 24u
#define WINDOW 12u
#define KEPT 4096u
#define USER_MAX 24u

typedef struct message {
  uint8_t octets[USER_MAX];
  size_t len;
  uint32_t ppid;
  uint16_t ssn;
} message;

typedef struct node {
  iwarp_sctp_session *s;
  message flight[FLIGHT]; /* messages from this node, in any order */
  size_t num_flight;
  message kept[KEPT]; /* received messages: user data stay until their event */
  size_t num_kept;
  bool back[KEPT]; /* an event had its token */
  size_t num_back;
  uint8_t next_segment; /* first octet of the segment that is expected */
  uint8_t sent;
} node;

static alignas(max_align_t) uint8_t memory[3][32768];
static node nodes[2];
static iwarp_sctp_session *observer; /* observer at the place of node 1 */
static message observed[2 * KEPT];   /* messages reported to the observer */
static size_t num_observed;
static bool foreign;
static iwarp_span tape;

static iwarp_sctp_session *make(size_t place, bool observes) {
  const iwarp_sctp_session_cfg cfg = {
      .size = sizeof cfg, .observer = observes, .window = observes ? 100 : WINDOW};
  iwarp_sctp_session *s = NULL;
  fuzz_expect(iwarp_sctp_session_init(&s, memory[place], sizeof memory[place], &cfg) == IWARP_OK,
              "no session");
  return s;
}

static void watch(uint8_t side, const message *m) {
  message *copy = &observed[num_observed % (2 * KEPT)];
  iwarp_sctp_session_event ev;
  *copy = *m;
  num_observed++;
  const iwarp_sctp_message in = {.ppid = m->ppid, .user_data = {copy->octets, copy->len}};
  if (iwarp_sctp_session_push(observer, side, &in) != IWARP_OK) {
    fuzz_expect(foreign, "the observer refused a message");
    return;
  }
  while (iwarp_sctp_session_next_event(observer, &ev) == IWARP_OK) {
    fuzz_expect(iwarp_name_known(iwarp_sctp_state_name(ev.state)), "state %d", (int)ev.state);
    fuzz_expect(foreign || ev.verdict <= IWARP_SCTP_NOTE, "DDP-SSN %u of side %u is illegal in %s",
                ev.ssn, ev.side, iwarp_sctp_state_name(ev.state));
  }
}

static void events(node *n) {
  iwarp_sctp_session_event ev;
  while (iwarp_sctp_session_next_event(n->s, &ev) == IWARP_OK) {
    fuzz_expect(ev.token >= 1 && ev.token <= n->num_kept && !n->back[ev.token - 1],
                "token %llu comes back twice", (unsigned long long)ev.token);
    n->back[ev.token - 1] = true;
    n->num_back++;
    fuzz_expect(foreign || ev.verdict <= IWARP_SCTP_NOTE || ev.reason == IWARP_SCTP_REASON_OVER,
                "verdict %d on DDP-SSN %u", (int)ev.verdict, ev.ssn);
    if (ev.message == IWARP_SCTP_KIND_INITIATE && ev.kind == IWARP_SCTP_SESSION_EVENT_CONTROL) {
      n->next_segment = n->sent = 0;
    } else if (ev.kind == IWARP_SCTP_SESSION_EVENT_SEGMENT && !foreign) {
      fuzz_expect(ev.segment.len == 1 && ev.segment.ptr[0] == n->next_segment, "a segment");
      n->next_segment++;
    }
  }
}

static void send(node *n, const sctp_output *out) {
  message *m = &n->flight[n->num_flight++];
  m->len = out->hdr_len + out->body.len;
  fuzz_expect(m->len <= USER_MAX, "%zu octets", m->len);
  memcpy(m->octets, out->hdr, out->hdr_len);
  if (out->body.len > 0) {
    memcpy(&m->octets[out->hdr_len], out->body.ptr, out->body.len);
  }
  m->ppid = out->ppid;
  m->ssn = out->ssn;
  if (n == &nodes[1]) {
    watch(1, m);
  }
}

/* A message arrives at `to`; false when it is too far ahead. */
static bool arrive(node *to, const message *m) {
  if (to->num_kept == KEPT) {
    return false;
  }
  message *copy = &to->kept[to->num_kept];
  *copy = *m;
  const iwarp_sctp_message in = {
      .ppid = m->ppid, .user_data = {copy->octets, copy->len}, .token = to->num_kept + 1};
  const iwarp_err err = iwarp_sctp_session_push(to->s, 1, &in);
  if (err == IWARP_ERR_NOBUF) {
    return false;
  }
  fuzz_expect(err == IWARP_OK, "push: %s", iwarp_errname(err));
  to->num_kept++;
  if (to == &nodes[1]) {
    watch(0, m);
  }
  events(to);
  return true;
}

static void deliver(node *from, uint8_t which) {
  node *to = from == &nodes[0] ? &nodes[1] : &nodes[0];
  if (from->num_flight == 0) {
    return;
  }
  const size_t i = which % from->num_flight;
  const message m = from->flight[i];
  if (arrive(to, &m)) {
    from->flight[i] = from->flight[--from->num_flight];
    (void)iwarpi_sctp_session_acked(from->s, m.ssn);
    events(from);
  }
}

/* A message that neither node sent. */
static void intrude(node *to, uint8_t how) {
  message m = {.ppid = (how & 3u) == 0 ? how : IWARP_SCTP_PPID_SEGMENT + (how & 1u)};
  foreign = true;
  m.len = (how >> 2) % 12u;
  for (size_t i = 0; i < m.len; i++) {
    m.octets[i] = i % 2 == 0 ? 0 : fuzz_take(&tape);
  }
  (void)arrive(to, &m);
}

static void act(node *n, uint8_t what, uint8_t how) {
  sctp_output out;
  const uint8_t octet[4] = {n->sent};
  const iwarp_span pd = {octet, how & 4u};
  iwarp_err err = IWARP_ERR_STATE;
  const node *peer = n == &nodes[0] ? &nodes[1] : &nodes[0];
  switch (what) {
  case 0:
    if (foreign || (peer->num_flight + n->num_flight == 0 &&
                    iwarp_sctp_session_info_get(peer->s).state == IWARP_SCTP_STATE_IDLE)) {
      err = iwarpi_sctp_session_connect(n->s, &out, (how & 4u) != 0, pd);
      if (err == IWARP_OK) {
        n->sent = n->next_segment = 0;
      }
    }
    break;
  case 1: err = iwarpi_sctp_session_accept(n->s, &out, (iwarp_span){octet, 4}); break;
  case 2: err = iwarpi_sctp_session_reject(n->s, &out, (iwarp_span){octet, 4}); break;
  case 3: (void)iwarpi_sctp_session_close(n->s); break;
  case 4: iwarpi_sctp_session_set_refuse(n->s, (how & 1u) != 0); break;
  default:
    err = iwarpi_sctp_session_send(n->s, &out, (iwarp_span){octet, 1}, 1);
    n->sent = (uint8_t)(n->sent + (err == IWARP_OK ? 1 : 0));
  }
  if (err == IWARP_OK) {
    send(n, &out);
  }
  events(n);
}

static void step(void) {
  sctp_output out;
  const uint8_t what = fuzz_take(&tape);
  const uint8_t how = fuzz_take(&tape);
  node *n = &nodes[what & 1u];
  switch (what >> 1 & 7u) {
  case 6: deliver(n, how); break;
  case 7:
    if ((what & 0xF0u) == 0xF0u) {
      intrude(n, how);
    } else {
      deliver(n, how);
    }
    break;
  default:
    if (n->num_flight + 1 < FLIGHT) {
      act(n, what >> 1 & 7u, how);
    }
  }
  if (n->num_flight < FLIGHT && iwarpi_sctp_session_next_output(n->s, &out) == IWARP_OK) {
    send(n, &out);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_in f = fuzz_begin(data, size);
  tape = (iwarp_span){f.body, f.len};
  foreign = false;
  num_observed = 0;
  for (size_t i = 0; i < 2; i++) {
    nodes[i].s = make(i, false);
    nodes[i].num_flight = nodes[i].num_kept = nodes[i].num_back = 0;
    nodes[i].sent = nodes[i].next_segment = 0;
    memset(nodes[i].back, 0, sizeof nodes[i].back);
  }
  observer = make(2, true);
  while (tape.len > 0) {
    step();
  }
  for (size_t i = 0; i < 2; i++) {
    iwarpi_sctp_session_lost(nodes[i].s);
    events(&nodes[i]);
    fuzz_expect(nodes[i].num_back == nodes[i].num_kept, "%zu messages, %zu events",
                nodes[i].num_kept, nodes[i].num_back);
    fuzz_expect(iwarp_sctp_session_info_get(nodes[i].s).state == IWARP_SCTP_STATE_IDLE, "not idle");
  }
  return 0;
}
