// SequenceWatch sees what one caller does one after another: a caller is a connection. It keeps the
// latest few calls of each of at most kCallers callers, and counts the sequences that a better
// layout or a better request would make shorter (docs/service/21-layout-lab.md, section 5, rules 6,
// 9, 10, 16 and 18). The stripe's lock guards it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "measure/meter/metered_call.h"
#include "measure/meter/pattern_table.h"

namespace hashrange {

enum class SequenceKind : std::uint8_t {
  kGetsInABurst,
  kGetsOfOneCollection,
  kReadAfterWrite,
  kReadBeforeCreate,
  kTogether,
};
// Returns the kind as SequenceMeasure::kind names it.
std::string_view SequenceKindName(SequenceKind kind);

struct SequenceId {
  SequenceKind kind = SequenceKind::kTogether;
  PatternTable::Number first = 0;
  PatternTable::Number second = 0;

  friend bool operator==(const SequenceId&, const SequenceId&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const SequenceId& id) {
    return H::combine(std::move(h), static_cast<int>(id.kind), id.first, id.second);
  }
};

struct SequenceCounts {
  std::uint64_t count = 0;
  std::uint64_t calls = 0;
  std::uint64_t largest = 0;

  void Add(const SequenceCounts& other) {
    count += other.count;
    calls += other.calls;
    largest = std::max(largest, other.largest);
  }
};

class SequenceWatch {
 public:
  static constexpr std::size_t kCallers = 256;
  static constexpr std::size_t kLatest = 8;
  static constexpr std::size_t kMaxSequences = 2048;
  static constexpr std::size_t kMaxUnprocessed = 64;
  // Calls that are further apart are no sequence.
  static constexpr std::int64_t kTogetherMs = 1000;
  // A burst is three calls or more, each of which begins soon after the one before.
  static constexpr std::uint64_t kBurst = 3;
  // A caller that has not sent an unprocessed member again by then has abandoned it.
  static constexpr std::int64_t kAbandonedMs = 60'000;

  void Watch(const MeteredCall& call, PatternTable::Number pattern);
  // Replaces the numbers of patterns.
  void Renumber(const std::vector<PatternTable::Number>& moved);

  const std::vector<std::pair<SequenceId, SequenceCounts>>& counts() const { return counts_; }
  // Returns how many unprocessed members of each pattern were not sent again, as of now or, when
  // the traffic has ended, ever.
  std::vector<std::pair<PatternTable::Number, std::uint64_t>> Abandoned(std::int64_t now_epoch_ms,
                                                                        bool has_ended) const;

 private:
  struct Latest {
    std::int64_t epoch_ms = 0;
    PatternTable::Number pattern = 0;
    std::uint64_t item = 0;       // a hash of the one item that was read or written; 0: several
    std::uint64_t partition = 0;  // the hash of the partition key that was read
    bool is_read = false;
    bool is_get = false;
    bool found_nothing = false;
  };
  struct Unprocessed {
    std::int64_t epoch_ms = 0;
    PatternTable::Number pattern = 0;
    std::uint64_t item = 0;
  };
  struct Caller {
    std::uint64_t connection = 0;
    std::array<Latest, kLatest> latest = {};
    std::size_t next = 0;
    std::uint64_t burst = 0;  // how many gets of one pattern came one after another
    bool is_one_collection = false;
    std::vector<Unprocessed> unprocessed;

    // When the caller last wrote, and when it last read something that was not there.
    std::int64_t write_epoch_ms = 0;
    std::int64_t miss_epoch_ms = 0;

    const Latest& last() const { return latest[(next + kLatest - 1) % kLatest]; }
  };

  Caller& CallerOfCall(const Call& call);
  // Returns the counts of the sequence; null when there are too many others.
  SequenceCounts* Find(const SequenceId& id);
  void Count(const SequenceId& id, const SequenceCounts& added);
  void WatchBurst(Caller& caller, const Latest& now);
  void WatchPairs(Caller& caller, const Latest& now, const MeteredCall& call);
  void WatchUnprocessed(Caller& caller, const MeteredCall& call, PatternTable::Number pattern);
  void Abandon(const Unprocessed& member);

  std::vector<Caller, ReservedAllocator<Caller, MemoryPart::kMeasurements>> callers_;
  std::vector<std::pair<SequenceId, SequenceCounts>> counts_;
  MeterMap<SequenceId, std::size_t> numbers_;  // the places in counts_
  std::size_t latest_ = 0;                     // the place of the latest sequence
  MeterMap<PatternTable::Number, std::uint64_t> abandoned_;
};

}  // namespace hashrange
