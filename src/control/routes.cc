#include "control/routes.h"

namespace hashrange {

std::span<const Route> Routes() {
  using enum Callers;
  // Those that only read, and show neither requests nor keys from them, are for all users. So are
  // those that can do no more than the calls of DynamoDB, which everybody may make; they have rules
  // of their own for files.
  static constexpr Route kRoutes[] = {
      {kAnyUser, "GET", "", DescribeServer},
      {kAnyUser, "GET", "faults", ListFaults},
      {kOwnUser, "POST", "faults", AddFaults, CallInput::kBody},
      {kOwnUser, "DELETE", "faults", RemoveFaults},
      {kAnyUser, "GET", "faults/*", DescribeFault},
      {kOwnUser, "DELETE", "faults/*", RemoveFault},
      {kAnyUser, "GET", "holds", ListHolds},
      {kOwnUser, "POST", "holds", AddHold, CallInput::kBody},
      {kOwnUser, "DELETE", "holds", ReleaseHolds},
      {kOwnUser, "DELETE", "holds/*", ReleaseHold},
      {kOwnUser, "POST", "status", ChangeStatus, CallInput::kBody, false, true},
      {kAnyUser, "GET", "consistency", ListConsistency},
      {kOwnUser, "POST", "consistency", SetConsistency, CallInput::kBody},
      {kOwnUser, "DELETE", "consistency", ClearConsistency, CallInput::kBody},
      {kAnyUser, "GET", "throughput", DescribeThroughput},
      {kOwnUser, "POST", "throughput", EnforceThroughput, CallInput::kBody},
      {kOwnUser, "DELETE", "throughput", ClearThroughput, CallInput::kBody},
      {kOwnUser, "GET", "partitions", DescribePartitions, CallInput::kQuery, true},
      {kOwnUser, "POST", "partitions", ModelPartitions, CallInput::kBody, true},
      {kOwnUser, "DELETE", "partitions", EndPartitions, CallInput::kBody, true},
      // Its input is that of an operation, which ignores members that are null.
      {kAnyUser, "POST", "explain", ExplainRequest, CallInput::kBody, true, false,
       JsonDialect::kRequest},
      {kOwnUser, "POST", "reset", ResetTables, CallInput::kBody, false, true},
      {kOwnUser, "POST", "fork", ForkAccount, CallInput::kBody, false, true},
      {kAnyUser, "GET", "accounts", ListAccounts},
      {kAnyUser, "GET", "snapshots", ListSnapshots},
      {kOwnUser, "POST", "snapshots", TakeSnapshot, CallInput::kBody},
      {kOwnUser, "POST", "snapshots/*/restore", RestoreSnapshot, CallInput::kBody, false, true},
      {kOwnUser, "DELETE", "snapshots/*", DropSnapshot},
      {kAnyUser, "GET", "clock", DescribeClock},
      {kOwnUser, "POST", "clock", ChangeClock, CallInput::kBody, false, true},
      {kAnyUser, "POST", "seed", SeedTables, CallInput::kBody, true, true},
      {kAnyUser, "POST", "dump", DumpTables, CallInput::kBody, true},
      {kAnyUser, "POST", "backup", BackUp, CallInput::kBody, true},
      {kAnyUser, "GET", "measurements", ListMeasurements},
      {kOwnUser, "POST", "measurements", StartMeasurement, CallInput::kBody},
      {kOwnUser, "DELETE", "measurements", EndMeasurements},
      {kOwnUser, "GET", "measurements/*", DescribeMeasurement, CallInput::kNothing, true},
      {kOwnUser, "DELETE", "measurements/*", EndMeasurement, CallInput::kNothing, true},
      {kOwnUser, "POST", "measurements/*/report", ReportMeasurement, CallInput::kBody, true},
      {kOwnUser, "POST", "measurements/*/check", CheckMeasurement, CallInput::kBody, true},
      {kOwnUser, "POST", "measurements/*/compare", CompareMeasurement, CallInput::kBody, true},
      {kAnyUser, "GET", "metrics", WriteMetrics},
      {kOwnUser, "POST", "metrics", SwitchMetrics, CallInput::kBody},
      {kOwnUser, "GET", "requests", ListRequests, CallInput::kQuery},
      {kOwnUser, "POST", "requests", SwitchRequests, CallInput::kBody},
      {kOwnUser, "DELETE", "requests", ForgetRequests, CallInput::kQuery},
  };
  return kRoutes;
}

}  // namespace hashrange
