#include "lab/plan/read/plan_choice.h"

#include <algorithm>
#include <cmath>

#include "lab/language/data/population.h"
#include "lab/language/lab_facts.h"
#include "lab/plan/read/plan_sentences.h"
#include "lab/plan/read/size_estimate.h"
#include "value/capacity.h"

namespace hashrange {
namespace {

constexpr double kPageBytes = 1024 * 1024;
constexpr double kKeysOfBatch = 100;
constexpr double kTolerance = 1e-9;

std::int64_t LimitOf(const LabPattern& pattern) {
  return pattern.kind == LabPattern::Kind::kGet ? 1 : pattern.limit;
}

// Finds the ways of one question, and what they cost.
class ReadChooser {
 public:
  ReadChooser(const ReadQuestion& question, const std::vector<AskedHost>& hosts)
      : question_(question),
        hosts_(hosts),
        estimate_(question.file, question.layout, question.pattern.constants) {}

  ReadChoice Choose() {
    for (const LabKey key : KeysOf(question_.layout)) TryKey(key);
    if (!choice_.taken && hosts_.size() == 1) TryScans();
    return std::move(choice_);
  }

 private:
  // Returns how far the key is covered for each item of the host in the key's table.
  std::vector<KeyCoverage> Coverages(const AskedHost& host, LabKey key) const {
    std::vector<KeyCoverage> found;
    for (const LabItem& item : question_.layout.items) {
      if (item.entity == host.entity && item.table == key.table) {
        found.push_back(CoverKey(question_, item, key));
      }
    }
    return found;
  }

  void TryKey(LabKey key) {
    std::string obstacle;
    std::optional<ReadCandidate> best;
    for (const KeyCoverage& lead : Coverages(hosts_.front(), key)) {
      if (!lead.obstacle.empty()) {
        NoteObstacle(lead.obstacle, obstacle);
        continue;
      }
      std::vector<KeyCoverage> coverages = {lead};
      if (!AddOthers(key, coverages, obstacle)) continue;
      ReadCandidate candidate = CandidateOf(coverages);
      if (!candidate.rest.obstacle.empty()) {
        NoteObstacle(candidate.rest.obstacle, obstacle);
      } else if (!best || IsCheaper(candidate, *best)) {
        best = std::move(candidate);
      }
    }
    if (best) return Take(std::move(*best));
    if (!HoldsInTable(key.table)) return;
    if (obstacle.empty()) {
      obstacle = "it holds no items of " + EntityAt(question_.file, hosts_.front().entity).name;
    }
    choice_.rejected.push_back(KeyLabel(question_.layout, key) + ": " + obstacle);
  }

  // Returns whether the table has items that are asked for; of others nothing has to be said.
  bool HoldsInTable(int table) const {
    const std::vector<LabItem>& items = question_.layout.items;
    return std::any_of(items.begin(), items.end(), [&](const LabItem& item) {
      return item.table == table && item.entity == hosts_.front().entity;
    });
  }

  // The first obstacle belongs to the main item. That an index holds nothing says less than why
  // another item is not found.
  static void NoteObstacle(const std::string& found, std::string& obstacle) {
    if (obstacle.empty() || obstacle.starts_with("it holds no")) obstacle = found;
  }

  // Adds the items of the other hosts that have the same partition key.
  bool AddOthers(LabKey key, std::vector<KeyCoverage>& coverages, std::string& obstacle) const {
    for (std::size_t i = 1; i < hosts_.size(); ++i) {
      bool is_found = false;
      for (KeyCoverage& other : Coverages(hosts_[i], key)) {
        if (is_found || !other.obstacle.empty() || !HaveSameHash(coverages.front(), other))
          continue;
        coverages.push_back(std::move(other));
        is_found = true;
      }
      if (is_found) continue;
      NoteObstacle("it does not hold " + EntityAt(question_.file, hosts_[i].entity).name +
                       " under the partition key of " +
                       EntityAt(question_.file, hosts_.front().entity).name,
                   obstacle);
      return false;
    }
    return true;
  }

  void Take(ReadCandidate candidate) {
    if (choice_.taken && !IsCheaper(candidate, *choice_.taken)) {
      choice_.dearer.push_back(std::move(candidate));
      return;
    }
    if (choice_.taken) choice_.dearer.push_back(std::move(*choice_.taken));
    choice_.taken = std::move(candidate);
  }

