#include "lab/propose/candidate_layout.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/text/short_text.h"
#include "lab/language/lab_facts.h"
#include "lab/language/lab_templates.h"
#include "lab/plan/request/item_template.h"
#include "lab/plan/request/lab_call.h"

namespace hashrange {
namespace {

// docs/service/03-tables-and-indexes.md
constexpr std::size_t kLongestName = 255;  // of a table, an index or a key attribute
constexpr std::size_t kMostOfKey = 4;      // attributes of an index's partition or sort key

// Returns the name with "_" in place of what names of tables and indexes can't have.
std::string WithPlainLetters(std::string name) {
  for (char& letter : name) {
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  }
  return name;
}

// How the attribute of a key is called, and whether its texts have labels. The key of an index may
// also be several attributes, one of each word, and a flag, which only the instances in it have.
struct KeyForm {
  std::string name = {};
  bool has_labels = true;
  std::vector<std::string> several = {};  // in place of the name
  std::string flag = {};                  // empty: none

  std::vector<std::string> Names() const {
    std::vector<std::string> names = several;
    for (const std::string& one : {name, flag}) {
      if (!one.empty()) names.push_back(one);
    }
    return names;
  }
};

// Makes the items of the choices in one table.
class TableBuilder {
 public:
  TableBuilder(const LabFile& file, const AccessSpace& space, std::span<const EntityChoice> choices,
               TableStyle style)
      : file_(file), space_(space), choices_(choices), is_native_(IsNative(style)) {}

