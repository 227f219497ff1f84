/* SPDX-License-Identifier: BSD-2-Clause */
/* Diagnoses of connections as expert infos, one kind for each row of their catalogue. */
#ifndef DISSECTOR_DIAGNOSES_H
#define DISSECTOR_DIAGNOSES_H

#include <epan/expert.h>
#include <observe/conn.h>

#include "frames.h"

/* diagnoses_register makes an expert info of each diagnosis. */
void diagnoses_register(expert_module_t *module);

/* diagnoses_closed keeps the diagnoses of a connection that has ended, each at the frame that it
 * names first. */
void diagnoses_closed(struct conn *c, const observe_conn *observed);

#endif
