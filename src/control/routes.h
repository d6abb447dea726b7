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
ControlResult Describe(ControlCall& call, JsonWriter& answer);  // control.cc
ControlResult WriteMetrics(ControlCall& call, JsonWriter& answer);  // metrics_calls.cc
ControlResult ListRequests(ControlCall& call, JsonWriter& answer);  // requests_calls.cc
ControlResult SwitchRequests(ControlCall& call, JsonWriter& answer);
ControlResult ForgetRequests(ControlCall& call, JsonWriter& answer);

}  // namespace hashrange
