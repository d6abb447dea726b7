#include "measure/meter/measurement_maker.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include "measure/meter/attribute_watch.h"
#include "measure/meter/declared_table.h"
#include "measure/meter/item_walk.h"
#include "measure/meter/merged_keys.h"
#include "measure/meter/pattern_maker.h"
#include "measure/meter/resource_maker.h"

namespace hashrange {
namespace {

Scope ScopeOfAccounts(const MeasurementScope& scope) {
  Scope of_accounts;
  if (!scope.account.empty()) of_accounts.account_id = scope.account;
  if (!scope.region.empty()) of_accounts.region = scope.region;
  return of_accounts;
}

void AddSizesAtBegin(const std::vector<TableSizes>& sizes, TableMeasure* table) {
  for (const TableSizes& each : sizes) {
    if (each.account != table->account || each.region != table->region ||
        each.table != table->name) {
      continue;
    }
    if (each.index.empty()) {
      table->items_at_begin = each.items;
      table->size_bytes_at_begin = each.size_bytes;
      continue;
    }
    const auto index = std::ranges::find(table->indexes, each.index, &IndexMeasure::name);
    if (index == table->indexes.end()) continue;
    index->items_at_begin = each.items;
    index->size_bytes_at_begin = each.size_bytes;
  }
}

std::uint64_t ScaledUp(std::uint64_t count, double share) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(count) / share));
}

// Collects the entities that were walked and those that were written.
class EntityMaker {
 public:
  explicit EntityMaker(const MergedKeys& keys) : keys_(keys) {}

  void Add(const WalkedEntity& walked);
  void AddStripe(std::size_t stripe, const StripeCounters& counters);
  std::vector<EntityMeasure> Finish();

 private:
  EntityMeasure& At(std::size_t resource, const std::vector<KeyTree::NodeId>& nodes,
                    const std::string& type);

  const MergedKeys& keys_;
  using Name = std::tuple<std::string, std::string, std::string, std::string>;
  std::map<Name, EntityMeasure> made_;
};

std::string TemplateAt(const MergedKeys::Resource& resource,
                       const std::vector<KeyTree::NodeId>& nodes, std::size_t part) {
  return part < nodes.size() ? resource.trees[part].TemplateOf(nodes[part]) : std::string();
}

EntityMeasure& EntityMaker::At(std::size_t resource, const std::vector<KeyTree::NodeId>& nodes,
                               const std::string& type) {
  const MergedKeys::Resource& table = keys_.At(resource);
  const std::string partition_key = TemplateAt(table, nodes, 0);
  const std::string sort_key = TemplateAt(table, nodes, 1);
  EntityMeasure& made = made_[{table.name.table, partition_key, sort_key, type}];
  made.table = table.name.table;
  made.type = type;
  made.partition_key = partition_key;
  made.sort_key = sort_key;
  return made;
}

// Joins the templates of the parts of a key with several HASH or RANGE parts.
std::string JoinTemplates(const MergedKeys::Resource& resource,
                          const std::vector<KeyTree::NodeId>& nodes, std::size_t first,
                          std::size_t end) {
  std::string text;
  for (std::size_t part = first; part < end; ++part) {
    text.append(part == first ? "" : ", ").append(TemplateAt(resource, nodes, part));
  }
  return text;
}

// Sets the templates of the keys that the entity's items have in an index. The first item's stay.
void SetIndexKeys(const MergedKeys::Resource& resource, const WalkedEntity::InIndex& in_index,
                  EntityIndex* index) {
  const std::size_t hash_parts = resource.name.key.hash.size(), parts = resource.name.key.parts();
  if (index->items == 0) {
    index->partition_key = JoinTemplates(resource, in_index.nodes, 0, hash_parts);
    index->sort_key = JoinTemplates(resource, in_index.nodes, hash_parts, parts);
  }
  for (const std::vector<KeyTree::NodeId>& nodes : in_index.keys) {
    index->has_other_partition_keys |=
        JoinTemplates(resource, nodes, 0, hash_parts) != index->partition_key;
    index->has_other_sort_keys |=
        JoinTemplates(resource, nodes, hash_parts, parts) != index->sort_key;
  }
}

