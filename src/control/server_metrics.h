// ServerMetrics collects the metrics of a server for Prometheus when they are requested. It stores
// nothing: it sums the counters that the threads write (simulation/call_statistics.h).
//
//   stripe of a thread ──┐
//   stripe of a thread ──┴──▶ totals ──▶ Collect() ──▶ prometheus::TextSerializer
//
// Thread-safe. The parts that it reads outlive it.
#pragma once

#include <prometheus/collectable.h>

#include <vector>

#include "control/control_parts.h"

namespace hashrange {

class ServerMetrics : public prometheus::Collectable {
 public:
  explicit ServerMetrics(const ControlParts& parts) : parts_(parts) {}

  // Returns the families, always in the same order. Calls are counted only since
  // parts.recorder.StartCounting().
  // Cost: O(tables), and a read of each thread's counters.
  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  const ControlParts& parts_;
};

}  // namespace hashrange
