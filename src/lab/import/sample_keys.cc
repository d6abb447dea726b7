// GroupSamples: what the samples of a model say about its entities and their keys.
//
// Within an entity, a part of a key that is the same in all of several samples is a constant. A
// part that varies is a placeholder: of the attribute that has its value in every sample. Where one
// sample stands alone, no attribute has the value, or several have it, the samples do not decide,
// and the key has a question.
#include "lab/import/import_steps.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text/short_text.h"
#include "lab/import/sample/sampled_items.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostSampledEntities = 500;
// Of all entities.
constexpr std::size_t kMostSampledAttributes = 10'000;

std::string OrdinalOf(std::size_t number) {
  constexpr std::string_view kOrdinals[] = {"first", "second", "third", "fourth"};
  return number < std::size(kOrdinals) ? std::string(kOrdinals[number])
                                       : std::to_string(number + 1) + "th";
}

// Returns the literal as it is in a template.
std::string WithDoubledBraces(std::string_view literal) {
  std::string text;
  for (const char c : literal) text += std::string(c == '{' || c == '}' ? 2 : 1, c);
  return text;
}

// A key attribute of an entity, while its parts are read.
struct KeyReading {
  std::string_view attribute = {};
  std::size_t with_key = 0;  // how many samples have the key
  Samples samples = {};      // those of one shape, which are read
  std::string text = {};
  std::string place = {};  // the text, with {} for each placeholder
  std::vector<PlaceholderMeasure> placeholders = {};
  std::string evidence = {};
  std::string question = {};

  std::string_view ValueOf(const Sample& sample) const {
    return sample.texts.find(attribute)->second;
  }
  const KeyParts& PartsOf(const Sample& sample) const {
    return sample.keys.find(attribute)->second;
  }
  // Returns "the second part of SK", or the key where it has one part.
  std::string NameOfPart(std::size_t at) const {
    const std::string key(attribute);
    if (PartsOf(*samples.front()).size() == 1) return key;
    return "the " + OrdinalOf(at) + " part of " + key;
  }
  bool Varies(std::size_t at) const {
    const std::string_view first = BodyAt(*samples.front(), {attribute, at});
    return std::ranges::any_of(samples, [&](const Sample* sample) {
      return BodyAt(*sample, {attribute, at}) != first;
    });
  }
  // Returns two different values of the part with the keys that they are in: "u#1#x".
  std::string Examples(std::size_t at) const;
  // Returns "in 2 of 3 samples".
  std::string InSamples(std::size_t agreeing) const {
    return "in " + std::to_string(agreeing) + " of " + std::to_string(with_key) +
           (with_key == 1 ? " sample" : " samples");
  }
  void Ask(const std::string& sentence) {
    question += question.empty() ? sentence : " Also, " + sentence;
  }
};

std::string KeyReading::Examples(std::size_t at) const {
  const Sample& first = *samples.front();
  std::string text = "such as " + QuotedPart(ValueOf(first));
  const auto other = std::ranges::find_if(samples, [&](const Sample* sample) {
    return BodyAt(*sample, {attribute, at}) != BodyAt(first, {attribute, at});
  });
  return other == samples.end() ? text : text + " and " + QuotedPart(ValueOf(**other));
}

// Reads the keys of the entities of one table.
class SampleKeys {
 public:
  explicit SampleKeys(const SampledTable& table) : table_(table) {}

  // Notes behind which texts parts of the group's keys vary: such a part is a placeholder in other
  // groups, too.
  void NotePlaces(const Samples& group) { ReadGroup(group, nullptr); }
  // Returns what the samples say about the keys of the group, and adds them to the entity.
  std::vector<KeyReading> Read(const TableMeasure& table, const SampleGroup& group,
                               EntityMeasure& entity);

 private:
  struct NearlyAgreement {
    std::string_view attribute = {};
    std::size_t samples = 0;
  };
  // Names that only keys of one group have, with the part of each of its samples.
  using NamesInKeys = std::map<std::string, std::map<const Sample*, std::string_view>>;

