/* SPDX-License-Identifier: BSD-2-Clause */
/* Which packet carries which octets, and which one delivers what they hold. */
#include <stdlib.h>
#include <string.h>

#include <memory/memory.h>

#include "state.h"

enum { STREAM_FIRST_ROOM = 8 };

uint64_t st_position(const st_octets *o, uint32_t seq) {
  const uint32_t ahead = seq - (uint32_t)o->high;
  return ahead < 0x80000000u ? o->high + ahead : o->high - (uint32_t)(0u - ahead);
}

/* ---- what is carried ---- */

/* The first range that ends at `pos` or after it. */
static size_t range_find(const st_octets *o, uint64_t pos) {
  size_t low = 0;
  size_t high = o->num_ranges;
  if (high > 0 && o->ranges[high - 1].from <= pos) {
    return pos <= o->ranges[high - 1].to ? high - 1 : high; /* the usual case */
  }
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (o->ranges[middle].to < pos) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/* Counts the lowest gap for good, as if it were carried. */
static void range_join_lowest(st_octets *o) {
  o->old_gaps++;
  o->old_gap_octets += o->ranges[1].from - o->ranges[0].to;
  o->ranges[1].from = o->ranges[0].from;
  o->num_ranges--;
  memmove(o->ranges, o->ranges + 1, o->num_ranges * sizeof *o->ranges);
}

static void range_prune(stats *s, st_octets *o) {
  while (o->num_ranges > 1 && o->high - o->ranges[0].to >= ST_SEQ_MAX &&
         o->high - o->ranges[1].from >= ST_SEQ_MAX) {
    range_join_lowest(o);
  }
  if (o->num_ranges > ST_RANGES_MAX) {
    s->figures.limits |= STATS_LIMIT_GAPS;
    range_join_lowest(o);
  }
}

static bool range_insert(st_octets *o, size_t i, uint64_t from, uint64_t to) {
  if (o->num_ranges == o->room_ranges) {
    const size_t room = o->room_ranges > 0 ? 2 * o->room_ranges : STREAM_FIRST_ROOM;
    st_range *grown = memory_resize(o->ranges, room * sizeof *grown);
    if (grown == NULL) {
      return false;
    }
    o->ranges = grown;
    o->room_ranges = room;
  }
  memmove(o->ranges + i + 1, o->ranges + i, (o->num_ranges - i) * sizeof *o->ranges);
  o->ranges[i] = (st_range){from, to};
  o->num_ranges++;
  return true;
}

/* Makes [from, to) carried. */
static void range_add(st_octets *o, uint64_t from, uint64_t to) {
  const size_t i = range_find(o, from);
  if (i == o->num_ranges || to < o->ranges[i].from) {
    if (!range_insert(o, i, from, to)) {
      return;
    }
  } else {
    size_t last = i;
    while (last + 1 < o->num_ranges && o->ranges[last + 1].from <= to) {
      last++;
    }
    const uint64_t end = o->ranges[last].to > to ? o->ranges[last].to : to;
    o->ranges[i].from = o->ranges[i].from < from ? o->ranges[i].from : from;
    o->ranges[i].to = end;
    memmove(o->ranges + i + 1, o->ranges + last + 1,
            (o->num_ranges - last - 1) * sizeof *o->ranges);
    o->num_ranges -= last - i;
  }
}

uint64_t st_missing(const st_octets *o, uint64_t from, uint64_t to) {
  uint64_t missing = 0;
  for (size_t i = range_find(o, from); from < to; i++) {
    const uint64_t next = i < o->num_ranges && o->ranges[i].from < to ? o->ranges[i].from : to;
    missing += next > from ? next - from : 0;
    from = i < o->num_ranges ? o->ranges[i].to : to;
  }
  return missing;
}

bool st_has(const st_octets *o, uint64_t from, uint64_t to) {
  const size_t i = range_find(o, from);
  return i < o->num_ranges && o->ranges[i].from <= from && to <= o->ranges[i].to;
}

/* ---- who owns it ---- */

static bool piece_make_room(st_octets *o) {
  if (o->num_pieces < o->room_pieces) {
    return true;
  }
  if (o->head > o->num_pieces / 2) {
    o->num_pieces -= o->head;
    memmove(o->pieces, o->pieces + o->head, o->num_pieces * sizeof *o->pieces);
    o->head = 0;
    return true;
  }
  const size_t room = o->room_pieces > 0 ? 2 * o->room_pieces : STREAM_FIRST_ROOM;
  st_piece *grown = memory_resize(o->pieces, room * sizeof *grown);
  if (grown == NULL) {
    return false;
  }
  o->pieces = grown;
  o->room_pieces = room;
  return true;
}

/* Steps over the first piece, whose octets lie before all items to come. */
static void piece_done(stats *s, unsigned side) {
  st_octets *o = &s->side[side].octets;
  const st_piece *p = &o->pieces[o->head];
  stats_side *out = &s->figures.side[side];
  if (p->all && p->known == p->to - p->from) {
    out->packing_packets++;
    out->packing_aligned += p->begins && p->ends ? 1u : 0u;
    stats_hist_add(&out->fpdus_per_packet, p->fpdus);
  }
  st_advance(&o->latest, &p->owner);
  o->head++;
  if (o->head == o->num_pieces) {
    o->head = o->num_pieces = 0;
  }
}

void st_settle_pieces(stats *s, unsigned side, uint64_t below) {
  const st_octets *o = &s->side[side].octets;
  while (o->head < o->num_pieces && o->pieces[o->head].to <= below) {
    piece_done(s, side);
  }
}

/* The first piece from `head` on that ends after `pos`. */
static size_t piece_find(const st_octets *o, uint64_t pos) {
  size_t low = o->head;
  size_t high = o->num_pieces;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (o->pieces[middle].to <= pos) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/* Returns true if there is room for a piece that ends at `to`. */
static bool piece_fits(stats *s, unsigned side, uint64_t to, st_mark owner) {
  st_octets *o = &s->side[side].octets;
  if (to <= o->settled) { /* the octets come too late to be delivered */
    s->figures.limits |= STATS_LIMIT_LATE;
    o->latest = st_later(o->latest, owner);
    return false;
  }
  if (o->num_pieces - o->head >= ST_PIECES_MAX) {
    const uint64_t below = o->pieces[o->head + ST_PIECES_MAX / 2].from;
    st_settle(s, side, below);
  }
  return piece_make_room(o);
}

/* Adds the piece of a packet whose octets follow all others. */
static void piece_append(stats *s, unsigned side, const st_range *carried, st_mark owner,
                         bool weak) {
  st_octets *o = &s->side[side].octets;
  if (piece_fits(s, side, carried->to, owner)) {
    st_piece *p = &o->pieces[o->num_pieces++];
    p->from = carried->from; /* member by member: to clear it first would take longer */
    p->to = carried->to;
    p->before = 0;
    p->owner = owner;
    p->fpdus = p->known = 0;
    p->all = true;
    p->weak = weak;
    p->begins = p->ends = false;
    o->num_weak += weak ? 1u : 0u;
  }
}

static void piece_insert(stats *s, unsigned side, const st_piece *piece) {
  st_octets *o = &s->side[side].octets;
  if (!piece_fits(s, side, piece->to, piece->owner)) {
    return;
  }
  const size_t i = o->num_pieces > o->head && o->pieces[o->num_pieces - 1].to > piece->from
                       ? piece_find(o, piece->from)
                       : o->num_pieces;
  memmove(o->pieces + i + 1, o->pieces + i, (o->num_pieces - i) * sizeof *o->pieces);
  o->pieces[i] = *piece;
  o->num_pieces++;
  o->num_weak += piece->weak ? 1u : 0u;
}

/* Takes [from, to) away from packets with a wrong checksum, for the packet of `piece`. */
static void piece_replace(stats *s, unsigned side, st_piece *piece, uint64_t from, uint64_t to) {
  const st_octets *o = &s->side[side].octets;
  while (from < to) {
    const size_t i = piece_find(o, from);
    if (i == o->num_pieces || o->pieces[i].from >= to) {
      return;
    }
    const st_piece was = o->pieces[i];
    st_piece mine = *piece;
    mine.from = from > was.from ? from : was.from;
    mine.to = to < was.to ? to : was.to;
    mine.all = piece->all && mine.from == from && mine.to == to;
    from = was.to;
    if (!was.weak) {
      continue;
    }
    o->pieces[i] = mine;
    piece->before = mine.to;
    st_piece rest = was;
    rest.all = false;
    rest.to = mine.from;
    if (rest.from < rest.to) {
      rest.before = was.before;
      piece_insert(s, side, &rest);
    }
    rest.before = was.from < mine.from ? mine.from : was.before;
    rest.from = mine.to;
    rest.to = was.to;
    if (rest.from < rest.to) {
      piece_insert(s, side, &rest);
    }
  }
}

/* Makes pieces of the new octets of [from, to), and of octets that only packets with a wrong
 * checksum have. */
static void piece_add(stats *s, unsigned side, const st_range *carried, st_piece *piece) {
  st_octets *o = &s->side[side].octets;
  uint64_t from = carried->from;
  const bool replaces = o->num_weak > 0 && !piece->weak;
  for (size_t i = range_find(o, from); from < carried->to; i++) {
    const bool past = i >= o->num_ranges || o->ranges[i].from >= carried->to;
    const uint64_t gap_end = past ? carried->to : o->ranges[i].from;
    if (gap_end > from) {
      piece->from = from;
      piece->to = gap_end;
      piece->all = from == carried->from && gap_end == carried->to;
      piece_insert(s, side, piece);
      piece->before = gap_end;
      from = gap_end;
    }
    if (past) {
      return;
    }
    const uint64_t end = o->ranges[i].to < carried->to ? o->ranges[i].to : carried->to;
    if (replaces && end > from) {
      piece->all = from == carried->from && end == carried->to;
      piece_replace(s, side, piece, from, end);
    }
    from = end > from ? end : from;
  }
}

/* Joins the pieces of a packet to one piece, if they hold all octets that it carried. */
static void piece_join(st_octets *o, const st_range *carried, uint64_t packet) {
  const size_t first = piece_find(o, carried->from);
  uint64_t end = carried->from;
  size_t i = first;
  while (i < o->num_pieces && o->pieces[i].owner.packet == packet && o->pieces[i].from == end) {
    end = o->pieces[i].to;
    i++;
  }
  if (end == carried->to && i > first + 1 && carried->from >= o->settled) {
    o->pieces[first].to = end;
    o->pieces[first].all = true;
    memmove(o->pieces + first + 1, o->pieces + i, (o->num_pieces - i) * sizeof *o->pieces);
    o->num_pieces -= i - first - 1;
  }
}

st_carried st_carry(stats *s, unsigned side, uint64_t from, uint64_t to, st_mark packet,
                    bool weak) {
  st_octets *o = &s->side[side].octets;
  const st_range carried = {from, to};
  st_carried c = {.new_octets = to - from};
  if (o->num_ranges > 0 && from == o->ranges[o->num_ranges - 1].to) { /* the usual case */
    piece_append(s, side, &carried, packet, weak);
    o->ranges[o->num_ranges - 1].to = to;
  } else {
    st_piece piece = {.owner = packet, .weak = weak};
    c.new_octets = st_missing(o, from, to);
    c.old_octets = to - from - c.new_octets;
    c.below = o->any && from < o->high && st_missing(o, from, to < o->high ? to : o->high) > 0;
    piece_add(s, side, &carried, &piece);
    if (o->num_weak > 0 && !weak) {
      piece_join(o, &carried, packet.packet);
    }
    if (c.new_octets > 0) {
      range_add(o, from, to);
    }
  }
  o->any = true;
  o->high = to > o->high ? to : o->high;
  if (o->num_ranges > 1) {
    range_prune(s, o);
  }
  return c;
}

/* ---- who delivers it ---- */

st_mark st_deliver(stats *s, unsigned side, uint64_t end) {
  st_octets *o = &s->side[side].octets;
  if (end < o->settled) {
    s->figures.limits |= STATS_LIMIT_PACKETS;
  }
  st_settle(s, side, end);
  if (o->head < o->num_pieces && o->pieces[o->head].from < end) {
    st_advance(&o->latest, &o->pieces[o->head].owner);
  }
  return o->latest;
}

st_mark st_deliver_fpdu(stats *s, unsigned side, uint64_t lead, uint64_t from, uint64_t end,
                        bool whole) {
  st_octets *o = &s->side[side].octets;
  uint64_t owners = 0;
  st_settle(s, side, lead);
  for (size_t i = o->head; i < o->num_pieces && o->pieces[i].from < end; i++) {
    st_piece *p = &o->pieces[i];
    const uint64_t begin = p->from > lead ? p->from : lead;
    const uint64_t stop = p->to < end ? p->to : end;
    p->known += (uint32_t)(stop - begin);
    p->begins = p->begins || p->from == lead || p->from == from;
    p->ends = p->ends || p->to == end;
    if (stop > from) {
      p->fpdus++;
      owners += p->before <= from ? 1u : 0u;
    }
  }
  if (whole) {
    stats_hist_add(&s->figures.side[side].packets_per_fpdu, owners);
  }
  return st_deliver(s, side, end);
}

st_mark st_bound(const stats *s, unsigned side) {
  const st_octets *o = &s->side[side].octets;
  if (o->head == o->num_pieces) {
    return (st_mark){UINT64_MAX, UINT64_MAX};
  }
  return st_later(o->latest, o->pieces[o->head].owner);
}

void st_octets_free(st_octets *o) {
  free(o->ranges);
  free(o->pieces);
}

void st_begin(st_octets *o) {
  if (o->num_ranges == 0 || o->ranges[0].from > o->first) {
    (void)range_insert(o, 0, o->first, o->first);
  }
}
