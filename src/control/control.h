// Control is the control API without HTTP. A test uses it to change the server's state, its time
// and its faults, and to look at past calls (docs/control-api.md).
//
//   {method, path} ──▶ a row of routes.def ──▶ its function ──▶ JSON, or {"error":"One sentence."}
//
// Thread-safe. At any time at most one short call runs, and beside it at most one long call
// (routes.h); other calls wait.
#pragma once

#include <cstdint>

#include "base/threads.h"
#include "control/control_request.h"

namespace hashrange {

class AdjustableClock;        // base/clock.h
class Backfiller;             // engine/backfill/backfiller.h
class ChangeTails;            // control/content/change_tails.h
class CollectionDirectories;  // control/content/collection_directory.h
class Consistency;            // simulation/consistency.h
class Engine;                 // engine/engine.h
class FaultPlan;              // simulation/fault_plan.h
class GateChain;              // simulation/gate_chain.h
class Holds;                  // simulation/holds.h
class KeptTables;             // store/kept/kept_tables.h
class RunningMeasurements;    // control/running_measurements.h
class MemoryBound;            // base/memory_bound.h
class Meter;                  // measure/meter/meter.h
class Snapshots;              // control/snapshots.h
class Recorder;               // simulation/recorder.h
class StreamSet;              // engine/stream/stream_set.h
class Throughput;             // simulation/throughput.h
class TimeToLive;             // engine/ttl/time_to_live.h

// The parts of the database that the control API uses. The database owns them.
struct ControlParts {
  Engine& engine;
  AdjustableClock& clock;
  StreamSet& streams;
  TimeToLive& time_to_live;
  Backfiller& backfiller;
  GateChain& gates;
  FaultPlan& faults;
  Holds& holds;
  Consistency& consistency;
  Throughput& throughput;
  Snapshots& snapshots;
  Recorder& recorder;
  Meter& meter;
  RunningMeasurements& running_measurements;
  CollectionDirectories& directories;
  ChangeTails& change_tails;
  KeptTables* kept = nullptr;       // null: the tables are in memory only
  MemoryBound* memory = nullptr;    // null: memory is not bounded
  bool shared_tables = false;       // one set of tables for all accounts and Regions
  std::int64_t start_epoch_ms = 0;  // by the machine's clock
};

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
  Mutex short_calls_;
  Mutex long_calls_;
  ControlParts parts_;
};

}  // namespace hashrange
