#include "lab/propose/layout_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "lab/language/lab_facts.h"
#include "measure/cost/price_list.h"
#include "measure/partition_load.h"

namespace hashrange {
namespace {

constexpr double kNoMonth = std::numeric_limits<double>::infinity();
constexpr double kSameUsd = 1e-6;
constexpr int kLevels = HeadroomLevels::kCount;
constexpr double kShareOfOptions = 0.5;  // of the progress

void AddPattern(int pattern, std::vector<int>& patterns) {
  if (std::ranges::count(patterns, pattern) == 0) patterns.push_back(pattern);
}

// The cheapest layout of each number of indexes and level of headroom.
class Archive {
 public:
  explicit Archive(int most_indexes) : cells_(static_cast<std::size_t>(most_indexes) + 1) {}

  // Returns the month of the cheapest with so many indexes at most, and this level at least.
  double MonthOf(int indexes, int level) const {
    double least = kNoMonth;
    for (int i = 0; i <= indexes && i < static_cast<int>(cells_.size()); ++i) {
      for (int l = level; l < kLevels; ++l) {
        const auto& cell = At(i, l);
        if (cell) least = std::min(least, cell->CountedUsd());
      }
    }
    return least;
  }

  void Add(const FoundLayout& found) {
    if (found.indexes >= static_cast<int>(cells_.size())) return;
    std::optional<FoundLayout>& cell =
        cells_[static_cast<std::size_t>(found.indexes)][static_cast<std::size_t>(found.level)];
    if (!cell || found.CountedUsd() < cell->CountedUsd() - kSameUsd) cell = found;
  }

  std::vector<FoundLayout> Front() const {
    std::vector<FoundLayout> front;
    for (int i = 0; i < static_cast<int>(cells_.size()); ++i) {
      for (int l = 0; l < kLevels; ++l) {
        const auto& cell = At(i, l);
        if (!cell) continue;
        const bool is_beaten = MonthOf(i - 1, l) <= cell->CountedUsd() + kSameUsd ||
                               MonthOf(i, l + 1) <= cell->CountedUsd() + kSameUsd;
        if (!is_beaten) front.push_back(*cell);
      }
    }
    std::ranges::stable_sort(front, {}, &FoundLayout::CountedUsd);
    return front;
  }

 private:
  using Row = std::array<std::optional<FoundLayout>, kLevels>;
  const std::optional<FoundLayout>& At(int indexes, int level) const {
    return cells_[static_cast<std::size_t>(indexes)][static_cast<std::size_t>(level)];
  }
  std::vector<Row> cells_;
};

// Returns the layout with its figures; nothing where it does not serve all patterns. `keys_usd` is
// what its copies, local indexes and keys count besides.
std::optional<FoundLayout> WithFigures(const LayoutForecaster& forecaster, const AccessSpace& space,
                                       const SearchOrder& order, const PatternEvaluator& evaluator,
                                       const LayoutCandidate& candidate, const SlotPlan& slots,
                                       double keys_usd) {
  const LabFile& file = forecaster.model().file();
  const bool is_one_table = candidate.style == TableStyle::kOneTable;
  const LabLayout layout = LayoutOf(file, space, candidate, "all", is_one_table ? &slots : nullptr);
  const Result<LayoutForecast> forecast = forecaster.Forecast(layout);
  if (!forecast.ok() || !forecast->HasAllPatterns()) return std::nullopt;
  return FoundLayout{.candidate = candidate,
                     .slots = slots,
                     .month_usd = forecast->month_usd.value_or(0),
                     .burden_usd = keys_usd + evaluator.BurdenUsd(layout),
                     .headroom = forecast->key_headroom,
                     .level = order.levels.LevelOf(forecast->key_headroom),
                     .indexes = CountIndexes(layout)};
}

// One search, in which certain entities are not stored.
class Searcher {
 public:
  Searcher(const LayoutForecaster& forecaster, const AccessSpace& space, const SearchOrder& order,
           const std::vector<int>& left_out, Archive& archive, SearchResult& result)
      : forecaster_(forecaster),
        file_(forecaster.model().file()),
        space_(space),
        order_(order),
        evaluator_(forecaster, space, left_out, order.burdens),
        limits_(LimitsOf(file_.partitions)),
        archive_(archive),
        result_(result) {}

  void Run() {
    if (!FindOptions()) return;
    most_nodes_ = result_.nodes + order_.most_nodes;
    MakeBounds();
    // Where the best few don't serve what is completed later, more are followed.
    constexpr std::size_t kMostFollowed = 512;
    std::size_t followed = 8;
    while (followed <= kMostFollowed && !Dive(followed)) followed *= 8;
    Branch(0, {});
    result_.plans += evaluator_.plans();
  }

 private:
  // What the options chosen so far come to.
  struct Prefix {
    double usd = 0;
    double bytes = 0;
    int most_global = 0;
    int most_local = 0;
    int indexes = 0;  // of all tables together
    int level = kLevels - 1;
    std::vector<TemplateLoad> table_loads = {};  // of the keys of the one table
  };

