#include "control/routes.h"

namespace hashrange {

std::span<const Route> Routes() {
  static constexpr Route kRoutes[] = {
      {"GET", "", Describe},
      {"GET", "consistency", ListConsistency},
      {"POST", "consistency", SetConsistency},
      {"DELETE", "consistency", ClearConsistency},
      {"GET", "throughput", DescribeThroughput},
      {"POST", "throughput", EnforceThroughput},
      {"DELETE", "throughput", ClearThroughput},
  };
  return kRoutes;
}

}  // namespace hashrange
