/* SPDX-License-Identifier: BSD-2-Clause */
/* FPDUs of data messages that an observer hands out without an event. */
#include <iwarp/crc32c.h>

#include "../base/apart.h"
#include "../base/span.h"
#include "../rx/data_fpdu.h"
#include "state.h"

/* ULPDU_Length, then the DDP control octet, that of RDMAP and what follows them. RFC 5041 4.1, 4.2
 */
#define FPDU_AT_FIELDS (IWARP_MPA_LENGTH_LEN + 2u)

/* Whether the stream is one whose FPDUs are known by their place, and checked by their CRCs. */
static bool fpdu_settled(const iwarp_observer *observer, uint8_t side) {
  const iwarp_rx *rx = &observer->rx[side];
  return observer->stream[side].phase == OBSERVER_FULL && rx->sync == IWARP_SYNC_STARTUP &&
         rx->crc == IWARP_TRISTATE_ON && !rx->refuses;
}

/* Whether all that was pushed was taken, and nothing comes after it. */
static bool fpdu_none_left(const iwarp_rx *rx) {
  return rx->state == RX_SYNC && rx->num_buf + rx->in.len == 0 && !iwarpi_rx_over(rx);
}

bool iwarp_observer_at_fpdu(const iwarp_observer *observer, uint8_t side) {
  return observer != NULL && side <= 1 && fpdu_settled(observer, side) &&
         observer->rx[side].markers == IWARP_TRISTATE_OFF && fpdu_none_left(&observer->rx[side]);
}

/* Finds out whether the stream is plain. END: nothing is left. STATE: it is not. */
static iwarp_err fpdu_plain(iwarp_observer *observer) {
  iwarp_rx *rx = &observer->rx[observer->cur];
  iwarpi_rx_release(rx);
  if (!fpdu_settled(observer, observer->cur)) {
    return IWARP_ERR_STATE;
  }
  if (fpdu_none_left(rx)) {
    return IWARP_ERR_END;
  }
  observer->stream[observer->cur].plain = rx->in.len > 0 && iwarpi_rx_plain(rx);
  return observer->stream[observer->cur].plain ? IWARP_OK : IWARP_ERR_STATE;
}

/* The header of a segment whose version and reserved bits are known to be right. Members are set in
 * place: what is put together in parts is slow to copy. */
static inline void fpdu_header(iwarp_ddp_hdr *h, iwarp_span wire, uint32_t control) {
  const uint32_t first = span_be32(wire, FPDU_AT_FIELDS);
  const bool tagged = (control & RX_CONTROL_TAGGED) != 0;
  h->tagged = tagged;
  h->last = (control & RX_CONTROL_LAST) != 0;
  h->rsvd = 0;
  h->dv = IWARP_DDP_VERSION;
  h->rsvdulp = (uint8_t)control;
  h->stag = tagged ? first : 0;
  h->to = 0;
  h->rsvdulp_word = tagged ? 0 : first;
  h->qn = h->msn = h->mo = 0;
  if (tagged) {
    h->to = span_be64(wire, FPDU_AT_FIELDS + 4u);
  } else {
    h->qn = span_be32(wire, FPDU_AT_FIELDS + 4u);
    h->msn = span_be32(wire, FPDU_AT_FIELDS + 8u);
    h->mo = span_be32(wire, FPDU_AT_FIELDS + 12u);
  }
}

/* The FPDU that `in` begins with, the next octets of a stream that is plain; all but what is known
 * of the packet. */
static inline iwarp_err fpdu_show(const iwarp_rx *rx, iwarp_span in,
                                  iwarp_observer_fpdu *restrict out) {
  if (in.len < RX_DATA_MIN) {
    return in.len == 0 ? IWARP_ERR_END : IWARP_ERR_STATE;
  }
  const uint32_t length = span_be16(in, 0);
  const uint32_t control = span_be16(in, IWARP_MPA_LENGTH_LEN);
  const size_t len = rx_data_len(length);
  if (len > in.len || length > rx->max_ulpdu || !rx_data_control(control, length)) {
    return IWARP_ERR_STATE;
  }
  fpdu_header(&out->ddp, in, control);
  out->side = rx->side;
  out->opcode = (uint8_t)(control & RX_CONTROL_OPCODE);
  out->ulpdu_length = (uint16_t)length;
  out->pad = (uint32_t)len - IWARP_MPA_CRC_LEN - IWARP_MPA_LENGTH_LEN - length;
  out->pos = rx->pos;
  out->offset = rx->pos - rx->base;
  out->payload_len = length - rx_data_header(control);
  out->wire = (iwarp_span){in.ptr, len};
  return IWARP_OK;
}

iwarp_err iwarp_observer_next_fpdu(iwarp_observer *observer, iwarp_observer_fpdu *out) {
  if (observer == NULL || out == NULL) {
    return IWARP_ERR_ARG;
  }
  iwarp_rx *rx = &observer->rx[observer->cur];
  iwarp_err err = observer->stream[observer->cur].plain ? IWARP_OK : fpdu_plain(observer);
  err = err == IWARP_OK ? fpdu_show(rx, rx->in, out) : err;
  if (err == IWARP_OK) {
    out->meta = rx->in_meta;
    out->meta.segment_start = (rx->in_meta.segment_start & rx->in_start) != 0;
  }
  rx->busy = rx->busy && err != IWARP_ERR_END;
  return err;
}

IWARPI_APART iwarp_err iwarp_observer_peek_fpdu(const iwarp_observer *observer, uint8_t side,
                                                iwarp_span in, iwarp_observer_fpdu *out) {
  if (observer == NULL || out == NULL || side > 1) {
    return IWARP_ERR_ARG;
  }
  const iwarp_rx *rx = &observer->rx[side];
  return observer->stream[side].plain && !rx->busy ? fpdu_show(rx, in, out) : IWARP_ERR_STATE;
}

/* Whether the FPDU is the next one, of what was pushed or of what was not. */
static bool fpdu_is_next(const iwarp_rx *rx, const iwarp_observer_fpdu *fpdu) {
  return fpdu->pos == rx->pos && rx->release == 0 &&
         (rx->in.len == 0 || fpdu->wire.ptr == rx->in.ptr);
}

/* Steps over the FPDU. */
static void fpdu_step(iwarp_rx *rx, size_t len) {
  rx->good_run += len;
  if (rx->in.len > 0) {
    iwarpi_rx_consume_input(rx, len);
    rx->busy = rx->in.len > 0;
  } else {
    iwarpi_rx_crc_pay(rx, len);
    rx->pos += len;
  }
}

static bool fpdu_crc_good(iwarp_span wire) {
  return iwarp_crc32c(0, wire.ptr, wire.len) == IWARP_CRC32C_RESIDUE;
}

bool iwarp_observer_take_fpdu(iwarp_observer *observer, const iwarp_observer_fpdu *fpdu) {
  if (observer == NULL || fpdu == NULL || fpdu->side > 1) {
    return false;
  }
  iwarp_rx *rx = &observer->rx[fpdu->side];
  if (!fpdu_is_next(rx, fpdu) || !fpdu_crc_good(fpdu->wire)) {
    return false;
  }
  fpdu_step(rx, fpdu->wire.len);
  observer->info.side[rx->side].num_fpdus++;
  return true;
}
