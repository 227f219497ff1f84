/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets of a network interface: -i, --duration, -w. */
#ifndef CLI_LIVE_H
#define CLI_LIVE_H

#include <ingest/pcap_src.h>

#include "opts.h"

/**
 * live_open opens the interface of -i and then gives up the rights that this took. After that it
 * opens the file of -w. It is called before the process is confined. False: a message says why.
 * Nothing happens without -i. With commands of the user `peer` keeps its rights.
 */
bool live_open(const opts *o);

/** live_take hands over the interface; pcap_src_close closes it. */
pcap_src *live_take(void);

/** live_packet keeps a packet in the file of -w; false: a message says why that failed. */
bool live_packet(const ingest_packet *pkt);

/** live_end reports the packets of the interface `src` that the kernel lost, and ends the file of
 * -w. False: a message says why the file lacks packets. */
bool live_end(pcap_src *src, const char *name);

/** live_close closes the interface and the file where they are still open. */
void live_close(void);

#endif
