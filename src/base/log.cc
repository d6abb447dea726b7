#include "base/log.h"

#include <cstddef>
#include <string>
#include <utility>

namespace hashrange {
namespace {

struct Reader {
  LogSink sink;
  LogLevel least = LogLevel::kInfo;
};

Reader& TheReader() {
  static Reader reader;
  return reader;
}

// Of UTF-8 these are C2 80 to C2 9F, which some terminals obey.
bool IsSecondControl(std::string_view text, std::size_t i) {
  const auto byte = static_cast<unsigned char>(text[i]);
  return byte >= 0x80 && byte < 0xa0 && i > 0 && text[i - 1] == '\xc2';
}

bool IsControl(std::string_view text, std::size_t i) {
  const auto byte = static_cast<unsigned char>(text[i]);
  return byte < ' ' || byte == 0x7f || IsSecondControl(text, i);
}

std::string OneLine(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string line;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!IsControl(text, i)) {
      line.push_back(text[i]);
      continue;
    }
    const auto byte = static_cast<unsigned char>(text[i]);
    if (IsSecondControl(text, i)) line.pop_back();  // the C2 before it
    line.append("\\x").append({kDigits[byte >> 4], kDigits[byte & 15]});
  }
  return line;
}

}  // namespace

void SetLogSink(LogSink sink, LogLevel least) { TheReader() = {std::move(sink), least}; }

bool IsLogged(LogLevel level) {
  const Reader& reader = TheReader();
  return reader.sink && level >= reader.least;
}

void Log(LogLevel level, std::string_view message) {
  if (IsLogged(level)) TheReader().sink(level, OneLine(message));
}

}  // namespace hashrange
