#include "lab/propose/layout_finisher.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "base/text/short_text.h"
#include "lab/language/lab_facts.h"
#include "lab/plan/layout_growth.h"
#include "lab/plan/layout_plan.h"
#include "lab/plan/request/item_template.h"
#include "lab/plan/request/lab_call.h"
#include "lab/propose/entity_options.h"

namespace hashrange {
namespace {

// So much dearer may a month be for what is simpler.
constexpr double kNearlySameMonth = 1.001;
// So much dearer may it be where an index projects everything in place of a long list.
constexpr double kMonthOfAll = 1.015;
// What is less usual has to make a layout so many times cheaper: an item in two parts that a read
// puts together again, keys with the beginnings of labels, a copy of an attribute in place of a
// flag, a key without a label beside others that have one.
constexpr double kWorthOfSplitItem = 1.01;
constexpr double kWorthOfShortLabels = 1.015;
constexpr double kWorthOfCopy = 1.01;
constexpr double kWorthOfNoLabels = 1.01;
constexpr double kRoundingUsd = 1e-6;

bool Names(const std::vector<LabAttributeRef>& list, LabAttributeRef ref) {
  return std::ranges::count(list, ref) > 0;
}

// How a layout stores its entities: as the search found it, or changed.
struct Shape {
  LayoutCandidate candidate = {};
  SlotPlan slots = {};
  std::vector<int> inside = {};  // entities, each inside of its parent's item
  // Attributes of an entity in an item of their own.
  struct Apart {
    int entity = kLabNone;
    std::vector<LabAttributeRef> attributes = {};
    bool has_own_table = false;  // with the same key; else it lies beside the rest
  };
  std::vector<Apart> apart = {};
  bool has_short_labels = false;
  // By so much has this shape to count less than the one that it was made of (Share).
  double worth = kSameMonth;

  bool IsInside(int entity) const { return std::ranges::count(inside, entity) > 0; }
  const Apart* ApartOf(int entity) const {
    const auto at = std::ranges::find(apart, entity, &Apart::entity);
    return at == apart.end() ? nullptr : &*at;
  }
};

// Returns the slots without those of one entity. `slots` are of all entities, in their order.
SlotPlan WithoutEntity(SlotPlan slots, int entity) {
  std::erase_if(slots.paths,
                [&](const PathSlot& at) { return at.choice == static_cast<std::size_t>(entity); });
  for (int slot = slots.global_indexes + slots.local_indexes; slot-- > 0;) {
    if (std::ranges::count(slots.paths, slot, &PathSlot::slot) > 0) continue;
    --(slot < slots.global_indexes ? slots.global_indexes : slots.local_indexes);
    for (PathSlot& at : slots.paths) {
      if (at.slot > slot) --at.slot;
    }
  }
  return slots;
}

class Finisher {
 public:
  Finisher(const FinishOrder& order, const FoundLayout& found, const std::vector<int>& scanned)
      : order_(order),
        file_(order.now.model().file()),
        found_(found),
        scanned_(scanned),
        evaluator_(order.now, order.space, {}, BurdensWith(order.later, order.weighed_usd)) {}

  std::vector<FinishedLayout> Finish() {
    const Shape as_found = {.candidate = found_.candidate, .slots = found_.slots};
    std::vector<FinishedLayout> finished = {Finished(as_found)};
    const Shape best = BestShape(as_found);
    const bool is_changed = best.candidate != as_found.candidate || !best.inside.empty() ||
                            !best.apart.empty() || best.has_short_labels;
    if (is_changed) finished.push_back(Finished(best));
    return finished;
  }

 private:
  // --- What its items are ---

  struct Figures {
    double counted_usd = 0;  // as in FinishedLayout
    int level = 0;
  };

  Shape BestShape(Shape best) const {
    std::optional<Figures> figures = FiguresOf(best);
    if (!figures) return best;
    bool is_better = true;
    while (is_better) {
      // What is less usual has to be worth it.
      is_better = TakeBest(WithOtherItems(best), best, *figures) ||
                  TakeBest(WithOtherChoices(best), best, *figures);
    }
    return best;
  }

  // Returns how much dearer a month is that is so many times as dear.
  double Share(double times) const { return (times - 1) * order_.weighed_usd; }

  // Takes the best of the shapes that are worth it in place of the one with these figures.
  bool TakeBest(const std::vector<Shape>& shapes, Shape& taken, Figures& figures) const {
    const Shape* best = nullptr;
    Figures least = figures;
    for (const Shape& one : shapes) {
      const std::optional<Figures> changed = FiguresOf(one);
      const bool is_better = changed && changed->level >= figures.level &&
                             changed->counted_usd < least.counted_usd &&
                             changed->counted_usd + Share(one.worth) < figures.counted_usd;
      if (!is_better || !AreItemsSmall(LayoutWith(one))) continue;
      best = &one;
      least = *changed;
    }
    if (best == nullptr) return false;
    taken = *best;
    figures = least;
    return true;
  }

  // Returns the shapes with one more change of what its items are.
  std::vector<Shape> WithOtherItems(const Shape& shape) const {
    std::vector<Shape> next;
    if (order_.short_space != nullptr && !shape.has_short_labels) {
      next.push_back(shape);
      next.back().worth = kWorthOfShortLabels;
      next.back().has_short_labels = true;
    }
    for (int entity = 0; entity < static_cast<int>(file_.entities.size()); ++entity) {
      if (!MayBeInside(shape, entity)) continue;
      next.push_back(shape);
      next.back().worth = kSameMonth;
      next.back().inside.push_back(entity);
    }
    for (Shape::Apart& apart : WorthMoving()) {
      if (const Shape::Apart* const before = shape.ApartOf(apart.entity)) {
        std::erase_if(apart.attributes,
                      [&](LabAttributeRef ref) { return Names(before->attributes, ref); });
        if (apart.attributes.empty()) continue;
        apart.attributes.insert(apart.attributes.begin(), before->attributes.begin(),
                                before->attributes.end());
      }
      if (!MayBeApart(shape, apart)) continue;
      for (const bool has_own_table : PlacesOfApart(shape.candidate.style)) {
        next.push_back(shape);
        std::erase_if(next.back().apart,
                      [&](const auto& one) { return one.entity == apart.entity; });
        next.back().apart.push_back(apart);
        next.back().apart.back().has_own_table = has_own_table;
        next.back().worth = IsReadWhole(apart) ? kWorthOfSplitItem : kSameMonth;
      }
    }
    return next;
  }

