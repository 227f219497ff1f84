/* SPDX-License-Identifier: BSD-2-Clause */
/* The send queue of an endpoint: operations of the ULP on their way to completion. */
#ifndef IWARPI_ENDPOINT_SQ_H
#define IWARPI_ENDPOINT_SQ_H

#include "state.h"

bool iwarpi_ep_op_waits(uint8_t opcode);
uint32_t iwarpi_ep_sq_num(const ep_sq *sq);
void iwarpi_ep_sq_push(ep_sq *sq, const ep_op *op);
void iwarpi_ep_sq_push_rtr(ep_sq *sq, uint8_t rtr);
void iwarpi_ep_sq_sent(ep_sq *sq, uint64_t slot, iwarp_err err);
const ep_op *iwarpi_ep_sq_awaited(const ep_sq *sq);
ep_op *iwarpi_ep_sq_awaited_request(ep_sq *sq);
bool iwarpi_ep_sq_can_be_answered(const ep_sq *sq, const ep_op *op);
const ep_op *iwarpi_ep_sq_issued(const ep_sq *sq, uint32_t i);
void iwarpi_ep_sq_response_complete(ep_sq *sq, ep_op *op);
void iwarpi_ep_sq_refuse(ep_sq *sq, const iwarp_ddp_hdr *hdr);
void iwarpi_ep_sq_fail_last_read(ep_sq *sq, uint8_t cause);
void iwarpi_ep_sq_fail_all(ep_sq *sq, uint8_t cause);
bool iwarpi_ep_sq_fail_waiting(ep_sq *sq, uint8_t cause);
bool iwarpi_ep_sq_done(ep_sq *sq, ep_op *out);

#endif
