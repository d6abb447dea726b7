// A measurement as a model: its tables, and its items by the templates of their keys. The access
// patterns are read in measured_patterns.cc.
#include "lab/import/import_steps.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text/short_text.h"
#include "lab/import/sample/sampled_items.h"
#include "lab/yaml/yaml_text.h"
#include "measure/measured_tables.h"
#include "measure/measurement.h"

namespace hashrange {
namespace {

constexpr std::uint64_t kMostDistinct = 2000;

// Returns the last word of a literal: "order" of "ACTIVE#ORDER#".
std::string LastWord(std::string_view literal) {
  while (!literal.empty() && !IsLetter(literal.back()) && !IsDigit(literal.back())) {
    literal.remove_suffix(1);
  }
  std::size_t begin = literal.size();
  while (begin > 0 && (IsLetter(literal[begin - 1]) || IsDigit(literal[begin - 1]) ||
                       literal[begin - 1] == '_')) {
    --begin;
  }
  const std::string word = LowerCase(literal.substr(begin));
  return word.empty() || !IsLetter(word.front()) ? "" : word;
}

// Returns "OrderLine" of "ORDER_LINE#".
std::string CamelWords(std::string_view literal) {
  std::string name;
  bool begins_word = true;
  for (const char c : literal) {
    if (!IsLetter(c) && !IsDigit(c)) {
      begins_word = true;
      continue;
    }
    const char lower = LowerCase(c);
    name +=
        begins_word && lower >= 'a' && lower <= 'z' ? static_cast<char>(lower - 'a' + 'A') : lower;
    begins_word = false;
  }
  return name;
}

bool HasMeasuredAttribute(const EntityMeasure& entity, std::string_view name) {
  return std::ranges::find(entity.attributes, name, &AttributeMeasure::name) !=
         entity.attributes.end();
}

std::string NameOfKind(std::string_view kind) {
  if (kind == "date") return "date";
  return kind == "number" ? "number" : "id";
}

const KeyTemplateMeasure* FindKeyTemplate(const Measurement& measurement, std::string_view table,
                                          std::string_view index, std::string_view attribute,
                                          std::string_view text) {
  for (const KeyTemplateMeasure& found : measurement.key_templates) {
    if (found.table == table && found.index == index && found.attribute == attribute &&
        found.text == text) {
      return &found;
    }
  }
  return nullptr;
}

std::string PlaceholderName(const EntityMeasure& entity, std::string_view attribute,
                            const ImportedTemplate& text, std::size_t at,
                            const PlaceholderMeasure* measured) {
  if (measured != nullptr && !measured->attribute.empty()) return PlainName(measured->attribute);
  const bool is_whole = text.size() == 1 && text.front().literal.empty();
  if (is_whole && !IsNameOfKey(attribute)) return PlainName(attribute);
  const ImportedTemplate before(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  std::string name = NameOfKeyPart(before, attribute, measured == nullptr ? "" : measured->kind);
  // What the measurement compared with all attributes is none of them.
  while (measured != nullptr && HasMeasuredAttribute(entity, name)) name += "_in_key";
  return PlainName(name);
}

// The template of a key attribute of an entity. Its placeholders have the names of the attributes
// that they equal, or names made of the text before them: "ORDER#{…}" has order_id.
struct MeasuredTemplate {
  ImportedTemplate text = {};
  std::map<std::string, const PlaceholderMeasure*> measured = {};  // by name; null: not known
};

// Returns nothing when the braces have no partner.
std::optional<MeasuredTemplate> ReadMeasuredTemplate(const Measurement& measurement,
                                                     const EntityMeasure& entity,
                                                     std::string_view index,
                                                     std::string_view attribute,
                                                     std::string_view text) {
  auto parsed = ParseImportedTemplate(text, TemplateStyle::kBraces);
  if (!parsed) return std::nullopt;
  const KeyTemplateMeasure* const found =
      FindKeyTemplate(measurement, entity.table, index, attribute, text);
  MeasuredTemplate made;
  std::size_t number = 0;
  for (std::size_t at = 0; at < parsed->size(); ++at) {
    ImportedPart& part = (*parsed)[at];
    if (part.attribute.empty()) continue;
    const bool is_measured = found != nullptr && number < found->placeholders.size();
    const PlaceholderMeasure* const measured = is_measured ? &found->placeholders[number] : nullptr;
    ++number;
    // The text is "day" where it is the kind, and "created_at:day" where it has a form.
    const std::size_t colon = measured == nullptr ? std::string::npos : measured->text.find(':');
    const bool has_form = measured != nullptr && colon != std::string::npos &&
                          measured->text.substr(0, colon) == PlainName(measured->attribute);
    part.form = has_form ? measured->text.substr(colon + 1) : "";
    part.attribute = PlaceholderName(entity, attribute, *parsed, at, measured);
    made.measured.emplace(part.attribute, measured);
  }
  made.text = std::move(*parsed);
  return made;
}

// Returns the attribute as a placeholder shows it: the form of its values, their mean size and how
// many there are. `placeholder` may be null.
ImportedAttribute AttributeOfPlaceholder(const std::string& name,
                                         const PlaceholderMeasure* placeholder) {
  ImportedAttribute made = {.name = name};
  if (placeholder == nullptr) return made;
  const std::string& kind = placeholder->kind;
  if (kind == "uuid" || kind == "ulid") made.id_form = kind;
  // The values of a date have the size of their form.
  if (kind != "date") {
    made.mean_bytes = (static_cast<double>(placeholder->least_length) +
                       static_cast<double>(placeholder->greatest_length)) /
                      2;
  }
  if (placeholder->distinct < kMostDistinct) {
    made.distinct = static_cast<double>(placeholder->distinct);
  }
  return made;
}

// Returns a name made of the constant parts of the entity's keys: "UserProfile".
std::string MeasuredEntityName(const EntityMeasure& entity) {
  const auto literal = [](const std::string& text) {
    return CamelWords(std::string_view(text).substr(0, text.find('{')));
  };
  const std::string partition = literal(entity.partition_key);
  const std::string sort = literal(entity.sort_key);
  const bool is_constant = entity.sort_key.find('{') == std::string::npos;
  std::string name = is_constant || sort.empty() ? partition + sort : sort;
  if (name.empty()) name = CamelWords(entity.table);
  if (name.empty() || !IsLetter(name.front())) name = "Item" + name;
  return name;
}

// Notes in `made` what the keys of the entity show of the attribute `name`: its form.
void DescribeInKeys(const Measurement& measurement, const EntityMeasure& entity,
                    std::string_view name, ImportedAttribute& made) {
  for (const KeyTemplateMeasure& key : measurement.key_templates) {
    if (key.table != entity.table) continue;
    for (const PlaceholderMeasure& placeholder : key.placeholders) {
      const bool is_whole_key = key.attribute == name && placeholder.attribute.empty() &&
                                key.placeholders.size() == 1 && key.text.starts_with('{');
      if (placeholder.attribute != name && !is_whole_key) continue;
      // Above some number, distinct values are not counted any more.
      if (placeholder.distinct < kMostDistinct) {
        made.distinct = std::max(made.distinct, static_cast<double>(placeholder.distinct));
      }
      if (placeholder.kind == "uuid" || placeholder.kind == "ulid") made.id_form = placeholder.kind;
    }
  }
}

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
  // `sampled` is null where the measurement is not one of samples.
  MeasuredModel(const Measurement& measurement, const std::vector<SampledEntity>* sampled)
      : measurement_(measurement), sampled_(sampled) {}

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
    TakePartitions();
    for (std::size_t at = 0; at < measurement_.entities.size(); ++at) {
      AddEntity(measurement_.entities[at], sampled_ == nullptr ? nullptr : &(*sampled_)[at]);
    }
    AddMeasuredPatterns(measurement_, entities_, model_);
    return std::move(model_);
  }

