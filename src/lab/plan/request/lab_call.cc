#include "lab/plan/request/lab_call.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lab/language/lab_facts.h"

namespace hashrange {
namespace {

int ParentEntity(const LabFile& file, int entity) { return EntityAt(file, entity).parent; }

// Returns whether one instance of the entity says all that the caller knows. Two references to the
// same entity, as of a sender and a receiver, are not said by one instance.
bool Supplies(const LabFile& file, int entity, const std::vector<LabAttributeRef>& known) {
  std::vector<LabAttributeRef> supplied;
  for (const LabAttributeRef ref : known) {
    const LabAttributeRef one = AttributeFor(file, entity, ref);
    if (one.entity == kLabNone || std::ranges::count(supplied, one) > 0) return false;
    supplied.push_back(one);
  }
  return true;
}

// Returns the entity of which a get or a query picks an instance.
int PickedEntity(const LabFile& file, const LabPattern& pattern) {
  const int asked = pattern.entities.front();
  std::vector<LabAttributeRef> known = pattern.by;
  if (pattern.range.kind == LabRange::Kind::kPrefix) known.push_back(pattern.range.attribute);
  if (!pattern.pick.where.empty()) {
    const int conditioned = pattern.pick.where.front().attribute.entity;
    return Supplies(file, conditioned, known) ? conditioned : asked;
  }
  if (known.empty()) return asked;
  int picked = asked;  // the highest ancestor that suffices
  for (int entity = asked; entity != kLabNone; entity = ParentEntity(file, entity)) {
    if (Supplies(file, entity, known)) picked = entity;
  }
  if (picked != asked) return picked;
  const int referred = ReferredEntity(file, known.front());
  return referred != kLabNone && Supplies(file, referred, known) ? referred : asked;
}

// Returns the attribute of the picked entity that refers to the picked instance itself: who asks
// for the employees of a manager picks the manager. Entity kLabNone: there is none.
LabAttributeRef SelfReference(const LabFile& file, const LabPattern& pattern, int picked) {
  LabAttributeRef found;
  if (!pattern.pick.where.empty() || pattern.kind != LabPattern::Kind::kQuery) return found;
  for (const LabAttributeRef ref : pattern.by) {
    if (ref.entity != picked || ReferredEntity(file, ref) != picked) continue;
    if (found.entity != kLabNone) return {};
    found = ref;
  }
  return found;
}

// Adds roles to one shape.
class ShapeBuilder {
 public:
  ShapeBuilder(const LabFile& file, const LabPattern& pattern) : file_(file), pattern_(pattern) {}

  CallShape Build() {
    if (pattern_.each) return BuildWithEach();
    if (pattern_.kind != LabPattern::Kind::kWrite) {
      const int picked = PickedEntity(file_, pattern_);
      Add({.entity = picked,
           .via = SelfReference(file_, pattern_, picked).attribute,
           .count = pattern_.batch});
      return std::move(shape_);
    }
    AddFirstWrite(pattern_.writes.front());
    for (std::size_t i = 1; i < pattern_.writes.size(); ++i) AddAlso(pattern_.writes[i]);
    return std::move(shape_);
  }

 private:
  using Source = CallRole::Source;

  int Add(CallRole role) {
    shape_.roles.push_back(role);
    return static_cast<int>(shape_.roles.size()) - 1;
  }
  int EntityOf(int role) const { return shape_.roles[static_cast<std::size_t>(role)].entity; }

  // The picked instance, those that it leads to, and what these refer to.
  CallShape BuildWithEach() {
    const LabPattern first = FirstQueryOf(pattern_);
    const int entity = first.entities.front();
    const int picked = PickedEntity(file_, first);
    const int from = Add({.entity = picked, .via = SelfReference(file_, first, picked).attribute});
    LabAttributeRef by;  // entity kLabNone: they belong to the picked one
    for (const LabAttributeRef one : first.by) {
      if (one.entity == entity && ReferredEntity(file_, one) == picked) by = one;
    }
    const bool is_found =
        by.entity == entity || (picked != entity && IsAncestorOrSelf(file_, picked, entity));
    if (!is_found) return std::move(shape_);  // nothing leads from the picked one to the others
    const int each = AddFound(from, entity, by);
    if (pattern_.each->via != kLabNone) {
      Add({.source = Source::kReferred,
           .entity = ReferredEntity(file_, {entity, pattern_.each->via}),
           .of_role = each,
           .via = pattern_.each->via});
    }
    AddAskedBy();
    return std::move(shape_);
  }

