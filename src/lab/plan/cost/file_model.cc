#include "lab/plan/cost/file_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include "base/portable_math.h"
#include "base/text/parse_whole.h"
#include "base/text/time_text.h"
#include "lab/language/data/draws.h"
#include "lab/language/data/population.h"
#include "lab/language/data/value_text.h"
#include "lab/language/data/zipf.h"
#include "lab/language/lab_facts.h"
#include "lab/plan/request/time_buckets.h"

namespace hashrange {
namespace {

using Form = LabTemplatePart::Form;
using GeneratorKind = LabGenerator::Kind;

constexpr double kIsoTimeBytes = 24;  // 2026-01-31T12:34:56.789Z
constexpr double kUlidBytes = 26;
constexpr double kUuidBytes = 36;
constexpr double kFarMs = 1e18;  // before or after all times

std::uint64_t Whole(double number) { return static_cast<std::uint64_t>(std::max(1.0, number)); }

double NumberIn(std::string_view text) { return ParseWhole<double>(text).value_or(0); }

// Returns the factor of the phase, on average.
double MeanFactor(const LabPhase& phase) {
  return phase.kind == LabPhase::Kind::kConstant ? phase.from : (phase.from + phase.to) / 2;
}

// Returns how many seconds at the factor 1 have as many calls as the traffic.
double TrafficSeconds(const LabFile& file) {
  double seconds = 0;
  for (const LabPhase& phase : file.traffic) {
    seconds += MeanFactor(phase) * static_cast<double>(phase.length_ms) / 1000;
  }
  constexpr double kMostSeconds = 1e12;
  return std::min(seconds, kMostSeconds);
}

// Returns which share of the calls is in phases that give a share of the entity's picks to the
// first rank, times that share.
double HotShare(const LabFile& file, int entity) {
  double hot = 0;
  double all = 0;
  for (const LabPhase& phase : file.traffic) {
    const double calls = MeanFactor(phase) * static_cast<double>(phase.length_ms);
    const auto found = phase.hot.find(entity);
    all += calls;
    if (found != phase.hot.end()) hot += calls * found->second;
  }
  return all > 0 ? hot / all : 0;
}

// Returns the bytes of a value of that type in an item.
double BytesOfText(std::string_view text, LabType type) {
  if (type == LabType::kNumber) return static_cast<double>(SizeOfNumberText(text));
  return type == LabType::kBool ? 1 : static_cast<double>(text.size());
}

constexpr double kMostTextBytes = 400 * 1024;  // of an item
constexpr double kMostNumber = 1e37;           // that an attribute gets

Spread SpreadWithin(LabDistribution distribution, double least, double greatest) {
  distribution.least = std::clamp(distribution.least, least, greatest);
  distribution.greatest = std::clamp(distribution.greatest, least, greatest);
  return Spread::OfDraws(distribution, kZipfRanksOfNumbers);
}

// Half of the distance between two numbers that the generator makes.
double HalfStep(const LabGenerator& generator) { return PortablePow(10, -generator.decimals) / 2; }

// Returns the spread of the numbers as if each of them filled its step, so that shares of steps are
// right.
Spread SpreadOfNumbers(const LabGenerator& generator) {
  LabDistribution numbers = generator.distribution;
  if (numbers.kind == LabDistribution::Kind::kUniform) {
    numbers.first -= HalfStep(generator);
    numbers.second += HalfStep(generator);
  }
  const double least = numbers.kind == LabDistribution::Kind::kUniform ? numbers.first : 0;
  if (numbers.least == 0) numbers.least = std::min(0.0, least);
  return SpreadWithin(numbers, -kMostNumber, kMostNumber);
}

// Returns the bytes of lists of numbers that are vectors, by a few of them. `dimensions` is more
// than 0.
Spread SpreadOfVectors(int dimensions) {
  constexpr double kListBytes = 3;
  // The more numbers a vector has, the less its size varies.
  const int vectors = std::clamp(4096 / dimensions, 1, 16);
  std::vector<WeightedNumber> sizes;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(vectors); ++i) {
    DrawSequence draws(MixedHash({i}));
    std::string elements;
    AppendVector(dimensions, draws, elements);
    double bytes = kListBytes;
    for (std::size_t at = 0; at < elements.size();) {
      constexpr std::string_view kBefore = R"({"N":")";
      const std::size_t begin = elements.find(kBefore, at) + kBefore.size();
      const std::size_t end = elements.find('"', begin);
      bytes += 1 + static_cast<double>(
                       SizeOfNumberText(std::string_view(elements).substr(begin, end - begin)));
      at = end + 2;
    }
    sizes.push_back({bytes});
  }
  return Spread::Of(std::move(sizes));
}

double SumOfWeights(const std::vector<LabGenerator::Choice>& choices) {
  double sum = 0;
  for (const LabGenerator::Choice& choice : choices) sum += choice.weight;
  return sum;
}

