#include "control/routes.h"

namespace hashrange {

std::span<const Route> Routes() {
  static constexpr Route kRoutes[] = {
      {"GET", "", Describe},
      {"GET", "faults", ListFaults},
      {"POST", "faults", AddFaults},
      {"DELETE", "faults", RemoveFaults},
      {"GET", "faults/*", DescribeFault},
      {"DELETE", "faults/*", RemoveFault},
      {"GET", "holds", ListHolds},
      {"POST", "holds", AddHold},
      {"DELETE", "holds", ReleaseHolds},
      {"DELETE", "holds/*", ReleaseHold},
      {"POST", "status", ChangeStatus},
      {"GET", "consistency", ListConsistency},
      {"POST", "consistency", SetConsistency},
      {"DELETE", "consistency", ClearConsistency},
      {"GET", "throughput", DescribeThroughput},
      {"POST", "throughput", EnforceThroughput},
      {"DELETE", "throughput", ClearThroughput},
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
      {"GET", "metrics", WriteMetrics},
      {"GET", "requests", ListRequests},
      {"POST", "requests", SwitchRequests},
      {"DELETE", "requests", ForgetRequests},
  };
  return kRoutes;
}

}  // namespace hashrange
