#include "measure/meter/resource_counters.h"

#include <algorithm>
#include <cstring>

#include "base/memory/arena.h"
#include "engine/table.h"

namespace hashrange {
namespace {

std::vector<std::string> NamesOf(const std::vector<KeyPart>& parts) {
  std::vector<std::string> names;
  for (const KeyPart& part : parts) names.push_back(part.name);
  return names;
}

std::string_view ProjectionName(ProjectionType projection) {
  if (projection == ProjectionType::kAll) return "ALL";
  return projection == ProjectionType::kKeysOnly ? "KEYS_ONLY" : "INCLUDE";
}

IndexMeasure DescribeIndex(const IndexVersion& index) {
  IndexMeasure measure;
  measure.name = index.schema.name;
  measure.is_local = index.schema.is_local;
  measure.hash = NamesOf(index.schema.key.hash);
  measure.range = NamesOf(index.schema.key.range);
  measure.projection = ProjectionName(index.schema.projection);
  measure.non_key_attributes = index.schema.non_key_attributes;
  measure.provisioned_read_units = index.throughput.read_units;
  measure.provisioned_write_units = index.throughput.write_units;
  return measure;
}

}  // namespace

TableMeasure DescribeTable(const TableVersion& table) {
  TableMeasure measure;
  measure.account = table.account_id;
  measure.region = table.region;
  measure.name = table.name;
  measure.hash = NamesOf(table.key.hash);
  measure.range = NamesOf(table.key.range);
  measure.on_demand = table.settings.on_demand;
  measure.table_class = table.settings.table_class.value_or("STANDARD");
  measure.provisioned_read_units = table.settings.throughput.read_units;
  measure.provisioned_write_units = table.settings.throughput.write_units;
  measure.has_stream = table.settings.stream && table.settings.stream->enabled;
  for (const IndexVersion& index : table.indexes) {
    if (!index.schema.is_vector()) measure.indexes.push_back(DescribeIndex(index));
  }
  return measure;
}

namespace {

constexpr int kHeatShift = 52;
constexpr int kRowShift = 59;
// Ends an encoded part of the type S or B (value/key.h).
constexpr std::string_view kPartEnd("\0\x01", 2);

std::string KeyIdentity(const KeySchema& key) {
  std::string text = std::to_string(key.hash.size());
  for (std::size_t i = 0; i < key.parts(); ++i) {
    text += "\n" + key.part(i).name + "\n" + std::to_string(static_cast<int>(key.part(i).type));
  }
  return text;
}

}  // namespace

void HeatRows::Add(const HeatRows& other) {
  for (std::size_t i = 0; i < kHeatRows; ++i) {
    read[i] += other.read[i];
    write[i] += other.write[i];
  }
}

void HeatRanges::Add(std::uint32_t range, double units) {
  if (!units_.empty()) {
    units_[range] += units;
    return;
  }
  const auto at =
      std::ranges::lower_bound(few_, range, {}, [](const auto& each) { return each.first; });
  if (at != few_.end() && at->first == range) {
    at->second += units;
  } else if (few_.size() < kFew) {
    few_.insert(at, {range, units});
  } else {
    Counted<double> all(kCount);
    for (const auto& [number, counted] : few_) all[number] = counted;
    all[range] += units;
    units_ = std::move(all);
    few_ = Counted<std::pair<std::uint32_t, double>>();  // frees, as {} does not
  }
}

void HeatRanges::AddTo(std::span<double> sums) const {
  for (const auto& [range, units] : few_) sums[range] += units;
  for (std::size_t range = 0; range < units_.size(); ++range) sums[range] += units_[range];
  if (of_all_ == 0) return;
  for (double& sum : sums) sum += of_all_;
}

ResourceName::ResourceName(const TableVersion& version, const IndexVersion* index_version)
    : account(version.account_id),
      region(version.region),
      table(version.name),
      index(index_version ? index_version->schema.name : std::string()),
      key(index_version ? index_version->schema.key : version.key),
      declared(DescribeTable(version)),
      declared_index(index),
      table_identity(account + "\n" + region + "\n" + table + "\n" + KeyIdentity(version.key)),
      identity(table_identity + "\n" + index + "\n" + KeyIdentity(key)) {}

ResourceId ResourceIdOf(const TableVersion& table, const IndexVersion* index) {
  return {table.table->id(), index ? std::uint64_t{index->id} + 1 : 0};
}

ResourceCounters::ResourceCounters(const TableVersion& table, const IndexVersion* index,
                                   const std::string& separators)
    : id_(ResourceIdOf(table, index)), name_(table, index) {
  for (std::size_t i = 0; i < name_.key.parts(); ++i) trees_.emplace_back(separators);
}

KeyTree::NodeId ResourceCounters::Insert(std::size_t part, ValueView value) {
  KeyTree& tree = trees_[part];
  if (value.type == AttributeType::kS) return tree.Insert(value.bytes());
  return tree.InsertOther(value.type == AttributeType::kN ? KeyTokenKind::kNumber
                                                          : KeyTokenKind::kBinary);
}

void ResourceCounters::InsertPosition(std::string_view bytes, std::vector<KeyTree::NodeId>* nodes) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < name_.key.parts(); ++i) {
    const AttributeType type = name_.key.part(i).type;
    const std::size_t zero = type == AttributeType::kS ? bytes.find('\0', at) : bytes.npos;
    if (zero != bytes.npos &&
        bytes.substr(zero, kPartEnd.size()) == kPartEnd) {  // nothing is escaped
      nodes->push_back(trees_[i].Insert(bytes.substr(at, zero - at)));
      at = zero + kPartEnd.size();
    } else {
      Arena arena;
      nodes->push_back(Insert(i, DecodePart(bytes, &at, type, arena)));
    }
  }
}