  bool FindOptions() {
    const auto entities = static_cast<int>(file_.entities.size());
    PatternEvaluator without_burdens(forecaster_, space_, evaluator_.left_out());
    for (int pattern = 0; pattern < static_cast<int>(file_.patterns.size()); ++pattern) {
      CheckServed(pattern, without_burdens);
    }
    EntityBounds bounds = {.most_indexes = order_.most_indexes,
                           .levels = order_.levels,
                           .burden_usd = order_.burden_usd,
                           .allows_burdens = order_.allows_burdens,
                           .counts_storage = MayStoreMuch(),
                           .stop = order_.stop};
    for (int entity = 0; entity < entities; ++entity) ranked_.push_back(entity);
    // An entity with few keys comes first: what it may project is known when the others are looked
    // at.
    std::ranges::stable_sort(ranked_, {},
                             [&](int entity) { return SpaceAt(space_, entity).paths.size(); });
    options_.resize(ranked_.size());
    std::size_t left = order_.most_nodes;
    for (std::size_t place = 0; place < ranked_.size(); ++place) {
      // What one entity leaves of its share, the others have.
      bounds.most_nodes = left / (ranked_.size() - place);
      left -= std::min(left, FindOptionsOf(ranked_[place], bounds));
      Report(kShareOfOptions * static_cast<double>(place + 1) / entities);
    }
    std::ranges::sort(ranked_);
    result_.plans += without_burdens.plans();
    if (is_stuck_) return false;
    for (const std::vector<EntityOption>& options : options_) AddBestOfKeys(options);
    Rank();
    FindCompleted();
    FindProjections();
    return true;
  }

  // Adds the cheapest option of each table key. The options are in the order of what they cost.
  void AddBestOfKeys(const std::vector<EntityOption>& options) {
    std::set<std::uint8_t> keys;
    for (const EntityOption& option : options) {
      if (keys.insert(option.choice.table_key).second) result_.choices.push_back(option.choice);
    }
  }

  // Decides first what costs most, and then what is read together with it: where the one leaves no
  // way to serve that, nothing else has to be tried.
  void Rank() {
    std::ranges::stable_sort(ranked_, std::greater(), [&](int entity) {
      return options_[static_cast<std::size_t>(entity)].front().usd;
    });
    for (auto next = ranked_.begin(); next != ranked_.end(); ++next) {
      const auto is_beside_earlier = [&](int entity) {
        return std::ranges::any_of(file_.patterns, [&](const LabPattern& pattern) {
          return std::ranges::count(pattern.entities, entity) > 0 &&
                 std::any_of(ranked_.begin(), next, [&](int earlier) {
                   return std::ranges::count(pattern.entities, earlier) > 0;
                 });
        });
      };
      const auto first = std::find_if(next, ranked_.end(), is_beside_earlier);
      if (first != ranked_.end()) std::rotate(next, first, first + 1);
    }
  }

  // Returns how many nodes it took.
  std::size_t FindOptionsOf(int entity, const EntityBounds& bounds) {
    EntityOptions found = OptionsOf(evaluator_, entity, order_.style, bounds);
    result_.nodes += found.nodes;
    result_.is_complete = result_.is_complete && found.is_complete;
    for (const int pattern : found.only_by_scan) AddPattern(pattern, result_.only_by_scan);
    for (const int pattern : found.impossible) AddPattern(pattern, result_.impossible);
    std::erase_if(found.options,
                  [&](const EntityOption& one) { return !IsFoundByPages(one.choice); });
    if (found.options.empty()) is_stuck_ = true;
    std::uint64_t used = 0;
    for (const EntityOption& option : found.options) used |= option.choice.paths;
    evaluator_.SetUsedPaths(entity, used);
    options_[static_cast<std::size_t>(entity)] = std::move(found.options);
    return found.nodes;
  }

  // Returns whether each pattern that asks for the entity together with others has a way to it.
  bool IsFoundByPages(const EntityChoice& choice) const {
    if (choice.table_key == kLeftOut) return true;
    const EntitySpace& own = SpaceAt(space_, choice.entity);
    return std::ranges::all_of(own.questions, [&](const AccessQuestion& question) {
      const LabPattern& pattern = file_.patterns[static_cast<std::size_t>(question.pattern)];
      // What is asked for by nothing is found by a Scan of its table, too.
      if (!question.is_together || question.by.empty() || pattern.or_form != kLabNone) return true;
      const RelevantKeys relevant = RelevantKeysOf(file_, own, question.pattern);
      if (relevant.HasTableKey(choice.table_key)) return true;
      for (std::size_t path = 0; path < own.paths.size(); ++path) {
        const bool is_way = choice.HasPath(path) && (relevant.paths >> path & 1) != 0;
        if (is_way && MayAnswer(question, own.paths[path])) return true;
      }
      return false;
    });
  }

  // Returns whether what the question asks for is in the items, or fetched by an index. A copy that
  // has a part of it does not answer a page.
  bool MayAnswer(const AccessQuestion& question, const AccessPath& path) const {
    if (path.form != AccessPath::Form::kCopy) return true;
    const std::vector<LabAttributeRef> all = AllAttributes(file_, question.entity);
    return std::ranges::all_of(all, [&](LabAttributeRef ref) {
      const bool is_asked = question.returns_all || std::ranges::count(question.returns, ref) > 0;
      return !is_asked || std::ranges::count(path.attributes, ref) > 0;
    });
  }