  // Returns the shapes in which one entity is stored as in another layout that was found: what was
  // changed of one may make another way better for what lies beside it.
  std::vector<Shape> WithOtherChoices(const Shape& shape) const {
    std::vector<Shape> next;
    for (const EntityChoice& choice : order_.choices) {
      const EntityChoice now = shape.candidate.ChoiceOf(choice.entity);
      const bool is_free =
          !shape.IsInside(choice.entity) && shape.ApartOf(choice.entity) == nullptr;
      if (!is_free || choice == now ||
          (choice.table_key == kLeftOut) != (now.table_key == kLeftOut) ||
          !IsPossible(order_.space, choice, shape.candidate.style)) {
        continue;
      }
      next.push_back(shape);
      next.back().worth = kNearlySameMonth;
      LayoutCandidate& candidate = next.back().candidate;
      candidate.table_keys[static_cast<std::size_t>(choice.entity)] = choice.table_key;
      candidate.paths[static_cast<std::size_t>(choice.entity)] = choice.paths;
      if (candidate.style == TableStyle::kOneTable) {
        next.back().slots = SlotsOf(order_.space, ChoicesOf(order_.space, candidate));
      }
    }
    return next;
  }

  // Returns whether a read asks for what is apart and for what is not.
  bool IsReadWhole(const Shape::Apart& apart) const {
    return std::ranges::any_of(
        SpaceAt(order_.space, apart.entity).questions, [&](const AccessQuestion& question) {
          const bool is_read =
              file_.patterns[static_cast<std::size_t>(question.pattern)].writes.empty();
          const auto is_apart = [&](LabAttributeRef ref) { return Names(apart.attributes, ref); };
          const bool has_both = std::ranges::any_of(question.returns, is_apart) &&
                                !std::ranges::all_of(question.returns, is_apart);
          return is_read && (question.returns_all || has_both);
        });
  }

  // Returns where attributes may be apart in tables of the style: whether in a table of their own.
  static std::vector<bool> PlacesOfApart(TableStyle style) {
    if (style == TableStyle::kTableEach) return {true};
    return style == TableStyle::kTogether ? std::vector{false, true} : std::vector{false};
  }

  static bool IsStored(const Shape& shape, int entity) {
    return shape.candidate.ChoiceOf(entity).table_key != kLeftOut;
  }

  // Whether the children of an instance may be a map in its item.
  bool MayBeInside(const Shape& shape, int entity) const {
    const LabEntity& child = EntityAt(file_, entity);
    const int parent = child.parent;
    if (parent == kLabNone || !IsStored(shape, entity) || !IsStored(shape, parent)) return false;
    const bool is_simple = !shape.IsInside(entity) && !shape.IsInside(parent) &&
                           shape.ApartOf(entity) == nullptr && shape.ApartOf(parent) == nullptr;
    if (!is_simple || !SpaceAt(order_.space, entity).unique.empty()) return false;
    if (MapKeyOf(entity) == kLabNone || (IsCreatedAlone(file_, entity) && !IsFewAndSmall(entity))) {
      return false;
    }
    const std::string name = PluralNameOf(EntityAt(file_, entity).name);
    for (int other = 0; other < static_cast<int>(file_.entities.size()); ++other) {
      // Children of what is inside would have no parent's key.
      if (EntityAt(file_, other).parent == entity) return false;
    }
    return StoredAttribute(file_, parent, name).entity == kLabNone;
  }

  // Returns whether a parent has few and small children, each of which is created together with a
  // change of the parent: one update does both, and writes little of what was there again.
  bool IsFewAndSmall(int entity) const {
    constexpr double kFew = 16;
    constexpr double kSmallBytes = 2'000;
    const int parent = EntityAt(file_, entity).parent;
    const double most = GreatestOf(EntityAt(file_, entity).count);
    double bytes = 0;
    for (const LabAttributeRef ref : AllAttributes(file_, entity)) {
      bytes += static_cast<double>(LabAttributeAt(file_, ref).name.size()) +
               order_.now.model().ValueBytes(ref).Mean();
    }
    const auto is_with_parent = [&](const LabPattern& pattern) {
      const auto writes = [&](int one, LabWrite::Kind kind) {
        return std::ranges::any_of(pattern.writes, [&](const LabWrite& write) {
          return write.entity == one && write.kind == kind;
        });
      };
      return !writes(entity, LabWrite::Kind::kCreate) || writes(parent, LabWrite::Kind::kUpdate);
    };
    return most <= kFew && most * bytes <= kSmallBytes &&
           std::ranges::all_of(file_.patterns, is_with_parent);
  }

  // Returns the attribute that tells the children of one parent from each other.
  int MapKeyOf(int entity) const {
    const LabEntity& child = EntityAt(file_, entity);
    if (child.identity_is_global) return 0;
    const bool has_key =
        child.distinct != kLabNone && !MayLack(file_, LabAttributeRef{entity, child.distinct});
    return has_key ? child.distinct : kLabNone;
  }

