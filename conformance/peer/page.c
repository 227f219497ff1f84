/* SPDX-License-Identifier: BSD-2-Clause */
/* Pages of cases. */
#include <peer/page.h>

peer_page *peer_page_read(const char *name, const char *text, size_t len, scenario_error *error) {
  (void)name;
  (void)text;
  (void)len;
  *error = (scenario_error){.line = 1, .column = 1, .message = "pages are not read yet"};
  return NULL;
}

const peer_page_info *peer_page_info_get(const peer_page *page) {
  static const peer_page_info info = {.title = "", .cites = "", .due = ""};
  (void)page;
  return &info;
}

const char *peer_page_name(const peer_page *page, size_t i, char *out, size_t cap) {
  (void)page;
  (void)i;
  (void)cap;
  out[0] = '\0';
  return out;
}

const char *peer_page_text(const peer_page *page) {
  (void)page;
  return "";
}

void peer_page_free(peer_page *page) {
  (void)page;
}
