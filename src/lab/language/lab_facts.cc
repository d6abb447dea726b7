#include "lab/language/lab_facts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/library_gaps.h"
#include "base/portable_math.h"
#include "base/text/time_text.h"
#include "lab/language/joined_names.h"

namespace hashrange {

// Names in reach, and what identifies an instance.
namespace {

// Returns the entity and the ancestors whose identities are in reach.
std::vector<int> EntitiesInReach(const LabFile& file, int entity, LabReach reach) {
  std::vector<int> entities = {entity};
  if (reach == LabReach::kOwn) return entities;
  for (int parent = EntityAt(file, entity).parent; parent != kLabNone;
       parent = EntityAt(file, parent).parent) {
    entities.push_back(parent);
    if (reach == LabReach::kStored) break;
  }
  return entities;
}

bool HasAttribute(const std::vector<LabAttributeRef>& known, LabAttributeRef attribute) {
  return std::ranges::find(known, attribute) != known.end();
}

bool KeepsWholeValue(const LabTemplatePart& part) {
  using Form = LabTemplatePart::Form;
  return part.attribute.entity != kLabNone && part.shards == 0 &&
         (part.form == Form::kAsIs || part.form == Form::kPadded || part.form == Form::kDescend);
}

void AddNew(LabAttributeRef attribute, std::vector<LabAttributeRef>& known) {
  if (!HasAttribute(known, attribute)) known.push_back(attribute);
}

// Adds the parts of which the attribute's values are made: those of a template, and what an
// ancestor's copy is of.
void AddParts(const LabFile& file, LabAttributeRef attribute, std::vector<LabAttributeRef>& known) {
  const LabGenerator& generator = LabAttributeAt(file, attribute).generator;
  for (const LabTemplatePart& part : generator.text_template.parts) {
    if (KeepsWholeValue(part)) AddNew(part.attribute, known);
  }
  if (generator.kind == LabGenerator::Kind::kOfAncestor) AddNew(generator.other, known);
}

// Adds what follows from the attribute: its parts, and the identity of what has a unique value.
void AddWhatFollows(const LabFile& file, LabAttributeRef attribute,
                    std::vector<LabAttributeRef>& known) {
  AddParts(file, attribute, known);
  if (!IsUnique(file, attribute)) return;
  for (const LabAttributeRef identity : IdentityOf(file, attribute.entity)) AddNew(identity, known);
}

}  // namespace

LabAttributeRef AttributeFor(const LabFile& file, int entity, LabAttributeRef known) {
  while (!IsAncestorOrSelf(file, known.entity, entity)) {
    const LabGenerator& generator = LabAttributeAt(file, known).generator;
    if (!IsCopy(generator)) return {};
    known = generator.other;
  }
  return known;
}

LabAttributeRef AttributeInReach(const LabFile& file, int entity, std::string_view name,
                                 LabReach reach) {
  const std::vector<LabAttribute>& own = EntityAt(file, entity).attributes;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i].name == name) return {entity, static_cast<int>(i)};
  }
  for (const int ancestor : EntitiesInReach(file, entity, reach)) {
    const std::vector<LabAttribute>& attributes = EntityAt(file, ancestor).attributes;
    if (!attributes.empty() && attributes.front().name == name) return {ancestor, 0};
  }
  return {};
}

std::vector<std::string> NamesInReach(const LabFile& file, int entity, LabReach reach) {
  std::vector<std::string> names;
  for (const LabAttribute& attribute : EntityAt(file, entity).attributes) {
    names.push_back(attribute.name);
  }
  for (const int ancestor : EntitiesInReach(file, entity, reach)) {
    if (ancestor != entity) names.push_back(EntityAt(file, ancestor).attributes.front().name);
  }
  return names;
}

bool IsNeededByReads(const LabFile& file, int entity) {
  return std::ranges::any_of(file.patterns, [&](const LabPattern& pattern) {
    return pattern.kind != LabPattern::Kind::kWrite && pattern.or_form == kLabNone &&
           (std::ranges::find(pattern.entities, entity) != pattern.entities.end() ||
            (pattern.each && pattern.each->entity == entity));
  });
}

std::vector<LabAttributeRef> IdentityOf(const LabFile& file, int entity) {
  std::vector<LabAttributeRef> identity;
  for (const int ancestor : EntitiesInReach(file, entity, LabReach::kKnown)) {
    identity.insert(identity.begin(), {ancestor, 0});
    if (EntityAt(file, ancestor).identity_is_global) break;
  }
  return identity;
}

