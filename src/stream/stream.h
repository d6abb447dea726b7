// Stream: the record of a table's changes from when it was enabled until it is disabled or
// its table deleted, and what there is to say of it for 24 hours from then
// (docs/service/12-streams-and-ttl.md, sections A and B).
//
//   Stream ── Shard (one, or N ranges of the partition keys' hashes) ── records
//
// A table's version holds its stream (StreamSpecification::storage), so that a commit finds
// the stream without a look-up. Thread-safe.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/change_log.h"
#include "engine/tags.h"
#include "stream/shard.h"
#include "stream/stream_view.h"
#include "value/schema.h"

namespace hashrange {

enum class StreamStatus { kEnabling, kEnabled, kDisabling, kDisabled };

struct StreamOptions {
  int shards = 1;                           // from 1
  std::int64_t buffer_bytes = 256LL << 20;  // what a stream keeps at most, in all its shards
};

// What is said of a stream from the beginning.
struct StreamDefinition {
  std::string table_name;
  std::string table_arn;
  std::string region;
  KeySchema key;  // the table's
  StreamView view = StreamView::kKeysOnly;
  std::int64_t creation_epoch_ms = 0;  // 0: not said yet
  std::int64_t enabled_epoch_ms = 0;   // when it is no longer ENABLING
};

// The stream that the settings of a table's version ask for. When it is made is not said yet.
// `region`: of the request that asked.
StreamDefinition StreamDefinitionOf(const TableVersion& version, std::string_view region,
                                    std::int64_t enabled_epoch_ms);

class Stream {
 public:
  // `reclaimer` outlives the stream.
  Stream(StreamDefinition definition, const StreamOptions& options, RecordReclaimer& reclaimer);

  const StreamDefinition& definition() const { return definition_; }
  const std::string& label() const { return label_; }
  const std::string& arn() const { return arn_; }
  TagSet& tags() { return tags_; }

  std::size_t shard_count() const { return shards_.size(); }
  Shard& shard(std::size_t i) { return *shards_[i]; }
  // "shardId-<20 digits>-<8 hex digits>", ascending with `i`: when the stream was made, and
  // where the shard's range of hashes begins.
  std::string ShardId(std::size_t i) const;

  // 32 hexadecimal digits, other ones for every record.
  std::string EventId(std::size_t shard, std::uint64_t number) const;

  // Called in a commit.
  void Append(const Change& change);

  // No change is recorded any more; the stream is DISABLING until `disabled_epoch_ms`. False, and
  // nothing is changed, when the stream is closed already. StreamSet::Close closes the streams that
  // a StreamSet made.
  bool Close(std::int64_t now_ms, std::int64_t disabled_epoch_ms);

  StreamStatus StatusAt(std::int64_t now_ms) const;
  bool is_closed() const { return closed_epoch_ms_ != kOpen; }
  std::int64_t closed_epoch_ms() const { return closed_epoch_ms_; }  // of a closed stream
  // Whether it was closed so long ago that nobody may see it any more.
  bool IsGoneAt(std::int64_t now_ms) const;

 private:
  static constexpr std::int64_t kOpen = INT64_MAX;

  const StreamDefinition definition_;
  const std::string label_;
  const std::string arn_;
  const std::uint64_t event_seeds_[2];
  TagSet tags_;
  std::vector<std::unique_ptr<Shard>> shards_;
  std::atomic<std::int64_t> closed_epoch_ms_{kOpen};
  std::atomic<std::int64_t> disabled_epoch_ms_{kOpen};
};

// When a stream was made is its label: 2026-01-31T12:00:00.000.
std::string StreamLabel(std::int64_t epoch_ms);

}  // namespace hashrange
