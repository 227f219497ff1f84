/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints the page of each case as Markdown, after a line with its name, for cases_doc.py. */
#include <stdio.h>
#include <string.h>

#include "cli/explain_case.h"

int main(void) {
  for (const peer_case *one = peer_cases; one->name != NULL; one++) {
    scenario_error error;
    out_buf out;
    peer_page *page = peer_page_read(one->name, one->text, strlen(one->text), &error);
    if (page == NULL) {
      fprintf(stderr, "%s:%u:%u: %s\n", one->name, error.line, error.column, error.message);
      return 1;
    }
    out_open_memory(&out);
    explain_case_markdown(&out, one->name, page);
    printf("\f%s\n%.*s", one->name, (int)out.len, out.buf);
    out_close(&out);
    peer_page_free(page);
  }
  return 0;
}
