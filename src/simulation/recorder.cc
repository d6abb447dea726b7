#include "simulation/recorder.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory/thread_object.h"
#include "simulation/request_list.h"

namespace hashrange {
namespace {

std::uint64_t NextRegistration() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

bool IsEmpty(const Usage& usage) {
  return usage.units == 0 && usage.items_examined == 0 && usage.vector_bytes.empty();
}

// Returns the element of `sums` that adds up accesses like this one. Adds the element if needed.
RequestAccess& FindOrAddSum(std::vector<RequestAccess>& sums, const Access& access) {
  const std::string_view index = access.index ? access.index->schema.name : std::string_view();
  const KeySchema& key = access.index ? access.index->schema.key : access.table->key;
  const bool is_query = access.kind == Access::Kind::kQuery;
  const std::string_view sort_key = is_query ? SortKeyConditionOf(access.clauses, key) : "";
  const auto same = std::ranges::find_if(sums, [&](const RequestAccess& sum) {
    return sum.kind == access.kind && sum.table == access.table->name && sum.index == index &&
           sum.sort_key == sort_key;
  });
  if (same != sums.end()) return *same;
  RequestAccess& sum = sums.emplace_back();
  sum.table = access.table->name;
  sum.index = index;
  sum.kind = access.kind;
  sum.in_transaction = access.in_transaction;
  sum.sort_key = sort_key;
  return sum;
}

void AddUsage(const Access& access, const Usage& usage, RequestAccess* sum) {
  sum->units += usage.units;
  sum->examined += usage.items_examined;
  sum->returned += usage.items_returned;
  sum->written += usage.items_written;
  for (const double bytes : usage.vector_bytes) sum->vector_bytes += bytes;
  const auto& indexes = access.table->indexes;
  for (std::size_t i = 0; i < std::min(usage.index_units.size(), indexes.size()); ++i) {
    if (usage.index_units[i] == 0) continue;
    const std::string& name = indexes[i].schema.name;
    auto at = std::ranges::find(sum->index_units, name, &RequestAccess::IndexUnits::index);
    if (at == sum->index_units.end()) {
      at = sum->index_units.insert(at, RequestAccess::IndexUnits{name, 0});
    }
    at->units += usage.index_units[i];
  }
}

// The message is cut between two characters.
std::string ShortenedMessage(std::string_view message) {
  std::size_t size = RequestRecord::kMaxMessageBytes;
  if (message.size() <= size) return std::string(message);
  const auto is_inside_character = [&] { return (message[size] & 0xc0) == 0x80; };
  while (size > 0 && is_inside_character()) --size;
  return std::string(message.substr(0, size)) + "…";
}

RequestRecord RecordOf(const Call& call, const CallOutcome& outcome) {
  RequestRecord record;
  record.operation = call.operation;
  record.account_id = call.account.account_id;
  record.region = call.region;
  record.request_bytes = call.request_bytes;
  record.answer_bytes = outcome.answer_bytes;
  record.delay_ms = call.send_after_ms;
  record.dropped = call.drop;
  if (outcome.error) {
    record.http_status = ErrorInfoOf(outcome.error->code).http_status;
    record.error = ErrorInfoOf(outcome.error->code).name;
    record.message = ShortenedMessage(outcome.error->message);
  }
  return record;
}

// `duration` is null for a call that never began.
CallStatistics::CountedCall CountedCallOf(const Call& call, const CallOutcome& outcome,
                                          const std::chrono::nanoseconds* duration) {
  return {.operation = call.operation,
          .error = outcome.error,
          .request_bytes = call.request_bytes,
          .answer_bytes = outcome.answer_bytes,
          .duration = duration};
}

}  // namespace

struct Recorder::CallUnderWay {
  std::uint64_t registration = 0;
  const Call* call = nullptr;
  bool is_listed = false;
  bool is_logged = false;
  bool is_counted = false;
  std::int64_t epoch_ms = 0;
  Stopwatch watch;
  std::vector<RequestAccess> accesses;

  bool is_recorded() const { return is_listed || is_logged; }

