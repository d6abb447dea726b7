#include "control/routes.h"

namespace hashrange {

std::span<const Route> Routes() {
  static constexpr Route kRoutes[] = {
      {"GET", "", Describe},
      {"POST", "seed", SeedTables},
      {"POST", "dump", DumpTables},
  };
  return kRoutes;
}

}  // namespace hashrange
