/* SPDX-License-Identifier: BSD-2-Clause */
/* The mutator as AFL++ loads it, and as libFuzzer links it. */
#define _POSIX_C_SOURCE 200809L

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "check_run.h"
#include "mutator_stream.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_SCRIPT; /* of the target that libFuzzer links */

/* What libFuzzer has, and what drivers/libfuzzer.c gives it. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

static size_t own_mutations;

/* libFuzzer's own mutation: it breaks the CRC of the last FPDU. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size) {
  own_mutations++;
  ck_assert_uint_le(size, max_size);
  data[size - FUZZ_TAIL - 1] ^= 1;
  return size;
}

/* AFL++'s interface: include/afl-fuzz.h of AFL++ 4. */
typedef struct library {
  void *handle;
  void *(*init)(void *afl, unsigned int seed);
  void (*deinit)(void *data);
  size_t (*fuzz)(void *data, uint8_t *in, size_t len, uint8_t **out, uint8_t *other,
                 size_t other_len, size_t cap);
  size_t (*post_process)(void *data, uint8_t *in, size_t len, uint8_t **out);
} library;

static library afl;
static stream_input made;

/* dlsym returns an object pointer; POSIX allows a function's address in it. */
static void symbol(void *to, const char *name) {
  void *found = dlsym(afl.handle, name);
  expect(found != NULL, "%s is not exported", name);
  memcpy(to, &found, sizeof found);
}

static void load(void) {
  afl.handle = dlopen(MUTATOR_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  expect(afl.handle != NULL, "%s", dlerror());
  symbol(&afl.init, "afl_custom_init");
  symbol(&afl.deinit, "afl_custom_deinit");
  symbol(&afl.fuzz, "afl_custom_fuzz");
  symbol(&afl.post_process, "afl_custom_post_process");
}

static size_t wrong_crcs(const uint8_t *octets, size_t len) {
  const stream_state s = stream_look(octets, len, false);
  return s.crc;
}

START_TEST(afl_mends_what_its_own_mutations_broke)
{
  uint8_t *out = NULL;
  load();
  setenv("IWARP_FUZZ_FORM", "script", 1);
  void *data = afl.init(NULL, 1);
  stream_of_fpdus(&made, false);
  made.octets[made.len - FUZZ_TAIL - 1] ^= 1;
  ck_assert_uint_eq(wrong_crcs(made.octets, made.len), 1);
  const size_t len = afl.post_process(data, made.octets, made.len, &out);
  ck_assert_uint_eq(len, made.len);
  ck_assert_uint_eq(wrong_crcs(out, len), 0);
  ck_assert_uint_eq(wrong_crcs(made.octets, made.len), 1); /* its own copy stays unchanged */
  *stream_tail(&made) = FUZZ_KEEP_BROKEN;
  ck_assert_uint_eq(afl.post_process(data, made.octets, made.len, &out), made.len);
  ck_assert_mem_eq(out, made.octets, made.len);
  afl.deinit(data);
}
END_TEST

START_TEST(afl_gets_other_inputs_of_the_same_kind)
{
  static uint8_t first[STREAM_MAX];
  uint8_t *out = NULL;
  size_t others = 0;
  size_t kept = 0;
  load();
  setenv("IWARP_FUZZ_FORM", "script", 1);
  void *data = afl.init(NULL, 7);
  void *again = afl.init(NULL, 7);
  stream_of_fpdus(&made, false);
  for (size_t i = 0; i < 300; i++) {
    size_t len = afl.fuzz(data, made.octets, made.len, &out, made.octets, made.len, STREAM_MAX);
    ck_assert_uint_le(len, STREAM_MAX);
    memcpy(first, out, len);
    others += len != made.len || memcmp(out, made.octets, len) != 0 ? 1 : 0;
    kept += wrong_crcs(out, len) == 0 ? 1 : 0;
    ck_assert_uint_eq(
        afl.fuzz(again, made.octets, made.len, &out, made.octets, made.len, STREAM_MAX), len);
    ck_assert_mem_eq(out, first, len); /* the same seed */
  }
  ck_assert_uint_gt(others, 250);
  ck_assert_uint_gt(kept, 250);
  afl.deinit(again);
  afl.deinit(data);
}
END_TEST

START_TEST(an_unknown_form_is_octets)
{
  uint8_t *out = NULL;
  load();
  setenv("IWARP_FUZZ_FORM", "nothing", 1);
  void *data = afl.init(NULL, 1);
  stream_of_fpdus(&made, false);
  made.octets[made.len - FUZZ_TAIL - 1] ^= 1;
  const size_t len = afl.post_process(data, made.octets, made.len, &out);
  ck_assert_uint_eq(len, made.len);
  ck_assert_mem_eq(out, made.octets, len);
  afl.deinit(data);
}
END_TEST

START_TEST(libfuzzer_gets_both_kinds_of_changes_and_all_are_mended)
{
  static uint8_t octets[STREAM_MAX];
  size_t kept = 0;
  stream_of_fpdus(&made, false);
  for (unsigned seed = 1; seed <= 300; seed++) {
    memcpy(octets, made.octets, made.len);
    const size_t len = LLVMFuzzerCustomMutator(octets, made.len, sizeof octets, seed);
    ck_assert_uint_le(len, sizeof octets);
    kept += wrong_crcs(octets, len) == 0 ? 1 : 0;
  }
  ck_assert_uint_gt(own_mutations, 50);
  ck_assert_uint_lt(own_mutations, 250);
  ck_assert_uint_gt(kept, 250);
}
END_TEST

START_TEST(libfuzzer_can_do_without_for_a_comparison)
{
  stream_of_fpdus(&made, false);
  own_mutations = 0;
  setenv("IWARP_FUZZ_PLAIN", "1", 1);
  for (unsigned seed = 1; seed <= 10; seed++) {
    ck_assert_uint_eq(LLVMFuzzerCustomMutator(made.octets, made.len, sizeof made.octets, seed),
                      made.len);
  }
  unsetenv("IWARP_FUZZ_PLAIN");
  ck_assert_uint_eq(own_mutations, 10);
  ck_assert_uint_eq(wrong_crcs(made.octets, made.len), 0); /* an even number of changes */
}
END_TEST

int main(void) {
  const TTest *const tests[] = {afl_mends_what_its_own_mutations_broke,
                                afl_gets_other_inputs_of_the_same_kind,
                                an_unknown_form_is_octets,
                                libfuzzer_gets_both_kinds_of_changes_and_all_are_mended,
                                libfuzzer_can_do_without_for_a_comparison,
                                NULL};
  return check_run(check_suite("exports", tests));
}
