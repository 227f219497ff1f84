/* SPDX-License-Identifier: BSD-2-Clause */
/* Transmit engine: the messages, from the moment they are given to their end. RFC 5040 5, RFC 7306
 * 5 and 6. */
#include <string.h>

#include "../base/mem.h"
#include "../base/minmax.h"
#include "for_endpoint.h"
#include "state.h"

/* ---- beginning and end ---- */

static bool tx_cfg_ok(const iwarp_tx_cfg *cfg) {
  return cfg != NULL && cfg->size == sizeof(*cfg) && cfg->emss != 0 && cfg->num_messages != 0 &&
         cfg->num_messages <= IWARP_TX_MESSAGES_MAX && cfg->num_fpdus <= IWARP_TX_FPDUS_MAX;
}

static uint32_t tx_max_fpdus(const iwarp_tx_cfg *cfg) {
  return cfg->num_fpdus != 0 ? cfg->num_fpdus : TX_FPDUS_DEFAULT;
}

static uint32_t tx_framing_cap(const iwarp_tx_cfg *cfg) {
  return TX_FRAMING_LARGEST + TX_FRAMING_USUAL * tx_max_fpdus(cfg);
}

/* The begin of the FPDUs in the memory of an engine without a pool: after its messages. */
static size_t tx_window_at(const iwarp_tx_cfg *cfg) {
  return sizeof(iwarp_tx) + sizeof(tx_msg) * ((size_t)cfg->num_messages + 1u);
}

size_t iwarp_tx_size(const iwarp_tx_cfg *cfg) {
  if (!tx_cfg_ok(cfg)) {
    return 0;
  }
  return tx_window_at(cfg) +
         (cfg->pool == NULL ? iwarpi_tx_window_size(tx_max_fpdus(cfg), tx_framing_cap(cfg)) : 0);
}

static void tx_setup(iwarp_tx *tx, const iwarp_tx_cfg *cfg) {
  static const tx_list none = {.head = TX_NONE};
  memset(tx, 0, sizeof(*tx));
  tx->markers = cfg->markers;
  tx->crc = cfg->crc;
  tx->pack = cfg->pack;
  tx->version = cfg->rdmac ? 0 : (uint8_t)IWARP_DDP_VERSION;
  tx->num_messages = cfg->num_messages;
  tx->max_fpdus = tx_max_fpdus(cfg);
  tx->framing_cap = tx_framing_cap(cfg);
  tx->pool = cfg->pool;
  iwarpi_tx_window_set(tx, cfg->pool == NULL ? (uint8_t *)tx + tx_window_at(cfg) : NULL);
  for (size_t qn = 0; qn < sizeof tx->msn / sizeof tx->msn[0]; qn++) {
    tx->msn[qn] = cfg->first_msn[qn] != 0 ? cfg->first_msn[qn] : 1;
  }
  for (size_t line = 0; line < TX_NUM_LINES; line++) {
    tx->lines[line] = none;
  }
  tx->line = TX_LINE_RESPONSES;
  tx->done = none;
  tx->free = none;
  for (uint32_t msg = 0; msg < cfg->num_messages; msg++) {
    iwarpi_tx_push(tx, &tx->free, msg);
  }
  iwarp_tx_set_emss(tx, cfg->emss);
}

iwarp_err iwarp_tx_init(iwarp_tx **out, void *mem, size_t mem_len, const iwarp_tx_cfg *cfg) {
  const iwarp_err err = mem_error(out, mem, mem_len, iwarp_tx_size(cfg));
  if (err != IWARP_OK) {
    return err;
  }
  *out = mem;
  tx_setup(*out, cfg);
  return IWARP_OK;
}

void iwarp_tx_set_emss(iwarp_tx *tx, uint32_t emss) {
  tx->emss = emss;
  tx->mulpdu = iwarp_mpa_mulpdu(emss, tx->markers);
}

uint32_t iwarp_tx_mulpdu(const iwarp_tx *tx) {
  return tx->mulpdu;
}

