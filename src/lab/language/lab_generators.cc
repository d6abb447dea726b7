// Generators, `{choice: {OPEN: 3, PAID: 7}}`, and the distributions that some of them draw from.
#include <algorithm>
#include <limits>
#include <string>

#include "lab/language/lab_parts.h"
#include "lab/language/lab_templates.h"

namespace hashrange {

// Distributions.

namespace {

constexpr LabWord<LabDistribution::Kind> kDistributions[] = {
    {"fixed", LabDistribution::Kind::kFixed},         {"uniform", LabDistribution::Kind::kUniform},
    {"zipf", LabDistribution::Kind::kZipf},           {"poisson", LabDistribution::Kind::kPoisson},
    {"lognormal", LabDistribution::Kind::kLognormal}, {"normal", LabDistribution::Kind::kNormal},
};

void ReadTwoNumbers(const LabNode& node, const std::string& what, LabDistribution& target,
                    LabReading& reading) {
  target.first = LabNumberIn(node.elements[0]);
  target.second = LabNumberIn(node.elements[1]);
  const bool is_uniform = target.kind == LabDistribution::Kind::kUniform;
  if (is_uniform && target.first > target.second) {
    reading.Fail(node.place, what + " has a first number that is more than its second one");
  }
  if (!is_uniform && target.second < 0) {
    reading.Fail(node.elements[1].place, "a deviation has to be a number of 0 or more");
  }
}

}  // namespace

LabDistribution ReadDistribution(const LabNode& node, const std::string& what, double least,
                                 LabReading& reading) {
  LabDistribution result;
  result.least = least;
  const auto* const row = RowOf(node, kDistributions);
  if (row) result.kind = row->meaning;
  if (node.kind == LabNode::Kind::kList) result.kind = LabDistribution::Kind::kUniform;
  const LabNode& value = row ? *node.Find(row->name) : node;
  if (value.kind == LabNode::Kind::kList) {
    ReadTwoNumbers(value, what, result, reading);
  } else {
    result.first = LabNumberIn(value);
  }
  TakeLabNumber(node, "mean", result.second);
  TakeLabNumber(node, "min", result.least);
  TakeLabNumber(node, "max", result.greatest);
  if (result.greatest < result.least) {
    reading.Fail(node.Find("max")->place, "`max` is less than `min`");
  }
  return result;
}

// Generators.

namespace {

using Kind = LabGenerator::Kind;
using TimeForm = LabGenerator::TimeForm;

// The map of one generator, while it is read.
struct GeneratorMap {
  const LabNode& map;
  int entity;
  LabReading& reading;
  LabGenerator& target;
  std::optional<LabType>& type;

