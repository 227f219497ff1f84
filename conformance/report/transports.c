/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP connections without iWARP, as lines of text and of JSON. */
#include <report/transports.h>

#include <stdlib.h>

#include <report/diagnosis.h>
#include <report/place.h>

/* What a state is called in JSON, in a count, and in the words after "N TCP connections of A to
 * B". */
typedef struct transport_words {
  const char *name;
  const char *count;
  const char *one;
  const char *many;
} transport_words;

static const transport_words transport_states[OBSERVE_TRANSPORT_STATES] = {
    [OBSERVE_TRANSPORT_REFUSED] = {"refused", "refused", "was refused: an RST answers the SYN",
                                   "were refused: an RST answers each SYN"},
    [OBSERVE_TRANSPORT_UNANSWERED] = {"unanswered", "unanswered", "got no answer to its SYN",
                                      "got no answer to their SYNs"},
    [OBSERVE_TRANSPORT_RESET] = {"reset", "reset before any payload",
                                 "was reset before any payload", "were reset before any payload"},
    [OBSERVE_TRANSPORT_NO_STARTUP] = {"no-startup", "without an MPA startup frame",
                                      "has no MPA startup frame", "have no MPA startup frame"},
    [OBSERVE_TRANSPORT_NO_PAYLOAD] = {"no-payload", "without payload", "has no payload",
                                      "have no payload"},
    [OBSERVE_TRANSPORT_LATE] = {"not-captured-from-start", "captured without the start",
                                "was captured without its start",
                                "were captured without their start"},
};

const char *report_transport_state_name(observe_transport_state state) {
  return transport_states[state].name;
}

/* ---- collecting ---- */

/* Octets of the address, without the port, which differs in each connection of a client. */
static size_t transport_host(const char *addr) {
  return (size_t)(strrchr(addr, ':') - addr);
}

/* What ICMP says of its SYN, which is not answered, or NULL. */
static const char *transport_icmp(const observe_transport *what) {
  return what->state == OBSERVE_TRANSPORT_UNANSWERED && what->icmp[0].open ? what->icmp[0].says
                                                                           : NULL;
}

static bool transport_equal(const observe_transport *a, const observe_transport *b) {
  const size_t host = transport_host(a->client);
  return a->state == b->state && a->cut == b->cut && a->looks_like == b->looks_like &&
         transport_icmp(a) == transport_icmp(b) && strcmp(a->server, b->server) == 0 &&
         transport_host(b->client) == host && memcmp(a->client, b->client, host) == 0;
}

/* The line of an equal connection, or a new one: the last one is for all further connections. */
static report_transport *transport_line(report_transports *t, const observe_transport *what) {
  for (size_t i = 0; i < t->num; i++) {
    if (t->of[i].other || transport_equal(&t->of[i].first, what)) {
      return &t->of[i];
    }
  }
  t->of[t->num] = (report_transport){.first = *what, .other = t->num == REPORT_TRANSPORTS_EACH};
  return &t->of[t->num++];
}

void report_transports_add(report_transports *t, const observe_transport *what) {
  report_transport *line = transport_line(t, what);
  line->count++;
  if (what->packet < line->first.packet) {
    line->first = *what;
  }
}

static int transport_compare(const void *a, const void *b) {
  const report_transport *x = a;
  const report_transport *y = b;
  if (x->other != y->other) {
    return x->other ? 1 : -1;
  }
  return (x->first.packet > y->first.packet) - (x->first.packet < y->first.packet);
}

void report_transports_sort(report_transports *t) {
  qsort(t->of, t->num, sizeof t->of[0], transport_compare);
}

/* ---- text ---- */

static void transport_ends_text(out_buf *out, const report_transport *x) {
  const char *client = x->first.client;
  out_str(out, " of ");
  out_put(out, client, x->count == 1 ? strlen(client) : transport_host(client));
  out_str(out, " to ");
  out_str(out, x->first.server);
}

