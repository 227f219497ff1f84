/* SPDX-License-Identifier: BSD-2-Clause */
/* PDUs as rows: a column for what is known of each, and one for each field that is a number. */
#include "parts.h"

#include <stdlib.h>
#include <string.h>

#include <iwarp/pdu.h>
#include <iwarp/sctp_observer.h>
#include <memory/memory.h>
#include <report/dump.h>
#include <report/names.h>

/* The columns that come before the fields. */
typedef enum pdus_column {
  PDUS_CONN = 0,
  PDUS_PACKET,
  PDUS_TIME,
  PDUS_SIDE,
  PDUS_ROLE,
  PDUS_KIND,
  PDUS_SEQ,
  PDUS_OFFSET,
  PDUS_LENGTH,
  PDUS_CRC_STATE,
  PDUS_SYNC,
  PDUS_COMPLETE,
  PDUS_MARKERS,
  PDUS_MESSAGE,
  PDUS_PAYLOAD,
  PDUS_ERROR,
  PDUS_FIXED
} pdus_column;

static const char *const pdus_kinds[] = {"mpa-request", "mpa-reply",    "fpdu",        "gap",
                                         "undecodable", "sctp-control", "ddp-segment", "sctp-init"};

#define PDUS_KINDS (sizeof pdus_kinds / sizeof pdus_kinds[0])

/* The index of a name, PDUS_KINDS without one. */
static size_t pdus_kind(const char *name) {
  size_t i = 0;
  while (i < PDUS_KINDS && (name == NULL || strcmp(pdus_kinds[i], name) != 0)) {
    i++;
  }
  return i;
}

#define PLAIN(text, octets)                                                                        \
  { .name = (text), .width = (octets) }

static const records_column pdus_fixed[PDUS_FIXED] = {[PDUS_CONN] = PLAIN("conn", 8),
                                                      [PDUS_PACKET] = PLAIN("packet", 8),
                                                      [PDUS_TIME] = PLAIN("time_ns", 8),
                                                      [PDUS_SIDE] = PLAIN("side", 1),
                                                      [PDUS_ROLE] = PLAIN("role", 1),
                                                      [PDUS_KIND] = PLAIN("kind", 1),
                                                      [PDUS_SEQ] = PLAIN("seq", 4),
                                                      [PDUS_OFFSET] = PLAIN("offset", 8),
                                                      [PDUS_LENGTH] = PLAIN("length", 8),
                                                      [PDUS_CRC_STATE] = PLAIN("crc_state", 1),
                                                      [PDUS_SYNC] = PLAIN("sync", 1),
                                                      [PDUS_COMPLETE] = PLAIN("complete", 1),
                                                      [PDUS_MARKERS] = PLAIN("marker_count", 1),
                                                      [PDUS_MESSAGE] = PLAIN("message", 1),
                                                      [PDUS_PAYLOAD] = PLAIN("payload_length", 8),
                                                      [PDUS_ERROR] = PLAIN("error", 4)};

/* ---- columns ---- */

static uint8_t pdus_width(const iwarp_field *field) {
  return field->num_bits <= 8 ? 1 : field->num_bits <= 16 ? 2 : field->num_bits <= 32 ? 4 : 8;
}

/* A path that two forms share is one column. Octets without an order have none. */
static void pdus_add_form(records_pdus *p, iwarp_form form,
                          uint16_t of_field[RECORDS_FORMS][RECORDS_FORM_FIELDS]) {
  const iwarp_form_info *info = iwarp_form_get(form);
  for (size_t i = 0; info != NULL && i < info->num_fields; i++) {
    const iwarp_field *field = &info->fields[i];
    const iwarp_field *first = iwarp_field_find(field->path);
    if (field->kind == IWARP_FIELD_KIND_OCTETS || form == IWARP_FORM_MPA_MARKER) {
      continue;
    }
    uint16_t *at = &of_field[first->id / 256u][first->id % 256u];
    if (*at == 0) {
      p->columns[p->num_columns++] =
          (records_column){.name = field->path, .field = first, .width = pdus_width(first)};
      *at = (uint16_t)p->num_columns;
    }
    of_field[form][field->id % 256u] = *at;
  }
}

