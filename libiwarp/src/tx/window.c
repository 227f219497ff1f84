/* SPDX-License-Identifier: BSD-2-Clause */
/* Transmit engine: the memory of the FPDUs that were made and not taken, and of their framing. */
#include "state.h"

static size_t window_fpdus(uint32_t max_fpdus) {
  return sizeof(tx_fpdu) * max_fpdus;
}

/* iwarpi_tx_window_size returns the bytes for both. */
size_t iwarpi_tx_window_size(uint32_t max_fpdus, uint32_t framing_cap) {
  return window_fpdus(max_fpdus) + framing_cap;
}

/* iwarpi_tx_window_set gives the engine `block` for them; NULL: it has none. */
void iwarpi_tx_window_set(iwarp_tx *tx, void *block) {
  tx->fpdus = block;
  tx->framing = block != NULL ? (uint8_t *)block + window_fpdus(tx->max_fpdus) : NULL;
}

/* iwarpi_tx_window_reserve sees to it that there is memory; false: the pool has none now. */
bool iwarpi_tx_window_reserve(iwarp_tx *tx) {
  if (tx->fpdus == NULL) {
    const size_t size = iwarpi_tx_window_size(tx->max_fpdus, tx->framing_cap);
    iwarpi_tx_window_set(tx, tx->pool->get(tx->pool->ctx, size));
  }
  return tx->fpdus != NULL;
}

static void window_put(iwarp_tx *tx) {
  if (tx->pool != NULL && tx->fpdus != NULL) {
    const size_t size = iwarpi_tx_window_size(tx->max_fpdus, tx->framing_cap);
    tx->pool->put(tx->pool->ctx, tx->fpdus, size);
    iwarpi_tx_window_set(tx, NULL);
  }
}

/* iwarpi_tx_forget drops the FPDUs that were made. Their memory goes back to the pool, unless the
 * transport may still read octets that were handed out. */
void iwarpi_tx_forget(iwarp_tx *tx) {
  const bool lent = tx->offered > 0;
  tx->walk = (tx_walk){0};
  tx->first_fpdu = 0;
  tx->num_fpdus = 0;
  tx->framing_end = 0;
  tx->offered = 0;
  if (!lent) {
    window_put(tx);
  }
}

void iwarp_tx_release(iwarp_tx *tx) {
  iwarpi_tx_forget(tx);
  window_put(tx);
}