  KeyReading ReadKey(const Samples& group, std::string_view attribute, NamesInKeys& names);
  bool IsItself(const KeyReading& key) const;
  void ReadPart(KeyReading& key, std::size_t at, NamesInKeys& names);
  void AddPlaceholder(KeyReading& key, KeyPlace place, const std::vector<KeyAgreement>& agreeing,
                      NamesInKeys& names);
  NearlyAgreement NearlyAgreeing(const KeyReading& key, KeyPlace place) const;
  void AskWhich(KeyReading& key, std::size_t at, const std::vector<KeyAgreement>& agreeing) const;
  std::string_view AttributeElsewhere(const KeyReading& key, KeyPlace place) const;
  std::string NameOfNoAttribute(KeyReading& key, KeyPlace place, NamesInKeys& names);
  void ReadGroup(const Samples& group, std::vector<KeyReading>* keys);

  const SampledTable& table_;
  std::set<std::string> places_;  // the texts behind which parts vary
  // The values that an attribute of a group has in a place.
  std::map<std::string, std::map<std::string_view, std::set<std::string_view>>> named_;
  std::set<std::string> unnamed_;  // the places where no attribute of some group has the part
  std::set<std::string> asked_;    // a place and the name that was asked for
};

// Returns the samples with the key whose parts have the most frequent separators.
Samples SamplesWithKey(const Samples& group, std::string_view attribute) {
  std::map<std::string, Samples> by_shape;
  for (const Sample* const sample : group) {
    const auto parts = sample->keys.find(attribute);
    if (parts != sample->keys.end()) by_shape[SeparatorsIn(parts->second)].push_back(sample);
  }
  if (by_shape.empty()) return {};
  return std::ranges::max_element(by_shape, {}, [](const auto& of) { return of.second.size(); })
      ->second;
}

// The whole key is the attribute of its own name, where the name is not one of keys.
bool SampleKeys::IsItself(const KeyReading& key) const {
  if (IsNameOfKey(key.attribute) || key.PartsOf(*key.samples.front()).size() != 1) return false;
  const bool is_of_table = std::ranges::find(table_.keys, key.attribute) <
                           table_.keys.begin() + static_cast<std::ptrdiff_t>(table_.table_keys);
  const std::string_view first = key.ValueOf(*key.samples.front());
  const bool varies = std::ranges::any_of(
      key.samples, [&](const Sample* sample) { return key.ValueOf(*sample) != first; });
  // In the key of a table, several entities may be told apart by a word.
  return !is_of_table || varies || IsValueLike(key.PartsOf(*key.samples.front()).front());
}

std::string_view KindOf(const Samples& samples, KeyPlace place) {
  const auto kind_of = [&](const Sample* sample) {
    return sample->keys.find(place.attribute)->second[place.at].kind;
  };
  const KeyTokenKind first = kind_of(samples.front());
  const bool is_one =
      std::ranges::all_of(samples, [&](const Sample* sample) { return kind_of(sample) == first; });
  return KeyTokenKindName(is_one ? first : KeyTokenKind::kText);
}

PlaceholderMeasure MeasurePart(const Samples& samples, KeyPlace place) {
  PlaceholderMeasure measured;
  measured.kind = KindOf(samples, place);
  std::set<std::string_view> values;
  measured.least_length = static_cast<std::uint32_t>(BodyAt(*samples.front(), place).size());
  for (const Sample* const sample : samples) {
    const std::string_view body = BodyAt(*sample, place);
    const auto length = static_cast<std::uint32_t>(body.size());
    measured.least_length = std::min(measured.least_length, length);
    measured.greatest_length = std::max(measured.greatest_length, length);
    measured.has_leading_zeros |= body.size() > 1 && body.starts_with('0');
    values.insert(body);
  }
  measured.distinct = values.size();
  return measured;
}

