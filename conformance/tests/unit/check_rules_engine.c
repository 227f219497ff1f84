/* SPDX-License-Identifier: BSD-2-Clause */
/* The rule engine: its memory, what a finding holds, how results add up. */
#include "check_run.h"
#include "test_pool.h"

#include <iwarp/field.h>

#include "rules_fixture.h"
#include "rules_sctp.h"

static struct rules_fixture fixture;

static void setup(void) {
  fixture_init(&fixture);
}

static void teardown(void) {
  fixture_free(&fixture);
}

static uint16_t id_of(const char *slug) {
  const iwarp_rule *rule = iwarp_rule_find(slug);
  ck_assert_ptr_nonnull(rule);
  return rule->id;
}

static const iwarp_finding *only(const char *slug) {
  ck_assert_uint_eq(fixture.num, 1);
  ck_assert_str_eq(iwarp_rule_get(fixture.findings[0].rule)->slug, slug);
  return &fixture.findings[0];
}

/* ---- memory and arguments ---- */

START_TEST(memory_has_its_bound)
{
  ck_assert_uint_gt(iwarp_rules_size(NULL), 0);
  ck_assert_uint_le(iwarp_rules_size(NULL), IWARP_RULES_SIZE);
}
END_TEST

START_TEST(init_refuses_what_does_not_fit)
{
  iwarp_rules *rules = NULL;
  uint8_t *mem = aligned_alloc(alignof(max_align_t), IWARP_RULES_SIZE);
  const size_t size = iwarp_rules_size(NULL);
  ck_assert_int_eq(iwarp_rules_init(&rules, mem, size - 1, NULL), IWARP_ERR_NOBUF);
  ck_assert_int_eq(iwarp_rules_init(&rules, mem + 1, size, NULL), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_rules_init(&rules, NULL, size, NULL), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_rules_init(NULL, mem, size, NULL), IWARP_ERR_ARG);
  ck_assert_ptr_null(rules);
  ck_assert_int_eq(iwarp_rules_init(&rules, mem, size, NULL), IWARP_OK);
  ck_assert_ptr_eq(rules, mem);
  free(mem);
}
END_TEST

/* What a connection leaves that has `reads` unanswered, and breaks a rule each time. */
static void leave(uint32_t reads) {
  fixture_begin_with(&fixture, IWARP_MPA_FLAG_C);
  for (uint32_t i = 0; i < reads; i++) {
    fixture_read(&fixture, FIXTURE_INITIATOR, i + 1, 9);
    fixture_fpdu(&fixture, FIXTURE_RESPONDER, fixture_send(2 * i));
  }
}

static test_pool pool;

static void use_pool(unsigned fail_every) {
  test_pool_begin(&pool, fail_every);
  ck_assert_uint_le(iwarp_rules_size(&pool.pool), IWARP_RULES_SIZE);
  ck_assert_int_eq(iwarp_rules_init(&fixture.rules, fixture.mem, IWARP_RULES_SIZE, &pool.pool),
                   IWARP_OK);
}

START_TEST(memory_is_taken_as_it_is_needed)
{
  use_pool(0);
  ck_assert_uint_eq(pool.live, 0);
  leave(10);
  ck_assert_uint_gt(pool.live, 0);
  ck_assert_uint_le(pool.live, 4096);
  iwarp_rules_release(fixture.rules);
  ck_assert_uint_eq(pool.live, 0);
  use_pool(0);
  leave(600);
  ck_assert_uint_gt(pool.live, 32768);
  ck_assert_uint_le(pool.live, 65536);
  iwarp_rules_release(fixture.rules);
  ck_assert_uint_eq(pool.live, 0);
}
END_TEST

#define COPIES                                                                                     \
  4u /* allocations of the second engine: itself, and tables that the first one has                \
      */

/* After a gap a second engine judges what is likely, with copies of the tables of this one. Where
 * there is no memory for one of them it gives all of them back. */
START_TEST(a_second_engine_needs_memory_for_all_its_tables)
{
  use_pool(0);
  leave(10);
  const size_t live = pool.live;
  pool.fail_every = pool.gets + 1u + (unsigned)_i;
  fixture_gap(&fixture, FIXTURE_RESPONDER, 64, IWARP_GAP_LOST);
  ck_assert_int_eq(pool.live > live, _i == (int)COPIES);
  iwarp_rules_release(fixture.rules);
  ck_assert_uint_eq(pool.live, 0);
}
END_TEST

/* It begins again, with the results that it had. */
START_TEST(a_released_engine_takes_memory_again)
{
  const struct fixture_frame request = {.flags = 0x02, .rev = 1};
  use_pool(0);
  leave(3);
  iwarp_rules_release(fixture.rules);
  const uint64_t before = iwarp_rules_result(fixture.rules, id_of("ddp.msn-sequence")).num_fail;
  ck_assert_uint_gt(before, 0);
  iwarp_rules_finish(fixture.rules, &fixture.info);
  ck_assert_uint_eq(iwarp_rules_result(fixture.rules, id_of("ddp.msn-sequence")).num_fail, before);
  fixture.num = 0;
  fixture_startup(&fixture, FIXTURE_INITIATOR, &request);
  only("mpa.flags-reserved");
  iwarp_rules_release(fixture.rules);
  ck_assert_uint_eq(pool.live, 0);
}
END_TEST

START_TEST(without_memory_rules_are_inconclusive)
{
  use_pool(1);
  leave(3);
  iwarp_finding f;
  ck_assert_int_eq(iwarp_rules_next(fixture.rules, &f), IWARP_ERR_END);
  iwarp_rules_finish(fixture.rules, &fixture.info);
  uint64_t fails = 0;
  uint32_t reason = 0;
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    fails += iwarp_rules_result(fixture.rules, id).num_fail;
    reason |= iwarp_rules_result(fixture.rules, id).reason;
  }
  ck_assert_uint_gt(fails, 0); /* counted, although no finding can be handed out */
  ck_assert((reason & IWARP_REASON_LIMIT) != 0);
  iwarp_rules_release(fixture.rules);
  ck_assert_uint_eq(pool.live, 0);
}
END_TEST

/* A segment of a message of 80 octets. */
static void part(uint32_t mo, bool last) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, mo, 20);
  s.ddp.last = last;
  fixture_fpdu(&fixture, FIXTURE_RESPONDER, s);
}

/* Of a message that lacks 20 octets, where the first segment out of its place could not be kept. */
START_TEST(without_memory_a_message_is_not_followed_from_its_middle)
{
  for (unsigned starved = 0; starved < 2; starved++) {
    use_pool(0);
    fixture_begin(&fixture);
    pool.fail_every = starved;
    part(40, false);
    pool.fail_every = 0;
    part(0, false);
    part(60, true);
    const iwarp_rule_result first = iwarp_rules_result(fixture.rules, id_of("ddp.mo-first"));
    const iwarp_rule_result next = iwarp_rules_result(fixture.rules, id_of("ddp.mo-contiguous"));
    ck_assert_uint_eq(first.num_fail, 0);
    ck_assert_uint_eq(next.num_fail, 1 - starved);
    ck_assert_uint_eq(first.reason, starved != 0 ? IWARP_REASON_LIMIT : 0);
    ck_assert_uint_eq(next.reason, starved != 0 ? IWARP_REASON_LIMIT : 0);
    iwarp_rules_release(fixture.rules);
    fixture_free(&fixture);
    fixture_init(&fixture);
  }
}
END_TEST

