#include "lab/import/capacity_model.h"

#include <algorithm>

#include "base/lower_case.h"
#include "lab/import/import_fields.h"
#include "lab/import/imported_entities.h"
#include "lab/import/imported_names.h"
#include "lab/import/imported_template.h"

namespace hashrange {
namespace {

using Verb = ImportedPattern::Verb;

constexpr double kUsualItemBytes = 1024;

class CapacityModelReader {
 public:
  Result<ImportedModel> Read(const JsonValue& json) {
    model_.source = "a dynamodb_data_model.json with rates";
    model_.has_counts = true;
    ImportFields fields(json, "", model_.remarks);
    const auto tables = fields.List("tables");
    for (std::size_t at = 0; at < tables.size(); ++at) {
      ReadTable(tables[at], fields.PlaceOf("tables", at));
    }
    const auto patterns = fields.List("access_patterns");
    for (std::size_t at = 0; at < patterns.size(); ++at) {
      ReadPattern(patterns[at], fields.PlaceOf("access_patterns", at));
    }
    fields.Finish();
    return std::move(model_);
  }

 private:
  void ReadTable(const JsonValue& json, const std::string& place);
  void ReadIndex(const JsonValue& json, const std::string& place, bool is_on_demand,
                 ImportedTable& table);
  void ReadUnits(ImportFields& fields, bool is_on_demand, std::int64_t& read_units,
                 std::int64_t& write_units);
  void ReadEntity(const JsonValue& json, const std::string& place);
  void ReadPattern(const JsonValue& json, const std::string& place);
  void ReadEntitiesOf(ImportFields& fields, ImportedPattern& pattern);

