/* SPDX-License-Identifier: BSD-2-Clause */
/* The registries: every entry, in order, and nothing else. */
#include <iwarp/rdmap.h>
#include <iwarp/registry.h>
#include <string.h>

#include "check_run.h"

typedef struct want {
  iwarp_registry registry;
  uint32_t first;
  uint32_t last;
  iwarp_registry_status status;
  const char *group;
  const char *name;
  const char *rfc;
} want;

#define ERR(registry_, value, group, name, rfc)                                                    \
  { registry_, value, value, IWARP_REGISTRY_ASSIGNED, group, name, rfc }
#define ALL(registry_, value, name, rfc)                                                           \
  { registry_, value, (value) | 0xFF, IWARP_REGISTRY_ASSIGNED, name, name, rfc }
#define ROW(registry_, value, status, name, rfc)                                                   \
  { registry_, value, value, IWARP_REGISTRY_##status, NULL, name, rfc }

/* RFC 6580 3.1 to 3.5, RFC 6581 11, RFC 7306 10; the terms as RFC 5040 and RFC 5041 spell them. */
static const want wants[] = {
    ALL(IWARP_REGISTRY_RDMAP_ERRORS, 0x0000, "Local Catastrophic Error", "RFC 5040 4.8"),
    ERR(IWARP_REGISTRY_RDMAP_ERRORS, 0x0100, "Remote Protection Error", "Invalid STag",
        "RFC 5040 4.8"),
    ERR(IWARP_REGISTRY_RDMAP_ERRORS, 0x0101, "Remote Protection Error", "Base or bounds violation",
        "RFC 5040 4.8"),
    ERR(IWARP_REGISTRY_RDMAP_ERRORS, 0x0102, "Remote Protection Error", "Access rights violation",
        "RFC 5040 4.8"),
    ERR(IWARP_REGISTRY_RDMAP_ERRORS, 0x0103, "Remote Protection Error",
        "STag not associated with RDMAP Stream", "RFC 5040 4.8"),
    ERR(IWARP_REGISTRY_RDMAP_ERRORS, 0x0104, "Remote Protection Error", "TO wrap", "RFC 5040 4.8"),
    ERR(IWARP_REGISTRY_RDMAP_ERRORS, 0x0109, "Remote Protection Error",
        "STag cannot be Invalidated", "RFC 5040 4.8"),
    ERR(IWARP_REGISTRY_RDMAP_ERRORS, 0x01FF, "Remote Protection Error", "Unspecified Error",
        "RFC 5040 4.8"),
    ERR(IWARP_REGISTRY_RDMAP_ERRORS, 0x0205, "Remote Operation Error", "Invalid RDMAP version",
        "RFC 5040 4.8"),
    ERR(IWARP_REGISTRY_RDMAP_ERRORS, 0x0206, "Remote Operation Error", "Unexpected OpCode",
        "RFC 5040 4.8"),
    ERR(IWARP_REGISTRY_RDMAP_ERRORS, 0x0207, "Remote Operation Error",
        "Catastrophic error, localized to RDMAP Stream", "RFC 5040 4.8"),
    ERR(IWARP_REGISTRY_RDMAP_ERRORS, 0x0208, "Remote Operation Error", "Catastrophic error, global",
        "RFC 5040 4.8"),
    ERR(IWARP_REGISTRY_RDMAP_ERRORS, 0x0209, "Remote Operation Error", "STag cannot be Invalidated",
        "RFC 5040 4.8"),
    ERR(IWARP_REGISTRY_RDMAP_ERRORS, 0x02FF, "Remote Operation Error", "Unspecified Error",
        "RFC 5040 4.8"),
    ERR(IWARP_REGISTRY_DDP_ERRORS, 0x1000, "Local Catastrophic", "Local Catastrophic",
        "RFC 5041 7.2"),
    ERR(IWARP_REGISTRY_DDP_ERRORS, 0x1100, "Tagged Buffer Error", "Invalid STag", "RFC 5041 7.2"),
    ERR(IWARP_REGISTRY_DDP_ERRORS, 0x1101, "Tagged Buffer Error", "Base or bounds violation",
        "RFC 5041 7.2"),
    ERR(IWARP_REGISTRY_DDP_ERRORS, 0x1102, "Tagged Buffer Error",
        "STag not associated with DDP Stream", "RFC 5041 7.2"),
    ERR(IWARP_REGISTRY_DDP_ERRORS, 0x1103, "Tagged Buffer Error", "TO wrap", "RFC 5041 7.2"),
    ERR(IWARP_REGISTRY_DDP_ERRORS, 0x1104, "Tagged Buffer Error", "Invalid DDP version",
        "RFC 5041 7.2"),
    ERR(IWARP_REGISTRY_DDP_ERRORS, 0x1201, "Untagged Buffer Error", "Invalid QN", "RFC 5041 7.2"),
    ERR(IWARP_REGISTRY_DDP_ERRORS, 0x1202, "Untagged Buffer Error",
        "Invalid MSN - no buffer available", "RFC 5041 7.2"),
    ERR(IWARP_REGISTRY_DDP_ERRORS, 0x1203, "Untagged Buffer Error",
        "Invalid MSN - MSN range is not valid", "RFC 5041 7.2"),
    ERR(IWARP_REGISTRY_DDP_ERRORS, 0x1204, "Untagged Buffer Error", "Invalid MO", "RFC 5041 7.2"),
    ERR(IWARP_REGISTRY_DDP_ERRORS, 0x1205, "Untagged Buffer Error",
        "DDP Message too long for available buffer", "RFC 5041 7.2"),
    ERR(IWARP_REGISTRY_DDP_ERRORS, 0x1206, "Untagged Buffer Error", "Invalid DDP version",
        "RFC 5041 7.2"),
    ALL(IWARP_REGISTRY_DDP_ERRORS, 0x1300, "Reserved for use by the LLP", "RFC 5041 7.2"),
    ERR(IWARP_REGISTRY_MPA_ERRORS, 0x2001, "MPA Error",
        "TCP connection closed, terminated, or lost", "RFC 5044 8"),
    ERR(IWARP_REGISTRY_MPA_ERRORS, 0x2002, "MPA Error", "MPA CRC Error", "RFC 5044 8"),
    ERR(IWARP_REGISTRY_MPA_ERRORS, 0x2003, "MPA Error",
        "MPA Marker and ULPDU Length field mismatch", "RFC 5044 8"),
    ERR(IWARP_REGISTRY_MPA_ERRORS, 0x2004, "MPA Error",
        "Invalid MPA Request Frame or MPA Response Frame", "RFC 5044 8"),
    ERR(IWARP_REGISTRY_MPA_ERRORS, 0x2005, "MPA Error", "Local catastrophic error", "RFC 6581 8"),
    ERR(IWARP_REGISTRY_MPA_ERRORS, 0x2006, "MPA Error", "Insufficient IRD resources", "RFC 6581 8"),
    ERR(IWARP_REGISTRY_MPA_ERRORS, 0x2007, "MPA Error", "No matching RTR option", "RFC 6581 8"),
    ROW(IWARP_REGISTRY_RDMAP_OPCODES, 0, ASSIGNED, "RDMA Write", "RFC 5040 4.3"),
    ROW(IWARP_REGISTRY_RDMAP_OPCODES, 1, ASSIGNED, "RDMA Read Request", "RFC 5040 4.4"),
    ROW(IWARP_REGISTRY_RDMAP_OPCODES, 2, ASSIGNED, "RDMA Read Response", "RFC 5040 4.5"),
    ROW(IWARP_REGISTRY_RDMAP_OPCODES, 3, ASSIGNED, "Send", "RFC 5040 4.6"),
    ROW(IWARP_REGISTRY_RDMAP_OPCODES, 4, ASSIGNED, "Send with Invalidate", "RFC 5040 4.7"),
    ROW(IWARP_REGISTRY_RDMAP_OPCODES, 5, ASSIGNED, "Send with Solicited Event", "RFC 5040 4.6"),
    ROW(IWARP_REGISTRY_RDMAP_OPCODES, 6, ASSIGNED, "Send with Solicited Event and Invalidate",
        "RFC 5040 4.7"),
    ROW(IWARP_REGISTRY_RDMAP_OPCODES, 7, ASSIGNED, "Terminate", "RFC 5040 4.8"),
    ROW(IWARP_REGISTRY_RDMAP_OPCODES, 8, ASSIGNED, "Immediate Data", "RFC 7306 6.2"),
    ROW(IWARP_REGISTRY_RDMAP_OPCODES, 9, ASSIGNED, "Immediate Data with Solicited Event",
        "RFC 7306 6.2"),
    ROW(IWARP_REGISTRY_RDMAP_OPCODES, 10, ASSIGNED, "Atomic Request", "RFC 7306 5.2.1"),
    ROW(IWARP_REGISTRY_RDMAP_OPCODES, 11, ASSIGNED, "Atomic Response", "RFC 7306 5.2.2"),
    ROW(IWARP_REGISTRY_RDMAP_OPCODES, 15, EXPERIMENTAL, "Reserved (Experimental)", "RFC 6580 3.4"),
    ROW(IWARP_REGISTRY_SCTP_FUNCTIONS, 1, ASSIGNED, "DDP Stream Session Initiate",
        "RFC 5043 5.2.3"),
    ROW(IWARP_REGISTRY_SCTP_FUNCTIONS, 2, ASSIGNED, "DDP Stream Session Accept", "RFC 5043 5.2.3"),
    ROW(IWARP_REGISTRY_SCTP_FUNCTIONS, 3, ASSIGNED, "DDP Stream Session Reject", "RFC 5043 5.2.3"),
    ROW(IWARP_REGISTRY_SCTP_FUNCTIONS, 4, ASSIGNED, "DDP Stream Session Terminate",
        "RFC 5043 5.2.3"),
    ROW(IWARP_REGISTRY_SCTP_FUNCTIONS, 5, ASSIGNED, "Enhanced DDP Stream Session Initiate",
        "RFC 6581 7"),
    ROW(IWARP_REGISTRY_SCTP_FUNCTIONS, 6, ASSIGNED, "Enhanced DDP Stream Session Accept",
        "RFC 6581 7"),
    ROW(IWARP_REGISTRY_SCTP_FUNCTIONS, 7, ASSIGNED, "Enhanced DDP Stream Session Reject",
        "RFC 6581 7"),
    ROW(IWARP_REGISTRY_SCTP_FUNCTIONS, 0xFFFF, EXPERIMENTAL, "Reserved (Experimental)",
        "RFC 6580 3.5"),
    ROW(IWARP_REGISTRY_ATOMIC_OPCODES, 0, ASSIGNED, "FetchAdd", "RFC 7306 5.2.1"),
    ROW(IWARP_REGISTRY_ATOMIC_OPCODES, 1, RESERVED, "Reserved", "RFC 7306 5.2.1"),
    ROW(IWARP_REGISTRY_ATOMIC_OPCODES, 2, ASSIGNED, "CmpSwap", "RFC 7306 5.2.1"),
    ROW(IWARP_REGISTRY_DDP_QUEUES, 0, ASSIGNED, "Send", "RFC 7306 10.2"),
    ROW(IWARP_REGISTRY_DDP_QUEUES, 1, ASSIGNED, "RDMA Read Request", "RFC 7306 10.2"),
    ROW(IWARP_REGISTRY_DDP_QUEUES, 2, ASSIGNED, "Terminate", "RFC 7306 10.2"),
    ROW(IWARP_REGISTRY_DDP_QUEUES, 3, ASSIGNED, "Atomic Response", "RFC 7306 10.2"),
};
#define NUM_WANTS (sizeof wants / sizeof wants[0])

static const iwarp_registry registries[] = {
#define REGISTRY_LIST(name, id, title, bits, rfc) IWARP_REGISTRY_##name,
    IWARP_REGISTRY_MAP(REGISTRY_LIST)};
#define NUM_REGISTRIES (sizeof registries / sizeof registries[0])

static void check_entry(const iwarp_registry_entry *got, const want *w) {
  expect(got->first == w->first && got->last == w->last, "%s: %x to %x", w->name, got->first,
         got->last);
  expect(got->status == w->status, "%s: status %d", w->name, (int)got->status);
  ck_assert_pstr_eq(got->group, w->group);
  ck_assert_str_eq(got->name, w->name);
  ck_assert_str_eq(got->rfc, w->rfc);
}

START_TEST(every_entry_in_order)
{
  size_t next = 0;
  for (size_t i = 0; i < NUM_REGISTRIES; i++) {
    iwarp_registry_entry entry;
    size_t index = 0;
    for (; iwarp_registry_at(&entry, registries[i], index); index++) {
      ck_assert_uint_lt(next, NUM_WANTS);
      ck_assert_int_eq(registries[i], wants[next].registry);
      check_entry(&entry, &wants[next++]);
    }
    ck_assert(!iwarp_registry_at(&entry, registries[i], index + 1));
  }
  ck_assert_uint_eq(next, NUM_WANTS);
}
END_TEST

static const want *want_of(iwarp_registry registry, uint32_t value) {
  for (size_t i = 0; i < NUM_WANTS; i++) {
    if (wants[i].registry == registry && wants[i].first <= value && value <= wants[i].last) {
      return &wants[i];
    }
  }
  return NULL;
}

START_TEST(every_value_is_found_or_unassigned)
{
  for (size_t i = 0; i < NUM_REGISTRIES; i++) {
    for (uint32_t value = 0; value <= 0x10000; value++) {
      iwarp_registry_entry entry = {.name = "untouched"};
      const want *w = want_of(registries[i], value);
      bool found = iwarp_registry_find(&entry, registries[i], value);
      expect(found == (w != NULL), "registry %zu, %x", i, value);
      if (found) {
        check_entry(&entry, w);
      } else {
        expect(strcmp(entry.name, "untouched") == 0, "registry %zu, %x", i, value);
      }
    }
  }
}
END_TEST

/* A Terminate is printed with the names of the registries. */
START_TEST(errors_agree_with_the_names_of_a_terminate)
{
  for (uint32_t value = 0; value <= 0x2FFF; value++) {
    uint8_t layer = (uint8_t)(value >> 12);
    iwarp_registry_entry entry;
    bool found = iwarp_registry_find(&entry, registries[layer], value);
    const char *name = iwarp_rdmap_term_code_name(layer, value >> 8 & 15, (uint8_t)value);
    expect(found == iwarp_name_known(name), "%x", value);
    expect(!found || strcmp(entry.name, name) == 0, "%x", value);
  }
}
END_TEST

START_TEST(what_the_registries_are)
{
  static const unsigned bits[] = {16, 16, 16, 4, 16, 4, 32};
  for (size_t i = 0; i < NUM_REGISTRIES; i++) {
    const iwarp_registry_info *info = iwarp_registry_get(registries[i]);
    ck_assert_int_eq(info->registry, registries[i]);
    ck_assert_uint_eq(info->num_bits, bits[i]);
    ck_assert(strlen(info->title) > 0 && strncmp(info->rfc, "RFC ", 4) == 0);
  }
  iwarp_registry_entry entry;
  ck_assert_ptr_null(iwarp_registry_get((iwarp_registry)0));
  ck_assert_ptr_null(iwarp_registry_get((iwarp_registry)8));
  ck_assert(!iwarp_registry_at(&entry, (iwarp_registry)8, 0));
  ck_assert(!iwarp_registry_find(&entry, (iwarp_registry)0, 0));
}
END_TEST

int main(void) {
  const TTest *const tests[] = {every_entry_in_order, every_value_is_found_or_unassigned,
                                errors_agree_with_the_names_of_a_terminate, what_the_registries_are,
                                NULL};
  return check_run(check_suite("registry", tests));
}
