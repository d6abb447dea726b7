#include "simulation/call_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <unordered_map>
#include <utility>

#include "base/memory/thread_object.h"
#include "wire/shape.h"

namespace hashrange {
namespace {

using Counter = std::atomic<std::uint64_t>;

// Operation 0 stands for unknown operations; then follow the operations of the service, implemented
// or not. Returns the number of all of these.
std::size_t CountedOperations() { return OperationShapes().size() + 1; }

constexpr std::size_t kErrorCount = 0
#define HR_ERROR(name, status, type_namespace, member) +1
#include "base/errors.def"
    ;

constexpr std::size_t kBuckets = OperationTotals::kBoundsUs.size() + 1;

// Units are counted in halves: every charge is a multiple of half a unit.
constexpr double kHalves = 2;

// The number of table versions whose slots a thread remembers.
constexpr std::size_t kMaxRemembered = 4096;

void Add(Counter& counter, std::uint64_t count) {
  if (count > 0) counter.fetch_add(count, std::memory_order_relaxed);
}
std::uint64_t Load(const Counter& counter) { return counter.load(std::memory_order_relaxed); }

std::uint64_t ToHalves(double units) {
  return static_cast<std::uint64_t>(std::llround(kHalves * std::max(units, 0.0)));
}
std::uint64_t NonNegative(std::int64_t items) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(items, 0));
}

std::size_t OperationNumber(std::string_view operation) {
  const OperationShape* const shape = FindOperationShape(operation);
  return shape ? static_cast<std::size_t>(shape - OperationShapes().data()) + 1 : 0;
}
std::string_view OperationName(std::size_t number) {
  return number == 0 ? std::string_view() : OperationShapes()[number - 1].name;
}

std::size_t BucketOf(std::chrono::nanoseconds duration) {
  const auto& bounds = OperationTotals::kBoundsUs;
  const auto at = std::ranges::lower_bound(
      bounds, duration, {}, [](std::int64_t us) { return std::chrono::microseconds(us); });
  return static_cast<std::size_t>(at - bounds.begin());
}

std::uint64_t NextObjectNumber() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

std::size_t ThreadNumber() {
  static std::atomic<std::size_t> threads{0};
  thread_local const std::size_t number = threads.fetch_add(1, std::memory_order_relaxed);
  return number;
}

// Returns the object at the place, which the first thread that asks for it makes.
template <typename T>
T& MadeAt(std::atomic<T*>& place) {
  T* there = place.load(std::memory_order_acquire);
  if (!there) {
    auto made = std::make_unique<T>();
    if (place.compare_exchange_strong(there, made.get())) there = made.release();
  }
  return *there;
}

}  // namespace

struct CallStatistics::OperationCounters {
  Counter requests, duration_ns, request_bytes, answer_bytes;
  std::array<Counter, kBuckets> durations;
  std::array<Counter, kErrorCount> errors;
};

struct CallStatistics::SeriesCounters {
  Counter read_halves, write_halves, examined, returned, written;
};

// The counters of a series are allocated by the first thread of the stripe that counts for it.
struct alignas(64) CallStatistics::Stripe {
  static constexpr std::size_t kBlock = 32;
  using Block = std::array<SeriesCounters, kBlock>;

  ~Stripe() {
    for (auto& block : blocks) delete block.load();
  }

  SeriesCounters& At(Slot slot) { return MadeAt(blocks[slot / kBlock])[slot % kBlock]; }
  const SeriesCounters* Find(Slot slot) const {
    const Block* const block = blocks[slot / kBlock].load(std::memory_order_acquire);
    return block ? &(*block)[slot % kBlock] : nullptr;
  }

  std::vector<OperationCounters> operations{CountedOperations()};
  std::array<std::atomic<Block*>, kMaxSeries / kBlock + 1> blocks = {};
};

CallStatistics::CallStatistics() : number_(NextObjectNumber()) {}

CallStatistics::~CallStatistics() {
  for (auto& stripe : stripes_) delete stripe.load();
}

CallStatistics::Stripe& CallStatistics::StripeOfThisThread() {
  return MadeAt(stripes_[ThreadNumber() % kStripes]);
}

void CallStatistics::Count(const CountedCall& call) {
  OperationCounters& counters = StripeOfThisThread().operations[OperationNumber(call.operation)];
  Add(counters.requests, 1);
  if (call.error) Add(counters.errors[static_cast<std::size_t>(call.error->code)], 1);
  Add(counters.request_bytes, call.request_bytes);
  Add(counters.answer_bytes, call.answer_bytes);
  if (!call.duration) return;
  Add(counters.durations[BucketOf(*call.duration)], 1);
  Add(counters.duration_ns, static_cast<std::uint64_t>(call.duration->count()));
}

