/* SPDX-License-Identifier: BSD-2-Clause */
/* An endpoint in the memory of its caller: its configuration, and the place of each part. */
#include <string.h>

#include "../base/mem.h"
#include "../base/minmax.h"
#include "owner.h"

#define MAKE_RTR_ALL (IWARP_RTR_SEND | IWARP_RTR_WRITE | IWARP_RTR_READ)
#define MAKE_DEPTH_MAX (IWARP_MPA_DEPTH_UNSPEC - 1u)
#define MAKE_PARTIAL_DEFAULT 8u

/*
 * A Responder supports some RTR type (RFC 6581 9.2), and a zero-length Read takes a place among the
 * inbound ones.
 */
static bool make_rtr_ok(const iwarp_endpoint_cfg *c) {
  return c->role != IWARP_ROLE_RESPONDER || c->rtr != IWARP_RTR_READ || c->ird > 0 ||
         c->ird_max > 0;
}

static bool make_role_ok(const iwarp_endpoint_cfg *c) {
  return c->role == IWARP_ROLE_INITIATOR || c->role == IWARP_ROLE_RESPONDER;
}

/* A member and the values that it may have. */
typedef struct make_bound {
  const char *name;
  uint32_t least;
  uint32_t most;
  uint32_t value;
} make_bound;

/* The first member that is out of range, or NULL; `size` is right. */
static const char *make_out_of_range(const iwarp_endpoint_cfg *c) {
  const make_bound bounds[] = {
      {"rev", 0, EP_REV_ENHANCED, c->rev},
      {"rtr", 0, MAKE_RTR_ALL, c->rtr},
      {"ird", 0, MAKE_DEPTH_MAX, c->ird},
      {"ird_max", c->ird_max == 0 ? 0 : c->ird, MAKE_DEPTH_MAX, c->ird_max},
      {"ord", 0, MAKE_DEPTH_MAX, c->ord},
      {"emss", 1, UINT32_MAX, c->emss},
      {"num_fpdus", 0, IWARP_TX_FPDUS_MAX, c->num_fpdus},
      {"max_ulpdu", 0, UINT16_MAX, c->max_ulpdu},
      {"num_out_of_order", 0, IWARP_ENDPOINT_LIST_MAX, c->num_out_of_order},
      {"num_sends", 1, IWARP_ENDPOINT_LIST_MAX, c->num_sends},
      {"num_recvs", 0, IWARP_ENDPOINT_LIST_MAX, c->num_recvs},
      {"recv_low", 0, c->srq == NULL ? c->num_recvs : UINT32_MAX, c->recv_low},
      {"num_regions", 0, IWARP_ENDPOINT_LIST_MAX, c->num_regions},
  };
  for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
    if (bounds[i].value < bounds[i].least || bounds[i].value > bounds[i].most) {
      return bounds[i].name;
    }
  }
  return NULL;
}

const char *iwarp_endpoint_cfg_error(const iwarp_endpoint_cfg *c) {
  if (c == NULL || c->size != sizeof(*c)) {
    return "size";
  }
  if (!make_role_ok(c)) {
    return "role";
  }
  const char *name = make_out_of_range(c);
  return name != NULL || make_rtr_ok(c) ? name : "rtr";
}

/* A peer's FPDUs fit its EMSS, which equals the EMSS of this side where both use the same path. RFC
 * 5044 5.1 */
static uint32_t make_max_ulpdu(uint32_t emss) {
  return u32_max(u32_min(emss, UINT16_MAX), IWARP_ENDPOINT_MAX_ULPDU);
}

/* The configuration with its defaults filled in. */
static iwarp_endpoint_cfg make_cfg_of(const iwarp_endpoint_cfg *c) {
  iwarp_endpoint_cfg v = *c;
  v.rev = v.rev == 0 ? (uint8_t)EP_REV_ENHANCED : v.rev;
  v.rtr = v.rtr == 0 ? (uint8_t)MAKE_RTR_ALL : v.rtr;
  v.ird_max = v.ird_max == 0 ? v.ird : v.ird_max;
  v.num_regions = v.regions != NULL ? 0 : v.num_regions;
  v.num_recvs = v.srq != NULL && v.num_recvs == 0 ? 1 : v.num_recvs;
  v.max_ulpdu = v.max_ulpdu == 0 ? make_max_ulpdu(v.emss) : v.max_ulpdu;
  v.max_partial = v.max_partial == 0 ? MAKE_PARTIAL_DEFAULT : v.max_partial;
  v.startup_ns = v.startup_ns == 0 ? IWARP_ENDPOINT_STARTUP_NS : v.startup_ns;
  v.close_ns = v.close_ns == 0 ? IWARP_ENDPOINT_CLOSE_NS : v.close_ns;
  return v;
}

/* The parts of an endpoint in its memory. */
typedef enum make_part {
  MAKE_PART_SELF = 0,
  MAKE_PART_REGIONS,
  MAKE_PART_RECVS,
  MAKE_PART_OPS,
  MAKE_PART_INBOUNDS,
  MAKE_PART_OUT_OF_ORDER,
  MAKE_PART_NODES,
  MAKE_PART_STARTUP,
  MAKE_PART_ASSEMBLY,
  MAKE_PART_RUNS,
  MAKE_PART_TX,
  MAKE_NUM_PARTS
} make_part;

/* Operations, the RTR message among them. */
static uint32_t make_num_ops(const iwarp_endpoint_cfg *c) {
  return c->num_sends + 1;
}

/* Rings have one entry at least. */
static uint32_t make_ring_cap(uint32_t num) {
  return u32_max(num, 1);
}

static uint32_t make_tx_messages(const iwarp_endpoint_cfg *c) {
  return make_num_ops(c) + make_ring_cap(c->ird_max);
}

