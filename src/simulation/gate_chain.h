// GateChain is the one gate of a server. It passes calls to the gates that are active. While no
// gate is active, the dispatcher finds no gate at all.
//
//   dispatcher ── slot ──▶ GateChain ──▶ recorder ──▶ meter ──▶ faults ──▶ holds ──▶ partitions
//
// Gates are asked in this order, and no gate is asked after the first that refuses; the gates that
// had admitted the access learn of the refusal by their Leave. End is called in the reverse order,
// so that the recorder records what the other gates did to the call. Thread-safe.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

#include "base/threads.h"
#include "operation/call/gate.h"

namespace hashrange {

class GateChain : public Gate {
 public:
  enum class Place { kRecorder, kMeter, kFaults, kHolds, kPartitions };

  // The slot in which the dispatcher finds the gate.
  const GateSlot& slot() const { return slot_; }

  // Puts `gate` into its place. The gate outlives the chain, as calls under way still use it after
  // Deactivate. It has to accept the end of calls and accesses that began before it was active.
  void Activate(Place place, Gate& gate);
  void Deactivate(Place place);

  std::optional<Error> Begin(Call& call) override;
  std::optional<Error> Enter(Call& call, const Access& access) override;
  void Leave(Call& call, const Access& access, const Usage& usage) override;
  void Charge(Call& call, const Access& access, const Usage& usage) override;
  void End(Call& call, const CallOutcome& outcome) override;
  void Fail(Call& call, const CallOutcome& outcome) override;

 private:
  static constexpr std::size_t kPlaces = 5;

  void Set(Place place, Gate* gate);

  Mutex mutex_;  // held to change what follows
  std::array<std::atomic<Gate*>, kPlaces> gates_ = {};
  GateSlot slot_{nullptr};
};

}  // namespace hashrange
