/* SPDX-License-Identifier: BSD-2-Clause */
/* Tags and tunnels of a capture. */
#ifndef CLI_ENCAP_H
#define CLI_ENCAP_H

#include <ingest/encap.h>
#include <report/check.h>

/** encap_names sets the names of all layers. */
void encap_names(report_encap layers[REPORT_ENCAPS]);

/** encap_add adds the counts of a capture. */
void encap_add(report_encap layers[REPORT_ENCAPS], const ingest_encap *counts);

#endif
