// What a read that was found possible is expected to cost: by the distribution of the items that
// its key condition meets, page by page.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "lab/language/lab_facts.h"
#include "lab/plan/cost/key_matches.h"
#include "lab/plan/cost/spread.h"
#include "lab/plan/read/asked_periods.h"
#include "lab/plan/read/plan_choice.h"
#include "value/capacity.h"

namespace hashrange {
namespace {

constexpr double kKeysOfBatch = 100;

// What a Query meets of one item of the layout.
struct MetItem {
  const LabItem* item = nullptr;
  std::vector<LabTemplatePart> inside = {};  // placeholders that the key condition knows
  std::vector<LabTemplatePart> asked = {};   // and those by which the answer is filtered
  KeyMatches::Group inside_group = {};
  KeyMatches::Group asked_group = {};
  double share_in_key = 1;  // of the instances with these values
  Moments bytes = {};       // of one item
  bool is_asked = false;
};

class ReadCostFinder {
 public:
  ReadCostFinder(const ReadQuestion& question, const ReadCandidate& candidate)
      : question_(question),
        candidate_(candidate),
        interval_(candidate.interval),
        model_(question.model.file_model()),
        factor_(question.pattern.is_consistent ? 1 : 0.5) {}

  PatternCost Find() {
    if (candidate_.is_get) return CostOfGet();
    FindItems();
    if (!interval_.buckets) requests_ = interval_.shards;
    share_of_request_ = 1 / requests_;
    if (interval_.buckets) periods_.emplace(question_, candidate_, WidenedMs());
    const KeyMatches matches(question_.subject, items_.front().item->entity,
                             candidate_.is_scan ? items_.front().asked : items_.front().inside);
    for (MetItem& met : items_) {
      met.inside_group = matches.GroupOf(met.item->entity, met.inside);
      if (met.is_asked) met.asked_group = matches.GroupOf(met.item->entity, met.asked);
    }
    double units = 0;
    double fetched = 0;
    double returned = 0;
    double table_units = 0;
    double hottest_units = 0;  // of the first case, whose key calls are about most
    PatternCost cost;
    for (std::size_t i = 0; i < matches.cases(); ++i) {
      const double share = matches.share(i);
      if (share <= 0) continue;
      const CaseCost one = periods_ ? CostOfPeriods(matches, i, share) : CostOfCase(matches, i);
      if (i == 0) hottest_units = one.units;
      units += share * one.units;
      cost.items += share * one.items;
      cost.requests += share * one.pages;
      fetched += share * one.fetched;
      returned += share * one.returned;
      table_units += share * one.table_units;
    }
    if (periods_) share_of_request_ = periods_->HottestShare() / interval_.shards;
    double hottest = HottestOfQuery();
    if (matches.ranked() != kLabNone && units > 0) {
      // What calls are about most has most items, too.
      hottest = std::max(hottest, ShareOfFirst(matches) * hottest_units / units);
    }
    cost.Add({.key = interval_.key,
              .units = units * factor_,
              .hottest_share = std::min(1.0, hottest),
              .hottest_template = TemplateOf(*interval_.items.front(), interval_.key)});
    if (question_.IsForEach() && candidate_.fetched_items > 0 && fetched > 0) {
      // Of what all of the requests find, the first items are fetched: what so many of them find.
      const double enough = static_cast<double>(candidate_.fetched_items) / fetched;
      double used = 0;
      for (const CountCase& one : question_.repeats) {
        used += one.share * MeanPageCost({.items = one.count, .limit = enough}).items;
      }
      fetched *= used / question_.Repeats();
    }
    if (candidate_.fetches) {
      AddFetch(fetched, cost);
    } else if (LooksUp()) {
      cost.Add({.key = {.table = interval_.key.table},
                .units = table_units * factor_,
                .hottest_share = std::min(1.0, hottest),
                .hottest_template =
                    TemplateOf(*interval_.items.front(), {.table = interval_.key.table})});
    }
    cost.Multiply(question_.Repeats());
    AddReferred(ReturnedOfAll(returned), cost);
    return cost;
  }

