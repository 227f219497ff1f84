/* SPDX-License-Identifier: BSD-2-Clause */
/* A player's connections, octets and commands. */
#define _POSIX_C_SOURCE 200809L

#include <peer_net/play.h>

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <memory/memory.h>

#define PLAY_PACE_NS (UINT64_C(1000000000) / NET_CONNECTIONS_PER_S)
#define PLAY_ACKS_NS UINT64_C(2000000)       /* time between two looks at TCP's acknowledgments */
#define PLAY_COMMAND_NS UINT64_C(1000000000) /* time that a command gets to end by itself */
#define PLAY_WORD_CAP 160u

/* One play. */
typedef struct play {
  net_target *target;
  peer_player *player;
  const char *name;
  net_trace *trace;
  net_conn conn;
  net_process command;
  uint64_t refused_until_ns;
  unsigned int connections; /* opened so far */
  /* octets that the player sent and the transport did not take yet */
  uint8_t *queue;
  size_t queue_len;
  size_t queue_cap;
  unsigned int line;     /* line of the octets queued last */
  unsigned int noted;    /* line of the last comment in the capture */
  size_t taken;          /* octets of the connection that the transport took */
  size_t acked;          /* octets acknowledged, as the player knows */
  peer_action_kind next; /* WAIT, or the next action outside of the connection */
  uint64_t deadline_ns;
  bool shutdown;
  bool hold;
  bool no_memory;
} play;

/* ---- what the player wants ---- */

static void play_queue(play *p, const peer_action *a) {
  if (a->octets.len > p->queue_cap - p->queue_len) {
    const size_t cap = 2 * (p->queue_len + a->octets.len);
    uint8_t *grown = memory_resize(p->queue, cap);
    if (grown == NULL) {
      p->no_memory = true;
      return;
    }
    p->queue = grown;
    p->queue_cap = cap;
  }
  if (a->octets.len > 0) {
    memcpy(p->queue + p->queue_len, a->octets.ptr, a->octets.len);
  }
  p->queue_len += a->octets.len;
  p->line = a->line;
}

/* Takes actions until the player waits, or wants something outside of the connection. */
static void play_actions(play *p) {
  peer_action a = {.kind = PEER_ACTION_SEND};
  while (p->next == PEER_ACTION_WAIT && a.kind != PEER_ACTION_WAIT && !p->no_memory) {
    peer_player_next(p->player, &a);
    switch (a.kind) {
    case PEER_ACTION_WAIT: p->deadline_ns = a.deadline_ns; break;
    case PEER_ACTION_SEND: play_queue(p, &a); break;
    case PEER_ACTION_SHUTDOWN: p->shutdown = true; break;
    case PEER_ACTION_READING: p->hold = !a.on; break;
    case PEER_ACTION_OPEN:
    case PEER_ACTION_RESET:
    case PEER_ACTION_CLOSE:
    case PEER_ACTION_DONE: p->next = a.kind; break;
    }
  }
}

/* Reports what TCP of the target acknowledged. */
static void play_acks(play *p) {
  const size_t unacked = net_unacked(&p->conn);
  const size_t acked = unacked < p->taken ? p->taken - unacked : 0;
  if (p->conn.fd >= 0 && acked > p->acked) {
    const uint64_t now_ns = net_now();
    p->acked = acked;
    peer_player_acked(p->player, acked, now_ns);
    if (p->trace != NULL) {
      net_trace_acked(p->trace, acked, now_ns);
    }
  }
}

/* ---- the user of the connection ---- */

static size_t play_output(void *ctx, iwarp_span *spans, size_t cap) {
  play *p = ctx;
  play_actions(p);
  if (p->queue_len == 0 || cap == 0) {
    return 0;
  }
  spans[0] = (iwarp_span){p->queue, p->queue_len};
  return 1;
}

