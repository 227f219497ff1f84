/* SPDX-License-Identifier: BSD-2-Clause */
/* A C++ program that knows only iwarp.h of the amalgamation. */
#include "iwarp.h"

#include <cstddef>
#include <cstring>

int main() {
  alignas(std::max_align_t) static unsigned char memory[IWARP_RX_SIZE];
  iwarp_rx_cfg cfg = {};
  cfg.size = sizeof cfg;
  iwarp_rx *rx = nullptr;
  bool ok = iwarp_rx_init(&rx, memory, sizeof memory, &cfg) == IWARP_OK;
  ok = ok && iwarp_crc32c(0, "123456789", 9) == 0xE3069283u; /* the check value of CRC32c */
  return ok && std::strcmp(iwarp_version(), IWARP_VERSION_STRING) == 0 ? 0 : 1;
}