// Returns the attribute that has the part in most samples, and in how many.
SampleKeys::NearlyAgreement SampleKeys::NearlyAgreeing(const KeyReading& key,
                                                       KeyPlace place) const {
  std::map<std::string_view, std::size_t> counts;
  for (const Sample* const sample : key.samples) {
    for (const auto& [name, value] : sample->texts) {
      const bool agrees = name != key.attribute && value == BodyAt(*sample, place);
      if (agrees && !table_.excluded.contains(std::string(name))) ++counts[name];
    }
  }
  const auto most = std::ranges::max_element(counts, {}, [](const auto& of) { return of.second; });
  return most == counts.end() ? NearlyAgreement() : NearlyAgreement{most->first, most->second};
}

// Returns the place of the next part of the key. Two key attributes do not begin in one place.
std::string PlaceIn(const KeyReading& key) {
  return key.place.empty() ? "@" + std::string(key.attribute) : key.place;
}

// Returns the attribute of other entities that has some of these values in the same place; empty:
// none has.
std::string_view SampleKeys::AttributeElsewhere(const KeyReading& key, KeyPlace place) const {
  const auto named = named_.find(PlaceIn(key));
  if (named == named_.end()) return {};
  for (const auto& [attribute, values] : named->second) {
    const bool has_some = std::ranges::any_of(key.samples, [&, &of = values](const Sample* sample) {
      return of.contains(BodyAt(*sample, place));
    });
    if (has_some) return attribute;
  }
  return {};
}

// Asks which of several attributes it is, or says that none has the value, and which has it nearly.
void SampleKeys::AskWhich(KeyReading& key, std::size_t at,
                          const std::vector<KeyAgreement>& agreeing) const {
  const std::string what = key.NameOfPart(at);
  const std::size_t samples = key.samples.size();
  if (!agreeing.empty()) {
    std::string names;
    for (const KeyAgreement& each : agreeing) {
      names += (names.empty() ? "" : " or ") + std::string(each.attribute);
    }
    return key.Ask("is " + what + " " + names + "? Each of them has its value " +
                   key.InSamples(samples) + ", " + key.Examples(at) + ".");
  }
  const KeyPlace place = {key.attribute, at};
  const bool is_constant = !key.Varies(at) && !places_.contains(PlaceIn(key));
  const std::string_view elsewhere = AttributeElsewhere(key, place);
  if (is_constant && elsewhere.empty()) {
    return key.Ask("is " + what + " always " + QuotedPart(BodyAt(*key.samples.front(), place)) +
                   ", or is it an id? It is the same " + key.InSamples(samples) +
                   ", and no attribute has its value.");
  }
  const NearlyAgreement nearly = NearlyAgreeing(key, place);
  std::string why = key.Varies(at) ? " It varies, and " : " It varies in other entities, and ";
  if (nearly.samples > 0) {
    why +=
        std::string(nearly.attribute) + " has its value " + key.InSamples(nearly.samples) + " only";
  } else {
    why += "no attribute has its value";
  }
  if (!elsewhere.empty()) why += "; " + std::string(elsewhere) + " of another entity has";
  key.Ask("what is " + what + ", " + key.Examples(at) + "?" + why + ".");
}

// Returns a name for a part that no attribute has: of the attribute that has its values in other
// entities, or made of the text before it, "order_id" behind "ORDER#". The same name is the same
// value in all samples of the group.
std::string SampleKeys::NameOfNoAttribute(KeyReading& key, KeyPlace place, NamesInKeys& names) {
  std::map<const Sample*, std::string_view> values;
  for (const Sample* const sample : key.samples) values[sample] = BodyAt(*sample, place);
  const auto before = ParseImportedTemplate(key.text, TemplateStyle::kBraces);
  std::string name(AttributeElsewhere(key, place));
  if (name.empty()) {
    name = NameOfKeyPart(before.value_or(ImportedTemplate()), key.attribute,
                         KindOf(key.samples, place));
  }
  const auto is_taken = [&] {
    const auto found = names.find(name);
    const bool differs = found != names.end() && std::ranges::any_of(values, [&](const auto& of) {
                           const auto other = found->second.find(of.first);
                           return other != found->second.end() && other->second != of.second;
                         });
    return differs || std::ranges::any_of(key.samples, [&](const Sample* sample) {
             return sample->own.contains(name);
           });
  };
  if (is_taken()) name += "_of_" + LowerCase(key.attribute);
  while (is_taken()) name += "_";
  names[name].insert(values.begin(), values.end());
  return name;
}