  ImportedModel model_;
};

// Returns the name of a key, which is a text or an object with a name.
std::string KeyName(ImportFields& fields, std::string_view member) {
  const JsonValue* const key = fields.Member(member);
  if (key == nullptr) return "";
  if (key->type == JsonValue::Type::kString) return std::string(key->string());
  for (const std::string_view name : {"name", "attribute_name"}) {
    const JsonValue* const found = key->Find(name);
    if (found != nullptr && found->type == JsonValue::Type::kString) {
      return std::string(found->string());
    }
  }
  fields.Remark(member, "has no name and was left out");
  return "";
}

// Reads the provisioned capacity of a table or an index.
void CapacityModelReader::ReadUnits(ImportFields& fields, bool is_on_demand,
                                    std::int64_t& read_units, std::int64_t& write_units) {
  const JsonValue* const capacity = fields.Member("provisioned_capacity");
  if (capacity == nullptr || capacity->type == JsonValue::Type::kNull) return;
  ImportFields units(*capacity, fields.PlaceOf("provisioned_capacity"), model_.remarks);
  const double read = units.Number("read_capacity_units");
  const double write = units.Number("write_capacity_units");
  units.Finish();
  if (is_on_demand) {
    return fields.Remark("provisioned_capacity",
                         "was left out: billing_mode of the table is PAY_PER_REQUEST");
  }
  read_units = static_cast<std::int64_t>(read);
  write_units = static_cast<std::int64_t>(write);
}

void CapacityModelReader::ReadTable(const JsonValue& json, const std::string& place) {
  ImportFields fields(json, place, model_.remarks);
  ImportedTable table;
  table.name = ServiceNameOf(fields.Text("table_name"), fields.PlaceOf("table_name"), model_);
  table.is_infrequent_access =
      LowerCase(fields.Text("table_class")).find("infrequent") != std::string::npos;
  if (const JsonValue* const keys = fields.Member("key_schema")) {
    ImportFields of_keys(*keys, fields.PlaceOf("key_schema"), model_.remarks);
    table.hash = KeyName(of_keys, "partition_key");
    table.range = KeyName(of_keys, "sort_key");
    of_keys.Finish();
  }
  const bool is_on_demand = LowerCase(fields.Text("billing_mode")) == "pay_per_request";
  ReadUnits(fields, is_on_demand, table.read_units, table.write_units);
  const auto indexes = fields.List("gsis");
  for (std::size_t at = 0; at < indexes.size(); ++at) {
    ReadIndex(indexes[at], fields.PlaceOf("gsis", at), is_on_demand, table);
  }
  fields.Ignore({"attribute_definitions", "description"});
  const auto entities = fields.List("entities");
  fields.Finish();
  if (!AddImportedTable(std::move(table), place, model_)) return;
  for (std::size_t at = 0; at < entities.size(); ++at) {
    ReadEntity(entities[at], fields.PlaceOf("entities", at));
  }
}

void CapacityModelReader::ReadIndex(const JsonValue& json, const std::string& place,
                                    bool is_on_demand, ImportedTable& table) {
  ImportFields fields(json, place, model_.remarks);
  ImportedIndex index;
  index.name = ServiceNameOf(fields.Text("index_name"), fields.PlaceOf("index_name"), model_);
  if (const std::string key = KeyName(fields, "partition_key"); !key.empty()) index.hash = {key};
  if (const std::string key = KeyName(fields, "sort_key"); !key.empty()) index.range = {key};
  if (const JsonValue* const projection = fields.Member("projection")) {
    ImportFields of_index(*projection, fields.PlaceOf("projection"), model_.remarks);
    const std::string type = of_index.Text("type");
    SetImportedProjection(type, of_index.Texts("attributes"), index);
    of_index.Finish();
  }
  ReadUnits(fields, is_on_demand, index.read_units, index.write_units);
  fields.Finish();
  if (!index.hash.empty()) table.indexes.push_back(std::move(index));
}

void CapacityModelReader::ReadEntity(const JsonValue& json, const std::string& place) {
  ImportFields fields(json, place, model_.remarks);
  const ImportedTable& table = model_.tables.back();
  ImportedEntity entity;
  entity.place = place;
  entity.table = table.name;
  entity.name = NewEntityName(fields.Text("entity_name"), place, model_);
  entity.items = fields.Number("estimated_item_count");
  const double bytes = fields.Number("estimated_item_size_bytes");
  const std::vector<std::string> names = fields.Texts("attributes");
  fields.Finish();
  // PK and its like are attributes of keys, and their values are not known.
  const auto has = [&](const std::string& name) {
    const std::string lower = LowerCase(name);
    return !lower.ends_with("pk") && !lower.ends_with("sk") &&
           std::ranges::find(names, name) != names.end();
  };
  // Attributes with the names of keys are the keys. Keys with other names have no template.
  const std::string id = PlainName(LowerCase(entity.name)) + "_id";
  const auto add_key = [&](const std::string& name, const std::string& index, bool is_needed) {
    if (name.empty() || (!is_needed && !has(name))) return;
    const bool is_new =
        std::ranges::find(entity.keys, name, &ImportedKey::attribute) == entity.keys.end();
    if (!is_new) return;
    if (has(name))
      return entity.keys.push_back({name, BareImportedTemplate(PlainName(name)), index});
    entity.keys.push_back({name, {{LowerCase(entity.name) + "#", id, ""}}, index});
    entity.notes.push_back("the source has no template for " + name + ": fill it in");
  };
  add_key(table.hash, "", true);
  add_key(table.range, "", true);
  for (const ImportedIndex& index : table.indexes) {
    for (const std::string& name : index.hash) add_key(name, index.name, false);
    for (const std::string& name : index.range) add_key(name, index.name, false);
  }
  const double size = bytes > 0 ? bytes : kUsualItemBytes;
  for (const std::string& name : names) {
    if (!has(name)) continue;
    ImportedAttribute attribute;
    attribute.name = PlainName(name);
    attribute.mean_bytes =
        std::max(1.0, size / static_cast<double>(names.size()) - static_cast<double>(name.size()));
    entity.attributes.push_back(std::move(attribute));
  }
  if (names.empty()) {
    ImportedAttribute rest;
    rest.name = "payload";
    rest.mean_bytes = size;
    rest.note = "the source gives only the item's size";
    entity.attributes.push_back(std::move(rest));
  }
  AddImportedEntity(std::move(entity), model_);
}

Verb VerbOfOperation(std::string_view operation, std::string_view write_action) {
  const std::string lower = LowerCase(operation) + " " + LowerCase(write_action);
  if (lower.find("get") != lower.npos) return Verb::kGet;
  if (lower.find("query") != lower.npos || lower.find("scan") != lower.npos) return Verb::kQuery;
  if (lower.find("update") != lower.npos) return Verb::kUpdate;
  if (lower.find("delete") != lower.npos) return Verb::kDelete;
  if (lower.find("put") != lower.npos || lower.find("write") != lower.npos) return Verb::kCreate;
  return Verb::kNone;
}

void CapacityModelReader::ReadEntitiesOf(ImportFields& fields, ImportedPattern& pattern) {
  const std::string table = fields.Text("table");
  for (const JsonValue& element : fields.List("entities_written")) {
    std::vector<std::string> none;
    ImportFields written(element, "", none);
    const std::string name = PlainName(written.Text("entity"));
    if (pattern.entities.empty()) {
      pattern.entities.push_back(name);
    } else {
      pattern.notes.push_back("the call also writes " + name + "; fill in `with` or `also`");
    }
  }
  const std::string entity = fields.Text("entity");
  if (pattern.entities.empty() && !entity.empty()) pattern.entities.push_back(PlainName(entity));
  if (!pattern.entities.empty()) return;
  std::vector<std::string> found;
  for (const ImportedEntity& stored : model_.entities) {
    if (stored.table == table) found.push_back(stored.name);
  }
  if (found.empty()) return;
  pattern.entities = {found.front()};
  if (found.size() > 1) {
    pattern.notes.push_back("the source does not say which entity of " + table +
                            " is meant; fill it in");
  }
}

void CapacityModelReader::ReadPattern(const JsonValue& json, const std::string& place) {
  ImportFields fields(json, place, model_.remarks);
  ImportedPattern pattern;
  pattern.place = place;
  pattern.name = fields.Text("description");
  const JsonValue* const id = fields.Member("pattern_id");
  if (pattern.name.empty() && id != nullptr && id->type == JsonValue::Type::kString) {
    pattern.name = id->string();
  }
  const std::string operation = fields.Text("operation");
  pattern.verb = VerbOfOperation(operation, fields.Text("write_action"));
  if (pattern.verb == Verb::kNone)
    pattern.notes.push_back("the operation \"" + operation + "\" is not known");
  ReadEntitiesOf(fields, pattern);
  const double average = fields.Number("avg_rps");
  const double peak = fields.Number("peak_rps");
  pattern.calls_per_second = average > 0 ? average : peak;
  if (average > 0 && peak > average) {
    pattern.notes.push_back("at the peak " + std::to_string(static_cast<std::int64_t>(peak)) +
                            " calls a second: a phase of `traffic`");
  }
  const std::string consistency = fields.Text("consistency");
  pattern.is_consistent = consistency == "strong";
  const std::string lower = LowerCase(operation);
  const bool is_transaction = lower.starts_with("transact");
  pattern.is_transaction = is_transaction || consistency == "transactional";
  const double items = fields.Number("items_per_request");
  if (pattern.verb == Verb::kQuery) pattern.limit = static_cast<std::int64_t>(items);
  if (lower.starts_with("batch") || is_transaction)
    pattern.batch = static_cast<std::int64_t>(items);
  if (const JsonValue* const set = fields.Member("attributes_written")) {
    if (set->type == JsonValue::Type::kArray) {
      for (const std::string& name : fields.Texts("attributes_written"))
        pattern.set.push_back(PlainName(name));
    }
  }
  if (const ImportedEntity* const entity =
          pattern.entities.empty() ? nullptr
                                   : FindImportedEntity(model_, pattern.entities.front())) {
    const JsonValue* const index = fields.Member("index");
    const bool has_index = index != nullptr && index->type == JsonValue::Type::kString;
    const ImportedKeyPair keys = KeyPairOf(model_, *entity, has_index ? index->string() : "");
    pattern.by = pattern.verb == Verb::kQuery ? AttributesIn(keys.partition) : PlaceholdersOf(keys);
  }
  const JsonValue* const filter = fields.Member("filter");
  if (filter != nullptr && filter->type == JsonValue::Type::kString) {
    pattern.notes.push_back("a filter that is not turned over: " + std::string(filter->string()));
  }
  fields.Ignore({"estimated_item_size_bytes", "projection", "index"});
  fields.Finish();
  model_.patterns.push_back(std::move(pattern));
}

}  // namespace

Result<ImportedModel> ReadCapacityModel(const JsonValue& json) {
  return CapacityModelReader().Read(json);
}

}  // namespace hashrange
