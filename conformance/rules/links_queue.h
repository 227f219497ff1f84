/* SPDX-License-Identifier: BSD-2-Clause */
/* The queue of requests of a side that wait for their response. */
#ifndef IWARP_RULES_LINKS_QUEUE_H
#define IWARP_RULES_LINKS_QUEUE_H

#include "links.h"

/* rulesi_links_count counts the requests from `from` to `to` in or out. */
void rulesi_links_count(struct rules_links_side *s, uint32_t from, uint32_t to, bool in);
/* rulesi_links_drop: the requests before `at` have ended. */
void rulesi_links_drop(struct rules_links_side *s, uint32_t at);
/* rulesi_links_push adds a request. False: there is no memory; which requests wait is not known any
 * more. */
bool rulesi_links_push(struct rules_links_side *s, const iwarp_pool *pool,
                       const struct rules_link_request *q);
/* rulesi_links_claim ends requests whose responses fill the octets of `side` that are missing.
 * Where they fit but leave room, that is unconfirmed. */
void rulesi_links_claim(struct rules_links *links, const iwarp_observer_info *info, uint8_t side);
/* rulesi_links_decide: a request came. It may be unconfirmed whether the oldest one was answered:
 * it was if more would wait than ever before, and so many did wait again and again. */
void rulesi_links_decide(struct rules_links *links, const iwarp_observer_info *info, uint8_t side);
/* rulesi_links_answered: the response to a request of the side came, which waits until now. */
void rulesi_links_answered(struct rules_links_side *s);

#endif
