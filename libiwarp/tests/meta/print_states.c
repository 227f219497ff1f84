/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints docs/states.md: the state tables of an endpoint and of a DDP Stream Session. */
#include <stdio.h>

#include <iwarp/sctp_session.h>

#include "stream/ep_priv.h"

typedef struct name {
  const char *name;
  const char *means;
} name;

#define N(name_, means_)                                                                           \
  { name_, means_ }

static const name states[IWARP_ENDPOINT_NUM_STATES] = {
    [IWARP_ENDPOINT_IDLE] = N("IDLE", "made"),
    [IWARP_ENDPOINT_WAIT_REPLY] = N("WAIT_REPLY", "Initiator: the Request was made"),
    [IWARP_ENDPOINT_REPLY_PENDING] = N("REPLY_AT_ULP", "Initiator: accept or reject is due"),
    [IWARP_ENDPOINT_WAIT_REQUEST] = N("WAIT_REQUEST", "Responder: a Request is due"),
    [IWARP_ENDPOINT_REQUEST_PENDING] = N("REQUEST_AT_ULP", "Responder: accept or reject is due"),
    [IWARP_ENDPOINT_AWAIT_FIRST_FPDU] = N("FENCED", "Responder: no FPDU came, so none may be sent"),
    [IWARP_ENDPOINT_FULL] = N("FULL", "Full Operation"),
    [IWARP_ENDPOINT_ENDING] = N("ENDING", "closing: what was posted still goes out"),
    [IWARP_ENDPOINT_LOCAL_CLOSED] = N("SHUT", "this half is closed"),
    [IWARP_ENDPOINT_PEER_ENDED] = N("PEER_ENDED", "the peer's half is closed"),
    [IWARP_ENDPOINT_CLOSING] = N("LAST", "the peer's half is closed, what is left still goes out"),
    [IWARP_ENDPOINT_TERMINATING] =
        N("TERMINATING", "a Terminate goes out, or the FPDU during which one came"),
    [IWARP_ENDPOINT_TERMINATED] = N("TERMINATED", "a Terminate went or came; this half is closed"),
    [IWARP_ENDPOINT_DETACHED] = N("LEFT", "MPA was left: the transport connection is the ULP's"),
    [IWARP_ENDPOINT_CLOSED] = N("CLOSED", "the end"),
};

static const name inputs[EP_NUM_INPUTS] = {
    [EP_CONNECT] = N("connect", "`iwarp_endpoint_connect`"),
    [EP_LISTEN] = N("listen", "`iwarp_endpoint_listen`"),
    [EP_ACCEPT] = N("accept", "`iwarp_endpoint_accept`"),
    [EP_REJECT] = N("reject", "`iwarp_endpoint_reject`"),
    [EP_POST] = N("post", "an operation is posted"),
    [EP_RECV] = N("recv", "`iwarp_endpoint_recv`"),
    [EP_CLOSE] = N("close", "`iwarp_endpoint_close`"),
    [EP_ABORT] = N("abort", "`iwarp_endpoint_abort`"),
    [EP_OCTETS] = N("octets", "`iwarp_endpoint_push`"),
    [EP_BAD_FRAME] = N("bad frame", "they are no valid startup frame, or stand where none may"),
    [EP_GOT_REQUEST] = N("Request", "they were a Request"),
    [EP_GOT_REPLY] = N("Reply", "they were a Reply that accepts"),
    [EP_GOT_REJECT] = N("Reject", "they were a Reply that rejects"),
    [EP_FPDU] = N("FPDU", "an FPDU valid for MPA"),
    [EP_FAULT] = N("fault", "an error of RFC 5040, 5041, 5044, 6581 or 7306 was found"),
    [EP_GOT_TERMINATE] = N("Terminate", "the peer's Terminate"),
    [EP_DRAINED] = N("drained", "all that was to be sent before the end is sent"),
    [EP_FIN] = N("fin", "`iwarp_endpoint_eof`"),
    [EP_LOST] = N("lost", "`iwarp_endpoint_lost`"),
    [EP_TIMEOUT] = N("timeout", "`iwarp_endpoint_deadline` has passed"),
};

