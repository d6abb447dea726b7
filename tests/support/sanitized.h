// Whether the tests are built with a sanitizer, with which they take about ten times as long.
#pragma once

namespace hashrange {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kIsSanitized = true;
#elif defined(__has_feature)
inline constexpr bool kIsSanitized =
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(undefined_behavior_sanitizer)
    true;
#else
    false;
#endif
#else
inline constexpr bool kIsSanitized = false;
#endif

}  // namespace hashrange
