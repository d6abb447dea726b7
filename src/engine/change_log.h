// The change log: what a commit yields, for whoever reads. With no observer it costs
// one load of a pointer.
#pragma once

#include <cstdint>
#include <span>

#include "engine/table_version.h"
#include "value/item.h"

namespace hashrange {

// One item that changed. Never one that stayed the same.
struct Change {
  const TableVersion* table = nullptr;  // pinned during OnCommit; keep it with TableRef::Share
  ItemRef before;                       // null: inserted
  ItemRef after;                        // null: removed
  std::uint64_t sequence_number = 0;    // ascending within a commit and for each partition key
  std::int64_t epoch_ms = 0;
};

class ChangeObserver {
 public:
  virtual ~ChangeObserver() = default;
  // Called inside the commit, its partitions locked, with all changes of that commit in
  // the order of its members. Changes of one partition key arrive in commit order. Must
  // be quick, must not fail, must not call the engine.
  virtual void OnCommit(std::span<const Change> changes) = 0;
};

}  // namespace hashrange