static void pdus_named_by(records_pdus *p, pdus_column column, const char *const *names,
                          size_t num) {
  p->columns[column].names = names;
  p->columns[column].num_names = num;
}

/* The names of RDMAP messages, each once: the opcodes that are not assigned share a name. */
static void pdus_messages(records_pdus *p) {
  size_t num = 0;
  for (uint8_t op = 0; op < OBSERVE_OPCODES; op++) {
    const char *name = iwarp_rdmap_op_get(op)->name;
    size_t i = 0;
    while (i < num && strcmp(p->messages[i], name) != 0) {
      i++;
    }
    p->messages[i] = name;
    p->message_of[op] = (uint8_t)i;
    num = i == num ? num + 1 : num;
  }
  pdus_named_by(p, PDUS_MESSAGE, p->messages, num);
}

static void pdus_names(records_pdus *p) {
  for (unsigned int i = 0; i < RECORDS_ROLES; i++) {
    p->roles[i] = report_role_name((iwarp_role)i);
  }
  for (unsigned int i = 0; i < RECORDS_CRCS; i++) {
    p->crcs[i] = report_crc_name((iwarp_crc_state)i);
  }
  for (unsigned int i = 0; i < RECORDS_SYNCS; i++) {
    p->syncs[i] = report_sync_name((iwarp_fpdu_sync)i);
  }
  pdus_named_by(p, PDUS_ROLE, p->roles, RECORDS_ROLES);
  pdus_named_by(p, PDUS_CRC_STATE, p->crcs, RECORDS_CRCS);
  pdus_named_by(p, PDUS_SYNC, p->syncs, RECORDS_SYNCS);
  pdus_named_by(p, PDUS_KIND, pdus_kinds, PDUS_KINDS);
}

static size_t pdus_count(void) {
  size_t num = PDUS_FIXED;
  for (unsigned int form = 1; form < RECORDS_FORMS; form++) {
    const iwarp_form_info *info = iwarp_form_get((iwarp_form)form);
    num += info != NULL ? info->num_fields : 0;
  }
  return num;
}

bool records_pdus_open(records *r) {
  records_pdus *p = &r->pdus;
  p->columns = memory_zeroed(pdus_count(), sizeof *p->columns);
  if (p->columns == NULL) {
    return false;
  }
  memcpy(p->columns, pdus_fixed, sizeof pdus_fixed);
  p->num_columns = PDUS_FIXED;
  pdus_names(p);
  pdus_messages(p);
  for (unsigned int form = 1; form < RECORDS_FORMS; form++) {
    pdus_add_form(p, (iwarp_form)form, p->column_of);
  }
  p->batch.columns = p->columns;
  p->batch.num_columns = p->num_columns;
  p->room = r->cfg.rows;
  p->number = 1;
  return true;
}

void records_pdus_begin(records_pdus *p) {
  for (size_t i = 0; i < p->num_columns; i++) {
    records_column *c = &p->columns[i];
    if (c->any) {
      memset(c->values, 0, p->room * c->width);
      memset(c->missing, 1, p->room);
      c->any = false;
    }
  }
  p->batch.num = 0;
  p->batch.num_ends = 0;
  p->octets_len = 0;
  p->number++;
}

void records_pdus_close(records_pdus *p) {
  for (size_t i = 0; i < p->num_columns; i++) {
    free(p->columns[i].values);
    free(p->columns[i].missing);
  }
  free(p->columns);
  free(p->octets);
  free(p->octets_ends);
  free(p->ends);
}

/* ---- rows ---- */

/* Room for a value in each row; most columns never have one. */
static bool pdus_ready(const records_pdus *p, records_column *c) {
  if (c->values == NULL) {
    c->values = memory_zeroed(p->room, c->width);
    c->missing = memory_get(p->room);
    if (c->values == NULL || c->missing == NULL) {
      return false;
    }
    memset(c->missing, 1, p->room);
  }
  return true;
}

static void pdus_set(records_pdus *p, size_t column, uint64_t value) {
  records_column *c = &p->columns[column];
  const size_t row = p->batch.num;
  if (!pdus_ready(p, c)) {
    return;
  }
  switch (c->width) {
  case 1: ((uint8_t *)c->values)[row] = (uint8_t)value; break;
  case 2: ((uint16_t *)c->values)[row] = (uint16_t)value; break;
  case 4: ((uint32_t *)c->values)[row] = (uint32_t)value; break;
  default: ((uint64_t *)c->values)[row] = value; break;
  }
  c->missing[row] = 0;
  c->any = true;
}

