/* SPDX-License-Identifier: BSD-2-Clause */
/* The octets that a receive engine has available, and their packets. */
#include <string.h>

#include <iwarp/crc32c.h>

#include "../base/minmax.h"
#include "../base/span.h"
#include "state.h"

iwarp_span iwarpi_rx_buffered(const iwarp_rx *rx) {
  return span_part((iwarp_span){rx->buf, rx->buf_cap}, rx->buf_off, rx->num_buf);
}

/* The octets at rx->pos that are contiguous in memory: the buffer's, or else the input's. */
iwarp_span iwarpi_rx_front(const iwarp_rx *rx) {
  return rx->num_buf > 0 ? iwarpi_rx_buffered(rx) : rx->in;
}

size_t iwarpi_rx_avail(const iwarp_rx *rx) {
  return rx->num_buf + rx->in.len;
}

/* Makes the first `n` octets, or as many as are available, contiguous. */
iwarp_span iwarpi_rx_contiguous(iwarp_rx *rx, size_t n) {
  if (rx->num_buf > 0 && rx->num_buf < n) {
    iwarpi_rx_take(rx, span_first(rx->in, n - rx->num_buf).len);
  }
  return span_first(iwarpi_rx_front(rx), n);
}

/* Copies `n` octets from the one `at` places after rx->pos on; they are available. */
void iwarpi_rx_peek(const iwarp_rx *rx, size_t at, uint8_t *out, size_t n) {
  const iwarp_span buf = iwarpi_rx_buffered(rx);
  for (size_t i = 0; i < n; i++) {
    out[i] = at + i < buf.len ? span_u8(buf, at + i) : span_u8(rx->in, at + i - buf.len);
  }
}

void iwarpi_rx_later(iwarp_meta *latest, const iwarp_meta *m) {
  const bool damaged = latest->damaged || m->damaged;
  const bool differ = (latest->differ | m->differ) != 0;
  if (m->packet > latest->packet) {
    *latest = *m;
  }
  latest->damaged = damaged;
  latest->differ = differ;
}

/* The meta of the first octet of the input. */
iwarp_meta iwarpi_rx_in_meta(const iwarp_rx *rx) {
  iwarp_meta m = rx->in_meta;
  m.segment_start = m.segment_start && rx->in_start;
  return m;
}

/*
 * Notes that the octets about to be buffered came with the current push. When the list is full its
 * newest entry is stretched: it keeps the later of both packets.
 */
static void rx_buf_note(iwarp_rx *rx) {
  const iwarp_meta m = iwarpi_rx_in_meta(rx);
  const size_t n = rx->num_chunks;
  if (n > 0 && rx->chunks[n - 1].meta.packet == m.packet && !m.segment_start) {
    return; /* more of the same packet */
  }
  if (n == rx->chunk_cap) {
    rx->limits |= rx->state == RX_SEARCH ? IWARP_LIMIT_PACKETS : 0;
    iwarpi_rx_later(&rx->chunks[n - 1].meta, &m);
    return;
  }
  rx->chunks[n] = (rx_chunk){.pos = rx->pos + rx->num_buf, .meta = m};
  rx->num_chunks++;
}

/* Moves `n` octets of the input to the buffer, for which there is room. */
void iwarpi_rx_take(iwarp_rx *rx, size_t n) {
  if (n == 0) {
    return;
  }
  if (rx->buf_off + rx->num_buf + n > rx->buf_cap) {
    memmove(rx->buf, &rx->buf[rx->buf_off], rx->num_buf);
    rx->buf_off = 0;
  }
  rx_buf_note(rx);
  memcpy(&rx->buf[rx->buf_off + rx->num_buf], rx->in.ptr, n);
  rx->num_buf += n;
  rx->in = span_from(rx->in, n);
  rx->in_start = false;
}

/* Forgets the packets whose octets have all left the buffer. */
static void rx_buf_forget(iwarp_rx *rx) {
  size_t gone = 0;
  while (gone < rx->num_chunks &&
         (rx->num_buf == 0 || (gone + 1 < rx->num_chunks && rx->chunks[gone + 1].pos <= rx->pos))) {
    gone++;
  }
  rx->num_chunks -= gone;
  memmove(rx->chunks, &rx->chunks[gone], rx->num_chunks * sizeof(rx->chunks[0]));
  if (rx->num_chunks > 0 && rx->chunks[0].pos < rx->pos) {
    rx->chunks[0].pos = rx->pos;
    rx->chunks[0].meta.segment_start = false;
  }
}