std::string IdentityText(const LabFile& file, int entity) {
  std::vector<std::string_view> names;
  for (const LabAttributeRef identity : IdentityOf(file, entity)) {
    names.push_back(LabAttributeAt(file, identity).name);
  }
  return JoinedNames(names, "and");
}

bool IdentifiesInstance(const LabFile& file, int entity,
                        const std::vector<LabAttributeRef>& known) {
  const LabEntity& described = EntityAt(file, entity);
  const bool is_single = described.parent == kLabNone && described.count.first == 1;
  if (is_single) return true;
  std::vector<LabAttributeRef> all = known;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const LabAttributeRef attribute = all[i];
    AddWhatFollows(file, attribute, all);
  }
  return std::ranges::all_of(IdentityOf(file, entity),
                             [&](LabAttributeRef identity) { return HasAttribute(all, identity); });
}

std::vector<LabAttributeRef> WithParts(const LabFile& file, LabAttributeRef attribute) {
  std::vector<LabAttributeRef> parts = {attribute};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const LabAttributeRef part = parts[i];
    AddParts(file, part, parts);
  }
  const bool is_made_up = EntityAt(file, attribute.entity).identity_is_global &&
                          HasAttribute(parts, {attribute.entity, 0});
  return is_made_up ? std::vector<LabAttributeRef>{attribute} : parts;
}

bool IsSaidBy(const LabFile& file, int entity, const std::vector<LabAttributeRef>& known,
              LabAttributeRef attribute) {
  if (HasAttribute(known, attribute)) return true;
  const LabAttributeRef original = OriginalOf(file, attribute);
  if (original.attribute != 0) return false;
  return std::ranges::any_of(known, [&](LabAttributeRef one) {
    const LabAttributeRef nearer = OriginalOf(file, one);
    return nearer.attribute == 0 && nearer.entity != entity &&
           EntityAt(file, nearer.entity).identity_is_global &&
           IsAncestorOrSelf(file, original.entity, nearer.entity) &&
           IsAncestorOrSelf(file, nearer.entity, entity);
  });
}

bool IsUnique(const LabFile& file, LabAttributeRef attribute) {
  for (const LabPattern& pattern : file.patterns) {
    for (const LabWrite& write : pattern.writes) {
      if (write.entity != attribute.entity) continue;
      if (std::ranges::find(write.unique, attribute.attribute) != write.unique.end()) return true;
    }
  }
  return false;
}

LabAttributeRef TimeOfUlid(const LabFile& file, LabAttributeRef attribute) {
  const LabGenerator& generator = LabAttributeAt(file, attribute).generator;
  if (generator.kind != LabGenerator::Kind::kUlid) return {};
  for (const LabPattern& pattern : file.patterns) {
    for (const LabWrite& write : pattern.writes) {
      if (write.entity != generator.other.entity) continue;
      for (const LabChange& change : write.changes) {
        if (change.attribute == generator.other.attribute) return {};
      }
    }
  }
  return generator.other;
}

bool IsAlwaysAnother(const LabFile& file, LabAttributeRef attribute) {
  const auto is_numbered = [&](LabAttributeRef part) {
    const LabGenerator::Kind kind = LabAttributeAt(file, part).generator.kind;
    return kind == LabGenerator::Kind::kSequence || kind == LabGenerator::Kind::kUlid ||
           kind == LabGenerator::Kind::kUuid;
  };
  if (is_numbered(attribute)) return true;
  const LabTemplate& text = LabAttributeAt(file, attribute).generator.text_template;
  return std::ranges::any_of(text.parts, [&](const LabTemplatePart& part) {
    return KeepsWholeValue(part) && part.attribute.entity == attribute.entity &&
           is_numbered(part.attribute);
  });
}

std::string EnoughValuesText(const LabFile& file, int entity, double instances) {
  // Among n values that are drawn of 50 n² possible ones, two are alike in one of a hundred files.
  const double possible = std::min(50 * instances * instances, 1e18);
  const auto digits = std::to_string(static_cast<std::uint64_t>(instances)).size();
  const LabAttribute& identity = EntityAt(file, entity).attributes.front();
  return "a sequence, as {sequence: " + std::to_string(digits) +
         "}, a ulid or a uuid is always "
         "different" +
         (IsAlwaysAnother(file, {entity, 0}) ? ", and so is a template with {" + identity.name + "}"
                                             : "") +
         "; of values that are drawn, about " +
         std::to_string(static_cast<std::uint64_t>(possible)) + " possible ones would do";
}

