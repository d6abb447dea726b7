#include "lab/language/data/instances.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/portable_math.h"
#include "lab/language/data/zipf.h"
#include "lab/language/lab_facts.h"

namespace hashrange {

ChildRanges::ChildRanges(std::vector<std::uint32_t> counts) : begins_(std::move(counts)) {
  std::uint32_t begin = 0;
  for (std::uint32_t& entry : begins_) begin += std::exchange(entry, begin);
  begins_.push_back(begin);
}

std::uint64_t ChildRanges::ParentOf(std::uint64_t child) const {
  if (child < Begin(last_parent_) || child >= End(last_parent_)) {
    const auto after = std::upper_bound(begins_.begin(), begins_.end(), child);
    last_parent_ = static_cast<std::uint64_t>(after - begins_.begin()) - 1;
  }
  return last_parent_;
}

bool Instances::Exists(InstanceId id) const {
  return id.number < Count(id.entity) && !Of(id.entity).deleted.contains(id.number);
}

std::uint64_t Instances::NumberOfRank(int entity, std::uint64_t rank) const {
  return rank < InitialCount(entity) ? Of(entity).ranks.At(rank) : rank;
}

std::int64_t Instances::CreatedEpochMs(InstanceId id) const {
  return Of(id.entity).created[id.number - InitialCount(id.entity)].epoch_ms;
}

InstanceId Instances::ParentOf(InstanceId id) const {
  const OfEntity& of = Of(id.entity);
  if (of.parent == kLabNone) return {};
  if (IsCreated(id)) return {of.parent, of.created[id.number - of.initial].parent};
  return {of.parent, of.ranges.ParentOf(id.number)};
}

InstanceId Instances::AncestorOf(InstanceId id, int entity) const {
  while (id.entity != entity && id.entity != kLabNone) id = ParentOf(id);
  return id;
}

std::uint64_t Instances::ChildCount(InstanceId parent, int entity) const {
  const OfEntity& of = Of(entity);
  const std::uint64_t initial =
      IsCreated(parent) ? 0 : of.ranges.End(parent.number) - of.ranges.Begin(parent.number);
  const auto created = of.created_children.find(parent.number);
  return initial + (created == of.created_children.end() ? 0 : created->second.size());
}

InstanceId Instances::ChildAt(InstanceId parent, int entity, std::uint64_t place) const {
  const OfEntity& of = Of(entity);
  if (!IsCreated(parent)) {
    const std::uint64_t begin = of.ranges.Begin(parent.number);
    const std::uint64_t initial = of.ranges.End(parent.number) - begin;
    if (place < initial) return {entity, begin + place};
    place -= initial;
  }
  return {entity, of.created_children.find(parent.number)->second[place]};
}

std::uint64_t Instances::PlaceOf(InstanceId id) const {
  const OfEntity& of = Of(id.entity);
  if (IsCreated(id)) return of.created[id.number - of.initial].place;
  return id.number - of.ranges.Begin(of.ranges.ParentOf(id.number));
}

void Instances::AppendChildren(InstanceId parent, int entity, std::vector<InstanceId>& out) const {
  const std::uint64_t count = ChildCount(parent, entity);
  for (std::uint64_t place = 0; place < count; ++place) {
    const InstanceId child = ChildAt(parent, entity, place);
    if (Exists(child)) out.push_back(child);
  }
}

InstanceId Instances::Create(int entity, InstanceId parent, std::int64_t now_epoch_ms) {
  const std::uint64_t number = Count(entity);
  const std::uint64_t place = parent.entity == kLabNone ? 0 : ChildCount(parent, entity);
  OfEntity& of = Of(entity);
  of.created.push_back(
      {static_cast<std::uint32_t>(parent.number), static_cast<std::uint32_t>(place), now_epoch_ms});
  if (parent.entity != kLabNone) {
    of.created_children[parent.number].push_back(static_cast<std::uint32_t>(number));
  }
  return {entity, number};
}

// The initial instances of each entity are counted: of the whole, or of each parent.

namespace {

constexpr std::uint64_t kCountDraw = 1;  // tell draws apart that are about the same entity
constexpr std::uint64_t kRankDraw = 2;

std::uint64_t AsNumber(int value) { return static_cast<std::uint64_t>(value); }

std::uint64_t WholeNumber(double number) {
  if (!(number > 0)) return 0;
  if (number > static_cast<double>(kMostInstances)) return kMostInstances + 1;
  return static_cast<std::uint64_t>(number + 0.5);
}

DrawSequence CountDraws(const LabFile& file, int entity, std::uint64_t parent) {
  return DrawSequence(MixedHash({file.seed, AsNumber(entity), kCountDraw, parent}));
}

// Returns how many different numbers a kNumber can give.
std::uint64_t DifferentNumbers(const LabGenerator& generator) {
  const LabDistribution& numbers = generator.distribution;
  if (numbers.kind == LabDistribution::Kind::kFixed) return 1;
  if (numbers.kind != LabDistribution::Kind::kUniform) return kMostInstances;
  const double power = PortablePow(10, generator.decimals);
  const double count =
      std::floor(numbers.second * power + 1e-6) - std::ceil(numbers.first * power - 1e-6) + 1;
  return std::clamp<std::uint64_t>(WholeNumber(count), 1, kMostInstances);
}

}  // namespace

std::uint64_t Instances::MostSiblings(int entity, std::uint64_t scale) {
  const LabEntity& described = EntityAt(file_, entity);
  if (described.distinct == kLabNone) return kMostInstances;
  const LabGenerator& generator =
      described.attributes[static_cast<std::size_t>(described.distinct)].generator;
  switch (generator.kind) {
    case LabGenerator::Kind::kRef:
      CountEntity(generator.other.entity, scale);
      // Entities that refer to each other in a circle are counted in the order of the file.
      return Of(generator.other.entity).is_counted ? InitialCount(generator.other.entity)
                                                   : kMostInstances;
    case LabGenerator::Kind::kChoice:
      return static_cast<std::uint64_t>(
          std::count_if(generator.choices.begin(), generator.choices.end(),
                        [](const LabGenerator::Choice& choice) { return choice.weight > 0; }));
    case LabGenerator::Kind::kFlag:
      return generator.probability > 0 && generator.probability < 1 ? 2 : 1;
    case LabGenerator::Kind::kConstant:
      return 1;
    case LabGenerator::Kind::kNumber:
      return DifferentNumbers(generator);
    default:
      return kMostInstances;
  }
}

std::uint64_t Instances::WholeCount(int entity, std::uint64_t scale) {
  DrawSequence draws = CountDraws(file_, entity, 0);
  const double count = DrawFrom(EntityAt(file_, entity).count, draws);
  return WholeNumber(std::round(std::max(0.0, count)) * static_cast<double>(scale));
}

// Looks at `stop_` now and then only.
bool Instances::IsStoppedAt(std::uint64_t parent) const {
  constexpr std::uint64_t kParentsBetweenLooks = 4096;
  return stop_ && parent % kParentsBetweenLooks == 0 && stop_->load(std::memory_order_relaxed);
}

std::vector<std::uint32_t> Instances::ZipfCountsOfChildren(int entity) {
  const OfEntity& counted = Of(entity);
  const std::uint64_t parents = InitialCount(counted.parent);
  std::vector<std::uint32_t> counts(parents);
  if (parents == 0) return counts;
  const ZipfSizes sizes(parents, EntityAt(file_, entity).count);
  // The sums are rounded, not the sizes, so that the mean is right where most sizes are below one.
  double sum = 0;
  std::uint64_t whole_sum = 0;
  for (std::uint64_t rank = 0; rank < parents && !IsStoppedAt(rank); ++rank) {
    sum += sizes.At(rank);
    const std::uint64_t next_sum = WholeNumber(sum);
    if (next_sum > kMostInstances) break;
    counts[NumberOfRank(counted.parent, rank)] =
        static_cast<std::uint32_t>(std::min(next_sum - whole_sum, counted.most_siblings));
    whole_sum = next_sum;
  }
  if (WholeNumber(sum) > kMostInstances) too_many_of_ = entity;
  return counts;
}

std::vector<std::uint32_t> Instances::CountsOfChildren(int entity) {
  if (EntityAt(file_, entity).count.kind == LabDistribution::Kind::kZipf) {
    return ZipfCountsOfChildren(entity);
  }
  std::vector<std::uint32_t> counts(InitialCount(Of(entity).parent));
  std::uint64_t sum = 0;
  for (std::uint64_t parent = 0; parent < counts.size() && !IsStoppedAt(parent); ++parent) {
    const std::uint64_t count = DrawChildCount({Of(entity).parent, parent}, entity);
    sum += count;
    if (sum > kMostInstances) {
      too_many_of_ = entity;
      break;
    }
    counts[parent] = static_cast<std::uint32_t>(count);
  }
  return counts;
}

void Instances::CountEntity(int entity, std::uint64_t scale) {
  if (Of(entity).is_counted || Of(entity).is_being_counted) return;
  Of(entity).is_being_counted = true;
  Of(entity).parent = EntityAt(file_, entity).parent;
  Of(entity).most_siblings = MostSiblings(entity, scale);
  if (Of(entity).parent == kLabNone) {
    const std::uint64_t count = WholeCount(entity, scale);
    if (count > kMostInstances) too_many_of_ = entity;
    Of(entity).initial = count > kMostInstances ? 0 : count;
  } else {
    CountEntity(Of(entity).parent, scale);
    Of(entity).ranges = ChildRanges(CountsOfChildren(entity));
    Of(entity).initial = Of(entity).ranges.children();
  }
  Of(entity).ranks = Permutation(std::max<std::uint64_t>(Of(entity).initial, 1),
                                 MixedHash({file_.seed, AsNumber(entity), kRankDraw}));
  Of(entity).is_counted = true;
}

std::uint64_t Instances::DrawChildCount(InstanceId parent, int entity) const {
  const LabDistribution& count = EntityAt(file_, entity).count;
  DrawSequence draws = CountDraws(file_, entity, parent.number);
  double drawn = 0;
  if (count.kind == LabDistribution::Kind::kZipf) {
    // The size of a rank is a mean; its fraction is the probability of one more.
    drawn = std::floor(
        sizes_.Of(std::max<std::uint64_t>(1, InitialCount(parent.entity)), count).Draw(draws) +
        draws.Unit());
  } else {
    drawn = DrawFrom(count, draws);
  }
  return std::min(WholeNumber(drawn), Of(entity).most_siblings);
}

Instances::Instances(const LabFile& file, std::uint64_t scale, const std::atomic<bool>* stop)
    : file_(file), stop_(stop), entities_(file.entities.size()) {
  for (int entity = 0; entity < static_cast<int>(file.entities.size()); ++entity) {
    CountEntity(entity, scale);
  }
}

}  // namespace hashrange
