/* SPDX-License-Identifier: BSD-2-Clause */
/* A capture in memory, whose packets are handed to an observe as often as a test likes. */
#ifndef TEST_SUPPORT_CAPTURE_REPLAY_H
#define TEST_SUPPORT_CAPTURE_REPLAY_H

#include <ingest/ingest.h>
#include <observe/observe.h>

typedef struct capture_replay {
  ingest_packet *packets; /* with octets of their own */
  size_t num;
} capture_replay;

/* capture_replay_read reads a file, up to `max` packets. None where it is no capture. */
capture_replay capture_replay_read(const char *path, size_t max);

/* capture_replay_octets takes the packets of a pcap file that a scenario makes: in the octet order
 * of little-endian machines, with microseconds, of Ethernet. */
capture_replay capture_replay_octets(const uint8_t *file, size_t len);

/* capture_replay_copy makes a copy, to be changed. */
capture_replay capture_replay_copy(const capture_replay *c);
void capture_replay_free(capture_replay *c);

/* capture_replay_run gives the packets to a new observe with these hooks, up to the end of the
 * capture. It stops the program where the observe fails. */
void capture_replay_run(const capture_replay *c, const observe_hooks *hooks);

/* capture_replay_watch does so with a configuration, and calls `after`, where it is not NULL, with
 * the context of the hooks after each packet. */
void capture_replay_watch(const capture_replay *c, const observe_cfg *cfg,
                          const observe_hooks *hooks, void (*after)(void *ctx));

#endif
