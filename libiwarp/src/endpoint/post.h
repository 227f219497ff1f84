/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations that the ULP posts. */
#ifndef IWARPI_ENDPOINT_POST_H
#define IWARPI_ENDPOINT_POST_H

#include "views.h"

/* endpoint.c */
ep_post_view iwarpi_ep_post_view(iwarp_endpoint *ep);

#endif
