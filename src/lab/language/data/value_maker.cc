#include "lab/language/data/value_maker.h"

#include <algorithm>
#include <cmath>

#include "lab/language/data/placeholder_form.h"
#include "lab/language/data/value_text.h"
#include "lab/language/lab_facts.h"

namespace hashrange {

SiblingDraws::Family& SiblingDraws::Of(std::uint64_t parent) {
  if (families_ == nullptr) families_ = std::make_unique<std::array<Family, kFamilies>>();
  Family& family = (*families_)[parent % kFamilies];
  if (family.parent != parent) {
    family.parent = parent;
    family.attempts.clear();
    family.values.clear();
  }
  return family;
}

namespace {

constexpr std::uint64_t kPresentDraw = 0x70726573;  // tells it from the draw of the value
constexpr double kMostTextBytes = 400 * 1024;       // of an item

std::size_t DrawChoice(const LabGenerator& generator, DrawSequence& draws) {
  double sum = 0;
  for (const LabGenerator::Choice& choice : generator.choices) sum += choice.weight;
  double rest = draws.Unit() * sum;
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < generator.choices.size(); ++i) {
    if (generator.choices[i].weight <= 0) continue;
    chosen = i;
    rest -= generator.choices[i].weight;
    if (rest < 0) break;
  }
  return chosen;
}

}  // namespace

ValueMaker::ValueMaker(const LabFile& file, const Instances& instances)
    : file_(file), instances_(instances), siblings_(file.entities.size()) {
  for (std::uint64_t entity = 0; entity < file.entities.size(); ++entity) {
    std::vector<std::uint64_t>& seeds = seeds_.emplace_back();
    for (std::uint64_t i = 0; i < file.entities[entity].attributes.size(); ++i) {
      seeds.push_back(MixedHash({file.seed, entity, i}));
    }
  }
}

ValueDraw ValueMaker::DrawOf(InstanceId id, int attribute) const {
  const LabEntity& entity = EntityAt(file_, id.entity);
  const bool is_distinct = attribute == entity.distinct && entity.parent != kLabNone;
  return DrawOfAttempt(id, attribute, is_distinct ? AttemptOf(id) : 0);
}

bool ValueMaker::Has(InstanceId id, int attribute) const {
  const LabAttribute& described = LabAttributeAt(file_, {id.entity, attribute});
  if (described.present < 1) {
    const std::uint64_t seed = AttributeSeed(id.entity, attribute);
    if (DrawSequence(MixedHash({seed, id.number, kPresentDraw})).Unit() >= described.present) {
      return false;
    }
  }
  const LabGenerator& generator = described.generator;
  switch (generator.kind) {
    case LabGenerator::Kind::kTemplate:
      return HasAll(id, generator.text_template);
    case LabGenerator::Kind::kRef:
      return instances_.InitialCount(generator.other.entity) > 0 &&
             Has(ReferredBy(id, attribute), generator.other.attribute);
    case LabGenerator::Kind::kOfRef: {
      if (!Has(id, generator.with)) return false;
      const InstanceId referred = ReferredBy(id, attribute);
      return referred.entity == generator.other.entity && Has(referred, generator.other.attribute);
    }
    case LabGenerator::Kind::kOfAncestor: {
      const InstanceId ancestor = instances_.AncestorOf(id, generator.other.entity);
      return ancestor.entity != kLabNone && Has(ancestor, generator.other.attribute);
    }
    default:
      return true;
  }
}

bool ValueMaker::HasAll(InstanceId id, const LabTemplate& text) const {
  return std::all_of(text.parts.begin(), text.parts.end(), [&](const LabTemplatePart& part) {
    if (part.attribute.entity == kLabNone) return true;
    const InstanceId owner = instances_.AncestorOf(id, part.attribute.entity);
    return owner.entity != kLabNone && Has(owner, part.attribute.attribute);
  });
}

InstanceId ValueMaker::ReferredBy(InstanceId id, int attribute) const {
  const LabGenerator& generator = LabAttributeAt(file_, {id.entity, attribute}).generator;
  if (generator.kind == LabGenerator::Kind::kRef) {
    return Referred(DrawOf(id, attribute), generator);
  }
  if (generator.kind == LabGenerator::Kind::kOfRef) return ReferredBy(id, generator.with);
  return {};
}

InstanceId ValueMaker::Referred(const ValueDraw& draw, const LabGenerator& generator) const {
  const std::uint64_t count = instances_.InitialCount(generator.other.entity);
  if (count == 0) return {};
  DrawSequence draws(draw.seed);
  const std::uint64_t drawn = generator.pick_exponent == 0
                                  ? draws.Below(count)
                                  : ranks_.Of(count, generator.pick_exponent).Draw(draws);
  return {generator.other.entity,
          instances_.NumberOfRank(generator.other.entity, (drawn + draw.shift) % count)};
}

