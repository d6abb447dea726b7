// What seeds and dumps have in common: the parts of the database that they use, and what they say
// of a table. The database owns the parts.
#pragma once

#include <cstdint>
#include <string>

#include "base/durability.h"
#include "base/memory/arena.h"
#include "base/memory/memory_bound.h"
#include "operation/call/caller.h"
#include "operation/call/context.h"

namespace hashrange {

struct TransferParts {
  Engine& engine;
  StreamSet& streams;
  TimeToLive& time_to_live;
  MemoryBound* memory = nullptr;     // null: memory is not bounded
  bool shared_tables = false;        // one set of tables for all accounts and Regions
  Durability* durability = nullptr;  // null: no change is kept
};

struct TransferredTable {
  std::string name;
  std::int64_t items = 0;
};

// Returns the context for operations on the caller's tables. The caller's texts and `arena` outlive
// the context.
inline Context MakeContext(const TransferParts& parts, const Caller& caller, Arena& arena) {
  return {.engine = parts.engine,
          .streams = parts.streams,
          .gate = nullptr,
          .accesses = nullptr,
          .backfiller = nullptr,
          .time_to_live = &parts.time_to_live,
          .arena = arena,
          .account = parts.shared_tables ? AccountName{kDefaultAccount, {}}
                                         : AccountName{caller.account_id, caller.region},
          .region = caller.region,
          .host = {},
          .layer = ValidationLayer::kOlder,
          .memory = parts.memory};
}

}  // namespace hashrange
