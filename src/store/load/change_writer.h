// ChangeWriter tells the journal what becomes of durable tables, streams and tokens. It observes
// the commits of the engine, the catalog and the set of streams; each commit and each exchange of
// tables is one group of the journal, which is on the disk wholly or not at all.
//
//   StreamSet::OnCommit ──▶ OnRecord, …  keeps the stream records of the commit, on its thread
//   Engine              ──▶ OnCommit     appends items, stream records, token and clock together
//
// It is added to the engine behind the set of streams. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>

#include "base/clock.h"
#include "engine/catalog_observer.h"
#include "engine/change_log.h"
#include "engine/idempotency_tokens.h"
#include "engine/stream/stream_observer.h"
#include "store/journal.h"
#include "store/load/store_trimmer.h"

namespace hashrange {

class ChangeWriter : public ChangeObserver, public CatalogObserver, public StreamObserver {
 public:
  // All outlive the object.
  ChangeWriter(Journal& journal, StoreTrimmer& trimmer, const Clock& clock)
      : journal_(journal), trimmer_(trimmer), clock_(clock) {}

  // Takes over what was stored before the start: the greatest id of a table, and the greatest
  // number of a token (StoreKey::OfToken).
  void StartAfter(std::uint64_t last_table_id, std::uint64_t last_token_number);
  // Writes the time of the clock, so that after a restart the clock is not behind it.
  void WriteClock();

  void OnCommit(std::span<const Change> changes, const TokenRef& token) noexcept override;

  void OnPrepare(const TableVersion& table, const TablePin& from) override;
  void OnAbandon(const TableVersion& table) noexcept override;
  void OnSeedItems(const PendingSeed& seed, absl::FunctionRef<const ItemRef*()> next) override;
  void OnSeedEnd(const PendingSeed& seed) noexcept override;
  void OnPublish(const TableVersion& version) noexcept override;
  void OnExchange(std::span<const TableRef> out, std::span<const TableRef> in,
                  std::span<const PendingSeed> seeds) noexcept override;
  void OnTags(std::uint64_t table_id, std::span<const Tag> tags) noexcept override;

  void OnOpen(Stream& stream) noexcept override;
  void OnClose(Stream& stream) noexcept override;
  void OnForget(Stream& stream) noexcept override;
  void OnRecord(Stream& stream, std::size_t shard, std::uint64_t number,
                const StreamRecord& record) noexcept override;
  void OnTags(Stream& stream, std::span<const Tag> tags) noexcept override;

 private:
  void Append(JournalRecord record);
  // Stores all items that `next` gives under the id, in many groups.
  void AppendItems(std::uint64_t id, absl::FunctionRef<const ItemRef*()> next);
  // Returns the time of a commit as a record, unless a later one was written.
  std::optional<JournalRecord> ClockRecord(std::int64_t epoch_ms);

  Journal& journal_;
  StoreTrimmer& trimmer_;
  const Clock& clock_;
  std::atomic<std::uint64_t> last_token_number_{0};
  std::uint64_t last_table_id_ = 0;  // guarded by the catalog's lock
  std::atomic<std::int64_t> written_clock_ms_{0};
};

}  // namespace hashrange
