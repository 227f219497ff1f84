/* SPDX-License-Identifier: BSD-2-Clause */
/* What `iwarp explain` says of a case of `iwarp peer`. */
#ifndef CLI_EXPLAIN_CASE_H
#define CLI_EXPLAIN_CASE_H

#include <peer/page.h>
#include <report/out_buf.h>

/** explain_case writes the page of "case.AREA.NAME", or of an instance of it. "case." may be left
 * out, as `iwarp peer --list` does. It returns false and writes nothing if there is no such case.
 */
bool explain_case(out_buf *out, const char *word, bool color);

/** explain_case_markdown writes the page of one case as Markdown, as docs/cases has it. */
void explain_case_markdown(out_buf *out, const char *name, const peer_page *page);

#endif
