#include "lab/propose/entity_options.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "lab/language/lab_facts.h"
#include "measure/partition_load.h"

namespace hashrange {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kTolerance = 1e-9;

bool Contains(const std::vector<int>& list, int one) { return std::ranges::count(list, one) > 0; }

// Returns whether the pattern asks for items of several entities at once.
bool ReadsTogether(const LabFile& file, int pattern) {
  return PatternForm(file, pattern).entities.size() > 1;
}

// Finds the options of one entity.
class OptionFinder {
 public:
  OptionFinder(PatternEvaluator& evaluator, int entity, TableStyle style,
               const EntityBounds& bounds)
      : evaluator_(evaluator),
        file_(evaluator.file()),
        space_(evaluator.space()),
        own_(SpaceAt(space_, entity)),
        entity_(entity),
        style_(style),
        bounds_(bounds),
        limits_(LimitsOf(file_.partitions)),
        plans_before_(evaluator.plans()) {
    for (const int pattern : own_.patterns) {
      depends_on_key_ = depends_on_key_ || !PatternForm(file_, pattern).returned_others.empty();
    }
    // The items that a question of several entities reads lie beside those of others.
    for (int i = 0; i < static_cast<int>(file_.patterns.size()); ++i) {
      depends_on_key_ = depends_on_key_ || ReadsTogether(file_, i);
    }
    for (const int pattern : own_.patterns) {
      relevant_.push_back(RelevantKeysOf(file_, own_, pattern).paths);
    }
    FindShared();
    FindCrowding();
    for (int other = 0; other < static_cast<int>(file_.entities.size()); ++other) {
      if (other == entity_) continue;
      const EntitySpace& space = SpaceAt(space_, other);
      const auto add = [&](const ProposedKey& one) {
        const std::string text = TemplateOfWords(file_, one.hash, false).text;
        if (std::ranges::count(texts_of_others_, text) == 0) texts_of_others_.push_back(text);
      };
      for (const ProposedKey& key : space.table_keys) add(key);
      for (const AccessPath& path : space.paths) add(path.key);
    }
  }

  EntityOptions Find() {
    if (evaluator_.IsLeftOut(entity_)) {
      AddLeftOut();
      return std::move(found_);
    }
    const auto keys =
        static_cast<std::uint8_t>(std::min<std::size_t>(own_.table_keys.size(), kLeftOut));
    for (const int pattern : own_.patterns) {
      bool is_served = false;
      bool is_possible = false;
      for (std::uint8_t key = 0; key < keys && !is_served; ++key) {
        const Single single = SingleOf(pattern, {entity_, key, UsableBy(key)});
        is_served = single.is_served;
        is_possible = is_possible || single.is_possible;
      }
      if (!is_served) {
        (is_possible ? found_.only_by_scan : found_.impossible).push_back(pattern);
      }
    }
    if (!found_.impossible.empty()) return std::move(found_);
    // Of keys that cost the same, the first is taken: what has a parent lies with the parent.
    for (const bool is_with_parent : {true, false}) {
      for (std::uint8_t key = 0; key < keys; ++key) {
        if (IsWithParent(file_, entity_, own_.table_keys[key]) == is_with_parent) SearchKey(key);
      }
    }
    constexpr double kMillionths = 1e6;
    std::ranges::stable_sort(found_.options, {}, [](const EntityOption& one) {
      return std::tuple(std::round(one.usd * kMillionths), one.copies, one.indexes());
    });
    return std::move(found_);
  }

 private:
  using Form = AccessPath::Form;

  // What the patterns of the entity take by one table key with one path or none.
  struct Single {
    double read_usd = 0;
    double write_usd = 0;
    bool is_served = false;
    bool is_possible = false;
  };

  using Asks = PatternEvaluator::Asks;
  using Shared = PatternEvaluator::Shared;

  // What a pattern takes of the entity, whatever others project for its items.
  struct ValueRange {
    PatternValue least = {};
    bool may_be_more = false;  // unless others project what the pattern asks for
    double most_usd = 0;
    std::vector<TemplateLoad> most_loads = {};
  };

  // Finds what entities that share an index project for each other.
  void FindShared() {
    imposed_by_.resize(own_.paths.size());
    if (IsNative(style_)) return;
    exposed_ = evaluator_.ExposedTo(entity_, Shared::kAll, kLabNone);
    std::map<std::string, int> numbers;
    for (std::size_t path = 0; path < own_.paths.size(); ++path) {
      const AccessPath& one = own_.paths[path];
      if (one.form == Form::kCopy) continue;
      for (const LabAttributeRef ref : ProjectedBy(file_, entity_, one)) {
        const std::string& name = LabAttributeAt(file_, ref).name;
        const int number = numbers.emplace(name, static_cast<int>(numbers.size())).first->second;
        if (IsOfOthers(name, one.form)) imposed_by_[path].push_back(number);
      }
    }
  }

