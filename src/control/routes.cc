#include "control/routes.h"

namespace hashrange {

std::span<const Route> Routes() {
  static constexpr Route kRoutes[] = {
      {"GET", "", Describe},
  };
  return kRoutes;
}

}  // namespace hashrange
