#include "lab/plan/read/search_plan.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "lab/language/lab_facts.h"
#include "lab/plan/cost/key_matches.h"
#include "lab/plan/cost/spread.h"
#include "lab/plan/read/plan_sentences.h"
#include "value/capacity.h"
#include "value/vector.h"

namespace hashrange {
namespace {

// Returns "byMeaning", or "shop / byMeaning" where there are several tables.
std::string VectorLabel(const LabLayout& layout, const SearchCandidate& candidate) {
  const std::string& table = TableOfItem(layout, *candidate.item).name;
  return (layout.tables.size() == 1 ? "" : table + " / ") + candidate.index->name;
}

std::vector<LabTemplatePart> PlaceholdersOf(const LabTemplate& text) {
  std::vector<LabTemplatePart> parts;
  for (const LabTemplatePart& part : text.parts) {
    if (part.attribute.entity != kLabNone) parts.push_back(part);
  }
  return parts;
}

// Returns whether no text of the one template is a text of the other, by how they begin.
bool AreApart(const LabTemplate& one, const LabTemplate& other) {
  const std::string& a = one.parts.front().literal;
  const std::string& b = other.parts.front().literal;
  const auto is_whole = [](const LabTemplate& text) {
    return text.parts.size() == 1 && text.parts.front().attribute.entity == kLabNone;
  };
  if (is_whole(one) && is_whole(other)) return a != b;
  return !a.starts_with(b) && !b.starts_with(a);
}

// --- What a search is expected to take ---

class SearchCostFinder {
 public:
  SearchCostFinder(const ReadQuestion& question, const SearchCandidate& candidate)
      : question_(question),
        candidate_(candidate),
        model_(question.model.file_model()),
        hash_(KeyOfItem(*candidate.item, candidate.index->hash)) {}

  PatternCost Find() const {
    std::vector<LabTemplatePart> of_hash;
    if (hash_ != nullptr) of_hash = PlaceholdersOf(hash_->text);
    std::vector<LabTemplatePart> asked = of_hash;
    for (const AskedTerm& term : candidate_.terms) {
      if (term.attribute == candidate_.index->hash) continue;
      const LabItemKey& filter = *KeyOfItem(*candidate_.item, term.attribute);
      std::ranges::copy(PlaceholdersOf(filter.text), std::back_inserter(asked));
    }
    Totals all;
    // Of a HASH element with few values, each counts by itself: what is searched grows with the
    // logarithm of their vectors.
    if (const LabGenerator* const choice = ChoiceOf(of_hash)) {
      const LabAttributeRef chosen = of_hash.front().attribute;
      const auto is_chosen = [&](const LabTemplatePart& part) { return part.attribute == chosen; };
      std::erase_if(of_hash, is_chosen);
      std::erase_if(asked, is_chosen);
      for (const LabGenerator::Choice& one : choice->choices) {
        const double share = model_.ShareOf({.attribute = chosen, .values = {one.value}}) /
                             std::max(model_.Present(chosen), 1e-9);
        if (share > 0) AddCases({of_hash, asked, share}, all);
      }
    } else {
      AddCases({of_hash, asked, 1}, all);
    }
    return CostOf(all);
  }

 private:
  // What the values of the search schema leave: of a share of the calls, which search that share.
  struct Searched {
    const std::vector<LabTemplatePart>& of_hash;
    const std::vector<LabTemplatePart>& asked;
    double share = 1;
  };
  struct Totals {
    double bytes = 0;
    double results = 0;
    double with_results = 0;  // calls
  };

  // Returns the generator of the HASH element where that is one attribute of a few values, which
  // the caller takes from an instance; null: it is another one.
  const LabGenerator* ChoiceOf(const std::vector<LabTemplatePart>& of_hash) const {
    if (of_hash.size() != 1 || of_hash.front().shards > 0) return nullptr;
    const LabAttributeRef ref = of_hash.front().attribute;
    const bool is_constant = std::ranges::any_of(
        question_.pattern.constants, [&](const LabCondition& one) { return one.attribute == ref; });
    const LabGenerator& generator = LabAttributeAt(question_.file, ref).generator;
    const bool is_choice = generator.kind == LabGenerator::Kind::kChoice && !is_constant &&
                           of_hash.front().form == LabTemplatePart::Form::kAsIs;
    return is_choice ? &generator : nullptr;
  }

