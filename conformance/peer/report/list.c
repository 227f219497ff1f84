/* SPDX-License-Identifier: BSD-2-Clause */
/* The cases, without playing them. */
#include <peer_report/run.h>

#include <stdio.h>
#include <string.h>

#include <report/jsonw.h>
#include <report/run_line.h>

static const char *list_tag(uint32_t bit) {
  return bit == PEER_TAG_DANGER ? "danger" : bit == PEER_TAG_SLOW ? "slow" : "extension";
}

/* Both roles, or the one that the run is about. */
static const char *list_role(uint32_t plays) {
  return plays == PEER_PLAYS_INITIATOR   ? "initiator"
         : plays == PEER_PLAYS_RESPONDER ? "responder"
                                         : "initiator or responder";
}

static void list_words(jsonw *w, const peer_page_info *info) {
  jsonw_array(w, "needs");
  for (uint32_t bit = 1; peer_offer_word(bit) != NULL; bit <<= 1) {
    if ((info->needs & bit) != 0) {
      jsonw_text(w, NULL, peer_offer_word(bit));
    }
  }
  jsonw_end_array(w);
  jsonw_array(w, "tags");
  for (uint32_t bit = PEER_TAG_DANGER; bit <= PEER_TAG_EXTENSION; bit <<= 1) {
    if ((info->tags & bit) != 0) {
      jsonw_text(w, NULL, list_tag(bit));
    }
  }
  jsonw_end_array(w);
  jsonw_words(w, "requirements", info->cites);
}

static void list_json(out_buf *out, const peer_run_case *c) {
  const peer_page_info *info = peer_page_info_get(c->item.page);
  jsonw w = {.out = out};
  jsonw_object(&w, NULL);
  jsonw_text(&w, "type", "listed");
  jsonw_text(&w, "case", c->name);
  jsonw_string(&w, "title", info->title, strlen(info->title));
  jsonw_array(&w, "roles");
  if ((info->plays & PEER_PLAYS_INITIATOR) != 0) {
    jsonw_text(&w, NULL, "initiator");
  }
  if ((info->plays & PEER_PLAYS_RESPONDER) != 0) {
    jsonw_text(&w, NULL, "responder");
  }
  jsonw_end_array(&w);
  list_words(&w, info);
  jsonw_string(&w, "due", info->due, strlen(info->due));
  jsonw_seconds(&w, "seconds", (uint64_t)info->min_time_ms * 1000000u);
  jsonw_end_object(&w);
  jsonw_end_line(&w);
}

static void list_text_words(out_buf *out, const peer_page_info *info) {
  const char *before = "; needs ";
  for (uint32_t bit = 1; peer_offer_word(bit) != NULL; bit <<= 1) {
    if ((info->needs & bit) != 0) {
      out_str(out, before);
      out_str(out, peer_offer_word(bit));
      before = " ";
    }
  }
  before = "; ";
  for (uint32_t bit = PEER_TAG_DANGER; bit <= PEER_TAG_EXTENSION; bit <<= 1) {
    if ((info->tags & bit) != 0) {
      out_str(out, before);
      out_str(out, list_tag(bit));
      before = " ";
    }
  }
}

static void list_text(out_buf *out, const peer_run_case *c) {
  const peer_page_info *info = peer_page_info_get(c->item.page);
  char seconds[32];
  out_str(out, c->name);
  out_str(out, ": ");
  out_str(out, info->title);
  out_str(out, "\n    ");
  out_str(out, list_role(info->plays));
  list_text_words(out, info);
  (void)snprintf(seconds, sizeof seconds, "; %.3f s", info->min_time_ms / 1000.0);
  out_str(out, seconds);
  if (info->cites[0] != 0) {
    out_str(out, "; ");
    out_str(out, info->cites);
  }
  out_str(out, "\n    due: ");
  out_str(out, info->due);
  out_char(out, '\n');
}

void peer_report_list(out_buf *out, const peer_run *run, bool json) {
  if (json) {
    report_run_line(out, "peer");
  }
  for (size_t i = 0; i < run->num_cases; i++) {
    (json ? list_json : list_text)(out, &run->cases[i]);
  }
}
