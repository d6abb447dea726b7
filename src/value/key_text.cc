#include "value/key_text.h"

#include "base/arena.h"
#include "value/key.h"
#include "value/number.h"

namespace hashrange {
namespace {

// Ends an encoded part of the type S or B (value/key.h).
constexpr std::string_view kPartEnd("\0\x01", 2);
constexpr std::string_view kCutOff = "…";

std::string HexText(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    text += kDigits[static_cast<unsigned char>(c) >> 4];
    text += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

// Returns UTF-8 without a last character that is not whole.
std::string_view WholeCharacters(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && (static_cast<unsigned char>(text[begin - 1]) & 0xc0) == 0x80) --begin;
  if (begin == 0) return {};
  const auto first = static_cast<unsigned char>(text[begin - 1]);
  const std::size_t size = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  return text.size() - (begin - 1) == size ? text : text.substr(0, begin - 1);
}

// `part` is the encoding of one part, without its end if `is_cut`.
std::string PartText(std::string_view part, AttributeType type, bool is_cut) {
  if (type == AttributeType::kN) {
    if (is_cut) return std::string(kCutOff);
    return Number::FromStored(EncodedPartValue(part, type).bytes()).ToText();
  }
  Arena arena;
  std::string ended(part);
  if (is_cut) ended += kPartEnd;
  std::size_t at = 0;
  const std::string_view bytes = DecodePart(ended, &at, type, arena).bytes();
  std::string text = type == AttributeType::kB ? HexText(bytes)
                     : is_cut                  ? std::string(WholeCharacters(bytes))
                                               : std::string(bytes);
  return is_cut ? text.append(kCutOff) : text;
}

}  // namespace

std::vector<std::string> KeyPartTexts(const KeySchema& key, std::string_view encoded,
                                      std::size_t kept_bytes) {
  std::vector<std::string> texts;
  std::size_t at = 0;
  for (std::size_t i = 0; i < key.parts() && at < encoded.size(); ++i) {
    const AttributeType type = key.part(i).type;
    const std::string_view part = encoded.substr(at, EncodedPrefixEnd(encoded.substr(at), type));
    at += part.size();
    texts.push_back(PartText(part, type, at == kept_bytes && !part.ends_with(kPartEnd)));
  }
  return texts;
}

std::string KeyText(const KeySchema& key, std::string_view encoded, std::size_t kept_bytes) {
  const std::vector<std::string> texts = KeyPartTexts(key, encoded, kept_bytes);
  std::string text;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    text.append(text.empty() ? "" : ", ").append(key.part(i).name).append("=").append(texts[i]);
  }
  return text;
}

}  // namespace hashrange