/*
 * Octets that may be summed up to find out whether an FPDU begins somewhere: at once, and for each
 * octet consumed. This bounds the work that hostile octets can cause, whatever they are. Places
 * that look like an FPDU have a credit of their own, which other places cannot use up.
 */
#define RX_CRC_CREDIT (8u * 1024u * 1024u)
#define RX_CRC_EACH 128u

/* Returns true if the CRC at the end of `wire` is right. False also when the credit is used up. */
bool iwarpi_rx_crc_right(iwarp_rx *rx, iwarp_span wire, rx_credit credit) {
  size_t *spent = &rx->crc_spent[credit];
  if (wire.len > RX_CRC_CREDIT - *spent) {
    iwarpi_rx_reach_limit(rx, IWARP_LIMIT_SEARCH);
    return false;
  }
  *spent += wire.len;
  return iwarp_crc32c(0, wire.ptr, wire.len) == IWARP_CRC32C_RESIDUE;
}

void iwarpi_rx_crc_repay(iwarp_rx *rx, size_t consumed) {
  for (size_t i = 0; i < RX_NUM_CREDITS; i++) {
    const size_t spent = rx->crc_spent[i];
    rx->crc_spent[i] -= consumed < spent / RX_CRC_EACH ? consumed * RX_CRC_EACH : spent;
  }
}

static void rx_buf_drop(iwarp_rx *rx, size_t n) {
  rx->pos += n;
  rx->num_buf -= n;
  rx->buf_off = rx->num_buf > 0 ? rx->buf_off + n : 0;
  rx_buf_forget(rx);
  if (rx->num_buf == 0) {
    iwarpi_rx_trim(rx);
  }
}

/* Steps over `n` octets that are available. */
void iwarpi_rx_consume(iwarp_rx *rx, size_t n) {
  const size_t buffered = size_min(n, rx->num_buf);
  if (buffered > 0) {
    iwarpi_rx_crc_pay(rx, buffered);
    rx_buf_drop(rx, buffered);
  }
  if (n > buffered) {
    iwarpi_rx_consume_input(rx, n - buffered);
  }
}

/* Steps over the octets that the last event borrowed. */
void iwarpi_rx_release(iwarp_rx *rx) {
  if (rx->release > 0) {
    iwarpi_rx_consume(rx, rx->release);
    rx->release = 0;
  }
}

/* The meta of the next octet; there is one. */
iwarp_meta iwarpi_rx_front_meta(const iwarp_rx *rx) {
  return rx->num_buf > 0 ? rx->chunks[0].meta : iwarpi_rx_in_meta(rx);
}

/* Finds the packets of the next `len` octets, which are contiguous; at least one octet. */
void iwarpi_rx_source(const iwarp_rx *rx, size_t len, iwarp_meta *first, iwarp_meta *last) {
  const iwarp_meta *front = rx->num_buf > 0 ? &rx->chunks[0].meta : &rx->in_meta;
  const bool starts = front->segment_start && (rx->num_buf > 0 || rx->in_start);
  *first = *front; /* both from `front`: octets just written in parts are slow to read as a whole */
  *last = *front;
  first->segment_start = starts;
  last->segment_start = starts;
  for (size_t i = 1; i < rx->num_chunks && rx->chunks[i].pos < rx->pos + len; i++) {
    iwarpi_rx_later(last, &rx->chunks[i].meta);
  }
}

/* The number of the next octets that came in the packet of the first octet, at least. */
size_t iwarpi_rx_of_packet(const iwarp_rx *rx) {
  return rx->num_chunks > 1 ? (size_t)(rx->chunks[1].pos - rx->pos) : iwarpi_rx_front(rx).len;
}

/* Returns true if a transport segment begins at buffer index `off`. */
bool iwarpi_rx_segment_starts(const iwarp_rx *rx, size_t off) {
  for (size_t i = 0; i < rx->num_chunks; i++) {
    if (rx->chunks[i].pos == rx->pos + off) {
      return rx->chunks[i].meta.segment_start;
    }
  }
  return false;
}
