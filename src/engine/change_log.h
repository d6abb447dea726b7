// The change log: the changes of every commit on a table whose log is read (TableVersion::
// IsLogged). A commit on any other table only checks IsLogged.
#pragma once

#include <cstdint>
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
};

// A reader of the log: a stream, time to live, or the lag of reads.
class ChangeObserver {
 public:
  virtual ~ChangeObserver() = default;
  // Called inside the commit, while its partitions are locked, with all changes of that commit to
  // logged tables, in the order of the commit's writes. An observer checks by each change's table
  // whether the change concerns it. Changes of one partition key arrive in commit order. Must be
  // quick, must not fail, must not call the engine.
  virtual void OnCommit(std::span<const Change> changes) noexcept = 0;
};

}  // namespace hashrange
