// Unknown operations: calls of operations that Hashrange does not implement. If the service has the
// operation, both the answer and the log say that Hashrange does not implement it. If the service
// does not have the operation either, the log says this, and the answer has no message, like the
// service's answer. Any thread may call these functions.
#pragma once

#include <string_view>

#include "base/error.h"
#include "base/memory/arena.h"

namespace hashrange {

struct OperationShape;  // wire/shape.h

struct UnknownOperation {
  // "CreateBackup"; for a name that the service does not know: the name that was sent, in printable
  // characters, cut to kMaxNameBytes.
  std::string_view name;
  bool is_known_to_service = false;

  static constexpr std::size_t kMaxNameBytes = 100;
};

// Returns the description of the operation that was asked for, as views of constant data or of
// `arena`.
// `asked`: the target of a request, or the operation of a call in process. `shape`: the shape of
// the service's operation that `asked` names; null: the service has no such operation.
UnknownOperation UnknownOperationOf(std::string_view asked, const OperationShape* shape,
                                    Arena& arena);

// Returns the answer, UnknownOperationException. Logs the call, but each name at most once a
// minute, and at most 10 calls a second.
Error RefuseUnknown(const UnknownOperation& operation);

}  // namespace hashrange
