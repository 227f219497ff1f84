/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * NVMe over RDMA: capsules in Sends.
 *
 * Wireshark's own dissector looks for conversations of InfiniBand, which are made for it here.
 */
#ifndef DISSECTOR_UPPER_NVME_H
#define DISSECTOR_UPPER_NVME_H

#include "pdu_view.h"

/* upper_nvme_register registers the fields; returns the name by which users choose it. */
int upper_nvme_register(int proto);

/* upper_nvme_handoff finds Wireshark's own dissector. */
void upper_nvme_handoff(void);

/* upper_nvme_is says whether a Send is a capsule, by its connection and its octets. */
bool upper_nvme_is(const pdu_view *v, tvbuff_t *payload);

/* upper_nvme_show shows it. Afterwards the columns Protocol and Info may not be writable. */
void upper_nvme_show(const pdu_view *v, proto_tree *root, tvbuff_t *payload);

/* upper_nvme_data says whether a Write, Read Request or Read Response moves data of a command. The
 * tree of the PDU then names the command. */
bool upper_nvme_data(const pdu_view *v);

#endif
