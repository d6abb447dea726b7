// MeteredCall: what the meter keeps of one call until the call ends. Each thread has one and uses
// it again for each call. The arena of the request owns what the views point to.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "operation/call/gate.h"

namespace hashrange {

// The figures of one access.
struct AccessFigures {
  static constexpr std::size_t kMaxTypeBytes = 48;

  double units = 0;
  double vector_bytes = 0;  // the sum of Usage::vector_bytes
  std::int64_t items_examined = 0;
  std::int64_t items_returned = 0;
  std::size_t bytes_examined = 0;
  std::size_t bytes_returned = 0;
  std::size_t bytes_before = 0;  // of the stored item; 0: there was none
  std::size_t bytes_after = 0;
  std::size_t changed_bytes = 0;        // of the attributes that an update set
  std::optional<std::uint64_t> start;   // a hash of the position behind which the page began
  std::optional<std::uint64_t> resume;  // a hash of the position behind which the page ended
  std::uint64_t resume_hash = 0;        // of that position's partition key
  bool is_failed = false;
  // No answer reports the units: the call failed, or nothing of its members on this table
  // succeeded.
  bool is_unreported = false;
  bool is_condition_failure = false;
  bool is_conflict = false;
  bool is_replay = false;
  bool is_refused = false;               // by a later gate; nothing was consumed
  std::uint8_t type_bytes = 0;           // of `type`
  std::array<char, kMaxTypeBytes> type;  // the value of the item's type attribute

  std::string_view type_value() const { return {type.data(), type_bytes}; }
};

// One access of the call, with its usage. It is used again for later accesses.
struct MeteredAccess : AccessFigures {
  Access access;
  TableRef table;     // keeps the version that `access` points to
  ItemRef item;       // of a write, the item after it; null: there is none
  AccessTerms terms;  // a copy of the terms that `access` points to
  Update update;      // a copy of their update; without actions when there is none
  absl::InlinedVector<double, 4> index_units;
  absl::InlinedVector<IndexMove, 4> index_moves;
  std::string throttle;  // why the access was refused, when it was throttled

  // Returns whether the units are of a write. A replay of a write reads.
  bool is_write() const {
    return !is_replay &&
           (access.kind == Access::Kind::kWrite || access.kind == Access::Kind::kConditionCheck);
  }
  // The units of the table itself.
  double table_units() const {
    double of_table = units;
    for (const double of_index : index_units) of_table -= of_index;
    return of_table;
  }
};

struct MeteredCall {
  const Call* call = nullptr;
  const Error* error = nullptr;  // set when the call ends; null: it succeeded
  std::int64_t epoch_ms = 0;
  std::optional<std::chrono::nanoseconds> duration;  // of the server; none: it was not taken
  std::size_t members = 0;                           // how many accesses the whole call made
  std::vector<const MeteredAccess*> accesses;        // those on the tables that are measured
};

}  // namespace hashrange