  void AddAskedBy() {
    const int giver = shape_.roles.back().entity;
    const LabAttributeRef referring = ReferringAttribute(file_, pattern_.by, giver);
    for (const LabAttributeRef one : pattern_.by) {
      shape_.asked_by.push_back(one == referring ? LabAttributeAt(file_, one).generator.other
                                                 : AttributeFor(file_, giver, one));
    }
  }

  // Adds the existing instances of an entity that are the instances of the role, or belong to them,
  // or refer to them by `by`, an attribute of the entity.
  int AddFound(int role, int entity, LabAttributeRef by) {
    if (by.entity == entity && ReferredEntity(file_, by) == EntityOf(role)) {
      return AddOnce(
          {.source = Source::kReferring, .entity = entity, .of_role = role, .via = by.attribute});
    }
    const bool is_itself = by == LabAttributeRef{entity, 0} && entity == EntityOf(role);
    if (is_itself) return role;
    const int parent = ParentEntity(file_, entity);
    if (parent != kLabNone && parent != EntityOf(role)) role = AddFound(role, parent, by);
    return AddOnce({.source = Source::kChildren, .entity = entity, .of_role = role});
  }

  // Returns the role of the instance whose identity the role's instance has as `from`.
  int AddOwner(int role, LabAttributeRef from) {
    const LabGenerator& generator = LabAttributeAt(file_, from).generator;
    const bool is_own = from.entity == EntityOf(role);
    if (is_own && generator.kind == LabGenerator::Kind::kRef) {
      return AddOnce({.source = Source::kReferred,
                      .entity = generator.other.entity,
                      .of_role = role,
                      .via = from.attribute});
    }
    const int owner = RootOf(file_, from).entity;
    if (owner == EntityOf(role)) return role;
    return AddOnce({.source = Source::kAncestor, .entity = owner, .of_role = role});
  }

  // Returns the role that is like this one, which is added where there is none.
  int AddOnce(const CallRole& role) {
    for (std::size_t i = 0; i < shape_.roles.size(); ++i) {
      const CallRole& one = shape_.roles[i];
      if (one.source == role.source && one.entity == role.entity && one.of_role == role.of_role &&
          one.via == role.via) {
        return static_cast<int>(i);
      }
    }
    return Add(role);
  }

  void AddFirstWrite(const LabWrite& write) {
    CallRole role = {.entity = write.entity, .count = pattern_.batch};
    if (write.kind == LabWrite::Kind::kCreate) {
      role.source = Source::kCreated;
      const int parent = ParentEntity(file_, write.entity);
      if (parent != kLabNone) role.of_role = Add({.entity = parent});
    }
    AddWrite(write, Add(role));
  }

  void AddAlso(const LabWrite& write) {
    const int base = BaseRole(write);
    if (write.kind == LabWrite::Kind::kCreate) {
      AddWrite(write, Add({.source = Source::kCreated,
                           .entity = write.entity,
                           .of_role = CreatingRole(write, base)}));
      return;
    }
    if (write.via != kLabNone) {
      AddWrite(write, Add({.source = Source::kReferred,
                           .entity = write.entity,
                           .of_role = base,
                           .via = write.via}));
      return;
    }
    const bool is_base = EntityOf(base) == write.entity;
    AddWrite(write,
             is_base ? base
                     : Add({.source = Source::kAncestor, .entity = write.entity, .of_role = base}));
  }

