/* SPDX-License-Identifier: BSD-2-Clause */
/* One line of text for the tree or a column, put together without formats: each PDU has several. */
#ifndef DISSECTOR_LINE_H
#define DISSECTOR_LINE_H

#include <report/out_buf.h>

#include "ws_compat.h"

/* line_begin returns the line, empty. There is one: it is read before the next one begins. */
out_buf *line_begin(void);

/* line_end returns the text of the line, which the next line_begin ends. */
const char *line_end(out_buf *line);

/* line_uint appends words and a number in decimal, line_stag one with eight hexadecimal digits,
 * line_to one with as many as it needs. */
void line_uint(out_buf *line, const char *words, guint64 value);
void line_stag(out_buf *line, const char *words, guint32 value);
void line_to(out_buf *line, const char *words, guint64 value);

#endif
