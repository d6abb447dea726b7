// A measurement as a model: its tables, and its items by the templates of their keys. The access
// patterns are read in measured_patterns.cc.
#include <algorithm>
#include <cmath>

#include "lab/import/alike_entities.h"
#include "lab/import/import_readers.h"
#include "lab/import/imported_names.h"
#include "lab/import/imported_template.h"
#include "lab/import/measured_names.h"
#include "lab/import/measured_patterns.h"
#include "lab/import/yaml_text.h"

namespace hashrange {
namespace {

// Below this share of an entity's items, an index is said to be sparse.
constexpr double kWholeShare = 0.99;

ImportedIndex IndexOf(const IndexMeasure& measured) {
  ImportedIndex index;
  index.name = measured.name;
  index.hash = measured.hash;
  index.range = measured.range;
  index.is_local = measured.is_local;
  SetImportedProjection(measured.projection, measured.non_key_attributes, index);
  index.read_units = measured.provisioned_read_units;
  index.write_units = measured.provisioned_write_units;
  return index;
}

std::string FirstOf(const std::vector<std::string>& names) {
  return names.empty() ? "" : names.front();
}

void AddTable(const TableMeasure& measured, ImportedModel& model) {
  ImportedTable table;
  table.name = ServiceNameOf(measured.name, "tables", model);
  table.hash = FirstOf(measured.hash);
  table.range = FirstOf(measured.range);
  for (const IndexMeasure& index : measured.indexes) {
    if (!index.is_deleted) table.indexes.push_back(IndexOf(index));
  }
  table.is_infrequent_access = measured.table_class == "STANDARD_INFREQUENT_ACCESS";
  if (!measured.on_demand) {
    table.read_units = measured.provisioned_read_units;
    table.write_units = measured.provisioned_write_units;
  }
  table.type_attribute = measured.type_attribute;
  table.ttl_attribute = PlainName(measured.expiry.attribute);
  if (measured.expiry.attribute.empty()) table.ttl_attribute.clear();
  table.has_stream = measured.has_stream;
  model.tables.push_back(std::move(table));
}

ImportedAttribute AttributeOf(const AttributeMeasure& measured, std::uint64_t items) {
  ImportedAttribute attribute;
  attribute.name = PlainName(measured.name);
  const auto count = static_cast<double>(std::max<std::uint64_t>(measured.count, 1));
  attribute.mean_bytes = std::max(0.0, measured.size_bytes - measured.name_bytes) / count;
  attribute.type = ImportedTypeNamed(measured.types);
  if (attribute.type == ImportedType::kOther) {
    attribute.note = "of the type " + measured.types + ": a text of its size stands for it";
  }
  if (measured.time_forms == "ISO") attribute.time_form = "iso";
  const bool is_number = measured.time_forms == "seconds" || measured.time_forms == "milliseconds";
  if (is_number && attribute.type == ImportedType::kNumber)
    attribute.time_form = measured.time_forms;
  if (items > 0 && measured.count < items) {
    attribute.present = std::max(count / static_cast<double>(items), 0.0001);
  }
  return attribute;
}

// Returns the greatest number of items in one item collection of the table or the index.
double LargestCollection(const Measurement& measurement, std::string_view table,
                         std::string_view index) {
  for (const ResourceMeasure& resource : measurement.resources) {
    if (resource.table == table && resource.index == index) return resource.collections.items.max();
  }
  return 0;
}

class MeasuredModel {
 public:
  explicit MeasuredModel(const Measurement& measurement) : measurement_(measurement) {}

  Result<ImportedModel> Read() {
    const auto measured_ms =
        static_cast<double>(measurement_.ended_epoch_ms - measurement_.began_epoch_ms);
    model_.source = "a measurement of " + YamlNumber(measured_ms / 1000) +
                    " s; its rates are the calls of that time";
    model_.has_counts = true;
    for (const TableMeasure& table : measurement_.tables) {
      if (table.is_deleted) {
        model_.remarks.push_back("the table " + table.name + " was deleted and was left out");
        continue;
      }
      AddTable(table, model_);
      tables_.push_back(table.name);
    }
    for (const EntityMeasure& entity : measurement_.entities) AddEntity(entity);
    AddMeasuredPatterns(measurement_, entities_, model_);
    return std::move(model_);
  }

 private:
  void AddEntity(const EntityMeasure& measured);
  void AddKey(const std::vector<std::string>& attributes, std::string_view index,
              const std::string& text, const EntityMeasure& measured, ImportedEntity& entity);
  double MostChildren(const EntityMeasure& measured, const ImportedEntity& entity) const;

