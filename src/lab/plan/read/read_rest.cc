#include "lab/plan/read/read_rest.h"

#include <algorithm>

#include "lab/plan/read/equal_keys.h"
#include "lab/plan/request/pattern_plan.h"

namespace hashrange {

KeyText LiteralText(std::string_view literal) { return {KeyPiece{.text = std::string(literal)}}; }

ItemPath PathOfName(const std::string& name) { return {{name, LiteralText(name)}}; }

namespace {

using Form = LabTemplatePart::Form;

// Returns whether the placeholder writes all of the value.
bool IsExact(const LabTemplatePart& part) {
  return part.shards == 0 &&
         (part.form == Form::kAsIs || part.form == Form::kPadded || part.form == Form::kDescend);
}

// Returns whether the values of a key can be told apart in its text: something stands between them.
bool CanBeSplit(const LabTemplate& text) {
  for (std::size_t i = 1; i < text.parts.size(); ++i) {
    if (text.parts[i].literal.empty()) return false;
  }
  return true;
}

// Returns whether the value of a placeholder can be cut out of each text of the template as it is:
// what stands behind a value is never a part of the value.
bool CanBeCutOut(const LabFile& file, const LabTemplate& text, std::size_t place) {
  using GeneratorKind = LabGenerator::Kind;
  if (text.parts[place].form != Form::kAsIs) return false;
  for (std::size_t i = 0; i <= place && i + 1 < text.parts.size(); ++i) {
    const LabAttributeRef root = RootOf(file, text.parts[i].attribute);
    const GeneratorKind kind = LabAttributeAt(file, root).generator.kind;
    const bool is_plain = kind == GeneratorKind::kSequence || kind == GeneratorKind::kUlid ||
                          kind == GeneratorKind::kUuid || kind == GeneratorKind::kTime;
    const char next = text.parts[i + 1].literal.front();
    const bool is_behind = next == '#' || next == '|' || next == '/' || next == '_' || next == '@';
    if (!is_plain || !is_behind) return false;
  }
  return true;
}

}  // namespace

std::optional<std::size_t> PlaceOfWhole(const LabFile& file, const LabTemplate& text,
                                        LabAttributeRef attribute) {
  if (!CanBeSplit(text)) return std::nullopt;
  for (std::size_t i = 0; i < text.parts.size(); ++i) {
    const LabTemplatePart& part = text.parts[i];
    if (part.attribute.entity == kLabNone || !IsExact(part)) continue;
    if (IsSameValue(file, part.attribute, attribute)) return i;
  }
  return std::nullopt;
}

namespace {

// Where the attributes that a question is about lie in the items of one key.
class ItemPaths {
 public:
  // Both outlive the object.
  ItemPaths(const ReadQuestion& question, LabKey key) : question_(question), key_(key) {}

  const LabFile& file() const { return question_.file; }
  PlannerInput input() const { return {question_.file, question_.layout}; }

  // Returns the attribute of the item that has the value; entity kLabNone: there is none.
  LabAttributeRef HeldAs(const LabItem& item, LabAttributeRef ref) const;
  // Returns whether the key has the attribute: the table's has all, an index has its projection. A
  // filter cannot compare what an index lacks, even where a local index reads it from the table.
  bool IsInKey(const std::string& name) const;
  // Returns the attribute of the item's key whose text has the value whole, where the key has that
  // attribute: the client reads player_id out of SCORE#{score:010}#{player_id}. Null: there is
  // none.
  const LabItemKey* KeyWith(const LabItem& item, LabAttributeRef ref) const;
  // Returns whether each item that the key has and that is asked for, has that attribute.
  bool IsAlways(const LabItem& item, const LabItemKey& key) const;
  // Returns whether the entity is embedded in an entity that has items of its own.
  bool IsDirect(const LabEmbedding& embedding) const;
  // Returns the path of an embedded entity: down to the one element whose key the caller knows, or
  // the list or map as a whole.
  ItemPath PathOfPart(const LabEmbedding& embedding) const;

