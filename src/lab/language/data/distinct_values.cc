// How ValueMaker makes the values of a `distinct` attribute differ within a parent: a child draws
// again while an earlier sibling has the value. After kDraws draws, a reference and a choice take
// the next value instead, so that all values of a small domain are found.
#include <algorithm>

#include "lab/language/data/value_maker.h"
#include "lab/language/data/value_text.h"

namespace hashrange {
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
  const LabGenerator& generator = Described(id.entity, attribute).generator;
  std::uint64_t redraw = attempt;
  if (attempt >= kDraws && HasNextValue(generator)) {
    redraw = kDraws - 1;
    draw.shift = attempt - redraw;
  }
  draw.seed = MixedHash({draw.seed, kAttemptDraw, redraw});
  return draw;
}

std::uint64_t ValueMaker::HashOfAttempt(InstanceId id, int attribute, std::uint32_t attempt) const {
  const LabGenerator& generator = Described(id.entity, attribute).generator;
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
  const int attribute = file_.entities[static_cast<std::size_t>(id.entity)].distinct;
  const std::uint32_t most = MostAttempts(Described(id.entity, attribute).generator);
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
