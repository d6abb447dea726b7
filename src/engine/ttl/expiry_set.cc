#include "engine/ttl/expiry_set.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "engine/table_life_cycle.h"
#include "engine/table_version.h"
#include "value/number.h"

namespace hashrange {
namespace {

// So many digits of seconds are three million years, which fit into 64 bits as milliseconds.
constexpr std::size_t kMostSecondsDigits = 14;
constexpr std::size_t kFractionDigits = 3;

}  // namespace

std::optional<std::int64_t> ExpiryEpochMs(const ValueView& value) {
  if (value.type != AttributeType::kN) return std::nullopt;
  char text[Number::kMaxTextBytes];
  const auto length = static_cast<std::size_t>(WriteNumberText(value.bytes(), text));
  const std::string_view number(text, length);
  const std::size_t point = std::min(number.find('.'), length);
  if (number.front() == '-' || point > kMostSecondsDigits) return std::nullopt;
  std::int64_t epoch_ms = 0;
  for (const char digit : number.substr(0, point)) epoch_ms = epoch_ms * 10 + (digit - '0');
  for (std::size_t i = 1; i <= kFractionDigits; ++i) {
    const char digit = point + i < length ? number[point + i] : '0';
    epoch_ms = epoch_ms * 10 + (digit - '0');
  }
  return epoch_ms;
}

std::optional<std::int64_t> ExpirySet::ExpiryOf(ItemView item) const {
  const auto value = item.Find(attribute_);
  return value ? ExpiryEpochMs(*value) : std::nullopt;
}

void ExpirySet::Update(const Change& change) {
  const KeySchema& key = change.table->key;
  const auto before = ExpiryOf({key, change.before.get()});
  const auto after = ExpiryOf({key, change.after.get()});
  if (!before && !after) return;
  Shard& shard = ShardOf(change.after ? *change.after : *change.before);
  MutexLock lock(shard.mutex);
  // While the set is being filled, the old entry may not exist. The commit has a reference to the
  // item too, so that nothing is freed here.
  if (before) shard.entries.erase(Place{*before, change.before.get()});
  if (after) shard.entries.insert({*after, change.after});
}

void ExpirySet::Insert(ItemView item) {
  const auto expiry = ExpiryOf(item);
  if (!expiry) return;
  DrawReserve(kMostBytesOfObserver);  // the set does not run out of memory while it changes
  Shard& shard = ShardOf(*item.item());
  MutexLock lock(shard.mutex);
  shard.entries.insert({*expiry, ItemRef::Share(item.item())});
}

std::vector<ItemRef> ExpirySet::Due(int shard, std::int64_t now_epoch_ms, std::size_t limit) const {
  std::vector<ItemRef> due;
  const Shard& from = shards_[static_cast<std::size_t>(shard)];
  MutexLock lock(from.mutex);
  auto entry = from.entries.lower_bound(Place{now_epoch_ms - kLongestPastMs, nullptr});
  for (; entry != from.entries.end() && due.size() < limit; ++entry) {
    if (!IsDue(entry->epoch_ms, now_epoch_ms)) break;
    due.push_back(entry->item);
  }
  return due;
}

std::size_t ExpirySet::size() const {
  std::size_t sum = 0;
  for (const Shard& shard : shards_) {
    MutexLock lock(shard.mutex);
    sum += shard.entries.size();
  }
  return sum;
}

std::shared_ptr<ExpirySet> AttachExpirySet(TableVersion* version) {
  // A table in a transition has time to live either on in all of its versions, or off in all.
  std::shared_ptr<ExpirySet> shared;
  EditWithNextPhase(version, [&shared](TableVersion* each) {
    const auto& attribute = each->settings.ttl_attribute;
    if (attribute && (!shared || shared->attribute() != *attribute)) {
      shared = std::make_shared<ExpirySet>(*attribute);
    }
    each->settings.expiries = attribute ? shared : nullptr;
  });
  return version->settings.expiries;
}

}  // namespace hashrange
