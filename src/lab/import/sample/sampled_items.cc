#include "lab/import/sample/sampled_items.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/text/short_text.h"
#include "value/attribute_value.h"
#include "wire/attribute_json.h"

namespace hashrange {
namespace {

constexpr double kAlikeAttributes = 0.6;   // of the attributes of both
constexpr double kSharedAttributes = 0.5;  // of the attributes of the one that has fewer
// More different words in one place are values, and more sets of attributes are one entity's.
constexpr std::size_t kMostWords = 100;
constexpr std::size_t kMostQuotedBytes = 40;

using AttributeNames = std::set<std::string_view>;

bool IsAmong(std::string_view name, const std::vector<std::string>& names) {
  return std::ranges::find(names, name) != names.end();
}

KeyParts CutKey(const JsonValue& value, std::string_view tag, const KeySeparators& separators) {
  std::string_view text = value.string();
  if (tag == "N") return {{text, 0, KeyTokenKind::kNumber}};
  KeyParts parts;
  while (!text.empty()) {
    const bool is_last = parts.size() + 1 == kMaxKeyTokens;
    parts.push_back(is_last ? KeyToken{text, 0, KeyTokenKind::kText}
                            : FirstToken(text, separators));
    text.remove_prefix(parts.back().text.size());
  }
  return parts;
}

// Returns "#.|.": the separators of the keys of the table.
std::string ShapeOf(const SampledTable& table, const Sample& sample) {
  std::string shape;
  for (std::size_t number = 0; number < table.table_keys; ++number) {
    const auto parts = sample.keys.find(table.keys[number]);
    if (parts != sample.keys.end()) shape += SeparatorsIn(parts->second) + " ";
  }
  return shape;
}

// Attributes.

AttributeNames OwnAttributes(const Samples& samples) {
  AttributeNames names;
  for (const Sample* const sample : samples) names.insert(sample->own.begin(), sample->own.end());
  return names;
}

std::size_t CountInBoth(const AttributeNames& a, const AttributeNames& b) {
  return static_cast<std::size_t>(
      std::ranges::count_if(a, [&](std::string_view name) { return b.contains(name); }));
}

bool AreAlike(const Samples& a, const Samples& b) {
  const AttributeNames of_a = OwnAttributes(a);
  const AttributeNames of_b = OwnAttributes(b);
  const std::size_t both = CountInBoth(of_a, of_b);
  const std::size_t all = of_a.size() + of_b.size() - both;
  return static_cast<double>(both) >= kAlikeAttributes * static_cast<double>(all);
}

AttributeNames TypesOf(const Samples& samples) {
  AttributeNames types;
  for (const Sample* const sample : samples) types.insert(sample->type);
  return types;
}

// Forms of values.

bool HasForm(std::string_view part, std::string_view value, std::string_view form) {
  struct DateForm {
    std::string_view name;
    std::size_t bytes;
  };
  constexpr DateForm kDateForms[] = {
      {"year", 4}, {"month", 7}, {"day", 10}, {"hour", 13}, {"minute", 16}};
  if (value.empty()) return false;
  if (form.empty()) return part == value;
  if (form == "lower") return part == LowerCase(value);
  if (form == "upper")
    return part != value && LowerCase(part) == LowerCase(value) &&
           std::ranges::none_of(part, [](char c) { return c >= 'a' && c <= 'z'; });
  for (const DateForm& date : kDateForms) {
    if (form != date.name) continue;
    const KeyToken token = FirstToken(value, KeySeparators({}));
    return token.kind == KeyTokenKind::kDate && value.size() > date.bytes &&
           part == value.substr(0, date.bytes);
  }
  // A number with zeros in front.
  const auto width = static_cast<std::size_t>(form.back() - '0');
  return part.size() == width && value.size() < width && std::ranges::all_of(value, IsDigit) &&
         part == std::string(width - value.size(), '0') + std::string(value);
}

constexpr std::string_view kSampledForms[] = {"",     "lower",  "upper", "year", "month", "day",
                                              "hour", "minute", "02",    "03",   "04",    "05",
                                              "06",   "07",     "08",    "09"};

// Adds the attributes whose values all parts end with, behind the same text that ends with a sign.
template <typename PartOf>
void AddBehindText(const Samples& samples, PartOf part_of, std::vector<KeyAgreement>& agreeing) {
  const std::string_view part = part_of(*samples.front());
  for (const auto& [name, value] : samples.front()->texts) {
    if (value.empty() || value.size() >= part.size() || !part.ends_with(value)) continue;
    const std::string_view before = part.substr(0, part.size() - value.size());
    if (IsLetter(before.back()) || IsDigit(before.back())) continue;
    const bool agrees = std::ranges::all_of(samples, [&, &of = name](const Sample* sample) {
      const auto found = sample->texts.find(of);
      const std::string_view text = part_of(*sample);
      return found != sample->texts.end() && text.starts_with(before) &&
             text.substr(before.size()) == found->second;
    });
    if (agrees) agreeing.push_back({name, {}, before});
  }
}

// `part_of` returns the text of a sample that is compared.
template <typename PartOf>
std::vector<KeyAgreement> Agreeing(const SampledTable& table, const Samples& samples,
                                   std::string_view key, PartOf part_of) {
  std::vector<KeyAgreement> agreeing;
  for (const std::string_view form : kSampledForms) {
    if (!form.empty() && !agreeing.empty()) break;
    for (const auto& [name, first] : samples.front()->texts) {
      if (name == key || table.excluded.contains(std::string(name))) continue;
      const bool agrees = std::ranges::all_of(samples, [&, &of = name](const Sample* sample) {
        const auto value = sample->texts.find(of);
        return value != sample->texts.end() && HasForm(part_of(*sample), value->second, form);
      });
      if (agrees) agreeing.push_back({name, form});
    }
  }
  if (agreeing.empty()) AddBehindText(samples, part_of, agreeing);
  std::erase_if(agreeing, [&](const KeyAgreement& each) {
    return each.attribute == key || table.excluded.contains(std::string(each.attribute));
  });
  return agreeing;
}

// Groups.

// Finds the groups of a table's samples of one shape.
class GroupFinder {
 public:
  GroupFinder(const SampledTable& table, std::vector<SampleGroup>& groups)
      : table_(table), groups_(groups) {}

