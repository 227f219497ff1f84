/* SPDX-License-Identifier: BSD-2-Clause */
/* The offer of the application above the target's stack: --ulp. */
#ifndef PEER_OFFER_H
#define PEER_OFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Words of --ulp and of `needs`, as bits. A word of `needs` that is no bit here is ENHANCED. */
#define PEER_OFFER_ANSWERS 0x001u  /* Sends come back as Sends */
#define PEER_OFFER_REGION 0x002u   /* the application announces a region, see peer_region */
#define PEER_OFFER_READBACK 0x004u /* the memory of the region outlives the connection */
#define PEER_OFFER_RIGHTS 0x008u   /* STags that only read, or only write, the region */
#define PEER_OFFER_BUFFERS 0x010u  /* number and length of the receive buffers are known */
#define PEER_OFFER_PD 0x020u       /* an STag of the region in another Protection Domain */
#define PEER_OFFER_READS 0x040u    /* the application reads a region that the tester announces */
#define PEER_OFFER_WRITES                                                                          \
  0x080u                           /* the application writes to a region that the tester announces \
                                    */
#define PEER_OFFER_EVENTS 0x100u   /* Immediate Data come back as Immediate Data, RFC 7306 6 */
#define PEER_OFFER_ENHANCED 0x200u /* the target speaks Rev 2; never a word of --ulp */

/** peer_form says how the application announces its region. */
typedef enum peer_form {
  PEER_FORM_NONE = 0, /* no announcement */
  PEER_FORM_RPING, /* first Send: u64 address, u32 STag, u32 length; a following Send is no new one
                    */
  PEER_FORM_ECHO   /* RPING in the first Send or the Private Data, and u32 STags of other rights */
} peer_form;

/** peer_offer is what the target offers. */
typedef struct peer_offer {
  uint32_t words;    /* PEER_OFFER_* */
  peer_form form;    /* form of the announcement */
  uint32_t recvs;    /* BUFFERS: least number of receive buffers posted at any time */
  uint32_t recv_len; /* BUFFERS: octets of each receive buffer */
} peer_offer;

/**
 * peer_offer_read reads the text of --ulp into `out`: `none`, `rping` or `echo`, or words separated
 * by commas ("echo,buffers=16x256": 16 buffers of 256 octets). `listens`: the target is the
 * Responder, so `rping` stands for `rping -s`, else for `rping -c`. False: *bad, with *bad_len
 * characters, is no such word.
 */
bool peer_offer_read(peer_offer *out, const char *text, bool listens, const char **bad,
                     size_t *bad_len);

/** peer_offer_word returns the word of one bit ("region"); NULL: no word has this bit. The bits
 * count from 1 up, without a gap. */
const char *peer_offer_word(uint32_t bit);

/** peer_region is what an application announced for one connection. An STag of 0: not offered. */
typedef struct peer_region {
  bool known;
  uint64_t to;       /* Tagged Offset of the first octet */
  uint32_t stag;     /* STag for reading and writing */
  uint32_t len;      /* octets */
  uint32_t other_pd; /* STag for the same octets in another Protection Domain */
  uint32_t read_only;
  uint32_t write_only;
} peer_region;

/**
 * peer_region_read reads the octets of an announcement. False: fewer than 16 octets, no octet
 * in the region, or a region that passes 2^64. With PEER_FORM_ECHO an announcement of 16 octets
 * offers STag + 1, + 2 and + 3 as the other three; a longer one has them after the length.
 */
bool peer_region_read(peer_region *out, peer_form form, const uint8_t *octets, size_t len);

#endif
