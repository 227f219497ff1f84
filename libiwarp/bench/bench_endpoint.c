/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an endpoint over TCP costs: the CPU time of both processes of a connection over the loopback
 * interface, in ratios to plain send and recv with memcpy of the same octets, where all octets are
 * pushed and where they are read straight into place. Linux.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <iwarp/crc32c.h>
#include <iwarp/endpoint.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define EXIT_SKIPPED 77
#define ROUNDS_MAX 25u
#define SLOTS 4u /* places for messages at either end */
#define MESSAGE_MAX 1048576u
#define RING (256u * 1024u) /* octets of the receiver's buffer, whatever it receives */
#define DEPTH 64u           /* operations or receive buffers posted at a time */
#define SPANS 600u          /* of one call; more octets of short ones would not stay in the cache */
#define FPDU_MAX 66000u     /* octets of the longest one here */
#define FPDUS 192u          /* of one batch, at most */
#define BATCH 262144u       /* octets of one batch: CRCs read them, then the system does */
#define SHORT_SPAN 2048u    /* octets; fewer are copied into one buffer */
#define AHEAD 64u           /* octets that hold the next header */
#define LARGE 8192u         /* octets of an FPDU that are worth a call of the system */
#define STAG 0x1234u

/* How octets get across. */
typedef struct way {
  const char *name;
  bool endpoint; /* else plain send and recv */
  bool crc;
  bool markers;
  bool lands; /* octets are read straight into place */
} way;

/* Three with pushes, and the same three with landings. */
enum { PLAIN, BARE, CRC, MARKERS, NUM_PUSHED, LANDS = MARKERS, NUM_WAYS = NUM_PUSHED + LANDS };

static const way ways[NUM_WAYS] = {
    [PLAIN] = {.name = "plain send, recv, memcpy"},
    [BARE] = {.name = "without CRC", .endpoint = true},
    [CRC] = {.name = "CRC", .endpoint = true, .crc = true},
    [MARKERS] = {.name = "CRC and Markers", .endpoint = true, .crc = true, .markers = true},
    [LANDS + BARE] = {.name = "without CRC, into place", .endpoint = true, .lands = true},
    [LANDS + CRC] = {.name = "CRC, into place", .endpoint = true, .crc = true, .lands = true},
    [LANDS + MARKERS] = {.name = "CRC and Markers, into place",
                         .endpoint = true,
                         .crc = true,
                         .markers = true,
                         .lands = true}};

/* What is sent, over which interface. */
typedef struct scene {
  const char *name;
  bool write;      /* RDMA Writes, else Sends */
  bool offload;    /* segmentation offload of the interface */
  int mtu;         /* octets */
  uint32_t emss;   /* octets */
  size_t message;  /* octets */
  size_t messages; /* of one measurement */
  int window;      /* octets of a socket's buffers; 0: what the system finds best */
} scene;

static const scene scenes[] = {
    {"64 KiB Sends, EMSS 1460, no offload", false, false, 1500, 1460, 65536, 512, 0},
    {"64 KiB Sends, EMSS 1460, offload", false, true, 1500, 1460, 65536, 512, 0},
    {"1 MiB Writes, EMSS 65483, no offload", true, false, 65536, 65483, 1048576, 64, 0},
    {"1 MiB Writes, EMSS 65483, offload", true, true, 65536, 65483, 1048576, 64, 0},
    {"1 MiB Writes, EMSS 65483, offload, socket buffers of 256 KiB", true, true, 65536, 65483,
     1048576, 64, 262144},
    {"64-octet Sends, EMSS 1460, offload", false, true, 1500, 1460, 64, 32768, 0},
};

/* One measurement, of either side or of both. */
typedef struct cost {
  double cpu;  /* seconds, user and system */
  double wall; /* seconds */
} cost;

/* One process: its end of every connection of a scene. */
typedef struct side {
  bool sender;
  int control; /* to the other process */
  int fd[NUM_WAYS];
  iwarp_endpoint *ep[NUM_WAYS];
} side;

/* What is under way. */
typedef struct transfer {
  const scene *s;
  iwarp_endpoint *ep;
  int fd;
  bool lands;    /* octets are read straight into place */
  bool large;    /* and the last FPDU was worth it */
  size_t posted; /* messages */
  size_t done;   /* messages sent whole, or received */
  size_t octets; /* placed */
  size_t begin;  /* octets received and not taken: from there in the ring */
  size_t end;    /* to there */
} transfer;

