/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line of iwarp-fuzz-proxy. */
#define _GNU_SOURCE
#include "options.h"

#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void options_help(void) {
  puts("usage: iwarp-fuzz-proxy [OPTION...] LISTEN TARGET\n"
       "\n"
       "Accepts TCP connections at LISTEN, makes one to TARGET for each, and changes the iWARP\n"
       "that goes through. Both are ADDRESS:PORT of the loopback interface, such as\n"
       "127.0.0.1:7174 or [::1]:7174; port 0 of LISTEN is chosen by the system and printed.\n"
       "\n"
       "  --every N        change one FPDU of N, at random (default 10; 0: nothing is changed)\n"
       "  --side SIDE      whose: initiator, responder or both (default both)\n"
       "  --startup        change startup frames, too\n"
       "  --broken N       leave one change of N with wrong framing (default 4; 0: none)\n"
       "  --seed N         of the random numbers (default 1); connection K uses N + K\n"
       "  --rate OCTETS    a second, at most (default 1000000)\n"
       "  --seconds N      end after this time (default 60)\n"
       "  --connections N  end after so many connections (default: any number)\n"
       "  --save FOLDER    write what each connection sent as an input of the target observer\n"
       "  --help           print this\n"
       "\n"
       "Exit status: 0 the time or the connections are over, or SIGINT or SIGTERM came; 1 TARGET\n"
       "answered once and does not any more; 2 usage, or a socket could not be used.");
}

static bool wrong(const char *what, const char *word) {
  fprintf(stderr, "iwarp-fuzz-proxy: %s: %s\n", what, word);
  return false;
}

static bool number(uint64_t *out, const char *word, uint64_t least) {
  char *end = NULL;
  errno = 0;
  const unsigned long long v = strtoull(word, &end, 10);
  if (word[0] < '0' || word[0] > '9' || *end != '\0' || errno != 0 || v < least) {
    return wrong("not a number that can be used", word);
  }
  *out = v;
  return true;
}

/* ---- addresses ---- */

static bool is_loopback(const struct sockaddr_storage *a) {
  if (a->ss_family == AF_INET6) {
    return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)(const void *)a)->sin6_addr);
  }
  return ntohl(((const struct sockaddr_in *)(const void *)a)->sin_addr.s_addr) >> 24 == 127;
}

/* Fills in an address of either family from its text without brackets. */
static bool fill(struct sockaddr_storage *out, const char *host, uint16_t port) {
  struct sockaddr_in *v4 = (struct sockaddr_in *)(void *)out;
  struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)(void *)out;
  memset(out, 0, sizeof *out);
  if (inet_pton(AF_INET, host, &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
    return true;
  }
  if (inet_pton(AF_INET6, host, &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    return true;
  }
  return false;
}

static bool address(struct sockaddr_storage *out, const char *word) {
  char host[64];
  uint64_t port = 0;
  const char *colon = strrchr(word, ':');
  const bool brackets = word[0] == '[';
  const size_t skip = brackets ? 1 : 0;
  const size_t end = colon != NULL ? (size_t)(colon - word) : 0;
  if (end < 2 * skip + 1 || end - 2 * skip >= sizeof host || (brackets && word[end - 1] != ']') ||
      !number(&port, colon + 1, 0) || port > 65535) {
    return wrong("not an ADDRESS:PORT", word);
  }
  memcpy(host, word + skip, end - 2 * skip);
  host[end - 2 * skip] = '\0';
  if (!fill(out, host, (uint16_t)port)) {
    return wrong("not an address", word);
  }
  return is_loopback(out) || wrong("not an address of the loopback interface", word);
}

/* ---- words ---- */

static bool side(bool sides[2], const char *word) {
  sides[0] = strcmp(word, "initiator") == 0 || strcmp(word, "both") == 0;
  sides[1] = strcmp(word, "responder") == 0 || strcmp(word, "both") == 0;
  return sides[0] || sides[1] || wrong("not a side", word);
}

static const struct option words[] = {
    {"every", required_argument, NULL, 'e'},
    {"side", required_argument, NULL, 'w'},
    {"startup", no_argument, NULL, 'u'},
    {"broken", required_argument, NULL, 'b'},
    {"seed", required_argument, NULL, 's'},
    {"rate", required_argument, NULL, 'r'},
    {"seconds", required_argument, NULL, 't'},
    {"connections", required_argument, NULL, 'c'},
    {"save", required_argument, NULL, 'o'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool take(options *o, int which) {
  switch (which) {
  case 'e': return number(&o->filter.every, optarg, 0);
  case 'w': return side(o->filter.sides, optarg);
  case 'u': o->filter.startup = true; return true;
  case 'b': return number(&o->filter.broken, optarg, 0);
  case 's': return number(&o->seed, optarg, 0);
  case 'r': return number(&o->rate, optarg, 1);
  case 't': return number(&o->seconds, optarg, 1);
  case 'c': return number(&o->connections, optarg, 1);
  case 'o': o->save = optarg; return true;
  default: return false; /* getopt_long has said what */
  }
}

options_do options_parse(options *out, int argc, char **argv) {
  int which;
  *out = (options){.filter = {.every = 10, .sides = {true, true}, .broken = 4},
                   .seed = 1,
                   .rate = 1000000,
                   .seconds = 60};
  while ((which = getopt_long(argc, argv, "h", words, NULL)) != -1) {
    if (which == 'h') {
      return OPTIONS_HELP;
    }
    if (!take(out, which)) {
      return OPTIONS_WRONG;
    }
  }
  if (argc - optind != 2) {
    fputs("iwarp-fuzz-proxy: LISTEN and TARGET are needed; --help says more\n", stderr);
    return OPTIONS_WRONG;
  }
  return address(&out->listen, argv[optind]) && address(&out->target, argv[optind + 1])
             ? OPTIONS_RUN
             : OPTIONS_WRONG;
}
