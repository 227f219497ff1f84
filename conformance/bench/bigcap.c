/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes a conformant iWARP capture of any size to standard output, for benchmarks and memory
 * tests. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <iwarp/iwarp.h>

#define BIGCAP_CONNS_MAX 65535u
#define BIGCAP_PAYLOAD                                                                             \
  1416u /* octets of DDP payload in a full FPDU: fits a TCP segment of 1448 with Markers too */
#define BIGCAP_MESSAGE 64u /* segments of an RDMA Write or Read Response */
#define BIGCAP_OPEN 4096u  /* connections open at a time, where there are many */

typedef struct bigcap_conn {
  uint32_t seq[2];
  uint64_t off[2]; /* octets of Full Operation sent */
  uint32_t msn[2][2];
  uint64_t to;
  uint32_t number;
} bigcap_conn;

typedef struct bigcap {
  bool markers;
  bool one_sided; /* packets of side 1 are not written */
  uint64_t written;
  uint64_t packets;
  uint8_t payload[BIGCAP_PAYLOAD];
} bigcap;

static void put16(uint8_t *p, uint32_t v) {
  p[0] = (uint8_t)(v >> 8);
  p[1] = (uint8_t)v;
}

static void put32(uint8_t *p, uint32_t v) {
  put16(p, v >> 16);
  put16(p + 2, v & 0xFFFFu);
}

static void put32le(uint8_t *p, uint32_t v) {
  for (int i = 0; i < 4; i++) {
    p[i] = (uint8_t)(v >> (8 * i));
  }
}

static uint32_t sum16(uint32_t sum, const uint8_t *p, size_t n) {
  for (size_t i = 0; i + 1 < n; i += 2) {
    sum += (uint32_t)p[i] << 8 | p[i + 1];
  }
  /* No conditional expression: gcc 14 makes one that reads the octet whether it is there or not. */
  if (n % 2 != 0) {
    sum += (uint32_t)p[n - 1] << 8;
  }
  return sum;
}

static uint32_t fold16(uint32_t sum) {
  while (sum >> 16 != 0) {
    sum = (sum & 0xFFFFu) + (sum >> 16);
  }
  return ~sum & 0xFFFFu;
}

static void emit(const void *data, size_t n) {
  if (n > 0 && fwrite(data, 1, n, stdout) != n) {
    exit(EXIT_FAILURE);
  }
}

static void file_header(bigcap *b) {
  uint8_t h[24] = {0};
  put32le(h, 0xA1B2C3D4u);
  h[4] = 2;
  h[6] = 4;
  put32le(h + 16, 262144);
  put32le(h + 20, 1);
  emit(h, sizeof(h));
  b->written += sizeof(h);
}

/* One packet of connection `c` from side `s`: Ethernet, IPv4, TCP. */
static void packet(bigcap *b, bigcap_conn *c, unsigned s, uint8_t flags, const uint8_t *data,
                   size_t n) {
  uint8_t h[16 + 54] = {0};
  const uint32_t seq = c->seq[s];
  uint8_t *ip = h + 16 + 14;
  uint8_t *tcp = ip + 20;
  uint32_t sum = 6u + 20u + (uint32_t)n;
  c->seq[s] += (uint32_t)n + ((flags & 0x03u) != 0 ? 1u : 0u);
  if (b->one_sided && s == 1) {
    return;
  }
  b->packets++;
  put32le(h, 1700000000u + (uint32_t)(b->packets / 100000u));
  put32le(h + 4, (uint32_t)(b->packets % 100000u) * 10u);
  put32le(h + 8, (uint32_t)(54 + n));
  put32le(h + 12, (uint32_t)(54 + n));
  h[16] = 2;
  h[16 + 5] = (uint8_t)(2u - s);
  h[16 + 6] = 2;
  h[16 + 11] = (uint8_t)(1u + s);
  put16(h + 16 + 12, 0x0800);
  ip[0] = 0x45;
  put16(ip + 2, (uint32_t)(40 + n));
  put16(ip + 6, 0x4000);
  ip[8] = 64;
  ip[9] = 6;
  put32(ip + 12 + 4 * s, 0x0A000001u);
  put32(ip + 16 - 4 * s, 0x0A000100u + c->number);
  put16(ip + 10, fold16(sum16(0, ip, 20)));
  put16(tcp + 2 * s, 40000u + c->number % 20000u);
  put16(tcp + 2 - 2 * s, 5000u + c->number % 20000u);
  put32(tcp + 4, seq);
  put32(tcp + 8, (flags & 0x10u) != 0 ? c->seq[1 - s] : 0);
  tcp[12] = 0x50;
  tcp[13] = flags;
  put16(tcp + 14, 65535);
  sum = sum16(sum16(sum16(sum, ip + 12, 8), tcp, 20), data, n);
  put16(tcp + 16, fold16(sum));
  emit(h, sizeof(h));
  emit(data, n);
  b->written += sizeof(h) + n;
}

