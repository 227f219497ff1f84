/* SPDX-License-Identifier: BSD-2-Clause */
/* Link layers, IP headers, TCP headers: what stands before a stream's octets. */
#include "check_run.h"
#include "guard.h"
#include "ingest/packet.h"
#include "tcp_fixture.h"

/* Pushes an IP packet after the octets of a link layer and expects its payload, or nothing. */
static void push_after(tcp_fixture *w, const uint8_t *link, size_t link_len, int link_type,
                       size_t pad) {
  static uint8_t frame[2048];
  size_t ip_len = w->packet_len - 14;
  memcpy(frame, link, link_len);
  memcpy(frame + link_len, w->packet + 14, ip_len);
  memset(frame + link_len + ip_len, 0xee, pad);
  tcp_fixture_push(w, frame, link_len + ip_len + pad, link_len + ip_len + pad, link_type);
}

/* --- Link layers --- */

#define MACS 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
#define ETHERNET MACS, 8, 0 /* 14 octets */
/* 20 octets: a length of 0 is left to the card */
#define OUTER(next) 0x45, 0, 0, 0, 0, 1, 0x40, 0, 64, next, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2
/* 40 octets */
#define SIXTEEN 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
#define OUTER6(next) 0x60, 0, 0, 0, 0, 0, next, 64, SIXTEEN, 1, SIXTEEN, 2
#define UDP(port) 0xc0, 0, (port) >> 8, (port)&0xff, 0, 0, 0, 0 /* 8 octets */
#define TAG 0x81, 0, 0, 1                                       /* 4 octets */

