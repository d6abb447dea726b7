// What the C library for WebAssembly lacks and libc++'s functions on files use: a module has no files,
// so each of these fails. Included before the sources of libc++ that need it.
#pragma once

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <sys/types.h>

#define DT_SOCK 12

struct statvfs {
  unsigned long f_frsize;
  fsblkcnt_t f_blocks, f_bfree, f_bavail;
};
inline int FailWithoutFiles() {
  errno = ENOSYS;
  return -1;
}
inline int statvfs(const char*, struct statvfs*) { return FailWithoutFiles(); }
inline int fchmod(int, mode_t) { return FailWithoutFiles(); }
inline int fchmodat(int, const char*, mode_t, int) { return FailWithoutFiles(); }
inline char* realpath(const char*, char*) {
  FailWithoutFiles();
  return nullptr;
}
