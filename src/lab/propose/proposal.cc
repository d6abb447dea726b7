#include "lab/propose/proposal.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "lab/language/lab_facts.h"
#include "lab/plan/layout_growth.h"
#include "lab/plan/layout_plan.h"
#include "lab/plan/layout_sentences.h"
#include "lab/plan/read/plan_sentences.h"
#include "lab/propose/access_space.h"
#include "lab/propose/layout_search.h"
#include "measure/number_text.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostOnFront = 6;
constexpr double kUsualHeadroom = 10;
// Of a search that follows a stopped one.
constexpr std::size_t kNodesWhenStopped = 20'000;

// "shop" of "lab/examples/shop.yaml".
std::string TableNameOf(const LabFile& file) {
  std::string_view name = file.name;
  if (const std::size_t slash = name.find_last_of("/\\"); slash != name.npos) {
    name.remove_prefix(slash + 1);
  }
  name = name.substr(0, name.find('.'));
  std::string table;
  for (const char letter : name) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(letter)) || letter == '_';
    if (is_plain) table += letter;
  }
  constexpr std::size_t kLeastName = 3;  // of the service
  return table.size() < kLeastName ? "application" : table;
}

// --- What is refused ---

Status CheckApplication(const LabFile& file) {
  if (file.entities.size() > kMostProposedEntities) {
    return ValidationError("at most " + std::to_string(kMostProposedEntities) +
                           " entities are laid out, and the file has " +
                           std::to_string(file.entities.size()));
  }
  for (const LabPattern& pattern : file.patterns) {
    if (pattern.kind != LabPattern::Kind::kSearch) continue;
    return ValidationError(
        "the pattern \"" + pattern.name +
        "\" searches vectors, for which no index is proposed; leave it out of the "
        "file, and add its vector index to what is proposed");
  }
  return {};
}

// --- The front ---

struct Found {
  ProposedLayout proposed = {};
  std::size_t number = 0;
  // What it takes after a month of the traffic, and what it counts besides (FoundLayout).
  double counted_usd = 0;
  int level = 0;  // of its headroom
  TableStyle style = TableStyle::kOneTable;
};

// Months that differ by so little count as equal.
constexpr double kSameMonth = 1.005;

// So much more may a layout count that has fewer indexes than the one that counts least.
constexpr double kWorthOfIndex = 1.01;

// What counts besides the month where a layout to take is looked for (SearchOrder).
constexpr double kBurdenShare = 0.005;
constexpr CallBurdens kBurdens = {.units_of_request = 1, .times_unasked = 9};

// Returns whether the layout is at least as good as the other in all three.
bool IsAtLeastAsGood(const Found& one, const Found& other) {
  if (one.proposed.indexes > other.proposed.indexes || one.level < other.level) return false;
  const bool differ_by_month =
      one.proposed.indexes == other.proposed.indexes && one.level == other.level;
  return one.proposed.month_usd <= other.proposed.month_usd * (differ_by_month ? 1 : kSameMonth);
}

// Returns the layouts that no other beats, the cheapest first. Of nearly equal months with as many
// indexes and as much headroom, the one that counts least.
std::vector<Found> FrontOf(std::vector<Found> all) {
  const auto cell = [](const Found& one) { return std::pair(one.proposed.indexes, -one.level); };
  // What may beat a layout comes before it.
  std::ranges::stable_sort(
      all, {}, [&](const Found& one) { return std::pair(cell(one), one.proposed.month_usd); });
  std::vector<Found> front;
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    std::size_t best = begin;
    for (end = begin; end < all.size() && cell(all[end]) == cell(all[begin]); ++end) {
      const bool is_near =
          all[end].proposed.month_usd <= all[begin].proposed.month_usd * kSameMonth;
      if (is_near && all[end].counted_usd < all[best].counted_usd) best = end;
    }
    const bool is_beaten = std::ranges::any_of(
        front, [&](const Found& kept) { return IsAtLeastAsGood(kept, all[best]); });
    if (!is_beaten) front.push_back(all[best]);
  }
  std::ranges::stable_sort(front, {}, [](const Found& one) { return one.proposed.month_usd; });
  return front;
}

