/* SPDX-License-Identifier: BSD-2-Clause */
/* FPDUs of data messages that an observer hands out without an event. */
#include <iwarp/crc32c.h>

#include "../base/noinline.h"
#include "../base/span.h"
#include "../rx/data_fpdu.h"
#include "state.h"

/* Octets before the fields of the headers: ULPDU_Length, the DDP control octet and the RDMAP
 * control octet. RFC 5041 4.1, 4.2
 */
#define FPDU_AT_FIELDS (IWARP_MPA_LENGTH_LEN + 2u)

/* Returns true if FPDUs of the stream are found by their place alone, and their CRCs prove them or
 * are not in use. */
static bool fpdu_settled(const iwarp_observer *observer, uint8_t side) {
  const iwarp_rx *rx = &observer->rx[side];
  const bool unchecked = rx->crc == IWARP_TRISTATE_OFF;
  return observer->stream[side].phase == OBSERVER_FULL && rx->sync == IWARP_SYNC_STARTUP &&
         rx->crc != IWARP_TRISTATE_UNKNOWN &&
         unchecked == (observer->info.crc == IWARP_TRISTATE_OFF) && !rx->refuses;
}

/* Returns true if all pushed octets were taken, and neither a gap nor the end follows them. */
static bool fpdu_none_left(const iwarp_rx *rx) {
  return rx->state == RX_SYNC && rx->num_buf + rx->in.len == 0 && !iwarpi_rx_over(rx);
}

/* The octets of a side that wait for the rest of their FPDU. */
typedef struct fpdu_ahead {
  iwarp_span have; /* octets of that FPDU that were pushed */
  uint64_t off;    /* stream offset of that FPDU */
  bool markers;
} fpdu_ahead;

/* Finds the FPDU that the next octets of the side belong to. False: its place or its Markers are
 * not known, CRCs are not in use, or events are left. After a startup frame, which ends where the
 * first FPDU begins, no octet waits. */
static bool fpdu_ahead_of(fpdu_ahead *out, const iwarp_observer *observer, uint8_t side) {
  const iwarp_rx *rx = &observer->rx[side];
  const bool ready = observer->stream[side].phase == OBSERVER_READY;
  const bool full = fpdu_settled(observer, side) && rx->state == RX_SYNC;
  const iwarp_tristate markers = ready ? observer->info.side[side].markers : rx->markers;
  *out = (fpdu_ahead){.have = iwarpi_rx_buffered(rx),
                      .off = ready ? 0 : rx->pos - rx->base,
                      .markers = markers == IWARP_TRISTATE_ON};
  return (ready || full) && !observer->rx[observer->cur].busy &&
         observer->info.crc == IWARP_TRISTATE_ON && markers != IWARP_TRISTATE_UNKNOWN;
}

/* Octets on the wire of the first FPDU, which goes on with `in`; 0: not known yet. */
static size_t fpdu_ahead_len(const fpdu_ahead *a, iwarp_span in) {
  uint8_t head[IWARP_MPA_MARKER_LEN + IWARP_MPA_LENGTH_LEN];
  const uint32_t lead = iwarp_mpa_layout_of(a->off, 0, a->markers).lead;
  const size_t want = lead + IWARP_MPA_LENGTH_LEN;
  size_t num = 0;
  for (; num < want && num < a->have.len; num++) {
    head[num] = span_u8(a->have, num);
  }
  for (size_t i = 0; num < want && i < in.len; i++) {
    head[num++] = span_u8(in, i);
  }
  const iwarp_span all = {head, num};
  return num < want ? 0 : iwarp_mpa_layout_of(a->off, span_be16(all, lead), a->markers).wire_len;
}

