// PatternCounters: what one thread counted for one pattern. Plain data; the stripe's lock guards
// it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "measure/measurement.h"

namespace hashrange {

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

// Counts by name. Names may come from the clients: those beyond kMaxNames count as "other".
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
void AddSizes(const RequestSizes& sizes, CallSizes* counted);
void AddSizes(const CallSizes& other, CallSizes* counted);

struct PatternCounters {
  // The counters whose meaning is that of the members of PatternMeasure with the same names.
  PatternMeasure counts;
  UnitsByResource units;
  CallSizes pages;  // of each request that succeeded
  // The sizes of calls are those of the pages, without those of the pages that belong to a call of
  // several pages (`parts`), and with the sums of these pages (`wholes`).
  CallSizes parts;
  CallSizes wholes;
  Distribution whole_pages;  // how many pages the wholes had
  Distribution part_pages;   // and the parts
  Distribution microseconds;

  void Add(const PatternCounters& other);
};

}  // namespace hashrange
