// KeptData: the tables that a database keeps in a LevelDB directory (store/kept/kept_tables.h).
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
#include "store/kept/kept_tables.h"
#include "store/load/change_writer.h"
#include "store/load/store_trimmer.h"
#include "store/load/stored_load.h"

namespace hashrange {

class KeptData final : public KeptTables {
 public:
  struct Options {
    std::string directory;
    std::int64_t sync_interval_ms = 0;  // as that of KeptTablesPlace
    Disk* disk = nullptr;               // null: the system's; outlives the object
  };

  // Opens the directory.
  // Errors: as DataDirectory::Open
  static Result<std::unique_ptr<KeptData>> Open(const Options& options);

  Result<int> Load(const Parts& parts, std::atomic<std::int64_t>& items) override;
  Durability& durability() override { return journal_; }
  void ClockWasSet() override { writer_->WriteClock(); }
  Status Backup(const std::string& directory) override { return journal_.Backup(directory); }
  Status Stop() override;

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
