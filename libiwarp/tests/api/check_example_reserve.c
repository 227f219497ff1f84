/* SPDX-License-Identifier: BSD-2-Clause */
/* docs/examples/reserve.c against a peer that terminates and resets before the next send. */
#define _POSIX_C_SOURCE 200809L
#include <sys/uio.h>

#include "rude_peer.h"

/* The example, whose sends drive the peer. */
static ssize_t rude_writev(int fd, const struct iovec *iov, int num) {
  rude_before_send();
  const ssize_t n = writev(fd, iov, num);
  rude_after_send();
  return n;
}

#undef fail /* of Check; the example has a function of that name */
int example_main(void);
#define main example_main
#define writev rude_writev
#include "../../../docs/examples/reserve.c"
#undef writev
#undef main

START_TEST(a_terminate_before_a_failed_send_is_reported)
{
  connect_both(rude.fd);
  rude_expect_terminate(rude_run(initiator));
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_terminate_before_a_failed_send_is_reported, NULL};
  return check_run(check_suite("example-reserve", tests));
}
