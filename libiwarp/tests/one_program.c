/* SPDX-License-Identifier: BSD-2-Clause */
/* The unit tests of a project as one program, with IWARP_ONE_PROGRAM: runs all files of tests, or
   the one that its argument names, such as check_ddp_hdr. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name;
  int (*run)(void);
} files[] = {
#include TESTS
};

int main(int argc, char **argv) {
  size_t run = 0;
  bool failed = false;
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    if (argc < 2 || strcmp(argv[1], files[i].name) == 0) {
      printf("%s\n", files[i].name);
      fflush(stdout); /* so that the name is there if the tests of the file crash */
      failed |= files[i].run() != EXIT_SUCCESS;
      run++;
    }
  }
  if (run == 0) {
    fprintf(stderr, "%s: there is no file of tests %s here\n", argv[0], argv[1]);
  }
  return run == 0 || failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
