// The change log: what a commit on a table that somebody reads yields (TableVersion::
// IsLogged). On any other table it costs one look at the table's version.
#pragma once

#include <cstdint>
#include <span>

#include "engine/table_version.h"
#include "value/item.h"

namespace hashrange {

// Who writes. A service's own deletion says so in its stream record
// (docs/service/12-streams-and-ttl.md, section C2).
enum class WriteOrigin : std::uint8_t { kRequest, kTimeToLive };

// One item that changed. Never one that stayed the same.
struct Change {
  const TableVersion* table = nullptr;  // pinned during OnCommit; keep it with TableRef::Share
  ItemRef before;                       // null: inserted
  ItemRef after;                        // null: removed
  std::uint64_t sequence_number = 0;    // ascending within a commit and for each partition key
  std::int64_t epoch_ms = 0;
  WriteOrigin origin = WriteOrigin::kRequest;
};

class ChangeObserver {
 public:
  virtual ~ChangeObserver() = default;
  // Called inside the commit, its partitions locked, with all changes of that commit to
  // logged tables, in the order of its members. An observer looks at each change's table for
  // whether it is concerned. Changes of one partition key arrive in commit order. Must
  // be quick, must not fail, must not call the engine.
  virtual void OnCommit(std::span<const Change> changes) noexcept = 0;
};

}  // namespace hashrange
