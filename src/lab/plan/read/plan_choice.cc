#include "lab/plan/read/plan_choice.h"

#include <algorithm>
#include <cmath>

#include "lab/language/lab_facts.h"
#include "value/capacity.h"

namespace hashrange {
namespace {

using ObstacleKind = ReadObstacle::Kind;

constexpr double kTolerance = 1e-9;

std::int64_t LimitOf(const LabPattern& pattern) {
  return pattern.kind == LabPattern::Kind::kGet ? 1 : pattern.limit;
}

// Finds the ways of one question, and what they cost.
class ReadChooser {
 public:
  ReadChooser(const ReadQuestion& question, const std::vector<AskedHost>& hosts)
      : question_(question), hosts_(hosts) {}

  ReadChoice Choose() {
    for (const LabKey key : KeysOf(question_.layout)) TryKey(key);
    if (hosts_.size() == 1) TryScans();
    return std::move(choice_);
  }

 private:
  // Returns how far the key is covered for each item of the host in the key's table.
  std::vector<KeyCoverage> Coverages(const AskedHost& host, LabKey key) const {
    std::vector<KeyCoverage> found;
    for (const LabItem& item : question_.layout.items) {
      if (host.MayBeIn(item) && item.table == key.table) {
        found.push_back(CoverKey(question_, item, key));
      }
    }
    return found;
  }

  void TryKey(LabKey key) {
    std::optional<ReadObstacle> obstacle;
    std::optional<ReadCandidate> best;
    for (const KeyCoverage& lead : Coverages(hosts_.front(), key)) {
      if (lead.obstacle) {
        NoteObstacle(*lead.obstacle, obstacle);
        continue;
      }
      std::vector<KeyCoverage> coverages = {lead};
      if (!AddOthers(key, coverages, obstacle)) continue;
      ReadCandidate candidate = CandidateOf(coverages);
      if (candidate.rest.obstacle) {
        NoteObstacle(*candidate.rest.obstacle, obstacle);
      } else if (!best || IsCheaper(candidate, *best)) {
        best = std::move(candidate);
      }
    }
    if (best) return Take(std::move(*best));
    if (!HoldsInTable(key.table)) return;
    const ReadObstacle none = {.kind = ObstacleKind::kHoldsNone, .entity = hosts_.front().entity};
    choice_.rejected.push_back({key, obstacle.value_or(none)});
  }

  // Returns whether the table has items that are asked for; of others nothing has to be said.
  bool HoldsInTable(int table) const {
    const std::vector<LabItem>& items = question_.layout.items;
    return std::any_of(items.begin(), items.end(), [&](const LabItem& item) {
      return item.table == table && hosts_.front().MayBeIn(item);
    });
  }

  // The first obstacle belongs to the main item. That an index holds nothing says less than why
  // another item is not found.
  static void NoteObstacle(const ReadObstacle& found, std::optional<ReadObstacle>& obstacle) {
    if (!obstacle || obstacle->kind == ObstacleKind::kHoldsNone) obstacle = found;
  }