std::int64_t ValueMaker::TimeOf(InstanceId id, int attribute) const {
  const LabGenerator& generator = LabAttributeAt(file_, {id.entity, attribute}).generator;
  InstanceId original = {};
  if (generator.kind == LabGenerator::Kind::kTime) {
    return DrawTime(DrawOf(id, attribute), generator);
  }
  if (generator.kind == LabGenerator::Kind::kOfAncestor) {
    original = instances_.AncestorOf(id, generator.other.entity);
  } else {
    original = ReferredBy(id, attribute);
  }
  if (original.entity != kLabNone) return TimeOf(original, generator.other.attribute);
  return instances_.IsCreated(id) ? instances_.CreatedEpochMs(id) : file_.start_epoch_ms;
}

std::int64_t ValueMaker::DrawTime(const ValueDraw& draw, const LabGenerator& generator) const {
  std::int64_t base = file_.start_epoch_ms;
  std::int64_t earliest = generator.earliest_ms;
  std::int64_t latest = generator.latest_ms;
  if (generator.other.entity != kLabNone) {
    base =
        TimeOf(instances_.AncestorOf(draw.id, generator.other.entity), generator.other.attribute);
  } else if (draw.now_epoch_ms) {
    base = *draw.now_epoch_ms;
    earliest = std::max<std::int64_t>(0, earliest);
    latest = std::max<std::int64_t>(0, latest);
  }
  if (latest <= earliest) return base + earliest;
  const auto span = static_cast<std::uint64_t>(latest - earliest) + 1;
  return base + earliest + static_cast<std::int64_t>(DrawSequence(draw.seed).Below(span));
}

double ValueMaker::DrawNumber(const LabGenerator& generator, DrawSequence& draws) const {
  const LabDistribution& numbers = generator.distribution;
  if (numbers.kind != LabDistribution::Kind::kZipf) {
    return DrawFrom(numbers, draws, generator.decimals);
  }
  return RoundedTo(sizes_.Of(kZipfRanksOfNumbers, numbers).Draw(draws), generator.decimals);
}

void ValueMaker::Append(InstanceId id, int attribute, std::string& out) const {
  const LabGenerator& generator = LabAttributeAt(file_, {id.entity, attribute}).generator;
  switch (generator.kind) {
    case LabGenerator::Kind::kTemplate:
    case LabGenerator::Kind::kOfAncestor:
      return AppendDerived(id, generator, out);
    case LabGenerator::Kind::kOfRef:
      return Append(ReferredBy(id, attribute), generator.other.attribute, out);
    default:
      return AppendDrawn(DrawOf(id, attribute), generator, out);
  }
}

void ValueMaker::AppendDerived(InstanceId id, const LabGenerator& generator,
                               std::string& out) const {
  if (generator.kind == LabGenerator::Kind::kOfAncestor) {
    return Append(instances_.AncestorOf(id, generator.other.entity), generator.other.attribute,
                  out);
  }
  for (const LabTemplatePart& part : generator.text_template.parts) {
    out += part.literal;
    if (part.attribute.entity == kLabNone) continue;
    const std::size_t begin = out.size();
    Append(instances_.AncestorOf(id, part.attribute.entity), part.attribute.attribute, out);
    FormPlaceholder(part, begin, out);
  }
}

void ValueMaker::AppendDrawn(const ValueDraw& draw, const LabGenerator& generator,
                             std::string& out) const {
  DrawSequence draws(draw.seed);
  switch (generator.kind) {
    case LabGenerator::Kind::kConstant:
      out += generator.text;
      return;
    case LabGenerator::Kind::kSequence:
      return AppendPadded(generator.first_number + draw.id.number, generator.width, out);
    case LabGenerator::Kind::kUlid:
      return AppendUlid(draw.id.entity == generator.other.entity
                            ? TimeOf(draw.id, generator.other.attribute)
                            : draw.now_epoch_ms.value_or(file_.start_epoch_ms),
                        draws, out);
    case LabGenerator::Kind::kUuid:
      return AppendUuid(draws, out);
    case LabGenerator::Kind::kTime:
      return AppendTimeInForm(DrawTime(draw, generator), generator.time_form, out);
    case LabGenerator::Kind::kChoice:
      if (generator.choices.empty()) return;
      out +=
          generator.choices[(DrawChoice(generator, draws) + draw.shift) % generator.choices.size()]
              .value;
      return;
    case LabGenerator::Kind::kText:
      return AppendWords(
          static_cast<std::size_t>(std::clamp(DrawNumber(generator, draws), 0.0, kMostTextBytes)),
          draws, out);
    case LabGenerator::Kind::kVector:
      return AppendVector(generator.width, draws, out);
    case LabGenerator::Kind::kNumber:
      return AppendDecimal(DrawNumber(generator, draws), generator.decimals, out);
    case LabGenerator::Kind::kFlag:
      out += draws.Unit() < generator.probability ? "true" : "false";
      return;
    case LabGenerator::Kind::kRef: {
      const InstanceId referred = Referred(draw, generator);
      if (referred.entity != kLabNone) Append(referred, generator.other.attribute, out);
      return;
    }
    case LabGenerator::Kind::kTemplate:
    case LabGenerator::Kind::kOfRef:
    case LabGenerator::Kind::kOfAncestor:
      return;
  }
}