// Returns the role whose instance those of the role belong to, or refer to, over all steps.
int OwnerOfFound(const CallShape& shape, int role) {
  const CallRole& one = shape.roles[static_cast<std::size_t>(role)];
  const bool is_found =
      one.source == CallRole::Source::kChildren || one.source == CallRole::Source::kReferring;
  return is_found ? OwnerOfFound(shape, one.of_role) : role;
}

// Returns how many instances a role has in a call, by what is known before there are bands.
double MeanRoughly(const LabFile& file, const CallShape& shape, int role) {
  const CallRole& one = shape.roles[static_cast<std::size_t>(role)];
  const double of = one.of_role == kLabNone ? 1 : MeanRoughly(file, shape, one.of_role);
  switch (one.source) {
    case CallRole::Source::kPicked:
    case CallRole::Source::kCreated:
      return of * one.count;
    case CallRole::Source::kChildren:
    case CallRole::Source::kCreatedChildren:
      return of * MeanOf(EntityAt(file, one.entity).count);
    case CallRole::Source::kReferring: {
      const int owner = shape.roles[static_cast<std::size_t>(one.of_role)].entity;
      return of * InstancesOf(file, one.entity) / std::max(1.0, InstancesOf(file, owner));
    }
    case CallRole::Source::kReferred:
    case CallRole::Source::kAncestor:
      return of;
  }
  return of;
}

}  // namespace

FileModel::FileModel(const LabFile& file, FileAge age) : file_(file), age_(std::move(age)) {
  const int forms = static_cast<int>(file.patterns.size() + file.other_forms.size());
  for (int form = 0; form < forms; ++form) {
    shapes_.push_back(ShapeOfCalls(file, PatternForm(file, form)));
  }
  bool has_found = false;
  for (std::size_t i = 0; i < file.patterns.size(); ++i) {
    std::vector<double>& written = written_.emplace_back();
    for (std::size_t write = 0; write < file.patterns[i].writes.size(); ++write) {
      written.push_back(MeanRoughly(file, shapes_[i], shapes_[i].writes[write].role));
      has_found |= file.patterns[i].writes[write].found_by.entity != kLabNone;
    }
  }
  Make();
  if (!has_found) return;
  // Who is picked most may be found by most, which is known when there are bands.
  for (std::size_t i = 0; i < file.patterns.size(); ++i) {
    for (std::size_t write = 0; write < written_[i].size(); ++write) {
      written_[i][write] = MeanInRole(static_cast<int>(i), shapes_[i].writes[write].role);
    }
  }
  Make();
}

// Makes all figures anew from `written_`.
void FileModel::Make() {
  entities_.assign(file_.entities.size(), {});
  values_.clear();
  CountInitial();
  CountCreated();
  MakeBands();
  MakePicks();
  MakeChildren();
  for (std::size_t entity = 0; entity < file_.entities.size(); ++entity) {
    values_.emplace_back(file_.entities[entity].attributes.size());
  }
  for (std::size_t entity = 0; entity < file_.entities.size(); ++entity) {
    for (std::size_t i = 0; i < file_.entities[entity].attributes.size(); ++i) {
      MakeValue({static_cast<int>(entity), static_cast<int>(i)}, 0);
    }
  }
  for (std::size_t entity = 0; entity < age_.entities.size(); ++entity) {
    if (file_.entities[entity].parent != kLabNone) AgeChildren(static_cast<int>(entity));
  }
  AddCreatedChildren();
  for (std::size_t entity = 0; entity < file_.entities.size(); ++entity) {
    for (std::size_t i = 0; i < file_.entities[entity].attributes.size(); ++i) {
      MixReferences({static_cast<int>(entity), static_cast<int>(i)});
    }
  }
  hottest_picks_.clear();
  for (int form = 0; form < static_cast<int>(shapes_.size()); ++form) {
    hottest_picks_.push_back(HottestOf(shape(form).roles.front().entity,
                                       PatternForm(file_, form).pick, PickShares(form)));
  }
}

void FileModel::MakePicks() {
  pick_shares_.clear();
  for (int form = 0; form < static_cast<int>(shapes_.size()); ++form) {
    const CallRole& picked = shape(form).roles.front();
    pick_shares_.push_back(picked.source == CallRole::Source::kPicked
                               ? SharesOfPick(picked.entity, PatternForm(file_, form).pick)
                               : std::vector<double>());
  }
}

double FileModel::Calls(int pattern) const {
  return std::max(0.0, PatternForm(file_, pattern).calls_per_second) * TrafficSeconds(file_);
}

double FileModel::MeanInRole(int pattern, int role) const {
  const CallRole& one = At(shape(pattern).roles, role);
  const double of = one.of_role == kLabNone ? 1 : MeanInRole(pattern, one.of_role);
  switch (one.source) {
    case CallRole::Source::kPicked:
    case CallRole::Source::kCreated:
      return of * one.count;
    case CallRole::Source::kCreatedChildren:
      return of * MeanOf(EntityAt(file_, one.entity).count);
    case CallRole::Source::kChildren:
    case CallRole::Source::kReferring: {
      double mean = 0;
      for (const CountCase& some : CountsInRole(pattern, role)) {
        mean += some.share * some.count.mean;
      }
      return mean * At(shape(pattern).roles, OwnerOfFound(shape(pattern), role)).count;
    }
    case CallRole::Source::kReferred:
      return of * Present({At(shape(pattern).roles, one.of_role).entity, one.via}) *
             (1 - ShareWrittenBefore(pattern, role));
    case CallRole::Source::kAncestor:
      return of * (1 - ShareWrittenBefore(pattern, role));
  }
  return of;
}

