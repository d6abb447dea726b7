#include "lab/plan/request/pattern_plan.h"

#include "lab/language/lab_facts.h"

namespace hashrange {
namespace {

// Returns how many requests the call takes at once for each instance.
std::size_t CountFanOut(const PlanStep& step, const LabCall& call) {
  const auto shards = static_cast<std::size_t>(step.shards);
  return step.buckets && !step.walk ? shards * CountBuckets(*step.buckets, call.now_epoch_ms)
                                    : shards;
}

// Returns the text of one attribute of a fetched key, with placeholders.
std::string ReadableKeyText(const LabFile& file, const FetchedKeyAttribute& attribute) {
  if (attribute.text.parts.empty()) return "{" + attribute.name + "}";
  std::string text;
  std::size_t value = 0;
  for (const LabTemplatePart& part : attribute.text.parts) {
    text += part.literal;
    if (part.attribute.entity == kLabNone) continue;
    const AnsweredValue& from = attribute.from[value++];
    text += "{" +
            (from.text.parts.empty()
                 ? from.name
                 : LabAttributeAt(file, from.text.parts[from.part].attribute).name) +
            "}";
  }
  return text;
}

}  // namespace

std::string ReadableStep(const LabFile& file, const PlanStep& step) {
  std::string text = ReadableRequest(file, step.request);
  constexpr std::string_view kNoKeys = R"("Keys":[])";
  const std::size_t at = text.find(kNoKeys);
  if (!IsFetch(step) || at == text.npos) return text;
  std::string key;
  for (const FetchedKeyAttribute& attribute : step.fetched_key) {
    key += (key.empty() ? "{" : ",") + QuotedJson(attribute.name) +
           (attribute.type == LabType::kNumber ? ":{\"N\":" : ":{\"S\":") +
           QuotedJson(ReadableKeyText(file, attribute)) + "}";
  }
  return text.insert(at + kNoKeys.size() - 1, key + "},…");
}

std::size_t MostFanOut(const PlanStep& step) {
  const auto shards = static_cast<std::size_t>(step.shards);
  if (!step.buckets) return shards;
  const std::size_t periods = MostBuckets(*step.buckets);
  return shards * (step.walk ? std::min(periods, kMostTimeBuckets) : periods);
}

std::size_t CountRequests(const PlanStep& step, const LabCall& call) {
  const std::size_t fan_out = CountFanOut(step, call);
  if (step.each == kLabNone || step.each_once) return fan_out;
  const std::size_t instances = call.roles[static_cast<std::size_t>(step.each)].size();
  if (instances <= step.each_from) return 0;
  return fan_out * ((instances - step.each_from + step.each_count - 1) / step.each_count);
}

void SelectRequest(const PlanStep& step, std::size_t number, LabCall& call) {
  const std::size_t fan_out = CountFanOut(step, call);
  const auto shards = static_cast<std::size_t>(step.shards);
  call.shard = static_cast<int>(number % shards);
  if (!step.walk) call.period = number % fan_out / shards;
  call.window = {};
  if (step.each == kLabNone) return;
  const std::size_t from = step.each_from + number / fan_out * step.each_count;
  call.window = {.role = step.each, .from = from, .to = from + step.each_count};
}

std::size_t CountPeriods(const TimeBuckets& buckets, std::int64_t now_epoch_ms) {
  return std::min(CountBuckets(buckets, now_epoch_ms), kMostTimeBuckets);
}

std::size_t PeriodAt(const TimeBuckets& buckets, std::int64_t now_epoch_ms, bool is_backward,
                     std::size_t place) {
  return is_backward ? CountBuckets(buckets, now_epoch_ms) - 1 - place : place;
}

}  // namespace hashrange
