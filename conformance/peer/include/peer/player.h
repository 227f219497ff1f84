/* SPDX-License-Identifier: BSD-2-Clause */
/* The player: it plays one case against a target. No socket, no clock, no process. */
#ifndef PEER_PLAYER_H
#define PEER_PLAYER_H

#include <iwarp/event.h>
#include <iwarp/rules.h>

#include <peer/page.h>
#include <peer/verdict.h>

/*
 * A driver has the transport and the clock. It plays one case like this:
 *
 *   player = peer_player_new(page, &how)
 *   for (;;) {
 *     switch (peer_player_next(player, &action), action.kind) {
 *     case PEER_ACTION_OPEN:     close the earlier connection, if it is open; then connect to the
 *                                target, or accept its next connection. Later: peer_player_opened
 *                                or peer_player_not_opened
 *     case PEER_ACTION_SEND:     give action.octets to the transport in this order. They are
 *                                borrowed until the next call; peer_player_sent says how many of
 *                                them the transport has taken, at once or later
 *     case PEER_ACTION_SHUTDOWN: close this side's half (FIN) when all octets are taken
 *     case PEER_ACTION_RESET:    reset the connection (RST: SO_LINGER with 0, close)
 *     case PEER_ACTION_READING:  stop reading from the transport, or read again: action.on
 *     case PEER_ACTION_CLOSE:    close the socket. FIN or RST has come, or its time is over
 *     case PEER_ACTION_WAIT:     wait for octets, FIN, RST, room to send, acknowledgments, or for
 *                                action.deadline_ns; then report one of
 *                                  peer_player_received   octets that were read, in any pieces
 *                                  peer_player_fin        read() returned 0
 *                                  peer_player_rst        ECONNRESET from read()
 *                                  peer_player_sent       the transport took octets
 *                                  peer_player_acked      SIOCOUTQ fell
 *                                  peer_player_send_failed  EPIPE, ECONNRESET from write(): it is
 *                                                         no end; go on reading
 *                                  peer_player_time       nothing of that
 *     case PEER_ACTION_DONE:     the verdict stands: peer_player_result, peer_player_finding;
 *                                peer_player_free
 *     }
 *   }
 *
 * Each input carries the time in nanoseconds of any clock that does not go back. After each input
 * call peer_player_next until it returns WAIT or DONE. DONE comes by how.timeout_ns after the start
 * whatever the target does, if the driver reports the time.
 *
 * Around it the driver does what needs several plays:
 *   1. peer_canary before all cases: its time scales how.wait_ns. If it passes with how.rev 1
 *      alone, all cases are played with rev 1.
 *   2. Each case, in each instance: peer_result_again says whether to play it twice more;
 *      peer_result_combine makes one result of three.
 *   3. peer_canary after each case that did not pass, and at the end.
 *   4. What the capture of a case holds are the octets of peer_player_received and of SEND, in the
 *      order of these calls.
 *
 * Findings: the player shows the octets of both sides to iwarp_observer and its events to all
 * rules. A violation by the target makes the verdict FAIL, whatever the page says of the rest, a
 * warning makes a PASS a WARNING; `due` and `seen` describe the finding then. A finding about
 * the tester's own side that no `expect fail` of the page asks for makes the verdict ERROR.
 * Suspected findings decide nothing. peer_player_finding hands all of them out for the report.
 */

/** peer_player plays one case once. */
typedef struct peer_player peer_player;

/** peer_how says how a case is played; zero is the default of each member but those said. */
typedef struct peer_how {
  iwarp_role role;  /* role of the tester: INITIATOR or RESPONDER; the page must have it */
  size_t instance;  /* instance of the page, below num_instances */
  peer_offer offer; /* offer of the target */
  uint8_t rev;      /* 0 or 2: Rev 2 where the page has it. 1: the target knows Rev 1 alone; pages
                       that need `enhanced` are skipped, others do without it */
  bool markers;     /* ask for Markers in startup frames whose line does not say M */
  bool crc;         /* ask for CRCs in startup frames whose line does not say C */
  bool no_acks;     /* the driver cannot tell what TCP acknowledged: all that was sent counts */
  /** Play the page's other side instead, as a scripted peer: `role` is its role then. It sends the
   * first of all alternatives and only waits for lines of the tester; the result says nothing. */
  bool scripted;
  uint64_t start_ns;   /* the time now */
  uint64_t wait_ns;    /* how long an answer may take, scaled by the canary; 0: 1 s */
  uint64_t open_ns;    /* how long a connection may take to open; 0: ten times wait_ns */
  uint64_t timeout_ns; /* bound of the play; 0: 60 s */
} peer_how;

