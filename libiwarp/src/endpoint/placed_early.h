/* SPDX-License-Identifier: BSD-2-Clause */
/* The FPDUs that an endpoint placed before their turn. */
#ifndef IWARPI_ENDPOINT_PLACED_EARLY_H
#define IWARPI_ENDPOINT_PLACED_EARLY_H

#include "state.h"

void iwarpi_ep_tree_init(ep_tree *t, ep_record *records, ep_node *nodes, uint32_t cap);
bool iwarpi_ep_tree_has(const ep_tree *t, uint64_t offset);
const ep_record *iwarpi_ep_tree_first(const ep_tree *t);
void iwarpi_ep_tree_add(ep_tree *t, const ep_record *v);
void iwarpi_ep_tree_pop(ep_tree *t);

#endif
