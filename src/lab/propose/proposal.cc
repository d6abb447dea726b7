#include "lab/propose/proposal.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "lab/language/lab_facts.h"
#include "lab/plan/layout_growth.h"
#include "lab/plan/layout_plan.h"
#include "lab/plan/layout_sentences.h"
#include "lab/plan/read/plan_sentences.h"
#include "lab/propose/access_space.h"
#include "lab/propose/layout_finisher.h"
#include "lab/propose/layout_search.h"
#include "measure/number_text.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostOnFront = 6;
constexpr double kUsualHeadroom = 5;
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

// Such a share more may a layout count that uses an index less than the one that counts least, or
// several less.
constexpr double kWorthOfIndex = 0.01;
constexpr double kWorthOfIndexes = 0.02;

// Returns whether the layout is at least as good as the other in all three.
bool IsAtLeastAsGood(const FinishedLayout& one, const FinishedLayout& other) {
  if (one.proposed.indexes > other.proposed.indexes || one.level < other.level) return false;
  const bool differ_by_month =
      one.proposed.indexes == other.proposed.indexes && one.level == other.level;
  return one.proposed.month_usd <= other.proposed.month_usd * (differ_by_month ? 1 : kSameMonth);
}

// Returns the layouts that no other beats, the cheapest first. Of nearly equal months with as many
// indexes and as much headroom, the one that counts least.
std::vector<FinishedLayout> FrontOf(std::vector<FinishedLayout> all) {
  const auto cell = [](const FinishedLayout& one) {
    return std::pair(one.proposed.indexes, -one.level);
  };
  // What may beat a layout comes before it.
  std::ranges::stable_sort(all, {}, [&](const FinishedLayout& one) {
    return std::pair(cell(one), one.proposed.month_usd);
  });
  std::vector<FinishedLayout> front;
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    std::size_t best = begin;
    for (end = begin; end < all.size() && cell(all[end]) == cell(all[begin]); ++end) {
      const bool is_near =
          all[end].proposed.month_usd <= all[begin].proposed.month_usd * kSameMonth;
      if (is_near && all[end].counted_usd < all[best].counted_usd) best = end;
    }
    const bool is_beaten = std::ranges::any_of(
        front, [&](const FinishedLayout& kept) { return IsAtLeastAsGood(kept, all[best]); });
    if (!is_beaten) front.push_back(all[best]);
  }
  std::ranges::stable_sort(front, {},
                           [](const FinishedLayout& one) { return one.proposed.month_usd; });
  return front;
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
    space_ = WithSmallItems(forecaster_, SpaceOf(file_));
    space_ = WithSoundTableKeys(forecaster_, WithRelief(forecaster_, std::move(space_), headroom_));
    const bool has_small_items =
        std::ranges::count(space_.entities, true, &EntitySpace::has_small_items) > 0;
    if (has_small_items) short_space_ = WithShortLabels(file_, space_);
    ttl_ = TtlOf(file_, space_);
    if (!ttl_.empty()) {
      proposal_.notes.push_back("Tables have `ttl: " + ttl_ +
                                "`, by which items expire. Remove it where items are to stay.");
    }
    LabLayout simplest = LayoutOf(file_, space_, LayoutCandidate{}, TableNameOf(file_));
    SetTtl(file_, ttl_, simplest);
    aged_.emplace(file_, AgeAfterAMonth(forecaster_.model(), simplest));
    HR_ASSIGN(std::vector<FinishedLayout> all, SearchAll());
    if (all.empty()) return WhyNothing().error();
    AddFront(all);
    for (const std::string& sentence : space_.left_out) proposal_.notes.push_back(sentence);
    return std::move(proposal_);
  }

 private:
  // Returns what is found with one table, with tables by collection, and with a table for each
  // entity: the cheapest, and what counts least.
  Result<std::vector<FinishedLayout>> SearchAll() {
    HR_ASSIGN(std::vector<FoundLayout> one_table, SearchIn(TableStyle::kOneTable, false));
    HR_ASSIGN(std::vector<FoundLayout> table_each, SearchIn(TableStyle::kTableEach, false));
    // One of the two may find nothing within its budget.
    const std::vector<FoundLayout>& cheapest = one_table.empty() ? table_each : one_table;
    if (!cheapest.empty()) {
      weighed_usd_ = WeighedUsd(*std::ranges::min_element(cheapest, {}, &FoundLayout::month_usd));
    }
    // Where no index is allowed, copies are needed, which are for one table.
    const TableStyle style =
        options_.most_indexes == 0 ? TableStyle::kOneTable : TableStyle::kTogether;
    HR_ASSIGN(const std::vector<FoundLayout> to_take, SearchIn(style, true));
    HR_ASSIGN(const std::vector<FoundLayout> to_take_each, SearchIn(TableStyle::kTableEach, true));
    std::vector<FoundLayout> together;
    AddInStyle(TableStyle::kTogether, one_table, together);
    AddInStyle(TableStyle::kTogether, to_take, together);
    AddInStyle(TableStyle::kTogether, to_take_each, together);
    AddInStyle(TableStyle::kOneTable, to_take, one_table);
    AddInStyle(TableStyle::kTableEach, to_take_each, table_each);
    std::vector<FinishedLayout> all;
    for (const auto* const found : {&one_table, &together, &table_each}) {
      AddFinished(*found, found == &together ? choices_together_ : std::vector<EntityChoice>(),
                  all);
    }
    for (std::size_t i = 0; i < all.size(); ++i) all[i].number = i;
    return all;
  }

  double WeighedUsd(const FoundLayout& cheapest) const {
    const PatternEvaluator evaluator(forecaster_, space_);
    const double dearest_usd =
        evaluator.DearestUsd(LayoutOf(file_, space_, cheapest.candidate, TableNameOf(file_)));
    return std::clamp(2 * (cheapest.month_usd - dearest_usd), cheapest.month_usd / 10,
                      cheapest.month_usd);
  }

  // A short search finds what a stopped one did not come to.
  Result<std::vector<FoundLayout>> SearchIn(TableStyle style, bool has_burdens) {
    std::vector<FoundLayout> found;
    if (has_burdens && proposal_.was_stopped) return found;
    SearchOrder order = OrderOf(style, has_burdens);
    HR_ASSIGN(SearchResult result, Search(order, has_burdens));
    if (result.found.empty() && result.was_stopped) {
      order.most_nodes = std::min(kNodesWhenStopped, order.most_nodes);
      order.stop = nullptr;
      HR_ASSIGN(result, Search(order, has_burdens));
    }
    if (style == TableStyle::kTogether) choices_together_ = std::move(result.choices);
    for (const FoundLayout& one : result.found) AddFound(order, one, found);
    return found;
  }

  // `choices` are tried besides those of the found layouts.
  void AddFinished(const std::vector<FoundLayout>& found, std::vector<EntityChoice> choices,
                   std::vector<FinishedLayout>& all) const {
    const FinishOrder order = FinishingOrder(found, std::move(choices));
    for (const FoundLayout& one : found) {
      std::ranges::move(Finish(order, one, scanned_), std::back_inserter(all));
    }
  }

  // Adds what was found, with its entities in tables of the style, where that is possible.
  void AddInStyle(TableStyle style, const std::vector<FoundLayout>& found,
                  std::vector<FoundLayout>& all) const {
    const SearchOrder order = OrderOf(style, true);
    for (const FoundLayout& one : found) {
      const std::optional<FoundLayout> changed = InStyle(forecaster_, space_, order, one, style);
      if (changed) AddFound(order, *changed, all);
    }
  }

  void AddFound(const SearchOrder& order, const FoundLayout& found,
                std::vector<FoundLayout>& all) const {
    const auto add = [&](FoundLayout one) {
      const bool is_known = std::ranges::any_of(all, [&](const FoundLayout& other) {
        return other.candidate == one.candidate && other.slots == one.slots;
      });
      if (!is_known) all.push_back(std::move(one));
    };
    if (order.style != TableStyle::kOneTable) return add(found);
    for (FoundLayout& one : SpreadOverIndexes(forecaster_, space_, order, found)) {
      add(std::move(one));
    }
  }

  FinishOrder FinishingOrder(const std::vector<FoundLayout>& found,
                             std::vector<EntityChoice> choices) const {
    FinishOrder order = {.now = forecaster_,
                         .later = *aged_,
                         .space = space_,
                         .weighed_usd = weighed_usd_,
                         .short_space = short_space_ ? &*short_space_ : nullptr,
                         .table_name = TableNameOf(file_),
                         .ttl = ttl_,
                         .levels = {.asked = headroom_},
                         .most_indexes = options_.most_indexes,
                         .stop = options_.stop,
                         .choices = std::move(choices)};
    for (const FoundLayout& one : found) {
      for (const EntityChoice& choice : ChoicesOf(space_, one.candidate)) {
        if (std::ranges::count(order.choices, choice) == 0) order.choices.push_back(choice);
      }
    }
    return order;
  }

  SearchOrder OrderOf(TableStyle style, bool has_burdens) const {
    SearchOrder order = {.style = style,
                         .most_indexes = options_.most_indexes,
                         .levels = {.asked = headroom_},
                         .most_nodes = options_.most_nodes,
                         .stop = options_.stop};
    if (has_burdens) {
      order.burden_usd = kBurdenShare * weighed_usd_;
      // Without copies and local indexes there is less to search. Where no index is allowed, copies
      // are needed.
      order.allows_burdens = options_.most_indexes == 0;
      order.burdens = BurdensWith(*aged_, weighed_usd_);
      order.most_times_best = 1 + kWorthOfIndexes;
    }
    if (options_.progress) {
      const double begin = (style == TableStyle::kTableEach ? 0.25 : 0) + (has_burdens ? 0.5 : 0);
      order.progress = [this, begin](double done) { options_.progress(begin + done / 4); };
    }
    return order;
  }

  Result<SearchResult> Search(const SearchOrder& order, bool has_burdens) {
    SearchResult result = SearchLayouts(forecaster_, space_, order);
    proposal_.nodes += result.nodes;
    proposal_.plans += result.plans;
    proposal_.forecasts += result.layouts;
    // Of what counts least, nobody claims that it is the best.
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

  // Returns why no layout was found. Where no index is allowed, copies serve what indexes would,
  // but for those that nothing leads to: of a stay, which has the identity of its berth only, a
  // copy by the marina can't be changed by who knows the stay.
  Status WhyNothing() const {
    if (proposal_.was_stopped) return ValidationError("stopped before a layout was found");
    if (!proposal_.is_best) {
      return ValidationError("no layout was found within the budget of the search");
    }
    const std::vector<int> left = LeftBySimplest();
    return ValidationError("no layout with at most " + std::to_string(options_.most_indexes) +
                           " indexes serves all patterns together, though each can be served by "
                           "itself" +
                           (left.empty() ? ""
                                         : ": without an index and without copies, no key serves " +
                                               PatternNames(file_, left)) +
                           ". Allow more with --max-indexes");
  }

  // Returns the patterns that no key serves of the layout without indexes and copies.
  std::vector<int> LeftBySimplest() const {
    std::vector<int> left;
    const LabLayout layout = LayoutOf(file_, space_, LayoutCandidate{}, TableNameOf(file_));
    const Result<LayoutPlan> plan = PlanLayout(forecaster_.model(), layout);
    if (!plan.ok()) return left;
    for (const PatternPlan& one : plan->patterns) {
      const bool is_left = !one.impossible.empty() || one.service == PlanService::kScanned;
      if (is_left) left.push_back(one.pattern);
    }
    return left;
  }

  void AddFront(const std::vector<FinishedLayout>& all) {
    std::vector<FinishedLayout> allowed;
    for (const FinishedLayout& one : all) {
      if (HasTables(one)) allowed.push_back(one);
    }
    std::vector<FinishedLayout> front = FrontOf(allowed);
    // The cheapest, the most robust and the simplest one always stay.
    const auto simplest = [&] {
      return std::ranges::min_element(front, {},
                                      [](const FinishedLayout& one) {
                                        return std::pair(one.proposed.indexes + one.copies,
                                                         one.proposed.month_usd);
                                      }) -
             front.begin();
    };
    const auto robust = [&] {
      return std::ranges::max_element(front, {},
                                      [](const FinishedLayout& one) {
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
      const FinishedLayout& taken = *BestOf(allowed, {});
      for (FinishedLayout& one : front) one.proposed.is_on_front = true;
      auto place = std::ranges::find(front, taken.number, &FinishedLayout::number);
      if (place == front.end()) place = front.insert(place, taken);
      place->proposed.is_taken = true;
      std::rotate(front.begin(), place, place + 1);
    }
    for (const FinishedLayout& one : front) proposal_.layouts.push_back(one.proposed);
    AddBestOf(all, front, TableStyle::kOneTable, &ProposedLayout::is_one_table);
    AddBestOf(all, front, TableStyle::kTableEach, &ProposedLayout::is_table_each);
    Name();
    for (std::size_t i = 0; i < proposal_.layouts.size(); ++i) Explain(i);
  }

  bool HasTables(const FinishedLayout& found) const {
    const auto tables = static_cast<int>(found.proposed.layout.tables.size());
    return tables >= options_.tables.least && tables <= options_.tables.most;
  }

  // Returns the best layout, of a style if one is given: what carries the headroom asked, then what
  // has no copies and local indexes, then what counts least. One that uses fewer indexes may count
  // a little more.
  const FinishedLayout* BestOf(const std::vector<FinishedLayout>& list,
                               std::optional<TableStyle> style) const {
    const auto is_asked = [&](const FinishedLayout& one) { return !style || one.style == *style; };
    const FinishedLayout* best = nullptr;
    for (const FinishedLayout& one : list) {
      if (is_asked(one) && (best == nullptr || IsPreferred(one, *best))) best = &one;
    }
    const FinishedLayout* simplest = best;
    for (const FinishedLayout& one : list) {
      if (!is_asked(one)) continue;
      const int fewer = best->index_uses - one.index_uses;
      const double worth = std::clamp(fewer * kWorthOfIndex, 0.0, kWorthOfIndexes);
      const bool is_as_good = one.level >= best->level && (one.burdens == 0 || best->burdens > 0) &&
                              one.counted_usd <= best->counted_usd + weighed_usd_ * worth;
      const auto uses = [](const FinishedLayout& of) {
        return std::pair(of.index_uses, of.counted_usd);
      };
      if (is_as_good && uses(one) < uses(*simplest)) simplest = &one;
    }
    return simplest;
  }

  // Marks the best layout of a style, and adds it where it is not on the front.
  void AddBestOf(const std::vector<FinishedLayout>& all, const std::vector<FinishedLayout>& front,
                 TableStyle style, bool ProposedLayout::*mark) {
    const FinishedLayout* const found = BestOf(all, style);
    if (found == nullptr) return;
    for (std::size_t i = 0; i < front.size(); ++i) {
      if (front[i].number != found->number) continue;
      proposal_.layouts[i].*mark = true;
      return;
    }
    proposal_.layouts.push_back(found->proposed);
    proposal_.layouts.back().*mark = true;
  }

  static bool IsPreferred(const FinishedLayout& one, const FinishedLayout& other) {
    const auto rank = [](const FinishedLayout& of) {
      return std::tuple(-of.level, of.burdens > 0, of.counted_usd);
    };
    return rank(one) < rank(other);
  }

  void Name() {
    std::vector<std::string> taken;
    for (ProposedLayout& one : proposal_.layouts) {
      std::string name = one.is_cheapest        ? "cheapest"
                         : one.is_most_robust   ? "most robust"
                         : one.is_simplest      ? "simplest"
                         : one.is_one_table     ? "one table"
                         : one.is_table_each    ? "a table each"
                         : one.is_by_collection ? "tables by collection"
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
  std::optional<AccessSpace> short_space_ = {};  // where items are small
  double weighed_usd_ = 0;                       // of the cheapest layout (FinishOrder)
  std::optional<LayoutForecaster> aged_ = {};    // of the data after a month of the traffic
  std::string ttl_ = {};  // the attribute by which items expire; may be empty
  std::vector<int> scanned_ = {};
  // Ways to store entities in tables by collection.
  std::vector<EntityChoice> choices_together_ = {};
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
