// The router takes one HTTP request and gives the bytes of one answer. It decides whether the
// request may be answered, and whether it is an API request, a request for a file of the console, a
// request for the health page, a CORS preflight or an unknown request
// (docs/service/01-wire-protocol.md, sections 1 and 2). Any thread.
#pragma once

#include <span>
#include <string>

#include "control/control_request.h"
#include "server/exchange/console_page.h"
#include "server/exchange/handlers.h"
#include "server/exchange/http_access.h"
#include "server/exchange/http_answer.h"
#include "server/exchange/http_request.h"

namespace hashrange {

// What the router knows of the server.
struct Routing {
  BrowserAccess browsers;
  // GET and HEAD of "/" are refused as DynamoDB Local refuses every request without a signature:
  // programs that start it wait for the status 400 (docs/moving.md).
  bool answers_root_with_400 = false;
  // "on", "read-only" or "off". The console itself keeps to "read-only": it learns the word from
  // the control API, and then shows nothing that writes.
  std::string console = "off";
  std::span<const ConsoleFile> console_files = ConsoleFiles();
};

// Returns whether the request asks whether the server is up.
bool IsHealthRequest(const HttpRequest& request);

// Returns whether the request is refused as `answers_root_with_400` says. The connection ends
// behind such an answer: a program that waits for the status may leave the body unread, as
// jest-dynamodb does, and its process would not end before the connection does.
bool IsRefusedRoot(const Routing& routing, const HttpRequest& request);

// Returns the status that was written, and whether the caller must delay or drop the answer, or
// repeat the request. Appends the whole answer, head and body, to `out`. `close`: the answer says
// that the connection ends after it. Cost: no allocation when `out` has the room.
ApiAnswer RouteRequest(const ApiHandler& handler, const Routing& routing,
                       const HttpRequest& request, bool close, Output& out);

// Appends the whole answer to an API request that is refused.
void AppendApiRefusal(const Refusal& refusal, bool close, Output& out);

// Appends the whole answer to a control request. `with_body`: false for a HEAD request.
void AppendControlAnswer(const ControlAnswer& answer, bool close, bool with_body, Output& out);

}  // namespace hashrange