  // Returns what may be better in an item of its own: what an update changes and its condition is
  // about, which may be a small part of a large item; and a large attribute, by itself and with the
  // other large ones that no update changes.
  std::vector<Shape::Apart> WorthMoving() const {
    constexpr double kLargeBytes = 300;
    std::vector<Shape::Apart> worth;
    std::vector<LabAttributeRef> changed;
    for (const LabPattern& pattern : file_.patterns) {
      for (const LabWrite& write : pattern.writes) {
        if (write.kind != LabWrite::Kind::kUpdate) continue;
        Shape::Apart apart = {.entity = write.entity};
        for (const LabChange& change : write.changes) {
          const LabAttributeRef ref = {write.entity, change.attribute};
          if (!Names(apart.attributes, ref)) apart.attributes.push_back(ref);
          changed.push_back(ref);
        }
        for (const LabCondition& condition : write.conditions) {
          if (!Names(apart.attributes, condition.attribute)) {
            apart.attributes.push_back(condition.attribute);
          }
        }
        if (!apart.attributes.empty()) worth.push_back(std::move(apart));
      }
    }
    for (int entity = 0; entity < static_cast<int>(file_.entities.size()); ++entity) {
      Shape::Apart all = {.entity = entity};
      const auto count = static_cast<int>(EntityAt(file_, entity).attributes.size());
      for (int i = 1; i < count; ++i) {
        const LabAttributeRef ref = {entity, i};
        const bool is_large = order_.now.model().ValueBytes(ref).Mean() >= kLargeBytes;
        if (!is_large) continue;
        worth.push_back({.entity = entity, .attributes = {ref}});
        if (!Names(changed, ref)) all.attributes.push_back(ref);
      }
      if (all.attributes.size() > 1) worth.push_back(std::move(all));
    }
    return worth;
  }

  // Whether the attributes may be in an item of their own: no key is made of them, and no child is
  // inside of the item.
  bool MayBeApart(const Shape& shape, const Shape::Apart& apart) const {
    const int entity = apart.entity;
    if (apart.attributes.empty() || !IsStored(shape, entity) || shape.IsInside(entity))
      return false;
    for (const int child : shape.inside) {
      if (EntityAt(file_, child).parent == entity) return false;
    }
    std::vector<LabAttributeRef> fixed = IdentityOf(file_, entity);
    for (const int unique : SpaceAt(order_.space, entity).unique) fixed.push_back({entity, unique});
    const auto add_parts = [&](const LabTemplate& text) {
      for (const LabTemplatePart& part : text.parts) fixed.push_back(part.attribute);
    };
    for (const LabAttribute& attribute : EntityAt(file_, entity).attributes) {
      add_parts(attribute.generator.text_template);
    }
    const LabLayout layout = LayoutOf(file_, order_.space, shape.candidate, order_.table_name);
    for (const LabItem& item : layout.items) {
      if (item.entity != entity) continue;
      for (const LabCondition& one : item.when) fixed.push_back(one.attribute);
      for (const LabItemKey& key : item.keys) {
        add_parts(key.text);
        for (const LabCondition& one : key.when) fixed.push_back(one.attribute);
      }
    }
    return std::ranges::all_of(apart.attributes, [&](LabAttributeRef ref) {
      return ref.entity == entity && !Names(fixed, ref);
    });
  }

  const AccessSpace& SpaceFor(const Shape& shape) const {
    return shape.has_short_labels ? *order_.short_space : order_.space;
  }

  LabLayout LayoutWith(const Shape& shape) const {
    LayoutCandidate candidate = shape.candidate;
    SlotPlan slots = shape.slots;
    for (const int entity : shape.inside) {
      candidate.table_keys[static_cast<std::size_t>(entity)] = kLeftOut;
      slots = WithoutEntity(std::move(slots), entity);
    }
    LabLayout layout = LayoutOf(file_, SpaceFor(shape), candidate, order_.table_name, &slots);
    for (const int entity : shape.inside) {
      layout.embeddings.push_back({.entity = entity,
                                   .parent = EntityAt(file_, entity).parent,
                                   .attribute = PluralNameOf(EntityAt(file_, entity).name),
                                   .map_by = MapKeyOf(entity)});
    }
    for (const Shape::Apart& apart : shape.apart) SetApart(shape, apart, layout);
    SetTtl(file_, order_.ttl, layout);
    return layout;
  }

  // Moves the attributes into an item of their own: beside the entity's item, or in one more table
  // with the same key.
  void SetApart(const Shape& shape, const Shape::Apart& apart, LabLayout& layout) const {
    const auto main = std::ranges::find(layout.items, apart.entity, &LabItem::entity);
    if (main == layout.items.end()) return;
    const std::string suffix = ApartSuffix(apart);
    LabItem item = {.entity = apart.entity, .table = main->table, .attributes = apart.attributes};
    const EntityChoice choice = shape.candidate.ChoiceOf(apart.entity);
    std::vector<KeyWord> range =
        SpaceAt(SpaceFor(shape), apart.entity).table_keys[choice.table_key].range;
    if (!apart.has_own_table && IsNative(shape.candidate.style)) {
      LabelSortKey(range, *main, layout);
    }
    const LabTable& table = layout.tables[static_cast<std::size_t>(main->table)];
    for (const std::string& name : TableKeyOf(table)) {
      item.keys.push_back(*std::ranges::find(main->keys, name, &LabItemKey::attribute));
    }
    std::vector<LabAttributeRef> rest = StoredBy(file_, *main);
    std::erase_if(rest, [&](LabAttributeRef ref) { return Names(apart.attributes, ref); });
    main->attributes = std::move(rest);
    if (apart.has_own_table) {
      LabTable own = {
          .name = table.name + "_" + LowerCase(suffix), .hash = table.hash, .range = table.range};
      for (const std::string& name : TableKeyOf(table)) {
        own.key_types[name] = table.key_types.at(name);
      }
      item.table = static_cast<int>(layout.tables.size());
      layout.tables.push_back(std::move(own));
    } else {
      range.front().label = LabelOfPart(*main, suffix, layout);
      item.keys.back().text = TemplateOfWords(file_, range, false);
    }
    layout.items.insert(main + 1, std::move(item));
  }

