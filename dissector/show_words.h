/* SPDX-License-Identifier: BSD-2-Clause */
/* The line of a header that is collapsed. */
#ifndef DISSECTOR_SHOW_WORDS_H
#define DISSECTOR_SHOW_WORDS_H

#include "pdu_view.h"

/* words_form returns what a form of a PDU says, in one line (line.h). */
const char *words_form(const iwarp_pdu_part *part);

/* words_terminate returns the error of a Terminate, by the names of its Layer, Error Type and Error
 * Code. */
const char *words_terminate(wmem_allocator_t *pool, guint8 layer, guint8 etype, guint8 code);

#endif
