/* SPDX-License-Identifier: BSD-2-Clause */
/* What endpoints take of memory, alone and with regions and receive buffers that they share. */
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

/* The table of the guide says how many KiB suffice; a pointer of 32 bits makes it fewer. */
static void row(const char *what, size_t size, size_t kib) {
  if (size == 0 || size > kib * 1024 || (sizeof(void *) == 8 && size <= (kib - 1) * 1024)) {
    fprintf(stderr, "sizes: %s: %zu octets are not %zu KiB\n", what, size, kib);
    exit(EXIT_FAILURE);
  }
  printf("%-60s %3zu KiB\n", what, kib);
}

int main(void) {
  iwarp_endpoint_cfg cfg = {.size = sizeof cfg,
                            .role = IWARP_ROLE_RESPONDER,
                            .emss = 1460,
                            .max_ulpdu = 1460,
                            .num_sends = 8};
  row("an endpoint: EMSS 1460, ULPDUs of 1460 octets, 8 operations", iwarp_endpoint_size(&cfg), 11);
  cfg.ird = 8;
  cfg.num_recvs = 8;
  cfg.num_regions = 8;
  row("8 Reads of the peer, 8 receive buffers, 8 regions more", iwarp_endpoint_size(&cfg), 13);
  cfg.max_ulpdu = 0;
  row("max_ulpdu by default", iwarp_endpoint_size(&cfg), 21);
  cfg.max_ulpdu = 65535;
  row("ULPDUs of 65535 octets", iwarp_endpoint_size(&cfg), 76);
  cfg.max_ulpdu = 1460;
  cfg.num_recvs = 0;
  cfg.num_regions = 0;
  share(&cfg);
  row("the second one with shared regions and receive buffers", iwarp_endpoint_size(&cfg), 13);
  row("1024 shared regions", iwarp_regions_size(SHARED), 57);
  row("1024 shared receive buffers", iwarp_srq_size(SHARED), 41);
  free(cfg.regions);
  free(cfg.srq);
  return EXIT_SUCCESS;
}