// Returns the one whose name has the word before the part, as owner_id behind "OWNER#"; otherwise
// the first one.
const KeyAgreement& LikeliestOf(const std::vector<KeyAgreement>& agreeing, const KeyReading& key) {
  const auto before = ParseImportedTemplate(key.text, TemplateStyle::kBraces);
  const std::string usual = NameOfKeyPart(before.value_or(ImportedTemplate()), key.attribute, "");
  const std::string word = usual.substr(0, usual.rfind('_'));
  const auto found = std::ranges::find_if(agreeing, [&](const KeyAgreement& each) {
    return LowerCase(each.attribute).find(word) != std::string::npos;
  });
  return found == agreeing.end() ? agreeing.front() : *found;
}

void SampleKeys::AddPlaceholder(KeyReading& key, KeyPlace place,
                                const std::vector<KeyAgreement>& agreeing, NamesInKeys& names) {
  PlaceholderMeasure measured = MeasurePart(key.samples, place);
  const std::size_t samples = key.samples.size();
  std::string form;
  std::string evidence = " " + key.InSamples(samples);
  const NearlyAgreement nearly = NearlyAgreeing(key, place);
  const bool is_named = agreeing.empty() && nearly.samples * 2 <= samples;
  if (!agreeing.empty()) {
    const KeyAgreement& likeliest = LikeliestOf(agreeing, key);
    measured.attribute = likeliest.attribute;
    form = likeliest.form;
    key.text += WithDoubledBraces(likeliest.before);
  } else if (is_named) {
    measured.attribute = NameOfNoAttribute(key, place, names);
    evidence = " only in the key";
  } else {
    measured.attribute = nearly.attribute;
    evidence = " " + key.InSamples(nearly.samples);
  }
  measured.text = PlainName(measured.attribute) + (form.empty() ? "" : ":" + form);
  // What no attribute has is one question for all keys with that name behind that text.
  const bool is_open = agreeing.size() != 1 && samples > 1;
  if (is_open && (!is_named || asked_.insert(key.place + "{" + measured.text).second)) {
    AskWhich(key, place.at, agreeing);
  } else if (is_open) {
    evidence += ", as another key asks";
  }
  key.evidence += (key.evidence.empty() ? "" : ", ") + measured.text + evidence;
  key.text += "{" + measured.text + "}";
  key.placeholders.push_back(std::move(measured));
}

void SampleKeys::ReadPart(KeyReading& key, std::size_t at, NamesInKeys& names) {
  const KeyPlace place = {key.attribute, at};
  const KeyToken& first = key.PartsOf(*key.samples.front())[at];
  const bool varies = key.Varies(at);
  const bool may_be_value = IsValueLike(first);
  const bool is_known = at > 0 && places_.contains(key.place);
  std::vector<KeyAgreement> agreeing;
  if (!first.body().empty()) agreeing = AgreeingAt(table_, key.samples, place);
  if (at > 0 && varies && agreeing.empty()) unnamed_.insert(key.place);
  if (varies && agreeing.size() == 1 && agreeing.front().IsExact()) {
    std::set<std::string_view>& values = named_[PlaceIn(key)][agreeing.front().attribute];
    for (const Sample* const sample : key.samples) values.insert(BodyAt(*sample, place));
  }
  // A number with zeros in front may agree by chance with what is an id in other keys.
  const bool is_form = !agreeing.empty() && !agreeing.front().IsExact();
  if (is_form && at > 0 && unnamed_.contains(key.place)) agreeing.clear();
  const bool is_of_one_value = !varies && may_be_value && !agreeing.empty();
  const bool is_known_value = !varies && is_known && (may_be_value || !agreeing.empty());
  // The same id in all samples is more likely one of many than a constant.
  const bool is_whole_hash = key.attribute == table_.keys.front() && at == 0 &&
                             key.PartsOf(*key.samples.front()).size() == 1;
  const bool is_id = !first.body().empty() &&
                     (first.kind != KeyTokenKind::kText || (is_whole_hash && may_be_value));
  const bool is_elsewhere = (at > 0 || may_be_value) && !AttributeElsewhere(key, place).empty();
  if (varies || is_of_one_value || is_known_value || is_id || is_elsewhere) {
    if (varies && at > 0) places_.insert(key.place);
    if (is_of_one_value && !is_known && key.samples.size() > 1) {
      key.Ask("is " + key.NameOfPart(at) + " always " + QuotedPart(first.body()) + ", or " +
              std::string(agreeing.front().attribute) + "? Both are so " +
              key.InSamples(key.samples.size()) + ".");
    }
    AddPlaceholder(key, place, agreeing, names);
    key.place += "{}";
  } else {
    key.text += WithDoubledBraces(first.body());
    key.place += first.body();
  }
  const std::string separator(first.separator == 0 ? 0 : 1, first.separator);
  key.text += WithDoubledBraces(separator);
  key.place += separator;
}