// Returns how many items the layout has besides those of their own.
int CopiesOf(const Found& found) {
  return static_cast<int>(
      std::ranges::count_if(found.proposed.layout.items,
                            [](const LabItem& item) { return item.attributes.has_value(); }));
}

class ProposalMaker {
 public:
  ProposalMaker(const LabFile& file, const ProposeOptions& options)
      : file_(file),
        options_(options),
        headroom_(std::max(
            1.0, options.headroom.value_or(file.limits_of_all.headroom.value_or(kUsualHeadroom)))),
        forecaster_(file) {}

  Result<Proposal> Make() {
    HR_RETURN_IF_ERROR(CheckApplication(file_));
    space_ = WithSoundTableKeys(forecaster_, WithRelief(forecaster_, SpaceOf(file_), headroom_));
    FindTtl();
    LabLayout simplest = LayoutOf(file_, space_, LayoutCandidate{}, TableNameOf(file_));
    SetTtl(simplest);
    aged_.emplace(file_, AgeAfterAMonth(forecaster_.model(), simplest));
    HR_ASSIGN(std::vector<Found> all, SearchBoth());
    if (all.empty()) return WhyNothing().error();
    AddFront(all);
    for (const std::string& sentence : space_.left_out) proposal_.notes.push_back(sentence);
    return std::move(proposal_);
  }

 private:
  // Returns what is found with one table, and with a table for each entity: the cheapest, and what
  // counts least. A short search finds what a stopped one did not come to.
  Result<std::vector<Found>> SearchBoth() {
    std::vector<Found> all;
    for (const TableStyle style : {TableStyle::kOneTable, TableStyle::kTableEach}) {
      for (const bool has_burdens : {false, true}) {
        if (has_burdens && proposal_.was_stopped) continue;
        SearchOrder order = OrderOf(style, has_burdens);
        HR_ASSIGN(SearchResult result, Search(order));
        if (result.found.empty() && result.was_stopped) {
          order.most_nodes = std::min(kNodesWhenStopped, order.most_nodes);
          order.stop = nullptr;
          HR_ASSIGN(result, Search(order));
        }
        for (const FoundLayout& found : result.found) AddFound(order, found, all);
      }
    }
    for (std::size_t i = 0; i < all.size(); ++i) all[i].number = i;
    return all;
  }

  void AddFound(const SearchOrder& order, const FoundLayout& found, std::vector<Found>& all) {
    if (order.style == TableStyle::kTableEach) return all.push_back(FoundOf(found, order.style));
    for (const FoundLayout& spread : SpreadOverIndexes(forecaster_, space_, order, found)) {
      all.push_back(FoundOf(spread, order.style));
    }
  }

  SearchOrder OrderOf(TableStyle style, bool has_burdens) const {
    SearchOrder order = {.style = style,
                         .most_indexes = options_.most_indexes,
                         .levels = {.asked = headroom_},
                         .most_nodes = options_.most_nodes,
                         .stop = options_.stop};
    if (has_burdens) {
      order.burden_share = kBurdenShare;
      order.burdens = kBurdens;
    }
    if (options_.progress) {
      const double begin = (style == TableStyle::kOneTable ? 0 : 0.5) + (has_burdens ? 0.25 : 0);
      order.progress = [this, begin](double done) { options_.progress(begin + done / 4); };
    }
    return order;
  }

  Result<SearchResult> Search(const SearchOrder& order) {
    SearchResult result = SearchLayouts(forecaster_, space_, order);
    proposal_.nodes += result.nodes;
    proposal_.plans += result.plans;
    proposal_.forecasts += result.layouts;
    // Of what counts least, nobody claims that it is the best.
    const bool has_burdens = order.burden_share > 0;
    proposal_.is_best = proposal_.is_best && (has_burdens || result.is_complete);
    proposal_.was_stopped = proposal_.was_stopped || result.was_stopped;
    if (order.style != TableStyle::kOneTable) return result;
    if (!result.impossible.empty() && !result.was_stopped) {
      return ValidationError("nothing in the space of layouts serves " +
                             PatternNames(file_, result.impossible) + ": " +
                             WhyImpossible(result.impossible.front()));
    }
    scanned_ = result.only_by_scan;
    return result;
  }

