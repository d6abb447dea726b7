// ControlParts refers to the parts of the database that the control API uses. The database owns
// them.
#pragma once

#include <cstdint>

namespace hashrange {

class AdjustableClock;     // base/clock.h
class Backfiller;          // engine/backfill/backfiller.h
class Consistency;         // simulation/consistency.h
class Engine;              // engine/engine.h
class FaultPlan;           // simulation/fault_plan.h
class GateChain;           // simulation/gate_chain.h
class Holds;               // simulation/holds.h
class KeptData;            // store/load/kept_data.h
class MeasuredPartitions;  // control/measured_partitions.h
class MemoryBound;         // base/memory_bound.h
class Meter;               // measure/meter/meter.h
class Snapshots;           // control/snapshots.h
class Recorder;            // simulation/recorder.h
class StreamSet;           // engine/stream/stream_set.h
class Throughput;          // simulation/throughput.h
class TimeToLive;          // engine/ttl/time_to_live.h

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
  MeasuredPartitions& measured_partitions;
  KeptData* kept = nullptr;         // null: the tables are in memory only
  MemoryBound* memory = nullptr;    // null: memory is not bounded
  bool shared_tables = false;       // one set of tables for all accounts and Regions
  std::int64_t start_epoch_ms = 0;  // by the machine's clock
};

}  // namespace hashrange
