#include "lab/language/data/population.h"

#include <algorithm>

#include "base/library_gaps.h"
#include "base/text/parse_whole.h"
#include "lab/language/lab_document.h"
#include "lab/language/lab_facts.h"

namespace hashrange {
namespace {

constexpr std::uint64_t kUpdateDraw = 0x75706474;  // tells it from the draw of the first value
constexpr std::uint64_t kMostAttributes = 1 << 16;

std::uint64_t AttributePlace(InstanceId id, int attribute) {
  return id.number * kMostAttributes + static_cast<std::uint64_t>(attribute);
}

double AsDouble(std::string_view text) {
  double number = 0;
  FromChars(text.data(), text.data() + text.size(), number);
  return number;
}

// Returns less than 0, 0, or more than 0, as strcmp does.
int Compare(LabType type, std::string_view left, std::string_view right) {
  if (type != LabType::kNumber) return left.compare(right);
  const double a = AsDouble(left);
  const double b = AsDouble(right);
  return a < b ? -1 : a > b ? 1 : 0;
}

}  // namespace

Population::Population(const LabFile& file, std::uint64_t scale, const std::atomic<bool>* stop)
    : Instances(file, std::max<std::uint64_t>(1, scale), stop),
      file_(file),
      values_(file, *this),
      written_(file.entities.size()) {}

Status Population::Check() const {
  const int entity = TooManyOf();
  if (entity == kLabNone) return {};
  const LabEntity& described = EntityAt(file_, entity);
  return LabErrorAt(file_.name, described.place,
                    "there would be more than " + std::to_string(kMostInstances) +
                        " instances of " + described.name +
                        ". Give it, or its parents, a smaller `count`, or run at a smaller scale.");
}

const std::optional<std::string>* Population::FindWritten(InstanceId id, int attribute) const {
  const Written& written = written_[static_cast<std::size_t>(id.entity)];
  if (written.empty()) return nullptr;
  const auto found = written.find(AttributePlace(id, attribute));
  return found == written.end() ? nullptr : &found->second;
}

void Population::AppendReferring(InstanceId id, LabAttributeRef attribute,
                                 std::vector<InstanceId>& out) {
  auto referring = std::ranges::find(referring_, attribute, &Referring::attribute);
  if (referring == referring_.end()) {
    referring = referring_.insert(referring_.end(), {.attribute = attribute});
  }
  const std::uint64_t count = Count(attribute.entity);
  for (; referring->known < count; ++referring->known) {
    const InstanceId one = {attribute.entity, referring->known};
    const InstanceId referred = ReferredBy(one, attribute.attribute);
    if (referred.entity == kLabNone) continue;
    referring->numbers[referred.number].insert(static_cast<std::uint32_t>(one.number));
  }
  const auto found = referring->numbers.find(id.number);
  if (found == referring->numbers.end()) return;
  for (const std::uint32_t number : found->second) {
    const InstanceId one = {attribute.entity, number};
    if (Exists(one) && Has(one, attribute)) out.push_back(one);
  }
}

InstanceId Population::ReferredBy(InstanceId id, int attribute) const {
  const LabGenerator& generator = LabAttributeAt(file_, {id.entity, attribute}).generator;
  if (generator.kind == LabGenerator::Kind::kOfRef) return ReferredBy(id, generator.with);
  if (const std::optional<std::string>* const written = FindWritten(id, attribute)) {
    return written->has_value() ? FindByValue(generator.other, **written) : InstanceId();
  }
  return values_.Has(id, attribute) ? values_.ReferredBy(id, attribute) : InstanceId();
}

InstanceId Population::FindByValue(LabAttributeRef attribute, const std::string& value) const {
  const LabGenerator& generator = LabAttributeAt(file_, attribute).generator;
  const std::uint64_t count = Count(attribute.entity);
  InstanceId found = {attribute.entity, count};
  if (generator.kind == LabGenerator::Kind::kSequence) {
    const auto number = ParseWhole<std::uint64_t>(value);
    if (number && *number >= generator.first_number)
      found.number = *number - generator.first_number;
  } else {
    ByValue& by_value = by_value_[{attribute.entity, attribute.attribute}];
    for (; by_value.known < count; ++by_value.known) {
      const InstanceId one = {attribute.entity, by_value.known};
      if (!Has(one, attribute)) continue;
      by_value.numbers.try_emplace(absl::HashOf(Value(one, attribute)),
                                   static_cast<std::uint32_t>(one.number));
    }
    const auto same = by_value.numbers.find(absl::HashOf(value));
    if (same != by_value.numbers.end()) found.number = same->second;
  }
  const bool is_same =
      found.number < count && Has(found, attribute) && Value(found, attribute) == value;
  return is_same ? found : InstanceId();
}

bool Population::Has(InstanceId id, LabAttributeRef attribute) const {
  const InstanceId owner = AncestorOf(id, attribute.entity);
  if (owner.entity == kLabNone) return false;
  const std::optional<std::string>* written = FindWritten(owner, attribute.attribute);
  return written != nullptr ? written->has_value() : values_.Has(owner, attribute.attribute);
}

void Population::AppendValue(InstanceId id, LabAttributeRef attribute, std::string& out) const {
  const InstanceId owner = AncestorOf(id, attribute.entity);
  const std::optional<std::string>* written = FindWritten(owner, attribute.attribute);
  if (written == nullptr) return values_.Append(owner, attribute.attribute, out);
  if (written->has_value()) out += **written;
}

std::string Population::Value(InstanceId id, LabAttributeRef attribute) const {
  std::string value;
  AppendValue(id, attribute, value);
  return value;
}

bool Population::Matches(InstanceId id, const std::vector<LabCondition>& conditions) const {
  return std::all_of(conditions.begin(), conditions.end(), [&](const LabCondition& condition) {
    if (!Has(id, condition.attribute)) return false;
    value_.clear();
    AppendValue(id, condition.attribute, value_);
    return ConditionHolds(condition, LabAttributeAt(file_, condition.attribute).type, value_);
  });
}

void Population::CreateChildren(InstanceId parent, int entity, std::int64_t now_epoch_ms,
                                std::vector<InstanceId>& out) {
  const std::uint64_t count = DrawChildCount(parent, entity);
  for (std::uint64_t i = 0; i < count; ++i) out.push_back(Create(entity, parent, now_epoch_ms));
}

void Population::Write(InstanceId id, int attribute, std::optional<std::string> value) {
  const auto referring =
      std::ranges::find(referring_, LabAttributeRef{id.entity, attribute}, &Referring::attribute);
  const bool is_followed = referring != referring_.end() && id.number < referring->known;
  const auto number = static_cast<std::uint32_t>(id.number);
  if (is_followed) referring->numbers[ReferredBy(id, attribute).number].erase(number);
  written_[static_cast<std::size_t>(id.entity)][AttributePlace(id, attribute)] = std::move(value);
  if (!is_followed) return;
  const InstanceId referred = ReferredBy(id, attribute);
  if (referred.entity != kLabNone) referring->numbers[referred.number].insert(number);
}

void Population::AppendGenerated(InstanceId id, int attribute, const LabGenerator& generator,
                                 std::uint64_t draw, std::int64_t now_epoch_ms,
                                 std::string& out) const {
  switch (generator.kind) {
    case LabGenerator::Kind::kTemplate:
      AppendTemplate(*this, id, generator.text_template, out);
      return;
    case LabGenerator::Kind::kOfAncestor:
      if (Has(id, generator.other)) AppendValue(id, generator.other, out);
      return;
    case LabGenerator::Kind::kOfRef: {
      const InstanceId referred = ReferredBy(id, generator.with);
      if (referred.entity == kLabNone || !Has(referred, generator.other)) return;
      return AppendValue(referred, generator.other, out);
    }
    default: {
      ValueDraw drawn;
      drawn.id = id;
      drawn.seed =
          MixedHash({values_.AttributeSeed(id.entity, attribute), id.number, kUpdateDraw, draw});
      drawn.now_epoch_ms = now_epoch_ms;
      values_.AppendDrawn(drawn, generator, out);
    }
  }
}

bool ConditionHolds(const LabCondition& condition, LabType type, std::string_view value) {
  const auto compared = [&](const std::string& other) { return Compare(type, value, other); };
  if (condition.op == LabCondition::Op::kIn) {
    return std::any_of(condition.values.begin(), condition.values.end(),
                       [&](const std::string& other) { return compared(other) == 0; });
  }
  if (condition.values.empty()) return false;
  const int order = compared(condition.values.front());
  switch (condition.op) {
    case LabCondition::Op::kEqual:
    case LabCondition::Op::kIn:
      return order == 0;
    case LabCondition::Op::kNotEqual:
      return order != 0;
    case LabCondition::Op::kLess:
      return order < 0;
    case LabCondition::Op::kAtMost:
      return order <= 0;
    case LabCondition::Op::kGreater:
      return order > 0;
    case LabCondition::Op::kAtLeast:
      return order >= 0;
  }
  return false;
}

bool AppendTemplate(const Population& population, InstanceId id, const LabTemplate& text,
                    std::string& out) {
  const auto append_value = [&](LabAttributeRef attribute, std::string& made) {
    if (!population.Has(id, attribute)) return false;
    population.AppendValue(id, attribute, made);
    return true;
  };
  return AppendTemplateText(text, append_value, out);
}

}  // namespace hashrange
