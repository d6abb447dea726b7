#include "measure/cost/first_limit.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/stable_sort.h"
#include "measure/cost/throughput_load.h"
#include "measure/measured_tables.h"
#include "measure/number_text.h"
#include "measure/partition_load.h"
#include "measure/pattern_sums.h"
#include "measure/rules/declared_key_load.h"
#include "simulation/partitions/throttling_reason.h"

namespace hashrange {
namespace {

constexpr double kSecondsPerHour = 3600;

// Reads and writes have limits of their own.
struct Direction : PartitionDirection {
  // Of a partition, so of a key and of an item; reads: if all are strong.
  double PartitionLimits::*partition_limit;
  double PartitionLimits::*new_table_limit;  // of a table on demand that was just made
  double PartitionLimits::*quota;
  TopKeys ResourceMeasure::*items;
  double ThroughputLoad::*load_units;
  double ThroughputLoad::*provisioned;
};
constexpr Direction kDirections[] = {
    {kPartitionReads, &PartitionLimits::read_units, &PartitionLimits::new_table_read_units,
     &PartitionLimits::quota_read_units, &ResourceMeasure::read_items, &ThroughputLoad::read_units,
     &ThroughputLoad::provisioned_read_units},
    {kPartitionWrites, &PartitionLimits::write_units, &PartitionLimits::new_table_write_units,
     &PartitionLimits::quota_write_units, &ResourceMeasure::written_items,
     &ThroughputLoad::write_units, &ThroughputLoad::provisioned_write_units},
};

// A key with its units for each call of the mix, between two bounds.
struct HotKey {
  std::string key = {};
  std::string shape = {};  // its template; the key itself where none is known
  double least_units_a_call = 0;
  double most_units_a_call = 0;
  double share = 0;  // of all units that were counted by key, at most
  std::int64_t window_begin_epoch_ms = 0;
  // What a partition serves of these units in a second, between two bounds.
  double least_limit = 0;
  double greatest_limit = 0;

  double least_calls_per_second() const { return least_limit / most_units_a_call; }
};

HotKey HotKeyOf(const KeyCount& count, double calls, double total_units) {
  HotKey key{.key = count.key, .shape = count.shape.empty() ? count.key : count.shape};
  key.least_units_a_call = std::max(0.0, count.units - count.error) / calls;
  key.most_units_a_call = count.units / calls;
  key.share = total_units > 0 ? count.units / total_units : 1;
  return key;
}

// Sets what a partition serves of reads of which this share is strongly consistent. Between the
// bounds, it serves at most what it serves of the share 1/2.
void SetReadLimits(const PartitionLimits& limits, const StrongShare& strong, HotKey& key) {
  key.least_limit = std::min(PartitionReadUnitsOf(limits, strong.least),
                             PartitionReadUnitsOf(limits, strong.most));
  key.greatest_limit = PartitionReadUnitsOf(limits, std::clamp(0.5, strong.least, strong.most));
}

const ThroughputLoad* FindLoad(const std::vector<ThroughputLoad>& loads,
                               const ThroughputLoad& wanted) {
  const auto found = std::ranges::find_if(loads, [&](const ThroughputLoad& each) {
    return each.table == wanted.table && each.index == wanted.index;
  });
  return found == loads.end() ? nullptr : &*found;
}

class LimitFinder {
 public:
  LimitFinder(const Measurement& measurement, std::span<const CallRate> rates)
      : measurement_(measurement),
        rates_(RatesOfPatterns(measurement, rates)),
        declared_(DeclaredLoads(measurement, rates_)),
        times_(measurement.time) {
    for (const PatternMeasure& pattern : measurement.patterns) calls_ += SuccessfulCallsOf(pattern);
  }

  std::vector<LimitRow> Find() && {
    if (calls_ == 0) return {};
    for (const ResourceMeasure& resource : measurement_.resources) {
      if (IsLocalIndex(measurement_, resource)) continue;
      const ResourceMeasure shared = WithLocalIndexes(measurement_, resource);
      for (const Direction& direction : kDirections) AddKeys(shared, direction);
    }
    for (const ThroughputLoad& load : MeasuredSums(measurement_)) {
      for (const Direction& direction : kDirections) AddThroughput(load, direction);
    }
    for (const PartitionMap& map : measurement_.partitions) {
      for (const Direction& direction : kDirections) AddPartition(map, direction);
    }
    StableSort(rows_, {}, &LimitRow::least_calls_per_second);
    return std::move(rows_);
  }

 private:
  void AddKeys(const ResourceMeasure& resource, const Direction& direction) {
    const HotKey key = HottestKey(resource, direction);
    if (key.most_units_a_call > 0) Add(resource, "key", direction, key);
    const TopKeys& items = resource.*direction.items;
    const HotKey item = HottestOf({resource, direction, true}, items);
    // Where a partition key has one item only, the row of the key says it all.
    if (item.most_units_a_call > 0 && item.key != key.key) Add(resource, "item", direction, item);
  }

  // Whose keys, or items, are looked at.
  struct KeysOf {
    const ResourceMeasure& resource;
    const Direction& direction;
    bool is_item = false;
  };

