// Entities of ElectroDB: the parts of their keys are composed by rules of ElectroDB, or by
// templates.
//
//   pk            $service#attribute_value#…
//   sk, isolated  $[collection#]entity_version#attribute_value#…
//   sk, clustered $collection#attribute_value#…#entity_version
//
// The service has "_scope" behind it where the index has a scope. Without a collection, a clustered
// sk begins with "#attribute_value"; without an sk, pk has what sk would begin and end with.
#include "lab/import/import_steps.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text/short_text.h"
#include "lab/import/imported_object.h"
#include "lab/yaml/yaml_text.h"

namespace hashrange {
namespace {

constexpr double kMostPadding = 18;  // digits
constexpr std::string_view kTypeAttribute = "__edb_e__";

// What the keys of one entity begin with.
struct ElectroNames {
  std::string service = {};
  std::string entity = {};
  std::string version = {};
};

// One part, pk or sk, of an index.
struct ElectroKey {
  std::string field = {};
  std::vector<std::string> composite = {};
  std::string written = {};  // `template`; empty: composed
  std::string casing = {};
};

// What an attribute of ElectroDB has in keys and in items.
struct ElectroAttribute {
  std::string stored = {};  // its name in items
  std::string label = {};   // its name in keys
  std::string form = {};    // "08"; empty: as it is
};

class ElectroReader {
 public:
  Result<ImportedModel> Read(std::span<const JsonValue* const> entities) {
    model_.source = "entities of ElectroDB";
    model_.tables.emplace_back();
    model_.tables.front().name = "app";
    model_.tables.front().type_attribute = kTypeAttribute;
    for (std::size_t at = 0; at < entities.size(); ++at) {
      const std::string place = entities.size() == 1 ? "" : "[" + std::to_string(at) + "]";
      if (entities[at]->Find("model") == nullptr) {
        model_.remarks.push_back(place + " is no entity of ElectroDB and was left out");
      } else {
        ReadEntity(*entities[at], place);
      }
    }
    if (model_.tables.front().hash.empty()) {
      return ValidationError("no entity has an index without `index`, the key of the table");
    }
    ImportedTable table = std::move(model_.tables.front());
    for (ImportedIndex& index : table.indexes) index.is_local = index.hash.front() == table.hash;
    model_.tables.clear();
    if (!AddImportedTable(std::move(table), "indexes", model_)) {
      return ValidationError(model_.remarks.back());
    }
    return std::move(model_);
  }

 private:
  void ReadEntity(const JsonValue& json, const std::string& place);
  void ReadAttribute(const JsonMember& member, const std::string& place, ImportedEntity& entity);
  void ReadIndex(const JsonMember& member, const std::string& place, const ElectroNames& names,
                 ImportedEntity& entity);
  void SetNotRequiredOnes(ImportedEntity& entity);
  ElectroKey ReadKey(ImportedObject& index, std::string_view member);
  void AddIndex(const std::string& name, const ElectroKey& hash, const ElectroKey& range);

  std::string ComposedText(const ElectroKey& key, const std::string& prefix,
                           const std::string& postfix) const;
  ElectroAttribute AttributeOf(const std::string& name) const;

