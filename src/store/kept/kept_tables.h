// KeptTables: the part of a database that keeps its tables in a directory, as the database sees it.
//
//   OpenKeptTables ──▶ Load fills the database and begins to write its changes ──▶ …, Backup, …
//                  ──▶ Stop
//
// What a build keeps tables with is chosen when it is compiled (HASHRANGE_STORE): store/load, or
// nothing, store/none. Thread-safe, but for OpenKeptTables, Load, Stop and the destructor.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/durability.h"
#include "base/result.h"

namespace hashrange {

class Backfiller;  // engine/backfill/backfiller.h
class Engine;      // engine/engine.h
class StreamSet;   // engine/stream/stream_set.h
class TimeToLive;  // engine/ttl/time_to_live.h

class KeptTables {
 public:
  static constexpr std::int64_t kNeverFlushed = -1;

  // The parts of the database; all of them outlive the object. No commit is made before Load.
  struct Parts {
    Engine& engine;
    StreamSet& streams;
    TimeToLive& time_to_live;
    Backfiller& backfiller;
    AdjustableClock& clock;
  };

  virtual ~KeptTables();

  // Loads what the directory has, on all cores, and keeps what changes from then on. Returns the
  // number of tables; `items` counts the items, and any thread may read it. Called once.
  // Errors: as StoredLoad::Run; the database is not usable then
  virtual Result<int> Load(const Parts& parts, std::atomic<std::int64_t>& items) = 0;

  virtual Durability& durability() = 0;
  // Keeps the time of the clock, which was set.
  virtual void ClockWasSet() = 0;
  // Copies what is kept into a new directory.
  // Errors: as Journal::Backup
  virtual Status Backup(const std::string& directory) = 0;
  // Writes and flushes what is left; nothing changes any more. Idempotent.
  // Errors: as Journal::Stop
  virtual Status Stop() = 0;
};

struct KeptTablesPlace {
  std::string directory;
  // How often changes are flushed; 0: before their answers; kNeverFlushed: the system does it.
  std::int64_t sync_interval_ms = 0;
};

// Opens the directory.
// Errors: as DataDirectory::Open; ValidationException in a build that keeps nothing
Result<std::unique_ptr<KeptTables>> OpenKeptTables(const KeptTablesPlace& place);

}  // namespace hashrange
