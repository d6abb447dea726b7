// What a read returns of instances to which those that are asked for refer, or belong
// (LabReturnedOther): the name of a post's author. Pure functions; any thread.
//
//   copied   the post's items hold author_name: {ref: User.name, with: author}
//   known    the caller asks by the author, so it reads the author's own item
//   fetched  the answer has the author's user_id, from which the key of the item is made
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/plan/read/read_obstacle.h"
#include "lab/plan/read/read_question.h"
#include "lab/plan/request/layout_keys.h"

namespace hashrange {

// Where attributes of one other entity are read.
struct ReturnedWay {
  enum class Kind : std::uint8_t {
    kItself,    // in the items of `asked`, which hold the attribute of their parent
    kCopy,      // in `copy`, an attribute of `asked`
    kSameItem,  // in the item inside of which `asked` is
    kKnown,     // in an item of `other` that the caller knows
    kFetched,   // in items of `other`, which are fetched from `table`
  };
  Kind kind = Kind::kItself;
  int asked = kLabNone;
  int other = kLabNone;
  std::vector<std::string> names = {};  // as the pattern names them
  LabAttributeRef copy = {};
  LabKey table = {};
};

struct ReturnedOthers {
  LabPattern pattern =
      {};  // without others: it asks for the copies, and for what others are found by
  std::vector<LabPattern> known = {};  // gets of those whose identity the caller knows
  std::vector<ReferredItems> referred = {};
  std::vector<LabAttributeRef> by_name = {};  // what their keys are made of
  std::vector<ReturnedWay> ways = {};
  std::optional<ReadObstacle> impossible = {};  // why not all are returned; nothing: all are
};

// Returns how what the question's pattern returns of others is found in its layout.
ReturnedOthers FindReturnedOthers(const ReadQuestion& question);

}  // namespace hashrange
