#include "lab/plan/read/returned_others.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "lab/plan/read/plan_choice.h"

namespace hashrange {
namespace {

void AddRef(LabAttributeRef ref, std::vector<LabAttributeRef>& refs) {
  if (std::ranges::find(refs, ref) == refs.end()) refs.push_back(ref);
}

class OthersFinder {
 public:
  explicit OthersFinder(const ReadQuestion& question) : question_(question) {
    found_.pattern = question.pattern;
    found_.pattern.returned_others.clear();
  }

  ReturnedOthers Find() {
    std::vector<LabReturnedOther> left;
    for (const LabReturnedOther& other : question_.pattern.returned_others) {
      if (!FindCopy(other) && !FindInHost(other)) left.push_back(other);
    }
    while (!left.empty() && !found_.impossible) {
      const LabReturnedOther first = left.front();
      std::vector<LabReturnedOther> alike;
      std::erase_if(left, [&](const LabReturnedOther& one) {
        const bool is_alike = one.of == first.of && one.via == first.via &&
                              one.attribute.entity == first.attribute.entity;
        if (is_alike) alike.push_back(one);
        return is_alike;
      });
      FindItems(alike);
    }
    return std::move(found_);
  }

 private:
  using WayKind = ReturnedWay::Kind;
  using ObstacleKind = ReadObstacle::Kind;

  const LabFile& file() const { return question_.file; }

  // Asks for the attribute of the asked entity that is a copy, where an item holds one.
  bool FindCopy(const LabReturnedOther& other) {
    // The items of children hold the identity of the parent.
    if (other.via == kLabNone && IsHeld(other.of, other.attribute)) {
      AddRef(other.attribute, found_.pattern.returns);
      AddWay({.kind = WayKind::kItself, .names = {other.name}}, other);
      return true;
    }
    const std::size_t attributes = EntityAt(file(), other.of).attributes.size();
    for (std::size_t i = 0; i < attributes; ++i) {
      const LabAttributeRef copy = {other.of, static_cast<int>(i)};
      if (!IsCopyFor(other, copy) || !IsHeld(other.of, copy)) continue;
      AddRef(copy, found_.pattern.returns);
      AddWay({.kind = WayKind::kCopy, .names = {other.name}, .copy = copy}, other);
      return true;
    }
    return false;
  }

  // Asks for the attribute of the item inside of which is what the caller asks for, where all items
  // of that entity hold the attribute.
  bool FindInHost(const LabReturnedOther& other) {
    const LabPattern& asked = found_.pattern;
    const int host = HostOf(question_.layout, other.of);
    const bool is_inside = host != other.of && host == other.attribute.entity &&
                           other.via == kLabNone && asked.entities.size() == 1;
    // Without `returns`, all of what is asked for is read, and nothing else of the item.
    if (!is_inside || asked.returns.empty() || !IsHeldByAll(host, other.attribute)) return false;
    AddRef(other.attribute, found_.pattern.returns);
    AddWay({.kind = WayKind::kSameItem, .names = {other.name}}, other);
    return true;
  }

  bool IsCopyFor(const LabReturnedOther& other, LabAttributeRef copy) const {
    return IsCopyOf(file(), copy, other.attribute) && ReferenceOfCopy(file(), copy) == other.via;
  }

  // Returns whether an item of the asked entity has the attribute, which may be an ancestor's.
  bool IsHeld(int asked, LabAttributeRef ref) const {
    return std::ranges::any_of(question_.layout.items, [&](const LabItem& item) {
      return item.entity == asked && Holds(item, ref);
    });
  }

  bool IsHeldByAll(int entity, LabAttributeRef ref) const {
    return std::ranges::all_of(question_.layout.items, [&](const LabItem& item) {
      return item.entity != entity || Holds(item, ref);
    });
  }

  bool Holds(const LabItem& item, LabAttributeRef ref) const {
    const std::vector<LabAttributeRef> held = HeldAttributes({file(), question_.layout}, item);
    return std::ranges::find(held, ref) != held.end();
  }

  // Finds the items of others to which one attribute refers.
  void FindItems(const std::vector<LabReturnedOther>& others) {
    const LabReturnedOther& first = others.front();
    const int entity = first.attribute.entity;
    std::vector<std::string> names;
    for (const LabReturnedOther& one : others) names.push_back(one.name);
    if (!IsStored(question_.layout, entity)) {
      return Fail(ObstacleKind::kOthersNotStored, first, names);
    }
    LabPattern get = {.kind = LabPattern::Kind::kGet,
                      .entities = {entity},
                      .by = question_.pattern.by,
                      .constants = question_.pattern.constants};
    for (const LabReturnedOther& one : others) AddRef(one.attribute, get.returns);
    get.is_consistent = question_.pattern.is_consistent;
    const std::vector<LabAttributeRef> identity = IdentityOf(file(), entity);
    // A caller that knows another instance of the entity does not know this one.
    const std::vector<LabAttributeRef>& by = question_.pattern.by;
    const bool is_this_one =
        first.via == kLabNone ||
        std::ranges::find(by, LabAttributeRef{first.of, first.via}) != by.end();
    const bool is_known = is_this_one && std::ranges::all_of(identity, [&](LabAttributeRef one) {
                            return KnownValue(question_, {.attribute = one}).has_value();
                          });
    if (is_known && !question_.IsRepeated() && HasKeyFor(get)) {
      AddWay({.kind = WayKind::kKnown, .names = names}, first);
      found_.known.push_back(std::move(get));
      return;
    }
    get.by = identity;
    // The items come in any order, so each has to say whose it is.
    for (const LabAttributeRef one : identity) AddRef(one, get.returns);
    FetchItems(first, get, names);
  }

