/* SPDX-License-Identifier: BSD-2-Clause */
/* What captures are called: the shortest tails that tell them apart. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "check_run.h"

#include <capture_names.h>

static long countdown = -1; /* allocations until one fails; negative: none does */

static bool fails(void) {
  return countdown >= 0 && countdown-- == 0;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t num, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t num, size_t size);

void *__wrap_malloc(size_t size) {
  return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t num, size_t size) {
  return fails() ? NULL : __real_calloc(num, size);
}

/* Compares the names of paths, both ended by NULL. */
static void named(const char *const *paths, const char *const *wanted) {
  size_t num = 0;
  while (paths[num] != NULL) {
    num++;
  }
  char **names = capture_names_make(paths, num);
  ck_assert_ptr_nonnull(names);
  for (size_t i = 0; i < num; i++) {
    ck_assert_str_eq(names[i], wanted[i]);
  }
  capture_names_free(names, num);
}

START_TEST(one_capture_has_its_last_component)
{
  named((const char *const[]){"/a/b/c.pcap", NULL}, (const char *const[]){"c.pcap", NULL});
  named((const char *const[]){"c.pcap", NULL}, (const char *const[]){"c.pcap", NULL});
  named((const char *const[]){"-", NULL}, (const char *const[]){"-", NULL});
  named((const char *const[]){"b/", NULL}, (const char *const[]){"b", NULL});
  named((const char *const[]){"/", NULL}, (const char *const[]){".", NULL});
  named((const char *const[]){NULL}, (const char *const[]){NULL});
}
END_TEST

START_TEST(what_ends_alike_keeps_as_much_as_tells_it_apart)
{
  named((const char *const[]){"a/x.pcap", "b/x.pcap", "c/y.pcap", NULL},
        (const char *const[]){"a/x.pcap", "b/x.pcap", "y.pcap", NULL});
  named((const char *const[]){"/1/a/x", "/2/a/x", "/2/b/x", NULL},
        (const char *const[]){"1/a/x", "2/a/x", "b/x", NULL});
  named((const char *const[]){"x", "a/x", "/b/a/x", NULL},
        (const char *const[]){"x", "a/x", "b/a/x", NULL});
}
END_TEST

START_TEST(a_component_counts_as_a_whole)
{
  named((const char *const[]){"a/1x", "a/x", NULL}, (const char *const[]){"1x", "x", NULL});
  named((const char *const[]){"1a/x", "a/x", NULL}, (const char *const[]){"1a/x", "a/x", NULL});
  named((const char *const[]){"1a/x", "2a/x", NULL}, (const char *const[]){"1a/x", "2a/x", NULL});
}
END_TEST

START_TEST(the_same_path_has_the_same_name)
{
  named((const char *const[]){"a/x", "./a//x", "a/./x", "b/x", NULL},
        (const char *const[]){"a/x", "a/x", "a/x", "b/x", NULL});
  named((const char *const[]){"a/x", "a/x", NULL}, (const char *const[]){"x", "x", NULL});
}
END_TEST

START_TEST(octets_that_cannot_be_shown_tell_apart_too)
{
  named((const char *const[]){"a\xff", "b", NULL}, (const char *const[]){"a\xff", "b", NULL});
  named((const char *const[]){"a\xff", "b\\", "a\xfe", NULL},
        (const char *const[]){"a\\xff", "b\\x5c", "a\\xfe", NULL});
  named((const char *const[]){"a\x1b", "a?", "\xc3\xbc", NULL},
        (const char *const[]){"a\\x1b", "a?", "\xc3\xbc", NULL});
  named((const char *const[]){"1/a\xff", "1/a\xff", "2/a\xff", NULL},
        (const char *const[]){"1/a\xff", "1/a\xff", "2/a\xff", NULL});
  named((const char *const[]){"1\xff/a", "2/a", "1\xfe/a", NULL},
        (const char *const[]){"1\\xff/a", "2/a", "1\\xfe/a", NULL});
  named((const char *const[]){"a\xc2\x9b", "a??", "a\xff", NULL},
        (const char *const[]){"a\\xc2\\x9b", "a??", "a\\xff", NULL});
}
END_TEST

START_TEST(without_memory_there_are_none)
{
  static const char *const paths[] = {"a/x\xfe", "a/x\xff"};
  char **names = NULL;
  long n = 0;
  for (; names == NULL; n++) {
    countdown = n;
    names = capture_names_make(paths, 2);
  }
  countdown = -1;
  ck_assert_int_gt(n, 3);
  ck_assert_str_eq(names[1], "x\\xff");
  capture_names_free(names, 2);
  capture_names_free(NULL, 2);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {one_capture_has_its_last_component,
                                what_ends_alike_keeps_as_much_as_tells_it_apart,
                                a_component_counts_as_a_whole,
                                the_same_path_has_the_same_name,
                                octets_that_cannot_be_shown_tell_apart_too,
                                without_memory_there_are_none,
                                NULL};
  return check_run(check_suite("names", tests));
}
