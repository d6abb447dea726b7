#include "lab/plan/request/pattern_plan.h"

namespace hashrange {
namespace {

// Returns how many shards, or periods, the call asks.
std::size_t CountShards(const PlanStep& step, const LabCall& call) {
  return step.buckets ? CountBuckets(*step.buckets, call.now_epoch_ms)
                      : static_cast<std::size_t>(step.shards);
}

}  // namespace

std::size_t CountRequests(const PlanStep& step, const LabCall& call) {
  const std::size_t shards = CountShards(step, call);
  if (step.each == kLabNone || step.each_once) return shards;
  const std::size_t instances = call.roles[static_cast<std::size_t>(step.each)].size();
  if (instances <= step.each_from) return 0;
  return shards * ((instances - step.each_from + step.each_count - 1) / step.each_count);
}

void SelectRequest(const PlanStep& step, std::size_t number, LabCall& call) {
  const std::size_t shards = CountShards(step, call);
  call.shard = static_cast<int>(number % shards);
  call.window = {};
  if (step.each == kLabNone) return;
  const std::size_t from = step.each_from + number / shards * step.each_count;
  call.window = {.role = step.each, .from = from, .to = from + step.each_count};
}

}  // namespace hashrange