 private:
  const ReadQuestion& question_;
  LabKey key_;
};

LabAttributeRef ItemPaths::HeldAs(const LabItem& item, LabAttributeRef ref) const {
  const std::vector<LabAttributeRef> held = HeldAttributes(input(), item);
  for (const LabAttributeRef one : held) {
    if (one == ref) return one;
  }
  for (const LabAttributeRef one : held) {
    if (IsSameValue(file(), one, ref)) return one;
  }
  return {};
}

bool ItemPaths::IsInKey(const std::string& name) const {
  const LabIndex* index = IndexOf(question_.layout, key_);
  if (index == nullptr || index->projection == LabIndex::Projection::kAll) return true;
  const LabTable& table = TableOf(question_.layout, key_);
  return HasName(index->included, name) || HasName(table.hash, name) ||
         HasName(table.range, name) || HasName(index->hash, name) || HasName(index->range, name);
}

bool ItemPaths::IsAlways(const LabItem& item, const LabItemKey& key) const {
  return IsPrimaryKeyOf(TableOfItem(question_.layout, item), key.attribute) ||
         HasName(HashOf(question_.layout, key_), key.attribute) ||
         HasName(RangeOf(question_.layout, key_), key.attribute) ||
         (AreImplied(question_, key.when) && !CanBeAbsent(file(), key.text));
}

const LabItemKey* ItemPaths::KeyWith(const LabItem& item, LabAttributeRef ref) const {
  for (const LabItemKey& key : item.keys) {
    const bool has_all = IsInKey(key.attribute) && IsAlways(item, key);
    if (has_all && PlaceOfWhole(file(), key.text, ref)) return &key;
  }
  return nullptr;
}

bool ItemPaths::IsDirect(const LabEmbedding& embedding) const {
  return EmbeddingOf(question_.layout, embedding.parent) == nullptr;
}

ItemPath ItemPaths::PathOfPart(const LabEmbedding& embedding) const {
  if (!IsDirect(embedding)) {
    return PathOfPart(*EmbeddingOf(question_.layout, embedding.parent));
  }
  ItemPath path = PathOfName(embedding.attribute);
  if (embedding.map_by == kLabNone) return path;
  const LabAttributeRef key = {embedding.entity, embedding.map_by};
  std::optional<KeyPiece> known = KnownValue(question_, {.attribute = key});
  if (known) {
    path.push_back({.hint = LabAttributeAt(file(), key).name, .name = KeyText{std::move(*known)}});
  }
  return path;
}

// Finds the projection of one question, key and set of items.
class ProjectionFinder {
 public:
  ProjectionFinder(const ReadQuestion& question, const std::vector<AskedHost>& hosts,
                   const AskedInterval& interval, ReadRest& rest)
      : question_(question),
        hosts_(hosts),
        interval_(interval),
        rest_(rest),
        paths_(question, interval.key) {}

  void Find() {
    bool leaves_out = false;
    for (std::size_t i = 0; i < hosts_.size(); ++i) {
      leaves_out = question_.pattern.returns.empty() ? ProjectAll(i) || leaves_out
                                                     : ProjectReturns(i) || leaves_out;
    }
    if (leaves_out) {
      for (const ReadFromKey& one : rest_.from_keys) AddPath(PathOfName(one.key));
    } else {
      rest_.projection.clear();
    }
    for (const LabAttributeRef ref : question_.pattern.returns) {
      const std::string& name = LabAttributeAt(paths_.file(), ref).name;
      if (!HasName(found_, name)) AddName(name, rest_.unheld);
    }
  }

 private:
  // Asks for everything of one host, or for all that is embedded in it, where it is not asked
  // itself. Returns whether that leaves out a part of its items.
  bool ProjectAll(std::size_t place) {
    const AskedHost& host = hosts_[place];
    const LabItem& item = *interval_.items[place];
    if (!host.is_asked) {
      for (const int part : host.parts) AddPart(part, {});
      return true;
    }
    if (host.item == nullptr && item.attributes && !AddWholeItem(item)) {
      rest_.obstacle = ReadObstacle{.kind = ReadObstacle::Kind::kHoldOnly,
                                    .entity = item.entity,
                                    .names = NamesOf(*item.attributes)};
    }
    for (const LabAttributeRef ref : HeldAttributes(paths_.input(), item)) AddHeld(item, ref);
    for (const LabEmbedding* embedding : EmbeddedIn(paths_.input(), item)) {
      if (!paths_.IsInKey(embedding->attribute)) AddName(embedding->attribute, rest_.lacking);
      AddPath(PathOfName(embedding->attribute));
    }
    return false;
  }

