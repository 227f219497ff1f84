/* SPDX-License-Identifier: BSD-2-Clause */
/* The FPDUs that an endpoint placed before their turn. */
#ifndef IWARPI_ENDPOINT_PLACED_EARLY_H
#define IWARPI_ENDPOINT_PLACED_EARLY_H

#include <iwarp/endpoint.h>

/* An FPDU whose payload was placed before its turn. */
typedef struct ep_record {
  uint64_t offset; /* stream offset of its first octet */
  uint32_t msn;    /* untagged */
  uint32_t wire_len;
  uint16_t ulpdu_length;
  uint32_t next_free; /* of one that is free: the next such one */
  bool tagged;
  uint8_t header[IWARP_DDP_UNTAGGED_LEN]; /* DDP header, and what follows a tagged one */
} ep_record;

/* Where the offsets of two records part: below next[0] `bit` is 0 in them, below next[1] it is 1,
 * and all bits above it are the same. */
typedef struct ep_node {
  uint64_t bit;
  uint32_t next[2]; /* see placed_early.c; of a node that is free: next[0] is the next such one */
} ep_node;

/* Such FPDUs, by their offsets. */
typedef struct ep_tree {
  ep_record *records;
  ep_node *nodes;
  uint32_t root;
  uint32_t num;
  uint32_t free_record;
  uint32_t free_node;
} ep_tree;

typedef struct ep_out_of_order {
  bool input;                         /* what was pushed came out of order */
  bool chained;                       /* and an FPDU begins at its front */
  uint64_t at;                        /* stream offset of its front */
  ep_tree tree;                       /* FPDUs placed and not reached yet */
  iwarp_endpoint_out_of_order placed; /* to be reported */
} ep_out_of_order;

void iwarpi_ep_tree_init(ep_tree *t, ep_record *records, ep_node *nodes, uint32_t cap);
bool iwarpi_ep_tree_has(const ep_tree *t, uint64_t offset);
const ep_record *iwarpi_ep_tree_first(const ep_tree *t);
void iwarpi_ep_tree_add(ep_tree *t, const ep_record *v);
void iwarpi_ep_tree_pop(ep_tree *t);

#endif