  // Returns why the simplest layout does not serve the pattern.
  std::string WhyImpossible(int pattern) const {
    LayoutCandidate own;
    const LabLayout layout = LayoutOf(file_, space_, own, TableNameOf(file_));
    const Result<LayoutPlan> plan = PlanLayout(forecaster_.model(), layout);
    if (!plan.ok()) return plan.error().message;
    const std::string& why = plan->patterns[static_cast<std::size_t>(pattern)].impossible;
    return why.empty() ? "each of its keys needs what the caller does not know" : why;
  }

  // Returns why no layout was found. Where no index is allowed, copies serve what indexes would.
  Status WhyNothing() const {
    return ValidationError(proposal_.was_stopped
                               ? "stopped before a layout was found"
                               : "no layout was found within the budget of the search");
  }

  void AddFront(const std::vector<Found>& all) {
    std::vector<Found> allowed;
    for (const Found& one : all) {
      if (HasTables(one)) allowed.push_back(one);
    }
    std::vector<Found> front = FrontOf(allowed);
    // The cheapest, the most robust and the simplest one always stay.
    const auto simplest = [&] {
      return std::ranges::min_element(front, {},
                                      [](const Found& one) {
                                        return std::pair(one.proposed.indexes + CopiesOf(one),
                                                         one.proposed.month_usd);
                                      }) -
             front.begin();
    };
    const auto robust = [&] {
      return std::ranges::max_element(front, {},
                                      [](const Found& one) {
                                        return std::pair(one.proposed.headroom,
                                                         -one.proposed.month_usd);
                                      }) -
             front.begin();
    };
    for (std::size_t i = front.size(); i-- > 1 && front.size() > kMostOnFront;) {
      const auto place = static_cast<std::ptrdiff_t>(i);
      if (place != simplest() && place != robust()) front.erase(front.begin() + place);
    }
    if (front.empty()) {
      proposal_.notes.push_back(
          "No layout has so many tables: one table, and a table for each entity, are tried.");
    }
    if (!front.empty()) {
      front.front().proposed.is_cheapest = true;
      front[static_cast<std::size_t>(robust())].proposed.is_most_robust = true;
      front[static_cast<std::size_t>(simplest())].proposed.is_simplest = true;
      // It may be beaten by one that asks more requests.
      const Found& taken = *BestOf(allowed, {});
      for (Found& one : front) one.proposed.is_on_front = true;
      auto place = std::ranges::find(front, taken.number, &Found::number);
      if (place == front.end()) place = front.insert(place, taken);
      place->proposed.is_taken = true;
      std::rotate(front.begin(), place, place + 1);
    }
    for (const Found& one : front) proposal_.layouts.push_back(one.proposed);
    AddBestOf(all, front, TableStyle::kOneTable, &ProposedLayout::is_one_table);
    AddBestOf(all, front, TableStyle::kTableEach, &ProposedLayout::is_table_each);
    Name();
    for (std::size_t i = 0; i < proposal_.layouts.size(); ++i) Explain(i);
  }

  bool HasTables(const Found& found) const {
    const auto tables = static_cast<int>(found.proposed.layout.tables.size());
    return tables >= options_.tables.least && tables <= options_.tables.most;
  }

  // Returns the best layout, of a style if one is given: what carries the headroom asked, then what
  // counts least. One with fewer indexes may count a little more.
  static const Found* BestOf(const std::vector<Found>& list, std::optional<TableStyle> style) {
    const auto is_asked = [&](const Found& one) { return !style || one.style == *style; };
    const Found* best = nullptr;
    for (const Found& one : list) {
      if (is_asked(one) && (best == nullptr || IsPreferred(one, *best))) best = &one;
    }
    const Found* simplest = best;
    for (const Found& one : list) {
      const bool is_as_good = is_asked(one) && one.level >= best->level &&
                              one.counted_usd <= best->counted_usd * kWorthOfIndex;
      if (is_as_good && one.proposed.indexes < simplest->proposed.indexes) simplest = &one;
    }
    return simplest;
  }

