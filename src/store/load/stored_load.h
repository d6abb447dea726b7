// StoredLoad puts all that a data directory holds into a new database, at its start:
//
//   counters → streams with their records → tables → items, on several threads → tokens
//
// The tables appear at one instant, when all of them are loaded. Used once, by one thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "engine/engine.h"
#include "engine/stream/stream_set.h"
#include "engine/table_load.h"
#include "store/data_reader.h"
#include "store/stored_item.h"

namespace hashrange {

// The parts of a new database that are filled.
struct StoredParts {
  Engine& engine;
  StreamSet& streams;
  AdjustableClock& clock;
};

// What was found, beside what the parts have now.
struct StoredSummary {
  std::vector<TableRef> tables;  // by id, ascending
  struct FoundStream {
    StreamRef stream;
    std::vector<std::uint64_t> first_numbers;  // StoredStream::first_numbers
  };
  std::vector<FoundStream> streams;
  std::vector<TokenRecord> tokens;
  // Seeds that a crash has interrupted, with the items that are not in their tables yet.
  struct FoundSeed {
    PendingSeed seed;
    TableRef table;
    std::vector<ItemRef> items;
  };
  std::vector<FoundSeed> seeds;
  std::uint64_t last_table_id = 0;      // the greatest id that a table has had
  std::uint64_t last_stream_id = 0;     // the greatest id that a stream has had
  std::uint64_t last_token_number = 0;  // the greatest number of a token's record
  // What is left of tables, seeds and streams that were removed: the ids of items that belong to
  // nothing, and the keys of records that no stream or table has.
  std::vector<std::uint64_t> removed_tables;
  std::vector<StoreKey> stale_records;
};

class StoredLoad {
 public:
  // `items` counts the items that are loaded; any thread may read it. All outlive the object.
  StoredLoad(const StoredParts& parts, const DataReader& reader, std::atomic<std::int64_t>& items);
  ~StoredLoad();

  // Errors: InternalServerError, with a sentence  the data are damaged, or cannot be read; the
  //         parts may then have a part of the data
  Result<StoredSummary> Run(int threads);

 private:
  struct LoadingTable;

  Status ReadCounters();
  // Sets the clock forward to that time, unless the time is over.
  Status SetClock(std::uint64_t epoch_ms);
  Status ReadStreams();
  Status ReadStreamRecords();
  void LeaveGapsInStreams();
  static Status AddStreamRecord(Stream& stream, const StoreKeyParts& key, std::string_view value,
                                StoredItemReader& images);
  Status ReadTables();
  Status ReadTable(const StoreKeyParts& key, std::string_view value);
  // Reads the items of one partition of a table.
  Status ReadItems(LoadingTable& table, std::uint64_t part);
  Status ReadSeeds();
  Status ReadTokens();
  Status FindRemovedTables();
  // Returns the table with that id, or null.
  TableRef FindTable(std::uint64_t id) const;
  Status Publish();

  const StoredParts parts_;
  const DataReader& reader_;
  std::atomic<std::int64_t>& items_;
  std::map<std::uint64_t, std::size_t> streams_;  // by id: the place in the summary
  std::map<std::uint64_t, std::vector<Tag>> table_tags_;
  std::set<std::tuple<std::string, std::string, std::string>> names_;  // account, Region, table
  std::vector<std::unique_ptr<LoadingTable>> tables_;
  StoredSummary summary_;
};

}  // namespace hashrange
