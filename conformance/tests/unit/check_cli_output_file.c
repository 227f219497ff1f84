/* SPDX-License-Identifier: BSD-2-Clause */
/* Files of outputs: which ones are refused, and that they are whole or as they were before. */
#define _DEFAULT_SOURCE /* mkdtemp, P_tmpdir, lchown */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check_run.h"
#include "cli/output_file.h"

#define OTHER_USER 65534u
#define NO_FILE "/nowhere/at/all"

static char folder[64];
static char path[80];  /* "file" in the folder */
static char other[80]; /* "other" in the folder */
static bool no_fchown; /* it fails */
static bool no_renameat;
static bool no_getentropy;

int __real_fchown(int fd, uid_t owner, gid_t group);
int __wrap_fchown(int fd, uid_t owner, gid_t group);
int __real_renameat(int from, const char *old, int to, const char *name);
int __wrap_renameat(int from, const char *old, int to, const char *name);
int __real_getentropy(void *octets, size_t n);
int __wrap_getentropy(void *octets, size_t n);

int __wrap_fchown(int fd, uid_t owner, gid_t group) {
  errno = EPERM;
  return no_fchown ? -1 : __real_fchown(fd, owner, group);
}

int __wrap_renameat(int from, const char *old, int to, const char *name) {
  errno = EIO;
  return no_renameat ? -1 : __real_renameat(from, old, to, name);
}

int __wrap_getentropy(void *octets, size_t n) {
  errno = EIO;
  return no_getentropy ? -1 : __real_getentropy(octets, n);
}

/* ---- the folder of a test ---- */

static void write_file(const char *at, const char *text) {
  FILE *f = fopen(at, "w");
  ck_assert_ptr_nonnull(f);
  ck_assert_int_ge(fputs(text, f), 0);
  ck_assert_int_eq(fclose(f), 0);
}

/* An empty folder. */
static void begin(void) {
  (void)snprintf(folder, sizeof folder, "%s/output-file-XXXXXX", P_tmpdir);
  ck_assert_ptr_nonnull(mkdtemp(folder));
  (void)snprintf(path, sizeof path, "%s/file", folder);
  (void)snprintf(other, sizeof other, "%s/other", folder);
  (void)umask(027);
}

/* How many files are in the folder; `remove` removes them. */
static unsigned int entries(bool remove) {
  unsigned int n = 0;
  DIR *dir = opendir(folder);
  ck_assert_ptr_nonnull(dir);
  for (const struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
    if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) {
      n++;
      ck_assert(!remove || unlinkat(dirfd(dir), e->d_name, 0) == 0);
    }
  }
  ck_assert_int_eq(closedir(dir), 0);
  return n;
}

static void end(void) {
  (void)entries(true);
  ck_assert_int_eq(rmdir(folder), 0);
}

static struct stat stat_of(const char *at) {
  struct stat st;
  ck_assert_int_eq(lstat(at, &st), 0);
  return st;
}

static unsigned int mode_of(const char *at) {
  return (unsigned int)(stat_of(at).st_mode & 07777u);
}

static void holds(const char *at, const char *text) {
  char found[16] = "";
  const int fd = open(at, O_RDONLY);
  ck_assert_int_ge(fd, 0);
  ck_assert_int_eq(read(fd, found, sizeof found - 1), (ssize_t)strlen(text));
  ck_assert_str_eq(found, text);
  ck_assert_int_eq(close(fd), 0);
}

static output_file opened; /* its place must not change */

static void open_file(const char *at) {
  const opts o = {0};
  ck_assert(output_file_open(&opened, at, &o));
  ck_assert_int_gt(opened.fd, STDERR_FILENO);
  ck_assert_int_eq(write(opened.fd, "new", 3), 3);
}

static void refused(const char *at, const opts *o) {
  const unsigned int before = entries(false);
  ck_assert(!output_file_open(&opened, at, o));
  ck_assert_int_lt(opened.fd, 0);
  ck_assert_uint_eq(entries(false), before);
}

/* ---- whole or as before ---- */

START_TEST(a_file_is_in_its_place_when_it_is_whole)
{
  begin();
  open_file(path);
  ck_assert_int_lt(access(path, F_OK), 0);
  ck_assert_uint_eq(entries(false), 1);
  ck_assert_int_ge(output_file_folder(&opened), 0);
  struct stat st;
  ck_assert_int_eq(fstat(opened.fd, &st), 0);
  ck_assert_uint_eq(st.st_mode & 07777u, 0600);
  ck_assert(output_file_close(&opened, 0));
  holds(path, "new");
  ck_assert_uint_eq(mode_of(path), 0640);
  ck_assert_uint_eq(entries(false), 1);
  ck_assert(output_file_close(&opened, 0)); /* nothing is open */
  output_file_discard(&opened);
  end();
}
END_TEST

