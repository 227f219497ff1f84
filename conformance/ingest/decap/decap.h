/* SPDX-License-Identifier: BSD-2-Clause */
/* From the link layer down to the innermost IP packet. */
#ifndef INGEST_DECAP_H
#define INGEST_DECAP_H

#include <ingest/encap.h>

#include "../packet.h"
#include "path.h"

/* Which list of numbers tells what a header is followed by. */
typedef enum decap_space {
  DECAP_LINK = 0,  /* LINKTYPE_ */
  DECAP_ETHERTYPE, /* also the protocol types of GRE and Geneve */
  DECAP_PROTOCOL,  /* protocol of IP */
  DECAP_PORT,      /* port of UDP */
  DECAP_PPP,       /* protocol field of PPP */
  DECAP_NEXT,      /* next protocol of VXLAN-GPE and NSH */
  DECAP_FRAME,     /* a frame without a number: enum decap_frame */
  DECAP_SPACES
} decap_space;

enum decap_frame {
  DECAP_FRAME_ETHERNET = 0,
  DECAP_FRAME_PPP,
  DECAP_FRAME_IP,
  DECAP_FRAME_PSEUDOWIRE, /* Ethernet, perhaps after a control word */
  DECAP_FRAME_ISL
};

typedef enum decap_end {
  DECAP_TRANSPORT = 0, /* `ip` holds TCP or SCTP */
  DECAP_FRAGMENT,      /* `ip` is a fragment that may hold it: ing_decap_resume goes on */
  DECAP_NOTHING,       /* the packet holds neither: `kind` and `number` say what it holds */
  DECAP_UNREAD         /* the packet may hold it and was not looked into: `kind` and `number` */
} decap_end;

/* A packet on its way down. `rest` begins with what `space` and `number` name. */
typedef struct ing_decap {
  ing_span rest;
  decap_space space;
  uint32_t number;
  ing_ip ip;               /* the innermost IP packet so far */
  const uint8_t *header;   /* first octet of the header of `ip` */
  const uint8_t *begin;    /* the first octet of the packet */
  decap_path *path;        /* notes which octets decide on the walk, or NULL */
  ingest_unread_kind kind; /* INGEST_UNREAD_KINDS: not known yet */
  ingest_tunnels *tunnels; /* tunnels of the packet */
  uint32_t lane;           /* a digest of VLAN identifiers and numbers of tunnels, 0 without any */
  uint16_t udp_from;       /* port of the sender, where there was UDP */
  bool sequenced;          /* GRE: the header has a sequence number */
  uint8_t num_headers;
  uint8_t num_layers;
  uint8_t layer[INGEST_LAYERS_MAX]; /* ingest_layer, the outermost first */
} ing_decap;

/* One line of the tables of decap.c. A layer of INGEST_LAYERS is not counted. */
typedef struct decap_row {
  uint32_t number;
  ingest_layer layer;
  /* Takes the header off `rest` and sets `space` and `number` to what follows. Returns false if the
   * header is cut or has a form that is not read. */
  bool (*open)(ing_decap *d);
} decap_row;

enum {
  DECAP_HEADERS_MAX = 48
}; /* headers that are taken off: layers and what stands between them */

/* A header that was taken off. */
typedef struct decap_header {
  bool (*open)(ing_decap *d); /* kind of header: the function of its row */
  /* octets from the first one of the header on, as far as the header before it said */
  ing_span span;
  size_t len; /* octets of the header itself */
  ing_ip ip;  /* the innermost IP packet so far, this one included */
} decap_header;

/* The headers of one packet, the outermost first. */
typedef struct decap_trace {
  size_t num;
  decap_header header[DECAP_HEADERS_MAX];
} decap_trace;

/* ing_decap_open takes all headers off down to the innermost IP packet. */
decap_end ing_decap_open(ing_decap *d, const ingest_packet *pkt);

/* A walk over the headers of a packet. */
typedef struct ing_walk {
  bool done; /* decap and end are of the current packet; else that was not walked over */
  decap_end end;
  ing_decap decap;
  size_t cap; /* same as in ing_path_fits, if the packet has a path */
} ing_walk;

