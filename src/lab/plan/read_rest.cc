#include "lab/plan/read_rest.h"

#include <algorithm>

namespace hashrange {
namespace {

using Form = LabTemplatePart::Form;

bool IsExact(const LabTemplatePart& part) {
  return part.shards == 0 &&
         (part.form == Form::kAsIs || part.form == Form::kPadded || part.form == Form::kDescend);
}

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void AddName(const std::string& name, std::vector<std::string>& names) {
  if (!Contains(names, name)) names.push_back(name);
}

KeyText LiteralText(std::string_view literal) { return {KeyPiece{.text = std::string(literal)}}; }

bool IsSelfOrAncestorOf(const LabFile& file, int ancestor, int entity) {
  while (entity != kLabNone && entity != ancestor) entity = EntityAt(file, entity).parent;
  return entity != kLabNone;
}

// Finds what is left for one question, key and set of items.
class RestFinder {
 public:
  RestFinder(const ReadQuestion& question, const std::vector<AskedHost>& hosts,
             const KeyInterval& interval, bool is_scan)
      : question_(question),
        hosts_(hosts),
        interval_(interval),
        is_get_(interval.is_full && interval.key.index == kLabNone),
        is_scan_(is_scan) {}

  ReadRest Find() {
    for (std::size_t i = 0; i < hosts_.size(); ++i) FindFilters(i);
    FindRangeFilter();
    if (!is_get_) FindTypeFilter();
    FindProjection();
    return std::move(rest_);
  }

 private:
  const LabFile& file() const { return question_.file; }
  PlannerInput input() const { return {question_.file, question_.layout}; }

  // Returns the attribute of the item that has the value; entity kLabNone: there is none.
  LabAttributeRef HeldAs(const LabItem& item, LabAttributeRef ref) const {
    const std::vector<LabAttributeRef> held = HeldAttributes(input(), item);
    for (const LabAttributeRef one : held) {
      if (one == ref) return one;
    }
    for (const LabAttributeRef one : held) {
      if (IsSameValue(file(), one, ref)) return one;
    }
    return {};
  }

  bool IsInKey(const std::string& name) const {
    const LabIndex* index = IndexOf(question_.layout, interval_.key);
    if (index == nullptr || index->projection == LabIndex::Projection::kAll) {
      return true;
    }
    const LabTable& table = TableOf(question_.layout, interval_.key);
    return Contains(index->included, name) || Contains(table.hash, name) ||
           Contains(table.range, name) || Contains(index->hash, name) ||
           Contains(index->range, name);
  }

  // Returns whether a filter can compare the attribute. A local index reads from the table what it
  // lacks.
  bool CanFilter(const std::string& name) const {
    const LabIndex* index = IndexOf(question_.layout, interval_.key);
    return IsInKey(name) || (index != nullptr && index->is_local);
  }

  // Returns whether the key condition says the value already, for the items of one host.
  bool IsExpressed(const LabItem& item, LabAttributeRef ref) const {
    for (const LabTemplatePart& part : KnownPlaceholders(question_, item, interval_)) {
      if (!IsExact(part)) continue;
      if (IsSameValue(file(), part.attribute, ref)) return true;
      // An identity determines what belongs to the instance and to its ancestors.
      const bool is_identity = part.attribute.attribute == 0 &&
                               EntityAt(file(), part.attribute.entity).identity_is_global;
      if (is_identity && IsSelfOrAncestorOf(file(), ref.entity, part.attribute.entity)) return true;
    }
    return false;
  }

  bool Concerns(const AskedHost& host, const LabItem& item, LabAttributeRef ref) const {
    return IsSelfOrAncestorOf(file(), ref.entity, host.entity) ||
           HeldAs(item, ref).entity != kLabNone;
  }

