/* SPDX-License-Identifier: BSD-2-Clause */
/* SIGINT and SIGTERM end the reading of captures, so that the report is still written. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

/** interrupt_prepare makes what interrupt_begin needs. It is called once, before the program
 * confines itself; signals end the program as before. */
void interrupt_prepare(void);

/**
 * interrupt_begin makes the first SIGINT or SIGTERM from now on end the reading of captures: see
 * pcap_src_stop_by. A second signal removes the temporary files and ends the program with status
 * 128 plus the signal's number: 130 for SIGINT. A signal that is ignored stays ignored. Everything
 * else that may wait for another program has been opened before, so that one signal ends that wait.
 * Without interrupt_prepare nothing changes.
 */
void interrupt_begin(void);

/** interrupt_fd returns what can be read once the first signal came, for commands that wait for
 * something else than captures; -1: signals end the program. */
int interrupt_fd(void);

/** interrupt_done says that reading has ended: captures that are opened from now on are read whole,
 * whatever signal came. A second signal still ends the program. */
void interrupt_done(void);

#endif
