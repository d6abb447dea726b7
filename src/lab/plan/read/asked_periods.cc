#include "lab/plan/read/asked_periods.h"

#include <algorithm>

#include "lab/language/lab_facts.h"

namespace hashrange {

AskedPeriods::AskedPeriods(const ReadQuestion& question, const ReadCandidate& candidate,
                           double widened_ms)
    : question_(question),
      candidate_(candidate),
      widened_ms_(widened_ms),
      attribute_(AskedAttribute()) {
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

// Returns the time that the partition key has a part of.
LabAttributeRef AskedPeriods::AskedAttribute() const {
  for (const AskedTerm& term : candidate_.interval.terms) {
    for (const KeyPiece& piece : term.value) {
      if (piece.slot.source == RequestSlot::Source::kBucket) return piece.slot.part.attribute;
    }
  }
  return {};
}

void AskedPeriods::FindPeriods(double moment_ms, Moment& moment) const {
  const TimeBuckets& buckets = *candidate_.interval.buckets;
  const std::int64_t start_ms = question_.file.start_epoch_ms;
  const std::int64_t now_ms = start_ms + static_cast<std::int64_t>(moment_ms);
  const std::size_t all = CountBuckets(buckets, now_ms);
  moment.is_cut = all > kMostTimeBuckets;
  for (std::size_t place = 0; place < std::min(all, kMostTimeBuckets); ++place) {
    const std::size_t period =
        PeriodAt(buckets, now_ms, candidate_.walk && candidate_.walk->is_backward, place);
    const auto at = [&](std::size_t number) {
      return static_cast<double>(TimeInBucket(buckets, now_ms, number) - start_ms);
    };
    moment.begins_ms.push_back(TimeInBucket(buckets, now_ms, period));
    FindShares(moment_ms, {at(period), at(period + 1)}, moment);
  }
}

void AskedPeriods::FindShares(double moment_ms, const TimeSpan& period, Moment& moment) const {
  const TimeBuckets& buckets = *candidate_.interval.buckets;
  const double origin_ms =
      buckets.counts_from_call ? moment_ms : -static_cast<double>(question_.file.start_epoch_ms);
  // What is within the range, made longer at both ends.
  const auto within = [&](double widened_ms) {
    if (candidate_.walk) return period;
    const double from_ms = origin_ms + static_cast<double>(buckets.from_ms) - widened_ms;
    const double to_ms = origin_ms + static_cast<double>(buckets.to_ms) + widened_ms;
    return TimeSpan{std::max(period.from_ms, from_ms), std::min(period.to_ms, to_ms)};
  };
  const FileModel& model = question_.model.file_model();
  // Fixed instants are as much earlier as the data are older.
  const double earlier_ms = buckets.counts_from_call || candidate_.walk ? 0 : model.age_ms();
  const auto add = [&](const TimeSpan& span, std::vector<double>& initial,
                       std::vector<double>& created) {
    const double from_ms = span.from_ms - earlier_ms;
    const double to_ms = span.to_ms - earlier_ms;
    initial.push_back(model.ShareOfTimes(attribute_, from_ms, to_ms));
    created.push_back(ShareOfCreated(attribute_, moment_ms, from_ms, to_ms));
  };
  add(widened_ms_ < 0 ? period : within(widened_ms_), moment.of_initial, moment.of_created);
  add(within(0), moment.asked_of_initial, moment.asked_of_created);
}

// Returns which share of what calls have created until the moment has a time between the two. All
// count from the beginning of the traffic.
double AskedPeriods::ShareOfCreated(LabAttributeRef attribute, double moment_ms, double from_ms,
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

WalkLoad AskedPeriods::LoadOf(const PeriodCase& one, const Moment& moment) const {
  const auto before = [&](const Moments& items) {
    return Moments{items.mean * (1 - one.created),
                   std::max(0.0, items.variance - items.mean * one.created)};
  };
  const auto created = [&](const Moments& items) {
    const double mean = items.mean * one.created * moment.created;
    return Moments{mean, mean};
  };
  using End = WalkLoad::End;
  return {
      .items = {before(one.page.items), before(one.asked), moment.of_initial},
      .factors = one.factors,
      .more = {created(one.page.items), created(one.asked), moment.of_created},
      .item_bytes = one.page.item_bytes,
      .shards = candidate_.interval.shards * one.instances,
      .shard_variation = one.variation,
      .wanted = static_cast<double>(candidate_.walk ? candidate_.walk->items : candidate_.items),
      .end = candidate_.has_limit   ? End::kLimit
             : candidate_.items > 0 ? End::kFound
                                    : End::kOfData};
}

// Returns what it takes to ask all periods at once, each of them until `wanted` items were found or
// to its end.
WalkCost AskedPeriods::CostAtOnce(const WalkLoad& load, const Moment& moment,
                                  PageCosts& costs) const {
  const bool has_limit = load.end == WalkLoad::End::kLimit;
  WalkCost sum;
  const double of_shard = 1.0 / load.shards;
  for (std::size_t period = 0; period < moment.begins_ms.size(); ++period) {
    const Moments items = load.items.read.Thinned(moment.of_initial[period] * of_shard);
    const Moments more = load.more.read.Thinned(moment.of_created[period] * of_shard);
    const Moments found = load.items.found.Thinned(moment.asked_of_initial[period] * of_shard);
    const Moments found_more = load.more.found.Thinned(moment.asked_of_created[period] * of_shard);
    const double all_found = found.mean + found_more.mean;
    PageCost page = costs.Mean({items.mean + more.mean, items.variance + more.variance});
    double returned = has_limit ? page.items : all_found;
    if (load.end == WalkLoad::End::kFound && page.pages > 1) {
      const double all_items = page.items;
      page = CostUntilFound(page, {all_found, found.variance + found_more.variance}, load.wanted);
      returned *= all_items > 0 ? page.items / all_items : 1;
    }
    sum.units_of_period.push_back(load.shards * page.units);
    sum.units += sum.units_of_period.back();
    sum.items += load.shards * page.items;
    sum.requests += load.shards * page.pages;
    sum.found += load.shards * returned;
  }
  return sum;
}

WalkCost AskedPeriods::Add(const PeriodCase& one, double weight) {
  if (costs_.empty() || one != last_) {
    last_ = one;
    costs_.clear();
    std::optional<PageCosts> pages;  // all moments read items of the same size to the same limit
    for (const Moment& moment : moments_) {
      const WalkLoad load = LoadOf(one, moment);
      if (!pages) {
        const bool has_limit = !candidate_.walk && load.end == WalkLoad::End::kLimit;
        pages.emplace(
            PageLoad{.item_bytes = load.item_bytes, .limit = has_limit ? load.wanted : 0});
      }
      costs_.push_back(candidate_.walk ? MeanWalkCost(load, *pages)
                                       : CostAtOnce(load, moment, *pages));
    }
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
    }
    for (std::size_t period = 0; period < cost.units_of_period.size(); ++period) {
      units_of_period_[moments_[i].begins_ms[period]] +=
          calls * weight * cost.units_of_period[period];
    }
  }
  return sum;
}

double AskedPeriods::HottestShare() const {
  double most = 0;
  double all = 0;
  for (const auto& [begin_ms, units] : units_of_period_) {
    most = std::max(most, units);
    all += units;
  }
  return all > 0 ? most / all : 1;
}

std::optional<PeriodWalk> AskedPeriods::Walk() const {
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
