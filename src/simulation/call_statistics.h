// CallStatistics: what a server has counted of its calls, by operation and by table.
//
//   thread ──▶ its stripe: counters that no other thread writes ──┐
//   thread ──▶ its stripe ────────────────────────────────────────┴──▶ Sum
//
// Counting takes no lock and touches no line of memory that another thread writes, as long as
// there are no more threads than stripes; the name of a table that a thread has not seen is
// looked up once. Tables beyond kMaxSeries are counted together. Thread-safe.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "operation/gate.h"

namespace hashrange {

// The counters of one operation.
struct OperationTotals {
  // The upper bounds of the buckets of durations; a last one has no bound.
  static constexpr std::array<std::int64_t, 15> kBoundsUs = {
      5,     10,    25,     50,     100,     250,       500,       1000,
      2'500, 5'000, 10'000, 25'000, 100'000, 1'000'000, 10'000'000};
  struct Errors {
    std::string_view error;
    std::uint64_t count;
  };

  std::string_view operation;  // empty: requests that named none of the service
  std::uint64_t requests = 0;
  std::vector<Errors> errors;  // none that is 0
  // Of those that came as far as their operation; each bucket without those below it.
  std::array<std::uint64_t, kBoundsUs.size() + 1> durations = {};
  std::uint64_t duration_ns = 0;
  std::uint64_t request_bytes = 0;
  std::uint64_t answer_bytes = 0;
};

// The counters of a table itself, or of one of its indexes.
struct SeriesTotals {
  std::string account_id;
  std::string region;
  std::string table;  // empty: all that have no counters of their own
  std::string index;  // empty: the table
  double read_units = 0;
  double write_units = 0;
  std::uint64_t examined = 0;
  std::uint64_t returned = 0;
  std::uint64_t written = 0;
};

class CallStatistics {
 public:
  // Of tables and indexes with counters of their own.
  static constexpr std::size_t kMaxSeries = 1000;

  CallStatistics();
  ~CallStatistics();
  CallStatistics(const CallStatistics&) = delete;
  CallStatistics& operator=(const CallStatistics&) = delete;

  struct CountedCall {
    std::string_view operation = {};  // one of the service; any other is counted as none
    const Error* error = nullptr;
    std::size_t request_bytes = 0;
    std::size_t answer_bytes = 0;
    const std::chrono::nanoseconds* duration = nullptr;  // null: it never began
  };
  void Count(const CountedCall& call);
  void Count(const Access& access, const Usage& usage);

  // What has been counted at all, by name; a call under way may be there in part.
  std::vector<OperationTotals> Operations() const;
  std::vector<SeriesTotals> Series() const;

 private:
  struct OperationCounters;
  struct SeriesCounters;
  struct Stripe;
  struct SeriesName;
  using Slot = std::uint16_t;
  // Where a version of a table counts: its own slot and those of its indexes.
  struct Slots {
    Slot table = 0;
    std::vector<Slot> indexes;
  };
  static constexpr std::size_t kStripes = 16;

  Stripe& StripeOfThisThread();
  const Slots& SlotsOf(const TableVersion& table);
  Slot SlotOf(const TableVersion& table, std::string_view index);
  static Slot SlotOfIndex(const Access& access, const Slots& slots);

  const std::uint64_t number_;  // of this object among all there ever were
  std::array<std::atomic<Stripe*>, kStripes> stripes_ = {};
  mutable std::mutex mutex_;  // guards what follows
  std::map<std::array<std::string, 4>, Slot> slots_;
};

}  // namespace hashrange
