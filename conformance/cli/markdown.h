/* SPDX-License-Identifier: BSD-2-Clause */
/* Markdown as readable text: headings, paragraphs, lists, code and tables, without the marks. */
#ifndef CLI_MARKDOWN_H
#define CLI_MARKDOWN_H

#include <stdbool.h>

#include <report/out_buf.h>

#define MARKDOWN_WIDTH 80u /* columns of a paragraph */

/** markdown_put writes a page; `color` marks headings, bold text and code on a terminal. */
void markdown_put(out_buf *out, const char *page, bool color);

/** markdown_wrap writes plain text, wrapped, each line after `indent` blanks, and a newline. */
void markdown_wrap(out_buf *out, const char *text, size_t indent);

#endif
