#include "measure/report/readable_text.h"

#include <cstdint>
#include <cstdio>
#include <vector>

#include "base/text/text_encodings.h"

namespace hashrange {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";

struct CodePointRange {
  std::uint32_t first;
  std::uint32_t last;
};

// Control characters; characters that change the direction of the text behind them; invisible ones.
constexpr CodePointRange kShownByNumber[] = {
    {0x00, 0x1F},     {0x7F, 0x9F},     {0xAD, 0xAD},       {0x61C, 0x61C},   {0x180E, 0x180E},
    {0x200B, 0x200B}, {0x200E, 0x200F}, {0x2028, 0x202E},   {0x2060, 0x206F}, {0xFEFF, 0xFEFF},
    {0xFFF0, 0xFFFB}, {0xFFFE, 0xFFFF}, {0xE0000, 0xE0FFF},
};

constexpr CodePointRange kCombining[] = {
    {0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},   {0x610, 0x61A},   {0x64B, 0x65F},
    {0x200C, 0x200D}, {0x20D0, 0x20F0}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F},
};

constexpr CodePointRange kWide[] = {
    {0x1100, 0x115F}, {0x2E80, 0x303E},   {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},
    {0xA000, 0xA4CF}, {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
    {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD},
};

template <std::size_t kCount>
bool IsIn(const CodePointRange (&ranges)[kCount], std::uint32_t code_point) {
  for (const CodePointRange& range : ranges) {
    if (code_point >= range.first && code_point <= range.last) return true;
  }
  return false;
}

// Returns the number of a character of 1 to 4 bytes.
std::uint32_t CodePointOf(std::string_view character) {
  constexpr std::uint32_t kFirstByteBits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
  std::uint32_t number =
      static_cast<unsigned char>(character[0]) & kFirstByteBits[character.size()];
  for (const char byte : character.substr(1)) {
    number = number << 6 | (static_cast<unsigned char>(byte) & 0x3F);
  }
  return number;
}

void AppendByNumber(std::uint32_t code_point, std::string& text) {
  char escape[16];
  std::snprintf(escape, sizeof(escape), "\\u{%X}", code_point);
  text.append(escape);
}

void AppendAsInJson(std::uint32_t code_point, std::string& text) {
  char escape[16];
  if (code_point <= 0xFFFF) {
    std::snprintf(escape, sizeof(escape), "\\u%04X", code_point);
  } else {
    const std::uint32_t above = code_point - 0x10000;
    std::snprintf(escape, sizeof(escape), "\\u%04X\\u%04X", 0xD800 + (above >> 10),
                  0xDC00 + (above & 0x3FF));
  }
  text.append(escape);
}

// Returns the text with `append` for each character that is not shown as it is.
std::string Readable(std::string_view bytes, void (*append)(std::uint32_t, std::string&)) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t length = FirstCharacterBytes(bytes);
    if (length == 0) {
      text.append(kReplacement);
      bytes.remove_prefix(1);
      continue;
    }
    const std::string_view character = bytes.substr(0, length);
    if (const std::uint32_t number = CodePointOf(character); IsIn(kShownByNumber, number)) {
      append(number, text);
    } else {
      text.append(character);
    }
    bytes.remove_prefix(length);
  }
  return text;
}

std::string_view EntityOf(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

}  // namespace

std::string ReadableText(std::string_view bytes) { return Readable(bytes, AppendByNumber); }

std::string ReadableJson(std::string_view json) { return Readable(json, AppendAsInJson); }

std::string ClippedText(std::string_view bytes, std::size_t most) {
  std::string text = ReadableText(bytes);
  std::vector<std::size_t> begins;  // of the characters
  for (std::size_t at = 0; at < text.size();
       at += FirstCharacterBytes(std::string_view(text).substr(at))) {
    begins.push_back(at);
  }
  if (begins.size() <= most) return text;
  const std::size_t head = (most - 1) * 2 / 3;
  const std::size_t tail = most - 1 - head;
  return text.substr(0, begins[head]).append(kEllipsis) + text.substr(begins[begins.size() - tail]);
}

std::size_t TerminalColumns(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const std::size_t length = FirstCharacterBytes(text);
    if (length == 0) return columns;
    const std::uint32_t number = CodePointOf(text.substr(0, length));
    columns += IsIn(kCombining, number) ? 0 : IsIn(kWide, number) ? 2 : 1;
    text.remove_prefix(length);
  }
  return columns;
}

std::string HtmlText(std::string_view bytes) {
  const std::string readable = ReadableText(bytes);
  std::string html;
  html.reserve(readable.size());
  for (const char c : readable) {
    const std::string_view entity = EntityOf(c);
    if (entity.empty()) {
      html.push_back(c);
    } else {
      html.append(entity);
    }
  }
  return html;
}

}  // namespace hashrange
