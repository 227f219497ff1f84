/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an endpoint over TCP costs: the CPU time of both processes of a connection over the loopback
 * interface. The figures are ratios to plain send and recv with memcpy of the same octets. One way
 * pushes all octets, the other reads them straight into place. Linux.
 */
#define _GNU_SOURCE
#include <iwarp/crc32c.h>
#include <iwarp/endpoint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "compare.h"
#include "tcp_pair.h"

#define ABOUT                                                                                      \
  "An endpoint over TCP in ratios to plain send, recv and memcpy of the same octets: the CPU "     \
  "time\n"                                                                                         \
  "of both sides, over the loopback interface of a network namespace of its own."

#define ROUNDS_MAX 1001u
#define SLOTS 4u /* places for messages at either end */
#define MESSAGE_MAX 1048576u
#define WINDOW 131072     /* octets of a socket's buffers; the system doubles them */
#define RING_LEAST 65536u /* octets of the receiver's buffer, and of plain TCP's */
#define RING_FPDUS 4u     /* buffer in FPDUs, where FPDUs are longer */
#define DEPTH 64u         /* operations or receive buffers posted at a time */
#define SPANS 600u        /* spans of one call */
#define FPDUS 192u        /* bound of the FPDUs of one batch */
#define BATCH 65536u      /* octets of one batch: CRCs read them, then the system does */
#define COPY_MAX 131072u  /* octets of the copy of a batch */
#define SHORT_FPDU 8192u  /* octets; shorter ones are copied into one buffer */
#define AHEAD 64u         /* octets that hold the next header */
#define LARGE 8192u       /* octets of an FPDU from which on a call of the system pays */
#define STAG 0x1234u

/* The way of octets from the sender to the receiver. */
typedef struct way {
  const char *name;
  bool endpoint; /* endpoints; false: plain send and recv */
  bool crc;
  bool markers;
  bool lands; /* octets are read to where a look-ahead says: into place, but with Markers */
} way;

/* Plain twice, to see whether it differs from itself; three with pushes, and the same three
 * with reads into place. Each but the first of three adds something to the one before it. */
enum { PLAIN, AGAIN, PUSHED, IN_PLACE = PUSHED + 3, NUM_WAYS = IN_PLACE + 3 };

static const way ways[NUM_WAYS] = {
    {.name = "plain send, recv, memcpy"},
    {.name = "the same again"},
    {.name = "pushed, without CRC", .endpoint = true},
    {.name = "pushed, CRC", .endpoint = true, .crc = true},
    {.name = "pushed, CRC and Markers", .endpoint = true, .crc = true, .markers = true},
    {.name = "into place, without CRC", .endpoint = true, .lands = true},
    {.name = "into place, CRC", .endpoint = true, .crc = true, .lands = true},
    {.name = "look-ahead, CRC and Markers",
     .endpoint = true,
     .crc = true,
     .markers = true,
     .lands = true}};

/* Messages of one size and kind. */
typedef struct load {
  const char *name;
  bool write;        /* RDMA Writes, else Sends */
  int mtu;           /* octets */
  uint32_t emss;     /* octets */
  size_t message;    /* octets */
  size_t messages;   /* messages of one measurement */
  double at_most[2]; /* times plain: without CRC, with; 0: as it comes */
} load;

#define MARKERS_AT_MOST 1.15 /* times the same without Markers */

static const load sends = {"64 KiB Sends, EMSS 1460", false, 1500, 1460, 65536, 512, {0, 1.4}};
static const load writes = {
    "1 MiB Writes, EMSS 65483", true, 65536, 65483, 1048576, 24, {1.05, 1.2}};
static const load shorts = {
    "64-octet Sends, EMSS 1460", false, 1500, 1460, 64, 16384, {0.67, 0.67}};

/* A load and the way that its octets go. */
typedef struct scene {
  const load *l;
  bool offload; /* segmentation offload of the interface */
  bool apart;   /* each process has a processor of its own */
} scene;

/* On one processor all costs less, plain TCP above all, where octets stay in the caches; there
 * nothing is asked for. */