std::vector<CountCase> FileModel::CountsInRole(int pattern, int role) const {
  const CallShape& calls = shape(pattern);
  const CallRole& found = At(calls.roles, role);
  const CallRole& owner = At(calls.roles, found.of_role);
  const bool is_referring = found.source == CallRole::Source::kReferring;
  const auto of_band = [&](int band) -> Moments {
    if (!is_referring) return Descendants(found.entity, owner.entity, band);
    const double all = Instances(found.entity) * Present({found.entity, found.via});
    const double mean =
        band == kAnyBand
            ? all / std::max(1.0, Instances(owner.entity))
            : all * ReferenceShares({found.entity, found.via})[static_cast<std::size_t>(band)] /
                  At(Bands(owner.entity), band).count();
    return {mean, mean};
  };
  const bool is_of_found =
      owner.source == CallRole::Source::kChildren || owner.source == CallRole::Source::kReferring;
  if (is_of_found) {
    std::vector<CountCase> cases = CountsInRole(pattern, found.of_role);
    for (CountCase& one : cases) one.count = SumOfEach(one.count, of_band(kAnyBand));
    return cases;
  }
  const std::vector<double> shares = SharesInRole(pattern, found.of_role);
  if (shares.empty()) return {{.share = 1, .count = of_band(kAnyBand)}};
  std::vector<CountCase> cases;
  for (std::size_t band = 0; band < shares.size(); ++band) {
    cases.push_back({.share = shares[band], .count = of_band(static_cast<int>(band))});
  }
  return cases;
}

std::vector<double> FileModel::SharesOfFound(int pattern, int role) const {
  const CallShape& calls = shape(pattern);
  const int owner = At(calls.roles, role).of_role;
  const std::vector<CountCase> cases = CountsInRole(pattern, role);
  const bool has_bands = owner == OwnerOfFound(calls, role) &&
                         cases.size() == Bands(At(calls.roles, owner).entity).size();
  if (!has_bands) return {};
  std::vector<double> shares;
  double all = 0;
  for (const CountCase& one : cases) {
    shares.push_back(one.share * one.count.mean);
    all += shares.back();
  }
  if (all <= 0) return {};
  for (double& share : shares) share /= all;
  return shares;
}

std::vector<double> FileModel::SharesInRole(int pattern, int role) const {
  const CallShape& calls = shape(pattern);
  role = SameInstanceRole(calls, role);
  const CallRole& one = At(calls.roles, role);
  if (one.source == CallRole::Source::kPicked && role == 0) {
    const std::span<const double> shares = PickShares(pattern);
    return {shares.begin(), shares.end()};
  }
  if (one.source == CallRole::Source::kReferred) {
    const std::span<const double> shares =
        ReferenceShares({At(calls.roles, one.of_role).entity, one.via});
    return {shares.begin(), shares.end()};
  }
  if (one.source != CallRole::Source::kAncestor) return {};
  // An instance that has many descendants is met by way of each of them.
  const int below = At(calls.roles, one.of_role).entity;
  const double all = std::max(1.0, Instances(below));
  std::vector<double> shares;
  for (std::size_t band = 0; band < Bands(one.entity).size(); ++band) {
    shares.push_back(Descendants(below, one.entity, static_cast<int>(band)).mean *
                     Bands(one.entity)[band].count() / all);
  }
  return shares;
}

// --- Instances ---

void FileModel::CountInitial() {
  for (std::size_t i = 0; i < entities_.size(); ++i) {
    const int entity = static_cast<int>(i);
    entities_[i].initial = FirstInstances(entity);
    if (!age_.entities.empty()) entities_[i].initial += At(age_.entities, entity).later;
  }
}

void FileModel::MakeBands() {
  constexpr double kGrowth = 1.35;
  for (std::size_t i = 0; i < entities_.size(); ++i) {
    const double count = std::max(1.0, std::round(Instances(static_cast<int>(i))));
    double first = 1;
    while (first <= count) {
      const double last = std::min(count, std::max(first, std::floor(first * kGrowth)));
      entities_[i].bands.push_back({first, last});
      first = last + 1;
    }
  }
}

// Returns which share each band has of the first `count` ranks.
std::vector<double> FileModel::SharesOfBands(int entity, double count, double exponent) const {
  const std::vector<RankBand>& bands = Bands(entity);
  const double last = std::clamp(std::round(count), 1.0, bands.back().last);
  const double all = SumOfPowers(1, Whole(last), exponent);
  std::vector<double> shares;
  for (const RankBand& band : bands) {
    shares.push_back(
        band.first > last
            ? 0
            : SumOfPowers(Whole(band.first), Whole(std::min(band.last, last)), exponent) / all);
  }
  return shares;
}