  // Returns whether a key serves what the caller asks by the pattern.
  bool HasKeyFor(const LabPattern& get) const {
    const ReadQuestion asked = question_.Asking(get);
    const std::optional<ReadCandidate> taken = ChooseRead(asked, AskedHosts(asked)).taken;
    return taken && !taken->is_scan;
  }

  void FetchItems(const LabReturnedOther& other, const LabPattern& get,
                  const std::vector<std::string>& names) {
    const int entity = other.attribute.entity;
    const std::vector<LabCondition> none;
    const ReadQuestion asked = {
        .model = question_.model,
        .pattern = get,
        .subject = {.model = question_.model.file_model(), .entity = entity, .constants = none},
        .role = question_.role,
        .role_entity = entity};
    const std::optional<ReadCandidate> taken = ChooseRead(asked, AskedHosts(asked)).taken;
    const bool is_inside = HostOf(question_.layout, other.of) != other.of;
    if (is_inside) return Fail(ObstacleKind::kOthersOfParts, other, names);
    if (!taken || !taken->is_get) return Fail(ObstacleKind::kOthersNoKey, other, names);
    const LabKey table = {.table = taken->interval.key.table};
    ReferredItems referred = {.of = other.of,
                              .reference = ReferenceOf(other),
                              .item = taken->interval.items.front(),
                              .table = table,
                              .fetch = ReferredStep(asked, *taken)};
    for (FetchedKeyAttribute& attribute : referred.fetch.fetched_key) {
      if (!MakeKey(other, *referred.item, attribute)) {
        return Fail(ObstacleKind::kOthersNoKey, other, names);
      }
    }
    AddWay({.kind = WayKind::kFetched, .names = names, .table = table}, other);
    found_.referred.push_back(std::move(referred));
  }

  LabAttributeRef ReferenceOf(const LabReturnedOther& other) const {
    if (other.via != kLabNone) return {other.of, other.via};
    return {other.attribute.entity, 0};
  }

  // Says of which attributes of the answer's items the key is made. Returns false where one is not
  // among them.
  bool MakeKey(const LabReturnedOther& other, const LabItem& item, FetchedKeyAttribute& attribute) {
    const LabItemKey& key = *KeyOfItem(item, attribute.name);
    const auto type = TableOfItem(question_.layout, item).key_types.find(attribute.name);
    if (type != TableOfItem(question_.layout, item).key_types.end()) attribute.type = type->second;
    attribute.text = key.text;
    for (const LabTemplatePart& part : key.text.parts) {
      if (part.attribute.entity == kLabNone) continue;
      const LabAttributeRef from = HolderOf(other, part.attribute);
      if (from.entity == kLabNone) return false;
      attribute.from.push_back({.name = LabAttributeAt(file(), from).name});
      AddRef(from, found_.pattern.returns);
      AddRef(from, found_.by_name);
    }
    return true;
  }

  // Returns the attribute that the asked entity's items have with the value of the other's.
  LabAttributeRef HolderOf(const LabReturnedOther& other, LabAttributeRef value) const {
    if (other.via != kLabNone) {
      const LabGenerator& reference = LabAttributeAt(file(), {other.of, other.via}).generator;
      if (reference.other == value) return {other.of, other.via};
    } else if (IsHeld(other.of, value)) {
      return value;
    }
    const std::size_t attributes = EntityAt(file(), other.of).attributes.size();
    for (std::size_t i = 0; i < attributes; ++i) {
      const LabAttributeRef copy = {other.of, static_cast<int>(i)};
      LabReturnedOther wanted = other;
      wanted.attribute = value;
      if (IsCopyFor(wanted, copy) && IsHeld(other.of, copy)) return copy;
    }
    return {};
  }

  void AddWay(ReturnedWay way, const LabReturnedOther& other) {
    way.asked = other.of;
    way.other = other.attribute.entity;
    found_.ways.push_back(std::move(way));
  }

  void Fail(ObstacleKind kind, const LabReturnedOther& other,
            const std::vector<std::string>& names) {
    found_.impossible = ReadObstacle{
        .kind = kind, .entity = other.of, .other = other.attribute.entity, .names = names};
  }

  const ReadQuestion& question_;
  ReturnedOthers found_ = {};
};

}  // namespace

ReturnedOthers FindReturnedOthers(const ReadQuestion& question) {
  return OthersFinder(question).Find();
}

}  // namespace hashrange
