/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader of plain files, and libpcap as its oracle. */
#define _GNU_SOURCE /* u_char and the like of pcap.h, fmemopen */

#include "capture_twin.h"

#include <inttypes.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ingest/capture.h>
#include <ingest/pcap_time.h>

/* The plain reader on its way through the octets. */
typedef struct plain {
  capture_reader reader;
  const uint8_t *octets;
  size_t len;
  size_t at;
  bool swapped; /* the first section, or the file */
  bool turned;  /* a later section was not */
} plain;

static void *get(void *ctx, size_t size) {
  (void)ctx;
  return malloc(size);
}

static void put(void *ctx, void *ptr, size_t size) {
  (void)ctx;
  (void)size;
  free(ptr);
}

static pcap_t *open_libpcap(const uint8_t *octets, size_t len) {
  char reason[PCAP_ERRBUF_SIZE];
  FILE *file = len > 0 ? fmemopen((void *)(uintptr_t)octets, len, "rb") : NULL;
  if (file == NULL) {
    return NULL;
  }
  pcap_t *pcap = pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, reason);
  if (pcap == NULL) {
    (void)fclose(file);
  }
  return pcap;
}

/* The next packet, or how it ends: never an octet more than was asked for. */
static capture_twin_end plain_next(plain *p, ingest_packet *packet, bool *got) {
  size_t given = 0;
  *got = false;
  for (;;) {
    size_t used;
    const capture_result result = capture_next(&p->reader, p->octets + p->at, given, packet, &used);
    p->at += used;
    p->turned = p->turned || p->reader.swapped != p->swapped;
    if (result == CAPTURE_PACKET) {
      *got = true;
      return CAPTURE_TWIN_WHOLE;
    }
    if (result == CAPTURE_DAMAGED) {
      return CAPTURE_TWIN_DAMAGED;
    }
    given = p->reader.want;
    if (given > p->len - p->at) {
      return p->at == p->len ? CAPTURE_TWIN_WHOLE : CAPTURE_TWIN_CUT;
    }
  }
}

static capture_twin_end libpcap_end(pcap_t *pcap, int got) {
  if (got == PCAP_ERROR_BREAK) {
    return CAPTURE_TWIN_WHOLE;
  }
  return strncmp(pcap_geterr(pcap), "truncated", 9) == 0 ? CAPTURE_TWIN_CUT : CAPTURE_TWIN_DAMAGED;
}

/* In a file of the other byte order libpcap swaps numbers in the headers of some link types. */
static bool swapped_header(const ingest_packet *a) {
  return a->link_type == DLT_NFLOG || !ingest_link_known(a->link_type);
}

/* In a file of the other byte order libpcap swaps the identifier of a CAN frame. These are the four
 * octets after a Linux cooked header with one of CAN's protocols. No packet of iWARP is one. */
static bool turned_round(const ingest_packet *a, const uint8_t *data) {
  enum { COOKED = 16, PROTOCOL = 14, ID = 4, CAN = 0x0c, CAN_FD = 0x0d };
  const uint8_t *id = a->data + COOKED;
  return a->link_type == DLT_LINUX_SLL && a->caplen >= COOKED + ID && a->data[PROTOCOL] == 0 &&
         (a->data[PROTOCOL + 1] == CAN || a->data[PROTOCOL + 1] == CAN_FD) &&
         id[0] == data[COOKED + 3] && id[1] == data[COOKED + 2] && id[2] == data[COOKED + 1] &&
         id[3] == data[COOKED] && memcmp(a->data, data, COOKED) == 0 &&
         memcmp(id + ID, data + COOKED + ID, a->caplen - COOKED - ID) == 0;
}

/* libpcap drops octets of a packet that are more than the snapshot length says. */
static void compare(capture_twin *t, const ingest_packet *a, const struct pcap_pkthdr *h,
                    const plain *p, const uint8_t *data) {
  const uint64_t time = pcap_time_ns(h->ts.tv_sec, h->ts.tv_usec, p->reader.nano);
  const bool less = h->caplen == p->reader.snaplen && a->caplen > h->caplen;
  if ((a->caplen != h->caplen && !less) || a->len != h->len || a->time_ns != time) {
    snprintf(t->difference, sizeof t->difference,
             "packet %" PRIu64 ": %zu of %zu octets at %" PRIu64 ", not %u of %u at %" PRIu64,
             t->packets, a->caplen, a->len, a->time_ns, h->caplen, h->len, time);
  } else if (h->caplen > 0 && memcmp(a->data, data, h->caplen) != 0 && !turned_round(a, data) &&
             !(p->reader.swapped && swapped_header(a))) {
    snprintf(t->difference, sizeof t->difference, "packet %" PRIu64 ": other octets", t->packets);
  }
}

