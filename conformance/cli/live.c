/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens an interface, drops privileges, keeps packets. */
#define _POSIX_C_SOURCE 200809L

#include "live.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <confine/confine.h>

#include "capture_file.h"
#include "diag.h"
#include "output_file.h"
#include "target.h"

static struct {
  pcap_src *src; /* the source, until it is taken */
  output_file file;
  out_buf out;
  capture_file capture;
  off_t whole; /* octets of the file up to the last packet that is whole */
  bool opened;
} live = {.file = {.fd = -1, .target = {.folder = -1}}};

static bool live_drop(void) {
  if (!confine_drop()) {
    diag("privileges cannot be dropped: %s", strerror(errno));
    return false;
  }
  return true;
}

static bool live_write_open(const opts *o) {
  if (o->write == NULL) {
    return true;
  }
  if (!output_file_open_now(&live.file, o->write, o)) {
    return false;
  }
  live.opened = out_open_fd(&live.out, live.file.fd);
  return live.opened && capture_file_begin(&live.capture, &live.out, capture_file_is_ng(o->write));
}

static bool live_interface(const char *interface, const char *filter, uint64_t duration_ns) {
  char error[PCAP_SRC_ERROR_LEN] = "";
  live.src = pcap_src_open_live(interface, filter, duration_ns, error);
  if (live.src == NULL) {
    diag("-i %s: %s", interface, error);
  }
  return live.src != NULL;
}

/* The interface of a run of cases. Commands of the user keep the rights that they may need. */
static bool live_of_peer(const opts *o) {
  const char *filter = target_filter();
  if (o->list) {
    return true;
  }
  if (filter == NULL) {
    diag("-i needs a port that is known: listen on one");
    return false;
  }
  if (!live_interface(o->packets, filter, PCAP_SRC_FOREVER)) {
    return false;
  }
  if (o->run == NULL && o->restart == NULL && !live_drop()) {
    live_close();
    return false;
  }
  return true;
}

bool live_open(const opts *o) {
  if (o->packets != NULL) {
    return live_of_peer(o);
  }
  if (o->interface == NULL) {
    return true;
  }
  if (!live_interface(o->interface, o->filter, o->duration_ns)) {
    return false;
  }
  if (!live_drop() || !live_write_open(o)) {
    live_close();
    return false;
  }
  return true;
}

pcap_src *live_take(void) {
  pcap_src *src = live.src;
  live.src = NULL;
  return src;
}

/* Cuts off what was written of the last packet, so that the file is a capture. */
static bool live_failed(void) {
  const char *path = live.file.path;
  diag("%s: %s; what was captured before is in it", path, strerror(live.out.error));
  if (ftruncate(live.file.fd, live.whole) != 0) {
    diag("%s: its last packet is cut", path);
  }
  out_close(&live.out);
  live.opened = false;
  return false;
}

static bool live_written(void) {
  out_flush(&live.out);
  if (live.out.error != 0) {
    return live_failed();
  }
  live.whole = (off_t)out_tell(&live.out);
  return true;
}

bool live_packet(const ingest_packet *pkt) {
  if (!live.opened) {
    return true;
  }
  (void)capture_file_packet(&live.capture, pkt, NULL); /* an interface has one link type */
  return live_written();
}

static void live_lost(pcap_src *src, const char *name) {
  const uint64_t lost = pcap_src_lost(src);
  if (lost > 0) {
    diag("%s: the kernel lost %llu packet%s that came too fast", name, (unsigned long long)lost,
         lost == 1 ? "" : "s");
  }
}

/* Ends the file of -w, if there is one. */
static bool live_file_end(void) {
  if (!live.opened) {
    return true;
  }
  capture_file_end(&live.capture);
  if (!live_written()) {
    return false;
  }
  out_close(&live.out);
  live.opened = false;
  return output_file_close(&live.file, 0);
}

bool live_end(pcap_src *src, const char *name) {
  live_lost(src, name);
  return live_file_end();
}

void live_close(void) {
  pcap_src_close(live.src);
  live.src = NULL;
  (void)live_file_end(); /* the run may have ended before it read packets */
  capture_file_free(&live.capture);
  output_file_discard(&live.file);
}
