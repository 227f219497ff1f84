/* SPDX-License-Identifier: BSD-2-Clause */
/* The operations of an NFSv4 COMPOUND. */
#ifndef UPPER_NFS4_H
#define UPPER_NFS4_H

#include "rpc_reader.h"

/* upper_nfs4 notes in `call` the first operations of a call, of UPPER_NFS4_OP or
 * UPPER_NFS4_CALLBACK_OP; the reader has passed the header of the RPC call. */
void upper_nfs4(rpc_reader *r, upper_space space, upper_request *call);

#endif
