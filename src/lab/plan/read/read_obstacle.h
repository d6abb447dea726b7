// ReadObstacle: why a key does not serve a read, or why nothing does, as a value. plan_sentences.h
// says it in words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lab/language/lab_file.h"

namespace hashrange {

struct ReadObstacle {
  enum class Kind : std::uint8_t {
    // What the key holds.
    kHoldsNone,       // no items of `entity`
    kHoldsOnlyWhere,  // only items that match `conditions`
    kHoldsOnlyWith,   // only items that have `attribute`
    kHoldsApart,      // the items of `entity` are not under the partition key of `other`
    kNotConsistent,   // it is a global index
    kStoredWhere,     // nothing in the layout holds all of `entity`
    // What its partition key, `hash`, needs.
    kNeeds,           // `attribute`, which the caller does not know
    kNeedsTwoEnds,    // `attribute`, a time, of which the range has an end that is not known
    kNeedsLimit,      // `attribute`, a time, with a limit for a walk over periods
    kTooManyPeriods,  // `periods` requests
    kBatchOfShards,   // one of many requests for each instance of a batch
    // Why periods are not asked one after another.
    kWalkOfSeveral,  // items of several entities are asked for
    kWalkOfParts,    // what is asked for is inside of the items
    kWalkOfBatch,
    kWalkOfLeftOut,  // the client leaves out those `names`
    kWalkTooShort,   // `share` of the calls would lack items
    // What the items of `entity` hold.
    kHoldOnly,      // only `names`
    kHoldNot,       // not `names`, which are asked for
    kHoldNoFilter,  // not `names`, by which they would be filtered
  };
  Kind kind = Kind::kHoldsNone;
  int entity = kLabNone;
  int other = kLabNone;
  LabAttributeRef attribute = {};
  std::vector<LabCondition> conditions = {};
  std::vector<std::string> names = {};
  std::vector<const LabTemplate*> hash = {};  // of the layout
  LabTemplatePart::Form period = LabTemplatePart::Form::kMonth;
  std::size_t periods = 0;
  double share = 0;
};

}  // namespace hashrange
