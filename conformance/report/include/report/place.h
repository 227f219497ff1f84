/* SPDX-License-Identifier: BSD-2-Clause */
/* Place of a packet: its file, and its number in the file. */
#ifndef REPORT_PLACE_H
#define REPORT_PLACE_H

#include <observe/conn.h>

#include <report/jsonw.h>

/** report_place is a packet of a file. */
typedef struct report_place {
  const char *file;
  uint64_t frame; /* 1-based */
} report_place;

/** report_place_of returns where a packet of the connection stands; 0: the first file, before its
 * packets. Without parts it is the file of the connection. */
report_place report_place_of(const observe_conn *conn, uint64_t packet);

/** report_place_capture returns a name that all files of one capture share. */
const char *report_place_capture(const observe_conn *conn);

/** report_place_put appends the number of the frame. " of FILE" follows if the file differs from
 * the file of the packet `near`, which the text names already. `near` 0: the file of the
 * connection. */
void report_place_put(out_buf *s, const observe_conn *conn, uint64_t near, uint64_t packet);

/** report_place_json writes the number of the frame as `key`. The file follows as `<key>_file` if
 * it differs from the file of the packet `near`; 0: the file of the connection. */
void report_place_json(jsonw *w, const char *key, const observe_conn *conn, uint64_t near,
                       uint64_t packet);

/** report_place_line writes `file` and `frame` of a line about a packet. */
void report_place_line(jsonw *w, const observe_conn *conn, uint64_t packet);

#endif