  HotKey HottestKey(const ResourceMeasure& resource, const Direction& direction) const {
    const KeysOf keys{resource, direction};
    HotKey hottest = HottestOf(keys, resource.*direction.keys);
    for (const HotWindow& window : resource.hot_windows) {
      const bool tells = window.calls > 0 && window.key.units >= kLeastUnitsOfWindow;
      if (window.direction != direction.name || !tells) continue;
      HotKey key = HotKeyOf(window.key, static_cast<double>(window.calls), window.total_units);
      key.window_begin_epoch_ms = window.begin_epoch_ms;
      SetLimits(keys, window.key, key);
      if (IsHotter(key, hottest)) hottest = std::move(key);
    }
    return hottest;
  }

  // Returns the key that meets its limit first. Of writes it is the first of the list; of reads it
  // may be another one, if that one's reads are more of them strongly consistent.
  HotKey HottestOf(const KeysOf& keys, const TopKeys& top) const {
    HotKey hottest;
    for (const KeyCount& count : top.keys) {
      HotKey key = HotKeyOf(count, calls_, top.total_units);
      SetLimits(keys, count, key);
      if (IsHotter(key, hottest)) hottest = std::move(key);
      if (keys.direction.name == "write") break;
    }
    return hottest;
  }

  static bool IsHotter(const HotKey& key, const HotKey& other) {
    if (key.most_units_a_call <= 0 || other.most_units_a_call <= 0) {
      return key.most_units_a_call > 0;
    }
    return key.least_calls_per_second() < other.least_calls_per_second();
  }

  void SetLimits(const KeysOf& keys, const KeyCount& count, HotKey& key) const {
    const PartitionLimits& limits = PartitionLimitsOf(measurement_, keys.resource.table);
    key.least_limit = key.greatest_limit = limits.*keys.direction.partition_limit;
    if (keys.direction.name != "read") return;
    const LoadedKey loaded{key.shape, keys.is_item, keys.direction.name, key.share};
    const double least_units = std::max(0.0, count.units - count.error);
    SetReadLimits(limits, StrongShareOfKey(measurement_, keys.resource, loaded, least_units), key);
  }

  void Add(const ResourceMeasure& resource, const char* what, const Direction& direction,
           const HotKey& key) {
    LimitRow row{.table = resource.table, .index = resource.index, .what = what, .key = key.key};
    row.limit = key.least_limit;
    row.units_a_call = key.most_units_a_call;
    row.window_begin_epoch_ms = key.window_begin_epoch_ms;
    row.greatest_calls_per_second = key.least_units_a_call > 0
                                        ? key.greatest_limit / key.least_units_a_call
                                        : std::numeric_limits<double>::infinity();
    const PartitionLimits& limits = PartitionLimitsOf(measurement_, resource.table);
    row.is_eventually_consistent =
        direction.name == "read" && key.greatest_limit == PartitionReadUnitsOf(limits, 0);
    const LoadedKey loaded{key.shape, row.what == "item", direction.name, key.share};
    if (const auto declared = DeclaredKeyLoad(measurement_, rates_, resource, loaded)) {
      const double limit =
          direction.name == "read"
              ? PartitionReadUnitsOf(limits, declared->strong_read_units / declared->units)
              : row.limit;
      row.multiple_of_declared = limit / declared->units;
    }
    SetUnusualUnits(limits.*direction.partition_limit, direction, row);
    Push(std::move(row), direction);
  }

  void AddThroughput(const ThroughputLoad& load, const Direction& direction) {
    const double units_a_call = load.*direction.load_units / calls_;
    if (units_a_call == 0) return;
    const double provisioned = load.on_demand ? 0 : load.*direction.provisioned;
    LimitRow row{.table = load.table, .index = load.index};
    row.what = provisioned > 0 ? "throughput" : "quota";
    const PartitionLimits& limits = PartitionLimitsOf(measurement_, load.table);
    row.limit = provisioned > 0 ? provisioned : limits.*direction.quota;
    row.units_a_call = units_a_call;
    row.greatest_calls_per_second = row.limit / units_a_call;
    if (load.on_demand) {
      row.new_table_calls_per_second = limits.*direction.new_table_limit / units_a_call;
    }
    // A declared load is one of an hour.
    const ThroughputLoad* const declared = FindLoad(declared_, load);
    const double needed = declared ? declared->*direction.load_units / kSecondsPerHour : 0;
    if (needed > 0) row.multiple_of_declared = row.limit / needed;
    Push(std::move(row), direction);
  }

  void AddPartition(const PartitionMap& map, const Direction& direction) {
    const PartitionLoad load = HottestPartition(times_, map, calls_, direction);
    const double limit = map.*direction.partition_units;
    if (load.units_a_call <= 0 || limit <= 0) return;
    LimitRow row{.table = map.table, .index = map.index, .what = "partition"};
    row.key = "partition " + std::to_string(load.number);
    row.limit = limit;
    row.units_a_call = load.units_a_call;
    row.window_begin_epoch_ms = load.window_begin_epoch_ms;
    row.greatest_calls_per_second = limit / load.units_a_call;
    SetUnusualUnits(limit, direction, row);
    Push(std::move(row), direction);
  }