/* Reads that wait for their answer, of which there is room for 16 without a pool. */
START_TEST(without_a_pool_rules_are_decided_as_far_as_the_room_goes)
{
  for (uint32_t more = 0; more < 2; more++) {
    ck_assert_int_eq(iwarp_rules_init(&fixture.rules, fixture.mem, IWARP_RULES_SIZE, NULL),
                     IWARP_OK);
    leave(16 + more);
    fixture_fpdu(&fixture, FIXTURE_RESPONDER, fixture_read_response(8));
    const iwarp_rule_result r =
        iwarp_rules_result(fixture.rules, iwarp_rule_find("rdmap.read-response-stag")->id);
    ck_assert_uint_eq(r.num_inconclusive, more);
    ck_assert_uint_eq(r.reason, more != 0 ? IWARP_REASON_LIMIT : 0);
    fixture_free(&fixture);
    fixture_init(&fixture);
  }
}
END_TEST

/* DDP headers: of 32 the last one is known, and that there were more. */
START_TEST(without_a_pool_the_last_headers_are_known)
{
  iwarp_rdmap_term t = {
      .layer = 1, .etype = 2, .code = 5, .m = true, .d = true, .has_ddp_segment_length = true};
  uint8_t header[IWARP_DDP_UNTAGGED_LEN];
  size_t len = 0;
  for (uint32_t first = 0; first < 2; first++) {
    ck_assert_int_eq(iwarp_rules_init(&fixture.rules, fixture.mem, IWARP_RULES_SIZE, NULL),
                     IWARP_OK);
    fixture_begin(&fixture);
    const struct fixture_seg returned = fixture_send(first != 0 ? 2 : 39);
    for (uint32_t msn = 2; msn < 40; msn++) {
      fixture_fpdu(&fixture, FIXTURE_RESPONDER, fixture_send(msn));
    }
    iwarp_ddp_hdr_encode(header, sizeof header, &len, &returned.ddp);
    t.ddp_header = (iwarp_span){header, len};
    t.ddp_segment_length = (uint16_t)(len + returned.len);
    fixture_terminate(&fixture, FIXTURE_INITIATOR, 1, &t);
    const iwarp_rule_result r =
        iwarp_rules_result(fixture.rules, id_of("rdmap.terminate-ddp-header"));
    ck_assert_uint_eq(r.num_pass, 1 - first);
    ck_assert_uint_eq(r.reason, first != 0 ? IWARP_REASON_LIMIT : 0);
    fixture_free(&fixture);
    fixture_init(&fixture);
  }
}
END_TEST

/* A Terminate about a segment that was never sent: certain as long as all headers are known. */
START_TEST(without_a_pool_so_many_headers_are_known)
{
  for (uint32_t more = 0; more < 2; more++) {
    const struct fixture_seg other = fixture_send(99);
    iwarp_rdmap_term t = {
        .layer = 1, .etype = 2, .code = 5, .m = true, .d = true, .has_ddp_segment_length = true};
    uint8_t header[IWARP_DDP_UNTAGGED_LEN];
    size_t len = 0;
    ck_assert_int_eq(iwarp_rules_init(&fixture.rules, fixture.mem, IWARP_RULES_SIZE, NULL),
                     IWARP_OK);
    fixture_begin(&fixture);
    for (uint32_t msn = 2; msn <= 32 + more; msn++) {
      fixture_fpdu(&fixture, FIXTURE_RESPONDER, fixture_send(msn));
    }
    iwarp_ddp_hdr_encode(header, sizeof header, &len, &other.ddp);
    t.ddp_header = (iwarp_span){header, len};
    t.ddp_segment_length = (uint16_t)(len + other.len);
    fixture_terminate(&fixture, FIXTURE_INITIATOR, 1, &t);
    const iwarp_rule_result r =
        iwarp_rules_result(fixture.rules, id_of("rdmap.terminate-ddp-header"));
    ck_assert_uint_eq(r.num_fail, 1 - more);
    ck_assert_uint_eq(r.reason, more != 0 ? IWARP_REASON_LIMIT : 0);
    fixture_free(&fixture);
    fixture_init(&fixture);
  }
}
END_TEST

/* Tables that are full, of both sides, end where the memory ends that was asked for. */
START_TEST(without_a_pool_the_size_is_enough)
{
  const size_t size = iwarp_rules_size(NULL);
  uint8_t *const rest = (uint8_t *)fixture.mem + size;
  ck_assert_int_eq(iwarp_rules_init(&fixture.rules, fixture.mem, size, NULL), IWARP_OK);
  memset(rest, 0xA5, IWARP_RULES_SIZE - size);
  fixture_begin(&fixture);
  for (uint32_t i = 0; i < 40; i++) {
    for (unsigned side = 0; side < 2; side++) {
      fixture_read(&fixture, side, i + 1, 9);
      fixture_fpdu(&fixture, side, fixture_send(2 * i)); /* not the expected MSN */
    }
  }
  for (size_t i = 0; i < IWARP_RULES_SIZE - size; i++) {
    ck_assert_uint_eq(rest[i], 0xA5);
  }
}
END_TEST

/* A finding of the side that waits, and the FPDU that releases it. */
static void wait_for(unsigned side, uint32_t msn, uint64_t good_run) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, msn, 0, 5);
  s.sync = IWARP_SYNC_CRC;
  s.good_run = good_run;
  s.pad[0] = good_run < IWARP_MPA_FPDU_WIRE_MAX ? 1 : 0;
  fixture_fpdu(&fixture, side, s);
}

static void send_part(unsigned side, uint32_t mo, bool last) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, mo, 20);
  s.ddp.last = last;
  fixture_fpdu(&fixture, side, s);
}

/* Both sides by turns: Reads that wait, messages out of order, findings that wait, answers. */
static void both_sides(void) {
  fixture_begin_with(&fixture, IWARP_MPA_FLAG_C);
  for (uint32_t msn = 1; msn < 4; msn++) {
    fixture_read(&fixture, FIXTURE_INITIATOR, msn, 10 + msn);
    fixture_read(&fixture, FIXTURE_RESPONDER, msn, 20 + msn);
  }
  const uint32_t mo[] = {0, 40, 20, 60};
  for (unsigned i = 0; i < 4; i++) {
    send_part(FIXTURE_INITIATOR, mo[i], i == 3);
    send_part(FIXTURE_RESPONDER, mo[i], i == 3);
  }
  wait_for(FIXTURE_INITIATOR, 3, 40);
  wait_for(FIXTURE_RESPONDER, 3, 40);
  wait_for(FIXTURE_INITIATOR, 4, IWARP_MPA_FPDU_WIRE_MAX);
  wait_for(FIXTURE_RESPONDER, 4, IWARP_MPA_FPDU_WIRE_MAX);
  for (uint32_t msn = 1; msn < 4; msn++) {
    fixture_fpdu(&fixture, FIXTURE_RESPONDER, fixture_read_response(10 + msn));
    fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_read_response(20 + msn));
  }
  fixture_finish(&fixture);
}

