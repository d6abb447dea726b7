// One call of a pattern: which instances it is about, which values it gives them, and what their
// attributes are before and after it, whatever the layout. Pure functions; a CallValues is used by
// one thread at a time.
//
//   CallShape   the roles of all calls of a pattern; plans refer to them by number
//   LabCall     the instances of each role in one call, and what it changes
//   CallValues  the values of attributes in that call
//
//   query: Order, by: [customer_id]       0: a Customer, picked
//   create: Order, with: [Line], also: [{update: Product, each: Line}]
//                                         0: a Customer, picked, 1: its new Order, 2: the Order's
//                                         new Lines, 3: for each Line its Product
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/language/data/population.h"
#include "lab/language/lab_file.h"

namespace hashrange {

struct CallRole {
  enum class Source : std::uint8_t {
    // `count` existing instances, by the pattern's pick. With `via`, an attribute of the entity
    // that
    // refers to the entity itself: the caller knows the instance as what that attribute refers to.
    kPicked,
    // `count` new ones; with `of_role`, for each instance of that role, which is the parent or has
    // the parent as its ancestor, unless the entity has no parent.
    kCreated,
    kCreatedChildren,  // the new children of the instances of `of_role`
    kChildren,         // the existing children of the instances of `of_role`
    // For each instance of `of_role`, the one that its attribute `via` refers to. Where it lacks
    // the
    // attribute, and where it is missing itself, there is none: InstanceId of no entity in a write,
    // whose roles that depend on each other have the same places, and no place in a read.
    kReferred,
    kAncestor,   // for each instance of `of_role`, its ancestor, or itself
    kReferring,  // the existing instances whose attribute `via` refers to one of `of_role`
  };
  Source source = Source::kPicked;
  int entity = kLabNone;
  int of_role = kLabNone;
  int via = kLabNone;
  int count = 1;
};

// A run fills the roles in their order.
struct CallShape {
  std::vector<CallRole> roles = {};
  // Of each of the pattern's writes: the role of the instances that are written, and the roles of
  // the children that are written along, in the order of LabWrite::with.
  struct WriteRoles {
    int role = kLabNone;
    std::vector<int> with = {};
  };
  std::vector<WriteRoles> writes = {};
  // Of a pattern with `each`: the values of the last role's instances by which it asks. A call asks
  // once for those that have the same values, so the role has only the first of them.
  std::vector<LabAttributeRef> asked_by = {};
};

// Returns what the caller of a pattern with `each` queries first, as a pattern of its own.
LabPattern FirstQueryOf(const LabPattern& pattern);

// Returns the shape of the pattern's calls. The picked entity of a get or a query is the one that
// all of `by` comes from: an ancestor, or what an attribute refers to (`ref`), or else the entity
// itself. With conditions (LabPick::where) it is always the entity that these are about. With
// `each`, role 0 is picked for the first query, and the last role has the values by which the
// pattern asks for each instance that this finds.
CallShape ShapeOfCalls(const LabFile& file, const LabPattern& pattern);

// Returns the attribute of `by` by which those that are asked for refer to an instance of the
// entity that has such an attribute itself, as the parts of an issue refer to the issue; entity
// kLabNone: there is none.
LabAttributeRef ReferringAttribute(const LabFile& file, const std::vector<LabAttributeRef>& by,
                                   int entity);

// Returns whether two attributes have the same value wherever an instance of the one belongs to an
// instance of the other: one of them refers to the other.
bool IsSameValue(const LabFile& file, LabAttributeRef one, LabAttributeRef other);

// Returns the role of the instance to which a call gives the role's ancestor: of what is created
// for a picked parent, the parent is that one. The role itself where there is none.
int SameInstanceRole(const CallShape& shape, int role);

// Returns the first role that has the same instances, for the same reason, as this one.
int CanonicalRole(const CallShape& shape, int role);
// Returns the role that has as many instances as this one has, each of them for one of this role,
// and that depends on no such role itself.
int RootRole(const CallShape& shape, int role);
// Returns the roles between these two, the root included and `role` excluded.
std::vector<int> BesideRoles(const CallShape& shape, int role);
// Returns the role of what the first query of a pattern with `each` finds.
int FirstQueryRole(const LabPattern& pattern, const CallShape& shape);
// Returns whether the place of an instance of the role may be empty: what it is found by is an
// attribute that some instances lack, or lose by a pattern's `remove`; or it may be the one that an
// earlier write of the call writes (RolesWrittenBefore).
bool MayBeMissing(const LabFile& file, const CallShape& shape, int role);
// Returns whether some instances lack the attribute, or lose it by a pattern's `remove`.
bool MayLack(const LabFile& file, LabAttributeRef attribute);
// Returns the roles of earlier writes that may have the same instances as this role of an `also`: a
// call writes an instance once, by the first of these writes.
std::vector<int> RolesWrittenBefore(const CallShape& shape, int role);
// Returns the greatest number of instances that the role has in one call.
double MostInstances(const LabFile& file, const CallShape& shape, int role);

// An attribute of one instance.
struct AttributeOfInstance {
  InstanceId id = {};
  int attribute = kLabNone;

  friend bool operator==(const AttributeOfInstance&, const AttributeOfInstance&) = default;
  template <typename H>
  friend H AbslHashValue(H hash, const AttributeOfInstance& one) {
    return H::combine(std::move(hash), one.id.entity, one.id.number, one.attribute);
  }
};

// The values that a call gives to attributes of what it writes; nothing: the attribute is removed.
using LabNewValues = absl::flat_hash_map<AttributeOfInstance, std::optional<std::string>>;

// Of a step that is made several times, for a few instances of a role each time (PlanStep::each):
// the places from `from` to `to`, `to` excluded, of those instances.
struct LabCallWindow {
  int role = kLabNone;  // kLabNone: the step is about all instances of all roles
  std::size_t from = 0;
  std::size_t to = 0;
};

struct LabCall {
  std::int64_t now_epoch_ms = 0;
  std::vector<std::vector<InstanceId>> roles = {};
  LabNewValues new_values = {};
  // Of a fan-out: the numbers of the shard and of the period that the request is for.
  int shard = 0;
  std::size_t period = 0;
  std::int64_t missing = 0;  // of a walk over periods: how many items it still has to find
  LabCallWindow window = {};
};

class CallValues {
 public:
  // Both outlive the object.
  CallValues(const Population& population, const LabCall& call)
      : population_(population), call_(call) {}

  // Returns whether the instance has the attribute, as of before or after the call.
  bool Has(InstanceId id, LabAttributeRef attribute, bool after) const;
  // Appends the value; nothing where the instance lacks the attribute.
  void AppendValue(InstanceId id, LabAttributeRef attribute, bool after, std::string& out) const;
  // Returns whether the call gives another value to the attribute, or adds or removes it.
  bool Changes(InstanceId id, LabAttributeRef attribute) const;
  // Returns whether all conditions hold as of then.
  bool Matches(InstanceId id, const std::vector<LabCondition>& conditions, bool after) const;

 private:
  // Returns what the call gives to the attribute; null when it leaves the attribute alone.
  const std::optional<std::string>* NewValue(InstanceId id, LabAttributeRef attribute) const;
  bool HoldsAfter(InstanceId id, const LabCondition& condition) const;

  const Population& population_;
  const LabCall& call_;
};

}  // namespace hashrange
