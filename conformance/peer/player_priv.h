/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations that the files of the player share. */
#ifndef PLAYER_PRIV_H
#define PLAYER_PRIV_H

#include <peer/player.h>

#include "page_priv.h"

#define PLAYER_HEAD_MAX 640u /* octets of a startup frame, or of the headers of a message */
#define PLAYER_PAYLOAD_MAX ((size_t)65536) /* octets of a message that are kept */
#define PLAYER_INBOX_MAX 128u              /* things seen that no line was compared with yet */
#define PLAYER_BACK_MAX ((size_t)65536)    /* octets of a region that are read back */
#define PLAYER_SENDS_MAX 100000u           /* actions of one play */

/* ---- items seen: player_seen.c ---- */

typedef enum seen_kind {
  SEEN_STARTUP = 0, /* `octets` are the frame */
  SEEN_MESSAGE,     /* `octets` are the first octets of the message, as if it were one segment */
  SEEN_JUNK,        /* octets that are no frame and no FPDU */
  SEEN_FIN,
  SEEN_RST
} seen_kind;

typedef struct seen {
  seen_kind kind;
  bool reply;     /* STARTUP */
  bool improper;  /* STARTUP: a frame that its receiver must not accept */
  bool bad_crc;   /* MESSAGE: of one of its FPDUs */
  bool after_end; /* MESSAGE: it follows a Terminate */
  bool answered;  /* MESSAGE: a Read that has its Response */
  bool rtr;       /* MESSAGE: an Initiator's first one, a Send of no octets. RFC 6581 9.2 */
  uint8_t opcode; /* MESSAGE */
  uint8_t octets[PLAYER_HEAD_MAX];
  size_t len;
  size_t ddp_len;   /* MESSAGE: octets of a DDP header */
  uint64_t end;     /* MESSAGE: octets of RDMAP: header and payload */
  size_t size;      /* MESSAGE: octets of payload; JUNK: octets */
  uint8_t *payload; /* MESSAGE: first octets of the payload, `kept` octets */
  size_t room;      /* octets of `payload` that are allocated */
  size_t kept;
} seen;

/* ---- actions: player_act.c ---- */

typedef struct act {
  peer_action_kind kind;
  uint8_t *octets; /* SEND: of the queue */
  size_t len;
  uint64_t not_before; /* drip */
  unsigned int line;
  bool on;
} act;

typedef enum player_phase {
  PHASE_OPENING = 0, /* a connection is wanted */
  PHASE_PLAYING,
  PHASE_READING, /* the verdict stands: octets are read until the end */
  PHASE_CLOSING, /* this side has sent its FIN */
  PHASE_DONE
} player_phase;

/* The place in a page. */
typedef struct player_place {
  const scenario_page *scn;
  size_t at; /* step */
} player_place;

struct peer_player {
  const peer_page *page;
  peer_how how;
  uint8_t me;    /* side of the tester in the page; a scripted peer has the other one */
  bool mirrored; /* lines other than startup frames change their side */
  scenario *scn;
  scenario_names names;
  scenario_terms terms;
  scenario_page back;     /* the lines of a readback */
  scenario_page baseline; /* the lines that read the region before a case writes to it */
  player_place place;
  player_place outer; /* place outside of a readback; `scn` NULL: no readback is played */

  uint64_t now;
  player_phase phase;
  uint64_t wait_until;  /* end of the present step; 0: the step has not begun */
  uint64_t phase_until; /* end of READING and CLOSING */
  unsigned int connection;
  uint64_t opened_at; /* the last connection */

  act *acts; /* queue */
  size_t num_acts;
  size_t cap_acts;
  size_t at_act;
  uint64_t drip_ns;
  size_t drip_num;
  uint64_t drip_next;

