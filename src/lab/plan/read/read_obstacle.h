// ReadObstacle: why a key does not serve a read, or why nothing does, as a value; and ClientFilter:
// what an answer has too much. plan_sentences.h says them in words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lab/language/lab_file.h"

namespace hashrange {

// What the client has to leave out of what is read, because no filter of the request can.
struct ClientFilter {
  enum class Kind : std::uint8_t {
    kDiffers,       // those whose `name` is not what is asked for
    kOutsideRange,  // those whose `name` is outside of the range
    kOtherItems,    // items that are not asked for
  };
  Kind kind = Kind::kDiffers;
  std::string name = {};
  std::string inside = {};  // the attribute that holds them; empty: they are items

  bool operator==(const ClientFilter& other) const = default;
};

struct ReadObstacle {
  enum class Kind : std::uint8_t {
    // What the key holds.
    kHoldsNone,       // no items of `entity`
    kHoldsOnlyWhere,  // only items that match `conditions`
    kHoldsOnlyWith,   // only items that have `attribute`
    kHoldsApart,      // the items of `entity` are not under the partition key of `other`
    kNotConsistent,   // it is a global index
    kStoredWhere,     // nothing in the layout holds all of `entity`
    kNotStored,       // the layout has no items of `entity`
    // What its partition key, `hash`, needs.
    kNeeds,           // `attribute`, which the caller does not know
    kNeedsTwoEnds,    // `attribute`, a time, of which the range has an end that is not known
    kNeedsLimit,      // `attribute`, a time, with a limit for a walk over periods
    kTooManyPeriods,  // `periods` requests
    kBatchOfShards,   // one of many requests for each instance of a batch
    // Why periods are not asked one after another.
    kWalkOfSeveral,  // items of several entities are asked for
    kWalkOfParts,    // what is asked for is inside of the items
    kWalkOfLeftOut,  // the client has to leave out `left_out`
    kWalkTooShort,   // `share` of the calls would lack items
    // What the items of `entity` hold.
    kHoldOnly,      // only `names`
    kHoldNot,       // not `names`, which are asked for
    kHoldNoFilter,  // not `names`, by which they would be filtered
    // Why `names`, which are of `other`, are not found for `entity`, which has no copy of them.
    kOthersNotStored,  // the layout has no items of `other`
    kOthersOfParts,    // `entity` is inside of other items
    kOthersNoKey,      // the items of `entity` do not hold the key of `other`
    // `entity` is queried first, and the caller knows nothing to which it belongs or refers.
    kNothingToFollow,
  };
  Kind kind = Kind::kHoldsNone;
  int entity = kLabNone;
  int other = kLabNone;
  LabAttributeRef attribute = {};
  std::vector<LabCondition> conditions = {};
  std::vector<std::string> names = {};
  ClientFilter left_out = {};
  std::vector<const LabTemplate*> hash = {};  // of the layout
  LabTemplatePart::Form period = LabTemplatePart::Form::kMonth;
  std::size_t periods = 0;
  double share = 0;
};

}  // namespace hashrange
