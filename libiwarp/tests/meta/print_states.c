/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints docs/states.md: the state tables of an endpoint and of a DDP Stream Session. */
#include <stdio.h>

#include <iwarp/sctp_session.h>

#include "endpoint/machine.h"

typedef struct name {
  const char *name;
  const char *means;
} name;

#define STATE(name_, text) {#name_, text},
#define INPUT(name_, shown, text) {shown, text},
#define ACTION(name_, shown, text) [EP_DO_##name_] = {shown, text},
#define USE(name_, shown, text) {shown, text},

static const name states[] = {IWARP_ENDPOINT_STATE_MAP(STATE)};
static const name inputs[] = {EP_INPUT_MAP(INPUT)};
static const name actions[] = {EP_ACTION_MAP(ACTION)};
static const name uses[] = {EP_OCTETS_MAP(USE)};

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
      const ep_cell cell = iwarpi_ep_cell(from, (ep_input)input);
      if ((size_t)cell.next == to && cell.next != from) {
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
  printf("  DETACHED --> [*]\n  CLOSED --> [*]\n```\n");
}

static void endpoint_cell(iwarp_endpoint_state from, ep_input input) {
  const ep_cell cell = iwarpi_ep_cell(from, input);
  printf(" %s", actions[cell.action].name);
  if (cell.next != from) {
    printf(" **%s**", states[cell.next].name);
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
  printf("\n| *octets* |");
  for (size_t s = first; s < last; s++) {
    printf(" %s |", uses[iwarpi_ep_octet_use((iwarp_endpoint_state)s)].name);
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
      "6.2 and 7. A cell gives the action, and in bold the next state where it is another one. An\n"
      "empty cell cannot happen. Capitals are events. The last row has the use of octets that the\n"
      "transport pushes, which depends on the state alone.\n");
  drawing();
  legend("state", states, IWARP_ENDPOINT_NUM_STATES);
  legend("input", inputs, EP_NUM_INPUTS);
  legend("action", actions, EP_NUM_ACTIONS);
  legend("octets", uses, EP_NUM_OCTET_USES);
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