START_TEST(a_file_that_is_replaced_keeps_its_mode)
{
  begin();
  write_file(path, "before");
  ck_assert_int_eq(chmod(path, 04604), 0);
  open_file(path);
  holds(path, "before");
  ck_assert(output_file_close(&opened, 0));
  holds(path, "new");
  ck_assert_uint_eq(mode_of(path), 0604);
  ck_assert_uint_eq(entries(false), 1);
  end();
}
END_TEST

START_TEST(owner_and_group_are_kept_or_the_group_gets_nothing)
{
  if (geteuid() == 0) {
    begin();
    for (int kept = 1; kept >= 0; kept--) {
      write_file(path, "before");
      ck_assert_int_eq(chmod(path, 0664), 0);
      ck_assert_int_eq(lchown(path, OTHER_USER, OTHER_USER), 0);
      no_fchown = kept == 0;
      open_file(path);
      ck_assert(output_file_close(&opened, 0));
      no_fchown = false;
      ck_assert_uint_eq(stat_of(path).st_uid, kept == 1 ? OTHER_USER : 0);
      ck_assert_uint_eq(stat_of(path).st_gid, kept == 1 ? OTHER_USER : getegid());
      ck_assert_uint_eq(mode_of(path), kept == 1 ? 0664 : 0604);
      ck_assert_int_eq(unlink(path), 0);
    }
    end();
  }
}
END_TEST

START_TEST(what_fails_leaves_the_file_as_it_was)
{
  begin();
  write_file(path, "before");
  open_file(path);
  output_file_discard(&opened);
  holds(path, "before");
  open_file(path);
  ck_assert(!output_file_close(&opened, ENOSPC));
  holds(path, "before");
  open_file(path);
  ck_assert_int_eq(close(opened.fd), 0); /* so that closing fails */
  ck_assert(!output_file_close(&opened, 0));
  holds(path, "before");
  no_renameat = true;
  open_file(path);
  ck_assert(!output_file_close(&opened, 0));
  no_renameat = false;
  holds(path, "before");
  ck_assert_uint_eq(entries(false), 1);
  end();
}
END_TEST

/* What becomes of the folder when a signal ends a process that writes. */
static void ended_by(int number, unsigned int files) {
  int status = 0;
  begin();
  write_file(path, "before");
  const pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    output_file second;
    const opts o = {0};
    (void)signal(number, SIG_DFL);
    open_file(path);
    ck_assert(output_file_open(&second, other, &o));
    (void)raise(number);
    _exit(0);
  }
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == number);
  holds(path, "before");
  ck_assert_int_lt(access(other, F_OK), 0);
  ck_assert_uint_eq(entries(false), files);
  end();
}

START_TEST(a_signal_leaves_the_file_as_it_was)
{
  ended_by(SIGHUP, 1);
  ended_by(SIGINT, 1);
  ended_by(SIGPIPE, 1);
  ended_by(SIGTERM, 1);
  ended_by(SIGKILL, 3); /* the temporary files stay */
}
END_TEST

START_TEST(an_ignored_signal_stays_ignored)
{
  begin();
  (void)signal(SIGHUP, SIG_IGN);
  open_file(path);
  ck_assert_int_eq(raise(SIGHUP), 0);
  ck_assert(output_file_close(&opened, 0));
  holds(path, "new");
  (void)signal(SIGHUP, SIG_DFL);
  end();
}
END_TEST

/* ---- links ---- */

START_TEST(a_link_stays_and_its_target_is_written)
{
  begin();
  ck_assert_int_eq(symlink("other", path), 0); /* there is no such file */
  open_file(path);
  ck_assert(output_file_close(&opened, 0));
  ck_assert(S_ISLNK(stat_of(path).st_mode));
  holds(other, "new");
  write_file(other, "before");
  open_file(path);
  ck_assert(output_file_close(&opened, 0));
  ck_assert(S_ISLNK(stat_of(path).st_mode));
  holds(other, "new");
  end();
}
END_TEST

