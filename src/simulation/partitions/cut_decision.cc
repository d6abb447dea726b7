#include "simulation/partitions/cut_decision.h"
#include "base/stable_sort.h"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace hashrange {
namespace {

// Returns where an encoded key ends. The key at which a page begins may be the beginning of one
// only.
std::size_t EndOfKey(const KeySchema& key, std::string_view encoded) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < key.parts() && at < encoded.size(); ++i) {
    at += EncodedPrefixEnd(encoded.substr(at), key.part(i).type);
  }
  return at;
}

}  // namespace

KeySamples::KeySamples(double units_a_sample, std::uint64_t seed)
    : units_a_sample_(units_a_sample), random_(seed) {
  DrawNextGap();
}

void KeySamples::DrawNextGap() { units_to_next_ += 2 * units_a_sample_ * random_.Fraction(); }

void KeySamples::Add(const KeySchema& key, const PositionSpan& span, bool is_range, double units) {
  units_to_next_ -= units;
  if (units_to_next_ > 0) return;
  // An access of many units is one sample only: it tells of one key.
  units_to_next_ = 0;
  DrawNextGap();
  const bool is_last = (random_.Next() & 1) != 0;
  const Position& position = is_last ? span.last : span.first;
  const std::string_view bytes = position.bytes;
  const std::string_view own = bytes.substr(0, EndOfKey(key, bytes));
  Keep({.hash = position.hash,
        .key = std::string(own.substr(0, kMaxKeyBytes)),
        .item = std::hash<std::string_view>()(bytes),
        .is_range = is_range});
}

void KeySamples::Keep(KeySample sample) {
  if (samples_.size() < kMaxSamples) {
    samples_.push_back(std::move(sample));
    return;
  }
  samples_[oldest_] = std::move(sample);
  oldest_ = (oldest_ + 1) % kMaxSamples;
}

std::vector<KeySample> KeySamples::InOrderOfTime() const {
  std::vector<KeySample> samples = samples_;
  std::rotate(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(oldest_),
              samples.end());
  return samples;
}

namespace {

// A cut is one only if each side has at least this share of the demand.
constexpr double kLeastShare = 0.2;
// A cut between two item collections is taken if each side has this share. Otherwise the
// collection in the middle is looked into.
constexpr double kGoodShare = 0.3;

struct Cut {
  std::uint64_t hash = 0;
  std::string key = {};
};

bool IsBelow(const KeySample& sample, const Cut& cut) {
  return std::tie(sample.hash, sample.key) < std::tie(cut.hash, cut.key);
}

// The share of the smaller side. It is computed from counts, so that a fifth is exactly 0.2.
double BalanceOf(std::span<const KeySample> samples, const Cut& cut) {
  const auto below =
      std::ranges::count_if(samples, [&](const KeySample& each) { return IsBelow(each, cut); });
  const auto above = std::ssize(samples) - below;
  return static_cast<double>(std::min(below, above)) / static_cast<double>(samples.size());
}

double ShareOfHottestItem(std::span<const KeySample> samples) {
  std::map<std::size_t, std::size_t> counts;
  std::size_t most = 0;
  for (const KeySample& sample : samples) {
    if (!sample.is_range) most = std::max(most, ++counts[sample.item]);
  }
  return static_cast<double>(most) / static_cast<double>(samples.size());
}

double ShareOfRanges(std::span<const KeySample> samples) {
  const auto ranges = std::ranges::count_if(samples, &KeySample::is_range);
  return static_cast<double>(ranges) / static_cast<double>(samples.size());
}

// The cuts of one kind, of which the one with the best balance is chosen.
struct BestCut {
  std::span<const KeySample> samples;
  Cut cut = {};
  double balance = 0;

  void Consider(const Cut& other) {
    const double of_other = BalanceOf(samples, other);
    if (of_other <= balance) return;
    cut = other;
    balance = of_other;
  }
};

// Before and behind the item collection of `middle`.
BestCut CutBetweenCollections(std::span<const KeySample> samples, const KeySample& middle) {
  BestCut best{.samples = samples};
  best.Consider({middle.hash, {}});
  if (middle.hash != UINT64_MAX) best.Consider({middle.hash + 1, {}});
  return best;
}

// Before `middle`, and before the next key of the same collection.
BestCut CutInCollection(std::span<const KeySample> samples,
                        const std::vector<const KeySample*>& sorted, const KeySample& middle) {
  BestCut best{.samples = samples};
  best.Consider({middle.hash, middle.key});
  for (const KeySample* sample : sorted) {
    if (sample->hash != middle.hash || sample->key <= middle.key) continue;
    best.Consider({sample->hash, sample->key});
    break;
  }
  return best;
}

}  // namespace

CutDecision DecideCut(std::span<const KeySample> samples, const CutTerms& terms) {
  if (samples.size() < 2) return {.uncut = "order"};
  if (ShareOfHottestItem(samples) >= terms.one_item_share) return {.uncut = "item"};
  const auto older = samples.first(samples.size() / 2);
  std::vector<const KeySample*> sorted;
  for (const KeySample& sample : older) sorted.push_back(&sample);
  StableSort(sorted, [](const KeySample* a, const KeySample* b) {
    return std::tie(a->hash, a->key) < std::tie(b->hash, b->key);
  });
  const KeySample& middle = *sorted[sorted.size() / 2];
  BestCut best = CutBetweenCollections(older, middle);
  const bool can_cut_collection = terms.has_sort_key && !terms.has_local_index;
  if (best.balance < kGoodShare && can_cut_collection) {
    const BestCut inside = CutInCollection(older, sorted, middle);
    if (inside.balance > best.balance) best = inside;
  }
  if (best.balance < kLeastShare) {
    if (ShareOfRanges(samples) >= 0.5) return {.uncut = "range"};
    if (terms.has_sort_key && terms.has_local_index) return {.uncut = "local index"};
    return {.uncut = terms.has_sort_key ? "item" : "sort key"};
  }
  const auto newer = samples.subspan(older.size());
  if (BalanceOf(newer, best.cut) < kLeastShare) return {.uncut = "order"};
  return {.hash = best.cut.hash, .key = best.cut.key};
}

}  // namespace hashrange
