/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions of a transmit engine for the endpoint, beyond <iwarp/tx.h>. */
#ifndef IWARPI_TX_FOR_ENDPOINT_H
#define IWARPI_TX_FOR_ENDPOINT_H

#include <iwarp/tx.h>

bool iwarpi_tx_is_send(iwarp_rdmap_opcode opcode);
uint32_t iwarpi_tx_next_msn(const iwarp_tx *tx, uint8_t opcode);
void iwarpi_tx_cut(iwarp_tx *tx);
bool iwarpi_tx_request_out(const iwarp_tx *tx, uint64_t token);
bool iwarpi_tx_response_left(uint32_t *made, const iwarp_tx *tx, uint64_t token);

#endif