// How the values of a `distinct` attribute differ within a parent: a child draws again while an
// earlier sibling has the value. After kDraws draws, a reference and a choice take the next value
// instead, so that all values of a small domain are found.

namespace {

constexpr std::uint32_t kDraws = 32;
constexpr std::uint32_t kDrawsWithoutNext = 4096;  // of what has no next value
constexpr std::uint64_t kAttemptDraw = 0x61747470;

bool HasNextValue(const LabGenerator& generator) {
  return generator.kind == LabGenerator::Kind::kRef ||
         generator.kind == LabGenerator::Kind::kChoice;
}

}  // namespace

std::uint32_t ValueMaker::MostAttempts(const LabGenerator& generator) const {
  if (!HasNextValue(generator)) return kDrawsWithoutNext;
  const std::uint64_t values = generator.kind == LabGenerator::Kind::kRef
                                   ? instances_.InitialCount(generator.other.entity)
                                   : generator.choices.size();
  return kDraws + static_cast<std::uint32_t>(values);
}

ValueDraw ValueMaker::DrawOfAttempt(InstanceId id, int attribute, std::uint32_t attempt) const {
  ValueDraw draw;
  draw.id = id;
  draw.seed = MixedHash({AttributeSeed(id.entity, attribute), id.number});
  if (instances_.IsCreated(id)) draw.now_epoch_ms = instances_.CreatedEpochMs(id);
  if (attempt == 0) return draw;
  const LabGenerator& generator = LabAttributeAt(file_, {id.entity, attribute}).generator;
  std::uint64_t redraw = attempt;
  if (attempt >= kDraws && HasNextValue(generator)) {
    redraw = kDraws - 1;
    draw.shift = attempt - redraw;
  }
  draw.seed = MixedHash({draw.seed, kAttemptDraw, redraw});
  return draw;
}

std::uint64_t ValueMaker::HashOfAttempt(InstanceId id, int attribute, std::uint32_t attempt) const {
  const LabGenerator& generator = LabAttributeAt(file_, {id.entity, attribute}).generator;
  const ValueDraw draw = DrawOfAttempt(id, attribute, attempt);
  if (generator.kind == LabGenerator::Kind::kRef && generator.other.attribute == 0) {
    return Referred(draw, generator).number;
  }
  std::string value;
  switch (generator.kind) {
    case LabGenerator::Kind::kTemplate:
    case LabGenerator::Kind::kOfRef:
    case LabGenerator::Kind::kOfAncestor:
      Append(id, attribute, value);
      break;
    default:
      AppendDrawn(draw, generator, value);
  }
  return TextHash(value);
}

std::uint32_t ValueMaker::AttemptOf(InstanceId id) const {
  const InstanceId parent = instances_.ParentOf(id);
  const std::uint64_t place = instances_.PlaceOf(id);
  const int attribute = EntityAt(file_, id.entity).distinct;
  const std::uint32_t most = MostAttempts(LabAttributeAt(file_, {id.entity, attribute}).generator);
  SiblingDraws::Family& family = siblings_[static_cast<std::size_t>(id.entity)].Of(parent.number);
  while (family.attempts.size() <= place) {
    const InstanceId sibling = instances_.ChildAt(parent, id.entity, family.attempts.size());
    std::uint32_t attempt = 0;
    while (attempt < most &&
           !family.values.insert(HashOfAttempt(sibling, attribute, attempt)).second) {
      ++attempt;
    }
    // All values are taken, so this one is there twice.
    family.attempts.push_back(attempt == most ? 0 : attempt);
  }
  return family.attempts[place];
}

}  // namespace hashrange
