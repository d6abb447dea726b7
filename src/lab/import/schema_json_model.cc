// The schema.json of AWS Labs: tables with entities, the templates of their keys, and their access
// patterns.
#include "lab/import/import_steps.h"

#include <algorithm>
#include <utility>

#include "lab/import/imported_object.h"

namespace hashrange {
namespace {

using Verb = ImportedPattern::Verb;
using Range = ImportedPattern::Range;

// A pattern that asks for all items of an item collection.
struct CollectionPattern {
  std::size_t pattern = 0;
  std::string index = {};
};

class SchemaJsonReader {
 public:
  Result<ImportedModel> Read(const JsonValue& json) {
    model_.source = "the schema.json of AWS Labs";
    ImportedObject fields(json, "", model_.remarks);
    fields.Each("tables", [&](ImportedObject& of) { ReadTable(of); });
    for (const CollectionPattern& of : of_collections_) AddEntitiesOfCollection(of);
    NameCrossTablePatterns(fields);
    fields.NameUnknown();
    return std::move(model_);
  }

 private:
  void ReadTable(ImportedObject& fields);
  ImportedIndex ReadIndex(ImportedObject& fields);
  void ReadEntity(const JsonMember& member, const std::string& place);
  void ReadMapping(ImportedObject& fields, ImportedEntity& entity);
  void ReadField(ImportedObject& fields, ImportedEntity& entity);
  void ReadPattern(ImportedObject& fields, const std::string& entity);
  void ReadParameters(ImportedObject& fields, ImportedPattern& pattern);
  void SortParameters(const std::string& index, const std::string& range, ImportedPattern& pattern);
  void AddEntitiesOfCollection(const CollectionPattern& of);
  void NameCrossTablePatterns(ImportedObject& fields);

