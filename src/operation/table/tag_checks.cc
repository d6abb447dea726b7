#include "operation/table/tag_checks.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "base/lower_case.h"
#include "base/utf8.h"
#include "operation/table/tag_characters.h"
#include "wire/binder.h"

namespace hashrange {
namespace {

constexpr std::size_t kMaxKeyLength = 128;
constexpr std::size_t kMaxValueLength = 256;

// Returns whether the key begins with "aws:" in any case of letters.
bool HasReservedPrefix(std::string_view key) {
  constexpr std::string_view kReserved = "aws:";
  return key.size() >= kReserved.size() &&
         std::ranges::equal(key.substr(0, kReserved.size()), kReserved, {},
                            [](char c) { return LowerCase(c); });
}

Status CheckKey(const std::optional<std::string_view>& key) {
  if (key && !key->empty() && Utf16Length(*key) <= kMaxKeyLength && IsTagText(*key)) return {};
  return ValidationError("The Tag Key provided is invalid, Key: " +
                         std::string(key.value_or("null")));
}

Status CheckValue(const std::optional<std::string_view>& value) {
  if (value && Utf16Length(*value) <= kMaxValueLength && IsTagText(*value)) return {};
  return ValidationError("The Tag Value provided is invalid, Value: " +
                         std::string(value.value_or("null")));
}

// Checks the prefix of each key, that no key is repeated, and the number of keys.
class KeyChecks {
 public:
  Status Add(std::string_view key) {
    if (HasReservedPrefix(key)) {
      return ValidationError("Tag Key cannot be prefixed with aws:, Key: " + std::string(key));
    }
    if (keys_.insert(key).second) return {};
    return ValidationError("Duplicate Tag Keys provided as input: Duplicate Tag Key found " +
                           std::string(key));
  }
  Status CheckCount() const {
    return keys_.size() <= TagSet::kMaxTags ? Status() : Status(TooManyTags());
  }

 private:
  std::set<std::string_view> keys_;
};

}  // namespace

Result<std::vector<Tag>> ReadTags(std::span<const JsonValue> list) {
  std::vector<Tag> tags;
  KeyChecks keys;
  for (const JsonValue& element : list) {
    const RequestObject tag(element);
    const auto key = tag.String("Key");
    const auto value = tag.String("Value");
    HR_RETURN_IF_ERROR(CheckKey(key));
    HR_RETURN_IF_ERROR(CheckValue(value));
    HR_RETURN_IF_ERROR(keys.Add(*key));
    tags.push_back({std::string(*key), std::string(*value)});
  }
  HR_RETURN_IF_ERROR(keys.CheckCount());
  return tags;
}

Result<std::vector<std::string>> ReadTagKeys(std::span<const JsonValue> list) {
  std::vector<std::string> tag_keys;
  KeyChecks keys;
  for (const JsonValue& element : list) {
    const std::string_view key = element.string();
    HR_RETURN_IF_ERROR(CheckKey(key));
    HR_RETURN_IF_ERROR(keys.Add(key));
    tag_keys.emplace_back(key);
  }
  HR_RETURN_IF_ERROR(keys.CheckCount());
  return tag_keys;
}

Error TooManyTags() {
  return ValidationError("Number of Tags exceed the current limit for the provided ResourceArn");
}

}  // namespace hashrange