std::uint64_t ResourceCounters::merges() const {
  std::uint64_t sum = 0;
  for (const KeyTree& tree : trees_) sum += tree.merges();
  return sum;
}

std::string_view ResourceCounters::HashBytes(std::string_view bytes) const {
  std::size_t at = 0;
  for (const KeyPart& part : name_.key.hash) at = EncodedPartEnd(bytes, at, part.type);
  return bytes.substr(0, at);
}

void ResourceCounters::AddHeat(MeterDirection direction, std::uint64_t hash, double units) {
  const bool is_read = direction == MeterDirection::kRead;
  (is_read ? read_heat : write_heat).Add(static_cast<std::uint32_t>(hash >> kHeatShift), units);
  auto& rows = is_read ? second_heat.read : second_heat.write;
  rows[hash >> kRowShift] += static_cast<float>(units);
  has_second_heat = true;
}

void ResourceCounters::CountKey(MeterDirection direction, const Position& position, double units) {
  const bool is_read = direction == MeterDirection::kRead;
  const std::string_view hash_bytes = HashBytes(position.bytes);
  partition_keys.Add(position.hash);
  (is_read ? read_keys : written_keys).Add(position.hash, hash_bytes, units);
  (is_read ? window_read : window_written).Add(position.hash, hash_bytes, units);
  AddHeat(direction, position.hash, units);
}

void ResourceCounters::CountItem(MeterDirection direction, const Position& position, double units) {
  CountKey(direction, position, units);
  if (name_.key.range.empty()) return;
  const std::uint64_t hash = HashOfPosition(position);
  items.Add(hash);
  (direction == MeterDirection::kRead ? read_items : written_items)
      .Add(hash, position.bytes, units);
}

void ResourceCounters::CountRange(std::uint64_t begin, std::uint64_t end, double units) {
  const std::uint64_t first = begin >> kHeatShift, last = std::max(first, end >> kHeatShift);
  const double part = units / static_cast<double>(last - first + 1);
  if (last - first + 1 == HeatRanges::kCount) {
    read_heat.AddToAll(part);
    const auto row = static_cast<float>(units / kHeatRows);
    for (float& each : second_heat.read) each += row;
    has_second_heat = true;
    return;
  }
  for (std::uint64_t range = first; range <= last; ++range) {
    AddHeat(MeterDirection::kRead, range << kHeatShift, part);
  }
}

void ResourceCounters::CountThrottle(const Position& position) {
  ++throttled;
  // A Scan may begin at no key.
  if (position.bytes.empty()) return;
  throttled_keys.Add(position.hash, HashBytes(position.bytes), 1);
}

void ResourceCounters::WatchOrder(const Position& position) {
  if (name_.key.range.empty()) return;
  std::uint8_t& place = last_write_places_[(position.hash >> 8) % kLastWrites];
  if (place == 0) {
    last_writes_.emplace_back();
    place = static_cast<std::uint8_t>(last_writes_.size());
  }
  const std::string_view range = position.bytes.substr(HashBytes(position.bytes).size());
  LastWrite& last = last_writes_[place - 1];
  const std::size_t size = std::min(range.size(), LastWrite::kMaxBytes);
  if (last.hash == position.hash && last.size > 0) {
    ++writes_in_order_known;
    if (range.substr(0, size) > std::string_view(last.range.data(), last.size)) ++rising_writes;
  }
  last.hash = position.hash;
  last.size = static_cast<std::uint8_t>(size);
  std::memcpy(last.range.data(), range.data(), size);
}

std::uint64_t HashOfPosition(const Position& position) {
  return position.hash ^ (HashOfToken(position.bytes) * 0x9e3779b97f4a7c15);
}

}  // namespace hashrange