  // Of a candidate whose interval has buckets, after Find.
  const std::optional<AskedPeriods>& periods() const { return periods_; }

 private:
  struct CaseCost {
    double units = 0;
    double items = 0;
    double pages = 0;
    double fetched = 0;      // of what an index found
    double returned = 0;     // at most: of several requests, the client may leave out the last ones
    double table_units = 0;  // that a local index takes of the table for what it lacks
  };

  // Returns the placeholders of the item's partition key that the caller knows, or those that the
  // caller does not know.
  std::vector<LabTemplatePart> PartsOfHash(const LabItem& item, bool is_known) const {
    std::vector<LabTemplatePart> parts;
    for (const std::string& name : HashOf(question_.layout, interval_.key)) {
      const LabItemKey* const key = KeyOfItem(item, name);
      if (key == nullptr) continue;
      for (const LabTemplatePart& part : key->text.parts) {
        if (part.attribute.entity == kLabNone) continue;
        if (KnownValue(question_, part).has_value() == is_known) parts.push_back(part);
      }
    }
    return parts;
  }
  std::vector<LabTemplatePart> KnownOfHash() const {
    return PartsOfHash(*interval_.items.front(), true);
  }

  std::string TemplateOf(const LabItem& item, LabKey key) const {
    return HashTemplate(question_.layout, key, item);
  }

  double HottestOfQuery() const {
    if (candidate_.is_scan) return HottestOfScan();
    return HottestShare(question_.subject, KnownOfHash()) * share_of_request_;
  }

  // Returns the share of the calls that the first case's hottest key has: what else is in the key
  // divides the calls of that case.
  double ShareOfFirst(const KeyMatches& matches) const {
    double share = matches.share(0) * share_of_request_;
    for (const LabTemplatePart& part : KnownOfHash()) {
      const LabAttributeRef ref = OriginalOf(question_.file, part.attribute);
      const LabGenerator& generator = LabAttributeAt(question_.file, ref).generator;
      const bool is_of_ranked = IsAncestorOrSelf(question_.file, ref.entity, matches.ranked()) ||
                                (generator.kind == LabGenerator::Kind::kRef &&
                                 generator.other.entity == matches.ranked());
      const bool is_constant = std::ranges::any_of(
          question_.pattern.constants,
          [&](const LabCondition& one) { return one.attribute == part.attribute; });
      if (!is_of_ranked && !is_constant) share *= model_.GreatestValueShare(part);
    }
    return share;
  }

  // A Scan reads all that a partition key value has.
  double HottestOfScan() const {
    const LabItem& item = *interval_.items.front();
    std::vector<LabTemplatePart> parts = PartsOfHash(item, true);
    std::ranges::copy(PartsOfHash(item, false), std::back_inserter(parts));
    return HottestOfAll(question_.file, parts, [&](const LabTemplatePart& part) {
      return model_.GreatestValueShare(part);
    });
  }

  PatternCost CostOfGet() const {
    const LabPattern& pattern = question_.pattern;
    const double factor = pattern.is_transaction.value_or(false) ? 2 : factor_;
    const double count = question_.Repeats();
    const LabItem& item = *interval_.items.front();
    PatternCost cost = {.requests = std::ceil(count / kKeysOfBatch), .items = count};
    cost.Add({.key = interval_.key,
              .units = count * factor *
                       MeanUnits(question_.model.Bytes(item, interval_.key), kReadUnitBytes),
              .hottest_share = HottestShare(question_.subject, KnownOfHash()),
              .hottest_template = TemplateOf(item, interval_.key)});
    AddReferred(count, cost);
    return cost;
  }

  // --- What lies inside ---

  static std::vector<LabAttributeRef> AttributesOf(const std::vector<LabTemplatePart>& parts) {
    std::vector<LabAttributeRef> attributes;
    for (const LabTemplatePart& part : parts) attributes.push_back(part.attribute);
    return attributes;
  }

