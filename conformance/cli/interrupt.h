/* SPDX-License-Identifier: BSD-2-Clause */
/* SIGINT and SIGTERM end the reading of captures, so that the report is still written. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

/**
 * interrupt_begin makes the first SIGINT or SIGTERM end the reading of captures: see
 * pcap_src_stop_by. A second signal of the two removes the temporary files and ends the program
 * with status 128 plus the number of the signal, which is 130 for SIGINT. A signal that is ignored
 * stays ignored. It is called once, before the program confines itself.
 */
void interrupt_begin(void);

/** interrupt_done says that reading has ended: captures that are opened from now on are read whole,
 * whatever signal came. A second signal still ends the program. */
void interrupt_done(void);

#endif
