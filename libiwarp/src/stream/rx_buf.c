/* SPDX-License-Identifier: BSD-2-Clause */
/* The buffer of a receive engine, and which packet supplied which of its octets. */
#include <string.h>

#include "../base/span.h"
#include "rx_priv.h"

iwarp_span iwarpi_rx_buffered(const iwarp_rx *rx) {
  return span_part((iwarp_span){rx->buf, sizeof(rx->buf)}, rx->buf_off, rx->num_buf);
}

void iwarpi_rx_later(iwarp_meta *latest, const iwarp_meta *m) {
  if (m->packet > latest->packet) {
    *latest = *m;
  }
}

/* Notes that the octets about to be buffered came with the current push. When the list is full the newest entry is
 * stretched: it keeps the later of both packets. */
static void rx_buf_note(iwarp_rx *rx) {
  rx_chunk *c = rx->chunks;
  if (rx->num_chunks == RX_NUM_CHUNKS) {
    iwarpi_rx_later(&c[RX_NUM_CHUNKS - 1].meta, &rx->in_meta);
    return;
  }
  c[rx->num_chunks].pos = rx->pos + rx->num_buf;
  c[rx->num_chunks].meta = rx->in_meta;
  c[rx->num_chunks].meta.segment_start = rx->in_meta.segment_start && rx->in_start;
  rx->num_chunks++;
}

void iwarpi_rx_take(iwarp_rx *rx, size_t n) {
  if (n == 0) {
    return;
  }
  if (rx->buf_off + rx->num_buf + n > RX_BUF_LEN) {
    memmove(rx->buf, &rx->buf[rx->buf_off], rx->num_buf);
    rx->buf_off = 0;
  }
  rx_buf_note(rx);
  memcpy(&rx->buf[rx->buf_off + rx->num_buf], rx->in.ptr, n);
  rx->num_buf += n;
  rx->in = span_from(rx->in, n);
  rx->in_start = false;
}

void iwarpi_rx_drop(iwarp_rx *rx, size_t n) {
  size_t gone = 0;
  rx->pos += n;
  rx->num_buf -= n;
  rx->buf_off = rx->num_buf > 0 ? rx->buf_off + n : 0;
  while (gone < rx->num_chunks &&
         (rx->num_buf == 0 || (gone + 1 < rx->num_chunks && rx->chunks[gone + 1].pos <= rx->pos))) {
    gone++;
  }
  rx->num_chunks -= gone;
  memmove(rx->chunks, &rx->chunks[gone], rx->num_chunks * sizeof(rx->chunks[0]));
  if (n > 0 && rx->num_chunks > 0 && rx->chunks[0].pos < rx->pos) {
    rx->chunks[0].pos = rx->pos;
    rx->chunks[0].meta.segment_start = false;
  }
}

void iwarpi_rx_metas(const iwarp_rx *rx, size_t off, size_t len, iwarp_meta *first,
                     iwarp_meta *last) {
  const uint64_t from = rx->pos + off;
  bool found = false;
  for (size_t i = 0; i < rx->num_chunks && rx->chunks[i].pos < from + len; i++) {
    if (i + 1 < rx->num_chunks && rx->chunks[i + 1].pos <= from) {
      continue;
    }
    if (!found) {
      *first = rx->chunks[i].meta;
      first->segment_start = first->segment_start && rx->chunks[i].pos == from;
      *last = *first;
      found = true;
    }
    iwarpi_rx_later(last, &rx->chunks[i].meta);
  }
  if (off + len > rx->num_buf) {
    if (!found) {
      *first = rx->in_meta;
      first->segment_start = rx->in_meta.segment_start && rx->in_start && off == rx->num_buf;
      *last = *first;
    }
    iwarpi_rx_later(last, &rx->in_meta);
  }
}

bool iwarpi_rx_segment_starts(const iwarp_rx *rx, size_t off) {
  for (size_t i = 0; i < rx->num_chunks; i++) {
    if (rx->chunks[i].pos == rx->pos + off) {
      return rx->chunks[i].meta.segment_start;
    }
  }
  return false;
}