  // Returns how long the times are alike that the sort key does not distinguish.
  double CoarseMs() const {
    double coarse_ms = 0;
    for (const std::string& name : RangeOf(question_.layout, interval_.key)) {
      const LabItemKey* const key = KeyOfItem(*interval_.items.front(), name);
      if (key == nullptr) continue;
      for (const LabTemplatePart& part : key->text.parts) {
        const bool is_of_range =
            part.attribute.entity != kLabNone &&
            IsSameValue(question_.file, part.attribute, question_.pattern.range.attribute);
        if (is_of_range) coarse_ms = std::max(coarse_ms, MeanBucketMs(part.form));
      }
    }
    return coarse_ms;
  }

  // How much longer the range is of what lies inside than of what is asked for; below 0: all lies
  // inside.
  double WidenedMs() const {
    if (interval_.has_range) return interval_.has_exact_range ? 0 : CoarseMs() / 2;
    return -1;
  }

  // Returns the share of the instances that begin like the beginning of the range's attribute that
  // the partition key has: they are counted by it already.
  double ShareKnown(const KeyMatches::Group& group) const {
    double share = 1;
    for (const LabTemplatePart& part : group.known) {
      const bool is_start = part.form == LabTemplatePart::Form::kPrefix &&
                            part.attribute == question_.pattern.range.attribute;
      if (is_start) share = std::min(share, model_.SameValueShare(part));
    }
    return std::max(share, 1e-9);
  }

  // Returns how many of the matches the range leaves. What calls create is new, so all of it is
  // within the last hours.
  Moments InRange(const KeyMatches& matches, const KeyMatches::Group& group, std::size_t number,
                  double widened_ms) const {
    const LabRange& range = question_.pattern.range;
    const Moments all = matches.Count(group, number);
    if (range.kind == LabRange::Kind::kNone || widened_ms < 0) return all;
    const double share = model_.ShareOf(range, widened_ms);
    if (range.kind != LabRange::Kind::kLast) return all.Thinned(share / ShareKnown(group));
    const Moments created = matches.CountCreated(group, number);
    const double part = all.mean > 0 ? std::clamp(created.mean / all.mean, 0.0, 1.0) : 0;
    return all.Thinned(part + (1 - part) * share);
  }

  void FindItems() {
    const auto add = [&](const LabItem& item, bool is_asked) {
      MetItem met = {.item = &item, .is_asked = is_asked};
      met.inside = candidate_.is_scan ? std::vector<LabTemplatePart>()
                                      : KnownPlaceholders(question_, item, interval_);
      met.share_in_key = question_.model.ShareInKey(item, interval_.key, AttributesOf(met.inside));
      const Spread& bytes = question_.model.Bytes(item, interval_.key);
      met.bytes = {bytes.Mean(), bytes.Variance()};
      if (is_asked) met.asked = AskedOf(met.inside);
      items_.push_back(std::move(met));
    };
    for (const LabItem* const item : interval_.items) add(*item, true);
    for (const LabItem* const item : interval_.others) {
      add(*item, false);
      if (!candidate_.is_scan) AddHashOf(*item, items_.back());
    }
    limit_ = static_cast<double>(candidate_.items);
  }

  // Another item lies inside where each placeholder of its partition key has the value that is
  // asked for. The values of two attributes that are no copies of one are equal by chance only.
  void AddHashOf(const LabItem& item, MetItem& met) const {
    const std::vector<LabTemplatePart> asked = KnownOfHash();
    for (const LabTemplatePart& part : PartsOfHash(item, false)) {
      met.inside.push_back(part);
      const bool is_of_asked = std::ranges::any_of(asked, [&](const LabTemplatePart& one) {
        return RootOf(question_.file, one.attribute) == RootOf(question_.file, part.attribute);
      });
      if (!is_of_asked) met.share_in_key = 0;
    }
  }