/* Each side has its own: what is found is what it is with a pool, and nothing is written past the
 * tables. */
START_TEST(without_a_pool_each_side_has_its_tables)
{
  static struct rules_fixture with;
  both_sides();
  with = fixture;
  fixture_init(&fixture);
  const size_t size = iwarp_rules_size(NULL);
  const uint8_t *const rest = (uint8_t *)fixture.mem + size;
  ck_assert_int_eq(iwarp_rules_init(&fixture.rules, fixture.mem, size, NULL), IWARP_OK);
  memset((uint8_t *)fixture.mem + size, 0xA5, IWARP_RULES_SIZE - size);
  both_sides();
  ck_assert_uint_eq(fixture.num, 4); /* ddp.segment-order and mpa.pad-zero */
  ck_assert_uint_eq(with.num, 4);
  for (unsigned i = 0; i < 4; i++) {
    ck_assert_uint_eq(fixture.findings[i].rule, with.findings[i].rule);
    ck_assert_uint_eq(fixture.findings[i].side, with.findings[i].side);
    ck_assert_uint_eq(fixture.findings[i].pos, with.findings[i].pos);
  }
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    const iwarp_rule_result a = iwarp_rules_result(fixture.rules, id);
    const iwarp_rule_result b = iwarp_rules_result(with.rules, id);
    ck_assert_uint_eq(a.num_pass, b.num_pass);
    ck_assert_uint_eq(a.num_fail, b.num_fail);
    ck_assert_uint_eq(a.num_inconclusive, b.num_inconclusive);
  }
  for (size_t i = 0; i < IWARP_RULES_SIZE - size; i++) {
    ck_assert_uint_eq(rest[i], 0xA5);
  }
  fixture_free(&with);
}
END_TEST

START_TEST(a_fresh_engine_has_seen_nothing)
{
  iwarp_finding f;
  ck_assert_int_eq(iwarp_rules_next(fixture.rules, &f), IWARP_ERR_END);
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    const iwarp_rule_result r = iwarp_rules_result(fixture.rules, id);
    ck_assert_int_eq(r.verdict, IWARP_VERDICT_NOT_SEEN);
    ck_assert_uint_eq(r.num_pass + r.num_fail + r.num_inconclusive + r.reason, 0);
  }
}
END_TEST

START_TEST(what_is_no_rule_has_no_result)
{
  ck_assert_int_eq(iwarp_rules_disable(fixture.rules, iwarp_rule_count()), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_rules_result(fixture.rules, iwarp_rule_count()).verdict,
                   IWARP_VERDICT_NOT_SEEN);
}
END_TEST

/* ---- findings ---- */

START_TEST(a_finding_says_who_where_and_what)
{
  fixture_begin(&fixture);
  const uint64_t at = fixture.next[FIXTURE_INITIATOR];
  const uint64_t packet = fixture.packet + 1;
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_send(5));
  const iwarp_finding *f = only("ddp.msn-sequence");
  ck_assert_uint_eq(f->side, FIXTURE_INITIATOR);
  ck_assert_int_eq(f->role, IWARP_ROLE_INITIATOR);
  ck_assert_uint_eq(f->pos, at);
  ck_assert_uint_eq(f->offset, at - fixture.info.side[FIXTURE_INITIATOR].full_pos);
  ck_assert_uint_eq(f->field, IWARP_FIELD_DDP_UNTAGGED_MSN);
  ck_assert_uint_eq(f->octet_pos, at + 2 + 10);
  ck_assert_uint_eq(f->octet_len, 4);
  ck_assert_uint_eq(f->first.packet, packet);
  ck_assert_uint_eq(f->last.packet, packet + 1);
  ck_assert_int_eq(f->expected.kind, IWARP_VALUE_UINT);
  ck_assert_uint_eq(f->expected.u, 2);
  ck_assert_uint_eq(f->observed.u, 5);
  ck_assert_uint_eq(f->other_packet, 0);
}
END_TEST

START_TEST(a_finding_on_a_startup_frame_has_no_offset)
{
  const struct fixture_frame request = {.flags = 0x02, .rev = 1};
  fixture_startup(&fixture, FIXTURE_INITIATOR, &request);
  const iwarp_finding *f = only("mpa.flags-reserved");
  ck_assert_uint_eq(f->pos, FIXTURE_START_0);
  ck_assert_uint_eq(f->offset, IWARP_POS_UNKNOWN);
  ck_assert_uint_eq(f->field, IWARP_FIELD_MPA_STARTUP_RES);
  ck_assert_uint_eq(f->octet_pos, FIXTURE_START_0 + 16);
  ck_assert_int_eq(f->observed.kind, IWARP_VALUE_HEX8);
  ck_assert_uint_eq(f->observed.u, 2);
}
END_TEST

/* One path, two positions: the row belongs to the header that is there. */
START_TEST(the_field_is_the_one_of_the_header_that_is_there)
{
  struct fixture_seg s = fixture_send(2);
  s.ddp.rsvd = 1;
  fixture_begin(&fixture);
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, s);
  ck_assert_uint_eq(only("ddp.reserved")->field, IWARP_FIELD_DDP_UNTAGGED_RSVD);
  s = fixture_write();
  s.ddp.rsvd = 1;
  fixture.num = 0;
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, s);
  ck_assert_uint_eq(only("ddp.reserved")->field, IWARP_FIELD_DDP_TAGGED_RSVD);
}
END_TEST

START_TEST(a_finding_cites_what_it_contradicts)
{
  fixture_begin(&fixture);
  fixture_read(&fixture, FIXTURE_INITIATOR, 1, 9);
  const uint64_t request = fixture.packet;
  fixture_fpdu(&fixture, FIXTURE_RESPONDER, fixture_read_response(8));
  fixture_finish(&fixture);
  const iwarp_finding *f = only("rdmap.read-response-length");
  ck_assert_int_eq(f->role, IWARP_ROLE_RESPONDER);
  ck_assert_uint_eq(f->other_packet, request);
}
END_TEST

START_TEST(octets_are_shown_up_to_sixteen)
{
  struct fixture_frame reply = fixture_reply();
  reply.wrong_key = true;
  fixture_exchange(&fixture, fixture_request(), reply);
  const iwarp_finding *f = only("mpa.reply-key");
  ck_assert_int_eq(f->observed.kind, IWARP_VALUE_OCTETS);
  ck_assert_uint_eq(f->observed.num_octets, 16);
  ck_assert_mem_eq(f->expected.octets, iwarp_mpa_key_octets(IWARP_MPA_KEY_REPLY), 16);
}
END_TEST

