/* SPDX-License-Identifier: BSD-2-Clause */
/* What is open, in the order in which it was last heard of: the longest silent is packed first, and
 * given up first. */
#ifndef OBSERVE_LRU_H
#define OBSERVE_LRU_H

#include <stddef.h>

/* lru_node is the first member of what stands in a list, so that a pointer to one is a pointer to
 * the other. */
typedef struct lru_node {
  struct lru_node *newer;
  struct lru_node *older;
} lru_node;

typedef struct lru_list {
  size_t num;
  lru_node *newest;
  lru_node *oldest;
  lru_node *loose; /* the oldest that is not packed, and so are all that are newer */
} lru_list;

/* obs_lru_holder returns what the node is the first member of. */
static inline void *obs_lru_holder(lru_node *node) {
  return node;
}
/* obs_lru_add makes the node the newest; it stands in no list. */
void obs_lru_add(lru_list *list, lru_node *node);
/* obs_lru_remove takes the node out. */
void obs_lru_remove(lru_list *list, lru_node *node);
/* obs_lru_renew makes a node of the list the newest, which it is not. */
void obs_lru_renew(lru_list *list, lru_node *node);
/* obs_lru_touch makes a node of the list the newest. */
static inline void obs_lru_touch(lru_list *list, lru_node *node) {
  if (list->newest != node) {
    obs_lru_renew(list, node);
  }
}

#endif