bool KeyIdentifiesInstance(const LabFile& file, const LabTable& table, const LabItem& item) {
  const std::vector<std::string> names = TableKeyOf(table);
  std::vector<LabAttributeRef> whole;  // of each, the key has the whole value
  for (const LabItemKey& key : item.keys) {
    if (std::ranges::count(names, key.attribute) == 0) continue;
    for (const LabTemplatePart& part : key.text.parts) {
      LabTemplatePart kept = part;
      // No generator makes values that differ in their case only.
      if (part.form == LabTemplatePart::Form::kLower ||
          part.form == LabTemplatePart::Form::kUpper) {
        kept.form = LabTemplatePart::Form::kAsIs;
      }
      if (KeepsWholeValue(kept)) whole.push_back(part.attribute);
    }
  }
  if (IdentifiesInstance(file, item.entity, whole)) return true;
  const LabEntity& described = EntityAt(file, item.entity);
  return described.distinct != kLabNone && described.parent != kLabNone &&
         HasAttribute(whole, {item.entity, described.distinct}) &&
         IdentifiesInstance(file, described.parent, whole);
}

// Where a layout stores an entity.

const LabEmbedding* EmbeddingOf(const LabLayout& layout, int entity) {
  const auto at = std::ranges::find(layout.embeddings, entity, &LabEmbedding::entity);
  return at == layout.embeddings.end() ? nullptr : &*at;
}

int HostOf(const LabLayout& layout, int entity) {
  while (const LabEmbedding* const embedding = EmbeddingOf(layout, entity)) {
    entity = embedding->parent;
  }
  return entity;
}

bool IsStored(const LabLayout& layout, int entity) {
  return std::ranges::find(layout.items, HostOf(layout, entity), &LabItem::entity) !=
         layout.items.end();
}

// The keys of a table.

namespace {

void AppendNew(const std::vector<std::string>& names, std::vector<std::string>& all) {
  for (const std::string& name : names) {
    if (std::ranges::find(all, name) == all.end()) all.push_back(name);
  }
}

}  // namespace

std::vector<std::string> TableKeyOf(const LabTable& table) {
  std::vector<std::string> names = table.hash;
  AppendNew(table.range, names);
  return names;
}

std::vector<std::string> SearchSchemaOf(const LabVectorIndex& index) {
  std::vector<std::string> names;
  if (!index.hash.empty()) names.push_back(index.hash);
  names.insert(names.end(), index.filters.begin(), index.filters.end());
  return names;
}

std::vector<std::string> AllKeysOf(const LabTable& table) {
  std::vector<std::string> names = TableKeyOf(table);
  for (const LabIndex& index : table.indexes) {
    AppendNew(index.hash, names);
    AppendNew(index.range, names);
  }
  for (const LabVectorIndex& index : table.vector_indexes) {
    AppendNew(SearchSchemaOf(index), names);
  }
  return names;
}

// How large numbers are without a draw.

namespace {

double Unclamped(const LabDistribution& distribution, double deviations) {
  const double first = distribution.first;
  const double second = distribution.second;
  switch (distribution.kind) {
    case LabDistribution::Kind::kFixed:
      return first;
    case LabDistribution::Kind::kUniform:
      return deviations > 0 ? second : (first + second) / 2;
    case LabDistribution::Kind::kZipf:
      return deviations > 0 ? std::numeric_limits<double>::infinity() : second;
    case LabDistribution::Kind::kPoisson:
      return first + deviations * std::sqrt(first);
    case LabDistribution::Kind::kLognormal:
      return PortableExp(first + (deviations > 0 ? deviations * second : second * second / 2));
    case LabDistribution::Kind::kNormal:
      return first + deviations * second;
  }
  return first;
}

double Clamped(const LabDistribution& distribution, double number) {
  return std::max(distribution.least, std::min(number, distribution.greatest));
}

// Returns the mean of a Poisson number between its bounds, which moves that of small ones: of
// {poisson: 2, min: 1}, it is 2.14.
double MeanOfPoisson(const LabDistribution& distribution) {
  const double mean = distribution.first;
  const double most = mean + 10 * std::sqrt(mean) + 20;  // greater ones are one in 10^20
  double probability = PortableExp(-mean);
  double sum = 0;
  for (double number = 0; number < most; ++number) {
    sum += probability * Clamped(distribution, number);
    probability *= mean / (number + 1);
  }
  return sum;
}

}  // namespace

double MeanOf(const LabDistribution& distribution) {
  constexpr double kLargeMean = 500;
  const bool is_small =
      distribution.kind == LabDistribution::Kind::kPoisson && distribution.first <= kLargeMean;
  const bool has_bounds = distribution.least > 0 || std::isfinite(distribution.greatest);
  if (is_small && has_bounds) return MeanOfPoisson(distribution);
  return Clamped(distribution, Unclamped(distribution, 0));
}

