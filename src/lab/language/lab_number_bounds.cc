#include "lab/language/lab_number_bounds.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "lab/language/lab_entity_tree.h"

namespace hashrange {
namespace {

using Kind = LabGenerator::Kind;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

bool IsWhole(double number) { return std::floor(number) == number; }

double NumberIn(const std::string& text) {
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
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
  const double power = std::pow(10, decimals);
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
    case Kind::kConstant:
      return BoundsOfConstant(generator.text);
    case Kind::kTime:
      return BoundsOfTime(generator.time_form);
    case Kind::kNumber:
      return BoundsOfNumbers(generator.distribution, generator.decimals);
    case Kind::kChoice: {
      LabNumberBounds bounds = BoundsOfConstant(generator.choices.front().value);
      for (const LabGenerator::Choice& choice : generator.choices) {
        bounds = UnionOf(bounds, BoundsOfConstant(choice.value));
      }
      return bounds;
    }
    case Kind::kRef:
    case Kind::kOfRef:
    case Kind::kOfAncestor:
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
      bounds.greatest = std::exp(first + kDeviations * second);
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
  if (bounds.greatest >= std::pow(10, width)) return "may have more digits";
  const bool drops_decimals = form == Form::kDescend;
  return bounds.has_decimals && drops_decimals ? "has decimals, which the form leaves out"
                                               : nullptr;
}

}  // namespace hashrange
