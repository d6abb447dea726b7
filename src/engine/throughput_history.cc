#include "engine/throughput_history.h"

namespace hashrange {
namespace {

constexpr std::int64_t kDayMs = 86'400'000;

bool Lowers(const ProvisionedThroughput& before, const ProvisionedThroughput& after) {
  return after.read_units < before.read_units || after.write_units < before.write_units;
}

bool Raises(const ProvisionedThroughput& before, const ProvisionedThroughput& after) {
  return Lowers(after, before);
}

}  // namespace

std::int64_t DecreasesToday(const ThroughputHistory& history, std::int64_t now_epoch_ms) {
  if (!history.last_decrease_epoch_ms) return 0;
  const bool is_today = *history.last_decrease_epoch_ms / kDayMs == now_epoch_ms / kDayMs;
  return is_today ? history.decreases_today : 0;
}

void StampChange(const ProvisionedThroughput& before, const ProvisionedThroughput& after,
                 std::int64_t now_epoch_ms, ThroughputHistory* history) {
  history->decreases_today = DecreasesToday(*history, now_epoch_ms);
  if (Raises(before, after)) history->last_increase_epoch_ms = now_epoch_ms;
  if (Lowers(before, after)) history->last_decrease_epoch_ms = now_epoch_ms;
}

void CompleteChange(const ProvisionedThroughput& before, const ProvisionedThroughput& after,
                    std::int64_t now_epoch_ms, ThroughputHistory* history) {
  if (Raises(before, after)) history->last_increase_epoch_ms = now_epoch_ms;
  if (!Lowers(before, after)) return;
  // The change was requested before midnight; the decrease counts for the new day.
  if (DecreasesToday(*history, now_epoch_ms) == 0) history->decreases_today = 1;
  history->last_decrease_epoch_ms = now_epoch_ms;
}

void RecordChange(const ProvisionedThroughput& before, const ProvisionedThroughput& after,
                  std::int64_t now_epoch_ms, ThroughputHistory* history) {
  StampChange(before, after, now_epoch_ms, history);
  if (Lowers(before, after)) ++history->decreases_today;
}

}  // namespace hashrange