static bool pdus_grow_column(const records_pdus *p, records_column *c) {
  void *values = c->values != NULL ? memory_resize(c->values, 2 * p->room * c->width) : NULL;
  if (values == NULL) {
    return c->values == NULL;
  }
  c->values = values;
  memset((uint8_t *)values + p->room * c->width, 0, p->room * c->width);
  uint8_t *missing = memory_resize(c->missing, 2 * p->room);
  if (missing == NULL) {
    return false;
  }
  c->missing = missing;
  memset(missing + p->room, 1, p->room);
  return true;
}

/* One event of ingest may bring more rows than are asked for. */
static bool pdus_room(records_pdus *p) {
  if (p->batch.num < p->room) {
    return true;
  }
  for (size_t i = 0; i < p->num_columns; i++) {
    if (!pdus_grow_column(p, &p->columns[i])) {
      return false;
    }
  }
  if (p->octets_ends != NULL) {
    uint64_t *ends = memory_resize(p->octets_ends, 2 * p->room * sizeof *ends);
    if (ends == NULL) {
      return false;
    }
    p->octets_ends = ends;
  }
  p->room *= 2;
  return true;
}

static void pdus_octets(records_pdus *p, iwarp_span octets) {
  if (p->octets_ends == NULL) {
    p->octets_ends = memory_zeroed(p->room, sizeof *p->octets_ends);
  }
  if (p->octets_room - p->octets_len < octets.len) {
    const size_t room = 2 * (p->octets_room + octets.len);
    uint8_t *grown = memory_resize(p->octets, room);
    if (grown == NULL) {
      return;
    }
    p->octets = grown;
    p->octets_room = room;
  }
  if (octets.len > 0) {
    memcpy(p->octets + p->octets_len, octets.ptr, octets.len);
    p->octets_len += octets.len;
  }
  if (p->octets_ends != NULL) {
    p->octets_ends[p->batch.num] = p->octets_len;
  }
  p->batch.octets = p->octets;
  p->batch.octets_ends = p->octets_ends;
}

/* ---- events ---- */

/* The numbers of one form. Headers that a Terminate returns belong to another segment. */
static void pdus_form(records_pdus *p, const iwarp_pdu_part *part) {
  const iwarp_form_info *info = iwarp_form_get(part->form);
  for (size_t i = 0; info != NULL && !part->returned && i < info->num_fields; i++) {
    const iwarp_field *field = &info->fields[i];
    const uint16_t column = p->column_of[part->form][field->id % 256u];
    uint64_t value = 0;
    if (column != 0 && iwarp_field_uint(&value, field, part->octets) == IWARP_OK) {
      pdus_set(p, column - 1u, value);
    }
  }
}

static void pdus_walk(records_pdus *p, iwarp_pdu_iter *it) {
  iwarp_pdu_part part;
  while (iwarp_pdu_next(&part, it) == IWARP_OK) {
    pdus_form(p, &part);
  }
}

static void pdus_fields(records_pdus *p, const iwarp_event *ev, iwarp_span octets) {
  iwarp_pdu_iter it;
  if (ev->kind == IWARP_EVENT_STARTUP) {
    iwarp_pdu_startup(&it, octets);
  } else if (ev->kind == IWARP_EVENT_FPDU) {
    iwarp_pdu_decoded_fpdu(&it, &ev->u.fpdu.fpdu);
  } else if (ev->kind == IWARP_EVENT_SCTP_SEGMENT || ev->kind == IWARP_EVENT_SCTP_MESSAGE) {
    const iwarp_ev_sctp_message *m = &ev->sctp->u.message;
    if (m->has_control) {
      iwarp_pdu_sctp_control(&it, m->user_data);
    } else if (m->has_ssn) {
      iwarp_pdu_sctp_segment(&it, m->user_data, m->captured->length);
    } else {
      return;
    }
  } else {
    return;
  }
  pdus_walk(p, &it);
}

