// The router: one HTTP request in, the bytes of one answer out. Decides whether it may be
// answered at all, and whether it is an API request, the health page, a CORS preflight or
// nothing we know (docs/service/01-wire-protocol.md, sections 1 and 2). Any thread.
#pragma once

#include "control/control_request.h"
#include "http/api_handler.h"
#include "http/browser_access.h"
#include "http/http_request.h"
#include "http/output.h"
#include "http/refusal.h"

namespace hashrange {

// Appends the whole answer, head and body, to `out`. `close`: the connection ends with
// it. The returned status is the one written; delay and drop are the caller's to obey.
// Cost: on a warm `out`, no allocation.
ApiAnswer AnswerRequest(const ApiHandler& handler, const BrowserAccess& browsers,
                        const HttpRequest& request, bool close, Output& out);

// Appends the answer to a request for the API that is refused, likewise.
void AppendApiRefusal(const Refusal& refusal, bool close, Output& out);

// Appends the answer to a control request, likewise; to a HEAD without its body.
void AppendControlAnswer(const ControlAnswer& answer, bool close, bool with_body, Output& out);

}  // namespace hashrange