 private:
  void TakePartitions();
  void AddEntity(const EntityMeasure& measured, const SampledEntity* sampled);
  void AddKey(const std::vector<std::string>& attributes, std::string_view index,
              const std::string& text, const EntityMeasure& measured, ImportedEntity& entity);
  double MostChildren(const EntityMeasure& measured, const ImportedEntity& entity) const;

  const Measurement& measurement_;
  const std::vector<SampledEntity>* const sampled_;
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
  auto parsed = ReadMeasuredTemplate(measurement_, measured, index, attributes.front(), text);
  if (!parsed) {
    model_.remarks.push_back("the template \"" + text + "\" of " + attributes.front() +
                             " was left out: its braces have no partner");
    return;
  }
  for (const std::string& name : AttributesIn(parsed->text)) {
    const auto described = std::ranges::find(entity.only_in_keys, name, &ImportedAttribute::name);
    const bool is_new =
        FindImportedAttribute(entity, name) == nullptr && described == entity.only_in_keys.end();
    if (is_new) {
      entity.only_in_keys.push_back(AttributeOfPlaceholder(name, parsed->measured[name]));
    }
  }
  std::string evidence;
  for (const std::string& name : AttributesIn(parsed->text)) {
    const PlaceholderMeasure* const placeholder = parsed->measured[name];
    const bool is_attribute = placeholder != nullptr && !placeholder->attribute.empty();
    evidence += (evidence.empty() ? "" : ", ") + name +
                (is_attribute ? " in all items" : " only in the key");
  }
  entity.keys.push_back({.attribute = attributes.front(),
                         .text = std::move(parsed->text),
                         .index = std::string(index),
                         .evidence = std::move(evidence)});
}

double MeasuredModel::MostChildren(const EntityMeasure& measured,
                                   const ImportedEntity& entity) const {
  const auto has_placeholder = [](const std::string& text) { return text.find('{') != text.npos; };
  if (has_placeholder(measured.sort_key) && has_placeholder(measured.partition_key)) {
    const double most = LargestCollection(measurement_, measured.table, "");
    const auto parsed = [](const std::string& text) {
      return ParseImportedTemplate(text, TemplateStyle::kBraces).value_or(ImportedTemplate());
    };
    const bool has_head =
        std::ranges::any_of(measurement_.entities, [&](const EntityMeasure& other) {
          return other.table == measured.table && !has_placeholder(other.sort_key) &&
                 HaveSameShape(parsed(other.partition_key), parsed(measured.partition_key));
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

void MeasuredModel::AddEntity(const EntityMeasure& measured, const SampledEntity* sampled) {
  const auto at = std::ranges::find(tables_, measured.table);
  if (at == tables_.end()) return;
  const ImportedTable& table = model_.tables[static_cast<std::size_t>(at - tables_.begin())];
  ImportedEntity entity;
  entity.place = sampled == nullptr ? "entities" : "table " + table.name;
  std::string name = measured.type.empty() ? MeasuredEntityName(measured) : measured.type;
  if (measured.type.empty() && sampled != nullptr) name += CamelWords(sampled->name);
  if (sampled != nullptr && !sampled->given_name.empty()) name = sampled->given_name;
  entity.name = NewEntityName(name, entity.place, model_);
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
  for (ImportedKey& key : entity.keys) {
    if (sampled == nullptr) break;
    const auto known = std::ranges::find(sampled->keys, key.attribute, &SampledKey::attribute);
    if (known == sampled->keys.end()) continue;
    key.evidence = known->evidence;
    key.question = known->question;
  }
  const std::string added = entity.name;
  if (AddImportedEntity(std::move(entity), model_)) entities_.push_back({&measured, added});
}

// Takes what the partitions of the measured tables serve, where that is not what the service's do.
// A lab file says it of all tables together.
void MeasuredModel::TakePartitions() {
  constexpr std::pair<const char*, double PartitionLimits::*> kUnits[] = {
      {"read_units", &PartitionLimits::read_units},
      {"write_units", &PartitionLimits::write_units},
      {"new_table_read_units", &PartitionLimits::new_table_read_units},
      {"new_table_write_units", &PartitionLimits::new_table_write_units},
      {"quota_read_units", &PartitionLimits::quota_read_units},
      {"quota_write_units", &PartitionLimits::quota_write_units},
  };
  std::string members;
  for (const auto& [name, units] : kUnits) {
    const auto [least, greatest] = RangeOfTables(measurement_, units);
    if (least != greatest) {
      model_.remarks.push_back(
          "tables were measured with different rules of partitions, and a lab file has one: "
          "`partitions` was left out");
      return;
    }
    if (least == PartitionLimits().*units) continue;
    members += (members.empty() ? "" : ", ") + std::string(name) + ": " + YamlNumber(least);
  }
  if (!members.empty()) model_.partitions = "{" + members + "}";
}

}  // namespace

std::string NameOfKeyPart(const ImportedTemplate& before, std::string_view attribute,
                          std::string_view kind) {
  std::string word;
  for (auto part = before.rbegin(); part != before.rend() && word.empty(); ++part) {
    word = LastWord(part->literal);
  }
  return (word.empty() ? LowerCase(attribute) : word) + "_" + NameOfKind(kind);
}

Result<ImportedModel> ReadMeasuredModel(const Measurement& measurement) {
  Measurement merged = measurement;
  MergeAlikeEntities(merged);
  return MeasuredModel(merged, nullptr).Read();
}

Result<ImportedModel> ReadSampledModel(const Measurement& measurement,
                                       const std::vector<SampledEntity>& sampled) {
  return MeasuredModel(measurement, &sampled).Read();
}

}  // namespace hashrange
