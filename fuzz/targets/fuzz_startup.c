/* SPDX-License-Identifier: BSD-2-Clause */
/* MPA Request and Reply Frames, and what their Private Data hold. */
#include <iwarp/mpa.h>
#include <iwarp/pdu.h>
#include <iwarp/private_data.h>
#include <iwarp/scan.h>

#include "fields.h"
#include "fuzz.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_STARTUP;

FUZZ_CODEC(mpa_startup)
FUZZ_CODEC(mpa_enhanced)
FUZZ_CODEC(erdma_ext)
FUZZ_CODEC(rpc_rdma)

/* `need` is exact: with one octet less the frame still wants the same, with all it decodes. */
static void startup(iwarp_span in) {
  iwarp_mpa_startup v;
  if (!mpa_startup_holds(in)) {
    return;
  }
  const iwarp_dec d = iwarp_mpa_startup_decode(&v, in);
  fuzz_expect(d.used == iwarp_mpa_startup_size(v.rev, v.pd_length), "the size of a frame");
  for (size_t cut = d.used; cut-- > 0 && cut + 3 > d.used;) {
    const iwarp_dec less = iwarp_mpa_startup_decode(&v, (iwarp_span){in.ptr, cut});
    fuzz_expect(less.err == IWARP_ERR_NEED_MORE &&
                    less.need == (cut < IWARP_MPA_STARTUP_LEN ? IWARP_MPA_STARTUP_LEN : d.used),
                "need %zu of %zu", less.need, d.used);
  }
  fields_agree(IWARP_FORM_MPA_STARTUP, in, &v);
  fuzz_expect(iwarp_mpa_startup_is_enhanced(&v) ==
                  ((v.flags & IWARP_MPA_FLAG_S) != 0 && v.rev == 2 &&
                   v.private_data.len >= IWARP_MPA_ENHANCED_LEN),
              "enhanced");
}

static void private_data(iwarp_span in) {
  iwarp_smbd_depths v;
  iwarp_smbd_depths back;
  uint8_t out[IWARP_SMBD_DEPTHS_LEN];
  size_t n;
  const iwarp_byte_order order = iwarp_smbd_depths_guess(in);
  const iwarp_span rpc = iwarp_rpc_rdma_find(in);
  fuzz_expect(rpc.len == 0 || rpc.len == IWARP_RPC_RDMA_LEN, "%zu octets", rpc.len);
  fuzz_expect(rpc.len == 0 || (rpc.ptr >= in.ptr && rpc.ptr + rpc.len <= in.ptr + in.len),
              "found outside");
  if (order == IWARP_BYTE_ORDER_UNKNOWN) {
    return;
  }
  fuzz_expect(iwarp_smbd_depths_decode(&v, in, order).err == IWARP_OK && v.ird < 65536 &&
                  v.ord < 65536 && v.ird + v.ord > 0,
              "a guess that does not hold");
  fuzz_expect(iwarp_smbd_depths_encode(out, sizeof out, &n, &v, order) == IWARP_OK, "encode");
  fuzz_same(in, out, n, "smbd");
  fuzz_expect(iwarp_smbd_depths_decode(&back, (iwarp_span){out, n}, order).used == n, "again");
}

/* A key is found in the same place however the octets come. */
static void scan(iwarp_span in, size_t cut) {
  iwarp_scan whole = {0};
  iwarp_scan parts = {0};
  iwarp_span held;
  iwarp_span rest;
  size_t left[2] = {SIZE_MAX, SIZE_MAX};
  cut = in.len > 0 ? cut % in.len : 0;
  if (iwarp_scan_push(&whole, &held, &rest, in)) {
    left[0] = held.len + rest.len;
  }
  if (iwarp_scan_push(&parts, &held, &rest, (iwarp_span){in.ptr, cut})) {
    left[1] = held.len + rest.len + (in.len - cut);
  } else if (iwarp_scan_push(&parts, &held, &rest, (iwarp_span){in.ptr + cut, in.len - cut})) {
    left[1] = held.len + rest.len;
  }
  fuzz_expect(left[0] == left[1], "a key %zu octets before the end, or %zu", left[0], left[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_in f = fuzz_begin(data, size);
  const iwarp_span in = fuzz_span(&f);
  startup(in);
  (void)mpa_enhanced_holds(in);
  (void)erdma_ext_holds(in);
  (void)rpc_rdma_holds(in);
  private_data(in);
  scan(in, fuzz_u16(&f));
  return 0;
}