  // Gives the sort key of the table labels, which tell the table's items from each other. `main` is
  // the item of the table so far.
  void LabelSortKey(const std::vector<KeyWord>& range, LabItem& main, LabLayout& layout) const {
    LabTable& table = layout.tables[static_cast<std::size_t>(main.table)];
    if (!table.range.empty()) {
      const std::string before = table.range.front();
      const bool is_of_index = std::ranges::any_of(table.indexes, [&](const LabIndex& index) {
        return std::ranges::count(index.hash, before) + std::ranges::count(index.range, before) > 0;
      });
      if (is_of_index) {
        main.keys.push_back(main.keys[1]);
      } else {
        table.key_types.erase(before);
      }
      main.keys.erase(main.keys.begin() + 1);
    }
    table.range = {"SK"};
    table.key_types["SK"] = LabType::kString;
    main.keys.insert(main.keys.begin() + 1,
                     {.attribute = "SK", .text = TemplateOfWords(file_, range, false)});
  }

  // Returns the suffix as a label; behind the entity's label where entities have the suffix, too,
  // or lie in the same partition: so what is read together lies side by side.
  std::string LabelOfPart(const LabItem& main, const std::string& suffix,
                          const LabLayout& layout) const {
    const bool is_taken = std::ranges::any_of(file_.entities, [&](const LabEntity& one) {
      return LabelOfName(one.name).starts_with(suffix) || suffix.starts_with(LabelOfName(one.name));
    });
    const bool is_shared = std::ranges::any_of(layout.items, [&](const LabItem& one) {
      return one.entity != main.entity && one.table == main.table &&
             one.keys.front().text.text == main.keys.front().text.text;
    });
    const std::string label = LabelOfName(EntityAt(file_, main.entity).name);
    return (is_taken || is_shared ? label + "_" : "") + suffix;
  }

  // "VIEWS" of one attribute; of several "COUNTERS" that are only added to, "STATE" that are set,
  // or "DETAILS" that stay.
  std::string ApartSuffix(const Shape::Apart& apart) const {
    if (apart.attributes.size() == 1) {
      return LabelOfName(LabAttributeAt(file_, apart.attributes.front()).name);
    }
    bool is_added_to = false;
    for (const LabPattern& pattern : file_.patterns) {
      for (const LabWrite& write : pattern.writes) {
        if (write.kind != LabWrite::Kind::kUpdate || write.entity != apart.entity) continue;
        for (const LabChange& change : write.changes) {
          if (!Names(apart.attributes, {write.entity, change.attribute})) continue;
          if (change.kind != LabChange::Kind::kAdd) return "STATE";
          is_added_to = true;
        }
      }
    }
    return is_added_to ? "COUNTERS" : "DETAILS";
  }

  // Whether the items with children inside stay small for three years.
  bool AreItemsSmall(const LabLayout& layout) const {
    constexpr double kSmallItem = 40'000;  // a tenth of what an item may have
    if (layout.embeddings.empty()) return true;
    const Result<LayoutGrowth> growth = GrowthOfLayout(order_.now.model(), layout);
    if (!growth.ok()) return false;
    return std::ranges::all_of(growth->stages, [&](const GrowthStage& stage) {
      return std::ranges::all_of(stage.fullest,
                                 [&](const FullestItem& item) { return item.bytes <= kSmallItem; });
    });
  }

  // Returns nothing where a pattern is not served, or by a Scan that the layout is to be blamed
  // for.
  std::optional<Figures> FiguresOf(const Shape& shape) const {
    const bool is_stopped = order_.stop != nullptr && *order_.stop;
    const LabLayout layout = LayoutWith(shape);
    if (is_stopped || CountIndexes(layout) > order_.most_indexes) return std::nullopt;
    const Result<LayoutPlan> plan = PlanLayout(order_.now.model(), layout);
    if (!plan.ok()) return std::nullopt;
    for (const PatternPlan& one : plan->patterns) {
      const bool is_scan = ScansOthers(one, shape.candidate.style);
      if (is_scan && std::ranges::count(scanned_, one.pattern) == 0) return std::nullopt;
    }
    const Result<LayoutForecast> now = order_.now.Forecast(layout);
    if (!now.ok() || !now->HasAllPatterns()) return std::nullopt;
    const FinishedLayout finished = Finished(shape);
    return Figures{.counted_usd = finished.counted_usd, .level = finished.level};
  }

  // Returns what a layout counts of the shape. `burden_usd` is what its calls count besides.
  double CountedUsd(const Shape& shape, double month_usd, double later_usd,
                    double burden_usd) const {
    // Data that grow for long without an end are not what the file describes.
    constexpr double kMostGrowth = 0.2;
    const double growth = std::min(later_usd - month_usd, kMostGrowth * month_usd);
    return month_usd + WeightOf(shape) * kBurdenShare * order_.weighed_usd + growth / 2 +
           burden_usd;
  }

  // Returns how many burdens the ways to store the entities count together.
  int WeightOf(const Shape& shape) const {
    int weight = 0;
    for (const EntityChoice& choice : ChoicesOf(order_.space, shape.candidate)) {
      if (!shape.IsInside(choice.entity)) {
        weight += WeightOfBurdens(file_, order_.space, choice);
      }
    }
    return weight;
  }

  // --- The whole layout ---

  FinishedLayout Finished(const Shape& shape) const {
    FinishedLayout finished = {.style = shape.candidate.style};
    ProposedLayout& proposed = finished.proposed;
    proposed.layout = LayoutWith(shape);
    proposed.indexes = CountIndexes(proposed.layout);
    proposed.is_by_collection = finished.style == TableStyle::kTogether;
    SetForecast(proposed);
    LeaveTextsToSentinels(proposed);
    CopyInPlaceOfFlags(proposed);
    NameReturned(proposed);
    ProjectAllWhereAllAreNamed(proposed);
    LeaveOutLabels(proposed);
    const Result<LayoutForecast> later = order_.later.Forecast(proposed.layout);
    proposed.later_usd = later.ok() ? later->month_usd.value_or(0) : 0;
    finished.counted_usd = CountedUsd(shape, proposed.month_usd, proposed.later_usd,
                                      evaluator_.BurdenUsd(proposed.layout));
    proposed.further_requests = FurtherRequestsOf(proposed.layout);
    finished.level = order_.levels.LevelOf(proposed.headroom);
    finished.index_uses = CountIndexUses(proposed.layout);
    for (const EntityChoice& choice : ChoicesOf(order_.space, shape.candidate)) {
      if (!shape.IsInside(choice.entity)) finished.burdens += CountBurdens(order_.space, choice);
    }
    std::set<int> stored;
    for (const LabItem& item : proposed.layout.items) stored.insert(item.entity);
    finished.copies = static_cast<int>(proposed.layout.items.size() - stored.size());
    return finished;
  }

