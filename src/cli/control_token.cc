#include "cli/control_token.h"

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>

namespace hashrange {

std::string ReadControlToken(const CommandLine& line, std::string* error) {
  if (!line.control_token.empty()) return line.control_token;
  if (line.control_token_file.empty()) {
    const char* const token = std::getenv("HASHRANGE_TOKEN");
    return token ? token : "";
  }
  std::ifstream file(line.control_token_file, std::ios::binary);
  if (!file) {
    *error = "--control-token-file: " + line.control_token_file + ": " +
             std::generic_category().message(errno);
    return {};
  }
  std::string token{std::istreambuf_iterator<char>(file), {}};
  const std::size_t end = token.find_last_not_of(" \t\r\n");
  token.resize(end == token.npos ? 0 : end + 1);
  if (token.empty())
    *error = "--control-token-file: " + line.control_token_file + " holds no token";
  return token;
}

}  // namespace hashrange