void EntityMaker::Add(const WalkedEntity& walked) {
  EntityMeasure& entity = At(walked.resource, walked.nodes, walked.type);
  entity.items += ScaledUp(walked.items, walked.share);
  entity.size_bytes.Add(walked.size_bytes);
  for (const auto& [number, in_index] : walked.indexes) {
    const std::string& name = keys_.At(in_index.resource).name.index;
    auto at = std::ranges::find(entity.indexes, name, &EntityIndex::index);
    if (at == entity.indexes.end()) {
      at = entity.indexes.insert(at, EntityIndex{});
      at->index = name;
    }
    SetIndexKeys(keys_.At(in_index.resource), in_index, &*at);
    at->items += ScaledUp(in_index.items, walked.share);
    at->size_bytes += in_index.size_bytes / walked.share;
  }
  for (const auto& [name, attribute] : walked.attributes) {
    const auto at = std::ranges::find(entity.attributes, name, &AttributeMeasure::name);
    if (at == entity.attributes.end()) {
      entity.attributes.push_back(attribute);
    } else {
      AddAttribute(attribute, &*at);
    }
  }
}

void EntityMaker::AddStripe(std::size_t stripe, const StripeCounters& counters) {
  for (const auto& [key, written] : counters.entities) {
    std::vector<KeyTree::NodeId> nodes;
    for (std::size_t part = 0; part < written.nodes.size(); ++part) {
      nodes.push_back(keys_.NodeOf(stripe, written.resource, part, written.nodes[part]));
    }
    EntityMeasure& entity = At(keys_.NumberOf(stripe, written.resource), nodes, written.type);
    entity.inserted += written.inserted;
    entity.changed += written.changed;
    entity.removed += written.removed;
    for (const UnitsOfResource& units : written.units.all()) {
      const ResourceName& name = keys_.At(keys_.NumberOf(stripe, units.resource)).name;
      auto at = std::ranges::find_if(entity.units, [&](const ResourceUnits& each) {
        return each.table == name.table && each.index == name.index;
      });
      if (at == entity.units.end()) {
        at = entity.units.insert(at, ResourceUnits{name.table, name.index, 0, 0});
      }
      at->write_units += units.write_units;
    }
  }
}

std::vector<EntityMeasure> EntityMaker::Finish() {
  std::vector<EntityMeasure> entities;
  for (auto& [name, entity] : made_) {
    std::ranges::stable_sort(entity.attributes, std::greater<>(), &AttributeMeasure::size_bytes);
    entities.push_back(std::move(entity));
  }
  std::ranges::stable_sort(entities, std::greater<>(), &EntityMeasure::items);
  return entities;
}

// Adds what the stripes counted of no pattern.
void AddOtherCounts(const std::vector<StripeCounters>& stripes, Measurement* measurement) {
  for (const StripeCounters& stripe : stripes) {
    AddCounts(measurement->other_errors, stripe.other_errors);
    measurement->limits.other_resources += stripe.other_resources;
  }
}

// Returns how often the records of the table's streams were read.
std::uint64_t StreamReadsOf(const std::vector<StripeCounters>& stripes, const TableVersion& table) {
  const std::string name = table.region + ":" + table.account_id + ":table/" + table.name;
  std::uint64_t count = 0;
  for (const StripeCounters& stripe : stripes) {
    for (const NamedCount& reads : stripe.stream_reads) {
      if (reads.name == name) count += reads.count;
    }
  }
  return count;
}

// Gives a table, and its indexes, the names that the measurement has for them.
void TakeNames(const MergedKeys& keys, const ItemWalk::Walked& walked, TableMeasure* table) {
  table->name = keys.At(walked.table).name.table;
  for (std::size_t i = 0; i < walked.indexes.size(); ++i) {
    table->indexes[i].name = keys.At(walked.indexes[i]).name.index;
  }
}

// Adds the tables and indexes that were used and then deleted.
void AddDeleted(const MergedKeys& keys, Measurement* measurement) {
  std::vector<TableMeasure>& tables = measurement->tables;
  for (std::size_t number = 0; number < keys.size(); ++number) {
    const ResourceName& name = keys.At(number).name;
    auto table = std::ranges::find(tables, name.table, &TableMeasure::name);
    if (table == tables.end()) {
      table = tables.insert(tables.end(), name.declared);
      table->name = name.table;
      table->indexes.clear();
      table->is_deleted = true;
    }
    const bool is_known =
        name.index.empty() ||
        std::ranges::find(table->indexes, name.index, &IndexMeasure::name) != table->indexes.end();
    if (is_known) continue;
    const auto declared =
        std::ranges::find(name.declared.indexes, name.declared_index, &IndexMeasure::name);
    if (declared == name.declared.indexes.end()) continue;
    IndexMeasure& index = table->indexes.emplace_back(*declared);
    index.name = name.index;
    index.is_deleted = true;
  }
}