  const Measurement& measurement_;
  std::vector<std::string> tables_;  // the measurement's names of model_.tables
  std::vector<MeasuredEntity> entities_;
  ImportedModel model_;
};

void MeasuredModel::AddKey(const std::vector<std::string>& attributes, std::string_view index,
                           const std::string& text, const EntityMeasure& measured,
                           ImportedEntity& entity) {
  if (attributes.empty()) return;
  if (attributes.size() > 1) {
    model_.remarks.push_back("the keys of several attributes of " + std::string(index) +
                             " were left out for " + entity.name);
    return;
  }
  auto parsed = MeasuredTemplate(measurement_, measured, index, attributes.front(), text);
  if (parsed) {
    for (const std::string& name : AttributesIn(*parsed)) {
      const bool is_stored = std::ranges::find(entity.attributes, name, &ImportedAttribute::name) !=
                             entity.attributes.end();
      const bool is_described =
          std::ranges::find(entity.only_in_keys, name, &ImportedAttribute::name) !=
          entity.only_in_keys.end();
      if (is_stored || is_described) continue;
      entity.only_in_keys.push_back(
          AttributeOfPlaceholder(measurement_, measured, index, attributes.front(), text, name));
    }
    entity.keys.push_back({attributes.front(), std::move(*parsed), std::string(index)});
  } else {
    model_.remarks.push_back("the template \"" + text + "\" of " + attributes.front() +
                             " was left out: its braces have no partner");
  }
}

double MeasuredModel::MostChildren(const EntityMeasure& measured,
                                   const ImportedEntity& entity) const {
  const auto has_placeholder = [](const std::string& text) { return text.find('{') != text.npos; };
  if (has_placeholder(measured.sort_key) && has_placeholder(measured.partition_key)) {
    const double most = LargestCollection(measurement_, measured.table, "");
    const bool has_head =
        std::ranges::any_of(measurement_.entities, [&](const EntityMeasure& other) {
          return other.table == measured.table && other.partition_key == measured.partition_key &&
                 !has_placeholder(other.sort_key);
        });
    return std::max(0.0, most - (has_head ? 1 : 0));
  }
  double most = 0;
  for (const EntityIndex& index : measured.indexes) {
    if (!has_placeholder(index.partition_key) || entity.keys.empty()) continue;
    most = std::max(most, LargestCollection(measurement_, measured.table, index.index));
  }
  return most;
}

void MeasuredModel::AddEntity(const EntityMeasure& measured) {
  const auto at = std::ranges::find(tables_, measured.table);
  if (at == tables_.end()) return;
  const ImportedTable& table = model_.tables[static_cast<std::size_t>(at - tables_.begin())];
  ImportedEntity entity;
  entity.place = "entities";
  const std::string name = measured.type.empty() ? MeasuredEntityName(measured) : measured.type;
  entity.name = NewEntityName(name, "entities", model_);
  entity.table = table.name;
  entity.type = measured.type;
  entity.items = static_cast<double>(measured.items);
  for (const AttributeMeasure& attribute : measured.attributes) {
    ImportedAttribute made = AttributeOf(attribute, measured.items);
    DescribeInKeys(measurement_, measured, attribute.name, made);
    if (made.name == table.ttl_attribute) made.generator = "{time: {ahead: 30d}, form: seconds}";
    entity.attributes.push_back(std::move(made));
  }
  AddKey({table.hash}, "", measured.partition_key, measured, entity);
  if (!table.range.empty()) AddKey({table.range}, "", measured.sort_key, measured, entity);
  for (const EntityIndex& of : measured.indexes) {
    const auto index = std::ranges::find(table.indexes, of.index, &ImportedIndex::name);
    if (index == table.indexes.end()) continue;
    if (!index->is_local) AddKey(index->hash, of.index, of.partition_key, measured, entity);
    AddKey(index->range, of.index, of.sort_key, measured, entity);
    const double share = static_cast<double>(of.items) / std::max(entity.items, 1.0);
    if (share < kWholeShare) {
      entity.notes.push_back("only " + std::to_string(static_cast<int>(share * 100)) +
                             " % of the items are in " + of.index +
                             "; a `when` of its keys makes them sparse");
    }
    if (of.has_other_partition_keys || of.has_other_sort_keys) {
      entity.notes.push_back("some items have other templates of keys in " + of.index);
    }
  }
  entity.most_children = MostChildren(measured, entity);
  const std::string added = entity.name;
  if (AddImportedEntity(std::move(entity), model_)) entities_.push_back({&measured, added});
}

}  // namespace

Result<ImportedModel> ReadMeasuredModel(const Measurement& measurement) {
  Measurement merged = measurement;
  MergeAlikeEntities(merged);
  return MeasuredModel(merged).Read();
}

}  // namespace hashrange
