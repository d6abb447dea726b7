// The arguments of tools: each tool lists those that it takes, and from the list come the JSON
// Schema that a client shows its model and the check of what a model sends. Pure functions; any
// thread.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "wire/json.h"
#include "wire/json_writer.h"
#include "wire/object_reader.h"

namespace hashrange {

enum class ArgumentType : std::uint8_t {
  kText,     // not empty
  kBoolean,  // true or false
  kWhole,    // a whole number, from `least` to `greatest`
  kObject,
  kTexts,  // a text, or a list of texts
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

// Checks the arguments of a call, an object. The tool reads them by an ObjectReader, for which an
// argument that is null was not given, as many clients send it; a text that was given is not empty.
// Errors: ValidationException  an argument is not known, is missing, or has a wrong value; the
//         sentence says what is allowed
Status CheckArguments(const JsonValue& json, std::span<const ToolArgument> known);

// Returns the texts of an argument of the type kTexts.
std::vector<std::string> TextsOf(ObjectReader& arguments, std::string_view name);

// Writes the JSON Schema (2020-12) of an object with these arguments.
void WriteArgumentSchema(std::span<const ToolArgument> arguments, JsonWriter& writer);

}  // namespace hashrange
