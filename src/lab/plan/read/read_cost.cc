// What a read that was found possible is expected to cost: by the distribution of the items that
// its key condition meets, page by page.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "base/portable_math.h"
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
    AllCases all;
    double hottest_units = 0;  // of the first case, whose key calls are about most
    for (std::size_t i = 0; i < matches.cases() && !WalksForEach(); ++i) {
      const double share = matches.share(i);
      if (share <= 0) continue;
      const CaseCost one = periods_ ? CostOfPeriods(matches, i, share) : CostOfCase(matches, i);
      if (i == 0) hottest_units = one.units;
      all.Add(one, share);
    }
    if (WalksForEach()) AddWalkForEach(matches, all);
    PatternCost cost = {.requests = all.sum.pages,
                        .items = all.sum.items,
                        .unasked_items = std::max(0.0, all.sum.items - all.sum.returned.mean)};
    if (periods_) share_of_request_ = periods_->HottestShare() / interval_.shards;
    double hottest = HottestOfQuery();
    if (matches.ranked() != kLabNone && all.sum.units > 0) {
      // What calls are about most has most items, too.
      hottest = std::max(hottest, ShareOfFirst(matches) * hottest_units / all.sum.units);
    }
    cost.Add({.key = interval_.key,
              .units = all.sum.units * factor_,
              .hottest_share = std::min(1.0, hottest),
              .hottest_template = TemplateOf(*interval_.items.front(), interval_.key)});
    if (LooksUp()) {
      cost.Add({.key = {.table = interval_.key.table},
                .units = all.sum.table_units * factor_,
                .hottest_share = std::min(1.0, hottest),
                .hottest_template =
                    TemplateOf(*interval_.items.front(), {.table = interval_.key.table})});
    }
    cost.Multiply(question_.Repeats());
    if (candidate_.fetches) {
      AddFetch(OfAll(all.fetched, static_cast<double>(candidate_.fetched_items)), cost);
    }
    AddReferred(OfAll(all.returned, static_cast<double>(question_.pattern.limit)), cost);
    return cost;
  }

  // Of a candidate whose interval has buckets, after Find.
  const std::optional<AskedPeriods>& periods() const { return periods_; }

 private:
  struct CaseCost {
    double units = 0;
    double items = 0;
    double pages = 0;
    Moments fetched = {};    // of what an index found
    Moments returned = {};   // at most: of several requests, the client may leave out the last ones
    double table_units = 0;  // that a local index takes of the table for what it lacks
  };

  // What all cases take on average, and what an index found and what was returned in each of them.
  struct AllCases {
    CaseCost sum = {};
    std::vector<CountCase> fetched = {};
    std::vector<CountCase> returned = {};

    // `share` is of the calls, each of which makes so many of these.
    void Add(const CaseCost& one, double share, double times = 1) {
      sum.units += share * times * one.units;
      sum.items += share * times * one.items;
      sum.pages += share * times * one.pages;
      sum.table_units += share * times * one.table_units;
      fetched.push_back({share, one.fetched});
      returned.push_back({share, one.returned});
    }
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
    const std::vector<CountCase> repeats = RepeatCases();
    const LabItem& item = *interval_.items.front();
    PatternCost cost = {.requests = BatchesOf(repeats), .items = count};
    cost.Add({.key = interval_.key,
              .units = count * factor *
                       MeanUnits(question_.model.Bytes(item, interval_.key), kReadUnitBytes),
              .hottest_share = HottestShare(question_.subject, KnownOfHash()),
              .hottest_template = TemplateOf(item, interval_.key)});
    AddReferred(repeats, cost);
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

  // Returns whether the item is one of several that hold one instance together.
  bool IsPiece(const MetItem& met) const {
    return std::ranges::count(candidate_.hosts, met.item, &AskedHost::item) > 0;
  }

  // Returns whether another item stands for the same instance.
  bool IsFurtherPiece(const MetItem& met) const {
    const auto first = std::ranges::find_if(items_, [&](const MetItem& one) {
      return IsPiece(one) && one.item->entity == met.item->entity;
    });
    return IsPiece(met) && first->item != met.item;
  }

  // Returns whether the item is the only one of its kind, as those are that are read before the
  // sorted ones.
  bool IsBeside(const MetItem& met) const {
    if (IsPiece(met)) return true;
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
        if (!IsFurtherPiece(met)) asked.mean += count.mean;
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
      // Pages are read until enough items have passed the filter.
      const double all_items = page.items;
      page = CostUntilFound(page, load.asked.Thinned(1 / requests_), limit_);
      share = page.items / all_items;
    }
    CaseCost cost = {.units = requests_ * page.units,
                     .items = requests_ * page.items,
                     .pages = requests_ * std::max(1.0, page.pages)};
    if (LooksUp()) {
      const PageCost table = CostOfLookUp(load.page);
      cost.table_units = requests_ * table.units * share;
      cost.pages = std::max(cost.pages, requests_ * table.pages * share);
    }
    // Filters are applied before the rest is fetched; what the client leaves out is fetched.
    double fetched = candidate_.rest.client_filters.empty() ? asked * share : cost.items;
    fetched = std::min(fetched, cost.items);
    double returned = asked * share;
    if (limit_ > 0) returned = std::min(returned, limit_ * requests_);
    if (candidate_.fetched_items > 0) {
      fetched = std::min(fetched, static_cast<double>(candidate_.fetched_items));
    } else if (limit_ > 0) {
      fetched = std::min(fetched, limit_ * requests_);
    }
    cost.fetched = CutTo(fetched, load.asked);
    cost.returned = CutTo(returned, load.asked);
    return cost;
  }

  // Returns what is left of so many items where a limit leaves so many of them, on average: the
  // more it cuts off, the less their number varies.
  static Moments CutTo(double mean, const Moments& items) {
    const double share = items.mean > 0 ? mean / items.mean : 0;
    return {mean, items.variance * std::min(share, share * share * share)};
  }

  // Returns how many items all requests of a call give, by how many each of them gives: the first
  // ones, where there is a limit above 0.
  std::vector<CountCase> OfAll(const std::vector<CountCase>& of_each, double limit) const {
    std::vector<CountCase> all = of_each;
    if (question_.IsRepeated() && !WalksForEach()) {
      const Moments each = MomentsOf(of_each);
      const double enough = limit > 0 && each.mean > 0 ? limit / each.mean : 0;
      all.clear();
      for (const CountCase& one : RepeatCases()) {
        // Calls that find nothing to ask for are a case of their own.
        const double some = 1 - SharesOfCounts(one.count, 1).front();
        all.push_back({.share = one.share * (1 - some), .count = {}});
        if (some <= 0) continue;
        const double used = MeanPageCost({.items = one.count, .limit = enough}).items / some;
        const double mean = one.count.mean / some;
        const double squares = (one.count.variance + one.count.mean * one.count.mean) / some;
        const Moments asked = {mean, std::max(0.0, squares - mean * mean)};
        all.push_back({one.share * some, SumOfEach(CutTo(used, asked), each)});
      }
    }
    for (CountCase& one : all) {
      if (limit > 0 && one.count.mean > limit) one.count = CutTo(limit, one.count);
    }
    return all;
  }

  // Returns how often one call asks.
  std::vector<CountCase> RepeatCases() const {
    if (question_.IsForEach()) return question_.repeats;
    return {{.share = 1, .count = {question_.Repeats(), 0}}};
  }

  static Moments MomentsOf(const std::vector<CountCase>& cases) {
    Moments all;
    double squares = 0;
    for (const CountCase& one : cases) {
      all.mean += one.share * one.count.mean;
      squares += one.share * (one.count.variance + one.count.mean * one.count.mean);
    }
    all.variance = std::max(0.0, squares - all.mean * all.mean);
    return all;
  }

  // Returns how many BatchGetItem fetch a share of the items, on average.
  static double BatchesOf(const std::vector<CountCase>& cases, double share = 1) {
    double batches = 0;
    for (const CountCase& one : cases) {
      const Moments fetched = {one.count.mean * share, one.count.variance * share * share};
      batches += one.share * MeanBatches(fetched, kKeysOfBatch);
    }
    return batches;
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
    const InstanceLink link = {is_ref ? referred.reference.entity : referred.of,
                               is_ref ? referred.reference.attribute : kLabNone, other};
    const std::vector<double> of_bands = model_.DifferentLedTo(link, {.mean = references});
    Different different;
    for (std::size_t band = 0; band < of_bands.size(); ++band) {
      different.instances += of_bands[band];
      different.most = std::max(different.most, of_bands[band] / model_.Bands(other)[band].count());
    }
    different.instances = std::min(different.instances, references);
    // The instances for each of which it is asked are all that the answers refer to.
    const bool is_of_each = !is_ref && question_.IsForEach() &&
                            KnownValue(question_, {.attribute = referred.reference}).has_value();
    if (is_of_each) different.instances = std::min(different.instances, question_.Repeats());
    return different;
  }

  // Adds the fetch of what the answer refers to.
  void AddReferred(const std::vector<CountCase>& of_all, PatternCost& cost) const {
    const double returned = MomentsOf(of_all).mean;
    for (const ReferredItems& one : question_.referred) {
      const bool is_asked = std::ranges::any_of(
          interval_.items, [&](const LabItem* item) { return item->entity == one.of; });
      if (!is_asked) continue;
      const Different different = DifferentOnes(one, returned);
      const Spread& bytes = question_.model.Bytes(*one.item, one.table);
      if (returned > 0) cost.requests += BatchesOf(of_all, different.instances / returned);
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
    const bool is_of_parent = !question_.IsForEach() && group.owner != kLabNone &&
                              group.owner == entity.parent &&
                              entity.count.kind != LabDistribution::Kind::kZipf;
    if (is_of_parent && children.Mean() > 0) {
      std::vector<WeightedNumber> factors;
      for (std::size_t i = 0; i < Spread::kParts; ++i) {
        factors.push_back({children.part(i) / children.Mean()});
      }
      return Spread::Of(std::move(factors));
    }
    // A lognormal number of the same moments.
    const double width = PortableLog1p(items.variance / (items.mean * items.mean));
    return Spread::OfDraws({.kind = LabDistribution::Kind::kLognormal,
                            .first = -width / 2,
                            .second = std::sqrt(width)},
                           1);
  }

  // `weight` is the share of the calls that are about this case.
  CaseCost CostOfPeriods(const KeyMatches& matches, std::size_t number, double weight) {
    return CostOfWalk(PeriodCaseOf(matches, number), weight);
  }

  PeriodCase PeriodCaseOf(const KeyMatches& matches, std::size_t number) const {
    const CaseLoad load = LoadOfCase(matches, number);
    const KeyMatches::Group& group = items_.front().inside_group;
    const double all = matches.Count(group, number).mean;
    const double created =
        all > 0 ? std::clamp(matches.CountCreated(group, number).mean / all, 0.0, 1.0) : 0;
    return {.page = load.page,
            .asked = load.asked,
            .created = created,
            .factors = FactorsOf(group, load.page.items)};
  }

  // Returns whether one walk asks for all instances of a call together.
  bool WalksForEach() const { return candidate_.walk && question_.IsForEach(); }

  // Adds what the walk of a call takes, which asks a period for all instances and ends when the
  // items of all of them are enough.
  void AddWalkForEach(const KeyMatches& matches, AllCases& sum) {
    // The instances of one call are about all cases.
    PeriodCase each = {.factors = Spread(1)};
    double read_squared = 0;
    double asked_squared = 0;
    double created = 0;
    for (std::size_t i = 0; i < matches.cases(); ++i) {
      const double share = matches.share(i);
      if (share <= 0) continue;
      const PeriodCase one = PeriodCaseOf(matches, i);
      const auto add = [&](const Moments& more, Moments& all, double& squared) {
        all.mean += share * more.mean;
        squared += share * (more.variance + more.mean * more.mean);
      };
      add(one.page.items, each.page.items, read_squared);
      add(one.asked, each.asked, asked_squared);
      each.page.item_bytes = one.page.item_bytes;
      created += share * one.page.items.mean * one.created;
    }
    each.page.items.variance = read_squared - each.page.items.mean * each.page.items.mean;
    each.asked.variance = asked_squared - each.asked.mean * each.asked.mean;
    each.created = each.page.items.mean > 0 ? created / each.page.items.mean : 0;
    std::vector<WeightedNumber> numbers;
    for (const CountCase& one : question_.repeats) AppendCounts(one.count, one.share, numbers);
    const Spread counts = Spread::Of(std::move(numbers));
    for (std::size_t part = 0; part < Spread::kParts; ++part) {
      // Less than one instance on average is one, or none.
      PeriodCase all = each;
      all.instances = std::max(1.0, counts.part(part));
      const double weight = std::min(1.0, counts.part(part)) / Spread::kParts;
      const Moments& own = each.page.items;
      if (own.mean > 0) {
        all.variation = std::max(0.0, own.variance - own.mean) / (own.mean * own.mean) *
                        (1 - 1 / all.instances);
      }
      all.page.items = SumOfEach({.mean = all.instances}, each.page.items);
      all.asked = SumOfEach({.mean = all.instances}, each.asked);
      all.factors = FactorsOf(items_.front().inside_group, all.page.items);
      sum.Add(CostOfWalk(all, weight), weight, 1 / question_.Repeats());
    }
  }

  CaseCost CostOfWalk(const PeriodCase& one, double weight) {
    const WalkCost walk = periods_->Add(one, weight);
    double fetched = walk.found;
    if (!candidate_.walk && !candidate_.rest.client_filters.empty()) fetched = walk.items;
    if (candidate_.fetched_items > 0) {
      fetched = std::min(fetched, static_cast<double>(candidate_.fetched_items));
    }
    return {.units = walk.units,
            .items = walk.items,
            .pages = walk.requests,
            .fetched = CutTo(fetched, one.asked),
            .returned = CutTo(walk.found, one.asked),
            .table_units = LooksUp() ? UnitsOfLookUps(walk) : 0};
  }

  // Of each request, the last begun unit is half full on average.
  double UnitsOfLookUps(const WalkCost& cost) const {
    const Spread& bytes =
        question_.model.Bytes(*items_.front().item, {.table = interval_.key.table});
    return cost.items * bytes.Mean() / kReadUnitBytes + std::min(cost.items, cost.requests) / 2;
  }

  void AddFetch(const std::vector<CountCase>& of_all, PatternCost& cost) const {
    const LabItem& item = *interval_.items.front();
    const LabKey table = {.table = interval_.key.table};
    const double fetched = MomentsOf(of_all).mean;
    const double of_each = std::max(1.0, fetched / question_.Repeats());
    cost.requests += BatchesOf(of_all);
    cost.Add(
        {.key = table,
         .units = fetched * factor_ * MeanUnits(question_.model.Bytes(item, table), kReadUnitBytes),
         .hottest_share = cost.keys.empty() ? 0 : cost.keys.front().hottest_share / of_each,
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