  void FindFilters(std::size_t place) {
    const AskedHost& host = hosts_[place];
    const LabItem& item = *interval_.items[place];
    for (const LabAttributeRef ref : question_.pattern.by) {
      LabCondition condition = {.attribute = ref};
      FindFilter(host, item, condition, true);
    }
    for (const LabCondition& constant : question_.pattern.constants) {
      FindFilter(host, item, constant, false);
    }
  }

  void FindFilter(const AskedHost& host, const LabItem& item, const LabCondition& condition,
                  bool is_slot) {
    const LabAttributeRef ref = condition.attribute;
    if (std::find(host.parts.begin(), host.parts.end(), ref.entity) != host.parts.end()) {
      return FilterPart(ref);
    }
    if (!Concerns(host, item, ref) || AreValuesExpressed(item, condition, is_slot)) return;
    const std::string& name = LabAttributeAt(file(), ref).name;
    if (is_get_) {
      if (!is_slot) AddName("whose " + name + " differs", rest_.client_filters);
      return;
    }
    const LabAttributeRef held = HeldAs(item, ref);
    if (held.entity == kLabNone) {
      rest_.obstacle = EntityAt(file(), item.entity).name + "'s items do not hold " + name +
                       ", so nothing can be filtered by it";
      return;
    }
    AddFilter(held, condition, is_slot ? ValueOf(ref) : std::vector<KeyText>());
  }

  bool AreValuesExpressed(const LabItem& item, const LabCondition& condition, bool is_slot) const {
    if (is_slot) return IsExpressed(item, condition.attribute);
    if (condition.op != LabCondition::Op::kEqual) return false;
    for (const LabTemplatePart& part : KnownPlaceholders(question_, item, interval_)) {
      if (IsExact(part) && part.attribute == condition.attribute) return true;
    }
    return HoldsOnly(item, condition);
  }

  // Returns whether the key, or the item, exists only where the condition holds.
  bool HoldsOnly(const LabItem& item, const LabCondition& condition) const {
    const auto is_same = [&](const LabCondition& one) {
      return one.attribute == condition.attribute && one.op == LabCondition::Op::kEqual &&
             one.values == condition.values;
    };
    if (std::any_of(item.when.begin(), item.when.end(), is_same)) return true;
    return std::any_of(interval_.terms.begin(), interval_.terms.end(), [&](const KeyTerm& term) {
      const LabItemKey* key = KeyOfItem(item, term.attribute);
      return key != nullptr && std::any_of(key->when.begin(), key->when.end(), is_same);
    });
  }

  std::vector<KeyText> ValueOf(LabAttributeRef ref) const {
    std::optional<KeyPiece> known = KnownValue(question_, {.attribute = ref});
    return {KeyText{std::move(*known)}};
  }

  // Filters what is embedded: by the key of a map, or by the client.
  void FilterPart(LabAttributeRef ref) {
    const LabEmbedding& embedding = *EmbeddingOf(question_.layout, ref.entity);
    const bool is_key = embedding.map_by == ref.attribute && IsDirect(embedding);
    if (!is_key) {
      return AddName(
          "of " + embedding.attribute + " whose " + LabAttributeAt(file(), ref).name + " differs",
          rest_.client_filters);
    }
    if (is_get_) return;
    if (!IsInKey(embedding.attribute)) return AddName(embedding.attribute, rest_.lacking);
    rest_.filters.push_back({.path = PathOfPart(embedding), .op = FilterTerm::Op::kExists});
    AddName(LabAttributeAt(file(), ref).name, rest_.filtered);
  }

  // Returns whether the entity is embedded in an entity that has items of its own.
  bool IsDirect(const LabEmbedding& embedding) const {
    return EmbeddingOf(question_.layout, embedding.parent) == nullptr;
  }

