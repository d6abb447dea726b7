// The arguments of tools: each tool lists those that it takes, and from the list come the JSON
// Schema that a client shows its model and the check of what a model sends. Pure functions; any
// thread.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace hashrange {

enum class ArgumentType : std::uint8_t {
  kText,     // not empty
  kBoolean,  // true or false
  kWhole,    // a whole number, from `least` to `greatest`
  kObject,
  kTexts,  // a list of texts
};

struct ToolArgument {
  std::string_view name;
  ArgumentType type = ArgumentType::kText;
  bool is_required = false;
  std::string_view description = {};
  std::span<const std::string_view> values = {};  // of a text; empty: any
  std::int64_t least = 0;                         // of a whole number
  std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
};

// Arguments that have passed the check. A function for one type is called only for an argument of
// this type; it returns nothing, or an empty list, for one that was not given.
class ToolArguments {
 public:
  // Returns the arguments in `json`, which outlives them; null: there are none. An argument that is
  // null counts as one that was not given, as many clients send it.
  // Errors: ValidationException  an argument is not known, is missing, or has a wrong value; the
  //         sentence says what is allowed
  static Result<ToolArguments> Read(const JsonValue* json, std::span<const ToolArgument> known);

  std::optional<std::string_view> Text(std::string_view name) const;
  std::optional<bool> Boolean(std::string_view name) const;
  std::optional<std::int64_t> Whole(std::string_view name) const;
  std::vector<std::string> Texts(std::string_view name) const;
  const JsonValue* Object(std::string_view name) const;  // null: none was given

 private:
  explicit ToolArguments(const JsonValue* json) : json_(json) {}
  const JsonValue* Find(std::string_view name) const;

  const JsonValue* json_;
};

// Writes the JSON Schema (2020-12) of an object with these arguments.
void WriteArgumentSchema(std::span<const ToolArgument> arguments, JsonWriter& writer);

}  // namespace hashrange