static uint8_t payload[SLOTS * MESSAGE_MAX]; /* at the sender */
static uint8_t place[SLOTS * MESSAGE_MAX];   /* at the receiver */
static uint8_t ring[RING];

static _Noreturn void stop(const char *what, const char *why) {
  fprintf(stderr, "bench_endpoint: %s: %s\n", what, why);
  exit(EXIT_FAILURE);
}

/* What this machine does not allow is no failure. */
static _Noreturn void skip(const char *what) {
  printf("skipped: %s: %s\n", what, strerror(errno));
  exit(EXIT_SKIPPED);
}

static void must(iwarp_err err, const char *what) {
  if (err != IWARP_OK) {
    stop(what, iwarp_strerror(err));
  }
}

/* For calls of the system: below 0 is failure. */
static ssize_t sys(ssize_t result, const char *what) {
  if (result < 0) {
    stop(what, strerror(errno));
  }
  return result;
}

/* ---- the interface ---- */

static struct ifreq loopback(void) {
  struct ifreq r = {.ifr_name = "lo"};
  return r;
}

static void set_offload(int fd, uint32_t command, bool on) {
  struct ethtool_value value = {.cmd = command, .data = on ? 1 : 0};
  struct ifreq r = loopback();
  r.ifr_data = (void *)&value;
  if (ioctl(fd, SIOCETHTOOL, &r) < 0) {
    skip("segmentation offload cannot be set");
  }
}

static void set_interface(const scene *s) {
  const int fd = (int)sys(socket(AF_INET, SOCK_DGRAM, 0), "socket");
  struct ifreq r = loopback();
  r.ifr_mtu = s->mtu;
  sys(ioctl(fd, SIOCSIFMTU, &r), "MTU");
  set_offload(fd, ETHTOOL_STSO, s->offload);
  set_offload(fd, ETHTOOL_SGSO, s->offload);
  set_offload(fd, ETHTOOL_SGRO, s->offload);
  r = loopback();
  r.ifr_flags = IFF_UP | IFF_RUNNING | IFF_LOOPBACK;
  sys(ioctl(fd, SIOCSIFFLAGS, &r), "interface up");
  close(fd);
}

/* Goes into a network namespace of its own. */
static void leave_network(void) {
  if (unshare(CLONE_NEWNET) < 0 && unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0) {
    skip("no network namespace may be made");
  }
}

/* A TCP connection to oneself, on a port that the system chooses, with buffers of `window` octets.
 */
static void connect_both(int fd[2], int window) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t len = sizeof address;
  const int door = (int)sys(socket(AF_INET, SOCK_STREAM, 0), "socket");
  const int on = 1;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  sys(bind(door, (struct sockaddr *)&address, sizeof address), "bind");
  sys(listen(door, 1), "listen");
  sys(getsockname(door, (struct sockaddr *)&address, &len), "getsockname");
  fd[0] = (int)sys(socket(AF_INET, SOCK_STREAM, 0), "socket");
  sys(connect(fd[0], (struct sockaddr *)&address, sizeof address), "connect");
  fd[1] = (int)sys(accept(door, NULL, NULL), "accept");
  for (int i = 0; i < 2; i++) {
    sys(setsockopt(fd[i], IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), "TCP_NODELAY");
    if (window > 0) {
      sys(setsockopt(fd[i], SOL_SOCKET, SO_SNDBUF, &window, sizeof window), "SO_SNDBUF");
      sys(setsockopt(fd[i], SOL_SOCKET, SO_RCVBUF, &window, sizeof window), "SO_RCVBUF");
    }
  }
  close(door);
}

/* ---- plain ---- */

static size_t slot_of(const scene *s, size_t message) {
  return message % SLOTS * s->message;
}

static void send_plain(const transfer *t) {
  for (size_t i = 0; i < t->s->messages; i++) {
    for (size_t at = 0; at < t->s->message;) {
      at +=
          (size_t)sys(send(t->fd, &payload[slot_of(t->s, i) + at], t->s->message - at, 0), "send");
    }
  }
}

/* Copies `len` octets of the stream from the ring to where they belong, message by message. */
static void place_plain(transfer *t, size_t len) {
  for (size_t at = 0; at < len;) {
    const size_t off = t->octets % t->s->message;
    size_t n = t->s->message - off;
    n = n < len - at ? n : len - at;
    memcpy(&place[slot_of(t->s, (size_t)(t->octets / t->s->message)) + off], &ring[at], n);
    at += n;
    t->octets += n;
  }
}