static void play_sent(void *ctx, size_t len, uint64_t now_ns) {
  play *p = ctx;
  char comment[PLAY_WORD_CAP];
  if (p->trace != NULL && p->line != p->noted) {
    (void)snprintf(comment, sizeof comment, "%.100s: line %u", p->name, p->line);
    net_trace_comment(p->trace, comment);
    p->noted = p->line;
  }
  p->queue_len -= len;
  memmove(p->queue, p->queue + len, p->queue_len);
  p->taken += len;
  peer_player_sent(p->player, len, now_ns);
}

static void play_received(void *ctx, iwarp_span octets, uint64_t now_ns) {
  play *p = ctx;
  play_acks(p);
  peer_player_received(p->player, octets, now_ns);
}

static void play_ended(void *ctx, uint64_t now_ns) {
  play *p = ctx;
  play_acks(p);
  peer_player_fin(p->player, now_ns);
}

static void play_lost(void *ctx, uint64_t now_ns) {
  play *p = ctx;
  p->queue_len = 0;
  peer_player_rst(p->player, now_ns);
}

static void play_send_failed(void *ctx, uint64_t now_ns) {
  play *p = ctx;
  p->queue_len = 0;
  peer_player_send_failed(p->player, now_ns);
}

static void play_time(void *ctx, uint64_t now_ns) {
  play *p = ctx;
  play_acks(p);
  peer_player_time(p->player, now_ns);
}

static net_wish play_wish(void *ctx) {
  play *p = ctx;
  play_acks(p);
  play_actions(p);
  const uint64_t look_ns = net_now() + PLAY_ACKS_NS;
  const bool looks = p->conn.fd >= 0 && !p->conn.lost && p->acked < p->taken;
  return (net_wish){.deadline_ns = looks && look_ns < p->deadline_ns ? look_ns : p->deadline_ns,
                    .shutdown = p->shutdown,
                    .hold = p->hold,
                    .stays = true,
                    .done = p->next != PEER_ACTION_WAIT || p->no_memory};
}

/* ---- opening ---- */

bool net_play_pace(const net_target *target) {
  uint64_t now_ns = net_now();
  while (now_ns < target->next_ns) {
    struct pollfd stop = {.fd = target->stop_fd, .events = POLLIN};
    const uint64_t left = target->next_ns - now_ns;
    if (poll(&stop, 1, (int)(left / 1000000 + 1)) > 0) {
      return false;
    }
    now_ns = net_now();
  }
  return true;
}

/* The turn of this connection; false: stopped. */
static bool play_pace(play *p) {
  const bool good = net_play_pace(p->target);
  p->target->next_ns = net_now() + PLAY_PACE_NS;
  return good;
}

static int play_connect(play *p, const net_tap *tap) {
  const net_addresses *to = p->target->to;
  int error = ECONNREFUSED;
  while (error == ECONNREFUSED) {
    for (size_t i = 0; i < to->num && error != 0 && error != EINTR; i++) {
      error = !play_pace(p)
                  ? EINTR
                  : net_connect(&p->conn, &to->list[i], tap, p->deadline_ns, p->target->stop_fd);
    }
    if (net_now() >= p->refused_until_ns) {
      break;
    }
  }
  return error;
}

/* Starts the command, unless it runs: it may connect again by itself. */
static int play_command(play *p) {
  char addr[NET_ADDRESS_TEXT];
  char port[8];
  if (p->target->run == NULL || !net_process_ended(&p->command)) {
    return 0;
  }
  net_address_host(&p->target->bound, addr);
  (void)snprintf(port, sizeof port, "%u", (unsigned int)net_address_port(&p->target->bound));
  char *text = net_process_text(p->target->run, addr, port, p->name);
  if (p->connections > 0) {
    peer_player_renewed(p->player);
  }
  net_drop_waiting(p->target->listening);
  const int error = text == NULL ? ENOMEM : net_process_start(&p->command, text);
  free(text);
  return error;
}

