/* SPDX-License-Identifier: BSD-2-Clause */
/* Captures opened through libpcap: the one file of ingest that touches the system. */
#define _DEFAULT_SOURCE /* u_char and the like of pcap.h; fileno, ftello, poll */

#include <ingest/pcap_src.h>

#include <errno.h>
#include <fcntl.h>
#include <pcap/pcap.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct pcap_src {
  pcap_t *pcap;
  FILE *file; /* belongs to pcap */
  int link_type;
  uint64_t number;
  uint64_t size;
  char error[PCAP_SRC_ERROR_LEN];
};

enum { FIFO_PATIENCE_MS = 3000 };

/* One line, whatever libpcap had to say. */
__attribute__((format(printf, 2, 3))) static void set_error(char error[PCAP_SRC_ERROR_LEN],
                                                            const char *format, ...) {
  va_list args;
  va_start(args, format);
  (void)vsnprintf(error, PCAP_SRC_ERROR_LEN, format, args);
  va_end(args);
  for (char *c = error; *c != '\0'; c++) {
    if ((unsigned char)*c < ' ' || *c == 0x7f) {
      *c = ' ';
    }
  }
}

/*
 * Opens a FIFO that has, or soon gets, a writer. A plain open would wait for one for ever, and
 * read() alone tells a writer that is slow (EAGAIN) from none (0).
 */
static int open_fifo(const char *path) {
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) {
    return -1;
  }
  struct pollfd wait = {.fd = fd, .events = POLLIN};
  char none[1];
  if (poll(&wait, 1, FIFO_PATIENCE_MS) == 0 && read(fd, none, sizeof none) == 0) {
    (void)close(fd);
    errno = ETIMEDOUT;
    return -1;
  }
  (void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
  return fd;
}

static FILE *open_file(const char *path, char error[PCAP_SRC_ERROR_LEN]) {
  if (strcmp(path, "-") == 0) {
    return stdin;
  }
  struct stat st;
  if (stat(path, &st) != 0) {
    set_error(error, "%s", strerror(errno));
    return NULL;
  }
  int fd = S_ISFIFO(st.st_mode) ? open_fifo(path) : open(path, O_RDONLY | O_CLOEXEC);
  FILE *file = fd >= 0 ? fdopen(fd, "rb") : NULL;
  if (file == NULL && errno == ETIMEDOUT) {
    set_error(error, "a FIFO that nobody writes to");
  } else if (file == NULL) {
    set_error(error, "%s", strerror(errno));
  }
  return file;
}

/* Refuses what libpcap would explain badly, and finds the size. */
static bool inspect(FILE *file, uint64_t *size, char error[PCAP_SRC_ERROR_LEN]) {
  struct stat st;
  if (fstat(fileno(file), &st) != 0) {
    set_error(error, "%s", strerror(errno));
    return false;
  }
  if (S_ISDIR(st.st_mode)) {
    set_error(error, "is a directory");
    return false;
  }
  *size = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
  int first = getc(file);
  if (first == EOF && ferror(file)) {
    set_error(error, "%s", strerror(errno));
  } else if (first == EOF) {
    set_error(error, "the file is empty");
  } else {
    (void)ungetc(first, file);
  }
  return first != EOF;
}

static void explain_open(char error[PCAP_SRC_ERROR_LEN], const char *reason) {
  if (strcmp(reason, "unknown file format") == 0) {
    set_error(error, "not a capture: neither pcap nor pcapng");
  } else if (strncmp(reason, "truncated", strlen("truncated")) == 0) {
    set_error(error, "not a capture, or one cut short in its header (%s)", reason);
  } else {
    set_error(error, "not a capture that can be read (%s)", reason);
  }
}

static bool set_filter(pcap_t *pcap, const char *filter, char error[PCAP_SRC_ERROR_LEN]) {
  struct bpf_program program;
  if (pcap_compile(pcap, &program, filter, 1, PCAP_NETMASK_UNKNOWN) != 0) {
    set_error(error, "bad filter: %s", pcap_geterr(pcap));
    return false;
  }
  bool ok = pcap_setfilter(pcap, &program) == 0;
  if (!ok) {
    set_error(error, "bad filter: %s", pcap_geterr(pcap));
  }
  pcap_freecode(&program);
  return ok;
}