  // Finds the paths to partitions that patterns about several entities may read as a whole.
  void FindCrowding() {
    if (IsNative(style_)) return;
    for (int pattern = 0; pattern < static_cast<int>(file_.patterns.size()); ++pattern) {
      if (!ReadsTogether(file_, pattern)) continue;
      for (const int other : space_.entities_of_pattern[static_cast<std::size_t>(pattern)]) {
        const EntitySpace& asked = SpaceAt(space_, other);
        for (const ProposedKey& key : asked.table_keys) AddCrowding(key);
        for (const AccessPath& path : asked.paths) {
          if (path.together_for == pattern) AddCrowding(path.key);
        }
      }
    }
  }

  void AddCrowding(const ProposedKey& read) {
    for (std::size_t path = 0; path < own_.paths.size(); ++path) {
      if (MayBeOnePartition(own_.paths[path].key.hash, read.hash)) {
        crowding_ |= std::uint64_t{1} << path;
      }
    }
  }

  // Returns the paths whose indexes may project what the pattern asks for, by others.
  std::uint64_t ExposedTo(int pattern) {
    if (IsNative(style_)) return 0;
    return evaluator_.ExposedTo(entity_, Shared::kAsked, pattern);
  }

  // Returns whether items of other entities have an attribute of the name, and may be in an index
  // of the form.
  bool IsOfOthers(const std::string& name, Form form) const {
    for (int other = 0; other < static_cast<int>(file_.entities.size()); ++other) {
      if (other == entity_ || !MayHave(other, form)) continue;
      for (const LabAttributeRef ref : AllAttributes(file_, other)) {
        if (LabAttributeAt(file_, ref).name == name) return true;
      }
    }
    return false;
  }

  bool MayHave(int entity, Form form) const {
    const std::vector<AccessPath>& paths = SpaceAt(space_, entity).paths;
    const EntityChoice used = {.entity = entity,
                               .paths = evaluator_.used_paths()[static_cast<std::size_t>(entity)]};
    for (std::size_t i = 0; i < paths.size(); ++i) {
      if (used.HasPath(i) && paths[i].form == form) return true;
    }
    return false;
  }

  // Returns what the indexes of the choice project of the names of others.
  std::vector<int> ImposedBy(const EntityChoice& choice) const {
    constexpr int kMostNames = 1 << 16;
    std::vector<int> imposed;
    for (const PathSlot& at : SlotsOf(space_, std::span(&choice, 1)).paths) {
      const bool is_local = own_.paths[at.path].form == Form::kLocalIndex;
      const int slot = is_local ? at.slot - Count(Form::kGlobalIndex, choice.paths) : at.slot;
      for (const int name : imposed_by_[at.path]) {
        imposed.push_back((2 * slot + (is_local ? 1 : 0)) * kMostNames + name);
      }
    }
    std::ranges::sort(imposed);
    return imposed;
  }

  PatternValue ValueOf(int pattern, const EntityChoice& choice, Asks asks,
                       Shared shared = Shared::kNothing) {
    const TableStyle style = IsNative(style_) ? TableStyle::kTableEach : TableStyle::kSeparately;
    return evaluator_.Evaluate(pattern, evaluator_.WithCompanions(pattern, choice), style, asks,
                               shared);
  }

  ValueRange RangeOf(int pattern, const EntityChoice& choice) {
    ValueRange range = {.least = ValueOf(pattern, choice, Asks::kLoads)};
    const PatternValue::OfChoice own = range.least.choices.front();
    range.most_usd = own.Usd();
    range.most_loads = own.loads;
    if ((choice.paths & exposed_) == 0 || !range.least.is_possible) return range;
    const PatternValue all = ValueOf(pattern, choice, Asks::kLoads, Shared::kAll);
    range.most_usd = std::max(range.most_usd, all.choices.front().Usd());
    range.most_loads = MostOf(own.loads, all.choices.front().loads);
    if ((choice.paths & ExposedTo(pattern)) == 0) return range;
    PatternValue asked = ValueOf(pattern, choice, Asks::kLoads, Shared::kAsked);
    if (asked.choices.front().Usd() < own.Usd() - kTolerance) {
      // What others project saves a fetch. With less of it, each entry is larger, and fetched too.
      range.most_usd = own.Usd() + all.choices.front().Usd();
      for (const TemplateLoad& load : own.loads) AddLoad(load, range.most_loads);
      range.least = std::move(asked);
      range.may_be_more = true;
    }
    return range;
  }

  // Returns for each key the greater of its loads.
  static std::vector<TemplateLoad> MostOf(std::vector<TemplateLoad> loads,
                                          const std::vector<TemplateLoad>& others) {
    for (const TemplateLoad& other : others) {
      const auto at = std::ranges::find_if(loads, [&](const TemplateLoad& load) {
        return load.key == other.key && load.is_write == other.is_write && load.text == other.text;
      });
      if (at == loads.end()) {
        loads.push_back(other);
      } else {
        at->units = std::max(at->units, other.units);
        at->strong_units = std::max(at->strong_units, other.strong_units);
      }
    }
    return loads;
  }