/* Markers stand anywhere in front of and after the field. */
START_TEST(a_place_in_the_ulpdu_counts_the_markers_before_it)
{
  fixture_begin_with(&fixture, IWARP_MPA_FLAG_M | IWARP_MPA_FLAG_C);
  for (uint32_t i = 0; i < 400; i++) {
    const uint32_t msn = 0xA5000000u + i * 0x10001u;
    const uint64_t start = fixture.next[FIXTURE_INITIATOR];
    fixture.num = 0;
    fixture_fpdu(&fixture, FIXTURE_INITIATOR,
                 fixture_untagged(IWARP_RDMAP_OP_SEND, msn, 0, 10 + 4 * (size_t)i % 700));
    const iwarp_finding *f = only("ddp.msn-sequence");
    ck_assert_uint_eq(fixture_fpdu_octets()[f->octet_pos - start], msn >> 24);
  }
}
END_TEST

START_TEST(findings_are_those_of_the_last_event)
{
  iwarp_finding f;
  struct fixture_frame request = fixture_request();
  request.flags |= 0x01;
  fixture_startup(&fixture, FIXTURE_INITIATOR, &request);
  ck_assert_uint_eq(fixture.num, 1);
  ck_assert_int_eq(iwarp_rules_next(fixture.rules, &f), IWARP_ERR_END);
  fixture_gap(&fixture, FIXTURE_INITIATOR, 4, IWARP_GAP_LOST);
  ck_assert_uint_eq(fixture.num, 1);
}
END_TEST

START_TEST(independent_faults_are_all_found)
{
  struct fixture_seg s = fixture_send(9);
  s.ddp.rsvd = 1;
  s.ddp.rsvdulp |= 0x10;
  s.ddp.rsvdulp_word = 1;
  s.pad[0] = 1;
  s.len = 1;
  fixture_begin(&fixture);
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, s);
  fixture_finish(&fixture);
  ck_assert_uint_eq(fixture.num, 5);
}
END_TEST

/* ---- results ---- */

START_TEST(results_add_up)
{
  const uint16_t id = id_of("ddp.msn-sequence");
  fixture_begin_with(&fixture, IWARP_MPA_FLAG_C);
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_send(2));
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_send(3));
  ck_assert_int_eq(iwarp_rules_result(fixture.rules, id).verdict, IWARP_VERDICT_PASS);
  ck_assert_uint_eq(iwarp_rules_result(fixture.rules, id).num_pass, 2);
  fixture_gap(&fixture, FIXTURE_INITIATOR, 40, IWARP_GAP_SNAPLEN);
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_send(7));
  ck_assert_int_eq(iwarp_rules_result(fixture.rules, id).verdict, IWARP_VERDICT_INCONCLUSIVE);
  ck_assert_uint_eq(iwarp_rules_result(fixture.rules, id).reason, IWARP_REASON_SNAPLEN);
  struct fixture_seg again = fixture_send(7);
  again.good_run = IWARP_MPA_FPDU_WIRE_MAX;
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, again);
  ck_assert_int_eq(iwarp_rules_result(fixture.rules, id).verdict, IWARP_VERDICT_FAIL);
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_send(8));
  fixture_gap(&fixture, FIXTURE_INITIATOR, 40, IWARP_GAP_LOST);
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_send(20));
  const iwarp_rule_result r = iwarp_rules_result(fixture.rules, id);
  ck_assert_int_eq(r.verdict, IWARP_VERDICT_FAIL);
  ck_assert_uint_eq(r.num_pass, 3);
  ck_assert_uint_eq(r.num_fail, 1);
  ck_assert_uint_eq(r.num_inconclusive, 2);
  ck_assert_uint_eq(r.reason, IWARP_REASON_SNAPLEN | IWARP_REASON_GAP);
}
END_TEST

/* ---- FPDUs that may lie in payload ---- */

/* After a gap: FPDUs found by their CRCs, the second with a wrong MSN. */
static void found_by_crc(void) {
  fixture_begin_with(&fixture, IWARP_MPA_FLAG_C);
  fixture_gap(&fixture, FIXTURE_INITIATOR, 40, IWARP_GAP_LOST);
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_send(7));
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_send(9));
  ck_assert_uint_eq(fixture.num, 0);
}

static iwarp_rule_result of_sequence(void) {
  return iwarp_rules_result(fixture.rules, id_of("ddp.msn-sequence"));
}

START_TEST(a_finding_waits_until_its_fpdu_is_none_of_payload)
{
  struct fixture_seg proof = fixture_send(10);
  const iwarp_end ends[] = {IWARP_END_FIN, IWARP_END_RST, IWARP_END_CAPTURE};
  found_by_crc();
  if (_i < 3) {
    fixture_end(&fixture, FIXTURE_INITIATOR, ends[_i]);
  } else {
    proof.good_run = _i == 3 ? IWARP_MPA_FPDU_WIRE_MAX : 100;
    proof.sync = _i == 3 ? IWARP_SYNC_CRC : IWARP_SYNC_MARKER;
    fixture_fpdu(&fixture, FIXTURE_INITIATOR, proof);
  }
  ck_assert_uint_eq(fixture.num, 1);
  ck_assert_uint_eq(fixture.findings[0].observed.u, 9);
  ck_assert_uint_eq(of_sequence().num_fail, 1);
}
END_TEST

START_TEST(a_finding_is_none_where_the_chain_of_fpdus_breaks)
{
  struct fixture_seg bad = fixture_send(10);
  bad.crc_flip = 1;
  found_by_crc();
  const uint64_t before = of_sequence().num_inconclusive;
  switch (_i) {
  case 0: fixture_gap(&fixture, FIXTURE_INITIATOR, 8, IWARP_GAP_LOST); break;
  case 1: fixture_undecodable(&fixture, FIXTURE_INITIATOR, 8, IWARP_UNDEC_NO_BOUNDARY); break;
  case 2: fixture_fpdu(&fixture, FIXTURE_INITIATOR, bad); break;
  default: iwarp_rules_finish(fixture.rules, &fixture.info); break;
  }
  ck_assert_uint_ge(of_sequence().num_inconclusive, before + 1);
  ck_assert_uint_eq(of_sequence().num_fail, 0);
  fixture_end(&fixture, FIXTURE_INITIATOR, IWARP_END_FIN);
  ck_assert_uint_eq(fixture.num, 0);
}
END_TEST

/* The other side's events decide nothing; more than wait are inconclusive. */
START_TEST(sixteen_findings_of_a_side_wait)
{
  found_by_crc();
  for (uint32_t msn = 11; msn < 51; msn += 2) {
    fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_send(msn));
  }
  fixture_fpdu(&fixture, FIXTURE_RESPONDER, fixture_send(2));
  fixture_end(&fixture, FIXTURE_RESPONDER, IWARP_END_FIN);
  ck_assert_uint_eq(fixture.num, 0);
  fixture_end(&fixture, FIXTURE_INITIATOR, IWARP_END_FIN);
  ck_assert_uint_eq(fixture.num, 16);
  ck_assert_uint_eq(of_sequence().num_fail, 16);
  ck_assert_uint_eq(of_sequence().num_inconclusive, 6);
}
END_TEST

static struct fixture_seg proven(uint32_t msn) {
  struct fixture_seg s = fixture_send(msn);
  s.good_run = IWARP_MPA_FPDU_WIRE_MAX;
  return s;
}