iwarp_err iwarp_tx_next_result(iwarp_tx *tx, iwarp_tx_result *out) {
  uint32_t msg = iwarpi_tx_pop(tx, &tx->done);
  if (msg == TX_NONE) {
    return IWARP_ERR_END;
  }
  *out = (iwarp_tx_result){.token = tx->msgs[msg].token, .err = tx->msgs[msg].err};
  iwarpi_tx_push(tx, &tx->free, msg);
  return IWARP_OK;
}

/*
 * iwarpi_tx_response_left returns true if FPDUs of the Response with `token` have still to be made.
 * `made` then is the number of octets of its payload in the FPDUs made so far.
 */
bool iwarpi_tx_response_left(uint32_t *made, const iwarp_tx *tx, uint64_t token) {
  uint32_t msg = tx->lines[TX_LINE_RESPONSES].head;
  while (msg != TX_NONE && tx->msgs[msg].token != token) {
    msg = tx->msgs[msg].next;
  }
  if (msg == TX_NONE) {
    return false;
  }
  *made = tx->msgs[msg].made;
  return true;
}

/*
 * iwarpi_tx_request_out returns true where all octets of the Request with `token` were handed out,
 * or taken already. A peer cannot answer it before. The Request is the oldest one that waits for a
 * Response, so it is the first one if it is still in line.
 */
bool iwarpi_tx_request_out(const iwarp_tx *tx, uint64_t token) {
  size_t end = 0;
  for (uint32_t i = 0; i < tx->num_fpdus; i++) {
    const tx_fpdu *f = tx_fpdu_at(tx, i);
    end += f->layout.wire_len - (i == 0 ? tx->walk.at : 0);
    if (tx->msgs[f->msg].token == token) {
      return end <= tx->offered;
    }
  }
  const uint32_t first = tx->lines[TX_LINE_REQUESTS].head;
  return first == TX_NONE || tx->msgs[first].token != token;
}

/* A Read Response under way stops after the FPDU that was made last, which is one of its own. RFC
 * 5040 7.1 */
static void tx_abandon_response(iwarp_tx *tx) {
  uint32_t msg = iwarpi_tx_pop(tx, &tx->lines[TX_LINE_RESPONSES]);
  tx->mid = false;
  if (tx->num_fpdus == 0) {
    iwarpi_tx_fail(tx, msg);
    return;
  }
  tx->msgs[msg].err = IWARP_ERR_FLUSHED;
  tx_fpdu_at(tx, tx->num_fpdus - 1)->ends = true;
}

/* Takes no more messages, and ends the messages that are not made. */
static void tx_close(iwarp_tx *tx) {
  tx->ending = true;
  tx->mid = false;
  for (tx_line line = TX_LINE_REQUESTS; line < TX_NUM_LINES; line++) {
    iwarpi_tx_fail_line(tx, line);
  }
}

void iwarp_tx_abort(iwarp_tx *tx) {
  for (uint32_t i = 0; i < tx->num_fpdus; i++) {
    const tx_fpdu *f = tx_fpdu_at(tx, i);
    if (f->ends) {
      tx->msgs[f->msg].err = IWARP_ERR_FLUSHED;
      iwarpi_tx_end(tx, f->msg);
    }
  }
  iwarpi_tx_forget(tx);
  tx_close(tx);
}

/* Ends a message whose last FPDU will not go out: with `now` where that is one of its own. */
static void tx_cut_message(iwarp_tx *tx, tx_fpdu *now, uint32_t msg) {
  tx->msgs[msg].err = IWARP_ERR_FLUSHED;
  if (msg == now->msg) {
    now->ends = true;
  } else {
    iwarpi_tx_end(tx, msg);
  }
}

/*
 * iwarpi_tx_cut is iwarp_tx_abort, but for the rest of an FPDU of which the transport has a part:
 * that still goes out, so that the stream ends where an FPDU does. RFC 5040 6.2.1
 */
