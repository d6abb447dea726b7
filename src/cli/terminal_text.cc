#include "cli/terminal_text.h"

#include <algorithm>
#include <cstdio>

#include "base/output_buffer.h"
#include "wire/json_writer.h"

namespace hashrange {

std::string PrintableText(std::string_view text) {
  std::string printable;
  const auto escape = [&](unsigned code) {
    char escaped[8];
    std::snprintf(escaped, sizeof escaped, "\\u%04x", code);
    printable += escaped;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0u;
    if (byte < 0x20 || byte == 0x7F) {
      escape(byte);
    } else if (byte == 0xC2 && next < 0xA0 && next >= 0x80) {
      escape(next);  // U+0080 to U+009F, in two bytes
      ++i;
    } else {
      printable += text[i];
    }
  }
  return printable;
}

std::size_t WidthInColumns(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string CellText(const JsonValue* json) {
  if (!json || json->is_null()) return "-";
  if (json->type == JsonValue::Type::kString) return PrintableText(json->string());
  OutputBuffer out;
  JsonWriter writer(out);
  WriteJson(*json, writer);
  return PrintableText(out.view());
}

}  // namespace hashrange