static bool check_link(pcap_src *src, char error[PCAP_SRC_ERROR_LEN]) {
  src->link_type = pcap_datalink(src->pcap);
  if (ingest_link_known(src->link_type)) {
    return true;
  }
  const char *name = pcap_datalink_val_to_name(src->link_type);
  set_error(error, "link type %d (%s) is not supported", src->link_type,
            name != NULL ? name : "unknown");
  return false;
}

/* From here on the file belongs to the source. */
static pcap_src *wrap(FILE *file, uint64_t size, char error[PCAP_SRC_ERROR_LEN]) {
  char reason[PCAP_ERRBUF_SIZE] = "";
  pcap_src *src = calloc(1, sizeof *src);
  pcap_t *pcap = NULL;
  if (src == NULL) {
    set_error(error, "%s", strerror(ENOMEM));
  } else {
    pcap = pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, reason);
    if (pcap == NULL) {
      explain_open(error, reason);
    }
  }
  if (pcap == NULL) {
    free(src);
    if (file != stdin) {
      (void)fclose(file);
    }
    return NULL;
  }
  src->pcap = pcap;
  src->file = file;
  src->size = size;
  return src;
}

pcap_src *pcap_src_open(const char *path, const char *filter, char error[PCAP_SRC_ERROR_LEN]) {
  FILE *file = open_file(path, error);
  if (file == NULL) {
    return NULL;
  }
  uint64_t size = 0;
  if (!inspect(file, &size, error)) {
    if (file != stdin) {
      (void)fclose(file);
    }
    return NULL;
  }
  pcap_src *src = wrap(file, size, error);
  if (src == NULL) {
    return NULL;
  }
  if (!check_link(src, error) || (filter != NULL && !set_filter(src->pcap, filter, error))) {
    pcap_src_close(src);
    return NULL;
  }
  return src;
}

bool pcap_src_filter_check(const char *filter, char error[PCAP_SRC_ERROR_LEN]) {
  pcap_t *dead = pcap_open_dead(DLT_EN10MB, 65535);
  if (dead == NULL) {
    set_error(error, "%s", strerror(ENOMEM));
    return false;
  }
  struct bpf_program program;
  bool ok = pcap_compile(dead, &program, filter, 1, PCAP_NETMASK_UNKNOWN) == 0;
  if (ok) {
    pcap_freecode(&program);
  } else {
    set_error(error, "bad filter: %s", pcap_geterr(dead));
  }
  pcap_close(dead);
  return ok;
}

static void explain_read(pcap_src *src) {
  const char *reason = pcap_geterr(src->pcap);
  if (strncmp(reason, "truncated", strlen("truncated")) == 0) {
    set_error(src->error, "cut short after packet %llu (%s)", (unsigned long long)src->number,
              reason);
  } else {
    set_error(src->error, "cannot be read after packet %llu (%s)", (unsigned long long)src->number,
              reason);
  }
}

pcap_src_result pcap_src_next(pcap_src *src, ingest_packet *out) {
  struct pcap_pkthdr *header;
  const u_char *data;
  int got = pcap_next_ex(src->pcap, &header, &data);
  if (got == PCAP_ERROR_BREAK) {
    return PCAP_SRC_END;
  }
  if (got != 1) {
    explain_read(src);
    return PCAP_SRC_ERROR;
  }
  src->number++;
  /* libpcap takes the unsigned 32 bits of a pcap file for signed: times after 2038 */
  const uint64_t seconds =
      header->ts.tv_sec < 0 ? (uint32_t)header->ts.tv_sec : (uint64_t)header->ts.tv_sec;
  *out = (ingest_packet){.data = data,
                         .caplen = header->caplen,
                         .len = header->len,
                         .link_type = src->link_type,
                         .number = src->number,
                         /* tv_usec holds nanoseconds, as asked for */
                         .time_ns = seconds * 1000000000u + (uint64_t)header->ts.tv_usec};
  return PCAP_SRC_PACKET;
}

const char *pcap_src_error(const pcap_src *src) {
  return src->error;
}

void pcap_src_progress(const pcap_src *src, uint64_t *done, uint64_t *total) {
  off_t at = ftello(src->file);
  *done = at > 0 ? (uint64_t)at : 0;
  *total = src->size;
}

void pcap_src_close(pcap_src *src) {
  if (src == NULL) {
    return;
  }
  pcap_close(src->pcap); /* closes the file too, unless it is standard input */
  free(src);
}
