/* SPDX-License-Identifier: BSD-2-Clause */
/* The IANA registries of the family: RFC 6580, with what RFC 6581 and RFC 7306 added. */
#ifndef IWARP_REGISTRY_H
#define IWARP_REGISTRY_H

#include <iwarp/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * IWARP_REGISTRY_MAP lists the registries: X(name, id, title, bits, rfc). An error is the 16 bits
 * that a Terminate carries: Layer (4), Error Type (4), Error Code (8).
 */
#define IWARP_REGISTRY_MAP(X)                                                                      \
  X(RDMAP_ERRORS, 1, "RDMAP Errors", 16, "RFC 6580 3.1")                                           \
  X(DDP_ERRORS, 2, "DDP Errors", 16, "RFC 6580 3.2")                                               \
  X(MPA_ERRORS, 3, "MPA Errors", 16, "RFC 6580 3.3")                                               \
  X(RDMAP_OPCODES, 4, "RDMAP Message Operation Codes", 4, "RFC 6580 3.4")                          \
  X(SCTP_FUNCTIONS, 5, "SCTP Function Codes for DDP Stream Session Control", 16, "RFC 6580 3.5")   \
  X(ATOMIC_OPCODES, 6, "RDMAP Message Atomic Operation Subcodes", 4, "RFC 7306 10.1")              \
  X(DDP_QUEUES, 7, "RDMAP DDP Untagged Queue Numbers", 32, "RFC 7306 10.2")

/** iwarp_registry is one of the registries. */
typedef enum iwarp_registry {
/** IWARP_REGISTRY_ENUM makes the enumerator of a row; undefined again after the list. */
#define IWARP_REGISTRY_ENUM(name, id, title, bits, rfc) IWARP_REGISTRY_##name = (id),
  IWARP_REGISTRY_MAP(IWARP_REGISTRY_ENUM)
#undef IWARP_REGISTRY_ENUM
} iwarp_registry;

/** iwarp_registry_info is what a registry is. All pointers are to static storage. */
typedef struct iwarp_registry_info {
  iwarp_registry registry; /* which one */
  uint8_t num_bits;        /* width of the values */
  const char *title;       /* as IANA spells it */
  const char *rfc;         /* where it was created */
} iwarp_registry_info;

/** iwarp_registry_status says what an entry reserves. */
typedef enum iwarp_registry_status {
  IWARP_REGISTRY_ASSIGNED = 1, /* it has a meaning */
  IWARP_REGISTRY_RESERVED,     /* it is not to be used */
  IWARP_REGISTRY_EXPERIMENTAL  /* RFC 6580 2 */
} iwarp_registry_status;

/** iwarp_registry_entry is one entry. All pointers are to static storage. */
typedef struct iwarp_registry_entry {
  uint32_t first; /* the value */
  uint32_t last;  /* as first; larger for an Error Type registered without Error Codes ("ALL") */
  iwarp_registry_status status; /* assigned, reserved or experimental */
  const char *name;             /* what it stands for */
  const char *group;            /* the Error Type of an error, else NULL */
  const char *rfc;              /* what defines it */
} iwarp_registry_entry;

/** iwarp_registry_get describes a registry; NULL for an invalid value. */
IWARP_API const iwarp_registry_info *iwarp_registry_get(iwarp_registry registry);

/**
 * iwarp_registry_at gives the entries of a registry by their values, `index` counting from 0; false
 * after the last, and for a value that is no registry. Values between the entries are unassigned.
 */
IWARP_API bool iwarp_registry_at(iwarp_registry_entry *out, iwarp_registry registry, size_t index);

/** iwarp_registry_find gives the entry that covers `value`; false when it is unassigned. */
IWARP_API bool iwarp_registry_find(iwarp_registry_entry *out, iwarp_registry registry,
                                   uint32_t value);

#ifdef __cplusplus
}
#endif

#endif
