#include "control/control.h"

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/text/parse_whole.h"
#include "control/call_input.h"
#include "control/routes.h"
#include "engine/engine.h"
#include "platform/process.h"
#include "store/kept/kept_tables.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

constexpr Route kRoutes[] = {
#define HR_CONTROL_CALL(name, ...) {.function = name, __VA_ARGS__},
#include "control/routes.def"
};

ControlAnswer ErrorAnswer(int http_status, std::string_view sentence) {
  return {.http_status = http_status, .body = JsonObjectText([&](JsonWriter& writer) {
                                        writer.StringMember("error", sentence);
                                      })};
}

// Returns the name in the place of the '*' when `path` matches `pattern`; without a '*', the empty
// name. Returns nullopt when the path does not match.
std::optional<std::string_view> MatchPath(std::string_view pattern, std::string_view path) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) {
    return path == pattern ? std::optional<std::string_view>("") : std::nullopt;
  }
  const std::string_view before = pattern.substr(0, star), after = pattern.substr(star + 1);
  if (path.size() <= before.size() + after.size()) return std::nullopt;
  if (!path.starts_with(before) || !path.ends_with(after)) return std::nullopt;
  const auto name = path.substr(before.size(), path.size() - before.size() - after.size());
  return name.find('/') == std::string_view::npos ? std::optional(name) : std::nullopt;
}

struct FoundRoute {
  const Route* route = nullptr;  // null: there is no such route
  std::string_view name;         // in the place of the '*'
  std::string methods = {};      // without a route: "GET or POST", where routes have this path
};

FoundRoute FindRoute(const ControlRequest& request) {
  FoundRoute found;
  for (const Route& route : kRoutes) {
    const auto name = MatchPath(route.path, request.path);
    if (!name) continue;
    if (route.method == request.method) return {&route, *name, {}};
    found.methods.append(found.methods.empty() ? "" : " or ").append(route.method);
  }
  return found;
}

// Parses the body as an object.
Result<const JsonValue*> ParseBody(std::string& body, JsonDialect dialect, Arena& arena) {
  static const JsonValue empty = [] {
    JsonValue value;
    value.type = JsonValue::Type::kObject;
    return value;
  }();
  if (body.find_first_not_of(" \t\r\n") == std::string::npos) return &empty;
  auto parsed = ParseJsonData({body.data(), body.size()}, dialect, arena);
  if (!parsed.ok()) {
    return ValidationError("The body is not a JSON object: " + parsed.error().message);
  }
  if ((*parsed)->type == JsonValue::Type::kObject) return *parsed;
  return ValidationError("The body is not a JSON object.");
}

// Refuses a query or a body where the call does not read it. If it were ignored, a reset with its
// scope in a query would reset everything.
Status CheckInput(const Route& route, const ControlRequest& request, const JsonValue& body) {
  if (route.input != CallInput::kQuery && !request.query.empty()) {
    return ValidationError(route.input == CallInput::kBody
                               ? "This call has no query parameters; it reads its JSON body."
                               : "This call has no query parameters.");
  }
  if (route.input != CallInput::kBody) HR_RETURN_IF_ERROR(ReadObject(body, {}));
  return {};
}

int HttpStatusOf(ErrorCode code) {
  if (code == ErrorCode::kResourceNotFoundException) return 404;
  if (code == ErrorCode::kInternalServerError) return 500;
  return code == ErrorCode::kResourceInUseException ? 409 : 400;
}

}  // namespace

std::span<const Route> Routes() { return kRoutes; }

ControlError::ControlError(Error error)
    : http_status(HttpStatusOf(error.code)), sentence(std::move(error.message)) {}

std::optional<std::uint64_t> ParseCallId(std::string_view text) {
  return ParseWhole<std::uint64_t>(text);
}

ControlResult AnswerCount(std::string_view name, std::size_t count, JsonWriter& answer) {
  answer.BeginObject();
  answer.IntegerMember(name, static_cast<std::int64_t>(count));
  answer.EndObject();
  return {};
}

bool Control::TakesLong(const ControlRequest& request) {
  const FoundRoute found = FindRoute(request);
  return found.route && found.route->takes_long;
}

ControlAnswer Control::Answer(const ControlRequest& request) {
  const auto [route, name, methods] = FindRoute(request);
  if (!route && !methods.empty()) {
    return ErrorAnswer(
        405, "This path is called with " + methods + ", not with " + request.method + ".");
  }
  if (!route) {
    return ErrorAnswer(404, "There is no such call; docs/control-api.md lists the calls.");
  }
  if (request.is_of_other_user && route->callers == Callers::kOwnUser) {
    return ErrorAnswer(
        403,
        "This call is only for programs of the server's own user and of root, unless "
        "the server was started with --control-token and the call sends that token.");
  }
  MovableLock one_at_a_time(route->takes_long ? long_calls_ : short_calls_);
  Arena arena;
  std::string text = request.body;
  const auto body = ParseBody(text, route->dialect, arena);
  if (!body.ok()) return ErrorAnswer(400, body.error().message);
  if (const Status status = CheckInput(*route, request, **body); !status.ok()) {
    return ErrorAnswer(400, status.error().message);
  }
  KeptTables* const kept = route->changes_kept ? parts_.kept : nullptr;
  if (kept) {
    const Status admitted = kept->durability().AdmitChange();
    if (!admitted.ok()) return ErrorAnswer(500, admitted.error().message);
  }
  ControlAnswer answer;
  const std::string_view decoded = DecodedPathName(name, arena);
  ControlCall call{parts_, request, *body, decoded, arena, answer.content_type};
  OutputBuffer out;
  JsonWriter writer(out);
  const ControlResult error = route->function(call, writer);
  if (kept) {
    kept->ClockWasSet();
    const Durability::Position position = kept->durability().appended();
    // While the disk fails, other calls are answered.
    one_at_a_time.unlock();
    const Status safe = kept->durability().WaitUntilSafe(position);
    if (!safe.ok()) return ErrorAnswer(500, safe.error().message);
  }
  if (error) return ErrorAnswer(error->http_status, error->sentence);
  answer.body = out.view();
  return answer;
}

ControlResult DescribeServer(ControlCall& call, JsonWriter& answer) {
  const ControlParts& parts = call.parts;
  answer.BeginObject();
  answer.StringMember("version", HASHRANGE_VERSION);
  answer.IntegerMember("pid", ProcessId());
  answer.IntegerMember("uptime_ms", SystemClock().NowEpochMs() - parts.start_epoch_ms);
  answer.IntegerMember("tables",
                       static_cast<std::int64_t>(parts.engine.catalog().TablesOf({}).size()));
  answer.StringMember("console", call.request.console);
  answer.EndObject();
  return std::nullopt;
}

}  // namespace hashrange
