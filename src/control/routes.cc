#include "control/routes.h"

namespace hashrange {

std::span<const Route> Routes() {
  static constexpr Route kRoutes[] = {
      {"GET", "", Describe},
      {"GET", "metrics", WriteMetrics},
      {"GET", "requests", ListRequests},
      {"POST", "requests", SwitchRequests},
      {"DELETE", "requests", ForgetRequests},
  };
  return kRoutes;
}

}  // namespace hashrange
