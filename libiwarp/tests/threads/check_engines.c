/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Engines in many threads, each used by one: they share constants and the word that remembers what
 * the processor can do, nothing else. The gate runs this under ThreadSanitizer.
 */
#define _POSIX_C_SOURCE 200809L
#include <iwarp/crc32c.h>
#include <iwarp/event.h>
#include <iwarp/field.h>
#include <iwarp/observer.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_run.h"
#include "ep_host.h"

#define THREADS 8u
#define ROUNDS 6u
#define SINK 4096u   /* where each host's Reads and the peer's Writes go */
#define SOURCE 8192u /* and where they come from */
#define LEN 3000u
#define STAG 0x100u

static pthread_barrier_t gate; /* so that all begin with the first CRC at once */

/* Check's own assertions are not for threads. */
static void must(bool condition, const char *what) {
  if (!condition) {
    fprintf(stderr, "threads: %s\n", what);
    abort();
  }
}

static void watch(iwarp_observer *conn, uint8_t from, const uint8_t *octets, size_t n) {
  static const iwarp_meta meta = {.peer_pos = IWARP_POS_UNKNOWN};
  iwarp_event ev;
  must(iwarp_observer_push(conn, from, (iwarp_span){octets, n}, &meta) == IWARP_OK, "observer");
  while (iwarp_observer_next_event(conn, &ev) == IWARP_OK) {
    must(ev.kind == IWARP_EVENT_STARTUP ||
             (ev.kind == IWARP_EVENT_FPDU && ev.u.fpdu.crc == IWARP_CRC_GOOD),
         "an event of the observer");
  }
}

static bool carry(ep_host *h[2], unsigned from, iwarp_observer *conn) {
  uint8_t octets[4096];
  const size_t n = ep_host_pull(h[from], octets, sizeof octets);
  watch(conn, (uint8_t)from, octets, n);
  ep_host_push(h[1 - from], octets, n, 1000);
  return n > 0;
}

static void talk(ep_host *h[2], iwarp_observer *conn) {
  bool moved = true;
  while (moved) {
    ep_host_run(h[0]);
    ep_host_run(h[1]);
    moved = carry(h, 0, conn);
    moved = carry(h, 1, conn) || moved;
  }
}

static void join(ep_host *h[2], iwarp_observer *conn) {
  must(iwarp_endpoint_listen(h[1]->ep) == IWARP_OK, "listen");
  must(iwarp_endpoint_connect(h[0]->ep, (iwarp_span){0}) == IWARP_OK, "connect");
  talk(h, conn);
  must(iwarp_endpoint_accept(h[1]->ep, (iwarp_span){0}) == IWARP_OK, "accept");
  talk(h, conn);
  must(iwarp_endpoint_accept(h[0]->ep, (iwarp_span){0}) == IWARP_OK, "agreement");
  talk(h, conn);
}

static void operate(ep_host *a, ep_host *b, uint32_t seed) {
  for (uint32_t i = 0; i < LEN; i++) {
    a->mem[SOURCE + i] = (uint8_t)(seed + i * 7);
  }
  const iwarp_span part = {&a->mem[SOURCE], LEN};
  const iwarp_tx_payload payload = {&part, 1};
  const iwarp_rdmap_read_req read = {
      .sink_stag = STAG, .sink_to = 0, .size = LEN, .source_stag = STAG, .source_to = SINK};
  must(iwarp_endpoint_recv(b->ep, 1, &b->mem[0], LEN) == IWARP_OK, "a buffer");
  must(iwarp_endpoint_write(a->ep, 1, STAG, SINK, payload) == IWARP_OK, "Write");
  must(iwarp_endpoint_send(a->ep, 2, IWARP_RDMAP_OP_SEND, 0, payload) == IWARP_OK, "Send");
  must(iwarp_endpoint_read(a->ep, 3, &read) == IWARP_OK, "Read");
}

static void compare(const ep_host *a, const ep_host *b) {
  must(memcmp(&b->mem[SINK], &a->mem[SOURCE], LEN) == 0, "Write");
  must(memcmp(&b->mem[0], &a->mem[SOURCE], LEN) == 0, "Send");
  must(memcmp(&a->mem[0], &a->mem[SOURCE], LEN) == 0, "Read");
}

static ep_host *host(iwarp_role role, bool markers) {
  iwarp_endpoint_cfg cfg = ep_cfg(role);
  cfg.markers = markers;
  ep_host *h = ep_host_new(&cfg);
  const iwarp_endpoint_region region = {.stag = STAG,
                                        .pd = cfg.pd,
                                        .len = EP_HOST_MEM,
                                        .mem = h->mem,
                                        .access =
                                            IWARP_ACCESS_REMOTE_READ | IWARP_ACCESS_REMOTE_WRITE};
  must(iwarp_endpoint_register(h->ep, &region) == IWARP_OK, "a region");
  return h;
}

/* A connection with both ends and an observer. */
static void connection(uint32_t seed) {
  const bool markers = seed % 2 != 0;
  ep_host *h[2] = {host(IWARP_ROLE_INITIATOR, markers), host(IWARP_ROLE_RESPONDER, markers)};
  void *mem = malloc(IWARP_OBSERVER_SIZE);
  iwarp_observer *conn = NULL;
  const iwarp_observer_cfg cfg = {.size = sizeof cfg};
  must(mem != NULL && iwarp_observer_init(&conn, mem, IWARP_OBSERVER_SIZE, &cfg) == IWARP_OK,
       "observer");
  iwarp_observer_start(conn, 0, 0, true, 0);
  iwarp_observer_start(conn, 1, 0, true, 0);
  join(h, conn);
  operate(h[0], h[1], seed);
  talk(h, conn);
  compare(h[0], h[1]);
  ep_host_free(h[0]);
  ep_host_free(h[1]);
  free(mem);
}

/* The constants that threads share: names, tables of opcodes and fields. */
static void constants(void) {
  size_t octets = 0;
  for (uint8_t opcode = 0; opcode < 16; opcode++) {
    octets += strlen(iwarp_rdmap_op_get(opcode)->name);
  }
  octets += strlen(iwarp_strerror(IWARP_ERR_MPA_CRC)) + strlen(iwarp_crc32c_impl());
  must(octets > 0, "constants");
}

static void *work(void *seed) {
  static const uint8_t digits[] = "123456789";
  pthread_barrier_wait(&gate);
  must(iwarp_crc32c(0, digits, 9) == 0xE3069283u, "CRC");
  for (uint32_t i = 0; i < ROUNDS; i++) {
    connection(*(const uint32_t *)seed * ROUNDS + i);
    constants();
  }
  return NULL;
}

START_TEST(engines_of_one_thread_each)
{
  pthread_t threads[THREADS];
  uint32_t seeds[THREADS];
  ck_assert_int_eq(pthread_barrier_init(&gate, NULL, THREADS), 0);
  for (uint32_t i = 0; i < THREADS; i++) {
    seeds[i] = i;
    ck_assert_int_eq(pthread_create(&threads[i], NULL, work, &seeds[i]), 0);
  }
  for (uint32_t i = 0; i < THREADS; i++) {
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
  }
  pthread_barrier_destroy(&gate);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {engines_of_one_thread_each, NULL};
  return check_run(check_suite("threads", tests));
}