static void receive_plain(transfer *t) {
  const size_t all = t->s->messages * t->s->message;
  while (t->octets < all) {
    const size_t left = all - t->octets;
    place_plain(t, (size_t)sys(recv(t->fd, ring, left < RING ? left : RING, 0), "recv"));
  }
}

/* ---- endpoints ---- */

static void post_recv(transfer *t, uint64_t slot) {
  must(iwarp_endpoint_recv(t->ep, slot, &place[slot_of(t->s, (size_t)slot)],
                           (uint32_t)t->s->message),
       "receive buffer");
}

static void handle(transfer *t, const iwarp_endpoint_ev *ev) {
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
  case IWARP_ENDPOINT_EVENT_IDLE: stop("endpoint", "an event that nobody asked for");
  }
}

static void drain(transfer *t) {
  iwarp_endpoint_ev ev;
  while (iwarp_endpoint_next_event(t->ep, &ev) == IWARP_OK) {
    handle(t, &ev);
  }
}

static void post(transfer *t) {
  while (t->posted < t->s->messages && t->posted - t->done < DEPTH) {
    const size_t slot = slot_of(t->s, t->posted);
    const iwarp_span part = {&payload[slot], t->s->message};
    const iwarp_tx_payload all = {&part, 1};
    must(t->s->write ? iwarp_endpoint_write(t->ep, 0, STAG, slot, all)
                     : iwarp_endpoint_send(t->ep, 0, IWARP_RDMAP_OP_SEND, 0, all),
         "operation");
    t->posted++;
  }
}

static size_t send_spans(const transfer *t, const iwarp_span *spans, size_t num) {
  struct iovec iov[SPANS];
  for (size_t i = 0; i < num; i++) {
    iov[i] = (struct iovec){.iov_base = (void *)(uintptr_t)spans[i].ptr, .iov_len = spans[i].len};
  }
  struct msghdr msg = {.msg_iov = iov};
  msg.msg_iovlen = num;
  return (size_t)sys(sendmsg(t->fd, &msg, 0), "sendmsg");
}

/* To the system many short spans cost more than a copy of them here. */
static size_t send_copy(const transfer *t, const iwarp_span *spans, size_t num) {
  size_t len = 0;
  for (size_t i = 0; i < num && spans[i].len <= RING - len; i++) {
    memcpy(&ring[len], spans[i].ptr, spans[i].len);
    len += spans[i].len;
  }
  return (size_t)sys(send(t->fd, ring, len, 0), "send");
}

/* Sends what there is; the socket blocks. */
static void flush(transfer *t) {
  iwarp_span spans[SPANS];
  iwarp_tx_batch batch = {.spans = spans, .max_spans = SPANS, .max_segments = BATCH / t->s->emss};
  while (iwarp_endpoint_next_batch(t->ep, &batch) == IWARP_OK) {
    const size_t num = batch.all.num_spans;
    const size_t n =
        batch.all.len / num < SHORT_SPAN ? send_copy(t, spans, num) : send_spans(t, spans, num);
    must(iwarp_endpoint_advance(t->ep, n), "advance");
    drain(t);
  }
}

/* What is left of an FPDU stays where it is, and is moved only when the end of the ring is near. */
static void push_some(transfer *t) {
  if (RING - t->end < FPDU_MAX) {
    memmove(ring, &ring[t->begin], t->end - t->begin);
    t->end -= t->begin;
    t->begin = 0;
  }
  const size_t n = (size_t)sys(recv(t->fd, &ring[t->end], RING - t->end, 0), "recv");
  const uint64_t offset = iwarp_endpoint_rx_offset(t->ep);
  t->end += n;
  must(n > 0 ? iwarp_endpoint_push(t->ep, (iwarp_span){&ring[t->begin], t->end - t->begin})
             : IWARP_ERR_END,
       "push");
  drain(t);
  t->begin += (size_t)(iwarp_endpoint_rx_offset(t->ep) - offset);
  if (t->begin == t->end) {
    t->begin = 0;
    t->end = 0;
  }
}