  // Returns the path of what is embedded: down to the one element whose key the caller knows, or
  // the list or map as a whole.
  ItemPath PathOfPart(const LabEmbedding& embedding) const {
    if (!IsDirect(embedding)) {
      return PathOfPart(*EmbeddingOf(question_.layout, embedding.parent));
    }
    ItemPath path = {{.hint = embedding.attribute, .name = LiteralText(embedding.attribute)}};
    if (embedding.map_by == kLabNone) return path;
    const LabAttributeRef key = {embedding.entity, embedding.map_by};
    std::optional<KeyPiece> known = KnownValue(question_, {.attribute = key});
    if (known) {
      path.push_back(
          {.hint = LabAttributeAt(file(), key).name, .name = KeyText{std::move(*known)}});
    }
    return path;
  }

  void AddFilter(LabAttributeRef held, const LabCondition& condition, std::vector<KeyText> values) {
    const LabAttribute& attribute = LabAttributeAt(file(), held);
    if (Contains(rest_.filtered, attribute.name) && values.size() == 1) return;
    if (!IsInKey(attribute.name)) AddName(attribute.name, rest_.lacking);
    if (!CanFilter(attribute.name)) {
      return AddName("whose " + attribute.name + " differs", rest_.client_filters);
    }
    for (const std::string& value : condition.values) values.push_back(LiteralText(value));
    rest_.filters.push_back({.path = {{attribute.name, LiteralText(attribute.name)}},
                             .type = attribute.type,
                             .op = static_cast<FilterTerm::Op>(condition.op),
                             .values = std::move(values),
                             .or_absent = !AllHold(held)});
    AddName(attribute.name, rest_.filtered);
  }

  // Returns whether items of all hosts hold the attribute of that name.
  bool AllHold(LabAttributeRef ref) const {
    return std::all_of(interval_.items.begin(), interval_.items.end(),
                       [&](const LabItem* item) { return HeldAs(*item, ref).entity != kLabNone; });
  }

  void FindRangeFilter() {
    const LabRange& range = question_.pattern.range;
    if (range.kind == LabRange::Kind::kNone || interval_.has_exact_range) return;
    const LabAttribute& attribute = LabAttributeAt(file(), range.attribute);
    for (const LabItem* item : interval_.items) {
      const LabAttributeRef held = HeldAs(*item, range.attribute);
      if (held.entity == kLabNone) continue;
      if (is_get_ || !IsInKey(LabAttributeAt(file(), held).name)) {
        if (!is_get_) AddName(LabAttributeAt(file(), held).name, rest_.lacking);
        return AddName("whose " + attribute.name + " is outside of the range",
                       rest_.client_filters);
      }
      return AddRangeFilters(held, range);
    }
    AddName("whose " + attribute.name + " is outside of the range", rest_.client_filters);
  }

  void AddRangeFilters(LabAttributeRef held, const LabRange& range) {
    const LabAttribute& attribute = LabAttributeAt(file(), held);
    FilterTerm term = {.path = {{attribute.name, LiteralText(attribute.name)}},
                       .type = attribute.type,
                       .op = FilterTerm::Op::kAtLeast,
                       .or_absent = !AllHold(held)};
    AddName(attribute.name, rest_.filtered);
    KeyPiece slot = {.kind = KeyPiece::Kind::kSlot,
                     .slot = {.role = question_.role, .part = {.attribute = range.attribute}}};
    switch (range.kind) {
      case LabRange::Kind::kNone:
        return;
      case LabRange::Kind::kLast:
        slot.slot.source = RequestSlot::Source::kNow;
        slot.slot.offset_ms = -range.last_ms;
        break;
      case LabRange::Kind::kPrefix:
        slot.slot.source = RequestSlot::Source::kStart;
        slot.slot.part.width = range.prefix;
        term.op = FilterTerm::Op::kBeginsWith;
        break;
      case LabRange::Kind::kBetween:
        if (range.from) rest_.filters.push_back(WithValue(term, LiteralText(*range.from)));
        term.op = FilterTerm::Op::kAtMost;
        if (range.to) rest_.filters.push_back(WithValue(term, LiteralText(*range.to)));
        return;
    }
    rest_.filters.push_back(WithValue(term, {std::move(slot)}));
  }

