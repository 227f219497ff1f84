/* SPDX-License-Identifier: BSD-2-Clause */
/* Transmit engine: its messages in lists, and their end. */
#include "state.h"

void iwarpi_tx_push(iwarp_tx *tx, tx_list *list, uint32_t msg) {
  tx->msgs[msg].next = TX_NONE;
  if (list->head == TX_NONE) {
    list->head = msg;
  } else {
    tx->msgs[list->tail].next = msg;
  }
  list->tail = msg;
}

/* iwarpi_tx_pop takes the first message off a list; TX_NONE: it is empty. */
uint32_t iwarpi_tx_pop(iwarp_tx *tx, tx_list *list) {
  uint32_t msg = list->head;
  if (msg != TX_NONE) {
    list->head = tx->msgs[msg].next;
  }
  return msg;
}

void iwarpi_tx_fail(iwarp_tx *tx, uint32_t msg) {
  tx->msgs[msg].err = IWARP_ERR_FLUSHED;
  iwarpi_tx_push(tx, &tx->done, msg);
}

void iwarpi_tx_fail_line(iwarp_tx *tx, tx_line line) {
  uint32_t msg;
  while ((msg = iwarpi_tx_pop(tx, &tx->lines[line])) != TX_NONE) {
    iwarpi_tx_fail(tx, msg);
  }
}

/* iwarpi_tx_end reports a message; with the Terminate everything ends that waited when it came. */
void iwarpi_tx_end(iwarp_tx *tx, uint32_t msg) {
  if (msg == tx->num_messages) {
    iwarpi_tx_fail_line(tx, TX_LINE_REQUESTS);
    iwarpi_tx_fail_line(tx, TX_LINE_RESPONSES);
  }
  iwarpi_tx_push(tx, &tx->done, msg);
}