std::vector<double> FileModel::SharesOfPick(int entity, const LabPick& pick) const {
  std::vector<double> shares;
  if (pick.kind == LabPick::Kind::kZipf) {
    shares = SharesOfBands(entity, Instances(entity), pick.exponent);
  } else if (pick.kind == LabPick::Kind::kHot) {
    const double count = Bands(entity).back().last;
    const double hot = std::clamp(std::floor(pick.hot_share * count), 1.0, count);
    for (const RankBand& band : Bands(entity)) {
      const double inside = std::clamp(hot - band.first + 1, 0.0, band.count());
      const double rest = count > hot ? (band.count() - inside) / (count - hot) : 0;
      shares.push_back(hot < count ? pick.hot_traffic * inside / hot + (1 - pick.hot_traffic) * rest
                                   : band.count() / count);
    }
  } else {
    shares = SharesOfBands(entity, Instances(entity), 0);
  }
  const double hottest = HotShare(file_, entity);
  for (double& share : shares) share *= 1 - hottest;
  shares.front() += hottest;
  return shares;
}

double FileModel::HottestOf(int entity, const LabPick& pick, std::span<const double> shares) const {
  if (shares.empty()) return 0;
  double matching = 1;
  for (const LabCondition& condition : pick.where) matching *= ShareOf(condition);
  if (matching < 1 && pick.kind != LabPick::Kind::kLatest) {
    // The first of those that match has the first rank.
    const double count = std::max(1.0, matching * Instances(entity));
    const bool is_zipf = pick.kind == LabPick::Kind::kZipf;
    return is_zipf ? 1 / SumOfPowers(1, Whole(count), pick.exponent)
                   : std::min(1.0, shares.front() / std::max(matching, 1e-9));
  }
  if (pick.kind != LabPick::Kind::kLatest) return shares.front();
  // Each new instance is picked most until the next one comes, and less and less after that. Of n
  // that come at random, the longest time until the next one is about ln n + 0.577 times the mean.
  constexpr double kEuler = 0.5772;
  const double count = Bands(entity).back().last;
  const double created = std::clamp(2 * Created(entity), 1.0, count);
  const double longest = std::max(1.0, PortableLog(created) + kEuler);
  return (SumOfPowers(1, Whole(created), pick.exponent) + longest - 1) /
         SumOfPowers(1, Whole(count), pick.exponent) / created;
}

double FileModel::CreatedPickShare(int pattern) const {
  const int entity = shape(pattern).roles.front().entity;
  const LabPick& pick = PatternForm(file_, pattern).pick;
  const double count = std::max(1.0, Instances(entity));
  const double created = std::clamp(Created(entity), 0.0, count);
  if (pick.kind != LabPick::Kind::kLatest || created < 1) return created / count;
  return SumOfPowers(1, Whole(created), pick.exponent) /
         SumOfPowers(1, Whole(count), pick.exponent);
}

// Returns whether calls that create a parent create its children, too.
bool FileModel::ComesAlong(int entity) const {
  const int parent = EntityAt(file_, entity).parent;
  return std::ranges::any_of(file_.patterns, [&](const LabPattern& pattern) {
    return pattern.calls_per_second > 0 &&
           std::ranges::any_of(pattern.writes, [&](const LabWrite& write) {
             return write.kind == LabWrite::Kind::kCreate && write.entity == parent &&
                    std::ranges::count(write.with, entity) > 0;
           });
  });
}

void FileModel::MakeChildren() {
  for (std::size_t i = 0; i < entities_.size(); ++i) {
    const LabEntity& described = file_.entities[i];
    OfEntity& entity = entities_[i];
    if (described.parent == kLabNone) continue;
    const double parents = std::max(1.0, FirstInstances(described.parent));
    const double parents_at_call = std::max(1.0, Initial(described.parent));
    const bool is_zipf = described.count.kind == LabDistribution::Kind::kZipf;
    entity.children = Spread::OfDraws(described.count, parents);
    std::optional<ZipfSizes> sizes;
    if (is_zipf) sizes.emplace(Whole(parents), described.count);
    const Moments any = {MeanOf(described.count), entity.children.Variance()};
    const bool comes_along = ComesAlong(static_cast<int>(i));
    for (const RankBand& band : Bands(described.parent)) {
      // Parents that calls created have the last ranks.
      const double old = std::clamp((parents - band.first + 1) / band.count(), 0.0, 1.0);
      Moments of_band = any;
      if (sizes) {
        const double mean = sizes->At(static_cast<std::uint64_t>((band.first + band.last) / 2 - 1));
        const double fraction = mean - std::floor(mean);
        of_band = {mean, fraction * (1 - fraction)};
      }
      const double fresh = comes_along ? 1 - old : 0;
      entity.children_by_band.push_back(
          {of_band.mean * old + any.mean * fresh, of_band.variance * old + any.variance * fresh});
      const double before_call =
          std::clamp((parents_at_call - band.first + 1) / band.count(), 0.0, 1.0);
      entity.created_by_band.push_back(comes_along ? any.mean * (1 - before_call) : 0);
    }
  }
}