  static FilterTerm WithValue(FilterTerm term, KeyText value) {
    term.values = {std::move(value)};
    return term;
  }

  // Leaves out the items of other entities that lie inside.
  void FindTypeFilter() {
    const LabTable& table = TableOf(question_.layout, interval_.key);
    bool has_strangers = is_scan_;
    bool has_doubles = false;
    for (const LabItem* other : interval_.others) {
      const bool is_double = std::any_of(hosts_.begin(), hosts_.end(), [&](const AskedHost& host) {
        return host.entity == other->entity;
      });
      (is_double ? has_doubles : has_strangers) = true;
    }
    const bool has_type = !table.type_attribute.empty() && IsInKey(table.type_attribute);
    if (has_strangers && has_type) AddTypeFilter(table.type_attribute);
    if (is_scan_ && (has_doubles || !has_type)) return AddKeyFilter(table);
    if ((has_strangers && !has_type) || has_doubles) {
      AddName("that are other items in the interval", rest_.client_filters);
    }
  }

  void AddTypeFilter(const std::string& type_attribute) {
    FilterTerm term = {.path = {{type_attribute, LiteralText(type_attribute)}},
                       .op = FilterTerm::Op::kIn};
    for (const AskedHost& host : hosts_) {
      term.values.push_back(LiteralText(EntityAt(file(), host.entity).name));
    }
    if (term.values.size() == 1) term.op = FilterTerm::Op::kEqual;
    rest_.filters.insert(rest_.filters.begin(), std::move(term));
    rest_.filters_type = true;
  }

  // Distinguishes the items of a Scan by the text with which their keys begin.
  void AddKeyFilter(const LabTable& table) {
    for (const auto* attributes : {&table.hash, &table.range}) {
      for (const std::string& attribute : *attributes) {
        const LabItemKey* key = KeyOfItem(*interval_.items.front(), attribute);
        if (key == nullptr || key->text.parts.empty()) continue;
        const std::string& literal = key->text.parts.front().literal;
        if (literal.empty()) continue;
        rest_.filters.insert(rest_.filters.begin(), {.path = {{attribute, LiteralText(attribute)}},
                                                     .op = FilterTerm::Op::kBeginsWith,
                                                     .values = {LiteralText(literal)}});
        return;
      }
    }
    AddName("that are items of other entities", rest_.client_filters);
  }

  void FindProjection() {
    bool leaves_out = false;
    for (std::size_t i = 0; i < hosts_.size(); ++i) {
      leaves_out = question_.pattern.returns.empty() ? ProjectAll(i) || leaves_out
                                                     : ProjectReturns(i) || leaves_out;
    }
    if (!leaves_out) rest_.projection.clear();
    for (const LabAttributeRef ref : question_.pattern.returns) {
      const std::string& name = LabAttributeAt(file(), ref).name;
      if (!Contains(found_, name)) AddName(name, rest_.unheld);
    }
  }

  // Asks for everything of one host, or for all that is embedded in it, where it is not asked
  // itself. Returns whether that leaves out a part of its items.
  bool ProjectAll(std::size_t place) {
    const AskedHost& host = hosts_[place];
    const LabItem& item = *interval_.items[place];
    if (!host.is_asked) {
      for (const int part : host.parts) AddPart(part, {});
      return true;
    }
    if (item.attributes && !IsWholeItem(item)) {
      rest_.obstacle = "its items of " + EntityAt(file(), item.entity).name + " hold only " +
                       NamesOf(*item.attributes);
    }
    for (const LabAttributeRef ref : HeldAttributes(input(), item)) {
      const std::string& name = LabAttributeAt(file(), ref).name;
      if (!IsInKey(name)) AddName(name, rest_.lacking);
      AddPath({{name, LiteralText(name)}});
    }
    for (const LabEmbedding* embedding : EmbeddedIn(input(), item)) {
      if (!IsInKey(embedding->attribute)) AddName(embedding->attribute, rest_.lacking);
      AddPath({{embedding->attribute, LiteralText(embedding->attribute)}});
    }
    return false;
  }

