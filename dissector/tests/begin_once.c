/* SPDX-License-Identifier: BSD-2-Clause */
/* Loaded before tshark: registers the dissectors once, and makes a process for each request. */
#define _GNU_SOURCE /* RTLD_NEXT */

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * A short run of tshark spends nine tenths of its time on the registration of all dissectors.
 * That comes after the first reading of the arguments, and does not depend on them. Here it
 * comes before. Each request on the socket IWARP_REQUESTS then makes a process with arguments of
 * its own, which goes on where tshark begins to read them.
 *
 * A request is one packet: the arguments, a NUL after each, and three files. They are standard
 * output, standard error, and one that gets the exit status as one octet when the process ends.
 * If the process crashes, that file gets nothing.
 *
 * The signatures are those in Wireshark 4.0. tshark compares its first two arguments with -G
 * outside of its two loops over options. It begins with two empty arguments, and a request replaces
 * them. An argument that tshark reads earlier, such as -X, needs a run without this library.
 */

enum { OUTPUT, ERRORS, STATUS, NUM_FILES };
enum { NUM_PLACES = 2 };
enum { MAX_OCTETS = 1 << 18, MAX_ARGUMENTS = 4096 };

typedef bool epan_init_function(void *callback, void *data, int plugins);
typedef void epan_cleanup_function(void);
typedef void wtap_init_function(int plugins);
typedef int getopt_function(int argc, char **argv, const char *options, const void *names,
                            int *index);

epan_init_function epan_init;
epan_cleanup_function epan_cleanup;
wtap_init_function wtap_init;
getopt_function ws_getopt_long;

static bool begun;
static int status_file;
static char octets[MAX_OCTETS + 1];
static char *arguments[MAX_ARGUMENTS + 1];
static int num_arguments;

/* The function of Wireshark that one here hides. */
static void *hidden(const char *name) {
  void *at = dlsym(RTLD_NEXT, name);
  if (at == NULL) {
    abort();
  }
  return at;
}

bool epan_init(void *callback, void *data, int plugins) {
  epan_init_function *real = NULL;
  *(void **)&real = hidden("epan_init");
  return begun || real(callback, data, plugins);
}

/*
 * The process ends next. To free what the registration made, it would first copy nearly each page
 * that it shares with the others: three quarters of the time of a short run.
 */
void epan_cleanup(void) {
}

void wtap_init(int plugins) {
  wtap_init_function *real = NULL;
  *(void **)&real = hidden("wtap_init");
  if (!begun) {
    real(plugins);
  }
}

static void say_status(int status, void *unused) {
  (void)unused;
  const char octet = (char)status;
  if (write(status_file, &octet, 1) != 1) {
    abort();
  }
}

/* In the process of a request. */
static void take(const int *files, size_t len) {
  num_arguments = 0;
  for (size_t at = 0; at < len && num_arguments < MAX_ARGUMENTS; at += strlen(octets + at) + 1) {
    arguments[num_arguments++] = octets + at;
  }
  arguments[num_arguments] = NULL;
  status_file = files[STATUS];
  if (dup2(files[OUTPUT], STDOUT_FILENO) < 0 || dup2(files[ERRORS], STDERR_FILENO) < 0 ||
      on_exit(say_status, NULL) != 0) {
    abort();
  }
  close(files[OUTPUT]);
  close(files[ERRORS]);
}

/* Returns in the process of a request; otherwise ends with the last one. */
static void serve(int requests) {
  for (;;) {
    union {
      char octets[CMSG_SPACE(NUM_FILES * sizeof(int))];
      struct cmsghdr align;
    } control;
    struct iovec part = {octets, MAX_OCTETS};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.octets,
                             .msg_controllen = sizeof control};
    const ssize_t len = recvmsg(requests, &message, 0);
    while (waitpid(-1, NULL, len > 0 ? WNOHANG : 0) > 0) {
    }
    const struct cmsghdr *head = len > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (head == NULL || (message.msg_flags & MSG_TRUNC) != 0 ||
        head->cmsg_len != CMSG_LEN(NUM_FILES * sizeof(int))) {
      _exit(len != 0);
    }
    int files[NUM_FILES];
    memcpy(files, CMSG_DATA(head), sizeof files);
    octets[len] = 0;
    const pid_t made = fork();
    if (made == 0) {
      close(requests);
      take(files, (size_t)len);
      return;
    }
    for (int i = 0; i < NUM_FILES; i++) { /* the process has its own */
      close(files[i]);
    }
  }
}

int ws_getopt_long(int argc, char **argv, const char *options, const void *names, int *index) {
  getopt_function *real = NULL;
  *(void **)&real = hidden("ws_getopt_long");
  const char *requests = getenv("IWARP_REQUESTS");
  if (requests == NULL) {
    return real(argc, argv, options, names, index);
  }
  if (!begun) {
    wtap_init(true);
    begun = epan_init(NULL, NULL, true);
    if (!begun) {
      abort();
    }
    serve(atoi(requests));
    for (int i = 1; i <= NUM_PLACES && i < argc && i < num_arguments; i++) {
      argv[i] = arguments[i];
    }
  }
  return real(num_arguments, arguments, options, names, index);
}
