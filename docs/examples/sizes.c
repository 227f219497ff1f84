/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory of endpoints: part by part, alone, with a pool, and with shared parts. */
#include <iwarp/shared.h>
#include <stdio.h>
#include <stdlib.h>

#define SHARED 1024u /* regions, and receive buffers */

static void must(iwarp_err err, const char *what) {
  if (err != IWARP_OK) {
    fprintf(stderr, "sizes: %s: %s\n", what, iwarp_strerror(err));
    exit(EXIT_FAILURE);
  }
}

/* One table of regions and one receive queue for all endpoints whose configuration names them. */
static void share(iwarp_endpoint_cfg *cfg) {
  size_t size = iwarp_regions_size(SHARED);
  must(iwarp_regions_init(&cfg->regions, malloc(size), size, SHARED), "regions");
  size = iwarp_srq_size(SHARED);
  must(iwarp_srq_init(&cfg->srq, malloc(size), size, SHARED, SHARED / 4), "a receive queue");
  static unsigned char inbox[4096];
  iwarp_endpoint_buffer buffer = {.user = inbox, .mem = inbox, .len = sizeof inbox};
  must(iwarp_srq_recv(cfg->srq, &buffer), "a buffer");
}

/* The table of the guide is of 64 bits; a pointer of 32 bits makes it fewer. */
static void check(const char *what, size_t size, size_t least, size_t most) {
  if (size == 0 || size > most || (sizeof(void *) == 8 && size < least)) {
    fprintf(stderr, "sizes: %s: %zu octets are not %zu to %zu\n", what, size, least, most);
    exit(EXIT_FAILURE);
  }
}

/* So many KiB suffice. */
static void row(const char *what, size_t size, size_t kib) {
  check(what, size, (kib - 1) * 1024 + 1, kib * 1024);
  printf("%-60s %4zu KiB\n", what, kib);
}

/* One thing more takes so many octets; `sixteen`: the size with 16 more of it. */
static void each(const char *what, size_t size, size_t sixteen, size_t octets) {
  check(what, (sixteen - size) / 16, octets, octets);
  printf("%-60s %4zu octets\n", what, octets);
}

/* Each thing that the configuration counts. */
static void parts(const iwarp_endpoint_cfg *cfg) {
  size_t size = iwarp_endpoint_size(cfg);
  iwarp_endpoint_cfg more = *cfg;
  more.num_sends += 16;
  each("an operation", size, iwarp_endpoint_size(&more), 232);
  more = *cfg;
  more.num_recvs += 16;
  each("a receive buffer", size, iwarp_endpoint_size(&more), 40);
  more = *cfg;
  more.num_regions += 16;
  each("a region", size, iwarp_endpoint_size(&more), 56);
  more = *cfg;
  more.ird += 16;
  each("a Read or Atomic Operation of the peer", size, iwarp_endpoint_size(&more), 224);
  more = *cfg;
  more.num_fpdus = 32 + 16;
  each("an FPDU that is being sent (num_fpdus)", size, iwarp_endpoint_size(&more), 124);
  more = *cfg;
  more.max_ulpdu += 16;
  each("an octet of max_ulpdu", size, iwarp_endpoint_size(&more), 1);
}

/* Memory that many endpoints take from, and the octets taken. */
static size_t taken;

static void *get(void *ctx, size_t size) {
  (void)ctx;
  taken += size;
  return malloc(size);
}

static void put(void *ctx, void *block, size_t size) {
  (void)ctx;
  taken -= size;
  free(block);
}

static const iwarp_pool pool = {.get = get, .put = put};

/* Prints an endpoint's share of a pool in its startup, and before and after it. */
static void startup(const iwarp_endpoint_cfg *cfg) {
  size_t size = iwarp_endpoint_size(cfg);
  void *memory = malloc(size);
  iwarp_endpoint *ep;
  iwarp_endpoint_event ev;
  iwarp_err err;
  must(iwarp_endpoint_init(&ep, memory, size, cfg), "an endpoint");
  check("of a pool before the startup", taken + 1, 1, 1);
  must(iwarp_endpoint_listen(ep), "a startup");
  row("of the pool during the startup", taken, 2);
  must(iwarp_endpoint_abort(ep), "an end");
  while ((err = iwarp_endpoint_next_event(ep, &ev)) == IWARP_OK) {
  }
  must(err == IWARP_ERR_END ? IWARP_OK : err, "an event");
  check("of a pool after the end", taken + 1, 1, 1);
  iwarp_endpoint_release(ep); /* wherever it is left, it gives back what it has */
  free(memory);
}

/* Returns the share of a pool from the first octet handed out until the last one was taken. */
static size_t window(void) {
  iwarp_tx_cfg cfg = {.size = sizeof cfg, .emss = 1460, .num_messages = 1};
  size_t size = iwarp_tx_size(&cfg);
  cfg.pool = &pool;
  return size - iwarp_tx_size(&cfg);
}

int main(void) {
  iwarp_endpoint_cfg cfg = {.size = sizeof cfg,
                            .role = IWARP_ROLE_RESPONDER,
                            .emss = 1460,
                            .max_ulpdu = 1460,
                            .ird = 1,
                            .num_sends = 8,
                            .num_recvs = 1};
  row("an endpoint: EMSS 1460, ULPDUs of 1460 octets, 8 operations", iwarp_endpoint_size(&cfg), 11);
  parts(&cfg);
  cfg.pool = &pool;
  row("the same endpoint with a pool", iwarp_endpoint_size(&cfg), 4);
  startup(&cfg);
  row("of the pool while octets wait for the transport", window(), 5);
  cfg.max_ulpdu = 65535;
  row("an endpoint with a pool, ULPDUs of 65535 octets", iwarp_endpoint_size(&cfg), 4);
  cfg.pool = NULL;
  row("the same without one", iwarp_endpoint_size(&cfg), 74);
  cfg.max_ulpdu = 0;
  row("max_ulpdu by default", iwarp_endpoint_size(&cfg), 19);
  cfg.max_ulpdu = 1460;
  share(&cfg);
  row("the first one with shared regions and receive buffers", iwarp_endpoint_size(&cfg), 11);
  row("1024 shared regions", iwarp_regions_size(SHARED), 57);
  row("1024 shared receive buffers", iwarp_srq_size(SHARED), 41);
  free(cfg.regions);
  free(cfg.srq);
  return EXIT_SUCCESS;
}
