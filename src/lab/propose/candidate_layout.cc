#include "lab/propose/candidate_layout.h"

#include <algorithm>

#include "lab/language/lab_facts.h"
#include "lab/language/lab_templates.h"

namespace hashrange {
namespace {

// Makes the items of the choices in one table.
class TableBuilder {
 public:
  TableBuilder(const LabFile& file, const AccessSpace& space, std::span<const EntityChoice> choices,
               bool is_native)
      : file_(file), space_(space), choices_(choices), is_native_(is_native) {}

  // `slots` may be null: those of SlotsOf.
  void Build(std::string name, const SlotPlan* slots, LabLayout& layout) {
    number_ = static_cast<int>(layout.tables.size());
    table_.name = std::move(name);
    table_.type_attribute = is_native_ ? "" : "entityType";
    slots_ = slots != nullptr ? *slots : SlotsOf(space_, choices_);
    NameKeys();
    MakeIndexes();
    for (const EntityChoice& choice : choices_) {
      if (choice.table_key != kLeftOut) AddItems(choice);
    }
    for (LabIndex& index : table_.indexes) FinishProjection(index);
    while (!AreNamesAllowed(table_)) ProjectAllOfLongest();
    layout.tables.push_back(std::move(table_));
    for (LabItem& item : items_) layout.items.push_back(std::move(item));
    if (!is_native_) return;
    for (const EntityChoice& choice : choices_) {
      if (choice.table_key != kLeftOut) AddSentinelTables(choice, layout);
    }
  }

 private:
  // --- Names of key attributes ---

  // Returns the attribute that a key of a table with one entity is nothing but; empty: the key is
  // made of several.
  std::string NativeName(const LabTemplate& text, bool is_sparse) const {
    if (!is_native_ || is_sparse || !IsBarePlaceholder(text)) return "";
    return LabAttributeAt(file_, text.parts.front().attribute).name;
  }

  void SetType(const std::string& name, const LabTemplate& text) {
    const bool is_bare = IsBarePlaceholder(text);
    table_.key_types[name] =
        is_bare ? LabAttributeAt(file_, text.parts.front().attribute).type : LabType::kString;
  }

  void NameKeys() {
    table_.hash = {"PK"};
    table_.range = {"SK"};
    if (!is_native_) {
      table_.key_types = {{"PK", LabType::kString}, {"SK", LabType::kString}};
      return;
    }
    const EntityChoice& choice = choices_.front();
    const ProposedKey& key = SpaceAt(space_, choice.entity).table_keys[choice.table_key];
    const LabTemplate hash = TemplateOfWords(file_, key.hash, true);
    if (const std::string name = NativeName(hash, false); !name.empty()) table_.hash = {name};
    SetType(table_.hash.front(), hash);
    if (!HasRange(key)) {
      table_.range.clear();
      return;
    }
    const LabTemplate range = TemplateOfWords(file_, key.range, true);
    if (const std::string name = NativeName(range, false); !name.empty()) table_.range = {name};
    SetType(table_.range.front(), range);
  }

  // Returns whether the sort key says more than the entity's label, which a table of its own does
  // not need.
  bool HasRange(const ProposedKey& key) const {
    return !is_native_ ||
           std::ranges::any_of(key.range, [](const KeyWord& word) { return word.HasValue(); });
  }

  // --- Indexes ---

  void MakeIndexes() {
    for (int i = 0; i < slots_.global_indexes + slots_.local_indexes; ++i) {
      const bool is_local = i >= slots_.global_indexes;
      const int number = is_local ? i - slots_.global_indexes : i;
      const std::string name = (is_local ? "LSI" : "GSI") + std::to_string(number + 1);
      LabIndex index = {.name = name, .is_local = is_local};
      index.hash = is_local ? table_.hash : std::vector<std::string>{name + "PK"};
      index.range = {name + "SK"};
      index.projection = LabIndex::Projection::kKeysOnly;
      for (const PathSlot& at : slots_.paths) {
        if (at.slot == i && is_native_) NameIndexKeys(PathAt(at), index);
      }
      table_.indexes.push_back(std::move(index));
    }
    for (const PathSlot& at : slots_.paths) {
      LabIndex& index = table_.indexes[static_cast<std::size_t>(at.slot)];
      const AccessPath& path = PathAt(at);
      if (!index.is_local) {
        SetType(index.hash.front(), TemplateOfWords(file_, path.key.hash, is_native_));
      }
      if (!index.range.empty()) {
        SetType(index.range.front(), TemplateOfWords(file_, path.key.range, is_native_));
      }
      IncludeAttributes(choices_[at.choice].entity, path, index);
    }
  }

