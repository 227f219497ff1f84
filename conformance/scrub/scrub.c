/* SPDX-License-Identifier: BSD-2-Clause */
/* The three readings. */
#define _POSIX_C_SOURCE 200809L

#include <scrub/scrub.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <ingest/rewrite.h>
#include <memory/memory.h>

#include "found.h"
#include "kept.h"
#include "learn.h"
#include "mapping.h"
#include "sha256.h"

struct scrub {
  scrub_cfg cfg;
  sha256 digest;
  bool begun; /* the key is known */
  mapping map;
  kept kept;
  learn learn;
  found found;
  ingest_rewrite *rewrite;
  uint64_t before; /* digest of what was found in the capture */
  int spool_error; /* errno, or 0 */
  bool unreliable; /* engines lacked memory */
  bool differs;    /* a packet may be another one to ingest */
  uint8_t scratch[65536 + 1024];
};

/* ---- what the rewriter asks for ---- */

static void scrub_mac(void *ctx, uint8_t octets[6]) {
  mapping_mac(&((scrub *)ctx)->map, octets);
}

static void scrub_ip(void *ctx, uint8_t family, uint8_t *octets) {
  mapping_ip(&((scrub *)ctx)->map, family, octets);
}

static uint16_t scrub_port(void *ctx, uint8_t protocol, uint16_t port) {
  return mapping_port(&((scrub *)ctx)->map, protocol, port);
}

static void scrub_other(void *ctx, uint8_t *octets, size_t len) {
  mapping_other(&((const scrub *)ctx)->map, octets, len);
}

static void scrub_port_seen(void *ctx, uint16_t port) {
  mapping_port_seen(&((scrub *)ctx)->map, port);
}

/* The message begins with its DDP-SSN. A control message has its function and Private Data, of
 * which the enhanced data stay. RFC 5043 5.2, RFC 6581 7 */
static learn_head scrub_message_head(const scrub *s, uint32_t ppid, iwarp_span user) {
  learn_head h = {.num = 0};
  if (ppid == IWARP_SCTP_PPID_SEGMENT && user.len > IWARP_SCTP_SEGMENT_LEN) {
    const iwarp_span segment = {user.ptr + IWARP_SCTP_SEGMENT_LEN,
                                user.len - IWARP_SCTP_SEGMENT_LEN};
    h = learn_header(segment, segment.len);
    for (size_t i = 0; i < h.num; i++) {
      h.from[i] += i == 0 ? 0 : IWARP_SCTP_SEGMENT_LEN;
      h.to[i] += IWARP_SCTP_SEGMENT_LEN;
    }
  } else if (ppid == IWARP_SCTP_PPID_SEGMENT || ppid == IWARP_SCTP_PPID_CONTROL) {
    const size_t stays = s->cfg.private_data ? user.len : (size_t)IWARP_SCTP_CONTROL_LEN + 4;
    h = (learn_head){.num = 1, .to = {stays < user.len ? stays : user.len}};
  }
  return h;
}

static void scrub_message(scrub *s, const ingest_rewritten *where, uint8_t *octets, size_t len) {
  const uint64_t flow = mapping_flow(&s->map, &where->src, &where->dst, true) + where->seq;
  const learn_head h =
      scrub_message_head(s, where->begins ? where->ppid : 0, (iwarp_span){octets, len});
  memcpy(s->scratch, octets, len);
  mapping_stream(&s->map, flow, 0, octets, len);
  for (size_t i = 0; i < h.num; i++) {
    memcpy(octets + h.from[i], s->scratch + h.from[i], h.to[i] - h.from[i]);
  }
}

static void scrub_segment(scrub *s, const ingest_rewritten *where, uint8_t *octets, size_t len) {
  const uint64_t flow = mapping_flow(&s->map, &where->src, &where->dst, false);
  kept_dir *dir = kept_find(&s->kept, flow, where->packet, where->lane, where->seq);
  uint64_t pos = where->seq;
  if (dir != NULL) {
    pos = kept_pos(dir, where->seq);
    dir->near = pos;
  }
  while (len > 0) {
    const size_t n = len < sizeof s->scratch ? len : sizeof s->scratch; /* a packet may be larger */
    memcpy(s->scratch, octets, n);
    kept_scrub(&s->map, dir, flow, pos, s->scratch, n, octets, true);
    pos += n;
    octets += n;
    len -= n;
  }
}

static void scrub_stream(void *ctx, const ingest_rewritten *where, uint8_t *octets, size_t len) {
  if (where->sctp) {
    scrub_message(ctx, where, octets, len);
  } else {
    scrub_segment(ctx, where, octets, len);
  }
}

/* Notes the first failure; a file that is shorter than it was written has no errno. */
static bool scrub_spooled(scrub *s, bool ok) {
  if (!ok && s->spool_error == 0) {
    s->spool_error = errno != 0 ? errno : EIO;
  }
  return ok;
}

static bool scrub_keep(void *ctx, const uint8_t *octets, size_t len) {
  scrub *s = ctx;
  errno = 0;
  return scrub_spooled(s, s->spool_error == 0 && fwrite(octets, 1, len, s->cfg.spool) == len);
}

