/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lines of `iwarp check` about the capture itself, as expert infos: copies of octets that differ,
 * wrong checksums, and so on.
 *
 * They are known when all frames were seen. A line is at the frame that it names; where that
 * carries no iWARP, at the first frame that does. Frames of other protocols stay as they are.
 */
#ifndef DISSECTOR_CAPTURE_NOTES_H
#define DISSECTOR_CAPTURE_NOTES_H

#include <epan/expert.h>
#include <ingest/ingest.h>
#include <observe/conn.h>

#include "ws_compat.h"

/* capture_notes_register makes an expert info of each kind of line. */
void capture_notes_register(expert_module_t *module);

/* capture_notes_begin begins a capture. */
void capture_notes_begin(void);
/* capture_notes_packet counts the next packet, by the number of its record. */
void capture_notes_packet(const ingest_packet *packet);
/* capture_notes_differ keeps two copies that differ; for observe_hooks. */
void capture_notes_differ(void *ctx, observe_conn *observed, const observe_differ *what);
/* capture_notes_finish keeps the lines of the capture. */
void capture_notes_finish(const ingest_stats *stats);

#endif
