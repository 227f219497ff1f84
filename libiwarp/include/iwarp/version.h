/* SPDX-License-Identifier: BSD-2-Clause */
/* The version of libiwarp. */
#ifndef IWARP_VERSION_H
#define IWARP_VERSION_H

#include <iwarp/base.h>

#ifdef __cplusplus
extern "C" {
#endif

#define IWARP_VERSION_MAJOR 0        /* 0: the ABI may change with each minor version */
#define IWARP_VERSION_MINOR 2        /* the minor version */
#define IWARP_VERSION_PATCH 0        /* the patch level */
#define IWARP_VERSION_STRING "0.2.0" /* the three as text */

/** iwarp_version returns the version of the library in use, "0.2.0". Static storage. */
IWARP_API const char *iwarp_version(void);

#ifdef __cplusplus
}
#endif

#endif
