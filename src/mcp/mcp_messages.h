// The messages of the Model Context Protocol, which are of JSON-RPC 2.0: those that a client sends,
// as they were read, and the texts of answers. Pure functions; any thread.
//
// Two styles are answered. Clients of the revisions up to 2025-11-25 begin with `initialize`.
// Clients of the revision 2026-07-28 begin with nothing: each of their requests has the revision
// and the client's capabilities in `_meta`, and `server/discover` says what the server offers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/tool.h"
#include "wire/json.h"

namespace hashrange {

// The codes of errors of the protocol. UnsupportedProtocolVersion is one of MCP (revision
// 2026-07-28).
enum class RpcCode : std::int16_t {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  kInternalError = -32603,
  kUnsupportedProtocolVersion = -32022,
  kResourceNotFound = -32002,  // before the revision 2026-07-28, which takes kInvalidParams
};

struct RpcMessage {
  enum class Kind : std::uint8_t {
    kRequest,       // is answered
    kNotification,  // is never answered, and has no method if it is invalid
    kResponse,      // answers a request; the server makes none, so it is dropped
    kInvalid,       // is answered by an error with `complaint`
  };
  Kind kind = Kind::kInvalid;
  std::string id = {};  // JSON, as the client wrote it: 7, "a"; empty: it has none
  std::string_view method = {};
  const JsonValue* params = nullptr;  // an object; null: there are none
  std::string complaint = {};
};

// Returns the message of one JSON value, which was read as a document (JsonDialect::kDocument) and
// outlives the message.
RpcMessage ReadRpcMessage(const JsonValue& json);

// Returns the id, a string or a number, as JSON; empty for any other value.
std::string RpcIdText(const JsonValue& json);

// Return a whole message, without a line end. `id`, `result`, `data` and `params` are JSON; an
// empty `data`, and an empty `id` of an error, is left out.
std::string RpcResult(std::string_view id, std::string_view result);
std::string RpcError(std::string_view id, RpcCode code, std::string_view message,
                     std::string_view data = {});
std::string RpcNotification(std::string_view method, std::string_view params);

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

// Each returns a result as JSON, in the form of the revision. `revision` is what a client asks for;
// one that is not known is answered by the latest that has the handshake.
std::string InitializeResult(const McpIdentity& identity, std::string_view revision);
std::string DiscoverResult(const McpIdentity& identity);
// Returns the result of subscriptions/listen, which ends the subscription. `id` is JSON.
std::string SubscriptionResult(const McpIdentity& identity, std::string_view id);
// Returns whether errors of messages whose id is not known have the id null: before 2025-11-25.
bool HasNullIds(std::string_view revision);
std::string ToolListResult(const McpIdentity& identity, const ToolTable& tools,
                           const RequestMeta& meta);
std::string ResourceListResult(const McpIdentity& identity, const RequestMeta& meta);
std::string ResourceTemplateListResult(const McpIdentity& identity, const RequestMeta& meta);
// Returns nothing where there is no resource with the URI.
std::optional<std::string> ResourceResult(const McpIdentity& identity, std::string_view uri,
                                          const RequestMeta& meta);
std::string ToolCallResult(const McpIdentity& identity, const Result<ToolResult>& result,
                           const RequestMeta& meta);

}  // namespace hashrange
