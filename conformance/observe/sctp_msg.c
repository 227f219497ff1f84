/* SPDX-License-Identifier: BSD-2-Clause */
/* User messages that wait for their DDP-SSN. */
#include "sctp_flow.h"

#include <stdlib.h>
#include <string.h>

#include <memory/memory.h>

void obs_sctp_msg_drop(observe *obs, sctp_stream *st, sctp_msg *msg) {
  *(msg->prev != NULL ? &msg->prev->next : &st->msgs) = msg->next;
  if (msg->next != NULL) {
    msg->next->prev = msg->prev;
  }
  obs->sctp_held -= sizeof *msg + msg->m.user_data.len;
  free(msg);
}

/* NULL: there is no memory for it. */
sctp_msg *obs_sctp_msg_keep(observe *obs, sctp_stream *st, const iwarp_sctp_captured *m) {
  sctp_msg *msg = memory_get(sizeof *msg + m->user_data.len);
  if (msg == NULL) {
    return NULL;
  }
  msg->m = *m;
  msg->m.user = msg;
  if (m->user_data.len > 0) {
    memcpy(msg->data, m->user_data.ptr, m->user_data.len);
  }
  msg->m.user_data.ptr = msg->data;
  msg->prev = NULL;
  msg->next = st->msgs;
  if (st->msgs != NULL) {
    st->msgs->prev = msg;
  }
  st->msgs = msg;
  obs->sctp_held += sizeof *msg + m->user_data.len;
  return msg;
}
