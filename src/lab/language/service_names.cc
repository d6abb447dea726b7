#include "lab/language/service_names.h"

#include <algorithm>
#include <string>

namespace hashrange {
namespace {

constexpr std::size_t kShortestName = 3;
constexpr std::size_t kLongestName = 255;

bool IsOfName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.';
}

}  // namespace

void CheckServiceName(LabName name, std::string_view what, LabReading& reading) {
  const bool is_allowed = name.text.size() >= kShortestName && name.text.size() <= kLongestName &&
                          std::ranges::all_of(name.text, IsOfName);
  if (is_allowed) return;
  reading.Fail(name.place, "the name of " + std::string(what) +
                               " has 3 to 255 letters, digits, dots, hyphens and underscores, and "
                               "this is \"" +
                               std::string(name.text) + "\"");
}

void CheckKeyAttributeName(LabName name, LabReading& reading) {
  if (!name.text.empty() && name.text.size() <= kLongestName) return;
  reading.Fail(name.place, "the name of a key attribute has 1 to 255 bytes, and this has " +
                               std::to_string(name.text.size()));
}

}  // namespace hashrange
