// Models of NoSQL Workbench: their sample data where they have some, otherwise their facets.
#include "lab/import/import_steps.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/memory/output_buffer.h"
#include "base/text/short_text.h"
#include "lab/import/imported_object.h"
#include "lab/import/sample/sampled_items.h"
#include "lab/import/table_data.h"
#include "lab/yaml/yaml_text.h"
#include "wire/json_writer.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }

struct NamedType {
  std::string name = {};
  std::string type = {};
};

// Reads an object with AttributeName and AttributeType.
std::optional<NamedType> ReadKeyAttribute(ImportedObject& keys, std::string_view member) {
  NamedType key;
  keys.With(member, [&](ImportedObject& fields) {
    key = {fields.Text("AttributeName"), fields.Text("AttributeType")};
  });
  if (key.name.empty()) return std::nullopt;
  if (key.type.empty()) key.type = "S";
  return key;
}

struct WorkbenchTable {
  ImportedTable table = {};
  std::vector<NamedType> attributes = {};  // keys included
  const JsonValue* json = nullptr;
  std::string place = {};
};

class WorkbenchReader {
 public:
  Result<ImportedModel> Read(const JsonValue& json) {
    ImportedObject fields(json, "", model_.remarks);
    fields.Ignore({"ModelName", "ModelMetadata"});
    fields.Each("DataModel", [&](ImportedObject& of) { ReadTable(of); });
    fields.NameUnknown();
    const bool has_samples = std::ranges::any_of(
        tables_, [](const WorkbenchTable& table) { return HasSamples(*table.json); });
    if (has_samples) return ReadSamples();
    model_.source = "a model of NoSQL Workbench, by its facets";
    for (const WorkbenchTable& table : tables_) ReadFacets(table);
    AddTablesWithoutItems(model_);
    return std::move(model_);
  }

 private:
  static bool HasSamples(const JsonValue& table);
  void ReadTable(ImportedObject& fields);
  void ReadIndexes(ImportedObject& fields, WorkbenchTable& table);
  void ReadFacets(const WorkbenchTable& table);
  void ReadFacet(const JsonValue& json, const std::string& place, const WorkbenchTable& table);
  ImportedKey KeyOfAlias(const std::string& alias, const std::string& key,
                         const WorkbenchTable& table) const;
  Result<ImportedModel> ReadSamples();

  ImportedModel model_;
  std::vector<WorkbenchTable> tables_;
  std::set<std::string> placeholders_;  // in braces or angles of aliases
};

bool WorkbenchReader::HasSamples(const JsonValue& table) {
  if (!ListMember(table, "TableData").empty()) return true;
  return std::ranges::any_of(ListMember(table, "TableFacets"), [](const JsonValue& facet) {
    return !ListMember(facet, "TableData").empty();
  });
}

void WorkbenchReader::ReadTable(ImportedObject& fields) {
  WorkbenchTable table;
  table.json = &fields.json();
  table.place = fields.place();
  table.table.name = ServiceNameOf(fields.Text("TableName"), fields.PlaceOf("TableName"), model_);
  fields.With("KeyAttributes", [&](ImportedObject& keys) {
    if (const auto key = ReadKeyAttribute(keys, "PartitionKey")) {
      table.table.hash = key->name;
      table.attributes.push_back(*key);
    }
    if (const auto key = ReadKeyAttribute(keys, "SortKey")) {
      table.table.range = key->name;
      table.attributes.push_back(*key);
    }
  });
  fields.Each("NonKeyAttributes", [&](ImportedObject& attribute) {
    table.attributes.push_back({attribute.Text("AttributeName"), attribute.Text("AttributeType")});
    attribute.NameUnknown();
  });
  ReadIndexes(fields, table);
  if (const JsonValue* const units = fields.Member("ProvisionedCapacitySettings")) {
    if (const JsonValue* const throughput = units->Find("ProvisionedThroughput")) {
      std::vector<std::string> none;
      ImportedObject of(*throughput, "", none);
      table.table.read_units = static_cast<std::int64_t>(of.Number("ReadCapacityUnits"));
      table.table.write_units = static_cast<std::int64_t>(of.Number("WriteCapacityUnits"));
    }
  }
  if (fields.Text("BillingMode") == "PAY_PER_REQUEST") table.table.read_units = 0;
  fields.Ignore({"TableFacets", "TableData", "DataAccess", "SampleDataFormats"});
  fields.NameUnknown();
  if (AddImportedTable(table.table, fields.place(), model_)) tables_.push_back(std::move(table));
}