/** peer_action_kind says what the driver has to do. */
typedef enum peer_action_kind {
  PEER_ACTION_WAIT = 0,
  PEER_ACTION_OPEN,
  PEER_ACTION_SEND,
  PEER_ACTION_SHUTDOWN,
  PEER_ACTION_RESET,
  PEER_ACTION_READING,
  PEER_ACTION_CLOSE,
  PEER_ACTION_DONE
} peer_action_kind;

/** peer_action is one thing that the driver has to do. */
typedef struct peer_action {
  peer_action_kind kind;
  iwarp_span octets;       /* SEND: borrowed until the next call on the player */
  uint64_t deadline_ns;    /* WAIT: call peer_player_time then, at the latest */
  unsigned int connection; /* 1 for the first connection of the play; not for DONE */
  unsigned int line;       /* line of the page that causes the action, 1-based; 0: no line */
  bool on;                 /* READING: read again; else stop */
} peer_action;

/**
 * peer_player_new begins a play; NULL: no memory. `page` must outlive the player, `how` is copied.
 * If the target does not offer what the page needs, the first action is DONE, with SKIPPED.
 */
peer_player *peer_player_new(const peer_page *page, const peer_how *how);

/** peer_player_free ends a play; NULL is fine. */
void peer_player_free(peer_player *player);

/** peer_player_next returns the next action. */
void peer_player_next(peer_player *player, peer_action *out);

/* ---- inputs; after DONE these calls change nothing ---- */

/** peer_player_opened reports that the connection is there. */
void peer_player_opened(peer_player *player, uint64_t now_ns);

/** peer_player_renewed reports, before peer_player_opened, that a command was started again for
 * this connection: a target that runs in it has other memory than before. */
void peer_player_renewed(peer_player *player);

/** peer_player_not_opened reports that it is not: refused, unreachable, or COMMAND ended before it
 * connected. `why` is a short text for the result, such as "refused". */
void peer_player_not_opened(peer_player *player, const char *why, uint64_t now_ns);

/** peer_player_received reports the next octets of the target. */
void peer_player_received(peer_player *player, iwarp_span in, uint64_t now_ns);

/** peer_player_fin reports that the target closed its half. */
void peer_player_fin(peer_player *player, uint64_t now_ns);

/** peer_player_rst reports that the connection was reset and that no octets are left to read. */
void peer_player_rst(peer_player *player, uint64_t now_ns);

/** peer_player_sent reports that the transport took `len` more octets of SEND. */
void peer_player_sent(peer_player *player, size_t len, uint64_t now_ns);

/** Octets of the target that come so many nanoseconds after TCP has acknowledged all octets of the
 * tester were sent when the target had those. Of earlier ones that is not known. */
#define PEER_SETTLED_NS UINT64_C(2000000)

/** peer_player_acked reports how many octets of this connection TCP acknowledged so far: those
 * taken less SIOCOUTQ. */
void peer_player_acked(peer_player *player, size_t total, uint64_t now_ns);

/** peer_player_send_failed reports that the transport takes no more octets. Octets of the target
 * may still be unread: go on reading. */
void peer_player_send_failed(peer_player *player, uint64_t now_ns);

/** peer_player_time reports the time. */
void peer_player_time(peer_player *player, uint64_t now_ns);

/* ---- the outcome ---- */

/** peer_player_result returns the verdict; it is final after DONE. Never NULL. */
const peer_result *peer_player_result(const peer_player *player);

/** peer_finding is a finding of a rule about the octets of a play. */
typedef struct peer_finding {
  iwarp_finding finding;   /* side 0 is the tester, 1 the target; positions count from the first
                              octet of the side in this connection; no packets */
  unsigned int connection; /* 1 for the first one of the play */
  bool asked;              /* about the tester, and the page asks for it */
} peer_finding;

/** peer_player_finding returns finding `i` of the play, or NULL. At most PEER_FINDINGS_MAX are
 * kept. */
const peer_finding *peer_player_finding(const peer_player *player, size_t i);

#define PEER_FINDINGS_MAX 64u

#endif
