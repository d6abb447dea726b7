// PatternTable: the patterns that one thread has seen, and their counters. A pattern is identified
// by its operation, its name in the request, and the set of its members: the kind of each access,
// its resource, its shape (everything the request asks for but values) and the templates of its
// keys, as nodes of the resource's trees. When nodes of a tree merge, patterns that differed only
// by these nodes merge, too. The stripe's lock guards it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/memory/memory_reserve.h"
#include "measure/key_templates.h"
#include "measure/measurement.h"
#include "measure/meter/metered_call.h"
#include "measure/meter/resource_counters.h"

namespace hashrange {

// --- The counters of a pattern ---

// Units of one resource. `resource` is the resource's number in the stripe.
struct UnitsOfResource {
  std::uint32_t resource = 0;
  double read_units = 0;
  double write_units = 0;
  std::uint64_t moved = 0;  // entries of an index that got another place
};

class UnitsByResource {
 public:
  UnitsOfResource& At(std::uint32_t resource) {
    for (UnitsOfResource& each : all_) {
      if (each.resource == resource) return each;
    }
    all_.push_back({.resource = resource});
    return all_.back();
  }
  void Add(const UnitsByResource& other) {
    for (const UnitsOfResource& each : other.all_) {
      UnitsOfResource& there = At(each.resource);
      there.read_units += each.read_units;
      there.write_units += each.write_units;
      there.moved += each.moved;
    }
  }
  const std::vector<UnitsOfResource>& all() const { return all_; }

 private:
  std::vector<UnitsOfResource> all_;
};

// Counts by name. Names may come from the clients: names beyond kMaxNames count as "other".
inline constexpr std::size_t kMaxNames = 64;
inline void AddCount(std::vector<NamedCount>& counts, std::string_view name,
                     std::uint64_t count = 1) {
  auto found = std::ranges::find(counts, name, &NamedCount::name);
  if (found == counts.end() && counts.size() >= kMaxNames) {
    name = "other";
    found = std::ranges::find(counts, name, &NamedCount::name);
  }
  if (found != counts.end()) {
    found->count += count;
  } else {
    counts.push_back({std::string(name), count});
  }
}
inline void AddCounts(std::vector<NamedCount>& counts, const std::vector<NamedCount>& others) {
  for (const NamedCount& other : others) AddCount(counts, other.name, other.count);
}

// The sizes of one request, or of several pages together.
struct RequestSizes {
  double read_units = 0;
  double write_units = 0;
  double items_examined = 0;
  double items_returned = 0;
  double bytes_examined = 0;
  double bytes_returned = 0;
  bool reads = false;  // only these sizes are counted
  bool writes = false;

  void Add(const RequestSizes& other);
};
void AddRequestSizes(const RequestSizes& sizes, CallSizes* counted);

// What one thread counted for one pattern.
struct PatternCounters {
  PatternMeasure counts;  // without the members that are made of the counters below
  UnitsByResource units;
  CallSizes pages;  // of each request that succeeded
  // The sizes of calls are the sizes of the pages, without the pages that belong to a call of
  // several pages (`parts`), and with the sums of these pages (`wholes`).
  CallSizes parts;
  CallSizes wholes;
  Distribution whole_pages;  // how many pages the wholes had
  Distribution part_pages;   // and the parts
  Distribution microseconds;

  void Add(const PatternCounters& other);
};

// --- The table ---

template <typename Key, typename Value>
using CountedHashMap =
    absl::flat_hash_map<Key, Value, typename absl::flat_hash_map<Key, Value>::hasher,
                        typename absl::flat_hash_map<Key, Value>::key_equal,
                        ReservedAllocator<std::pair<const Key, Value>, MemoryPart::kMeasurements>>;

// A hash table of counters: its memory counts, and MakeRoom is called before an insertion. A copy
// draws its memory first, so that what is copied before it leaves it enough.
template <typename Key, typename Value>
struct MeterMap : CountedHashMap<Key, Value> {
  MeterMap() = default;
  MeterMap(const MeterMap& other) : CountedHashMap<Key, Value>(DrawForCopy(other)) {}
  MeterMap(MeterMap&&) noexcept = default;
  MeterMap& operator=(const MeterMap& other) { return *this = MeterMap(other); }
  MeterMap& operator=(MeterMap&&) noexcept = default;
};

// Everything that an access asks for, but its key values. `member` has no key templates.
struct AccessShape {
  ResourceId resource;
  std::size_t node_count = 0;  // of each identity with this shape
  PatternMember member;
  // For each term of the member's key: the number of the key part whose tree has its values.
  std::vector<std::size_t> parts;
};

struct MemberIdentity {
  static constexpr std::uint32_t kNoResource = UINT32_MAX;