  double ReturnedBytes() const {
    const double vector = candidate_.returns_vector ? VectorBytesOf(*candidate_.index) : 0;
    return question_.model.EntryBytes(*candidate_.item, candidate_.number).Mean() + vector;
  }

  void AddCases(const Searched& searched, Totals& all) const {
    const KeyMatches matches(question_.subject, candidate_.item->entity, searched.of_hash);
    const int entity = candidate_.item->entity;
    const KeyMatches::Group hash = matches.GroupOf(entity, searched.of_hash);
    const KeyMatches::Group asked = matches.GroupOf(entity, searched.asked);
    const double indexed = ShareInIndex(*candidate_.item, searched.of_hash) * searched.share;
    for (std::size_t i = 0; i < matches.cases(); ++i) {
      const double share = matches.share(i) * searched.share;
      if (share <= 0) continue;
      Moments vectors = matches.Count(hash, i).Thinned(indexed);
      const Moments found = matches.Count(asked, i).Thinned(indexed);
      AddOthers(matches, i, searched, vectors);
      AddCase(vectors, found, share, all);
    }
  }

  double ShareInIndex(const LabItem& item, const std::vector<LabTemplatePart>& known) const {
    std::vector<LabAttributeRef> attributes;
    for (const LabTemplatePart& part : known) attributes.push_back(part.attribute);
    return question_.model.ShareInVectors(item, candidate_.number, attributes);
  }

  // Adds the vectors of other items that have the same HASH value: a search examines them, too.
  void AddOthers(const KeyMatches& matches, std::size_t number, const Searched& searched,
                 Moments& vectors) const {
    for (const LabItem& other : question_.layout.items) {
      if (&other == candidate_.item || other.table != candidate_.item->table) continue;
      std::vector<LabTemplatePart> parts;
      if (hash_ != nullptr) {
        const LabItemKey* const key = KeyOfItem(other, candidate_.index->hash);
        if (key == nullptr || AreApart(hash_->text, key->text)) continue;
        parts = PlaceholdersOf(key->text);
        const auto is_of_asked = [&](const LabTemplatePart& part) {
          return std::ranges::any_of(PlaceholdersOf(hash_->text), [&](const LabTemplatePart& one) {
            return RootOf(question_.file, one.attribute) == RootOf(question_.file, part.attribute);
          });
        };
        if (!std::ranges::all_of(parts, is_of_asked)) continue;
      }
      const double share = ShareInIndex(other, parts) * searched.share;
      const Moments more = matches.Count(matches.GroupOf(other.entity, parts), number);
      vectors.mean += more.Thinned(share).mean;
      vectors.variance += more.Thinned(share).variance;
    }
  }

  void AddCase(const Moments& vectors, const Moments& found, double share, Totals& all) const {
    const double results =
        MeanPageCost({.items = found, .limit = static_cast<double>(question_.pattern.limit)}).items;
    std::vector<WeightedNumber> numbers;
    AppendCounts(vectors, 1, numbers);
    const Spread counts = Spread::Of(std::move(numbers));
    for (std::size_t part = 0; part < Spread::kParts; ++part) {
      all.bytes += share / Spread::kParts *
                   SearchRequestBytes(candidate_.index->dimensions,
                                      std::max(0.0, counts.part(part)), results * ReturnedBytes());
    }
    all.results += share * results;
    all.with_results += share * (1 - SharesOfCounts(found, 1).front());
  }