  // Marks the best layout of a style, and adds it where it is not on the front.
  void AddBestOf(const std::vector<Found>& all, const std::vector<Found>& front, TableStyle style,
                 bool ProposedLayout::*mark) {
    const Found* const found = BestOf(all, style);
    if (found == nullptr) return;
    for (std::size_t i = 0; i < front.size(); ++i) {
      if (front[i].number != found->number) continue;
      proposal_.layouts[i].*mark = true;
      return;
    }
    proposal_.layouts.push_back(found->proposed);
    proposal_.layouts.back().*mark = true;
  }

  static bool IsPreferred(const Found& one, const Found& other) {
    if (one.level != other.level) return one.level > other.level;
    return one.counted_usd < other.counted_usd;
  }

  Found FoundOf(const FoundLayout& layout, TableStyle style) const {
    Found found = {.style = style};
    ProposedLayout& proposed = found.proposed;
    proposed.indexes = layout.indexes;
    proposed.layout = LayoutOf(file_, space_, layout.candidate, TableNameOf(file_), &layout.slots);
    SetTtl(proposed.layout);
    SetForecast(proposed);
    NameReturned(proposed);
    ProjectAll(proposed);
    SetForecast(proposed);
    const Result<LayoutForecast> later = aged_->Forecast(proposed.layout);
    proposed.later_usd = later.ok() ? later->month_usd.value_or(0) : 0;
    found.counted_usd = proposed.later_usd + BurdenUsd(layout.candidate, proposed);
    proposed.further_requests = FurtherRequestsOf(proposed.layout);
    found.level = HeadroomLevels{.asked = headroom_}.LevelOf(proposed.headroom);
    return found;
  }

  // Returns what copies, local indexes and calls count besides the month.
  double BurdenUsd(const LayoutCandidate& candidate, const ProposedLayout& proposed) const {
    double usd = 0;
    for (std::size_t entity = 0; entity < space_.entities.size(); ++entity) {
      const std::vector<AccessPath>& paths = space_.entities[entity].paths;
      for (std::size_t i = 0; i < paths.size(); ++i) {
        const bool has_it = (candidate.paths[entity] >> i & 1) != 0;
        if (has_it && IsBurden(paths[i])) usd += kBurdenShare * proposed.month_usd;
      }
    }
    return usd + PatternEvaluator(forecaster_, space_, {}, kBurdens).BurdenUsd(proposed.layout);
  }

  void SetForecast(ProposedLayout& proposed) const {
    const Result<LayoutForecast> forecast = forecaster_.Forecast(proposed.layout);
    if (!forecast.ok()) return;
    proposed.month_usd = forecast->month_usd.value_or(0);
    proposed.headroom = forecast->key_headroom;
    if (forecast->first_limit) proposed.first_limit = *forecast->first_limit;
  }

  // Finds the attribute by which items expire: of the times in seconds, as the service wants them,
  // the only one that lies ahead of what is created and by which nothing is asked.
  void FindTtl() {
    std::set<std::string> names;
    for (int entity = 0; entity < static_cast<int>(file_.entities.size()); ++entity) {
      const LabEntity& described = EntityAt(file_, entity);
      for (int i = 0; i < static_cast<int>(described.attributes.size()); ++i) {
        const LabAttributeRef ref = {entity, i};
        const LabGenerator& generator = LabAttributeAt(file_, ref).generator;
        if (generator.kind != LabGenerator::Kind::kTime ||
            generator.time_form != LabGenerator::TimeForm::kSeconds) {
          continue;
        }
        const std::optional<AttributeTimes> times = TimesOf(file_, ref);
        const bool is_asked = std::ranges::any_of(
            SpaceAt(space_, entity).questions, [&](const AccessQuestion& question) {
              return question.range == ref || question.order == ref ||
                     std::ranges::count(question.by, ref) > 0;
            });
        if (times && times->earliest_of_new_ms > 0 && !is_asked) {
          names.insert(LabAttributeAt(file_, ref).name);
        }
      }
    }
    if (names.size() != 1) return;
    ttl_ = *names.begin();
    proposal_.notes.push_back("Tables have `ttl: " + ttl_ +
                              "`, by which items expire. Remove it where items are to stay.");
  }