static size_t make_tx_size(const iwarp_endpoint_cfg *c) {
  return iwarp_tx_size(&(iwarp_tx_cfg){.size = sizeof(iwarp_tx_cfg),
                                       .emss = c->emss,
                                       .num_messages = make_tx_messages(c),
                                       .num_fpdus = c->num_fpdus,
                                       .pool = c->pool});
}

/* Fills in where each part begins, and last how much there is in all. */
static void make_lay_out(size_t at[MAKE_NUM_PARTS + 1], const iwarp_endpoint_cfg *c) {
  const bool whole = c->pool == NULL; /* the endpoint itself holds all memory */
  const size_t len[MAKE_NUM_PARTS] = {
      [MAKE_PART_SELF] = sizeof(iwarp_endpoint),
      [MAKE_PART_REGIONS] = c->num_regions * sizeof(ep_region),
      [MAKE_PART_RECVS] = make_ring_cap(c->num_recvs) * sizeof(ep_recv),
      [MAKE_PART_OPS] = make_num_ops(c) * sizeof(ep_op),
      [MAKE_PART_INBOUNDS] = make_ring_cap(c->ird_max) * sizeof(ep_inbound),
      [MAKE_PART_OUT_OF_ORDER] = c->num_out_of_order * sizeof(ep_record),
      [MAKE_PART_NODES] = c->num_out_of_order * sizeof(ep_node),
      [MAKE_PART_STARTUP] = whole ? EP_FRAMES_LEN : 0,
      [MAKE_PART_ASSEMBLY] = whole ? iwarpi_ep_frame_max(c) : 0,
      [MAKE_PART_RUNS] = iwarpi_ep_num_runs(c) * sizeof(iwarp_endpoint_run),
      [MAKE_PART_TX] = make_tx_size(c),
  };
  at[0] = 0;
  for (size_t i = 0; i < MAKE_NUM_PARTS; i++) {
    at[i + 1] = at[i] + mem_up(len[i]);
  }
}

size_t iwarp_endpoint_size(const iwarp_endpoint_cfg *cfg) {
  size_t at[MAKE_NUM_PARTS + 1];
  if (iwarp_endpoint_cfg_error(cfg) != NULL) {
    return 0;
  }
  const iwarp_endpoint_cfg c = make_cfg_of(cfg);
  make_lay_out(at, &c);
  return at[MAKE_NUM_PARTS];
}

/* The memory of startup frames and of FPDUs that are not whole, unless a pool gives it. */
static void make_set_up_waiting(iwarp_endpoint *ep, const iwarp_endpoint_cfg *c, uint8_t *frames,
                                uint8_t *fpdu) {
  const size_t cap = iwarpi_ep_frame_max(c);
  ep->startup.pool = c->pool;
  ep->reassembly = (ep_reassembly){.cap = cap, .pool = c->pool};
  if (c->pool == NULL) {
    iwarpi_ep_startup_memory(&ep->startup, frames);
    ep->reassembly.room = cap;
    ep->reassembly.buf = fpdu;
  }
}

static void make_setup(iwarp_endpoint *ep, const iwarp_endpoint_cfg *c, const size_t *at) {
  uint8_t *mem = (uint8_t *)ep;
  memset(ep, 0, sizeof *ep);
  ep->cfg = *c;
  iwarpi_ep_stop_timer(&ep->clock);
  ep->startup.terms.ird = c->ird;
  ep->startup.terms.ord = c->ord;
  iwarpi_ep_take_terms(ep);
  for (size_t qn = 0; qn < sizeof ep->rx.msn / sizeof ep->rx.msn[0]; qn++) {
    ep->rx.msn[qn] = 1; /* RFC 5041 4.3 */
  }
  ep->placing.runs = (void *)(mem + at[MAKE_PART_RUNS]);
  ep->memory =
      (ep_memory){.own = {.rows = (void *)(mem + at[MAKE_PART_REGIONS]), .cap = c->num_regions},
                  .regions = c->regions != NULL ? c->regions : &ep->memory.own,
                  .pd = c->pd};
  ep->rq = (ep_rq){.own = {.recvs = (void *)(mem + at[MAKE_PART_RECVS]),
                           .ring.cap = make_ring_cap(c->num_recvs),
                           .most = c->num_recvs,
                           .low = c->recv_low},
                   .shared = c->srq};
  ep->irq = (ep_inbounds){.slots = (void *)(mem + at[MAKE_PART_INBOUNDS]),
                          .ring.cap = make_ring_cap(c->ird_max)};
  ep->sq = (ep_sq){.ops = (void *)(mem + at[MAKE_PART_OPS]),
                   .ring.cap = make_num_ops(c),
                   .tx_mem = mem + at[MAKE_PART_TX],
                   .tx_messages = make_tx_messages(c)};
  make_set_up_waiting(ep, c, mem + at[MAKE_PART_STARTUP], mem + at[MAKE_PART_ASSEMBLY]);
  iwarpi_ep_tree_init(&ep->out_of_order.tree, (void *)(mem + at[MAKE_PART_OUT_OF_ORDER]),
                      (void *)(mem + at[MAKE_PART_NODES]), c->num_out_of_order);
}

iwarp_err iwarp_endpoint_init(iwarp_endpoint **out, void *mem, size_t mem_len,
                              const iwarp_endpoint_cfg *cfg) {
  size_t at[MAKE_NUM_PARTS + 1];
  const iwarp_err err = mem_error(out, mem, mem_len, iwarp_endpoint_size(cfg));
  if (err != IWARP_OK) {
    return err;
  }
  const iwarp_endpoint_cfg c = make_cfg_of(cfg);
  make_lay_out(at, &c);
  *out = mem;
  make_setup(*out, &c, at);
  return IWARP_OK;
}
