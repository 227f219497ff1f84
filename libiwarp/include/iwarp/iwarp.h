/* SPDX-License-Identifier: BSD-2-Clause */
/* The whole public interface of libiwarp. */
#ifndef IWARP_IWARP_H
#define IWARP_IWARP_H

#include <iwarp/base.h>
#include <iwarp/crc32c.h>
#include <iwarp/ddp.h>
#include <iwarp/endpoint.h>
#include <iwarp/event.h>
#include <iwarp/field.h>
#include <iwarp/form.h>
#include <iwarp/mpa.h>
#include <iwarp/observer.h>
#include <iwarp/pdu.h>
#include <iwarp/private_data.h>
#include <iwarp/rdmap.h>
#include <iwarp/registry.h>
#include <iwarp/rx.h>
#include <iwarp/scan.h>
#include <iwarp/sctp.h>
#include <iwarp/sctp_observer.h>
#include <iwarp/sctp_session.h>
#include <iwarp/shared.h>
#include <iwarp/tx.h>
#include <iwarp/version.h>

#endif
