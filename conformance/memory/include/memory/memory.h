/* SPDX-License-Identifier: BSD-2-Clause */
/* Allocations of the tool, and the record of a failure. */
#ifndef MEMORY_MEMORY_H
#define MEMORY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/**
 * A run that lacks memory cannot be trusted: a finding may be missing, or a file may look damaged.
 * The first failure is therefore remembered for the whole process. Reports stop at it, messages
 * that it may have caused are not printed, and the tool ends with "out of memory" and status 70.
 *
 * All functions may be called from any thread. The caller gives memory back with free().
 */

/** memory_get returns `size` octets; NULL: out of memory, which is remembered. */
void *memory_get(size_t size);

/** memory_zeroed returns `num` zeroed elements of `size` octets; NULL: out of memory, which is
 * remembered. */
void *memory_zeroed(size_t num, size_t size);

/** memory_resize returns `at` with room for `size` octets, perhaps moved; NULL: out of memory,
 * which is remembered, and `at` stays valid. */
void *memory_resize(void *at, size_t size);

/** memory_text returns a copy of a string; NULL: out of memory, which is remembered. */
char *memory_text(const char *text);

/** memory_failed remembers that a library reported a lack of memory. */
void memory_failed(void);

/** memory_failed_errno does the same if `error` is ENOMEM. */
void memory_failed_errno(int error);

/** memory_ran_out returns whether memory ran out since the process began, or since memory_forget.
 */
bool memory_ran_out(void);

/** memory_forget makes memory_ran_out return false again, for a process with several runs. */
void memory_forget(void);

#endif
