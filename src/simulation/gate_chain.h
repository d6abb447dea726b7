// GateChain: the one gate a server has, made of those that are active. While none is, the
// dispatcher finds no gate at all.
//
//   dispatcher ── slot ──▶ GateChain ──▶ recorder ──▶ faults ──▶ holds ──▶ throughput
//
// Each is asked in this order; the first that refuses ends it. The end is told in the reverse
// order: the recorder writes down what the others have made of it. Thread-safe.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>

#include "operation/gate.h"

namespace hashrange {

class GateChain : public Gate {
 public:
  enum class Place { kRecorder, kFaults, kHolds, kThroughput };

  // What the dispatcher looks at.
  const GateSlot& slot() const { return slot_; }

  // `gate` stands at its place from now on. It outlives the chain, as calls under way go on with
  // it after Deactivate; and it bears to see the end of what began before it stood there.
  void Activate(Place place, Gate& gate);
  void Deactivate(Place place);

  std::optional<Error> Begin(Call& call) override;
  std::optional<Error> Enter(Call& call, const Access& access) override;
  void Leave(Call& call, const Access& access, const Usage& usage) override;
  void End(Call& call, const CallOutcome& outcome) override;
  void Fail(Call& call, const CallOutcome& outcome) override;

 private:
  static constexpr std::size_t kPlaces = 4;

  void Set(Place place, Gate* gate);

  std::mutex mutex_;  // held to change what follows
  std::array<std::atomic<Gate*>, kPlaces> gates_ = {};
  GateSlot slot_{nullptr};
};

}  // namespace hashrange