static void startup(bigcap *b, bigcap_conn *c, unsigned s) {
  uint8_t frame[64];
  size_t n = 0;
  iwarp_mpa_startup f = {.flags = IWARP_MPA_FLAG_C, .rev = 1};
  memcpy(f.key, iwarp_mpa_key_octets(s == 0 ? IWARP_MPA_KEY_REQUEST : IWARP_MPA_KEY_REPLY),
         IWARP_MPA_KEY_LEN);
  f.flags |= b->markers ? IWARP_MPA_FLAG_M : 0;
  (void)iwarp_mpa_startup_encode(frame, sizeof(frame), &n, &f);
  packet(b, c, s, 0x18, frame, n);
}

/* One FPDU in a segment of its own. `rdmap`: RDMAP header or payload after the DDP header. */
static void fpdu(bigcap *b, bigcap_conn *c, unsigned s, const iwarp_ddp_hdr *ddp,
                 const uint8_t *rdmap, size_t n) {
  uint8_t ulpdu[2048];
  uint8_t wire[4096];
  size_t head = 0;
  size_t len = 0;
  iwarp_mpa_fpdu_desc d = {.off = c->off[s], .markers = b->markers};
  (void)iwarp_ddp_hdr_encode(ulpdu, sizeof(ulpdu), &head, ddp);
  memcpy(ulpdu + head, rdmap, n);
  d.ulpdu = (iwarp_span){ulpdu, head + n};
  (void)iwarp_mpa_fpdu_encode(wire, sizeof(wire), &len, &d);
  packet(b, c, s, 0x18, wire, len);
  c->off[s] += len;
}

static iwarp_ddp_hdr header(uint8_t opcode, bool last) {
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(opcode);
  const iwarp_rdmap_ctrl ctrl = {IWARP_RDMAP_VERSION, 0, opcode};
  return (iwarp_ddp_hdr){.tagged = op->tagged,
                         .last = last,
                         .dv = IWARP_DDP_VERSION,
                         .qn = op->tagged ? 0 : op->qn,
                         .rsvdulp = iwarp_rdmap_ctrl_encode(ctrl)};
}

static void tagged_message(bigcap *b, bigcap_conn *c, unsigned s, uint8_t opcode, uint32_t stag) {
  for (unsigned i = 0; i < BIGCAP_MESSAGE; i++) {
    iwarp_ddp_hdr h = header(opcode, i + 1 == BIGCAP_MESSAGE);
    h.stag = stag;
    h.to = c->to;
    fpdu(b, c, s, &h, b->payload, BIGCAP_PAYLOAD);
    c->to += BIGCAP_PAYLOAD;
    if (i % 4 == 3) {
      packet(b, c, 1 - s, 0x10, NULL, 0);
    }
  }
}

static void read_message(bigcap *b, bigcap_conn *c) {
  const iwarp_rdmap_read_req r = {0x2000, c->to, BIGCAP_MESSAGE * BIGCAP_PAYLOAD, 0x3000, c->to};
  iwarp_ddp_hdr h = header(IWARP_RDMAP_OP_READ_REQ, true);
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  size_t n = 0;
  (void)iwarp_rdmap_read_req_encode(octets, sizeof(octets), &n, &r);
  h.msn = ++c->msn[0][1];
  fpdu(b, c, 0, &h, octets, n);
  tagged_message(b, c, 1, IWARP_RDMAP_OP_READ_RESP, r.sink_stag);
}

static void send_message(bigcap *b, bigcap_conn *c, unsigned s) {
  c->msn[s][0]++;
  for (unsigned i = 0; i < 4; i++) {
    iwarp_ddp_hdr h = header(IWARP_RDMAP_OP_SEND, i == 3);
    h.msn = c->msn[s][0];
    h.mo = i * BIGCAP_PAYLOAD;
    fpdu(b, c, s, &h, b->payload, BIGCAP_PAYLOAD);
  }
  packet(b, c, 1 - s, 0x10, NULL, 0);
}