  // All that the caller knows, once each.
  std::vector<LabTemplatePart> AskedOf(std::vector<LabTemplatePart> known) const {
    const auto add = [&](LabAttributeRef ref) {
      const bool is_there = std::ranges::any_of(known, [&](const LabTemplatePart& part) {
        return IsSameValue(question_.file, part.attribute, ref);
      });
      if (!is_there) known.push_back({.attribute = ref});
    };
    for (const LabAttributeRef ref : question_.pattern.by) add(ref);
    for (const LabCondition& constant : question_.pattern.constants) add(constant.attribute);
    return known;
  }

  // --- What one case costs ---

  // What one of the requests meets, and how many items of all requests are asked for.
  struct CaseLoad {
    PageLoad page = {};
    Moments asked = {};
  };

  // Returns whether the item is one of those that are read before the sorted ones.
  bool IsBeside(const MetItem& met) const {
    return interval_.beside > 0 && met.is_asked &&
           met.item->entity !=
               HostOf(question_.layout, OrderedEntity(question_.file, question_.pattern));
  }

  CaseLoad LoadOfCase(const KeyMatches& matches, std::size_t number) const {
    // The range that says which periods are asked is held against each of them.
    const bool has_range_of_periods = interval_.buckets && !candidate_.walk;
    PageLoad load;
    double bytes_squared = 0;
    Moments asked;
    for (const MetItem& met : items_) {
      const bool has_range = met.is_asked && !candidate_.is_scan && !has_range_of_periods;
      const double widened_ms = has_range ? WidenedMs() : -1;
      const Moments count = InRange(matches, met.inside_group, number, widened_ms)
                                .Thinned(met.share_in_key / requests_);
      const Moments& bytes = met.bytes;
      if (IsBeside(met)) {
        load.more_items += count.mean;
        load.more_bytes.mean += count.mean * bytes.mean;
        load.more_bytes.variance += count.mean * bytes.variance;
        asked.mean += count.mean;
        continue;
      }
      load.items.mean += count.mean;
      load.items.variance += count.variance;
      load.item_bytes.mean += count.mean * bytes.mean;
      bytes_squared += count.mean * (bytes.variance + bytes.mean * bytes.mean);
      if (met.is_asked) {
        const Moments wanted =
            InRange(matches, met.asked_group, number, has_range_of_periods ? -1 : 0);
        const bool is_fewer = wanted.mean < count.mean * requests_;
        asked.mean += is_fewer ? wanted.mean : count.mean * requests_;
        asked.variance += is_fewer ? wanted.variance : count.variance * requests_;
      }
    }
    if (load.items.mean > 0) {
      load.item_bytes.mean /= load.items.mean;
      load.item_bytes.variance = std::max(
          0.0, bytes_squared / load.items.mean - load.item_bytes.mean * load.item_bytes.mean);
    }
    return {load, asked};
  }

  // Returns whether a local index reads from the table what it lacks.
  bool LooksUp() const { return !candidate_.fetches && !candidate_.rest.lacking.empty(); }

  // Returns what pages take of the table for what a local index lacks: the service reads it of all
  // that a page meets, whatever the filter drops, and rounds the sum of the bytes up.
  PageCost CostOfLookUp(PageLoad load) const {
    const LabItem& item = *items_.front().item;
    const Spread& bytes = question_.model.Bytes(item, {.table = interval_.key.table});
    load.item_bytes = {bytes.Mean(), bytes.Variance()};
    PageCost cost = MeanPageCost(load);
    cost.units -= SharesOfCounts(load.items, 1).front();  // nothing is read where nothing is met
    return cost;
  }