static void pdus_fpdu(records_pdus *p, const iwarp_event *ev) {
  const iwarp_event_fpdu *v = &ev->u.fpdu;
  pdus_set(p, PDUS_CRC_STATE, v->crc);
  pdus_set(p, PDUS_SYNC, v->sync);
  pdus_set(p, PDUS_COMPLETE, v->complete);
  pdus_set(p, PDUS_MARKERS, v->fpdu.layout.num_markers);
  if (v->offset != IWARP_POS_UNKNOWN && ev->kind == IWARP_EVENT_FPDU) {
    pdus_set(p, PDUS_OFFSET, v->offset);
  }
  if (v->seg.ddp_octets > 0) {
    pdus_set(p, PDUS_PAYLOAD, v->seg.payload_len);
  }
  if (v->seg.ddp_octets > 1) { /* the second one is the Control Field */
    pdus_set(p, PDUS_MESSAGE, p->message_of[v->seg.ctrl.opcode]);
  }
  const iwarp_err err = iwarp_rdmap_seg_check(&v->seg);
  if (err != IWARP_OK) {
    pdus_set(p, PDUS_ERROR, (uint32_t)-err);
  }
}

static void pdus_row(records_pdus *p, const observe_conn *conn, const iwarp_event *ev,
                     size_t kind) {
  pdus_set(p, PDUS_CONN, conn->number);
  pdus_set(p, PDUS_PACKET, ev->last.packet);
  pdus_set(p, PDUS_TIME, ev->last.time_ns);
  pdus_set(p, PDUS_SIDE, ev->side);
  pdus_set(p, PDUS_ROLE, conn->info->side[ev->side].role);
  pdus_set(p, PDUS_KIND, kind);
  pdus_set(p, PDUS_LENGTH, ev->len);
  if (!conn->info->sctp) {
    pdus_set(p, PDUS_SEQ, (uint32_t)ev->pos);
  }
  if (ev->kind == IWARP_EVENT_FPDU || ev->kind == IWARP_EVENT_SCTP_SEGMENT) {
    pdus_fpdu(p, ev);
  } else if (ev->kind == IWARP_EVENT_STARTUP && ev->u.startup.err != IWARP_OK) {
    pdus_set(p, PDUS_ERROR, (uint32_t)-ev->u.startup.err);
  }
}

/* A connection is named in each batch that has rows of it. */
typedef struct pdus_named {
  uint64_t batch;
} pdus_named;

static void pdus_name(records_pdus *p, observe_conn *conn) {
  pdus_named *named = conn->user != NULL ? conn->user : memory_zeroed(1, sizeof *named);
  conn->user = named;
  if (named == NULL || named->batch == p->number) {
    return;
  }
  void *list = p->ends;
  if (records_grow(&list, p->batch.num_ends, sizeof *p->ends)) {
    p->ends = list;
    records_ends *ends = &p->ends[p->batch.num_ends++];
    ends->number = conn->number;
    memcpy(ends->addr, conn->addr, sizeof ends->addr);
    named->batch = p->number;
    p->batch.ends = p->ends;
  }
}

static void pdus_on_event(void *ctx, observe_conn *conn, const iwarp_event *ev) {
  records *r = ctx;
  records_pdus *p = &r->pdus;
  uint8_t frame[REPORT_FRAME_CAP];
  uint64_t pos = 0;
  const size_t kind = pdus_kind(report_pdu_name(ev));
  if (r->closing || kind == PDUS_KINDS || memory_ran_out() || !pdus_room(p)) {
    return;
  }
  const iwarp_span octets = report_event_octets(ev, &pos, frame);
  pdus_name(p, conn);
  pdus_row(p, conn, ev, kind);
  pdus_fields(p, ev, octets);
  if (r->cfg.octets) {
    pdus_octets(p, octets);
  }
  p->batch.num++;
}

static void pdus_on_closed(void *ctx, observe_conn *conn) {
  records *r = ctx;
  free(conn->user);
  conn->user = NULL;
  if (!r->closing && conn->given_up != NULL && !conn->recounted) {
    report_limits_add(&r->given_up, conn->given_up, 1);
  }
}

void records_hook_pdus(observe_hooks *hooks) {
  hooks->event = pdus_on_event;
  hooks->closed = pdus_on_closed;
  hooks->limit = records_on_limit;
}

const records_batch *records_batch_get(const records *r) {
  return &r->pdus.batch;
}