START_TEST(two_names_of_one_file_are_the_same)
{
  const opts o = {0};
  output_file second;
  begin();
  ck_assert_int_eq(symlink("other", path), 0);
  open_file(path);
  ck_assert(output_file_open(&second, other, &o)); /* none exists */
  ck_assert(output_file_same(&opened, &second));
  output_file_discard(&second);
  output_file_discard(&opened);
  ck_assert_int_eq(unlink(path), 0);
  write_file(path, "before");
  open_file(path);
  ck_assert(output_file_open(&second, other, &o));
  ck_assert(!output_file_same(&opened, &second));
  output_file_discard(&second);
  ck_assert_int_eq(link(path, other), 0);
  ck_assert(output_file_open(&second, other, &o));
  ck_assert(output_file_same(&opened, &second));
  output_file_discard(&second);
  output_file_discard(&opened);
  end();
}
END_TEST

START_TEST(a_shared_folder_has_traps_of_others)
{
  const opts o = {0};
  if (geteuid() == 0) {
    begin();
    write_file(other, "before");
    ck_assert_int_eq(symlink("other", path), 0);
    ck_assert_int_eq(lchown(path, OTHER_USER, OTHER_USER), 0);
    ck_assert_int_eq(chmod(folder, 01777), 0);
    refused(path, &o); /* their link to a file of this user */
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(lchown(other, OTHER_USER, OTHER_USER), 0);
    refused(other, &o); /* their file */
    holds(other, "before");
    ck_assert_int_eq(chmod(folder, 0755), 0);
    open_file(other);
    output_file_discard(&opened);
    end();
  }
}
END_TEST

/* A folder with links in the middle of a path: one to a folder, and one that leads there over
 * another link. A link of another user is followed only where no such user can have put it there,
 * and folders of others are no traps. */
START_TEST(links_of_others_in_the_middle_of_a_path_are_traps)
{
  static const struct {
    uid_t link;
    uid_t folder;
    mode_t mode;
    bool refused;
  } rows[] = {{OTHER_USER, 0, 01777, true},
              {OTHER_USER, 0, 0777, true},
              {OTHER_USER, 0, 0770, true},
              {OTHER_USER, 0, 01755, false},
              {OTHER_USER, 0, 0755, false},
              {OTHER_USER, OTHER_USER, 01777, true},
              {OTHER_USER, OTHER_USER, 0755, true},
              {OTHER_USER, OTHER_USER - 1, 01777, true},
              {OTHER_USER, OTHER_USER - 1, 0755, true},
              {0, OTHER_USER, 01777, false},
              {0, OTHER_USER, 0755, false}};
  const opts o = {0};
  char middle[120];
  char over[96];
  if (geteuid() != 0) {
    puts("links of others in the middle of a path: not tried, only root can make them");
  }
  for (size_t i = 0; geteuid() == 0 && i < sizeof rows / sizeof rows[0]; i++) {
    begin();
    (void)snprintf(middle, sizeof middle, "%s/to/./dir//../dir/new", folder);
    (void)snprintf(other, sizeof other, "%s/to", folder);
    (void)snprintf(over, sizeof over, "%s/over", folder);
    const char *real = strrchr(folder, '/') + 1;
    char target[96];
    (void)snprintf(target, sizeof target, "../%s", real);
    ck_assert_int_eq(symlink(target, other), 0);
    ck_assert_int_eq(symlink("to/dir/new", over), 0);
    (void)snprintf(target, sizeof target, "%s/dir", folder);
    ck_assert_int_eq(mkdir(target, 0755), 0);
    ck_assert_int_eq(lchown(target, OTHER_USER, OTHER_USER), 0);
    ck_assert_int_eq(lchown(other, rows[i].link, 0), 0);
    ck_assert_int_eq(lchown(folder, rows[i].folder, 0), 0);
    ck_assert_int_eq(chmod(folder, rows[i].mode), 0);
    const char *const paths[] = {middle, over};
    for (size_t k = 0; k < 2; k++) {
      const bool may = output_file_open(&opened, paths[k], &o);
      ck_assert_msg(may != rows[i].refused, "row %zu, path %zu", i, k);
      output_file_discard(&opened);
    }
    ck_assert_int_eq(rmdir(target), 0);
    end();
  }
}
END_TEST

/* A folder of another user, in it a link to a folder of this user: it leads no output there, and no
 * file there is looked at. */
