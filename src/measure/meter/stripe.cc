#include "measure/meter/stripe.h"

#include "wire/json.h"

namespace hashrange {
namespace {

// Returns the table of a GetRecords call, "us-east-1:111122223333:table/shop": a shard iterator has
// the ARN of the stream in it, "arn:aws:dynamodb:us-east-1:111122223333:table/shop/stream/…".
std::string_view TableOfIterator(const JsonValue* request) {
  constexpr std::string_view kBefore = ":dynamodb:", kAfter = "/stream/";
  const JsonValue* const iterator = request ? request->Find("ShardIterator") : nullptr;
  if (!iterator || iterator->type != JsonValue::Type::kString) return {};
  const std::string_view text = iterator->string();
  const std::size_t at = text.find(kBefore);
  if (at == text.npos) return {};
  const std::string_view rest = text.substr(at + kBefore.size());
  return rest.substr(0, rest.find(kAfter));
}

}  // namespace

StripeCounters Stripe::Collect() {
  std::lock_guard lock(mutex_);
  StartAnewIfBroken();
  is_broken_ = !is_closed_;  // unless all is merged to its end
  FinishSecond();
  FinishWindow();
  MergePatterns();
  is_broken_ = false;
  return counters_;
}

void Stripe::StartAnewIfBroken() {
  if (!is_broken_) return;
  StripeCounters made;
  made.other_resources = calls_;
  counters_ = std::move(made);
  resource_numbers_.clear();
  latest_numbers_.fill(kNoResource);
  merges_ = 0;
  second_ = {};
  window_calls_ = 0;
  is_broken_ = false;
}

void Stripe::Close() {
  std::lock_guard lock(mutex_);
  is_closed_ = true;
  counters_ = {};
  resource_numbers_.clear();
  latest_numbers_.fill(kNoResource);
}

void Stripe::Count(const MeteredCall& call) {
  std::lock_guard lock(mutex_);
  if (is_closed_) return;
  StartAnewIfBroken();
  ++calls_;
  is_broken_ = true;  // unless the call is counted to its end
  CountCall(call);
  is_broken_ = false;
}

void Stripe::CountCall(const MeteredCall& call) {
  if (call.accesses.empty()) return CountOther(call);
  CountTime(call);
  const PatternTable::Number pattern = PatternOf(call);
  for (std::size_t i = 0; i < call.accesses.size(); ++i) {
    CountResources(*call.accesses[i], members_[i]);
  }
  CountPattern(call, pattern);
  counters_.sequences.Watch(call, pattern);
}

// Calls that accessed no item: they failed before, or are no calls of items.
void Stripe::CountOther(const MeteredCall& call) {
  if (call.error) {
    AddCount(counters_.other_errors, ErrorInfoOf(call.error->code).name);
    CountTime(call);
  } else if (call.call->operation == "GetRecords") {
    AddCount(counters_.stream_reads, TableOfIterator(call.call->request));
  }
}

std::uint32_t Stripe::FindResource(const TableVersion& table, const IndexVersion* index) {
  const ResourceId id = ResourceIdOf(table, index);
  if (id.table != latest_table_) {
    latest_table_ = id.table;
    latest_numbers_.fill(kNoResource);
  }
  std::uint32_t* const at_hand =
      id.index < latest_numbers_.size() ? &latest_numbers_[id.index] : nullptr;
  constexpr int kIndexBits = 16;
  const std::uint64_t key = id.table << kIndexBits | id.index;
  const auto found = resource_numbers_.find(key);
  const bool is_new = found == resource_numbers_.end();
  const bool is_full =
      counters_.resources.size() >= StripeCounters::kMaxResources || !shared_.has_room();
  if (is_new && is_full) return kNoResource;
  const auto number =
      is_new ? static_cast<std::uint32_t>(counters_.resources.size()) : found->second;
  if (is_new) {
    counters_.resources.emplace_back(table, index, shared_.settings.separators);
    MakeRoom(resource_numbers_);  // last: the counters may have used what was drawn
    resource_numbers_.emplace(key, number);
  }
  if (at_hand) *at_hand = number;
  return number;
}

void Stripe::CountTime(const MeteredCall& call) {
  const std::int64_t second = call.epoch_ms - call.epoch_ms % TimeCounter::kSecondMs;
  if (second != second_epoch_ms_) {
    FinishSecond();
    second_epoch_ms_ = second;
  }
  const std::int64_t window = call.epoch_ms - call.epoch_ms % shared_.windows.window_ms();
  if (window != window_epoch_ms_) {
    FinishWindow();
    window_epoch_ms_ = window;
  }
  ++window_calls_;
  ++second_.calls;
  if (call.error) ++second_.errors;
  for (const MeteredAccess* access : call.accesses) {
    if (!access->throttle.empty()) ++second_.throttles[access->throttle];
    if (access->is_unreported) continue;
    (access->is_write() ? second_.write_units : second_.read_units) += access->units;
  }
}

void Stripe::FinishSecond() {
  if (second_.calls == 0) return;
  std::uint32_t heated = 0;
  for (ResourceCounters& resource : counters_.resources) {
    if (heated++ == StripeCounters::kMaxHeated) break;
    if (!resource.has_second_heat) continue;
    second_.heat[resource.id()] = resource.second_heat;
    resource.second_heat = {};
    resource.has_second_heat = false;
  }
  shared_.time.Add(second_epoch_ms_, second_);
  second_ = {};
}

void Stripe::FinishWindow() {
  if (window_calls_ == 0) return;
  std::vector<WindowPart> parts;
  for (ResourceCounters& resource : counters_.resources) {
    for (const auto direction : {MeterDirection::kRead, MeterDirection::kWrite}) {
      TopCounter& counter =
          direction == MeterDirection::kRead ? resource.window_read : resource.window_written;
      if (counter.empty()) continue;
      WindowPart part{resource.id(), direction, counter.total(), counter.All()};
      if (part.keys.size() > WindowCounter::kKeysOfPart) {
        part.keys.resize(WindowCounter::kKeysOfPart);
      }
      parts.push_back(std::move(part));
      counter.Clear();
    }
  }
  shared_.windows.Add(window_epoch_ms_, window_calls_, parts);
  window_calls_ = 0;
}

}  // namespace hashrange
