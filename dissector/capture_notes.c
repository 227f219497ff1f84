/* SPDX-License-Identifier: BSD-2-Clause */
/* Keeps lines about the capture. */
#include "capture_notes.h"

#include <ingest/packet_facts.h>
#include <report/traits_of.h>

#include "conns.h"
#include "iwarp_proto.h"
#include "records.h"

static expert_field notes_fields[REPORT_TRAITS];

static const char *const notes_summaries[REPORT_TRAITS] = {
    [REPORT_TRAIT_OCTETS_DIFFER] = "Two captured copies of the same octets differ",
    [REPORT_TRAIT_CHECKSUM_WRONG] = "Packets have a wrong checksum",
    [REPORT_TRAIT_NOT_DECODED] = "Packets are not searched for iWARP",
    [REPORT_TRAIT_DUPLICATES] = "Packets were captured twice",
    [REPORT_TRAIT_TIME_BACKWARDS] = "Packets are not in the order of their times",
    [REPORT_TRAIT_OUTSIDE] = "Segments fit no TCP connection",
    [REPORT_TRAIT_CUT] = "The snapshot length cut packets",
    [REPORT_TRAIT_NO_PAYLOAD] = "The snapshot length left no payload"};

static const observe_conn notes_capture = {.file = ""};

static struct {
  guint64 packets;
  ingest_packet_facts facts;
  report_differs differs;
  report_trait copies[REPORT_TRAITS_EACH]; /* `differs.num` traits, a line each */
} notes;

void capture_notes_register(expert_module_t *module) {
  ei_register_info *rows = wmem_alloc0_array(wmem_epan_scope(), ei_register_info, REPORT_TRAITS);
  for (guint i = 0; i < REPORT_TRAITS; i++) {
    notes_fields[i] = (expert_field)EI_INIT;
    rows[i].ids = &notes_fields[i];
    rows[i].eiinfo.name = wmem_strdup_printf(wmem_epan_scope(), IWARP_NAME ".capture.%s",
                                             report_trait_name((report_trait_kind)i));
    rows[i].eiinfo.group = PI_PROTOCOL;
    rows[i].eiinfo.severity = PI_NOTE;
    rows[i].eiinfo.summary = notes_summaries[i];
  }
  expert_register_field_array(module, rows, REPORT_TRAITS);
}

void capture_notes_begin(void) {
  memset(&notes, 0, sizeof notes);
  notes.differs = report_differs_new(&notes_capture);
}

void capture_notes_packet(const ingest_packet *packet) {
  notes.packets++;
  ingest_packet_facts_add(&notes.facts, packet);
}

void capture_notes_differ(void *ctx, observe_conn *observed, const observe_differ *what) {
  report_trait trait;
  (void)ctx;
  (void)observed;
  if (report_differs_add(&trait, &notes.differs, what)) {
    trait.differ = wmem_memdup(wmem_file_scope(), what, sizeof *what);
    notes.copies[notes.differs.num - 1] = trait;
  }
}

/* ---- the lines ---- */

/* Returns true if a frame is shown as iWARP: it belongs to a connection that has a number. */
static bool notes_shown(guint32 record) {
  const frame_rec rec = frames_get(record);
  return rec.rest != NULL && frames_conn(&rec)->numbered;
}

/* Returns the first record with a note to show, or 0. */
static guint32 notes_first(void) {
  guint32 record = 0;
  while (record < frames_end() && !notes_shown(record)) {
    record++;
  }
  return record < frames_end() ? record : 0;
}

/* Keeps a line at the frame that it names, or at *first. It names frames by the numbers that
 * Wireshark has for them. There is no line if one was dropped. */
static void notes_line(void *first, const report_trait *trait) {
  const guint32 named = (guint32)trait->packet;
  const guint32 record = notes_shown(named) ? named : *(const guint32 *)first;
  const frame_rec rec = frames_get(record);
  report_trait line = *trait;
  observe_differ differ;
  out_buf text;
  line.packet = records_frame(named);
  if (record == 0 || rec.rest == NULL || line.packet == 0) {
    return;
  }
  if (trait->differ != NULL) {
    differ = *trait->differ;
    differ.first = line.packet;
    differ.second = records_frame((guint32)differ.second);
    line.differ = &differ;
    if (differ.second == 0) {
      return;
    }
  }
  out_open_memory(&text);
  report_trait_put(&text, &line);
  if (line.differ != NULL && line.differ->accepted != OBSERVE_COPY_FIRST) {
    out_str(&text, "; the tree may show the other copy");
  }
  frames_add_note(record, frames_conn(&rec), &notes_fields[trait->kind],
                  wmem_strndup(wmem_file_scope(), text.buf != NULL ? text.buf : "", text.len));
  out_close(&text);
}

static const char *notes_link_name(int link_type) {
  (void)link_type;
  return "unknown"; /* Wireshark hands over packets of known link types alone: see link.c */
}

void capture_notes_finish(const ingest_stats *stats) {
  const report_traits_source from = {.capture = &notes_capture,
                                     .stats = stats,
                                     .packets = notes.packets,
                                     .backwards = notes.facts.backwards,
                                     .cut = notes.facts.cut,
                                     .snaplen = notes.facts.snaplen,
                                     .link_name = notes_link_name};
  guint32 first = notes_first();
  for (guint i = 0; i < notes.differs.num; i++) {
    notes_line(&first, &notes.copies[i]);
  }
  if (notes.differs.more.count > 0) {
    notes_line(&first, &notes.differs.more);
  }
  report_traits_each(&from, notes_line, &first);
}