START_TEST(all_findings_of_an_fpdu_wait)
{
  struct fixture_seg wrong = fixture_send(12);
  wrong.ddp.rsvd = 1;
  found_by_crc();
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, wrong);
  ck_assert_uint_eq(fixture.num, 0);
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, proven(13));
  ck_assert_uint_eq(fixture.num, 3);
  ck_assert_uint_eq(of_sequence().num_fail, 2);
  ck_assert_uint_eq(iwarp_rules_result(fixture.rules, id_of("ddp.reserved")).num_fail, 1);
}
END_TEST

/* Once those that waited are handed out there is room for others. */
START_TEST(findings_wait_after_more_than_sixteen_did)
{
  found_by_crc();
  for (uint32_t msn = 11; msn < 51; msn += 2) {
    fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_send(msn));
  }
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, proven(50));
  ck_assert_uint_eq(fixture.num, 16);
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_send(53));
  ck_assert_uint_eq(fixture.num, 16);
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, proven(54));
  ck_assert_uint_eq(fixture.num, 17);
}
END_TEST

/* None waits from where there was no memory for one, until it is decided. */
START_TEST(findings_wait_after_there_was_no_memory_for_one)
{
  fixture_begin_with(&fixture, IWARP_MPA_FLAG_C);
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_send(4));
  ck_assert_uint_eq(fixture.num, 1);
  fixture_gap(&fixture, FIXTURE_INITIATOR, 40, IWARP_GAP_LOST);
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_send(7));
  fixture.pool.fail_every = 1;
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_send(9));
  fixture.pool.fail_every = 0;
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_send(11));
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, proven(12));
  ck_assert_uint_eq(fixture.num, 1);
  ck_assert_uint_eq(of_sequence().reason, IWARP_REASON_LIMIT | IWARP_REASON_GAP);
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_send(20));
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, proven(21));
  ck_assert_uint_eq(fixture.num, 2);
}
END_TEST

static struct fixture_seg with_wrong_crc(uint32_t msn) {
  struct fixture_seg s = fixture_send(msn);
  s.crc_flip = 1;
  return s;
}

/* Where there is no memory to wait for the octets after its FPDU, the rule is inconclusive. */
START_TEST(a_wrong_crc_waits_for_what_follows_it_if_it_can)
{
  const struct fixture_seg wrong = with_wrong_crc(3);
  fixture_begin_with(&fixture, IWARP_MPA_FLAG_C);
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_send(9));
  ck_assert_uint_eq(fixture.num, 1);
  fixture.pool.fail_every = (unsigned)_i;
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, wrong);
  fixture.pool.fail_every = 0;
  ck_assert_uint_eq(fixture.num, 1);
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_send(4));
  ck_assert_uint_eq(fixture.num, 2 - (unsigned)_i);
  fixture_finish(&fixture);
  ck_assert_uint_eq(fixture.num, 2 - (unsigned)_i);
  ck_assert_uint_eq(iwarp_rules_result(fixture.rules, id_of("mpa.crc")).reason,
                    _i == 0 ? 0 : IWARP_REASON_LIMIT);
}
END_TEST

/* Where FPDUs begin is not known after a Marker that stands elsewhere. */
START_TEST(octets_of_no_fpdu_after_a_marker_elsewhere_are_no_news)
{
  static const uint8_t octets[16] = {0, 7, 0xEE};
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 500);
  s.marker = 1;
  s.marker_is = (iwarp_mpa_marker){.reserved = 0x6162, .fpduptr = 0x6363};
  fixture_begin_with(&fixture, IWARP_MPA_FLAG_M | IWARP_MPA_FLAG_C);
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, s);
  fixture_run(&fixture, FIXTURE_INITIATOR, (iwarp_span){octets, sizeof(octets)}, sizeof(octets),
              IWARP_UNDEC_NO_BOUNDARY);
  only("mpa.marker-period");
}
END_TEST

/* None comes any more. */
START_TEST(a_wrong_crc_is_said_when_the_connection_is_over)
{
  fixture_begin_with(&fixture, IWARP_MPA_FLAG_C);
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, with_wrong_crc(2));
  ck_assert_uint_eq(fixture.num, 0);
  fixture_finish(&fixture);
  only("mpa.crc");
}
END_TEST

/* Five Reads are answered, and there was no memory for where the last answer ends: where the first
 * one begins. */
static uint64_t answer_five(void) {
  fixture_begin_with(&fixture, IWARP_MPA_FLAG_C);
  for (uint32_t msn = 1; msn <= 5; msn++) {
    fixture_read(&fixture, FIXTURE_INITIATOR, msn, 9);
  }
  const uint64_t before = fixture.next[FIXTURE_RESPONDER];
  for (unsigned i = 0; i < 5; i++) {
    fixture.pool.fail_every = i == 4 ? 1 : 0;
    fixture_fpdu(&fixture, FIXTURE_RESPONDER, fixture_read_response(9));
  }
  fixture.pool.fail_every = 0;
  return before;
}

/* The next Read, when so much of the other side had come; 0: all. */
static iwarp_rule_result ask_having(uint32_t msn, uint64_t received) {
  fixture.received = received;
  fixture_read(&fixture, FIXTURE_INITIATOR, msn, 9);
  return iwarp_rules_result(fixture.rules, iwarp_rule_find("rdmap.reads-outstanding")->id);
}

/* Eight may be outstanding. Four answers are known not to have come, and one more may be. */
START_TEST(reads_outstanding_are_too_many_for_what_is_known_alone)
{
  const uint64_t before = answer_five();
  for (uint32_t msn = 6; msn <= 9; msn++) {
    const iwarp_rule_result r = ask_having(msn, before);
    ck_assert_uint_eq(r.num_inconclusive, msn - 5);
    ck_assert_uint_eq(r.reason, IWARP_REASON_LIMIT);
  }
  ck_assert_uint_eq(fixture.num, 0);
  ck_assert_uint_eq(ask_having(10, before).num_inconclusive, 4);
  ck_assert_uint_eq(fixture.num, 1);
}
END_TEST

/* It may be as long as one answer after which there was memory has not come. */
START_TEST(reads_outstanding_are_known_once_all_answers_came)
{
  const uint64_t before = answer_five();
  const uint64_t end = fixture.next[FIXTURE_RESPONDER];
  const uint64_t three = before + (end - before) / 5 * 3;
  ck_assert_uint_eq(ask_having(6, three).num_inconclusive, 1);
  ck_assert_uint_eq(ask_having(7, three).num_inconclusive, 2);
  ck_assert_uint_eq(ask_having(8, 0).num_inconclusive, 2);
  fixture_fpdu(&fixture, FIXTURE_RESPONDER, fixture_read_response(9));
  ck_assert_uint_eq(ask_having(9, end).num_inconclusive, 2);
  ck_assert_uint_eq(fixture.num, 0);
}
END_TEST

