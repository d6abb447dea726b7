#include "mcp/tool_arguments.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "base/text/nearest_name.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostTexts = 100;

// Returns the JSON of the schema's member "type".
std::string_view SchemaType(ArgumentType type) {
  constexpr std::string_view kTypes[] = {R"("string")", R"("boolean")", R"("integer")",
                                         R"("object")", R"(["string","array"])"};
  return kTypes[static_cast<std::size_t>(type)];
}

// Returns the whole number of a JSON number as it was written; "3.0" is one, too.
std::optional<std::int64_t> WholeNumberIn(const JsonValue& json) {
  if (json.type != JsonValue::Type::kNumberText) return std::nullopt;
  const std::string_view text = json.string();
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  const bool has_no_fraction =
      rest.empty() || (rest.front() == '.' && rest.find_first_not_of('0', 1) == rest.npos);
  return has_no_fraction ? std::optional(number) : std::nullopt;
}

bool IsFilledText(const JsonValue& json) {
  return json.type == JsonValue::Type::kString && json.size > 0;
}

// A required list has at least one text.
std::size_t LeastTexts(const ToolArgument& argument) { return argument.is_required ? 1 : 0; }

bool IsAllowed(const JsonValue& json, const ToolArgument& argument) {
  switch (argument.type) {
    case ArgumentType::kText:
      return IsFilledText(json) &&
             (argument.values.empty() || std::ranges::count(argument.values, json.string()) > 0);
    case ArgumentType::kBoolean:
      return json.type == JsonValue::Type::kTrue || json.type == JsonValue::Type::kFalse;
    case ArgumentType::kWhole: {
      const auto number = WholeNumberIn(json);
      return number && *number >= argument.least && *number <= argument.greatest;
    }
    case ArgumentType::kObject:
      return json.type == JsonValue::Type::kObject;
    case ArgumentType::kTexts:
      break;
  }
  if (IsFilledText(json)) return true;
  return json.type == JsonValue::Type::kArray && json.size >= LeastTexts(argument) &&
         json.size <= kMostTexts && std::ranges::all_of(json.elements(), IsFilledText);
}

// Returns `"a", "b" or "c"`.
std::string Alternatives(std::span<const std::string_view> values) {
  std::string text;
  for (std::size_t at = 0; at < values.size(); ++at) {
    if (at > 0) text += at + 1 == values.size() ? " or " : ", ";
    text.append("\"").append(values[at]).append("\"");
  }
  return text;
}

// Says what an argument is: "a text that is not empty".
std::string AllowedText(const ToolArgument& argument) {
  switch (argument.type) {
    case ArgumentType::kText:
      return argument.values.empty() ? "a text that is not empty" : Alternatives(argument.values);
    case ArgumentType::kBoolean:
      return "true or false";
    case ArgumentType::kWhole:
      return "a whole number from " + std::to_string(argument.least) +
             (argument.greatest == std::numeric_limits<std::int64_t>::max()
                  ? " on"
                  : " to " + std::to_string(argument.greatest));
    case ArgumentType::kObject:
      return "a JSON object";
    case ArgumentType::kTexts:
      break;
  }
  return "a text, or a list of " + (argument.is_required ? "1 to " : std::string("at most ")) +
         std::to_string(kMostTexts) + " texts, that are not empty";
}

Error Unknown(std::string_view name, std::span<const ToolArgument> known) {
  std::vector<std::string_view> names;
  for (const ToolArgument& argument : known) names.push_back(argument.name);
  std::string sentence = UnknownNameSentence("argument", name, names);
  if (names.empty()) return ValidationError(sentence + "; the tool takes none");
  if (!sentence.ends_with('?')) sentence += "; the tool takes " + Alternatives(names);
  return ValidationError(std::move(sentence));
}

}  // namespace

Status CheckArguments(const JsonValue& json, std::span<const ToolArgument> known) {
  for (const JsonMember& member : json.members()) {
    const auto argument = std::ranges::find(known, member.name, &ToolArgument::name);
    if (argument == known.end()) return Unknown(member.name, known);
    if (member.value.is_null() || IsAllowed(member.value, *argument)) continue;
    return ValidationError("\"" + std::string(argument->name) + "\" has to be " +
                           AllowedText(*argument));
  }
  for (const ToolArgument& argument : known) {
    const JsonValue* const given = json.Find(argument.name);
    if (!argument.is_required || (given && !given->is_null())) continue;
    return ValidationError("\"" + std::string(argument.name) + "\" is missing; it has to be " +
                           AllowedText(argument));
  }
  return {};
}

std::vector<std::string> TextsOf(ObjectReader& arguments, std::string_view name) {
  const JsonValue* const given = arguments.Member(name);
  if (given && given->type == JsonValue::Type::kString) return {std::string(given->string())};
  return arguments.Texts(name);
}

void WriteArgumentSchema(std::span<const ToolArgument> arguments, JsonWriter& writer) {
  writer.BeginObject();
  writer.StringMember("type", "object");
  writer.BeginObject("properties");
  for (const ToolArgument& argument : arguments) {
    writer.BeginObject(argument.name);
    writer.RawMember("type", SchemaType(argument.type));
    writer.StringMember("description", argument.description);
    if (!argument.values.empty()) {
      writer.BeginArray("enum");
      for (const std::string_view value : argument.values) writer.String(value);
      writer.EndArray();
    }
    const bool is_text =
        argument.type == ArgumentType::kText || argument.type == ArgumentType::kTexts;
    if (is_text && argument.values.empty()) {
      writer.IntegerMember("minLength", 1);
    }
    if (argument.type == ArgumentType::kTexts) {
      writer.RawMember("items", R"({"type":"string","minLength":1})");
      if (argument.is_required) writer.IntegerMember("minItems", 1);
      writer.IntegerMember("maxItems", kMostTexts);
    }
    if (argument.type == ArgumentType::kWhole) {
      writer.IntegerMember("minimum", argument.least);
      if (argument.greatest != std::numeric_limits<std::int64_t>::max()) {
        writer.IntegerMember("maximum", argument.greatest);
      }
    }
    writer.EndObject();
  }
  writer.EndObject();
  writer.BeginArray("required");
  for (const ToolArgument& argument : arguments) {
    if (argument.is_required) writer.String(argument.name);
  }
  writer.EndArray();
  writer.BoolMember("additionalProperties", false);
  writer.EndObject();
}

}  // namespace hashrange
