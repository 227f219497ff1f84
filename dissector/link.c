/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Steps in front of the dissectors of link types.
 *
 * A dissector over TCP does not see what verdicts rest on: bare acknowledgments, SYN, FIN, segments
 * that TCP took for wrong. So the whole frame is followed before its dissection begins, in the
 * order of the capture.
 */
#include "link.h"

#include <ingest/peek.h>
#include <wiretap/wtap.h>

#include "feed.h"
#include "iwarp_proto.h"
#include "tunnel_ports.h"

/* The link types that ingest reads: X(number, encapsulation of Wireshark, link type of a pcap
 * file). When Wireshark reads a file, it takes off the octet before PPP that tells the direction,
 * so plain PPP is left. It also takes off the header of ERF. So ERF is missing here. */
#define LINK_TYPES(X)                                                                              \
  X(0, WTAP_ENCAP_ETHERNET, 1)                                                                     \
  X(1, WTAP_ENCAP_SLL, 113)                                                                        \
  X(2, WTAP_ENCAP_SLL2, 276)                                                                       \
  X(3, WTAP_ENCAP_RAW_IP, 101)                                                                     \
  X(4, WTAP_ENCAP_RAW_IP4, 228)                                                                    \
  X(5, WTAP_ENCAP_RAW_IP6, 229)                                                                    \
  X(6, WTAP_ENCAP_NULL, 0)                                                                         \
  X(7, WTAP_ENCAP_LOOP, 108)                                                                       \
  X(8, WTAP_ENCAP_PPP, 9)                                                                          \
  X(9, WTAP_ENCAP_PPP_ETHER, 51)                                                                   \
  X(10, WTAP_ENCAP_PPP_WITH_PHDR, 9)                                                               \
  X(11, WTAP_ENCAP_CHDLC, 104)                                                                     \
  X(12, WTAP_ENCAP_ENC, 109)                                                                       \
  X(13, WTAP_ENCAP_PFLOG, 117)                                                                     \
  X(14, WTAP_ENCAP_PPI, 192)                                                                       \
  X(15, WTAP_ENCAP_NFLOG, 239)                                                                     \
  X(16, WTAP_ENCAP_IP_OVER_IB_PCAP, 242)

static struct {
  int encap;
  int link_type;
  dissector_handle_t next; /* the dissector of Wireshark */
} link_types[] = {
#define LINK_ROW(number, encap, link_type) {encap, link_type, NULL},
    LINK_TYPES(LINK_ROW)
#undef LINK_ROW
};

static struct {
  unsigned int type;
  tvbuff_t *tvb;
  guint32 frame;
  gint64 place; /* place of the frame's record: a read filter gives the number of a frame again */
  bool shown;
} link_now;

static bool link_is_now(const packet_info *pinfo) {
  return link_now.frame == pinfo->num && link_now.place == pinfo->fd->file_off;
}

tvbuff_t *link_frame(const packet_info *pinfo) {
  return link_is_now(pinfo) ? link_now.tvb : NULL;
}

bool link_shown(const packet_info *pinfo) {
  return link_is_now(pinfo) && link_now.shown;
}

void link_set_shown(const packet_info *pinfo) {
  link_now.shown = link_is_now(pinfo);
}

static ingest_packet link_packet(unsigned int type, tvbuff_t *tvb, const packet_info *pinfo) {
  const guint caplen = tvb_captured_length(tvb);
  const wtap_packet_header *record = &pinfo->rec->rec_header.packet_header;
  return (ingest_packet){.data = tvb_get_ptr(tvb, 0, (gint)caplen),
                         .caplen = caplen,
                         .len = MAX(record->len, caplen),
                         .link_type = link_types[type].link_type,
                         .tunnels = tunnel_ports(),
                         .number = pinfo->num,
                         .time_ns = (uint64_t)pinfo->abs_ts.secs * 1000000000u +
                                    (uint64_t)pinfo->abs_ts.nsecs};
}

bool link_read(tvbuff_t *tvb, const packet_info *pinfo) {
  const ingest_packet packet = link_packet(link_now.type, link_now.tvb, pinfo);
  const guint8 *octets = tvb_get_ptr(tvb, 0, 1);
  ingest_payload payload;
  return ingest_peek(&payload, &packet) == INGEST_PEEK_PAYLOAD && octets >= payload.data &&
         octets < payload.data + payload.caplen;
}

/* Wireshark has counted the layer for which this stands, and counts it again with its dissector. */
static void link_uncount(packet_info *pinfo, int proto) {
  wmem_list_frame_t *last = wmem_list_tail(pinfo->layers);
  if (last != NULL && GPOINTER_TO_INT(wmem_list_frame_data(last)) == proto) {
    wmem_list_remove_frame(pinfo->layers, last);
    pinfo->curr_layer_num--;
  }
}

static int link_dissect(unsigned int type, tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree,
                        void *data) {
  /* A link layer inside another is what ingest does not read, and neither is the record of a file.
   */
  const bool outermost = pinfo->rec->rec_type == REC_TYPE_PACKET &&
                         pinfo->rec->rec_header.packet_header.pkt_encap == link_types[type].encap &&
                         tvb_raw_offset(tvb) == 0;
  link_uncount(pinfo, dissector_handle_get_protocol_index(link_types[type].next));
  if (outermost && iwarp_proto_enabled()) {
    link_now.type = type;
    link_now.tvb = tvb;
    link_now.frame = pinfo->num;
    link_now.place = pinfo->fd->file_off;
    link_now.shown = false;
    if (!PINFO_FD_VISITED(pinfo)) {
      const ingest_packet packet = link_packet(type, tvb, pinfo);
      feed_packet(&packet, pinfo->fd->file_off);
    }
  }
  return call_dissector_only(link_types[type].next, tvb, pinfo, tree, data);
}

#define LINK_DISSECTOR(number, encap, link_type)                                                   \
  static int link_dissect_##number(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree,            \
                                   void *data) {                                                   \
    return link_dissect(number, tvb, pinfo, tree, data);                                           \
  }
LINK_TYPES(LINK_DISSECTOR)
#undef LINK_DISSECTOR

/* The entry of the table itself is set, not changed: what the user changes by Decode As is given
 * back at any time. It has the name and the protocol of the dissector of Wireshark, for Lua and
 * for -G decodes. */
static void link_step_in(unsigned int type, dissector_t dissector) {
  const guint32 encap = (guint32)link_types[type].encap;
  dissector_handle_t next = dissector_get_uint_handle(find_dissector_table("wtap_encap"), encap);
  link_types[type].next = next;
  if (next != NULL) {
    dissector_add_uint(
        "wtap_encap", encap,
        create_dissector_handle_with_name(dissector, dissector_handle_get_protocol_index(next),
                                          dissector_handle_get_dissector_name(next)));
  }
}

void link_handoff(void) {
#define LINK_STEP_IN(number, encap, link_type) link_step_in(number, link_dissect_##number);
  LINK_TYPES(LINK_STEP_IN)
#undef LINK_STEP_IN
}