/* An answer over SCTP whose packet acknowledges nothing, captured before the request. */
START_TEST(an_answer_captured_before_its_request_was_asked_for)
{
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  const struct fixture_seg request = fixture_read_request(octets, 1, 9);
  const struct fixture_seg response = fixture_read_response(9);
  sctp_open(&fixture);
  SCTP_SEGMENT(&fixture, 1, 1, .acked = true, .what = &response, .no_cause = true);
  SCTP_SEGMENT(&fixture, 0, 1, .acked = true, .what = &request);
  SCTP_SEND(&fixture, .side = 1, .function = 4, .ssn = 2, .acked = true);
  SCTP_SEND(&fixture, .function = 4, .ssn = 2, .acked = true);
  sctp_finish(&fixture, IWARP_END_FIN);
  const iwarp_rule_result r =
      iwarp_rules_result(fixture.rules, iwarp_rule_find("rdmap.read-response-unasked")->id);
  ck_assert_uint_eq(r.num_fail, 0);
  ck_assert_uint_eq(r.num_inconclusive, 1);
}
END_TEST

/* A startup frame may lie in payload: neither begins its stream, nor does one answer the other. */
START_TEST(findings_after_a_startup_frame_in_payload_wait)
{
  struct fixture_seg wrong = fixture_send(32);
  wrong.ddp.rsvd = 1;
  fixture.info.side[FIXTURE_INITIATOR].start_known = false;
  fixture.no_ack = _i == 0;
  fixture_begin_with(&fixture, IWARP_MPA_FLAG_C);
  fixture.num = 0;
  struct fixture_seg inner = fixture_send(2);
  inner.ddp.rsvd = 1;
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, inner); /* it may lie in Private Data */
  ck_assert_uint_eq(fixture.num, _i == 0 ? 0 : 1);
  fixture.num = 0;
  for (uint32_t msn = 3; msn < 32; msn++) {
    fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_send(msn));
  }
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, wrong);
  ck_assert_uint_eq(fixture.num, _i == 0 ? 0 : 1);
  fixture_end(&fixture, FIXTURE_INITIATOR, IWARP_END_FIN);
  ck_assert_uint_eq(fixture.num, 1);
}
END_TEST

/* A rule is switched off before its findings are taken: they are not handed out, nor counted. */
START_TEST(what_a_rule_found_is_dropped_when_it_is_switched_off)
{
  const uint16_t id = id_of("ddp.msn-sequence");
  fixture_begin(&fixture);
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_send(5));
  ck_assert_uint_eq(fixture.num, 1);
  ck_assert_uint_eq(iwarp_rules_result(fixture.rules, id).num_fail, 1);
  ck_assert_int_eq(iwarp_rules_disable(fixture.rules, id), IWARP_OK);
  ck_assert_int_eq(iwarp_rules_result(fixture.rules, id).verdict, IWARP_VERDICT_DISABLED);
  ck_assert_uint_eq(iwarp_rules_result(fixture.rules, id).num_fail, 0);
  ck_assert_uint_eq(iwarp_rules_result(fixture.rules, id).num_pass, 0);
}
END_TEST

START_TEST(a_disabled_rule_stays_disabled)
{
  const uint16_t id = id_of("ddp.msn-sequence");
  ck_assert_int_eq(iwarp_rules_disable(fixture.rules, id), IWARP_OK);
  fixture_begin(&fixture);
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_send(5));
  ck_assert_uint_eq(fixture.num, 0);
  ck_assert_int_eq(iwarp_rules_result(fixture.rules, id).verdict, IWARP_VERDICT_DISABLED);
  ck_assert_uint_eq(iwarp_rules_result(fixture.rules, id).num_fail, 0);
}
END_TEST

static void limit_verdict_is(const char *slug, iwarp_verdict verdict, uint64_t inconclusive) {
  const iwarp_rule_result r = iwarp_rules_result(fixture.rules, id_of(slug));
  ck_assert_int_eq(r.verdict, verdict);
  ck_assert_uint_eq(r.num_inconclusive, inconclusive);
  ck_assert_int_eq((r.reason & IWARP_REASON_LIMIT) != 0, inconclusive > 0);
}

START_TEST(a_limit_leaves_nothing_that_was_not_seen)
{
  iwarp_rules_disable(fixture.rules, id_of("ddp.version"));
  fixture_begin_with(&fixture, IWARP_MPA_FLAG_C);
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_send(2));
  fixture_fpdu(&fixture, FIXTURE_RESPONDER, fixture_send(5));
  fixture_gap(&fixture, FIXTURE_INITIATOR, 40, IWARP_GAP_LOST);
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 7, 4, 10));
  iwarp_rules_limit(fixture.rules);
  iwarp_rules_limit(fixture.rules);
  limit_verdict_is("rdmap.terminate-code", IWARP_VERDICT_NOT_SEEN, 0);
  iwarp_rules_finish(fixture.rules, &fixture.info);
  iwarp_rules_finish(fixture.rules, &fixture.info);
  limit_verdict_is("rdmap.terminate-code", IWARP_VERDICT_INCONCLUSIVE, 1);
  limit_verdict_is("mpa.request-key", IWARP_VERDICT_PASS, 0);
  limit_verdict_is("ddp.msn-first", IWARP_VERDICT_PASS, 0);
  ck_assert_int_eq(iwarp_rules_result(fixture.rules, id_of("ddp.msn-sequence")).verdict,
                   IWARP_VERDICT_FAIL);
  limit_verdict_is("ddp.mo-first", IWARP_VERDICT_INCONCLUSIVE, 2);
  limit_verdict_is("ddp.version", IWARP_VERDICT_DISABLED, 0);
  limit_verdict_is("sctp.ppid", IWARP_VERDICT_NOT_SEEN, 0);
}
END_TEST

/* Of the rules of the transport alone, from the first one on. */
START_TEST(a_limit_concerns_the_rules_of_the_transport)
{
  fixture.info.sctp = _i == 1;
  iwarp_rules_limit(fixture.rules);
  iwarp_rules_finish(fixture.rules, &fixture.info);
  const iwarp_verdict tcp = _i == 0 ? IWARP_VERDICT_INCONCLUSIVE : IWARP_VERDICT_NOT_SEEN;
  const iwarp_verdict sctp = _i == 1 ? IWARP_VERDICT_INCONCLUSIVE : IWARP_VERDICT_NOT_SEEN;
  limit_verdict_is(iwarp_rule_get(0)->slug, tcp, 1u - (unsigned)_i);
  limit_verdict_is("mpa.crc", tcp, 1u - (unsigned)_i);
  limit_verdict_is("sctp.ppid", sctp, (unsigned)_i);
  limit_verdict_is("ddp.version", IWARP_VERDICT_INCONCLUSIVE, 1);
}
END_TEST

/* Events that follow the limit cost nothing themselves. */
START_TEST(a_limit_stays_until_the_end)
{
  iwarp_rules_limit(fixture.rules);
  fixture_begin(&fixture);
  iwarp_rules_finish(fixture.rules, &fixture.info);
  limit_verdict_is("rdmap.terminate-code", IWARP_VERDICT_INCONCLUSIVE, 1);
}
END_TEST

