// Parsed: a JSON text and its value, for the tests of wire/.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/memory/arena.h"
#include "wire/json.h"

namespace hashrange {

class Parsed {
 public:
  explicit Parsed(std::string_view json) : text_(json) {
    auto parsed = ParseJson({text_.data(), text_.size()}, arena_);
    EXPECT_TRUE(parsed.ok()) << json;
    if (parsed.ok()) json_ = *parsed;
  }
  const JsonValue& operator*() const { return *json_; }
  const JsonValue* operator->() const { return json_; }
  Arena& arena() { return arena_; }

 private:
  std::string text_;
  Arena arena_;
  JsonValue null_;
  const JsonValue* json_ = &null_;
};

inline std::string Repeated(int count, std::string_view text) {
  std::string all;
  for (int i = 0; i < count; ++i) all.append(text);
  return all;
}

// Returns `levels` − 1 maps of one key around a string: levels as the service counts them.
inline std::string NestedMaps(int levels) {
  return Repeated(levels - 1, R"({"M":{"a":)") + R"({"S":"x"})" + Repeated(levels - 1, "}}");
}

}  // namespace hashrange