static const name actions[EP_NUM_ACTIONS] = {
    [EP_DO_REFUSE] = N("-", "the call returns STATE"),
    [EP_DO_TAKE] = N("take", "nothing more than the next state"),
    [EP_DO_NEVER] = N("", "cannot happen, and would change nothing"),
    [EP_DO_REQUEST] = N("request", "send the Request, start the timer"),
    [EP_DO_TIMER] = N("timer", "start the timer"),
    [EP_DO_TELL_REQUEST] = N("tell request", "REQUEST"),
    [EP_DO_TELL_REPLY] = N("tell reply", "REPLY"),
    [EP_DO_TELL_REJECTED] = N("tell rejected", "REJECTED; MPA is over"),
    [EP_DO_REPLY] = N("reply", "send the accepting Reply"),
    [EP_DO_REFUSAL] = N("refusal", "send the rejecting Reply; MPA is over"),
    [EP_DO_CONFIRM] = N("confirm", "settle what the Reply says; ESTABLISHED, or a fault"),
    [EP_DO_LEAVE] = N("leave", "MPA is over"),
    [EP_DO_UNFENCE] = N("unfence", "ESTABLISHED: FPDUs may go out"),
    [EP_DO_END] = N("end", "wait until all is sent, start the timer"),
    [EP_DO_SHUTDOWN] = N("shutdown", "SHUTDOWN, start the timer"),
    [EP_DO_SHUT_LAST] = N("shut last", "SHUTDOWN, CLOSED"),
    [EP_DO_PEER_ENDED] = N("peer ended", "PEER_ENDED; what waits for the peer fails"),
    [EP_DO_TERMINATE] = N("terminate", "FAULT; send a Terminate, drop all else"),
    [EP_DO_DOOMED] = N("doomed", "FAULT, CLOSED: no Terminate can be sent"),
    [EP_DO_TERMINATED] = N("terminated", "TERMINATED; drop all but an FPDU under way"),
    [EP_DO_TERM_LATE] = N("term late", "TERMINATED; drop all"),
    [EP_DO_CLOSED] = N("closed", "CLOSED"),
    [EP_DO_BROKEN] = N("broken", "CLOSED: the transport connection is gone"),
    [EP_DO_DROP] = N("drop", "CLOSED: end the transport connection"),
    [EP_DO_COLLECT] = N("collect", "they belong to a startup frame"),
    [EP_DO_SURPLUS] = N("surplus", "none may come now: bad frame"),
    [EP_DO_HOLD] = N("hold", "they are held until accept or reject tells what they are"),
    [EP_DO_FEED] = N("feed", "they are FPDUs"),
    [EP_DO_HAND] = N("hand", "STREAMING: they are the ULP's"),
    [EP_DO_DISCARD] = N("discard", "they are nobody's"),
};

static void legend(const char *what, const name *list, size_t n) {
  printf("\n| %s | |\n|---|---|\n", what);
  for (size_t i = 0; i < n; i++) {
    if (list[i].name != NULL && list[i].name[0] != '\0') {
      printf("| %s | %s |\n", list[i].name, list[i].means);
    }
  }
}

/* Arrows of one state to the others, one for each of them. */
static void arrows(iwarp_endpoint_state from) {
  for (size_t to = 0; to < IWARP_ENDPOINT_NUM_STATES; to++) {
    const char *joint = "";
    for (int input = 0; input < EP_NUM_INPUTS; input++) {
      const ep_cell *cell = iwarpi_ep_cell(from, (ep_input)input);
      if ((size_t)cell->next == to && cell->next != from) {
        if (joint[0] == '\0') {
          printf("  %s --> %s: ", states[from].name, states[to].name);
        }
        printf("%s%s", joint, inputs[input].name);
        joint = ", ";
      }
    }
    if (joint[0] != '\0') {
      printf("\n");
    }
  }
}

