/* SPDX-License-Identifier: BSD-2-Clause */
/* The same, built with pieces that most packets are longer than. */
#include "check_jobs.c"
