// Unknown operations: calls of operations that Hashrange does not implement. For an operation of
// the service, the answer and the log both say so. For any other name only the log says so: the
// service's answer has no message either.
#pragma once

#include <string_view>

#include "base/arena.h"
#include "base/error.h"

namespace hashrange {

struct OperationShape;  // wire/shape.h

struct UnknownOperation {
  // "CreateBackup"; for a name that the service does not know: the name that was sent, in printable
  // characters, cut to kMaxNameBytes.
  std::string_view name;
  bool is_known_to_service = false;

  static constexpr std::size_t kMaxNameBytes = 100;
};

// `asked`: the target of a request, or the operation of a call in process. `shape`: the shape of
// the service's operation that `asked` names; null: the service has no such operation.
UnknownOperation UnknownOperationOf(std::string_view asked, const OperationShape* shape,
                                    Arena& arena);

// Returns the answer, UnknownOperationException. Logs the call, each name at most once a minute.
Error RefuseUnknown(const UnknownOperation& operation);

}  // namespace hashrange
