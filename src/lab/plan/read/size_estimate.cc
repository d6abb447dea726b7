#include "lab/plan/read/size_estimate.h"

#include <algorithm>
#include <cmath>

#include "base/text/time_text.h"
#include "lab/language/data/population.h"
#include "lab/language/lab_facts.h"

namespace hashrange {
namespace {

using GeneratorKind = LabGenerator::Kind;
using Form = LabTemplatePart::Form;

constexpr double kTimeBytes = 24;  // 2026-01-31T12:34:56.789Z
constexpr double kUlidBytes = 26;
constexpr double kUuidBytes = 36;
constexpr double kNumberBytes = 3;   // a few digits
constexpr double kListBytes = 3;     // of a list or map itself, and one more for each element
constexpr double kUsualShare = 0.3;  // of a range with fixed bounds

double MeanChoiceBytes(const std::vector<LabGenerator::Choice>& choices) {
  double bytes = 0;
  double weight = 0;
  for (const LabGenerator::Choice& choice : choices) {
    bytes += static_cast<double>(choice.value.size()) * choice.weight;
    weight += choice.weight;
  }
  return weight > 0 ? bytes / weight : 0;
}

// Returns how long the times are alike that a form does not distinguish; 0: it distinguishes all.
double AlikeMs(Form form) {
  switch (form) {
    case Form::kYear:
      return 365 * kDayMs;
    case Form::kMonth:
      return 30 * kDayMs;
    case Form::kDay:
      return kDayMs;
    case Form::kHour:
      return kHourMs;
    case Form::kMinute:
      return kMinuteMs;
    default:
      return 0;
  }
}

}  // namespace

double SizeEstimate::Instances(int entity) const {
  return std::max(InstancesOf(file_, entity), 1.0);
}

double SizeEstimate::ValueBytes(LabAttributeRef ref) const {
  const LabAttribute& attribute = LabAttributeAt(file_, ref);
  const LabGenerator& generator = attribute.generator;
  switch (generator.kind) {
    case GeneratorKind::kConstant:
      return static_cast<double>(generator.text.size());
    case GeneratorKind::kSequence:
      return generator.width;
    case GeneratorKind::kUlid:
      return kUlidBytes;
    case GeneratorKind::kUuid:
      return kUuidBytes;
    case GeneratorKind::kTemplate:
      return TemplateBytes(generator.text_template);
    case GeneratorKind::kTime:
      return attribute.type == LabType::kNumber ? 2 * kNumberBytes : kTimeBytes;
    case GeneratorKind::kChoice:
      return MeanChoiceBytes(generator.choices);
    case GeneratorKind::kText:
      return MeanOf(generator.distribution);
    case GeneratorKind::kNumber:
      return kNumberBytes;
    case GeneratorKind::kFlag:
      return 1;
    case GeneratorKind::kRef:
    case GeneratorKind::kOfRef:
    case GeneratorKind::kOfAncestor:
      return ValueBytes(generator.other);
  }
  return 0;
}

double SizeEstimate::TemplateBytes(const LabTemplate& text) const {
  double bytes = 0;
  for (const LabTemplatePart& part : text.parts) {
    bytes += static_cast<double>(part.literal.size());
    if (part.attribute.entity == kLabNone) continue;
    bytes += part.shards > 0 ? 1 : part.width > 0 ? part.width : ValueBytes(part.attribute);
  }
  return bytes;
}

double SizeEstimate::AttributeBytes(LabAttributeRef ref) const {
  const LabAttribute& attribute = LabAttributeAt(file_, ref);
  return attribute.present * (static_cast<double>(attribute.name.size()) + ValueBytes(ref));
}

double SizeEstimate::KeyBytes(const LabItem& item,
                              const std::vector<std::string>& attributes) const {
  double bytes = 0;
  for (const std::string& attribute : attributes) {
    const LabItemKey* key = KeyOfItem(item, attribute);
    if (key == nullptr) continue;
    bytes += static_cast<double>(attribute.size()) + TemplateBytes(key->text);
  }
  return bytes;
}

double SizeEstimate::EmbeddedBytes(int entity) const {
  double bytes = 0;
  for (const LabEmbedding& embedding : layout_.embeddings) {
    if (embedding.parent != entity) continue;
    double each = 1 + EmbeddedBytes(embedding.entity);
    const auto count = static_cast<int>(EntityAt(file_, embedding.entity).attributes.size());
    for (int i = 0; i < count; ++i) each += AttributeBytes({embedding.entity, i});
    bytes += static_cast<double>(embedding.attribute.size()) + kListBytes +
             each * MeanOf(EntityAt(file_, embedding.entity).count);
  }
  return bytes;
}

double SizeEstimate::ItemBytes(const LabItem& item) const {
  const LabTable& table = layout_.tables[static_cast<std::size_t>(item.table)];
  double bytes = 0;
  for (const LabItemKey& key : item.keys) bytes += KeyBytes(item, {key.attribute});
  for (const LabAttributeRef ref : HeldAttributes({file_, layout_}, item)) {
    if (KeyOfItem(item, LabAttributeAt(file_, ref).name) == nullptr) bytes += AttributeBytes(ref);
  }
  if (!table.type_attribute.empty()) {
    bytes +=
        static_cast<double>(table.type_attribute.size() + EntityAt(file_, item.entity).name.size());
  }
  return item.attributes ? bytes : bytes + EmbeddedBytes(item.entity);
}

double SizeEstimate::BytesInKey(const LabItem& item, LabKey key) const {
  const LabIndex* index = IndexOf(layout_, key);
  if (index == nullptr || index->projection == LabIndex::Projection::kAll) return ItemBytes(item);
  const LabTable& table = TableOf(layout_, key);
  std::vector<std::string> keys;
  for (const auto* const names : {&table.hash, &table.range, &index->hash, &index->range}) {
    for (const std::string& name : *names) {
      if (std::find(keys.begin(), keys.end(), name) == keys.end()) keys.push_back(name);
    }
  }
  double bytes = KeyBytes(item, keys);
  for (const LabAttributeRef ref : HeldAttributes({file_, layout_}, item)) {
    const std::string& name = LabAttributeAt(file_, ref).name;
    const auto& included = index->included;
    if (std::find(included.begin(), included.end(), name) != included.end()) {
      bytes += AttributeBytes(ref);
    }
  }
  return bytes;
}

double SizeEstimate::SpanMs(LabAttributeRef ref) const {
  const LabGenerator& generator = LabAttributeAt(file_, ref).generator;
  if (generator.kind != GeneratorKind::kTime) return 0;
  return static_cast<double>(generator.latest_ms - generator.earliest_ms);
}

std::optional<double> SizeEstimate::ShareOfCondition(const LabCondition& condition) const {
  const LabAttribute& attribute = LabAttributeAt(file_, condition.attribute);
  const LabGenerator& generator = attribute.generator;
  const auto holds = [&](const std::string& value) {
    return ConditionHolds(condition, attribute.type, value);
  };
  switch (generator.kind) {
    case GeneratorKind::kConstant:
      return holds(generator.text) ? attribute.present : 0;
    case GeneratorKind::kFlag:
      return attribute.present * ((holds("true") ? generator.probability : 0) +
                                  (holds("false") ? 1 - generator.probability : 0));
    case GeneratorKind::kChoice: {
      double chosen = 0;
      double all = 0;
      for (const LabGenerator::Choice& choice : generator.choices) {
        all += choice.weight;
        if (holds(choice.value)) chosen += choice.weight;
      }
      if (all > 0) return attribute.present * chosen / all;
      return std::nullopt;
    }
    default:
      break;
  }
  using Op = LabCondition::Op;
  if (condition.op == Op::kEqual || condition.op == Op::kIn) return std::nullopt;
  return attribute.present * (condition.op == Op::kNotEqual ? 1 : kUsualShare);
}

double SizeEstimate::ShareOf(int entity, const LabTemplatePart& part) const {
  const LabAttributeRef ref = part.attribute;
  const double all = Instances(entity);
  for (const LabCondition& constant : constants_) {
    if (constant.attribute != ref) continue;
    if (const std::optional<double> share = ShareOfCondition(constant)) return *share;
  }
  if (part.form == Form::kPrefix || part.shards > 0) return std::max(0.02, 1 / all);
  if (const double alike = AlikeMs(part.form); alike > 0) {
    const double span = SpanMs(ref);
    return span > alike ? alike / span : 1;
  }
  const LabGenerator& generator = LabAttributeAt(file_, ref).generator;
  if (generator.kind == GeneratorKind::kRef) return 1 / Instances(generator.other.entity);
  if (ref.attribute == 0) return 1 / Instances(ref.entity);
  switch (generator.kind) {
    case GeneratorKind::kConstant:
      return 1;
    case GeneratorKind::kChoice:
      return 1 / static_cast<double>(std::max<std::size_t>(1, generator.choices.size()));
    case GeneratorKind::kFlag:
      return 0.5;
    case GeneratorKind::kOfRef:
    case GeneratorKind::kOfAncestor:
      return 1 / Instances(generator.other.entity);
    default:
      return 1 / Instances(ref.entity);
  }
}

double SizeEstimate::Matching(int entity, const std::vector<LabTemplatePart>& placeholders) const {
  // Identities of the entity and its ancestors imply each other, so the strongest counts.
  double identity = 1;
  double others = 1;
  for (const LabTemplatePart& part : placeholders) {
    const double share = ShareOf(entity, part);
    const bool is_reference =
        LabAttributeAt(file_, part.attribute).generator.kind == GeneratorKind::kRef;
    if (part.attribute.attribute == 0 && !is_reference) {
      identity = std::min(identity, share);
    } else {
      others *= share;
    }
  }
  return std::max(1.0, Instances(entity) * identity * others);
}

double SizeEstimate::ShareInKey(const LabItem& item, LabKey key,
                                const std::vector<LabTemplatePart>& placeholders) const {
  std::vector<LabAttributeRef> counted;
  for (const LabTemplatePart& part : placeholders) counted.push_back(part.attribute);
  const auto is_new = [&](LabAttributeRef ref) {
    if (std::find(counted.begin(), counted.end(), ref) != counted.end()) return false;
    counted.push_back(ref);
    return true;
  };
  std::vector<LabCondition> conditions = item.when;
  std::vector<LabAttributeRef> attributes;
  for (const auto* const names : {&HashOf(layout_, key), &RangeOf(layout_, key)}) {
    for (const std::string& name : *names) {
      const LabItemKey* const own = KeyOfItem(item, name);
      if (own == nullptr) continue;
      conditions.insert(conditions.end(), own->when.begin(), own->when.end());
      for (const LabTemplatePart& part : own->text.parts) {
        if (part.attribute.entity != kLabNone) attributes.push_back(part.attribute);
      }
    }
  }
  double share = 1;
  for (const LabCondition& condition : conditions) {
    if (!is_new(condition.attribute)) continue;
    share *= ShareOfCondition(condition).value_or(
        ShareOf(item.entity, {.attribute = condition.attribute}));
  }
  for (const LabAttributeRef ref : attributes) {
    if (is_new(ref)) share *= LabAttributeAt(file_, ref).present;
  }
  return share;
}

double SizeEstimate::ShareOfRange(const LabRange& range) const {
  switch (range.kind) {
    case LabRange::Kind::kNone:
      return 1;
    case LabRange::Kind::kLast:
    case LabRange::Kind::kNext: {
      const double span = SpanMs(range.attribute);
      const auto asked = static_cast<double>(range.last_ms + range.next_ms);  // one of them is 0
      return span > 0 ? std::min(1.0, asked / span) : kUsualShare;
    }
    case LabRange::Kind::kBetween:
      return kUsualShare;
    case LabRange::Kind::kPrefix:
      return 0.02;
  }
  return 1;
}

}  // namespace hashrange
