#include "operation/unknown_operation.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>

#include "base/log.h"
#include "operation/call/error_texts.h"
#include "wire/shape.h"

namespace hashrange {
namespace {

// Returns `text`, cut to kMaxNameBytes and with '?' in place of each byte that is not printable
// ASCII. The name is written into the recorder's JSON and into lines of the log, but a request's
// header may contain any byte.
std::string_view Printable(std::string_view text, Arena& arena) {
  text = text.substr(0, UnknownOperation::kMaxNameBytes);
  char* const copy = arena.AllocateBytes(text.size());
  std::ranges::transform(text, copy, [](char c) { return c >= ' ' && c <= '~' ? c : '?'; });
  return {copy, text.size()};
}

void LogRefusal(const UnknownOperation& operation) {
  if (!IsLogged(LogLevel::kWarning)) return;
  static RepeatLimit limit;  // one for the process, which has one log
  const auto now = std::chrono::steady_clock::now();
  if (!limit.Admits(std::hash<std::string_view>()(operation.name), now)) return;
  std::string line = "a call of ";
  line.append(operation.name);
  line.append(operation.is_known_to_service ? ", which Hashrange does not implement"
                                            : ", which is no operation of DynamoDB");
  Log(LogLevel::kWarning, line);
}

}  // namespace

UnknownOperation UnknownOperationOf(std::string_view asked, const OperationShape* shape,
                                    Arena& arena) {
  if (shape) return {shape->name, true};
  return {Printable(asked, arena), false};
}

Error RefuseUnknown(const UnknownOperation& operation) {
  if (!operation.name.empty()) LogRefusal(operation);
  return Error{ErrorCode::kUnknownOperationException,
               operation.is_known_to_service ? NotImplementedText(operation.name) : std::string(),
               nullptr};
}

}  // namespace hashrange
