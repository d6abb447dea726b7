#include "cli/empty_option.h"

#include <string_view>

namespace hashrange {

std::string EmptyOption(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view text = argv[i];
    if (text.empty()) return i > 1 ? argv[i - 1] : "the command";
    if (text.starts_with("--") && text.find('=') == text.size() - 1) {
      return std::string(text.substr(0, text.size() - 1));
    }
  }
  return {};
}

}  // namespace hashrange
