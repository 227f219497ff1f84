/* SPDX-License-Identifier: BSD-2-Clause */
/* User messages that wait for their DDP-SSN. */
#include "sctp_flow.h"

#include <stdlib.h>
#include <string.h>

void obs_sctp_msg_drop(observe *obs, sctp_stream *st, sctp_msg *msg) {
  *(msg->prev != NULL ? &msg->prev->next : &st->msgs) = msg->next;
  if (msg->next != NULL) {
    msg->next->prev = msg->prev;
  }
  obs->sctp_held -= sizeof *msg + msg->m.cap;
  free(msg);
}

/* NULL: there is no memory for it. */
sctp_msg *obs_sctp_msg_keep(observe *obs, sctp_stream *st, const ingest_sctp_event *ev) {
  const ingest_sctp_message *m = ev->message;
  sctp_msg *msg = malloc(sizeof *msg + m->cap);
  if (msg == NULL) {
    return NULL;
  }
  memset(msg, 0, sizeof *msg);
  msg->side = ev->side;
  msg->pos = ev->pos;
  msg->len = ev->len;
  msg->m = *m;
  msg->last = (iwarp_meta){.packet = ev->packet,
                           .time_ns = ev->time_ns,
                           .peer_pos = m->cause_seen ? 0 : IWARP_POS_UNKNOWN,
                           .segment_start = true,
                           .damaged = m->damaged};
  msg->first = msg->last;
  msg->first.packet = m->first_packet;
  msg->first.time_ns = m->first_time_ns;
  if (m->cap > 0) {
    memcpy(msg->data, m->data, m->cap);
  }
  msg->m.data = msg->data;
  msg->next = st->msgs;
  if (st->msgs != NULL) {
    st->msgs->prev = msg;
  }
  st->msgs = msg;
  obs->sctp_held += sizeof *msg + m->cap;
  return msg;
}
