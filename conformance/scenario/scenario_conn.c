/* SPDX-License-Identifier: BSD-2-Clause */
/* A scenario and its connections: how they begin and end. */
#include "scenario_priv.h"

#include <stdlib.h>

#include <memory/memory.h>

scenario *scenario_new(void) {
  scenario *s = memory_zeroed(1, sizeof *s);
  if (s == NULL || !scn_conn_new(s, 0)) {
    free(s);
    return NULL;
  }
  s->isn = 1000;
  return s;
}

bool scn_conn_new(scenario *s, uint8_t number) {
  scn_conn *conn = memory_zeroed(1, sizeof *conn);
  if (conn == NULL) {
    return false;
  }
  conn->number = number;
  conn->port = (uint16_t)(SCN_PORT + number);
  conn->side[0].seq = conn->side[1].seq = (uint32_t)number << 24;
  conn->streams = &conn->only;
  s->conns[number] = s->conn = conn;
  return !s->sctp || scn_sctp_reset(s);
}

static void conn_free(scn_conn *conn) {
  if (conn != NULL && conn->streams != &conn->only) {
    free(conn->streams);
  }
  free(conn);
}

void scenario_free(scenario *s) {
  if (s == NULL) {
    return;
  }
  scn_forget(s);
  for (size_t i = 0; i < SCN_CONNS_MAX; i++) {
    conn_free(s->conns[i]);
  }
  free(s->packets);
  free(s);
}
