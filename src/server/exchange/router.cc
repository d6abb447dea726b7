#include "server/exchange/router.h"

#include <algorithm>
#include <cstring>

#include "server/exchange/http_answer.h"

namespace hashrange {
namespace {

constexpr std::string_view kAmzJson = "application/x-amz-json-1.0";
constexpr std::string_view kJson = "application/json";
constexpr std::string_view kUnknown = "<UnknownOperationException/>\n";
constexpr std::size_t kMaxRegionLength = 32;
// What DynamoDB Local 2 answers to a request without a signature, as its users have published it.
constexpr std::string_view kUnsigned =
    R"({"__type":"com.amazonaws.dynamodb.v20120810#MissingAuthenticationToken",)"
    R"("Message":"Request must contain either a valid (registered) AWS access key ID or X.509 )"
    R"(certificate."})";

// Returns the type without parameters and surrounding blanks.
std::string_view MediaType(std::string_view content_type) {
  content_type = content_type.substr(0, content_type.find(';'));
  const std::size_t first = content_type.find_first_not_of(" \t");
  if (first == content_type.npos) return {};
  return content_type.substr(first, content_type.find_last_not_of(" \t") - first + 1);
}

// Returns the third part of the credential, AKID/20260101/eu-west-1/dynamodb/aws4_request;
// us-east-1 when there is no such part, or the part does not look like a Region.
std::string_view SigningRegion(const HttpRequest& request) {
  constexpr std::string_view kDefault = "us-east-1";
  constexpr std::string_view kCredential = "Credential=";
  std::string_view text = request.authorization.value_or("");
  const std::size_t at = text.find(kCredential);
  if (at == text.npos) return kDefault;
  text.remove_prefix(at + kCredential.size());
  text = text.substr(0, text.find(','));
  for (int part = 0; part < 2; ++part) {
    const std::size_t slash = text.find('/');
    if (slash == text.npos) return kDefault;
    text.remove_prefix(slash + 1);
  }
  text = text.substr(0, text.find('/'));
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
  return plain && !text.empty() && text.size() <= kMaxRegionLength ? text : kDefault;
}

AnswerHead HeadFor(const HttpRequest& request, bool close) {
  AnswerHead head;
  // In HTTP/1.1 connections stay open by default; in HTTP/1.0 the answer must say so.
  if (close) {
    head.connection = "close";
  } else if (request.is_http_1_0) {
    head.connection = "keep-alive";
  }
  return head;
}

ApiAnswer AppendPage(AnswerHead head, bool with_body, Output& out) {
  char* const at = out.bytes.Reserve(kAnswerHeadRoom);
  out.bytes.EndAt(at + WriteAnswerHead(head, at));
  if (with_body) out.bytes.Append(head.body);
  ApiAnswer answer;
  answer.http_status = head.status;
  return answer;
}

ApiAnswer AppendRefusal(const Refusal& refusal, AnswerHead head, bool with_body, Output& out) {
  const std::string body = ApiErrorBody(refusal);
  head.status = refusal.http_status;
  head.content_type = kAmzJson;
  head.body = body;
  return AppendPage(head, with_body, out);
}

ApiAnswer AppendHealth(const HttpRequest& request, AnswerHead head, Output& out) {
  std::string text = "healthy: dynamodb.";
  text.append(SigningRegion(request)).append(".amazonaws.com ");
  head.body = text;
  return AppendPage(head, true, out);
}

ApiAnswer AppendUnsigned(AnswerHead head, bool with_body, Output& out) {
  head.status = 400;
  head.content_type = kAmzJson;
  head.body = kUnsigned;
  return AppendPage(head, with_body, out);
}

// The page is not for pages of other origins, so the answer allows none of them.
ApiAnswer AppendConsole(const Routing& routing, const HttpRequest& request, AnswerHead head,
                        Output& out) {
  const ConsoleAnswer console = AnswerConsole(request, routing.console, routing.console_files);
  head.status = console.http_status;
  head.content_type = console.content_type;
  head.body = console.body;
  ApiAnswer answer = AppendPage(head, false, out);
  out.bytes.Truncate(out.bytes.size() - 2);  // the empty line: more fields follow
  out.bytes.Append(console.lines);
  out.bytes.Append("\r\n");
  if (request.method != HttpMethod::kHead && head.status != 304) out.bytes.Append(console.body);
  return answer;
}

