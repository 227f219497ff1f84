/* SPDX-License-Identifier: BSD-2-Clause */
/* The startup frames of an endpoint and of its peer. */
#ifndef IWARPI_ENDPOINT_STARTUP_H
#define IWARPI_ENDPOINT_STARTUP_H

#include "views.h"

#define EP_FRAME_MAX (IWARP_MPA_STARTUP_LEN + IWARP_MPA_PRIVATE_DATA_MAX)
#define EP_FRAMES_LEN (2u * EP_FRAME_MAX) /* bytes of memory for both frames */
#define EP_REV_ENHANCED 2u

void iwarpi_ep_startup_memory(ep_startup *s, void *block);
bool iwarpi_ep_startup_reserve(ep_startup *s);
void iwarpi_ep_startup_release(ep_startup *s);

/* The frames that an endpoint sends: the Initiator's, and both that a Responder may answer with. */
typedef enum ep_frame { EP_FRAME_REQUEST, EP_FRAME_ACCEPT, EP_FRAME_REJECT } ep_frame;

void iwarpi_ep_make_frame(const ep_startup_view *n, ep_frame frame);
ep_input iwarpi_ep_collect(const ep_startup_view *n);
iwarp_term iwarpi_ep_negotiate(const ep_startup_view *n);
void iwarpi_ep_startup_event(const ep_startup_view *n, iwarp_ev_startup *out);

#endif