  // Returns how many keys of indexes the items have together.
  static int CountIndexUses(const LabLayout& layout) {
    int uses = 0;
    for (const LabItem& item : layout.items) {
      for (const LabIndex& index : layout.tables[static_cast<std::size_t>(item.table)].indexes) {
        if (HasKeysOf(item, index)) ++uses;
      }
    }
    return uses;
  }

  void SetForecast(ProposedLayout& proposed) const {
    const Result<LayoutForecast> forecast = order_.now.Forecast(proposed.layout);
    if (forecast.ok()) SetFigures(*forecast, proposed);
  }

  static void SetFigures(const LayoutForecast& forecast, ProposedLayout& proposed) {
    proposed.month_usd = forecast.month_usd.value_or(0);
    proposed.headroom = forecast.key_headroom;
    if (forecast.first_limit) proposed.first_limit = *forecast.first_limit;
  }

  // Takes a changed layout in place of the proposed one, if it serves all, is as robust, and its
  // month is at most so many dollars.
  void TryLayout(LabLayout layout, double most_usd, ProposedLayout& proposed) const {
    const Result<LayoutForecast> forecast = order_.now.Forecast(layout);
    const bool is_as_good =
        forecast.ok() && forecast->HasAllPatterns() &&
        forecast->month_usd.value_or(0) <= most_usd &&
        order_.levels.LevelOf(forecast->key_headroom) >= order_.levels.LevelOf(proposed.headroom);
    if (!is_as_good) return;
    proposed.layout = std::move(layout);
    SetFigures(*forecast, proposed);
  }

  // Leaves to the item that keeps a value unique a text that only those ask for who know the value,
  // as the hash of a password by the e-mail address: the text is there once.
  void LeaveTextsToSentinels(ProposedLayout& proposed) const {
    const LabLayout before = proposed.layout;
    for (const LabItem& item : before.items) {
      const std::vector<int>& unique = SpaceAt(order_.space, item.entity).unique;
      const bool is_sentinel =
          item.attributes && std::ranges::any_of(item.keys, [&](const LabItemKey& key) {
            const std::vector<LabTemplatePart>& parts = key.text.parts;
            return parts.size() == 1 && parts.front().attribute.entity == item.entity &&
                   std::ranges::count(unique, parts.front().attribute.attribute) > 0;
          });
      if (!is_sentinel) continue;
      for (const LabAttributeRef ref : *item.attributes) {
        const bool is_text = ref.entity == item.entity &&
                             LabAttributeAt(file_, ref).generator.kind == LabGenerator::Kind::kText;
        if (!is_text || std::ranges::count(unique, ref.attribute) > 0) continue;
        LabLayout layout = proposed.layout;
        const auto main = std::ranges::find(layout.items, item.entity, &LabItem::entity);
        std::vector<LabAttributeRef> rest = StoredBy(file_, *main);
        if (std::erase(rest, ref) == 0) continue;
        main->attributes = std::move(rest);
        const double burden_usd = evaluator_.BurdenUsd(proposed.layout);
        if (evaluator_.BurdenUsd(layout) > burden_usd + kRoundingUsd) continue;
        TryLayout(std::move(layout), proposed.month_usd + kRoundingUsd, proposed);
      }
    }
  }

  // Leaves out labels and sorts by attributes that are there anyway, where that makes items or
  // entries enough smaller. One identity of a table needs no label, as no key with a label is like
  // it:
  //
  //   PK: "ORDER#{order_id}", customer_SK: "#ORDER#{order_id}"    [customer_id, customer_SK]
  //   PK: "{order_id}"                                            [customer_id, PK]
  void LeaveOutLabels(ProposedLayout& proposed) const {
    if (!proposed.is_by_collection) return;
    const LabLayout before = proposed.layout;
    for (const LabItem& one : before.items) {
      const LabTemplate labelled = one.keys.front().text;
      if (!HasLabelToLeaveOut(labelled) || HasOtherWithoutLabel(one.table, proposed.layout)) {
        continue;
      }
      LabLayout layout = proposed.layout;
      for (LabItem& item : layout.items) {
        LabTemplate& text = item.keys.front().text;
        if (item.table == one.table && text.text == labelled.text) LeaveOutLabel(text);
      }
      for (const LabKey key : KeysOf(layout)) {
        if (key.table != one.table || !IsSortedAsPartition(layout, key)) continue;
        const LabTable& table = layout.tables[static_cast<std::size_t>(key.table)];
        std::optional<LabLayout> sorted = SortedBy(layout, key, table.hash.front());
        if (sorted) layout = *std::move(sorted);
      }
      TryShorter(std::move(layout), proposed);
    }
    for (const LabKey key : KeysOf(proposed.layout)) {
      for (const std::string& name : NamesToSortBy(proposed.layout, key)) {
        std::optional<LabLayout> sorted = SortedBy(proposed.layout, key, name);
        if (sorted) TryShorter(*std::move(sorted), proposed);
      }
    }
  }

  // Returns whether the values of the attribute are of a form in which no "#" is.
  bool NeedsNoLabel(LabAttributeRef attribute) const {
    using Kind = LabGenerator::Kind;
    const LabGenerator& generator = LabAttributeAt(file_, RootOf(file_, attribute)).generator;
    if (generator.kind == Kind::kTemplate) {
      const LabTemplate& text = generator.text_template;
      return text.text.find('#') == std::string::npos &&
             std::ranges::all_of(text.parts, [&](const LabTemplatePart& part) {
               return part.attribute.entity == kLabNone || NeedsNoLabel(part.attribute);
             });
    }
    return generator.kind == Kind::kSequence || generator.kind == Kind::kUlid ||
           generator.kind == Kind::kUuid ||
           (generator.kind == Kind::kTime && generator.time_form == LabGenerator::TimeForm::kIso);
  }

