#include "lab/language/joined_names.h"

#include <algorithm>

#include "base/text/nearest_name.h"

namespace hashrange {

std::string JoinedNames(std::span<const std::string_view> names, std::string_view last_word) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool has_word = i + 1 == names.size() && !last_word.empty();
    if (i > 0 && !has_word) text.append(", ");
    if (i > 0 && has_word) text.append(" ").append(last_word).append(" ");
    text.append(names[i]);
  }
  return text;
}

std::string DidYouMean(std::string_view given, std::span<const std::string_view> names) {
  const std::string_view nearest = NearestName(given, names);
  return nearest.empty() ? "" : "; did you mean \"" + std::string(nearest) + "\"?";
}

namespace {

// Returns `"a", "b" and "c"`; of many names, the first ones and how many more there are.
std::string QuotedNames(std::span<const std::string> names) {
  constexpr std::size_t kMostNames = 20;
  const std::size_t shown = std::min(names.size(), kMostNames);
  std::vector<std::string> parts;
  for (const std::string& name : names.first(shown)) parts.push_back('"' + name + '"');
  if (shown < names.size()) parts.push_back(std::to_string(names.size() - shown) + " more");
  return JoinedNames(std::vector<std::string_view>(parts.begin(), parts.end()), "and");
}

}  // namespace

std::string KnownNames(std::string_view given, std::span<const std::string> names) {
  if (names.empty()) return "; there is none";
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string question = DidYouMean(given, views);
  return question + (question.empty() ? "; known " : " Known ") +
         (names.size() == 1 ? "is " : "are ") + QuotedNames(names);
}

}  // namespace hashrange