static bool scrub_load(void *ctx, uint64_t at, uint8_t *octets, size_t len) {
  scrub *s = ctx;
  errno = 0;
  return scrub_spooled(s, s->spool_error == 0 && fseeko(s->cfg.spool, (off_t)at, SEEK_SET) == 0 &&
                              fread(octets, 1, len, s->cfg.spool) == len);
}

static void *scrub_get(void *ctx, size_t size) {
  (void)ctx;
  return memory_get(size);
}

static void scrub_put(void *ctx, void *at, size_t size) {
  (void)ctx;
  (void)size;
  free(at);
}

/* ---- readings ---- */

scrub *scrub_new(const scrub_cfg *cfg) {
  scrub *s = memory_zeroed(1, sizeof *s);
  if (s != NULL) {
    s->cfg = *cfg;
    s->kept.limit = cfg->memory / 2;
    sha256_begin(&s->digest);
  }
  return s;
}

void scrub_secret(scrub *s, const void *octets, size_t len) {
  sha256_add(&s->digest, octets, len);
}

void scrub_digest(scrub *s, const ingest_packet *pkt) {
  const uint64_t head[4] = {pkt->caplen, pkt->len, (uint64_t)pkt->link_type, pkt->time_ns};
  uint8_t octets[sizeof head];
  for (size_t i = 0; i < sizeof octets; i++) {
    octets[i] = (uint8_t)(head[i / 8] >> 8 * (i % 8));
  }
  sha256_add(&s->digest, octets, sizeof octets);
  sha256_add(&s->digest, pkt->data, pkt->caplen);
}

static bool scrub_look(scrub *s, learn *taught) {
  return found_begin(&s->found, &s->cfg.observe, s->cfg.memory / 2, s->map.key[MAPPING_TABLES],
                     taught);
}

/* The key is known: all else can begin. */
static bool scrub_begin(scrub *s) {
  const ingest_rewriter to = {.ctx = s,
                              .mac = scrub_mac,
                              .ip = scrub_ip,
                              .port = scrub_port,
                              .stream = scrub_stream,
                              .other = scrub_other,
                              .port_seen = scrub_port_seen,
                              .keep = scrub_keep,
                              .load = scrub_load};
  const ingest_alloc alloc = {.get = scrub_get, .put = scrub_put};
  uint8_t key[SHA256_LEN];
  sha256_end(&s->digest, key);
  mapping_begin(&s->map, key, s->cfg.observe.ports);
  s->map.tunnels = s->cfg.tunnels;
  s->learn.map = &s->map;
  s->learn.kept = &s->kept;
  s->learn.private_data = s->cfg.private_data;
  s->begun = true;
  s->rewrite = ingest_rewrite_new(&alloc, s->map.key[MAPPING_TABLES], &to);
  return s->rewrite != NULL && scrub_look(s, &s->learn);
}

bool scrub_learn(scrub *s, const ingest_packet *pkt) {
  if (!s->begun && !scrub_begin(s)) {
    return false;
  }
  found_packet(&s->found, pkt);
  return ingest_rewrite_learn(s->rewrite, pkt) && scrub_failed(s) == SCRUB_OK;
}

bool scrub_learnt(scrub *s) {
  if (!s->begun && !scrub_begin(s)) {
    return false;
  }
  s->unreliable = !found_finish(&s->found);
  s->before = s->found.digest;
  found_end(&s->found);
  mapping_ports(&s->map);
  return kept_sort(&s->kept) && scrub_failed(s) == SCRUB_OK && scrub_look(s, NULL);
}

bool scrub_packet(scrub *s, const ingest_packet *pkt, uint8_t *out) {
  ingest_packet now = *pkt;
  now.data = out;
  s->differs = !ingest_rewrite_packet(s->rewrite, pkt, out) || s->differs;
  found_packet(&s->found, &now);
  return scrub_failed(s) == SCRUB_OK;
}

bool scrub_finish(scrub *s) {
  s->unreliable = !found_finish(&s->found) || s->unreliable;
  return s->found.digest == s->before && !s->differs;
}

scrub_result scrub_failed(const scrub *s) {
  if (s->spool_error != 0) {
    return SCRUB_SPOOL;
  }
  if (s->kept.full) {
    return SCRUB_FULL;
  }
  return memory_ran_out() || s->unreliable || s->kept.failed ? SCRUB_NO_MEMORY : SCRUB_OK;
}

int scrub_spool_error(const scrub *s) {
  return s->spool_error;
}

size_t scrub_wanted(const scrub *s) {
  return 4 * s->kept.wanted;
}

void scrub_free(scrub *s) {
  if (s != NULL) {
    if (s->found.observe != NULL && s->found.ingest != NULL) {
      (void)found_finish(&s->found); /* connections that are open */
    }
    found_end(&s->found);
    ingest_rewrite_free(s->rewrite);
    learn_free(&s->learn);
    kept_free(&s->kept);
    free(s);
  }
}
