#include "server/exchange/console_page.h"

#include <algorithm>

#include "base/text/host_name.h"

namespace hashrange {
namespace {

constexpr std::string_view kIndex = "index.html";

// The page runs no code but its own files, calls no server but its own, and stands in no frame.
constexpr std::string_view kSafetyLines =
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n";

constexpr std::string_view kOff =
    R"({"error":"This server has no console: it was started with --console off, or in another )"
    R"(program, or it is a WebAssembly module."})";
constexpr std::string_view kNotBuilt =
    R"({"error":"This program was built without the console: scripts/console builds the page, )"
    R"(and the next build of the program has it."})";
constexpr std::string_view kNoFile = R"({"error":"The console has no such file."})";
constexpr std::string_view kOtherMethod =
    R"({"error":"The console's files are read with GET or HEAD."})";
constexpr std::string_view kPacked =
    R"({"error":"The console's files are gzipped, and Accept-Encoding does not allow that."})";

ConsoleAnswer ConsoleError(int status, std::string_view body) {
  return {status, "application/json", std::string(kSafetyLines), body};
}

std::string_view WithoutBlanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Returns whether the quality of a coding is 0: "q=0", "q=0.000".
bool IsForbidden(std::string_view parameter) {
  parameter = WithoutBlanks(parameter);
  return (parameter.starts_with("q=0") || parameter.starts_with("Q=0")) &&
         parameter.find_first_not_of("0.", 2) == parameter.npos;
}

// Without the header, a client takes every coding (RFC 9110, section 12.5.3).
bool AcceptsGzip(const HttpRequest& request) {
  if (!request.accept_encoding) return true;
  bool accepts_others = false;
  for (std::string_view rest = *request.accept_encoding; !rest.empty();) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    const std::string_view coding = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t semicolon = std::min(coding.find(';'), coding.size());
    const std::string_view name = WithoutBlanks(coding.substr(0, semicolon));
    const bool is_allowed =
        semicolon == coding.size() || !IsForbidden(coding.substr(semicolon + 1));
    if (SameName(name, "gzip")) return is_allowed;
    if (name == "*") accepts_others = is_allowed;
  }
  return accepts_others;
}

bool HasFile(const HttpRequest& request, const ConsoleFile& file) {
  if (!request.if_none_match) return false;
  return *request.if_none_match == "*" ||
         request.if_none_match->find(file.etag) != std::string_view::npos;
}

}  // namespace

bool IsConsolePath(std::string_view path) {
  if (!path.starts_with(kConsolePath)) return false;
  path.remove_prefix(kConsolePath.size());
  return path.empty() || path.front() == '/';
}

ConsoleAnswer AnswerConsole(const HttpRequest& request, std::string_view console,
                            std::span<const ConsoleFile> files) {
  if (console == "off") return ConsoleError(404, kOff);
  if (files.empty()) return ConsoleError(404, kNotBuilt);
  if (request.method != HttpMethod::kGet && request.method != HttpMethod::kHead) {
    ConsoleAnswer refused = ConsoleError(405, kOtherMethod);
    refused.lines.append("Allow: GET, HEAD\r\n");
    return refused;
  }
  std::string_view name = request.path.substr(kConsolePath.size());
  if (!name.empty()) name.remove_prefix(1);
  if (name.empty()) name = kIndex;
  const auto file = std::ranges::find(files, name, &ConsoleFile::name);
  if (file == files.end()) return ConsoleError(404, kNoFile);
  if (file->is_gzipped && !AcceptsGzip(request)) return ConsoleError(406, kPacked);
  ConsoleAnswer answer{200, file->content_type, std::string(kSafetyLines), file->bytes};
  answer.lines.append("ETag: ").append(file->etag).append("\r\n");
  answer.lines.append(file->name == kIndex
                          ? "Cache-Control: no-cache\r\n"
                          : "Cache-Control: public, max-age=31536000, immutable\r\n");
  if (file->is_gzipped) answer.lines.append("Content-Encoding: gzip\r\n");
  if (HasFile(request, *file)) answer.http_status = 304;
  return answer;
}

}  // namespace hashrange
