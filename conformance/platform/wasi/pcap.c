/* SPDX-License-Identifier: BSD-2-Clause */
/* See pcap/pcap.h: there is no libpcap, and errors say so. */
#include <pcap/pcap.h>

#include <stdio.h>

enum { PCAP_MAGIC = 4 }; /* octets */

/* The only source there is: one for filters, which are all refused. */
struct pcap {
  int link_type;
};

static struct pcap pcap_dead;
static char pcap_reason[] = "this build has no libpcap, which filters need";

pcap_t *pcap_create(const char *interface, char *error) {
  (void)interface;
  (void)snprintf(error, PCAP_ERRBUF_SIZE,
                 "this build has no libpcap, which captures on interfaces");
  return NULL;
}

pcap_t *pcap_open_dead(int link_type, int snaplen) {
  (void)snaplen;
  pcap_dead.link_type = link_type;
  return &pcap_dead;
}

/* Only captures come here that libpcap alone could read. The errors have libpcap's words, so that
 * pcap_src.c explains them alike. */
pcap_t *pcap_fopen_offline_with_tstamp_precision(FILE *file, unsigned int precision, char *error) {
  unsigned char magic[PCAP_MAGIC];
  (void)precision;
  const size_t got = fread(magic, 1, sizeof magic, file);
  if (got < sizeof magic) {
    (void)snprintf(error, PCAP_ERRBUF_SIZE,
                   "truncated dump file; tried to read %d file header bytes, only got %zu",
                   PCAP_MAGIC, got);
  } else {
    (void)snprintf(error, PCAP_ERRBUF_SIZE, "unknown file format");
  }
  return NULL;
}

int pcap_set_snaplen(pcap_t *p, int snaplen) {
  (void)p;
  (void)snaplen;
  return 0;
}

int pcap_set_promisc(pcap_t *p, int on) {
  (void)p;
  (void)on;
  return 0;
}

int pcap_set_immediate_mode(pcap_t *p, int on) {
  (void)p;
  (void)on;
  return 0;
}

int pcap_set_buffer_size(pcap_t *p, int size) {
  (void)p;
  (void)size;
  return 0;
}

int pcap_set_tstamp_precision(pcap_t *p, int precision) {
  (void)p;
  (void)precision;
  return PCAP_ERROR;
}

int pcap_activate(pcap_t *p) {
  (void)p;
  return PCAP_ERROR;
}

int pcap_setnonblock(pcap_t *p, int on, char *error) {
  (void)p;
  (void)on;
  error[0] = 0;
  return PCAP_ERROR;
}

int pcap_get_selectable_fd(pcap_t *p) {
  (void)p;
  return -1;
}

int pcap_compile(pcap_t *p, struct bpf_program *program, const char *filter, int optimize,
                 bpf_u_int32 netmask) {
  (void)p;
  (void)filter;
  (void)optimize;
  (void)netmask;
  program->bf_len = 0;
  return PCAP_ERROR;
}

int pcap_setfilter(pcap_t *p, struct bpf_program *program) {
  (void)p;
  (void)program;
  return PCAP_ERROR;
}

void pcap_freecode(struct bpf_program *program) {
  (void)program;
}

int pcap_offline_filter(const struct bpf_program *program, const struct pcap_pkthdr *header,
                        const u_char *data) {
  (void)program;
  (void)header;
  (void)data;
  return 0;
}

int pcap_next_ex(pcap_t *p, struct pcap_pkthdr **header, const u_char **data) {
  (void)p;
  (void)header;
  (void)data;
  return PCAP_ERROR;
}

int pcap_stats(pcap_t *p, struct pcap_stat *stats) {
  (void)p;
  (void)stats;
  return PCAP_ERROR;
}

int pcap_datalink(pcap_t *p) {
  return p->link_type;
}

const char *pcap_datalink_val_to_name(int link_type) {
  (void)link_type;
  return NULL;
}

const char *pcap_statustostr(int status) {
  (void)status;
  return pcap_reason;
}

char *pcap_geterr(pcap_t *p) {
  (void)p;
  return pcap_reason;
}

void pcap_close(pcap_t *p) {
  (void)p;
}
