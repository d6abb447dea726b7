// RequestRecord is what is recorded of one call: what the call used, so that a test can assert on
// its access patterns. RequestList keeps the records of the calls that were answered last.
//
// When there are more calls than the limit (SetLimit), or they take more than kMaxBytes, the oldest
// calls are forgotten. The list is thread-safe; the functions are pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/threads.h"
#include "expression/expression.h"
#include "operation/call/gate.h"
#include "value/schema.h"

namespace hashrange {

struct JsonValue;  // wire/json.h

// What a call did to one table or index. All accesses of one kind are added up.
struct RequestAccess {
  struct IndexUnits {
    std::string index;
    double units;
  };

  std::string table;
  std::string index;  // empty: the table itself
  Access::Kind kind = Access::Kind::kRead;
  bool in_transaction = false;
  std::string_view sort_key;            // for a Query: SortKeyConditionOf
  std::int64_t count = 0;               // accesses, without those that were refused or retried
  double units = 0;                     // of the table and of its indexes
  std::vector<IndexUnits> index_units;  // the part of each index, each index once
  double vector_bytes = 0;  // that the vector indexes were charged (Usage::vector_bytes)
  std::int64_t examined = 0;
  std::int64_t returned = 0;
  std::int64_t written = 0;
};

struct RequestRecord {
  static constexpr std::size_t kMaxMessageBytes = 1000;

  std::uint64_t id = 0;       // ascends from 1
  std::int64_t epoch_ms = 0;  // when the call began, by the server's clock
  std::string operation;      // empty: the request named none
  std::string account_id;
  std::string region;
  int http_status = 200;
  std::string_view error;  // "ValidationException"; empty: the call succeeded
  std::string message;     // of the error, its first kMaxMessageBytes
  std::int64_t duration_us = 0;
  std::int64_t delay_ms = 0;  // the simulated delay before the answer is sent
  bool dropped = false;       // the connection was closed instead of an answer
  std::size_t request_bytes = 0;
  std::size_t answer_bytes = 0;
  std::vector<RequestAccess> accesses;
};

// Returns how a Query narrows its sort key: "=", "<", "<=", ">", ">=", "BETWEEN" or "begins_with",
// or "none" when the whole item collection is queried. `key` is the key of the table or index that
// is queried. Of several clauses on the sort key, the clause that is no equality decides; two such
// clauses are a "BETWEEN".
std::string_view SortKeyConditionOf(std::span<const KeyClause> clauses, const KeySchema& key);

// Returns the record as one line of the log, without a line end.
//
//   Query app/GSI1 000000000000/us-east-1 200 0.5 units 0.041 ms
//   PutItem app 000000000000/us-east-1 400 1 units 0.038 ms ConditionalCheckFailedException: The …
//
// `request` is the body of the call, which names the table
// when there was no access. Null: the call did not reach its operation, and neither its units nor
// its duration are known.
std::string RequestLine(const RequestRecord& record, const JsonValue* request);

// Selects calls. An empty member matches any call.
struct RequestFilter {
  std::string_view account_id = {};
  std::string_view region = {};
  std::string_view table = {};  // calls that accessed this table, among others
  std::string_view operation = {};
  std::optional<std::uint64_t> since = {};  // calls with a greater id

  bool Matches(const RequestRecord& record) const;
};

class RequestList {
 public:
  static constexpr std::size_t kDefaultLimit = 1000;
  static constexpr std::size_t kMaxLimit = 100'000;
  static constexpr std::size_t kMaxBytes = 64 << 20;

  struct State {
    std::size_t limit = 0;
    std::size_t size = 0;
    std::uint64_t last_id = 0;
    std::uint64_t forgotten = 0;  // calls that were dropped for lack of space
  };

  using Record = std::shared_ptr<const RequestRecord>;

  struct Page {
    std::vector<Record> records;  // those that match, in the order of their ids
    State state;
    // Calls after `since` that were dropped for lack of space, whether they match or not.
    std::uint64_t missed = 0;
  };

  void SetLimit(std::size_t limit);
  // Gives the record its id.
  void Add(RequestRecord record);
  // Removes the calls that match. Returns how many there were.
  std::size_t Remove(const RequestFilter& filter);
  // Returns what the list has for the filter, all as of one instant.
  Page Find(const RequestFilter& filter) const;
  State state() const;

 private:
  // Moves the records that have no space any more to `forgotten`, to be freed without the lock.
  void Trim(std::vector<Record>* forgotten);
  // Returns how many of the calls that were dropped for lack of space have a greater id.
  std::uint64_t ForgottenAfter(std::uint64_t id) const;

  mutable Mutex mutex_;  // guards what follows
  std::deque<Record> records_;
  std::size_t bytes_ = 0;
  State state_{.limit = kDefaultLimit};
  // Calls are dropped for lack of space in the order of their ids, without a gap except where
  // others were removed on request. So a run ends where the next one begins.
  struct DroppedRun {
    std::uint64_t first_id = 0;
    std::uint64_t dropped_before = 0;  // by all runs before this one
  };
  static constexpr std::size_t kMaxRuns = 1000;  // a count from before the oldest run is too low
  std::deque<DroppedRun> runs_;
  std::uint64_t last_dropped_id_ = 0;
};

}  // namespace hashrange
