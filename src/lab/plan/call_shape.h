// CallShape: which instances one call of a pattern is about, whatever the layout. A run fills the
// roles in their order; plans refer to them by number. Pure functions; any thread.
//
//   query: Order, by: [customer_id]       0: a Customer, picked
//   create: Order, with: [Line], also: [{update: Product, each: Line}]
//                                         0: a Customer, picked, 1: its new Order, 2: the Order's
//                                         new Lines, 3: for each Line its Product
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lab/language/lab_file.h"

namespace hashrange {

struct CallRole {
  enum class Source : std::uint8_t {
    kPicked,  // `count` existing instances, by the pattern's pick
    // `count` new ones; with `of_role`, for each instance of that role, which is the parent or has
    // the parent as its ancestor, unless the entity has no parent.
    kCreated,
    kCreatedChildren,  // the new children of the instances of `of_role`
    kChildren,         // the existing children of the instances of `of_role`
    kReferred,         // for each instance of `of_role`, the one that its attribute `via` refers to
    kAncestor,         // for each instance of `of_role`, its ancestor, or itself
  };
  Source source = Source::kPicked;
  int entity = kLabNone;
  int of_role = kLabNone;
  int via = kLabNone;
  int count = 1;
};

struct CallShape {
  std::vector<CallRole> roles = {};
  // Of each of the pattern's writes: the role of the instances that are written, and those of the
  // children that are written along, in the order of LabWrite::with.
  struct WriteRoles {
    int role = kLabNone;
    std::vector<int> with = {};
  };
  std::vector<WriteRoles> writes = {};
};

// Returns the shape of the pattern's calls. The picked entity of a get or a query is the one that
// all of `by` comes from: an ancestor, or what an attribute refers to (`ref`), or else the entity
// itself. With conditions (LabPick::where) it is always the entity that these are about.
CallShape ShapeOfCalls(const LabFile& file, const LabPattern& pattern);

// Returns the attribute by which an instance of the entity, or its ancestor, has the value that a
// caller knows as `known`: the same attribute, or the one to which it refers. Entity kLabNone: an
// instance does not say it.
LabAttributeRef AttributeFor(const LabFile& file, int entity, LabAttributeRef known);

}  // namespace hashrange
