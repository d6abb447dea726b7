// StreamView: which images of a changed item a stream's records show (reference 12, A2).
#pragma once

#include <cstdint>
#include <string_view>

namespace hashrange {

enum class StreamView : std::uint8_t { kKeysOnly, kNewImage, kOldImage, kNewAndOldImages };

inline bool ShowsNewImage(StreamView view) {
  return view == StreamView::kNewImage || view == StreamView::kNewAndOldImages;
}
inline bool ShowsOldImage(StreamView view) {
  return view == StreamView::kOldImage || view == StreamView::kNewAndOldImages;
}

// "NEW_AND_OLD_IMAGES" and its like; `name` is one of the four.
StreamView StreamViewOf(std::string_view name);
std::string_view NameOf(StreamView view);

}  // namespace hashrange
