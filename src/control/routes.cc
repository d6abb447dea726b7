#include "control/routes.h"

namespace hashrange {

std::span<const Route> Routes() {
  static constexpr Route kRoutes[] = {
      {"GET", "", Describe},
      {"POST", "reset", ResetTables},
      {"POST", "fork", ForkAccount},
      {"GET", "snapshots", ListSnapshots},
      {"POST", "snapshots", TakeSnapshot},
      {"POST", "snapshots/*/restore", RestoreSnapshot},
      {"DELETE", "snapshots/*", DropSnapshot},
      {"GET", "clock", DescribeClock},
      {"POST", "clock", ChangeClock},
      {"POST", "seed", SeedTables},
      {"POST", "dump", DumpTables},
  };
  return kRoutes;
}

}  // namespace hashrange