  PatternCost CostOf(const Totals& all) const {
    PatternCost cost = {.requests = 1, .items = all.results};
    cost.Add(VectorCost{.table = candidate_.item->table, .searched_bytes = all.bytes});
    if (candidate_.lacking.empty()) return cost;
    constexpr double kEventual = 0.5;
    const LabKey table = {.table = candidate_.item->table};
    std::vector<LabTemplatePart> parts;
    for (const std::string& name : HashOf(question_.layout, table)) {
      std::ranges::copy(PlaceholdersOf(KeyOfItem(*candidate_.item, name)->text),
                        std::back_inserter(parts));
    }
    cost.requests += all.with_results;
    cost.Add(
        KeyCost{.key = table,
                .units = all.results * kEventual *
                         MeanUnits(question_.model.Bytes(*candidate_.item, table), kReadUnitBytes),
                .hottest_share = HottestOfAll(
                    question_.file, parts,
                    [&](const LabTemplatePart& part) { return model_.GreatestValueShare(part); }),
                .hottest_template = HashTemplate(question_.layout, table, *candidate_.item)});
    return cost;
  }

  const ReadQuestion& question_;
  const SearchCandidate& candidate_;
  const FileModel& model_;
  const LabItemKey* const hash_;  // null: the index has no HASH element
};

// --- Which indexes serve ---

class SearchPlanner {
 public:
  explicit SearchPlanner(const ReadQuestion& question)
      : question_(question),
        file_(question.file),
        entity_(question.pattern.entities.front()),
        name_(LabAttributeAt(file_, question.pattern.search_vector).name) {
    for (const LabAttributeRef ref : question.pattern.by) asked_.push_back(ref);
    AppendAttributesOf(question.pattern.constants, asked_);
  }

  PatternPlan Plan() {
    for (const LabItem& item : question_.layout.items) {
      if (item.entity != entity_) continue;
      const auto& indexes = TableOfItem(question_.layout, item).vector_indexes;
      for (std::size_t i = 0; i < indexes.size(); ++i) {
        if (indexes[i].attribute == name_) Try({&item, static_cast<int>(i), &indexes[i]});
      }
    }
    if (taken_) return PlanOfTaken();
    PatternPlan plan;
    plan.impossible = rejected_.empty()
                          ? "no vector index has " + name_ + " of " + EntityAt(file_, entity_).name
                          : rejected_.front();
    rejected_.erase(rejected_.begin(), rejected_.begin() + (rejected_.empty() ? 0 : 1));
    plan.rejected = std::move(rejected_);
    return plan;
  }

 private:
  void Try(SearchCandidate candidate) {
    std::string why = WhyNot(candidate);
    const std::string label = VectorLabel(question_.layout, candidate) + ": ";
    if (!why.empty()) return rejected_.push_back(label + why);
    candidate.cost = SearchCostFinder(question_, candidate).Find();
    if (taken_ && !IsCheaper(candidate, *taken_)) {
      rejected_.push_back(label + "a search of it would take more");
      return;
    }
    if (taken_) {
      rejected_.push_back(VectorLabel(question_.layout, *taken_) +
                          ": a search of it would take more");
    }
    taken_ = std::move(candidate);
  }

  // What has to be fetched besides costs more than what a search takes more.
  static bool IsCheaper(const SearchCandidate& one, const SearchCandidate& other) {
    if (one.lacking.empty() != other.lacking.empty()) return one.lacking.empty();
    return one.cost.SearchedBytes() < other.cost.SearchedBytes();
  }

  // Fills in the candidate. Returns why its index does not serve; empty: it does.
  std::string WhyNot(SearchCandidate& candidate) const {
    const LabItem& item = *candidate.item;
    if (!HoldsVector(file_, question_.layout, item, *candidate.index)) {
      return ObstacleSentence(file_, {.kind = ReadObstacle::Kind::kHoldsNone, .entity = entity_});
    }
    if (std::string why = FindTerms(candidate); !why.empty()) return why;
    for (const LabItem& other : question_.layout.items) {
      if (!MayBeFound(candidate, other)) continue;
      if (!AddTypeTerm(candidate, other)) {
        return "it also holds items of " + EntityAt(file_, other.entity).name +
               ", which a search cannot leave out";
      }
    }
    return FindReturned(candidate);
  }