  // Returns whether the text is a label and a value that needs none.
  bool HasLabelToLeaveOut(const LabTemplate& text) const {
    return text.parts.size() == 1 && !text.parts.front().literal.empty() &&
           text.parts.front().attribute.entity != kLabNone &&
           NeedsNoLabel(text.parts.front().attribute);
  }

  static void LeaveOutLabel(LabTemplate& text) {
    text.text.erase(0, text.parts.front().literal.size());
    text.parts.front().literal.clear();
  }

  // Returns whether partition keys of the table begin without a label: two identities may be alike.
  static bool HasOtherWithoutLabel(int table, const LabLayout& layout) {
    return std::ranges::any_of(layout.items, [&](const LabItem& item) {
      return item.table == table && item.keys.front().text.parts.front().literal.empty();
    });
  }

  // Takes the layout in place of the proposed one, if it makes up for keys that are less usual.
  void TryShorter(LabLayout layout, ProposedLayout& proposed) const {
    const double more_usd =
        std::max(0.0, evaluator_.BurdenUsd(layout) - evaluator_.BurdenUsd(proposed.layout));
    TryLayout(std::move(layout), proposed.month_usd - more_usd - Share(kWorthOfNoLabels), proposed);
  }

  // Returns the sort key of the table or the index; nothing: it has none, or several attributes.
  static std::string RangeNameOf(const LabLayout& layout, LabKey key) {
    const LabTable& table = layout.tables[static_cast<std::size_t>(key.table)];
    const std::vector<std::string>& range =
        key.index == kLabNone ? table.range
                              : table.indexes[static_cast<std::size_t>(key.index)].range;
    return range.size() == 1 ? range.front() : "";
  }

  // Returns whether the index sorts by what is in the table's partition key, beside labels.
  static bool IsSortedAsPartition(const LabLayout& layout, LabKey key) {
    const std::string own = RangeNameOf(layout, key);
    return key.index != kLabNone && std::ranges::all_of(layout.items, [&](const LabItem& item) {
             const auto range = std::ranges::find(item.keys, own, &LabItemKey::attribute);
             if (item.table != key.table || range == item.keys.end()) return true;
             return std::ranges::all_of(range->text.parts, [&](const LabTemplatePart& part) {
               return part.attribute.entity == kLabNone ||
                      std::ranges::count(item.keys.front().text.parts, part.attribute,
                                         &LabTemplatePart::attribute) > 0;
             });
           });
  }

  // Returns the attributes by which the table or the index may be sorted in place of a key that is
  // made for it: what that key is made of, and the table's own key.
  std::vector<std::string> NamesToSortBy(const LabLayout& layout, LabKey key) const {
    const std::string own = RangeNameOf(layout, key);
    std::vector<std::string> names;
    const auto add = [&](const std::string& name) {
      if (std::ranges::count(names, name) == 0) names.push_back(name);
    };
    for (const LabItem& item : layout.items) {
      const auto range = std::ranges::find(item.keys, own, &LabItemKey::attribute);
      if (item.table != key.table || range == item.keys.end()) continue;
      if (range->text.text == "{" + own + "}") return {};
      for (const LabTemplatePart& part : range->text.parts) {
        if (part.attribute.entity == kLabNone) continue;
        const LabAttributeRef time = TimeOfUlid(file_, part.attribute);
        if (time.entity != kLabNone) add(LabAttributeAt(file_, time).name);
        add(LabAttributeAt(file_, part.attribute).name);
      }
    }
    const LabTable& table = layout.tables[static_cast<std::size_t>(key.table)];
    if (key.index != kLabNone) add(table.hash.front());
    return names;
  }

  // Returns the layout whose table or index is sorted by the attribute in place of its own key:
  //
  //   [site_id, SK], SK: "SITE" and "PITCH#{pitch_id}"    [site_id, pitch_id], pitch_id: "SITE"
  //
  // Nothing where items could be alike then.
  std::optional<LabLayout> SortedBy(LabLayout layout, LabKey key, const std::string& name) const {
    const bool is_index = key.index != kLabNone;
    const std::string own = RangeNameOf(layout, key);
    if (own.empty() || own == name) return std::nullopt;
    LabTable& table = layout.tables[static_cast<std::size_t>(key.table)];
    int entities_with_value = 0;
    for (LabItem& item : layout.items) {
      const auto range = std::ranges::find(item.keys, own, &LabItemKey::attribute);
      if (item.table != key.table || range == item.keys.end()) continue;
      if (!range->when.empty()) return std::nullopt;
      LabItemKey changed = {.attribute = name, .text = range->text};
      const bool has_value = std::ranges::any_of(
          changed.text.parts, [](const auto& part) { return part.attribute.entity != kLabNone; });
      const LabAttributeRef stored = StoredAttribute(file_, item.entity, name);
      const auto again = std::ranges::find(item.keys, name, &LabItemKey::attribute);
      if (stored.entity != kLabNone) {
        const bool is_value = NeedsNoLabel(stored) && HasLabelToLeaveOut(changed.text) &&
                              changed.text.parts.front().attribute == stored;
        if (!is_index && (!is_value || ++entities_with_value > 1)) return std::nullopt;
        if (LabAttributeAt(file_, stored).type != LabType::kString) return std::nullopt;
        changed.text = {.text = "{" + name + "}", .parts = {{.attribute = stored}}};
      } else if (again != item.keys.end()) {
        changed.text = again->text;
      } else if (has_value) {
        return std::nullopt;
      }
      const bool is_first = again == item.keys.begin();  // the partition key of the table
      if (again != item.keys.end() && (!again->when.empty() || (is_first && !is_index))) {
        return std::nullopt;
      }
      if (is_index) {
        if (again == item.keys.end()) item.keys.push_back(std::move(changed));
        continue;
      }
      const auto place = range - item.keys.begin();
      std::erase_if(item.keys, [&](const LabItemKey& one) { return one.attribute == name; });
      item.keys[static_cast<std::size_t>(place)] = std::move(changed);
    }
    (is_index ? table.indexes[static_cast<std::size_t>(key.index)].range : table.range) = {name};
    table.key_types.emplace(name, LabType::kString);
    for (LabItem& item : layout.items) {
      if (item.table == key.table) RemoveUnusedKeys(table, item);
    }
    const std::vector<std::string> used = AllKeysOf(table);
    if (std::ranges::count(used, own) == 0) table.key_types.erase(own);
    return layout;
  }

