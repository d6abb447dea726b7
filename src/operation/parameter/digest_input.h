// DigestInput collects the parts of a request that a digest is computed of, for idempotency tokens
// and for the NextToken of a statement.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/md5.h"
#include "engine/idempotency_tokens.h"
#include "value/attribute_value.h"

namespace hashrange {

// Appends values so that two inputs are equal exactly when their values are equal.
class DigestInput {
 public:
  void Text(std::string_view text) {
    Size(text.size());
    bytes_.append(text);
  }
  void Text(const std::optional<std::string_view>& text) {
    bytes_.push_back(text ? 1 : 0);
    if (text) Text(*text);
  }
  void Size(std::size_t size) {
    for (int shift = 0; shift < 64; shift += 8) bytes_.push_back(static_cast<char>(size >> shift));
  }
  void Value(const ValueView& value) {
    Size(static_cast<std::size_t>(value.type));
    Text(value.bytes());
  }
  void Attributes(std::span<const Attribute> attributes) {
    Size(attributes.size());
    for (const Attribute& attribute : attributes) {
      Text(attribute.name);
      Value(attribute.value);
    }
  }
  RequestDigest Digest() const { return Md5(bytes_); }

 private:
  std::string bytes_;
};

}  // namespace hashrange