  // Finds the least that a pattern takes which reads several entities, and whether it is served.
  void CheckServed(int pattern, PatternEvaluator& without_burdens) {
    const std::vector<int>& entities =
        space_.entities_of_pattern[static_cast<std::size_t>(pattern)];
    double& least_usd = least_of_pattern_.emplace_back(0);
    const bool is_together = file_.patterns[static_cast<std::size_t>(pattern)].entities.size() > 1;
    if (!is_together ||
        std::ranges::any_of(entities, [&](int entity) { return evaluator_.IsLeftOut(entity); })) {
      return;
    }
    // With all of their indexes, entities are served if they can be.
    std::vector<std::vector<EntityChoice>> with_all;
    std::vector<std::vector<EntityChoice>> with_one;
    double count = 1;
    for (const int entity : entities) {
      with_all.push_back(ChoicesWithAll(entity));
      with_one.push_back(ChoicesWithOne(entity, pattern));
      count *= static_cast<double>(with_one.back().size());
    }
    const Served all = ServedBy(pattern, with_all, without_burdens);
    if (!all.is_served) {
      AddPattern(pattern, all.is_possible ? result_.only_by_scan : result_.impossible);
      is_stuck_ = is_stuck_ || !all.is_possible;
    }
    // A read takes one way to each entity. Further keys would make the items larger.
    constexpr double kMost = 4'000;
    if (count <= kMost && all.is_possible) {
      least_usd = std::min(all.usd, ServedBy(pattern, with_one, without_burdens).usd);
    }
  }

  // Returns the entity with each table key and all indexes.
  std::vector<EntityChoice> ChoicesWithAll(int entity) const {
    const EntitySpace& own = SpaceAt(space_, entity);
    std::vector<EntityChoice> choices;
    for (std::size_t key = 0; key < own.table_keys.size(); ++key) {
      EntityChoice choice = {.entity = entity, .table_key = static_cast<std::uint8_t>(key)};
      for (std::size_t path = 0; path < own.paths.size(); ++path) {
        if (!IsUsable(own.paths[path], own.table_keys[key], order_.style)) continue;
        choice.paths |= std::uint64_t{1} << path;
      }
      choices.push_back(choice);
    }
    return choices;
  }

  // Returns the entity with each way that the pattern may take to it: a table key, or one path
  // beside the table key that makes the items smallest.
  std::vector<EntityChoice> ChoicesWithOne(int entity, int pattern) const {
    const RelevantKeys relevant = RelevantKeysOf(file_, SpaceAt(space_, entity), pattern);
    std::vector<EntityChoice> choices;
    std::vector<EntityChoice> keys;
    for (const EntityChoice& all : ChoicesWithAll(entity)) {
      keys.push_back(all);
      const EntityChoice one = {.entity = entity, .table_key = all.table_key};
      if (relevant.HasTableKey(all.table_key)) choices.push_back(one);
    }
    std::ranges::stable_sort(keys, {}, [&](const EntityChoice& one) {
      return evaluator_.StoredBytes({entity, one.table_key, 0}, order_.style);
    });
    for (std::size_t path = 0; path < kMostPaths; ++path) {
      const auto key =
          std::ranges::find_if(keys, [&](const EntityChoice& one) { return one.HasPath(path); });
      if (key == keys.end() || (relevant.paths >> path & 1) == 0) continue;
      choices.push_back({entity, key->table_key, std::uint64_t{1} << path});
    }
    // Items without a way of their own are fetched by what others hold.
    if (choices.empty()) choices.push_back({.entity = entity});
    return choices;
  }

  struct Served {
    bool is_possible = false;
    bool is_served = false;
    double usd = kNoMonth;  // the least
  };

  // Returns how the pattern is served by any of the choices of each entity.
  Served ServedBy(int pattern, const std::vector<std::vector<EntityChoice>>& of_entities,
                  PatternEvaluator& evaluator) const {
    Served served;
    std::vector<EntityChoice> choices;
    const auto try_choices = [&](const auto& self) -> void {
      if (choices.size() == of_entities.size()) {
        const PatternValue value =
            evaluator.Evaluate(pattern, choices, order_.style, PatternEvaluator::Asks::kCost);
        served.is_possible = served.is_possible || value.is_possible;
        served.is_served = served.is_served || value.IsServed();
        if (value.is_possible) served.usd = std::min(served.usd, value.Usd());
        return;
      }
      for (const EntityChoice& choice : of_entities[choices.size()]) {
        choices.push_back(choice);
        self(self);
        choices.pop_back();
      }
    };
    try_choices(try_choices);
    return served;
  }

  // Finds the place of the last entity of each pattern, and the paths that it depends on.
  void FindCompleted() {
    for (const std::vector<int>& entities : space_.entities_of_pattern) {
      const auto pattern = static_cast<int>(completed_at_.size());
      std::size_t last = 0;
      for (const int entity : entities) last = std::max(last, PlaceOf(entity));
      completed_at_.push_back(last);
      std::vector<std::uint64_t>& relevant = relevant_.emplace_back();
      for (const EntitySpace& entity : space_.entities) {
        relevant.push_back(RelevantKeysOf(file_, entity, pattern).paths);
      }
    }
  }

  std::size_t PlaceOf(int entity) const {
    return static_cast<std::size_t>(std::ranges::find(ranked_, entity) - ranked_.begin());
  }

