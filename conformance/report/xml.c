/* SPDX-License-Identifier: BSD-2-Clause */
/* The escapes of XML 1.0. */
#include <report/xml.h>

#include <report/utf8.h>

static const char xml_replacement[] = "\xEF\xBF\xBD"; /* U+FFFD */

/* What stands for a character of ASCII, or NULL: itself. XML 1.0 2.2, 2.4 */
static const char *xml_escape(char c) {
  switch (c) {
  case '&': return "&amp;";
  case '<': return "&lt;";
  case '>': return "&gt;";
  case '"': return "&quot;";
  default: return NULL;
  }
}

/* U+FFFE and U+FFFF are UTF-8, but no characters of XML. */
static bool xml_is_character(const char *text, size_t len) {
  return len != 3 || memcmp(text, "\xEF\xBF", 2) != 0 || (unsigned char)text[2] < 0xBEu;
}

void xml_put(out_buf *s, const char *text, size_t len) {
  for (size_t i = 0; i < len;) {
    const char *at = text + i;
    const size_t n = *at == '\n' ? 1 : report_plain_len(at, len - i);
    const char *escape = n == 1 ? xml_escape(*at) : NULL;
    if (n == 0 || !xml_is_character(at, n)) {
      out_str(s, xml_replacement);
    } else if (escape != NULL) {
      out_str(s, escape);
    } else {
      out_put(s, at, n);
    }
    i += n > 0 ? n : 1;
  }
}

void xml_text(out_buf *s, const char *text) {
  xml_put(s, text, strlen(text));
}

/* What stands for white space that a reader of an attribute would take for a space, or NULL.
 * XML 1.0 3.3.3 */
static const char *xml_attr_escape(char c) {
  switch (c) {
  case '\n': return "&#10;";
  case '\t': return "&#9;";
  case '\r': return "&#13;";
  default: return NULL;
  }
}

static void xml_attr_put(out_buf *s, const char *value, size_t len) {
  size_t begin = 0;
  for (size_t i = 0; i < len; i++) {
    const char *escape = xml_attr_escape(value[i]);
    if (escape != NULL) {
      xml_put(s, value + begin, i - begin);
      out_str(s, escape);
      begin = i + 1;
    }
  }
  if (begin < len) { /* a value without memory is NULL */
    xml_put(s, value + begin, len - begin);
  }
}

void xml_attr(out_buf *s, const char *name, const char *value, size_t len) {
  out_char(s, ' ');
  out_str(s, name);
  out_str(s, "=\"");
  xml_attr_put(s, value, len);
  out_char(s, '"');
}

void xml_attr_text(out_buf *s, const char *name, const char *value) {
  xml_attr(s, name, value, strlen(value));
}

void xml_attr_u64(out_buf *s, const char *name, uint64_t value) {
  out_char(s, ' ');
  out_str(s, name);
  out_str(s, "=\"");
  out_u64(s, value);
  out_char(s, '"');
}