/* Takes what was read: the first `landed` octets lie in place, `n` more in the ring. */
static void take_landed(transfer *t, size_t landed, size_t n) {
  if (landed > 0) {
    must(iwarp_endpoint_landed(t->ep, landed), "landing");
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
  (void)iwarp_endpoint_landing(t->ep, spaces, SPANS, &num);
  for (size_t i = 0; i < num; i++) {
    iov[i] = (struct iovec){.iov_base = spaces[i].dst, .iov_len = spaces[i].len};
    room += spaces[i].len;
  }
  const bool large = room >= LARGE || (t->large && num == 0);
  iov[num] = (struct iovec){.iov_base = ring, .iov_len = large ? AHEAD : RING};
  const size_t n = (size_t)sys(readv(t->fd, iov, (int)num + 1), "readv");
  must(n > 0 ? IWARP_OK : IWARP_ERR_END, "readv");
  t->large = room >= LARGE;
  take_landed(t, n < room ? n : room, n < room ? 0 : n - room);
}

static void receive_some(transfer *t) {
  t->lands ? land_some(t) : push_some(t);
}

static void send_messages(transfer *t) {
  while (t->done < t->s->messages) {
    post(t);
    flush(t);
  }
}

static void receive_messages(transfer *t) {
  const size_t all = t->s->messages * t->s->message;
  while (t->octets < all || (!t->s->write && t->done < t->s->messages)) {
    receive_some(t);
  }
}

/* ---- connections ---- */

static iwarp_endpoint *make(const scene *s, const way *w, bool sender) {
  iwarp_endpoint *ep;
  const iwarp_endpoint_cfg cfg = {.size = sizeof cfg,
                                  .role = sender ? IWARP_ROLE_INITIATOR : IWARP_ROLE_RESPONDER,
                                  .markers = w->markers,
                                  .no_crc = !w->crc,
                                  .pack = true,
                                  .leave_rest = !w->lands,
                                  .land_early = w->lands,
                                  .emss = s->emss,
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

static cost now(void) {
  struct rusage u;
  struct timespec t;
  getrusage(RUSAGE_SELF, &u);
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (cost){.cpu = (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
                       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6,
                .wall = (double)t.tv_sec + (double)t.tv_nsec * 1e-9};
}

static void move(const side *a, transfer *t, const way *w) {
  if (!w->endpoint) {
    a->sender ? send_plain(t) : receive_plain(t);
  } else {
    a->sender ? send_messages(t) : receive_messages(t);
  }
}

/* Both processes come here; the receiver tells the sender what it has used. */
static cost measure(const side *a, const scene *s, size_t w) {
  transfer t = {.s = s, .ep = a->ep[w], .fd = a->fd[w], .lands = ways[w].lands};
  cost peer;
  const cost begin = now();
  move(a, &t, &ways[w]);
  cost end = now();
  end.cpu -= begin.cpu;
  if (!a->sender) {
    sys(write(a->control, &end, sizeof end), "control");
    return end;
  }
  sys(read(a->control, &peer, sizeof peer), "control");
  return (cost){.cpu = end.cpu + peer.cpu, .wall = now().wall - begin.wall};
}

/* The octets that arrived are those that were sent. */
static void check_place(const scene *s) {
  const size_t slots = s->messages < SLOTS ? s->messages : SLOTS;
  if (memcmp(place, payload, slots * s->message) != 0) {
    stop(s->name, "other octets arrived");
  }
  memset(place, 0, slots * s->message);
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a;
  const double y = *(const double *)b;
  return (x > y) - (x < y);
}

/* What two ways cost in ratios to each other, round by round: the median and its quartiles. */
typedef struct ratio {
  double low;
  double median;
  double high;
} ratio;

static ratio quartiles(double v[ROUNDS_MAX], size_t rounds) {
  qsort(v, rounds, sizeof v[0], by_size);
  return (ratio){.low = v[rounds / 4], .median = v[rounds / 2], .high = v[rounds - 1 - rounds / 4]};
}

static ratio cpu_of(cost c[ROUNDS_MAX][NUM_WAYS], size_t rounds, size_t a, size_t b) {
  double v[ROUNDS_MAX];
  for (size_t i = 0; i < rounds; i++) {
    v[i] = c[i][a].cpu / c[i][b].cpu;
  }
  return quartiles(v, rounds);
}

static ratio wall_of(cost c[ROUNDS_MAX][NUM_WAYS], size_t rounds, size_t a, size_t b) {
  double v[ROUNDS_MAX];
  for (size_t i = 0; i < rounds; i++) {
    v[i] = c[i][a].wall / c[i][b].wall;
  }
  return quartiles(v, rounds);
}

/* CPU time of plain TCP in nanoseconds an octet. */
static double plain_cost(cost c[ROUNDS_MAX][NUM_WAYS], size_t rounds, const scene *s) {
  double v[ROUNDS_MAX];
  for (size_t i = 0; i < rounds; i++) {
    v[i] = c[i][PLAIN].cpu / (double)(s->messages * s->message) * 1e9;
  }
  return quartiles(v, rounds).median;
}

static void report_way(cost c[ROUNDS_MAX][NUM_WAYS], size_t rounds, size_t w) {
  const ratio cpu = cpu_of(c, rounds, w, PLAIN);
  printf("  %-27s %6.2f   %5.2f to %5.2f   %5.1f   %5.1f", ways[w].name, cpu.median, cpu.low,
         cpu.high, 1 / cpu.median, 1 / wall_of(c, rounds, w, PLAIN).median);
  if (ways[w].crc && !ways[w].markers) {
    printf("   %3.0f%% of it is the CRC", 100 * (1 - cpu_of(c, rounds, w - CRC + BARE, w).median));
  }
  if (ways[w].markers) {
    printf("   Markers cost %2.0f%%", 100 * (cpu_of(c, rounds, w, w - MARKERS + CRC).median - 1));
  }
  printf("\n");
}

static void report(const scene *s, cost c[ROUNDS_MAX][NUM_WAYS], size_t rounds) {
  printf("\n%s: plain TCP takes %.2f ns an octet\n", s->name, plain_cost(c, rounds, s));
  printf("  %-27s %6s   %14s   %13s\n", "", "CPU", "quartiles", "rate by CPU, elapsed");
  for (size_t w = BARE; w < NUM_WAYS; w++) {
    report_way(c, rounds, w);
  }
  fflush(stdout);
}

static void act(side *a, const scene *s, size_t rounds) {
  cost c[ROUNDS_MAX][NUM_WAYS];
  for (size_t w = 0; w < NUM_WAYS; w++) {
    transfer t = {.s = s, .fd = a->fd[w], .lands = ways[w].lands};
    if (ways[w].endpoint) {
      a->ep[w] = make(s, &ways[w], a->sender);
      t.ep = a->ep[w];
      establish(&t, a->sender);
    }
    measure(a, s, w);
    if (!a->sender) {
      check_place(s);
    }
  }
  for (size_t i = 0; i < rounds; i++) {
    for (size_t w = 0; w < NUM_WAYS; w++) {
      c[i][w] = measure(a, s, w);
    }
  }
  if (a->sender) {
    report(s, c, rounds);
  }
  for (size_t w = 0; w < NUM_WAYS; w++) {
    free(a->ep[w]);
    a->ep[w] = NULL;
  }
}

/* A scene in a pair of processes of its own. */
static void run(const scene *s, size_t rounds) {
  int control[2];
  int fd[NUM_WAYS][2];
  int status;
  set_interface(s);
  sys(socketpair(AF_UNIX, SOCK_STREAM, 0, control), "socketpair");
  for (size_t w = 0; w < NUM_WAYS; w++) {
    connect_both(fd[w], s->window);
  }
  fflush(stdout); /* or the child prints it again */
  const pid_t child = (pid_t)sys(fork(), "fork");
  side a = {.sender = child != 0, .control = control[child != 0 ? 0 : 1]};
  for (size_t w = 0; w < NUM_WAYS; w++) {
    a.fd[w] = fd[w][child != 0 ? 0 : 1];
    close(fd[w][child != 0 ? 1 : 0]);
  }
  close(control[child != 0 ? 1 : 0]);
  act(&a, s, rounds);
  if (child == 0) {
    exit(EXIT_SUCCESS);
  }
  for (size_t w = 0; w < NUM_WAYS; w++) {
    close(a.fd[w]);
  }
  close(a.control);
  sys(waitpid(child, &status, 0), "waitpid");
  if (status != 0) {
    stop(s->name, "the receiver failed");
  }
}

int main(int argc, char **argv) {
  const bool brief = argc > 1 && strcmp(argv[1], "--brief") == 0;
  const long only = argc > 1 && !brief ? strtol(argv[1], NULL, 10) : 0; /* a scene, from 1 on */
  leave_network();
  for (size_t i = 0; i < sizeof payload; i++) {
    payload[i] = (uint8_t)(i * 2654435761u >> 13);
  }
  printf("CPU time of both sides in ratios to plain send, recv and memcpy of the same octets:\n"
         "medians of interleaved rounds, with quartiles. CRC: %s\n",
         iwarp_crc32c_impl());
  for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
    scene s = scenes[i];
    if (only > 0 && i + 1 != (size_t)only) {
      continue;
    }
    s.messages = brief ? 2 * SLOTS : s.messages;
    run(&s, brief ? 1 : ROUNDS_MAX);
  }
  return EXIT_SUCCESS;
}
