// A build without a store has no data directories to work with.
#include <cstdio>

#include "cli/data/data_commands.h"

namespace hashrange {
namespace {

int Refuse() {
  constexpr int kFailed = 2;
  std::fputs("hashrange: this build keeps no data on disk\n", stderr);
  return kFailed;
}

}  // namespace

int RunCheck(const std::string&) { return Refuse(); }
int RunCompact(const std::string&) { return Refuse(); }
int RunRepair(const std::string&) { return Refuse(); }

}  // namespace hashrange
