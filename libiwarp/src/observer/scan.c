/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds a startup key in a stream that is not known to be iWARP. */
#include <string.h>

#include <iwarp/scan.h>

#include "../base/minmax.h"
#include "../base/span.h"

#define SCAN_WINDOW IWARP_MPA_STARTUP_LEN

/* Both keys begin alike: a stretch without this octet holds no key. */
#define SCAN_FIRST 0x4Du

/*
 * Returns true if the fields after a key in mid-stream are possible in a startup frame. A text
 * about MPA has printable characters there: a revision above 2 and a length beyond 512.
 */
static bool scan_fields_possible(const uint8_t *frame) {
  const uint32_t pd_length = ((uint32_t)frame[18] << 8) | frame[19];
  return frame[17] <= 2u || pd_length <= IWARP_MPA_PRIVATE_DATA_MAX;
}

/* The octets of the scanner's window: held from earlier pushes, then the new ones. */
typedef struct scan_view {
  iwarp_span held;
  iwarp_span in;
} scan_view;

static size_t scan_view_len(const scan_view *v) {
  return v->held.len + v->in.len;
}

static uint8_t scan_view_at(const scan_view *v, size_t i) {
  return i < v->held.len ? span_u8(v->held, i) : span_u8(v->in, i - v->held.len);
}

/* Returns the number of octets at `i` that agree with the beginning of either key. */
static size_t scan_match(const scan_view *v, size_t i) {
  const uint8_t *req = iwarp_mpa_key_octets(IWARP_MPA_KEY_REQUEST);
  const uint8_t *rep = iwarp_mpa_key_octets(IWARP_MPA_KEY_REPLY);
  const size_t left = scan_view_len(v) - i;
  const size_t max = size_min(left, IWARP_MPA_KEY_LEN);
  bool is_req = true;
  bool is_rep = true;
  size_t n = 0;
  for (; n < max; n++) {
    const uint8_t c = scan_view_at(v, i + n);
    is_req = is_req && c == req[n];
    is_rep = is_rep && c == rep[n];
    if (!is_req && !is_rep) {
      break;
    }
  }
  return n;
}

/* The verdict at `i`: no key, perhaps a key (more octets decide), or a key that counts. */
typedef enum scan_verdict { SCAN_NO, SCAN_MAYBE, SCAN_YES } scan_verdict;

static scan_verdict scan_judge(const scan_view *v, size_t i, bool at_start) {
  const size_t left = scan_view_len(v) - i;
  const size_t n = scan_match(v, i);
  uint8_t frame[SCAN_WINDOW];
  if (n < IWARP_MPA_KEY_LEN) {
    return n == left ? SCAN_MAYBE : SCAN_NO;
  }
  if (at_start) {
    return SCAN_YES;
  }
  if (left < SCAN_WINDOW) {
    return SCAN_MAYBE;
  }
  for (size_t k = 0; k < SCAN_WINDOW; k++) {
    frame[k] = scan_view_at(v, i + k);
  }
  return scan_fields_possible(frame) ? SCAN_YES : SCAN_NO;
}

/* The next index from `i` on at which a key may begin. */
static size_t scan_skip(const scan_view *v, size_t i) {
  iwarp_span in;
  size_t k = 0;
  while (i < v->held.len && span_u8(v->held, i) != SCAN_FIRST) {
    i++;
  }
  if (i < v->held.len) {
    return i;
  }
  in = span_from(v->in, i - v->held.len);
  while (k < in.len && span_u8(in, k) != SCAN_FIRST) {
    k++;
  }
  return i + k;
}

static void scan_hold(iwarp_scan *scan, const scan_view *v, size_t from) {
  uint8_t keep[SCAN_WINDOW] = {0};
  const size_t n = scan_view_len(v) - from;
  for (size_t k = 0; k < n; k++) {
    keep[k] = scan_view_at(v, from + k);
  }
  memcpy(scan->held, keep, sizeof(keep));
  scan->num_held = (uint8_t)n;
  scan->past_start = scan->past_start || from > 0;
}

bool iwarp_scan_push(iwarp_scan *scan, iwarp_span *held, iwarp_span *rest, iwarp_span in) {
  const scan_view v = {iwarp_scan_held(scan), in};
  const size_t len = scan_view_len(&v);
  size_t i = scan_skip(&v, 0);
  while (i < len) {
    const scan_verdict verdict = scan_judge(&v, i, i == 0 && !scan->past_start);
    if (verdict == SCAN_YES) {
      *held = span_from(v.held, i);
      *rest = span_from(in, i < v.held.len ? 0 : i - v.held.len);
      return true;
    }
    if (verdict == SCAN_MAYBE) {
      scan_hold(scan, &v, i);
      return false;
    }
    i = scan_skip(&v, i + 1);
  }
  scan->num_held = 0;
  scan->past_start = scan->past_start || len > 0;
  return false;
}

iwarp_span iwarp_scan_held(const iwarp_scan *scan) {
  return (iwarp_span){scan->held, scan->num_held};
}

void iwarp_scan_gap(iwarp_scan *scan) {
  scan->num_held = 0;
  scan->past_start = true;
}