  // Returns whether the item has each attribute of its entity, or keys of which the client reads
  // those that it lacks.
  bool AddWholeItem(const LabItem& item) {
    const auto count = static_cast<int>(EntityAt(paths_.file(), item.entity).attributes.size());
    for (int i = 0; i < count; ++i) {
      const LabAttributeRef ref = {item.entity, i};
      if (paths_.HeldAs(item, ref).entity != kLabNone) continue;
      const LabItemKey* const key = paths_.KeyWith(item, ref);
      if (key == nullptr) return false;
      rest_.from_keys.push_back({LabAttributeAt(paths_.file(), ref).name, key->attribute});
    }
    return true;
  }

  std::vector<std::string> NamesOf(const std::vector<LabAttributeRef>& refs) const {
    std::vector<std::string> names;
    for (const LabAttributeRef ref : refs) {
      names.push_back(LabAttributeAt(paths_.file(), ref).name);
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
      const LabAttribute& attribute = LabAttributeAt(paths_.file(), ref);
      if (std::find(host.parts.begin(), host.parts.end(), ref.entity) != host.parts.end()) {
        AddPart(ref.entity, attribute.name);
        continue;
      }
      const LabAttributeRef held = paths_.HeldAs(item, ref);
      if (held.entity != kLabNone) {
        ++held_count;
        AddHeld(item, held);
      } else if (const LabItemKey* const key = paths_.KeyWith(item, ref)) {
        AddFromKey(attribute.name, *key);
      } else if (!KnownValue(question_, {.attribute = ref})) {
        continue;
      }
      AddName(attribute.name, found_);
    }
    // Keys made of templates are a part of the item that nobody asks for.
    return held_count < HeldAttributes(paths_.input(), item).size() + item.keys.size();
  }

  // Asks for an attribute that the item holds, or for the key that has its value.
  void AddHeld(const LabItem& item, LabAttributeRef held) {
    const std::string& name = LabAttributeAt(paths_.file(), held).name;
    const bool is_by_name = std::ranges::find(question_.by_name, held) != question_.by_name.end();
    const LabItemKey* const key = paths_.IsInKey(name) ? nullptr : paths_.KeyWith(item, held);
    const bool can_read =
        key != nullptr &&
        (!is_by_name ||
         CanBeCutOut(paths_.file(), key->text, *PlaceOfWhole(paths_.file(), key->text, held)));
    if (can_read) return AddFromKey(name, *key);
    if (!paths_.IsInKey(name)) AddName(name, rest_.lacking);
    AddPath(PathOfName(name));
  }

  void AddFromKey(const std::string& name, const LabItemKey& key) {
    rest_.from_keys.push_back({name, key.attribute});
    AddPath(PathOfName(key.attribute));
  }

  // Asks for what is embedded: one attribute of the one element that the caller knows, or all.
  void AddPart(int entity, const std::string& attribute) {
    const LabEmbedding& embedding = *EmbeddingOf(question_.layout, entity);
    ItemPath path = paths_.PathOfPart(embedding);
    if (!attribute.empty()) AddName(attribute, found_);
    if (!paths_.IsInKey(path.front().hint)) AddName(path.front().hint, rest_.lacking);
    const bool is_one_element = path.size() > 1 && !attribute.empty() && paths_.IsDirect(embedding);
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
                     [](const ItemPathStep& a, const ItemPathStep& b) { return a.hint == b.hint; });
      if (is_same) return;
    }
    rest_.projection.push_back(std::move(path));
  }

  const ReadQuestion& question_;
  const std::vector<AskedHost>& hosts_;
  const AskedInterval& interval_;
  ReadRest& rest_;
  const ItemPaths paths_;
  std::vector<std::string> found_;  // names that are asked for and found
};

// Finds what is left for one question, key and set of items.
class RestFinder {
 public:
  RestFinder(const ReadQuestion& question, const std::vector<AskedHost>& hosts,
             const AskedInterval& interval, bool is_scan)
      : question_(question),
        hosts_(hosts),
        interval_(interval),
        is_get_(interval.is_full && interval.key.index == kLabNone),
        is_scan_(is_scan),
        paths_(question, interval.key) {}