/* What the state alone does not say. */
static void transport_more_text(out_buf *out, const observe_conn *capture,
                                const report_transport *x) {
  if (transport_icmp(&x->first) != NULL) {
    out_str(out, x->count == 1 ? "; in frame " : "; from frame ");
    report_place_put(out, capture, x->first.packet, x->first.icmp[0].first);
    out_str(out, x->count == 1 ? " an ICMP error says: " : " on ICMP errors say: ");
    out_str(out, transport_icmp(&x->first));
  }
  if (x->first.cut) {
    out_str(out, ": the snapshot length cut it off");
  }
  if (x->first.looks_like != NULL) {
    out_str(out, x->count == 1 ? "; it looks like " : "; they look like ");
    out_str(out, x->first.looks_like);
  }
  if (x->first.state == OBSERVE_TRANSPORT_LATE) {
    out_str(out, "; if that is iWARP, try -d tcp.port==");
    out_str(out, strrchr(x->first.server, ':') + 1);
  }
}

static void transport_datagrams_text(out_buf *out, const observe_conn *capture,
                                     const report_transport *x) {
  out_str(out, "  from frame ");
  report_place_put(out, capture, 0, x->first.packet);
  out_str(out, " on: UDP");
  transport_ends_text(out, x);
  out_str(out, " is RoCEv2: RDMA, but not iWARP\n");
}

/* What to do about it. */
static void transport_advice(out_buf *out, const report_transport *x) {
  iwarp_diagnoses list;
  iwarp_diagnose_transport(&list, &x->first);
  if (list.num > 0) {
    const iwarp_diagnosis_row *row = iwarp_diagnosis_get(list.of[0].id);
    out_str(out, "    operator: ");
    out_str(out, row->operator_do);
    out_str(out, " (iwarp explain diag.");
    out_str(out, row->id);
    out_str(out, ")\n");
  }
}

void report_transport_text(out_buf *out, const observe_conn *capture, const report_transport *x) {
  const transport_words *words = &transport_states[x->first.state];
  if (x->first.datagrams && !x->other) {
    transport_datagrams_text(out, capture, x);
    return;
  }
  out_str(out, x->count == 1 ? "  frame " : "  from frame ");
  report_place_put(out, capture, 0, x->first.packet);
  out_str(out, x->count == 1 ? ": " : " on: ");
  out_u64(out, x->count);
  out_str(out, x->other ? " more" : "");
  out_str(out, x->count == 1 ? " TCP connection" : " TCP connections");
  if (x->other) {
    out_str(out, " without iWARP");
  } else {
    transport_ends_text(out, x);
    out_char(out, ' ');
    out_str(out, x->count == 1 ? words->one : words->many);
    transport_more_text(out, capture, x);
  }
  out_char(out, '\n');
  if (!x->other) {
    transport_advice(out, x);
  }
}

void report_transports_words(out_buf *out, const uint64_t of[OBSERVE_TRANSPORT_STATES]) {
  const char *before = "";
  uint64_t sum = 0;
  for (unsigned int i = 0; i < OBSERVE_TRANSPORT_STATES; i++) {
    sum += of[i];
  }
  for (unsigned int i = 0; i < OBSERVE_TRANSPORT_STATES; i++) {
    if (of[i] > 0) {
      out_str(out, before);
      if (sum > 1) {
        out_u64(out, of[i]);
        out_char(out, ' ');
      }
      out_str(out, transport_states[i].count);
      before = ", ";
    }
  }
}

/* ---- JSON ---- */

const char *report_transport_name(const report_transport *x) {
  return x->other ? "other" : transport_states[x->first.state].name;
}

void report_transport_json(jsonw *w, const observe_conn *capture, const report_transport *x,
                           bool shard) {
  jsonw_text(w, "type", "transport");
  report_place_line(w, capture, x->first.packet);
  if (!x->other) {
    jsonw_text(w, "client", x->first.client);
    jsonw_text(w, "server", x->first.server);
  }
  jsonw_text(w, "state", report_transport_name(x));
  if (x->first.cut && !x->other) {
    jsonw_bool(w, "cut", true);
  }
  if (x->first.looks_like != NULL && !x->other) {
    jsonw_text(w, "looks_like", x->first.looks_like);
  }
  if (transport_icmp(&x->first) != NULL && !x->other) {
    jsonw_text(w, "icmp", transport_icmp(&x->first));
  }
  jsonw_u64(w, "count", x->count);
  if (!x->other) {
    report_transport_diagnoses_json(w, capture, &x->first);
  }
  if (shard) {
    jsonw_u64(w, "packet", x->first.packet);
  }
}
