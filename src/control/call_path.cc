#include "control/call_path.h"

#include <string>

namespace hashrange {
namespace {

constexpr std::size_t kMaxPathBytes = 4096;

}  // namespace

// A path with a zero byte is refused, as the system would use only the text before that byte.
Status CheckPath(const ControlObject& body) {
  const auto path = body.Text("path");
  if (!path) return {};
  if (path->size() > kMaxPathBytes) {
    return ValidationError("\"path\" is longer than " + std::to_string(kMaxPathBytes) + " bytes.");
  }
  if (path->find('\0') == std::string_view::npos) return {};
  return ValidationError("\"path\" holds a zero byte.");
}

}  // namespace hashrange