  ImportedModel model_;
  // Of the entity that is read: by the names of ElectroDB, and the stored names of those that each
  // item has.
  std::map<std::string, ElectroAttribute> attributes_;
  std::set<std::string> required_;
};

void ElectroReader::ReadEntity(const JsonValue& json, const std::string& place) {
  ImportedObject fields(json, place, model_.remarks);
  ElectroNames names;
  fields.With("model", [&](ImportedObject& of) {
    names.service = of.Text("service");
    names.entity = of.Text("entity");
    const JsonValue* const version = of.Member("version");
    names.version = "1";
    if (version != nullptr && version->type == JsonValue::Type::kString) {
      names.version = version->string();
    }
  });
  ImportedEntity entity;
  entity.place = place.empty() ? "model" : place;
  entity.name = NewEntityName(names.entity, entity.place, model_);
  entity.table = model_.tables.front().name;
  attributes_.clear();
  required_.clear();
  for (const JsonMember& attribute : fields.Members("attributes")) {
    ReadAttribute(attribute, fields.PlaceOf("attributes") + "." + std::string(attribute.name),
                  entity);
  }
  for (const JsonMember& index : fields.Members("indexes")) {
    ReadIndex(index, fields.PlaceOf("indexes") + "." + std::string(index.name), names, entity);
  }
  fields.Ignore({"filters", "client", "table"});
  fields.NameUnknown();
  SetNotRequiredOnes(entity);
  AddImportedEntity(std::move(entity), model_);
}

void ElectroReader::ReadAttribute(const JsonMember& member, const std::string& place,
                                  ImportedEntity& entity) {
  ImportedAttribute attribute;
  attribute.name = PlainName(member.name);
  if (member.value.type == JsonValue::Type::kString) {
    attribute.type = ImportedTypeNamed(member.value.string());
    entity.attributes.push_back(std::move(attribute));
    return;
  }
  ImportedObject fields(member.value, place, model_.remarks);
  const JsonValue* const type = fields.Member("type");
  if (type != nullptr && type->type == JsonValue::Type::kArray) {
    const std::vector<std::string> choices = fields.Texts("type");
    if (!choices.empty()) attribute.generator = "{choice: " + YamlList(choices) + "}";
  } else if (type != nullptr && type->type == JsonValue::Type::kString) {
    attribute.type = ImportedTypeNamed(type->string());
    if (attribute.type == ImportedType::kOther) {
      attribute.note =
          std::string(type->string()) + " in the source: a text of 100 bytes stands for it";
    }
  }
  ElectroAttribute& known = attributes_[std::string(member.name)];
  if (const std::string stored = fields.Text("field"); !stored.empty()) {
    attribute.name = PlainName(stored);
    known.stored = attribute.name;
  }
  known.label = fields.Text("label");
  fields.With("padding", [&](ImportedObject& padding) {
    const double length = padding.Number("length");
    const bool is_zeros = padding.Text("char") == "0" && attribute.type == ImportedType::kNumber;
    if (is_zeros && length >= 1 && length <= kMostPadding) {
      known.form = "0" + std::to_string(static_cast<int>(length));
    }
  });
  if (known.form.empty() && fields.Member("padding") != nullptr) {
    fields.Fail("padding", "was left out: only numbers are padded, with 0 to 18 digits");
  }
  const bool has_default = fields.Member("default") != nullptr;
  if (fields.Flag("required") || has_default) required_.insert(attribute.name);
  fields.Ignore({"readOnly", "hidden", "watch", "set", "get", "validate", "cast", "items",
                 "properties", "condition"});
  fields.NameUnknown();
  entity.attributes.push_back(std::move(attribute));
}

// The parts of the table's key are required in any case.
void ElectroReader::SetNotRequiredOnes(ImportedEntity& entity) {
  for (const ImportedKey& key : entity.keys) {
    const std::vector<std::string> names = AttributesIn(key.text);
    if (key.index.empty()) required_.insert(names.begin(), names.end());
  }
  for (ImportedAttribute& attribute : entity.attributes) {
    if (!required_.contains(attribute.name)) SetNotRequired(entity, attribute);
  }
}

ElectroAttribute ElectroReader::AttributeOf(const std::string& name) const {
  const auto found = attributes_.find(name);
  ElectroAttribute attribute = found == attributes_.end() ? ElectroAttribute{} : found->second;
  if (attribute.stored.empty()) attribute.stored = PlainName(name);
  if (attribute.label.empty()) attribute.label = name;
  return attribute;
}

ElectroKey ElectroReader::ReadKey(ImportedObject& index, std::string_view member) {
  ElectroKey key;
  index.With(member, [&](ImportedObject& fields) {
    key.field = fields.Text("field");
    key.composite = fields.Texts("composite");
    if (key.composite.empty() && fields.Member("facets") != nullptr)
      key.composite = fields.Texts("facets");
    key.written = fields.Text("template");
    key.casing = fields.Text("casing");
    fields.Ignore({"cast", "condition"});
  });
  return key;
}

// Returns the text in the case that the key has; the rule is lower case.
std::string InCase(std::string text, const ElectroKey& key) {
  if (key.casing == "none") return text;
  if (key.casing != "upper") return LowerCase(text);
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

// Returns the template with `prefix` and `postfix` around the attributes of the key. Only the
// literals have the case; the values in items are in it, too, which a lab file does not say.
std::string ElectroReader::ComposedText(const ElectroKey& key, const std::string& prefix,
                                        const std::string& postfix) const {
  const auto placeholder = [this](const std::string& name) {
    const ElectroAttribute attribute = AttributeOf(name);
    return "{" + attribute.stored + (attribute.form.empty() ? "" : ":" + attribute.form) + "}";
  };
  std::string text;
  if (key.written.empty()) {
    text = InCase(prefix, key);
    for (const std::string& name : key.composite) {
      text += "#" + InCase(AttributeOf(name).label, key) + "_" + placeholder(name);
    }
    return text + InCase(postfix, key);
  }
  std::string_view rest = key.written;
  for (std::size_t at = rest.find("${"); at != rest.npos; at = rest.find("${")) {
    const std::size_t end = rest.find('}', at);
    if (end == rest.npos) break;
    text += InCase(std::string(rest.substr(0, at)), key);
    text += placeholder(std::string(rest.substr(at + 2, end - at - 2)));
    rest.remove_prefix(end + 1);
  }
  return text + InCase(std::string(rest), key);
}

void ElectroReader::AddIndex(const std::string& name, const ElectroKey& hash,
                             const ElectroKey& range) {
  ImportedTable& table = model_.tables.front();
  if (name.empty()) {
    if (table.hash.empty()) table.hash = hash.field;
    if (table.range.empty()) table.range = range.field;
    return;
  }
  if (std::ranges::find(table.indexes, name, &ImportedIndex::name) != table.indexes.end()) return;
  ImportedIndex index;
  index.name = name;
  index.hash = {hash.field};
  if (!range.field.empty()) index.range = {range.field};
  table.indexes.push_back(std::move(index));
}

void ElectroReader::ReadIndex(const JsonMember& member, const std::string& place,
                              const ElectroNames& names, ImportedEntity& entity) {
  ImportedObject fields(member.value, place, model_.remarks);
  std::string name = fields.Text("index");
  if (!name.empty()) name = ServiceNameOf(name, fields.PlaceOf("index"), model_);
  const std::vector<std::string> collections = fields.OneOrSeveralTexts("collection");
  const std::string type = fields.Text("type");
  const ElectroKey hash = ReadKey(fields, "pk");
  const ElectroKey range = ReadKey(fields, "sk");
  const std::string scope = fields.Text("scope");
  fields.Ignore({"condition"});
  fields.NameUnknown();
  if (hash.field.empty()) {
    model_.remarks.push_back(place + " was left out: its pk has no field");
    return;
  }
  AddIndex(name, hash, range);
  std::string collection;
  for (const std::string& each : collections) collection += (collection.empty() ? "" : "#") + each;
  const std::string own = names.entity + "_" + names.version;
  const std::string service = "$" + names.service + (scope.empty() ? "" : "_" + scope);
  // Without a sort key, the partition key has what the sort key begins with.
  const bool has_range = !range.field.empty();
  const bool is_clustered = type == "clustered";
  std::string prefix = collection.empty() ? "" : "$" + collection;
  if (!is_clustered) prefix = (collection.empty() ? "$" : prefix + "#") + own;
  const std::string postfix = is_clustered ? "#" + own : "";
  AddImportedKey(hash.field, name,
                 ComposedText(hash, service + (has_range ? "" : prefix), has_range ? "" : postfix),
                 place + ".pk", entity, model_);
  if (!has_range) return;
  AddImportedKey(range.field, name, ComposedText(range, prefix, postfix), place + ".sk", entity,
                 model_);
}

}  // namespace

Result<ImportedModel> ReadElectroModel(std::span<const JsonValue* const> entities) {
  return ElectroReader().Read(entities);
}

}  // namespace hashrange