void iwarpi_tx_cut(iwarp_tx *tx) {
  if (tx->walk.at == 0) {
    iwarp_tx_abort(tx);
    return;
  }
  tx_fpdu *now = tx_fpdu_at(tx, 0);
  const size_t left = now->layout.wire_len - tx->walk.at;
  for (uint32_t i = 1; i < tx->num_fpdus; i++) {
    const tx_fpdu *f = tx_fpdu_at(tx, i);
    if (f->ends) {
      tx_cut_message(tx, now, f->msg);
    }
  }
  if (!now->ends) { /* the message at the head of its line */
    tx_cut_message(tx, now, iwarpi_tx_pop(tx, &tx->lines[tx->line]));
  }
  tx->num_fpdus = 1;
  tx->offered = size_min(tx->offered, left);
  now->segment_end = true;
  tx_close(tx);
}

/* ---- messages ---- */

/* iwarpi_tx_next_msn returns the MSN that the next message with `opcode` gets; 0: a tagged one has
 * none. */
uint32_t iwarpi_tx_next_msn(const iwarp_tx *tx, uint8_t opcode) {
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(opcode);
  return op->tagged ? 0 : tx->msn[op->qn];
}

/* Takes the message; it gets its MSN now, so that a refused one uses none up. RFC 5041 4.3 */
static iwarp_err tx_take(iwarp_tx *tx, const tx_msg *v, tx_line line) {
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(v->opcode);
  if (tx->ending) {
    return IWARP_ERR_STATE;
  }
  uint32_t msg = line == TX_LINE_TERMINATE ? tx->num_messages : iwarpi_tx_pop(tx, &tx->free);
  if (msg == TX_NONE) {
    return IWARP_ERR_NOBUF;
  }
  tx->msgs[msg] = *v;
  if (!op->tagged) {
    tx->msgs[msg].msn = tx->msn[op->qn]++;
  }
  iwarpi_tx_push(tx, &tx->lines[line], msg);
  return IWARP_OK;
}

/* Adds the payload to the message; false when the payload is invalid or too long. */
static bool tx_gather(tx_msg *v, iwarp_tx_payload payload) {
  if (payload.parts == NULL && payload.num_parts > 0) {
    return false;
  }
  for (size_t i = 0; i < payload.num_parts; i++) {
    const iwarp_span *part = &payload.parts[i];
    if ((part->ptr == NULL && part->len > 0) || part->len > UINT32_MAX - v->len) {
      return false;
    }
    v->len += (uint32_t)part->len;
  }
  v->one = payload.num_parts == 1;
  if (v->one) { /* the caller need not keep the list of parts */
    v->u.part = payload.parts[0];
  } else {
    v->u.parts = payload.parts;
  }
  return true;
}

iwarp_err iwarp_tx_write(iwarp_tx *tx, uint64_t token, uint32_t stag, uint64_t to,
                         iwarp_tx_payload payload) {
  tx_msg v = {.token = token, .opcode = IWARP_RDMAP_OP_WRITE, .stag = stag, .to = to};
  if (!tx_gather(&v, payload)) {
    return IWARP_ERR_ARG;
  }
  return tx_take(tx, &v, TX_LINE_REQUESTS);
}

/* iwarpi_tx_is_send returns true where `opcode` is one of the Opcode field and of a Send type. */
bool iwarpi_tx_is_send(iwarp_rdmap_opcode opcode) {
  return (uint32_t)opcode <= IWARP_RDMAP_CTRL_OPCODE &&
         iwarp_rdmap_op_get((uint8_t)opcode)->cls == IWARP_RDMAP_CLASS_SEND;
}

iwarp_err iwarp_tx_send(iwarp_tx *tx, uint64_t token, iwarp_rdmap_opcode opcode,
                        uint32_t invalidate_stag, iwarp_tx_payload payload) {
  if (!iwarpi_tx_is_send(opcode)) {
    return IWARP_ERR_ARG;
  }
  tx_msg v = {.token = token, .opcode = (uint8_t)opcode, .stag = invalidate_stag};
  if ((invalidate_stag != 0 && !iwarp_rdmap_op_get(v.opcode)->invalidates) ||
      !tx_gather(&v, payload)) {
    return IWARP_ERR_ARG;
  }
  return tx_take(tx, &v, TX_LINE_REQUESTS);
}