size_t iwarp_observer_wrong(const iwarp_observer *observer, uint8_t side, iwarp_span in) {
  fpdu_ahead a;
  if (observer == NULL || side > 1 || !fpdu_ahead_of(&a, observer, side)) {
    return 0;
  }
  while (in.len > 0) {
    const size_t len = fpdu_ahead_len(&a, in);
    if (len <= a.have.len || len - a.have.len > in.len) {
      return 0;
    }
    const size_t rest = len - a.have.len;
    if (iwarp_crc32c(iwarp_crc32c(0, a.have.ptr, a.have.len), in.ptr, rest) !=
        IWARP_CRC32C_RESIDUE) {
      return in.len;
    }
    a.have.len = 0;
    a.off += len;
    in = span_from(in, rest);
  }
  return 0;
}

/* Enters the fast path if the next octets allow it. END: nothing is left. STATE: they do not. */
static iwarp_err fpdu_enter_fast_path(iwarp_observer *observer) {
  iwarp_rx *rx = &observer->rx[observer->cur];
  iwarpi_rx_release(rx);
  if (!fpdu_settled(observer, observer->cur)) {
    return IWARP_ERR_STATE;
  }
  if (fpdu_none_left(rx)) {
    return IWARP_ERR_END;
  }
  observer->stream[observer->cur].fast_path = rx->in.len > 0 && iwarpi_rx_fast_path(rx);
  return observer->stream[observer->cur].fast_path ? IWARP_OK : IWARP_ERR_STATE;
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

/* The FPDU that `in` begins with, the next octets of a stream on the fast path; all but what is
 * known of the packet. */
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
  iwarp_err err =
      observer->stream[observer->cur].fast_path ? IWARP_OK : fpdu_enter_fast_path(observer);
  err = err == IWARP_OK ? fpdu_show(rx, rx->in, out) : err;
  if (err == IWARP_OK) {
    out->meta = rx->in_meta;
    out->meta.segment_start = (rx->in_meta.segment_start & rx->in_start) != 0;
  }
  if (err == IWARP_ERR_END) {
    iwarpi_rx_end_steps(rx, STEP_IDLE);
  }
  return err;
}

IWARPI_NOINLINE iwarp_err iwarp_observer_peek_fpdu(const iwarp_observer *observer, uint8_t side,
                                                   iwarp_span in, iwarp_observer_fpdu *out) {
  if (observer == NULL || out == NULL || side > 1) {
    return IWARP_ERR_ARG;
  }
  const iwarp_rx *rx = &observer->rx[side];
  return observer->stream[side].fast_path && !rx->busy ? fpdu_show(rx, in, out) : IWARP_ERR_STATE;
}

/* Returns true if the FPDU is the next one, in pushed octets or in octets that were not pushed. */
static bool fpdu_is_next(const iwarp_rx *rx, const iwarp_observer_fpdu *fpdu) {
  return fpdu->pos == rx->pos && rx->release == 0 &&
         (rx->in.len == 0 || fpdu->wire.ptr == rx->in.ptr);
}

/* Returns true if the CRC is right, or CRCs are not in use. */
static bool fpdu_crc_good(const iwarp_rx *rx, iwarp_span wire) {
  return rx->crc == IWARP_TRISTATE_OFF ||
         iwarp_crc32c(0, wire.ptr, wire.len) == IWARP_CRC32C_RESIDUE;
}

bool iwarp_observer_take_fpdu(iwarp_observer *observer, const iwarp_observer_fpdu *fpdu) {
  if (observer == NULL || fpdu == NULL || fpdu->side > 1) {
    return false;
  }
  iwarp_rx *rx = &observer->rx[fpdu->side];
  if (!fpdu_is_next(rx, fpdu) || !fpdu_crc_good(rx, fpdu->wire)) {
    return false;
  }
  iwarpi_rx_step_over(rx, fpdu->wire.len);
  iwarp_observer_side *known = &observer->info.side[rx->side];
  known->num_fpdus++;
  if (known->pushed_end < rx->pos) { /* these octets were not pushed */
    known->pushed_end = rx->pos;
  }
  return true;
}
