/* SPDX-License-Identifier: BSD-2-Clause */
/* Startup frames that show to ingest where a connection begins. RFC 5044 7.1.1 */
#include <iwarp/mpa.h>
#include <observe/observe.h>
#include <string.h>

#define OPENING_KEY_LEAST 10u /* octets of a key that tell it from the other one */

static bool opening_begins(iwarp_span octets, iwarp_mpa_key key) {
  const size_t len = octets.len < IWARP_MPA_KEY_LEN ? octets.len : IWARP_MPA_KEY_LEN;
  return len >= OPENING_KEY_LEAST && memcmp(octets.ptr, iwarp_mpa_key_octets(key), len) == 0;
}

/* The octets end inside the header: their key tells what they begin. */
static ingest_opening opening_begun(iwarp_span octets) {
  if (opening_begins(octets, IWARP_MPA_KEY_REQUEST)) {
    return INGEST_OPENING_REQUEST_PART;
  }
  return opening_begins(octets, IWARP_MPA_KEY_REPLY) ? INGEST_OPENING_REPLY : INGEST_OPENING_NONE;
}

ingest_opening observe_opening(const uint8_t *data, size_t len) {
  const iwarp_span octets = {data, len};
  iwarp_mpa_startup head;
  if (len < IWARP_MPA_STARTUP_LEN) {
    return opening_begun(octets);
  }
  if (iwarp_mpa_startup_head_decode(&head, octets).err != IWARP_OK || head.rev > 2 ||
      (head.flags & IWARP_MPA_FLAG_RES) != 0 || head.pd_length > IWARP_MPA_PRIVATE_DATA_MAX) {
    return INGEST_OPENING_NONE;
  }
  const size_t size = iwarp_mpa_startup_size(head.rev, head.pd_length);
  const iwarp_mpa_key key = iwarp_mpa_key_classify(octets);
  if (key == IWARP_MPA_KEY_REQUEST && len <= size) {
    return len == size ? INGEST_OPENING_REQUEST : INGEST_OPENING_REQUEST_PART;
  }
  return key == IWARP_MPA_KEY_REPLY ? INGEST_OPENING_REPLY : INGEST_OPENING_NONE;
}
