#include "measure/meter/meter.h"

#include <algorithm>
#include <array>
#include <new>
#include <span>
#include <utility>

#include "base/clock.h"
#include "base/memory/arena.h"
#include "base/memory/thread_object.h"
#include "base/stable_sort.h"
#include "measure/meter/measurement_maker.h"
#include "measure/meter/metered_call.h"
#include "measure/meter/stripe.h"
#include "measure/meter/type_attribute.h"
#include "wire/error_body.h"

namespace hashrange {
namespace {

constexpr std::size_t kStripes = 16;

std::uint64_t NextMeterNumber() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

std::size_t NumberOfThisThread() {
  static std::atomic<std::size_t> threads{0};
  thread_local const std::size_t number = threads.fetch_add(1, std::memory_order_relaxed);
  return number;
}

// Returns whether the server's time for a thread's call of this number, counted since a measurement
// began or ended, is taken: for the first ones, and then for one of eight, chosen so that calls
// that repeat are not missed. Reading the clock twice takes longer than most of what is counted.
bool IsTimed(std::uint64_t number) {
  constexpr std::uint64_t kAlwaysTimed = 1000;
  constexpr std::uint64_t kMultiplier = 0x9e3779b97f4a7c15;
  constexpr int kShift = 61;
  return number <= kAlwaysTimed || (number * kMultiplier) >> kShift == 0;
}

bool IsThrottlingCode(ErrorCode code) {
  return code == ErrorCode::kProvisionedThroughputExceededException ||
         code == ErrorCode::kThrottlingException || code == ErrorCode::kRequestLimitExceeded;
}

// Returns why the error throttles; empty when it does not.
std::string ThrottleOf(const Error& error) {
  if (!IsThrottlingCode(error.code)) return {};
  const auto* const details = dynamic_cast<const ThrottlingDetails*>(error.details.get());
  if (details && !details->reasons.empty()) return details->reasons.front().reason;
  return std::string(ErrorInfoOf(error.code).name);
}

// Returns the sizes of the attributes that an update sets.
std::size_t ChangedBytes(const Update& update, ItemView after) {
  std::size_t bytes = 0;
  for (const UpdateAction& action : update.actions()) {
    const std::string_view name = action.target[0].name;
    const auto value = after.exists() ? after.Find(name) : std::nullopt;
    if (value) bytes += name.size() + SizeBytes(*value);
  }
  return bytes;
}

void KeepType(ItemView item, std::string_view type_attribute, MeteredAccess* access) {
  const auto type = TypeOfItem(item, type_attribute);
  if (!type) return;
  const std::size_t size = std::min(type->value.size(), MeteredAccess::kMaxTypeBytes);
  access->type_bytes = static_cast<std::uint8_t>(size);
  type->value.copy(access->type.data(), size);
}

void KeepUsage(const Usage& usage, MeteredAccess* access) {
  access->units = usage.units;
  access->vector_bytes = 0;
  for (const double bytes : usage.vector_bytes) access->vector_bytes += bytes;
  access->index_units.clear();
  access->index_moves.clear();
  if (!usage.index_units.empty()) {
    access->index_units.assign(usage.index_units.begin(), usage.index_units.end());
    access->index_moves.assign(usage.index_moves.begin(), usage.index_moves.end());
  }
  access->items_examined = usage.items_examined;
  access->items_returned = usage.items_returned;
  access->bytes_examined = usage.bytes_examined;
  access->bytes_returned = usage.bytes_returned;
  access->bytes_before = usage.before.size_bytes();
  access->bytes_after = usage.after.size_bytes();
  access->throttle.clear();
  access->is_failed = usage.is_failed;
  access->is_replay = usage.replayed != nullptr;
  if (usage.failure) {
    access->is_condition_failure =
        usage.failure->code == ErrorCode::kConditionalCheckFailedException ||
        usage.failure->code == ErrorCode::kDuplicateItemException;
  }
  if (usage.refusal) {
    access->is_refused = true;
    access->throttle = ThrottleOf(*usage.refusal);
    access->is_conflict = usage.refusal->code == ErrorCode::kTransactionConflictException;
  }
  if (usage.resume) {
    access->resume = HashOfPosition(*usage.resume);
    access->resume_hash = usage.resume->hash;
  }
}

// Of the members of a batch of statements some may fail. Their units are in the answer if another
// member on the same table has units (docs/service/11-partiql.md, section 6).
void MarkUnreported(std::span<MeteredAccess> accesses, bool is_error) {
  for (MeteredAccess& access : accesses) {
    access.is_unreported = is_error;
    if (is_error || !access.is_failed) continue;
    access.is_unreported = std::ranges::none_of(accesses, [&](const MeteredAccess& other) {
      return !other.is_failed && other.units > 0 && other.table->table == access.table->table;
    });
  }
}

}  // namespace

// One measurement that runs.
struct Meter::Running {
  Running(std::string given_name, MeasurementScope given_scope, MeasurementSettings settings,
          const MemoryBound* memory)
      : name(std::move(given_name)),
        scope(std::move(given_scope)),
        shared(std::move(settings), memory) {}
  ~Running() {
    for (auto& stripe : stripes) delete stripe.load();
  }

