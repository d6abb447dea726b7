// What the declared traffic has made of the data after months: how many children each parent has by
// then, and how old they are.
#include <algorithm>
#include <utility>

#include "lab/language/lab_facts.h"
#include "lab/plan/cost/file_model.h"

namespace hashrange {

// Returns how many instances of those that the file asks for are still there.
double FileModel::FirstInstances(int entity) const {
  return age_.entities.empty() ? InstancesOf(file_, entity) : At(age_.entities, entity).first;
}

// Makes the children of each band those of the age: the first ones that are left, those that came
// along with their parents, those that calls have added since, and those of the file's traffic.
void FileModel::AgeChildren(int entity) {
  const FileAge::OfEntity& age = At(age_.entities, entity);
  const int parent = EntityAt(file_, entity).parent;
  const std::vector<RankBand>& bands = Bands(parent);
  OfEntity& own = entities_[static_cast<std::size_t>(entity)];
  const double along = ComesAlong(entity) ? MeanOf(EntityAt(file_, entity).count) : 0;
  const auto share_among = [&](const RankBand& band, double parents) {
    return std::clamp((std::max(1.0, parents) - band.first + 1) / band.count(), 0.0, 1.0);
  };
  std::vector<double> fresh;  // of each band: what came along
  double first_sum = 0;
  double fresh_sum = 0;
  for (std::size_t band = 0; band < bands.size(); ++band) {
    fresh.push_back(along * (share_among(bands[band], Initial(parent)) -
                             share_among(bands[band], FirstInstances(parent))));
    fresh_sum += fresh[band] * bands[band].count();
    const double before = own.children_by_band[band].mean - own.created_by_band[band];
    first_sum += (before - fresh[band]) * bands[band].count();
  }
  const double kept = first_sum > 0 ? age.first / first_sum : 0;
  const double of_fresh = fresh_sum > age.later ? age.later / fresh_sum : 1;
  const double missing = std::max(0.0, age.later - fresh_sum * of_fresh);
  const std::vector<double> shares = SharesOfLater(entity);
  const double usual = own.children.Mean();
  std::vector<WeightedNumber> counts;
  for (std::size_t band = 0; band < bands.size(); ++band) {
    Moments& of_band = own.children_by_band[band];
    const double created = own.created_by_band[band];
    const double before = of_band.mean - created;
    const double drawn = (before - fresh[band]) * kept + fresh[band] * of_fresh;
    const double added = missing * shares[band] / bands[band].count();
    const bool is_drawn = of_band.variance > created && usual > 0;
    for (std::size_t part = 0; part < Spread::kParts; ++part) {
      const double factor = is_drawn ? own.children.part(part) / usual : 1;
      counts.push_back({drawn * factor + added, bands[band].count()});
    }
    const double scale = before > 0 ? drawn / before : 0;
    of_band = {drawn + added + created,
               std::max(0.0, of_band.variance - created) * scale * scale + added + created};
  }
  own.children = Spread::Of(std::move(counts));
}

// Returns which share of the children that calls have added falls into each band of the parent.
std::vector<double> FileModel::SharesOfLater(int entity) const {
  const int parent = EntityAt(file_, entity).parent;
  const std::vector<double> even = SharesOfBands(parent, Initial(parent), 0);
  std::vector<double> sum(even.size(), 0);
  double all = 0;
  for (int pattern = 0; pattern < static_cast<int>(file_.patterns.size()); ++pattern) {
    const double rate = At(file_.patterns, pattern).calls_per_second;
    const std::vector<LabWrite>& writes = At(file_.patterns, pattern).writes;
    for (std::size_t i = 0; i < writes.size() && rate > 0; ++i) {
      if (writes[i].kind != LabWrite::Kind::kCreate || writes[i].entity != entity) continue;
      const int role = shape(pattern).writes[i].role;
      const double weight = rate * MeanInRole(pattern, role);
      const CallRole& first = shape(pattern).roles.front();
      const bool is_for_picked = first.source == CallRole::Source::kPicked &&
                                 first.entity == parent &&
                                 At(shape(pattern).roles, role).of_role == 0;
      const std::vector<double> shares =
          is_for_picked ? SharesOfPicksSince(pattern) : SharesOfParents(pattern, role);
      all += weight;
      for (std::size_t band = 0; band < sum.size(); ++band) {
        sum[band] += weight * (shares.empty() ? even : shares)[band];
      }
    }
  }
  if (all <= 0) return even;
  for (double& share : sum) share /= all;
  return sum;
}

// Returns which share of the picks of all the time falls into each band: while there were fewer
// instances, each of them was picked more. Three moments stand for the time (Simpson's rule).
std::vector<double> FileModel::SharesOfPicksSince(int pattern) const {
  const LabPick& pick = PatternForm(file_, pattern).pick;
  const int entity = shape(pattern).roles.front().entity;
  if (pick.kind == LabPick::Kind::kHot) return At(pick_shares_, pattern);
  const double exponent = pick.kind == LabPick::Kind::kZipf ? pick.exponent : 0;
  const double last = Initial(entity);
  const double first = pick.kind == LabPick::Kind::kLatest ? last : InstancesOf(file_, entity);
  std::vector<double> shares(Bands(entity).size(), 0);
  for (const auto& [count, weight] :
       {std::pair(first, 1.0), std::pair((first + last) / 2, 4.0), std::pair(last, 1.0)}) {
    const std::vector<double> then = SharesOfBands(entity, count, exponent);
    for (std::size_t band = 0; band < shares.size(); ++band) {
      shares[band] += weight * then[band] / 6;
    }
  }
  return shares;
}

// --- Times ---

std::optional<AttributeTimes> TimesOf(const LabFile& file, LabAttributeRef attribute) {
  const LabGenerator* generator = &LabAttributeAt(file, attribute).generator;
  constexpr int kMostReferences = 8;
  AttributeTimes times = {.entity = attribute.entity};
  for (int i = 0; i < kMostReferences; ++i) {
    const bool counts_from_other = generator->other.entity != kLabNone;
    switch (generator->kind) {
      case LabGenerator::Kind::kTime: {
        const auto earliest = static_cast<double>(generator->earliest_ms);
        const auto latest = static_cast<double>(generator->latest_ms);
        times.earliest_ms += earliest;
        times.latest_ms += latest;
        times.earliest_of_new_ms += counts_from_other ? earliest : std::max(0.0, earliest);
        times.latest_of_new_ms += counts_from_other ? latest : std::max(0.0, latest);
        break;
      }
      case LabGenerator::Kind::kUlid:
      case LabGenerator::Kind::kRef:
      case LabGenerator::Kind::kOfRef:
      case LabGenerator::Kind::kOfAncestor:
        break;
      default:
        return std::nullopt;
    }
    if (!counts_from_other) break;
    times.entity = generator->other.entity;
    generator = &LabAttributeAt(file, generator->other).generator;
  }
  return times;
}

double FileModel::ShareOfTimes(LabAttributeRef attribute, double from_ms, double to_ms) const {
  const std::optional<AttributeTimes> times = TimesOf(file_, attribute);
  if (!times) return kUsualShare;
  const auto share_within = [&](double earliest_ms, double latest_ms) {
    if (!(latest_ms > earliest_ms))
      return from_ms <= earliest_ms && earliest_ms <= to_ms ? 1.0 : 0.0;
    const double inside = std::min(to_ms, latest_ms) - std::max(from_ms, earliest_ms);
    return std::clamp(inside / (latest_ms - earliest_ms), 0.0, 1.0);
  };
  const double of_first =
      share_within(times->earliest_ms - age_.age_ms, times->latest_ms - age_.age_ms);
  if (age_.entities.empty()) return of_first;
  const FileAge::OfEntity& age = At(age_.entities, times->entity);
  if (age.later <= 0 || age.later_ms <= 0) return of_first;
  // Of what was created evenly until now, with each of some times that count from its creation.
  constexpr int kTimes = 16;
  double of_later = 0;
  for (int i = 0; i < kTimes; ++i) {
    const double time_ms =
        times->earliest_of_new_ms +
        (times->latest_of_new_ms - times->earliest_of_new_ms) * (i + 0.5) / kTimes;
    of_later += share_within(time_ms - age.later_ms, time_ms) / kTimes;
  }
  return (of_first * age.first + of_later * age.later) / (age.first + age.later);
}

}  // namespace hashrange
