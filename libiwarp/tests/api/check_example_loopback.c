/* SPDX-License-Identifier: BSD-2-Clause */
/* docs/examples/loopback.c against a peer that terminates and resets before the next send. */
#define _POSIX_C_SOURCE 200809L
#include "rude_peer.h"

/* The example, whose sends drive the peer. */
static ssize_t rude_sendmsg(int fd, const struct msghdr *msg, int flags) {
  rude_before_send();
  const ssize_t n = sendmsg(fd, msg, flags);
  rude_after_send();
  return n;
}

#undef fail /* of Check; the example has a function of that name */
int example_main(void);
#define main example_main
#define sendmsg rude_sendmsg
#include "../../../docs/examples/loopback.c"
#undef sendmsg
#undef main

START_TEST(a_terminate_before_a_failed_send_is_reported)
{
  connect_both(rude.fd);
  rude_expect_terminate(rude_run(initiator));
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_terminate_before_a_failed_send_is_reported, NULL};
  return check_run(check_suite("example-loopback", tests));
}
