#include "stream/stream_view.h"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace hashrange {
namespace {

// In the order of StreamView.
constexpr std::string_view kNames[] = {"KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"};

}  // namespace

StreamView StreamViewOf(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  assert(found != std::end(kNames));
  return static_cast<StreamView>(found - std::begin(kNames));
}

std::string_view NameOf(StreamView view) { return kNames[static_cast<std::size_t>(view)]; }

}  // namespace hashrange