// Attributes that look like a time to live, apart from the one that is.
void AddSimilarAttributes(const std::vector<EntityMeasure>& entities, TableMeasure* table) {
  constexpr std::size_t kMost = 5;
  std::vector<std::string>& similar = table->expiry.similar_attributes;
  for (const EntityMeasure& entity : entities) {
    if (entity.table != table->name) continue;
    for (const AttributeMeasure& attribute : entity.attributes) {
      const bool is_other = attribute.name != table->expiry.attribute;
      const bool is_known = std::ranges::find(similar, attribute.name) != similar.end();
      if (is_other && !is_known && similar.size() < kMost && SoundsLikeExpiry(attribute.name)) {
        similar.push_back(attribute.name);
      }
    }
  }
}

}  // namespace

std::vector<TableSizes> SizesOfTables(Engine& engine, const MeasurementScope& scope) {
  std::vector<TableSizes> sizes;
  for (const TableRef& table : engine.catalog().TablesOf(ScopeOfAccounts(scope))) {
    if (!scope.HasTable(table->name)) continue;
    const auto add = [&](const IndexVersion* index) {
      const TableStatistics statistics = engine.StatisticsOf(*table, index);
      sizes.push_back({table->account_id, table->region, table->name,
                       index ? index->schema.name : std::string(), statistics.item_count,
                       statistics.size_bytes});
    };
    add(nullptr);
    for (const IndexVersion& index : table->indexes) add(&index);
  }
  return sizes;
}

Measurement MakeMeasurement(Engine& engine, const MeasuredTraffic& traffic) {
  Measurement measurement;
  measurement.name = traffic.name;
  measurement.account = traffic.scope.account;
  measurement.region = traffic.scope.region;
  measurement.only_tables = traffic.scope.tables;
  measurement.began_epoch_ms = traffic.began_epoch_ms;
  measurement.ended_epoch_ms = traffic.ended_epoch_ms;
  measurement.is_running = traffic.is_running;
  measurement.settings = traffic.shared.settings;
  measurement.limits.open_pages = traffic.shared.pages.forgotten();
  MergedKeys keys(traffic.shared.settings.separators, traffic.stripes);
  ItemWalk walk(engine, traffic.shared.settings, keys, traffic.ended_epoch_ms);
  std::vector<TablePin> pins = engine.catalog().Pin(ScopeOfAccounts(traffic.scope));
  for (const TablePin& pin : pins) {
    if (!traffic.scope.HasTable(pin.version->name)) continue;
    TableMeasure& table = measurement.tables.emplace_back(DescribeTable(*pin.version));
    AddSizesAtBegin(traffic.sizes_at_begin, &table);
    table.stream_reads = StreamReadsOf(traffic.stripes, *pin.version);
    walk.Walk(pin, &table);
  }
  keys.NameTables();
  for (std::size_t i = 0; i < measurement.tables.size(); ++i) {
    TakeNames(keys, walk.walked()[i], &measurement.tables[i]);
  }
  AddDeleted(keys, &measurement);
  walk.Finish(traffic.stripes);
  EntityMaker entities(keys);
  for (const WalkedEntity& walked : walk.entities()) entities.Add(walked);
  for (std::size_t i = 0; i < traffic.stripes.size(); ++i) {
    entities.AddStripe(i, traffic.stripes[i]);
  }
  measurement.entities = entities.Finish();
  for (TableMeasure& table : measurement.tables) {
    AddSimilarAttributes(measurement.entities, &table);
  }
  AddOtherCounts(traffic.stripes, &measurement);
  AddPatterns(keys, traffic.stripes, !traffic.is_running, &measurement);
  AddResources(traffic.shared, walk, &keys, &measurement);
  measurement.time = traffic.shared.time.Buckets();
  return measurement;
}

}  // namespace hashrange