void CallStatistics::Count(const Access& access, const Usage& usage) {
  const Slots& slots = SlotsOf(*access.table);
  Stripe& stripe = StripeOfThisThread();
  SeriesCounters& table = stripe.At(slots.table);
  const bool reads = Access::IsRead(access.kind);
  const auto units_of = [reads](SeriesCounters& series) -> Counter& {
    return reads ? series.read_halves : series.write_halves;
  };
  std::uint64_t halves = ToHalves(usage.units);
  const std::size_t indexes = std::min(usage.index_units.size(), slots.indexes.size());
  for (std::size_t i = 0; i < indexes; ++i) {
    const std::uint64_t of_index = std::min(ToHalves(usage.index_units[i]), halves);
    if (of_index == 0) continue;
    halves -= of_index;
    Add(units_of(stripe.At(slots.indexes[i])), of_index);
  }
  Add(units_of(table), halves);
  Add(table.written, NonNegative(usage.items_written));
  SeriesCounters& visited = access.index ? stripe.At(SlotOfIndex(access, slots)) : table;
  Add(visited.examined, NonNegative(usage.items_examined));
  Add(visited.returned, NonNegative(usage.items_returned));
}

CallStatistics::Slot CallStatistics::SlotOfIndex(const Access& access, const Slots& slots) {
  const auto& indexes = access.table->indexes;
  const auto at = std::ranges::find(indexes, access.index->id, &IndexVersion::id);
  const auto number = static_cast<std::size_t>(at - indexes.begin());
  return number < slots.indexes.size() ? slots.indexes[number] : slots.table;
}

const CallStatistics::Slots& CallStatistics::SlotsOf(const TableVersion& table) {
  struct Remembered {
    std::uint64_t owner = 0;  // the number of the object whose slots these are
    std::unordered_map<std::uint64_t, Slots> slots;  // by the number of the version
  };
  Remembered& remembered = OfThread<Remembered>();
  if (remembered.owner != number_ || remembered.slots.size() >= kMaxRemembered) {
    remembered.owner = number_;
    remembered.slots.clear();
  }
  const auto found = remembered.slots.find(table.number);
  if (found != remembered.slots.end()) return found->second;
  Slots slots;
  {
    MutexLock lock(mutex_);
    slots.table = SlotOf(table, {});
    for (const IndexVersion& index : table.indexes) {
      slots.indexes.push_back(SlotOf(table, index.schema.name));
    }
  }
  return remembered.slots.emplace(table.number, std::move(slots)).first->second;
}

// Slot 0 is shared by all tables and indexes beyond kMaxSeries.
CallStatistics::Slot CallStatistics::SlotOf(const TableVersion& table, std::string_view index) {
  std::array<std::string, 4> name = {table.account_id, table.region, table.name,
                                     std::string(index)};
  const auto known = slots_.find(name);
  if (known != slots_.end()) return known->second;
  if (slots_.size() >= kMaxSeries) return 0;
  const Slot slot = static_cast<Slot>(slots_.size() + 1);
  slots_.emplace(std::move(name), slot);
  return slot;
}

std::vector<OperationTotals> CallStatistics::Operations() const {
  std::vector<OperationTotals> all;
  for (std::size_t i = 0; i < CountedOperations(); ++i) {
    OperationTotals totals;
    totals.operation = OperationName(i);
    std::array<std::uint64_t, kErrorCount> errors = {};
    for (const auto& place : stripes_) {
      const Stripe* const stripe = place.load(std::memory_order_acquire);
      if (!stripe) continue;
      const OperationCounters& counters = stripe->operations[i];
      totals.requests += Load(counters.requests);
      totals.duration_ns += Load(counters.duration_ns);
      totals.request_bytes += Load(counters.request_bytes);
      totals.answer_bytes += Load(counters.answer_bytes);
      for (std::size_t j = 0; j < kBuckets; ++j) totals.durations[j] += Load(counters.durations[j]);
      for (std::size_t j = 0; j < kErrorCount; ++j) errors[j] += Load(counters.errors[j]);
    }
    if (totals.requests == 0) continue;
    for (std::size_t j = 0; j < kErrorCount; ++j) {
      if (errors[j] == 0) continue;
      totals.errors.push_back({ErrorInfoOf(static_cast<ErrorCode>(j)).name, errors[j]});
    }
    all.push_back(std::move(totals));
  }
  return all;
}

std::vector<SeriesTotals> CallStatistics::Series() const {
  std::vector<SeriesTotals> all;
  const auto add = [&](const std::array<std::string, 4>& name, Slot slot) {
    SeriesTotals totals{
        .account_id = name[0], .region = name[1], .table = name[2], .index = name[3]};
    for (const auto& place : stripes_) {
      const Stripe* const stripe = place.load(std::memory_order_acquire);
      const SeriesCounters* const counters = stripe ? stripe->Find(slot) : nullptr;
      if (!counters) continue;
      totals.read_units += static_cast<double>(Load(counters->read_halves)) / kHalves;
      totals.write_units += static_cast<double>(Load(counters->write_halves)) / kHalves;
      totals.examined += Load(counters->examined);
      totals.returned += Load(counters->returned);
      totals.written += Load(counters->written);
    }
    const bool is_any = totals.read_units + totals.write_units > 0 || totals.examined > 0;
    if (is_any) all.push_back(std::move(totals));
  };
  MutexLock lock(mutex_);
  for (const auto& [name, slot] : slots_) add(name, slot);
  add({}, 0);
  return all;
}

}  // namespace hashrange
