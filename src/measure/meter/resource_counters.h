// ResourceCounters: what one thread counted for one table or one index: its units, its keys, its
// heat, and the templates of its keys. The stripe's lock guards it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/memory/memory_reserve.h"
#include "engine/table_version.h"
#include "measure/key_templates.h"
#include "measure/measurement.h"
#include "measure/meter/key_counters.h"
#include "value/key.h"

namespace hashrange {

// Returns the definition of a table as a measurement lists it, without what is stored.
TableMeasure DescribeTable(const TableVersion& table);

inline constexpr std::size_t kHeatRows = 32;

// One table or index: the table's id and the index's id, with 0 for the table itself.
struct ResourceId {
  std::uint64_t table = 0;
  std::uint64_t index = 0;

  friend auto operator<=>(const ResourceId&, const ResourceId&) = default;
};

// The heat of a resource in some time: units by 32 ranges of hashes.
struct HeatRows {
  std::array<float, kHeatRows> read = {};
  std::array<float, kHeatRows> write = {};

  void Add(const HeatRows& other);
};

enum class MeterDirection : std::uint8_t { kRead, kWrite };

// What a resource is, apart from its version. It says everything about a table that is needed when
// the table is deleted before the measurement is read.
struct ResourceName {
  std::string account;
  std::string region;
  std::string table;  // in a measurement, also what tells it from others (MergedKeys::NameTables)
  std::string index;  // empty: the table itself
  KeySchema key;
  TableMeasure declared;       // the table with its indexes, when the resource was first counted
  std::string declared_index;  // the name of the index in `declared`
  // Equal for tables, or resources, that the measurement adds up: they have one account, Region and
  // name, and equal keys.
  std::string table_identity;
  std::string identity;

  ResourceName(const TableVersion& table, const IndexVersion* index);
};
ResourceId ResourceIdOf(const TableVersion& table, const IndexVersion* index);

// Units by ranges of hashes. A few ranges take little memory, and so do units that are the same in
// all ranges.
class HeatRanges {
 public:
  static constexpr std::uint32_t kCount = 4096;

  void Add(std::uint32_t range, double units);
  // Adds the same units to every range.
  void AddToAll(double units) { of_all_ += units; }
  // Adds the units of each range to `sums`, which has kCount elements.
  void AddTo(std::span<double> sums) const;

 private:
  static constexpr std::size_t kFew = 64;
  template <typename T>
  using Counted = std::vector<T, ReservedAllocator<T, MemoryPart::kMeasurements>>;

  double of_all_ = 0;
  Counted<std::pair<std::uint32_t, double>> few_;  // ascending; empty when `units_` is not
  Counted<double> units_;
};

class ResourceCounters {
 public:
  ResourceCounters(const TableVersion& table, const IndexVersion* index,
                   const std::string& separators);

  const ResourceId& id() const { return id_; }
  const ResourceName& name() const { return name_; }

  // Returns the node of a key part's value in the part's tree. `value` may be a beginning.
  KeyTree::NodeId Insert(std::size_t part, ValueView value);
  // Appends the nodes of the key parts of a position to `nodes`.
  void InsertPosition(std::string_view bytes, std::vector<KeyTree::NodeId>* nodes);
  const KeyTree& tree(std::size_t part) const { return trees_[part]; }
  // Changes whenever nodes of a tree merge.
  std::uint64_t merges() const;

  // Counts units of one partition key.
  void CountKey(MeterDirection direction, const Position& position, double units);
  // Counts units of one item, and so of its partition key.
  void CountItem(MeterDirection direction, const Position& position, double units);
  // Counts units of a read of many partition keys, from `begin` to `end` in hash order.
  void CountRange(std::uint64_t begin, std::uint64_t end, double units);
  void CountThrottle(const Position& position);
  // Watches whether the sort keys that are written to a collection rise.
  void WatchOrder(const Position& position);

  double read_units = 0;
  double write_units = 0;
  double failed_read_units = 0;
  double failed_write_units = 0;
  std::uint64_t throttled = 0;
  std::uint64_t writes_in_order_known = 0;
  std::uint64_t rising_writes = 0;
  DistinctCounter partition_keys;
  DistinctCounter items;
  TopCounter read_keys, written_keys, throttled_keys, read_items, written_items;
  TopCounter window_read, window_written;  // since the present window began
  HeatRows second_heat;                    // in the present second
  bool has_second_heat = false;
  HeatRanges read_heat, write_heat;

 private:
  struct LastWrite {
    static constexpr std::size_t kMaxBytes = 47;
    std::uint64_t hash = 0;
    std::array<char, kMaxBytes> range = {};
    std::uint8_t size = 0;
  };
  static constexpr std::size_t kLastWrites = 64;

  void AddHeat(MeterDirection direction, std::uint64_t hash, double units);
  // Returns the part of a position's bytes that encodes the HASH parts, or all key parts.
  std::string_view HashBytes(std::string_view bytes) const;

  ResourceId id_;
  ResourceName name_;
  std::vector<KeyTree> trees_;  // one for each key part
  // By a part of the hash: the place of the last write in `last_writes_` + 1; 0: there was none.
  std::array<std::uint8_t, kLastWrites> last_write_places_ = {};
  std::vector<LastWrite, ReservedAllocator<LastWrite, MemoryPart::kMeasurements>> last_writes_;
};

// Returns a hash of a position: of the whole key, not only of its partition key.
std::uint64_t HashOfPosition(const Position& position);

}  // namespace hashrange