  void NameIndexKeys(const AccessPath& path, LabIndex& index) {
    const bool is_sparse = !path.key.when.empty();
    if (!index.is_local) {
      const LabTemplate hash = TemplateOfWords(file_, path.key.hash, true);
      if (const std::string name = NativeName(hash, is_sparse); !name.empty()) index.hash = {name};
    }
    if (!HasRange(path.key)) {
      index.range.clear();
      return;
    }
    const LabTemplate range = TemplateOfWords(file_, path.key.range, true);
    if (const std::string name = NativeName(range, is_sparse); !name.empty()) {
      index.range = {name};
    }
  }

  void IncludeAttributes(int entity, const AccessPath& path, LabIndex& index) {
    for (const LabAttributeRef ref : ProjectedBy(file_, entity, path)) {
      const std::string& name = LabAttributeAt(file_, ref).name;
      const bool is_key = name == index.hash.front() ||
                          (!index.range.empty() && name == index.range.front()) ||
                          std::ranges::count(TableKeyOf(table_), name) > 0;
      if (is_key || std::ranges::count(index.included, name) > 0) continue;
      index.included.push_back(name);
    }
  }

  // Where an index names all attributes of an entity, it has less than by the projection of all:
  // not the entity's name, nor the keys of other indexes.
  static void FinishProjection(LabIndex& index) {
    if (index.included.empty()) return;
    index.projection = LabIndex::Projection::kInclude;
  }

  // Makes the index that names most attributes project everything.
  void ProjectAllOfLongest() {
    LabIndex& longest = *std::ranges::max_element(
        table_.indexes, {}, [](const LabIndex& index) { return index.included.size(); });
    longest.projection = LabIndex::Projection::kAll;
    longest.included.clear();
  }

  const AccessPath& PathAt(const PathSlot& at) const {
    return SpaceAt(space_, choices_[at.choice].entity).paths[at.path];
  }

  // --- Items ---

  LabItemKey KeyOf(const std::string& name, const std::vector<KeyWord>& words,
                   const std::vector<LabCondition>& when) const {
    return {.attribute = name, .text = TemplateOfWords(file_, words, is_native_), .when = when};
  }

  void AddTableKey(const ProposedKey& key, LabItem& item) const {
    item.keys.push_back(KeyOf(table_.hash.front(), key.hash, {}));
    if (!table_.range.empty()) item.keys.push_back(KeyOf(table_.range.front(), key.range, {}));
  }

  void AddItems(const EntityChoice& choice) {
    const EntitySpace& space = SpaceAt(space_, choice.entity);
    LabItem main = {.entity = choice.entity, .table = number_};
    AddTableKey(space.table_keys[choice.table_key], main);
    for (const PathSlot& at : slots_.paths) {
      if (choices_[at.choice].entity != choice.entity) continue;
      const LabIndex& index = table_.indexes[static_cast<std::size_t>(at.slot)];
      const ProposedKey& key = PathAt(at).key;
      if (!index.is_local) AddIndexKey(index.hash.front(), key.hash, key.when, main);
      if (!index.range.empty()) AddIndexKey(index.range.front(), key.range, key.when, main);
    }
    items_.push_back(std::move(main));
    if (is_native_) return;
    for (const int attribute : space.unique) {
      if (!HasItemAt(SentinelKey(file_, {choice.entity, attribute}), choice)) {
        AddSentinel(choice.entity, attribute);
      }
    }
    for (std::size_t i = 0; i < space.paths.size(); ++i) {
      const AccessPath& path = space.paths[i];
      if (!choice.HasPath(i) || path.form != AccessPath::Form::kCopy) continue;
      LabItem copy = {.entity = choice.entity,
                      .table = number_,
                      .attributes = path.attributes,
                      .when = path.key.when};
      AddTableKey(path.key, copy);
      items_.push_back(std::move(copy));
    }
  }

  static void AddIndexKey(const std::string& name, const LabItemKey& key, LabItem& item) {
    if (std::ranges::count(item.keys, name, &LabItemKey::attribute) == 0) item.keys.push_back(key);
  }
  void AddIndexKey(const std::string& name, const std::vector<KeyWord>& words,
                   const std::vector<LabCondition>& when, LabItem& item) const {
    AddIndexKey(name, KeyOf(name, words, when), item);
  }