  // Returns whether a layout may store more than the free tier.
  bool MayStoreMuch() const {
    double bytes = 0;
    for (int entity = 0; entity < static_cast<int>(file_.entities.size()); ++entity) {
      EntityChoice all = {.entity = entity};
      const std::vector<AccessPath>& paths = SpaceAt(space_, entity).paths;
      for (std::size_t i = 0; i < paths.size(); ++i) {
        if (paths[i].form != AccessPath::Form::kLocalIndex) all.paths |= std::uint64_t{1} << i;
      }
      bytes += evaluator_.StoredBytes(all, TableStyle::kSeparately);
    }
    return StorageUsd(bytes) > 0;
  }

  static double StorageUsd(double bytes) {
    const PriceList& prices = BuiltInPrices();
    return AmountUsd(prices, UsageTypeOf(Charge::kStorage, false), bytes / prices.gigabyte_bytes);
  }

  // --- Bounds ---

  // Finds the least that the entities from each place on take, for each number of indexes and
  // level.
  void MakeBounds() {
    const int most = order_.most_indexes;
    rest_.assign(ranked_.size() + 1, {});
    rest_bytes_.assign(ranked_.size() + 1, 0);
    rest_together_usd_.assign(ranked_.size() + 1, 0);
    for (std::size_t pattern = 0; pattern < completed_at_.size(); ++pattern) {
      for (std::size_t place = 0; place <= completed_at_[pattern]; ++place) {
        rest_together_usd_[place] += least_of_pattern_[pattern];
      }
    }
    for (std::vector<double>& row : rest_.back()) row.assign(static_cast<std::size_t>(most) + 1, 0);
    for (std::size_t i = ranked_.size(); i-- > 0;) {
      double least_bytes = kNoMonth;
      for (const EntityOption& option : OptionsAt(i)) {
        least_bytes = std::min(least_bytes, option.bytes);
      }
      rest_bytes_[i] = rest_bytes_[i + 1] + least_bytes;
      for (int level = 0; level < kLevels; ++level) {
        std::vector<double>& row = rest_[i][static_cast<std::size_t>(level)];
        row.assign(static_cast<std::size_t>(most) + 1, kNoMonth);
        for (int indexes = 0; indexes <= most; ++indexes) {
          double& least = row[static_cast<std::size_t>(indexes)];
          for (const EntityOption& option : OptionsAt(i)) {
            if (option.level < level || option.indexes() > indexes) continue;
            const int left = IsOneTable() ? indexes : indexes - option.indexes();
            least = std::min(least, option.usd + Rest(i + 1, left, level));
          }
        }
      }
    }
  }

  double Rest(std::size_t place, int indexes, int level) const {
    return rest_[place][static_cast<std::size_t>(level)][static_cast<std::size_t>(indexes)];
  }

  // Returns whether what follows may be better than what was found.
  bool IsPromising(std::size_t place, const Prefix& prefix) const {
    const double most = archive_.MonthOf(order_.most_indexes, kLevels - 1) * order_.most_times_best;
    const int used = IsOneTable() ? prefix.most_global + prefix.most_local : prefix.indexes;
    const double storage = StorageUsd(prefix.bytes + rest_bytes_[place]);
    for (int level = 0; level <= prefix.level; ++level) {
      for (int indexes = used; indexes <= order_.most_indexes; ++indexes) {
        const double rest = Rest(place, IsOneTable() ? indexes : indexes - used, level);
        const double least = prefix.usd + rest + rest_together_usd_[place] + storage;
        const double found = archive_.MonthOf(indexes, level) - kSameUsd;
        if (least < std::min(found, most)) return true;
      }
    }
    return false;
  }

  // --- Branching ---

  // Follows the best so many beginnings at once, so that there is a good layout to compare with.
  // Returns whether there is one.
  bool Dive(std::size_t most_followed) {
    struct Beginning {
      Prefix prefix = {};
      std::vector<const EntityOption*> chosen = {};
    };
    std::vector<Beginning> followed(1);
    for (std::size_t place = 0; place < ranked_.size(); ++place) {
      const std::size_t most_nodes = result_.nodes + order_.most_nodes / 2 / ranked_.size();
      std::vector<Beginning> next;
      for (const Beginning& one : followed) {
        for (const EntityOption& option : OptionsAt(place)) {
          const bool is_over = IsOver() || result_.nodes >= most_nodes;
          if (result_.was_stopped || (is_over && !next.empty())) break;
          chosen_ = one.chosen;
          chosen_.push_back(&option);
          if (std::optional<Prefix> with_option = With(place, one.prefix, option)) {
            next.push_back({*std::move(with_option), chosen_});
          }
        }
      }
      std::ranges::stable_sort(next, {}, [](const Beginning& one) { return one.prefix.usd; });
      if (next.size() > most_followed) next.resize(most_followed);
      followed = std::move(next);
    }
    constexpr std::size_t kMostForecast = 8;
    for (std::size_t i = 0; i < std::min(followed.size(), kMostForecast); ++i) {
      chosen_ = std::move(followed[i].chosen);
      Forecast();
    }
    chosen_.clear();
    return !followed.empty() || result_.was_stopped;
  }

