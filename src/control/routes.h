// The calls of the control API: one row each.
#pragma once

#include <span>
#include <string_view>

#include "control/control_call.h"

namespace hashrange {

struct Route {
  std::string_view method;
  std::string_view path;  // one '*' stands for a name: "snapshots/*/restore"
  ControlFunction function;
};

std::span<const Route> Routes();

// The functions, each in the file of its feature.
ControlResult Describe(ControlCall& call, JsonWriter& answer);    // control.cc
ControlResult SeedTables(ControlCall& call, JsonWriter& answer);  // seed_calls.cc
ControlResult DumpTables(ControlCall& call, JsonWriter& answer);

ControlResult ResetTables(ControlCall& call, JsonWriter& answer);  // state_calls.cc
ControlResult ForkAccount(ControlCall& call, JsonWriter& answer);
ControlResult ListSnapshots(ControlCall& call, JsonWriter& answer);
ControlResult TakeSnapshot(ControlCall& call, JsonWriter& answer);
ControlResult RestoreSnapshot(ControlCall& call, JsonWriter& answer);
ControlResult DropSnapshot(ControlCall& call, JsonWriter& answer);

ControlResult DescribeClock(ControlCall& call, JsonWriter& answer);  // clock_calls.cc
ControlResult ChangeClock(ControlCall& call, JsonWriter& answer);

}  // namespace hashrange
