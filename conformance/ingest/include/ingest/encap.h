/* SPDX-License-Identifier: BSD-2-Clause */
/* The layers around the innermost IP packet: tags and tunnels. */
#ifndef INGEST_ENCAP_H
#define INGEST_ENCAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ingest/addr.h>

#define INGEST_LAYERS_MAX 8u /* tags and tunnels that are taken off one packet */

/** ingest_layer is a tag or a tunnel. */
typedef enum ingest_layer {
  INGEST_LAYER_VLAN = 0, /* IEEE 802.1Q and 802.1ad, also with EtherTypes 0x9100 and 0x9200 */
  INGEST_LAYER_ETAG,     /* IEEE 802.1BR */
  INGEST_LAYER_VNTAG,    /* Cisco VN-Tag */
  INGEST_LAYER_CMD,      /* Cisco MetaData */
  INGEST_LAYER_TTAG,     /* Cisco timestamp tag */
  INGEST_LAYER_PBB,      /* IEEE 802.1ah, Provider Backbone Bridges */
  INGEST_LAYER_HSR,      /* IEC 62439-3 */
  INGEST_LAYER_RTAG,     /* IEEE 802.1CB */
  INGEST_LAYER_MACSEC,   /* IEEE 802.1AE, not encrypted */
  INGEST_LAYER_ISL,      /* Cisco Inter-Switch Link */
  INGEST_LAYER_TRILL,    /* RFC 6325 */
  INGEST_LAYER_NSH,      /* RFC 8300 */
  INGEST_LAYER_MPLS,     /* RFC 3032: the whole label stack */
  INGEST_LAYER_PPPOE,    /* RFC 2516 */
  INGEST_LAYER_PPP,      /* RFC 1661, as the link type or in PPPoE */
  INGEST_LAYER_ERF,      /* record header of Endace cards */
  INGEST_LAYER_NFLOG,    /* Linux netfilter */
  INGEST_LAYER_IPIP,     /* RFC 2003, RFC 2473 */
  INGEST_LAYER_6IN4,     /* RFC 4213 */
  INGEST_LAYER_GRE,      /* RFC 2784, RFC 2890 */
  INGEST_LAYER_ERSPAN,   /* types I, II and III */
  INGEST_LAYER_VXLAN,    /* RFC 7348 */
  INGEST_LAYER_GENEVE,   /* RFC 8926 */
  INGEST_LAYER_TZSP,     /* TaZmen Sniffer Protocol */
  INGEST_LAYER_GPE,      /* VXLAN-GPE */
  INGEST_LAYER_GTPU,     /* 3GPP TS 29.281 */
  INGEST_LAYER_L2TP,     /* RFC 2661: data messages */
  INGEST_LAYER_LISP,     /* RFC 9300 */
  INGEST_LAYER_ETHERIP,  /* RFC 3378, and the protocol Ethernet of RFC 8986 */
  INGEST_LAYERS
} ingest_layer;

/** ingest_layer_name returns the name, in lower case: "vlan". It returns NULL for other numbers. */
const char *ingest_layer_name(ingest_layer layer);

#define INGEST_PORTS 65536u

/** ingest_tunnels names ports of UDP, the sender's or the receiver's, as tunnels. All zeros: none.
 * Engines of several threads may share one. */
typedef struct ingest_tunnels {
  uint8_t layer[INGEST_PORTS]; /* ingest_layer plus 1, by port; 0: no tunnel */
  uint8_t met[INGEST_PORTS];   /* 1 once a packet had the port, by port; only set by engines */
} ingest_tunnels;

/** ingest_tunnels_add names a port as VXLAN, Geneve or TZSP, before any packet is read. Returns
 * false for another layer. */
bool ingest_tunnels_add(ingest_tunnels *tunnels, uint16_t port, ingest_layer layer);

/** ingest_unread_kind says why a packet was not looked into, and what its number is. Packets of the
 * kinds before INGEST_UNREAD_EMPTY_ETHERTYPE may hide TCP or SCTP. */
typedef enum ingest_unread_kind {
  INGEST_UNREAD_ETHERTYPE = 0,   /* an EtherType that is not known */
  INGEST_UNREAD_PROTOCOL,        /* a protocol of IP that encrypts or wraps */
  INGEST_UNREAD_PORT,            /* a tunnel over a UDP port that is not read */
  INGEST_UNREAD_LINK,            /* a link type */
  INGEST_UNREAD_ERF,             /* a record type of ERF */
  INGEST_UNREAD_LAYER,           /* the header of this ingest_layer is not one that is read */
  INGEST_UNREAD_DEPTH,           /* more than INGEST_LAYERS_MAX layers */
  INGEST_UNREAD_FRAGMENTS,       /* a tunnel in fragments inside a tunnel in fragments */
  INGEST_UNREAD_PPP,             /* a network protocol of PPP, below 0x4000 */
  INGEST_UNREAD_EMPTY_ETHERTYPE, /* an EtherType without IP, such as ARP */
  INGEST_UNREAD_EMPTY_PROTOCOL,  /* a protocol of IP that holds no packets, such as ICMP */
  INGEST_UNREAD_UDP,             /* UDP of no tunnel: the lower port of the first packet */
  INGEST_UNREAD_LLC,             /* a service access point of IEEE 802.2 */
  INGEST_UNREAD_PPP_CONTROL,     /* a protocol that controls PPP */
  INGEST_UNREAD_CONTROL,         /* a message that controls this ingest_layer */
  INGEST_UNREAD_HEADER,          /* a header of a link, of IP or of UDP is cut or wrong */
  INGEST_UNREAD_KINDS
} ingest_unread_kind;

/** ingest_unread_hides returns true if packets of this kind may hide TCP or SCTP. */
static inline bool ingest_unread_hides(ingest_unread_kind kind) {
  return kind < INGEST_UNREAD_EMPTY_ETHERTYPE;
}

#define INGEST_UNREAD_MAX 16u /* kinds and numbers that are counted apart */

/** ingest_unread counts packets that were not looked into. */
typedef struct ingest_unread {
  ingest_unread_kind kind;
  uint32_t number;
  uint64_t packets;
  uint64_t first; /* the number of the first packet */
} ingest_unread;

/** ingest_unread_list counts packets by kind and number. */
typedef struct ingest_unread_list {
  size_t num;
  ingest_unread line[INGEST_UNREAD_MAX];
  ingest_unread more; /* packets without a line, of several kinds */
} ingest_unread_list;

#define INGEST_ROCE_MAX 16u    /* pairs of hosts that are counted apart */
#define INGEST_ROCE_PORT 4791u /* port of UDP for RoCEv2: RDMA that is not iWARP */

/** ingest_roce counts packets of RoCEv2 between two hosts. */
typedef struct ingest_roce {
  ingest_addr src; /* source of the first packet */
  ingest_addr dst;
  uint64_t packets;
  uint64_t first; /* the number of the first packet */
} ingest_roce;

/** ingest_encap counts layers, and packets that were not looked into. RoCEv2 is in `roce` alone. */
typedef struct ingest_encap {
  uint64_t packets[INGEST_LAYERS]; /* packets that have the layer, counted once each, by layer */
  ingest_unread_list hiding;       /* packets that may hide TCP or SCTP */
  ingest_unread_list empty;        /* other packets */
  size_t num_roce;
  ingest_roce roce[INGEST_ROCE_MAX]; /* further pairs of hosts are not counted */
} ingest_encap;

/** ingest_encap_add adds the counts of `from` to `into`. */
void ingest_encap_add(ingest_encap *into, const ingest_encap *from);

#endif