START_TEST(a_folder_of_others_leads_no_output_elsewhere)
{
  const opts o = {0};
  char trap[96];
  char there[128];
  if (geteuid() == 0) {
    begin();
    write_file(path, "before");
    (void)snprintf(trap, sizeof trap, "%s/trap", folder);
    ck_assert_int_eq(mkdir(trap, 0755), 0);
    ck_assert_int_eq(lchown(trap, OTHER_USER, OTHER_USER), 0);
    static const char *const targets[] = {"..", "../file", "../new", "/proc/self/fd/2",
                                          "/dev/null"};
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
      (void)snprintf(there, sizeof there, "%s/link", trap);
      ck_assert_int_eq(symlink(targets[i], there), 0);
      ck_assert_int_eq(lchown(there, OTHER_USER, OTHER_USER), 0);
      refused(there, &o);
      ck_assert_int_eq(lchown(there, 0, 0), 0); /* of this user: it is followed */
      (void)snprintf(there, sizeof there, i == 0 ? "%s/link/new" : "%s/link", trap);
      ck_assert_msg(output_file_open(&opened, there, &o), "%s", targets[i]);
      output_file_discard(&opened);
      (void)snprintf(there, sizeof there, "%s/link", trap);
      ck_assert_int_eq(unlink(there), 0);
    }
    (void)snprintf(there, sizeof there, "%s/new", trap);
    open_file(there);
    output_file_discard(&opened);
    holds(path, "before");
    ck_assert_int_eq(rmdir(trap), 0);
    end();
  }
}
END_TEST

/* A pipe has no path: a link of /proc is opened as it is, and never by another path. */
START_TEST(a_pipe_without_a_name_is_written)
{
  int fds[2];
  char proc[64];
  char got[4] = "";
  ck_assert_int_eq(pipe(fds), 0);
  (void)snprintf(proc, sizeof proc, "/proc/self/fd/%d", fds[1]);
  open_file(proc);
  ck_assert(output_file_close(&opened, 0));
  ck_assert_int_eq(read(fds[0], got, sizeof got), 3);
  ck_assert_str_eq(got, "new");
  begin();
  ck_assert_int_eq(symlink(proc, path), 0); /* and through a link to it */
  open_file(path);
  ck_assert(output_file_close(&opened, 0));
  ck_assert_int_eq(read(fds[0], got, sizeof got), 3);
  end();
  ck_assert_int_eq(close(fds[0]), 0);
  ck_assert_int_eq(close(fds[1]), 0);
}
END_TEST

/* A FIFO of another user in a shared folder is a trap; in the user's own folder it is harmless. */
START_TEST(a_pipe_of_others_is_a_trap)
{
  const opts o = {0};
  if (geteuid() == 0) {
    begin();
    ck_assert_int_eq(mkfifo(path, 0666), 0);
    const int reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ck_assert_int_ge(reader, 0);
    ck_assert_int_eq(symlink("file", other), 0);
    ck_assert_int_eq(lchown(path, OTHER_USER, OTHER_USER), 0);
    ck_assert_int_eq(chmod(folder, 01777), 0);
    refused(path, &o);
    refused(other, &o);
    ck_assert_int_eq(lchown(folder, OTHER_USER, OTHER_USER), 0);
    open_file(path);
    output_file_discard(&opened);
    ck_assert_int_eq(close(reader), 0);
    end();
  }
}
END_TEST

/* ---- what is refused ---- */

START_TEST(what_the_run_reads_is_refused)
{
  const char *operands[] = {NO_FILE, "-", NULL};
  opts o = {.operands = operands, .num_operands = 2, .baseline = NO_FILE, .profile = NO_FILE};
  begin();
  write_file(path, "before");
  ck_assert(output_file_open(&opened, path, &o));
  output_file_discard(&opened);
  ck_assert_int_eq(link(path, other), 0);
  operands[0] = path;
  refused(path, &o);
  refused(other, &o);
  ck_assert_int_eq(unlink(other), 0);
  ck_assert_int_eq(symlink("file", other), 0);
  refused(other, &o);
  operands[0] = other;
  refused(path, &o);
  operands[0] = NO_FILE;
  o.baseline = other;
  refused(path, &o);
  o.baseline = NULL;
  o.profile = path;
  refused(other, &o);
  holds(path, "before");
  end();
}
END_TEST