  std::string FindTerms(SearchCandidate& candidate) const {
    const LabItem& item = *candidate.item;
    std::vector<LabAttributeRef> missing = asked_;
    std::vector<LabCondition> held = item.when;
    for (const std::string& name : SearchSchemaOf(*candidate.index)) {
      const LabItemKey* const key = KeyOfItem(item, name);
      if (key == nullptr) continue;
      const bool is_hash = name == candidate.index->hash;
      const KeyText value = ResolveTemplate(question_, key->text);
      if (is_hash && !IsKnown(value)) {
        return "its HASH element " + name + ", " + key->text.text +
               ", needs what the caller does not know";
      }
      const auto is_in_key = [&](LabAttributeRef ref) {
        return PlaceOfWhole(file_, key->text, ref).has_value();
      };
      const bool is_of_use = is_hash || (IsKnown(value) && AreImplied(question_, key->when) &&
                                         std::ranges::any_of(missing, is_in_key));
      if (!is_of_use) continue;
      held.insert(held.end(), key->when.begin(), key->when.end());
      candidate.terms.push_back(
          {.attribute = name, .type = TypeOf(candidate, name), .value = value});
      std::erase_if(missing, is_in_key);
    }
    if (!missing.empty()) {
      return "it has no element for " + LabAttributeAt(file_, missing.front()).name +
             " in its search schema";
    }
    if (AreImplied(question_, held)) return {};
    return ObstacleSentence(file_,
                            {.kind = ReadObstacle::Kind::kHoldsOnlyWhere, .conditions = held});
  }

  LabType TypeOf(const SearchCandidate& candidate, const std::string& name) const {
    const auto& types = TableOfItem(question_.layout, *candidate.item).key_types;
    const auto type = types.find(name);
    return type == types.end() ? LabType::kString : type->second;
  }

  // Returns whether the search may find another item of the index, by the terms so far.
  bool MayBeFound(const SearchCandidate& candidate, const LabItem& other) const {
    const LabItem& item = *candidate.item;
    if (&other == &item || other.table != item.table) return false;
    if (!HoldsVector(file_, question_.layout, other, *candidate.index)) return false;
    return std::ranges::none_of(candidate.terms, [&](const AskedTerm& term) {
      const LabItemKey* const key = KeyOfItem(other, term.attribute);
      return key == nullptr || AreApart(KeyOfItem(item, term.attribute)->text, key->text);
    });
  }

  // Adds the condition that leaves out the items of another entity, if the index has the attribute
  // of the type. Returns false where there is none.
  bool AddTypeTerm(SearchCandidate& candidate, const LabItem& other) const {
    const std::string& name = TableOfItem(question_.layout, other).type_attribute;
    const LabItemKey* const key = KeyOfItem(*candidate.item, name);
    const LabItemKey* const of_other = KeyOfItem(other, name);
    const bool tells = HasName(SearchSchemaOf(*candidate.index), name) && key != nullptr &&
                       of_other != nullptr && AreApart(key->text, of_other->text);
    if (!tells) return false;
    candidate.terms.push_back({.attribute = name, .value = ResolveTemplate(question_, key->text)});
    return true;
  }

  // --- What is returned ---

  bool HasEntryAttribute(const SearchCandidate& candidate, const std::string& name) const {
    const LabVectorIndex& index = *candidate.index;
    if (name == index.attribute) return false;
    return index.projection == LabIndex::Projection::kAll ||
           IsPrimaryKeyOf(TableOfItem(question_.layout, *candidate.item), name) ||
           HasName(SearchSchemaOf(index), name) || HasName(index.included, name);
  }

