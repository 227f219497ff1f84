/* SPDX-License-Identifier: BSD-2-Clause */
/* Times as libpcap gives them. */
#ifndef INGEST_PCAP_TIME_H
#define INGEST_PCAP_TIME_H

#include <stdbool.h>
#include <stdint.h>

#define PCAP_TIME_WRAP (UINT64_C(1) << 32)

/*
 * pcap_time_ns is the time of a packet in nanoseconds by tv_sec and tv_usec, for which nanoseconds
 * were asked; `nano`: its file has them, else microseconds. The two fields of a pcap file have 32
 * bits and no sign, and releases of libpcap differ in which of them they take for signed.
 */
static inline uint64_t pcap_time_ns(int64_t sec, int64_t usec, bool nano) {
  const uint64_t lacking = usec < 0 ? PCAP_TIME_WRAP * (nano ? 1 : 1000) : 0;
  const uint64_t seconds = sec < 0 ? (uint32_t)sec : (uint64_t)sec;
  return seconds * UINT64_C(1000000000) + (uint64_t)usec + lacking;
}

#endif
