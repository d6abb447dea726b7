#include "lab/plan/cost/spread.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/portable_math.h"
#include "lab/language/data/zipf.h"
#include "lab/language/lab_facts.h"
#include "value/capacity.h"

namespace hashrange {
namespace {

constexpr double kParts = Spread::kParts;

// Returns the probability that a normal number of mean 0 and deviation 1 is greater.
double ProbabilityAbove(double deviations) { return PortableErfc(deviations / std::sqrt(2.0)) / 2; }

// How many numbers stand for each part of a distribution.
constexpr std::size_t kSamplesOfPart = 16;
constexpr std::size_t kSamples = Spread::kParts * kSamplesOfPart;

// Returns normal numbers in the middle of so many equally likely intervals.
const std::array<double, kSamples>& NormalSamples() {
  static const std::array<double, kSamples> samples = [] {
    std::array<double, kSamples> found = {};
    for (std::size_t i = 0; i < kSamples; ++i) {
      const double above = 1 - (static_cast<double>(i) + 0.5) / static_cast<double>(kSamples);
      double low = -8;
      double high = 8;
      for (int halving = 0; halving < 60; ++halving) {
        const double middle = (low + high) / 2;
        (ProbabilityAbove(middle) > above ? low : high) = middle;
      }
      found[i] = (low + high) / 2;
    }
    return found;
  }();
  return samples;
}

constexpr double kFewItems = 24;  // of which each number is looked at by itself

// Calls `visit` with each number and its probability, of a number of items that has these moments
// (Panjer's class: binomial, Poisson or negative binomial).
template <typename Visit>
void ForEachCount(const Moments& count, Visit visit) {
  constexpr double kNothing = 1e-12;
  const double whole = std::floor(count.mean + 1e-9);
  const double fraction = std::max(0.0, count.mean - whole);
  // As close to one number as whole numbers can be.
  if (count.variance <= fraction * (1 - fraction) + 1e-6) {
    visit(whole, 1 - fraction);
    if (fraction > 0) visit(whole + 1, fraction);
    return;
  }
  const double a = 1 - count.mean / count.variance;
  const double b = count.mean * (1 - a) - a;
  const double most = count.mean + 10 * std::sqrt(count.variance) + 10;
  double sum = 0;
  double weight = 1;
  double numbers = 0;
  for (; numbers <= most && weight > sum * kNothing; ++numbers) {
    sum += weight;
    weight *= a + b / (numbers + 1);
  }
  weight = 1 / sum;
  for (double number = 0; number < numbers; ++number) {
    visit(number, weight);
    weight *= a + b / (number + 1);
  }
}

// Returns the mean of max(1, ⌈x ÷ unit⌉) for x from 0 to `end`, times `end` ÷ unit.
double AreaOfUnits(double end, double unit) {
  const double units = end / unit;
  if (units <= 0) return units;
  const double whole = std::floor(units);
  return whole * (whole + 1) / 2 + (whole + 1) * (units - whole);
}

double UnitsOf(double bytes, double unit) { return std::max(1.0, std::ceil(bytes / unit - 1e-9)); }

constexpr double kPageBytes = 1024.0 * 1024;

// Returns the mean of the units of bytes that are normally distributed.
double UnitsOfSum(const Moments& bytes) {
  const double deviation = std::sqrt(std::max(0.0, bytes.variance));
  if (deviation < 1) return UnitsOf(bytes.mean, kReadUnitBytes);
  // With so wide a spread, each place within a unit is alike.
  const bool is_wide = deviation > kReadUnitBytes * 0.6 && bytes.mean > 3 * deviation;
  if (is_wide) return bytes.mean / kReadUnitBytes + 0.5;
  // A unit more for each limit that is exceeded.
  double limit = std::max(1.0, std::floor((bytes.mean - 4 * deviation) / kReadUnitBytes));
  double units = limit;
  while (true) {
    const double above = ProbabilityAbove((limit * kReadUnitBytes - bytes.mean) / deviation);
    if (above < 1e-5) return units;
    units += above;
    ++limit;
  }
}

PageCost CostOfBytes(const Moments& bytes, double items) {
  PageCost cost = {.items = items, .pages = 1 + std::floor(bytes.mean / kPageBytes)};
  // The last begun unit of each page but the last is half full, on average.
  cost.units = UnitsOfSum(bytes) + (cost.pages - 1) / 2;
  return cost;
}

// Returns the mean of the smaller one of the limit and a normal number.
double MeanBelow(const Moments& count, double limit) {
  const double deviation = std::sqrt(count.variance);
  if (deviation < 1e-9) return std::min(count.mean, limit);
  const double z = (limit - count.mean) / deviation;
  const double density = PortableExp(-z * z / 2) / std::sqrt(2 * 3.14159265358979);
  const double above = ProbabilityAbove(z);
  return count.mean * (1 - above) - deviation * density + limit * above;
}

}  // namespace

Spread Spread::Of(std::vector<WeightedNumber> numbers) {
  std::ranges::stable_sort(numbers, {}, &WeightedNumber::number);
  double all = 0;
  for (const WeightedNumber& one : numbers) all += one.weight;
  Spread spread;
  if (!(all > 0)) return spread;
  const double room = all / kParts;
  auto next = numbers.begin();
  double left = next->weight;
  for (double& part : spread.parts_) {
    double missing = room;
    double sum = 0;
    while (true) {
      const double taken = std::min(missing, left);
      sum += taken * next->number;
      missing -= taken;
      left -= taken;
      if (missing <= room * 1e-9 || next + 1 == numbers.end()) break;
      left += (++next)->weight;
    }
    // What rounding left over has the number that was taken last.
    part = (sum + missing * next->number) / room;
  }
  return spread;
}

Spread Spread::OfDraws(const LabDistribution& distribution, double zipf_ranks) {
  const double least = distribution.least;
  const double greatest = std::max(least, distribution.greatest);
  const double first = distribution.first;
  const double second = distribution.second;
  std::vector<WeightedNumber> numbers;
  const auto add = [&](double number, double weight = 1) {
    numbers.push_back({std::clamp(number, least, greatest), weight});
  };
  switch (distribution.kind) {
    case LabDistribution::Kind::kFixed:
      return Spread(std::clamp(first, least, greatest));
    case LabDistribution::Kind::kUniform:
      for (std::size_t i = 0; i < kSamples; ++i) {
        const double place = (static_cast<double>(i) + 0.5) / static_cast<double>(kSamples);
        numbers.push_back({first + place * (second - first), 1});
      }
      break;
    case LabDistribution::Kind::kPoisson: {
      constexpr double kLargeMean = 100;
      if (first > kLargeMean) {
        for (const double normal : NormalSamples()) add(first + std::sqrt(first) * normal);
      } else {
        ForEachCount({first, first}, add);
      }
      break;
    }
    case LabDistribution::Kind::kLognormal:
      for (const double normal : NormalSamples()) add(PortableExp(first + second * normal));
      break;
    case LabDistribution::Kind::kNormal:
      for (const double normal : NormalSamples()) add(first + second * normal);
      break;
    case LabDistribution::Kind::kZipf: {
      const auto ranks = static_cast<std::uint64_t>(std::max(1.0, zipf_ranks));
      const ZipfSizes sizes(ranks, distribution);
      // The first ranks differ most, so each of them counts by itself.
      double rank = 0;
      while (rank < zipf_ranks) {
        const double step = std::min(zipf_ranks - rank, 1 + std::floor(rank / 16));
        add(sizes.At(static_cast<std::uint64_t>(rank + (step - 1) / 2)), step);
        rank += step;
      }
      break;
    }
  }
  return Of(std::move(numbers));
}

double Spread::Mean() const { return std::accumulate(parts_.begin(), parts_.end(), 0.0) / kParts; }

double Spread::Variance() const {
  const double mean = Mean();
  double sum = 0;
  for (const double part : parts_) sum += (part - mean) * (part - mean);
  return sum / kParts;
}

Spread Spread::WithPresence(double probability) const {
  if (probability >= 1) return *this;
  std::vector<WeightedNumber> numbers = {{0, (1 - probability) * kParts}};
  for (const double part : parts_) numbers.push_back({part, probability});
  return Of(std::move(numbers));
}

Spread Spread::operator+(double number) const {
  Spread sum = *this;
  for (double& part : sum.parts_) part += number;
  return sum;
}

Spread SumOf(const Spread& one, const Spread& other) {
  constexpr std::size_t kLast = Spread::kParts - 1;
  if (one.part(0) == one.part(kLast)) return other + one.part(0);
  if (other.part(0) == other.part(kLast)) return one + other.part(0);
  std::vector<WeightedNumber> sums;
  sums.reserve(Spread::kParts * Spread::kParts);
  for (std::size_t i = 0; i < Spread::kParts; ++i) {
    for (std::size_t j = 0; j < Spread::kParts; ++j) {
      sums.push_back({one.part(i) + other.part(j), 1});
    }
  }
  return Spread::Of(std::move(sums));
}

double Spread::HalfWidth(std::size_t place) const {
  constexpr std::size_t kLast = kParts - 1;
  const double here = parts_[place];
  const double below = place == 0 ? parts_[1] - here : here - parts_[place - 1];
  const double above = place == kLast ? below : parts_[place + 1] - here;
  return std::min(below, above) / 2;
}

double Spread::ShareBelow(double number) const {
  double below = 0;
  for (std::size_t i = 0; i < kParts; ++i) {
    const double half = HalfWidth(i);
    const double from = parts_[i] - half;
    below += half > 0 ? std::clamp((number - from) / (2 * half), 0.0, 1.0)
                      : (parts_[i] < number ? 1 : 0);
  }
  return below / kParts;
}

double MeanUnits(const Spread& bytes, double unit_bytes) {
  double units = 0;
  for (std::size_t i = 0; i < Spread::kParts; ++i) {
    const double here = bytes.part(i);
    const double half = bytes.HalfWidth(i);
    units += half < 1
                 ? UnitsOf(here, unit_bytes)
                 : (AreaOfUnits(here + half, unit_bytes) - AreaOfUnits(here - half, unit_bytes)) /
                       (2 * half / unit_bytes);
  }
  return units / Spread::kParts;
}

Moments Moments::Thinned(double probability) const {
  const double kept = std::clamp(probability, 0.0, 1.0);
  return {mean * kept, variance * kept * kept + mean * kept * (1 - kept)};
}

Moments Moments::OrNone(double probability) const {
  const double kept = std::clamp(probability, 0.0, 1.0);
  return {mean * kept, kept * (variance + mean * mean * (1 - kept))};
}

Moments SumOfEach(const Moments& count, const Moments& each) {
  return {count.mean * each.mean,
          count.mean * each.variance + count.variance * each.mean * each.mean};
}

std::vector<double> SharesOfCounts(const Moments& count, std::size_t most) {
  std::vector<double> shares(most);
  const double deviation = std::sqrt(std::max(0.0, count.variance));
  if (count.mean <= kFewItems) {
    ForEachCount(count, [&](double number, double probability) {
      if (number < static_cast<double>(most)) {
        shares[static_cast<std::size_t>(number)] += probability;
      }
    });
    return shares;
  }
  double above = 1;
  for (std::size_t number = 0; number < most; ++number) {
    const double end = static_cast<double>(number) + 0.5;
    const double next = deviation > 0 ? ProbabilityAbove((end - count.mean) / deviation)
                                      : (end < count.mean ? 1 : 0);
    shares[number] = above - next;
    above = next;
  }
  return shares;
}

namespace {

// Returns whether the number is a sum of many, so that it is distributed about normally.
bool IsOfMany(const Moments& count) {
  return count.mean > kFewItems && count.mean > 3 * std::sqrt(std::max(0.0, count.variance));
}

}  // namespace

// The number counts as binomial, as Poisson or as negative binomial, whichever has its moments.
double ShareWithNone(const Moments& count, double probability) {
  constexpr double kAsPoisson = 1e-6;
  if (count.mean <= 0) return 1;
  const double excess = count.variance / count.mean - 1;
  if (std::abs(excess) < kAsPoisson) return PortableExp(-probability * count.mean);
  const double base = 1 + excess * probability;
  return base <= 0 ? 0 : PortablePow(base, -count.mean / excess);
}

double ShareOfCountsBelow(const Moments& count, double number) {
  if (count.mean > kFewItems) {
    constexpr double kSurely = 8;  // deviations
    const double deviation = std::sqrt(std::max(0.0, count.variance));
    const double above = number - 0.5 - count.mean;
    if (above > kSurely * deviation) return 1;
    return deviation > 0 ? 1 - ProbabilityAbove(above / deviation) : (above > 0 ? 1 : 0);
  }
  // ForEachCount visits no greater number.
  if (number > count.mean + 10 * std::sqrt(std::max(0.0, count.variance)) + 11) return 1;
  double below = 0;
  ForEachCount(count, [&](double one, double probability) {
    if (one < number) below += probability;
  });
  return below;
}

void AppendCounts(const Moments& count, double weight, std::vector<WeightedNumber>& numbers) {
  if (count.mean <= kFewItems) {
    ForEachCount(count, [&](double number, double probability) {
      numbers.push_back({number, weight * probability});
    });
    return;
  }
  const double deviation = std::sqrt(std::max(0.0, count.variance));
  const bool is_normal = IsOfMany(count);
  // Few of many have most: a lognormal number of the same moments.
  const double width = PortableLog1p(count.variance / (count.mean * count.mean));
  const double middle = PortableLog(count.mean) - width / 2;
  for (const double normal : NormalSamples()) {
    numbers.push_back({is_normal ? count.mean + deviation * normal
                                 : PortableExp(middle + std::sqrt(width) * normal),
                       weight / static_cast<double>(kSamples)});
  }
}

double MeanBatches(const Moments& count, double batch_items) {
  double batches = 0;
  const auto add = [&](double number, double probability) {
    batches += probability * std::ceil(std::round(number) / batch_items - 1e-9);
  };
  constexpr double kFixed = 1e-6;
  if (count.variance <= kFixed || count.mean <= kFewItems) {
    ForEachCount(count, add);
    return batches;
  }
  std::vector<WeightedNumber> numbers;
  AppendCounts(count, 1, numbers);
  for (const WeightedNumber& one : numbers) add(one.number, one.weight);
  return batches;
}

PageCost PageCosts::CostOf(const Moments& items) const {
  const Moments bytes = SumOfEach(items, load_.item_bytes);
  return CostOfBytes(
      {bytes.mean + load_.more_bytes.mean, bytes.variance + load_.more_bytes.variance},
      items.mean + load_.more_items);
}

const PageCost& PageCosts::CostOfCount(double count) {
  if (load_.limit > 0 && count >= load_.limit) {
    if (!at_limit_) at_limit_ = CostOf({load_.limit, 0});
    return *at_limit_;
  }
  const auto place = static_cast<std::size_t>(count);
  if (place >= of_count_.size()) of_count_.resize(place + 1);
  std::optional<PageCost>& cost = of_count_[place];
  if (!cost) cost = CostOf({count, 0});
  return *cost;
}

PageCost PageCosts::Mean(const Moments& items) {
  const double limit = load_.limit > 0 ? load_.limit : 1e18;
  if (IsOfMany(items)) {
    const double read = MeanBelow(items, limit);
    // The more the limit cuts off, the less the number varies.
    const double share = read / items.mean;
    return CostOf({read, items.variance * PortablePow(share, 3)});
  }
  PageCost cost;
  const auto add = [&](const PageCost& one, double weight) {
    cost.units += weight * one.units;
    cost.items += weight * one.items;
    cost.pages += weight * one.pages;
  };
  if (items.mean <= kFewItems) {
    ForEachCount(items,
                 [&](double count, double probability) { add(CostOfCount(count), probability); });
    return cost;
  }
  std::vector<WeightedNumber> counts;
  AppendCounts(items, 1, counts);
  for (const WeightedNumber& count : counts) {
    add(CostOf({std::min(count.number, limit), 0}), count.weight);
  }
  return cost;
}

PageCost MeanPageCost(const PageLoad& load) {
  constexpr std::size_t kMostKept = 50'000;
  thread_local absl::flat_hash_map<PageLoad, PageCost> kept;
  if (const auto known = kept.find(load); known != kept.end()) return known->second;
  if (kept.size() >= kMostKept) kept.clear();
  return kept.emplace(load, PageCosts(load).Mean(load.items)).first->second;
}

PageCost CostUntilFound(const PageCost& all, const Moments& found, double wanted) {
  constexpr double kUnitsOfPage = kPageBytes / kReadUnitBytes + 0.5;
  constexpr double kLongStep = 0.05;  // of what was read before, where that is more than a page
  constexpr double kNever = 1e-9;
  PageCost cost;
  double from = 0;
  do {
    const double step = std::max(kUnitsOfPage, kLongStep * from);
    // The page, or the middle one of several, is read where fewer were found before it.
    const double before = from + (step - kUnitsOfPage) / 2;
    const double share =
        from == 0 ? 1 : ShareOfCountsBelow(found.Thinned(before / all.units), wanted);
    if (share < kNever) break;
    const double units = std::min(step, all.units - from);
    cost.units += share * units;
    cost.pages += share * std::max(1.0, units / kUnitsOfPage);
    from += step;
  } while (from < all.units);
  cost.items = all.items * cost.units / all.units;
  return cost;
}

}  // namespace hashrange