  static bool IsCheaper(const ReadCandidate& one, const ReadCandidate& other) {
    if (std::abs(one.read_units - other.read_units) > kTolerance) {
      return one.read_units < other.read_units;
    }
    if (std::abs(one.examined - other.examined) > kTolerance) return one.examined < other.examined;
    if (std::abs(one.requests - other.requests) > kTolerance) return one.requests < other.requests;
    return !one.sorts_at_client && other.sorts_at_client;
  }

  ReadCandidate CandidateOf(const std::vector<KeyCoverage>& coverages) const {
    ReadCandidate candidate = {.hosts = hosts_, .interval = IntervalOf(question_, coverages)};
    // What is asked may be a part of the items only, whose order no key has.
    const LabAttributeRef order = question_.pattern.order;
    if (order.entity != kLabNone && IsPart(order.entity)) candidate.interval.has_order = false;
    candidate.is_get = candidate.interval.is_full && candidate.interval.key.index == kLabNone;
    candidate.rest = RestOf(question_, hosts_, candidate.interval, false);
    if (question_.pattern.batch > 1 && candidate.interval.shards > 1) {
      candidate.rest.obstacle = "each instance of a batch would be asked of each shard";
    }
    DecideEnd(candidate);
    EstimateCost(candidate);
    return candidate;
  }

  bool IsPart(int entity) const {
    return std::any_of(hosts_.begin(), hosts_.end(), [&](const AskedHost& host) {
      return std::find(host.parts.begin(), host.parts.end(), entity) != host.parts.end();
    });
  }

  // Decides after how many items reading ends, and whether the client sorts or fetches.
  void DecideEnd(ReadCandidate& candidate) const {
    const ReadRest& rest = candidate.rest;
    const LabPattern& pattern = question_.pattern;
    const LabIndex* index = IndexOf(question_.layout, candidate.interval.key);
    candidate.fetches = !rest.lacking.empty() && index != nullptr && !index->is_local;
    if (candidate.is_get) {
      candidate.sorts_at_client = pattern.order.entity != kLabNone && !hosts_[0].parts.empty();
      return;
    }
    const bool is_ordered = candidate.interval.has_order;
    candidate.sorts_at_client =
        pattern.order.entity != kLabNone && (!is_ordered || candidate.interval.shards > 1);
    // Parts are not items, and what the client leaves out does not count.
    const bool counts_items = hosts_[0].parts.empty() || !hosts_[0].is_asked;
    if (!is_ordered || !rest.client_filters.empty() || !counts_items) return;
    candidate.items = LimitOf(pattern);
    candidate.has_limit = candidate.items > 0 && rest.filters.empty();
  }

  // Returns how many of the instances are asked for: those with all that the caller knows.
  double ItemsAsked(const LabItem& item, const AskedInterval& interval) const {
    std::vector<LabTemplatePart> known = KnownPlaceholders(question_, item, interval);
    const auto add = [&](LabAttributeRef ref) {
      const bool is_there =
          std::any_of(known.begin(), known.end(), [&](const LabTemplatePart& part) {
            return IsSameValue(question_.file, part.attribute, ref);
          });
      if (!is_there) known.push_back({.attribute = ref});
    };
    for (const LabAttributeRef ref : question_.pattern.by) add(ref);
    for (const LabCondition& constant : question_.pattern.constants) add(constant.attribute);
    const double share = estimate_.ShareOfRange(question_.pattern.range);
    return std::max(1.0, estimate_.Matching(item.entity, known) * share);
  }

  // Returns how many instances of the item are inside of the interval.
  double ItemsInside(const LabItem& item, const AskedInterval& interval) const {
    const std::vector<LabTemplatePart> known = KnownPlaceholders(question_, item, interval);
    return estimate_.Matching(item.entity, known) * estimate_.ShareInKey(item, interval.key, known);
  }

  // What a request, or all requests of a fan-out together, would read to the end.
  struct ReadAmount {
    double asked = 0;  // items
    double inside = 0;
    double bytes = 0;  // of all inside
  };

  // Returns which share of what the keys have lies inside, by the pattern's range.
  double ShareInside(const AskedInterval& interval) const {
    LabRange range = question_.pattern.range;
    if (interval.has_range) return estimate_.ShareOfRange(range);
    if (!interval.buckets) return 1;
    range.kind = LabRange::Kind::kLast;
    range.last_ms = interval.shards * LongestBucketMs(interval.buckets->form);
    range.next_ms = 0;
    return estimate_.ShareOfRange(range);
  }

