/*
 * Preloaded into a runtime: fails, cuts short or ends the process at the Nth call that writes to a file under
 * .agentx or to standard output. Built by shim_test.ts.
 *
 * FAULT_COUNT  a file that grows by a byte with each such call
 * FAULT_AT     the number of the call, from 1
 * FAULT_KIND   ENOSPC, EIO, SHORT or KILL
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int count_fd = -1;
static long at = -1, calls = 0;
static char kind = 0;

__attribute__((constructor)) static void begin(void) {
  const char *file = getenv("FAULT_COUNT"), *number = getenv("FAULT_AT"), *name = getenv("FAULT_KIND");
  if (file == NULL) return;
  count_fd = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (number != NULL) at = atol(number);
  if (name != NULL) kind = name[0];
  unsetenv("LD_PRELOAD"); /* what the process starts is left alone */
}

static int is_ours(const char *path) { return path != NULL && strstr(path, "/.agentx") != NULL; }

static int is_our_file(int fd) {
  char link[64], path[4096];
  if (fd == 1) return 1;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_ours(path);
}

/* 0: go on; -1: fail with errno; 1: take half of it. */
static int next(int ours, int has_content) {
  if (!ours || count_fd < 0) return 0;
  syscall(SYS_write, count_fd, ".", 1);
  if (__sync_add_and_fetch(&calls, 1) != at) return 0;
  switch (kind) {
    case 'E': {
      const char *name = getenv("FAULT_KIND");
      errno = strcmp(name, "EIO") == 0 ? EIO : ENOSPC;
      return -1;
    }
    case 'S': return has_content ? 1 : 0;
    case 'K': return has_content ? 2 : 3;
  }
  return 0;
}

static void die(void) { syscall(SYS_exit_group, 137); }

#define REAL(name) static __typeof__(&name) real; if (real == NULL) real = dlsym(RTLD_NEXT, #name)

/* A process that dies at a write leaves half of it. */
#define CONTENT(fd, size, whole, half) \
  switch (next(is_our_file(fd), (size) > 1)) { \
    case -1: return -1; \
    case 1: return half; \
    case 2: (void)!half; /* fall through */ \
    case 3: die(); /* fall through */ \
    default: return whole; \
  }
#define PLAIN(ours, whole) \
  switch (next(ours, 0)) { \
    case -1: return -1; \
    case 3: die(); /* fall through */ \
    default: return whole; \
  }

ssize_t write(int fd, const void *bytes, size_t size) {
  REAL(write);
  CONTENT(fd, size, real(fd, bytes, size), real(fd, bytes, size / 2))
}
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset) {
  REAL(pwrite);
  CONTENT(fd, size, real(fd, bytes, size, offset), real(fd, bytes, size / 2, offset))
}
ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t offset) {
  REAL(pwrite64);
  CONTENT(fd, size, real(fd, bytes, size, offset), real(fd, bytes, size / 2, offset))
}
int fsync(int fd) { REAL(fsync); PLAIN(is_our_file(fd), real(fd)) }
int fdatasync(int fd) { REAL(fdatasync); PLAIN(is_our_file(fd), real(fd)) }
int ftruncate(int fd, off_t size) { REAL(ftruncate); PLAIN(is_our_file(fd), real(fd, size)) }
int ftruncate64(int fd, off64_t size) { REAL(ftruncate64); PLAIN(is_our_file(fd), real(fd, size)) }
int rename(const char *from, const char *to) { REAL(rename); PLAIN(is_ours(to), real(from, to)) }
int unlink(const char *path) { REAL(unlink); PLAIN(is_ours(path), real(path)) }
int mkdir(const char *path, mode_t mode) { REAL(mkdir); PLAIN(is_ours(path), real(path, mode)) }

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0; \
    va_end(rest); \
    REAL(name); \
    PLAIN((flags & O_CREAT) && is_ours(path), real(path, flags, mode)) \
  }
OPEN(open)
OPEN(open64)
