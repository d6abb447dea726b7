#include "cli/file_text.h"

#include <fstream>
#include <sstream>
#include <utility>

namespace hashrange {

Result<std::string> ReadFileText(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) return ValidationError("cannot read " + name);
  return std::move(text).str();
}

}  // namespace hashrange
