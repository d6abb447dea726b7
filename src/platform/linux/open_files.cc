#include "platform/open_files.h"

#include <sys/resource.h>

#include <algorithm>
#include <climits>

namespace hashrange {

std::optional<int> MaxOpenFiles() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return std::nullopt;
  return static_cast<int>(std::min<rlim_t>(files.rlim_cur, INT_MAX));
}

void RaiseMaxOpenFiles() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
}

}  // namespace hashrange