static const struct link_case {
  const char *name;
  int type;
  unsigned family; /* 0: no IP follows */
  size_t len;
  uint8_t octets[144];
} link_cases[] = {
    {"ethernet", 1, 4, 14, {MACS, 8, 0}},
    {"ethernet v6", 1, 6, 14, {MACS, 0x86, 0xdd}},
    {"802.1Q", 1, 4, 18, {MACS, 0x81, 0, 0, 5, 8, 0}},
    {"802.1ad", 1, 6, 18, {MACS, 0x88, 0xa8, 0, 5, 0x86, 0xdd}},
    {"0x9100", 1, 4, 18, {MACS, 0x91, 0, 0, 5, 8, 0}},
    {"stack", 1, 4, 26, {MACS, 0x88, 0xa8, 0, 1, 0x91, 0, 0, 2, 0x81, 0, 0, 3, 8, 0}},
    {"0x9200", 1, 4, 18, {MACS, 0x92, 0, 0, 5, 8, 0}},
    {"SNAP", 1, 4, 22, {MACS, 0, 60, 0xaa, 0xaa, 3, 0, 0, 0, 8, 0}},
    {"SNAP of an organization", 1, 0, 22, {MACS, 0, 60, 0xaa, 0xaa, 3, 0, 0, 1, 8, 0}},
    {"802.1BR", 1, 4, 22, {MACS, 0x89, 0x3f, 0, 0, 0, 1, 0, 0, 8, 0}},
    {"VN-Tag", 1, 4, 20, {MACS, 0x89, 0x26, 0, 1, 0, 2, 8, 0}},
    {"CMD", 1, 4, 22, {MACS, 0x89, 9, 1, 1, 0, 1, 0, 9, 8, 0}},
    {"CMD of two words", 1, 6, 26, {MACS, 0x89, 9, 1, 2, 0, 1, 0, 9, 0, 0, 0, 0, 0x86, 0xdd}},
    {"TTag", 1, 4, 20, {MACS, 0x89, 0x88, 1, 2, 3, 4, 8, 0}},
    {"PBB", 1, 4, 32, {MACS, 0x88, 0xe7, 0, 0, 0, 1, ETHERNET}},
    {"HSR", 1, 4, 20, {MACS, 0x89, 0x2f, 0, 60, 0, 1, 8, 0}},
    {"R-TAG", 1, 4, 20, {MACS, 0xf1, 0xc1, 0, 0, 0, 1, 8, 0}},
    {"MACsec in the clear", 1, 4, 22, {MACS, 0x88, 0xe5, 0, 0, 0, 0, 0, 1, 8, 0}},
    {"MACsec with a channel",
     1,
     6,
     30,
     {MACS, 0x88, 0xe5, 0x20, 0, 0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 0, 1, 0x86, 0xdd}},
    {"MACsec, encrypted", 1, 0, 22, {MACS, 0x88, 0xe5, 0x0c, 0, 0, 0, 0, 1, 8, 0}},
    {"ISL", 1, 4, 40, {1,    0,    12, 0, 0, 0, 1, 2,  3, 4, 5, 6, 0,       60,
                       0xaa, 0xaa, 3,  1, 2, 3, 0, 14, 0, 0, 0, 0, ETHERNET}},
    {"ISL, other group", 1, 4, 40, {3,    0,    12, 0, 0, 0, 1, 2,  3, 4, 5, 6, 0,       60,
                                    0xaa, 0xaa, 3,  1, 2, 3, 0, 14, 0, 0, 0, 0, ETHERNET}},
    {"no group of ISL", 1, 0, 40, {1,    0,    12, 0, 1, 0, 1, 2,  3, 4, 5, 6, 0,       60,
                                   0xaa, 0xaa, 3,  1, 2, 3, 0, 14, 0, 0, 0, 0, ETHERNET}},
    {"TRILL", 1, 4, 38, {MACS, 0x22, 0xf3, 0, 0x50, 0, 1, 0, 2, 9, 9, 9, 9, ETHERNET}},
    {"TRILL version 1", 1, 0, 34, {MACS, 0x22, 0xf3, 0x40, 0x10, 0, 1, 0, 2, ETHERNET}},
    {"NSH", 1, 4, 22, {MACS, 0x89, 0x4f, 0, 2, 2, 1, 0, 0, 1, 9}},
    {"NSH in NSH", 1, 6, 34, {MACS, 0x89, 0x4f, 0, 3, 2, 4, 0, 0, 1, 9, 1,
                              2,    3,    4,    0, 2, 2, 2, 0, 0, 1, 9}},
    {"NSH of others", 1, 0, 22, {MACS, 0x89, 0x4f, 0, 2, 2, 9, 0, 0, 1, 9}},
    {"NSH too short", 1, 0, 22, {MACS, 0x89, 0x4f, 0, 1, 2, 1, 0, 0, 1, 9}},
    {"NSH version 1", 1, 0, 22, {MACS, 0x89, 0x4f, 0x40, 2, 2, 1, 0, 0, 1, 9}},
    {"LLC in long frames", 1, 4, 22, {MACS, 0x88, 0x70, 0xaa, 0xaa, 3, 0, 0, 0, 8, 0}},
    {"LLC with IP", 1, 4, 17, {MACS, 0, 60, 6, 6, 3}},
    {"SNAP of bridges", 1, 4, 22, {MACS, 0, 60, 0xaa, 0xaa, 3, 0, 0, 0xf8, 8, 0}},
    {"MPLS", 1, 4, 18, {MACS, 0x88, 0x47, 0, 1, 1, 64}},
    {"MPLS v6, two labels", 1, 6, 22, {MACS, 0x88, 0x48, 0, 1, 0, 64, 0, 2, 1, 64}},
    {"MPLS with Ethernet", 1, 4, 32, {MACS, 0x88, 0x47, 0, 1, 1, 64, ETHERNET}},
    {"MPLS with a control word",
     1,
     6,
     36,
     {MACS, 0x88, 0x47, 0, 1, 1, 64, 0, 0, 0, 9, MACS, 0x86, 0xdd}},
    {"MPLS with SNAP", 1, 4, 44, {MACS, 0x88, 0x47, 0,    1,    1, 64, 0, 0, 0, 9,
                                  MACS, 0,    60,   0xaa, 0xaa, 3, 0,  0, 0, 8, 0}},
    {"MPLS with ARP", 1, 0, 32, {MACS, 0x88, 0x47, 0, 1, 1, 64, MACS, 8, 6}},
    {"MPLS with others", 1, 0, 32, {MACS, 0x88, 0x47, 0, 1, 1, 64, MACS, 9, 9}},
    {"MPLS without end", 1, 0, 22, {MACS, 0x88, 0x47, 0, 1, 0, 64, 0, 1, 0, 64}},
    {"PPPoE", 1, 4, 22, {MACS, 0x88, 0x64, 0x11, 0, 0, 7, 1, 0, 0, 0x21}},
    {"PPPoE v6, compressed", 1, 6, 21, {MACS, 0x88, 0x64, 0x11, 0, 0, 7, 1, 0, 0x57}},
    {"PPPoE of a code", 1, 0, 22, {MACS, 0x88, 0x64, 0x11, 9, 0, 7, 1, 0, 0, 0x21}},
    {"PPPoE with LCP", 1, 0, 22, {MACS, 0x88, 0x64, 0x11, 0, 0, 7, 1, 0, 0xc0, 0x21}},
    {"PPP", 9, 4, 4, {0xff, 3, 0, 0x21}},
    {"PPP without framing", 9, 6, 2, {0, 0x57}},
    {"PPP of Cisco", 50, 4, 4, {0x0f, 0, 8, 0}},
    {"PPP of Cisco, group", 50, 6, 4, {0x8f, 0, 0x86, 0xdd}},
    {"PPP with Ethernet", 9, 4, 20, {0xff, 3, 0, 0x31, 0, 1, ETHERNET}},
    {"PPP with Ethernet of a LAN", 9, 4, 24, {0xff, 3, 0, 0x31, 0x40, 1, 0, 0, 0, 9, ETHERNET}},
    {"PPP with Token Ring", 9, 0, 20, {0xff, 3, 0, 0x31, 0, 3, ETHERNET}},
    {"PPP with MPLS", 50, 4, 8, {0xff, 3, 2, 0x81, 0, 1, 1, 64}},
    {"PPP over Ethernet", 51, 4, 8, {0x11, 0, 0, 7, 1, 0, 0, 0x21}},
    {"PPP with a direction", 204, 4, 3, {1, 0, 0x21}},
    {"ERF", 197, 4, 32, {0, 0, 0, 0, 0, 0, 0, 0, 2, 4, 0, 0, 0, 0, 1, 0, 0, 0, ETHERNET}},
    {"ERF of IP, extended", 197, 6, 32, {0, 0, 0, 0,    0, 0, 0, 0, 0x97, 4, 0, 0, 0,
                                         0, 1, 0, 0x81, 0, 0, 0, 0, 0,    0, 0, 1}},
    {"ERF of others", 197, 0, 32, {0, 0, 0, 0, 0, 0, 0, 0, 1, 4, 0, 0, 0, 0, 1, 0, 0, 0, ETHERNET}},
    {"NFLOG", 239, 4, 16, {2, 0, 0, 0, 8, 0, 1, 0, 9, 9, 9, 9, 47, 0, 9, 0}},
    {"NFLOG big-endian", 239, 4, 16, {2, 0, 0, 0, 0, 8, 0, 1, 9, 9, 9, 9, 0, 47, 0, 9}},
    {"NFLOG without a packet", 239, 0, 12, {2, 0, 0, 0, 8, 0, 1, 0, 9, 9, 9, 9}},
    {"IP in IP", 1, 4, 34, {ETHERNET, OUTER(4)}},
    {"6in4", 1, 6, 34, {ETHERNET, OUTER(41)}},
    {"4in6", 1, 4, 54, {MACS, 0x86, 0xdd, OUTER6(4)}},
    {"6in6", 1, 6, 54, {MACS, 0x86, 0xdd, OUTER6(41)}},
    {"AH", 1, 4, 58, {ETHERNET, OUTER(51), 4, 4, 0, 0, 0, 0, 0, 1, 0,  0,  0,
                      1,        1,         2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
    {"MPLS in IP", 1, 4, 38, {ETHERNET, OUTER(137), 0, 1, 1, 64}},
    {"GRE", 1, 4, 38, {ETHERNET, OUTER(47), 0, 0, 8, 0}},
    {"GRE, all fields",
     1,
     6,
     50,
     {ETHERNET, OUTER(47), 0xb0, 0, 0x86, 0xdd, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2}},
    {"GRE with a source route", 1, 0, 38, {ETHERNET, OUTER(47), 0x40, 0, 8, 0}},
    {"GRE version 1", 1, 0, 38, {ETHERNET, OUTER(47), 0, 1, 8, 0}},
    {"PPTP", 1, 4, 54, {ETHERNET, OUTER(47), 0x30, 0x81, 0x88, 0x0b, 0, 0,    0, 7, 0,
                        0,        0,         1,    0,    0,    0,    0, 0xff, 3, 0, 0x21}},
    {"PPTP without a packet", 1, 0, 46, {ETHERNET, OUTER(47), 0x20, 0x81, 0x88, 0x0b, 0, 0, 0, 7}},
    {"PPTP without a call", 1, 0, 46, {ETHERNET, OUTER(47), 0x10, 1, 0x88, 0x0b, 0, 0, 0, 7}},
    {"PPTP of others", 1, 0, 48, {ETHERNET, OUTER(47), 0x30, 1, 8, 0, 0, 0, 0, 7, 0, 0, 0, 1}},
    {"PPP in GRE", 1, 4, 40, {ETHERNET, OUTER(47), 0, 0, 0x88, 0x0b, 0, 0x21}},
    {"WCCP", 1, 4, 38, {ETHERNET, OUTER(47), 0, 0, 0x88, 0x3e}},
    {"WCCP 2", 1, 4, 42, {ETHERNET, OUTER(47), 0, 0, 0x88, 0x3e, 0, 0, 0, 0}},
    {"EtherIP", 1, 4, 50, {ETHERNET, OUTER(97), 0x30, 0, ETHERNET}},
    {"EtherIP version 2", 1, 0, 50, {ETHERNET, OUTER(97), 0x20, 0, ETHERNET}},
    {"Ethernet in IP", 1, 4, 68, {MACS, 0x86, 0xdd, OUTER6(143), ETHERNET}},
    {"NVGRE", 1, 4, 56, {ETHERNET, OUTER(47), 0x20, 0, 0x65, 0x58, 0, 0, 1, 0, ETHERNET}},
    {"GRE with MPLS", 1, 4, 42, {ETHERNET, OUTER(47), 0, 0, 0x88, 0x47, 0, 1, 1, 64}},
    {"ERSPAN I", 1, 4, 52, {ETHERNET, OUTER(47), 0, 0, 0x88, 0xbe, ETHERNET}},
    {"ERSPAN II",
     1,
     4,
     64,
     {ETHERNET, OUTER(47), 0x10, 0, 0x88, 0xbe, 0, 0, 0, 1, 0x10, 0, 0, 0, 0, 0, 0, 1, ETHERNET}},
    {"ERSPAN III", 1, 4, 68, {ETHERNET, OUTER(47), 0x10, 0, 0x22, 0xeb, 0, 0, 0, 1, 0x20,    0,
                              0,        0,         0,    0, 0,    0,    0, 0, 0, 0, ETHERNET}},
    {"ERSPAN III of IP, subheader", 1, 6, 62, {ETHERNET, OUTER(47), 0x10, 0, 0x22, 0xeb, 0, 0,
                                               0,        1,         0x20, 0, 0,    0,    0, 0,
                                               0,        0,         0,    0, 8,    1,    1, 2,
                                               3,        4,         5,    6, 7,    8}},
    {"ERSPAN III of others", 1, 0, 54, {ETHERNET, OUTER(47), 0x10, 0, 0x22, 0xeb, 0, 0, 0, 1, 0x20,
                                        0,        0,         0,    0, 0,    0,    0, 0, 0, 4, 0}},
    {"VXLAN", 1, 4, 64, {ETHERNET, OUTER(17), UDP(4789), 8, 0, 0, 0, 0, 0, 1, 0, ETHERNET}},
    {"VXLAN over v6",
     1,
     6,
     84,
     {MACS, 0x86, 0xdd, OUTER6(17), UDP(4789), 8, 0, 0, 0, 0, 0, 1, 0, MACS, 0x86, 0xdd}},
    {"VXLAN without I",
     1,
     0,
     64,
     {ETHERNET, OUTER(17), UDP(4789), 0, 0, 0, 0, 0, 0, 1, 0, ETHERNET}},
    {"Geneve",
     1,
     4,
     68,
     {ETHERNET, OUTER(17), UDP(6081), 1, 0, 0x65, 0x58, 0, 0, 1, 0, 9, 9, 9, 9, ETHERNET}},
    {"Geneve of IP", 1, 6, 50, {ETHERNET, OUTER(17), UDP(6081), 0, 0, 0x86, 0xdd, 0, 0, 1, 0}},
    {"Geneve version 1", 1, 0, 50, {ETHERNET, OUTER(17), UDP(6081), 0x40, 0, 8, 0, 0, 0, 1, 0}},
    {"VXLAN-GPE", 1, 4, 50, {ETHERNET, OUTER(17), UDP(4790), 12, 0, 0, 1, 0, 0, 1, 0}},
    {"VXLAN-GPE, all bits",
     1,
     6,
     58,
     {ETHERNET, OUTER(17), UDP(4790), 12, 0, 0, 4, 0, 0, 1, 0, 0, 2, 2, 2, 0, 0, 1, 9}},
    {"VXLAN-GPE without P",
     1,
     4,
     64,
     {ETHERNET, OUTER(17), UDP(4790), 8, 0, 0, 0, 0, 0, 1, 0, ETHERNET}},
    {"VXLAN-GPE with MPLS",
     1,
     4,
     54,
     {ETHERNET, OUTER(17), UDP(4790), 12, 0, 0, 5, 0, 0, 1, 0, 0, 1, 1, 64}},
    {"VXLAN-GPE version 1", 1, 0, 50, {ETHERNET, OUTER(17), UDP(4790), 28, 0, 0, 1, 0, 0, 1, 0}},
    {"GTP-U", 1, 4, 50, {ETHERNET, OUTER(17), UDP(2152), 0x30, 255, 0, 9, 0, 0, 0, 1}},
    {"GTP-U with a number",
     1,
     6,
     54,
     {ETHERNET, OUTER(17), UDP(2152), 0x32, 255, 0, 9, 0, 0, 0, 1, 0, 7, 0, 9}},
    {"GTP-U with extensions", 1, 4, 66, {ETHERNET, OUTER(17), UDP(2152), 0x34, 255, 0,    9, 0, 0,
                                         0,        1,         0,         0,    0,   0x85, 1, 1, 2,
                                         0x40,     2,         1,         2,    3,   4,    5, 6, 0}},
    {"GTP-U, an extension without length",
     1,
     0,
     58,
     {ETHERNET, OUTER(17), UDP(2152), 0x34, 255, 0, 9, 0, 0, 0, 1, 0, 0, 0, 0x85, 0, 0, 0, 0}},
    {"GTP-U echo", 1, 0, 50, {ETHERNET, OUTER(17), UDP(2152), 0x30, 1, 0, 9, 0, 0, 0, 1}},
    {"GTP-U of no IP", 1, 0, 51, {ETHERNET, OUTER(17), UDP(2152), 0x30, 255, 0, 9, 0, 0, 0, 1, 9}},
    {"GTP version 2", 1, 0, 50, {ETHERNET, OUTER(17), UDP(2152), 0x50, 255, 0, 9, 0, 0, 0, 1}},
    {"L2TP", 1, 4, 52, {ETHERNET, OUTER(17), UDP(1701), 0, 2, 0, 1, 0, 2, 0xff, 3, 0, 0x21}},
    {"L2TP, all fields", 1, 6, 60, {ETHERNET, OUTER(17), UDP(1701), 0x4a, 2, 0, 9, 0, 1, 0,   2,
                                    0,        3,         0,         4,    0, 2, 9, 9, 0, 0x57}},
    {"L2TP control",
     1,
     0,
     54,
     {ETHERNET, OUTER(17), UDP(1701), 0xc8, 2, 0, 12, 0, 1, 0, 2, 0, 3, 0, 4}},
    {"L2TP version 3", 1, 0, 50, {ETHERNET, OUTER(17), UDP(1701), 0, 3, 0, 0, 0, 0, 0, 1}},
    {"LISP", 1, 4, 50, {ETHERNET, OUTER(17), UDP(4341), 0x80, 0, 0, 1, 0, 0, 0, 1}},
    {"LISP of others", 1, 0, 51, {ETHERNET, OUTER(17), UDP(4341), 0x80, 0, 0, 1, 0, 0, 0, 1, 9}},
    {"GRE in UDP", 1, 4, 46, {ETHERNET, OUTER(17), UDP(4754), 0, 0, 8, 0}},
    {"MPLS in UDP", 1, 4, 46, {ETHERNET, OUTER(17), UDP(6635), 0, 1, 1, 64}},
    {"TZSP",
     1,
     4,
     68,
     {ETHERNET, OUTER(17), UDP(37008), 1, 0, 0, 1, 0, 10, 3, 1, 2, 3, 0, 1, ETHERNET}},
    {"TZSP without a frame", 1, 0, 47, {ETHERNET, OUTER(17), UDP(37008), 1, 4, 0, 0, 1}},
    {"UDP of others", 1, 0, 42, {ETHERNET, OUTER(17), UDP(4791)}},
    {"ESP", 1, 0, 34, {ETHERNET, OUTER(50)}},
    {"MACsec", 1, 0, 14, {MACS, 0x88, 0xe5}},
    {"eight layers", 1, 4, 46, {MACS, TAG, TAG, TAG, TAG, TAG, TAG, TAG, TAG, 8, 0}},
    {"nine layers", 1, 0, 50, {MACS, TAG, TAG, TAG, TAG, TAG, TAG, TAG, TAG, TAG, 8, 0}},
    {"ARP", 1, 0, 14, {MACS, 8, 6}},
    {"802.3 length", 1, 0, 14, {MACS, 0, 60}},
    {"cooked", 113, 4, 16, {0, 0, 0, 1, 0, 6, 1, 2, 3, 4, 5, 6, 0, 0, 8, 0}},
    {"cooked v6", 113, 6, 16, {0, 4, 0, 1, 0, 6, 1, 2, 3, 4, 5, 6, 0, 0, 0x86, 0xdd}},
    {"cooked tagged", 113, 4, 20, {0, 0, 0, 1, 0, 6, 1, 2, 3, 4, 5, 6, 0, 0, 0x81, 0, 0, 9, 8, 0}},
    {"cooked2", 276, 4, 20, {8, 0, 0, 0, 0, 0, 0, 3, 0, 1, 0, 6}},
    {"cooked2 v6", 276, 6, 20, {0x86, 0xdd, 0, 0, 0, 0, 0, 3, 0, 1, 4, 6}},
    {"cooked2 tagged", 276, 4, 24, {0x81, 0, 0, 0, 0, 0, 0, 3, 0, 1, 4, 6,
                                    0,    0, 0, 0, 0, 0, 0, 0, 0, 7, 8, 0}},
    {"raw 12", 12, 4, 0, {0}},
    {"raw 14 v6", 14, 6, 0, {0}},
    {"raw 101", 101, 4, 0, {0}},
    {"raw 101 v6", 101, 6, 0, {0}},
    {"IPv4", 228, 4, 0, {0}},
    {"IPv6", 229, 6, 0, {0}},
    {"raw nonsense", 101, 0, 1, {0x20}},
    {"null le", 0, 4, 4, {2, 0, 0, 0}},
    {"null be", 0, 4, 4, {0, 0, 0, 2}},
    {"null v6 Linux", 0, 6, 4, {10, 0, 0, 0}},
    {"null v6 Windows", 0, 6, 4, {23, 0, 0, 0}},
    {"null v6 OpenBSD", 0, 6, 4, {0, 0, 0, 24}},
    {"null v6 FreeBSD", 0, 6, 4, {28, 0, 0, 0}},
    {"null v6 Darwin", 0, 6, 4, {0, 0, 0, 30}},
    {"null other", 0, 0, 4, {7, 0, 0, 0}},
    {"null large", 0, 0, 4, {2, 0, 0, 2}},
    {"null large, last octet", 0, 0, 4, {2, 0, 0, 1}},
    {"null large, third octet", 0, 0, 4, {2, 0, 1, 0}},
    {"null large, second octet", 0, 0, 4, {2, 1, 0, 0}},
    {"HDLC of Cisco", 104, 4, 4, {0x0f, 0, 8, 0}},
    {"ENC", 109, 4, 12, {2, 0, 0, 0}},
    {"PFLOG", 117, 4, 64, {61, 2}},
    {"PFLOG too short", 117, 0, 64, {44, 2}},
    {"PPI", 192, 4, 26, {0, 0, 12, 0, 1, 0, 0, 0, 9, 9, 9, 9, ETHERNET}},
    {"PPI of others", 192, 0, 22, {0, 0, 8, 0, 105, 0, 0, 0, ETHERNET}},
    {"PPI too short", 192, 0, 22, {0, 0, 7, 0, 1, 0, 0, 0, ETHERNET}},
    {"IP over InfiniBand", 242, 4, 44, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8}},
    {"loop", 108, 4, 4, {0, 0, 0, 2}},
    {"loop v6", 108, 6, 4, {0, 0, 0, 24}},
    {"unknown", 105, 0, 14, {MACS, 8, 0}},
};

START_TEST(link_layers)
{
  const struct link_case *c = &link_cases[_i];
  tcp_fixture *w = tcp_fixture_with(c->family == 6 ? 6 : 4, "abc");
  push_after(w, c->octets, c->len, c->type, 0);
  const char *log = tcp_fixture_take(w);
  ck_assert_msg(strcmp(log, c->family != 0 ? "O D0@0:abc" : "") == 0, "%s: %s", c->name, log);
  ck_assert_uint_eq(ingest_stats_get(w->ing)->ignored, c->family == 0);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(known_links)
{
  static const int known[] = {0,   1,   9,   12,  14,  50,  51,  101, 104, 108, 109,
                              113, 117, 192, 197, 204, 228, 229, 239, 242, 276};
  for (int type = -1; type < 500; type++) {
    bool found = false;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
      found = found || known[i] == type;
    }
    expect(ingest_link_known(type) == found, "link type %d", type);
  }
}
END_TEST

/* --- IPv4 --- */

static const uint8_t ethernet4[] = {MACS, 8, 0};

static const uint8_t ethernet6[] = {MACS, 0x86, 0xdd};

START_TEST(ethernet_padding_is_no_payload)
{
  tcp_fixture *w = tcp_fixture_with(4, "");
  push_after(w, ethernet4, 14, 1, 6);
  w->mute = true;
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  push_after(w, ethernet4, 14, 1, 30);
  expect_log(w, "O D0@0:abc");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(length_zero_is_large_send)
{
  tcp_fixture *w = tcp_fixture_with(4, "abc");
  memset(w->packet + 16, 0, 2);
  push_after(w, ethernet4, 14, 1, 0);
  expect_log(w, "O D0@0:abc");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
  w = tcp_fixture_with(6, "abc");
  memset(w->packet + 18, 0, 2);
  push_after(w, ethernet6, 14, 1, 0);
  expect_log(w, "O D0@0:abc");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* More octets promised by IP than the link layer says were there: they count as cut off. */
START_TEST(length_beyond_the_packet)
{
  tcp_fixture *w = tcp_fixture_with(4, "abc");
  tcp_fixture_put16(w->packet + 16, 20 + 20 + 5);
  push_after(w, ethernet4, 14, 1, 0);
  expect_log(w, "O D0@0:abc");
  expect_end(w, "G0@3+2s E0@5C E1?C X");
}
END_TEST

/* Puts options into the IPv4 header of the current packet. */
static void add_options(tcp_fixture *w, const uint8_t *options, size_t n) {
  uint8_t *ip = w->packet + 14;
  memmove(ip + 20 + n, ip + 20, w->packet_len - 34);
  memcpy(ip + 20, options, n);
  ip[0] = (uint8_t)(0x45 + n / 4);
  tcp_fixture_put16(ip + 2, (uint32_t)(w->packet_len - 14 + n));
  w->packet_len += n;
}

START_TEST(ipv4_options)
{
  static const struct {
    uint8_t octets[12];
    size_t n;
    bool routed; /* the checksum covers another address */
  } cases[] = {
      {{0x94, 4, 0, 0}, 4, false},           {{1, 1, 1, 1, 0x94, 4, 0, 0}, 8, false},
      {{0, 131, 131, 131}, 4, false},        {{131, 7, 4, 1, 2, 3, 4, 0}, 8, true},
      {{1, 137, 7, 4, 1, 2, 3, 4}, 8, true}, {{0x94, 0, 0, 0}, 4, false},
      {{0x94, 200, 0, 0}, 4, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    for (int bad = 0; bad < 2; bad++) {
      tcp_fixture *w = tcp_fixture_new();
      w->mute = true;
      w->sum = bad != 0 ? SUM_BAD : SUM_GOOD;
      tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
      add_options(w, cases[i].octets, cases[i].n);
      push_after(w, ethernet4, 14, 1, 0);
      const char *log = tcp_fixture_take(w);
      const char *text = bad != 0 && !cases[i].routed ? "O" : "O D0@0:abc";
      ck_assert_msg(strcmp(log, text) == 0, "case %zu: %s", i, log);
      ck_assert_uint_eq(tcp_fixture_free(w), 0);
    }
  }
}
END_TEST

START_TEST(broken_ip_headers)
{
  static const struct {
    unsigned family;
    size_t at;
    uint8_t octet;
  } cases[] = {
      {4, 0, 0x55},  {4, 0, 0x44},  {4, 9, 17},    {4, 3, 19}, {4, 3, 39},
      {6, 0, 0x40},  {6, 6, 17},    {6, 6, 59},    {6, 6, 50}, {4, 32, 0x40},
      {4, 32, 0xf0}, {6, 52, 0x40}, {6, 52, 0xf0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    tcp_fixture *w = tcp_fixture_with(cases[i].family, "abc");
    w->packet[14 + cases[i].at] = cases[i].octet;
    push_after(w, cases[i].family == 4 ? ethernet4 : ethernet6, 14, 1, 0);
    const char *log = tcp_fixture_take(w);
    ck_assert_msg(log[0] == '\0', "case %zu: %s", i, log);
    ck_assert_uint_eq(ingest_stats_get(w->ing)->ignored, 1);
    ck_assert_uint_eq(ingest_stats_get(w->ing)->tcp_packets, 0);
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

/* --- IPv6 extension headers --- */

static const struct extension_case {
  const char *name;
  const char *events;
  uint8_t first; /* protocol number of the first extension header */
  bool bad_sum;
  size_t len;
  uint8_t octets[48]; /* the last one leads to TCP */
} extension_cases[] = {
    {"hop-by-hop", "O D0@0:abc", 0, false, 8, {6, 0, 1, 4}},
    {"destination", "O D0@0:abc", 60, false, 16, {6, 1, 1, 12}},
    {"routing, done", "O D0@0:abc", 43, false, 8, {6, 0, 4, 0}},
    {"routing, done, bad sum", "O", 43, true, 8, {6, 0, 4, 0}},
    {"routing, to go", "O D0@0:abc", 43, true, 8, {6, 0, 4, 1}},
    {"authentication", "O D0@0:abc", 51, false, 16, {6, 2}},
    {"mobility", "O D0@0:abc", 135, false, 8, {6, 0}},
    {"HIP", "O D0@0:abc", 139, false, 8, {6, 0}},
    {"shim6", "O D0@0:abc", 140, false, 8, {6, 0}},
    {"atomic fragment", "O D0@0:abc", 44, false, 8, {6, 0, 0, 0, 1, 2, 3, 4}},
    {"four", "O D0@0:abc", 0, false, 40, {60, 0, 0, 0, 0, 0, 0, 0, 43, 0, 0, 0, 0, 0, 0, 0, 44,
                                          1,  0, 0, 0, 0, 0, 0, 0, 0,  0, 0, 0, 0, 0, 0, 6}},
    {"UDP", "", 0, false, 8, {17, 0}},
    {"beyond the packet", "", 0, false, 8, {6, 200}},
};

START_TEST(ipv6_extensions)
{
  const struct extension_case *c = &extension_cases[_i];
  tcp_fixture *w = tcp_fixture_new();
  w->end[0].family = w->end[1].family = 6;
  w->mute = true;
  w->sum = c->bad_sum ? SUM_BAD : SUM_GOOD;
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  uint8_t *ip = w->packet + 14;
  memmove(ip + 40 + c->len, ip + 40, w->packet_len - 54);
  memcpy(ip + 40, c->octets, c->len);
  ip[6] = c->first;
  tcp_fixture_put16(ip + 4, (uint32_t)(w->packet_len - 54 + c->len));
  w->packet_len += c->len;
  push_after(w, ethernet6, 14, 1, 0);
  const char *log = tcp_fixture_take(w);
  ck_assert_msg(strcmp(log, c->events) == 0, "%s: %s", c->name, log);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* Hop-by-hop options before and around the length of a jumbogram. */
START_TEST(jumbograms)
{
  static const struct {
    uint8_t options[14];
    const char *payload;
  } cases[] = {
      {{0xc2, 4, 0, 0, 0, 0, 1, 6, 0, 0, 0, 0, 0, 0}, "abc"},
      {{0, 0, 1, 0, 0xc2, 4, 0, 0, 0, 0, 1, 2, 0, 0}, "abc"},
      {{1, 6, 0, 0, 0, 0, 0, 0, 0xc2, 4, 0, 0, 0, 0}, "abc"},
      {{1, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "abc\xee\xee"}, /* none: the rest is payload */
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    tcp_fixture *w = tcp_fixture_with(6, "abc");
    uint8_t *ip = w->packet + 14;
    memmove(ip + 56, ip + 40, w->packet_len - 54);
    ip[40] = 6;
    ip[41] = 1;
    memcpy(ip + 42, cases[i].options, 14);
    uint8_t *length = memchr(ip + 42, 0xc2, 14);
    if (length != NULL) {
      tcp_fixture_put32(length + 2, (uint32_t)(w->packet_len - 54 + 16));
    } else {
      tcp_fixture_put16(ip + 56 + 16, 0); /* no checksum over a length that is not known */
    }
    ip[6] = 0;
    tcp_fixture_put16(ip + 4, 0);
    w->packet_len += 16;
    push_after(w, ethernet6, 14, 1, 2);
    char text[64];
    snprintf(text, sizeof text, "O D0@0:%s", cases[i].payload);
    expect_log(w, text);
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

/* --- TCP --- */

START_TEST(tcp_options)
{
  for (size_t options = 0; options <= 40; options += 4) {
    tcp_fixture *w = tcp_fixture_new();
    uint8_t frame[128];
    size_t n = tcp_fixture_tcp(frame + 34, &w->end[0], &w->end[1], 1000, 5000, 0x18, options, "abc",
                               3, SUM_GOOD);
    tcp_fixture_ethernet(frame, 4);
    tcp_fixture_ip(frame + 14, &w->end[0], &w->end[1], n);
    tcp_fixture_push(w, frame, 34 + n, 34 + n, 1);
    expect_log(w, "O D0@0:abc");
    tcp_fixture_push(w, frame, 34 + 20, 34 + n, 1); /* cut within the header: the length is known */
    ck_assert_uint_eq(ingest_stats_get(w->ing)->tcp_packets, 2);
    ck_assert_uint_eq(ingest_stats_get(w->ing)->bad_checksum, 0);
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

START_TEST(checksums_of_every_length)
{
  uint8_t payload[300];
  for (size_t i = 0; i < sizeof payload; i++) {
    payload[i] = (uint8_t)(i * 37 + 5);
  }
  tcp_fixture *w = tcp_fixture_new();
  for (size_t n = 0; n < sizeof payload; n++) {
    for (unsigned bad = 0; bad < 2; bad++) {
      uint64_t before = ingest_stats_get(w->ing)->bad_checksum;
      w->sum = bad ? SUM_BAD : SUM_GOOD;
      tcp_fixture_segment(w, CLIENT, "A", 0, 0, payload, n);
      expect(ingest_stats_get(w->ing)->bad_checksum == before + bad, "length %zu", n);
    }
    w->log_len = 0;
  }
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(sums_of_ones_and_zeros)
{
  uint8_t octets[1000];
  memset(octets, 0xff, sizeof octets);
  for (size_t n = 0; n < sizeof octets; n++) {
    expect(ing_sum_fold(ing_sum_add(0, octets, n)) ==
               (n == 0       ? 0
                : n % 2 == 0 ? 0xffff
                             : ing_sum_fold(ing_sum_add(0, octets, 1))),
           "length %zu", n);
  }
  ck_assert_uint_eq(ing_sum_fold(UINT64_MAX), 0xffff);
}
END_TEST

/* --- Hostile packets --- */

/* Every packet kind cut after every octet, right before a forbidden page. */
START_TEST(cut_after_every_octet)
{
  static uint8_t frame[2048];
  const struct link_case *c = &link_cases[_i];
  for (unsigned family = 4; family <= 6; family += 2) {
    tcp_fixture *w = tcp_fixture_with(family, "abcdefgh");
    size_t len = c->len + w->packet_len - 14;
    memcpy(frame, c->octets, c->len);
    memcpy(frame + c->len, w->packet + 14, w->packet_len - 14);
    for (size_t n = 0; n <= len; n++) {
      iwarp_span at = guard_in(frame, n);
      tcp_fixture_push(w, at.ptr, n, len, c->type);
      tcp_fixture_push(w, at.ptr, n, n, c->type);
    }
    tcp_fixture_finish(w);
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

START_TEST(extensions_cut_after_every_octet)
{
  static uint8_t frame[2048];
  const struct extension_case *c = &extension_cases[_i];
  tcp_fixture *w = tcp_fixture_with(6, "abcdefgh");
  uint8_t *ip = frame + 14;
  memcpy(frame, w->packet, 54);
  memcpy(ip + 40, c->octets, c->len);
  memcpy(ip + 40 + c->len, w->packet + 54, w->packet_len - 54);
  ip[6] = c->first;
  size_t len = w->packet_len + c->len;
  for (unsigned length = 0; length < 2; length++) {
    tcp_fixture_put16(ip + 4, length == 0 ? 0 : (uint32_t)(len - 54));
    for (size_t n = 0; n <= len; n++) {
      tcp_fixture_push(w, guard_in(frame, n).ptr, n, len, 1);
    }
  }
  tcp_fixture_finish(w);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(impossible_lengths)
{
  tcp_fixture *w = tcp_fixture_with(4, "abc");
  tcp_fixture_push(w, w->packet, w->packet_len, 0, 1); /* more captured than there was */
  expect_log(w, "O D0@0:abc");
  tcp_fixture_push(w, NULL, 0, 0, 1);
  tcp_fixture_push(w, NULL, 0, SIZE_MAX, 1);
  expect_log(w, "");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("ingest-packet");
  TCase *tcase = tcase_create("packet");
  int links = (int)(sizeof link_cases / sizeof link_cases[0]);
  int extensions = (int)(sizeof extension_cases / sizeof extension_cases[0]);
  tcase_add_loop_test(tcase, link_layers, 0, links);
  tcase_add_loop_test(tcase, cut_after_every_octet, 0, links);
  tcase_add_loop_test(tcase, ipv6_extensions, 0, extensions);
  tcase_add_loop_test(tcase, extensions_cut_after_every_octet, 0, extensions);
  const TTest *const tests[] = {known_links,
                                ethernet_padding_is_no_payload,
                                length_zero_is_large_send,
                                length_beyond_the_packet,
                                ipv4_options,
                                broken_ip_headers,
                                jumbograms,
                                tcp_options,
                                checksums_of_every_length,
                                sums_of_ones_and_zeros,
                                impossible_lengths};
  for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
    tcase_add_test(tcase, tests[i]);
  }
  suite_add_tcase(suite, tcase);
  return check_run(suite);
}