  // Returns the attribute of the item that has the whole value, under its own name or as a part of
  // a template; empty: none has. `in_entry`: of what the index holds.
  std::string HolderOf(const SearchCandidate& candidate, LabAttributeRef ref, bool in_entry) const {
    const LabItem& item = *candidate.item;
    const std::string& name = LabAttributeAt(file_, ref).name;
    const std::vector<LabAttributeRef> held = HeldAttributes({file_, question_.layout}, item);
    const bool is_held = std::ranges::find(held, ref) != held.end();
    if (is_held && (!in_entry || HasEntryAttribute(candidate, name))) return name;
    for (const LabItemKey& key : item.keys) {
      const bool is_there = !in_entry || HasEntryAttribute(candidate, key.attribute);
      if (is_there && key.when.empty() && PlaceOfWhole(file_, key.text, ref)) return key.attribute;
    }
    return {};
  }

  std::string FindReturned(SearchCandidate& candidate) const {
    std::vector<LabAttributeRef> returned = question_.pattern.returns;
    const bool returns_all = returned.empty();
    if (returns_all) {
      returned = HeldAttributes({file_, question_.layout}, *candidate.item);
      std::erase_if(returned, [&](LabAttributeRef ref) {
        return LabAttributeAt(file_, ref).type == LabType::kVector;
      });
    }
    std::vector<std::string> in_index;
    std::vector<std::string> in_item;
    for (const LabAttributeRef ref : returned) {
      const std::string& name = LabAttributeAt(file_, ref).name;
      const std::string holder = HolderOf(candidate, ref, false);
      if (holder.empty()) {
        return ObstacleSentence(
            file_, {.kind = ReadObstacle::Kind::kHoldNot, .entity = entity_, .names = {name}});
      }
      AddName(holder, in_item);
      const bool is_vector = ref == question_.pattern.search_vector;
      const std::string of_entry = is_vector ? name : HolderOf(candidate, ref, true);
      candidate.returns_vector |= is_vector;
      if (of_entry.empty()) {
        AddName(name, candidate.lacking);
      } else {
        AddName(of_entry, in_index);
      }
    }
    if (returns_all) return {};
    for (const std::string& name : candidate.lacking.empty() ? in_index : in_item) {
      candidate.projection.push_back(PathOfName(name));
    }
    // What is fetched has the vector, so the search need not return it.
    if (!candidate.lacking.empty()) candidate.returns_vector = false;
    return {};
  }

  PatternPlan PlanOfTaken() {
    const SearchCandidate& taken = *taken_;
    PatternPlan plan = {.service = PlanService::kSearched};
    plan.steps = StepsOfSearch(question_, taken);
    plan.cost = taken.cost;
    const std::string label = VectorLabel(question_.layout, taken);
    const bool has_hash = !taken.index->hash.empty();
    plan.reasons.push_back(
        label + " compares the vectors " +
        (has_hash ? "of one value of its HASH element " + taken.index->hash : "of all its items") +
        " with the given one");
    std::vector<std::string> filters;
    for (const AskedTerm& term : taken.terms) {
      if (term.attribute != taken.index->hash) filters.push_back(term.attribute);
    }
    if (!filters.empty()) {
      plan.reasons.push_back(
          "The condition on " + Enumeration(filters) +
          " holds before the ranking; the vectors that it leaves out are examined, too");
    }
    if (!taken.lacking.empty()) {
      plan.reasons.push_back(label + " does not hold " + Enumeration(taken.lacking) +
                             ", so the items are fetched from the table");
    }
    plan.rejected = std::move(rejected_);
    return plan;
  }

  const ReadQuestion& question_;
  const LabFile& file_;
  const int entity_;
  const std::string& name_;                  // of the vector
  std::vector<LabAttributeRef> asked_ = {};  // each has to be equal
  std::optional<SearchCandidate> taken_ = {};
  std::vector<std::string> rejected_ = {};
};

}  // namespace

PatternPlan PlanSearch(const ReadQuestion& question) {
  const int entity = question.pattern.entities.front();
  if (IsStored(question.layout, entity)) return SearchPlanner(question).Plan();
  PatternPlan plan;
  plan.impossible =
      ObstacleSentence(question.file, {.kind = ReadObstacle::Kind::kNotStored, .entity = entity});
  return plan;
}

}  // namespace hashrange
