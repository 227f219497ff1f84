/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes Markdown as text, one block after the other. */
#include "markdown.h"

#include <ctype.h>

/* A paragraph under way: words go out as they come, lines break before the width is passed. */
typedef struct md {
  out_buf *out;
  bool color;
  size_t indent;
  size_t column;  /* 0: nothing on this line yet */
  bool blank_due; /* a blank line stands between blocks */
  bool in_code;   /* between fences */
  bool bold;
  bool code; /* inline */
} md;

static void md_style(md *m, const char *code) {
  if (m->color) {
    out_str(m->out, "\033[");
    out_str(m->out, code);
    out_char(m->out, 'm');
  }
}

static void md_end_line(md *m) {
  if (m->column > 0) {
    out_char(m->out, '\n');
    m->column = 0;
  }
}

static void md_begin_block(md *m) {
  md_end_line(m);
  if (m->blank_due) {
    out_char(m->out, '\n');
    m->blank_due = false;
  }
}

/* Characters, not octets: continuation octets of UTF-8 take no column. */
static size_t md_columns(const char *text, size_t n) {
  size_t columns = 0;
  for (size_t i = 0; i < n; i++) {
    columns += ((unsigned char)text[i] & 0xC0u) != 0x80u ? 1 : 0;
  }
  return columns;
}

static void md_toggle(md *m, bool *state, const char *on) {
  *state = !*state;
  md_style(m, *state ? on : "0");
}

/* One word without its marks. */
static void md_letters(md *m, const char *word, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (word[i] == '`') {
      md_toggle(m, &m->code, "36");
    } else if (!m->code && i + 1 < n && word[i] == '*' && word[i + 1] == '*') {
      md_toggle(m, &m->bold, "1");
      i++;
    } else if (!m->code && i + 1 < n && word[i] == '\\' && ispunct((unsigned char)word[i + 1])) {
      out_char(m->out, word[++i]);
    } else {
      out_char(m->out, word[i]);
    }
  }
}

static size_t md_visible(const char *word, size_t n) {
  size_t marks = 0;
  for (size_t i = 0; i < n; i++) {
    if (word[i] == '`') {
      marks++;
    } else if (i + 1 < n && word[i] == '*' && word[i + 1] == '*') {
      marks += 2;
      i++;
    }
  }
  return md_columns(word, n) - marks;
}

static void md_word(md *m, const char *word, size_t n) {
  const size_t columns = md_visible(word, n);
  if (m->column > m->indent && m->column + 1 + columns > MARKDOWN_WIDTH) {
    md_end_line(m);
  }
  if (m->column == 0) {
    out_fill(m->out, ' ', m->indent);
    m->column = m->indent;
  } else if (m->column > m->indent) {
    out_char(m->out, ' ');
    m->column++;
  }
  md_letters(m, word, n);
  m->column += columns;
}

/* The text of a link stands for the link; pages of rules link to each other and to captures only.
 */
static void md_words(md *m, const char *text, size_t n) {
  size_t i = 0;
  while (i < n) {
    i += strspn(text + i, " \t") < n - i ? strspn(text + i, " \t") : n - i;
    size_t end = i;
    while (end < n && text[end] != ' ' && text[end] != '\t') {
      end++;
    }
    if (end > i) {
      md_word(m, text + i, end - i);
    }
    i = end;
  }
}

static void md_heading(md *m, const char *text, size_t n) {
  md_begin_block(m);
  md_style(m, "1");
  out_put(m->out, text, n);
  md_style(m, "0");
  out_char(m->out, '\n');
}

/* Octets of the mark of a list item at the front of a line, with the blanks after it; 0: none. */
static size_t md_item(const char *text, size_t n) {
  size_t digits = 0;
  while (digits < n && isdigit((unsigned char)text[digits])) {
    digits++;
  }
  if (digits > 0 && digits + 1 < n && text[digits] == '.' && text[digits + 1] == ' ') {
    return digits + 2;
  }
  return n > 1 && (text[0] == '-' || text[0] == '*') && text[1] == ' ' ? 2 : 0;
}

static void md_list_item(md *m, size_t depth, const char *text, size_t n, size_t mark) {
  md_begin_block(m);
  out_fill(m->out, ' ', depth + 2);
  out_put(m->out, text, mark);
  m->indent = depth + 2 + mark;
  m->column = m->indent;
  md_words(m, text + mark, n - mark);
}

static void md_verbatim(md *m, const char *text, size_t n, size_t indent) {
  md_begin_block(m);
  out_fill(m->out, ' ', n > 0 ? indent : 0);
  out_put(m->out, text, n);
  out_char(m->out, '\n');
}

static void md_line(md *m, const char *line, size_t n) {
  const size_t depth = strspn(line, " ") < n ? strspn(line, " ") : n;
  const char *text = line + depth;
  const size_t len = n - depth;
  if (len >= 3 && strncmp(text, "```", 3) == 0) {
    md_begin_block(m);
    m->in_code = !m->in_code;
  } else if (m->in_code) {
    md_verbatim(m, line, n, 4);
  } else if (len == 0) {
    md_end_line(m);
    m->blank_due = true;
    m->indent = 0;
  } else if (text[0] == '#') {
    const size_t hashes = strspn(text, "# ");
    md_heading(m, text + hashes, len - hashes);
    m->indent = 0;
  } else if (text[0] == '|') {
    md_verbatim(m, text, len, 2);
  } else if (md_item(text, len) > 0) {
    md_list_item(m, depth, text, len, md_item(text, len));
  } else {
    if (m->column == 0) {
      md_begin_block(m);
    }
    md_words(m, text, len);
  }
}

void markdown_put(out_buf *out, const char *page, bool color) {
  md m = {.out = out, .color = color};
  while (*page != 0) {
    const size_t n = strcspn(page, "\n");
    md_line(&m, page, n);
    page += n + (page[n] == '\n' ? 1 : 0);
  }
  md_end_line(&m);
  if (m.bold || m.code) {
    md_style(&m, "0");
  }
}

void markdown_wrap(out_buf *out, const char *text, size_t indent) {
  md m = {.out = out, .indent = indent};
  md_words(&m, text, strlen(text));
  md_end_line(&m);
}