double GreatestOf(const LabDistribution& distribution) {
  constexpr double kLikelyDeviations = 4;
  return Clamped(distribution, Unclamped(distribution, kLikelyDeviations));
}

double LeastOf(const LabDistribution& distribution) {
  const bool has_least = distribution.kind == LabDistribution::Kind::kFixed ||
                         distribution.kind == LabDistribution::Kind::kUniform;
  return std::max(distribution.least, has_least ? Clamped(distribution, distribution.first) : 0.0);
}

double InstancesOf(const LabFile& file, int entity) {
  double count = 1;
  while (entity != kLabNone) {
    const LabEntity& described = EntityAt(file, entity);
    count *= MeanOf(described.count);
    entity = described.parent;
  }
  return count;
}

std::int64_t TrafficMs(const LabFile& file) {
  std::int64_t length_ms = 0;
  for (const LabPhase& phase : file.traffic) length_ms += phase.length_ms;
  return length_ms;
}

// The numbers and the times that an attribute can have.

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

bool IsWhole(double number) { return std::floor(number) == number; }

double NumberIn(std::string_view text) {
  double number = 0;
  FromChars(text.data(), text.data() + text.size(), number);
  return number;
}

// "2026-03-31T23" begins 2026-03-31T23:00:00.000Z.
std::optional<std::int64_t> InstantThatBegins(std::string_view text) {
  constexpr std::string_view kFirst = "0000-01-01T00:00:00.000Z";
  constexpr std::size_t kEndsOfParts[] = {4, 7, 10, 13, 16, 19, 23};
  if (std::ranges::find(kEndsOfParts, text.size()) != std::end(kEndsOfParts)) {
    const auto instant = ParseInstant(std::string(text).append(kFirst.substr(text.size())));
    if (instant) return instant;
  }
  return ParseInstant(text);
}

LabNumberBounds UnionOf(const LabNumberBounds& one, const LabNumberBounds& other) {
  return {.least = std::min(one.least, other.least),
          .greatest = std::max(one.greatest, other.greatest),
          .has_decimals = one.has_decimals || other.has_decimals,
          .is_added_to = one.is_added_to || other.is_added_to};
}

// Makes the bounds hold for what is written, which is rounded to so many decimals.
void RoundOutward(int decimals, LabNumberBounds& bounds) {
  constexpr double kTolerance = 1e-6;  // 999.9 × 10 is not always 9999
  const double power = PortablePow(10, decimals);
  bounds.least = std::floor(bounds.least * power + kTolerance) / power;
  bounds.greatest = std::ceil(bounds.greatest * power - kTolerance) / power;
}

LabNumberBounds BoundsOfNumbers(const LabDistribution& distribution, int decimals) {
  LabNumberBounds bounds = BoundsOfDraws(distribution);
  bounds.has_decimals = decimals > 0;
  RoundOutward(decimals, bounds);
  return bounds;
}

LabNumberBounds BoundsOfTime(LabGenerator::TimeForm form) {
  constexpr double kSecondsOf10Digits = 9'999'999'999;
  constexpr double kMillisecondsOf13Digits = 9'999'999'999'999;
  const bool is_seconds = form == LabGenerator::TimeForm::kSeconds;
  return {.least = 0, .greatest = is_seconds ? kSecondsOf10Digits : kMillisecondsOf13Digits};
}

LabNumberBounds BoundsOfConstant(const std::string& text) {
  const double number = NumberIn(text);
  return {.least = number, .greatest = number, .has_decimals = !IsWhole(number)};
}

LabNumberBounds BoundsOfAttribute(const LabFile& file, LabAttributeRef attribute, int depth);

// `depth` says how many references led here.
LabNumberBounds BoundsOfGenerator(const LabFile& file, const LabGenerator& generator, int depth) {
  switch (generator.kind) {
    case LabGenerator::Kind::kConstant:
      return BoundsOfConstant(generator.text);
    case LabGenerator::Kind::kTime:
      return BoundsOfTime(generator.time_form);
    case LabGenerator::Kind::kNumber:
      return BoundsOfNumbers(generator.distribution, generator.decimals);
    case LabGenerator::Kind::kChoice: {
      LabNumberBounds bounds = BoundsOfConstant(generator.choices.front().value);
      for (const LabGenerator::Choice& choice : generator.choices) {
        bounds = UnionOf(bounds, BoundsOfConstant(choice.value));
      }
      return bounds;
    }
    case LabGenerator::Kind::kRef:
    case LabGenerator::Kind::kOfRef:
    case LabGenerator::Kind::kOfAncestor:
      return BoundsOfAttribute(file, generator.other, depth + 1);
    default:
      return {};
  }
}