  std::vector<CollectionPattern> of_collections_;
  ImportedModel model_;
};

void SchemaJsonReader::ReadTable(ImportedObject& fields) {
  ImportedTable table;
  fields.With("table_config", [&](ImportedObject& config) {
    table.name = ServiceNameOf(config.Text("table_name"), config.PlaceOf("table_name"), model_);
    table.hash = config.Text("partition_key");
    table.range = config.Text("sort_key");
  });
  fields.Each("gsi_list", [&](ImportedObject& of) { table.indexes.push_back(ReadIndex(of)); });
  const auto entities = fields.Members("entities");
  fields.NameUnknown();
  if (!AddImportedTable(std::move(table), fields.place(), model_)) return;
  for (const JsonMember& entity : entities) {
    ReadEntity(entity, fields.place() + ".entities." + std::string(entity.name));
  }
}

ImportedIndex SchemaJsonReader::ReadIndex(ImportedObject& fields) {
  ImportedIndex index;
  index.name = ServiceNameOf(fields.Text("name"), fields.PlaceOf("name"), model_);
  index.hash = fields.OneOrSeveralTexts("partition_key");
  index.range = fields.OneOrSeveralTexts("sort_key");
  const std::string projection = fields.Text("projection");
  SetImportedProjection(projection, fields.Texts("included_attributes"), index);
  fields.NameUnknown();
  return index;
}

void SchemaJsonReader::ReadEntity(const JsonMember& member, const std::string& place) {
  ImportedObject fields(member.value, place, model_.remarks);
  ImportedEntity entity;
  entity.place = place;
  entity.name = NewEntityName(member.name, place, model_);
  const ImportedTable& table = model_.tables.back();
  entity.table = table.name;
  fields.Ignore({"entity_type"});
  AddImportedKey(table.hash, "", fields.Text("pk_template"), fields.PlaceOf("pk_template"), entity,
                 model_);
  if (!table.range.empty()) {
    AddImportedKey(table.range, "", fields.Text("sk_template"), fields.PlaceOf("sk_template"),
                   entity, model_);
  }
  fields.Each("gsi_mappings", [&](ImportedObject& of) { ReadMapping(of, entity); });
  fields.Each("fields", [&](ImportedObject& of) { ReadField(of, entity); });
  const auto patterns = fields.List("access_patterns");
  fields.NameUnknown();
  const std::string name = entity.name;
  if (!AddImportedEntity(std::move(entity), model_)) return;
  for (std::size_t at = 0; at < patterns.size(); ++at) {
    ImportedObject pattern(patterns[at], fields.PlaceOf("access_patterns", at), model_.remarks);
    ReadPattern(pattern, name);
  }
}

void SchemaJsonReader::ReadMapping(ImportedObject& fields, ImportedEntity& entity) {
  const std::string name = fields.Text("name");
  const auto add = [&](const std::vector<std::string>& keys, std::string_view member) {
    const std::vector<std::string> texts = fields.OneOrSeveralTexts(member);
    for (std::size_t at = 0; at < std::min(keys.size(), texts.size()); ++at) {
      AddImportedKey(keys[at], name, texts[at], fields.PlaceOf(member), entity, model_);
    }
  };
  const std::vector<ImportedIndex>& indexes = model_.tables.back().indexes;
  const auto index = std::ranges::find(indexes, name, &ImportedIndex::name);
  if (index == indexes.end()) {
    model_.remarks.push_back(fields.place() + ": the table has no index \"" + name + "\"");
    fields.Ignore({"pk_template", "sk_template"});
  } else {
    add(index->hash, "pk_template");
    add(index->range, "sk_template");
  }
  fields.NameUnknown();
}

void SchemaJsonReader::ReadField(ImportedObject& fields, ImportedEntity& entity) {
  ImportedAttribute attribute;
  attribute.name = PlainName(fields.Text("name"));
  const std::string type = fields.Text("type");
  attribute.type = ImportedTypeNamed(type);
  if (type == "decimal") attribute.generator = "{number: [1, 1000], decimals: 2}";
  const std::string items = fields.Text("item_type");
  if (attribute.type == ImportedType::kOther) {
    attribute.note = type + (items.empty() ? "" : " of " + items) +
                     " in the source: a text of 100 bytes stands for it";
  }
  const JsonValue* const required = fields.Member("required");
  if (required != nullptr && required->type == JsonValue::Type::kFalse) {
    SetNotRequired(entity, attribute);
  }
  fields.Ignore({"description"});
  fields.NameUnknown();
  entity.attributes.push_back(std::move(attribute));
}

struct OperationRow {
  std::string_view name;
  Verb verb;
  std::int64_t batch = 0;
  bool is_transaction = false;
};
constexpr OperationRow kOperations[] = {
    {"GetItem", Verb::kGet},
    {"BatchGetItem", Verb::kGet, 10},
    {"TransactGetItems", Verb::kGet, 2, true},
    {"Query", Verb::kQuery},
    {"Scan", Verb::kQuery},
    {"PutItem", Verb::kCreate},
    {"BatchWriteItem", Verb::kCreate, 10},
    {"UpdateItem", Verb::kUpdate},
    {"DeleteItem", Verb::kDelete},
};

Range RangeNamed(std::string_view name) {
  if (name == "begins_with") return Range::kPrefix;
  if (name == ">" || name == ">=") return Range::kFrom;
  if (name == "<" || name == "<=") return Range::kTo;
  return name == "between" || name == "BETWEEN" ? Range::kBetween : Range::kNone;
}

void SchemaJsonReader::ReadParameters(ImportedObject& fields, ImportedPattern& pattern) {
  fields.Each("parameters", [&](ImportedObject& parameter) {
    const std::string type = parameter.Text("type");
    const std::string name = PlainName(parameter.Text("name"));
    const std::string entity = parameter.Text("entity_type");
    parameter.Ignore({"default", "description", "required"});
    parameter.NameUnknown();
    if (type != "entity") {
      pattern.by.push_back(name);
    } else if (!entity.empty() && entity != pattern.entities.front()) {
      pattern.notes.push_back("the caller also has the " + entity);
    }
  });
}

// Finds out which of the parameters are of the key, and what the others are.
void SchemaJsonReader::SortParameters(const std::string& index, const std::string& range,
                                      ImportedPattern& pattern) {
  const ImportedEntity& entity = *FindImportedEntity(model_, pattern.entities.front());
  const ImportedKeyPair keys = KeyPairOf(model_, entity, index);
  const std::vector<std::string> of_key = PlaceholdersOf(keys);
  const std::vector<std::string> given = std::exchange(pattern.by, {});
  const bool is_update = pattern.verb == Verb::kUpdate;
  for (const std::string& name : given) {
    if (IsIn(name, of_key)) {
      pattern.by.push_back(name);
    } else if (is_update && FindImportedAttribute(entity, name) != nullptr) {
      pattern.set.push_back(name);
    } else if (pattern.verb == Verb::kCreate) {
      pattern.notes.push_back("the caller gives " + name);
    } else if (range.empty() && !is_update && FindImportedAttribute(entity, name) != nullptr) {
      pattern.by.push_back(name);
    } else {
      pattern.notes.push_back("the parameter " + name +
                              (is_update ? " is a part of the change" : " is a bound or a filter"));
    }
  }
  pattern.range = RangeNamed(range);
  if (pattern.range == Range::kNone) return;
  // The range is about the first placeholder of the sort key that the caller does not give.
  for (const std::string& name : AttributesIn(keys.sort)) {
    const bool is_given = IsIn(name, pattern.by);
    if (is_given && name != pattern.by.back()) continue;
    // A bound may have the name of the attribute.
    std::erase(pattern.by, name);
    pattern.range_attribute = name;
    return;
  }
}

void SchemaJsonReader::ReadPattern(ImportedObject& fields, const std::string& entity) {
  ImportedPattern pattern;
  pattern.place = fields.place();
  pattern.entities = {entity};
  pattern.name = fields.Text("name");
  if (pattern.name.empty()) pattern.name = "pattern of " + entity;
  if (const std::string text = fields.Text("description"); !text.empty()) {
    pattern.notes.push_back(text);
  }
  const std::string operation = fields.Text("operation");
  const auto row = std::ranges::find(kOperations, operation, &OperationRow::name);
  if (row != std::end(kOperations)) {
    pattern.verb = row->verb;
    pattern.batch = row->batch;
    pattern.is_transaction = row->is_transaction;
    if (row->batch > 1) pattern.notes.push_back("fill in `batch`, how many one call is about");
  } else {
    pattern.notes.push_back("the operation \"" + operation + "\" is not known");
  }
  const bool is_of_collection =
      fields.Text("return_type") == "mixed_data" && pattern.verb == Verb::kQuery;
  for (const std::string& name : fields.OneOrSeveralTexts("projection")) {
    pattern.returns.push_back(PlainName(name));
  }
  pattern.is_consistent = fields.Flag("consistent_read");
  ReadParameters(fields, pattern);
  const std::string index = fields.Text("index_name");
  SortParameters(index, fields.Text("range_condition"), pattern);
  if (operation == "Scan") pattern.by.clear();
  if (const JsonValue* const filter = fields.Member("filter_expression")) {
    pattern.notes.push_back("a filter of the source, which is not turned over: " +
                            (filter->type == JsonValue::Type::kString
                                 ? std::string(filter->string())
                                 : "filter_expression of " + fields.place()));
  }
  fields.Ignore({"pattern_id"});
  fields.NameUnknown();
  if (is_of_collection) of_collections_.push_back({model_.patterns.size(), index});
  model_.patterns.push_back(std::move(pattern));
}

void SchemaJsonReader::AddEntitiesOfCollection(const CollectionPattern& of) {
  ImportedPattern& pattern = model_.patterns[of.pattern];
  const ImportedEntity& first = *FindImportedEntity(model_, pattern.entities.front());
  const ImportedTemplate collection = KeyPairOf(model_, first, of.index).partition;
  for (const ImportedEntity& other : model_.entities) {
    const bool is_other = other.name != first.name && other.table == first.table;
    if (!is_other || collection.empty()) continue;
    if (HaveSameShape(KeyPairOf(model_, other, of.index).partition, collection)) {
      pattern.entities.push_back(other.name);
    }
  }
}

void SchemaJsonReader::NameCrossTablePatterns(ImportedObject& fields) {
  fields.Each("cross_table_access_patterns", [&](ImportedObject& of_pattern) {
    ImportedPattern pattern;
    pattern.name = of_pattern.Text("name");
    pattern.notes.push_back(of_pattern.Text("operation") +
                            " over several entities: " + of_pattern.Text("description"));
    for (const JsonValue& entity : of_pattern.List("entities_involved")) {
      std::vector<std::string> none;
      ImportedObject of_entity(entity, "", none);
      pattern.notes.push_back(of_entity.Text("action") + " " + of_entity.Text("entity") + " " +
                              of_entity.Text("condition"));
    }
    pattern.notes.push_back("write it as one pattern with `with` and `also`");
    of_pattern.Ignore({"pattern_id", "parameters", "return_type"});
    of_pattern.NameUnknown();
    model_.patterns.push_back(std::move(pattern));
  });
}

}  // namespace

Result<ImportedModel> ReadSchemaJsonModel(const JsonValue& json) {
  return SchemaJsonReader().Read(json);
}

}  // namespace hashrange
