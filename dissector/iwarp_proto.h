/* SPDX-License-Identifier: BSD-2-Clause */
/* The protocol "iwarp": its registration, and declarations that the files of the plugin share. */
#ifndef DISSECTOR_IWARP_PROTO_H
#define DISSECTOR_IWARP_PROTO_H

#include "ws_compat.h"

#define IWARP_NAME "iwarp" /* filter name of the protocol and first part of all field names */

/* iwarp_proto_register and iwarp_proto_handoff are called once by Wireshark as it starts. */
void iwarp_proto_register(void);
void iwarp_proto_handoff(void);

/* iwarp_proto_id returns Wireshark's number of the protocol. */
int iwarp_proto_id(void);
/* iwarp_proto_enabled says whether the user has it switched on. */
bool iwarp_proto_enabled(void);
/* iwarp_proto_handle returns the dissector of a TCP payload. */
dissector_handle_t iwarp_proto_handle(void);

#endif
