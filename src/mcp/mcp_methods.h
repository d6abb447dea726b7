// The methods of the Model Context Protocol that need no tool: what a server says of itself, and
// the form that results have in each revision of the protocol. Pure functions; any thread.
//
// Two styles are answered. Clients of the revisions up to 2025-11-25 begin with `initialize`.
// Those of the revision 2026-07-28 begin with nothing: each of their requests has the revision and
// the client's capabilities in `_meta`, and `server/discover` says what the server offers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "mcp/json_rpc.h"
#include "mcp/tool.h"
#include "mcp/tool_table.h"

namespace hashrange {

// What the server says of itself.
struct McpIdentity {
  std::string version = {};       // of Hashrange
  std::string instructions = {};  // for the model: what the tools are about
};

// What `_meta` says of one request.
struct RequestMeta {
  bool is_stateless = false;        // it follows the revision 2026-07-28
  std::string progress_token = {};  // JSON; empty: no progress is asked for
};

// An error of the protocol.
struct RpcFailure {
  RpcCode code = RpcCode::kInternalError;
  std::string message = {};
  std::string data = {};  // JSON; empty: none
};

// Reads `_meta` of a request. `params` may be null.
// Errors: kInvalidParams               `_meta` is no object, or lacks what its revision requires
//         kUnsupportedProtocolVersion  the revision is not known; with the known ones
std::optional<RpcFailure> ReadRequestMeta(std::string_view method, const JsonValue* params,
                                          RequestMeta* meta);

// Each returns a result as JSON. `revision` is what a client asks for; one that is not known is
// answered by the latest that has the handshake.
std::string InitializeResult(const McpIdentity& identity, std::string_view revision);
std::string DiscoverResult(const McpIdentity& identity);
// Returns the result of subscriptions/listen, which ends the subscription. `id` is JSON.
std::string SubscriptionResult(const McpIdentity& identity, std::string_view id);
// Returns whether errors of messages whose id is not known have the id null: before 2025-11-25.
bool HasNullIds(std::string_view revision);
std::string ToolListResult(const McpIdentity& identity, const ToolTable& tools,
                           const RequestMeta& meta);
std::string ToolCallResult(const McpIdentity& identity, const Result<ToolResult>& result,
                           const RequestMeta& meta);

}  // namespace hashrange