  void SetTtl(LabLayout& layout) const {
    if (ttl_.empty()) return;
    for (const LabItem& item : layout.items) {
      for (const LabAttribute& attribute : EntityAt(file_, item.entity).attributes) {
        if (attribute.name != ttl_ || item.attributes) continue;
        layout.tables[static_cast<std::size_t>(item.table)].ttl_attribute = ttl_;
      }
    }
  }

  // Lets indexes project what the patterns that read by them return. In place of cutting it out of
  // their keys, where that is as good; in place of fetching it, where it costs not much more: what
  // is fetched grows with the data, and is waited for.
  void NameReturned(ProposedLayout& proposed) const {
    const Result<LayoutPlan> plan = PlanLayout(forecaster_.model(), proposed.layout);
    if (!plan.ok()) return;
    constexpr double kNotMuchMore = 1.04;
    const double month_usd = proposed.month_usd;
    for (const LabKey key : KeysOf(proposed.layout)) {
      if (key.index == kLabNone) continue;
      for (const PatternPlan& one : plan->patterns) {
        const bool fetches =
            std::ranges::count(one.steps, PlanStep::Kind::kFetch, &PlanStep::kind) > 0;
        const double most_usd = month_usd * (fetches ? kNotMuchMore : kSameMonth);
        const bool reads_by_it = std::ranges::any_of(
            one.cost.keys, [&](const KeyCost& cost) { return cost.key == key && !cost.is_write; });
        if (!reads_by_it) continue;
        TryIndex(key, most_usd, proposed, [&](const LabTable& table, LabIndex& index) {
          IncludeReturned(file_.patterns[static_cast<std::size_t>(one.pattern)], table, index);
        });
      }
    }
  }

  void IncludeReturned(const LabPattern& pattern, const LabTable& table, LabIndex& index) const {
    for (const int entity : pattern.entities) {
      const std::vector<LabAttributeRef> all = AllAttributes(file_, entity);
      for (const LabAttributeRef ref : pattern.returns.empty() ? all : pattern.returns) {
        const std::string& name = LabAttributeAt(file_, ref).name;
        const auto has = [&](const std::vector<std::string>& names) {
          return std::ranges::count(names, name) > 0;
        };
        // An identity in a key is as good as its name.
        const bool is_identity = ref.attribute == 0;
        const bool is_stored = std::ranges::count(all, ref) > 0 && !is_identity;
        if (!is_stored || has(index.hash) || has(index.range) || has(TableKeyOf(table))) continue;
        if (!has(index.included)) index.included.push_back(name);
      }
    }
    if (!index.included.empty()) index.projection = LabIndex::Projection::kInclude;
  }

  // Makes indexes project everything, as is simpler to keep, where that is as good.
  void ProjectAll(ProposedLayout& proposed) const {
    const double most_usd = proposed.month_usd * kSameMonth;
    for (const LabKey key : KeysOf(proposed.layout)) {
      if (key.index == kLabNone) continue;
      TryIndex(key, most_usd, proposed, [](const LabTable& /*table*/, LabIndex& index) {
        if (index.projection != LabIndex::Projection::kInclude) return;
        index.projection = LabIndex::Projection::kAll;
        index.included.clear();
      });
    }
  }

  // Returns how many requests a second the calls make besides the first of each.
  double FurtherRequestsOf(const LabLayout& layout) const {
    const Result<LayoutPlan> plan = PlanLayout(forecaster_.model(), layout);
    if (!plan.ok()) return 0;
    double further = 0;
    for (const PatternPlan& one : plan->patterns) {
      const double rate = file_.patterns[static_cast<std::size_t>(one.pattern)].calls_per_second;
      further += rate * std::max(0.0, one.cost.requests - 1);
    }
    return further;
  }

