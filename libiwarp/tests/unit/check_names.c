/* SPDX-License-Identifier: BSD-2-Clause */
/* No function iwarp_..._name returns NULL: a value without a name is "unknown", and only such one.
 */
#include <string.h>

#include <iwarp/endpoint.h>
#include <iwarp/field.h>
#include <iwarp/private_data.h>
#include <iwarp/sctp.h>
#include <iwarp/sctp_session.h>

#include "../../src/endpoint/lists.h"
#include "../../src/sctp/lists.h"
#include "check_run.h"

/* Values far from any that has a name. */
static const int odd[] = {-1, 99, 0x7FFFFFFF, -0x7FFFFFFF - 1};

/* A name is a text that is not empty; one that is not known is "unknown". */
static void check_name(const char *name, bool known) {
  expect(name != NULL && name[0] != '\0', "a name is missing");
  expect(iwarp_name_known(name) == known, "%s: known or not", name);
  expect((strcmp(name, IWARP_NAME_UNKNOWN) != 0) == known, "%s", name);
}

#define CHECK_ODD(type_, call_)                                                                    \
  for (size_t i_ = 0; i_ < sizeof odd / sizeof odd[0]; i_++) {                                     \
    check_name(call_((type_)odd[i_]), false);                                                      \
  }

/* The lists of the library have all members of the enumerations, in their order. */
START_TEST(lists_follow_the_enumerations)
{
#define MEMBER_STATE(name, text) IWARP_ENDPOINT_##name,
#define MEMBER_CAUSE(name, err) IWARP_ENDPOINT_CAUSE_##name,
#define MEMBER_SCTP(name, text) IWARP_SCTP_STATE_##name,
  static const iwarp_endpoint_state states[] = {EP_STATE_MAP(MEMBER_STATE)};
  static const iwarp_endpoint_cause causes[] = {EP_CAUSE_MAP(MEMBER_CAUSE)};
  static const iwarp_sctp_state sctp[] = {SCTP_STATE_MAP(MEMBER_SCTP)};
  ck_assert_uint_eq(sizeof states / sizeof states[0], IWARP_ENDPOINT_NUM_STATES);
  ck_assert_uint_eq(sizeof causes / sizeof causes[0], IWARP_ENDPOINT_NUM_CAUSES);
  ck_assert_uint_eq(sizeof sctp / sizeof sctp[0], IWARP_SCTP_NUM_STATES);
  for (size_t i = 0; i < IWARP_ENDPOINT_NUM_STATES; i++) {
    expect((size_t)states[i] == i, "state %zu", i);
  }
  for (size_t i = 0; i < IWARP_ENDPOINT_NUM_CAUSES; i++) {
    expect((size_t)causes[i] == i, "cause %zu", i);
  }
  for (size_t i = 0; i < IWARP_SCTP_NUM_STATES; i++) {
    expect((size_t)sctp[i] == i, "state %zu of a session", i);
  }
}
END_TEST

START_TEST(states_events_and_causes)
{
  for (int i = 0; i < 40; i++) {
    check_name(iwarp_endpoint_state_name((iwarp_endpoint_state)i),
               i < (int)IWARP_ENDPOINT_NUM_STATES);
    check_name(iwarp_endpoint_event_name((iwarp_endpoint_event_kind)i),
               i <= IWARP_ENDPOINT_EVENT_IDLE);
    check_name(iwarp_endpoint_cause_name((iwarp_endpoint_cause)i),
               i < (int)IWARP_ENDPOINT_NUM_CAUSES);
    check_name(iwarp_sctp_state_name((iwarp_sctp_state)i), i < (int)IWARP_SCTP_NUM_STATES);
  }
  CHECK_ODD(iwarp_endpoint_state, iwarp_endpoint_state_name)
  CHECK_ODD(iwarp_endpoint_event_kind, iwarp_endpoint_event_name)
  CHECK_ODD(iwarp_endpoint_cause, iwarp_endpoint_cause_name)
  CHECK_ODD(iwarp_sctp_state, iwarp_sctp_state_name)
  ck_assert_str_eq(iwarp_endpoint_state_name(IWARP_ENDPOINT_IDLE), "IDLE");
  ck_assert_str_eq(iwarp_endpoint_state_name(IWARP_ENDPOINT_SEND_FAILED), "SEND_FAILED");
  ck_assert_str_eq(iwarp_endpoint_state_name(IWARP_ENDPOINT_CLOSED), "CLOSED");
  ck_assert_str_eq(iwarp_endpoint_event_name(IWARP_ENDPOINT_EVENT_REQUEST), "REQUEST");
  ck_assert_str_eq(iwarp_endpoint_event_name(IWARP_ENDPOINT_EVENT_FAULT), "FAULT");
  ck_assert_str_eq(iwarp_endpoint_event_name(IWARP_ENDPOINT_EVENT_PLACED_OUT_OF_ORDER),
                   "PLACED_OUT_OF_ORDER");
  ck_assert_str_eq(iwarp_endpoint_event_name(IWARP_ENDPOINT_EVENT_IDLE), "IDLE");
}
END_TEST

