/* SPDX-License-Identifier: BSD-2-Clause */
/* What peers put into startup frames beyond the RFCs. */
#ifndef IWARP_PRIVATE_DATA_H
#define IWARP_PRIVATE_DATA_H

#include <iwarp/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Rev 129 is erdma's own: the startup frames of RFC 5044 with eight octets more between PD_Length,
 * which does not count them, and the Private Data. They are the first octets of
 * iwarp_mpa_startup.private_data. An observer takes them for part of the frame only where they come
 * with it: a frame that is followed by nothing, or by what its sender sent after an answer, has
 * none.
 */
#define IWARP_MPA_REV_ERDMA 129u /* the Rev field of erdma */
#define IWARP_MPA_ERDMA_LEN 28u  /* octets before the Private Data that PD_Length counts */
#define IWARP_ERDMA_EXT_LEN 8u   /* octets */
#define IWARP_ERDMA_RESERVED_MAX 0x0FFFFFFFu /* 28 bits */

/** iwarp_erdma_ext is the extension of Rev 129 as it stood on the wire. */
typedef struct iwarp_erdma_ext {
  uint32_t cookie;   /* a number of the sender's own */
  uint32_t reserved; /* 28 bits */
  uint8_t cc;        /* 4 bits: the congestion control that the sender wants */
} iwarp_erdma_ext;

/** iwarp_erdma_ext_decode decodes the first eight octets of `in`. OK or NEED_MORE. */
IWARP_API iwarp_dec iwarp_erdma_ext_decode(iwarp_erdma_ext *out, iwarp_span in);

/** iwarp_erdma_ext_encode writes eight octets; `dst` NULL with `cap` 0 asks for the size. NOBUF;
 * ARG: reserved above 28 bits or cc above 4 bits. */
IWARP_API iwarp_err iwarp_erdma_ext_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                           const iwarp_erdma_ext *v);

/**
 * IWARP_MPA_RES_MAP lists uses of the reserved flags of a startup frame (IWARP_MPA_FLAG_RES) that
 * were seen in the field: X(value, name). Two conventions share a value: the name says both.
 */
#define IWARP_MPA_RES_MAP(X)                                                                       \
  X(0x04u, "max FPDU 16 KiB")                                                                      \
  X(0x08u, "siw GSO, or max FPDU 32 KiB")                                                          \
  X(0x0Cu, "max FPDU 64 KiB")

/**
 * iwarp_mpa_res_name names a use of the reserved flags; IWARP_NAME_UNKNOWN where none was seen. The
 * other bits of `flags` do not matter.
 */
IWARP_API const char *iwarp_mpa_res_name(uint8_t flags);

/*
 * MS-SMBD, legacy form: for MPA Rev 1, which has no enhanced data, SMB Direct (TCP port 5445) sends
 * IRD and ORD, 32 bits each, as its Private Data. Some send them under Rev 2 as well, after the
 * enhanced data, and some with the least significant octet first.
 */
#define IWARP_SMBD_DEPTHS_LEN 8u /* octets */

/** iwarp_byte_order is the order of octets in a number. */
typedef enum iwarp_byte_order {
  IWARP_BYTE_ORDER_UNKNOWN = 0, /* no evidence for either order */
  IWARP_BYTE_ORDER_BIG,         /* network order */
  IWARP_BYTE_ORDER_LITTLE       /* least significant octet first */
} iwarp_byte_order;

/** iwarp_smbd_depths is the legacy IRD/ORD of MS-SMBD. */
typedef struct iwarp_smbd_depths {
  uint32_t ird; /* inbound Reads that the sender allows */
  uint32_t ord; /* outbound Reads that the sender wants */
} iwarp_smbd_depths;

/**
 * iwarp_smbd_depths_guess tells whether the Private Data of a startup frame, without the enhanced
 * data, look like this form, and in which order: they are exactly eight octets, both numbers are
 * below 65536 in it, and not both 0. UNKNOWN where nothing speaks for either order. It is a guess:
 * nothing in the frame says so.
 */
IWARP_API iwarp_byte_order iwarp_smbd_depths_guess(iwarp_span ulp_data);

/** iwarp_smbd_depths_decode decodes the first eight octets of `in` in the given order. OK,
 * NEED_MORE; ARG: the order is UNKNOWN. */
IWARP_API iwarp_dec iwarp_smbd_depths_decode(iwarp_smbd_depths *out, iwarp_span in,
                                             iwarp_byte_order order);

/** iwarp_smbd_depths_encode writes eight octets; `dst` NULL with `cap` 0 asks for the size. NOBUF;
 * ARG: the order is UNKNOWN. */
IWARP_API iwarp_err iwarp_smbd_depths_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                             const iwarp_smbd_depths *v, iwarp_byte_order order);

/*
 * RPC-over-RDMA version 1 (NFS over RDMA): eight octets anywhere in the Private Data, recognised by
 * their first four. RFC 8797 4 and 5.2.
 */
#define IWARP_RPC_RDMA_LEN 8u             /* octets */
#define IWARP_RPC_RDMA_FORMAT 0xF6AB0E18u /* Format Identifier, RFC 8797 4 */
#define IWARP_RPC_RDMA_VERSION 1u         /* the only one, RFC 8797 4 */
#define IWARP_RPC_RDMA_RESERVED_MAX 0x7Fu /* 7 bits */

/** iwarp_rpc_rdma is the CM Private Data of RPC-over-RDMA as it stood on the wire. RFC 8797 4. */
typedef struct iwarp_rpc_rdma {
  uint32_t format;          /* IWARP_RPC_RDMA_FORMAT */
  uint8_t version;          /* IWARP_RPC_RDMA_VERSION */
  uint8_t reserved;         /* 7 bits */
  bool remote_invalidation; /* R */
  uint8_t send_size;        /* Send Size as on the wire, see iwarp_rpc_rdma_octets */
  uint8_t receive_size;     /* Receive Size as on the wire */
} iwarp_rpc_rdma;

/**
 * iwarp_rpc_rdma_find returns the first eight octets of this form in the Private Data: the format
 * identifier at any offset, version 1, and nothing missing. Empty: the Private Data has no such
 * octets. RFC 8797 5.2.
 */
IWARP_API iwarp_span iwarp_rpc_rdma_find(iwarp_span private_data);

/** iwarp_rpc_rdma_decode decodes the first eight octets of `in`; neither format nor version is
 * judged. OK or NEED_MORE. RFC 8797 4. */
IWARP_API iwarp_dec iwarp_rpc_rdma_decode(iwarp_rpc_rdma *out, iwarp_span in);

/** iwarp_rpc_rdma_encode writes eight octets; `dst` NULL with `cap` 0 asks for the size. NOBUF;
 * ARG: reserved above 7 bits. RFC 8797 4. */
IWARP_API iwarp_err iwarp_rpc_rdma_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                          const iwarp_rpc_rdma *v);

/** iwarp_rpc_rdma_octets returns the octets that a Send Size or Receive Size stands for: 1024 to
 * 262144. RFC 8797 4.2. */
IWARP_API uint32_t iwarp_rpc_rdma_octets(uint8_t size);

/** iwarp_rpc_rdma_size returns the Send Size or Receive Size that stands for at most `octets`;
 * below 1024 it is 0, the least there is. RFC 8797 4.2. */
IWARP_API uint8_t iwarp_rpc_rdma_size(uint32_t octets);

#ifdef __cplusplus
}
#endif

#endif
