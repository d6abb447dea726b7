// Control is the control API without HTTP. A test uses it to change the server's state, its time
// and its faults, and to look at past calls (docs/control-api.md).
//
//   {method, path} ──▶ a row of routes.cc ──▶ its function ──▶ JSON, or {"error":"One sentence."}
//
// Thread-safe. At any time at most one short call runs, and beside it at most one long call
// (routes.h); other calls wait.
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

  // Returns the answer of the call; with status 404 when no call has the request's path, and 405
  // when the calls with this path have other methods.
  ControlAnswer Answer(const ControlRequest& request);
  // Returns whether the call of this request may take long.
  static bool TakesLong(const ControlRequest& request);

 private:
  std::mutex short_calls_;
  std::mutex long_calls_;
  ControlParts parts_;
};

}  // namespace hashrange