START_TEST(standard_streams_are_refused)
{
  const char *operands[] = {"-", NULL};
  const opts o = {.operands = operands, .num_operands = 1};
  const opts none = {0};
  begin();
  write_file(path, "before");
  const int file = open(path, O_RDWR);
  const int standard = dup(STDOUT_FILENO);
  ck_assert_int_eq(dup2(file, STDIN_FILENO), STDIN_FILENO);
  refused(path, &o);
  ck_assert_int_eq(close(STDIN_FILENO), 0);
  ck_assert_int_eq(dup2(file, STDOUT_FILENO), STDOUT_FILENO);
  ck_assert(!output_file_open(&opened, path, &none));
  ck_assert_int_eq(dup2(standard, STDOUT_FILENO), STDOUT_FILENO);
  open_file(path);
  output_file_discard(&opened);
  holds(path, "before");
  ck_assert_int_eq(close(file), 0);
  ck_assert_int_eq(close(standard), 0);
  end();
}
END_TEST

START_TEST(an_output_never_takes_the_number_of_a_standard_stream)
{
  begin();
  (void)close(STDIN_FILENO);
  open_file(path);
  ck_assert_int_gt(output_file_folder(&opened), STDERR_FILENO);
  ck_assert(output_file_close(&opened, 0));
  open_file("/dev/null");
  ck_assert(output_file_close(&opened, 0));
  end();
}
END_TEST

START_TEST(devices_are_written_in_place_and_are_not_one_file)
{
  const char *operands[] = {"/dev/null", NULL};
  const opts o = {.operands = operands, .num_operands = 1};
  output_file second;
  ck_assert(output_file_open(&opened, "/dev/null", &o));
  ck_assert(output_file_open(&second, "/dev/null", &o));
  ck_assert(!output_file_same(&opened, &second));
  ck_assert_int_eq(output_file_folder(&opened), -1);
  ck_assert(output_file_close(&opened, 0));
  output_file_discard(&second);
}
END_TEST

START_TEST(a_pipe_that_is_read_is_refused)
{
  const char *operands[] = {path, NULL};
  const opts o = {.operands = operands, .num_operands = 1};
  begin();
  ck_assert_int_eq(mkfifo(path, 0600), 0);
  refused(path, &o);
  end();
}
END_TEST

START_TEST(a_file_without_a_name_is_refused)
{
  const opts o = {0};
  char proc[64];
  begin();
  write_file(path, "before");
  const int fd = open(path, O_RDONLY);
  ck_assert_int_ge(fd, 0);
  ck_assert_int_eq(unlink(path), 0);
  (void)snprintf(proc, sizeof proc, "/proc/self/fd/%d", fd);
  refused(proc, &o);
  ck_assert_int_eq(close(fd), 0);
  end();
}
END_TEST

START_TEST(what_cannot_be_made_is_refused)
{
  const opts o = {0};
  static char name[8192];
  begin();
  refused(folder, &o);
  refused(NO_FILE, &o);
  refused("", &o);
  (void)snprintf(name, sizeof name, "%s/", path);
  refused(name, &o);
  (void)snprintf(name, sizeof name, "%s/%0300d", folder, 0);
  refused(name, &o);
  (void)snprintf(name, sizeof name, "%s/%08000d", folder, 0);
  refused(name, &o);
  ck_assert_int_eq(symlink("file", path), 0); /* to itself */
  refused(path, &o);
  no_getentropy = true;
  refused(other, &o);
  no_getentropy = false;
  refused("/proc/file", &o); /* a folder that takes no files */
  end();
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_file_is_in_its_place_when_it_is_whole,
                                a_file_that_is_replaced_keeps_its_mode,
                                owner_and_group_are_kept_or_the_group_gets_nothing,
                                what_fails_leaves_the_file_as_it_was,
                                a_signal_leaves_the_file_as_it_was,
                                an_ignored_signal_stays_ignored,
                                a_link_stays_and_its_target_is_written,
                                two_names_of_one_file_are_the_same,
                                a_shared_folder_has_traps_of_others,
                                links_of_others_in_the_middle_of_a_path_are_traps,
                                a_folder_of_others_leads_no_output_elsewhere,
                                a_pipe_without_a_name_is_written,
                                a_pipe_of_others_is_a_trap,
                                what_the_run_reads_is_refused,
                                standard_streams_are_refused,
                                an_output_never_takes_the_number_of_a_standard_stream,
                                devices_are_written_in_place_and_are_not_one_file,
                                a_pipe_that_is_read_is_refused,
                                a_file_without_a_name_is_refused,
                                what_cannot_be_made_is_refused,
                                NULL};
  return check_run(check_suite("cli-output-file", tests));
}
