#include "base/error.h"

#include <cstddef>
#include <iterator>

namespace hashrange {
namespace {

constexpr ErrorInfo kErrors[] = {
#define HR_ERROR(name, status, type_namespace, member) {#name, status, type_namespace, member},
#include "base/errors.def"
};

}  // namespace

const ErrorInfo& ErrorInfoOf(ErrorCode code) { return kErrors[static_cast<std::size_t>(code)]; }

std::optional<ErrorCode> FindErrorCode(std::string_view name) {
  for (std::size_t code = 0; code < std::size(kErrors); ++code) {
    if (kErrors[code].name == name) return static_cast<ErrorCode>(code);
  }
  return std::nullopt;
}

}  // namespace hashrange
