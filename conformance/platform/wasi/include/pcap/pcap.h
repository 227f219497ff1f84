/* SPDX-License-Identifier: BSD-2-Clause */
/* The part of libpcap that ingest/pcap_src.c uses, where there is no libpcap: no interface can be
 * opened and no filter compiled, and files that capture.c does not read are refused. */
#ifndef PLATFORM_WASI_PCAP_PCAP_H
#define PLATFORM_WASI_PCAP_PCAP_H

#include <stdint.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/types.h>

#define PCAP_ERRBUF_SIZE 256
#define PCAP_ERROR (-1)
#define PCAP_ERROR_BREAK (-2)
#define PCAP_NETMASK_UNKNOWN 0xffffffffu
#define PCAP_TSTAMP_PRECISION_NANO 1
#define DLT_EN10MB 1

typedef uint32_t bpf_u_int32;
typedef unsigned char u_char;
typedef struct pcap pcap_t;

struct bpf_program {
  unsigned int bf_len;
};

struct pcap_pkthdr {
  struct timeval ts;
  bpf_u_int32 caplen;
  bpf_u_int32 len;
};

struct pcap_stat {
  unsigned int ps_drop;
  unsigned int ps_ifdrop;
};

pcap_t *pcap_create(const char *interface, char *error);
pcap_t *pcap_open_dead(int link_type, int snaplen);
pcap_t *pcap_fopen_offline_with_tstamp_precision(FILE *file, unsigned int precision, char *error);
int pcap_set_snaplen(pcap_t *p, int snaplen);
int pcap_set_promisc(pcap_t *p, int on);
int pcap_set_immediate_mode(pcap_t *p, int on);
int pcap_set_buffer_size(pcap_t *p, int size);
int pcap_set_tstamp_precision(pcap_t *p, int precision);
int pcap_activate(pcap_t *p);
int pcap_setnonblock(pcap_t *p, int on, char *error);
int pcap_get_selectable_fd(pcap_t *p);
int pcap_compile(pcap_t *p, struct bpf_program *program, const char *filter, int optimize,
                 bpf_u_int32 netmask);
int pcap_setfilter(pcap_t *p, struct bpf_program *program);
void pcap_freecode(struct bpf_program *program);
int pcap_offline_filter(const struct bpf_program *program, const struct pcap_pkthdr *header,
                        const u_char *data);
int pcap_next_ex(pcap_t *p, struct pcap_pkthdr **header, const u_char **data);
int pcap_stats(pcap_t *p, struct pcap_stat *stats);
int pcap_datalink(pcap_t *p);
const char *pcap_datalink_val_to_name(int link_type);
const char *pcap_statustostr(int status);
char *pcap_geterr(pcap_t *p);
void pcap_close(pcap_t *p);

#endif
