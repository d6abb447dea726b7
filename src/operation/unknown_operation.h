// Unknown operations: calls of what Hashrange does not have. Of the service's own operations it
// says so, in the answer and in the log; of anything else only in the log, for the service's
// answer says nothing either.
#pragma once

#include <string_view>

#include "base/arena.h"
#include "base/error.h"

namespace hashrange {

struct OperationShape;  // wire/shape.h

struct UnknownOperation {
  // "CreateBackup", or what was asked for as it can be printed, cut to kMaxNameBytes.
  std::string_view name;
  bool is_known_to_service = false;

  static constexpr std::size_t kMaxNameBytes = 100;
};

// `asked`: the target of a request, or the operation of a call in process. `shape`: that of the
// operation of the service that it names; null: it names none.
UnknownOperation UnknownOperationOf(std::string_view asked, const OperationShape* shape,
                                    Arena& arena);

// The answer, UnknownOperationException. Tells the log of it, each name once a minute.
Error RefuseUnknown(const UnknownOperation& operation);

}  // namespace hashrange
