/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The operations of an NFSv4 COMPOUND or CB_COMPOUND. RFC 7530 16, RFC 8881 18, RFC 7862 15, RFC
 * 8276 8.4. An operation has no length of its own: its arguments are passed over by their form.
 */
#include "nfs4.h"

#define NFS4_MINOR_MAX 2u

/*
 * The arguments of each operation, by its number. A w stands for a word, d for two words, s for 16
 * octets (a stateid or a session). An o is octets with their length, b a bitmap, z an array that
 * must be empty. O is the end of OPEN, C all of CREATE, W the data of WRITE. NULL: what follows the
 * operation is not named.
 */
static const char *const nfs4_forms[] = {
    [3] = "w",      [4] = "ws",        [5] = "dw",     [6] = "C",      [7] = "d",
    [8] = "s",      [9] = "b",         [10] = "",      [11] = "o",     [13] = "wdddo",
    [14] = "wwsdd", [15] = "o",        [16] = "",      [17] = "bo",    [18] = "wwwdoO",
    [19] = "w",     [20] = "sw",       [21] = "swww",  [22] = "o",     [23] = "",
    [24] = "",      [25] = "sdw",      [26] = "ddwwb", [27] = "",      [28] = "o",
    [29] = "oo",    [30] = "d",        [31] = "",      [32] = "",      [33] = "o",
    [34] = "sbo",   [35] = "dowoow",   [36] = "dd",    [37] = "bo",    [38] = "sdwW",
    [39] = "do",    [41] = "sww",      [44] = "s",     [45] = "s",     [47] = "swwb",
    [48] = "wwdd",  [50] = "wwwdddsw", [52] = "w",     [53] = "swwww", [54] = "oo",
    [57] = "d",     [58] = "w",        [59] = "sdd",   [62] = "sdd",   [63] = "sddb",
    [66] = "s",     [67] = "s",        [68] = "sdw",   [69] = "sdw",   [71] = "ssddd",
    [72] = "o",     [73] = "woo",      [74] = "dw",    [75] = "o",
};

static const char *const nfs4_callback_forms[] = {
    [3] = "ob", [4] = "swo", [8] = "wb", [10] = "w", [11] = "swwwwz",
};

static const char *nfs4_form(upper_space space, uint32_t operation) {
  const bool callback = space == UPPER_NFS4_CALLBACK_OP;
  const size_t num = callback ? sizeof nfs4_callback_forms / sizeof nfs4_callback_forms[0]
                              : sizeof nfs4_forms / sizeof nfs4_forms[0];
  const char *const *forms = callback ? nfs4_callback_forms : nfs4_forms;
  return operation < num ? forms[operation] : NULL;
}

/* ---- arguments ---- */

/* Passes over what a form says, up to a letter for another function, which it returns, or 0. */
static char nfs4_simple(rpc_reader *r, const char *form) {
  for (; *form != 0; form++) {
    switch (*form) {
    case 'w': rpc_skip(r, 4); break;
    case 'd': rpc_skip(r, 8); break;
    case 's': rpc_skip(r, 16); break;
    case 'o': rpc_array(r, 1); break;
    case 'b': rpc_array(r, 4); break;
    case 'z': r->failed = rpc_word(r) != 0 || r->failed; break;
    default: return *form;
    }
  }
  return 0;
}

/* A union: the form of its arm. An arm that does not exist ends the reading. */
static void nfs4_union(rpc_reader *r, const char *const *arms, size_t num) {
  const uint32_t arm = rpc_word(r);
  if (arm >= num || arms[arm] == NULL) {
    r->failed = true;
  } else {
    (void)nfs4_simple(r, arms[arm]);
  }
}

/* openflag4, open_claim4 */
static void nfs4_open(rpc_reader *r) {
  static const char *const modes[] = {"bo", "bo", "d", "dbo"};
  static const char *const claims[] = {"o", "w", "so", "o", "", "s", ""};
  if (rpc_word(r) == 1) {
    nfs4_union(r, modes, sizeof modes / sizeof modes[0]);
  }
  nfs4_union(r, claims, sizeof claims / sizeof claims[0]);
}

/* createtype4, name, attributes */
static void nfs4_create(rpc_reader *r) {
  static const char *const types[] = {NULL, NULL, "", "d", "d", "o", "", ""};
  nfs4_union(r, types, sizeof types / sizeof types[0]);
  (void)nfs4_simple(r, "obo");
}

static void nfs4_arguments(rpc_reader *r, const char *form) {
  switch (nfs4_simple(r, form)) {
  case 'O': nfs4_open(r); break;
  case 'C': nfs4_create(r); break;
  case 'W':
    (void)nfs4_simple(r, r->read_chunks ? "w" : "o");
    break; /* the data may be in a chunk */
  default: break;
  }
}

void upper_nfs4(rpc_reader *r, upper_space space, upper_request *call) {
  rpc_array(r, 1); /* tag */
  const uint32_t minor = rpc_word(r);
  rpc_skip(r, space == UPPER_NFS4_CALLBACK_OP ? 4 : 0); /* callback_ident */
  const uint32_t num = rpc_word(r);
  if (r->failed || minor > NFS4_MINOR_MAX) {
    return;
  }
  const char *form = "";
  while (form != NULL && call->num_parts < num && call->num_parts < UPPER_PARTS) {
    const uint32_t operation = rpc_word(r);
    if (r->failed || upper_name(space, operation) == NULL) {
      break;
    }
    call->parts[call->num_parts++] = (uint8_t)operation;
    form = nfs4_form(space, operation);
    if (form != NULL) {
      nfs4_arguments(r, form);
    }
  }
  call->more_parts = call->num_parts < num;
}