  Single SingleOf(int pattern, const EntityChoice& choice) {
    if (ReadsTogether(file_, pattern)) return {.is_served = true, .is_possible = true};
    const PatternValue value = ValueOf(pattern, choice, Asks::kCost);
    Single single = {.read_usd = value.choices.front().read_usd,
                     .write_usd = value.choices.front().write_usd,
                     .is_served = value.IsServed(),
                     .is_possible = value.is_possible};
    if (value.is_possible && (choice.paths & ExposedTo(pattern)) != 0) {
      const PatternValue asked = ValueOf(pattern, choice, Asks::kCost, Shared::kAsked);
      single.read_usd = std::min(single.read_usd, asked.choices.front().read_usd);
    }
    return single;
  }

  // Returns all paths that the entity can have with the table key.
  std::uint64_t UsableBy(std::uint8_t key) const {
    std::uint64_t usable = 0;
    for (std::size_t path = 0; path < own_.paths.size(); ++path) {
      const bool is_allowed = bounds_.allows_burdens || !IsBurden(own_.paths[path]);
      if (is_allowed && IsUsable(own_.paths[path], own_.table_keys[key], style_))
        usable |= std::uint64_t{1} << path;
    }
    return usable;
  }

  void AddLeftOut() {
    EntityOption option = {.choice = {.entity = entity_, .table_key = kLeftOut},
                           .level = HeadroomLevels::kCount - 1,
                           .least_level = HeadroomLevels::kCount - 1};
    found_.options.push_back(std::move(option));
  }

  void SearchKey(std::uint8_t key) {
    key_ = key;
    const std::size_t patterns = own_.patterns.size();
    none_.assign(patterns, {});
    by_path_.assign(patterns, std::vector<Single>(own_.paths.size()));
    by_all_.assign(patterns, {});
    usable_.clear();
    const std::uint64_t all = UsableBy(key);
    for (std::size_t path = 0; path < own_.paths.size(); ++path) {
      if ((all >> path & 1) != 0) usable_.push_back(path);
    }
    for (std::size_t i = 0; i < patterns; ++i) {
      none_[i] = SingleOf(own_.patterns[i], {entity_, key, 0});
      for (const std::size_t path : usable_) {
        const std::uint64_t bit = std::uint64_t{1} << path;
        by_path_[i][path] =
            (relevant_[i] & bit) == 0 ? none_[i] : SingleOf(own_.patterns[i], {entity_, key, bit});
      }
      const std::uint64_t relevant = all & relevant_[i];
      by_all_[i] = relevant == 0 ? none_[i] : SingleOf(own_.patterns[i], {entity_, key, relevant});
    }
    values_.clear();
    MakeBounds();
    tried_.clear();
    Choose(0, 0);
  }

  // Finds what any set of paths takes at least.
  void MakeBounds() {
    least_usd_ = 0;
    more_by_path_.assign(own_.paths.size(), 0);
    for (std::size_t i = 0; i < own_.patterns.size(); ++i) {
      double write = none_[i].is_possible ? none_[i].write_usd : kInfinity;
      double read = by_all_[i].is_possible ? by_all_[i].read_usd : kInfinity;
      if (none_[i].is_possible) read = std::min(read, none_[i].read_usd);
      for (const std::size_t path : usable_) {
        const Single& one = by_path_[i][path];
        if (!one.is_possible) continue;
        write = std::min(write, one.write_usd);
        read = std::min(read, one.read_usd);
      }
      if (std::isfinite(read)) least_usd_ += read;
      if (!std::isfinite(write)) continue;
      least_usd_ += write;
      for (const std::size_t path : usable_) {
        const Single& one = by_path_[i][path];
        if (one.is_possible) more_by_path_[path] += one.write_usd - write;
      }
    }
  }

  // Returns what a layout with these paths takes at least: each index adds what it takes. Of
  // several copies, the first makes a transaction of a write, so only the dearest one counts.
  double LeastUsd(std::uint64_t paths) const {
    double sum = least_usd_;
    double dearest_copy = 0;
    for (const std::size_t path : usable_) {
      if ((paths >> path & 1) == 0) continue;
      if (own_.paths[path].form == Form::kCopy) {
        dearest_copy = std::max(dearest_copy, more_by_path_[path]);
      } else {
        sum += more_by_path_[path];
      }
    }
    return sum + dearest_copy + BurdenUsd(paths);
  }

  double BurdenUsd(std::uint64_t paths) const {
    return bounds_.burden_usd * WeightOfBurdens(file_, space_, {entity_, key_, paths});
  }

  int Count(AccessPath::Form form, std::uint64_t paths) const {
    return static_cast<int>(std::ranges::count_if(usable_, [&](std::size_t path) {
      return (paths >> path & 1) != 0 && own_.paths[path].form == form;
    }));
  }