  std::vector<LabAttributeRef> StoredIdentity(int entity) const {
    std::vector<LabAttributeRef> identity;
    for (const LabAttributeRef ref : IdentityOf(file_, entity)) {
      if (ref.entity == entity || ref.entity == EntityAt(file_, entity).parent) {
        identity.push_back(ref);
      }
    }
    return identity;
  }

  // Returns whether the item itself, or a copy, has the key.
  bool HasItemAt(const ProposedKey& key, const EntityChoice& choice) const {
    if (SpaceAt(space_, choice.entity).table_keys[choice.table_key] == key) return true;
    const std::vector<AccessPath>& paths = SpaceAt(space_, choice.entity).paths;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const bool is_copy = choice.HasPath(i) && paths[i].form == AccessPath::Form::kCopy;
      if (is_copy && paths[i].key == key) return true;
    }
    return false;
  }

  void AddSentinel(int entity, int attribute) {
    LabItem item = {.entity = entity, .table = number_, .attributes = StoredIdentity(entity)};
    AddTableKey(SentinelKey(file_, {entity, attribute}), item);
    items_.push_back(std::move(item));
  }

  void AddSentinelTables(const EntityChoice& choice, LabLayout& layout) const {
    const EntitySpace& space = SpaceAt(space_, choice.entity);
    for (const int attribute : space.unique) {
      const LabAttributeRef ref = {choice.entity, attribute};
      const ProposedKey key = SentinelKey(file_, ref);
      if (space.table_keys[choice.table_key] == key) continue;
      // What is found by the value.
      std::vector<LabAttributeRef> held = StoredIdentity(choice.entity);
      for (std::size_t i = 0; i < space.paths.size(); ++i) {
        const AccessPath& path = space.paths[i];
        const bool is_of_value = path.form == AccessPath::Form::kCopy && path.key == key;
        if (choice.HasPath(i) && is_of_value) held = path.attributes;
      }
      const std::string& name = LabAttributeAt(file_, ref).name;
      LabTable table = {.name = PluralNameOf(EntityAt(file_, choice.entity).name) + "_" + name,
                        .hash = {name}};
      table.key_types[name] = LabAttributeAt(file_, ref).type;
      LabItem item = {.entity = choice.entity,
                      .table = static_cast<int>(layout.tables.size()),
                      .attributes = std::move(held)};
      item.keys.push_back(KeyOf(name, {{.value = {.attribute = ref}}}, {}));
      layout.tables.push_back(std::move(table));
      layout.items.push_back(std::move(item));
    }
  }

  const LabFile& file_;
  const AccessSpace& space_;
  const std::span<const EntityChoice> choices_;
  const bool is_native_;
  int number_ = 0;
  LabTable table_ = {};
  SlotPlan slots_ = {};
  std::vector<LabItem> items_ = {};
};

// Returns whether the slot has a path of the choice.
bool IsTaken(const SlotPlan& plan, std::size_t choice, int slot) {
  return std::ranges::any_of(
      plan.paths, [&](const PathSlot& at) { return at.choice == choice && at.slot == slot; });
}

}  // namespace

bool IsUsable(const AccessPath& path, const ProposedKey& table_key, TableStyle style) {
  if (path.key == table_key) return false;
  if (path.form == AccessPath::Form::kCopy) {
    const bool is_allowed = style != TableStyle::kTableEach || path.is_sentinel;
    return is_allowed && !AreMixed(path.key, table_key);
  }
  if (path.form != AccessPath::Form::kLocalIndex) return true;
  // A table with one entity has a sort key only where that says more than the entity's label.
  const auto has_value = [](const KeyWord& word) { return word.HasValue(); };
  const bool has_sort_key =
      style != TableStyle::kTableEach || (std::ranges::any_of(table_key.range, has_value) &&
                                          std::ranges::any_of(path.key.range, has_value));
  return has_sort_key && path.key.hash == table_key.hash;
}

bool MayBeOnePartition(const std::vector<KeyWord>& one, const std::vector<KeyWord>& other) {
  const std::size_t common = std::min(one.size(), other.size());
  return std::ranges::equal(std::span(one).first(common), std::span(other).first(common), {},
                            &KeyWord::label, &KeyWord::label);
}

