#include "measure/meter/sequence_watch.h"

#include <algorithm>
#include <utility>

#include "engine/table.h"

namespace hashrange {
namespace {

std::uint64_t ItemOf(const MeteredAccess& access) {
  return HashOfPosition(access.access.key) ^ access.table->table->id();
}

constexpr SequenceCounts kPair = {.count = 1, .calls = 2, .largest = 2};

// Returns whether the write made a new entry in the index at the partition key that an empty Query
// asked for.
bool EntersIndexAt(const MeteredAccess& access, std::uint64_t partition) {
  return std::ranges::any_of(access.index_moves, [&](const IndexMove& move) {
    return move.after && !move.before && move.after->hash == partition;
  });
}

bool IsCreate(const MeteredAccess& access) {
  return access.access.kind == Access::Kind::kWrite && !access.is_failed &&
         access.bytes_before == 0 && access.bytes_after > 0;
}

}  // namespace

std::string_view SequenceKindName(SequenceKind kind) {
  constexpr std::array<std::string_view, 5> kNames = {
      "gets in a burst", "gets of one collection in a burst", "read after write",
      "read before create", "together"};
  return kNames[static_cast<std::size_t>(kind)];
}

SequenceWatch::Caller& SequenceWatch::CallerOfCall(const Call& call) {
  if (callers_.empty()) callers_.resize(kCallers);
  Caller& caller = callers_[call.connection % kCallers];
  if (caller.connection == call.connection) return caller;
  for (const Unprocessed& member : caller.unprocessed) Abandon(member);
  caller = {};
  caller.connection = call.connection;
  return caller;
}

SequenceCounts* SequenceWatch::Find(const SequenceId& id) {
  if (latest_ < counts_.size() && counts_[latest_].first == id) return &counts_[latest_].second;
  const auto found = numbers_.find(id);
  if (found == numbers_.end() && counts_.size() >= kMaxSequences) return nullptr;
  latest_ = found == numbers_.end() ? counts_.size() : found->second;
  if (found == numbers_.end()) {
    MakeRoom(numbers_);
    numbers_.emplace(id, latest_);
    counts_.emplace_back(id, SequenceCounts{});
  }
  return &counts_[latest_].second;
}

void SequenceWatch::Count(const SequenceId& id, const SequenceCounts& added) {
  if (SequenceCounts* const counts = Find(id)) counts->Add(added);
}

void SequenceWatch::Watch(const MeteredCall& call, PatternTable::Number pattern) {
  if (call.accesses.empty()) return;
  Caller& caller = CallerOfCall(*call.call);
  if (call.accesses.size() > 1 || !caller.unprocessed.empty())
    WatchUnprocessed(caller, call, pattern);
  const MeteredAccess& first = *call.accesses[0];
  if (call.error || first.is_replay) return;
  const bool is_single = call.accesses.size() == 1;
  Latest now{.epoch_ms = call.epoch_ms, .pattern = pattern};
  now.is_read = !first.is_write();
  now.is_get = first.access.kind == Access::Kind::kRead && is_single;
  if (is_single && !first.access.clauses.empty()) now.partition = first.access.key.hash;
  if (is_single && (now.is_get || !now.is_read)) {
    now.item = ItemOf(first);
    now.partition = first.access.key.hash;
  }
  now.found_nothing = now.is_read && first.items_examined == 0;
  WatchBurst(caller, now);
  WatchPairs(caller, now, call);
  caller.latest[caller.next] = now;
  caller.next = (caller.next + 1) % kLatest;
  if (!now.is_read) caller.write_epoch_ms = now.epoch_ms;
  if (now.found_nothing) caller.miss_epoch_ms = now.epoch_ms;
}

void SequenceWatch::WatchBurst(Caller& caller, const Latest& now) {
  const Latest& last = caller.last();
  const bool goes_on = now.is_get && last.is_get && last.pattern == now.pattern &&
                       now.item != last.item && now.epoch_ms - last.epoch_ms < kTogetherMs;
  if (!goes_on) {
    caller.burst = 1;
    caller.is_one_collection = true;
    return;
  }
  ++caller.burst;
  caller.is_one_collection = caller.is_one_collection && now.partition == last.partition;
  if (caller.burst < kBurst) return;
  const auto kind =
      caller.is_one_collection ? SequenceKind::kGetsOfOneCollection : SequenceKind::kGetsInABurst;
  const bool is_new = caller.burst == kBurst;
  Count({kind, now.pattern, now.pattern},
        {.count = is_new ? 1u : 0u, .calls = is_new ? kBurst : 1, .largest = caller.burst});
}

void SequenceWatch::WatchPairs(Caller& caller, const Latest& now, const MeteredCall& call) {
  const Latest& last = caller.last();
  const bool is_soon = last.epoch_ms > 0 && now.epoch_ms - last.epoch_ms < kTogetherMs;
  if (is_soon && now.is_read && last.is_read && now.pattern != last.pattern) {
    Count({SequenceKind::kTogether, last.pattern, now.pattern}, kPair);
  }
  // What could be the first of a pair; most calls have none.
  const std::int64_t first_epoch_ms =
      now.is_get ? caller.write_epoch_ms : (now.is_read ? 0 : caller.miss_epoch_ms);
  if (first_epoch_ms == 0 || now.epoch_ms - first_epoch_ms >= kTogetherMs) return;
  for (const Latest& earlier : caller.latest) {
    if (earlier.epoch_ms == 0 || now.epoch_ms - earlier.epoch_ms >= kTogetherMs) continue;
    if (now.is_get && !earlier.is_read && earlier.item != 0 && earlier.item == now.item) {
      Count({SequenceKind::kReadAfterWrite, earlier.pattern, now.pattern}, kPair);
      break;
    }
    if (now.is_read || !earlier.found_nothing) continue;
    const bool is_created = std::ranges::any_of(call.accesses, [&](const MeteredAccess* access) {
      if (!IsCreate(*access)) return false;
      return earlier.is_get ? ItemOf(*access) == earlier.item
                            : EntersIndexAt(*access, earlier.partition);
    });
    if (!is_created) continue;
    Count({SequenceKind::kReadBeforeCreate, earlier.pattern, now.pattern}, kPair);
    break;
  }
}

void SequenceWatch::WatchUnprocessed(Caller& caller, const MeteredCall& call,
                                     PatternTable::Number pattern) {
  for (const MeteredAccess* access : call.accesses) {
    const std::uint64_t item = ItemOf(*access);
    std::erase_if(caller.unprocessed,
                  [&](const Unprocessed& member) { return member.item == item; });
    if (!access->is_refused || call.error) continue;
    if (caller.unprocessed.size() >= kMaxUnprocessed) {
      Abandon(caller.unprocessed.front());
      caller.unprocessed.erase(caller.unprocessed.begin());
    }
    caller.unprocessed.push_back({call.epoch_ms, pattern, item});
  }
}

void SequenceWatch::Abandon(const Unprocessed& member) {
  MakeRoom(abandoned_);
  ++abandoned_[member.pattern];
}

std::vector<std::pair<PatternTable::Number, std::uint64_t>> SequenceWatch::Abandoned(
    std::int64_t now_epoch_ms, bool has_ended) const {
  auto abandoned = abandoned_;
  for (const Caller& caller : callers_) {
    for (const Unprocessed& member : caller.unprocessed) {
      if (has_ended || now_epoch_ms - member.epoch_ms > kAbandonedMs) ++abandoned[member.pattern];
    }
  }
  return {abandoned.begin(), abandoned.end()};
}

void SequenceWatch::Renumber(const std::vector<PatternTable::Number>& moved) {
  std::vector<std::pair<SequenceId, SequenceCounts>> before;
  before.swap(counts_);
  numbers_.clear();
  for (const auto& [id, counts] : before) {
    Find({id.kind, moved[id.first], moved[id.second]})->Add(counts);
  }
  MeterMap<PatternTable::Number, std::uint64_t> abandoned;
  for (const auto& [pattern, count] : abandoned_) {
    MakeRoom(abandoned);
    abandoned[moved[pattern]] += count;
  }
  abandoned_ = std::move(abandoned);
  for (Caller& caller : callers_) {
    for (Latest& latest : caller.latest) latest.pattern = moved[latest.pattern];
    for (Unprocessed& member : caller.unprocessed) member.pattern = moved[member.pattern];
  }
}

}  // namespace hashrange