  bool IsServed(std::size_t pattern, std::uint64_t paths) const {
    if (none_[pattern].is_served) return true;
    bool by_one = false;
    for (const std::size_t path : usable_) {
      if (!by_path_[pattern][path].is_served) continue;
      if ((paths >> path & 1) != 0) return true;
      by_one = true;
    }
    // No single path serves: several may, or a Scan has to.
    return !by_one;
  }

  double ReadUsd(std::size_t pattern, std::uint64_t paths) const {
    double least = none_[pattern].is_served ? none_[pattern].read_usd : kInfinity;
    for (const std::size_t path : usable_) {
      const Single& one = by_path_[pattern][path];
      if ((paths >> path & 1) != 0 && one.is_served) least = std::min(least, one.read_usd);
    }
    return least;
  }

  // Decides for each pattern in turn by which path it is served, if by another one than before.
  void Choose(std::size_t pattern, std::uint64_t paths) {
    const bool is_stopped = bounds_.stop != nullptr && *bounds_.stop;
    found_.nodes = ++steps_ + evaluator_.plans() - plans_before_;
    // A first option is looked for longer: without one, there is no layout.
    constexpr std::size_t kLonger = 20;
    const std::size_t most = bounds_.most_nodes * (found_.options.empty() ? kLonger : 1);
    if (found_.nodes > most || is_stopped) {
      found_.is_complete = false;
      return;
    }
    const int indexes = Count(Form::kGlobalIndex, paths) + Count(Form::kLocalIndex, paths);
    if (indexes > bounds_.most_indexes || IsHopeless(paths)) return;
    if (pattern == own_.patterns.size()) return Finish(paths);
    if (IsServed(pattern, paths)) Choose(pattern + 1, paths);
    const bool is_together = ReadsTogether(file_, own_.patterns[pattern]);
    const double before = ReadUsd(pattern, paths);
    for (const std::size_t path : usable_) {
      const std::uint64_t bit = std::uint64_t{1} << path;
      if ((paths & bit) != 0) continue;
      const Single& one = by_path_[pattern][path];
      const bool is_better = is_together ? own_.paths[path].together_for == own_.patterns[pattern]
                                         : one.is_served && one.read_usd < before - kTolerance;
      const bool is_for_several = !is_together && !std::isfinite(before) && !one.is_served &&
                                  !IsServedByOne(pattern) &&
                                  Contains(own_.paths[path].patterns, own_.patterns[pattern]);
      if (!is_better && !is_for_several) continue;
      if (IsPossible(space_, {entity_, key_, paths | bit}, style_))
        Choose(pattern + 1, paths | bit);
    }
  }

  bool IsServedByOne(std::size_t pattern) const {
    return none_[pattern].is_served || std::ranges::any_of(usable_, [&](std::size_t path) {
             return by_path_[pattern][path].is_served;
           });
  }

  // Returns whether an option that was found is at least as good as any with these paths.
  bool IsHopeless(std::uint64_t paths) const {
    const double least = LeastUsd(paths);
    // Any path may follow.
    const EntityOption all = {.choice = {entity_, key_, paths},
                              .together = TogetherOf(paths | UsableBy(key_)),
                              .crowding = paths & crowding_};
    const int indexes = Count(Form::kGlobalIndex, paths) + Count(Form::kLocalIndex, paths);
    const int copies = Count(Form::kCopy, paths);
    return std::ranges::any_of(found_.options, [&](const EntityOption& one) {
      return one.most_usd <= least + kTolerance && one.indexes() <= indexes &&
             one.copies <= copies && one.least_level == HeadroomLevels::kCount - 1 &&
             IsAlike(one, all) && !bounds_.counts_storage && one.imposed.empty() &&
             std::ranges::none_of(one.most_loads,
                                  [&](const TemplateLoad& load) { return IsNear(load); });
    });
  }

  std::uint64_t TogetherOf(std::uint64_t paths) const {
    std::uint64_t together = 0;
    for (const std::size_t path : usable_) {
      if (own_.paths[path].together_for != kLabNone) together |= paths & std::uint64_t{1} << path;
    }
    return together;
  }

  // Returns whether patterns about several entities are no dearer by the option than by the other.
  bool IsAlike(const EntityOption& option, const EntityOption& other) const {
    if (option.choice.table_key == kLeftOut) return false;
    return (!depends_on_key_ || option.choice.table_key == other.choice.table_key) &&
           (option.together & other.together) == other.together &&
           (option.crowding & ~other.crowding) == 0;
  }

  // Returns whether the load may matter together with those of other entities.
  bool IsNear(const TemplateLoad& load) const {
    const double limit = load.is_write ? limits_.write_units : limits_.read_units;
    if (limit >= load.units * bounds_.levels.asked * kMostProposedEntities) return false;
    return std::ranges::any_of(
        texts_of_others_, [&](const std::string& text) { return MayBeOneKey(text, load.text); });
  }

