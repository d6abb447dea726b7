// RequestList: the calls that were answered last, and what each took: so that a test can assert
// on its access patterns.
//
// A ring: of more than `limit` calls, or of more bytes than kMaxBytes, the oldest are forgotten.
// Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "operation/gate.h"

namespace hashrange {

// What a call did to one table or index, all accesses of a kind together.
struct RequestAccess {
  struct IndexUnits {
    std::string index;
    double units;
  };

  std::string table;
  std::string index;  // empty: the table itself
  Access::Kind kind = Access::Kind::kRead;
  bool in_transaction = false;
  std::string_view sort_key;  // SortKeyConditionOf; of a Query
  std::int64_t count = 0;     // those that were charged; 0: all were refused, or nothing came of it
  double units = 0;           // of the table and of its indexes
  std::vector<IndexUnits> index_units;  // those of its indexes, none twice
  std::int64_t examined = 0;
  std::int64_t returned = 0;
  std::int64_t written = 0;
};

struct RequestRecord {
  static constexpr std::size_t kMaxMessageBytes = 1000;

  std::uint64_t id = 0;       // counts up from 1
  std::int64_t epoch_ms = 0;  // when it began, by the server's clock
  std::string operation;      // empty: the request named none
  std::string account_id;
  std::string region;
  int http_status = 200;
  std::string_view error;  // "ValidationException"; empty: it succeeded
  std::string message;     // of the error, its first kMaxMessageBytes
  std::int64_t duration_us = 0;
  std::int64_t delay_ms = 0;  // simulated, before the answer is sent
  bool dropped = false;       // the connection was closed instead
  std::size_t request_bytes = 0;
  std::size_t answer_bytes = 0;
  std::vector<RequestAccess> accesses;
};

// Which calls are asked for; what is empty is not looked at.
struct RequestFilter {
  std::string_view account_id = {};
  std::string_view region = {};
  std::string_view table = {};  // a call that came to it, among others
  std::string_view operation = {};
  std::uint64_t since = 0;  // those of a greater id

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
    std::uint64_t forgotten = 0;  // for want of room
  };

  void SetLimit(std::size_t limit);
  // Gives the record its id.
  void Add(RequestRecord record);
  // Forgets those that match. How many there were.
  std::size_t Remove(const RequestFilter& filter);
  // In the order of their ids.
  std::vector<std::shared_ptr<const RequestRecord>> Find(const RequestFilter& filter) const;
  State state() const;

 private:
  using Record = std::shared_ptr<const RequestRecord>;

  // What there is no room for goes to `forgotten`, to be freed without the lock.
  void Trim(std::vector<Record>* forgotten);

  mutable std::mutex mutex_;  // guards what follows
  std::deque<Record> records_;
  std::size_t bytes_ = 0;
  State state_{.limit = kDefaultLimit};
};

}  // namespace hashrange
