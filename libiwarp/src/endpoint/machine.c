/* SPDX-License-Identifier: BSD-2-Clause */
/* The state table of an endpoint: what is done about each input in each state, and what is next. */
#include "machine.h"

/* The cells of the two blocks. */
enum {
#define EP_CELL_DO(name, cell, shown, text) ep_do_##cell = EP_DO_##name,
  EP_ACTION_MAP(EP_CELL_DO)
#undef EP_CELL_DO
};

enum {
  ep_next_I = IWARP_ENDPOINT_IDLE,
  ep_next_W = IWARP_ENDPOINT_WAIT_REPLY,
  ep_next_A = IWARP_ENDPOINT_REPLY_PENDING,
  ep_next_Q = IWARP_ENDPOINT_WAIT_REQUEST,
  ep_next_R = IWARP_ENDPOINT_REQUEST_PENDING,
  ep_next_F = IWARP_ENDPOINT_AWAIT_FIRST_FPDU,
  ep_next_U = IWARP_ENDPOINT_FULL,
  ep_next_E = IWARP_ENDPOINT_ENDING,
  ep_next_S = IWARP_ENDPOINT_LOCAL_CLOSED,
  ep_next_P = IWARP_ENDPOINT_PEER_ENDED,
  ep_next_L = IWARP_ENDPOINT_CLOSING,
  ep_next_X = IWARP_ENDPOINT_SEND_FAILED,
  ep_next_T = IWARP_ENDPOINT_TERMINATING,
  ep_next_M = IWARP_ENDPOINT_TERMINATED,
  ep_next_O = IWARP_ENDPOINT_DETACHED,
  ep_next_C = IWARP_ENDPOINT_CLOSED,
  ep_next__ = IWARP_ENDPOINT_NUM_STATES /* it stays */
};

