// What a read returns of instances to which those that are asked for refer, or belong
// (LabReturnedOther): the name of a post's author. Pure functions; any thread.
//
//   copied   the post's items hold author_name: {ref: User.name, with: author}
//   known    the caller asks by the author, so it reads the author's own item
//   fetched  the answer has the author's user_id, from which the key of the item is made
#pragma once

#include <string>
#include <vector>

#include "lab/plan/read/read_question.h"

namespace hashrange {

struct ReturnedOthers {
  LabPattern pattern =
      {};  // without others: it asks for the copies, and for what others are found by
  std::vector<LabPattern> known = {};  // gets of those whose identity the caller knows
  std::vector<ReferredItems> referred = {};
  std::vector<LabAttributeRef> by_name = {};  // what their keys are made of
  std::vector<std::string> reasons = {};      // sentences
  std::string impossible = {};                // why something cannot be returned; empty: all can
};

// Returns how what the question's pattern returns of others is found in its layout.
ReturnedOthers FindReturnedOthers(const ReadQuestion& question);

}  // namespace hashrange
