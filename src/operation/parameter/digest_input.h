// DigestInput collects the parts of a request that a digest is computed of, for idempotency tokens
// and for the NextToken of a statement.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/checksums.h"
#include "engine/idempotency_tokens.h"
#include "value/attribute_value.h"

namespace hashrange {

// Packs the added values into bytes so that two DigestInputs have equal bytes exactly when the same
// values were added to both in the same order. Used by one thread at a time.
class DigestInput {
 public:
  void AddText(std::string_view text) {
    AddNumber(text.size());
    bytes_.append(text);
  }
  void AddText(const std::optional<std::string_view>& text) {
    bytes_.push_back(text ? 1 : 0);
    if (text) AddText(*text);
  }
  void AddNumber(std::size_t number) {
    for (int shift = 0; shift < 64; shift += 8)
      bytes_.push_back(static_cast<char>(number >> shift));
  }
  void AddValue(const ValueView& value) {
    AddNumber(static_cast<std::size_t>(value.type));
    AddText(value.bytes());
  }
  void AddAttributes(std::span<const Attribute> attributes) {
    AddNumber(attributes.size());
    for (const Attribute& attribute : attributes) {
      AddText(attribute.name);
      AddValue(attribute.value);
    }
  }
  RequestDigest Digest() const { return Md5(bytes_); }

 private:
  std::string bytes_;
};

}  // namespace hashrange
