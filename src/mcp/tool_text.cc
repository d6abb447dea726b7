#include "mcp/tool_text.h"

#include <cstdio>

#include "base/output_buffer.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

// Returns where to cut: behind the last line that fits, or else between two characters.
std::size_t CutAt(std::string_view text, std::size_t most) {
  const std::size_t line_end = text.rfind('\n', most - 1);
  if (line_end != text.npos && line_end > most / 2) return line_end + 1;
  std::size_t at = most;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) --at;
  return at;
}

}  // namespace

std::string BoundedText(std::string text, ReportFolder& reports, std::string_view file_name,
                        std::size_t most) {
  if (text.size() <= most) return text;
  const std::size_t end = CutAt(text, most);
  const std::string bytes = std::to_string(end) + " of " + std::to_string(text.size()) + " bytes";
  const auto path = reports.Write(file_name, text);
  text.resize(end);
  if (!text.ends_with('\n')) text += "\n";
  text += "… the first " + bytes + "; ";
  text += path.ok() ? "all of it: " + *path : path.error().message;
  return text + "\n";
}

std::string FileLine(std::string_view what, ReportFolder& reports, std::string_view file_name,
                     std::string_view text) {
  const auto path = reports.Write(file_name, text);
  return std::string(what) + ": " + (path.ok() ? *path : path.error().message) + "\n";
}

std::string OneLineText(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code >= 0x20 && code != 0x7f) {
      line += c;
      continue;
    }
    char escaped[8];
    std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(code));
    line += escaped;
  }
  return line;
}

std::string JsonString(std::string_view text) {
  OutputBuffer out;
  JsonWriter writer(out);
  writer.String(text);
  return std::string(out.view());
}

}  // namespace hashrange