  void Finish(std::uint64_t paths) {
    if (!tried_.insert(paths).second) return;
    EntityOption option = {.choice = {entity_, key_, paths},
                           .global_indexes = Count(Form::kGlobalIndex, paths),
                           .local_indexes = Count(Form::kLocalIndex, paths),
                           .copies = Count(Form::kCopy, paths),
                           .burden_usd = BurdenUsd(paths),
                           .together = TogetherOf(paths),
                           .crowding = paths & crowding_};
    option.bytes = evaluator_.StoredBytes(
        option.choice, IsNative(style_) ? TableStyle::kTableEach : TableStyle::kSeparately);
    option.imposed = ImposedBy(option.choice);
    // Most options are beaten even by the least that they may take.
    EntityOption least = option;
    const bool is_served = AddPatterns(
        [&](std::size_t i) -> const ValueRange& { return LeastOf(i, option.choice); }, least);
    if (!is_served || IsDominated(least)) return;
    const bool is_kept = AddPatterns(
        [&](std::size_t i) { return RangeOf(own_.patterns[i], option.choice); }, option);
    if (!is_kept || IsDominated(option)) return;
    std::erase_if(found_.options, [&](const EntityOption& one) { return Dominates(option, one); });
    found_.options.push_back(std::move(option));
  }

  // Adds what the patterns of the entity take. Returns whether all are served.
  bool AddPatterns(const auto& range_of, EntityOption& option) {
    option.usd += option.burden_usd;
    option.most_usd += option.burden_usd;
    for (std::size_t i = 0; i < own_.patterns.size(); ++i) {
      const int pattern = own_.patterns[i];
      if (ReadsTogether(file_, pattern)) continue;
      const ValueRange& range = range_of(i);
      const PatternValue& value = range.least;
      if (!value.is_possible) return false;
      if (value.is_scan && !Contains(found_.only_by_scan, pattern)) return false;
      const double usd = value.choices.front().Usd();
      option.usd += usd;
      option.most_usd += range.most_usd;
      // What a Scan of the one table takes depends on all of its items.
      if (value.has_scan && style_ == TableStyle::kOneTable) option.most_usd = kInfinity;
      for (const TemplateLoad& load : value.choices.front().loads) AddLoad(load, option.loads);
      for (const TemplateLoad& load : range.most_loads) AddLoad(load, option.most_loads);
      option.shares.push_back({pattern, usd, range.may_be_more});
    }
    option.level = bounds_.levels.LevelOf(HeadroomOfLoads(limits_, option.loads));
    option.least_level = bounds_.levels.LevelOf(HeadroomOfLoads(limits_, option.most_loads));
    return true;
  }

  // Returns the least that the pattern may take, which depends on the paths that are relevant to
  // it. Of a read of one step, this is what it takes by the cheapest of the keys that serve it,
  // where the items have no other index keys.
  const ValueRange& LeastOf(std::size_t pattern, EntityChoice choice) {
    choice.paths &= relevant_[pattern];
    const LabPattern& asked = PatternForm(file_, own_.patterns[pattern]);
    if (asked.writes.empty() && !asked.each && asked.or_form == kLabNone) {
      double least = none_[pattern].is_served ? none_[pattern].read_usd : kInfinity;
      std::uint64_t by = 0;
      for (const std::size_t path : usable_) {
        const Single& one = by_path_[pattern][path];
        if (!choice.HasPath(path) || !one.is_served || one.read_usd >= least - kTolerance) continue;
        least = one.read_usd;
        by = std::uint64_t{1} << path;
      }
      if (std::isfinite(least)) choice.paths = by;
    }
    const auto [at, is_new] = values_.try_emplace({pattern, choice.paths});
    if (is_new) at->second = RangeOf(own_.patterns[pattern], choice);
    return at->second;
  }

  // Returns whether `one` is at least as good as `other` in all that a layout depends on.
  bool Dominates(const EntityOption& one, const EntityOption& other) const {
    if (!IsAlike(one, other)) return false;
    if (one.most_usd > other.usd + kTolerance || one.least_level < other.level) return false;
    if (!std::ranges::includes(other.imposed, one.imposed)) return false;
    // What costs the same is simpler with fewer copies.
    const bool costs_the_same = one.usd > other.usd - kTolerance;
    if (costs_the_same && one.copies > other.copies) return false;
    if (one.global_indexes > other.global_indexes || one.local_indexes > other.local_indexes) {
      return false;
    }
    if (bounds_.counts_storage && one.bytes > other.bytes) return false;
    return std::ranges::all_of(one.most_loads, [&](const TemplateLoad& load) {
      if (!IsNear(load)) return true;
      return std::ranges::any_of(other.loads, [&](const TemplateLoad& more) {
        return more.is_write == load.is_write && more.text == load.text &&
               (more.key.index == kLabNone) == (load.key.index == kLabNone) &&
               more.units >= load.units - kTolerance &&
               more.strong_units >= load.strong_units - kTolerance;
      });
    });
  }

  bool IsDominated(const EntityOption& option) const {
    return std::ranges::any_of(found_.options,
                               [&](const EntityOption& one) { return Dominates(one, option); });
  }