  void Branch(std::size_t place, const Prefix& prefix) {
    if (IsOver() || !IsPromising(place, prefix)) return;
    ++result_.nodes;
    if (place == ranked_.size()) return Forecast();
    // What an option adds to the patterns that it completes is not in the order of the options, so
    // some of them are looked at before the best of these is followed.
    constexpr std::size_t kAtOnce = 64;
    const std::vector<EntityOption>& options = OptionsAt(place);
    for (std::size_t begin = 0; begin < options.size(); begin += kAtOnce) {
      const std::size_t end = std::min(begin + kAtOnce, options.size());
      std::vector<std::pair<const EntityOption*, Prefix>> next;
      for (std::size_t i = begin; i < end && !IsOver(); ++i) {
        chosen_.push_back(&options[i]);
        if (std::optional<Prefix> one = With(place, prefix, options[i])) {
          next.emplace_back(&options[i], *std::move(one));
        }
        chosen_.pop_back();
      }
      std::ranges::stable_sort(next, {}, [](const auto& one) { return one.second.usd; });
      for (const auto& [option, with_option] : next) {
        chosen_.push_back(option);
        Branch(place + 1, with_option);
        chosen_.pop_back();
      }
      if (IsOver()) return;
      if (place == 0) {
        Report(kShareOfOptions + (1 - kShareOfOptions) * static_cast<double>(end) /
                                     static_cast<double>(options.size()));
      }
    }
  }

  // Returns the prefix with one more option; nothing where a pattern is not served.
  std::optional<Prefix> With(std::size_t place, const Prefix& prefix, const EntityOption& option) {
    Prefix next = prefix;
    next.usd += option.usd;
    next.bytes += option.bytes;
    next.indexes += option.indexes();
    next.most_global = std::max(next.most_global, option.global_indexes);
    next.most_local = std::max(next.most_local, option.local_indexes);
    next.level = std::min(next.level, option.level);
    if (IsOneTable()) {
      for (const TemplateLoad& load : option.loads) {
        if (load.key.index == kLabNone) AddLoad(load, next.table_loads);
      }
      next.level =
          std::min(next.level, order_.levels.LevelOf(HeadroomOfLoads(limits_, next.table_loads)));
    }
    if (!IsPromising(place + 1, next)) return std::nullopt;
    return WithCompleted(place, prefix, option, std::move(next));
  }

  // Returns the prefix with what the patterns take of which all entities are chosen, in the table
  // of all that is chosen.
  std::optional<Prefix> WithCompleted(std::size_t place, const Prefix& prefix,
                                      const EntityOption& option, Prefix next) {
    const bool is_last = place + 1 == ranked_.size();
    const Neighbourhood neighbours = IsOneTable() ? NeighbourhoodOfChosen() : Neighbourhood{};
    double usd = 0;
    for (const EntityOption* one : chosen_) usd += one->usd;
    for (std::size_t pattern = 0; pattern < completed_at_.size(); ++pattern) {
      if (completed_at_[pattern] > place) continue;
      const std::optional<double> more =
          UsdOfCompleted(static_cast<int>(pattern), neighbours, is_last);
      if (!more) return std::nullopt;
      usd += *more;
    }
    next.usd = std::max(usd, prefix.usd + option.usd);
    return next;
  }

  // What is in the one table besides the entities of a pattern.
  struct Neighbourhood {
    std::vector<EntityChoice> choices = {};
    std::vector<PathSlot> slots = {};          // of the choices
    std::vector<std::vector<int>> names = {};  // of each slot, in ascending order
  };

  Neighbourhood NeighbourhoodOfChosen() const {
    Neighbourhood found;
    for (const EntityOption* one : chosen_) found.choices.push_back(one->choice);
    std::ranges::sort(found.choices, {}, &EntityChoice::entity);
    SlotPlan plan = SlotsOf(space_, found.choices);
    found.names.resize(static_cast<std::size_t>(plan.global_indexes + plan.local_indexes));
    for (const PathSlot& at : plan.paths) {
      std::vector<int>& names = found.names[static_cast<std::size_t>(at.slot)];
      const std::vector<int>& more = ProjectionOf(found.choices[at.choice].entity, at.path).names;
      names.insert(names.end(), more.begin(), more.end());
    }
    for (std::vector<int>& names : found.names) std::ranges::sort(names);
    found.slots = std::move(plan.paths);
    return found;
  }

  // What the index of a path projects, by numbers of names.
  struct Projection {
    std::vector<int> names = {};
    std::vector<std::pair<int, LabAttributeRef>> missing = {};  // what the entity has besides
  };

  void FindProjections() {
    std::map<std::string, int> numbers;
    const auto number_of = [&](LabAttributeRef ref) {
      const auto count = static_cast<int>(numbers.size());
      return numbers.emplace(LabAttributeAt(file_, ref).name, count).first->second;
    };
    projections_.resize(space_.entities.size());
    for (std::size_t entity = 0; entity < projections_.size(); ++entity) {
      for (const AccessPath& path : space_.entities[entity].paths) {
        const auto number = static_cast<int>(entity);
        const std::vector<LabAttributeRef> own = ProjectedBy(file_, number, path);
        Projection projection;
        for (const LabAttributeRef ref : own) projection.names.push_back(number_of(ref));
        for (const LabAttributeRef ref : AllAttributes(file_, number)) {
          if (std::ranges::count(own, ref) > 0) continue;
          projection.missing.emplace_back(number_of(ref), ref);
        }
        projections_[entity].push_back(std::move(projection));
      }
    }
  }

  const Projection& ProjectionOf(int entity, std::size_t path) const {
    return projections_[static_cast<std::size_t>(entity)][path];
  }

