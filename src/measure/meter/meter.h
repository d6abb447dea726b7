// Meter is the gate that counts: it refuses nothing, and makes a Measurement (measure/) of the
// calls that pass it. Several measurements may run at once, each of some tables. It is in the chain
// while one of them runs.
//
//   Leave, Charge ──▶ the thread's MeteredCall ── End ──▶ a stripe of each measurement
//   Read ◀── all stripes of one measurement, and a walk through the items of its tables
//
// A call takes one lock for each measurement that measures it, a stripe's lock, which no other
// thread takes as long as there are no more threads than stripes. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory/memory_bound.h"
#include "base/result.h"
#include "base/threads.h"
#include "engine/engine.h"
#include "measure/measurement.h"
#include "operation/call/gate.h"
#include "simulation/gate_chain.h"

namespace hashrange {

// What is measured. Empty texts and lists mean all.
struct MeasurementScope {
  std::string account = {};
  std::string region = {};
  std::vector<std::string> tables = {};

  bool HasAccount(AccountName name) const;
  bool HasTable(std::string_view table) const;
};

struct MeasurementSummary {
  std::string name;
  MeasurementScope scope;
  std::int64_t began_epoch_ms = 0;
};

class Meter : public Gate {
 public:
  static constexpr std::size_t kMaxMeasurements = 16;

  // The chain, the engine and `memory` outlive the meter. While `memory` is exceeded, no
  // measurement begins, and running ones count nothing new; null: memory is not bounded.
  Meter(GateChain& chain, Engine& engine, MemoryBound* memory = nullptr);
  ~Meter() override;

  // Begins a measurement.
  // Errors: ResourceInUseException  there is one of this name
  //         LimitExceededException  kMaxMeasurements are running
  //         InternalServerError     the memory is used up
  Status Start(std::string name, MeasurementScope scope, MeasurementSettings settings);
  // Returns what was measured so far.
  // Errors: ResourceNotFoundException  there is none of this name
  // Cost: up to about a second for tables with many items; calls are delayed by the copying of one
  // stripe at most.
  Result<Measurement> Read(std::string_view name);
  // Ends the measurement and returns it.
  // Errors: as Read
  Result<Measurement> Stop(std::string_view name);
  // Ends the measurement without making it. Returns false when there is none of this name.
  bool Discard(std::string_view name);
  // Returns the measurements that run, by name.
  std::vector<MeasurementSummary> List() const;

  std::optional<Error> Begin(Call& call) override;
  std::optional<Error> Enter(Call&, const Access&) override { return std::nullopt; }
  void Leave(Call& call, const Access& access, const Usage& usage) override;
  void Charge(Call& call, const Access& access, const Usage& usage) override;
  void End(Call& call, const CallOutcome& outcome) override;
  void Fail(Call& call, const CallOutcome& outcome) override;

 private:
  struct Running;
  struct CallUnderWay;
  using RunningList = std::vector<std::shared_ptr<Running>>;

  static CallUnderWay& OfThisThread();
  // Notes what the access is counted for when its call ends. Errors: throws std::bad_alloc
  static void Keep(const Access& left, const Usage& usage, CallUnderWay* under_way);
  void TakeList(CallUnderWay* under_way) const;
  std::shared_ptr<Running> Find(std::string_view name) const;
  // Takes the measurement out of the list; null when there is none of this name.
  std::shared_ptr<Running> Remove(std::string_view name);
  void Replace(RunningList list);  // with `mutex_` held
  Measurement Make(Running& running, bool is_running);
  // Frees what was counted.
  void Close(std::shared_ptr<Running> running);

  GateChain& chain_;
  Engine& engine_;
  MemoryBound* const memory_;
  const std::uint64_t number_;  // of this object, unique in the process
  mutable Mutex mutex_;         // guards `running_`
  std::shared_ptr<const RunningList> running_;
  std::atomic<std::uint64_t> changes_{0};  // of `running_`
};

}  // namespace hashrange
