/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings of a connection that are printed together, since one cause is likely. */
#ifndef REPORT_CHECK_GROUP_H
#define REPORT_CHECK_GROUP_H

#include <report/out_buf.h>

#include <iwarp/rules.h>

/* check_group holds the text of findings with one cause, or of one rule. */
typedef struct check_group {
  const char *cause; /* may be NULL */
  uint16_t rule;     /* rule of the first finding */
  bool advised;      /* the advice of the rule's page was printed */
  unsigned int rank; /* rank of the gravest finding; the caller's */
  uint64_t packet;   /* packet of the first finding */
  out_buf text;
} check_group;

/* check_groups is a list of them, in the order of their first findings. */
typedef struct check_groups {
  check_group *of;
  size_t num;
  size_t cap;
} check_groups;

/** check_groups_get returns the group of a finding, which it adds if needed; NULL: no memory. It is
 * valid until the next call. */
check_group *check_groups_get(check_groups *list, const iwarp_finding *f);

/** check_groups_len returns the octets of text that they hold. */
size_t check_groups_len(const check_groups *list);

/** check_groups_free gives the memory back. */
void check_groups_free(check_groups *list);

#endif