  // Adds the items of the other hosts that have the same partition key.
  bool AddOthers(LabKey key, std::vector<KeyCoverage>& coverages,
                 std::optional<ReadObstacle>& obstacle) const {
    for (std::size_t i = 1; i < hosts_.size(); ++i) {
      bool is_found = false;
      for (KeyCoverage& other : Coverages(hosts_[i], key)) {
        if (is_found || other.obstacle || !HaveSameHash(coverages.front(), other)) continue;
        coverages.push_back(std::move(other));
        is_found = true;
      }
      if (is_found) continue;
      NoteObstacle({.kind = ObstacleKind::kHoldsApart,
                    .entity = hosts_[i].entity,
                    .other = hosts_.front().entity},
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
    const auto is_other = [](double a, double b) { return std::abs(a - b) > kTolerance; };
    const PatternCost& a = one.cost;
    const PatternCost& b = other.cost;
    if (is_other(a.ReadUnits(), b.ReadUnits())) return a.ReadUnits() < b.ReadUnits();
    if (is_other(a.items, b.items)) return a.items < b.items;
    if (is_other(a.requests, b.requests)) return a.requests < b.requests;
    return !one.sorts_at_client && other.sorts_at_client;
  }

  ReadCandidate CandidateOf(const std::vector<KeyCoverage>& coverages) const {
    ReadCandidate candidate = {.hosts = hosts_, .interval = IntervalOf(question_, coverages)};
    // What is asked may be a part of the items only, whose order no key has.
    const LabAttributeRef order = question_.pattern.order;
    if (order.entity != kLabNone && IsPart(order.entity)) candidate.interval.has_order = false;
    candidate.is_get = candidate.interval.is_full && candidate.interval.key.index == kLabNone;
    candidate.rest = RestOf(question_, hosts_, candidate.interval, false);
    if (question_.pattern.batch > 1 && FanOutOf(candidate.interval) > 1) {
      candidate.rest.obstacle = ReadObstacle{.kind = ObstacleKind::kBatchOfShards};
    }
    DecideEnd(candidate);
    if (candidate.walk && !candidate.rest.obstacle) {
      candidate.rest.obstacle = ObstacleOfWalk(candidate);
    }
    if (candidate.rest.obstacle) return candidate;
    FindCostOfRead(question_, candidate);
    constexpr double kFewCalls = 0.01;
    if (candidate.unfinished > kFewCalls) {
      candidate.rest.obstacle = ReadObstacle{.kind = ObstacleKind::kWalkTooShort,
                                             .hash = HashTexts(candidate.interval),
                                             .period = candidate.interval.buckets->form,
                                             .share = candidate.unfinished};
    }
    return candidate;
  }

  // Returns the texts of the partition key of the items.
  std::vector<const LabTemplate*> HashTexts(const AskedInterval& interval) const {
    std::vector<const LabTemplate*> texts;
    for (const std::string& name : HashOf(question_.layout, interval.key)) {
      const LabItemKey* const key = KeyOfItem(*interval.items.front(), name);
      if (key != nullptr) texts.push_back(&key->text);
    }
    return texts;
  }

  // Returns why it is not known when a walk has found enough; nothing: it is.
  std::optional<ReadObstacle> ObstacleOfWalk(const ReadCandidate& candidate) const {
    ReadObstacle found = {.period = candidate.interval.buckets->form};
    const std::vector<ClientFilter>& left = candidate.rest.client_filters;
    if (hosts_.size() > 1) {
      found.kind = ObstacleKind::kWalkOfSeveral;
    } else if (!hosts_[0].parts.empty()) {
      found.kind = ObstacleKind::kWalkOfParts;
    } else if (!left.empty()) {
      found.kind = ObstacleKind::kWalkOfLeftOut;
      found.left_out = left.front();
    } else {
      return std::nullopt;
    }
    return found;
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
      candidate.sorts_at_client =
          pattern.order.entity != kLabNone && (question_.IsForEach() || !hosts_[0].parts.empty());
      return;
    }
    const bool is_ordered = candidate.interval.has_order;
    const bool is_walk = candidate.interval.is_walk;
    if (is_walk) {
      candidate.walk = {.is_backward = WalksBackward(pattern), .items = pattern.limit};
    }
    const std::size_t at_once = is_walk ? static_cast<std::size_t>(candidate.interval.shards)
                                        : FanOutOf(candidate.interval);
    candidate.sorts_at_client =
        pattern.order.entity != kLabNone && (!is_ordered || at_once > 1 || question_.IsForEach());
    // Parts are not items, what the client leaves out does not count, and an instance in several
    // items is no number of items, unless they come before what is sorted.
    const bool is_in_several = hosts_[0].item != nullptr && pattern.order.entity == kLabNone;
    const bool counts_items = !is_in_several && (hosts_[0].parts.empty() || !hosts_[0].is_asked);
    // The first items are known before they are fetched where the key has what they are sorted by.
    const bool knows_order = is_ordered || IsOrderInAnswer(candidate);
    if (candidate.fetches && knows_order && rest.client_filters.empty() && counts_items) {
      candidate.fetched_items = pattern.limit > 0 ? pattern.limit + candidate.interval.beside : 0;
    }
    if (!is_ordered || !rest.client_filters.empty() || !counts_items) return;
    candidate.items = LimitOf(pattern) + candidate.interval.beside;
    candidate.has_limit = candidate.items > 0 && rest.filters.empty();
  }

  // Returns whether the items that the key returns have the attribute to sort by under its name.
  bool IsOrderInAnswer(const ReadCandidate& candidate) const {
    const std::string& name = LabAttributeAt(question_.file, question_.pattern.order).name;
    const ReadRest& rest = candidate.rest;
    const bool is_part_of_key = std::ranges::any_of(
        rest.from_keys, [&](const ReadFromKey& one) { return one.name == name; });
    const bool is_asked = std::ranges::any_of(rest.projection, [&](const ItemPath& path) {
      return path.size() == 1 && path.front().hint == name;
    });
    // Without a projection, the answer has all that the key has.
    return !is_part_of_key && !HasName(rest.lacking, name) && !HasName(rest.unheld, name) &&
           (is_asked || rest.projection.empty());
  }

  // Finds the Scan that costs least, of all tables and indexes that hold the items, and takes it
  // where no key serves, or where it costs much less.
  void TryScans() {
    for (const LabKey key : KeysOf(question_.layout)) {
      const LabIndex* const index = IndexOf(question_.layout, key);
      if (question_.pattern.is_consistent && index != nullptr && !index->is_local) continue;
      for (const LabItem& item : question_.layout.items) {
        if (item.entity == hosts_.front().entity && item.table == key.table) TryScan(item, key);
      }
    }
    if (choice_.taken) {
      if (scan_) HoldAgainstKey(*std::move(scan_));
      choice_.impossible.reset();
    } else if (scan_) {
      choice_.taken = std::move(scan_);
      choice_.impossible.reset();
    } else if (!choice_.impossible) {
      choice_.impossible =
          ReadObstacle{.kind = ObstacleKind::kStoredWhere, .entity = hosts_.front().entity};
    }
  }

  // Returns whether a Scan may cost less than the key that serves, by what it reads of the item
  // alone. Nothing but a key serves gets, and look-ups of writes.
  bool MayBeCheaper(const LabItem& item, LabKey key) const {
    const LabPattern& pattern = question_.pattern;
    if (pattern.kind != LabPattern::Kind::kQuery || question_.is_look_up) return false;
    const bool ends_early = pattern.limit > 0 && pattern.order.entity == kLabNone;
    if (ends_early) return true;
    constexpr double kAtLeast = 0.9;  // the estimate is of means
    const double bytes = question_.model.Bytes(item, key).Mean() *
                         question_.model.ShareInKey(item, key, {}) *
                         question_.model.file_model().Instances(item.entity);
    const double factor = pattern.is_consistent ? 1 : 0.5;
    return kAtLeast * factor * bytes / static_cast<double>(kReadUnitBytes) <
           choice_.taken->cost.ReadUnits();
  }

  void TryScan(const LabItem& item, LabKey key) {
    if (choice_.taken && !MayBeCheaper(item, key)) return;
    if (GapOfKey(question_, item, key)) return;
    ReadCandidate scan = {.hosts = hosts_, .is_scan = true};
    scan.interval = WholeOf(question_, item, key);
    scan.rest = RestOf(question_, hosts_, scan.interval, true);
    DecideEnd(scan);
    FindCostOfRead(question_, scan);
    if (scan.rest.obstacle) {
      if (!choice_.impossible) choice_.impossible = scan.rest.obstacle;
    } else if (!scan_ || IsCheaper(scan, *scan_)) {
      scan_ = std::move(scan);
    }
  }

  // What a Scan costs grows with all data, and what a key costs often does not: so a key is
  // preferred unless it costs more than twice as much, and more than a few units.
  void HoldAgainstKey(ReadCandidate scan) {
    constexpr double kMuchLess = 0.5;
    constexpr double kFewUnits = 5;
    const double by_key = choice_.taken->cost.ReadUnits();
    const double by_scan = scan.cost.ReadUnits();
    const bool is_query = question_.pattern.kind == LabPattern::Kind::kQuery;
    if (!is_query || question_.is_look_up || by_scan >= by_key - kTolerance) return;
    if (by_scan >= kMuchLess * by_key || by_key - by_scan < kFewUnits) {
      choice_.cheaper_scan = std::move(scan);
      return;
    }
    scan.beats_keys = true;
    choice_.dearer.push_back(std::move(*choice_.taken));
    choice_.taken = std::move(scan);
  }

  const ReadQuestion& question_;
  const std::vector<AskedHost>& hosts_;
  ReadChoice choice_;
  std::optional<ReadCandidate> scan_ = {};  // the cheapest
};

}  // namespace

ReadChoice ChooseRead(const ReadQuestion& question, const std::vector<AskedHost>& hosts) {
  return ReadChooser(question, hosts).Choose();
}

}  // namespace hashrange
