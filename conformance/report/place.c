/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets of a capture that is cut into files, counted within each file. */
#include <report/place.h>

#include <stdio.h>
#include <string.h>

#include <report/names.h>

/* The last stretch that begins before the packet. */
static const observe_stretch *place_stretch(const observe_parts *parts, uint64_t packet) {
  size_t low = 0;
  size_t high = parts->num_stretches;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (parts->stretches[middle].before < packet) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return &parts->stretches[low];
}

report_place report_place_of(const observe_conn *conn, uint64_t packet) {
  const observe_parts *parts = conn->parts;
  if (parts == NULL || parts->num_stretches == 0) {
    return (report_place){conn->file, packet};
  }
  const observe_stretch *s = place_stretch(parts, packet);
  return (report_place){parts->names[s->part], packet - s->before + s->frames};
}

const char *report_place_capture(const observe_conn *conn) {
  return conn->parts != NULL ? conn->parts->names[0] : conn->file;
}

/* Returns true if the file of a packet has to be named, because the text named another one last. */
static bool place_is_elsewhere(const observe_conn *conn, uint64_t near, const char *file) {
  const char *named = near != 0 ? report_place_of(conn, near).file : conn->file;
  return strcmp(named, file) != 0;
}

void report_place_put(out_buf *s, const observe_conn *conn, uint64_t near, uint64_t packet) {
  const report_place place = report_place_of(conn, packet);
  out_u64(s, place.frame);
  if (place_is_elsewhere(conn, near, place.file)) {
    out_str(s, " of ");
    report_name_put(s, place.file);
  }
}

void report_place_json(jsonw *w, const char *key, const observe_conn *conn, uint64_t near,
                       uint64_t packet) {
  const report_place place = report_place_of(conn, packet);
  char file_key[32];
  jsonw_u64(w, key, place.frame);
  if (place_is_elsewhere(conn, near, place.file)) {
    (void)snprintf(file_key, sizeof file_key, "%s_file", key);
    jsonw_string(w, file_key, place.file, strlen(place.file));
  }
}

void report_place_line(jsonw *w, const observe_conn *conn, uint64_t packet) {
  const report_place place = report_place_of(conn, packet);
  jsonw_string(w, "file", place.file, strlen(place.file));
  jsonw_u64(w, "frame", place.frame);
}