/* Octets that begin no FPDU, as an observer reports them that could not hold an FPDU before. */
START_TEST(a_limit_of_the_observer_is_held_against_nobody)
{
  static const uint8_t junk[40] = {0, 9, 0xEE, 0xEE, 0xEE, 0xEE};
  fixture_begin_with(&fixture, IWARP_MPA_FLAG_C);
  fixture.info.limits = _i == 0 ? 0 : IWARP_LIMIT_ULPDU;
  fixture_run(&fixture, FIXTURE_INITIATOR, (iwarp_span){junk, sizeof junk}, sizeof junk,
              IWARP_UNDEC_NO_BOUNDARY);
  fixture_end(&fixture, FIXTURE_INITIATOR, IWARP_END_FIN);
  iwarp_rules_finish(fixture.rules, &fixture.info);
  if (_i == 0) {
    only("mpa.framing");
  } else {
    ck_assert_uint_eq(fixture.num, 0);
    limit_verdict_is("mpa.framing", IWARP_VERDICT_INCONCLUSIVE, 2);
  }
  limit_verdict_is("rdmap.terminate-code",
                   _i == 0 ? IWARP_VERDICT_NOT_SEEN : IWARP_VERDICT_INCONCLUSIVE, (uint64_t)_i);
}
END_TEST

/* What there was no memory for may have been found by any rule. */
START_TEST(a_finding_without_memory_leaves_the_other_rules_open)
{
  struct fixture_seg wrong = fixture_send(2);
  wrong.ddp.rsvd = 1;
  fixture_begin_with(&fixture, IWARP_MPA_FLAG_C);
  fixture.pool.fail_every = _i == 0 ? 0 : 1;
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, wrong);
  fixture.pool.fail_every = 0;
  ck_assert_uint_eq(fixture.num, 1 - (unsigned)_i);
  iwarp_rules_finish(fixture.rules, &fixture.info);
  limit_verdict_is("rdmap.terminate-code",
                   _i == 0 ? IWARP_VERDICT_NOT_SEEN : IWARP_VERDICT_INCONCLUSIVE, (uint64_t)_i);
}
END_TEST

/* A message that has not ended may go on in what the observer could not hold. */
START_TEST(a_limit_of_the_observer_leaves_the_end_open)
{
  fixture_begin_with(&fixture, IWARP_MPA_FLAG_C);
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_more(fixture_send(2)));
  fixture.info.limits = _i == 0 ? 0 : IWARP_LIMIT_ULPDU;
  fixture_end(&fixture, FIXTURE_INITIATOR, IWARP_END_FIN);
  if (_i == 0) {
    only("ddp.stream-end");
  } else {
    ck_assert_uint_eq(fixture.num, 0);
    limit_verdict_is("ddp.stream-end", IWARP_VERDICT_INCONCLUSIVE, 1);
  }
}
END_TEST

START_TEST(two_engines_share_nothing)
{
  static struct rules_fixture other;
  fixture_init(&other);
  fixture_begin(&fixture);
  fixture_begin(&other);
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_send(5));
  fixture_fpdu(&other, FIXTURE_INITIATOR, fixture_send(2));
  ck_assert_uint_eq(fixture.num, 1);
  ck_assert_uint_eq(other.num, 0);
  fixture_free(&other);
}
END_TEST

/* Under Rev 0 both versions are accepted, but not one in each direction. RFC 5044 C.1 */
START_TEST(the_two_directions_have_one_version)
{
  struct fixture_frame request = {.flags = IWARP_MPA_FLAG_M | IWARP_MPA_FLAG_C};
  struct fixture_frame reply = request;
  reply.reply = true;
  for (uint8_t version = 0; version < 2; version++) {
    struct rules_fixture l;
    struct fixture_seg s = fixture_send(1);
    const iwarp_rdmap_ctrl ctrl = {.rv = version, .opcode = IWARP_RDMAP_OP_SEND};
    fixture_init(&l);
    fixture_exchange(&l, request, reply);
    s.ddp.dv = version;
    s.ddp.rsvdulp = iwarp_rdmap_ctrl_encode(ctrl);
    fixture_fpdu(&l, FIXTURE_INITIATOR, s);
    fixture_fpdu(&l, FIXTURE_RESPONDER, fixture_send(1));
    const uint16_t id = iwarp_rule_find("ddp.version-constant")->id;
    ck_assert_uint_eq(iwarp_rules_result(l.rules, id).num_fail, 1u - version);
    fixture_free(&l);
  }
}
END_TEST

/* A segment of version 1 has the opcodes of RFC 7306 under Rev 0 too: a lost Reply adds no finding.
 */
START_TEST(the_segment_tells_which_opcodes_its_version_has)
{
  const struct fixture_frame request = {.flags = IWARP_MPA_FLAG_M | IWARP_MPA_FLAG_C};
  struct fixture_frame reply = request;
  reply.reply = true;
  for (uint8_t version = 0; version < 2; version++) {
    struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_IMMEDIATE, 1, 0, 8);
    const iwarp_rdmap_ctrl ctrl = {.rv = version, .opcode = IWARP_RDMAP_OP_IMMEDIATE};
    struct rules_fixture l;
    fixture_init(&l);
    fixture_exchange(&l, request, reply);
    s.ddp.dv = version;
    s.ddp.rsvdulp = iwarp_rdmap_ctrl_encode(ctrl);
    s.ddp.last = false;
    fixture_fpdu(&l, FIXTURE_INITIATOR, s);
    const uint16_t id = iwarp_rule_find("ddp.last-flag-missing")->id;
    ck_assert_uint_eq(iwarp_rules_result(l.rules, id).num_fail, version);
    fixture_free(&l);
  }
}
END_TEST

/* ---- what the events of a stream leave after ---- */

START_TEST(a_hole_inside_an_fpdu_is_no_loss)
{
  struct fixture_seg s = fixture_write();
  s.cut = 30;
  fixture_begin(&fixture);
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, s);
  const uint64_t next = fixture.next[FIXTURE_INITIATOR];
  fixture.next[FIXTURE_INITIATOR] -= 60; /* the hole is reported after the FPDU around it */
  fixture_gap(&fixture, FIXTURE_INITIATOR, 40, IWARP_GAP_SNAPLEN);
  fixture.next[FIXTURE_INITIATOR] = next;
  fixture.lost[FIXTURE_INITIATOR] = false;
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_send(9));
  only("ddp.msn-sequence");
}
END_TEST

START_TEST(undecodable_octets_are_a_loss)
{
  fixture_begin_with(&fixture, IWARP_MPA_FLAG_C);
  fixture_undecodable(&fixture, FIXTURE_INITIATOR, 40, IWARP_UNDEC_NO_BOUNDARY);
  only("mpa.framing");
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_send(9));
  only("mpa.framing");
}
END_TEST

/* Octets that no event tells of: the engine sees it from the positions. */
START_TEST(a_jump_of_the_position_is_a_loss)
{
  fixture_begin_with(&fixture, IWARP_MPA_FLAG_C);
  fixture.next[FIXTURE_INITIATOR] += 40;
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_send(9));
  ck_assert_uint_eq(fixture.num, 0);
}
END_TEST

