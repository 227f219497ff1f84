/* SPDX-License-Identifier: BSD-2-Clause */
/* The commands. Each returns an exit status. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "opts.h"

int cmd_check(const opts *o);
int cmd_dump(const opts *o);
int cmd_observe(const opts *o);
int cmd_decode(const opts *o);
int cmd_rules(const opts *o);
int cmd_explain(const opts *o);
int cmd_coverage(const opts *o);
int cmd_gen(const opts *o);
int cmd_merge(const opts *o);
int cmd_scrub(const opts *o);
int cmd_stats(const opts *o);
int cmd_probe(const opts *o);
int cmd_peer(const opts *o);

#endif
