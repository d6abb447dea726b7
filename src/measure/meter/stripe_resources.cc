// The part of a Stripe that counts by resource and by entity.
#include <algorithm>
#include <cmath>

#include "measure/meter/stripe.h"
#include "measure/meter/type_attribute.h"

namespace hashrange {
namespace {

double UnitsOfIndex(const MeteredAccess& access, std::size_t index) {
  return index < access.index_units.size() ? access.index_units[index] : 0;
}

std::size_t OrdinalOf(const Access& access) {
  return static_cast<std::size_t>(access.index - access.table->indexes.data());
}

}  // namespace

std::uint64_t HashOfEntity(std::uint32_t resource, std::span<const KeyTree::NodeId> nodes,
                           std::string_view type) {
  std::uint64_t hash = MixHashes(resource, type.empty() ? 0 : HashOfToken(type));
  for (const KeyTree::NodeId node : nodes) hash = MixHashes(hash, node);
  return hash;
}

std::vector<std::string> NamesOfNoPlaceholder(const TableVersion& table,
                                              const std::string& type_attribute) {
  std::vector<std::string> names(kUsualTypeAttributes.begin(), kUsualTypeAttributes.end());
  if (!type_attribute.empty()) names.push_back(type_attribute);
  const auto add = [&](const KeySchema& key) {
    for (std::size_t part = 0; part < key.parts(); ++part) names.push_back(key.part(part).name);
  };
  add(table.key);
  for (const IndexVersion& index : table.indexes) add(index.schema.key);
  return names;
}

void Stripe::CountResources(const MeteredAccess& access, const MemberIdentity& member) {
  const std::uint32_t table = ResourceOf(*access.table, nullptr);
  if (table == kNoResource) {
    ++counters_.other_resources;
    return;
  }
  ResourceCounters& resource = counters_.resources[table];
  const bool is_write = access.is_write();
  if (access.is_refused) {
    if (!access.throttle.empty()) resource.CountThrottle(access.access.key);
    return;
  }
  if (access.is_unreported) {
    (is_write ? resource.failed_write_units : resource.failed_read_units) += access.units;
    return;
  }
  if (is_write) {
    CountWrite(access, table, member.nodes);
    return;
  }
  resource.read_units += access.table_units();
  if (!access.access.index) return CountRead(access, table, access.units);
  // A local index has the partition keys of its table, of which it may have fetched whole items.
  if (access.table_units() > 0) CountRead(access, table, access.table_units());
  const double units = UnitsOfIndex(access, OrdinalOf(access.access));
  const std::uint32_t index = ResourceOf(*access.table, access.access.index);
  if (index == kNoResource) return;
  counters_.resources[index].read_units += units;
  CountRead(access, index, units);
}

void Stripe::CountRead(const MeteredAccess& access, std::uint32_t resource, double units) {
  ResourceCounters& counters = counters_.resources[resource];
  const Position& key = access.access.key;
  const bool is_nowhere = key.bytes.empty();  // a SELECT that contradicts itself, or a Scan
  if (access.access.kind == Access::Kind::kScan) {
    const std::uint64_t end = access.resume ? access.resume_hash : access.access.last_hash;
    counters.CountRange(key.hash, end, units);
  } else if (!is_nowhere) {
    const bool is_item = access.access.kind != Access::Kind::kQuery;
    counters.CountKey(MeterDirection::kRead, key, is_item, units);
  }
}

void Stripe::CountWrite(const MeteredAccess& access, std::uint32_t table,
                        std::span<const KeyTree::NodeId> nodes) {
  ResourceCounters& counters = counters_.resources[table];
  const double units = access.table_units();
  counters.write_units += units;
  counters.CountKey(MeterDirection::kWrite, access.access.key, true, units);
  if (access.access.kind == Access::Kind::kConditionCheck || access.is_failed) return;
  counters.WatchOrder(access.access.key);
  CountEntity(access, table, nodes);
  for (const IndexMove& move : access.index_moves) {
    const std::uint32_t number = ResourceOf(*access.table, &access.table->indexes[move.index]);
    if (number == kNoResource || move.units == 0) continue;
    ResourceCounters& index = counters_.resources[number];
    index.write_units += move.units;
    const bool is_both = move.before && move.after && move.before != move.after;
    // A write that moves an entry costs both places (docs/service/08-capacity.md, section 2).
    const double of_after =
        is_both ? std::max(1.0, std::ceil(static_cast<double>(move.bytes_after) / 1024))
                : move.units;
    if (move.after) {
      index.CountKey(MeterDirection::kWrite, *move.after, true, of_after);
      index.WatchOrder(*move.after);
    }
    if (is_both) {
      index.CountKey(MeterDirection::kWrite, *move.before, true, move.units - of_after);
    } else if (!move.after) {
      index.CountKey(MeterDirection::kWrite, *move.before, true, move.units);
    }
  }
}

// A write has one node for each part of its key.
void Stripe::CountEntity(const MeteredAccess& access, std::uint32_t table,
                         std::span<const KeyTree::NodeId> nodes) {
  if (access.bytes_before == 0 && access.bytes_after == 0) return;
  const ResourceCounters& resource = counters_.resources[table];
  nodes_.clear();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes_.push_back(resource.tree(i).Find(nodes[i]));
  }
  const std::uint64_t hash = HashOfEntity(table, nodes_, access.type_value());
  auto found = counters_.entities.find(hash);
  if (found == counters_.entities.end()) {
    if (counters_.entities.size() >= StripeCounters::kMaxEntities || !shared_.has_room()) return;
    found = counters_.entities.emplace(hash, EntityCounters{}).first;
    found->second.resource = table;
    found->second.nodes = nodes_;
    found->second.type = access.type_value();
  }
  EntityCounters& entity = found->second;
  ++(access.bytes_before == 0  ? entity.inserted
     : access.bytes_after == 0 ? entity.removed
                               : entity.changed);
  if (access.item && entity.watched < StripeCounters::kWatchedItems) {
    ++entity.watched;
    WatchNames(access, table);
  }
  entity.units.At(table).write_units += access.table_units();
  for (const IndexMove& move : access.index_moves) {
    const std::uint32_t index = ResourceOf(*access.table, &access.table->indexes[move.index]);
    if (index != kNoResource) entity.units.At(index).write_units += move.units;
  }
}

void Stripe::WatchNames(const MeteredAccess& access, std::uint32_t table) {
  const TableVersion& version = *access.table;
  const std::vector<std::string> excluded =
      NamesOfNoPlaceholder(version, shared_.settings.type_attribute);
  const ItemView item(version.key, access.item.get());
  const auto watch = [&](std::uint32_t number, const KeySchema& key) {
    ResourceCounters& resource = counters_.resources[number];
    const std::uint64_t merges = resource.merges();
    for (std::size_t part = 0; part < key.parts(); ++part) {
      const auto value = item.Find(key.part(part).name);
      if (!value || value->type != AttributeType::kS) continue;
      const KeyTree::NodeId leaf = resource.Insert(part, *value);
      counters_.names.Watch(item, {number, part, resource.tree(part)}, value->bytes(), leaf,
                            excluded);
    }
    merges_ += resource.merges() - merges;
  };
  watch(table, version.key);
  for (const IndexMove& move : access.index_moves) {
    const std::uint32_t number = ResourceOf(version, &version.indexes[move.index]);
    if (move.after && number != kNoResource) watch(number, version.indexes[move.index].schema.key);
  }
}

}  // namespace hashrange
