// Stream: the records of a table's changes, from when the stream is enabled until it is disabled
// or its table is deleted. It can be read and described for 24 hours more
// (docs/service/12-streams-and-ttl.md, sections A and B).
//
//   Stream ── Shard (one, or one for each of N ranges of the partition keys' hashes) ── records
//
// A table's version holds its stream (StreamSpecification::storage), so that a commit finds
// the stream without a look-up. Thread-safe.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/change_log.h"
#include "engine/stream/shard.h"
#include "engine/tags.h"
#include "value/schema.h"

namespace hashrange {

class StreamObserver;  // engine/stream/stream_observer.h

// Which images of a changed item the records of a stream show (docs/service/12-streams-and-ttl.md,
// section A2).
enum class StreamView : std::uint8_t { kKeysOnly, kNewImage, kOldImage, kNewAndOldImages };

inline bool ShowsNewImage(StreamView view) {
  return view == StreamView::kNewImage || view == StreamView::kNewAndOldImages;
}
inline bool ShowsOldImage(StreamView view) {
  return view == StreamView::kOldImage || view == StreamView::kNewAndOldImages;
}

// ParseStreamView returns the view of that name ("NEW_AND_OLD_IMAGES"), which must be one of the
// service's four. StreamViewName returns the name of a view.
StreamView ParseStreamView(std::string_view name);
std::string_view StreamViewName(StreamView view);

enum class StreamStatus { kEnabling, kEnabled, kDisabling, kDisabled };

struct StreamOptions {
  int shards = 1;                           // at least 1
  std::int64_t buffer_bytes = 256LL << 20;  // the most that the shards of a stream keep together
};

// The properties of a stream that do not change.
struct StreamDefinition {
  std::string table_name;
  std::string table_arn;
  std::string region;
  KeySchema key;  // of the table
  StreamView view = StreamView::kKeysOnly;
  std::int64_t creation_epoch_ms = 0;  // 0: not set yet
  std::int64_t enabled_epoch_ms = 0;   // when the stream stops being ENABLING
  bool is_durable = false;             // whether the stream outlives the program
  // Set by StreamSet::Open: the stream's id, and the owner of its table.
  std::uint64_t id = 0;
  std::string account_id = {};
  std::string account_region = {};
};

// When a stream was closed, and until when it is DISABLING.
struct StreamClosing {
  std::int64_t closed_epoch_ms = 0;
  std::int64_t disabled_epoch_ms = 0;
};

// The random numbers that the ids of a stream's records are made of.
using EventSeeds = std::array<std::uint64_t, 2>;

// Returns the definition of the stream that the settings of a table's version ask for, without
// creation_epoch_ms and is_durable. `region` is the Region of the request that asked for the
// stream.
StreamDefinition MakeStreamDefinition(const TableVersion& version, std::string_view region,
                                      std::int64_t enabled_epoch_ms);

class Stream {
 public:
  // `reclaimer` outlives the stream.
  Stream(StreamDefinition definition, const StreamOptions& options, RecordReclaimer& reclaimer);
  // Makes a stream that existed before the program was started: with its seeds, and a shard for
  // each of `first_numbers`, its first number. Of the options, only the size of the buffer counts.
  Stream(StreamDefinition definition, const EventSeeds& event_seeds,
         std::span<const std::uint64_t> first_numbers, const StreamOptions& options,
         RecordReclaimer& reclaimer);

  const StreamDefinition& definition() const { return definition_; }
  const std::string& label() const { return label_; }
  const std::string& arn() const { return arn_; }
  TagSet& tags() { return tags_; }

  std::size_t shard_count() const { return shards_.size(); }
  Shard& shard(std::size_t i) { return *shards_[i]; }
  // Returns "shardId-<20 digits>-<8 hex digits>", ascending with `i`: the time when the stream was
  // made, and the beginning of the shard's range of hashes.
  std::string ShardId(std::size_t i) const;

  // Returns 32 hexadecimal digits, which are different for every record.
  std::string EventId(std::size_t shard, std::uint64_t number) const;

  const EventSeeds& event_seeds() const { return event_seeds_; }

  // Records a change, and tells the observer (null: none) if the stream is durable. Called inside
  // the change's commit.
  void Append(const Change& change, StreamObserver* observer = nullptr);

  // Closes the stream: no change is recorded any more, and the stream is DISABLING until
  // `disabled_epoch_ms`. Returns false, and changes nothing, when the stream is closed already. Use
  // StreamSet::Close for the streams that a StreamSet made.
  bool Close(std::int64_t now_ms, std::int64_t disabled_epoch_ms);

  StreamStatus StatusAt(std::int64_t now_ms) const;
  bool is_closed() const { return closed_epoch_ms_ != kOpen; }
  std::int64_t closed_epoch_ms() const { return closed_epoch_ms_; }  // of a closed stream
  // Returns when the stream was closed; nullopt: it is open.
  std::optional<StreamClosing> closing() const;
  // Returns whether the stream was closed so long ago that nobody may see it any more.
  bool IsGoneAt(std::int64_t now_ms) const;

 private:
  static constexpr std::int64_t kOpen = INT64_MAX;

  const StreamDefinition definition_;
  const std::string label_;
  const std::string arn_;
  const EventSeeds event_seeds_;
  TagSet tags_;
  std::vector<std::unique_ptr<Shard>> shards_;
  std::atomic<std::int64_t> closed_epoch_ms_{kOpen};
  std::atomic<std::int64_t> disabled_epoch_ms_{kOpen};
};

// Returns the label of a stream that was made at that time: 2026-01-31T12:00:00.000.
std::string StreamLabel(std::int64_t epoch_ms);

}  // namespace hashrange