static const scene scenes[] = {
    {&sends, false, true}, {&sends, true, true},   {&writes, false, true}, {&writes, true, true},
    {&shorts, true, true}, {&sends, false, false}, {&sends, true, false},  {&writes, true, false},
};

/* One process: its end of every connection of a scene. */
typedef struct side {
  tcp_pair pair;
  int fd[NUM_WAYS];
  iwarp_endpoint *ep[NUM_WAYS];
} side;

/* A transfer under way. */
typedef struct transfer {
  const load *l;
  iwarp_endpoint *ep;
  int fd;
  bool copies;   /* octets to be sent are copied into one buffer */
  bool lands;    /* octets are read to where a look-ahead says */
  bool large;    /* the last FPDU was LARGE */
  size_t posted; /* messages */
  size_t done;   /* messages sent whole, or received */
  size_t octets; /* octets placed */
  size_t begin;  /* index in the ring of the first octet received and not taken */
  size_t end;    /* index after the last octet received */
} transfer;

static _Alignas(4096) uint8_t payload[SLOTS * MESSAGE_MAX]; /* octets of the sender */
static _Alignas(4096) uint8_t place[SLOTS * MESSAGE_MAX];   /* memory of the receiver */
static uint8_t copy[COPY_MAX];                              /* copy of the sender */

/* The receiver's buffer, mapped twice in a row: what goes beyond its end is at its beginning. */
static uint8_t *ring;
static size_t ring_len;

static void must(iwarp_err err, const char *what) {
  if (err != IWARP_OK) {
    bench_stop(what, iwarp_strerror(err));
  }
}