  // Gives an index a copy of its attribute that only some instances have, in place of the attribute
  // and a flag, where that makes entries enough smaller.
  void CopyInPlaceOfFlags(ProposedLayout& proposed) const {
    for (const LabKey key : KeysOf(proposed.layout)) {
      if (key.index == kLabNone) continue;
      LabLayout layout = proposed.layout;
      LabTable& table = layout.tables[static_cast<std::size_t>(key.table)];
      LabIndex& index = table.indexes[static_cast<std::size_t>(key.index)];
      if (index.hash.size() != 2 || !index.name.starts_with("by_")) continue;
      const std::string flag = index.hash.back();
      // One flag of several indexes is easier to keep than a copy for each.
      const auto has_flag = [&](const LabIndex& one) {
        return std::ranges::count(one.hash, flag) > 0;
      };
      if (std::ranges::count_if(table.indexes, has_flag) > 1) continue;
      const std::string copy = index.name.substr(3);
      for (LabItem& item : layout.items) {
        if (item.table != key.table || !HasKeysOf(item, index)) continue;
        const auto of_flag = std::ranges::find(item.keys, flag, &LabItemKey::attribute);
        const auto copied =
            std::ranges::find(item.keys, index.hash.front(), &LabItemKey::attribute);
        if (of_flag->when.empty()) break;
        const bool is_free = StoredAttribute(file_, item.entity, copy).entity == kLabNone &&
                             std::ranges::count(item.keys, copy, &LabItemKey::attribute) == 0;
        if (!is_free) break;
        item.keys.push_back({.attribute = copy, .text = copied->text, .when = of_flag->when});
        table.key_types[copy] = table.key_types.at(index.hash.front());
        index.hash = {copy};
        RemoveUnusedKeys(table, item);
        TryLayout(layout, proposed.month_usd - Share(kWorthOfCopy), proposed);
        break;
      }
    }
  }

  // Removes the keys of the item that no key of the table has.
  static void RemoveUnusedKeys(const LabTable& table, LabItem& item) {
    const std::vector<std::string> used = AllKeysOf(table);
    std::erase_if(item.keys, [&](const LabItemKey& key) {
      return std::ranges::count(used, key.attribute) == 0;
    });
  }

  // Lets indexes project what the patterns that read by them return. In place of cutting it out of
  // their keys, where that is as good; in place of fetching it, where it costs not much more: what
  // is fetched grows with the data, and is waited for.
  void NameReturned(ProposedLayout& proposed) const {
    const Result<LayoutPlan> plan = PlanLayout(order_.now.model(), proposed.layout);
    if (!plan.ok()) return;
    constexpr double kNotMuchMore = 1.02;
    const double month_usd = proposed.month_usd;
    for (const LabKey key : KeysOf(proposed.layout)) {
      if (key.index == kLabNone) continue;
      for (const PatternPlan& one : plan->patterns) {
        const bool fetches =
            std::ranges::count(one.steps, PlanStep::Kind::kFetch, &PlanStep::kind) > 0;
        const double most_usd = month_usd + Share(fetches ? kNotMuchMore : kNearlySameMonth);
        const bool reads_by_it = std::ranges::any_of(
            one.cost.keys, [&](const KeyCost& cost) { return cost.key == key && !cost.is_write; });
        if (!reads_by_it) continue;
        TryIndex(key, most_usd, proposed,
                 [&](const LabLayout& layout, const LabTable& table, LabIndex& index) {
                   IncludeReturned(file_.patterns[static_cast<std::size_t>(one.pattern)], layout,
                                   table, index);
                 });
      }
    }
  }

  // Returns whether the index has items of the entity, or of its parent, inside of which it is.
  static bool IsInIndex(const LabLayout& layout, int entity, const LabTable& table,
                        const LabIndex& index) {
    const LabEmbedding* const embedding = EmbeddingOf(layout, entity);
    const int stored = embedding != nullptr ? embedding->parent : entity;
    return std::ranges::any_of(layout.items, [&](const LabItem& item) {
      return item.entity == stored &&
             &layout.tables[static_cast<std::size_t>(item.table)] == &table &&
             HasKeysOf(item, index);
    });
  }

  // Returns whether the table's key of the entity's items has the value beside a label.
  static bool IsInTableKey(const LabLayout& layout, int entity, const LabTable& table,
                           LabAttributeRef ref) {
    const auto item = std::ranges::find_if(layout.items, [&](const LabItem& one) {
      return one.entity == entity && &layout.tables[static_cast<std::size_t>(one.table)] == &table;
    });
    return item != layout.items.end() &&
           std::ranges::any_of(item->keys, [&](const LabItemKey& key) {
             return IsPrimaryKeyOf(table, key.attribute) &&
                    std::ranges::count(key.text.parts, ref, &LabTemplatePart::attribute) > 0;
           });
  }

