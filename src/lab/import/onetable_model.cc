// Schemas of OneTable: models whose keys have a `value` such as "user#${id}".
#include <algorithm>

#include "base/lower_case.h"
#include "lab/import/import_fields.h"
#include "lab/import/import_readers.h"
#include "lab/import/imported_entities.h"
#include "lab/import/imported_names.h"
#include "lab/import/imported_template.h"
#include "lab/import/yaml_text.h"

namespace hashrange {
namespace {

// OneTable's own placeholder for the name of the model.
constexpr std::string_view kTypePlaceholder = "${_type}";
constexpr std::string_view kUsualTypeField = "_type";

class OneTableReader {
 public:
  Result<ImportedModel> Read(const JsonValue& json) {
    model_.source = "a schema of OneTable";
    ImportFields fields(json, "", model_.remarks);
    fields.Ignore({"format", "version", "queries", "process", "name"});
    ImportedTable table;
    table.name = "app";
    type_field_ = kUsualTypeField;
    if (const JsonValue* const params = fields.Member("params")) {
      std::vector<std::string> none;
      ImportFields of(*params, "params", none);
      if (const std::string name = of.Text("typeField"); !name.empty()) type_field_ = name;
    }
    table.type_attribute = type_field_;
    for (const JsonMember& index : fields.Members("indexes")) ReadIndex(index, table);
    if (table.hash.empty()) return ValidationError("`indexes.primary` has no `hash`");
    if (!AddImportedTable(std::move(table), "indexes.primary", model_)) {
      return ValidationError(model_.remarks.back());
    }
    for (const JsonMember& model : fields.Members("models")) ReadEntity(model);
    fields.Finish();
    return std::move(model_);
  }

 private:
  void ReadIndex(const JsonMember& member, ImportedTable& table);
  void ReadEntity(const JsonMember& member);
  void ReadField(const JsonMember& member, const std::string& place, ImportedEntity& entity);
  std::string IndexOfKey(std::string_view attribute) const;
  bool IsKey(std::string_view attribute) const;

  ImportedModel model_;
  std::string type_field_;
};

void OneTableReader::ReadIndex(const JsonMember& member, ImportedTable& table) {
  ImportFields fields(member.value, "indexes." + std::string(member.name), model_.remarks);
  const std::string hash = fields.Text("hash");
  const std::string sort = fields.Text("sort");
  const JsonValue* const project = fields.Member("project");
  const std::string type = fields.Text("type");
  fields.Ignore({"follow", "description"});
  fields.Finish();
  if (member.name == "primary") {
    table.hash = hash;
    table.range = sort;
    return;
  }
  ImportedIndex index;
  index.name = ServiceNameOf(member.name, fields.place(), model_);
  index.is_local = type == "local" || (hash.empty() && !sort.empty());
  index.hash = {index.is_local || hash.empty() ? table.hash : hash};
  if (!sort.empty()) index.range = {sort};
  if (project != nullptr && project->type == JsonValue::Type::kArray) {
    SetImportedProjection("include", fields.Texts("project"), index);
  } else if (project != nullptr && project->type == JsonValue::Type::kString) {
    SetImportedProjection(project->string(), {}, index);
  }
  table.indexes.push_back(std::move(index));
}

std::string OneTableReader::IndexOfKey(std::string_view attribute) const {
  for (const ImportedIndex& index : model_.tables.front().indexes) {
    const bool has_it = std::ranges::find(index.hash, attribute) != index.hash.end() ||
                        std::ranges::find(index.range, attribute) != index.range.end();
    if (has_it) return index.name;
  }
  return "";
}

bool OneTableReader::IsKey(std::string_view attribute) const {
  const ImportedTable& table = model_.tables.front();
  return attribute == table.hash || attribute == table.range || !IndexOfKey(attribute).empty();
}

void OneTableReader::ReadEntity(const JsonMember& member) {
  ImportedEntity entity;
  entity.place = "models." + std::string(member.name);
  entity.name = NewEntityName(member.name, entity.place, model_);
  entity.table = model_.tables.front().name;
  if (member.value.type != JsonValue::Type::kObject) {
    model_.remarks.push_back(entity.place + " has to be an object and was left out");
    return;
  }
  for (const JsonMember& field : member.value.members()) {
    ReadField(field, entity.place + "." + std::string(field.name), entity);
  }
  AddImportedEntity(std::move(entity), model_);
}

// Returns the template with the name of the model in the place of ${_type}.
std::string WithTypeName(std::string text, const std::string& type) {
  for (std::size_t at = text.find(kTypePlaceholder); at != text.npos;
       at = text.find(kTypePlaceholder, at + type.size())) {
    text.replace(at, kTypePlaceholder.size(), type);
  }
  return text;
}

void OneTableReader::ReadField(const JsonMember& member, const std::string& place,
                               ImportedEntity& entity) {
  if (member.name == type_field_) return;
  ImportFields fields(member.value, place, model_.remarks);
  const std::string type = fields.Text("type");
  const std::string value = fields.Text("value");
  const std::string generate = fields.Text("generate");
  const std::vector<std::string> choices = fields.Texts("enum");
  const bool is_required = fields.Flag("required");
  if (fields.Flag("unique")) {
    entity.notes.push_back("the values of " + std::string(member.name) +
                           " are unique: `unique` of a create, with an item that keeps them so");
  }
  fields.Ignore({"default", "hidden", "map", "reference", "schema", "items", "nulls", "validate",
                 "crypt", "encode", "filter", "isoDates", "partial", "ttl", "scope", "timestamp",
                 "fixed", "description"});
  fields.Finish();
  const std::string name(member.name);
  const bool is_key = IsKey(name);
  const bool is_bare = value.empty() || value == "${" + name + "}";
  if (is_key) {
    const std::string text = is_bare ? "${" + name + "}" : WithTypeName(value, entity.name);
    AddImportedKey(name, IndexOfKey(name), text, place, entity, model_);
    if (!is_bare) return;
  }
  ImportedAttribute attribute;
  attribute.name = PlainName(name);
  attribute.type = ImportedTypeNamed(type);
  if (LowerCase(type) == "date") attribute.time_form = "iso";
  if (generate == "ulid" || generate == "uuid") attribute.id_form = generate;
  if (!is_key && !is_required && generate.empty() && choices.empty()) attribute.note = "";
  if (!choices.empty()) {
    attribute.generator = "{choice: " + YamlList(choices) + "}";
  } else if (!value.empty() && !is_key) {
    attribute.note = "made of \"" + value + "\" in the source";
  } else if (attribute.type == ImportedType::kOther) {
    attribute.note = type + " in the source: a text of 100 bytes stands for it";
  }
  entity.attributes.push_back(std::move(attribute));
}

}  // namespace

Result<ImportedModel> ReadOneTableModel(const JsonValue& json) {
  return OneTableReader().Read(json);
}

}  // namespace hashrange
