/* SPDX-License-Identifier: BSD-2-Clause */
/* Results that are expected: of a baseline, and of the known ways of an implementation. */
#ifndef PEER_EXPECT_H
#define PEER_EXPECT_H

#include <stddef.h>

#include <peer/verdict.h>

/** peer_known is the comparison of a result with the expected result. */
typedef enum peer_known {
  PEER_KNOWN_NONE = 0, /* no result is expected, or a pass */
  PEER_KNOWN_XFAIL,    /* the verdict and `seen` are the expected ones */
  PEER_KNOWN_CHANGED,  /* the case did not pass, but the result differs */
  PEER_KNOWN_XPASS     /* the case passed */
} peer_known;

/** peer_expect is a list of expected results. All zeros: none. */
typedef struct peer_expect {
  struct peer_expect_row *rows;
  size_t num;
  size_t cap;
} peer_expect;

/**
 * peer_expect_read appends the lines of a text: CASE VERDICT SEEN. "-" as SEEN: nothing was seen.
 * "*" or no SEEN: whatever is seen. Lines that begin with "#", and empty ones, are for readers. A
 * result of a `profile` that passes is no surprise. It returns 0, or the number of the first line
 * that is wrong. The text must outlive the list.
 */
size_t peer_expect_read(peer_expect *expect, const char *text, size_t len, bool profile);

/** peer_expect_compare compares the result of a case. A baseline counts before a profile. */
peer_known peer_expect_compare(const peer_expect *expect, const char *name,
                               const peer_result *result);

/** peer_expect_free gives the memory back. */
void peer_expect_free(peer_expect *expect);

#endif