  // Adds what indexes of the entity's paths project besides, by what shares them.
  void AddMoreProjected(const Neighbourhood& neighbours, int entity, std::uint64_t paths,
                        std::vector<MoreProjected>& more) const {
    for (const PathSlot& at : neighbours.slots) {
      const bool is_asked = (paths >> at.path & 1) != 0;
      if (neighbours.choices[at.choice].entity != entity || !is_asked) continue;
      const std::vector<int>& names = neighbours.names[static_cast<std::size_t>(at.slot)];
      for (const auto& [name, ref] : ProjectionOf(entity, at.path).missing) {
        if (std::ranges::binary_search(names, name)) more.push_back({entity, at.path, ref});
      }
    }
  }

  // Adds the other entities of which items may lie in partitions that the pattern reads as a whole.
  void AddCrowding(const Neighbourhood& neighbours, std::vector<EntityChoice>& choices) const {
    const std::vector<EntityChoice> asked = choices;
    const auto crowds = [&](const std::vector<KeyWord>& hash) {
      return std::ranges::any_of(asked, [&](const EntityChoice& one) {
        if (one.table_key == kLeftOut) return false;
        const EntitySpace& own = SpaceAt(space_, one.entity);
        if (MayBeOnePartition(hash, own.table_keys[one.table_key].hash)) return true;
        for (std::size_t i = 0; i < own.paths.size(); ++i) {
          const bool is_read = one.HasPath(i) && own.paths[i].together_for != kLabNone;
          if (is_read && MayBeOnePartition(hash, own.paths[i].key.hash)) return true;
        }
        return false;
      });
    };
    for (const EntityChoice& one : neighbours.choices) {
      if (one.table_key == kLeftOut ||
          std::ranges::count(asked, one.entity, &EntityChoice::entity) > 0)
        continue;
      const EntitySpace& own = SpaceAt(space_, one.entity);
      EntityChoice crowding = {.entity = one.entity, .table_key = one.table_key};
      for (std::size_t i = 0; i < own.paths.size(); ++i) {
        if (one.HasPath(i) && crowds(own.paths[i].key.hash)) {
          crowding.paths |= std::uint64_t{1} << i;
        }
      }
      if (crowding.paths != 0 || crowds(own.table_keys[one.table_key].hash)) {
        choices.push_back(crowding);
      }
    }
  }

  // Returns how much more than the shares of its entities a pattern takes, all of whose entities
  // are chosen; nothing where it is not served. Entities that are chosen later may only add to it.
  std::optional<double> UsdOfCompleted(int pattern, const Neighbourhood& neighbours, bool is_last) {
    std::vector<EntityChoice> choices;
    std::vector<MoreProjected> more;
    double shares = 0;
    bool may_be_more = false;
    for (const int entity : space_.entities_of_pattern[static_cast<std::size_t>(pattern)]) {
      const EntityOption& option = *chosen_[PlaceOf(entity)];
      // Other keys make its items a little larger, which the forecast of the whole layout counts.
      const std::uint64_t relevant =
          relevant_[static_cast<std::size_t>(pattern)][static_cast<std::size_t>(entity)];
      choices.push_back(option.choice);
      choices.back().paths &= relevant;
      AddMoreProjected(neighbours, entity, relevant, more);
      for (const EntityOption::Share& one : option.shares) {
        if (one.pattern != pattern) continue;
        shares += one.usd;
        may_be_more = may_be_more || one.may_be_more;
      }
    }
    if (choices.size() == 1 && more.empty() && !(is_last && may_be_more)) return 0;
    if (file_.patterns[static_cast<std::size_t>(pattern)].entities.size() > 1) {
      AddCrowding(neighbours, choices);
    }
    std::vector<std::uint64_t> memo_key = {static_cast<std::uint64_t>(pattern), is_last ? 1u : 0u};
    for (const EntityChoice& one : choices) {
      memo_key.push_back(static_cast<std::uint64_t>(one.entity) << 8 | one.table_key);
      memo_key.push_back(one.paths);
    }
    for (const MoreProjected& one : more) {
      memo_key.push_back(static_cast<std::uint64_t>(one.entity) << 32 | one.path);
      memo_key.push_back(static_cast<std::uint64_t>(one.attribute.entity) << 32 |
                         static_cast<std::uint64_t>(one.attribute.attribute));
    }
    const auto [found, is_new] = values_.try_emplace(std::move(memo_key), kNoMonth);
    if (is_new) {
      result_.nodes += 2;
      std::ranges::sort(choices, {}, &EntityChoice::entity);
      found->second = LeastUsd(pattern, choices, more, is_last);
    }
    if (found->second == kNoMonth) return std::nullopt;
    return found->second - shares;
  }

  double LeastUsd(int pattern, const std::vector<EntityChoice>& choices,
                  const std::vector<MoreProjected>& more, bool is_last) {
    using Shared = PatternEvaluator::Shared;
    const PatternValue value = evaluator_.EvaluateWith(pattern, choices, order_.style, more);
    const bool is_allowed = !value.is_scan || std::ranges::count(result_.only_by_scan, pattern) > 0;
    if (!value.is_possible || !is_allowed) return kNoMonth;
    if (is_last || !IsOneTable()) return value.Usd();
    // What an entity that is chosen later projects may save a fetch.
    const bool is_exposed = std::ranges::any_of(choices, [&](const EntityChoice& one) {
      return (one.paths & evaluator_.ExposedTo(one.entity, Shared::kAsked, pattern)) != 0;
    });
    if (!is_exposed) return value.Usd();
    const PatternValue asked = evaluator_.Evaluate(pattern, choices, order_.style,
                                                   PatternEvaluator::Asks::kCost, Shared::kAsked);
    return std::min(value.Usd(), asked.Usd());
  }

