#include "base/error.h"

#include <array>

namespace hashrange {
namespace {

constexpr ErrorInfo kErrors[] = {
#define HR_ERROR(name, status, type_namespace, member) {#name, status, type_namespace, member},
#include "base/errors.def"
};

}  // namespace

const ErrorInfo& InfoOf(ErrorCode code) { return kErrors[static_cast<std::size_t>(code)]; }

}  // namespace hashrange
