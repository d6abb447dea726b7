#include "control/routes.h"

namespace hashrange {

std::span<const Route> Routes() {
  static constexpr Route kRoutes[] = {
      {"GET", "", DescribeServer},
      {"GET", "faults", ListFaults},
      {"POST", "faults", AddFaults, CallInput::kBody},
      {"DELETE", "faults", RemoveFaults},
      {"GET", "faults/*", DescribeFault},
      {"DELETE", "faults/*", RemoveFault},
      {"GET", "holds", ListHolds},
      {"POST", "holds", AddHold, CallInput::kBody},
      {"DELETE", "holds", ReleaseHolds},
      {"DELETE", "holds/*", ReleaseHold},
      {"POST", "status", ChangeStatus, CallInput::kBody, false, true},
      {"GET", "consistency", ListConsistency},
      {"POST", "consistency", SetConsistency, CallInput::kBody},
      {"DELETE", "consistency", ClearConsistency, CallInput::kBody},
      {"GET", "throughput", DescribeThroughput},
      {"POST", "throughput", EnforceThroughput, CallInput::kBody},
      {"DELETE", "throughput", ClearThroughput, CallInput::kBody},
      {"GET", "partitions", DescribePartitions, CallInput::kQuery, true},
      {"POST", "partitions", ModelPartitions, CallInput::kBody, true},
      {"DELETE", "partitions", EndPartitions, CallInput::kBody, true},
      // Its input is that of an operation, which ignores members that are null.
      {"POST", "explain", ExplainRequest, CallInput::kBody, true, false, JsonDialect::kRequest},
      {"POST", "reset", ResetTables, CallInput::kBody, false, true},
      {"POST", "fork", ForkAccount, CallInput::kBody, false, true},
      {"GET", "accounts", ListAccounts},
      {"GET", "snapshots", ListSnapshots},
      {"POST", "snapshots", TakeSnapshot, CallInput::kBody},
      {"POST", "snapshots/*/restore", RestoreSnapshot, CallInput::kBody, false, true},
      {"DELETE", "snapshots/*", DropSnapshot},
      {"GET", "clock", DescribeClock},
      {"POST", "clock", ChangeClock, CallInput::kBody, false, true},
      {"POST", "seed", SeedTables, CallInput::kBody, true, true},
      {"POST", "dump", DumpTables, CallInput::kBody, true},
      {"POST", "backup", BackUp, CallInput::kBody, true},
      {"GET", "measurements", ListMeasurements},
      {"POST", "measurements", StartMeasurement, CallInput::kBody},
      {"DELETE", "measurements", EndMeasurements},
      {"GET", "measurements/*", DescribeMeasurement, CallInput::kNothing, true},
      {"DELETE", "measurements/*", EndMeasurement, CallInput::kNothing, true},
      {"POST", "measurements/*/report", ReportMeasurement, CallInput::kBody, true},
      {"POST", "measurements/*/check", CheckMeasurement, CallInput::kBody, true},
      {"POST", "measurements/*/compare", CompareMeasurement, CallInput::kBody, true},
      {"GET", "metrics", WriteMetrics},
      {"GET", "requests", ListRequests, CallInput::kQuery},
      {"POST", "requests", SwitchRequests, CallInput::kBody},
      {"DELETE", "requests", ForgetRequests, CallInput::kQuery},
  };
  return kRoutes;
}

}  // namespace hashrange