  void Forecast() {
    LayoutCandidate candidate = {.style = order_.style};
    double burden_usd = 0;
    for (std::size_t i = 0; i < ranked_.size(); ++i) {
      const EntityChoice& choice = chosen_[i]->choice;
      burden_usd += chosen_[i]->burden_usd;
      candidate.table_keys[static_cast<std::size_t>(choice.entity)] = choice.table_key;
      candidate.paths[static_cast<std::size_t>(choice.entity)] = choice.paths;
    }
    result_.nodes += file_.patterns.size();
    ++result_.layouts;
    const SlotPlan slots =
        IsOneTable() ? SlotsOf(space_, ChoicesOf(space_, candidate)) : SlotPlan{};
    const std::optional<FoundLayout> found =
        WithFigures(forecaster_, space_, order_, evaluator_, candidate, slots, burden_usd);
    if (found) archive_.Add(*found);
  }

  bool IsOneTable() const { return order_.style == TableStyle::kOneTable; }
  const std::vector<EntityOption>& OptionsAt(std::size_t place) const {
    return options_[static_cast<std::size_t>(ranked_[place])];
  }

  bool IsOver() {
    if (order_.stop != nullptr && *order_.stop) result_.was_stopped = true;
    if (result_.nodes >= most_nodes_) result_.is_complete = false;
    return result_.was_stopped || result_.nodes >= most_nodes_;
  }

  void Report(double done) const {
    if (order_.progress) order_.progress(done);
  }

  const LayoutForecaster& forecaster_;
  const LabFile& file_;
  const AccessSpace& space_;
  const SearchOrder& order_;
  PatternEvaluator evaluator_;
  const PartitionLimits limits_;
  Archive& archive_;
  SearchResult& result_;
  bool is_stuck_ = false;
  std::size_t most_nodes_ = 0;  // the search ends when as many were looked at in all
  std::vector<std::vector<EntityOption>> options_ = {};    // of each entity
  std::vector<int> ranked_ = {};                           // entities in the order of deciding
  std::vector<std::size_t> completed_at_ = {};             // of each pattern: a place
  std::vector<std::vector<std::uint64_t>> relevant_ = {};  // of each pattern: of each entity: paths
  // Of each place: of each level, of each number of indexes.
  std::vector<std::array<std::vector<double>, kLevels>> rest_ = {};
  std::vector<double> rest_bytes_ = {};
  std::vector<double> least_of_pattern_ = {};   // that reads several entities, of others none
  std::vector<double> rest_together_usd_ = {};  // of these patterns, by the place of the first open
  std::vector<const EntityOption*> chosen_ = {};
  std::map<std::vector<std::uint64_t>, double> values_ = {};  // of completed patterns
  std::vector<std::vector<Projection>> projections_ = {};     // of each entity's paths
};

// Looks for better slots of the keys of one layout.
class SlotClimber {
 public:
  SlotClimber(const LayoutForecaster& forecaster, const AccessSpace& space,
              const SearchOrder& order, const FoundLayout& found)
      : forecaster_(forecaster),
        space_(space),
        order_(order),
        evaluator_(forecaster, space, {}, order.burdens),
        best_(found) {
    keys_usd_ =
        found.burden_usd - evaluator_.BurdenUsd(LayoutOf(file(), space, found.candidate, "all"));
  }

  std::vector<FoundLayout> Climb() {
    constexpr int kMoreIndexes = 2;
    std::vector<FoundLayout> found = {best_};
    for (int more = 0; more <= kMoreIndexes; ++more) {
      while (Step(best_.slots.global_indexes)) found.back() = best_;
      if (best_.indexes >= order_.most_indexes || more == kMoreIndexes) break;
      if (!Step(best_.slots.global_indexes + 1)) break;
      found.push_back(best_);
    }
    return found;
  }

 private:
  const LabFile& file() const { return forecaster_.model().file(); }

  // Moves the key of one entity to another one of so many global indexes, or exchanges two keys of
  // one entity, and perhaps changes what one index projects. Returns whether that is better.
  bool Step(int indexes) {
    const SlotPlan before = best_.slots;
    const FoundLayout start = best_;
    const int more = indexes - before.global_indexes;
    for (std::size_t i = 0; i < before.paths.size(); ++i) {
      for (int slot = 0; slot < indexes && IsMovable(before.paths[i], before); ++slot) {
        if (more > 0 && slot < before.global_indexes) continue;
        SlotPlan slots = before;
        for (PathSlot& at : slots.paths) {
          if (at.slot >= before.global_indexes) at.slot += more;  // local ones follow
        }
        slots.global_indexes = indexes;
        const auto other = std::ranges::find_if(slots.paths, [&](const PathSlot& at) {
          return at.choice == before.paths[i].choice && at.slot == slot;
        });
        if (other != slots.paths.end()) {
          const bool is_same = other - slots.paths.begin() == static_cast<std::ptrdiff_t>(i);
          if (is_same || !IsMovable(*other, slots)) continue;
          other->slot = before.paths[i].slot;
        }
        slots.paths[i].slot = slot;
        Try(slots, start.candidate);
        TryOtherProjections(slots, start.candidate);
      }
    }
    return best_.CountedUsd() < start.CountedUsd() - kSameUsd;
  }