  // A thread serves one call at a time.
  static CallUnderWay& OfThisThread() { return OfThread<CallUnderWay>(); }
};

void Recorder::StartList(std::size_t limit) {
  MutexLock lock(mutex_);
  list_.SetLimit(limit);
  is_listing_ = true;
  UpdateRegistration();
}

void Recorder::StopList() {
  MutexLock lock(mutex_);
  is_listing_ = false;
  UpdateRegistration();
}

void Recorder::StartLog() {
  MutexLock lock(mutex_);
  is_logging_ = true;
  UpdateRegistration();
}

void Recorder::StartCounting() {
  if (is_counting_) return;
  MutexLock lock(mutex_);
  is_counting_ = true;
  UpdateRegistration();
}

void Recorder::UpdateRegistration() {
  if (!is_listing_ && !is_logging_ && !is_counting_) {
    registration_ = 0;
    chain_.Deactivate(GateChain::Place::kRecorder);
  } else if (registration_ == 0) {
    registration_ = NextRegistration();
    chain_.Activate(GateChain::Place::kRecorder, *this);
  }
}

Recorder::CallUnderWay* Recorder::FindCallUnderWay(const Call& call) const {
  CallUnderWay& under_way = CallUnderWay::OfThisThread();
  const std::uint64_t registration = registration_.load(std::memory_order_relaxed);
  return registration != 0 && under_way.registration == registration && under_way.call == &call
             ? &under_way
             : nullptr;
}

std::optional<Error> Recorder::Begin(Call& call) {
  CallUnderWay& under_way = CallUnderWay::OfThisThread();
  under_way.registration = registration_.load(std::memory_order_relaxed);
  under_way.call = &call;
  under_way.is_listed = is_listing_.load(std::memory_order_relaxed);
  under_way.is_logged = is_logging_.load(std::memory_order_relaxed);
  under_way.is_counted = is_counting_.load(std::memory_order_relaxed);
  under_way.epoch_ms = clock_.NowEpochMs();
  under_way.watch = {};
  under_way.accesses.clear();
  return std::nullopt;
}

std::optional<Error> Recorder::Enter(Call& call, const Access& access) {
  CallUnderWay* const under_way = FindCallUnderWay(call);
  if (under_way && under_way->is_recorded()) ++FindOrAddSum(under_way->accesses, access).count;
  return std::nullopt;
}

// An access that another gate refuses, or that is retried, leaves with an empty usage.
void Recorder::Leave(Call& call, const Access& access, const Usage& usage) {
  CallUnderWay* const under_way = FindCallUnderWay(call);
  if (!under_way) return;
  const bool is_empty = IsEmpty(usage);
  if (under_way->is_counted && !is_empty) statistics_.Count(access, usage);
  if (!under_way->is_recorded()) return;
  RequestAccess& sum = FindOrAddSum(under_way->accesses, access);
  if (is_empty) {
    --sum.count;
  } else {
    AddUsage(access, usage, &sum);
  }
}

// The list and the counters show no difference between these accesses and accesses that entered.
void Recorder::Charge(Call& call, const Access& access, const Usage& usage) {
  Enter(call, access);
  Leave(call, access, usage);
}

void Recorder::End(Call& call, const CallOutcome& outcome) {
  CallUnderWay* const under_way = FindCallUnderWay(call);
  if (!under_way) return;
  const std::chrono::nanoseconds duration = under_way->watch.elapsed();
  under_way->call = nullptr;
  if (under_way->is_counted) statistics_.Count(CountedCallOf(call, outcome, &duration));
  if (!under_way->is_recorded()) return;
  RequestRecord record = RecordOf(call, outcome);
  record.epoch_ms = under_way->epoch_ms;
  record.duration_us = std::chrono::duration_cast<std::chrono::microseconds>(duration).count();
  record.accesses = std::move(under_way->accesses);
  WriteRecord(call, std::move(record), under_way->is_logged, under_way->is_listed);
}

void Recorder::Fail(Call& call, const CallOutcome& outcome) {
  if (is_counting_.load(std::memory_order_relaxed)) {
    statistics_.Count(CountedCallOf(call, outcome, nullptr));
  }
  const bool is_listed = is_listing_.load(std::memory_order_relaxed);
  const bool is_logged = is_logging_.load(std::memory_order_relaxed);
  if (!is_listed && !is_logged) return;
  RequestRecord record = RecordOf(call, outcome);
  record.epoch_ms = clock_.NowEpochMs();
  WriteRecord(call, std::move(record), is_logged, is_listed);
}

void Recorder::WriteRecord(const Call& call, RequestRecord record, bool is_logged, bool is_listed) {
  if (is_logged) Log(LogLevel::kDebug, RequestLine(record, call.request));
  if (is_listed) list_.Add(std::move(record));
}

}  // namespace hashrange
