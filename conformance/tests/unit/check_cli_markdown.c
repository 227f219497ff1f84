/* SPDX-License-Identifier: BSD-2-Clause */
/* Markdown as text. */
#include <string.h>

#include "check_run.h"
#include "cli/markdown.h"

static out_buf text;

static const char *render(const char *page, bool color) {
  out_close(&text);
  out_open_memory(&text);
  markdown_put(&text, page, color);
  out_char(&text, '\0');
  return text.buf;
}

START_TEST(headings_lose_their_marks)
{
  ck_assert_str_eq(render("# Title\n\n## Part\ntext\n", false), "Title\n\nPart\ntext\n");
  ck_assert_str_eq(render("# T\n", true), "\033[1mT\033[0m\n");
}
END_TEST

START_TEST(lines_of_a_paragraph_are_joined_and_blocks_parted)
{ ck_assert_str_eq(render("one\ntwo\n\n\nthree", false), "one two\n\nthree\n"); }
END_TEST

START_TEST(paragraphs_break_at_the_width)
{
  char page[400] = "";
  for (int i = 0; i < 30; i++) {
    strcat(page, "word567890 ");
  }
  const char *out = render(page, false);
  size_t lines = 0;
  while (*out != 0) {
    const size_t n = strcspn(out, "\n");
    ck_assert_uint_le(n, MARKDOWN_WIDTH);
    ck_assert_uint_gt(n, 0);
    out += n + 1;
    lines++;
  }
  ck_assert_uint_eq(lines, 5);
}
END_TEST

START_TEST(marks_of_words_become_style_or_nothing)
{
  ck_assert_str_eq(render("a **bold** and `co*de` \\*b\n", false), "a bold and co*de *b\n");
  ck_assert_str_eq(render("**b** `c`\n", true), "\033[1mb\033[0m \033[36mc\033[0m\n");
}
END_TEST

START_TEST(lists_hang)
{
  ck_assert_str_eq(render("- one\n  two\n- three\n1. four\n", false),
                   "  - one two\n  - three\n  1. four\n");
}
END_TEST

START_TEST(code_and_tables_stand_as_they_are)
{
  ck_assert_str_eq(render("text\n\n```\n 00 01  **x**\n\nend\n```\nmore\n", false),
                   "text\n\n     00 01  **x**\n\n    end\nmore\n");
  ck_assert_str_eq(render("| a | b |\n|---|---|\n", false), "  | a | b |\n  |---|---|\n");
}
END_TEST

START_TEST(characters_count_not_octets)
{
  char page[256] = "";
  for (int i = 0; i < 40; i++) { /* 79 columns, 119 octets */
    strcat(page, i > 0 ? " \xc3\xa9" : "\xc3\xa9");
  }
  const char *out = render(page, false);
  ck_assert_uint_eq(strcspn(out, "\n"), strlen(out) - 1);
}
END_TEST

START_TEST(wrapped_text_is_indented)
{
  out_close(&text);
  out_open_memory(&text);
  markdown_wrap(&text, "some  words", 4);
  out_char(&text, '\0');
  ck_assert_str_eq(text.buf, "    some words\n");
}
END_TEST

int main(void) {
  const TTest *const tests[] = {headings_lose_their_marks,
                                lines_of_a_paragraph_are_joined_and_blocks_parted,
                                paragraphs_break_at_the_width,
                                marks_of_words_become_style_or_nothing,
                                lists_hang,
                                code_and_tables_stand_as_they_are,
                                characters_count_not_octets,
                                wrapped_text_is_indented,
                                NULL};
  return check_run(check_suite("markdown", tests));
}