KeyReading SampleKeys::ReadKey(const Samples& group, std::string_view attribute,
                               NamesInKeys& names) {
  KeyReading key;
  key.attribute = attribute;
  key.samples = SamplesWithKey(group, attribute);
  if (key.samples.empty()) return key;
  key.with_key = static_cast<std::size_t>(
      std::ranges::count_if(group, [&](const Sample* of) { return of->keys.contains(attribute); }));
  const std::string_view first = key.ValueOf(*key.samples.front());
  const std::size_t parts = key.PartsOf(*key.samples.front()).size();
  const bool varies = std::ranges::any_of(
      key.samples, [&](const Sample* sample) { return key.ValueOf(*sample) != first; });
  const std::vector<KeyAgreement> agreeing =
      parts > 1 ? AgreeingWithKey(table_, key.samples, attribute) : std::vector<KeyAgreement>{};
  if (IsItself(key)) {
    PlaceholderMeasure measured = MeasurePart(key.samples, {attribute, 0});
    measured.attribute = attribute;
    measured.text = PlainName(attribute);
    key.text = "{" + measured.text + "}";
    key.evidence = "itself " + key.InSamples(key.samples.size());
    key.placeholders = {std::move(measured)};
  } else if (varies && !agreeing.empty() && agreeing.front().IsExact()) {
    AddPlaceholder(key, {attribute, 0}, agreeing, names);
  } else {
    for (std::size_t at = 0; at < parts; ++at) ReadPart(key, at, names);
  }
  if (key.placeholders.empty()) key.evidence = "constant " + key.InSamples(key.samples.size());
  if (key.with_key == 1 && group.size() > 1 && !IsItself(key)) {
    key.Ask("which parts of " + std::string(attribute) +
            " are constants? One sample only has it: " + QuotedPart(first) + ".");
  } else if (key.samples.size() < key.with_key) {
    key.Ask("what is the template of " + std::string(attribute) + "? Only " +
            key.InSamples(key.samples.size()) + " it has as many parts as in " + QuotedPart(first) +
            ".");
  }
  return key;
}

void SampleKeys::ReadGroup(const Samples& group, std::vector<KeyReading>* keys) {
  NamesInKeys names;
  for (const std::string& attribute : table_.keys) {
    KeyReading key = ReadKey(group, attribute, names);
    if (keys != nullptr && !key.samples.empty()) keys->push_back(std::move(key));
  }
  if (keys == nullptr) asked_.clear();
}

// One sample says what is in its keys, and not what is constant there.
void AskAboutSingle(const Samples& group, std::vector<KeyReading>& keys) {
  std::string list;
  for (const KeyReading& key : keys) {
    list += (list.empty() ? "" : ", ") + std::string(key.attribute) + " " +
            QuotedPart(key.ValueOf(*group.front()));
  }
  keys.front().question =
      "which parts of the keys are constants? There is one sample only: " + list +
      ". Check the template of each.";
  for (KeyReading& key : keys) key.evidence = "one sample";
}

