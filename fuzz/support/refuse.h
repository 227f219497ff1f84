/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory that is refused: malloc, calloc and realloc of the program, for a while. */
#ifndef FUZZ_SUPPORT_REFUSE_H
#define FUZZ_SUPPORT_REFUSE_H

#include "fuzz.h"

/* Which requests are refused: the one of number `first` (from 1 on; 0: none), and with `every` each
 * so many after it. */
typedef struct refusal {
  uint64_t first;
  uint64_t every;
  uint64_t asked; /* requests so far */
} refusal;

/* refusal_of makes one of an octet and a number of the tail. */
refusal refusal_of(fuzz_in *in);

/* refusal_now counts a request, and says whether it is refused. */
bool refusal_now(refusal *r);

/* refuse_begin lets malloc and the like go by `r`, until refuse_end; the program is linked with
 * `--wrap` for each of them. */
void refuse_begin(refusal *r);
void refuse_end(void);

#endif