  // `slots` may be null: those of SlotsOf.
  void Build(std::string name, const SlotPlan* slots, LabLayout& layout) {
    number_ = static_cast<int>(layout.tables.size());
    table_.name = std::move(name);
    table_.type_attribute = is_native_ ? "" : "entityType";
    slots_ = slots != nullptr ? *slots : SlotsOf(space_, choices_, is_native_);
    NameKeys();
    MakeIndexes();
    for (const EntityChoice& choice : choices_) {
      if (choice.table_key != kLeftOut) AddItems(choice);
    }
    LeaveOutUnstored();
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

  LabTemplate TextOf(const std::vector<KeyWord>& words, const KeyForm& form) const {
    if (form.has_labels || HasValues(words)) return TemplateOfWords(file_, words, !form.has_labels);
    // "OPEN" of "ORDERS#OPEN" and "ALL" of "ORDERS", in a key that only orders have.
    const std::string& label = words.front().label;
    const std::size_t mark = label.find('#');
    return TemplateOfWords(file_, {{.label = mark == label.npos ? "ALL" : label.substr(mark + 1)}},
                           true);
  }

  // Returns the attribute that the words are nothing but; empty: they are more.
  std::string AttributeOf(const std::vector<KeyWord>& words) const {
    const LabTemplate text = TemplateOfWords(file_, words, true);
    return IsBarePlaceholder(text) ? LabAttributeAt(file_, text.parts.front().attribute).name : "";
  }

  // Returns the attributes that the words are nothing but, one each; empty: they are more, or the
  // service takes no key of so many.
  std::vector<std::string> AttributesOf(const std::vector<KeyWord>& words) const {
    std::vector<std::string> names;
    for (const KeyWord& word : words) {
      const std::string name = AttributeOf({word});
      if (name.empty() || std::ranges::count(names, name) > 0) return {};
      names.push_back(name);
    }
    return names.size() > kMostOfKey ? std::vector<std::string>() : names;
  }

  // Returns whether an item of another entity in the table has all of these attributes.
  bool AreOfOthers(const std::vector<std::string>& names, int entity) const {
    return std::ranges::any_of(choices_, [&](const EntityChoice& choice) {
      return choice.entity != entity && std::ranges::all_of(names, [&](const std::string& name) {
               return StoredAttribute(file_, choice.entity, name).entity != kLabNone;
             });
    });
  }

  // Returns "pending_runner_tag" for the runner_tag of what is pending, "starts_at_session" for
  // starts_at and session_id.
  std::string NameOfValues(const std::vector<KeyWord>& words,
                           const std::vector<LabCondition>& when) const {
    std::string name;
    std::vector<std::string> names;
    for (const KeyWord& word : words) {
      if (!word.HasValue() || word.value.shards > 0) continue;
      names.push_back(LabAttributeAt(file_, word.value.attribute).name);
    }
    std::string values = names.size() == 1 ? names.front() : "";
    for (std::size_t i = 0; names.size() > 1 && i < names.size(); ++i) {
      values += (i == 0 ? "" : "_") + WithoutId(names[i]);
    }
    if (values.empty()) {
      // "open_orders" of "ORDERS#OPEN".
      name = words.front().label;
      if (const std::size_t mark = name.find('#'); mark != name.npos) {
        name = name.substr(mark + 1) + "_" + name.substr(0, mark);
      }
    } else {
      for (const LabCondition& one : when) name += NameOfCondition(one);
      name += values;
    }
    return WithPlainLetters(LowerCase(name));
  }

  // Returns the name of the values, or `otherwise` where an item has another attribute of it.
  std::string NameOfWords(int entity, const std::vector<KeyWord>& words,
                          const std::vector<LabCondition>& when, const std::string& otherwise) {
    const std::string name = NameOfValues(words, when);
    for (const std::string& one :
         {name, LowerCase(LabelOfName(EntityAt(file_, entity).name)) + "_" + name}) {
      // The same of the same entity is the same attribute.
      const auto [at, is_new] = named_.try_emplace(one, entity, words);
      const bool is_free =
          one.size() <= kLongestName && StoredAttribute(file_, entity, one).entity == kLabNone &&
          !AreOfOthers({one}, entity) && (is_new || at->second == std::pair(entity, words));
      if (is_free) return one;
    }
    return otherwise;
  }

  // Returns the name of the flag of instances that meet the conditions: "is_open" of a status that
  // is open; empty: they can't be named so, or another attribute has the name.
  std::string FlagOf(int entity, const std::vector<LabCondition>& when) {
    std::string name = "is";
    for (const LabCondition& one : when) {
      const std::string of_one = NameOfCondition(one);
      if (of_one.empty()) return "";
      name += "_" + of_one.substr(0, of_one.size() - 1);
    }
    name = WithPlainLetters(LowerCase(name));
    const auto same = [](const LabCondition& one, const LabCondition& other) {
      return one.attribute == other.attribute && one.values == other.values;
    };
    const auto [at, is_new] = flags_.try_emplace(name, when);
    const bool is_free = name.size() <= kLongestName && !AreOfOthers({name}, kLabNone) &&
                         !named_.contains(name) && std::ranges::equal(at->second, when, same) &&
                         (when.front().attribute.entity == entity);
    return is_free ? name : "";
  }

  // Returns "OPEN" of the flag "is_open".
  static std::vector<KeyWord> WordOfFlag(const std::string& flag) {
    return {{.label = "IS#" + LabelOfName(flag.substr(flag.find('_') + 1))}};
  }

  // Returns "open_" of a status that is open, and "notify_" of a notify that is true; of what can't
  // be named so, nothing.
  std::string NameOfCondition(const LabCondition& one) const {
    if (one.op != LabCondition::Op::kEqual) return "";
    const std::string& attribute = LabAttributeAt(file_, one.attribute).name;
    const std::string& value = one.values.front();
    constexpr std::size_t kShortValue = 2;  // "no" says nothing by itself
    if (value == "true" || LowerCase(value) == "yes") return attribute + "_";
    const bool needs_name = value == "false" || value.size() <= kShortValue;
    return (needs_name ? attribute + "_" : "") + LabelOfName(value) + "_";
  }

  void SetType(const std::string& name, const LabTemplate& text) {
    const bool is_bare = IsBarePlaceholder(text);
    table_.key_types[name] =
        is_bare ? LabAttributeAt(file_, text.parts.front().attribute).type : LabType::kString;
  }

  void NameKeys() {
    hash_ = {"PK"};
    range_ = {"SK"};
    table_.key_types = {{"PK", LabType::kString}, {"SK", LabType::kString}};
    table_.hash = {"PK"};
    table_.range = {"SK"};
    if (is_native_) NameNativeKeys();
  }

  void NameNativeKeys() {
    FindNativeKeys();
    table_.key_types.clear();
    table_.hash = {hash_.name};
    table_.range.clear();
    const ProposedKey& key = KeyOf(choices_.front());
    SetType(hash_.name, TextOf(key.hash, hash_));
    if (range_.name.empty()) return;
    table_.range = {range_.name};
    SetType(range_.name, TextOf(key.range, range_));
  }

  void FindNativeKeys() {
    const EntityChoice& first = choices_.front();
    const ProposedKey& key = KeyOf(first);
    const std::string attribute = AttributeOf(key.hash);
    if (choices_.size() == 1) {
      hash_.has_labels = range_.has_labels = false;
      hash_.name = !attribute.empty() ? attribute : NameOfWords(first.entity, key.hash, {}, "PK");
      const std::string sorted = AttributeOf(key.range);
      range_.name = !HasValues(key.range) ? ""
                    : !sorted.empty()     ? sorted
                                          : NameOfWords(first.entity, key.range, {}, "SK");
      return;
    }
    // The same value of all, which no item has by that name beside another one.
    const bool is_one_value = std::ranges::all_of(choices_, [&](const EntityChoice& choice) {
      const std::vector<KeyWord>& hash = KeyOf(choice).hash;
      const std::string own = AttributeOf(hash);
      const bool is_free = StoredAttribute(file_, choice.entity, attribute).entity == kLabNone;
      return !own.empty() && !attribute.empty() && (own == attribute || is_free) &&
             IsSameValue(file_, hash.front().value.attribute, key.hash.front().value.attribute);
    });
    if (is_one_value) hash_ = {attribute, false};
    if (IsEachByItself()) range_.name.clear();
  }

  // Returns whether each instance has a partition of its own, which needs no sort key.
  bool IsEachByItself() const {
    for (std::size_t i = 0; i < choices_.size(); ++i) {
      if (HasValues(KeyOf(choices_[i]).range)) return false;
      for (std::size_t j = 0; j < i; ++j) {
        if (MayBeOnePartition(KeyOf(choices_[i]).hash, KeyOf(choices_[j]).hash)) return false;
      }
    }
    return true;
  }

  // Returns whether the words say more than the entity's label, which a table of its own does not
  // need.
  static bool HasValues(const std::vector<KeyWord>& words) {
    return std::ranges::any_of(words, [](const KeyWord& word) { return word.HasValue(); });
  }

  static bool HasValue(const ProposedKey& key, LabAttributeRef ref) {
    const auto is_value = [&](const KeyWord& word) {
      return word.value.attribute == ref && word.value.shards == 0 &&
             word.value.form == LabTemplatePart::Form::kAsIs;
    };
    return std::ranges::any_of(key.hash, is_value) || std::ranges::any_of(key.range, is_value);
  }

  // --- Indexes ---

  void MakeIndexes() {
    for (int i = 0; i < slots_.global_indexes + slots_.local_indexes; ++i) {
      const bool is_local = i >= slots_.global_indexes;
      const int number = is_local ? i - slots_.global_indexes : i;
      const std::string name = (is_local ? "LSI" : "GSI") + std::to_string(number + 1);
      LabIndex index = {.name = name, .is_local = is_local};
      index_hashes_.push_back({is_local ? hash_.name : name + "PK"});
      index_ranges_.push_back({name + "SK"});
      const auto is_here = [&](const PathSlot& at) { return at.slot == i; };
      if (is_native_ && std::ranges::count_if(slots_.paths, is_here) == 1) {
        NameNativeIndex(*std::ranges::find_if(slots_.paths, is_here), index);
      } else if (is_native_) {
        NameTogetherIndex(i, index);
      }
      index.hash = index_hashes_.back().Names();
      index.range = index_ranges_.back().Names();
      index.projection = LabIndex::Projection::kKeysOnly;
      table_.indexes.push_back(std::move(index));
      for (const PathSlot& at : slots_.paths) {
        if (at.slot == i) SetTypes(at);
      }
    }
    for (const PathSlot& at : slots_.paths) {
      IncludeAttributes(choices_[at.choice], PathAt(at),
                        table_.indexes[static_cast<std::size_t>(at.slot)]);
    }
  }

  void SetTypes(const PathSlot& at) {
    const auto slot = static_cast<std::size_t>(at.slot);
    const ProposedKey& key = PathAt(at).key;
    const KeyForm& hash = index_hashes_[slot];
    const KeyForm& range = index_ranges_[slot];
    if (!table_.indexes[slot].is_local) SetTypesOf(hash, key.hash);
    SetTypesOf(range, RangeOf(at));
  }

  void SetTypesOf(const KeyForm& form, const std::vector<KeyWord>& words) {
    for (std::size_t i = 0; i < form.several.size(); ++i) {
      SetType(form.several[i], TextOf({words[i]}, form));
    }
    if (!form.name.empty()) SetType(form.name, TextOf(words, form));
    if (!form.flag.empty()) SetType(form.flag, TextOf(WordOfFlag(form.flag), form));
  }

  // Returns the words of the index's sort key. Where that is an attribute, it is the time that is
  // asked for, and not the identity whose order is the same and which the table's key holds, or
  // nobody asks for.
  std::vector<KeyWord> RangeOf(const PathSlot& at) const {
    const AccessPath& path = PathAt(at);
    std::vector<KeyWord> range = path.key.range;
    const LabAttributeRef identity = {choices_[at.choice].entity, 0};
    const bool is_replaced = path.time.entity != kLabNone &&
                             !index_ranges_[static_cast<std::size_t>(at.slot)].has_labels &&
                             range.back().value.attribute == identity &&
                             (HasValue(KeyOf(choices_[at.choice]), identity) ||
                              !IsReturned(choices_[at.choice].entity, path.patterns, identity));
    if (is_replaced) range.back().value.attribute = path.time;
    return range;
  }

  // Returns whether one of the patterns asks for the attribute of the entity.
  bool IsReturned(int entity, const std::vector<int>& patterns, LabAttributeRef ref) const {
    return std::ranges::any_of(
        SpaceAt(space_, entity).questions, [&](const AccessQuestion& question) {
          return std::ranges::count(patterns, question.pattern) > 0 &&
                 (question.returns_all || std::ranges::count(question.returns, ref) > 0);
        });
  }

  // Names an index that several entities are in by the attribute that is the partition key of all.
  void NameTogetherIndex(int slot, LabIndex& index) {
    std::string attribute;
    for (const PathSlot& at : slots_.paths) {
      if (at.slot != slot) continue;
      const ProposedKey& key = PathAt(at).key;
      const std::string own = AttributeOf(key.hash);
      if (own.empty() || !key.when.empty() || (!attribute.empty() && own != attribute)) return;
      attribute = own;
    }
    if (index.is_local || attribute.empty()) return;
    index_hashes_.back() = {.name = attribute, .has_labels = false};
    // Items of other entities may have that attribute, but they have no such sort key.
    index_ranges_.back() = {.name = WithPlainLetters(WithoutId(attribute)) + "_SK"};
    SetIndexName("by_" + attribute, "SK", index);
  }

  // Names an index of one path, and its keys.
  void NameNativeIndex(const PathSlot& at, LabIndex& index) {
    const ProposedKey& key = PathAt(at).key;
    const int entity = choices_[at.choice].entity;
    KeyForm& hash = index_hashes_.back();
    KeyForm& range = index_ranges_.back();
    range.has_labels = false;
    const std::vector<KeyWord> words = RangeOf(at);
    const std::vector<std::string> sorted =
        HasValues(words) ? AttributesOf(words) : std::vector<std::string>();
    if (!index.is_local) {
      std::vector<std::string> names = AttributesOf(key.hash);
      names.insert(names.end(), sorted.begin(), sorted.end());
      // By attributes that others have, they would be in the index, too.
      const bool is_of_others = AreOfOthers(names, entity);
      names.resize(names.size() - sorted.size());
      const bool are_attributes = !names.empty() || !HasValues(key.hash);
      std::string flag = key.when.empty() || !are_attributes || names.size() == kMostOfKey
                             ? ""
                             : FlagOf(entity, key.when);
      if (!flag.empty() || (!names.empty() && key.when.empty() && !is_of_others)) {
        hash = KeyOfAttributes(std::move(names));
        hash.flag = std::move(flag);
      } else {
        hash = {.name = NameOfWords(entity, key.hash, key.when, hash.name), .has_labels = false};
      }
    }
    const bool are_attributes =
        index.is_local ? sorted.size() == 1 && !AreOfOthers(sorted, entity) : !sorted.empty();
    if (!HasValues(words)) {
      range.name.clear();
    } else if (are_attributes) {
      range = KeyOfAttributes(sorted);
    } else {
      range.name = NameOfWords(entity, words, key.when, range.name);
    }
    // One partition of all is called as what is there: "open_orders".
    const bool has_values = index.is_local || HasValues(key.hash);
    const std::string of_range = range.several.empty() ? range.name : NameOfValues(words, {});
    const std::string of_hash =
        hash.several.empty() && hash.flag.empty() ? hash.name : NameOfValues(key.hash, key.when);
    SetIndexName((has_values ? "by_" : "") + (index.is_local ? of_range : of_hash), of_range,
                 index);
  }

  static KeyForm KeyOfAttributes(std::vector<std::string> names) {
    if (names.size() > 1) return {.has_labels = false, .several = std::move(names)};
    return {.name = names.empty() ? "" : names.front(), .has_labels = false};
  }

  // Names the index "by_studio" of "by_studio_id", or where there is one,
  // "by_studio_and_starts_at". Where the service takes neither, the index keeps its number.
  void SetIndexName(const std::string& attribute, const std::string& range, LabIndex& index) const {
    const std::string name = WithoutId(attribute);
    constexpr std::size_t kShortestName = 3;
    for (std::string one : {name, name + "_and_" + range}) {
      one = WithPlainLetters(std::move(one));
      const bool is_allowed = one.size() >= kShortestName && one.size() <= kLongestName;
      if (!is_allowed || std::ranges::count(table_.indexes, one, &LabIndex::name) > 0) continue;
      index.name = one;
      return;
    }
  }

  void IncludeAttributes(const EntityChoice& choice, const AccessPath& path, LabIndex& index) {
    for (const LabAttributeRef ref : ProjectedBy(file_, choice.entity, path)) {
      // Where keys have labels, an identity in the key is as good as its name.
      const bool has_labels = hash_.has_labels || range_.has_labels;
      if (has_labels && ref.attribute == 0 && HasValue(KeyOf(choice), ref)) continue;
      const std::string& name = LabAttributeAt(file_, ref).name;
      const bool is_there =
          IsKeyOf(table_, index, name) || std::ranges::count(index.included, name) > 0;
      if (is_there) continue;
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

  const ProposedKey& KeyOf(const EntityChoice& choice) const {
    return SpaceAt(space_, choice.entity).table_keys[choice.table_key];
  }

  void AddTableKey(const ProposedKey& key, LabItem& item) const {
    item.keys.push_back({.attribute = hash_.name, .text = TextOf(key.hash, hash_)});
    if (range_.name.empty()) return;
    item.keys.push_back({.attribute = range_.name, .text = TextOf(key.range, range_)});
  }

  void AddItems(const EntityChoice& choice) {
    const EntitySpace& space = SpaceAt(space_, choice.entity);
    LabItem main = {.entity = choice.entity, .table = number_};
    AddTableKey(KeyOf(choice), main);
    for (const PathSlot& at : slots_.paths) {
      if (choices_[at.choice].entity != choice.entity) continue;
      const auto slot = static_cast<std::size_t>(at.slot);
      const ProposedKey& key = PathAt(at).key;
      if (!table_.indexes[slot].is_local)
        AddIndexKey(index_hashes_[slot], key.hash, key.when, main);
      AddIndexKey(index_ranges_[slot], RangeOf(at), key.when, main);
    }
    if (space.has_small_items) LeaveOutKeyed(main);
    items_.push_back(std::move(main));
    if (is_native_) return;
    for (const int attribute : space.unique) {
      const LabAttributeRef ref = {choice.entity, attribute};
      const bool is_kept =
          KeepsUnique(file_, KeyOf(choice), ref) || SentinelPath(choice, attribute) != nullptr;
      if (!is_kept) AddSentinel(choice, attribute);
    }
    for (std::size_t i = 0; i < space.paths.size(); ++i) {
      const AccessPath& path = space.paths[i];
      if (!choice.HasPath(i) || path.form != AccessPath::Form::kCopy) continue;
      LabItem copy = {.entity = choice.entity,
                      .table = number_,
                      .attributes = path.is_sentinel() ? WithTableKey(choice, path.attributes)
                                                       : WithOtherCopies(choice, i),
                      .when = path.key.when};
      AddTableKey(path.key, copy);
      items_.push_back(std::move(copy));
    }
  }

  // Leaves out the attributes that the client reads out of the table's key of the item.
  void LeaveOutKeyed(LabItem& item) const {
    std::vector<LabAttributeRef> kept;
    bool leaves_out = false;
    for (const LabAttributeRef ref : AllAttributes(file_, item.entity)) {
      const std::string& name = LabAttributeAt(file_, ref).name;
      if (IsPrimaryKeyOf(table_, name)) continue;  // it is there anyway
      if (std::ranges::count(item.keys, name, &LabItemKey::attribute) == 0 &&
          IsHeldByTableKey(item, ref)) {
        leaves_out = true;
      } else {
        kept.push_back(ref);
      }
    }
    if (leaves_out) item.attributes = std::move(kept);
  }

  // Returns whether the table's key of the item has the whole value.
  bool IsHeldByTableKey(const LabItem& item, LabAttributeRef ref) const {
    using Form = LabTemplatePart::Form;
    return std::ranges::any_of(item.keys, [&](const LabItemKey& key) {
      return IsPrimaryKeyOf(table_, key.attribute) &&
             std::ranges::any_of(key.text.parts, [&](const LabTemplatePart& part) {
               const bool is_whole = part.attribute.entity != kLabNone && part.shards == 0 &&
                                     (part.form == Form::kAsIs || part.form == Form::kPadded);
               return is_whole && IsSameValue(file_, part.attribute, ref);
             });
    });
  }

  // Lets indexes project only what items have.
  void LeaveOutUnstored() {
    std::set<std::string> stored;
    for (const LabItem& item : items_) {
      for (const LabAttributeRef ref : StoredBy(file_, item)) {
        stored.insert(LabAttributeAt(file_, ref).name);
      }
    }
    for (LabIndex& index : table_.indexes) {
      std::erase_if(index.included,
                    [&](const std::string& name) { return !stored.contains(name); });
    }
  }

  void AddIndexKey(const KeyForm& form, const std::vector<KeyWord>& words,
                   const std::vector<LabCondition>& when, LabItem& item) const {
    for (std::size_t i = 0; i < form.several.size(); ++i) {
      AddIndexKey({.name = form.several[i], .has_labels = false}, {words[i]}, when, item);
    }
    if (!form.flag.empty()) {
      AddIndexKey({.name = form.flag, .has_labels = false}, WordOfFlag(form.flag), when, item);
    }
    if (form.name.empty()) return;
    if (std::ranges::count(item.keys, form.name, &LabItemKey::attribute) > 0) return;
    LabItemKey key = {.attribute = form.name, .text = TextOf(words, form)};
    // What the item has anyway is there always: that the other key is there sometimes suffices.
    const bool is_attribute =
        IsBarePlaceholder(key.text) &&
        StoredAttribute(file_, item.entity, form.name) == key.text.parts.front().attribute;
    if (!is_attribute) key.when = when;
    item.keys.push_back(std::move(key));
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

  // Returns the copy of the choice that keeps the attribute's value unique; null: none does.
  const AccessPath* SentinelPath(const EntityChoice& choice, int attribute) const {
    const std::vector<AccessPath>& paths = SpaceAt(space_, choice.entity).paths;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      if (choice.HasPath(i) && paths[i].sentinel_of == attribute) return &paths[i];
    }
    return nullptr;
  }

  void AddSentinel(const EntityChoice& choice, int attribute) {
    LabItem item = {
        .entity = choice.entity, .table = number_, .attributes = WithTableKey(choice, {})};
    AddTableKey(SentinelKey(file_, {choice.entity, attribute}), item);
    items_.push_back(std::move(item));
  }

  // Returns the attributes with the identity and what else the key of the item itself is made of.
  std::vector<LabAttributeRef> WithTableKey(const EntityChoice& choice,
                                            std::vector<LabAttributeRef> attributes) const {
    std::vector<LabAttributeRef> led_to = StoredIdentity(choice.entity);
    const ProposedKey& key = KeyOf(choice);
    for (const std::vector<KeyWord>* const words : {&key.hash, &key.range}) {
      for (const KeyWord& word : *words) {
        const LabAttributeRef ref = word.value.attribute;
        const bool is_stored = ref.entity == choice.entity ||
                               ref == LabAttributeRef{EntityAt(file_, choice.entity).parent, 0};
        if (word.HasValue() && is_stored) led_to.push_back(ref);
      }
    }
    for (const LabAttributeRef ref : led_to) {
      if (std::ranges::count(attributes, ref) == 0) attributes.push_back(ref);
    }
    return attributes;
  }

  // Returns whether a pattern changes or deletes instances.
  bool IsChanged(int entity) const {
    return std::ranges::any_of(file_.patterns, [&](const LabPattern& pattern) {
      return std::ranges::any_of(pattern.writes, [&](const LabWrite& write) {
        const bool is_of_it = write.entity == entity || std::ranges::count(write.with, entity) > 0;
        return is_of_it && write.kind != LabWrite::Kind::kCreate;
      });
    });
  }

  // Returns the attributes of the copy, with what the keys of the other copies are made of: a
  // caller who finds an instance by this copy has to change the others, too.
  std::vector<LabAttributeRef> WithOtherCopies(const EntityChoice& choice, std::size_t copy) const {
    const std::vector<AccessPath>& paths = SpaceAt(space_, choice.entity).paths;
    const std::vector<LabAttributeRef> stored = AllAttributes(file_, choice.entity);
    std::vector<LabAttributeRef> attributes = paths[copy].attributes;
    if (!IsChanged(choice.entity)) return attributes;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const bool is_other =
          i != copy && choice.HasPath(i) && paths[i].form == AccessPath::Form::kCopy;
      if (!is_other) continue;
      std::vector<LabAttributeRef> parts;
      for (const KeyWord& word : paths[i].key.hash) parts.push_back(word.value.attribute);
      for (const KeyWord& word : paths[i].key.range) parts.push_back(word.value.attribute);
      for (const LabCondition& one : paths[i].key.when) parts.push_back(one.attribute);
      for (const LabAttributeRef ref : parts) {
        const bool is_new =
            std::ranges::count(stored, ref) > 0 && std::ranges::count(attributes, ref) == 0;
        if (is_new) attributes.push_back(ref);
      }
    }
    return attributes;
  }

  void AddSentinelTables(const EntityChoice& choice, LabLayout& layout) const {
    const EntitySpace& space = SpaceAt(space_, choice.entity);
    for (const int attribute : space.unique) {
      const LabAttributeRef ref = {choice.entity, attribute};
      if (KeepsUnique(file_, KeyOf(choice), ref)) continue;
      const AccessPath* const path = SentinelPath(choice, attribute);
      const AccessPath sentinel = path ? *path : AccessPath{.key = SentinelKey(file_, ref)};
      LabTable table = {.name = PluralNameOf(EntityAt(file_, choice.entity).name) +
                                WithPlainLetters("_by_" + LabAttributeAt(file_, ref).name)};
      LabItem item = {.entity = choice.entity,
                      .table = static_cast<int>(layout.tables.size()),
                      .attributes = WithTableKey(choice, sentinel.attributes),
                      .when = sentinel.key.when};
      const auto add_key = [&](const KeyWord& word, std::vector<std::string>& key) {
        if (!word.HasValue()) return;
        const LabAttribute& value = LabAttributeAt(file_, word.value.attribute);
        key.push_back(value.name);
        table.key_types[value.name] = value.type;
        item.keys.push_back(
            {.attribute = value.name, .text = TemplateOfWords(file_, {word}, true)});
      };
      add_key(sentinel.key.hash.front(), table.hash);
      add_key(sentinel.key.range.front(), table.range);
      layout.tables.push_back(std::move(table));
      layout.items.push_back(std::move(item));
    }
  }

  const LabFile& file_;
  const AccessSpace& space_;
  const std::span<const EntityChoice> choices_;
  const bool is_native_;
  int number_ = 0;
  KeyForm hash_ = {};
  KeyForm range_ = {};  // without a name: there is none
  // Of each slot:
  std::vector<KeyForm> index_hashes_ = {};
  std::vector<KeyForm> index_ranges_ = {};
  // Of which entity and words the key attributes are that were given a name.
  std::map<std::string, std::pair<int, std::vector<KeyWord>>> named_ = {};
  std::map<std::string, std::vector<LabCondition>> flags_ = {};  // when an item has them
  LabTable table_ = {};
  SlotPlan slots_ = {};
  std::vector<LabItem> items_ = {};
};

// Returns whether the slot has a path of the choice, or where each path has an index, of any.
bool IsTaken(const SlotPlan& plan, std::size_t choice, int slot, bool has_index_each) {
  return std::ranges::any_of(plan.paths, [&](const PathSlot& at) {
    return (at.choice == choice || has_index_each) && at.slot == slot;
  });
}

}  // namespace

bool IsUsable(const AccessPath& path, const ProposedKey& table_key, TableStyle style) {
  // The same key is of use in an index that is read together with other entities, and in one whose
  // entries are smaller than the items.
  const bool is_together =
      path.form == AccessPath::Form::kGlobalIndex && path.together_for != kLabNone;
  const bool is_small = path.form == AccessPath::Form::kGlobalIndex && !path.has_all;
  if (path.key == table_key && !is_together && !is_small) return false;
  if (path.form == AccessPath::Form::kCopy) {
    const bool is_allowed = path.is_sentinel() ? path.key.hash != table_key.hash : !IsNative(style);
    return is_allowed && !AreMixed(path.key, table_key);
  }
  if (path.form != AccessPath::Form::kLocalIndex) return true;
  // A table with one entity has a sort key only where that says more than the entity's label.
  const auto has_value = [](const KeyWord& word) { return word.HasValue(); };
  const bool has_sort_key = !IsNative(style) || (std::ranges::any_of(table_key.range, has_value) &&
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
  std::vector<const AccessPath*> copies;
  for (std::size_t i = 0; i < own.paths.size(); ++i) {
    if (!choice.HasPath(i)) continue;
    const AccessPath& path = own.paths[i];
    if (!IsUsable(path, own.table_keys[choice.table_key], style)) return false;
    if (path.form != AccessPath::Form::kCopy) continue;
    for (const AccessPath* copy : copies) {
      // One item keeps a value unique.
      const bool is_same = path.is_sentinel() && copy->sentinel_of == path.sentinel_of;
      if (is_same || AreMixed(copy->key, path.key)) return false;
    }
    copies.push_back(&path);
  }
  return true;
}

bool IsWithParent(const LabFile& file, int entity, const ProposedKey& key) {
  const auto has = [&](LabAttributeRef ref) {
    return std::ranges::any_of(key.hash,
                               [&](const KeyWord& word) { return word.value.attribute == ref; });
  };
  const int parent = EntityAt(file, entity).parent;
  return parent != kLabNone && has({parent, 0}) && !has({entity, 0});
}

int CountBurdens(const AccessSpace& space, const EntityChoice& choice) {
  const std::vector<AccessPath>& paths = SpaceAt(space, choice.entity).paths;
  int count = 0;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (choice.HasPath(i) && IsBurden(paths[i])) ++count;
  }
  return count;
}

namespace {

// Returns whether the partition may change some day, which a table's key can't: it is made of what
// is neither an identity, nor refers to one, nor is unique, nor a code. What is called an id is one
// of something that the file does not describe.
bool MayChange(const LabFile& file, const ProposedKey& key) {
  return std::ranges::any_of(key.hash, [&](const KeyWord& word) {
    if (!word.HasValue()) return false;
    const LabAttributeRef root = RootOf(file, word.value.attribute);
    return root.attribute != 0 && ReferredEntity(file, word.value.attribute) == kLabNone &&
           !IsUnique(file, root) && !IsCode(file, root) &&
           !LabAttributeAt(file, root).name.ends_with("_id");
  });
}

// Returns whether the sort key has a name or an address, which may change some day, and which is
// not what tells the instances apart.
bool MayChangeInPartition(const LabFile& file, const ProposedKey& key) {
  return std::ranges::any_of(key.range, [&](const KeyWord& word) {
    if (!word.HasValue()) return false;
    const LabAttributeRef root = RootOf(file, word.value.attribute);
    return root.attribute != 0 && root.attribute != EntityAt(file, root.entity).distinct &&
           !IsUnique(file, root) && IsNameOrAddress(file, root);
  });
}

// Returns whether the instances lie where a page reads them that lists them, but in another order.
bool IsOutOfOrder(const LabFile& file, const EntitySpace& space, int entity,
                  const ProposedKey& key) {
  const LabAttributeRef first = key.range.front().value.attribute;
  return std::ranges::any_of(space.questions, [&](const AccessQuestion& question) {
    const bool is_listed = question.is_together && question.order.entity == entity &&
                           file.patterns[static_cast<std::size_t>(question.pattern)].limit > 0;
    const bool is_read = std::ranges::all_of(key.hash, [&](const KeyWord& word) {
      return std::ranges::count(question.by, word.value.attribute) > 0;
    });
    return is_listed && is_read && first != question.order &&
           (first.attribute != 0 || TimeOfUlid(file, first) != question.order);
  });
}

// Returns whether an index serves the pattern in the choice, or a copy.
bool HasPathFor(const EntitySpace& space, const EntityChoice& choice, int pattern,
                bool is_copy_enough = true) {
  for (std::size_t i = 0; i < space.paths.size(); ++i) {
    const AccessPath& path = space.paths[i];
    const bool is_enough = is_copy_enough || path.form != AccessPath::Form::kCopy;
    const bool is_for_it = std::ranges::count(path.patterns, pattern) > 0;
    if (choice.HasPath(i) && is_enough && is_for_it) return true;
  }
  return false;
}

// Returns whether the partition of the choice is a unique value of what is found by its identity in
// the table, and not in an index.
bool IsByOtherValue(const EntitySpace& space, const EntityChoice& choice) {
  const int entity = choice.entity;
  const ProposedKey& key = space.table_keys[choice.table_key];
  const bool is_by_unique = std::ranges::any_of(key.hash, [&](const KeyWord& word) {
    const LabAttributeRef ref = word.value.attribute;
    return ref.entity == entity && std::ranges::count(space.unique, ref.attribute) > 0;
  });
  return is_by_unique && std::ranges::any_of(space.questions, [&](const AccessQuestion& question) {
           return std::ranges::count(question.by, LabAttributeRef{entity, 0}) > 0 &&
                  !HasPathFor(space, choice, question.pattern);
         });
}

// Returns which share of all writes, gets and pages of several entities, of any entity, makes a
// detour to instances of this one: a page, and a get by identity or by a unique value, that an
// index serves, which lags; and a write that does not know the key of the item which it changes. A
// write counts as what it costs, five reads; one that lacks only the identity of an ancestor counts
// half, as that stays as it is. A page counts in parts, one for each of its entities.
double ShareOfDetours(const LabFile& file, const EntitySpace& space, const EntityChoice& choice) {
  constexpr double kReadsOfWrite = 5;
  const int entity = choice.entity;
  const ProposedKey& key = space.table_keys[choice.table_key];
  std::map<int, double> detours;  // patterns, and what each counts
  for (const AccessQuestion& question : space.questions) {
    const auto is_known = [&](const KeyWord& word) {
      return !word.HasValue() || std::ranges::any_of(question.by, [&](LabAttributeRef ref) {
        return IsSameValue(file, ref, word.value.attribute);
      });
    };
    const auto is_lasting = [&](const KeyWord& word) {
      if (is_known(word)) return true;
      const LabAttributeRef root = RootOf(file, word.value.attribute);
      return root.attribute == 0 && root.entity != entity &&
             IsAncestorOrSelf(file, root.entity, entity);
    };
    const auto are_all = [&](const auto& is) {
      return std::ranges::all_of(key.hash, is) && std::ranges::all_of(key.range, is);
    };
    const LabPattern& pattern = PatternForm(file, question.pattern);
    const bool is_write = !pattern.writes.empty();
    const bool is_by_index = HasPathFor(space, choice, question.pattern, false);
    const LabAttributeRef by = question.by.size() == 1 ? question.by.front() : LabAttributeRef{};
    const bool tells_apart = by.entity == entity && (by.attribute == 0 || IsUnique(file, by));
    double counted = 0;
    if (question.is_together) {
      counted = is_by_index ? 1 / static_cast<double>(pattern.entities.size()) : 0;
    } else if (question.is_of_one && !are_all(is_known)) {
      counted = !is_write ? (tells_apart && is_by_index) : are_all(is_lasting) ? 0.5 : 1;
    }
    detours[question.pattern] = std::max(detours[question.pattern], counted);
  }
  double all = 0;
  double with_detour = 0;
  for (int number = 0; number < static_cast<int>(file.patterns.size()); ++number) {
    const LabPattern& pattern = file.patterns[static_cast<std::size_t>(number)];
    const bool is_write = !pattern.writes.empty();
    const bool is_list = pattern.kind != LabPattern::Kind::kGet && pattern.entities.size() < 2;
    if (!is_write && is_list) continue;
    const double calls = pattern.calls_per_second * (is_write ? kReadsOfWrite : 1);
    all += calls;
    with_detour += detours[number] * calls;
  }
  return all > 0 ? with_detour / all : 0;
}

// Returns whether the path is an index of a unique value, which an item keeps unique, too.
bool IsOfUniqueValue(const EntitySpace& space, int entity, const AccessPath& path) {
  const LabAttributeRef ref = path.key.hash.front().value.attribute;
  return path.form == AccessPath::Form::kGlobalIndex && path.key.hash.size() == 1 &&
         ref.entity == entity && std::ranges::count(space.unique, ref.attribute) > 0;
}

// Returns whether the attribute is a state: a flag, or a choice that a write sets or has as its
// condition.
bool IsState(const LabFile& file, LabAttributeRef ref) {
  using Kind = LabGenerator::Kind;
  const Kind kind = LabAttributeAt(file, ref).generator.kind;
  if (kind != Kind::kChoice) return kind == Kind::kFlag;
  return std::ranges::any_of(file.patterns, [&](const LabPattern& pattern) {
    return std::ranges::any_of(pattern.writes, [&](const LabWrite& write) {
      const bool is_set =
          std::ranges::count(write.changes, ref.attribute, &LabChange::attribute) > 0;
      return (is_set && write.entity == ref.entity) ||
             std::ranges::count(write.conditions, ref, &LabCondition::attribute) > 0;
    });
  });
}

// Returns whether what the copy holds changes: an update changes it, or it is a state, which
// something will change that the file does not describe.
bool HoldsChanged(const LabFile& file, const AccessPath& copy) {
  return std::ranges::any_of(copy.attributes, [&](LabAttributeRef ref) {
    return ChangesPerSecond(file, ref) > 0 || IsState(file, ref);
  });
}

// Returns whether a question by a constant is served by a key that has the attribute, so that the
// index has the instances with all other values, too.
bool HasConstantInKey(const EntitySpace& space, const AccessPath& path) {
  return std::ranges::any_of(space.questions, [&](const AccessQuestion& question) {
    return std::ranges::count(path.patterns, question.pattern) > 0 &&
           std::ranges::any_of(question.constants, [&](const LabCondition& one) {
             const auto is_of_it = [&](const KeyWord& word) {
               return word.value.attribute == one.attribute;
             };
             return std::ranges::any_of(path.key.hash, is_of_it) ||
                    std::ranges::any_of(path.key.range, is_of_it);
           });
  });
}

// Returns whether somebody asks for instances of the entity by their identity.
bool IsAskedByIdentity(const LabFile& file, const EntitySpace& space, int entity) {
  const LabAttributeRef identity = {entity, 0};
  return std::ranges::any_of(space.questions,
                             [&](const AccessQuestion& question) {
                               return std::ranges::count(question.by, identity) > 0;
                             }) ||
         std::ranges::any_of(file.patterns, [&](const LabPattern& pattern) {
           return std::ranges::any_of(pattern.returned_others, [&](const LabReturnedOther& other) {
             return other.attribute.entity == entity;
           });
         });
}

// Returns whether somebody asks for the entity, and nobody by its table key. Where nobody asks for
// it by its identity, it is looked for with its parent.
bool IsKeyUnasked(const LabFile& file, const EntitySpace& space, const EntityChoice& choice) {
  const ProposedKey& key = space.table_keys[choice.table_key];
  const LabAttributeRef identity = {choice.entity, 0};
  const bool is_by_identity = std::ranges::any_of(
      key.hash, [&](const KeyWord& word) { return word.value.attribute == identity; });
  const bool has_parent = EntityAt(file, choice.entity).parent != kLabNone;
  const bool is_where_expected = !has_parent || IsAskedByIdentity(file, space, choice.entity)
                                     ? is_by_identity
                                     : IsWithParent(file, choice.entity, key);
  if (is_where_expected || space.questions.empty()) return false;
  const auto is_by_key = [&](const AccessQuestion& question) {
    return !HasPathFor(space, choice, question.pattern) &&
           std::ranges::all_of(key.hash, [&](const KeyWord& word) {
             return !word.HasValue() || std::ranges::any_of(question.by, [&](LabAttributeRef ref) {
               return IsSameValue(file, ref, word.value.attribute);
             });
           });
  };
  return std::ranges::none_of(space.questions, is_by_key);
}

}  // namespace

int WeightOfBurdens(const LabFile& file, const AccessSpace& space, const EntityChoice& choice) {
  constexpr int kWeightOfKeyApart = 6;
  constexpr int kWeightOfKeyThatChanges = 20;
  constexpr int kWeightOfNameInKey = 10;
  constexpr int kWeightOfConstantInKey = 2;
  constexpr int kWeightOfUnaskedKey = 6;
  constexpr int kWeightOfSentinel = 1;
  constexpr int kWeightOfHeld = 16;
  constexpr int kWeightOfHeldWhole = 8;
  constexpr int kWeightOfUniqueIndex = 6;
  constexpr double kWeightOfDetours = 24;  // where all calls make one
  constexpr int kWeightOfOtherValue = 8;
  const EntitySpace& own = SpaceAt(space, choice.entity);
  int weight = CountBurdens(space, choice);
  for (std::size_t i = 0; i < own.paths.size(); ++i) {
    // Of layouts that cost the same, the one with fewer indexes is simpler.
    if (choice.HasPath(i) && own.paths[i].form == AccessPath::Form::kGlobalIndex) ++weight;
    if (choice.HasPath(i) && HasConstantInKey(own, own.paths[i])) weight += kWeightOfConstantInKey;
    if (choice.HasPath(i) && IsOfUniqueValue(own, choice.entity, own.paths[i])) {
      weight += kWeightOfUniqueIndex;
    }
    if (choice.HasPath(i) && own.paths[i].is_sentinel()) {
      const bool holds_all =
          own.paths[i].attributes.size() >= AllAttributes(file, choice.entity).size();
      if (holds_all) weight += kWeightOfHeldWhole;
      if (HoldsChanged(file, own.paths[i])) weight += kWeightOfHeld;
    }
  }
  if (choice.table_key == kLeftOut) return weight;
  if (IsKeyUnasked(file, own, choice)) weight += kWeightOfUnaskedKey;
  const ProposedKey& key = own.table_keys[choice.table_key];
  for (const int unique : own.unique) {
    if (!KeepsUnique(file, key, {choice.entity, unique})) weight += kWeightOfSentinel;
  }
  const std::vector<LabAttributeRef> identity = {{choice.entity, 0}};
  const bool is_asked_by_itself =
      std::ranges::count(own.questions, identity, &AccessQuestion::by) > 0;
  const std::vector<LabAttributeRef> of_parent = {{EntityAt(file, choice.entity).parent, 0}};
  const bool is_asked_by_parent =
      std::ranges::count(own.questions, of_parent, &AccessQuestion::by) > 0;
  // A page of another one that it belongs to may read it there.
  const bool is_on_page = std::ranges::any_of(own.questions, [&](const AccessQuestion& question) {
    return question.is_together && std::ranges::all_of(key.hash, [&](const KeyWord& word) {
             return std::ranges::count(question.by, word.value.attribute) > 0;
           });
  });
  const bool is_apart = is_asked_by_parent && !is_asked_by_itself && !is_on_page &&
                        !IsWithParent(file, choice.entity, key);
  // Who only knows the value that may change finds the instance by it.
  const bool may_change = MayChange(file, key) && IsAskedByIdentity(file, own, choice.entity);
  weight += may_change                        ? kWeightOfKeyThatChanges
            : MayChangeInPartition(file, key) ? kWeightOfNameInKey
            : is_apart                        ? kWeightOfKeyApart
                                              : 0;
  if (IsByOtherValue(own, choice)) weight += kWeightOfOtherValue;
  weight += static_cast<int>(std::lround(kWeightOfDetours * ShareOfDetours(file, own, choice)));
  return weight + (IsOutOfOrder(file, own, choice.entity, key) ? 1 : 0);
}

SlotPlan SlotsOf(const AccessSpace& space, std::span<const EntityChoice> choices,
                 bool has_index_each) {
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
          bool is_beside = false;
          if (is_together) {
            for (const PathSlot& at : plan.paths) {
              const AccessPath& other = SpaceAt(space, choices[at.choice].entity).paths[at.path];
              if (at.slot < first || other.together_for != one.together_for ||
                  IsTaken(plan, i, at.slot, false)) {
                continue;
              }
              slot = at.slot;
              is_beside = true;
            }
          }
          while (!is_beside && IsTaken(plan, i, slot, has_index_each)) ++slot;
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

namespace {

// Returns whether the pattern may read items of both by one Query: of one partition, or of an index
// that is for them together.
bool MayRead(const AccessSpace& space, int pattern, const EntityChoice& one,
             const EntityChoice& other) {
  const EntitySpace& first = SpaceAt(space, one.entity);
  const EntitySpace& second = SpaceAt(space, other.entity);
  if (MayBeOnePartition(first.table_keys[one.table_key].hash,
                        second.table_keys[other.table_key].hash)) {
    return true;
  }
  const auto has_path = [&](const EntitySpace& own, const EntityChoice& choice) {
    for (std::size_t i = 0; i < own.paths.size(); ++i) {
      if (choice.HasPath(i) && own.paths[i].together_for == pattern) return true;
    }
    return false;
  };
  return has_path(first, one) && has_path(second, other);
}

}  // namespace

std::vector<std::vector<EntityChoice>> CollectionsOf(const LabFile& file, const AccessSpace& space,
                                                     std::span<const EntityChoice> choices) {
  std::vector<std::vector<EntityChoice>> collections;
  for (const EntityChoice& choice : choices) collections.push_back({choice});
  const auto collection_of = [&](int entity) {
    return std::ranges::find_if(collections, [&](const std::vector<EntityChoice>& one) {
      return std::ranges::count(one, entity, &EntityChoice::entity) > 0;
    });
  };
  for (int pattern = 0; pattern < static_cast<int>(file.patterns.size()); ++pattern) {
    const std::vector<int>& entities = PatternForm(file, pattern).entities;
    for (const EntityChoice& one : choices) {
      for (const EntityChoice& other : choices) {
        const bool are_asked = one.entity < other.entity &&
                               std::ranges::count(entities, one.entity) > 0 &&
                               std::ranges::count(entities, other.entity) > 0 &&
                               one.table_key != kLeftOut && other.table_key != kLeftOut;
        if (!are_asked || !MayRead(space, pattern, one, other)) continue;
        const auto to = collection_of(one.entity);
        const auto from = collection_of(other.entity);
        if (to == from) continue;
        to->insert(to->end(), from->begin(), from->end());
        collections.erase(from);
      }
    }
  }
  return collections;
}

namespace {

// Calls the table of several collections, if there is one, as the one table would be called.
void NameMixedTable(const std::string& name, LabLayout& layout) {
  const auto is_mixed = [&](const LabTable& table) { return table.hash.front() == "PK"; };
  const bool is_free = std::ranges::count(layout.tables, name, &LabTable::name) == 0;
  if (!is_free || std::ranges::count_if(layout.tables, is_mixed) != 1) return;
  std::ranges::find_if(layout.tables, is_mixed)->name = name;
}

}  // namespace

LabLayout LayoutOf(const LabFile& file, const AccessSpace& space,
                   std::span<const EntityChoice> choices, TableStyle style,
                   const std::string& table_name, const SlotPlan* slots) {
  LabLayout layout;
  if (style == TableStyle::kOneTable) {
    TableBuilder(file, space, choices, style).Build(table_name, slots, layout);
    return layout;
  }
  std::vector<std::vector<EntityChoice>> tables;
  if (style == TableStyle::kTogether) {
    tables = CollectionsOf(file, space, choices);
  } else {
    for (const EntityChoice& choice : choices) tables.push_back({choice});
  }
  for (const std::vector<EntityChoice>& table : tables) {
    if (table.front().table_key == kLeftOut) continue;
    TableBuilder(file, space, table, style)
        .Build(PluralNameOf(EntityAt(file, table.front().entity).name), nullptr, layout);
  }
  NameMixedTable(table_name, layout);
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

bool IsKeyOf(const LabTable& table, const LabIndex& index, const std::string& name) {
  const auto has = [&](const std::vector<std::string>& names) {
    return std::ranges::count(names, name) > 0;
  };
  return has(index.hash) || has(index.range) || has(TableKeyOf(table));
}

std::vector<LabAttributeRef> StoredBy(const LabFile& file, const LabItem& item) {
  return item.attributes ? *item.attributes : AllAttributes(file, item.entity);
}

bool HasKeysOf(const LabItem& item, const LabIndex& index) {
  const auto has = [&](const std::string& name) {
    return std::ranges::count(item.keys, name, &LabItemKey::attribute) > 0;
  };
  return std::ranges::all_of(index.hash, has) && std::ranges::all_of(index.range, has);
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