/* A ring of this process alone. */
static void make_ring(size_t len) {
  const int fd = (int)tcp_pair_sys(memfd_create("ring", 0), "ring");
  tcp_pair_sys(ftruncate(fd, (off_t)len), "ring");
  ring = mmap(NULL, 2 * len, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (size_t i = 0; i < 2; i++) {
    if (ring == MAP_FAILED || mmap(&ring[i * len], len, PROT_READ | PROT_WRITE,
                                   MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED) {
      bench_stop("ring", "no memory");
    }
  }
  ring_len = len;
  close(fd);
}

/* ---- plain ---- */

static size_t slot_of(const load *l, size_t message) {
  return message % SLOTS * l->message;
}

static void send_plain(const transfer *t) {
  for (size_t i = 0; i < t->l->messages; i++) {
    for (size_t at = 0; at < t->l->message;) {
      at += (size_t)tcp_pair_sys(
          send(t->fd, &payload[slot_of(t->l, i) + at], t->l->message - at, 0), "send");
    }
  }
}

/* Copies `len` octets of the stream from the ring to where they belong, message by message. */
static void place_plain(transfer *t, size_t len) {
  for (size_t at = 0; at < len;) {
    const size_t off = t->octets % t->l->message;
    size_t n = t->l->message - off;
    n = n < len - at ? n : len - at;
    memcpy(&place[slot_of(t->l, (size_t)(t->octets / t->l->message)) + off], &ring[at], n);
    at += n;
    t->octets += n;
  }
}

static void receive_plain(transfer *t) {
  const size_t all = t->l->messages * t->l->message;
  while (t->octets < all) {
    const size_t left = all - t->octets;
    place_plain(t, (size_t)tcp_pair_sys(recv(t->fd, ring, left < RING_LEAST ? left : RING_LEAST, 0),
                                        "recv"));
  }
}

/* ---- endpoints ---- */

static void post_recv(transfer *t, uint64_t slot) {
  must(iwarp_endpoint_recv(t->ep, slot, &place[slot_of(t->l, (size_t)slot)],
                           (uint32_t)t->l->message),
       "receive buffer");
}

static void handle(transfer *t, const iwarp_endpoint_event *ev) {
  switch (ev->kind) {
  case IWARP_ENDPOINT_EVENT_REQUEST:
  case IWARP_ENDPOINT_EVENT_REPLY:
    must(iwarp_endpoint_accept(t->ep, (iwarp_span){0}), "accept");
    break;
  case IWARP_ENDPOINT_EVENT_PLACE:
    for (size_t i = 0; i < ev->u.place.num_runs; i++) {
      const iwarp_endpoint_run *run = &ev->u.place.runs[i];
      memcpy(run->dst, run->src.ptr, run->src.len);
    }
    t->octets += ev->u.place.len;
    break;
  case IWARP_ENDPOINT_EVENT_RECV:
    must(ev->u.recv.err, "receiving");
    t->done++;
    post_recv(t, ev->u.recv.token);
    break;
  case IWARP_ENDPOINT_EVENT_DONE:
    must(ev->u.done.err, "sending");
    t->done++;
    break;
  case IWARP_ENDPOINT_EVENT_ESTABLISHED: break;
  case IWARP_ENDPOINT_EVENT_REJECTED:
  case IWARP_ENDPOINT_EVENT_STREAMING:
  case IWARP_ENDPOINT_EVENT_ATOMIC:
  case IWARP_ENDPOINT_EVENT_FAULT:
  case IWARP_ENDPOINT_EVENT_TERMINATED:
  case IWARP_ENDPOINT_EVENT_PEER_ENDED:
  case IWARP_ENDPOINT_EVENT_SHUTDOWN:
  case IWARP_ENDPOINT_EVENT_CLOSED:
  case IWARP_ENDPOINT_EVENT_PLACED_OUT_OF_ORDER:
  case IWARP_ENDPOINT_EVENT_RECV_LOW:
  case IWARP_ENDPOINT_EVENT_IDLE: bench_stop("endpoint", "an unexpected event");
  }
}

static void drain(transfer *t) {
  iwarp_endpoint_event ev;
  while (iwarp_endpoint_next_event(t->ep, &ev) == IWARP_OK) {
    handle(t, &ev);
  }
}

static void post(transfer *t) {
  while (t->posted < t->l->messages && t->posted - t->done < DEPTH) {
    const size_t slot = slot_of(t->l, t->posted);
    const iwarp_span part = {&payload[slot], t->l->message};
    const iwarp_tx_payload all = {&part, 1};
    must(t->l->write ? iwarp_endpoint_write(t->ep, 0, STAG, slot, all)
                     : iwarp_endpoint_send(t->ep, 0, IWARP_RDMAP_OP_SEND, 0, all),
         "operation");
    t->posted++;
  }
}

static size_t send_spans(const transfer *t, const iwarp_tx_batch *batch) {
  struct iovec iov[SPANS];
  const size_t num = batch->all.num_spans;
  for (size_t i = 0; i < num; i++) {
    iov[i] = (struct iovec){.iov_base = (void *)(uintptr_t)batch->spans[i].ptr,
                            .iov_len = batch->spans[i].len};
  }
  struct msghdr msg = {.msg_iov = iov};
  msg.msg_iovlen = num;
  return (size_t)tcp_pair_sys(sendmsg(t->fd, &msg, 0), "sendmsg");
}

/* Sends what there is; the socket blocks. To the system many short spans cost more than a copy. */
static void flush(transfer *t) {
  iwarp_span spans[SPANS];
  iwarp_tx_batch batch = {.spans = spans,
                          .max_spans = SPANS,
                          .copy = t->copies ? copy : NULL,
                          .max_copy = sizeof copy,
                          .max_segments = BATCH / t->l->emss};
  while (iwarp_endpoint_next_batch(t->ep, &batch) == IWARP_OK) {
    const size_t n = t->copies ? (size_t)tcp_pair_sys(send(t->fd, copy, batch.all.len, 0), "send")
                               : send_spans(t, &batch);
    must(iwarp_endpoint_advance(t->ep, n), "advance");
    drain(t);
  }
}

/* The rest of an FPDU stays in its place: the next octets follow it. */
static void push_some(transfer *t) {
  const size_t have = t->end - t->begin;
  const size_t n = (size_t)tcp_pair_sys(recv(t->fd, &ring[t->end], ring_len - have, 0), "recv");
  const uint64_t offset = iwarp_endpoint_rx_offset(t->ep);
  must(n > 0 ? iwarp_endpoint_push(t->ep, (iwarp_span){&ring[t->begin], have + n}) : IWARP_ERR_END,
       "push");
  drain(t);
  const size_t taken = (size_t)(iwarp_endpoint_rx_offset(t->ep) - offset);
  const size_t left = have + n - taken;
  t->begin = left > 0 ? (t->begin + taken) % ring_len : 0;
  t->end = t->begin + left;
}

/* Takes the octets read: the first `committed` octets lie in place, `n` more in the ring. */
static void take_committed(transfer *t, size_t committed, size_t n) {
  if (committed > 0) {
    must(iwarp_endpoint_commit_rx(t->ep, committed), "commit_rx");
    drain(t);
  }
  if (n > 0) {
    must(iwarp_endpoint_push(t->ep, (iwarp_span){ring, n}), "push");
    drain(t);
  }
}

/*
 * Reads the rest of an FPDU to where it will lie. What follows it comes into the ring: after a
 * large one no more than the next header, so that the next one can land too.
 */
static void land_some(transfer *t) {
  iwarp_endpoint_space spaces[SPANS];
  struct iovec iov[SPANS + 1];
  size_t num;
  size_t room = 0;
  (void)iwarp_endpoint_reserve_rx(t->ep, spaces, SPANS, &num);
  for (size_t i = 0; i < num; i++) {
    iov[i] = (struct iovec){.iov_base = spaces[i].dst, .iov_len = spaces[i].len};
    room += spaces[i].len;
  }
  const bool large = room >= LARGE || (t->large && num == 0);
  iov[num] = (struct iovec){.iov_base = ring, .iov_len = large ? AHEAD : ring_len};
  const size_t n = (size_t)tcp_pair_sys(readv(t->fd, iov, (int)num + 1), "readv");
  must(n > 0 ? IWARP_OK : IWARP_ERR_END, "readv");
  t->large = room >= LARGE;
  take_committed(t, n < room ? n : room, n < room ? 0 : n - room);
}

static void receive_some(transfer *t) {
  t->lands ? land_some(t) : push_some(t);
}

static void send_messages(transfer *t) {
  while (t->done < t->l->messages) {
    post(t);
    flush(t);
  }
}

static void receive_messages(transfer *t) {
  const size_t all = t->l->messages * t->l->message;
  while (t->octets < all || (!t->l->write && t->done < t->l->messages)) {
    receive_some(t);
  }
}

/* ---- connections ---- */

static iwarp_endpoint *make(const load *l, const way *w, bool sender) {
  iwarp_endpoint *ep;
  const iwarp_endpoint_cfg cfg = {.size = sizeof cfg,
                                  .role = sender ? IWARP_ROLE_INITIATOR : IWARP_ROLE_RESPONDER,
                                  .markers = w->markers,
                                  .no_crc = !w->crc,
                                  .pack = true,
                                  .leave_rest = !w->lands,
                                  .place_before_crc = w->lands && !w->markers,
                                  .emss = l->emss,
                                  .num_fpdus = FPDUS,
                                  .num_sends = DEPTH,
                                  .num_recvs = DEPTH,
                                  .num_regions = 1};
  const size_t size = iwarp_endpoint_size(&cfg);
  void *memory = malloc(size);
  must(iwarp_endpoint_init(&ep, memory, size, &cfg), "endpoint");
  return ep;
}

static void offer(transfer *t) {
  const iwarp_endpoint_region region = {
      .stag = STAG, .len = sizeof place, .mem = place, .access = IWARP_ACCESS_REMOTE_WRITE};
  must(iwarp_endpoint_register(t->ep, &region), "region");
  for (uint64_t i = 0; i < DEPTH; i++) {
    post_recv(t, i % SLOTS);
  }
}

/* Startup, up to the Reply; the first FPDU comes with the first transfer. */
static void establish(transfer *t, bool sender) {
  if (sender) {
    must(iwarp_endpoint_connect(t->ep, (iwarp_span){0}), "connect");
    flush(t);
    receive_some(t);
  } else {
    offer(t);
    must(iwarp_endpoint_listen(t->ep), "listen");
    receive_some(t);
  }
  flush(t);
}

/* ---- measurements ---- */

typedef tcp_pair_cost rounds[ROUNDS_MAX][NUM_WAYS];

static transfer transfer_of(const side *a, const load *l, size_t w) {
  return (transfer){.l = l,
                    .ep = a->ep[w],
                    .fd = a->fd[w],
                    .copies = ways[w].markers || l->emss < SHORT_FPDU,
                    .lands = ways[w].lands};
}

static void move(const side *a, transfer *t, const way *w) {
  if (!w->endpoint) {
    a->pair.sender ? send_plain(t) : receive_plain(t);
  } else {
    a->pair.sender ? send_messages(t) : receive_messages(t);
  }
}

/* Both processes come here. */
static tcp_pair_cost measure(const side *a, const load *l, size_t w) {
  transfer t = transfer_of(a, l, w);
  const tcp_pair_cost begin = tcp_pair_now();
  move(a, &t, &ways[w]);
  return tcp_pair_both(&a->pair, begin);
}

/* The octets that arrived are those that were sent. */
static void check_place(const load *l) {
  const size_t slots = l->messages < SLOTS ? l->messages : SLOTS;
  if (memcmp(place, payload, slots * l->message) != 0) {
    bench_stop(l->name, "other octets arrived");
  }
  memset(place, 0, slots * l->message);
}

static void begin_way(side *a, const load *l, size_t w) {
  a->ep[w] = NULL;
  if (ways[w].endpoint) {
    a->ep[w] = make(l, &ways[w], a->pair.sender);
    transfer t = transfer_of(a, l, w);
    establish(&t, a->pair.sender);
  }
  measure(a, l, w);
  if (!a->pair.sender) {
    check_place(l);
  }
}

/* One round after the other: each way once, and another one first in each. */
static void measure_rounds(rounds c, side *a, const load *l, size_t num) {
  make_ring(l->emss < RING_LEAST / RING_FPDUS ? RING_LEAST : RING_LEAST * RING_FPDUS);
  for (size_t w = 0; w < NUM_WAYS; w++) {
    begin_way(a, l, w);
  }
  for (size_t i = 0; i < num; i++) {
    for (size_t k = 0; k < NUM_WAYS; k++) {
      const size_t w = (i + k) % NUM_WAYS;
      c[i][w] = measure(a, l, w);
    }
  }
  for (size_t w = 0; w < NUM_WAYS; w++) {
    free(a->ep[w]);
  }
  munmap(ring, 2 * ring_len);
}

/* A scene in a pair of processes of its own; the receiver ends here. */
static void measure_scene(rounds c, const scene *s, size_t num) {
  const load *l = s->l;
  int fd[NUM_WAYS][2];
  side a;
  tcp_pair_interface(l->mtu, s->offload);
  for (size_t w = 0; w < NUM_WAYS; w++) {
    tcp_pair_connect(fd[w], WINDOW);
  }
  a.pair = tcp_pair_fork(s->apart);
  for (size_t w = 0; w < NUM_WAYS; w++) {
    a.fd[w] = fd[w][a.pair.sender ? 0 : 1];
    close(fd[w][a.pair.sender ? 1 : 0]);
  }
  measure_rounds(c, &a, l, num);
  for (size_t w = 0; w < NUM_WAYS; w++) {
    close(a.fd[w]);
  }
  tcp_pair_end(&a.pair);
}

/* ---- the tables ---- */

/* Ratio of the CPU times of the ways `a` and `b`, round by round. */
static bench_spread cpu_of(rounds c, size_t num, size_t a, size_t b) {
  double v[ROUNDS_MAX];
  for (size_t i = 0; i < num; i++) {
    v[i] = c[i][a].cpu / c[i][b].cpu;
  }
  return bench_spread_of(v, num);
}

/* The same of elapsed time. */
static bench_spread wall_of(rounds c, size_t num, size_t a, size_t b) {
  double v[ROUNDS_MAX];
  for (size_t i = 0; i < num; i++) {
    v[i] = c[i][a].wall / c[i][b].wall;
  }
  return bench_spread_of(v, num);
}

/* CPU time of a way in nanoseconds an octet. */
static double cost_of(rounds c, size_t num, const load *l, size_t w) {
  double v[ROUNDS_MAX];
  for (size_t i = 0; i < num; i++) {
    v[i] = c[i][w].cpu / (double)(l->messages * l->message) * 1e9;
  }
  return bench_spread_of(v, num).median;
}

/* Returns the limit of a way: times plain, and times the way before it. */
static double limit_of(const scene *s, size_t w) {
  return ways[w].markers || !ways[w].endpoint || !s->apart ? 0 : s->l->at_most[ways[w].crc ? 1 : 0];
}

static double limit_of_step(const scene *s, size_t w) {
  return s->apart && ways[w].markers ? MARKERS_AT_MOST : 0;
}

/* Noise matters where the limit lies between the quartiles. */
static const char *verdict(const bench_spread *r, double at_most, bool noisy) {
  if (noisy && r->low <= at_most && r->high > at_most) {
    return "too noisy to judge";
  }
  return r->median <= at_most ? "reached" : "above";
}

/* Prints a ratio with its judgement; false: the ratio is above its limit. */
static bool print_ratio(FILE *out, const bench_spread *r, double at_most, bool noisy) {
  fprintf(out, " **%.2f** | %.2f to %.2f |", r->median, r->low, r->high);
  if (at_most == 0) {
    fprintf(out, " | |");
    return true;
  }
  const char *said = verdict(r, at_most, noisy);
  fprintf(out, " %.2f | %s |", at_most, said);
  return strcmp(said, "above") != 0;
}

static bool print_way(FILE *out, const scene *s, const char *name, rounds c, size_t num, size_t w) {
  const bench_spread self = cpu_of(c, num, AGAIN, PLAIN);
  const bench_spread cpu = cpu_of(c, num, w, PLAIN);
  const bool noisy = bench_noisy(&self);
  fprintf(out, "| %s | %s | %.3f |", name, ways[w].name, cost_of(c, num, s->l, w));
  bool reached = print_ratio(out, &cpu, limit_of(s, w), noisy);
  fprintf(out, " %.2f |", wall_of(c, num, w, PLAIN).median);
  if (ways[w].crc) {
    const bench_spread step = cpu_of(c, num, w, w - 1);
    reached = print_ratio(out, &step, limit_of_step(s, w), noisy) && reached;
  } else {
    fprintf(out, " | | | |");
  }
  fprintf(out, "\n");
  return reached;
}

static bool print_scene(FILE *out, const scene *s, const char *name, rounds c, size_t num) {
  bool reached = true;
  for (size_t w = PLAIN; w < NUM_WAYS; w++) {
    reached = print_way(out, s, name, c, num, w) && reached;
  }
  fflush(out);
  return reached;
}

static void name_of(char *dst, size_t cap, const scene *s) {
  snprintf(dst, cap, "%s, %s%s", s->l->name, s->offload ? "offload" : "no offload",
           s->apart ? "" : ", one processor");
}

static void print_head(FILE *out) {
  fprintf(
      out,
      "CPU time of both sides; CRC32c: %s; socket buffers of %d octets\n\n"
      "| Scene | Way | ns/octet | To plain | Quartiles | At most | | Elapsed, to plain | To the "
      "row above | Quartiles | At most | |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|\n",
      iwarp_crc32c_impl(), WINDOW);
}

int main(int argc, char **argv) {
  static rounds c;
  const bench_run run = bench_arguments(argc, argv, ABOUT, "bench-endpoint");
  bool reached = true;
  size_t size = 0;
  char *table = NULL;
  FILE *out = open_memstream(&table, &size);
  tcp_pair_isolate();
  for (size_t i = 0; i < sizeof payload; i++) {
    payload[i] = (uint8_t)(i * 2654435761u >> 13);
  }
  print_head(out);
  print_head(stdout);
  for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
    char name[64];
    name_of(name, sizeof name, &scenes[i]);
    if (bench_chosen(&run, name)) {
      load l = *scenes[i].l;
      l.messages = run.brief ? 2 * SLOTS : l.messages;
      scene s = scenes[i];
      s.l = &l;
      measure_scene(c, &s, run.rounds);
      reached = print_scene(stdout, &s, name, c, run.rounds) && reached;
      print_scene(out, &s, name, c, run.rounds);
    }
  }
  fclose(out);
  bench_write(&run, table);
  free(table);
  return reached || run.brief || run.page != NULL ? EXIT_SUCCESS : EXIT_FAILURE;
}