  Stripe& StripeOfThisThread() {
    std::atomic<Stripe*>& place = stripes[NumberOfThisThread() % kStripes];
    Stripe* stripe = place.load(std::memory_order_acquire);
    if (!stripe) {
      auto made = std::make_unique<Stripe>(shared);
      if (place.compare_exchange_strong(stripe, made.get())) stripe = made.release();
    }
    return *stripe;
  }

  // Frees what was counted: an idle thread may keep this object until its next call.
  void Close() {
    for (auto& stripe : stripes) {
      if (Stripe* const each = stripe.load(std::memory_order_acquire)) each->Close();
    }
    shared.Clear();
  }

  const std::string name;
  const MeasurementScope scope;
  std::int64_t began_epoch_ms = 0;
  std::vector<TableSizes> sizes_at_begin;
  SharedCounters shared;
  std::array<std::atomic<Stripe*>, kStripes> stripes = {};
};

// A thread serves one call at a time.
struct Meter::CallUnderWay {
  // Drops what the accesses keep.
  void Drop() {
    for (std::size_t i = 0; i < count; ++i) {
      accesses[i].table = TableRef();
      if (accesses[i].item) accesses[i].item = ItemRef();
    }
    count = 0;
  }

  std::uint64_t meter = 0;    // the number of the meter
  std::uint64_t changes = 0;  // of its list, when `list` was copied
  std::shared_ptr<const RunningList> list;
  std::uint64_t calls = 0;       // of the thread since then
  const Call* call = nullptr;    // null: nobody measures the call
  std::vector<Running*> chosen;  // which measure the call
  std::int64_t epoch_ms = 0;
  bool is_timed = false;
  Stopwatch watch;                      // since the call began, if it is timed
  std::vector<MeteredAccess> accesses;  // the first `count` of them
  std::size_t count = 0;
  Arena arena;  // for the keys: the key of a put may be a part of the item
  MeteredCall metered;
};

bool MeasurementScope::HasAccount(AccountName name) const {
  return (account.empty() || account == name.account_id) &&
         (region.empty() || region == name.region);
}

bool MeasurementScope::HasTable(std::string_view table) const {
  return tables.empty() || std::ranges::find(tables, table) != tables.end();
}

Meter::Meter(GateChain& chain, Engine& engine, MemoryBound* memory)
    : chain_(chain),
      engine_(engine),
      memory_(memory),
      number_(NextMeterNumber()),
      running_(std::make_shared<const RunningList>()) {}

Meter::~Meter() = default;

Meter::CallUnderWay& Meter::OfThisThread() { return OfThread<CallUnderWay>(); }

// Takes the present list over. It stays until the thread's next call, so that what `chosen` points
// to outlives the call.
void Meter::TakeList(CallUnderWay* under_way) const {
  const std::uint64_t changes = changes_.load(std::memory_order_acquire);
  if (under_way->meter == number_ && under_way->changes == changes) return;
  MutexLock lock(mutex_);
  under_way->list = running_;
  under_way->meter = number_;
  under_way->changes = changes;
  under_way->calls = 0;
}

std::shared_ptr<Meter::Running> Meter::Find(std::string_view name) const {
  MutexLock lock(mutex_);
  const auto found =
      std::ranges::find_if(*running_, [&](const auto& each) { return each->name == name; });
  return found == running_->end() ? nullptr : *found;
}

void Meter::Replace(RunningList list) {
  const bool is_active = !list.empty();
  running_ = std::make_shared<const RunningList>(std::move(list));
  changes_.fetch_add(1, std::memory_order_release);
  if (is_active) {
    chain_.Activate(GateChain::Place::kMeter, *this);
  } else {
    chain_.Deactivate(GateChain::Place::kMeter);
  }
}

Status Meter::Start(std::string name, MeasurementScope scope, MeasurementSettings settings) {
  if (memory_) HR_RETURN_IF_ERROR(memory_->AdmitGrowth());
  auto made =
      std::make_shared<Running>(std::move(name), std::move(scope), std::move(settings), memory_);
  made->began_epoch_ms = engine_.clock().NowEpochMs();
  made->sizes_at_begin = SizesOfTables(engine_, made->scope);
  MutexLock lock(mutex_);
  RunningList list = *running_;
  const bool is_taken =
      std::ranges::any_of(list, [&](const auto& each) { return each->name == made->name; });
  if (is_taken) {
    return Error{ErrorCode::kResourceInUseException,
                 "There is a measurement \"" + made->name + "\" already.", nullptr};
  }
  if (list.size() >= kMaxMeasurements) {
    return Error{ErrorCode::kLimitExceededException,
                 std::to_string(kMaxMeasurements) + " measurements are running, which is the most.",
                 nullptr};
  }
  list.push_back(std::move(made));
  StableSort(list, {}, [](const auto& each) { return std::string_view(each->name); });
  Replace(std::move(list));
  return {};
}

Measurement Meter::Make(Running& running, bool is_running) {
  std::vector<StripeCounters> stripes;
  stripes.reserve(running.stripes.size());  // otherwise the counters are copied when it grows
  for (auto& stripe : running.stripes) {
    if (Stripe* const each = stripe.load(std::memory_order_acquire)) {
      stripes.push_back(each->Collect());
    }
  }
  MeasuredTraffic traffic{.name = running.name,
                          .scope = running.scope,
                          .began_epoch_ms = running.began_epoch_ms,
                          .ended_epoch_ms = engine_.clock().NowEpochMs(),
                          .is_running = is_running,
                          .sizes_at_begin = running.sizes_at_begin,
                          .shared = running.shared,
                          .stripes = std::move(stripes)};
  return MakeMeasurement(engine_, traffic);
}

Result<Measurement> Meter::Read(std::string_view name) {
  const std::shared_ptr<Running> running = Find(name);
  if (running) return Make(*running, true);
  return Error{ErrorCode::kResourceNotFoundException,
               "There is no measurement \"" + std::string(name) + "\".", nullptr};
}

std::shared_ptr<Meter::Running> Meter::Remove(std::string_view name) {
  MutexLock lock(mutex_);
  RunningList list = *running_;
  const auto found =
      std::ranges::find_if(list, [&](const auto& each) { return each->name == name; });
  if (found == list.end()) return nullptr;
  const std::shared_ptr<Running> removed = *found;
  list.erase(found);
  Replace(std::move(list));
  return removed;
}

// The last reference is dropped by the thread that also returns freed memory to the system.
void Meter::Close(std::shared_ptr<Running> running) {
  running->Close();
  engine_.catalog().Discard(std::move(running));
}

Result<Measurement> Meter::Stop(std::string_view name) {
  const std::shared_ptr<Running> running = Remove(name);
  if (!running) return Read(name);
  Measurement measurement = Make(*running, false);
  Close(running);
  return measurement;
}

bool Meter::Discard(std::string_view name) {
  const std::shared_ptr<Running> running = Remove(name);
  if (running) Close(running);
  return running != nullptr;
}

std::vector<MeasurementSummary> Meter::List() const {
  MutexLock lock(mutex_);
  std::vector<MeasurementSummary> list;
  for (const auto& each : *running_) {
    list.push_back({each->name, each->scope, each->began_epoch_ms});
  }
  return list;
}

// --- The gate ---

std::optional<Error> Meter::Begin(Call& call) {
  CallUnderWay& under_way = OfThisThread();
  TakeList(&under_way);
  under_way.call = nullptr;
  under_way.Drop();  // what is left of a call whose End came when the meter was out of the chain
  under_way.chosen.clear();
  for (const auto& each : *under_way.list) {
    if (each->scope.HasAccount(call.account)) under_way.chosen.push_back(each.get());
  }
  if (under_way.chosen.empty()) return std::nullopt;
  under_way.call = &call;
  under_way.arena.Reset();
  under_way.epoch_ms = engine_.clock().NowEpochMs();
  under_way.is_timed = IsTimed(++under_way.calls);
  if (under_way.is_timed) under_way.watch = {};
  return std::nullopt;
}

// Without memory for it, the call is not measured; the call itself goes on.
void Meter::Leave(Call& call, const Access& left, const Usage& usage) {
  CallUnderWay& under_way = OfThisThread();
  if (under_way.call != &call || usage.is_retried) return;
  try {
    Keep(left, usage, &under_way);
  } catch (const std::bad_alloc&) {
    under_way.call = nullptr;
    under_way.Drop();
  }
}

void Meter::Keep(const Access& left, const Usage& usage, CallUnderWay* kept_for) {
  CallUnderWay& under_way = *kept_for;
  const Access& access = usage.replayed ? *usage.replayed : left;
  if (under_way.accesses.size() == under_way.count) under_way.accesses.emplace_back();
  MeteredAccess& kept = under_way.accesses[under_way.count++];
  static_cast<AccessFigures&>(kept) = {};
  kept.access = access;
  kept.access.key.bytes = under_way.arena.Copy(access.key.bytes);
  kept.table = TableRef::Share(access.table);
  if (kept.item) kept.item = ItemRef();
  kept.terms = *access.terms;
  kept.update = access.terms->update ? *access.terms->update : Update();
  if (access.start) kept.start = HashOfPosition(*access.start);
  KeepUsage(usage, &kept);
  if (access.kind != Access::Kind::kWrite) return;
  if (usage.after.exists()) kept.item = ItemRef::Share(usage.after.item());
  KeepType(usage.after.exists() ? usage.after : usage.before,
           under_way.chosen.front()->shared.settings.type_attribute, &kept);
  if (access.terms->update) kept.changed_bytes = ChangedBytes(kept.update, usage.after);
}

void Meter::Charge(Call& call, const Access& access, const Usage& usage) {
  Leave(call, access, usage);
}

void Meter::End(Call& call, const CallOutcome& outcome) {
  CallUnderWay& under_way = OfThisThread();
  if (under_way.call != &call) return;
  under_way.call = nullptr;
  MarkUnreported({under_way.accesses.data(), under_way.count}, outcome.error != nullptr);
  MeteredCall& metered = under_way.metered;
  metered.call = &call;
  metered.members = under_way.count;
  metered.error = outcome.error;
  metered.epoch_ms = under_way.epoch_ms;
  metered.duration.reset();
  if (under_way.is_timed) metered.duration = under_way.watch.elapsed();
  for (Running* const running : under_way.chosen) {
    metered.accesses.clear();
    for (std::size_t i = 0; i < under_way.count; ++i) {
      const MeteredAccess& access = under_way.accesses[i];
      if (running->scope.HasTable(access.table->name)) metered.accesses.push_back(&access);
    }
    const bool is_elsewhere = under_way.count > 0 && metered.accesses.empty();
    if (!is_elsewhere) running->StripeOfThisThread().Count(metered);
  }
  under_way.Drop();  // now, not at the thread's next call
}

void Meter::Fail(Call& call, const CallOutcome& outcome) {
  if (call.account.account_id.empty()) return;
  Begin(call);
  End(call, outcome);
}

}  // namespace hashrange