  ReadAmount AmountOf(const AskedInterval& interval) const {
    ReadAmount amount;
    const double range_share = ShareInside(interval);
    const auto add = [&](const LabItem& item, double count) {
      amount.inside += count;
      amount.bytes += count * estimate_.BytesInKey(item, interval.key);
    };
    for (const LabItem* item : interval.items) {
      amount.asked += ItemsAsked(*item, interval);
      add(*item, std::max(1.0, ItemsInside(*item, interval) * range_share));
    }
    for (const LabItem* item : interval.others) add(*item, ItemsInside(*item, interval));
    return amount;
  }

  // Returns which share of the amount is read until enough items were found.
  static double ShareRead(const ReadCandidate& candidate, const ReadAmount& amount) {
    if (candidate.items == 0) return 1;
    const double shards = candidate.interval.shards;
    const double share =
        std::min(1.0, static_cast<double>(candidate.items) * shards / amount.asked);
    if (candidate.has_limit) return share;
    // Without Limit, a page goes on to its end, however many of its items pass the filter.
    return std::max(share, std::min(1.0, kPageBytes * shards / amount.bytes));
  }

  void EstimateCost(ReadCandidate& candidate) const {
    const AskedInterval& interval = candidate.interval;
    const double unit = question_.pattern.is_consistent ? 1 : 0.5;
    const bool is_transaction = question_.pattern.is_transaction.value_or(false);
    if (candidate.is_get) {
      const double units = ReadUnitsOfMean(estimate_.ItemBytes(*interval.items.front()));
      candidate.read_units = is_transaction ? units * 2 : units * unit;
      return;
    }
    const ReadAmount amount = AmountOf(interval);
    const double share = ShareRead(candidate, amount);
    const double shards = interval.shards;
    candidate.examined = amount.inside * share;
    candidate.read_units = shards * ReadUnitsOfMean(amount.bytes * share / shards) * unit;
    candidate.requests = shards;
    if (candidate.rest.lacking.empty()) return;
    // Filters are applied before the rest is read, what the client leaves out is read.
    const double fetched =
        (candidate.rest.client_filters.empty() ? amount.asked : amount.inside) * share;
    if (candidate.fetches) candidate.requests += std::ceil(fetched / kKeysOfBatch);
    candidate.read_units +=
        fetched * ReadUnitsOfMean(estimate_.ItemBytes(*interval.items.front())) * unit;
  }

  // Takes the Scan that costs least, of all tables and indexes that hold the items.
  void TryScans() {
    for (const LabKey key : KeysOf(question_.layout)) {
      const LabIndex* const index = IndexOf(question_.layout, key);
      if (question_.pattern.is_consistent && index != nullptr && !index->is_local) continue;
      for (const LabItem& item : question_.layout.items) {
        if (item.entity == hosts_.front().entity && item.table == key.table) TryScan(item, key);
      }
    }
    if (choice_.taken) {
      choice_.impossible.clear();
    } else if (choice_.impossible.empty()) {
      choice_.impossible = "the layout stores " +
                           EntityAt(question_.file, hosts_.front().entity).name +
                           " only where a condition holds that the pattern does not have";
    }
  }

  void TryScan(const LabItem& item, LabKey key) {
    if (!GapOfKey(question_, item, key).empty()) return;
    ReadCandidate scan = {.hosts = hosts_, .is_scan = true};
    scan.interval = WholeOf(question_, item, key);
    scan.rest = RestOf(question_, hosts_, scan.interval, true);
    DecideEnd(scan);
    EstimateCost(scan);
    if (!scan.rest.obstacle.empty()) {
      if (choice_.impossible.empty()) choice_.impossible = scan.rest.obstacle;
    } else if (!choice_.taken || IsCheaper(scan, *choice_.taken)) {
      choice_.taken = std::move(scan);
    }
  }

  const ReadQuestion& question_;
  const std::vector<AskedHost>& hosts_;
  const SizeEstimate estimate_;
  ReadChoice choice_;
};

}  // namespace

ReadChoice ChooseRead(const ReadQuestion& question, const std::vector<AskedHost>& hosts) {
  return ReadChooser(question, hosts).Choose();
}

}  // namespace hashrange