/* clang-format off */
#define EP_DO_ROW(state, co, li, ac, rj, po, re, cl, ab, oc, bf, su, ov, rq, rp, rx, fp, fa,       \
    te, dr, fi, cu, sf, lo, ti)                                                                      \
  [IWARP_ENDPOINT_##state] = {ep_do_##co, ep_do_##li, ep_do_##ac, ep_do_##rj, ep_do_##po,          \
      ep_do_##re, ep_do_##cl, ep_do_##ab, ep_do_##oc, ep_do_##bf, ep_do_##su, ep_do_##ov,          \
      ep_do_##rq, ep_do_##rp, ep_do_##rx, ep_do_##fp, ep_do_##fa, ep_do_##te, ep_do_##dr,          \
      ep_do_##fi, ep_do_##cu, ep_do_##sf, ep_do_##lo, ep_do_##ti},

#define EP_NEXT_ROW(state, co, li, ac, rj, po, re, cl, ab, oc, bf, su, ov, rq, rp, rx, fp, fa,     \
    te, dr, fi, cu, sf, lo, ti)                                                                      \
  [IWARP_ENDPOINT_##state] = {ep_next_##co, ep_next_##li, ep_next_##ac, ep_next_##rj,              \
      ep_next_##po, ep_next_##re, ep_next_##cl, ep_next_##ab, ep_next_##oc, ep_next_##bf,          \
      ep_next_##su, ep_next_##ov, ep_next_##rq, ep_next_##rp, ep_next_##rx, ep_next_##fp,          \
      ep_next_##fa, ep_next_##te, ep_next_##dr, ep_next_##fi, ep_next_##cu, ep_next_##sf,          \
      ep_next_##lo, ep_next_##ti},

/* RFC 5044 7.1.2, RFC 6581 9, RFC 5041 6.2, RFC 5040 6.2 and 7. A column is an input, in the order
 * of EP_INPUT_MAP; a cell is as in EP_ACTION_MAP. */
static const uint8_t ep_do[IWARP_ENDPOINT_NUM_STATES][EP_NUM_INPUTS] = {
  /*                          co li ac rj po re cl ab oc bf su ov rq rp rx fp fa te dr fi cu sf lo ti */
  EP_DO_ROW(IDLE,             rq,ti,no,no,no,ok,dr,dr,no,xx,xx,xx,xx,xx,xx,xx,xx,xx,xx,dr,xx,no,br,xx)
  EP_DO_ROW(WAIT_REPLY,       no,no,no,no,no,ok,dr,dr,ct,dr,xx,xx,xx,tp,tj,xx,xx,xx,xx,dr,xx,ok,br,dr)
  EP_DO_ROW(REPLY_PENDING,    no,no,co,lv,no,ok,dr,dr,ho,dr,xx,dr,xx,xx,xx,xx,xx,xx,xx,dr,xx,ok,br,dr)
  EP_DO_ROW(WAIT_REQUEST,     no,no,no,no,no,ok,dr,dr,ct,dr,xx,xx,tq,xx,xx,xx,xx,xx,xx,dr,xx,ok,br,dr)
  EP_DO_ROW(REQUEST_PENDING,  no,no,rp,rj,no,ok,dr,dr,su,dr,dr,xx,xx,xx,xx,xx,xx,xx,xx,dr,xx,ok,br,dr)
  EP_DO_ROW(AWAIT_FIRST_FPDU, no,no,no,no,ok,ok,no,dr,fe,xx,dr,xx,xx,xx,xx,uf,nt,xx,xx,dr,dr,ok,br,dr)
  EP_DO_ROW(FULL,             no,no,no,no,ok,ok,en,dr,fe,xx,xx,xx,xx,xx,xx,ok,te,td,xx,pe,dr,st,br,xx)
  EP_DO_ROW(ENDING,           no,no,no,no,no,ok,ok,dr,fe,xx,xx,xx,xx,xx,xx,ok,te,td,sd,pe,dr,st,br,dr)
  EP_DO_ROW(LOCAL_CLOSED,     no,no,no,no,no,ok,ok,dr,fe,xx,xx,xx,xx,xx,xx,ok,nt,tl,xx,cl,dr,ok,br,dr)
  EP_DO_ROW(PEER_ENDED,       no,no,no,no,ok,no,en,dr,no,xx,xx,xx,xx,xx,xx,xx,te,xx,xx,ok,xx,dr,br,xx)
  EP_DO_ROW(CLOSING,          no,no,no,no,no,no,ok,dr,no,xx,xx,xx,xx,xx,xx,xx,te,xx,sl,ok,xx,dr,br,dr)
  EP_DO_ROW(SEND_FAILED,      no,no,no,no,ok,ok,ok,dr,fe,xx,xx,xx,xx,xx,xx,ok,nt,tc,xx,lt,lt,ok,br,dr)
  EP_DO_ROW(TERMINATING,      no,no,no,no,no,no,ok,dr,di,xx,xx,xx,xx,xx,xx,xx,xx,xx,sd,ok,xx,dr,br,dr)
  EP_DO_ROW(TERMINATED,       no,no,no,no,no,no,ok,dr,di,xx,xx,xx,xx,xx,xx,xx,xx,xx,xx,cl,xx,ok,br,dr)
  EP_DO_ROW(DETACHED,         no,no,no,no,no,no,dr,dr,ha,xx,xx,xx,xx,xx,xx,xx,xx,xx,xx,dr,xx,ok,br,xx)
  EP_DO_ROW(CLOSED,           no,no,no,no,no,no,ok,ok,di,xx,xx,xx,xx,xx,xx,xx,xx,xx,xx,ok,xx,ok,ok,xx)
};

static const uint8_t ep_next[IWARP_ENDPOINT_NUM_STATES][EP_NUM_INPUTS] = {
  /*                            c l a r p r c a o b s o r r r f f t d f c s l t */
  EP_NEXT_ROW(IDLE,             W,Q,_,_,_,_,C,C,_,_,_,_,_,_,_,_,_,_,_,C,_,_,C,_)
  EP_NEXT_ROW(WAIT_REPLY,       _,_,_,_,_,_,C,C,_,C,_,_,_,A,O,_,_,_,_,C,_,_,C,C)
  EP_NEXT_ROW(REPLY_PENDING,    _,_,U,O,_,_,C,C,_,C,_,C,_,_,_,_,_,_,_,C,_,_,C,C)
  EP_NEXT_ROW(WAIT_REQUEST,     _,_,_,_,_,_,C,C,_,C,_,_,R,_,_,_,_,_,_,C,_,_,C,C)
  EP_NEXT_ROW(REQUEST_PENDING,  _,_,F,O,_,_,C,C,_,C,C,_,_,_,_,_,_,_,_,C,_,_,C,C)
  EP_NEXT_ROW(AWAIT_FIRST_FPDU, _,_,_,_,_,_,_,C,_,_,C,_,_,_,_,U,C,_,_,C,C,_,C,C)
  EP_NEXT_ROW(FULL,             _,_,_,_,_,_,E,C,_,_,_,_,_,_,_,_,T,T,_,P,C,X,C,_)
  EP_NEXT_ROW(ENDING,           _,_,_,_,_,_,_,C,_,_,_,_,_,_,_,_,T,T,S,L,C,X,C,C)
  EP_NEXT_ROW(LOCAL_CLOSED,     _,_,_,_,_,_,_,C,_,_,_,_,_,_,_,_,C,M,_,C,C,_,C,C)
  EP_NEXT_ROW(PEER_ENDED,       _,_,_,_,_,_,L,C,_,_,_,_,_,_,_,_,L,_,_,_,_,C,C,_)
  EP_NEXT_ROW(CLOSING,          _,_,_,_,_,_,_,C,_,_,_,_,_,_,_,_,_,_,C,_,_,C,C,C)
  EP_NEXT_ROW(SEND_FAILED,      _,_,_,_,_,_,_,C,_,_,_,_,_,_,_,_,C,C,_,C,C,_,C,C)
  EP_NEXT_ROW(TERMINATING,      _,_,_,_,_,_,_,C,_,_,_,_,_,_,_,_,_,_,M,L,_,C,C,C)
  EP_NEXT_ROW(TERMINATED,       _,_,_,_,_,_,_,C,_,_,_,_,_,_,_,_,_,_,_,C,_,_,C,C)
  EP_NEXT_ROW(DETACHED,         _,_,_,_,_,_,C,C,_,_,_,_,_,_,_,_,_,_,_,C,_,_,C,_)
  EP_NEXT_ROW(CLOSED,           _,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_)
};
/* clang-format on */

/* iwarpi_ep_action says what is done about an input in a state. */
ep_action iwarpi_ep_action(iwarp_endpoint_state state, ep_input input) {
  return (ep_action)ep_do[state][input];
}

ep_cell iwarpi_ep_cell(iwarp_endpoint_state state, ep_input input) {
  const uint8_t next = ep_next[state][input];
  return (ep_cell){.action = iwarpi_ep_action(state, input),
                   .next = next == ep_next__ ? state : (iwarp_endpoint_state)next};
}