// Adds what one change of the attribute does.
void AddBoundsOfChange(const LabFile& file, const LabChange& change, int depth,
                       LabNumberBounds& bounds) {
  if (change.kind == LabChange::Kind::kSet) {
    bounds = UnionOf(bounds, BoundsOfGenerator(file, change.generator, depth));
  } else if (change.kind == LabChange::Kind::kAdd) {
    bounds.is_added_to = true;
    if (!IsWhole(change.amount)) bounds.has_decimals = true;
    if (bounds.has_decimals || change.by_attribute.entity == kLabNone) return;
    bounds.has_decimals = BoundsOfAttribute(file, change.by_attribute, depth + 1).has_decimals;
  }
}

LabNumberBounds BoundsOfAttribute(const LabFile& file, LabAttributeRef attribute, int depth) {
  // Patterns may set two attributes to each other, or add them to each other. What the attributes
  // have is known after this many references.
  constexpr int kMostReferences = 4;
  LabNumberBounds bounds =
      BoundsOfGenerator(file, LabAttributeAt(file, attribute).generator, depth);
  if (depth > kMostReferences) return bounds;
  for (const LabPattern& pattern : file.patterns) {
    for (const LabWrite& write : pattern.writes) {
      if (write.entity != attribute.entity) continue;
      for (const LabChange& change : write.changes) {
        if (change.attribute == attribute.attribute) AddBoundsOfChange(file, change, depth, bounds);
      }
    }
  }
  return bounds;
}

}  // namespace

std::optional<std::int64_t> InstantOfValue(const LabFile& file, LabAttributeRef attribute,
                                           std::string_view value) {
  const LabGenerator& generator = LabAttributeAt(file, RootOf(file, attribute)).generator;
  if (generator.kind != LabGenerator::Kind::kTime) return std::nullopt;
  if (generator.time_form == LabGenerator::TimeForm::kIso) return InstantThatBegins(value);
  constexpr double kGreatest = 1e18;
  const double unit_ms = generator.time_form == LabGenerator::TimeForm::kSeconds ? 1000 : 1;
  return static_cast<std::int64_t>(std::clamp(NumberIn(value) * unit_ms, -kGreatest, kGreatest));
}

LabNumberBounds BoundsOfDraws(const LabDistribution& distribution) {
  // A normal number is made of 53 random bits, so that it has no more deviations than this: a true
  // normal number would have more with a probability of 4e-18, which is less than 2^-53. A Poisson
  // number exceeds its bound with a probability of less than 2e-16.
  constexpr double kDeviations = 8.6;
  const double first = distribution.first;
  const double second = distribution.second;
  LabNumberBounds bounds = {.least = 0, .greatest = kInfinite};
  switch (distribution.kind) {
    case LabDistribution::Kind::kFixed:
      bounds = {.least = first, .greatest = first};
      break;
    case LabDistribution::Kind::kUniform:
      bounds = {.least = first, .greatest = second};
      break;
    case LabDistribution::Kind::kZipf:
      break;
    case LabDistribution::Kind::kPoisson:
      bounds.greatest = first + kDeviations * (1 + std::sqrt(first));
      break;
    case LabDistribution::Kind::kLognormal:
      bounds.greatest = PortableExp(first + kDeviations * second);
      break;
    case LabDistribution::Kind::kNormal:
      bounds = {.least = first - kDeviations * second, .greatest = first + kDeviations * second};
      break;
  }
  const double most = std::max(distribution.least, distribution.greatest);
  bounds.least = std::clamp(bounds.least, distribution.least, most);
  bounds.greatest = std::clamp(bounds.greatest, distribution.least, most);
  return bounds;
}

LabNumberBounds BoundsOfNumber(const LabFile& file, LabAttributeRef attribute) {
  return BoundsOfAttribute(file, attribute, 0);
}

const char* WhyFormDoesNotSort(const LabNumberBounds& bounds, LabTemplatePart::Form form,
                               int width) {
  using Form = LabTemplatePart::Form;
  if (form != Form::kPadded && form != Form::kDescend) return nullptr;
  if (bounds.least < 0) return "may be below 0";
  if (bounds.greatest >= PortablePow(10, width)) return "may have more digits";
  const bool drops_decimals = form == Form::kDescend;
  return bounds.has_decimals && drops_decimals ? "has decimals, which the form leaves out"
                                               : nullptr;
}

}  // namespace hashrange
