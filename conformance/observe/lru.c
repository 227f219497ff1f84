/* SPDX-License-Identifier: BSD-2-Clause */
/* A list in the order of last use. */
#include "lru.h"

void obs_lru_add(lru_list *list, lru_node *node) {
  node->newer = NULL;
  node->older = list->newest;
  *(list->newest != NULL ? &list->newest->newer : &list->oldest) = node;
  list->newest = node;
  list->loose = list->loose != NULL ? list->loose : node;
  list->num++;
}

void obs_lru_remove(lru_list *list, lru_node *node) {
  *(node->newer != NULL ? &node->newer->older : &list->newest) = node->older;
  *(node->older != NULL ? &node->older->newer : &list->oldest) = node->newer;
  list->loose = list->loose == node ? node->newer : list->loose;
  list->num--;
}

void obs_lru_renew(lru_list *list, lru_node *node) {
  obs_lru_remove(list, node);
  obs_lru_add(list, node);
}