  static void SetUnusualUnits(double units, const Direction& direction, LimitRow& row) {
    if (units != PartitionLimits().*direction.partition_limit) row.unusual_partition_units = units;
  }

  void Push(LimitRow row, const Direction& direction) {
    row.direction = direction.name;
    const ThrottlingLimit limit = row.what == "throughput" ? ThrottlingLimit::kProvisioned
                                  : row.what == "quota"    ? ThrottlingLimit::kAccount
                                                           : ThrottlingLimit::kKeyRange;
    row.reason = ThrottlingReasonName({!row.index.empty(), direction.name == "write", limit});
    row.least_calls_per_second = row.limit / row.units_a_call;
    row.sentence = SentenceOf(row, direction);
    rows_.push_back(std::move(row));
  }

  std::string SentenceOf(const LimitRow& row, const Direction& direction) const {
    std::string calls = NumberText(row.least_calls_per_second);
    const std::string greatest = NumberText(row.greatest_calls_per_second);
    if (greatest != calls) calls += " to " + greatest;
    std::string sentence = "at " + calls + " calls/s of this mix: ";
    sentence += ResourceTitle(measurement_, row.table, row.index) + ", ";
    const bool is_partition = row.what == "partition";  // its key says the word
    if (!is_partition) sentence += row.key.empty() ? row.what : row.what + " ";
    sentence += row.key + ", ";
    if (row.is_eventually_consistent) sentence += "eventually consistent ";
    sentence += direction.plural;
    const std::string unusual = UnusualPartitionText(row);
    if (is_partition) {
      sentence += " (modelled" + (unusual.empty() ? unusual : "; " + unusual) + ")";
    } else if (!unusual.empty()) {
      sentence += " (" + unusual + ")";
    }
    if (row.multiple_of_declared > 0) {
      sentence += " (" + NumberText(row.multiple_of_declared) + " × the declared rates)";
    }
    return sentence;
  }

  const Measurement& measurement_;
  const PatternRates rates_;
  const std::vector<ThroughputLoad> declared_;
  const CallTimes times_;
  double calls_ = 0;  // of the measurement that succeeded
  std::vector<LimitRow> rows_;
};

}  // namespace

std::vector<LimitRow> FirstLimits(const Measurement& measurement, std::span<const CallRate> rates) {
  return LimitFinder(measurement, rates).Find();
}

namespace {

bool IsOfPartition(const LimitRow& row) { return row.what == "partition"; }

// "The partitions of shop and GSI1 are modelled, as they were at the end. "
std::string ModelledText(const Measurement& measurement, std::span<const LimitRow> rows) {
  constexpr std::size_t kMostNamed = 4;
  const std::size_t maps = measurement.partitions.size();
  if (std::ranges::none_of(rows, IsOfPartition)) return {};
  std::string text = "The partitions of ";
  if (maps > kMostNamed) {
    text += CountedText(maps, "table or index", "tables and indexes");
  } else {
    for (std::size_t at = 0; at < maps; ++at) {
      const PartitionMap& map = measurement.partitions[at];
      if (at > 0) text += at + 1 == maps ? " and " : ", ";
      text += ResourceTitle(measurement, map.table, map.index);
    }
  }
  return text + " are modelled, as they were at the end. Besides, tables ";
}

// Returns "40,000", or "4,000 read and 1,000 to 2,000 write".
std::string QuotaText(const Measurement& measurement) {
  const std::string reads =
      UnitsRangeText(RangeOfTables(measurement, &PartitionLimits::quota_read_units));
  const std::string writes =
      UnitsRangeText(RangeOfTables(measurement, &PartitionLimits::quota_write_units));
  return reads == writes ? reads : reads + " read and " + writes + " write";
}

}  // namespace

std::string UnusualPartitionText(const LimitRow& row) {
  if (row.unusual_partition_units == 0) return {};
  return "a partition serves " + NumberText(row.unusual_partition_units) + " " + row.direction +
         " units here";
}

const LimitRow* FirstReproducibleLimit(std::span<const LimitRow> rows) {
  const auto first = std::ranges::find_if_not(rows, IsOfPartition);
  return first == rows.end() ? nullptr : &*first;
}

std::string FirstLimitAssumption(const Measurement& measurement, std::span<const LimitRow> rows) {
  if (rows.empty()) return {};
  const std::string modelled = ModelledText(measurement, rows);
  std::string text = (modelled.empty() ? "Tables " : modelled) +
                     "are taken as warm, with a quota of " + QuotaText(measurement) +
                     " units a second each.";
  const LimitRow* least = nullptr;
  for (const LimitRow& row : rows) {
    const double calls = row.new_table_calls_per_second;
    if (calls > 0 && (!least || calls < least->new_table_calls_per_second)) least = &row;
  }
  if (!least || least->new_table_calls_per_second >= rows[0].least_calls_per_second) return text;
  return text + " A new table on demand takes " + NumberText(least->new_table_calls_per_second) +
         " calls/s of this mix: " + ResourceTitle(measurement, least->table, least->index) + ", " +
         least->direction + "s.";
}

}  // namespace hashrange
