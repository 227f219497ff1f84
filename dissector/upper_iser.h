/* SPDX-License-Identifier: BSD-2-Clause */
/* iSER: its header, and iSCSI after it. Wireshark's own dissector wants InfiniBand conversations.
 */
#ifndef DISSECTOR_UPPER_ISER_H
#define DISSECTOR_UPPER_ISER_H

#include "pdu_view.h"

/* upper_iser_register registers the fields and returns the name by which users choose it;
 * upper_iser_handoff finds the dissector of iSCSI. */
int upper_iser_register(int proto);
void upper_iser_handoff(void);

/* upper_iser_is says whether a Send is an iSER message, by its connection and its octets. */
bool upper_iser_is(const pdu_view *v, tvbuff_t *payload);

/* upper_iser_show shows it. */
void upper_iser_show(const pdu_view *v, proto_tree *root, tvbuff_t *payload);

#endif
