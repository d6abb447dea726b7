// KeptData: the part of a database that keeps its tables in a directory.
//
//   Open ──▶ Load fills the database and begins to write its changes ──▶ …, Backup, … ──▶ Stop
//
// Thread-safe, but for Open, Load, Stop and the destructor.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/durability.h"
#include "base/result.h"
#include "engine/backfill/backfiller.h"
#include "engine/engine.h"
#include "engine/stream/stream_set.h"
#include "engine/ttl/time_to_live.h"
#include "store/data_directory.h"
#include "store/directory_check.h"
#include "store/files/disk.h"
#include "store/journal.h"
#include "store/load/change_writer.h"
#include "store/load/store_trimmer.h"
#include "store/load/stored_load.h"

namespace hashrange {

class KeptData {
 public:
  static constexpr std::int64_t kNeverFlushed = -1;

  struct Options {
    std::string directory;
    // How often changes are flushed; 0: before their answers; kNeverFlushed: the system does it.
    std::int64_t sync_interval_ms = 0;
    Disk* disk = nullptr;  // null: the system's; outlives the object
  };

  // The parts of the database; all of them outlive the object. No commit is made before Load.
  struct Parts {
    Engine& engine;
    StreamSet& streams;
    TimeToLive& time_to_live;
    Backfiller& backfiller;
    AdjustableClock& clock;
  };

  // Opens the directory.
  // Errors: as DataDirectory::Open
  static Result<std::unique_ptr<KeptData>> Open(const Options& options);

  // Loads what the directory has, on all cores, and keeps what changes from then on. Returns the
  // number of tables; `items` counts the items, and any thread may read it. Called once.
  // Errors: as StoredLoad::Run; the database is not usable then
  Result<int> Load(const Parts& parts, std::atomic<std::int64_t>& items);

  Durability& durability() { return journal_; }
  // Keeps the time of the clock, which was set.
  void ClockWasSet() { writer_->WriteClock(); }
  // Errors: as Journal::Backup
  Status Backup(const std::string& directory) { return journal_.Backup(directory); }
  // Writes and flushes what is left; nothing changes any more. Idempotent.
  // Errors: as Journal::Stop
  Status Stop();

 private:
  KeptData(std::unique_ptr<DataDirectory> directory, const Journal::Options& options)
      : directory_(*directory), journal_(std::move(directory), options) {}

  // Puts the items that are left of a seed into its table.
  void FinishSeed(Engine& engine, const StoredSummary::FoundSeed& found);
  // Removes what is left of removed tables and streams.
  void RemoveRest(const std::vector<std::uint64_t>& tables, const std::vector<StoreKey>& records);

  DataDirectory& directory_;  // of the journal
  Journal journal_;
  // Since Load.
  std::optional<StoreTrimmer> trimmer_;
  std::optional<ChangeWriter> writer_;
};

// Reads all that a directory holds which no server uses, for `hashrange check`, and reports what is
// damaged.
// Errors: as CheckDirectory
Result<DirectoryReport> CheckKeptData(const std::string& directory);

}  // namespace hashrange
