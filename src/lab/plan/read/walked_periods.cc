#include "lab/plan/read/walked_periods.h"

#include <algorithm>

#include "lab/language/lab_facts.h"

namespace hashrange {

WalkedPeriods::WalkedPeriods(const ReadQuestion& question, const ReadCandidate& candidate)
    : question_(question), candidate_(candidate) {
  constexpr double kFewest = 16;
  constexpr double kMost = 64;
  const double period_ms = MeanBucketMs(candidate.interval.buckets->form);
  const auto traffic_ms = static_cast<double>(TrafficMs(question.file));
  const double count = std::round(std::clamp(4 * traffic_ms / period_ms, kFewest, kMost));
  for (double i = 0; i < count; ++i) {
    const double share = (i + 0.5) / count;
    moments_.push_back({.created = 2 * share});
    FindPeriods(question.model.file_model().MomentOfCalls(share), moments_.back());
  }
}

void WalkedPeriods::FindPeriods(double moment_ms, Moment& moment) const {
  const TimeBuckets& buckets = *candidate_.interval.buckets;
  const std::int64_t start_ms = question_.file.start_epoch_ms;
  const std::int64_t now_ms = start_ms + static_cast<std::int64_t>(moment_ms);
  const LabAttributeRef attribute = WalkedAttribute();
  moment.is_cut = CountBuckets(buckets, now_ms) > kMostTimeBuckets;
  for (std::size_t place = 0; place < CountPeriods(buckets, now_ms); ++place) {
    const std::size_t period = PeriodAt(buckets, now_ms, candidate_.walk->is_backward, place);
    const std::int64_t begin_ms = TimeInBucket(buckets, now_ms, period);
    const auto from_ms = static_cast<double>(begin_ms - start_ms);
    const auto to_ms = static_cast<double>(TimeInBucket(buckets, now_ms, period + 1) - start_ms);
    moment.begins_ms.push_back(begin_ms);
    moment.of_initial.push_back(
        question_.model.file_model().ShareOfTimes(attribute, from_ms, to_ms));
    moment.of_created.push_back(ShareOfCreated(attribute, moment_ms, from_ms, to_ms));
  }
}

// Returns the time that the partition key has a part of.
LabAttributeRef WalkedPeriods::WalkedAttribute() const {
  for (const AskedTerm& term : candidate_.interval.terms) {
    for (const KeyPiece& piece : term.value) {
      if (piece.slot.source == RequestSlot::Source::kBucket) return piece.slot.part.attribute;
    }
  }
  return {};
}

// Returns which share of what calls have created until the moment has a time between the two. All
// count from the beginning of the traffic.
double WalkedPeriods::ShareOfCreated(LabAttributeRef attribute, double moment_ms, double from_ms,
                                     double to_ms) const {
  const LabGenerator& generator = LabAttributeAt(question_.file, attribute).generator;
  if (generator.kind != LabGenerator::Kind::kTime) {
    // A copy is as old as the original.
    return question_.model.file_model().ShareOfTimes(attribute, from_ms, to_ms);
  }
  const auto first = static_cast<double>(std::max<std::int64_t>(0, generator.earliest_ms));
  const auto last = static_cast<double>(std::max<std::int64_t>(0, generator.latest_ms));
  // So many calls that create stand for all of them, each for those of its part of the time.
  constexpr int kCreations = 64;
  const double width_ms = std::max(1.0, last - first + moment_ms / kCreations);
  double share = 0;
  for (int i = 0; i < kCreations; ++i) {
    const double begin = first + i * moment_ms / kCreations;
    const double inside = std::min(to_ms, begin + width_ms) - std::max(from_ms, begin);
    share += std::clamp(inside / width_ms, 0.0, 1.0) / kCreations;
  }
  return share;
}

WalkLoad WalkedPeriods::LoadOf(const WalkedCase& one, const Moment& moment) const {
  const auto before = [&](const Moments& items) {
    return Moments{items.mean * (1 - one.created),
                   std::max(0.0, items.variance - items.mean * one.created)};
  };
  const auto created = [&](const Moments& items) {
    const double mean = items.mean * one.created * moment.created;
    return Moments{mean, mean};
  };
  using End = WalkLoad::End;
  return {.items = {before(one.page.items), before(one.asked), moment.of_initial},
          .factors = one.factors,
          .more = {created(one.page.items), created(one.asked), moment.of_created},
          .item_bytes = one.page.item_bytes,
          .shards = candidate_.interval.shards,
          .wanted = static_cast<double>(candidate_.walk->items),
          .end = candidate_.has_limit   ? End::kLimit
                 : candidate_.items > 0 ? End::kFound
                                        : End::kOfData};
}

WalkCost WalkedPeriods::Add(const WalkedCase& one, double weight) {
  if (costs_.empty() || one != last_) {
    last_ = one;
    costs_.clear();
    for (const Moment& moment : moments_) costs_.push_back(MeanWalkCost(LoadOf(one, moment)));
  }
  WalkCost sum;
  const double calls = 1 / static_cast<double>(moments_.size());
  for (std::size_t i = 0; i < moments_.size(); ++i) {
    const WalkCost& cost = costs_[i];
    sum.units += calls * cost.units;
    sum.items += calls * cost.items;
    sum.requests += calls * cost.requests;
    sum.found += calls * cost.found;
    if (moments_[i].is_cut) unfinished_ += calls * weight * cost.unfinished;
    ending_at_.resize(std::max(ending_at_.size(), cost.ending_at.size()));
    for (std::size_t period = 0; period < cost.ending_at.size(); ++period) {
      ending_at_[period] += calls * weight * cost.ending_at[period];
      units_of_period_[moments_[i].begins_ms[period]] +=
          calls * weight * cost.units_of_period[period];
    }
  }
  return sum;
}

double WalkedPeriods::HottestShare() const {
  double most = 0;
  double all = 0;
  for (const auto& [begin_ms, units] : units_of_period_) {
    most = std::max(most, units);
    all += units;
  }
  return all > 0 ? most / all : 1;
}

std::optional<PeriodWalk> WalkedPeriods::Walk() const {
  std::optional<PeriodWalk> walk = candidate_.walk;
  constexpr double kMostCalls = 0.99;
  double calls = 0;
  for (std::size_t i = 0; i < ending_at_.size(); ++i) {
    const auto periods = static_cast<double>(i + 1);
    walk->mean_periods += periods * ending_at_[i];
    if (calls < kMostCalls) walk->p99_periods = periods;
    calls += ending_at_[i];
  }
  return walk;
}

}  // namespace hashrange
