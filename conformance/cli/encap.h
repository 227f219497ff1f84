/* SPDX-License-Identifier: BSD-2-Clause */
/* Tags and tunnels of a capture, and packets that were not looked into, in words. */
#ifndef CLI_ENCAP_H
#define CLI_ENCAP_H

#include <ingest/encap.h>
#include <report/check.h>

/** encap_names sets the names of all layers. */
void encap_names(report_encap layers[REPORT_ENCAPS]);

/** encap_add adds the counts of a capture. */
void encap_add(report_encap layers[REPORT_ENCAPS], const ingest_encap *counts);

#define ENCAP_WORDS 64u /* octets for encap_unread, the final 0 included */

/** encap_unread writes what such packets are made of: "ESP", "EtherType 0x88e5". */
void encap_unread(char out[ENCAP_WORDS], const ingest_unread *unread);

#endif