static void open_conn(bigcap *b, bigcap_conn *c, unsigned long number) {
  memset(c, 0, sizeof(*c));
  c->number = (uint32_t)number;
  c->seq[0] = 1000u + c->number;
  c->seq[1] = 9000u + c->number;
  packet(b, c, 0, 0x02, NULL, 0);
  packet(b, c, 1, 0x12, NULL, 0);
  packet(b, c, 0, 0x10, NULL, 0);
  startup(b, c, 0);
  startup(b, c, 1);
}

/* Writes of one segment, from side 0 or from both in turn, and no ACK. */
static void write_messages(bigcap *b, bigcap_conn *c, unsigned sides, size_t n) {
  iwarp_ddp_hdr h = header(IWARP_RDMAP_OP_WRITE, true);
  h.stag = 0x1000u;
  for (unsigned i = 0; i < BIGCAP_MESSAGE; i++) {
    fpdu(b, c, i % sides, &h, b->payload, n);
  }
}

static void mixed_messages(bigcap *b, bigcap_conn *c, unsigned step) {
  if (step % 8 < 4) {
    tagged_message(b, c, 0, IWARP_RDMAP_OP_WRITE, 0x1000u + step % 8);
  } else if (step % 8 < 6) {
    read_message(b, c);
  } else {
    send_message(b, c, 0);
    send_message(b, c, 1);
  }
}

static void step_messages(bigcap *b, bigcap_conn *c, unsigned step, const char *kind) {
  if (strcmp(kind, "small") == 0) {
    write_messages(b, c, 1, 0);
  } else if (strcmp(kind, "both") == 0 || b->one_sided) {
    write_messages(b, c, 2, BIGCAP_PAYLOAD);
  } else {
    mixed_messages(b, c, step);
  }
}

/* Makes one connection after the other; BIGCAP_OPEN connections are open at a time. */
static void many(bigcap *b, bigcap_conn *conns, unsigned long num) {
  for (unsigned long i = 0; i < num + BIGCAP_OPEN; i++) {
    bigcap_conn *c = &conns[i % BIGCAP_OPEN];
    if (i >= BIGCAP_OPEN && c->number != 0) {
      packet(b, c, 0, 0x11, NULL, 0);
      packet(b, c, 1, 0x11, NULL, 0);
      packet(b, c, 0, 0x10, NULL, 0);
      c->number = 0;
    }
    if (i < num) {
      open_conn(b, c, i + 1);
      send_message(b, c, 0);
      send_message(b, c, 1);
    }
  }
}

/* Whole runs of messages until there are octets enough. */
static void few(bigcap *b, bigcap_conn *conns, unsigned long num, uint64_t size, const char *kind) {
  for (unsigned long i = 0; i < num; i++) {
    open_conn(b, &conns[i], i);
  }
  for (unsigned step = 0; b->written < size; step++) {
    for (unsigned long i = 0; i < num; i++) {
      step_messages(b, &conns[i], step, kind);
    }
  }
}

static _Noreturn void usage(void) {
  fprintf(stderr,
          "usage: bigcap OCTETS [CONNECTIONS [KIND]] > FILE\n"
          "CONNECTIONS: 1 to %u, 8 unless given\n"
          "KIND: mixed, unless given: Writes, Reads and Sends in full segments, and ACKs\n"
          "      markers: the same with Markers\n"
          "      small: empty Writes of one side, in packets of 74 octets, no ACK\n"
          "      both: full Writes of both sides in turn, no ACK\n"
          "      one: the packets of one side of these\n"
          "      many: any number of short connections, %u open at a time, whatever OCTETS is\n",
          BIGCAP_CONNS_MAX, BIGCAP_OPEN);
  exit(2);
}

int main(int argc, char **argv) {
  static bigcap_conn conns[BIGCAP_CONNS_MAX];
  const char *kind = argc > 3 ? argv[3] : "mixed";
  bigcap b = {.markers = strcmp(kind, "markers") == 0, .one_sided = strcmp(kind, "one") == 0};
  const uint64_t size = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
  const unsigned long num = argc > 2 ? strtoul(argv[2], NULL, 10) : 8;
  const bool is_many = strcmp(kind, "many") == 0;
  if (size == 0 || num == 0 || (num > BIGCAP_CONNS_MAX && !is_many)) {
    usage();
  }
  for (size_t i = 0; i < sizeof(b.payload); i++) {
    b.payload[i] = (uint8_t)(i % 251);
  }
  file_header(&b);
  if (is_many) {
    many(&b, conns, num);
  } else {
    few(&b, conns, num, size, kind);
  }
  return fflush(stdout) == 0 ? 0 : 1;
}
