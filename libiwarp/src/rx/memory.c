/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory of a receive engine: all of it after the engine, or from a pool as needed. */
#include <string.h>

#include "../base/mem.h"
#include "../base/minmax.h"
#include "state.h"

#define MEMORY_FIRST_BUF (RX_LEAST_BUF / 2u) /* octets of a first block */
#define MEMORY_FIRST_CHUNKS 8u

/* Two largest FPDUs; packets and holes in proportion. */
static rx_room memory_room(uint16_t max_ulpdu) {
  const uint64_t off = IWARP_MPA_MARKER_PERIOD - IWARP_MPA_MARKER_LEN; /* the most Markers */
  const size_t wire = iwarp_mpa_layout_of(off, max_ulpdu, true).wire_len + RX_NEXT_LEN;
  const size_t buf = size_max(size_min(2u * wire, RX_BUF_LEN), RX_LEAST_BUF);
  return (rx_room){.buf = buf,
                   .chunks = size_max(buf * RX_NUM_CHUNKS / RX_BUF_LEN, RX_LEAST_CHUNKS),
                   .holes = size_max(buf * RX_NUM_HOLES / RX_BUF_LEN, RX_LEAST_HOLES)};
}

static size_t memory_pieces(const rx_room *room) {
  return mem_up((room->holes + 1) * sizeof(rx_source));
}

static size_t memory_holed(const rx_room *room) {
  return memory_pieces(room) + mem_up(room->holes * sizeof(rx_gap));
}

static size_t memory_chunks(size_t num) {
  return mem_up(num * sizeof(rx_chunk));
}

static uint16_t memory_max_ulpdu(uint16_t max_ulpdu, const iwarp_pool *pool) {
  if (max_ulpdu != 0) {
    return max_ulpdu;
  }
  return pool != NULL ? UINT16_MAX : IWARP_RX_MAX_ULPDU;
}

/* Bytes of memory after the engine. */
size_t iwarpi_rx_area(uint16_t max_ulpdu, const iwarp_pool *pool) {
  const rx_room room = memory_room(memory_max_ulpdu(max_ulpdu, NULL));
  if (pool != NULL) {
    return 0;
  }
  return memory_chunks(room.chunks) + memory_holed(&room) + mem_up(room.buf);
}

static void memory_set_holed(iwarp_rx *rx, void *block) {
  rx->holed.piece = block;
  rx->holed.gaps = block != NULL ? (void *)((char *)block + memory_pieces(&rx->room)) : NULL;
}

/* `area`: iwarpi_rx_area bytes, or NULL where there is a pool. */
void iwarpi_rx_memory(iwarp_rx *rx, uint16_t max_ulpdu, const iwarp_pool *pool, void *area) {
  rx->max_ulpdu = memory_max_ulpdu(max_ulpdu, pool);
  rx->room = memory_room(rx->max_ulpdu);
  rx->pool = pool;
  if (pool == NULL) {
    char *at = area;
    rx->chunks = (void *)at;
    rx->chunk_cap = rx->room.chunks;
    at += memory_chunks(rx->room.chunks);
    memory_set_holed(rx, at);
    at += memory_holed(&rx->room);
    rx->buf = (void *)at;
    rx->buf_cap = rx->room.buf;
  }
}

/* Gives a block of the pool in place of an old one; `keep` bytes are copied. NULL: no memory. */
static void *memory_grow(const iwarp_rx *rx, void *old, size_t old_size, size_t size, size_t keep) {
  void *block = rx->pool->get(rx->pool->ctx, size);
  if (block != NULL && old != NULL) {
    memcpy(block, old, keep);
    rx->pool->put(rx->pool->ctx, old, old_size);
  }
  return block;
}

/* Room for the packets of the next octets, and a few octets more. */
static bool memory_reserve_chunks(iwarp_rx *rx) {
  if (rx->num_chunks + 2 <= rx->chunk_cap || rx->chunk_cap == rx->room.chunks) {
    return true;
  }
  const size_t cap = size_min(size_max(2 * rx->chunk_cap, MEMORY_FIRST_CHUNKS), rx->room.chunks);
  rx_chunk *chunks = memory_grow(rx, rx->chunks, memory_chunks(rx->chunk_cap), memory_chunks(cap),
                                 rx->num_chunks * sizeof(rx_chunk));
  if (chunks == NULL) {
    return false;
  }
  rx->chunks = chunks;
  rx->chunk_cap = cap;
  return true;
}

static bool memory_reserve_buf(iwarp_rx *rx, size_t octets) {
  size_t cap = size_max(rx->buf_cap, MEMORY_FIRST_BUF);
  if (octets <= rx->buf_cap) {
    return true;
  }
  while (cap < octets) {
    cap *= 2;
  }
  cap = size_min(cap, rx->room.buf);
  uint8_t *buf = memory_grow(rx, rx->buf, rx->buf_cap, cap, rx->buf_off + rx->num_buf);
  if (buf == NULL) {
    return false;
  }
  rx->buf = buf;
  rx->buf_cap = cap;
  return true;
}

/* Makes the buffer large enough for `octets`, which are no more than the room for it. False: the
 * pool has no memory. */
bool iwarpi_rx_reserve(iwarp_rx *rx, size_t octets) {
  return octets <= rx->num_buf || (memory_reserve_chunks(rx) && memory_reserve_buf(rx, octets));
}

/* Makes room to note holes. False: the pool has no memory. */
bool iwarpi_rx_reserve_holed(iwarp_rx *rx) {
  if (rx->holed.piece == NULL) {
    memory_set_holed(rx, rx->pool->get(rx->pool->ctx, memory_holed(&rx->room)));
  }
  return rx->holed.piece != NULL;
}

static void memory_put(const iwarp_rx *rx, void *block, size_t size) {
  if (block != NULL) {
    rx->pool->put(rx->pool->ctx, block, size);
  }
}

void iwarpi_rx_trim_holed(iwarp_rx *rx) {
  if (rx->pool != NULL) {
    memory_put(rx, rx->holed.piece, memory_holed(&rx->room));
    memory_set_holed(rx, NULL);
  }
}

static void memory_drop_buf(iwarp_rx *rx) {
  memory_put(rx, rx->buf, rx->buf_cap);
  rx->buf = NULL;
  rx->buf_cap = 0;
}

/* Returns all but a first block of the buffer, which is empty, to the pool. */
void iwarpi_rx_trim(iwarp_rx *rx) {
  if (rx->pool != NULL && rx->buf_cap > MEMORY_FIRST_BUF) {
    memory_drop_buf(rx);
  }
}

static void memory_drop(iwarp_rx *rx) {
  memory_drop_buf(rx);
  memory_put(rx, rx->chunks, memory_chunks(rx->chunk_cap));
  rx->chunks = NULL;
  rx->chunk_cap = 0;
}

/* Between two pushes, with a pool: gives back all of the buffer when nothing waits in it. */
void iwarpi_rx_trim_idle(iwarp_rx *rx) {
  if (rx->num_buf == 0) {
    memory_drop(rx);
    rx->buf_off = 0;
    rx->num_chunks = 0;
  }
}

void iwarp_rx_release(iwarp_rx *rx) {
  if (rx->pool != NULL) {
    memory_drop(rx);
    iwarpi_rx_trim_holed(rx);
  }
}