iwarp_err iwarp_tx_read_resp(iwarp_tx *tx, uint64_t token, const iwarp_rdmap_read_req *req,
                             iwarp_tx_payload payload) {
  tx_msg v = {.token = token,
              .opcode = IWARP_RDMAP_OP_READ_RESP,
              .stag = req->sink_stag,
              .to = req->sink_to};
  if (!tx_gather(&v, payload) || v.len != req->size) {
    return IWARP_ERR_ARG;
  }
  return tx_take(tx, &v, TX_LINE_RESPONSES);
}

/* Takes a message that is all header, as an encoder has left it in v and returned its size and
 * success.
 */
static iwarp_err tx_take_header(iwarp_tx *tx, tx_msg *v, tx_line line, iwarp_err err, size_t len) {
  if (err != IWARP_OK) {
    return IWARP_ERR_ARG;
  }
  v->inner = true;
  v->len = (uint32_t)len;
  return tx_take(tx, v, line);
}

iwarp_err iwarp_tx_read_req(iwarp_tx *tx, uint64_t token, const iwarp_rdmap_read_req *req) {
  tx_msg v = {.token = token, .opcode = IWARP_RDMAP_OP_READ_REQ};
  size_t len;
  iwarp_err err = iwarp_rdmap_read_req_encode(v.u.octets, sizeof v.u.octets, &len, req);
  return tx_take_header(tx, &v, TX_LINE_REQUESTS, err, len);
}

iwarp_err iwarp_tx_immediate(iwarp_tx *tx, uint64_t token, bool solicited,
                             const uint8_t data[IWARP_RDMAP_IMMEDIATE_LEN]) {
  tx_msg v = {.token = token,
              .opcode = solicited ? IWARP_RDMAP_OP_IMMEDIATE_SE : IWARP_RDMAP_OP_IMMEDIATE};
  memcpy(v.u.octets, data, IWARP_RDMAP_IMMEDIATE_LEN);
  return tx_take_header(tx, &v, TX_LINE_REQUESTS, IWARP_OK, IWARP_RDMAP_IMMEDIATE_LEN);
}

iwarp_err iwarp_tx_atomic_req(iwarp_tx *tx, uint64_t token, const iwarp_rdmap_atomic_req *req) {
  tx_msg v = {.token = token, .opcode = IWARP_RDMAP_OP_ATOMIC_REQ};
  size_t len;
  iwarp_err err = iwarp_rdmap_atomic_req_encode(v.u.octets, sizeof v.u.octets, &len, req);
  return tx_take_header(tx, &v, TX_LINE_REQUESTS, err, len);
}

iwarp_err iwarp_tx_atomic_resp(iwarp_tx *tx, uint64_t token, const iwarp_rdmap_atomic_resp *resp) {
  tx_msg v = {.token = token, .opcode = IWARP_RDMAP_OP_ATOMIC_RESP};
  size_t len;
  iwarp_err err = iwarp_rdmap_atomic_resp_encode(v.u.octets, sizeof v.u.octets, &len, resp);
  return tx_take_header(tx, &v, TX_LINE_RESPONSES, err, len);
}

iwarp_err iwarp_tx_terminate(iwarp_tx *tx, uint64_t token, const iwarp_rdmap_term *term) {
  tx_msg v = {.token = token, .opcode = IWARP_RDMAP_OP_TERMINATE};
  size_t len = 0;
  iwarp_err err = iwarp_rdmap_term_encode(v.u.octets, sizeof v.u.octets, &len, term);
  err = tx_take_header(tx, &v, TX_LINE_TERMINATE, err, len);
  if (err != IWARP_OK) {
    return err;
  }
  tx->ending = true;
  if (tx->mid && tx->line == TX_LINE_RESPONSES) {
    tx_abandon_response(tx);
  }
  return IWARP_OK;
}