  // Changes an index, and takes the change back where the month is greater than `most_usd` or the
  // headroom is of a lower level.
  void TryIndex(LabKey key, double most_usd, ProposedLayout& proposed,
                const std::function<void(const LabTable&, LabIndex&)>& change) const {
    const HeadroomLevels levels = {.asked = headroom_};
    LabTable& table = proposed.layout.tables[static_cast<std::size_t>(key.table)];
    LabIndex& index = table.indexes[static_cast<std::size_t>(key.index)];
    const LabIndex before = index;
    change(table, index);
    if (index.projection == before.projection && index.included == before.included) return;
    const Result<LayoutForecast> forecast = forecaster_.Forecast(proposed.layout);
    const bool is_as_good =
        forecast.ok() && forecast->HasAllPatterns() &&
        forecast->month_usd.value_or(0) <= most_usd &&
        levels.LevelOf(forecast->key_headroom) >= levels.LevelOf(proposed.headroom);
    if (!is_as_good) {
      index = before;
      return;
    }
    proposed.month_usd = forecast->month_usd.value_or(0);
    proposed.headroom = forecast->key_headroom;
  }

  void Name() {
    std::vector<std::string> taken;
    for (ProposedLayout& one : proposal_.layouts) {
      std::string name = one.is_cheapest      ? "cheapest"
                         : one.is_most_robust ? "most robust"
                         : one.is_simplest    ? "simplest"
                         : one.is_one_table   ? "one table"
                         : one.is_table_each  ? "a table each"
                                              : IndexesText(one.indexes);
      const std::string first = name;
      for (int number = 2; std::ranges::count(taken, name) > 0; ++number) {
        name = first + " " + std::to_string(number);
      }
      taken.push_back(name);
      one.layout.name = name;
    }
  }

  void Explain(std::size_t at) {
    ProposedLayout& one = proposal_.layouts[at];
    const Result<LayoutPlan> plan = PlanLayout(forecaster_.model(), one.layout);
    if (!plan.ok()) return;
    one.why = LayoutSentences(file_, one.layout, *plan);
    for (const int pattern : scanned_) {
      const PatternPlan& scan = plan->patterns[static_cast<std::size_t>(pattern)];
      if (scan.service != PlanService::kScanned) continue;
      one.why.push_back("No key of the space serves " + PatternNames(file_, {pattern}) +
                        ": the cheapest Scan takes " + NumberText(scan.cost.ReadUnits()) +
                        " read units a call.");
    }
  }

  const LabFile& file_;
  const ProposeOptions& options_;
  const double headroom_;
  const LayoutForecaster forecaster_;
  AccessSpace space_ = {};
  std::optional<LayoutForecaster> aged_ = {};  // of the data after a month of the traffic
  std::string ttl_ = {};                       // the attribute by which items expire; may be empty
  std::vector<int> scanned_ = {};
  Proposal proposal_ = {};
};

}  // namespace

std::string IndexesText(int indexes) {
  return indexes == 0 ? "no index" : CountedText(indexes, "index", "indexes");
}

std::optional<TableRange> ReadTableRange(const std::string& text) {
  TableRange range;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, range.least);
  if (first.ec != std::errc() || range.least < 1) return std::nullopt;
  range.most = range.least;
  if (first.ptr == end) return range;
  const std::string_view rest(first.ptr, static_cast<std::size_t>(end - first.ptr));
  if (!rest.starts_with("..")) return std::nullopt;
  const auto second = std::from_chars(first.ptr + 2, end, range.most);
  const bool is_range = second.ec == std::errc() && second.ptr == end && range.most >= range.least;
  return is_range ? std::optional(range) : std::nullopt;
}

Result<Proposal> ProposeLayouts(const LabFile& file, const ProposeOptions& options) {
  return ProposalMaker(file, options).Make();
}

}  // namespace hashrange
