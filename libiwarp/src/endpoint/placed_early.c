/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The FPDUs that were placed before their turn, by their offsets: a binary trie with a node at each
 * bit where two offsets differ. A path has at most one node for each bit of an offset. So no step
 * visits more than 64 nodes, whatever offsets a peer chooses.
 */
#include "placed_early.h"

#define TREE_LEAF 0x80000000u /* set in a link to a record, clear in one to a node */

static bool tree_is_leaf(uint32_t link) {
  return (link & TREE_LEAF) != 0;
}

static ep_record *tree_record(const ep_tree *t, uint32_t link) {
  return &t->records[link & ~TREE_LEAF];
}

static uint32_t tree_side(const ep_node *node, uint64_t offset) {
  return (offset & node->bit) != 0 ? 1u : 0u;
}

/* The highest bit of `v`, which is not 0. */
static uint64_t tree_top_bit(uint64_t v) {
  for (unsigned n = 1; n < 64; n *= 2) {
    v |= v >> n;
  }
  return v ^ (v >> 1);
}

/* The record that shares the most bits with `offset`; there is one at least. */
static const ep_record *tree_nearest(const ep_tree *t, uint64_t offset) {
  uint32_t link = t->root;
  while (!tree_is_leaf(link)) {
    const ep_node *node = &t->nodes[link];
    link = node->next[tree_side(node, offset)];
  }
  return tree_record(t, link);
}

/* iwarpi_ep_tree_init makes an empty one of `cap` records and as many nodes. */
void iwarpi_ep_tree_init(ep_tree *t, ep_record *records, ep_node *nodes, uint32_t cap) {
  *t = (ep_tree){.records = records, .nodes = nodes};
  for (uint32_t i = 0; i < cap; i++) { /* free entries are linked, the last one to no other */
    records[i].next_free = i + 1;
    nodes[i].next[0] = i + 1;
  }
}

bool iwarpi_ep_tree_has(const ep_tree *t, uint64_t offset) {
  return t->num > 0 && tree_nearest(t, offset)->offset == offset;
}

/* iwarpi_ep_tree_first returns the record with the lowest offset; there is one at least. */
const ep_record *iwarpi_ep_tree_first(const ep_tree *t) {
  return tree_nearest(t, 0);
}

/* iwarpi_ep_tree_add takes in a record whose offset is not there; there is room for it. */
void iwarpi_ep_tree_add(ep_tree *t, const ep_record *v) {
  const uint32_t row = t->free_record;
  uint32_t *link = &t->root;
  t->free_record = t->records[row].next_free;
  t->records[row] = *v;
  if (t->num++ == 0) {
    *link = row | TREE_LEAF;
    return;
  }
  const uint64_t bit = tree_top_bit(tree_nearest(t, v->offset)->offset ^ v->offset);
  while (!tree_is_leaf(*link) && t->nodes[*link].bit > bit) {
    ep_node *above = &t->nodes[*link];
    link = &above->next[tree_side(above, v->offset)];
  }
  const uint32_t new_node = t->free_node;
  ep_node *node = &t->nodes[new_node];
  t->free_node = node->next[0];
  node->bit = bit;
  const uint32_t side = tree_side(node, v->offset);
  node->next[side] = row | TREE_LEAF;
  node->next[1 - side] = *link;
  *link = new_node;
}

/* iwarpi_ep_tree_pop forgets the first record; there is one at least. */
void iwarpi_ep_tree_pop(ep_tree *t) {
  uint32_t *link = &t->root;
  uint32_t *above = link;
  while (!tree_is_leaf(*link)) {
    above = link;
    link = &t->nodes[*link].next[0];
  }
  const uint32_t row = *link & ~TREE_LEAF;
  t->records[row].next_free = t->free_record;
  t->free_record = row;
  t->num--;
  if (above != link) { /* the neighbour takes the place of the parent node */
    const uint32_t old = *above;
    *above = t->nodes[old].next[1];
    t->nodes[old].next[0] = t->free_node;
    t->free_node = old;
  }
}
