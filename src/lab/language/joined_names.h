// Names in a sentence. Pure functions; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hashrange {

// Returns "a, b and c", with `last_word` in the place of "and"; without a word, "a, b, c".
std::string JoinedNames(std::span<const std::string_view> names, std::string_view last_word);

// Returns `; did you mean "status"?`; empty where no name is near.
std::string DidYouMean(std::string_view given, std::span<const std::string_view> names);

// Returns the end of a sentence about a name that is not known: `; did you mean "status"? Known are
// "order_id" and "status"`, without the question where no name is near.
std::string KnownNames(std::string_view given, std::span<const std::string> names);

// Returns the `name` of each element.
template <typename List>
std::vector<std::string> NamesIn(const List& list) {
  std::vector<std::string> names;
  for (const auto& element : list) names.emplace_back(element.name);
  return names;
}

}  // namespace hashrange