/* ing_decap_learn does the same as ing_decap_open, and sets the path of the packet. */
decap_end ing_decap_learn(ing_decap *d, const ingest_packet *pkt, decap_path *path);

/* ing_decap_resume goes on after `ip` was put together from fragments. */
decap_end ing_decap_resume(ing_decap *d);

/* ing_decap_is_icmp returns true if the packet holds a whole message of ICMP, of the version of
 * `ip`. */
static inline bool ing_decap_is_icmp(const ing_decap *d) {
  const uint32_t icmp = d->ip.family == 4 ? ING_PROTO_ICMP : ING_PROTO_ICMP_V6;
  return d->space == DECAP_PROTOCOL && !d->ip.fragment && d->number == icmp;
}

/* ing_decap_trace and ing_decap_trace_on do the same as ing_decap_open and ing_decap_resume, and
 * note the headers. */
decap_end ing_decap_trace(ing_decap *d, const ingest_packet *pkt, decap_trace *t);
decap_end ing_decap_trace_on(ing_decap *d, decap_trace *t);

/* ing_decap_nested gives a packet up whose fragments cannot be put together. */
decap_end ing_decap_nested(ing_decap *d);

/* ing_decap_tunnel returns true if the protocol of IP may hold another packet. */
bool ing_decap_tunnel(uint8_t protocol);

/* ing_decap_port returns true if a tunnel has this UDP port. Some tunnels are only named, not read.
 */
bool ing_decap_port(uint16_t port);

/* ing_decap_count counts the layers of a packet, and the packet if it was not looked into. */
void ing_decap_count(ingest_encap *counts, const ing_decap *d, decap_end end, uint64_t packet);

/* ---- named.c ---- */

/* ing_decap_named_layer returns the tunnel of a port that the caller named, or else INGEST_LAYERS.
 */
ingest_layer ing_decap_named_layer(const ing_decap *d, uint32_t port);

/* ing_decap_named returns true if the caller named the port; notes that it was met. */
bool ing_decap_named(const ing_decap *d, uint32_t port);

/* ---- roce.c ---- */

/* decap_roce returns true if the packet is RoCEv2. */
bool decap_roce(const ing_decap *d, decap_end end);

/* decap_roce_count counts the packet, and decap_roce_add counts packets of two hosts. */
void decap_roce_count(ingest_encap *counts, const ing_decap *d, uint64_t number);
void decap_roce_add(ingest_encap *counts, const ingest_roce *packets);

/* ---- for the families ---- */

enum { DECAP_IP4_HEADER = 20 }; /* octets, without options */

/* The octets of a header that decide on the walk are read by the next five alone: so a path has all
 * of them. */

/* decap_get32 reads the four octets at `at` of `rest`. Only the bits of `mask` decide on the walk.
 */
static inline uint32_t decap_get32(ing_decap *d, size_t at, uint32_t mask) {
  const uint32_t word = ing_be32(&d->rest, at) & mask;
  if (d->path != NULL) {
    ing_path_note(d->path, (size_t)(d->rest.data - d->begin) + at, mask, word);
  }
  return word;
}

static inline uint16_t decap_get16(ing_decap *d, size_t at, uint16_t mask) {
  return (uint16_t)(decap_get32(d, at, (uint32_t)mask << 16) >> 16);
}

static inline uint8_t decap_get8(ing_decap *d, size_t at, uint8_t mask) {
  return (uint8_t)(decap_get32(d, at, (uint32_t)mask << 24) >> 24);
}

/* decap_length reads a length at `at` of `rest`, which counts from `from` on. If `fits` is true the
 * walk depends on whether the packet has as many octets; else what follows is shorter where the
 * length is less. */
static inline size_t decap_length(ing_decap *d, size_t at, size_t from, bool fits) {
  if (d->path != NULL) {
    const size_t before = (size_t)(d->rest.data - d->begin);
    ing_path_bound(d->path, before + at, before + from, fits);
  }
  return ing_be16(&d->rest, at);
}