  CaseCost CostOfCase(const KeyMatches& matches, std::size_t number) const {
    CaseLoad load = LoadOfCase(matches, number);
    const double asked = load.asked.mean;
    if (candidate_.has_limit) load.page.limit = limit_ - interval_.beside;
    PageCost page = MeanPageCost(load.page);
    double share = 1;
    if (limit_ > 0 && !candidate_.has_limit && page.pages > 1) {
      // Pages are read until enough items have passed the filter: of n items that lie anywhere, the
      // k-th is found after k of n + 1 equal parts.
      const double found = asked < limit_ ? 1 : limit_ / (asked + 1);
      share = std::max(found, 1 / page.pages);
    }
    CaseCost cost = {.units = requests_ * page.units * share,
                     .items = requests_ * page.items * share,
                     .pages = requests_ * std::max(1.0, page.pages * share)};
    if (LooksUp()) {
      const PageCost table = CostOfLookUp(load.page);
      cost.table_units = requests_ * table.units * share;
      cost.pages = std::max(cost.pages, requests_ * table.pages * share);
      return cost;
    }
    // Filters are applied before the rest is fetched; what the client leaves out is fetched.
    const double returned = candidate_.rest.client_filters.empty() ? asked * share : cost.items;
    cost.fetched = std::min(returned, cost.items);
    cost.returned = asked * share;
    if (limit_ > 0) cost.returned = std::min(cost.returned, limit_ * requests_);
    if (candidate_.fetched_items > 0) {
      cost.fetched = std::min(cost.fetched, static_cast<double>(candidate_.fetched_items));
    } else if (limit_ > 0) {
      cost.fetched = std::min(cost.fetched, limit_ * requests_);
    }
    return cost;
  }

  // Returns how many items the pattern gets of what all requests of a call return.
  double ReturnedOfAll(double returned) const {
    double all = 0;
    const auto limit = static_cast<double>(question_.pattern.limit);
    if (!question_.IsForEach()) {
      all = returned * question_.Repeats();
    } else {
      for (const CountCase& one : question_.repeats) {
        const double enough = limit > 0 && returned > 0 ? limit / returned : 0;
        all += one.share * returned * MeanPageCost({.items = one.count, .limit = enough}).items;
      }
    }
    return limit > 0 ? std::min(all, limit) : all;
  }

  // To how many different instances so many references are, on average, and how often one of them
  // is to the instance that is referred to most.
  struct Different {
    double instances = 0;
    double most = 0;
  };
  Different DifferentOnes(const ReferredItems& referred, double references) const {
    const LabGenerator& generator = LabAttributeAt(question_.file, referred.reference).generator;
    const bool is_ref = generator.kind == LabGenerator::Kind::kRef;
    const int other = is_ref ? generator.other.entity : referred.reference.entity;
    const double all = std::max(1.0, model_.Instances(referred.of));
    const std::vector<RankBand>& bands = model_.Bands(other);
    Different different;
    for (std::size_t band = 0; band < bands.size(); ++band) {
      const double count = bands[band].count();
      const double each =
          is_ref ? model_.ReferenceShares(referred.reference)[band] / count
                 : model_.Descendants(referred.of, other, static_cast<int>(band)).mean / all;
      const double share = 1 - std::pow(1 - std::min(each, 1.0), references);
      different.instances += count * share;
      different.most = std::max(different.most, share);
    }
    different.instances = std::min(different.instances, references);
    return different;
  }

  // Adds the fetch of what the answer refers to.
  void AddReferred(double returned, PatternCost& cost) const {
    for (const ReferredItems& one : question_.referred) {
      const bool is_asked = std::ranges::any_of(
          interval_.items, [&](const LabItem* item) { return item->entity == one.of; });
      if (!is_asked) continue;
      const Different different = DifferentOnes(one, returned);
      const Spread& bytes = question_.model.Bytes(*one.item, one.table);
      cost.requests += std::min(returned, std::max(1.0, different.instances / kKeysOfBatch));
      cost.Add({.key = one.table,
                .units = different.instances * factor_ * MeanUnits(bytes, kReadUnitBytes),
                .hottest_share = different.most / std::max(different.most, different.instances),
                .hottest_template = TemplateOf(*one.item, one.table)});
    }
  }

