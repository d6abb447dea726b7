// The placeholders of `serve:` that stand for the time of the call: {now}, {now - 7d},
// {now + 1h:day}, {now:seconds}. Pure functions; any thread.
#pragma once

#include <optional>
#include <string_view>

#include "lab/plan/request_template.h"

namespace hashrange {

// Where a placeholder of the time stands in a text, and what is put there.
struct NowPlaceholder {
  std::size_t begin = 0;  // of its brace
  std::size_t end = 0;    // behind its other brace
  RequestSlot slot = {};
};

// Returns the first placeholder of the time; nothing where there is none. Braces that are written
// twice are text.
std::optional<NowPlaceholder> FindNowPlaceholder(std::string_view text);

}  // namespace hashrange