START_TEST(what_was_lost_before_full_operation_does_not_matter)
{
  struct fixture_frame request = fixture_request();
  request.missing = 4;
  fixture.info.side[FIXTURE_INITIATOR].gap = true;
  fixture_startup(&fixture, FIXTURE_INITIATOR, &request);
  fixture_gap(&fixture, FIXTURE_INITIATOR, 4, IWARP_GAP_LOST);
  const struct fixture_frame reply = fixture_reply();
  fixture_startup(&fixture, FIXTURE_RESPONDER, &reply);
  fixture_settle(&fixture);
  fixture.lost[FIXTURE_INITIATOR] = false;
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_send(1));
  fixture_read(&fixture, FIXTURE_INITIATOR, 1, 9);
  fixture_fpdu(&fixture, FIXTURE_RESPONDER, fixture_read_response(8));
  fixture_finish(&fixture);
  only("rdmap.read-response-length");
}
END_TEST

START_TEST(a_good_crc_ends_doubt)
{
  struct fixture_seg s = fixture_send(2);
  s.short_ulpdu = true;
  s.ulpdu_len = 9;
  fixture_begin_with(&fixture, IWARP_MPA_FLAG_C);
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, s);
  only("ddp.header-length");
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_send(30));
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_send(32));
  ck_assert_uint_eq(fixture.num, 2);
}
END_TEST

START_TEST(octets_after_a_startup_frame_may_be_anything)
{
  fixture_open(&fixture);
  fixture.received = fixture.next[1] + 1; /* more than the Reply: the sender may go on */
  fixture_undecodable(&fixture, FIXTURE_INITIATOR, 6, IWARP_UNDEC_NOT_FPDU);
  fixture.received = fixture.next[0];
  fixture_undecodable(&fixture, FIXTURE_RESPONDER, 6, IWARP_UNDEC_NOT_FPDU);
  ck_assert_uint_eq(fixture.num, 0);
}
END_TEST

START_TEST(an_end_that_was_not_reported_is_one_of_the_capture)
{
  const struct fixture_frame request = {.rev = 1, .pd_length = 20, .missing = 1};
  fixture_startup(&fixture, FIXTURE_INITIATOR, &request);
  iwarp_rules_finish(fixture.rules, &fixture.info);
  fixture_take(&fixture);
  ck_assert_uint_eq(fixture.num, 0);
  ck_assert_uint_eq(
      iwarp_rules_result(fixture.rules, id_of("mpa.pd-length-match")).num_inconclusive, 1);
  iwarp_rules_finish(fixture.rules, &fixture.info);
  ck_assert_uint_eq(
      iwarp_rules_result(fixture.rules, id_of("mpa.pd-length-match")).num_inconclusive, 1);
}
END_TEST

START_TEST(roles_do_not_follow_the_sides)
{
  fixture.info.side[0].role = IWARP_ROLE_RESPONDER;
  fixture.info.side[1].role = IWARP_ROLE_INITIATOR;
  const struct fixture_frame request = fixture_request();
  const struct fixture_frame reply = fixture_reply();
  fixture_startup(&fixture, 1, &request);
  fixture_startup(&fixture, 0, &reply);
  fixture_settle(&fixture);
  fixture_fpdu(&fixture, 0, fixture_send(1));
  const iwarp_finding *f = only("mpa.responder-first");
  ck_assert_uint_eq(f->side, 0);
  ck_assert_int_eq(f->role, IWARP_ROLE_RESPONDER);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {memory_has_its_bound,
                                init_refuses_what_does_not_fit,
                                memory_is_taken_as_it_is_needed,
                                a_released_engine_takes_memory_again,
                                without_memory_rules_are_inconclusive,
                                without_memory_a_message_is_not_followed_from_its_middle,
                                without_a_pool_rules_are_decided_as_far_as_the_room_goes,
                                without_a_pool_the_last_headers_are_known,
                                without_a_pool_so_many_headers_are_known,
                                without_a_pool_the_size_is_enough,
                                without_a_pool_each_side_has_its_tables,
                                a_fresh_engine_has_seen_nothing,
                                what_is_no_rule_has_no_result,
                                a_finding_says_who_where_and_what,
                                a_finding_on_a_startup_frame_has_no_offset,
                                the_field_is_the_one_of_the_header_that_is_there,
                                a_finding_cites_what_it_contradicts,
                                octets_are_shown_up_to_sixteen,
                                a_place_in_the_ulpdu_counts_the_markers_before_it,
                                findings_are_those_of_the_last_event,
                                independent_faults_are_all_found,
                                results_add_up,
                                sixteen_findings_of_a_side_wait,
                                all_findings_of_an_fpdu_wait,
                                findings_wait_after_more_than_sixteen_did,
                                findings_wait_after_there_was_no_memory_for_one,
                                a_wrong_crc_is_said_when_the_connection_is_over,
                                octets_of_no_fpdu_after_a_marker_elsewhere_are_no_news,
                                reads_outstanding_are_too_many_for_what_is_known_alone,
                                reads_outstanding_are_known_once_all_answers_came,
                                an_answer_captured_before_its_request_was_asked_for,
                                a_disabled_rule_stays_disabled,
                                what_a_rule_found_is_dropped_when_it_is_switched_off,
                                a_limit_leaves_nothing_that_was_not_seen,
                                a_limit_stays_until_the_end,
                                two_engines_share_nothing,
                                the_two_directions_have_one_version,
                                the_segment_tells_which_opcodes_its_version_has,
                                a_hole_inside_an_fpdu_is_no_loss,
                                undecodable_octets_are_a_loss,
                                a_jump_of_the_position_is_a_loss,
                                what_was_lost_before_full_operation_does_not_matter,
                                a_good_crc_ends_doubt,
                                octets_after_a_startup_frame_may_be_anything,
                                an_end_that_was_not_reported_is_one_of_the_capture,
                                roles_do_not_follow_the_sides};
  Suite *suite = suite_create("rules_engine");
  TCase *tcase = tcase_create("engine");
  tcase_add_checked_fixture(tcase, setup, teardown);
  for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
    tcase_add_test(tcase, tests[i]);
  }
  tcase_add_loop_test(tcase, a_finding_waits_until_its_fpdu_is_none_of_payload, 0, 5);
  tcase_add_loop_test(tcase, findings_after_a_startup_frame_in_payload_wait, 0, 2);
  tcase_add_loop_test(tcase, a_finding_is_none_where_the_chain_of_fpdus_breaks, 0, 4);
  tcase_add_loop_test(tcase, a_wrong_crc_waits_for_what_follows_it_if_it_can, 0, 2);
  tcase_add_loop_test(tcase, a_limit_concerns_the_rules_of_the_transport, 0, 2);
  tcase_add_loop_test(tcase, a_limit_of_the_observer_is_held_against_nobody, 0, 2);
  tcase_add_loop_test(tcase, a_limit_of_the_observer_leaves_the_end_open, 0, 2);
  tcase_add_loop_test(tcase, a_finding_without_memory_leaves_the_other_rules_open, 0, 2);
  tcase_add_loop_test(tcase, a_second_engine_needs_memory_for_all_its_tables, 0, (int)COPIES + 1);
  suite_add_tcase(suite, tcase);
  return check_run(suite);
}
