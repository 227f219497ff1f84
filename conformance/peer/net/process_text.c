/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of a command. */
#include <string.h>

#include <memory/memory.h>
#include <peer_net/process.h>

/* Returns the value of a word in braces; NULL: it has no value. */
static const char *process_word(const char *at, const char *const words[3], size_t *len) {
  static const char *const names[3] = {"{addr}", "{port}", "{case}"};
  for (size_t i = 0; i < 3; i++) {
    *len = strlen(names[i]);
    if (strncmp(at, names[i], *len) == 0) {
      return words[i];
    }
  }
  *len = 1;
  return NULL;
}

/* Writes the text to `out`, or counts its octets where that is NULL. */
static size_t process_expand(char *out, const char *command, const char *const words[3]) {
  size_t used = 0;
  size_t len = 0;
  for (const char *at = command; *at != 0; at += len) {
    const char *word = process_word(at, words, &len);
    const char *from = word != NULL ? word : at;
    const size_t n = word != NULL ? strlen(word) : 1;
    if (out != NULL) {
      memcpy(out + used, from, n);
    }
    used += n;
  }
  return used;
}

char *net_process_text(const char *command, const char *addr, const char *port, const char *name) {
  const char *const words[3] = {addr, port, name};
  char *out = memory_get(process_expand(NULL, command, words) + 1);
  if (out != NULL) {
    out[process_expand(out, command, words)] = 0;
  }
  return out;
}
