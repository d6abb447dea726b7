// JSON-RPC 2.0, as the Model Context Protocol uses it: messages that were read, and the texts of
// answers. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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

}  // namespace hashrange