  ReadRest Find() {
    for (std::size_t i = 0; i < hosts_.size(); ++i) FindFilters(i);
    FindRangeFilter();
    if (!is_get_) FindTypeFilter();
    ProjectionFinder(question_, hosts_, interval_, rest_).Find();
    if (!rest_.unheld.empty() && !rest_.obstacle) {
      rest_.obstacle = ReadObstacle{.kind = ReadObstacle::Kind::kHoldNot,
                                    .entity = interval_.items.front()->entity,
                                    .names = rest_.unheld};
    }
    return std::move(rest_);
  }

 private:
  const LabFile& file() const { return question_.file; }

  // Returns whether the key condition says the value already, for the items of one host.
  bool IsExpressed(const LabItem& item, LabAttributeRef ref) const {
    for (const LabTemplatePart& part : KnownPlaceholders(question_, item, interval_)) {
      if (IsPlaceholder(file(), ref, part)) return true;
      if (!IsExact(part)) continue;
      if (IsSameValue(file(), part.attribute, ref)) return true;
      // An identity determines what belongs to the instance and to its ancestors.
      const bool is_identity = part.attribute.attribute == 0 &&
                               EntityAt(file(), part.attribute.entity).identity_is_global;
      if (is_identity && IsAncestorOrSelf(file(), ref.entity, part.attribute.entity)) return true;
    }
    return false;
  }