const KeyReading* FindReading(const std::vector<KeyReading>& keys,
                              const std::vector<std::string>& names) {
  if (names.size() != 1) return nullptr;
  const auto found = std::ranges::find(keys, names.front(), &KeyReading::attribute);
  return found == keys.end() ? nullptr : &*found;
}

std::vector<KeyReading> SampleKeys::Read(const TableMeasure& table, const SampleGroup& group,
                                         EntityMeasure& entity) {
  std::vector<KeyReading> keys;
  ReadGroup(group.samples, &keys);
  if (keys.empty()) return keys;
  if (group.samples.size() == 1) AskAboutSingle(group.samples, keys);
  if (!group.question.empty()) {
    const std::string of_key = std::exchange(keys.front().question, group.question);
    if (!of_key.empty()) keys.front().Ask(of_key);
  }
  if (const KeyReading* const key = FindReading(keys, table.hash)) entity.partition_key = key->text;
  if (const KeyReading* const key = FindReading(keys, table.range)) entity.sort_key = key->text;
  for (const IndexMeasure& index : table.indexes) {
    const KeyReading* const hash = FindReading(keys, index.hash);
    const KeyReading* const range = FindReading(keys, index.range);
    if (hash == nullptr || (range == nullptr && !index.range.empty())) continue;
    EntityIndex of = {.index = index.name};
    of.items = std::min(hash->samples.size(), (range == nullptr ? hash : range)->samples.size());
    of.partition_key = hash->text;
    if (range != nullptr) of.sort_key = range->text;
    entity.indexes.push_back(std::move(of));
  }
  return keys;
}

// Appends what the samples show of the attributes, the largest first.
void AddSampledAttributes(const Samples& samples, const Measurement& measured,
                          EntityMeasure& entity) {
  std::map<std::string_view, AttributeMeasure> by_name;
  for (const Sample* const sample : samples) {
    for (const Attribute& attribute : sample->attributes) {
      AttributeMeasure& of = by_name[attribute.name];
      ++of.count;
      of.name = attribute.name;
      const std::string_view type = TypeTag(attribute.value.type);
      if (of.types.find(type) == of.types.npos)
        of.types += (of.count > 1 ? ", " : "") + std::string(type);
      of.name_bytes += static_cast<double>(attribute.name.size());
      of.size_bytes += static_cast<double>(attribute.name.size() + SizeBytes(attribute.value));
    }
  }
  // The forms of times are those of the whole table.
  for (const EntityMeasure& other : measured.entities) {
    if (other.table != entity.table) continue;
    for (const AttributeMeasure& attribute : other.attributes) {
      const auto found = by_name.find(attribute.name);
      if (found != by_name.end()) found->second.time_forms = attribute.time_forms;
    }
  }
  for (auto& [name, attribute] : by_name) entity.attributes.push_back(std::move(attribute));
  std::ranges::stable_sort(entity.attributes, std::ranges::greater(),
                           &AttributeMeasure::size_bytes);
}

void AddKeyTemplate(const EntityMeasure& entity, std::string_view index, const KeyReading& key,
                    Measurement& measurement) {
  KeyTemplateMeasure made;
  made.table = entity.table;
  made.index = index;
  made.attribute = key.attribute;
  made.text = key.text;
  made.placeholders = key.placeholders;
  made.items = key.samples.size();
  measurement.key_templates.push_back(std::move(made));
}

// Replaces what was measured of the entities of samples.
class SampledEntities {
 public:
  explicit SampledEntities(Measurement& measurement) : measurement_(measurement) {}

  void Add(TableMeasure& table, std::span<const JsonValue* const> items);
  std::size_t left_out() const { return left_out_; }
  std::vector<SampledEntity> Take() {
    measurement_.entities = std::move(entities_.entities);
    measurement_.key_templates = std::move(entities_.key_templates);
    return std::move(sampled_);
  }

 private:
  void AddEntity(const TableMeasure& table, const SampleGroup& group, SampleKeys& keys);