  /* the connection */
  bool is_open;
  bool fin_in;
  bool rst_in;
  bool fin_out;
  bool rejects;    /* the Reply of the tester rejects */
  bool said_one;   /* the tester sent a message */
  bool said_last;  /* the tester sent a Terminate: no message may follow. RFC 5040 5.4 */
  bool first_in;   /* a valid FPDU of the target; for a scripted peer any FPDU */
  bool heard_one;  /* the target sent a message */
  bool terminated; /* the target sent a Terminate */
  bool send_failed;
  bool reading_off;
  bool cut_off;           /* octets of a line were not sent: the connection had ended */
  bool ended_first;       /* FIN or Terminate came before a send failed */
  size_t received_before; /* octets received on the earlier connections */
  size_t emitted;         /* octets given out */
  size_t taken;
  size_t acked;
  uint64_t acked_at; /* time at which `acked` became equal to `emitted` */
  size_t had;        /* octets that the target had received, as far as its own octets show */
  uint64_t last_rx;  /* time of the last octets of the target */
  bool unacked;      /* some octets of an earlier connection */

  iwarp_observer *observer;
  void *observer_mem;
  iwarp_rules *rules;
  void *rules_mem;
  uint64_t packets;

  seen *message; /* incomplete, of the target */
  seen *inbox[PLAYER_INBOX_MAX];
  size_t num_inbox;

  peer_region region;
  bool region_named;   /* the names have its values, in this connection */
  bool region_checked; /* rights, Protection Domain, baseline */
  bool probing;
  bool probe_open;      /* the RFC does not decide whether the target must answer */
  const char *unagreed; /* reason why the item seen may be about a Read without an agreed depth */
  unsigned int asked;   /* Reads and Atomic Operations of the tester without a Response */
  bool probe_send;
  unsigned int probes;
  uint8_t *wrote; /* payload of the last tagged message of the tester */
  size_t wrote_len;
  bool answers_wrote; /* scripted: a Read is answered with `wrote` */
  uint8_t *base;      /* the region before */
  size_t base_len;
  uint8_t *read_back;
  size_t read_back_len;
  bool renewed; /* the region may be another one than before */

  peer_result result;
  bool decided;
  peer_finding findings[PEER_FINDINGS_MAX];
  size_t num_findings;
  peer_finding worst; /* the finding that decides, if any */
  bool has_worst;
  bool own_fault;
};

/* player_act queues an action; octets are copied. False: no memory. */
bool player_act(peer_player *p, peer_action_kind kind, iwarp_span octets, unsigned int line);
/* player_acts_drop forgets the actions that are not given out yet. */
void player_acts_drop(peer_player *p);

/* player_text sets a text of a result; NULL leaves it as it is. */
void player_text(char *to, const char *from);
/* player_decide sets the verdict, unless one stands. */
void player_decide(peer_player *p, peer_verdict verdict, unsigned int line, const char *due,
                   const char *seen_text, const char *why);

/* player_connected makes an observer and the rules for a new connection; false: no memory. */
bool player_connected(peer_player *p);
/* player_observe shows octets of a side (0: the tester) to the observer. */
void player_observe(peer_player *p, uint8_t side, iwarp_span in);
/* player_observe_end shows the end of a side. */
void player_observe_end(peer_player *p, uint8_t side, iwarp_end how);
/* player_disconnected lets the rules finish, and forgets the connection. */
void player_disconnected(peer_player *p);
/* player_see puts FIN or RST into the inbox. */
void player_see(peer_player *p, seen_kind kind);
void player_seen_free(seen *s);
/* player_inbox_drop forgets the first `num` things in the inbox. */
void player_inbox_drop(peer_player *p, size_t num);
/* player_depth returns how many Reads the target lets the tester have in flight, if agreed. */
bool player_depth(const peer_player *p, uint16_t *tester, uint16_t *target);

/* ---- lines of the target: player_due.c ---- */

/* player_matches returns whether something seen is what a line demands, and takes its values. */
bool player_matches(peer_player *p, const scenario_step *step, const seen *what);
/* player_seen_text describes something seen, without values that change from play to play. */
void player_seen_text(const seen *what, char *out, size_t cap);
/* player_no_room returns true for a Terminate that says that no buffer waits for a message. */
bool player_no_room(const seen *what);

/* ---- steps: player_step.c ---- */

/* player_run plays as many steps as it can. It returns the time when it wants to run again. */
uint64_t player_run(peer_player *p);
/* player_answer answers a Read that no line asks for: an RTR, or any Read to a scripted peer. */
void player_answer(peer_player *p, seen *what);
uint64_t player_wait_ns(const peer_player *p);

#endif
