/* SPDX-License-Identifier: BSD-2-Clause */
/* The page of a case: its demands, their requirements, and the conversation itself. */
#include "explain_case.h"

#include <stdio.h>
#include <string.h>

#include "embedded.h"
#include "markdown.h"

static const char *case_roles(uint32_t plays) {
  return plays == PEER_PLAYS_INITIATOR   ? "Initiator (`connect`)"
         : plays == PEER_PLAYS_RESPONDER ? "Responder (`listen`)"
                                         : "Initiator (`connect`) or Responder (`listen`)";
}

static void case_offers(out_buf *out, uint32_t needs) {
  const char *before = "- Needs of the target's application (`--ulp`): ";
  for (uint32_t bit = 1; peer_offer_word(bit) != NULL; bit <<= 1) {
    if ((needs & bit) != 0) {
      out_str(out, before);
      out_char(out, '`');
      out_str(out, peer_offer_word(bit));
      out_char(out, '`');
      before = ", ";
    }
  }
  out_str(out, needs != 0 ? "\n" : "");
}

static void case_tags(out_buf *out, uint32_t tags) {
  if ((tags & PEER_TAG_DANGER) != 0) {
    out_str(out, "- Known to crash some stack: played with `--danger` alone\n");
  }
  if ((tags & PEER_TAG_SLOW) != 0) {
    out_str(out, "- Takes longer than others\n");
  }
  if ((tags & PEER_TAG_EXTENSION) != 0) {
    out_str(out, "- Of RFC 7306, which a target need not know\n");
  }
}

static const struct iwarp_embedded_requirement *case_requirement(const char *id, size_t len) {
  for (size_t i = 0; i < iwarp_requirement_row_count; i++) {
    const struct iwarp_embedded_requirement *row = &iwarp_requirement_rows[i];
    if (strlen(row->id) == len && memcmp(row->id, id, len) == 0) {
      return row;
    }
  }
  return NULL;
}

static void case_cites(out_buf *out, const char *ids) {
  out_str(out, "\n## Requirements\n\n");
  while (*ids != 0) {
    const size_t len = strcspn(ids, " ");
    const struct iwarp_embedded_requirement *row = case_requirement(ids, len);
    out_str(out, "- `");
    out_put(out, ids, len);
    out_char(out, '`');
    if (row != NULL) {
      out_str(out, " (");
      out_str(out, row->level);
      out_str(out, ", ");
      out_str(out, row->who);
      out_str(out, "): ");
      out_str(out, row->text);
    }
    out_char(out, '\n');
    ids += len + strspn(ids + len, " ");
  }
}

/* The lines of the target: one item each, with its alternatives. */
static void case_due(out_buf *out, const char *due) {
  out_str(out, "\n## Due\n\n- `");
  while (*due != 0) {
    if (strncmp(due, "; ", 2) == 0) {
      out_str(out, "`\n- `");
      due += 2;
    } else if (strncmp(due, " or ", 4) == 0) {
      out_str(out, "` or `");
      due += 4;
    } else {
      out_char(out, *due++);
    }
  }
  out_str(out, "`\n");
}

/* The text of the page, as code. */
static void case_text(out_buf *out, const char *text) {
  out_str(out, "\n## Page\n\n");
  while (*text != 0) {
    const size_t len = strcspn(text, "\n");
    out_str(out, len > 0 ? "    " : "");
    out_put(out, text, len);
    out_char(out, '\n');
    text += len + (text[len] != 0 ? 1 : 0);
  }
}

void explain_case_markdown(out_buf *out, const char *name, const peer_page *page) {
  const peer_page_info *info = peer_page_info_get(page);
  out_str(out, "# case.");
  out_str(out, name);
  out_str(out, "\n\n");
  out_str(out, info->title);
  out_str(out, ".\n\n- The tester is the ");
  out_str(out, case_roles(info->plays));
  out_char(out, '\n');
  case_offers(out, info->needs);
  case_tags(out, info->tags);
  if (info->num_instances > 1) {
    out_str(out, "- Instances: ");
    out_u64(out, info->num_instances);
    out_char(out, '\n');
  }
  case_due(out, info->due);
  case_cites(out, info->cites);
  case_text(out, peer_page_text(page));
}

/* Returns true if the word is the name of the page, or of an instance of it. */
static bool case_is(const char *word, const peer_case *one) {
  const size_t len = strlen(one->name);
  return strncmp(word, one->name, len) == 0 && (word[len] == 0 || word[len] == '.');
}

static void case_put(out_buf *out, const char *name, const peer_page *page, bool color) {
  out_buf text;
  out_open_memory(&text);
  explain_case_markdown(&text, name, page);
  out_char(&text, 0);
  if (text.error == 0) {
    markdown_put(out, text.buf, color);
  }
  out_close(&text);
}

bool explain_case(out_buf *out, const char *word, bool color) {
  const char *name = strncmp(word, "case.", 5) == 0 ? word + 5 : word;
  for (const peer_case *one = peer_cases; one->name != NULL; one++) {
    scenario_error error;
    peer_page *page =
        case_is(name, one) ? peer_page_read(one->name, one->text, strlen(one->text), &error) : NULL;
    if (page != NULL) {
      case_put(out, one->name, page, color);
      peer_page_free(page);
      return true;
    }
  }
  return false;
}
