#include "lab/language/lab_generators.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/language/drawn_sizes.h"
#include "lab/language/joined_names.h"
#include "lab/language/lab_conditions.h"
#include "lab/language/lab_distributions.h"
#include "lab/language/lab_names.h"
#include "lab/language/lab_scalars.h"
#include "lab/language/lab_templates.h"
#include "lab/language/node_reader.h"

namespace hashrange {
namespace {

using Kind = LabGenerator::Kind;
using TimeForm = LabGenerator::TimeForm;

constexpr int kWidestSequence = 18;  // digits
constexpr std::int64_t kGreatestStart = 100'000'000'000'000'000;
constexpr double kLongestText = 400 * 1024;  // bytes, as an item

// The map of one generator, while it is read.
struct GeneratorMap {
  NodeReader& map;
  int entity;
  LabGenerator& target;
  std::optional<LabType>& type;
  LabReading& reading() const { return map.reading(); }
};

LabType TypeOfScalar(const LabNode& value) {
  if (value.is_quoted) return LabType::kString;
  if (PlainNumberText(value.text)) return LabType::kNumber;
  return value.text == "true" || value.text == "false" ? LabType::kBool : LabType::kString;
}

void ReadConstant(const LabNode& value, const GeneratorMap& generator) {
  generator.target.text = ReadLabText(value, "a constant", generator.reading());
  generator.type = TypeOfScalar(value);
  if (generator.type == LabType::kNumber) generator.target.text = *PlainNumberText(value.text);
}

void ReadSequence(const LabNode& value, const GeneratorMap& generator) {
  generator.target.width = static_cast<int>(
      ReadLabWhole(value, "the width of a sequence", 1, kWidestSequence, generator.reading()));
  if (const LabNode* const start = generator.map.Member("start")) {
    generator.target.first_number = static_cast<std::uint64_t>(
        ReadLabWhole(*start, "`start`", 0, kGreatestStart, generator.reading()));
  }
}

void ReadUlid(const LabNode& value, const GeneratorMap& generator) {
  const int attribute = FindOwnAttribute(generator.entity, NameIn(value), generator.reading());
  if (attribute != kLabNone) generator.target.other = {generator.entity, attribute};
}

void ReadUuid(const LabNode& value, const GeneratorMap& generator) {
  if (ReadLabFlag(value, "`uuid`", generator.reading())) return;
  generator.reading().Fail(value.place, "`uuid` has to be true");
}

void ReadTextTemplate(const LabNode& value, const GeneratorMap& generator) {
  generator.target.text_template = ReadTemplate(value, generator.entity, generator.reading());
}

struct TimeFormRow {
  const char* name;
  TimeForm form;
  LabType type;
};
constexpr TimeFormRow kTimeForms[] = {
    {"iso", TimeForm::kIso, LabType::kString},
    {"seconds", TimeForm::kSeconds, LabType::kNumber},
    {"milliseconds", TimeForm::kMilliseconds, LabType::kNumber},
};

void ReadTimeForm(const GeneratorMap& generator, NodeReader& map) {
  const LabNode* const form = map.Member("form");
  if (!form) return;
  const int found =
      FindName(NameIn(*form), NamesIn(kTimeForms),
               "there is no form of times \"" + form->text + "\"", generator.reading());
  if (found == kLabNone) return;
  generator.target.time_form = kTimeForms[found].form;
  generator.type = kTimeForms[found].type;
}

void ReadPast(const LabNode& past, const GeneratorMap& generator, NodeReader&) {
  generator.target.earliest_ms = -ReadLabDuration(past, "`past`", generator.reading());
}

void ReadAhead(const LabNode& ahead, const GeneratorMap& generator, NodeReader&) {
  generator.target.latest_ms = ReadLabDuration(ahead, "`ahead`", generator.reading());
}

void ReadAfter(const LabNode& after, const GeneratorMap& generator, NodeReader& map) {
  LabReading& reading = generator.reading();
  const int attribute = FindOwnAttribute(generator.entity, NameIn(after), reading);
  if (attribute != kLabNone) generator.target.other = {generator.entity, attribute};
  if (const LabNode* const within = map.Require("within")) {
    generator.target.latest_ms = ReadLabDuration(*within, "`within`", reading);
  }
}

struct TimeSpanRow {
  const char* name;
  void (*read)(const LabNode& value, const GeneratorMap& generator, NodeReader& map);
};
constexpr TimeSpanRow kTimeSpans[] = {
    {"past", ReadPast}, {"ahead", ReadAhead}, {"after", ReadAfter}};

void ReadTime(const LabNode& value, const GeneratorMap& generator) {
  NodeReader map(value, "`time`", generator.reading());
  if (const TimeSpanRow* const row = map.OneOf(kTimeSpans)) {
    row->read(*value.Find(row->name), generator, map);
  }
  ReadTimeForm(generator, map);
  map.Finish();
  ReadTimeForm(generator, generator.map);
}

// Makes the choices numbers where all of them are, and none of them is in quotes.
void TypeChoices(const LabNode& value, const GeneratorMap& generator) {
  std::vector<LabGenerator::Choice>& choices = generator.target.choices;
  const auto is_number = [](const LabGenerator::Choice& choice) {
    return PlainNumberText(choice.value).has_value();
  };
  if (std::ranges::any_of(value.elements, &LabNode::is_quoted)) return;
  if (!std::ranges::all_of(choices, is_number)) return;
  generator.type = LabType::kNumber;
  for (LabGenerator::Choice& choice : choices) choice.value = *PlainNumberText(choice.value);
}

void ReadChoice(const LabNode& value, const GeneratorMap& generator) {
  std::vector<LabGenerator::Choice>& choices = generator.target.choices;
  for (const LabNode::Member& member : value.members) {
    const std::string what = "the weight of \"" + member.name + "\"";
    choices.push_back(
        {member.name, ReadLabNumber(member.value, what, kLabNotNegative, generator.reading())});
  }
  for (const LabNode& element : value.elements) {
    choices.push_back({ReadLabText(element, "a choice", generator.reading()), 1});
  }
  const bool has_weight = std::ranges::any_of(
      choices, [](const LabGenerator::Choice& choice) { return choice.weight > 0; });
  if (has_weight) return TypeChoices(value, generator);
  generator.reading().Fail(value.place,
                           "`choice` has to be a list of values, or a map of values and weights, "
                           "not all of which are 0");
}

void ReadTextLength(const LabNode& value, const GeneratorMap& generator) {
  generator.target.distribution = ReadDistribution(value, {"`text`"}, generator.reading());
  if (MeanOf(generator.target.distribution) <= kLongestText) return;
  generator.reading().Fail(value.place, "`text` is longer than an item may be, 400 KB");
}

void ReadNumberDraw(const LabNode& value, const GeneratorMap& generator) {
  LabGenerator& target = generator.target;
  target.distribution =
      ReadDistribution(value, {"`number`", true, &target.decimals}, generator.reading());
  if (const LabNode* const decimals = generator.map.Member("decimals")) {
    target.decimals = static_cast<int>(
        ReadLabWhole(*decimals, "`decimals`", 0, kMostDecimals, generator.reading()));
  }
}

void ReadProbability(const LabNode& value, const GeneratorMap& generator) {
  generator.target.probability = ReadLabNumber(value, "`flag`", kLabShare, generator.reading());
}

void ReadRefPick(const LabNode& pick, const GeneratorMap& generator) {
  constexpr double kUsualExponent = 0.99;
  LabReading& reading = generator.reading();
  if (pick.kind == LabNode::Kind::kMap) {
    NodeReader map(pick, "`pick` of a `ref`", reading);
    if (const LabNode* const exponent = map.Require("zipf")) {
      generator.target.pick_exponent = ReadLabNumber(*exponent, "`zipf`", kLabNotNegative, reading);
    }
    return map.Finish();
  }
  if (pick.text == "zipf") {
    generator.target.pick_exponent = kUsualExponent;
  } else if (pick.text != "uniform") {
    reading.Fail(pick.place,
                 "`pick` of a `ref` has to be uniform, zipf or {zipf: 1.1}, and this is \"" +
                     pick.text + "\"");
  }
}

void ReadRef(const LabNode& value, const GeneratorMap& generator) {
  LabGenerator& target = generator.target;
  target.other = FindDottedAttribute(NameIn(value), generator.reading());
  if (const LabNode* const with = generator.map.Member("with")) {
    target.kind = Kind::kOfRef;
    target.with = FindOwnAttribute(generator.entity, NameIn(*with), generator.reading());
  } else if (const LabNode* const pick = generator.map.Member("pick")) {
    ReadRefPick(*pick, generator);
  }
}

void ReadOfAncestor(const LabNode& value, const GeneratorMap& generator) {
  LabReading& reading = generator.reading();
  const LabAttributeRef other = FindDottedAttribute(NameIn(value), reading);
  generator.target.other = other;
  if (other.entity == kLabNone) return;
  const bool is_ancestor = other.entity != generator.entity &&
                           IsAncestorOrSelf(reading.file, other.entity, generator.entity);
  if (is_ancestor) return;
  reading.Fail(value.place,
               EntityAt(reading.file, other.entity).name + " is no ancestor of " +
                   EntityAt(reading.file, generator.entity).name +
                   "; `of` copies an attribute of an ancestor, and `ref` with `with` one "
                   "of another entity");
}

struct GeneratorRow {
  const char* name;
  Kind kind;
  std::optional<LabType> type;  // nothing: that of what is copied
  void (*read)(const LabNode& value, const GeneratorMap& generator);
};
constexpr GeneratorRow kGenerators[] = {
    {"constant", Kind::kConstant, LabType::kString, ReadConstant},
    {"sequence", Kind::kSequence, LabType::kString, ReadSequence},
    {"ulid", Kind::kUlid, LabType::kString, ReadUlid},
    {"uuid", Kind::kUuid, LabType::kString, ReadUuid},
    {"template", Kind::kTemplate, LabType::kString, ReadTextTemplate},
    {"time", Kind::kTime, LabType::kString, ReadTime},
    {"choice", Kind::kChoice, LabType::kString, ReadChoice},
    {"text", Kind::kText, LabType::kString, ReadTextLength},
    {"number", Kind::kNumber, LabType::kNumber, ReadNumberDraw},
    {"flag", Kind::kFlag, LabType::kBool, ReadProbability},
    {"ref", Kind::kRef, std::nullopt, ReadRef},
    {"of", Kind::kOfAncestor, std::nullopt, ReadOfAncestor},
};

DescribedGenerator ReadPlainScalar(const LabNode& node, int entity, LabReading& reading) {
  DescribedGenerator result;
  if (HasBraces(node.text)) {
    result.generator.kind = Kind::kTemplate;
    result.generator.text_template = ReadTemplate(node, entity, reading);
    return result;
  }
  result.generator.text = ReadLabText(node, "an attribute", reading);
  result.type = TypeOfScalar(node);
  if (result.type == LabType::kNumber) result.generator.text = *PlainNumberText(node.text);
  return result;
}

bool GivesType(const LabFile& file, const DescribedGenerator& made, LabType type) {
  if (made.type) return *made.type == type;
  const LabAttributeRef other = made.generator.other;
  return other.entity == kLabNone || LabAttributeAt(file, other).type == type;
}

}  // namespace

DescribedGenerator ReadGenerator(const LabNode& node, int entity, LabReading& reading) {
  if (node.kind == LabNode::Kind::kScalar) return ReadPlainScalar(node, entity, reading);
  DescribedGenerator result;
  NodeReader map(node, "a generator", reading);
  const GeneratorRow* const row = map.OneOf(kGenerators);
  if (!row) return result;
  result.generator.kind = row->kind;
  result.type = row->type;
  row->read(*node.Find(row->name), {map, entity, result.generator, result.type});
  if (const LabNode* const present = map.Member("present")) {
    result.present = ReadLabNumber(*present, "`present`", kLabShare, reading);
  }
  map.Finish();
  return result;
}

LabGenerator ReadGeneratorFor(const LabNode& node, LabAttributeRef attribute, LabReading& reading) {
  LabGenerator result;
  const bool is_constant = node.kind == LabNode::Kind::kScalar && !HasBraces(node.text);
  if (is_constant) {
    result.text = ReadValueOf(node, attribute, reading);
    return result;
  }
  const DescribedGenerator made = ReadGenerator(node, attribute.entity, reading);
  if (!reading.ok()) return result;
  const LabAttribute& target = LabAttributeAt(reading.file, attribute);
  if (made.present != 1) {
    reading.Fail(node.place, "`present` is for the attributes of entities; a pattern sets a value");
  }
  if (!GivesType(reading.file, made, target.type)) {
    reading.Fail(node.place, "\"" + target.name + "\" is a " + LabTypeName(target.type) +
                                 ", and this gives something else");
  }
  CheckTemplateForms(made.generator.text_template, reading);
  return made.generator;
}

const char* LabTypeName(LabType type) {
  switch (type) {
    case LabType::kString:
      return "text";
    case LabType::kNumber:
      return "number";
    case LabType::kBool:
      return "true or false";
  }
  return "text";
}

}  // namespace hashrange
