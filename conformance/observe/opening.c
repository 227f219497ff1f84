/* SPDX-License-Identifier: BSD-2-Clause */
/* Startup frames that show to ingest where a connection begins. RFC 5044 7.1.1 */
#include <iwarp/mpa.h>
#include <observe/observe.h>

ingest_opening observe_opening(const uint8_t *data, size_t len) {
  const iwarp_span octets = {data, len};
  iwarp_mpa_startup head;
  if (iwarp_mpa_startup_head_decode(&head, octets).err != IWARP_OK || head.rev > 2 ||
      (head.flags & IWARP_MPA_FLAG_RES) != 0 || head.pd_length > IWARP_MPA_PRIVATE_DATA_MAX) {
    return INGEST_OPENING_NONE;
  }
  const size_t size = iwarp_mpa_startup_size(head.rev, head.pd_length);
  const iwarp_mpa_key key = iwarp_mpa_key_classify(octets);
  if (key == IWARP_MPA_KEY_REQUEST && len == size) {
    return INGEST_OPENING_REQUEST;
  }
  return key == IWARP_MPA_KEY_REPLY && len >= size ? INGEST_OPENING_REPLY : INGEST_OPENING_NONE;
}
