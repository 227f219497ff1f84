/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lanes: the VLANs and tunnels that a packet came in. They are ignored as long as the packets of
 * two ends fit one connection: a capture may show a connection on both sides of a tunnel, and each
 * direction in a VLAN of its own. A packet of a lane that is not known as the connection's and
 * whose numbers do not fit it shows a second one: the twin, with the same addresses and ports.
 */
#include "conn.h"

enum { LANES_TWINS = 8 /* connections with the same ends that a new lane is compared with */ };

/* A SYN fits if it is the one that is known. A SYN+ACK also has to acknowledge the SYN, and no more
 * than the octets after it. */
static bool lanes_syn_fits(const ing_conn *conn, unsigned side, const ing_segment *seg) {
  const ing_dir *p = &conn->dir[side ^ 1u];
  const bool answers = (seg->flags & ING_ACK) == 0 || !p->start_known ||
                       seg->ack - (uint32_t)p->start <= (uint32_t)(p->seen - p->start);
  return answers && !ing_reused(conn, side, seg);
}

/* Returns true if the segment may belong to the connection by its numbers: one number lies in what
 * was sent, or no number lies far away. */
static bool lanes_fits(const ing_conn *conn, const ing_segment *seg) {
  const unsigned side = ing_addr_equal(&conn->addr[0], &seg->src) ? 0 : 1;
  const ing_dir *d = &conn->dir[side];
  const ing_dir *p = &conn->dir[side ^ 1u];
  bool far = false;
  if ((seg->flags & ING_SYN) != 0) {
    return lanes_syn_fits(conn, side, seg);
  }
  if (d->anchored && !ing_jumps(d, seg->seq, &far)) {
    return true;
  }
  if ((seg->flags & ING_ACK) != 0 && p->anchored && !ing_jumps(p, seg->ack, &far)) {
    return true;
  }
  return !far;
}

/* The connection that the lane belongs to, or else the first one that the segment fits. */
static ing_conn *lanes_choose(ing_table *table, ing_conn *known, const ing_segment *seg) {
  ing_conn *fitting = NULL;
  ing_conn *conn = known;
  for (unsigned i = 0; i < LANES_TWINS && conn != NULL; i++) {
    ++*table->steps;
    if (ing_lanes_has(conn, seg->lane)) {
      return conn;
    }
    fitting = fitting == NULL && lanes_fits(conn, seg) ? conn : fitting;
    conn = conn->twin_next != known ? conn->twin_next : NULL;
  }
  if (fitting != NULL) {
    ing_lanes_add(fitting, seg->lane);
  }
  return fitting;
}

/* Returns true if the SYN+ACK shows that two connections had the same SYN, each in a lane of its
 * own: the sender answered that one in another lane with another number. */
static bool lanes_split(const ing_conn *conn, const ing_segment *seg) {
  const unsigned side = ing_addr_equal(&conn->addr[0], &seg->src) ? 0 : 1;
  const ing_dir *d = &conn->dir[side];
  const ing_dir *p = &conn->dir[side ^ 1u];
  return (seg->flags & (ING_SYN | ING_ACK)) == (ING_SYN | ING_ACK) && seg->sum != ING_SUM_BAD &&
         conn->num_lanes > 1 && (conn->held == NULL || conn->held->reopen == NULL) &&
         d->start_known && p->start_known && (uint32_t)p->start == seg->ack &&
         (uint32_t)d->start != seg->seq + 1;
}

static void lanes_drop(ing_table *table, ing_conn *conn, uint32_t lane) {
  size_t i = 0;
  ing_table_forget_ways(table, conn, lane);
  while (conn->lane[i] != lane) {
    i++;
  }
  conn->lane[i] = conn->lane[--conn->num_lanes];
}

ing_conn *ing_lanes_find(ing_table *table, const ing_segment *seg, ing_conn **beside) {
  ing_conn *known = ing_table_find(table, seg);
  *beside = NULL;
  if (known != NULL && ing_lanes_has(known, seg->lane)) {
    if (!lanes_split(known, seg)) {
      return known;
    }
    lanes_drop(table, known, seg->lane);
    *beside = known;
    return NULL;
  }
  ing_conn *twin = table->num_twins > 0 ? ing_table_find_twin(table, seg) : NULL;
  if (twin != NULL || known == NULL) {
    return twin;
  }
  *beside = known;
  return lanes_choose(table, known, seg);
}