/* Returns true if the tables of errors have a row with this Layer, Error Type and Error Code; below
 * 0, Type and Code match any. */
static bool term_listed(int layer, int etype, int code) {
  const iwarp_rdmap_term_row *row;
  for (size_t i = 0; (row = iwarp_rdmap_term_at(i)) != NULL; i++) {
    if (row->layer == layer && (etype < 0 || row->etype == etype) &&
        (code < 0 || row->any_code || row->code == code)) {
      return true;
    }
  }
  return false;
}

START_TEST(errors_of_a_terminate)
{
  for (int layer = 0; layer < 256; layer++) {
    check_name(iwarp_rdmap_term_layer_name((uint8_t)layer), term_listed(layer, -1, -1));
    for (int etype = 0; etype < 256; etype += layer < 4 ? 1 : 37) {
      check_name(iwarp_rdmap_term_etype_name((uint8_t)layer, (uint8_t)etype),
                 term_listed(layer, etype, -1));
      for (int code = 0; code < 256; code += etype < 5 ? 1 : 37) {
        check_name(iwarp_rdmap_term_code_name((uint8_t)layer, (uint8_t)etype, (uint8_t)code),
                   term_listed(layer, etype, code));
      }
    }
  }
}
END_TEST

static bool value_listed(const iwarp_field *field, uint64_t value) {
  for (size_t i = 0; i < field->num_values; i++) {
    if (field->values[i].value == value) {
      return true;
    }
  }
  return false;
}

START_TEST(values_of_fields)
{
  const iwarp_form_info *info;
  for (int form = 1; (info = iwarp_form_get((iwarp_form)form)) != NULL; form++) {
    for (size_t i = 0; i < info->num_fields; i++) {
      const iwarp_field *field = &info->fields[i];
      for (uint64_t value = 0; value<70000; value += field->num_values> 0 ? 1 : 6999) {
        check_name(iwarp_field_value_name(field, value), value_listed(field, value));
      }
      check_name(iwarp_field_value_name(field, UINT64_MAX), false);
    }
  }
}
END_TEST

START_TEST(flags_and_payload_protocols)
{
  for (unsigned flags = 0; flags < 256; flags++) {
    const unsigned res = flags & IWARP_MPA_FLAG_RES;
    bool listed = false;
#define LIST_RES(value, name) listed = listed || res == (value);
    IWARP_MPA_RES_MAP(LIST_RES)
    check_name(iwarp_mpa_res_name((uint8_t)flags), listed);
  }
  for (uint32_t ppid = 0; ppid < 70000; ppid++) {
    check_name(iwarp_sctp_ppid_name(ppid),
               ppid == IWARP_SCTP_PPID_SEGMENT || ppid == IWARP_SCTP_PPID_CONTROL);
  }
  check_name(iwarp_sctp_ppid_name(UINT32_MAX), false);
}
END_TEST

/* These two have texts of their own for a number that is no error. */
START_TEST(errors)
{
  for (int i = -600; i < 100; i++) {
    const bool known = strcmp(iwarp_errname((iwarp_err)i), "IWARP_ERR_UNKNOWN") != 0;
    check_name(iwarp_errname((iwarp_err)i), true);
    check_name(iwarp_strerror((iwarp_err)i), true);
    expect((strcmp(iwarp_strerror((iwarp_err)i), "unknown error") != 0) == known, "%d", i);
  }
}
END_TEST

/* Only the whole text says that there is no name. */
START_TEST(a_name_that_begins_alike_is_known)
{
  ck_assert(iwarp_name_known("unknown opcode"));
  ck_assert(iwarp_name_known("unknow"));
  ck_assert(iwarp_name_known(""));
  ck_assert(!iwarp_name_known("unknown"));
}
END_TEST

int main(void) {
  const TTest *const tests[] = {lists_follow_the_enumerations,
                                states_events_and_causes,
                                errors_of_a_terminate,
                                values_of_fields,
                                flags_and_payload_protocols,
                                errors,
                                a_name_that_begins_alike_is_known,
                                NULL};
  return check_run(check_suite("names", tests));
}
