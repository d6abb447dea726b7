// ServerMetrics: what a server tells Prometheus, collected when it is asked for. Nothing is kept
// here: the counters are those that the threads write (simulation/call_statistics.h), summed.
//
//   stripe of a thread ──┐
//   stripe of a thread ──┴──▶ totals ──▶ Collect() ──▶ prometheus::TextSerializer
//
// Thread-safe. What it reads has to outlive it.
#pragma once

#include <prometheus/collectable.h>

#include <vector>

#include "control/control_parts.h"

namespace hashrange {

class ServerMetrics : public prometheus::Collectable {
 public:
  explicit ServerMetrics(const ControlParts& parts) : parts_(parts) {}

  // In one order always. What is counted of calls is there once parts.recorder is counting.
  // Cost: O(tables), and a look at each thread's counters.
  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  const ControlParts& parts_;
};

}  // namespace hashrange