bool AreMixed(const ProposedKey& one, const ProposedKey& other) {
  return MayBeOnePartition(one.hash, other.hash) &&
         one.range.front().label == other.range.front().label;
}

bool IsPossible(const AccessSpace& space, const EntityChoice& choice, TableStyle style) {
  const EntitySpace& own = SpaceAt(space, choice.entity);
  std::vector<const ProposedKey*> copies;
  for (std::size_t i = 0; i < own.paths.size(); ++i) {
    if (!choice.HasPath(i)) continue;
    const AccessPath& path = own.paths[i];
    if (!IsUsable(path, own.table_keys[choice.table_key], style)) return false;
    if (path.form != AccessPath::Form::kCopy) continue;
    for (const ProposedKey* copy : copies) {
      if (AreMixed(*copy, path.key)) return false;
    }
    copies.push_back(&path.key);
  }
  return true;
}

SlotPlan SlotsOf(const AccessSpace& space, std::span<const EntityChoice> choices) {
  SlotPlan plan;
  for (const AccessPath::Form form :
       {AccessPath::Form::kGlobalIndex, AccessPath::Form::kLocalIndex}) {
    const int first = form == AccessPath::Form::kLocalIndex ? plan.global_indexes : 0;
    int slots = first;
    for (std::size_t i = 0; i < choices.size(); ++i) {
      if (choices[i].table_key == kLeftOut) continue;
      const std::vector<AccessPath>& paths = SpaceAt(space, choices[i].entity).paths;
      // What is read together with other entities takes their slot where it can.
      for (const bool is_together : {true, false}) {
        for (std::size_t path = 0; path < paths.size(); ++path) {
          const AccessPath& one = paths[path];
          const bool is_one = choices[i].HasPath(path) && one.form == form &&
                              (one.together_for != kLabNone) == is_together;
          if (!is_one) continue;
          int slot = first;
          if (is_together) {
            for (const PathSlot& at : plan.paths) {
              const AccessPath& other = SpaceAt(space, choices[at.choice].entity).paths[at.path];
              const bool is_beside = at.slot >= first && other.together_for == one.together_for &&
                                     !IsTaken(plan, i, at.slot);
              if (is_beside) slot = at.slot;
            }
          }
          while (IsTaken(plan, i, slot)) ++slot;
          plan.paths.push_back({i, path, slot});
          slots = std::max(slots, slot + 1);
        }
      }
    }
    (form == AccessPath::Form::kLocalIndex ? plan.local_indexes : plan.global_indexes) =
        slots - first;
  }
  return plan;
}

LabLayout LayoutOf(const LabFile& file, const AccessSpace& space,
                   std::span<const EntityChoice> choices, TableStyle style,
                   const std::string& table_name, const SlotPlan* slots) {
  LabLayout layout;
  const bool is_native = style == TableStyle::kTableEach;
  if (style == TableStyle::kOneTable) {
    TableBuilder(file, space, choices, is_native).Build(table_name, slots, layout);
    return layout;
  }
  for (const EntityChoice& choice : choices) {
    if (choice.table_key == kLeftOut) continue;
    TableBuilder(file, space, std::span(&choice, 1), is_native)
        .Build(PluralNameOf(EntityAt(file, choice.entity).name), nullptr, layout);
  }
  return layout;
}

std::vector<EntityChoice> ChoicesOf(const AccessSpace& space, const LayoutCandidate& candidate) {
  std::vector<EntityChoice> choices;
  for (int entity = 0; entity < static_cast<int>(space.entities.size()); ++entity) {
    choices.push_back(candidate.ChoiceOf(entity));
  }
  return choices;
}

LabLayout LayoutOf(const LabFile& file, const AccessSpace& space, const LayoutCandidate& candidate,
                   const std::string& table_name, const SlotPlan* slots) {
  return LayoutOf(file, space, ChoicesOf(space, candidate), candidate.style, table_name, slots);
}

bool AreNamesAllowed(const LabTable& table) {
  constexpr std::size_t kMostOfIndex = 20;
  constexpr std::size_t kMostOfTable = 100;
  std::size_t all = 0;
  for (const LabIndex& index : table.indexes) {
    if (index.included.size() > kMostOfIndex) return false;
    all += index.included.size();
  }
  return all <= kMostOfTable;
}

int CountIndexes(const LabLayout& layout) {
  int count = 0;
  for (const LabTable& table : layout.tables) count += static_cast<int>(table.indexes.size());
  return count;
}

}  // namespace hashrange
