// CallStatistics counts the calls of a server, by operation and by table.
//
//   thread ──▶ its stripe: counters that no other thread writes ──┐
//   thread ──▶ its stripe ────────────────────────────────────────┴──▶ Operations, Series
//
// Counting takes no lock and touches no cache line that another thread writes, as long as there
// are no more threads than stripes. Only a table that a thread has not seen yet is looked up by
// its name, under a lock. Tables beyond kMaxSeries are counted together. Thread-safe.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/threads.h"
#include "operation/call/gate.h"

namespace hashrange {

// The counters of one operation.
struct OperationTotals {
  // The upper bounds of the buckets of durations. The last bucket has no bound.
  static constexpr std::array<std::int64_t, 15> kBoundsUs = {
      5,     10,    25,     50,     100,     250,       500,       1000,
      2'500, 5'000, 10'000, 25'000, 100'000, 1'000'000, 10'000'000};
  struct Errors {
    std::string_view error;
    std::uint64_t count;
  };

  std::string_view operation;  // empty: the requests that named no operation of the service
  std::uint64_t requests = 0;
  std::vector<Errors> errors;  // without the errors whose count is 0
  // Durations of the requests that reached their operation. A bucket does not include the lower
  // buckets.
  std::array<std::uint64_t, kBoundsUs.size() + 1> durations = {};
  std::uint64_t duration_ns = 0;  // the sum of these durations
  std::uint64_t request_bytes = 0;
  std::uint64_t answer_bytes = 0;
};

// The counters of a table itself, or of one of its indexes.
struct SeriesTotals {
  std::string account_id;
  std::string region;
  std::string table;  // empty: all tables that have no counters of their own
  std::string index;  // empty: the table
  double read_units = 0;
  double write_units = 0;
  std::uint64_t examined = 0;
  std::uint64_t returned = 0;
  std::uint64_t written = 0;
};

class CallStatistics {
 public:
  // The greatest number of tables and indexes that have counters of their own.
  static constexpr std::size_t kMaxSeries = 1000;

  CallStatistics();
  ~CallStatistics();
  CallStatistics(const CallStatistics&) = delete;
  CallStatistics& operator=(const CallStatistics&) = delete;

  struct CountedCall {
    std::string_view operation = {};  // a name that the service does not have counts as empty
    const Error* error = nullptr;
    std::size_t request_bytes = 0;
    std::size_t answer_bytes = 0;
    const std::chrono::nanoseconds* duration = nullptr;  // null: the call never began
  };
  void Count(const CountedCall& call);
  void Count(const Access& access, const Usage& usage);

  // Return the counters that are not zero, ascending by name. The counters without a name come
  // first in Operations and last in Series. A call under way may be included in part.
  std::vector<OperationTotals> Operations() const;
  std::vector<SeriesTotals> Series() const;

 private:
  struct OperationCounters;
  struct SeriesCounters;
  struct Stripe;
  using Slot = std::uint16_t;
  // The slots of the counters of one table version: its own, and one for each index.
  struct Slots {
    Slot table = 0;
    std::vector<Slot> indexes;
  };
  static constexpr std::size_t kStripes = 16;

  Stripe& StripeOfThisThread();
  const Slots& SlotsOf(const TableVersion& table);
  Slot SlotOf(const TableVersion& table, std::string_view index);
  static Slot SlotOfIndex(const Access& access, const Slots& slots);

  const std::uint64_t number_;  // of this object, unique in the process
  std::array<std::atomic<Stripe*>, kStripes> stripes_ = {};
  mutable Mutex mutex_;  // guards what follows
  std::map<std::array<std::string, 4>, Slot> slots_;
};

}  // namespace hashrange