ApiAnswer AppendPreflight(const HttpRequest& request, const AnswerHead& head, Output& out) {
  AppendPage(head, false, out);
  out.bytes.Truncate(out.bytes.size() - 2);  // the empty line: more fields follow
  if (request.requested_headers) {
    out.bytes.Append("Access-Control-Allow-Headers: ");
    out.bytes.Append(*request.requested_headers);
    out.bytes.Append("\r\n");
  }
  if (request.requested_method) {
    out.bytes.Append("Access-Control-Allow-Methods: ");
    out.bytes.Append(*request.requested_method);
    out.bytes.Append("\r\n");
  }
  out.bytes.Append("Access-Control-Max-Age: 172800\r\n\r\n");
  return {};
}

// The body is appended after room for the head, because the head's length depends on the body.
// Then, for the first answer of a slice, the head is written so that it ends where the body starts,
// and the rest of the room stays unused. For a later answer, the head starts at the room's start,
// and the body is moved to the head.
ApiAnswer AppendApiAnswer(const ApiHandler& handler, const HttpRequest& request, AnswerHead head,
                          Output& out) {
  ApiRequest api;
  api.target = request.api_target;
  api.authorization = request.authorization;
  api.has_date = request.has_date;
  api.host = request.host;
  api.query = request.query;
  api.pattern = request.pattern;
  api.user_agent = request.user_agent;
  api.connection = request.connection;
  api.may_leave = request.may_leave;
  api.body = request.body;
  const std::size_t start = out.bytes.size();
  const std::size_t body_start = start + kAnswerHeadRoom;
  out.bytes.EndAt(out.bytes.Reserve(kAnswerHeadRoom) + kAnswerHeadRoom);

  // The handler may overwrite the byte after the body, which may be the first of the next request.
  char* const behind = request.body.data() + request.body.size();
  const char saved = *behind;
  ApiAnswer answer = handler(api, out.bytes);
  *behind = saved;
  if (answer.body_to_repeat) [[unlikely]] {
    out.DropFrom(start);
    return answer;
  }

  head.status = answer.http_status;
  head.body = out.bytes.view().substr(body_start);
  char bytes[kAnswerHeadRoom];
  const std::size_t length = WriteAnswerHead(head, bytes);
  if (start == out.slice) {
    out.begin = body_start - length;
    std::memcpy(out.bytes.data() + out.begin, bytes, length);
  } else {
    char* const at = out.bytes.data() + start;
    std::memcpy(at, bytes, length);
    std::memmove(at + length, at + kAnswerHeadRoom, head.body.size());
    out.bytes.EndAt(at + length + head.body.size());
  }
  return answer;
}

}  // namespace

bool IsHealthRequest(const HttpRequest& request) {
  return request.method == HttpMethod::kGet && request.path == "/";
}

bool IsRefusedRoot(const Routing& routing, const HttpRequest& request) {
  const bool reads = request.method == HttpMethod::kGet || request.method == HttpMethod::kHead;
  return routing.answers_root_with_400 && reads && request.path == "/";
}

void AppendControlAnswer(const ControlAnswer& answer, bool close, bool with_body, Output& out) {
  AnswerHead head;
  head.status = answer.http_status;
  head.content_type = answer.content_type;
  if (close) head.connection = "close";
  head.body = answer.body;
  AppendPage(head, with_body, out);
}

void AppendApiRefusal(const Refusal& refusal, bool close, Output& out) {
  AnswerHead head;
  if (close) head.connection = "close";
  AppendRefusal(refusal, head, true, out);
}

ApiAnswer RouteRequest(const ApiHandler& handler, const Routing& routing,
                       const HttpRequest& request, bool close, Output& out) {
  AnswerHead head = HeadFor(request, close);
  const BrowserAccess& browsers = routing.browsers;
  const bool with_body = request.method != HttpMethod::kHead;
  if (const auto refusal = browsers.Refuse(request)) {
    return AppendRefusal(*refusal, head, with_body, out);
  }
  if (IsConsolePath(request.path)) return AppendConsole(routing, request, head, out);
  if (request.origin) head.allowed_origin = browsers.AllowedOrigin(request);
  if (request.method == HttpMethod::kOptions && request.origin) {
    return AppendPreflight(request, head, out);
  }
  if (IsRefusedRoot(routing, request)) return AppendUnsigned(head, with_body, out);
  if (IsHealthRequest(request)) return AppendHealth(request, head, out);
  const std::string_view type = MediaType(request.content_type);
  const bool known_type = type == kAmzJson || type == kJson || request.body.empty();
  if (request.method != HttpMethod::kPost || !known_type) {
    head.status = 404;
    head.body = kUnknown;
    return AppendPage(head, with_body, out);
  }
  head.content_type = type == kAmzJson ? kAmzJson : kJson;
  return AppendApiAnswer(handler, request, head, out);
}

}  // namespace hashrange