  void IncludeReturned(const LabPattern& pattern, const LabLayout& layout, const LabTable& table,
                       LabIndex& index) const {
    const auto include = [&](const std::string& name) {
      if (std::ranges::count(index.included, name) == 0) index.included.push_back(name);
    };
    for (const int entity : pattern.entities) {
      if (!IsInIndex(layout, entity, table, index)) continue;
      if (const LabEmbedding* const embedding = EmbeddingOf(layout, entity)) {
        include(embedding->attribute);
        continue;
      }
      const std::vector<LabAttributeRef> all = AllAttributes(file_, entity);
      for (const LabAttributeRef ref : pattern.returns.empty() ? all : pattern.returns) {
        const std::string& name = LabAttributeAt(file_, ref).name;
        // Where keys have labels, an identity in a key is as good as its name.
        const bool is_in_key = ref.attribute == 0 && IsInTableKey(layout, entity, table, ref);
        const bool is_stored = std::ranges::count(all, ref) > 0;
        if (!is_stored || is_in_key || IsKeyOf(table, index, name)) continue;
        include(name);
      }
    }
    if (!index.included.empty()) index.projection = LabIndex::Projection::kInclude;
  }

  // Makes each index project everything that names all attributes of its items; and where that
  // costs little, one that names all but what their keys hold, or a long list of nearly all. A few
  // names of one entity stay: what is added to it later is not returned by its list.
  void ProjectAllWhereAllAreNamed(ProposedLayout& proposed) const {
    const double little_more_usd = proposed.month_usd + Share(kMonthOfAll);
    for (const LabKey key : KeysOf(proposed.layout)) {
      if (key.index == kLabNone) continue;
      const LabTable& table = proposed.layout.tables[static_cast<std::size_t>(key.table)];
      const LabIndex& index = table.indexes[static_cast<std::size_t>(key.index)];
      if (index.projection != LabIndex::Projection::kInclude) continue;
      constexpr std::size_t kLongList = 10;
      constexpr std::size_t kShortList = 6;
      constexpr int kFewOthers = 3;
      bool names_all = true;
      int others = 0;  // that are neither named nor in a key
      std::set<int> entities;
      for (const LabItem& item : proposed.layout.items) {
        if (item.table != key.table || !HasKeysOf(item, index)) continue;
        entities.insert(item.entity);
        for (const LabAttributeRef ref : StoredBy(file_, item)) {
          const std::string& name = LabAttributeAt(file_, ref).name;
          if (std::ranges::count(index.included, name) > 0 || IsKeyOf(table, index, name)) continue;
          names_all = false;
          if (!IsInTableKey(proposed.layout, item.entity, table, ref)) ++others;
        }
      }
      const std::size_t names = index.included.size();
      const bool is_long = names >= kLongList && others <= kFewOthers;
      const bool is_short = names <= kShortList && entities.size() == 1;
      if ((others > 0 || is_short) && !is_long) continue;
      const double most_usd = names_all ? std::numeric_limits<double>::infinity() : little_more_usd;
      TryIndex(key, most_usd, proposed, [](const LabLayout&, const LabTable&, LabIndex& changed) {
        changed.projection = LabIndex::Projection::kAll;
        changed.included.clear();
      });
    }
  }

  // Returns how many requests a second the calls make besides the first of each.
  double FurtherRequestsOf(const LabLayout& layout) const {
    const Result<LayoutPlan> plan = PlanLayout(order_.now.model(), layout);
    if (!plan.ok()) return 0;
    double further = 0;
    for (const PatternPlan& one : plan->patterns) {
      const double rate = file_.patterns[static_cast<std::size_t>(one.pattern)].calls_per_second;
      further += rate * std::max(0.0, one.cost.requests - 1);
    }
    return further;
  }

  // Changes an index, where that is as good (TryLayout).
  void TryIndex(
      LabKey key, double most_usd, ProposedLayout& proposed,
      const std::function<void(const LabLayout&, const LabTable&, LabIndex&)>& change) const {
    LabLayout layout = proposed.layout;
    LabTable& table = layout.tables[static_cast<std::size_t>(key.table)];
    LabIndex& index = table.indexes[static_cast<std::size_t>(key.index)];
    const LabIndex before = index;
    change(layout, table, index);
    if (index.projection == before.projection && index.included == before.included) return;
    if (AreNamesAllowed(table)) TryLayout(std::move(layout), most_usd, proposed);
  }

  const FinishOrder& order_;
  const LabFile& file_;
  const FoundLayout& found_;
  const std::vector<int>& scanned_;
  const PatternEvaluator evaluator_;
};

}  // namespace

std::vector<FinishedLayout> Finish(const FinishOrder& order, const FoundLayout& found,
                                   const std::vector<int>& scanned) {
  return Finisher(order, found, scanned).Finish();
}

std::string TtlOf(const LabFile& file, const AccessSpace& space) {
  std::set<std::string> names;
  for (int entity = 0; entity < static_cast<int>(file.entities.size()); ++entity) {
    const LabEntity& described = EntityAt(file, entity);
    for (int i = 0; i < static_cast<int>(described.attributes.size()); ++i) {
      const LabAttributeRef ref = {entity, i};
      const LabGenerator& generator = LabAttributeAt(file, ref).generator;
      if (generator.kind != LabGenerator::Kind::kTime ||
          generator.time_form != LabGenerator::TimeForm::kSeconds) {
        continue;
      }
      const std::optional<AttributeTimes> times = TimesOf(file, ref);
      // What is in the past, or is the moment of the creation, is no end.
      const bool is_ahead = times && times->earliest_of_new_ms >= 0 && times->latest_of_new_ms > 0;
      const bool is_asked = std::ranges::any_of(
          SpaceAt(space, entity).questions, [&](const AccessQuestion& question) {
            return question.range == ref || question.order == ref || Names(question.by, ref);
          });
      if (is_ahead && !is_asked) {
        names.insert(LabAttributeAt(file, ref).name);
      }
    }
  }
  return names.size() == 1 ? *names.begin() : "";
}

void SetTtl(const LabFile& file, const std::string& ttl, LabLayout& layout) {
  if (ttl.empty()) return;
  for (const LabItem& item : layout.items) {
    const LabAttributeRef ref = StoredAttribute(file, item.entity, ttl);
    if (ref.entity == kLabNone || (item.attributes && !Names(*item.attributes, ref))) continue;
    layout.tables[static_cast<std::size_t>(item.table)].ttl_attribute = ttl;
  }
}

}  // namespace hashrange
