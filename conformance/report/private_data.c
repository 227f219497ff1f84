/* SPDX-License-Identifier: BSD-2-Clause */
/* What the Private Data of a startup frame hold, where it is a form that the library knows. */
#include <iwarp/private_data.h>

#include <report/frame.h>
#include <report/private_data.h>

static void private_data_add(report_private_data *p, iwarp_form form, iwarp_span octets) {
  p->part[p->num].form = form;
  p->part[p->num].octets = octets;
  p->num++;
}

static void private_data_smbd(report_private_data *p, iwarp_span ulp_data) {
  switch (iwarp_smbd_depths_guess(ulp_data)) {
  case IWARP_BYTE_ORDER_UNKNOWN: return;
  case IWARP_BYTE_ORDER_BIG: private_data_add(p, IWARP_FORM_SMBD_DEPTHS, ulp_data); return;
  case IWARP_BYTE_ORDER_LITTLE: private_data_add(p, IWARP_FORM_SMBD_DEPTHS_LE, ulp_data); return;
  }
}

static void private_data_rpc(report_private_data *p, iwarp_span private_data) {
  const iwarp_span rpc = iwarp_rpc_rdma_find(private_data);
  if (rpc.len > 0) {
    private_data_add(p, IWARP_FORM_RPC_RDMA, rpc);
  }
}

report_private_data report_private_data_of(const iwarp_mpa_startup *frame, iwarp_span ulp_data) {
  report_private_data p = {.num = 0};
  const iwarp_span all = frame->private_data;
  if (frame->rev == IWARP_MPA_REV_ERDMA && all.len >= ulp_data.len + IWARP_ERDMA_EXT_LEN) {
    private_data_add(&p, IWARP_FORM_ERDMA_EXT, all);
  }
  private_data_rpc(&p, all);
  if ((frame->rev == 1 || frame->rev == 2) && all.len >= frame->pd_length) {
    private_data_smbd(&p, ulp_data);
  }
  return p;
}

report_private_data report_private_data_sctp(iwarp_span private_data) {
  report_private_data p = {.num = 0};
  private_data_rpc(&p, private_data);
  return p;
}

static void private_data_size_row(out_buf *out, const char *label, uint8_t size) {
  report_note_put(out, label);
  out_u64(out, iwarp_rpc_rdma_octets(size));
  out_str(out, " octets\n");
}

void report_private_data_text(out_buf *out, const report_private_data *p) {
  for (size_t i = 0; i < p->num; i++) {
    iwarp_rpc_rdma v = {0};
    report_form_put(out, p->part[i].form, p->part[i].octets);
    if (p->part[i].form == IWARP_FORM_RPC_RDMA &&
        iwarp_rpc_rdma_decode(&v, p->part[i].octets).err == IWARP_OK) {
      private_data_size_row(out, "longest Send", v.send_size);
      private_data_size_row(out, "longest Receive", v.receive_size);
    }
  }
}

void report_private_data_json(jsonw *w, const report_private_data *p) {
  for (size_t i = 0; i < p->num; i++) {
    report_form_json(w, p->part[i].form, p->part[i].octets);
  }
}