void WorkbenchReader::ReadIndexes(ImportedObject& fields, WorkbenchTable& table) {
  fields.Each("GlobalSecondaryIndexes", [&](ImportedObject& of) {
    ImportedIndex index;
    index.name = ServiceNameOf(of.Text("IndexName"), of.PlaceOf("IndexName"), model_);
    const auto add = [&](const NamedType& key, std::vector<std::string>& names) {
      names.push_back(key.name);
      const bool is_known = std::ranges::any_of(
          table.attributes, [&](const NamedType& known) { return known.name == key.name; });
      if (!is_known) table.attributes.push_back(key);
    };
    of.With("KeyAttributes", [&](ImportedObject& keys) {
      if (const auto key = ReadKeyAttribute(keys, "PartitionKey")) add(*key, index.hash);
      if (const auto key = ReadKeyAttribute(keys, "SortKey")) add(*key, index.range);
    });
    of.With("Projection", [&](ImportedObject& projection) {
      const std::string type = projection.Text("ProjectionType");
      SetImportedProjection(type, projection.Texts("NonKeyAttributes"), index);
    });
    of.Ignore({"ProvisionedCapacitySettings"});
    of.NameUnknown();
    if (!index.hash.empty()) table.table.indexes.push_back(std::move(index));
  });
}

// An alias is a template with placeholders in braces or angles; a text whose last token is in lower
// case, "USER#name", where that token may be a placeholder; or the name of an attribute.
ImportedKey WorkbenchReader::KeyOfAlias(const std::string& alias, const std::string& key,
                                        const WorkbenchTable& table) const {
  const auto parsed = ParseImportedTemplate(alias, TemplateStyle::kAngles);
  if (!parsed || parsed->empty() || !AttributesIn(*parsed).empty())
    return {.attribute = key, .text = parsed.value_or(ImportedTemplate())};
  const auto is_attribute = [&](const std::string& name) {
    return std::ranges::any_of(table.attributes,
                               [&](const NamedType& known) { return known.name == name; });
  };
  if (is_attribute(alias) || alias == key) {
    ImportedKey bare = {.attribute = key, .text = BareImportedTemplate(PlainName(alias))};
    if (IsNameOfKey(alias)) {
      bare.question = "what is the template of " + key +
                      "? The facet has no sample, and its alias is the name of the key.";
    }
    return bare;
  }
  const std::size_t separator = alias.find_last_of("#:/|");
  const std::string last = separator == alias.npos ? alias : alias.substr(separator + 1);
  const bool is_name =
      std::ranges::any_of(last, IsLower) &&
      (separator != alias.npos || !std::ranges::any_of(last.substr(0, 1), IsUpper) ||
       LowerCase(last).ends_with("id"));
  if (!is_name) return {.attribute = key, .text = *parsed};
  const std::string literal = separator == alias.npos ? "" : alias.substr(0, separator + 1);
  ImportedKey made = {.attribute = key, .text = {{literal, PlainName(last), ""}}};
  if (!is_attribute(last) && !placeholders_.contains(last)) {
    made.question = "is " + YamlQuoted(last) + " in the alias " + YamlQuoted(alias) + " of " + key +
                    " a value or a constant? No sample and no attribute shows it.";
  }
  return made;
}

