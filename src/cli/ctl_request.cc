#include "cli/ctl_request.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/arena.h"
#include "base/file_text.h"
#include "base/output_buffer.h"
#include "base/percent_encoding.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

using Kind = CtlOption::Kind;
using Act = CtlCommand::Act;

constexpr std::string_view kRoot = "/_hashrange/";

bool IsInBody(const GivenOption& given) {
  switch (given.option->kind) {
    case Kind::kName:
    case Kind::kTarget:
    case Kind::kFilter:
    case Kind::kFollow:
      return false;
    default:
      return true;
  }
}

bool IsScope(const GivenOption& given) { return given.option->kind == Kind::kScope; }

// Returns whether the option says what a call is to do, not only which tables it is about.
bool IsSetting(const GivenOption& given) { return IsInBody(given) && !IsScope(given); }

bool IsJson(std::string text) {
  Arena arena(4 << 10);
  const std::size_t size = text.size();
  text.push_back('\0');  // the parser needs a terminator
  return ParseJson({text.data(), size}, arena).ok();
}

std::string Quoted(std::string_view text) {
  OutputBuffer out;
  JsonWriter(out).String(text);
  return std::string(out.view());
}

// Returns the option's value as JSON for the body.
Result<std::string> OptionAsJson(const GivenOption& given) {
  const std::string& value = given.value;
  switch (given.option->kind) {
    case Kind::kTrue:
      return std::string("true");
    case Kind::kFalse:
      return std::string("false");
    case Kind::kValueOrTrue:
      if (value.empty()) return std::string("true");
      [[fallthrough]];
    case Kind::kValue:
      return IsJson(value) ? value : Quoted(value);
    case Kind::kJson:
      if (!IsJson(value)) return ValidationError(std::string(given.option->name) + " is not JSON");
      return value;
    case Kind::kFile: {
      HR_ASSIGN(std::string text, ReadFileText(value));
      if (!IsJson(text)) return ValidationError(value + " is not JSON");
      return text;
    }
    case Kind::kPath: {
      std::error_code unknown;  // if it is set, the path is sent as it was given
      const auto path = std::filesystem::absolute(value, unknown);
      return Quoted(unknown ? value : path.lexically_normal().string());
    }
    default:
      return Quoted(value);
  }
}

// Returns the object of all members, or the one value that is the whole body.
Result<std::string> RequestBody(const GivenCommand& given) {
  std::string members;
  std::optional<std::string> whole;
  for (const GivenOption& option : given.options) {
    if (!IsInBody(option)) continue;
    HR_ASSIGN(std::string json, OptionAsJson(option));
    const std::string_view member = option.option->member;
    if (member.empty()) {
      whole = std::move(json);
      continue;
    }
    members.append(members.empty() ? "" : ",").append(Quoted(member)).append(":").append(json);
  }
  if (whole && !members.empty()) {
    return ValidationError("a file or text that is the whole body goes with no other option");
  }
  return whole ? *std::move(whole) : "{" + members + "}";
}

std::string RequestMethod(const GivenCommand& given) {
  if (given.deletes) return "DELETE";
  switch (given.command->act) {
    case Act::kGet:
      return "GET";
    case Act::kPost:
      return "POST";
    case Act::kDelete:
      return "DELETE";
    case Act::kGetOfScopeOrPost:
      return std::ranges::any_of(given.options, IsSetting) ? "POST" : "GET";
    case Act::kGetOrPost:
      break;
  }
  return std::ranges::any_of(given.options, IsInBody) ? "POST" : "GET";
}

std::string RequestTarget(const GivenCommand& given, bool is_get) {
  std::string path = std::string(kRoot) + given.command->path;
  std::string query;
  for (const auto& each : given.options) {
    const auto& [option, value] = each;
    if (option->kind == Kind::kTarget) {
      path = value.starts_with('/') ? value : std::string(kRoot) + value;
    } else if (option->kind == Kind::kName) {
      path.replace(path.find('*'), 1, PercentEncoded(value));
    } else if (option->kind == Kind::kFilter || (is_get && IsScope(each))) {
      query.append(query.empty() ? "?" : "&").append(option->member).append("=");
      query += PercentEncoded(value);
    }
  }
  if (!given.deleted.empty()) path += "/" + PercentEncoded(given.deleted);
  return path + query;
}

}  // namespace

std::optional<std::string> TakeFollowStart(GivenCommand* given) {
  const auto follows = [](const GivenOption& each) { return each.option->kind == Kind::kFollow; };
  if (std::erase_if(given->options, follows) == 0) return std::nullopt;
  std::string since;
  std::erase_if(given->options, [&](const GivenOption& each) {
    const bool is_since = std::string_view(each.option->member) == "since";
    if (is_since) since = each.value;
    return is_since;
  });
  return since;
}

Result<CtlRequest> MakeCtlRequest(const GivenCommand& given) {
  CtlRequest request{RequestMethod(given), {}, {}};
  request.target = RequestTarget(given, request.method == "GET");
  if (given.deletes && std::ranges::any_of(given.options, IsSetting)) {
    return ValidationError("--delete changes nothing else");
  }
  const bool deletes_of_scope = given.deletes && std::ranges::any_of(given.options, IsScope);
  if (request.method == "POST" || deletes_of_scope) {
    HR_ASSIGN(request.body, RequestBody(given));
  }
  return request;
}

}  // namespace hashrange