  // Splits the samples at the parts of their keys from that place on, then by what is no key.
  void Split(const Samples& samples, std::size_t key, std::size_t at);

 private:
  std::vector<Samples> SplitAt(const Samples& samples, KeyPlace place) const;
  bool AreSame(const Samples& a, const Samples& b) const;
  void SplitByTypes(const Samples& samples);
  void SplitByAttributes(const Samples& samples);

  const SampledTable& table_;
  std::vector<SampleGroup>& groups_;
};

void GroupFinder::Split(const Samples& samples, std::size_t key, std::size_t at) {
  if (key == table_.table_keys) return SplitByTypes(samples);
  const auto parts = samples.front()->keys.find(table_.keys[key]);
  const bool has_part = parts != samples.front()->keys.end() && at < parts->second.size();
  const bool is_attribute =
      has_part && at == 0 &&
      std::ranges::any_of(AgreeingWithKey(table_, samples, parts->first), &KeyAgreement::IsExact);
  if (!has_part || is_attribute) return Split(samples, key + 1, 0);
  for (const Samples& part : SplitAt(samples, {parts->first, at})) Split(part, key, at + 1);
}

// Returns whether samples that differ in one word may be of one entity.
bool GroupFinder::AreSame(const Samples& a, const Samples& b) const {
  const AttributeNames types_of_a = TypesOf(a);
  const bool has_types = table_.types_tell && CountInBoth(types_of_a, TypesOf(b)) == 0;
  return !has_types && AreAlike(a, b);
}

// Joins the elements of which `are_same` is true, directly or by others between them.
template <typename AreSame>
std::vector<Samples> Joined(const std::vector<Samples>& parts, AreSame are_same) {
  std::vector<std::size_t> first_of(parts.size());  // the first element that each is joined with
  for (std::size_t at = 0; at < parts.size(); ++at) {
    first_of[at] = at;
    for (std::size_t before = 0; before < at; ++before) {
      const std::size_t from = first_of[at];
      const std::size_t into = first_of[before];
      if (from == into || !are_same(parts[before], parts[at])) continue;
      std::ranges::replace(first_of, std::max(from, into), std::min(from, into));
    }
  }
  std::map<std::size_t, Samples> joined;
  for (std::size_t at = 0; at < parts.size(); ++at) {
    Samples& group = joined[first_of[at]];
    group.insert(group.end(), parts[at].begin(), parts[at].end());
  }
  std::vector<Samples> groups;
  for (auto& [first, group] : joined) groups.push_back(std::move(group));
  return groups;
}

// Returns whether words in that place say what an entity is, whatever attributes it has: "USER#"
// and "ORDER#" at the beginning or behind an id, and "follower" at the end of a partition key. At
// the end of a sort key, words such as "OPEN" may be values.
bool IsLabelAt(const SampledTable& table, const Samples& samples, KeyPlace place) {
  const KeyParts& first = samples.front()->keys.at(place.attribute);
  const bool is_last = first[place.at].separator == 0;
  if (place.at == 0 || (is_last && place.attribute != table.keys.front())) return !is_last;
  const KeyPlace before = {place.attribute, place.at - 1};
  return IsValueLike(first[before.at]) || std::ranges::any_of(samples, [&](const Sample* sample) {
           return BodyAt(*sample, before) != first[before.at].body();
         });
}

std::vector<Samples> GroupFinder::SplitAt(const Samples& samples, KeyPlace place) const {
  std::map<std::string_view, Samples> by_word;  // empty: what is like a value
  for (const Sample* const sample : samples) {
    const KeyToken& part = sample->keys.at(place.attribute)[place.at];
    by_word[IsValueLike(part) ? std::string_view() : part.body()].push_back(sample);
  }
  const bool is_whole = by_word.size() == 1 || by_word.size() > kMostWords ||
                        !AgreeingAt(table_, samples, place).empty();
  if (is_whole) return {samples};
  const bool is_label = IsLabelAt(table_, samples, place);
  std::vector<Samples> parts;
  for (auto& [word, of_word] : by_word) parts.push_back(std::move(of_word));
  return Joined(parts, [&](const Samples& a, const Samples& b) {
    if (!is_label) return AreSame(a, b);
    // Words that an attribute has are values.
    Samples both = a;
    both.insert(both.end(), b.begin(), b.end());
    return AreSame(a, b) && !AgreeingAt(table_, both, place).empty();
  });
}

std::string ListOf(const AttributeNames& names) {
  std::string list;
  for (const std::string_view name : names) {
    list += (list.empty() ? "" : ", ") + (name.empty() ? "none" : std::string(name));
  }
  return list.empty() ? "none" : list;
}

void GroupFinder::SplitByTypes(const Samples& samples) {
  std::map<std::string_view, Samples> by_type;
  for (const Sample* const sample : samples) by_type[sample->type].push_back(sample);
  if (!table_.types_tell || by_type.size() == 1) return SplitByAttributes(samples);
  if (by_type.size() == samples.size()) {
    return groups_.push_back(
        {samples, "are samples of the types " + ListOf(TypesOf(samples)) +
                      " one entity? Each has a type of its own, and their keys have the same "
                      "shape."});
  }
  for (const auto& [type, of_type] : by_type) groups_.push_back({of_type, ""});
}

void GroupFinder::SplitByAttributes(const Samples& samples) {
  std::map<AttributeNames, Samples> by_names;
  for (const Sample* const sample : samples) by_names[sample->own].push_back(sample);
  if (by_names.size() == 1 || by_names.size() > kMostWords) {
    return groups_.push_back({samples, ""});
  }
  std::vector<Samples> parts;
  for (auto& [names, of_names] : by_names) parts.push_back(std::move(of_names));
  parts = Joined(parts, [](const Samples& a, const Samples& b) {
    const AttributeNames of_a = OwnAttributes(a);
    const AttributeNames of_b = OwnAttributes(b);
    const auto fewer = static_cast<double>(std::min(of_a.size(), of_b.size()));
    return static_cast<double>(CountInBoth(of_a, of_b)) >= kSharedAttributes * fewer;
  });
  for (const Samples& part : parts) {
    SampleGroup group = {part, ""};
    if (&part != &parts.front()) {
      group.question = "are samples with " + ListOf(OwnAttributes(part)) +
                       " another entity than samples with " + ListOf(OwnAttributes(parts.front())) +
                       ", although their keys have the same shape? If so, what in the keys tells "
                       "them apart?";
    }
    groups_.push_back(std::move(group));
  }
}

// Adds an item of the table; its keys are cut.
void AddSample(const TableMeasure& table, const KeySeparators& separators, const JsonValue& item,
               Arena& arena, SampledTable& sampled) {
  const auto attributes = ReadAttributes(item, ValidationLayer::kBare, arena);
  if (!attributes.ok()) return;  // the engine has it, so it can be read
  Sample sample;
  sample.attributes = *attributes;
  for (const JsonMember& member : item.members()) {
    if (member.value.size != 1) continue;
    const JsonMember& content = member.value.members().front();
    const bool is_key = IsAmong(member.name, sampled.keys);
    const bool is_text = content.value.type == JsonValue::Type::kString &&
                         (content.name == "S" || content.name == "N");
    if (is_text) sample.texts[member.name] = content.value.string();
    if (is_key && is_text) {
      sample.keys[member.name] = CutKey(content.value, content.name, separators);
    }
    if (member.name == table.type_attribute && content.name == "S") {
      sample.type = content.value.string();
    } else if (!is_key) {
      sample.own.insert(member.name);
    }
  }
  sampled.samples.push_back(std::move(sample));
}

}  // namespace

SampledTable ReadSampledTable(TableMeasure& table, std::string_view separators,
                              std::span<const JsonValue* const> items, Arena& arena) {
  SampledTable sampled;
  const auto add_keys = [&](const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      if (!IsAmong(name, sampled.keys)) sampled.keys.push_back(name);
      if (IsNameOfKey(name)) sampled.excluded.insert(name);
    }
  };
  add_keys(table.hash);
  add_keys(table.range);
  sampled.table_keys = sampled.keys.size();
  for (const IndexMeasure& index : table.indexes) {
    add_keys(index.hash);
    add_keys(index.range);
  }
  const KeySeparators cuts(separators);
  for (const JsonValue* const item : items) AddSample(table, cuts, *item, arena, sampled);
  AttributeNames types;
  std::size_t typed = 0;
  for (const Sample& sample : sampled.samples) {
    if (sample.type.empty()) continue;
    ++typed;
    types.insert(sample.type);
  }
  // "Complaint1" and "Complaint2" are ids, and not types.
  const bool are_ids = std::ranges::all_of(
      types, [](std::string_view type) { return std::ranges::any_of(type, IsDigit); });
  sampled.types_tell = types.size() < typed || !are_ids;
  if (sampled.types_tell) {
    sampled.excluded.insert(table.type_attribute);
  } else if (!table.type_attribute.empty()) {
    for (Sample& sample : sampled.samples) {
      if (!std::exchange(sample.type, {}).empty()) sample.own.insert(table.type_attribute);
    }
    table.type_attribute.clear();
  }
  return sampled;
}

