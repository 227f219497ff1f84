/* SPDX-License-Identifier: BSD-2-Clause */
/* Files opened and read, and unpacked where they are compressed. */
#define _GNU_SOURCE /* fopencookie */

#include "file_src.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory/memory.h>

enum { FIFO_PATIENCE_MS = 3000 };
enum { PACKED_SIZE = 64 * 1024 }; /* octets of a read */
enum { FOREIGN_SAMPLE = 32 };     /* octets of a pipe that holds no capture */

void file_src_error(char error[PCAP_SRC_ERROR_LEN], const char *format, ...) {
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

void file_src_foreign(char error[PCAP_SRC_ERROR_LEN], const file_src *s) {
  const bool packed = s->form != UNPACK_PLAIN;
  file_src_error(error, "not pcap or pcapng, but %s%s%s: %s", s->foreign->what,
                 packed ? ", compressed with " : "", packed ? unpack_form_name(s->form) : "",
                 s->foreign->advice);
}

/* --- The end that comes from outside --- */

static int file_stop = -1; /* readable: no more is read */

void pcap_src_stop_by(int fd) {
  file_stop = fd;
}

/* Waits until there is something to read, or the reading is to end, at most so long; returns true
 * for the end. */
static bool stop_wait(int fd, int milliseconds) {
  struct pollfd wait[] = {{.fd = file_stop, .events = POLLIN}, {.fd = fd, .events = POLLIN}};
  int ready;
  do {
    ready = poll(wait, sizeof wait / sizeof wait[0], milliseconds);
  } while (ready < 0 && errno == EINTR);
  return ready > 0 && wait[0].revents != 0;
}

void file_src_wait(int fd, int milliseconds) {
  (void)stop_wait(fd, milliseconds);
}

bool pcap_src_stopped(void) {
  return file_stop >= 0 && stop_wait(-1, 0);
}

/* --- Opening --- */

static int open_plainly(const char *path, int flags) {
  return open(path, O_RDONLY | O_CLOEXEC | flags);
}

static pcap_src_opener *file_opener = open_plainly;

void pcap_src_open_by(pcap_src_opener *opener) {
  file_opener = opener != NULL ? opener : open_plainly;
}

/*
 * Opens a FIFO that has, or soon gets, a writer. A plain open would wait for one for ever, and
 * read() alone tells a writer that is slow (EAGAIN) from none (0).
 */
static int open_fifo(const char *path) {
  int fd = file_opener(path, O_NONBLOCK);
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
  if (file_stop < 0) { /* else poll waits: see read_or_stop */
    (void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
  }
  return fd;
}

static FILE *open_file(const char *path, char error[PCAP_SRC_ERROR_LEN]) {
  if (strcmp(path, "-") == 0) {
    return stdin;
  }
  struct stat st;
  if (stat(path, &st) != 0) {
    file_src_error(error, "%s", strerror(errno));
    return NULL;
  }
  int fd = S_ISFIFO(st.st_mode) ? open_fifo(path) : file_opener(path, 0);
  FILE *file = fd >= 0 ? fdopen(fd, "rb") : NULL;
  memory_failed_errno(file == NULL ? errno : 0);
  if (file == NULL && errno == ETIMEDOUT) {
    file_src_error(error, "a FIFO without a writer");
  } else if (file == NULL) {
    file_src_error(error, "%s", strerror(errno));
  }
  return file;
}

/* Refuses what libpcap would explain badly, and finds the size. */
static bool inspect(file_src *s) {
  struct stat st;
  if (fstat(fileno(s->file), &st) != 0) {
    file_src_error(s->error, "%s", strerror(errno));
    return false;
  }
  if (S_ISDIR(st.st_mode)) {
    file_src_error(s->error, "a directory that holds no capture");
    return false;
  }
  s->size = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
  s->regular = S_ISREG(st.st_mode) && s->file != stdin;
  return true;
}

/* --- Octets as they are --- */

/* Reads octets, or waits for them. A FIFO whose writers ended before it was opened is ready for
 * read() and not for poll(). So a descriptor that does not block is read first. */
static ssize_t read_or_stop(file_src *s, uint8_t *out, size_t len) {
  const int fd = fileno(s->file);
  const bool asks = file_stop >= 0 && (fcntl(fd, F_GETFL) & O_NONBLOCK) != 0;
  ssize_t got = -1;
  bool again = true;
  s->stopped = file_stop >= 0 && stop_wait(fd, asks ? 0 : -1);
  while (again && !s->stopped) {
    got = read(fd, out, len);
    const bool empty = got < 0 && errno == EAGAIN && asks;
    again = empty || (got < 0 && errno == EINTR);
    s->stopped = empty && stop_wait(fd, -1);
  }
  return s->stopped ? -1 : got;
}

static ssize_t read_some(file_src *s, uint8_t *out, size_t len) {
  const ssize_t got = read_or_stop(s, out, len);
  if (got < 0) {
    s->failed = true;
    file_src_error(s->error, "%s", s->stopped ? "interrupted" : strerror(errno));
  }
  return got;
}

/* Reads once, until there are at most `len` octets in the buffer; false when that fails. */
static bool read_more(file_src *s, size_t len) {
  const ssize_t got = read_some(s, s->octets + s->end, len - s->end);
  s->end += got > 0 ? (size_t)got : 0;
  s->ended = got == 0;
  return got >= 0;
}

/* Makes sure of `len` octets in the buffer, or of all that there are; false when a read fails. */
static bool fill(file_src *s, size_t len) {
  bool good = true;
  while (good && s->end < len && !s->ended) {
    good = read_more(s, len);
  }
  return good;
}

size_t file_src_read_at(const file_src *s, uint64_t at, uint8_t *out, size_t len, int *error) {
  size_t have = 0;
  ssize_t got = 1;
  *error = 0;
  while (have < len && got != 0 && *error == 0) {
    got = pread(fileno(s->file), out + have, len - have, (off_t)(at + have));
    have += got > 0 ? (size_t)got : 0;
    *error = got < 0 && errno != EINTR ? errno : 0;
  }
  return have;
}

/* --- Octets that are compressed --- */

static bool unpack_begin(file_src *s) {
  s->unpack = unpack_new(s->form);
  if (s->unpack == NULL) {
    file_src_error(s->error, "%s", strerror(ENOMEM));
  }
  return s->unpack != NULL;
}

/* Gives back the octets read of a file that needs no unpacking: one octet, or all if the file
 * allows it. */
static bool give_back(file_src *s) {
  s->ended = false;
  if (!s->regular) {
    return s->end == 1; /* the octet is handed on before others are read */
  }
  s->end = 0;
  return lseek(fileno(s->file), 0, SEEK_SET) == 0;
}

/* Notes that a form is known and not read. */
static void refuse(file_src *s) {
  file_src_error(s->error,
                 s->form == UNPACK_LZ4_LEGACY
                     ? "compressed with %s, the legacy format, which is not read: lz4 without -l is"
                     : "compressed with %s, which this build cannot read",
                 unpack_form_name(s->form));
}

/* No capture begins as a compressed file does, so one octet suffices to tell that the file is not
 * compressed. */
static bool sniff(file_src *s) {
  s->octets = memory_get(PACKED_SIZE);
  if (s->octets == NULL) {
    file_src_error(s->error, "%s", strerror(ENOMEM));
    return false;
  }
  if (!fill(s, 1)) {
    return false;
  }
  if (s->end == 0) {
    file_src_error(s->error, "the file is empty");
    return false;
  }
  if (unpack_may_begin(s->octets[0]) && !fill(s, UNPACK_MAGIC_MAX)) {
    return false;
  }
  s->form = unpack_form_of(s->octets, s->end);
  if (s->form == UNPACK_PLAIN && !give_back(s)) {
    (void)fill(s, FOREIGN_SAMPLE);
    s->foreign = ing_foreign_find(s->octets, s->end);
    if (s->foreign != NULL) {
      file_src_foreign(s->error, s);
    } else {
      file_src_error(s->error, "not a capture: neither pcap nor pcapng");
    }
    return false;
  }
  if (s->form != UNPACK_PLAIN && !unpack_form_built(s->form)) {
    refuse(s);
    return false;
  }
  return s->form == UNPACK_PLAIN || unpack_begin(s);
}

bool file_src_open(file_src *s, const char *path) {
  *s = (file_src){.max = {.octets = PCAP_SRC_MAX_OCTETS, .times = PCAP_SRC_MAX_TIMES}};
  s->file = open_file(path, s->error);
  return s->file != NULL && inspect(s) && sniff(s);
}

bool file_src_again(file_src *s) {
  unpack_free(s->unpack);
  *s = (file_src){.file = s->file,
                  .regular = s->regular,
                  .size = s->size,
                  .form = s->form,
                  .max = s->max,
                  .octets = s->octets,
                  .foreign = s->foreign};
  if (lseek(fileno(s->file), 0, SEEK_SET) != 0) {
    file_src_error(s->error, "%s", strerror(errno));
    return false;
  }
  return s->form == UNPACK_PLAIN || unpack_begin(s);
}

/* Notes that no more can be unpacked; always -1. */
static ssize_t stop(file_src *s, bool cut) {
  const char *name = unpack_form_name(s->form);
  const unsigned long long at = s->taken;
  s->failed = true;
  s->cut = cut;
  if (cut) {
    file_src_error(s->error, "the %s file ends within a %s, after octet %llu", name,
                   unpack_part_name(s->form), at);
  } else if (unpack_too_large(s->unpack)) {
    file_src_error(s->error, "the %s file %s to be unpacked, at octet %llu", name,
                   unpack_reason(s->unpack), at);
  } else {
    file_src_error(s->error, "the %s file is damaged at octet %llu: %s", name, at,
                   unpack_reason(s->unpack));
  }
  return -1;
}

/* Unpacks until there are octets: what was read goes first, then more is. At the end of the file
 * there may still be some that had no room before. */
static ssize_t read_unpacked(file_src *s, uint8_t *out, size_t len) {
  for (;;) {
    unpack_piece p = {s->octets + s->begin, s->end - s->begin, out, len, 0, 0};
    const bool good = unpack_step(s->unpack, &p);
    s->begin += p.used;
    s->taken += p.used;
    s->made += p.made;
    s->parts += p.used > 0 && unpack_may_end(s->unpack) ? 1u : 0u;
    s->damaged = !good;
    if (p.made > 0) {
      return (ssize_t)p.made;
    }
    if (!good) {
      return stop(s, false);
    }
    if (p.used == 0 && s->ended) {
      return unpack_may_end(s->unpack) ? 0 : stop(s, true);
    }
    if (p.used == 0) {
      memmove(s->octets, s->octets + s->begin, s->end - s->begin);
      s->end -= s->begin;
      s->begin = 0;
      if (!read_more(s, PACKED_SIZE)) {
        return -1;
      }
    }
  }
}

uint64_t file_src_allowed(const file_src *s) {
  const uint64_t times = s->max.times;
  const uint64_t octets =
      times == 0 || s->taken <= UINT64_MAX / times ? times * s->taken : UINT64_MAX;
  return octets > s->max.octets ? octets : s->max.octets;
}

/* Reads no more than is allowed. The end of a file that unpacks to just as much is no limit. */
static ssize_t read_allowed(file_src *s, uint8_t *out, size_t len) {
  const uint64_t allowed = file_src_allowed(s);
  const uint64_t left = s->made < allowed ? allowed - s->made : 0;
  if (left > 0) {
    return read_unpacked(s, out, left < len ? (size_t)left : len);
  }
  uint8_t more;
  const ssize_t got = read_unpacked(s, &more, sizeof more);
  s->limited = got > 0;
  return got > 0 ? 0 : got;
}

/* Hands on what was given back, else reads. */
static ssize_t read_plain(file_src *s, uint8_t *out, size_t len) {
  const size_t held = s->end - s->begin;
  ssize_t got = (ssize_t)(held < len ? held : len);
  if (got > 0) {
    memcpy(out, s->octets + s->begin, (size_t)got);
    s->begin += (size_t)got;
  } else {
    got = read_some(s, out, len);
  }
  s->taken += got > 0 ? (size_t)got : 0;
  return got;
}

void file_src_unread(file_src *s, uint8_t *octets, size_t len) {
  free(s->unread);
  s->unread = octets;
  s->unread_begin = 0;
  s->unread_end = len;
}

ssize_t file_src_read(file_src *s, uint8_t *out, size_t len) {
  const size_t again = s->unread_end - s->unread_begin;
  if (again > 0) {
    const size_t n = again < len ? again : len;
    memcpy(out, s->unread + s->unread_begin, n);
    s->unread_begin += n;
    return (ssize_t)n;
  }
  if (s->unpack != NULL && s->failed) {
    return -1;
  }
  if (s->limited) {
    return 0;
  }
  if (s->unpack != NULL) {
    return s->damaged ? stop(s, false) : read_allowed(s, out, len);
  }
  return read_plain(s, out, len);
}

/* --- A stream --- */

static ssize_t stream_read(void *s, char *out, size_t len) {
  return file_src_read(s, (uint8_t *)out, len);
}

FILE *file_src_stream(file_src *s) {
  static const cookie_io_functions_t functions = {.read = stream_read};
  FILE *stream = fopencookie(s, "rb", functions);
  if (stream == NULL) {
    memory_failed();
    file_src_error(s->error, "%s", strerror(ENOMEM));
  }
  return stream;
}

void file_src_close(file_src *s) {
  if (s->file != NULL && s->file != stdin) {
    (void)fclose(s->file);
  }
  unpack_free(s->unpack);
  free(s->octets);
  free(s->unread);
}
