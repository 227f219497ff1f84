/* SPDX-License-Identifier: BSD-2-Clause */
/* Text inside XML. */
#ifndef REPORT_XML_H
#define REPORT_XML_H

#include <report/out_buf.h>

/** xml_put appends text so that it may stand between tags and in an attribute: what XML 1.0 does
 * not allow, and what a terminal would obey, becomes U+FFFD; lines stay lines. */
void xml_put(out_buf *s, const char *text, size_t len);

/** xml_text appends a string, as xml_put does. */
void xml_text(out_buf *s, const char *text);

/** xml_attr appends a blank and an attribute. */
void xml_attr(out_buf *s, const char *name, const char *value, size_t len);

/** xml_attr_text and xml_attr_u64 append an attribute of a string and of a number. */
void xml_attr_text(out_buf *s, const char *name, const char *value);
void xml_attr_u64(out_buf *s, const char *name, uint64_t value);

#endif
