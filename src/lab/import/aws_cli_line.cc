#include "lab/import/aws_cli_line.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "lab/import/imported_template.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Returns the words of a line as a shell makes them, without any expansion.
Result<std::vector<std::string>> ShellWords(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool is_word = false;
  char quote = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    const bool escapes = c == '\\' && quote != '\'' && at + 1 < line.size();
    if (escapes) {
      const char next = line[++at];
      if (next == '\n') continue;  // the line goes on
      word += next;
      is_word = true;
    } else if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      is_word = true;
    } else if (IsBlank(c)) {
      if (is_word) words.push_back(std::exchange(word, {}));
      is_word = false;
    } else {
      word += c;
      is_word = true;
    }
  }
  if (quote != 0) return ValidationError("a quote is not closed");
  if (is_word) words.push_back(word);
  return words;
}

// Returns "KeyConditionExpression" of "key-condition-expression".
std::string PascalName(std::string_view name) { return CapitalizedWords(name, "-"); }

// Returns whether the option is one of the AWS CLI itself.
bool IsOfCli(std::string_view name) {
  constexpr std::string_view kOptions[] = {"region",    "profile",        "endpoint-url",
                                           "output",    "query",          "max-items",
                                           "page-size", "starting-token", "no-cli-pager"};
  return std::ranges::find(kOptions, name) != std::end(kOptions);
}

std::string ValueJson(const std::string& value, std::string_view name) {
  const bool is_json = value.starts_with('{') || value.starts_with('[') || name == "limit";
  return is_json ? value : JsonText(value);
}

}  // namespace

Result<AwsCliRequest> ReadAwsCliLine(std::string_view line) {
  HR_ASSIGN(const std::vector<std::string> words, ShellWords(line));
  const bool is_call = words.size() >= 3 && words[0] == "aws" && words[1] == "dynamodb";
  if (!is_call) return ValidationError("the line does not begin with aws dynamodb");
  AwsCliRequest request;
  request.operation = PascalName(words[2]);
  for (std::size_t at = 3; at < words.size(); ++at) {
    if (!words[at].starts_with("--")) continue;
    std::string name = words[at].substr(2);
    std::string value;
    const bool has_value = at + 1 < words.size() && !words[at + 1].starts_with("--");
    const std::size_t equals = name.find('=');
    if (equals != name.npos) {
      value = name.substr(equals + 1);
      name.resize(equals);
    } else if (has_value) {
      value = words[++at];
    }
    if (IsOfCli(name)) continue;
    std::string json;
    if (value.empty()) {
      json = name.starts_with("no-") ? "false" : "true";
      if (name.starts_with("no-")) name.erase(0, 3);
    } else {
      json = ValueJson(value, name);
    }
    request.json += (request.json.empty() ? "{\"" : ",\"") + PascalName(name) + "\":" + json;
  }
  request.json += request.json.empty() ? "{}" : "}";
  return request;
}

}  // namespace hashrange
