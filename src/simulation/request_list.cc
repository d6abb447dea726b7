#include "simulation/request_list.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "expression/expression_text.h"
#include "wire/json.h"

namespace hashrange {
namespace {

// Returns about how much memory a record takes, as if all its strings were allocated separately.
std::size_t BytesOf(const RequestRecord& record) {
  std::size_t bytes = sizeof(record) + record.operation.size() + record.account_id.size() +
                      record.region.size() + record.message.size();
  for (const RequestAccess& access : record.accesses) {
    bytes += sizeof(access) + access.table.size() + access.index.size();
    for (const auto& index : access.index_units) bytes += sizeof(index) + index.index.size();
  }
  return bytes;
}

constexpr double kMicrosecondsPerMs = 1000;

// The longest table name or ARN that a line shows.
constexpr std::size_t kMaxNameBytes = 1024;

std::string FormatNumber(const char* format, double value) {
  char text[40];
  const int size = std::snprintf(text, sizeof text, format, value);
  return {text, static_cast<std::size_t>(size)};
}

std::string WithIndex(std::string_view table, std::string_view index) {
  std::string name(table);
  if (!index.empty()) name.append("/").append(index);
  return name;
}

std::string_view StringMember(const JsonValue* request, std::string_view member) {
  if (!request || request->type != JsonValue::Type::kObject) return {};
  const JsonValue* const value = request->Find(member);
  if (!value || value->type != JsonValue::Type::kString) return {};
  return value->string().substr(0, kMaxNameBytes);
}

// Returns each table and index of the call once; empty when the call names no table.
std::vector<std::string> Places(const RequestRecord& record, const JsonValue* request) {
  std::vector<std::string> places;
  for (const RequestAccess& access : record.accesses) {
    std::string place = WithIndex(access.table, access.index);
    if (std::ranges::find(places, place) == places.end()) places.push_back(std::move(place));
  }
  const std::string_view table = StringMember(request, "TableName");
  if (places.empty() && !table.empty()) {
    places.push_back(WithIndex(table, StringMember(request, "IndexName")));
  }
  return places;
}

// " 0.5 units 0.041 ms"
std::string CostText(const RequestRecord& record) {
  double units = 0;
  for (const RequestAccess& access : record.accesses) units += access.units;
  const double ms = static_cast<double>(record.duration_us) / kMicrosecondsPerMs;
  return " " + FormatNumber("%g", units) + " units " + FormatNumber("%.3f", ms) + " ms";
}

// An empty `wanted` matches any text.
bool MatchesWanted(std::string_view wanted, std::string_view text) {
  return wanted.empty() || wanted == text;
}

}  // namespace

std::string RequestLine(const RequestRecord& record, const JsonValue* request) {
  std::string line = record.operation.empty() ? "(no operation)" : record.operation;
  const char* before = " ";
  for (const std::string& place : Places(record, request)) {
    line.append(before).append(place);
    before = ",";
  }
  if (!record.account_id.empty()) {
    line.append(" ").append(record.account_id).append("/").append(record.region);
  }
  line.append(" ").append(std::to_string(record.http_status));
  if (request) line.append(CostText(record));
  if (record.delay_ms > 0)
    line.append(", held back ").append(std::to_string(record.delay_ms) + " ms");
  if (record.dropped) line.append(", dropped");
  if (!record.error.empty()) line.append(" ").append(record.error);
  if (!record.message.empty()) line.append(": ").append(record.message);
  return line;
}

std::string_view SortKeyConditionOf(std::span<const KeyClause> clauses, const KeySchema& key) {
  const KeyClause* chosen = nullptr;
  for (const KeyClause& clause : clauses) {
    const auto is_named = [&](const KeyPart& part) { return part.name == clause.attribute; };
    if (std::ranges::none_of(key.range, is_named)) continue;
    if (chosen && chosen->op != KeyOperator::kEqual) {
      if (clause.op != KeyOperator::kEqual) return KeyOperatorText(KeyOperator::kBetween);
    } else {
      chosen = &clause;
    }
  }
  return chosen ? KeyOperatorText(chosen->op) : "none";
}

bool RequestFilter::Matches(const RequestRecord& record) const {
  if (record.id <= since.value_or(0) || !MatchesWanted(account_id, record.account_id) ||
      !MatchesWanted(region, record.region) || !MatchesWanted(operation, record.operation)) {
    return false;
  }
  return table.empty() || std::ranges::any_of(record.accesses, [&](const RequestAccess& access) {
           return access.table == table;
         });
}

void RequestList::SetLimit(std::size_t limit) {
  std::vector<Record> forgotten;
  MutexLock lock(mutex_);
  state_.limit = limit;
  Trim(&forgotten);
}

void RequestList::Add(RequestRecord record) {
  std::vector<Record> forgotten;  // is freed after the lock is released
  auto shared = std::make_shared<RequestRecord>(std::move(record));
  const std::size_t bytes = BytesOf(*shared);
  MutexLock lock(mutex_);
  shared->id = ++state_.last_id;
  records_.push_back(std::move(shared));
  bytes_ += bytes;
  Trim(&forgotten);
}

void RequestList::Trim(std::vector<Record>* forgotten) {
  while (!records_.empty() && (records_.size() > state_.limit || bytes_ > kMaxBytes)) {
    const std::uint64_t id = records_.front()->id;
    if (runs_.empty() || id != last_dropped_id_ + 1) runs_.push_back({id, state_.forgotten});
    if (runs_.size() > kMaxRuns) runs_.pop_front();
    last_dropped_id_ = id;
    const std::size_t bytes = BytesOf(*records_.front());
    forgotten->push_back(std::move(records_.front()));  // without memory, the record stays
    bytes_ -= bytes;
    records_.pop_front();
    ++state_.forgotten;
  }
}

std::size_t RequestList::Remove(const RequestFilter& filter) {
  std::vector<Record> removed;
  MutexLock lock(mutex_);
  const auto kept =
      std::stable_partition(records_.begin(), records_.end(),
                            [&](const Record& record) { return !filter.Matches(*record); });
  removed.assign(std::make_move_iterator(kept), std::make_move_iterator(records_.end()));
  records_.erase(kept, records_.end());
  for (const Record& record : removed) bytes_ -= BytesOf(*record);
  return removed.size();
}

std::uint64_t RequestList::ForgottenAfter(std::uint64_t id) const {
  const auto later = std::ranges::upper_bound(runs_, id, {}, &DroppedRun::first_id);
  const std::uint64_t end = later == runs_.end() ? state_.forgotten : later->dropped_before;
  if (later == runs_.begin()) return runs_.empty() ? 0 : state_.forgotten - end;
  const DroppedRun& run = *std::prev(later);
  const std::uint64_t dropped_of_run = std::min(id - run.first_id + 1, end - run.dropped_before);
  return state_.forgotten - (run.dropped_before + dropped_of_run);
}

RequestList::Page RequestList::Find(const RequestFilter& filter) const {
  Page page;
  MutexLock lock(mutex_);
  for (const Record& record : records_) {
    if (filter.Matches(*record)) page.records.push_back(record);
  }
  page.state = state_;
  page.state.size = records_.size();
  page.missed = ForgottenAfter(filter.since.value_or(0));
  return page;
}

RequestList::State RequestList::state() const {
  MutexLock lock(mutex_);
  State state = state_;
  state.size = records_.size();
  return state;
}

}  // namespace hashrange