/* decap_no_path says that packets with such a header have no path. */
static inline void decap_no_path(ing_decap *d) {
  if (d->path != NULL) {
    ing_path_drop(d->path);
  }
}

enum { DECAP_LENGTH_MAX = 1500 }; /* an EtherType up to here is a length. IEEE 802.3 3.2.6 */
#define DECAP_SNAP 0xaaaa0300u    /* LLC, and an octet more of the organization. RFC 1042 */

/* decap_lane adds a number that tells networks apart which may use the same addresses. */
static inline void decap_lane(ing_decap *d, ingest_layer layer, uint32_t number) {
  const uint64_t mixed = ((uint64_t)d->lane << 32 ^ (uint64_t)layer << 32 ^ number) + 1;
  d->lane = (uint32_t)(mixed * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* decap_to drops `header` octets of `rest` and names what follows. Returns false if not all of the
 * header was captured. */
static inline bool decap_to(ing_decap *d, size_t header, decap_space space, uint32_t number) {
  if (header > d->rest.cap || !ing_skip(&d->rest, header)) {
    return false;
  }
  d->space = space;
  d->number = number;
  return true;
}

/* decap_to_type drops a header whose last two octets are the EtherType of what follows. */
static inline bool decap_to_type(ing_decap *d, size_t header) {
  return decap_to(d, header, DECAP_ETHERTYPE, decap_get16(d, header - 2, 0xffff));
}

/* decap_refuse says why the packet is not looked into. Returns false. */
static inline bool decap_refuse(ing_decap *d, ingest_unread_kind kind, uint32_t number) {
  d->kind = kind;
  d->number = number;
  return false;
}

/* decap.c */
bool decap_ip4(ing_decap *d);
bool decap_ip6(ing_decap *d);
bool decap_ah(ing_decap *d);
bool decap_pseudowire(ing_decap *d);

/* link.c */
bool decap_ethernet(ing_decap *d);
bool decap_cooked(ing_decap *d);
bool decap_cooked2(ing_decap *d);
bool decap_raw(ing_decap *d);
bool decap_loopback(ing_decap *d);
bool decap_erf(ing_decap *d);
bool decap_nflog(ing_decap *d);
bool decap_chdlc(ing_decap *d);
bool decap_ipoib(ing_decap *d);
bool decap_ppi(ing_decap *d);
bool decap_pflog(ing_decap *d);
bool decap_enc(ing_decap *d);

/* tags.c */
bool decap_llc(ing_decap *d);
bool decap_vlan(ing_decap *d);
bool decap_etag(ing_decap *d);
bool decap_vntag(ing_decap *d);
bool decap_cmd(ing_decap *d);
bool decap_ttag(ing_decap *d);
bool decap_pbb(ing_decap *d);
bool decap_hsr(ing_decap *d);
bool decap_rtag(ing_decap *d);
bool decap_macsec(ing_decap *d);
bool decap_isl(ing_decap *d);
bool decap_trill(ing_decap *d);
bool decap_nsh(ing_decap *d);

/* mpls.c */
bool decap_mpls(ing_decap *d);

/* ppp.c */
bool decap_pppoe(ing_decap *d);
bool decap_ppp(ing_decap *d);
bool decap_ppp_dir(ing_decap *d);
bool decap_bridged(ing_decap *d);
bool decap_l2tp(ing_decap *d);

/* gre.c */
bool decap_gre(ing_decap *d);
bool decap_wccp(ing_decap *d);
bool decap_etherip(ing_decap *d);
bool decap_erspan2(ing_decap *d);
bool decap_erspan3(ing_decap *d);

/* udp.c */
bool decap_udp(ing_decap *d);
bool decap_vxlan(ing_decap *d);
bool decap_geneve(ing_decap *d);
bool decap_tzsp(ing_decap *d);
bool decap_gpe(ing_decap *d);
bool decap_gtpu(ing_decap *d);
bool decap_lisp(ing_decap *d);

#endif