  PatternEvaluator& evaluator_;
  const LabFile& file_;
  const AccessSpace& space_;
  const EntitySpace& own_;
  const int entity_;
  const TableStyle style_;
  const EntityBounds& bounds_;
  const PartitionLimits limits_;
  bool depends_on_key_ = false;
  std::vector<std::uint64_t> relevant_ = {};       // of each pattern: paths
  std::vector<std::string> texts_of_others_ = {};  // partition keys
  std::uint64_t crowding_ = 0;                     // paths to partitions that are read together
  std::uint64_t exposed_ = 0;                      // paths for which others may project more
  std::vector<std::vector<int>> imposed_by_ = {};  // of each path: names that others have
  EntityOptions found_ = {};
  std::size_t steps_ = 0;
  const std::size_t plans_before_;
  // Of the table key that is looked at:
  std::uint8_t key_ = 0;
  std::vector<std::size_t> usable_ = {};           // paths
  std::vector<Single> none_ = {};                  // of each pattern, without a path
  std::vector<std::vector<Single>> by_path_ = {};  // with one path
  std::vector<Single> by_all_ = {};                // with all of them
  double least_usd_ = 0;
  std::vector<double> more_by_path_ = {};
  std::set<std::uint64_t> tried_ = {};
  std::map<std::pair<std::size_t, std::uint64_t>, ValueRange> values_ = {};
};

}  // namespace

EntityOptions OptionsOf(PatternEvaluator& evaluator, int entity, TableStyle style,
                        const EntityBounds& bounds) {
  return OptionFinder(evaluator, entity, style, bounds).Find();
}

namespace {

// Returns the loads of the entity's keys where it is stored so.
std::vector<TemplateLoad> LoadsOf(PatternEvaluator& evaluator, const EntityChoice& choice) {
  std::vector<TemplateLoad> loads;
  for (const int pattern : SpaceAt(evaluator.space(), choice.entity).patterns) {
    const PatternValue value =
        evaluator.Evaluate(pattern, evaluator.WithCompanions(pattern, choice),
                           TableStyle::kSeparately, PatternEvaluator::Asks::kLoads);
    if (value.has_scan) continue;  // another key serves it
    for (const TemplateLoad& load : value.choices.front().loads) AddLoad(load, loads);
  }
  return loads;
}

void AddPath(const LabFile& file, int entity, AccessPath path, AccessSpace& space) {
  std::vector<AccessPath>& paths = space.entities[static_cast<std::size_t>(entity)].paths;
  if (paths.size() < kMostPaths) return paths.push_back(std::move(path));
  const std::string sentence = EntityAt(file, entity).name + " has more keys than are tried.";
  if (std::ranges::count(space.left_out, sentence) == 0) space.left_out.push_back(sentence);
}

// Returns whether a question about the partition asks for a range of the time whose periods are in
// the key, and the range is of about as long a period.
bool IsAskedByPeriod(const LabFile& file, const EntitySpace& space, const ProposedKey& key) {
  constexpr std::int64_t kWeekMs = 7 * 24 * std::int64_t{3'600'000};
  const LabTemplatePart& period = key.hash.back().value;
  return std::ranges::any_of(space.questions, [&](const AccessQuestion& question) {
    const LabRange& range = file.patterns[static_cast<std::size_t>(question.pattern)].range;
    const bool is_long = range.last_ms + range.next_ms >= kWeekMs;
    return question.range == period.attribute &&
           is_long == (period.form == LabTemplatePart::Form::kMonth) &&
           std::all_of(key.hash.begin(), key.hash.end() - 1, [&](const KeyWord& word) {
             return std::ranges::any_of(question.by, [&](LabAttributeRef by) {
               return IsSameValue(file, by, word.value.attribute);
             });
           });
  });
}

}  // namespace

AccessSpace WithRelief(const LayoutForecaster& forecaster, AccessSpace space, double headroom) {
  const LabFile& file = forecaster.model().file();
  const PartitionLimits limits = LimitsOf(file.partitions);
  const AccessSpace before = space;
  PatternEvaluator evaluator(forecaster, before);
  for (int entity = 0; entity < static_cast<int>(before.entities.size()); ++entity) {
    const EntitySpace& own = SpaceAt(before, entity);
    for (std::size_t key = 0; key < own.table_keys.size(); ++key) {
      const std::vector<ProposedKey> periods = InPeriods(file, entity, own.table_keys[key]);
      if (periods.empty()) continue;
      const std::vector<TemplateLoad> loads =
          LoadsOf(evaluator, {entity, static_cast<std::uint8_t>(key), 0});
      const bool is_enough = HeadroomOfLoads(limits, loads) >= headroom;
      std::vector<ProposedKey>& keys = space.entities[static_cast<std::size_t>(entity)].table_keys;
      for (const ProposedKey& one : periods) {
        if (!is_enough || IsAskedByPeriod(file, own, one)) keys.push_back(one);
      }
    }
    for (std::size_t number = 0; number < own.paths.size(); ++number) {
      const AccessPath& path = own.paths[number];
      if (path.form == AccessPath::Form::kLocalIndex) continue;
      // Only what the path itself gets.
      std::vector<TemplateLoad> loads = LoadsOf(evaluator, {entity, 0, std::uint64_t{1} << number});
      const std::string text = TemplateOfWords(file, path.key.hash, false).text;
      const bool is_copy = path.form == AccessPath::Form::kCopy;
      std::erase_if(loads, [&](const TemplateLoad& load) {
        return is_copy ? load.text != text : load.key.index == kLabNone;
      });
      if (HeadroomOfLoads(limits, loads) >= headroom) continue;
      double written = 0;
      for (const TemplateLoad& load : loads) written += load.is_write ? load.units : 0;
      constexpr double kMostShards = 200;
      const double shards = std::ceil(headroom * written / limits.write_units - 1e-9);
      if (shards >= 2 && shards <= kMostShards) {
        AccessPath sharded = path;
        sharded.key = WithShards(sharded.key, entity, static_cast<int>(shards));
        AddPath(file, entity, std::move(sharded), space);
      }
      for (const ProposedKey& key : InPeriods(file, entity, path.key)) {
        AccessPath one = path;
        one.key = key;
        AddPath(file, entity, std::move(one), space);
      }
    }
  }
  return space;
}