  // Returns the attribute of the same entity; entity kLabNone, with an error, where it has none.
  LabAttributeRef OwnAttribute(const LabNode& name) const {
    const int attribute = FindOwnAttribute(entity, NameIn(name), reading);
    return attribute == kLabNone ? LabAttributeRef{} : LabAttributeRef{entity, attribute};
  }
};

LabType TypeOfConstant(const LabNode& value) {
  if (value.is_quoted) return LabType::kString;
  if (PlainNumberText(value.text)) return LabType::kNumber;
  return value.text == "true" || value.text == "false" ? LabType::kBool : LabType::kString;
}

void ReadConstant(const LabNode& value, const GeneratorMap& generator) {
  generator.target.text = value.text;
  generator.type = TypeOfConstant(value);
  if (generator.type == LabType::kNumber) generator.target.text = *PlainNumberText(value.text);
}

void ReadSequence(const LabNode& value, const GeneratorMap& generator) {
  generator.target.width = static_cast<int>(LabWholeIn(value));
  TakeLabWhole(generator.map, "start", generator.target.first_number);
}

void ReadUlid(const LabNode& value, const GeneratorMap& generator) {
  generator.target.other = generator.OwnAttribute(value);
}

void ReadUuid(const LabNode&, const GeneratorMap&) {}

void ReadTextTemplate(const LabNode& value, const GeneratorMap& generator) {
  generator.target.text_template = ReadTemplate(value, generator.entity, generator.reading);
}

struct TimeFormRow {
  std::string_view name;
  TimeForm form;
  LabType type;
};
constexpr TimeFormRow kTimeForms[] = {
    {"iso", TimeForm::kIso, LabType::kString},
    {"seconds", TimeForm::kSeconds, LabType::kNumber},
    {"milliseconds", TimeForm::kMilliseconds, LabType::kNumber},
};

void ReadTime(const LabNode& value, const GeneratorMap& generator) {
  LabGenerator& target = generator.target;
  TakeLabDuration(value, "past", target.earliest_ms, generator.reading);
  target.earliest_ms = -target.earliest_ms;
  TakeLabDuration(value, "ahead", target.latest_ms, generator.reading);
  if (const LabNode* const after = value.Find("after")) {
    target.other = generator.OwnAttribute(*after);
    TakeLabDuration(value, "within", target.latest_ms, generator.reading);
  }
  for (const LabNode* const map : {&value, &generator.map}) {
    const LabNode* const form = map->Find("form");
    if (!form) continue;
    const TimeFormRow& row = *std::ranges::find(kTimeForms, form->text, &TimeFormRow::name);
    target.time_form = row.form;
    generator.type = row.type;
  }
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
    choices.push_back({member.name, LabNumberIn(member.value)});
  }
  for (const LabNode& element : value.elements) choices.push_back({element.text, 1});
  const bool has_weight = std::ranges::any_of(
      choices, [](const LabGenerator::Choice& choice) { return choice.weight > 0; });
  if (has_weight) return TypeChoices(value, generator);
  generator.reading.Fail(value.place,
                         "`choice` has to be a list of values, or a map of values and weights, "
                         "not all of which are 0");
}

void ReadTextLength(const LabNode& value, const GeneratorMap& generator) {
  constexpr double kLongestText = 400 * 1024;  // bytes, as an item
  generator.target.distribution = ReadDistribution(value, "`text`", 0, generator.reading);
  if (MeanOf(generator.target.distribution) <= kLongestText) return;
  generator.reading.Fail(value.place, "`text` is longer than an item may be, 400 KB");
}

void ReadDimensions(const LabNode& value, const GeneratorMap& generator) {
  generator.target.width = static_cast<int>(LabWholeIn(value));
}

void ReadNumberDraw(const LabNode& value, const GeneratorMap& generator) {
  constexpr double kAnyNumber = -std::numeric_limits<double>::infinity();
  generator.target.distribution =
      ReadDistribution(value, "`number`", kAnyNumber, generator.reading);
  TakeLabWhole(value, "decimals", generator.target.decimals);
  TakeLabWhole(generator.map, "decimals", generator.target.decimals);
}

void ReadProbability(const LabNode& value, const GeneratorMap& generator) {
  generator.target.probability = LabNumberIn(value);
}

void ReadRef(const LabNode& value, const GeneratorMap& generator) {
  constexpr double kUsualExponent = 0.99;
  LabGenerator& target = generator.target;
  target.other = FindDottedAttribute(NameIn(value), generator.reading);
  const LabNode* const with = generator.map.Find("with");
  const LabNode* const pick = generator.map.Find("pick");
  if (with) {
    target.kind = Kind::kOfRef;
    target.with = generator.OwnAttribute(*with).attribute;
    if (!pick) return;
    generator.reading.Fail(pick->place, "only one of \"with\" and \"pick\" may be here");
  } else if (pick) {
    if (pick->text == "zipf") target.pick_exponent = kUsualExponent;
    TakeLabNumber(*pick, "zipf", target.pick_exponent);
  }
}

void ReadOfAncestor(const LabNode& value, const GeneratorMap& generator) {
  const LabFile& file = generator.reading.file;
  const LabAttributeRef other = FindDottedAttribute(NameIn(value), generator.reading);
  generator.target.other = other;
  if (other.entity == kLabNone) return;
  const bool is_ancestor =
      other.entity != generator.entity && IsAncestorOrSelf(file, other.entity, generator.entity);
  if (is_ancestor) return;
  generator.reading.Fail(value.place,
                         EntityAt(file, other.entity).name + " is no ancestor of " +
                             EntityAt(file, generator.entity).name +
                             "; `of` copies an attribute of an ancestor, and `ref` with `with` one "
                             "of another entity");
}

struct GeneratorRow {
  std::string_view name;
  Kind kind;
  std::optional<LabType> type;  // nothing: the type of the copied attribute
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
    {"vector", Kind::kVector, LabType::kVector, ReadDimensions},
    {"flag", Kind::kFlag, LabType::kBool, ReadProbability},
    {"ref", Kind::kRef, std::nullopt, ReadRef},
    {"of", Kind::kOfAncestor, std::nullopt, ReadOfAncestor},
};

const char* TypeName(LabType type) {
  switch (type) {
    case LabType::kString:
      return "text";
    case LabType::kNumber:
      return "number";
    case LabType::kBool:
      return "true or false";
    case LabType::kVector:
      return "vector";
  }
  return "text";
}

// Reports a vector that has another length than those of the attribute.
void CheckDimensions(const LabNode& node, const LabGenerator& made, LabAttributeRef attribute,
                     LabReading& reading) {
  const LabFile& file = reading.file;
  const int given = IsCopy(made) ? DimensionsOf(file, made.other) : made.width;
  const int wanted = DimensionsOf(file, attribute);
  if (given == wanted) return;
  reading.Fail(node.place, "\"" + LabAttributeAt(file, attribute).name + "\" has " +
                               std::to_string(wanted) + " dimensions, and this has " +
                               std::to_string(given));
}

bool GivesType(const LabFile& file, const DescribedGenerator& made, LabType type) {
  if (made.type) return *made.type == type;
  const LabAttributeRef other = made.generator.other;
  return other.entity == kLabNone || LabAttributeAt(file, other).type == type;
}

}  // namespace

DescribedGenerator ReadGenerator(const LabNode& node, int entity, LabReading& reading) {
  DescribedGenerator result;
  const GeneratorMap generator = {node, entity, reading, result.generator, result.type};
  if (node.kind == LabNode::Kind::kScalar) {
    if (HasBraces(node.text)) {
      result.generator.kind = Kind::kTemplate;
      ReadTextTemplate(node, generator);
    } else {
      ReadConstant(node, generator);
    }
    return result;
  }
  const GeneratorRow& row = *RowOf(node, kGenerators);
  result.generator.kind = row.kind;
  result.type = row.type;
  row.read(*node.Find(row.name), generator);
  TakeLabNumber(node, "present", result.present);
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
    reading.Fail(node.place, "\"" + target.name + "\" is a " + TypeName(target.type) +
                                 ", and this gives something else");
  }
  if (target.type == LabType::kVector) CheckDimensions(node, made.generator, attribute, reading);
  CheckTemplateForms(made.generator.text_template, reading);
  return made.generator;
}

}  // namespace hashrange
