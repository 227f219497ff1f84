/* SPDX-License-Identifier: BSD-2-Clause */
/* FPDUs of data messages that an observer hands out without an event. */
#include <iwarp/crc32c.h>

#include "../base/span.h"
#include "observer_priv.h"

/* ULPDU_Length, then the DDP control octet, that of RDMAP and what follows them. RFC 5041 4.1, 4.2
 */
#define FPDU_AT_CONTROL IWARP_MPA_LENGTH_LEN
#define FPDU_AT_OPCODE (FPDU_AT_CONTROL + 1u)
#define FPDU_AT_FIELDS (FPDU_AT_CONTROL + 2u)
#define FPDU_OPCODE 0x0Fu

/* Whether the stream is one whose FPDUs are known by their place, and checked by their CRCs. */
static bool fpdu_settled(const iwarp_observer *observer) {
  const iwarp_rx *rx = &observer->rx[observer->cur];
  return observer->stream[observer->cur].phase == OBSERVER_FULL && rx->sync == IWARP_SYNC_STARTUP &&
         rx->crc == IWARP_TRISTATE_ON && !rx->refuses;
}

/* Whether all that was pushed was taken, and nothing comes after it. */
static bool fpdu_none_left(const iwarp_rx *rx) {
  return rx->state == RX_SYNC && rx->num_buf + rx->in.len == 0 && !iwarpi_rx_over(rx);
}

/* Finds out whether the stream is plain. END: nothing is left. STATE: it is not. */
static iwarp_err fpdu_plain(iwarp_observer *observer) {
  iwarp_rx *rx = &observer->rx[observer->cur];
  iwarpi_rx_release(rx);
  if (!fpdu_settled(observer)) {
    return IWARP_ERR_STATE;
  }
  if (fpdu_none_left(rx)) {
    return IWARP_ERR_END;
  }
  observer->stream[observer->cur].plain = rx->in.len > 0 && iwarpi_rx_plain(rx);
  return observer->stream[observer->cur].plain ? IWARP_OK : IWARP_ERR_STATE;
}

/* The header of a segment whose version and reserved bits are known to be right. */
static void fpdu_header(iwarp_observer_fpdu *out, iwarp_span wire) {
  const uint8_t control = span_u8(wire, FPDU_AT_CONTROL);
  const uint8_t rsvdulp = span_u8(wire, FPDU_AT_OPCODE);
  const uint32_t first = span_be32(wire, FPDU_AT_FIELDS);
  const bool tagged = (control & IWARP_DDP_CTRL_T) != 0;
  iwarp_ddp_hdr *h = &out->ddp; /* set in place: what is put together in parts is slow to copy */
  h->tagged = tagged;
  h->last = (control & IWARP_DDP_CTRL_L) != 0;
  h->rsvd = 0;
  h->dv = IWARP_DDP_VERSION;
  h->rsvdulp = rsvdulp;
  h->stag = tagged ? first : 0;
  h->to = 0;
  h->rsvdulp_word = tagged ? 0 : first;
  h->qn = h->msn = h->mo = 0;
  if (tagged) {
    h->to =
        (uint64_t)span_be32(wire, FPDU_AT_FIELDS + 4u) << 32 | span_be32(wire, FPDU_AT_FIELDS + 8u);
  } else {
    h->qn = span_be32(wire, FPDU_AT_FIELDS + 4u);
    h->msn = span_be32(wire, FPDU_AT_FIELDS + 8u);
    h->mo = span_be32(wire, FPDU_AT_FIELDS + 12u);
  }
  out->opcode = rsvdulp & FPDU_OPCODE;
}

static void fpdu_fill(const iwarp_rx *rx, iwarp_observer_fpdu *out, iwarp_span wire) {
  const uint16_t length = span_be16(wire, 0);
  fpdu_header(out, wire);
  out->side = rx->side;
  out->ulpdu_length = length;
  out->pad = (uint32_t)(wire.len - IWARP_MPA_CRC_LEN - IWARP_MPA_LENGTH_LEN - length);
  out->pos = rx->pos;
  out->offset = rx->pos - rx->base;
  out->payload_len = length - (out->ddp.tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN);
  out->wire = wire;
  out->meta = rx->in_meta;
  out->meta.segment_start = (rx->in_meta.segment_start & rx->in_start) != 0;
}

/* The next FPDU of a stream that is plain. */
static iwarp_err fpdu_show(const iwarp_rx *rx, iwarp_observer_fpdu *out) {
  if (rx->in.len == 0) {
    return IWARP_ERR_END;
  }
  const size_t len = iwarpi_rx_data_fpdu(rx);
  if (len == 0) {
    return IWARP_ERR_STATE;
  }
  fpdu_fill(rx, out, span_first(rx->in, len));
  return IWARP_OK;
}

iwarp_err iwarp_observer_next_fpdu(iwarp_observer *observer, iwarp_observer_fpdu *out) {
  if (observer == NULL || out == NULL) {
    return IWARP_ERR_ARG;
  }
  iwarp_rx *rx = &observer->rx[observer->cur];
  iwarp_err err = observer->stream[observer->cur].plain ? IWARP_OK : fpdu_plain(observer);
  err = err == IWARP_OK ? fpdu_show(rx, out) : err;
  rx->busy = rx->busy && err != IWARP_ERR_END;
  return err;
}

bool iwarp_observer_take_fpdu(iwarp_observer *observer, const iwarp_observer_fpdu *fpdu) {
  if (observer == NULL || fpdu == NULL) {
    return false;
  }
  iwarp_rx *rx = &observer->rx[observer->cur];
  const bool next = rx->release == 0 && fpdu->pos == rx->pos && fpdu->wire.ptr == rx->in.ptr;
  if (!next || iwarp_crc32c(0, fpdu->wire.ptr, fpdu->wire.len) != IWARP_CRC32C_RESIDUE) {
    return false;
  }
  iwarpi_rx_consume_input(rx, fpdu->wire.len);
  rx->good_run += fpdu->wire.len;
  rx->busy = rx->in.len > 0;
  observer->info.side[observer->cur].num_fpdus++;
  return true;
}