Spread FileModel::ChildrenWithSiblings(int entity) const {
  const OfEntity& own = At(entities_, entity);
  std::vector<WeightedNumber> counts;
  if (EntityAt(file_, entity).count.kind == LabDistribution::Kind::kZipf) {
    const std::vector<RankBand>& bands = Bands(EntityAt(file_, entity).parent);
    for (std::size_t band = 0; band < bands.size(); ++band) {
      const double each = own.children_by_band[band].mean;
      counts.push_back({each, each * bands[band].count()});
    }
  } else {
    for (std::size_t i = 0; i < Spread::kParts; ++i) {
      counts.push_back({own.children.part(i), own.children.part(i)});
    }
  }
  return Spread::Of(std::move(counts));
}

Moments FileModel::Descendants(int entity, int ancestor, int band) const {
  if (entity == ancestor) return {1, 0};
  const int parent = EntityAt(file_, entity).parent;
  const OfEntity& own = At(entities_, entity);
  if (parent == ancestor && band != kAnyBand) {
    return own.children_by_band[static_cast<std::size_t>(band)];
  }
  const double mean = Instances(entity) / std::max(1.0, Instances(parent));
  const double usual = std::max(1e-9, own.children.Mean());
  const Moments each = {mean, own.children.Variance() * mean / usual};
  return SumOfEach(Descendants(parent, ancestor, band), each);
}

Moments FileModel::CreatedDescendants(int entity, int ancestor, int band) const {
  double mean = std::max(0.0, Created(entity)) / std::max(1.0, Instances(ancestor));
  if (entity == ancestor) mean = 0;
  if (EntityAt(file_, entity).parent == ancestor && band != kAnyBand) {
    mean = At(entities_, entity).created_by_band[static_cast<std::size_t>(band)];
  }
  return {mean, mean};
}

// --- Values ---

double FileModel::TextBytes(const LabTemplate& text) const {
  double bytes = 0;
  for (const LabTemplatePart& part : text.parts) {
    bytes += static_cast<double>(part.literal.size());
    if (part.attribute.entity == kLabNone) continue;
    const double value = OfAttribute(part.attribute).text_bytes;
    if (part.shards > 0) {
      bytes += std::floor(PortableLog10(std::max(1, part.shards - 1))) + 1;
    } else if (part.form == Form::kPadded || part.form == Form::kDescend) {
      bytes += std::max<double>(part.width, value);
    } else if (part.form == Form::kPrefix) {
      bytes += std::min<double>(part.width, value);
    } else if (MeanBucketMs(part.form) > 0) {
      static constexpr double kCharacters[] = {4, 7, 10, 13, 16};
      bytes += kCharacters[static_cast<int>(part.form) - static_cast<int>(Form::kYear)];
    } else {
      bytes += value;
    }
  }
  return bytes;
}

void FileModel::MakeValue(LabAttributeRef ref, int depth) {
  constexpr int kMostReferences = 32;
  OfValue& value =
      values_[static_cast<std::size_t>(ref.entity)][static_cast<std::size_t>(ref.attribute)];
  if (value.is_known || depth > kMostReferences) return;
  const LabAttribute& attribute = LabAttributeAt(file_, ref);
  const double count = std::max(1.0, Instances(ref.entity));
  value.same = 1 / count;
  value.greatest = 1 / count;
  value.present = attribute.present;
  MakeDrawnValue(ref, value);
  MakeDerivedValue(ref, depth, value);
  if (attribute.type == LabType::kBool) value.value_bytes = Spread(1);
  value.is_known = true;
}

