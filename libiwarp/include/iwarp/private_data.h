/* SPDX-License-Identifier: BSD-2-Clause */
/* What peers put into startup frames beyond the RFCs. */
#ifndef IWARP_PRIVATE_DATA_H
#define IWARP_PRIVATE_DATA_H

#include <iwarp/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A Rev of its own: the startup keys of MPA with a default header of 28 octets, 20 of them as in
 * RFC 5044. iwarp_mpa_startup_decode leaves the others to what follows its 20 octets.
 */
#define IWARP_MPA_REV_ERDMA 129u
#define IWARP_MPA_ERDMA_LEN 28u /* octets */

/**
 * iwarp_mpa_res_name names a use of the reserved flags of a startup frame (IWARP_MPA_FLAG_RES)
 * that was seen in the field, or returns NULL. The other bits of `flags` do not matter. Two
 * conventions share a value: the name says both. Static storage.
 */
IWARP_API const char *iwarp_mpa_res_name(uint8_t flags);

/*
 * MS-SMBD, legacy form: under MPA Rev 1, which has no enhanced data, Windows and older adapters
 * begin the Private Data with IRD and ORD, 32 bits each (usually SMB Direct, TCP port 5445). Some
 * send them with the least significant octet first.
 */
#define IWARP_SMBD_DEPTHS_LEN 8u /* octets */

/** iwarp_byte_order is the order of octets in a number. */
typedef enum iwarp_byte_order {
  IWARP_BYTE_ORDER_UNKNOWN = 0,
  IWARP_BYTE_ORDER_BIG, /* network order */
  IWARP_BYTE_ORDER_LITTLE
} iwarp_byte_order;

/** iwarp_smbd_depths is the legacy IRD/ORD of MS-SMBD. */
typedef struct iwarp_smbd_depths {
  uint32_t ird;
  uint32_t ord;
} iwarp_smbd_depths;

/**
 * iwarp_smbd_depths_guess tells whether the Private Data of a startup frame of revision `rev` look
 * like this form, and in which order: both numbers are below 65536 then, and not both 0. UNKNOWN
 * under another revision than 1, and where nothing speaks for either order. It is a guess: nothing
 * in the frame says so.
 */
IWARP_API iwarp_byte_order iwarp_smbd_depths_guess(uint8_t rev, iwarp_span private_data);

/** iwarp_smbd_depths_decode decodes the first eight octets of `in` in the given order. OK,
 * NEED_MORE; ARG: the order is UNKNOWN. */
IWARP_API iwarp_dec iwarp_smbd_depths_decode(iwarp_smbd_depths *out, iwarp_span in,
                                             iwarp_byte_order order);

/** iwarp_smbd_depths_encode writes eight octets; `dst` NULL with `cap` 0 asks for the size. NOBUF;
 * ARG: the order is UNKNOWN. */
IWARP_API iwarp_err iwarp_smbd_depths_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                             const iwarp_smbd_depths *v, iwarp_byte_order order);

#ifdef __cplusplus
}
#endif

#endif