  // Returns by which factors of the mean the items differ of what calls are about.
  Spread FactorsOf(const KeyMatches::Group& group, const Moments& items) const {
    constexpr double kAlike = 1.5;
    if (items.mean < 1 || items.variance <= kAlike * items.mean) return Spread(1);
    const LabEntity& entity = EntityAt(question_.file, group.entity);
    const Spread& children = model_.Children(group.entity);
    const bool is_of_parent = group.owner != kLabNone && group.owner == entity.parent &&
                              entity.count.kind != LabDistribution::Kind::kZipf;
    if (is_of_parent && children.Mean() > 0) {
      std::vector<WeightedNumber> factors;
      for (std::size_t i = 0; i < Spread::kParts; ++i) {
        factors.push_back({children.part(i) / children.Mean()});
      }
      return Spread::Of(std::move(factors));
    }
    // A lognormal number of the same moments.
    const double width = std::log1p(items.variance / (items.mean * items.mean));
    return Spread::OfDraws({.kind = LabDistribution::Kind::kLognormal,
                            .first = -width / 2,
                            .second = std::sqrt(width)},
                           1);
  }

  // `weight` is the share of the calls that are about this case.
  CaseCost CostOfPeriods(const KeyMatches& matches, std::size_t number, double weight) {
    const CaseLoad load = LoadOfCase(matches, number);
    const KeyMatches::Group& group = items_.front().inside_group;
    const double all = matches.Count(group, number).mean;
    const double created =
        all > 0 ? std::clamp(matches.CountCreated(group, number).mean / all, 0.0, 1.0) : 0;
    const WalkCost walk = periods_->Add({.page = load.page,
                                         .asked = load.asked,
                                         .created = created,
                                         .factors = FactorsOf(group, load.page.items)},
                                        weight);
    double fetched = walk.found;
    if (!candidate_.walk && !candidate_.rest.client_filters.empty()) fetched = walk.items;
    if (candidate_.fetched_items > 0) {
      fetched = std::min(fetched, static_cast<double>(candidate_.fetched_items));
    }
    return {.units = walk.units,
            .items = walk.items,
            .pages = walk.requests,
            .fetched = fetched,
            .returned = walk.found,
            .table_units = LooksUp() ? UnitsOfLookUps(walk) : 0};
  }

  // Of each request, the last begun unit is half full on average.
  double UnitsOfLookUps(const WalkCost& cost) const {
    const Spread& bytes =
        question_.model.Bytes(*items_.front().item, {.table = interval_.key.table});
    return cost.items * bytes.Mean() / kReadUnitBytes + std::min(cost.items, cost.requests) / 2;
  }

  void AddFetch(double fetched, PatternCost& cost) const {
    const LabItem& item = *interval_.items.front();
    const LabKey table = {.table = interval_.key.table};
    const double repeats = question_.Repeats();
    cost.requests += std::ceil(fetched * repeats / kKeysOfBatch) / repeats;
    cost.Add(
        {.key = table,
         .units = fetched * factor_ * MeanUnits(question_.model.Bytes(item, table), kReadUnitBytes),
         .hottest_share =
             cost.keys.empty() ? 0 : cost.keys.front().hottest_share / std::max(1.0, fetched),
         .hottest_template = TemplateOf(item, table)});
  }

  const ReadQuestion& question_;
  const ReadCandidate& candidate_;
  const AskedInterval& interval_;
  const FileModel& model_;
  const double factor_;
  std::vector<MetItem> items_ = {};  // the asked ones first
  double requests_ = 1;              // that are made at once, but for the pages of each
  double share_of_request_ = 1;      // which the key of one request has of all units
  double limit_ = 0;                 // items after which reading ends; 0: none
  std::optional<AskedPeriods> periods_ = {};
};

}  // namespace

void FindCostOfRead(const ReadQuestion& question, ReadCandidate& candidate) {
  ReadCostFinder finder(question, candidate);
  candidate.cost = finder.Find();
  if (!candidate.walk) return;
  candidate.unfinished = finder.periods()->unfinished();
  candidate.walk = finder.periods()->Walk();
}

}  // namespace hashrange
