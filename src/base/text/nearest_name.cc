#include "base/text/nearest_name.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace hashrange {
namespace {

// Returns how many edits make `b` from `a`.
std::size_t Distance(std::string_view a, std::string_view b) {
  // rows[i][j] is the distance of the first i letters of `a` and the first j letters of `b`.
  std::vector<std::vector<std::size_t>> rows(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        rows[i][j] = i + j;
        continue;
      }
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      rows[i][j] = std::min({rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + change});
      const bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swap) rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  }
  return rows[a.size()][b.size()];
}

}  // namespace

std::string_view NearestName(std::string_view given, std::span<const std::string_view> names) {
  constexpr std::size_t kLongest = 64;  // a longer text is not a typing error
  if (given.size() > kLongest) return {};
  std::string_view nearest;
  std::size_t least = std::max<std::size_t>(1, given.size() / 3) + 1;
  for (const std::string_view name : names) {
    const std::size_t distance = Distance(given, name);
    if (distance >= least) continue;
    least = distance;
    nearest = name;
  }
  return nearest;
}

std::string UnknownNameSentence(std::string_view kind, std::string_view given,
                                std::span<const std::string_view> names) {
  std::string sentence = "unknown ";
  sentence.append(kind).append(" \"").append(given).append("\"");
  const std::string_view nearest = NearestName(given, names);
  if (!nearest.empty()) sentence.append("; did you mean ").append(nearest).append("?");
  return sentence;
}

}  // namespace hashrange
