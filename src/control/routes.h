// Routes: the table of the calls of the control API, one row for each call. Any thread.
#pragma once

#include <span>
#include <string_view>

#include "control/control_call.h"
#include "wire/json.h"

namespace hashrange {

// The input that a call reads apart from its path. Other input is refused.
enum class CallInput { kNothing, kBody, kQuery };

// Who may make a call when the server has no token.
enum class Callers {
  kOwnUser,  // programs of the server's own user and of root
  kAnyUser,  // programs of all users of this machine
};

struct Route {
  Callers callers;
  std::string_view method;
  std::string_view path;  // one '*' stands for a name: "snapshots/*/restore"
  ControlFunction function;
  CallInput input = CallInput::kNothing;
  bool takes_long = false;  // only other long calls have to wait for this call
  // Whether the call may change what a data directory keeps: it is refused while nothing can be
  // written, and its answer waits until the change is kept.
  bool changes_kept = false;
  // How the body is read. kStrict: if part of a body were ignored, a reset might drop more tables
  // than its body says.
  JsonDialect dialect = JsonDialect::kStrict;
};

std::span<const Route> Routes();

// The functions of the calls. Each is in the file of its feature.
ControlResult DescribeServer(ControlCall& call, JsonWriter& answer);  // control.cc
ControlResult ListFaults(ControlCall& call, JsonWriter& answer);      // fault_calls.cc
ControlResult AddFaults(ControlCall& call, JsonWriter& answer);
ControlResult DescribeFault(ControlCall& call, JsonWriter& answer);
ControlResult RemoveFault(ControlCall& call, JsonWriter& answer);
ControlResult RemoveFaults(ControlCall& call, JsonWriter& answer);
ControlResult ListHolds(ControlCall& call, JsonWriter& answer);  // hold_calls.cc
ControlResult AddHold(ControlCall& call, JsonWriter& answer);
ControlResult ReleaseHold(ControlCall& call, JsonWriter& answer);
ControlResult ReleaseHolds(ControlCall& call, JsonWriter& answer);
ControlResult ChangeStatus(ControlCall& call, JsonWriter& answer);     // status_calls.cc
ControlResult ListConsistency(ControlCall& call, JsonWriter& answer);  // consistency_calls.cc
ControlResult SetConsistency(ControlCall& call, JsonWriter& answer);
ControlResult ClearConsistency(ControlCall& call, JsonWriter& answer);
ControlResult DescribeThroughput(ControlCall& call, JsonWriter& answer);  // throughput_calls.cc
ControlResult EnforceThroughput(ControlCall& call, JsonWriter& answer);
ControlResult ClearThroughput(ControlCall& call, JsonWriter& answer);
ControlResult DescribePartitions(ControlCall& call, JsonWriter& answer);  // partition_calls.cc
ControlResult ModelPartitions(ControlCall& call, JsonWriter& answer);
ControlResult EndPartitions(ControlCall& call, JsonWriter& answer);
ControlResult ListMeasurements(ControlCall& call, JsonWriter& answer);  // measurement_calls.cc
ControlResult StartMeasurement(ControlCall& call, JsonWriter& answer);
ControlResult DescribeMeasurement(ControlCall& call, JsonWriter& answer);
ControlResult EndMeasurement(ControlCall& call, JsonWriter& answer);
ControlResult ReportMeasurement(ControlCall& call, JsonWriter& answer);
ControlResult CheckMeasurement(ControlCall& call, JsonWriter& answer);
ControlResult CompareMeasurement(ControlCall& call, JsonWriter& answer);
ControlResult EndMeasurements(ControlCall& call, JsonWriter& answer);
ControlResult SeedTables(ControlCall& call, JsonWriter& answer);  // seed_calls.cc
ControlResult DumpTables(ControlCall& call, JsonWriter& answer);
ControlResult BackUp(ControlCall& call, JsonWriter& answer);          // backup_calls.cc
ControlResult ExplainRequest(ControlCall& call, JsonWriter& answer);  // explain_calls.cc

ControlResult ResetTables(ControlCall& call, JsonWriter& answer);  // state_calls.cc
ControlResult ForkAccount(ControlCall& call, JsonWriter& answer);
ControlResult ListAccounts(ControlCall& call, JsonWriter& answer);
ControlResult ListSnapshots(ControlCall& call, JsonWriter& answer);
ControlResult TakeSnapshot(ControlCall& call, JsonWriter& answer);
ControlResult RestoreSnapshot(ControlCall& call, JsonWriter& answer);
ControlResult DropSnapshot(ControlCall& call, JsonWriter& answer);

ControlResult DescribeClock(ControlCall& call, JsonWriter& answer);  // clock_calls.cc
ControlResult ChangeClock(ControlCall& call, JsonWriter& answer);
ControlResult WriteMetrics(ControlCall& call, JsonWriter& answer);  // metrics_calls.cc
ControlResult SwitchMetrics(ControlCall& call, JsonWriter& answer);
ControlResult ListRequests(ControlCall& call, JsonWriter& answer);  // requests_calls.cc
// Starts or stops the listing of requests, and sets how many are kept.
ControlResult SwitchRequests(ControlCall& call, JsonWriter& answer);
ControlResult ForgetRequests(ControlCall& call, JsonWriter& answer);

}  // namespace hashrange