// Fills in the value of a generator that needs no other value.
void FileModel::MakeDrawnValue(LabAttributeRef ref, OfValue& value) const {
  const LabAttribute& attribute = LabAttributeAt(file_, ref);
  const LabGenerator& generator = attribute.generator;
  const bool is_number = attribute.type == LabType::kNumber;
  const auto set_bytes = [&](double text, double number) {
    value.text_bytes = text;
    value.value_bytes = Spread(is_number ? number : text);
  };
  switch (generator.kind) {
    case GeneratorKind::kConstant:
      set_bytes(static_cast<double>(generator.text.size()),
                static_cast<double>(SizeOfNumberText(generator.text)));
      value.numbers = Spread(NumberIn(generator.text));
      value.same = value.greatest = 1;
      return;
    case GeneratorKind::kSequence: {
      const double last = static_cast<double>(generator.first_number) + Instances(ref.entity);
      const double digits = std::max<double>(generator.width, std::floor(PortableLog10(last)) + 1);
      return set_bytes(digits, 1 + std::ceil(digits / 2));
    }
    case GeneratorKind::kUlid:
      return set_bytes(kUlidBytes, kUlidBytes);
    case GeneratorKind::kUuid:
      return set_bytes(kUuidBytes, kUuidBytes);
    case GeneratorKind::kTime:
      if (generator.time_form == LabGenerator::TimeForm::kIso) {
        return set_bytes(kIsoTimeBytes, kIsoTimeBytes);
      }
      return generator.time_form == LabGenerator::TimeForm::kSeconds ? set_bytes(10, 6)
                                                                     : set_bytes(13, 8);
    case GeneratorKind::kChoice: {
      std::vector<WeightedNumber> bytes;
      std::vector<WeightedNumber> numbers;
      const double all = SumOfWeights(generator.choices);
      if (!(all > 0)) return;
      value.same = value.greatest = 0;
      for (const LabGenerator::Choice& choice : generator.choices) {
        const double share = choice.weight / all;
        bytes.push_back({BytesOfText(choice.value, attribute.type), share});
        numbers.push_back({NumberIn(choice.value), share});
        value.text_bytes += static_cast<double>(choice.value.size()) * share;
        value.same += share * share;
        value.greatest = std::max(value.greatest, share);
      }
      value.value_bytes = Spread::Of(std::move(bytes));
      value.numbers = Spread::Of(std::move(numbers));
      return;
    }
    case GeneratorKind::kText:
      value.value_bytes = SpreadWithin(generator.distribution, 0, kMostTextBytes);
      value.text_bytes = value.value_bytes.Mean();
      return;
    case GeneratorKind::kVector:
      value.value_bytes = SpreadOfVectors(generator.width);
      value.same = value.greatest = 0;
      return;
    case GeneratorKind::kNumber: {
      value.numbers = SpreadOfNumbers(generator);
      std::vector<WeightedNumber> bytes;
      for (std::size_t i = 0; i < Spread::kParts; ++i) {
        std::string text;
        AppendDecimal(RoundedTo(value.numbers.part(i), generator.decimals), generator.decimals,
                      text);
        bytes.push_back({BytesOfText(text, attribute.type), 1});
        value.text_bytes += static_cast<double>(text.size()) / Spread::kParts;
      }
      value.value_bytes = Spread::Of(std::move(bytes));
      const double width = value.numbers.part(Spread::kParts - 1) - value.numbers.part(0);
      const double different = width * PortablePow(10, generator.decimals) + 1;
      value.same = std::max(value.same, 1 / different);
      value.greatest = value.same;
      return;
    }
    case GeneratorKind::kFlag: {
      const double yes = generator.probability;
      set_bytes(5 - yes, 1);
      value.same = yes * yes + (1 - yes) * (1 - yes);
      value.greatest = std::max(yes, 1 - yes);
      return;
    }
    case GeneratorKind::kRef:
      // References are to instances that were there before the traffic.
      value.reference_shares = SharesOfBands(
          generator.other.entity, Initial(generator.other.entity), generator.pick_exponent);
      if (EntityAt(file_, ref.entity).distinct == ref.attribute) {
        value.reference_shares =
            DistinctShares(ref.entity, generator.other.entity, value.reference_shares);
      }
      return;
    default:
      return;
  }
}

// Returns the shares of references of which no two children of one parent have the same: the more
// children there are, the less the first ranks exceed the others. Of k draws without replacement,
// one is of a rank that is drawn with probability p in about 1 − e^(−pt) of the cases, where t is
// such that all ranks together have k.
std::vector<double> FileModel::DistinctShares(int entity, int other,
                                              const std::vector<double>& shares) const {
  constexpr int kSteps = 8;
  const std::vector<RankBand>& bands = Bands(other);
  std::vector<double> distinct(shares.size(), 0);
  for (std::size_t part = 0; part < Spread::kParts;) {
    const double count = Children(entity).part(part);
    double weight = 0;  // of the parts that are alike
    for (; part < Spread::kParts && Children(entity).part(part) == count; ++part) ++weight;
    const double children = std::min(count, Initial(other) * 0.999);
    if (children <= 0) continue;
    double t = children;  // the sum rises less and less, so Newton's steps never go too far
    std::vector<double> drawn(shares.size(), 0);
    for (int step = 0; step <= kSteps; ++step) {
      double sum = 0;
      double slope = 0;
      for (std::size_t band = 0; band < shares.size(); ++band) {
        const double each = shares[band] / bands[band].count();
        const double missed = PortableExp(-each * t);
        drawn[band] = bands[band].count() * (1 - missed);
        sum += drawn[band];
        slope += shares[band] * missed;
      }
      if (children - sum < 1e-6 * children || slope <= 0) break;
      t += (children - sum) / slope;
    }
    for (std::size_t band = 0; band < shares.size(); ++band) distinct[band] += weight * drawn[band];
  }
  const double sum = std::accumulate(distinct.begin(), distinct.end(), 0.0);
  if (sum <= 0) return shares;
  for (double& share : distinct) share /= sum;
  return distinct;
}

