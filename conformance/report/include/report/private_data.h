/* SPDX-License-Identifier: BSD-2-Clause */
/* What the Private Data of a startup frame hold beyond the RFCs of iWARP. */
#ifndef REPORT_PRIVATE_DATA_H
#define REPORT_PRIVATE_DATA_H

#include <iwarp/field.h>
#include <iwarp/mpa.h>

#include <report/jsonw.h>

/** report_private_data lists the forms that were found, each with the octets that begin with it. */
typedef struct report_private_data {
  size_t num;
  struct {
    iwarp_form form;
    iwarp_span octets;
  } part[3]; /* parts of Rev 129, RPC-over-RDMA, MS-SMBD */
} report_private_data;

/**
 * report_private_data_of looks for them in the Private Data of a startup frame, as far as these are
 * there; `ulp_data` are those without the enhanced data. That of MS-SMBD is a guess, which needs
 * all of them. report_private_data_sctp does so for a Session Control message. The octets are
 * borrowed.
 */
report_private_data report_private_data_of(const iwarp_mpa_startup *frame, iwarp_span ulp_data);
report_private_data report_private_data_sctp(iwarp_span private_data);

/** report_private_data_text and report_private_data_json write their fields. */
void report_private_data_text(out_buf *out, const report_private_data *p);
void report_private_data_json(jsonw *w, const report_private_data *p);

#endif