  // Returns the role that an `also` is repeated for, or the role of the first write.
  int BaseRole(const LabWrite& write) {
    const CallShape::WriteRoles& first = shape_.writes.front();
    if (write.found_by.entity != kLabNone) {
      return AddFound(AddOwner(first.role, write.found_from), write.each, write.found_by);
    }
    if (write.each == kLabNone || write.each == EntityOf(first.role)) return first.role;
    for (const int role : first.with) {
      if (EntityOf(role) == write.each) return role;
    }
    return Add({.source = Source::kChildren, .entity = write.each, .of_role = first.role});
  }

  bool RefersTo(int entity, int other) const {
    const std::size_t attributes = EntityAt(file_, entity).attributes.size();
    for (std::size_t i = 0; i < attributes; ++i) {
      if (ReferredEntity(file_, {entity, static_cast<int>(i)}) == other) return true;
    }
    return false;
  }

  // Returns the role whose instances, or whose ancestors, are the parents of what an `also`
  // creates.
  int CreatingRole(const LabWrite& write, int base) {
    const int parent = ParentEntity(file_, write.entity);
    if (parent == kLabNone) return write.each == kLabNone ? kLabNone : base;
    // Of those that were found by their ancestor, it is what they refer to besides.
    const bool is_of_ancestor = write.found_by.entity != kLabNone &&
                                write.found_by.entity != EntityOf(base) &&
                                RefersTo(EntityOf(base), parent);
    if (!is_of_ancestor && IsAncestorOrSelf(file_, parent, EntityOf(base))) return base;
    const LabEntity& entity = file_.entities[static_cast<std::size_t>(EntityOf(base))];
    for (std::size_t i = 0; i < entity.attributes.size(); ++i) {
      const int via = static_cast<int>(i);
      if (ReferredEntity(file_, {EntityOf(base), via}) != parent) continue;
      return Add({.source = Source::kReferred, .entity = parent, .of_role = base, .via = via});
    }
    return base;  // the reader of lab files refuses a write whose parent nothing says
  }

  void AddWrite(const LabWrite& write, int role) {
    CallShape::WriteRoles roles = {.role = role};
    const bool creates = write.kind == LabWrite::Kind::kCreate;
    for (const int child : write.with) {
      roles.with.push_back(Add({.source = creates ? Source::kCreatedChildren : Source::kChildren,
                                .entity = child,
                                .of_role = role}));
    }
    shape_.writes.push_back(std::move(roles));
  }

