/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The records of the capture file, counted from 1 as they are read.
 *
 * What is kept of frames is kept by the number of their record. A read filter (-2 -R) takes the
 * number of a frame that it drops away and gives it to the next one; a record keeps its number.
 * Wireshark does not report that it drops a frame: the last record of the file may keep a number
 * that no frame has.
 */
#ifndef DISSECTOR_RECORDS_H
#define DISSECTOR_RECORDS_H

#include "ws_compat.h"

/* records_add returns the number of a new record, whose frame has this number; an earlier record
 * with the same one was dropped. */
guint32 records_add(guint32 frame);
/* records_drop: the frame with this number is another one than the record that was added. */
void records_drop(guint32 frame);
/* records_of returns the record of a frame, or 0. */
guint32 records_of(guint32 frame);
/* records_frame returns the number of the frame of a record, or 0: it was dropped. */
guint32 records_frame(guint32 record);
/* records_show adds an item with the number of the frame of a record, unless that was dropped. */
void records_show(proto_tree *tree, int hf, guint32 record);
/* records_forget drops all. */
void records_forget(void);

#endif
