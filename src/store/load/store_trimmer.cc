#include "store/load/store_trimmer.h"

#include <chrono>
#include <utility>

#include "engine/stream/stored_stream.h"

namespace hashrange {
namespace {

constexpr std::chrono::seconds kInterval{10};

}  // namespace

JournalRecord StreamDescription(Stream& stream, std::int64_t now_ms) {
  return {StoreKey::OfStream(stream.definition().id),
          RecordValue::Of(EncodeStream(DescribeStream(stream, now_ms)))};
}

void StoreTrimmer::Add(Stream& stream, std::vector<std::uint64_t> firsts) {
  const std::lock_guard lock(mutex_);
  streams_[stream.definition().id] = {&stream, std::move(firsts)};
}

void StoreTrimmer::Remove(Stream& stream) {
  const std::lock_guard lock(mutex_);
  streams_.erase(stream.definition().id);
}

void StoreTrimmer::Start() {
  queue_.Post([this]() -> WorkQueue::NextRun {
    Trim();
    return kInterval;
  });
}

void StoreTrimmer::Trim() {
  if (!journal_.AdmitChange().ok()) return;
  journal_.RemoveRange(StoreKeyRange::OfExpiredTokens(clock_.NowEpochMs()));
  const std::lock_guard lock(mutex_);
  for (auto& [id, trimmed] : streams_) TrimStream(trimmed);
}

// The description goes first: without it, a restart would not know the numbers of a shard whose
// records were all removed. A restart between the two finds records before the described beginning
// of their shard, and removes them.
void StoreTrimmer::TrimStream(Trimmed& trimmed) {
  const std::int64_t now_ms = clock_.NowEpochMs();
  const std::uint64_t id = trimmed.stream->definition().id;
  bool is_described = false;
  for (std::size_t i = 0; i < trimmed.firsts.size(); ++i) {
    const std::uint64_t first = trimmed.stream->shard(i).ExtentAt(now_ms).first;
    if (first <= trimmed.firsts[i]) continue;
    if (!is_described) {
      JournalRecord description = StreamDescription(*trimmed.stream, now_ms);
      journal_.Append({}, {&description, 1});
      is_described = true;
    }
    journal_.RemoveRange(StoreKeyRange::OfStreamRecords(id, static_cast<std::uint16_t>(i),
                                                        trimmed.firsts[i], first));
    trimmed.firsts[i] = first;
  }
}

}  // namespace hashrange