  bool IsWholeItem(const LabItem& item) const {
    const std::size_t all = EntityAt(file(), item.entity).attributes.size();
    std::size_t own = 0;
    for (const LabAttributeRef ref : *item.attributes) own += ref.entity == item.entity ? 1U : 0U;
    return own >= all;
  }

  std::string NamesOf(const std::vector<LabAttributeRef>& refs) const {
    std::string names;
    for (const LabAttributeRef ref : refs) {
      names += (names.empty() ? "" : ", ") + LabAttributeAt(file(), ref).name;
    }
    return names;
  }

  bool ProjectReturns(std::size_t place) {
    const AskedHost& host = hosts_[place];
    const LabItem& item = *interval_.items[place];
    std::vector<LabAttributeRef> wanted = question_.pattern.returns;
    if (!interval_.has_order && question_.pattern.order.entity != kLabNone) {
      wanted.push_back(question_.pattern.order);
    }
    std::size_t held_count = 0;
    for (const LabAttributeRef ref : wanted) {
      const LabAttribute& attribute = LabAttributeAt(file(), ref);
      if (std::find(host.parts.begin(), host.parts.end(), ref.entity) != host.parts.end()) {
        AddPart(ref.entity, attribute.name);
        continue;
      }
      const LabAttributeRef held = HeldAs(item, ref);
      if (held.entity == kLabNone) continue;
      ++held_count;
      const std::string& name = LabAttributeAt(file(), held).name;
      AddName(attribute.name, found_);
      if (!IsInKey(name)) AddName(name, rest_.lacking);
      AddPath({{name, LiteralText(name)}});
    }
    // Keys made of templates are a part of the item that nobody asks for.
    return held_count < HeldAttributes(input(), item).size() + item.keys.size();
  }

  // Asks for what is embedded: one attribute of the one element that the caller knows, or all.
  void AddPart(int entity, const std::string& attribute) {
    const LabEmbedding& embedding = *EmbeddingOf(question_.layout, entity);
    ItemPath path = PathOfPart(embedding);
    if (!attribute.empty()) AddName(attribute, found_);
    if (!IsInKey(path.front().hint)) AddName(path.front().hint, rest_.lacking);
    const bool is_one_element = path.size() > 1 && !attribute.empty() && IsDirect(embedding);
    if (is_one_element && !AsksKeyOf(embedding)) {
      path.push_back({attribute, LiteralText(attribute)});
    }
    AddPath(std::move(path));
  }

  // Returns whether the pattern asks for the key of a map, which its elements do not hold.
  bool AsksKeyOf(const LabEmbedding& embedding) const {
    const LabAttributeRef key = {embedding.entity, embedding.map_by};
    const std::vector<LabAttributeRef>& returns = question_.pattern.returns;
    return std::find(returns.begin(), returns.end(), key) != returns.end();
  }

  void AddPath(ItemPath path) {
    for (const ItemPath& one : rest_.projection) {
      if (one.size() != path.size()) continue;
      const bool is_same =
          std::equal(one.begin(), one.end(), path.begin(),
                     [](const PathStep& a, const PathStep& b) { return a.hint == b.hint; });
      if (is_same) return;
    }
    rest_.projection.push_back(std::move(path));
  }

  const ReadQuestion& question_;
  const std::vector<AskedHost>& hosts_;
  const KeyInterval& interval_;
  const bool is_get_;
  const bool is_scan_;
  ReadRest rest_;
  std::vector<std::string> found_;  // names of what is asked and found
};

}  // namespace

ReadRest RestOf(const ReadQuestion& question, const std::vector<AskedHost>& hosts,
                const KeyInterval& interval, bool is_scan) {
  return RestFinder(question, hosts, interval, is_scan).Find();
}

}  // namespace hashrange
