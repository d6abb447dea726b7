// The parts of a Database, in the order in which they are constructed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory/memory_bound.h"
#include "control/content/change_tails.h"
#include "control/content/collection_directory.h"
#include "control/control.h"
#include "control/files/transfer_parts.h"
#include "control/running_measurements.h"
#include "control/snapshots.h"
#include "engine/backfill/backfiller.h"
#include "engine/engine.h"
#include "engine/stream/stream_set.h"
#include "engine/ttl/time_to_live.h"
#include "hashrange/database.h"
#include "measure/meter/meter.h"
#include "operation/dispatch.h"
#include "operation/kinesis/kinesis_sink.h"
#include "simulation/consistency.h"
#include "simulation/fault_plan.h"
#include "simulation/gate_chain.h"
#include "simulation/holds.h"
#include "simulation/recorder.h"
#include "simulation/throughput.h"
#include "store/kept/kept_tables.h"

namespace hashrange {

// The most bytes of a call's input (docs/service/01-wire-protocol.md, sections 1 and 2).
inline constexpr std::size_t kMaxInputBytes = 16 << 20;

struct Database::State {
  // `kept_tables` keeps the tables; its data are loaded later. Null: the tables are in memory only.
  // `kinesis_sink`: null: there is no Kinesis stream.
  State(const Options& options, std::unique_ptr<KeptTables> kept_tables,
        std::unique_ptr<KinesisSink> kinesis_sink)
      : shared_tables(options.shared_tables),
        memory(options.max_memory_bytes),
        streams(clock, {.shards = std::clamp(options.stream_shards, 1, kMaxStreamShards),
                        .buffer_bytes = options.stream_buffer_bytes}),
        engine(clock),
        kept(std::move(kept_tables)),
        kinesis(std::move(kinesis_sink)),
        time_to_live(engine, options.ttl_interval_ms, durability()),
        backfiller(engine),
        dispatcher(engine, streams,
                   {.shared_tables = options.shared_tables,
                    .key_owners = options.tables_of_each_key ? KeyOwners::kEachKey
                                                             : KeyOwners::kDefaultAccount,
                    .gate = &gates.slot(),
                    .backfiller = &backfiller,
                    .time_to_live = &time_to_live,
                    .durability = durability(),
                    .memory = &memory,
                    .kinesis = kinesis.get(),
                    .transition_ms = options.transition_ms,
                    .index_transition_ms = options.index_transition_ms}),
        snapshots(engine.catalog()),
        control({.engine = engine,
                 .clock = clock,
                 .streams = streams,
                 .time_to_live = time_to_live,
                 .backfiller = backfiller,
                 .gates = gates,
                 .faults = faults,
                 .holds = holds,
                 .consistency = consistency,
                 .throughput = throughput,
                 .snapshots = snapshots,
                 .recorder = recorder,
                 .meter = meter,
                 .running_measurements = running_measurements,
                 .directories = directories,
                 .change_tails = change_tails,
                 .kept = kept.get(),
                 .memory = &memory,
                 .shared_tables = options.shared_tables,
                 .start_epoch_ms = clock.NowEpochMs()}) {
    engine.AddObserver(streams);
    engine.AddObserver(change_tails);
    if (kinesis) engine.AddObserver(*kinesis);
    if (options.metrics) recorder.StartCounting();
    if (IsLogged(LogLevel::kDebug)) recorder.StartLog();
  }

  // Null: the tables are in memory only.
  Durability* durability() { return kept ? &kept->durability() : nullptr; }

  TransferParts transfer_parts() {
    return {engine, streams, time_to_live, &memory, shared_tables, durability()};
  }

  const bool shared_tables;
  MemoryBound memory;
  AdjustableClock clock;
  StreamSet streams;         // outlives the engine, because tables hold streams
  ChangeTails change_tails;  // outlives the engine, because tables hold tails
  Engine engine;
  // Outlives everything that commits or answers; its own threads use the engine and the streams.
  std::unique_ptr<KeptTables> kept;
  // Outlives everything that commits; it refers to tables until its last change is written.
  std::unique_ptr<KinesisSink> kinesis;
  TimeToLive time_to_live;
  Consistency consistency{engine};
  Backfiller backfiller;  // until its destruction, its threads commit to the engine
  FaultPlan faults{gates};
  Holds holds{engine.catalog(), clock, gates};
  Throughput throughput{engine, gates};
  Recorder recorder{gates, clock};
  Meter meter{gates, engine, &memory};
  // The chain holds pointers to the gates before it, so it is destroyed before them. Their
  // constructors only store a reference to the chain.
  GateChain gates;
  Dispatcher dispatcher;
  Snapshots snapshots;
  RunningMeasurements running_measurements{engine, throughput, meter};
  CollectionDirectories directories;
  hashrange::Control control;
};

}  // namespace hashrange
