// The change log: what a commit tells its observers, such as a stream or the journal of the disk,
// before it applies the changes. It is a call and keeps nothing. Only commits on tables that are
// observed make it (TableVersion::IsLogged).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "engine/table_version.h"
#include "value/item.h"

namespace hashrange {

// Who made a write. The stream record of a deletion by the service itself says so
// (docs/service/12-streams-and-ttl.md, section C2).
enum class WriteOrigin : std::uint8_t { kRequest, kTimeToLive };

// One item that changed. A write that leaves an item as it was is no change.
struct Change {
  const TableVersion* table = nullptr;  // valid during OnCommit; keep it with TableRef::Share
  ItemRef before;                       // null: the item was inserted
  ItemRef after;                        // null: the item was removed
  std::uint64_t sequence_number = 0;    // ascending within a commit and for each partition key
  std::int64_t epoch_ms = 0;
  WriteOrigin origin = WriteOrigin::kRequest;
  // Not 0: the change puts an item of this seed (PendingSeed in engine/catalog.h). If the item was
  // stored already, nothing has changed, and `before` and `after` are the same object.
  std::uint64_t seed = 0;

  bool is_none() const { return seed != 0 && before == after; }
};

struct TokenRecord;  // engine/idempotency_tokens.h
using TokenRef = std::shared_ptr<const TokenRecord>;

// The most bytes that an observer takes from the thread's reserve (base/memory/memory_reserve.h)
// for one change, or for a token. The commit has drawn this for each observer and each of these, so
// that OnCommit does not run out of memory where it uses the reserve.
inline constexpr std::size_t kMostBytesOfObserver = 12 << 10;

// A reader of the log: a stream, time to live, the lag of reads, or the store of durable tables.
class ChangeObserver {
 public:
  virtual ~ChangeObserver() = default;
  // Called inside the commit, while its partitions are locked, with all changes of that commit to
  // logged tables, in the order of the commit's writes. An observer checks by each change's table
  // whether the change concerns it. Changes of one partition key arrive in commit order. `token`:
  // the idempotency token that the commit completes, if it wrote to a durable table; null: none.
  // There is no change if such a commit left all items as they were. The observers are called in
  // the order in which they were added. Must be quick, must not fail, even without memory, must not
  // call the engine.
  virtual void OnCommit(std::span<const Change> changes, const TokenRef& token) noexcept = 0;
};

}  // namespace hashrange