  Measurement& measurement_;
  Measurement entities_;  // the new entities and key templates
  std::vector<SampledEntity> sampled_;
  std::size_t attributes_ = 0;
  std::size_t left_out_ = 0;
};

// Returns the text behind the first placeholder, without placeholders: "#follower".
std::string WordsBehindIds(std::string_view text) {
  const auto parts = ParseImportedTemplate(text, TemplateStyle::kBraces);
  std::string words;
  for (std::size_t at = 1; parts && at < parts->size(); ++at) words += (*parts)[at].literal;
  return words;
}

// Returns the text of the attribute, which is one of keys; empty: there is none.
std::string_view TextOf(const Sample& sample, const std::vector<std::string>& names) {
  const auto found = names.empty() ? sample.texts.end() : sample.texts.find(names.front());
  return found == sample.texts.end() ? std::string_view() : found->second;
}

void SampledEntities::AddEntity(const TableMeasure& table, const SampleGroup& group,
                                SampleKeys& keys) {
  EntityMeasure entity;
  entity.table = table.name;
  entity.items = group.samples.size();
  const std::string_view type = group.samples.front()->type;
  const bool is_one_type = std::ranges::all_of(
      group.samples, [&](const Sample* sample) { return sample->type == type; });
  if (is_one_type) entity.type = type;
  const std::vector<KeyReading> read = keys.Read(table, group, entity);
  AddSampledAttributes(group.samples, measurement_, entity);
  attributes_ += entity.attributes.size();
  SampledEntity sampled = {.name = WordsBehindIds(entity.partition_key)};
  for (const Sample* const sample : group.samples) {
    sampled.samples.insert(
        SampleName(table.name, TextOf(*sample, table.hash), TextOf(*sample, table.range)));
  }
  for (const KeyReading& key : read) {
    sampled.keys.push_back({std::string(key.attribute), key.evidence, key.question});
    if (IsIn(key.attribute, table.hash) || IsIn(key.attribute, table.range)) {
      AddKeyTemplate(entity, "", key, entities_);
    }
    for (const IndexMeasure& index : table.indexes) {
      if (IsIn(key.attribute, index.hash) || IsIn(key.attribute, index.range)) {
        AddKeyTemplate(entity, index.name, key, entities_);
      }
    }
  }
  entities_.entities.push_back(std::move(entity));
  sampled_.push_back(std::move(sampled));
}

void SampledEntities::Add(TableMeasure& table, std::span<const JsonValue* const> items) {
  Arena arena;
  const SampledTable sampled =
      ReadSampledTable(table, measurement_.settings.separators, items, arena);
  const std::vector<SampleGroup> groups = GroupsOf(sampled);
  SampleKeys keys(sampled);
  // What one group shows about a place may show another place in a second look.
  for (int look = 0; look < 2; ++look) {
    for (const SampleGroup& group : groups) keys.NotePlaces(group.samples);
  }
  for (const SampleGroup& group : groups) {
    const bool has_room =
        entities_.entities.size() < kMostSampledEntities && attributes_ < kMostSampledAttributes;
    if (has_room) {
      AddEntity(table, group, keys);
    } else {
      ++left_out_;
    }
  }
}

}  // namespace

std::string SampleName(std::string_view table, std::string_view hash, std::string_view range) {
  std::string name(table);
  for (const std::string_view key : {hash, range}) name.append("\n").append(key);
  return name;
}

std::vector<SampledEntity> GroupSamples(const SampleItems& items, Measurement& measurement,
                                        std::vector<std::string>& remarks) {
  SampledEntities entities(measurement);
  for (TableMeasure& table : measurement.tables) {
    const auto of_table = items.by_table.find(table.name);
    if (of_table != items.by_table.end()) entities.Add(table, of_table->second);
  }
  if (entities.left_out() > 0) {
    remarks.push_back(
        "the samples show more entities or attributes than a model may have: " +
        std::to_string(entities.left_out()) +
        (entities.left_out() == 1 ? " entity was left out" : " entities were left out"));
  }
  return entities.Take();
}

}  // namespace hashrange