namespace {

// Leaves only the marked ones. Where none is marked, all stay.
void KeepMarked(const std::vector<bool>& is_marked, std::vector<ProposedKey>& keys) {
  if (std::ranges::count(is_marked, true) == 0) return;
  std::size_t place = 0;
  std::erase_if(keys, [&](const ProposedKey&) { return !is_marked[place++]; });
}

// Returns whether the value is the identity or a unique value of an ancestor, or a copy of that.
bool IsOfAncestor(const LabFile& file, int entity, LabAttributeRef ref) {
  const LabAttributeRef root = RootOf(file, ref);
  return (root.attribute == 0 || IsUnique(file, root)) && root.entity != entity &&
         IsAncestorOrSelf(file, root.entity, entity);
}

// Returns whether the key has nothing but what tells instances of the entity from each other, and
// what follows from that: identities and unique values of ancestors.
bool IsOfIdentity(const LabFile& file, int entity, const ProposedKey& key) {
  std::vector<LabAttributeRef> identity = IdentityOf(file, entity);
  if (const int distinct = EntityAt(file, entity).distinct; distinct != kLabNone) {
    identity.push_back({entity, distinct});
  }
  const auto is_part = [&](const KeyWord& word) {
    const LabAttributeRef ref = word.value.attribute;
    return !word.HasValue() || IsOfAncestor(file, entity, ref) ||
           std::ranges::count(identity, ref) > 0;
  };
  return std::ranges::all_of(key.hash, is_part) && std::ranges::all_of(key.range, is_part);
}

// Returns whether two instances with the same parent and the same `distinct` value have the same
// key: each of its values follows from these.
bool KeepsDistinct(const LabFile& file, int entity, const ProposedKey& key) {
  const LabEntity& described = EntityAt(file, entity);
  const LabAttributeRef distinct = {entity, described.distinct};
  bool has_distinct = false;
  const auto follows = [&](const KeyWord& word) {
    const LabAttributeRef ref = word.value.attribute;
    has_distinct = has_distinct || ref == distinct;
    return !word.HasValue() || ref == distinct || IsOfAncestor(file, entity, ref) ||
           (ref.entity == entity && ReferenceOfCopy(file, ref) == described.distinct);
  };
  return std::ranges::all_of(key.hash, follows) && std::ranges::all_of(key.range, follows) &&
         has_distinct;
}

// Returns whether an item for a unique value keeps the `distinct` value of the children of a
// parent, too: it is made of both.
bool IsDistinctByUnique(const LabFile& file, int entity, const EntitySpace& space) {
  const LabEntity& described = EntityAt(file, entity);
  if (described.distinct == kLabNone) return false;
  const LabAttributeRef distinct = {entity, described.distinct};
  return std::ranges::any_of(space.unique, [&](int attribute) {
    const LabAttributeRef unique = {entity, attribute};
    const std::vector<LabAttributeRef> parts = WithParts(file, unique);
    const std::vector<LabAttributeRef> of_distinct = WithParts(file, distinct);
    return std::ranges::count(parts, distinct) > 0 &&
           std::ranges::all_of(parts, [&](LabAttributeRef part) {
             return part == unique || std::ranges::count(of_distinct, part) > 0 ||
                    IsOfAncestor(file, entity, part);
           });
  });
}

// Returns for each table key of the entity whether a designer would take it.
std::vector<bool> AreSound(const FileModel& model, const EntitySpace& space, int entity) {
  constexpr double kManyInstances = 1'000;
  std::vector<bool> are_sound;
  for (const ProposedKey& key : space.table_keys) {
    bool has_value = false;
    bool is_unique = false;
    for (const KeyWord& word : key.hash) {
      has_value = has_value || word.HasValue();
      is_unique = is_unique || (word.value.attribute.entity == entity &&
                                Contains(space.unique, word.value.attribute.attribute));
    }
    const bool may_be_twice = !EntityAt(model.file(), entity).identity_is_global &&
                              !IsOfIdentity(model.file(), entity, key);
    const bool is_sentinel = is_unique && key.range.size() == 1 && !key.range.front().HasValue();
    are_sound.push_back(is_unique == is_sentinel && !may_be_twice &&
                        (has_value || model.Instances(entity) <= kManyInstances));
  }
  return are_sound;
}

}  // namespace

