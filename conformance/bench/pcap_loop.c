/* SPDX-License-Identifier: BSD-2-Clause */
/* The cost of a program that reads a capture through libpcap and looks at the headers only. */
#define _DEFAULT_SOURCE /* u_char and the like of pcap.h */

#include <pcap/pcap.h>
#include <stdint.h>
#include <stdio.h>

int main(int argc, char **argv) {
  char error[PCAP_ERRBUF_SIZE];
  pcap_t *pcap = argc > 1 ? pcap_open_offline(argv[1], error) : NULL;
  struct pcap_pkthdr *header;
  const u_char *data;
  uint64_t packets = 0;
  uint64_t sum = 0;
  if (pcap == NULL) {
    fprintf(stderr, "usage: bench-pcap-loop CAPTURE\n");
    return 2;
  }
  while (pcap_next_ex(pcap, &header, &data) == 1) {
    packets++;
    /* EtherType, protocol, a port, the length of the TCP header */
    sum += header->caplen > 46 ? (uint64_t)data[12] + data[23] + data[34] + data[46] : 0;
  }
  pcap_close(pcap);
  printf("%llu packets, %llu\n", (unsigned long long)packets, (unsigned long long)sum);
  return 0;
}
