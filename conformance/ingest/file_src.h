/* SPDX-License-Identifier: BSD-2-Clause */
/* The octets of a file, unpacked where it is compressed: what both readers of captures read. */
#ifndef INGEST_FILE_SRC_H
#define INGEST_FILE_SRC_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include <ingest/pcap_src.h>
#include <unpack/unpack.h>

#include "foreign.h"

typedef struct file_src {
  FILE *file;     /* open, or standard input */
  bool regular;   /* a regular file, of which no other program has read octets */
  uint64_t size;  /* octets of the file, 0 when not known */
  uint64_t taken; /* octets of the file that were unpacked, or read */
  unpack_form form;
  unpack *unpack; /* NULL: the file is as it is */
  uint8_t *octets;
  size_t begin; /* octets of the file that were read and not handed on lie from begin to end */
  size_t end;
  uint8_t *unread; /* octets that file_src_unread gave back lie from unread_begin to unread_end */
  size_t unread_begin;
  size_t unread_end;
  bool ended;       /* the file has no more */
  bool damaged;     /* the file is damaged after the octets unpacked last: the next read fails */
  pcap_src_max max; /* bound of the unpacked octets */
  uint64_t made;    /* octets that were unpacked */
  uint64_t parts;   /* members, frames or streams that were unpacked */
  bool limited;     /* `max` is reached: reads return 0 */
  bool stopped;     /* pcap_src_stop_by ended a read, which failed */
  bool failed;      /* an error occurred: see `error` */
  char error[PCAP_SRC_ERROR_LEN]; /* reason why the file could not be opened, read or unpacked */
  bool cut;                       /* the file ends too early */
  const ing_foreign *foreign;     /* kind of a file that is no capture; NULL: not known */
} file_src;

/** file_src_open opens the file at `path` ("-": standard input); false and a line in `error` when
 * that fails. Call file_src_close in both cases. */
bool file_src_open(file_src *s, const char *path);

/**
 * file_src_read reads up to `len` octets; returns their number, 0 at the end or at the limit, or -1
 * and a line in `error`. After an error it returns no more octets; those before it stay good.
 */
ssize_t file_src_read(file_src *s, uint8_t *out, size_t len);

/** file_src_allowed returns how many octets may be unpacked of what was read so far. */
uint64_t file_src_allowed(const file_src *s);

/** file_src_read_at reads `len` octets of a file that is not compressed, from octet `at` on, or all
 * that there are; several threads may do so. *error is 0, or the errno that ended them. */
size_t file_src_read_at(const file_src *s, uint64_t at, uint8_t *out, size_t len, int *error);

/** file_src_again begins again with the first octet of a regular file. */
bool file_src_again(file_src *s);

/** file_src_unread gives back the `len` octets that were read so far: they are read again. It takes
 * over `octets`, which memory_get or memory_resize returned. */
void file_src_unread(file_src *s, uint8_t *octets, size_t len);

/** file_src_stream returns a stream of the octets from here on, for who needs one: fclose it before
 * file_src_close. NULL without memory. */
FILE *file_src_stream(file_src *s);

/** file_src_close closes the file, but for standard input. */
void file_src_close(file_src *s);

/** file_src_foreign writes the line for a file that is `foreign`. */
void file_src_foreign(char error[PCAP_SRC_ERROR_LEN], const file_src *s);

/** file_src_wait waits until descriptor `fd` is readable or pcap_src_stop_by ends reading, for so
 * many milliseconds at most. */
void file_src_wait(int fd, int milliseconds);

/** file_src_error writes one line, whatever the parts of it hold. */
__attribute__((format(printf, 2, 3))) void file_src_error(char error[PCAP_SRC_ERROR_LEN],
                                                          const char *format, ...);

#endif