// Fills in the value of a generator that takes values of other attributes.
void FileModel::MakeDerivedValue(LabAttributeRef ref, int depth, OfValue& value) {
  const LabGenerator& generator = LabAttributeAt(file_, ref).generator;
  switch (generator.kind) {
    case GeneratorKind::kTemplate: {
      double same = 1;
      double greatest = 1;
      for (const LabTemplatePart& part : generator.text_template.parts) {
        if (part.attribute.entity == kLabNone) continue;
        MakeValue(part.attribute, depth + 1);
        value.present *= OfAttribute(part.attribute).present;
        same = std::min(same, SameValueShare(part));
        greatest = std::min(greatest, GreatestValueShare(part));
      }
      value.text_bytes = TextBytes(generator.text_template);
      value.value_bytes = Spread(value.text_bytes);
      value.same = same;
      value.greatest = greatest;
      return;
    }
    case GeneratorKind::kRef:
    case GeneratorKind::kOfRef:
    case GeneratorKind::kOfAncestor:
      break;
    default:
      return;
  }
  MakeValue(generator.other, depth + 1);
  const OfValue& original = OfAttribute(generator.other);
  value.value_bytes = original.value_bytes;
  value.text_bytes = original.text_bytes;
  value.numbers = original.numbers;
  value.present *= original.present;
  // Two that refer to the same instance have the same value, others may have it by chance.
  double same = 0;
  double greatest = 0;
  if (generator.kind == GeneratorKind::kOfAncestor) {
    same = 1 / std::max(1.0, Instances(generator.other.entity));
    greatest = same;
  } else {
    const LabAttributeRef reference = {ref.entity, ReferenceOfCopy(file_, ref)};
    MakeValue(reference, depth + 1);
    const std::vector<RankBand>& bands = Bands(generator.other.entity);
    const std::vector<double>& shares = OfAttribute(reference).reference_shares;
    for (std::size_t band = 0; band < shares.size() && band < bands.size(); ++band) {
      same += shares[band] * shares[band] / bands[band].count();
    }
    if (!shares.empty()) greatest = shares.front();
  }
  const bool is_identity = generator.other.attribute == 0;
  value.same = is_identity ? same : same + (1 - same) * original.same;
  value.greatest = is_identity ? greatest : std::max(greatest, original.greatest);
}

double FileModel::SameValueShare(const LabTemplatePart& part) const {
  const double same = OfAttribute(part.attribute).same;
  if (part.shards > 0) return std::max(same, 1.0 / part.shards);
  if (part.form == Form::kPrefix) return std::max(same, ShareOfPrefix(part.attribute, part.width));
  const double alike_ms = MeanBucketMs(part.form);
  if (alike_ms == 0) return same;
  return std::max(same, ShareAlike(part.attribute, alike_ms));
}

double FileModel::GreatestValueShare(const LabTemplatePart& part) const {
  const double greatest = OfAttribute(part.attribute).greatest;
  if (part.shards > 0) return greatest + (1 - greatest) / part.shards;
  return std::max(greatest, SameValueShare(part));
}

// --- Shares ---

std::optional<double> ShareMade(const LabCondition& condition, LabType type,
                                const LabGenerator& generator) {
  const auto holds = [&](std::string_view value) { return ConditionHolds(condition, type, value); };
  switch (generator.kind) {
    case GeneratorKind::kConstant:
      return holds(generator.text) ? 1 : 0;
    case GeneratorKind::kFlag:
      return (holds("true") ? generator.probability : 0) +
             (holds("false") ? 1 - generator.probability : 0);
    case GeneratorKind::kChoice: {
      double chosen = 0;
      for (const LabGenerator::Choice& choice : generator.choices) {
        if (holds(choice.value)) chosen += choice.weight;
      }
      const double all = SumOfWeights(generator.choices);
      return all > 0 ? chosen / all : 0;
    }
    default:
      return std::nullopt;
  }
}

double FileModel::ShareOf(const LabCondition& condition) const {
  const LabAttributeRef attribute = condition.attribute;
  const double present = Present(attribute);
  // Copies have each value as often as what they are copies of.
  const std::optional<double> made =
      ShareMade(condition, LabAttributeAt(file_, attribute).type,
                LabAttributeAt(file_, RootOf(file_, attribute)).generator);
  if (made) return present * *made;
  using Op = LabCondition::Op;
  const double same = SameValueShare(attribute);
  switch (condition.op) {
    case Op::kEqual:
      return present * same;
    case Op::kIn:
      return present * std::min(1.0, same * static_cast<double>(condition.values.size()));
    case Op::kNotEqual:
      return present * (1 - same);
    default:
      break;
  }
  const bool is_least = condition.op == Op::kGreater || condition.op == Op::kAtLeast;
  const bool is_in = condition.op == Op::kAtMost || condition.op == Op::kGreater;
  const std::optional<double> below =
      ShareBelow(attribute, {.value = condition.values.front(), .is_in = is_in});
  if (!below) return present * kUsualShare;
  return present * (is_least ? 1 - *below : *below);
}

