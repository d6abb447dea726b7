#include "lab/import/measured_names.h"

#include <algorithm>
#include <vector>

#include "base/lower_case.h"
#include "lab/import/imported_template.h"

namespace hashrange {
namespace {

constexpr std::uint64_t kMostDistinct = 2000;

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

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

// Returns whether the name says only that this is a key.
bool IsNameOfKey(std::string_view name) {
  const std::string lower = LowerCase(name);
  return lower.ends_with("pk") || lower.ends_with("sk") || lower == "key" || lower == "hash" ||
         lower == "range";
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
  const std::string kind = measured == nullptr ? "id" : NameOfKind(measured->kind);
  std::string word;
  for (std::size_t before = at + 1; before > 0 && word.empty(); --before) {
    word = LastWord(text[before - 1].literal);
  }
  std::string name = word.empty() ? LowerCase(attribute) + "_" + kind : word + "_" + kind;
  // What the measurement compared with all attributes is none of them.
  while (measured != nullptr && HasMeasuredAttribute(entity, name)) name += "_in_key";
  return PlainName(name);
}

}  // namespace

std::optional<ImportedTemplate> MeasuredTemplate(const Measurement& measurement,
                                                 const EntityMeasure& entity,
                                                 std::string_view index, std::string_view attribute,
                                                 std::string_view text) {
  auto parsed = ParseImportedTemplate(text, TemplateStyle::kBraces);
  if (!parsed) return std::nullopt;
  const KeyTemplateMeasure* const found =
      FindKeyTemplate(measurement, entity.table, index, attribute, text);
  std::size_t number = 0;
  for (std::size_t at = 0; at < parsed->size(); ++at) {
    ImportedPart& part = (*parsed)[at];
    if (part.attribute.empty()) continue;
    const PlaceholderMeasure* const measured =
        found != nullptr && number < found->placeholders.size() ? &found->placeholders[number]
                                                                : nullptr;
    ++number;
    part.form.clear();
    part.attribute = PlaceholderName(entity, attribute, *parsed, at, measured);
  }
  return parsed;
}

ImportedAttribute AttributeOfPlaceholder(const Measurement& measurement,
                                         const EntityMeasure& entity, std::string_view index,
                                         std::string_view attribute, std::string_view text,
                                         std::string_view name) {
  ImportedAttribute made;
  made.name = name;
  const KeyTemplateMeasure* const found =
      FindKeyTemplate(measurement, entity.table, index, attribute, text);
  const auto parsed = MeasuredTemplate(measurement, entity, index, attribute, text);
  if (found == nullptr || !parsed) return made;
  std::size_t number = 0;
  for (const ImportedPart& part : *parsed) {
    if (part.attribute.empty()) continue;
    if (number >= found->placeholders.size()) break;
    const PlaceholderMeasure& placeholder = found->placeholders[number++];
    if (part.attribute != name) continue;
    if (placeholder.kind == "uuid" || placeholder.kind == "ulid") made.id_form = placeholder.kind;
    // The values of a date have the size of their form.
    if (placeholder.kind != "date") {
      made.mean_bytes = (static_cast<double>(placeholder.least_length) +
                         static_cast<double>(placeholder.greatest_length)) /
                        2;
    }
    if (placeholder.distinct < kMostDistinct) {
      made.distinct = static_cast<double>(placeholder.distinct);
    }
    break;
  }
  return made;
}

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

}  // namespace hashrange
