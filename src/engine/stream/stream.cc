#include "engine/stream/stream.h"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <ctime>
#include <iterator>
#include <utility>

#include "base/random.h"
#include "engine/stream/stream_observer.h"

namespace hashrange {
namespace {

// In the order of StreamView.
constexpr std::string_view kViewNames[] = {"KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE",
                                           "NEW_AND_OLD_IMAGES"};

// The finalizer of SplitMix64: a bijection, so that different numbers stay different.
std::uint64_t Mix(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

StreamEvent ClassifyChange(const Change& change) {
  if (!change.before) return StreamEvent::kInsert;
  return change.after ? StreamEvent::kModify : StreamEvent::kRemove;
}

// Returns a record with the items that the view shows, or with one item, for the key.
StreamRecord MakeRecord(const Change& change, StreamView view) {
  StreamRecord record{
      .epoch_ms = change.epoch_ms, .event = ClassifyChange(change), .origin = change.origin};
  if (ShowsOldImage(view)) record.before = change.before;
  if (ShowsNewImage(view)) record.after = change.after;
  if (record.before || record.after) return record;
  record.after = change.after;
  if (!record.after) record.before = change.before;
  return record;
}

}  // namespace

StreamView ParseStreamView(std::string_view name) {
  const auto found = std::ranges::find(kViewNames, name);
  assert(found != std::end(kViewNames));
  return static_cast<StreamView>(found - std::begin(kViewNames));
}

std::string_view StreamViewName(StreamView view) {
  return kViewNames[static_cast<std::size_t>(view)];
}

StreamDefinition MakeStreamDefinition(const TableVersion& version, std::string_view region,
                                      std::int64_t enabled_epoch_ms) {
  return {.table_name = version.name,
          .table_arn = version.arn,
          .region = std::string(region),
          .key = version.key,
          .view = ParseStreamView(version.settings.stream->view_type),
          .enabled_epoch_ms = enabled_epoch_ms};
}

std::string StreamLabel(std::int64_t epoch_ms) {
  const std::time_t seconds = static_cast<std::time_t>(epoch_ms / 1000);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char text[40];
  const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
  const std::string fraction = std::to_string(1000 + epoch_ms % 1000).substr(1);
  return std::string(text, size) + "." + fraction;
}

Stream::Stream(StreamDefinition definition, const StreamOptions& options,
               RecordReclaimer& reclaimer)
    : Stream(std::move(definition), {Random::ThisThread().Next(), Random::ThisThread().Next()},
             std::vector(static_cast<std::size_t>(std::max(options.shards, 1)),
                         std::uint64_t{Shard::kFirstNumber}),
             options, reclaimer) {}

Stream::Stream(StreamDefinition definition, const EventSeeds& event_seeds,
               std::span<const std::uint64_t> first_numbers, const StreamOptions& options,
               RecordReclaimer& reclaimer)
    : definition_(std::move(definition)),
      label_(StreamLabel(definition_.creation_epoch_ms)),
      arn_(definition_.table_arn + "/stream/" + label_),
      event_seeds_(event_seeds) {
  const auto count = static_cast<std::int64_t>(first_numbers.size());
  for (const std::uint64_t first : first_numbers) {
    shards_.push_back(std::make_unique<Shard>(options.buffer_bytes / count, reclaimer, first));
  }
}

std::string Stream::ShardId(std::size_t i) const {
  const auto range_begin = static_cast<unsigned>((std::uint64_t{i} << 32) / shards_.size());
  char text[64];
  std::snprintf(text, sizeof text, "shardId-%020lld-%08x",
                static_cast<long long>(definition_.creation_epoch_ms), range_begin);
  return text;
}

std::string Stream::EventId(std::size_t shard, std::uint64_t number) const {
  const std::uint64_t place = number * shards_.size() + shard;
  char text[40];
  std::snprintf(text, sizeof text, "%016llx%016llx",
                static_cast<unsigned long long>(Mix(event_seeds_[0] + place)),
                static_cast<unsigned long long>(Mix(event_seeds_[1] ^ place)));
  return text;
}

void Stream::Append(const Change& change, StreamObserver* observer) {
  const Item& item = change.after ? *change.after : *change.before;
  const std::size_t shard = ((item.hash() >> 32) * shards_.size()) >> 32;
  if (!observer || !definition_.is_durable) {
    shards_[shard]->Append(MakeRecord(change, definition_.view));
    return;
  }
  const StreamRecord record = MakeRecord(change, definition_.view);
  const std::uint64_t number = shards_[shard]->Append(record);
  if (number != Shard::kStartNumber) observer->OnRecord(*this, shard, number, record);
}

bool Stream::Close(std::int64_t now_ms, std::int64_t disabled_epoch_ms) {
  std::int64_t open = kOpen;
  if (!closed_epoch_ms_.compare_exchange_strong(open, now_ms)) return false;
  disabled_epoch_ms_ = disabled_epoch_ms;
  for (const auto& shard : shards_) shard->Close();
  return true;
}

std::optional<StreamClosing> Stream::closing() const {
  if (!is_closed()) return std::nullopt;
  return StreamClosing{closed_epoch_ms_, disabled_epoch_ms_};
}

StreamStatus Stream::StatusAt(std::int64_t now_ms) const {
  if (closed_epoch_ms_ != kOpen) {
    return now_ms < disabled_epoch_ms_ ? StreamStatus::kDisabling : StreamStatus::kDisabled;
  }
  return now_ms < definition_.enabled_epoch_ms ? StreamStatus::kEnabling : StreamStatus::kEnabled;
}

bool Stream::IsGoneAt(std::int64_t now_ms) const {
  const std::int64_t closed_ms = closed_epoch_ms_;
  return closed_ms != kOpen && now_ms - closed_ms >= kStreamRetentionMs;
}

}  // namespace hashrange