/* ECHILD: the command ended and did not connect. */
static int play_accept(play *p, const net_tap *tap) {
  for (bool ran = !net_process_ended(&p->command);; ran = false) {
    int error = !play_pace(p) ? EINTR : play_command(p);
    if (error == 0) {
      error = net_accept(&p->conn, p->target->listening, tap, p->deadline_ns, p->target->stop_fd,
                         p->command.gone_fd);
    }
    if (error != ECHILD || !net_process_wait(&p->command, p->deadline_ns, p->target->stop_fd) ||
        !ran) {
      return error; /* an earlier command may have left after the connection before */
    }
  }
}

static void play_not_opened(play *p, int error) {
  char why[PLAY_WORD_CAP];
  if (error == ECHILD) {
    (void)snprintf(why, sizeof why, "COMMAND ended with status %d and did not connect",
                   p->command.status);
  } else if (error == ECONNREFUSED) {
    (void)snprintf(why, sizeof why, "refused");
  } else if (error == ETIMEDOUT) {
    (void)snprintf(why, sizeof why, "no connection in time");
  } else {
    (void)snprintf(why, sizeof why, "%.100s", strerror(error));
  }
  peer_player_not_opened(p->player, why, net_now());
}

static net_play_end play_open(play *p) {
  const net_tap *tap = p->trace != NULL ? &p->trace->tap : NULL;
  net_close(&p->conn, false);
  p->queue_len = p->taken = p->acked = 0;
  p->shutdown = p->hold = false;
  p->next = PEER_ACTION_WAIT;
  play_actions(p); /* the actions set the deadline */
  const int error = p->target->to != NULL ? play_connect(p, tap) : play_accept(p, tap);
  if (error == EINTR) {
    return NET_PLAY_STOPPED;
  }
  if (error == 0) {
    p->connections++;
    peer_player_opened(p->player, net_now());
    return NET_PLAY_DONE;
  }
  if (error == ECHILD && p->command.status == NET_PROCESS_UNSUPPORTED) {
    return NET_PLAY_UNSUPPORTED;
  }
  play_not_opened(p, error);
  return NET_PLAY_DONE;
}

/* ---- the play ---- */

static net_play_end play_run(play *p) {
  const net_user user = {.ctx = p,
                         .output = play_output,
                         .sent = play_sent,
                         .received = play_received,
                         .ended = play_ended,
                         .lost = play_lost,
                         .send_failed = play_send_failed,
                         .time = play_time,
                         .wish = play_wish};
  for (;;) {
    const peer_action_kind next = p->next;
    net_play_end end = NET_PLAY_DONE;
    if (p->no_memory) {
      return NET_PLAY_NO_MEMORY;
    }
    switch (next) {
    case PEER_ACTION_DONE: return NET_PLAY_DONE;
    case PEER_ACTION_OPEN: end = play_open(p); break;
    case PEER_ACTION_RESET:
    case PEER_ACTION_CLOSE:
      net_close(&p->conn, next == PEER_ACTION_RESET);
      p->next = PEER_ACTION_WAIT;
      break;
    case PEER_ACTION_WAIT:
    case PEER_ACTION_SEND:
    case PEER_ACTION_SHUTDOWN:
    case PEER_ACTION_READING:
      if (net_serve(&p->conn, &user, p->target->stop_fd) == NET_SERVED_STOPPED) {
        end = NET_PLAY_STOPPED;
      }
      break;
    }
    if (end != NET_PLAY_DONE) {
      return end;
    }
  }
}

net_play_end net_play(net_target *target, peer_player *player, const char *name,
                      uint64_t patience_ns, net_trace *trace) {
  play p = {.target = target,
            .player = player,
            .name = name,
            .trace = trace,
            .conn = NET_CONN_NONE,
            .command = NET_PROCESS_NONE,
            .refused_until_ns = net_now() + patience_ns};
  const net_play_end end = play_run(&p);
  net_close(&p.conn, false);
  if (end == NET_PLAY_DONE) {
    (void)net_process_wait(&p.command, net_now() + PLAY_COMMAND_NS, target->stop_fd);
  }
  net_process_end(&p.command);
  free(p.queue);
  return end;
}