  std::uint32_t resource = kNoResource;  // in the stripe; kNoResource: the access is of no pattern
  std::uint64_t shape = 0;               // a hash of the AccessShape
  // The node of each term's value; for BETWEEN followed by the node of its upper bound.
  std::vector<KeyTree::NodeId> nodes;

  bool is_counted() const { return resource != kNoResource; }
  std::uint64_t Hash() const;

  friend bool operator==(const MemberIdentity&, const MemberIdentity&) = default;
  // Not by <=>, which libc++ 16 does not have for vectors.
  friend bool operator<(const MemberIdentity& a, const MemberIdentity& b) {
    return std::tie(a.resource, a.shape, a.nodes) < std::tie(b.resource, b.shape, b.nodes);
  }
};

// Returns a hash of two: of what was hashed so far, and of what follows.
inline std::uint64_t MixHashes(std::uint64_t hash, std::uint64_t value) {
  constexpr std::uint64_t kMultiplier = 0x9e3779b97f4a7c15;
  hash = (hash ^ value) * kMultiplier;
  return hash ^ hash >> 31;
}

struct PatternIdentity {
  std::string_view operation;  // of operations.def: it lives as long as the program
  std::string name;
  std::vector<MemberIdentity> members;  // only counted ones, ascending, without repeats
};

class PatternTable {
 public:
  using Number = std::uint32_t;
  // More than a measurement reports: patterns merge when the templates of their keys are found.
  static constexpr std::size_t kMaxPatterns = 4000;
  // What is beyond kMaxPatterns is of the pattern "other" of its name, so that the figures of a
  // name are complete. Calls without a name are of kOther, and so are names beyond these.
  static constexpr std::size_t kMaxOtherNames = 500;
  static constexpr Number kOther = 0;
  static constexpr std::string_view kOtherOperation = "other";

  struct Pattern {
    PatternIdentity identity;
    PatternCounters counters;
  };

  PatternTable();

  // Returns the pattern's number, which is valid until Merge. `name` is the one of the request. The
  // order of the members does not matter, nor do repeats. Without `may_add`, no pattern is added.
  Number NumberOf(std::string_view operation, std::string_view name,
                  std::span<const MemberIdentity> members, bool may_add = true);
  // Returns the number of the pattern "other" of the name.
  Number OtherOf(std::string_view name, bool may_add = true);
  Pattern& At(Number number) { return patterns_[number]; }
  using Patterns = std::vector<Pattern, ReservedAllocator<Pattern, MemoryPart::kMeasurements>>;
  const Patterns& all() const { return patterns_; }

  // Calls `find_nodes` for each member, which sets its nodes to those in use, and merges the
  // patterns that became equal. Returns the new number of each old number.
  template <typename FindNodes>
  std::vector<Number> Merge(FindNodes&& find_nodes);

 private:
  std::uint64_t HashOf(std::string_view operation, std::string_view name,
                       std::span<const MemberIdentity> members);
  Number Add(std::uint64_t hash, std::string_view operation, std::string_view name);

  Patterns patterns_;
  std::size_t other_names_ = 0;              // patterns "other" that have a name
  MeterMap<std::uint64_t, Number> numbers_;  // by the hash of the identity
  std::vector<std::uint64_t> hashes_;        // of the members that are looked up
};

template <typename FindNodes>
std::vector<PatternTable::Number> PatternTable::Merge(FindNodes&& find_nodes) {
  Patterns before;
  before.swap(patterns_);
  numbers_.clear();
  other_names_ = 0;
  std::vector<Number> moved(before.size(), kOther);
  patterns_.push_back(std::move(before[kOther]));
  for (Number number = 1; number < before.size(); ++number) {
    PatternIdentity& identity = before[number].identity;
    for (MemberIdentity& member : identity.members) find_nodes(&member);
    moved[number] = identity.operation == kOtherOperation
                        ? OtherOf(identity.name)
                        : NumberOf(identity.operation, identity.name, identity.members);
    patterns_[moved[number]].counters.Add(before[number].counters);
  }
  return moved;
}

}  // namespace hashrange
