// Schemas of OneTable: models whose keys have a `value` such as "user#${id}".
#include "lab/import/import_steps.h"

#include "base/text/short_text.h"
#include "lab/import/imported_object.h"
#include "lab/yaml/yaml_text.h"

namespace hashrange {
namespace {

// OneTable's own placeholder for the name of the model.
constexpr std::string_view kTypePlaceholder = "${_type}";
constexpr std::string_view kPrimary = "primary";
constexpr std::string_view kUsualTypeField = "_type";

class OneTableReader {
 public:
  Result<ImportedModel> Read(const JsonValue& json) {
    model_.source = "a schema of OneTable";
    ImportedObject fields(json, "", model_.remarks);
    fields.Ignore({"format", "version", "queries", "process", "name"});
    ImportedTable table;
    table.name = "app";
    type_field_ = kUsualTypeField;
    fields.With("params", [&](ImportedObject& params) { ReadParams(params); });
    table.type_attribute = type_field_;
    // The others may have the hash of the primary one.
    const auto indexes = fields.Members("indexes");
    for (const JsonMember& index : indexes) {
      if (index.name == kPrimary) ReadIndex(index, table);
    }
    for (const JsonMember& index : indexes) {
      if (index.name != kPrimary) ReadIndex(index, table);
    }
    if (table.hash.empty()) return ValidationError("`indexes.primary` has no `hash`");
    if (!AddImportedTable(std::move(table), "indexes.primary", model_)) {
      return ValidationError(model_.remarks.back());
    }
    for (const JsonMember& model : fields.Members("models")) ReadEntity(model);
    fields.NameUnknown();
    return std::move(model_);
  }

 private:
  void ReadParams(ImportedObject& fields);
  void ReadIndex(const JsonMember& member, ImportedTable& table);
  void AddTimestamp(const std::string& name, ImportedEntity& entity);
  void ReadEntity(const JsonMember& member);
  void ReadField(const JsonMember& member, const std::string& place, ImportedEntity& entity);
  std::string IndexOfKey(std::string_view attribute) const;
  bool IsKey(std::string_view attribute) const;
  bool IsInTableKey(const ImportedEntity& entity, const std::string& name) const;

  ImportedModel model_;
  std::string type_field_;
  bool has_iso_dates_ = false;
  std::vector<std::string> timestamps_;    // attributes of every item
  std::vector<std::string> not_required_;  // of the model that is read
};

// Sets the form of a date: milliseconds, unless the schema has ISO dates.
void SetDateForm(bool is_iso, ImportedAttribute& attribute) {
  attribute.time_form = is_iso ? "iso" : "milliseconds";
  if (!is_iso) attribute.type = ImportedType::kNumber;
}

void OneTableReader::ReadParams(ImportedObject& fields) {
  if (const std::string name = fields.Text("typeField"); !name.empty()) type_field_ = name;
  has_iso_dates_ = fields.Flag("isoDates");
  std::string created = fields.Text("createdField");
  std::string updated = fields.Text("updatedField");
  if (created.empty()) created = "created";
  if (updated.empty()) updated = "updated";
  if (const JsonValue* const timestamps = fields.Member("timestamps")) {
    const bool is_text = timestamps->type == JsonValue::Type::kString;
    const std::string of = is_text ? std::string(timestamps->string()) : "";
    const bool has_both = timestamps->type == JsonValue::Type::kTrue;
    if (has_both || of == "create") timestamps_.push_back(created);
    if (has_both || of == "update") timestamps_.push_back(updated);
  }
  fields.Ignore({"nulls", "partial", "separator", "warn", "hidden", "value"});
}

void OneTableReader::AddTimestamp(const std::string& name, ImportedEntity& entity) {
  if (FindImportedAttribute(entity, PlainName(name)) != nullptr) return;
  ImportedAttribute attribute = {.name = PlainName(name)};
  SetDateForm(has_iso_dates_, attribute);
  entity.attributes.push_back(std::move(attribute));
}

void OneTableReader::ReadIndex(const JsonMember& member, ImportedTable& table) {
  ImportedObject fields(member.value, "indexes." + std::string(member.name), model_.remarks);
  const std::string hash = fields.Text("hash");
  const std::string sort = fields.Text("sort");
  const JsonValue* const project = fields.Member("project");
  const std::string type = fields.Text("type");
  fields.Ignore({"follow", "description"});
  fields.NameUnknown();
  if (member.name == kPrimary) {
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
    if (IsIn(attribute, index.Keys())) return index.name;
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
  for (const std::string& name : timestamps_) AddTimestamp(name, entity);
  for (const std::string& name : not_required_) {
    ImportedAttribute* const found = FindImportedAttribute(entity, name);
    if (found != nullptr && !IsInTableKey(entity, name)) SetNotRequired(entity, *found);
  }
  not_required_.clear();
  AddImportedEntity(std::move(entity), model_);
}

// Returns whether the key of the table is made of the attribute.
bool OneTableReader::IsInTableKey(const ImportedEntity& entity, const std::string& name) const {
  return IsIn(name, PlaceholdersOf(KeyPairOf(model_, entity, "")));
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
  ImportedObject fields(member.value, place, model_.remarks);
  const std::string type = fields.Text("type");
  const std::string value = fields.Text("value");
  const std::string generate = fields.Text("generate");
  const std::vector<std::string> choices = fields.Texts("enum");
  const bool is_required = fields.Flag("required");
  if (fields.Flag("unique")) {
    entity.notes.push_back("the values of " + std::string(member.name) +
                           " are unique: `unique` of a create, with an item that keeps them so");
  }
  const bool is_ttl = fields.Flag("ttl");
  const JsonValue* const iso_dates = fields.Member("isoDates");
  const bool is_iso =
      iso_dates == nullptr ? has_iso_dates_ : iso_dates->type == JsonValue::Type::kTrue;
  const bool has_default = fields.Member("default") != nullptr;
  fields.Ignore({"hidden", "map", "reference", "schema", "items", "nulls", "validate", "crypt",
                 "encode", "filter", "partial", "scope", "timestamp", "fixed", "description"});
  fields.NameUnknown();
  const std::string name(member.name);
  const bool is_key = IsKey(name);
  const bool is_bare = value.empty() || value == "${" + name + "}";
  if (is_key) {
    const std::string text = is_bare ? "${" + name + "}" : WithTypeName(value, entity.name);
    AddImportedKey(name, IndexOfKey(name), text, place, entity, model_, TemplateStyle::kDollars);
    if (!is_bare) return;
  }
  ImportedAttribute attribute;
  attribute.name = PlainName(name);
  attribute.type = ImportedTypeNamed(type);
  if (is_ttl) {
    attribute.type = ImportedType::kNumber;
    attribute.generator = "{time: {ahead: 30d}, form: seconds}";
    model_.tables.front().ttl_attribute = attribute.name;
  } else if (LowerCase(type) == "date") {
    SetDateForm(is_iso, attribute);
  }
  if (generate == "ulid" || generate == "uuid") attribute.id_form = generate;
  const bool is_made = !generate.empty() || !value.empty() || has_default;
  if (!is_required && !is_made) not_required_.push_back(attribute.name);
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