static void drawing(void) {
  printf("\n```mermaid\nstateDiagram-v2\n  [*] --> IDLE\n");
  for (size_t s = 0; s < IWARP_ENDPOINT_NUM_STATES; s++) {
    arrows((iwarp_endpoint_state)s);
  }
  printf("  LEFT --> [*]\n  CLOSED --> [*]\n```\n");
}

static void endpoint_cell(iwarp_endpoint_state from, ep_input input) {
  const ep_cell *cell = iwarpi_ep_cell(from, input);
  printf(" %s", actions[cell->action].name);
  if (cell->next != from) {
    printf(" **%s**", states[cell->next].name);
  }
  printf(" |");
}

static void endpoint_table(size_t first, size_t last) {
  printf("\n| |");
  for (size_t s = first; s < last; s++) {
    printf(" %s |", states[s].name);
  }
  printf("\n|---|");
  for (size_t s = first; s < last; s++) {
    printf("---|");
  }
  for (int input = 0; input < EP_NUM_INPUTS; input++) {
    printf("\n| %s |", inputs[input].name);
    for (size_t s = first; s < last; s++) {
      endpoint_cell((iwarp_endpoint_state)s, (ep_input)input);
    }
  }
  printf("\n");
}

/* ---- sessions ---- */

static const char *const kinds[IWARP_SCTP_NUM_KINDS] = {"Initiate",  "Accept",  "Reject",
                                                        "Terminate", "segment", "other"};
static const char *const verdicts[] = {"legal", "note", "illegal", "stray"};

static void session_table(bool own) {
  printf("\n| %s |", own ? "this side sends" : "the peer sends");
  for (size_t k = 0; k < IWARP_SCTP_NUM_KINDS; k++) {
    printf(" %s |", kinds[k]);
  }
  printf("\n|---|---|---|---|---|---|---|");
  for (size_t s = 0; s < IWARP_SCTP_NUM_STATES; s++) {
    printf("\n| %s |", iwarp_sctp_state_name((iwarp_sctp_state)s));
    for (size_t k = 0; k < IWARP_SCTP_NUM_KINDS; k++) {
      const iwarp_sctp_cell c = iwarp_sctp_step((iwarp_sctp_state)s, own, (iwarp_sctp_kind)k);
      printf(" %s", verdicts[c.verdict]);
      if ((size_t)c.next != s) {
        printf(" **%s**", iwarp_sctp_state_name(c.next));
      }
      printf(" |");
    }
  }
  printf("\n");
}

int main(void) {
  printf(
      "<!-- SPDX-License-Identifier: BSD-2-Clause -->\n"
      "<!-- Printed from the tables of the library; `meta.states` compares the two. -->\n"
      "# State tables\n\n"
      "## An endpoint\n\n"
      "The states of `iwarp_endpoint` over TCP: RFC 5044 7.1.2, RFC 6581 9, RFC 5041 6.2, RFC "
      "5040\n"
      "6.2 and 7. A cell says what is done, and in bold which state is next where it is another\n"
      "one. An empty cell cannot happen. Capitals are events.\n");
  drawing();
  legend("state", states, IWARP_ENDPOINT_NUM_STATES);
  legend("input", inputs, EP_NUM_INPUTS);
  legend("action", actions, EP_NUM_ACTIONS);
  endpoint_table(0, IWARP_ENDPOINT_FULL);
  endpoint_table(IWARP_ENDPOINT_FULL, IWARP_ENDPOINT_TERMINATING);
  endpoint_table(IWARP_ENDPOINT_TERMINATING, IWARP_ENDPOINT_NUM_STATES);
  printf("\n## A DDP Stream Session over SCTP\n\n"
         "The states of `iwarp_sctp_session`, RFC 5043 6: what a message is in each state, and in "
         "bold\n"
         "the next state where it is another one. A note is what the RFC leaves open; a stray "
         "message\n"
         "belongs to no session. The two halves mirror each other.\n");
  session_table(true);
  session_table(false);
  return 0;
}