void WorkbenchReader::ReadFacet(const JsonValue& json, const std::string& place,
                                const WorkbenchTable& table) {
  ImportedObject fields(json, place, model_.remarks);
  ImportedEntity entity;
  entity.place = place;
  entity.table = table.table.name;
  entity.name = NewEntityName(fields.Text("FacetName"), place, model_);
  fields.With("KeyAttributeAlias", [&](ImportedObject& of) {
    const auto add = [&](std::string_view member, const std::string& key) {
      const std::string alias = of.Text(member);
      if (key.empty()) return;
      ImportedKey read = KeyOfAlias(alias.empty() ? key : alias, key, table);
      if (read.text.empty()) {
        of.Fail(member, "is no template: each { needs its }, with a name between them");
      } else {
        entity.keys.push_back(std::move(read));
      }
    };
    add("PartitionKeyAlias", table.table.hash);
    add("SortKeyAlias", table.table.range);
  });
  for (const std::string& name : fields.Texts("NonKeyAttributes")) {
    const auto known = std::ranges::find(table.attributes, name, &NamedType::name);
    ImportedAttribute attribute;
    attribute.name = PlainName(name);
    if (known != table.attributes.end()) attribute.type = ImportedTypeNamed(known->type);
    entity.attributes.push_back(std::move(attribute));
  }
  // A facet says nothing about indexes but which attributes of their keys it has.
  for (const ImportedIndex& index : table.table.indexes) {
    for (const std::string& name : index.Keys()) {
      const bool has_it = FindImportedAttribute(entity, PlainName(name)) != nullptr;
      if (has_it) AddBareKey(name, index.name, entity);
    }
  }
  fields.Ignore({"TableData", "DataAccess"});
  fields.NameUnknown();
  AddImportedEntity(std::move(entity), model_);
}

void WorkbenchReader::ReadFacets(const WorkbenchTable& table) {
  const auto facets = ListMember(*table.json, "TableFacets");
  for (const JsonValue& facet : facets) {
    const JsonValue* const aliases = facet.Find("KeyAttributeAlias");
    for (const std::string_view name : {"PartitionKeyAlias", "SortKeyAlias"}) {
      const auto alias = aliases == nullptr ? std::string_view() : TextMember(*aliases, name);
      const auto parsed = ParseImportedTemplate(alias, TemplateStyle::kAngles);
      const std::vector<std::string> names = AttributesIn(parsed.value_or(ImportedTemplate()));
      placeholders_.insert(names.begin(), names.end());
    }
  }
  for (std::size_t at = 0; at < facets.size(); ++at) {
    ReadFacet(facets[at], table.place + ".TableFacets[" + std::to_string(at) + "]", table);
  }
}

void WriteKeys(const std::vector<std::string>& hash, const std::vector<std::string>& range,
               JsonWriter& writer) {
  writer.BeginArray("KeySchema");
  const auto write = [&](const std::vector<std::string>& names, std::string_view type) {
    for (const std::string& name : names) {
      writer.BeginObject();
      writer.StringMember("AttributeName", name);
      writer.StringMember("KeyType", type);
      writer.EndObject();
    }
  };
  write(hash, "HASH");
  write(range, "RANGE");
  writer.EndArray();
}

// Returns the input of CreateTable.
std::string DefinitionOf(const WorkbenchTable& table) {
  OutputBuffer out;
  JsonWriter writer(out);
  writer.BeginObject();
  writer.StringMember("TableName", table.table.name);
  writer.StringMember("BillingMode", "PAY_PER_REQUEST");
  std::vector<std::string> range;
  if (!table.table.range.empty()) range.push_back(table.table.range);
  WriteKeys({table.table.hash}, range, writer);
  std::vector<std::string> keys = {table.table.hash};
  keys.insert(keys.end(), range.begin(), range.end());
  if (!table.table.indexes.empty()) {
    writer.BeginArray("GlobalSecondaryIndexes");
    for (const ImportedIndex& index : table.table.indexes) {
      writer.BeginObject();
      writer.StringMember("IndexName", index.name);
      WriteKeys(index.hash, index.range, writer);
      writer.BeginObject("Projection");
      writer.StringMember("ProjectionType", index.projection == "all"         ? "ALL"
                                            : index.projection == "keys_only" ? "KEYS_ONLY"
                                                                              : "INCLUDE");
      if (index.projection.empty()) {
        writer.BeginArray("NonKeyAttributes");
        for (const std::string& name : index.included) writer.String(name);
        writer.EndArray();
      }
      writer.EndObject();
      writer.EndObject();
      const std::vector<std::string> of_index = index.Keys();
      keys.insert(keys.end(), of_index.begin(), of_index.end());
    }
    writer.EndArray();
  }
  std::ranges::sort(keys);
  keys.erase(std::ranges::unique(keys).begin(), keys.end());
  writer.BeginArray("AttributeDefinitions");
  for (const std::string& name : keys) {
    const auto known = std::ranges::find(table.attributes, name, &NamedType::name);
    writer.BeginObject();
    writer.StringMember("AttributeName", name);
    writer.StringMember("AttributeType", known == table.attributes.end() ? "S" : known->type);
    writer.EndObject();
  }
  writer.EndArray();
  writer.EndObject();
  return std::string(out.view());
}