  // Tries the layout with one key whose index projects what is returned in place of fetching it, or
  // the other way round.
  void TryOtherProjections(const SlotPlan& slots, const LayoutCandidate& candidate) {
    for (std::size_t i = 0; i < slots.paths.size(); ++i) {
      const PathSlot& at = slots.paths[i];
      const std::vector<AccessPath>& paths = SpaceAt(space_, static_cast<int>(at.choice)).paths;
      for (std::size_t path = 0; path < paths.size(); ++path) {
        const bool is_other = path != at.path && paths[path].form == paths[at.path].form &&
                              paths[path].key == paths[at.path].key;
        if (!is_other || (candidate.paths[at.choice] >> path & 1) != 0) continue;
        LayoutCandidate other = candidate;
        other.paths[at.choice] ^= std::uint64_t{1} << path | std::uint64_t{1} << at.path;
        SlotPlan of_other = slots;
        of_other.paths[i].path = path;
        Try(of_other, other);
      }
    }
  }

  // What is read together with other entities stays with them.
  bool IsMovable(const PathSlot& at, const SlotPlan& slots) const {
    return at.slot < slots.global_indexes &&
           SpaceAt(space_, static_cast<int>(at.choice)).paths[at.path].together_for == kLabNone;
  }

  void Try(const SlotPlan& slots, const LayoutCandidate& candidate) {
    const bool is_stopped = order_.stop != nullptr && *order_.stop;
    if (is_stopped || tries_left_ == 0) return;
    --tries_left_;
    for (int slot = 0; slot < slots.global_indexes; ++slot) {
      if (std::ranges::count(slots.paths, slot, &PathSlot::slot) == 0) return;
    }
    std::optional<FoundLayout> one =
        WithFigures(forecaster_, space_, order_, evaluator_, candidate, slots, keys_usd_);
    const bool is_better =
        one && one->level >= best_.level && one->CountedUsd() < best_.CountedUsd() - kSameUsd;
    if (is_better) best_ = *std::move(one);
  }

  const LayoutForecaster& forecaster_;
  const AccessSpace& space_;
  const SearchOrder& order_;
  const PatternEvaluator evaluator_;
  FoundLayout best_;
  double keys_usd_ = 0;    // what copies and local indexes count besides
  int tries_left_ = 2000;  // layouts to compute, so that the climb ends
};

}  // namespace

std::optional<FoundLayout> InStyle(const LayoutForecaster& forecaster, const AccessSpace& space,
                                   const SearchOrder& order, const FoundLayout& found,
                                   TableStyle style) {
  const LabFile& file = forecaster.model().file();
  const PatternEvaluator evaluator(forecaster, space, {}, order.burdens);
  LayoutCandidate candidate = found.candidate;
  candidate.style = style;
  const std::vector<EntityChoice> choices = ChoicesOf(space, candidate);
  const bool is_possible = std::ranges::all_of(choices, [&](const EntityChoice& choice) {
    return choice.table_key == kLeftOut || IsPossible(space, choice, style);
  });
  if (!is_possible) return std::nullopt;
  const SlotPlan slots = style == TableStyle::kOneTable ? SlotsOf(space, choices) : SlotPlan{};
  // What its calls count depends on the style, what its keys count does not.
  const double keys_usd =
      found.burden_usd - evaluator.BurdenUsd(LayoutOf(file, space, found.candidate, "all"));
  return WithFigures(forecaster, space, order, evaluator, candidate, slots, keys_usd);
}

std::vector<FoundLayout> SpreadOverIndexes(const LayoutForecaster& forecaster,
                                           const AccessSpace& space, const SearchOrder& order,
                                           const FoundLayout& found) {
  return SlotClimber(forecaster, space, order, found).Climb();
}

SearchResult SearchLayouts(const LayoutForecaster& forecaster, const AccessSpace& space,
                           const SearchOrder& order) {
  SearchResult result;
  Archive archive(order.most_indexes);
  std::vector<int> optional;
  for (int entity = 0; entity < static_cast<int>(space.entities.size()); ++entity) {
    if (SpaceAt(space, entity).may_be_left_out) optional.push_back(entity);
  }
  constexpr std::size_t kMostOptional = 3;
  if (optional.size() > kMostOptional) {
    result.is_complete = false;
    optional.resize(kMostOptional);
  }
  for (std::size_t set = 0; set < std::size_t{1} << optional.size(); ++set) {
    std::vector<int> left_out;
    for (std::size_t i = 0; i < optional.size(); ++i) {
      if ((set >> i & 1) != 0) left_out.push_back(optional[i]);
    }
    Searcher(forecaster, space, order, left_out, archive, result).Run();
  }
  result.was_stopped = result.was_stopped || (order.stop != nullptr && *order.stop);
  result.found = archive.Front();
  // What a Scan takes depends on all items of the table, which no bound says.
  result.is_complete = result.is_complete && !result.was_stopped && space.left_out.empty() &&
                       result.only_by_scan.empty();
  return result;
}

}  // namespace hashrange