std::optional<double> FileModel::ShareBelow(LabAttributeRef attribute, const Bound& bound) const {
  const LabType type = LabAttributeAt(file_, attribute).type;
  const LabAttributeRef root = RootOf(file_, attribute);
  const LabGenerator& original = LabAttributeAt(file_, root).generator;
  const LabCondition below = {
      .attribute = attribute,
      .op = bound.is_in ? LabCondition::Op::kAtMost : LabCondition::Op::kLess,
      .values = {std::string(bound.value)}};
  if (const auto share = ShareMade(below, type, original)) return share;
  if (const auto instant = InstantOfValue(file_, attribute, bound.value)) {
    const auto of_start = static_cast<double>(*instant - file_.start_epoch_ms) - age_.age_ms;
    return ShareOfTimes(attribute, -kFarMs, of_start + bound.later_ms);
  }
  if (original.kind == GeneratorKind::kSequence) {
    const double before =
        NumberIn(bound.value) - static_cast<double>(original.first_number) + (bound.is_in ? 1 : 0);
    return std::clamp(before / std::max(1.0, Instances(root.entity)), 0.0, 1.0);
  }
  if (type != LabType::kNumber) return std::nullopt;
  const double half = HalfStep(original) * (bound.is_in ? 1 : -1);
  return OfAttribute(attribute).numbers.ShareBelow(NumberIn(bound.value) + half);
}

// Returns the share of the times that one period of that length has, whether the times are over or
// ahead.
double FileModel::ShareAlike(LabAttributeRef attribute, double alike_ms) const {
  const double share =
      std::max(ShareOfTimes(attribute, -alike_ms, 0), ShareOfTimes(attribute, 0, alike_ms));
  if (age_.entities.empty()) return share;
  return std::max(share, ShareOfTimes(attribute, -age_.age_ms - alike_ms, -age_.age_ms));
}

double FileModel::MomentOfCalls(double share) const {
  double left = share * TrafficSeconds(file_) * 1000;
  double moment_ms = 0;
  for (const LabPhase& phase : file_.traffic) {
    const auto length_ms = static_cast<double>(phase.length_ms);
    const double calls = MeanFactor(phase) * length_ms;
    if (calls >= left) return moment_ms + (calls > 0 ? left / calls * length_ms : 0);
    left -= calls;
    moment_ms += length_ms;
  }
  return moment_ms;
}

// How likely it is that two values begin with the same characters.
double FileModel::ShareOfPrefix(LabAttributeRef attribute, int characters) const {
  const LabGenerator& generator = LabAttributeAt(file_, attribute).generator;
  const double count = std::max(1.0, Instances(attribute.entity));
  switch (generator.kind) {
    case GeneratorKind::kSequence:
      return std::min(1.0, PortablePow(10, generator.width - characters) / count);
    case GeneratorKind::kUuid:
      return std::max(1 / count, PortablePow(16, -characters));
    case GeneratorKind::kUlid: {
      constexpr int kCharactersOfTime = 10;
      const double alike_ms = PortablePow(32, kCharactersOfTime - characters);
      return std::max(1 / count, ShareAlike(attribute, alike_ms));
    }
    case GeneratorKind::kChoice: {
      std::map<std::string_view, double> shares;  // of each beginning
      const double all = SumOfWeights(generator.choices);
      for (const LabGenerator::Choice& choice : generator.choices) {
        const auto length = static_cast<std::size_t>(characters);
        shares[std::string_view(choice.value).substr(0, length)] += choice.weight / all;
      }
      double same = 0;
      for (const auto& [start, share] : shares) same += share * share;
      return same;
    }
    case GeneratorKind::kText:
      // Of the generator's 256 words, which are not as many for each letter.
      return std::max({1 / count, 1.0 / 256, 0.07 * PortablePow(0.33, characters - 1)});
    case GeneratorKind::kRef:
    case GeneratorKind::kOfRef:
    case GeneratorKind::kOfAncestor:
      return ShareOfPrefix(generator.other, characters);
    case GeneratorKind::kTemplate:
      if (!generator.text_template.parts.empty() &&
          generator.text_template.parts.front().literal.empty() &&
          generator.text_template.parts.front().attribute.entity != kLabNone) {
        return ShareOfPrefix(generator.text_template.parts.front().attribute, characters);
      }
      return std::max(1 / count, 0.02);
    default:
      return std::max(1 / count, 0.02);
  }
}

double FileModel::ShareOf(const LabRange& range, double widened_ms) const {
  switch (range.kind) {
    case LabRange::Kind::kNone:
      return 1;
    case LabRange::Kind::kLast:
      return ShareOfTimes(range.attribute, -static_cast<double>(range.last_ms) - widened_ms,
                          kFarMs);
    case LabRange::Kind::kNext:
      return ShareOfTimes(range.attribute, -widened_ms,
                          static_cast<double>(range.next_ms) + widened_ms);
    case LabRange::Kind::kPrefix:
      return ShareOfPrefix(range.attribute, range.prefix);
    case LabRange::Kind::kBetween:
      break;
  }
  const LabAttributeRef attribute = range.attribute;
  const std::optional<double> before =
      range.from ? ShareBelow(attribute, {.value = *range.from, .later_ms = -widened_ms}) : 0;
  const std::optional<double> until =
      range.to ? ShareBelow(attribute, {.value = *range.to, .is_in = true, .later_ms = widened_ms})
               : 1;
  return before && until ? std::max(0.0, *until - *before) : kUsualShare;
}

}  // namespace hashrange