std::vector<SampleGroup> GroupsOf(const SampledTable& table) {
  std::map<std::string, Samples> by_shape;
  for (const Sample& sample : table.samples) by_shape[ShapeOf(table, sample)].push_back(&sample);
  std::vector<SampleGroup> groups;
  for (const auto& [shape, samples] : by_shape) GroupFinder(table, groups).Split(samples, 0, 0);
  // The keys of a parent have fewer parts than those of its children.
  std::ranges::stable_sort(groups, {}, [&](const SampleGroup& group) {
    return std::pair(ShapeOf(table, *group.samples.front()).size(),
                     -static_cast<std::int64_t>(group.samples.size()));
  });
  return groups;
}

std::string_view BodyAt(const Sample& sample, KeyPlace place) {
  return sample.keys.find(place.attribute)->second[place.at].body();
}

bool IsValueLike(const KeyToken& token) {
  return token.kind != KeyTokenKind::kText || std::ranges::any_of(token.body(), IsDigit);
}

bool IsNameOfKey(std::string_view name) {
  const std::string lower = LowerCase(name);
  return lower.ends_with("pk") || lower.ends_with("sk") || lower == "key" || lower == "hash" ||
         lower == "range";
}

std::string SeparatorsIn(const KeyParts& parts) {
  std::string text;
  for (const KeyToken& part : parts) text += part.separator == 0 ? '.' : part.separator;
  return text;
}

std::vector<KeyAgreement> AgreeingAt(const SampledTable& table, const Samples& samples,
                                     KeyPlace place) {
  return Agreeing(table, samples, place.attribute,
                  [&](const Sample& sample) { return BodyAt(sample, place); });
}

std::vector<KeyAgreement> AgreeingWithKey(const SampledTable& table, const Samples& samples,
                                          std::string_view key) {
  return Agreeing(table, samples, key,
                  [&](const Sample& sample) { return sample.texts.find(key)->second; });
}

std::string QuotedPart(std::string_view text) {
  if (text.size() <= kMostQuotedBytes) return "\"" + std::string(text) + "\"";
  return "\"" + std::string(text.substr(0, kMostQuotedBytes)) + "…\"";
}

}  // namespace hashrange