  bool Concerns(const AskedHost& host, const LabItem& item, LabAttributeRef ref) const {
    return IsAncestorOrSelf(file(), ref.entity, host.entity) ||
           paths_.HeldAs(item, ref).entity != kLabNone;
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
      if (!is_slot) LeaveOut({.name = name});
      return;
    }
    const LabAttributeRef held = paths_.HeldAs(item, ref);
    const bool is_in_key =
        held.entity != kLabNone && paths_.IsInKey(LabAttributeAt(file(), held).name);
    const LabItemKey* const key = is_in_key ? nullptr : paths_.KeyWith(item, ref);
    if (key != nullptr) {
      const bool is_equal = is_slot || condition.op == LabCondition::Op::kEqual;
      if (is_equal && AddFilterOfKey(*key, ref)) return;
      return LeaveOut({.name = name});
    }
    if (held.entity == kLabNone) {
      rest_.obstacle = ReadObstacle{
          .kind = ReadObstacle::Kind::kHoldNoFilter, .entity = item.entity, .names = {name}};
      return;
    }
    AddFilter(held, condition, is_slot ? ValueOf(ref) : std::vector<KeyText>());
  }

  void LeaveOut(ClientFilter left) {
    std::vector<ClientFilter>& filters = rest_.client_filters;
    if (std::ranges::find(filters, left) == filters.end()) filters.push_back(std::move(left));
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
    const LabLayout& layout = question_.layout;
    return std::any_of(item.keys.begin(), item.keys.end(), [&](const LabItemKey& key) {
      return (HasName(HashOf(layout, interval_.key), key.attribute) ||
              HasName(RangeOf(layout, interval_.key), key.attribute)) &&
             std::any_of(key.when.begin(), key.when.end(), is_same);
    });
  }

  std::vector<KeyText> ValueOf(LabAttributeRef ref) const {
    std::optional<KeyPiece> known = KnownValue(question_, {.attribute = ref});
    return {KeyText{std::move(*known)}};
  }

  // Filters what is embedded: by the key of a map, or by the client.
  void FilterPart(LabAttributeRef ref) {
    const LabEmbedding& embedding = *EmbeddingOf(question_.layout, ref.entity);
    const std::string& name = LabAttributeAt(file(), ref).name;
    const bool is_key = embedding.map_by == ref.attribute && paths_.IsDirect(embedding);
    const bool is_in_key = paths_.IsInKey(embedding.attribute);
    if (is_key && is_get_) return;
    if (!is_get_ && !is_in_key) AddName(embedding.attribute, rest_.lacking);
    if (!is_key || !is_in_key) {
      return LeaveOut({.name = name, .inside = embedding.attribute});
    }
    rest_.filters.push_back({.path = paths_.PathOfPart(embedding), .op = FilterTerm::Op::kExists});
    AddName(name, rest_.filtered);
  }

  void AddFilter(LabAttributeRef held, const LabCondition& condition, std::vector<KeyText> values) {
    const LabAttribute& attribute = LabAttributeAt(file(), held);
    if (HasName(rest_.filtered, attribute.name) && values.size() == 1) return;
    if (!paths_.IsInKey(attribute.name)) {
      AddName(attribute.name, rest_.lacking);
      return LeaveOut({.name = attribute.name});
    }
    // A Query refuses a filter on an attribute of the key that it reads by.
    if (!is_scan_ && IsOfKeyRead(attribute.name)) {
      return LeaveOut({.name = attribute.name});
    }
    for (const std::string& value : condition.values) values.push_back(LiteralText(value));
    rest_.filters.push_back({.path = PathOfName(attribute.name),
                             .type = attribute.type,
                             .op = static_cast<FilterTerm::Op>(condition.op),
                             .values = std::move(values),
                             .or_absent = !AllHold(held)});
    AddName(attribute.name, rest_.filtered);
  }

  // Compares a key that has the value, as entries of an index have the key of the table, with as
  // much of its text as is known. Returns whether a filter can.
  bool AddFilterOfKey(const LabItemKey& key, LabAttributeRef ref) {
    if (!is_scan_ && IsOfKeyRead(key.attribute)) return false;
    KeyText text = ResolveTemplate(question_, key.text);
    const auto unknown = std::ranges::find(text, KeyPiece::Kind::kUnknown, &KeyPiece::kind);
    const bool is_whole = unknown == text.end();
    text.erase(unknown, text.end());
    // A text that begins so has the whole value only where something stands behind the value.
    const bool is_known = KnownValue(question_, {.attribute = ref}).has_value() &&
                          (is_whole || HasBefore(key.text, ref));
    const auto& types = TableOf(question_.layout, interval_.key).key_types;
    const auto type = types.find(key.attribute);
    const bool is_text = type == types.end() || type->second == LabType::kString;
    if (!is_known || (!is_whole && !is_text)) return false;
    AddName(LabAttributeAt(file(), ref).name, rest_.filtered);
    const bool is_there = std::ranges::any_of(rest_.filters, [&](const FilterTerm& one) {
      return one.path.size() == 1 && one.path.front().hint == key.attribute;
    });
    if (is_there) return true;
    rest_.filters.push_back({.path = PathOfName(key.attribute),
                             .type = is_text ? LabType::kString : type->second,
                             .op = is_whole ? FilterTerm::Op::kEqual : FilterTerm::Op::kBeginsWith,
                             .values = {std::move(text)}});
    return true;
  }

  // Returns whether the placeholder of the attribute stands before the first one that is unknown.
  bool HasBefore(const LabTemplate& text, LabAttributeRef ref) const {
    for (const LabTemplatePart& part : text.parts) {
      if (part.attribute.entity == kLabNone || !KnownValue(question_, part)) return false;
      if (IsExact(part) && IsSameValue(file(), part.attribute, ref)) return true;
    }
    return false;
  }

  bool IsOfKeyRead(const std::string& name) const {
    return HasName(HashOf(question_.layout, interval_.key), name) ||
           HasName(RangeOf(question_.layout, interval_.key), name);
  }

  // Returns whether items of all hosts hold the attribute of that name.
  bool AllHold(LabAttributeRef ref) const {
    return std::all_of(interval_.items.begin(), interval_.items.end(), [&](const LabItem* item) {
      return paths_.HeldAs(*item, ref).entity != kLabNone;
    });
  }

  void FindRangeFilter() {
    const LabRange& range = question_.pattern.range;
    if (range.kind == LabRange::Kind::kNone || interval_.has_exact_range) return;
    const LabAttribute& attribute = LabAttributeAt(file(), range.attribute);
    for (const LabItem* item : interval_.items) {
      const LabAttributeRef held = paths_.HeldAs(*item, range.attribute);
      if (held.entity == kLabNone) continue;
      const std::string& name = LabAttributeAt(file(), held).name;
      const bool is_refused = !is_scan_ && IsOfKeyRead(name);
      if (is_get_ || is_refused || !paths_.IsInKey(name)) {
        const LabItemKey* const key =
            is_get_ || is_refused ? nullptr : paths_.KeyWith(*item, range.attribute);
        if (key != nullptr) {
          rest_.from_keys.push_back({name, key->attribute});
        } else if (!is_get_ && !is_refused) {
          AddName(name, rest_.lacking);
        }
        return LeaveOut({.kind = ClientFilter::Kind::kOutsideRange, .name = attribute.name});
      }
      return AddRangeFilters(held, range);
    }
    LeaveOut({.kind = ClientFilter::Kind::kOutsideRange, .name = attribute.name});
  }

  void AddRangeFilters(LabAttributeRef held, const LabRange& range) {
    const LabAttribute& attribute = LabAttributeAt(file(), held);
    FilterTerm term = {.path = PathOfName(attribute.name),
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
      case LabRange::Kind::kNext:
        slot.slot.source = RequestSlot::Source::kNow;
        rest_.filters.push_back(WithValue(term, {slot}));
        slot.slot.offset_ms = range.next_ms;
        term.op = FilterTerm::Op::kAtMost;
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
    bool has_strangers = false;
    bool has_doubles = false;
    for (const LabItem* other : interval_.others) {
      const bool is_double = std::any_of(hosts_.begin(), hosts_.end(), [&](const AskedHost& host) {
        return host.entity == other->entity;
      });
      (is_double ? has_doubles : has_strangers) = true;
    }
    const bool has_type = !table.type_attribute.empty() && paths_.IsInKey(table.type_attribute);
    if (has_strangers && has_type) AddTypeFilter(table.type_attribute);
    if (!has_doubles && (has_type || !has_strangers)) return;
    if (is_scan_) return AddKeyFilter(table);
    LeaveOut({.kind = ClientFilter::Kind::kOtherItems});
  }

  void AddTypeFilter(const std::string& type_attribute) {
    FilterTerm term = {.path = PathOfName(type_attribute), .op = FilterTerm::Op::kIn};
    for (const AskedHost& host : hosts_) {
      term.values.push_back(LiteralText(EntityAt(file(), host.entity).name));
    }
    if (term.values.size() == 1) term.op = FilterTerm::Op::kEqual;
    rest_.filters.insert(rest_.filters.begin(), std::move(term));
    rest_.filters_type = true;
  }

  // Distinguishes the items of a Scan by the text with which their keys begin.
  void AddKeyFilter(const LabTable& table) {
    const LabItem& item = *interval_.items.front();
    std::vector<FilterTerm> terms;
    for (const auto* attributes : {&table.hash, &table.range}) {
      for (const std::string& attribute : *attributes) {
        const LabItemKey* key = KeyOfItem(item, attribute);
        if (key == nullptr || key->text.parts.empty()) continue;
        const LabTemplatePart& part = key->text.parts.front();
        if (part.literal.empty()) continue;
        terms.push_back({.path = PathOfName(attribute),
                         .op = part.attribute.entity == kLabNone ? FilterTerm::Op::kEqual
                                                                 : FilterTerm::Op::kBeginsWith,
                         .values = {LiteralText(part.literal)}});
      }
    }
    for (const LabItem* other : interval_.others) {
      if (rest_.filters_type && other->entity != item.entity) continue;
      if (PassesKeyFilter(*other, terms)) LeaveOut({.kind = ClientFilter::Kind::kOtherItems});
    }
    rest_.filters.insert(rest_.filters.begin(), terms.begin(), terms.end());
  }

  // Returns whether an item's key may begin as the terms ask.
  bool PassesKeyFilter(const LabItem& item, const std::vector<FilterTerm>& terms) const {
    return std::all_of(terms.begin(), terms.end(), [&](const FilterTerm& term) {
      const LabItemKey* key = KeyOfItem(item, term.path.front().hint);
      if (key == nullptr) return false;
      KeyText asked = term.values.front();
      if (term.op == FilterTerm::Op::kBeginsWith) {
        AppendPiece({.kind = KeyPiece::Kind::kUnknown}, asked);
      }
      return CanBeEqual(file(), asked, ResolveTemplate(question_, key->text));
    });
  }

  const ReadQuestion& question_;
  const std::vector<AskedHost>& hosts_;
  const AskedInterval& interval_;
  const bool is_get_;
  const bool is_scan_;
  const ItemPaths paths_;
  ReadRest rest_;
};

}  // namespace

ReadRest RestOf(const ReadQuestion& question, const std::vector<AskedHost>& hosts,
                const AskedInterval& interval, bool is_scan) {
  return RestFinder(question, hosts, interval, is_scan).Find();
}

}  // namespace hashrange