bool IsCreatedAlone(const LabFile& file, int entity) {
  return std::ranges::any_of(file.patterns, [&](const LabPattern& pattern) {
    return std::ranges::any_of(pattern.writes, [&](const LabWrite& write) {
      return write.kind == LabWrite::Kind::kCreate && write.entity == entity;
    });
  });
}

AccessSpace WithSoundTableKeys(const LayoutForecaster& forecaster, AccessSpace space) {
  const LabFile& file = forecaster.model().file();
  for (int entity = 0; entity < static_cast<int>(space.entities.size()); ++entity) {
    EntitySpace& own = space.entities[static_cast<std::size_t>(entity)];
    KeepMarked(AreSound(forecaster.model(), own, entity), own.table_keys);
    if (!IsCreatedAlone(file, entity) || IsDistinctByUnique(file, entity, own)) continue;
    std::vector<bool> keep;
    for (const ProposedKey& key : own.table_keys) keep.push_back(KeepsDistinct(file, entity, key));
    KeepMarked(keep, own.table_keys);
  }
  return space;
}

namespace {

// Returns whether lists have many of the entity's items, of which identities are a large part.
bool HasSmallItems(const FileModel& model, int entity) {
  constexpr double kMany = 100;
  constexpr double kShareOfItem = 0.2;
  const LabFile& file = model.file();
  if (EntityAt(file, entity).parent == kLabNone) return false;
  // An answer leads to an ancestor by an attribute only.
  const bool leads_on = std::ranges::any_of(file.patterns, [&](const LabPattern& pattern) {
    return std::ranges::any_of(pattern.returned_others, [&](const LabReturnedOther& other) {
      return other.of == entity && other.via == kLabNone;
    });
  });
  if (leads_on) return false;
  std::vector<LabAttributeRef> identities = IdentityOf(file, entity);
  identities.push_back({EntityAt(file, entity).parent, 0});
  double all = 0;
  double keyed = 0;
  for (const LabAttributeRef ref : AllAttributes(file, entity)) {
    const double bytes =
        static_cast<double>(LabAttributeAt(file, ref).name.size()) + model.ValueBytes(ref).Mean();
    const bool is_keyed = std::ranges::any_of(
        identities, [&](LabAttributeRef one) { return IsSameValue(file, one, ref); });
    all += bytes;
    if (is_keyed) keyed += bytes;
  }
  return model.ChildrenWithSiblings(entity).Mean() >= kMany && keyed >= kShareOfItem * all;
}

// Returns the least beginning of the entity's label by which it sorts among those of all others as
// it does: "P" of PERFORMANCE.
std::string ShortLabel(const LabFile& file, const std::string& label) {
  std::size_t length = 1;
  for (const LabEntity& other : file.entities) {
    const std::string of_other = LabelOfName(other.name);
    if (of_other == label) continue;
    const auto own =
        std::mismatch(label.begin(), label.end(), of_other.begin(), of_other.end()).first;
    length = std::max(length, static_cast<std::size_t>(own - label.begin()) + 1);
  }
  return label.substr(0, length);
}

void ShortenLabel(const std::string& label, const std::string& short_label,
                  std::vector<KeyWord>& words) {
  for (KeyWord& word : words) {
    const std::size_t marks = word.label.starts_with('#') || word.label.starts_with('~') ? 1 : 0;
    if (word.label.substr(marks) == label) word.label.replace(marks, label.size(), short_label);
  }
}

}  // namespace

AccessSpace WithSmallItems(const LayoutForecaster& forecaster, AccessSpace space) {
  for (int entity = 0; entity < static_cast<int>(space.entities.size()); ++entity) {
    space.entities[static_cast<std::size_t>(entity)].has_small_items =
        HasSmallItems(forecaster.model(), entity);
  }
  return space;
}

AccessSpace WithShortLabels(const LabFile& file, AccessSpace space) {
  for (const LabEntity& entity : file.entities) {
    const std::string label = LabelOfName(entity.name);
    const std::string short_label = ShortLabel(file, label);
    for (EntitySpace& own : space.entities) {
      const auto shorten = [&](ProposedKey& key) {
        ShortenLabel(label, short_label, key.hash);
        ShortenLabel(label, short_label, key.range);
      };
      for (ProposedKey& key : own.table_keys) shorten(key);
      for (AccessPath& path : own.paths) {
        if (!path.is_sentinel()) shorten(path.key);
      }
    }
  }
  return space;
}

}  // namespace hashrange
