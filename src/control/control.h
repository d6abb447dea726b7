// Control: the control API, apart from HTTP. What a test asks of its server beside DynamoDB:
// another state, another time, faults, and what has happened (docs/control-api.md).
//
//   {method, path} ──▶ a row of routes.cc ──▶ its function ──▶ JSON, or {"error":"One sentence."}
//
// Thread-safe: one call at a time, and beside it one of those that take long (routes.h).
#pragma once

#include <mutex>

#include "control/control_parts.h"
#include "control/control_request.h"

namespace hashrange {

class Control {
 public:
  explicit Control(const ControlParts& parts) : parts_(parts) {}
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;

  // Always answers. 404: there is no such call; 405: not by this method; otherwise what the call
  // says.
  ControlAnswer Answer(const ControlRequest& request);
  // Whether the request is one of those that take long.
  static bool TakesLong(const ControlRequest& request);

 private:
  std::mutex short_calls_;
  std::mutex long_calls_;
  ControlParts parts_;
};

}  // namespace hashrange