  const LabFile& file_;
  const LabPattern& pattern_;
  CallShape shape_;
};

// Returns the greatest number of children that one parent has.
double MostChildren(const LabEntity& entity) {
  return std::max(1.0, std::floor(BoundsOfDraws(entity.count).greatest));
}

// Returns whether calls give children to parents that are there already.
bool IsCreatedByTraffic(const LabFile& file, int entity) {
  for (const LabPattern& pattern : file.patterns) {
    for (const LabWrite& write : pattern.writes) {
      if (write.kind == LabWrite::Kind::kCreate && write.entity == entity) return true;
    }
  }
  return false;
}

// Returns whether `copy` has the value of `original` wherever it belongs to an instance with that,
// over as many copies as there are: a message's doctor is that of its study.
bool HasValueOfOwner(const LabFile& file, LabAttributeRef copy, LabAttributeRef original) {
  // Of an instance that refers to one of its own ancestor's entity, as a follower does to the one
  // who is followed, the attribute of that entity means the ancestor.
  bool is_by_reference = false;
  const int entity = copy.entity;
  while (IsCopy(LabAttributeAt(file, copy).generator)) {
    const LabAttributeRef other = LabAttributeAt(file, copy).generator.other;
    is_by_reference = is_by_reference || ReferenceOfCopy(file, copy) != kLabNone;
    const bool may_mean_ancestor = IsAncestorOrSelf(file, other.entity, copy.entity) ||
                                   IsAncestorOrSelf(file, other.entity, entity);
    if (is_by_reference && may_mean_ancestor) return false;
    if (other == original) return true;
    copy = other;
  }
  return false;
}

}  // namespace

LabAttributeRef ReferringAttribute(const LabFile& file, const std::vector<LabAttributeRef>& by,
                                   int entity) {
  for (const LabAttributeRef one : by) {
    const int referred = ReferredEntity(file, one);
    const bool is_of_both = referred != kLabNone && IsAncestorOrSelf(file, one.entity, entity) &&
                            IsAncestorOrSelf(file, referred, entity);
    if (is_of_both) return one;
  }
  return {};
}

bool IsSameValue(const LabFile& file, LabAttributeRef one, LabAttributeRef other) {
  return one == other || HasValueOfOwner(file, one, other) || HasValueOfOwner(file, other, one);
}

LabPattern FirstQueryOf(const LabPattern& pattern) {
  const LabFirstQuery& first = *pattern.each;
  return {.kind = LabPattern::Kind::kQuery,
          .entities = {first.entity},
          .by = first.by,
          .constants = first.constants,
          .returns = first.returns,
          .pick = pattern.pick};
}

int FirstQueryRole(const LabPattern& pattern, const CallShape& shape) {
  const int last = static_cast<int>(shape.roles.size()) - 1;
  return pattern.each->via == kLabNone ? last : last - 1;
}

CallShape ShapeOfCalls(const LabFile& file, const LabPattern& pattern) {
  return ShapeBuilder(file, pattern).Build();
}

int SameInstanceRole(const CallShape& shape, int role) {
  const CallRole& one = shape.roles[static_cast<std::size_t>(role)];
  if (one.source != CallRole::Source::kAncestor) return role;
  const CallRole& below = shape.roles[static_cast<std::size_t>(one.of_role)];
  if (below.source != CallRole::Source::kCreated || below.of_role == kLabNone) return role;
  const CallRole& parent = shape.roles[static_cast<std::size_t>(below.of_role)];
  return parent.entity == one.entity ? below.of_role : role;
}

int CanonicalRole(const CallShape& shape, int role) {
  const auto& roles = shape.roles;
  const CallRole& one = roles[static_cast<std::size_t>(role)];
  if (one.source != CallRole::Source::kReferred && one.source != CallRole::Source::kAncestor) {
    return role;
  }
  for (int other = 0; other < role; ++other) {
    const CallRole& same = roles[static_cast<std::size_t>(other)];
    if (same.source == one.source && same.entity == one.entity && same.of_role == one.of_role &&
        same.via == one.via) {
      return other;
    }
  }
  return role;
}

int RootRole(const CallShape& shape, int role) {
  const CallRole& one = shape.roles[static_cast<std::size_t>(role)];
  const bool is_parallel =
      one.of_role != kLabNone &&
      (one.source == CallRole::Source::kReferred || one.source == CallRole::Source::kAncestor ||
       (one.source == CallRole::Source::kCreated && one.count == 1));
  return is_parallel ? RootRole(shape, one.of_role) : role;
}

std::vector<int> BesideRoles(const CallShape& shape, int role) {
  std::vector<int> beside;
  const int root = RootRole(shape, role);
  while (role != root) {
    role = shape.roles[static_cast<std::size_t>(role)].of_role;
    beside.push_back(role);
  }
  return beside;
}

std::vector<int> RolesWrittenBefore(const CallShape& shape, int role) {
  const auto at = [&](int one) -> const CallRole& {
    return shape.roles[static_cast<std::size_t>(one)];
  };
  const auto is_of_one = [&](int one) {
    return at(one).source == CallRole::Source::kReferred ||
           at(one).source == CallRole::Source::kAncestor ||
           at(one).source == CallRole::Source::kPicked;
  };
  std::vector<int> before;
  if (!is_of_one(role)) return before;
  const int own = CanonicalRole(shape, role);
  for (const CallShape::WriteRoles& write : shape.writes) {
    if (CanonicalRole(shape, write.role) == own) return before;
    const bool is_alike = at(write.role).entity == at(role).entity && is_of_one(write.role);
    if (is_alike && write.role < role) before.push_back(write.role);
  }
  before.clear();  // the call does not write the role
  return before;
}

bool MayLack(const LabFile& file, LabAttributeRef attribute) {
  if (LabAttributeAt(file, attribute).present < 1) return true;
  const auto removes = [&](const LabWrite& write) {
    return write.entity == attribute.entity &&
           std::ranges::any_of(write.changes, [&](const LabChange& change) {
             return change.attribute == attribute.attribute &&
                    change.kind == LabChange::Kind::kRemove;
           });
  };
  return std::ranges::any_of(file.patterns, [&](const LabPattern& pattern) {
    return std::ranges::any_of(pattern.writes, removes);
  });
}

bool MayBeMissing(const LabFile& file, const CallShape& shape, int role) {
  if (!RolesWrittenBefore(shape, role).empty()) return true;
  const CallRole& one = shape.roles[static_cast<std::size_t>(role)];
  using Source = CallRole::Source;
  const bool has_place_of_other = one.of_role != kLabNone && one.source != Source::kChildren &&
                                  one.source != Source::kReferring &&
                                  one.source != Source::kCreatedChildren;
  if (!has_place_of_other) return false;
  if (MayBeMissing(file, shape, one.of_role)) return true;
  if (one.source != Source::kReferred) return false;
  return MayLack(file, {shape.roles[static_cast<std::size_t>(one.of_role)].entity, one.via});
}

double MostInstances(const LabFile& file, const CallShape& shape, int role) {
  const CallRole& one = shape.roles[static_cast<std::size_t>(role)];
  const double of = one.of_role == kLabNone ? 1 : MostInstances(file, shape, one.of_role);
  switch (one.source) {
    case CallRole::Source::kPicked:
    case CallRole::Source::kCreated:
      return of * one.count;
    case CallRole::Source::kChildren:
      if (IsCreatedByTraffic(file, one.entity)) {
        return std::numeric_limits<double>::infinity();
      }
      return of * MostChildren(EntityAt(file, one.entity));
    case CallRole::Source::kCreatedChildren:
      return of * MostChildren(EntityAt(file, one.entity));
    case CallRole::Source::kReferring:
      return std::numeric_limits<double>::infinity();
    case CallRole::Source::kReferred:
    case CallRole::Source::kAncestor:
      return of;
  }
  return of;
}

// --- Values ---

const std::optional<std::string>* CallValues::NewValue(InstanceId id,
                                                       LabAttributeRef attribute) const {
  if (call_.new_values.empty()) return nullptr;
  const InstanceId owner =
      id.entity == attribute.entity ? id : population_.AncestorOf(id, attribute.entity);
  const auto found = call_.new_values.find({owner, attribute.attribute});
  return found == call_.new_values.end() ? nullptr : &found->second;
}

bool CallValues::Has(InstanceId id, LabAttributeRef attribute, bool after) const {
  if (after) {
    if (const auto* const value = NewValue(id, attribute)) return value->has_value();
  }
  return population_.Has(id, attribute);
}

void CallValues::AppendValue(InstanceId id, LabAttributeRef attribute, bool after,
                             std::string& out) const {
  if (after) {
    if (const auto* const value = NewValue(id, attribute)) {
      if (value->has_value()) out += **value;
      return;
    }
  }
  if (population_.Has(id, attribute)) population_.AppendValue(id, attribute, out);
}

bool CallValues::Changes(InstanceId id, LabAttributeRef attribute) const {
  if (NewValue(id, attribute) == nullptr) return false;
  if (Has(id, attribute, false) != Has(id, attribute, true)) return true;
  thread_local std::string before;
  thread_local std::string after;
  before.clear();
  after.clear();
  AppendValue(id, attribute, false, before);
  AppendValue(id, attribute, true, after);
  return before != after;
}

bool CallValues::HoldsAfter(InstanceId id, const LabCondition& condition) const {
  if (!Has(id, condition.attribute, true)) return false;
  thread_local std::string value;
  value.clear();
  AppendValue(id, condition.attribute, true, value);
  return ConditionHolds(condition, LabAttributeAt(population_.file(), condition.attribute).type,
                        value);
}

bool CallValues::Matches(InstanceId id, const std::vector<LabCondition>& conditions,
                         bool after) const {
  if (!after) return population_.Matches(id, conditions);
  return std::ranges::all_of(
      conditions, [&](const LabCondition& condition) { return HoldsAfter(id, condition); });
}

}  // namespace hashrange