/* True if the file ends inside the block of a section, before its byte order. */
static bool order_cut(const plain *p) {
  const uint32_t section = 0x0a0d0d0a; /* in both byte orders */
  const size_t left = p->len - p->at;
  return left >= 8 && left < 12 && memcmp(p->octets + p->at, &section, sizeof section) == 0;
}

/* Where both end in the same way. Without a byte order the plain reader knows no length of the
 * block of a section. libpcap takes the length in the order of the section before. It looks at the
 * byte order when it has read the block, in which the file may end. */
static bool same_end(const capture_twin *t, const plain *p, pcap_t *pcap, int got) {
  static const char none[] = "a section of no byte order";
  const capture_twin_end end = libpcap_end(pcap, got);
  if (p->reader.reason != NULL && strncmp(p->reader.reason, none, sizeof none - 1) == 0) {
    return end != CAPTURE_TWIN_WHOLE;
  }
  return t->end == end || (t->end == CAPTURE_TWIN_CUT && order_cut(p));
}

/* Where libpcap stops and the plain reader goes on. A section of the other byte order has, for
 * libpcap, a length that no block has. */
static bool goes_further(const plain *p, pcap_t *pcap, int got) {
  static const char *const reasons[] = {
      "different from the type of the first interface",
      "different from the snapshot length of the first interface",
      "bigger than snaplen of",
  };
  const char *reason = got == PCAP_ERROR ? pcap_geterr(pcap) : "";
  for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
    if (strstr(reason, reasons[i]) != NULL) {
      return true;
    }
  }
  return got == PCAP_ERROR && p->turned;
}

/* A file that libpcap does not read is still read to its end. */
static void read_alone(capture_twin *t, plain *p) {
  for (bool more = true; more;) {
    ingest_packet packet;
    t->packets++;
    t->end = plain_next(p, &packet, &more);
  }
}

static void read_both(capture_twin *t, plain *p, pcap_t *pcap) {
  bool more = true;
  while (more && t->difference[0] == 0) {
    ingest_packet packet;
    struct pcap_pkthdr *h;
    const uint8_t *data;
    t->end = plain_next(p, &packet, &more);
    const int got = pcap_next_ex(pcap, &h, &data);
    if (more && got == 1) {
      t->packets++;
      compare(t, &packet, h, p, data);
    } else if (goes_further(p, pcap, got)) {
      if (more) {
        read_alone(t, p);
      }
      more = false;
    } else if (more || got == 1 || !same_end(t, p, pcap, got)) {
      snprintf(t->difference, sizeof t->difference, "after packet %" PRIu64 ": %s%s, not %.60s",
               t->packets, more ? "a packet" : "an end",
               p->reader.reason != NULL ? " by damage" : "",
               got == 1 ? "a packet" : pcap_geterr(pcap));
    }
  }
}

/* Returns true if the first section of pcapng has the byte order of this machine. */
static bool first_section_ours(const uint8_t *octets) {
  const uint32_t magic = 0x1a2b3c4d;
  return memcmp(octets + 8, &magic, sizeof magic) == 0;
}

capture_twin capture_twin_read(const uint8_t *octets, size_t len) {
  const ingest_alloc alloc = {.get = get, .put = put};
  capture_twin t = {.end = CAPTURE_TWIN_LEFT};
  plain p = {.octets = octets, .len = len};
  p.at = capture_begin(&p.reader, &alloc, octets, len);
  p.swapped = p.reader.ng ? !first_section_ours(octets) : p.reader.swapped;
  pcap_t *pcap = p.at != 0 ? open_libpcap(octets, len) : NULL;
  const bool known =
      ingest_link_known(p.reader.link_type); /* else libpcap may number it otherwise */
  if (p.at != 0 && pcap == NULL && p.reader.swapped != p.swapped) {
    read_alone(&t, &p);
  } else if (p.at != 0 && (pcap == NULL || (known && pcap_datalink(pcap) != p.reader.link_type))) {
    snprintf(t.difference, sizeof t.difference, "libpcap reads it otherwise");
  } else if (p.at != 0) {
    read_both(&t, &p, pcap);
  }
  if (pcap != NULL) {
    pcap_close(pcap);
  }
  capture_end(&p.reader);
  return t;
}