// A facet, and the samples that it has.
struct SampledFacet {
  std::string name = {};
  std::set<std::string> samples = {};  // SampleName of each
};

// Returns the text of the attribute of an item; empty: there is none.
std::string_view TextIn(const JsonValue& item, const std::string& attribute) {
  const JsonValue* const value = item.Find(attribute);
  if (value == nullptr || value->type != JsonValue::Type::kObject || value->size != 1) return {};
  const JsonValue& text = value->members().front().value;
  return text.type == JsonValue::Type::kString ? text.string() : std::string_view();
}

SampledFacet SampledFacetOf(const ImportedTable& table, const JsonValue& facet) {
  SampledFacet sampled = {.name = CapitalizedWords(TextMember(facet, "FacetName"), " _-")};
  for (const JsonValue& item : ListMember(facet, "TableData")) {
    const std::string_view range = table.range.empty() ? "" : TextIn(item, table.range);
    sampled.samples.insert(SampleName(table.name, TextIn(item, table.hash), range));
  }
  return sampled;
}

Result<ImportedModel> WorkbenchReader::ReadSamples() {
  TableData data;
  std::vector<SampledFacet> of_facets;
  for (const WorkbenchTable& table : tables_) {
    const Status made = data.MakeTable(DefinitionOf(table));
    if (!made.ok()) return ValidationError(table.place + ": " + made.error().message);
    const auto put = [&](const JsonValue& of, const std::string& place) {
      const auto items = ListMember(of, "TableData");
      for (std::size_t at = 0; at < items.size(); ++at) {
        PutSampleItem(table.table.name, items[at], place + ".TableData[" + std::to_string(at) + "]",
                      data, model_.remarks);
      }
    };
    put(*table.json, table.place);
    const auto facets = ListMember(*table.json, "TableFacets");
    for (std::size_t at = 0; at < facets.size(); ++at) {
      put(facets[at], table.place + ".TableFacets[" + std::to_string(at) + "]");
      of_facets.push_back(SampledFacetOf(table.table, facets[at]));
    }
  }
  HR_ASSIGN(MeasuredSamples samples, MeasureSamples(data));
  for (SampledEntity& entity : samples.entities) {
    // A facet that has samples of several entities, or some of one entity, is a view of them.
    const auto facet = std::ranges::find(of_facets, entity.samples, &SampledFacet::samples);
    if (facet != of_facets.end()) entity.given_name = facet->name;
  }
  HR_ASSIGN(ImportedModel model, ModelOfSamples(samples, Measurement()));
  TakeAwayCounts(model);
  AddTablesWithoutItems(model);
  model.source = "a model of NoSQL Workbench, by its sample data";
  for (ImportedTable& table : model.tables) {
    const auto of = std::ranges::find_if(
        tables_, [&](const WorkbenchTable& known) { return known.table.name == table.name; });
    if (of == tables_.end()) continue;
    table.read_units = of->table.read_units;
    table.write_units = of->table.write_units;
  }
  model.remarks.insert(model.remarks.begin(), model_.remarks.begin(), model_.remarks.end());
  return model;
}

}  // namespace

Result<ImportedModel> ReadWorkbenchModel(const JsonValue& json) {
  return WorkbenchReader().Read(json);
}

}  // namespace hashrange
