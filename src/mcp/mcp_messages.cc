#include "mcp/mcp_messages.h"

#include <algorithm>

#include "base/text/text_encodings.h"
#include "mcp/mcp_resources.h"
#include "wire/json_writer.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

constexpr std::string_view kStatelessRevision = "2026-07-28";
constexpr std::string_view kHandshakeRevisions[] = {"2025-11-25", "2025-06-18", "2025-03-26",
                                                    "2024-11-05"};

constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr std::string_view kServerKey = "io.modelcontextprotocol/serverInfo";

// How long a client may keep the lists, which do not change while the server runs.
constexpr std::int64_t kListLifeMs = 3'600'000;

bool IsText(const JsonValue* json, std::string_view text) {
  return json && json->type == JsonValue::Type::kString && json->string() == text;
}

RpcMessage Invalid(RpcMessage message, std::string complaint) {
  message.kind = RpcMessage::Kind::kInvalid;
  message.complaint = std::move(complaint);
  return message;
}

bool IsHandshakeRevision(std::string_view revision) {
  return std::ranges::find(kHandshakeRevisions, revision) != std::end(kHandshakeRevisions);
}

void WriteRevisions(std::string_view name, JsonWriter& writer) {
  writer.BeginArray(name);
  writer.String(kStatelessRevision);
  for (const std::string_view revision : kHandshakeRevisions) writer.String(revision);
  writer.EndArray();
}

void WriteServerInfo(std::string_view name, const McpIdentity& identity, JsonWriter& writer) {
  writer.BeginObject(name);
  writer.StringMember("name", "hashrange");
  writer.StringMember("title", "Hashrange");
  writer.StringMember("version", identity.version);
  writer.EndObject();
}

// Writes the members that every result of the stateless revision has.
void WriteStatelessMembers(const McpIdentity& identity, JsonWriter& writer) {
  writer.StringMember("resultType", "complete");
  writer.BeginObject("_meta");
  WriteServerInfo(kServerKey, identity, writer);
  writer.EndObject();
}

void WriteLife(JsonWriter& writer) {
  writer.IntegerMember("ttlMs", kListLifeMs);
  writer.StringMember("cacheScope", "public");
}

void WriteCapabilities(JsonWriter& writer) {
  writer.RawMember("capabilities", R"({"tools":{},"resources":{}})");
}

RpcFailure UnsupportedRevision(std::string_view revision) {
  return {RpcCode::kUnsupportedProtocolVersion, "Unsupported protocol version",
          JsonObjectText([&](JsonWriter& writer) {
            WriteRevisions("supported", writer);
            writer.StringMember("requested", revision);
          })};
}

RpcFailure InvalidParams(std::string message) {
  return {RpcCode::kInvalidParams, std::move(message)};
}

// Returns the text in valid UTF-8: a server at an endpoint may send anything.
std::string ValidText(std::string text) {
  if (IsValidUtf8(text)) return text;
  for (char& c : text) c = static_cast<signed char>(c) < 0 ? '?' : c;
  return text;
}

// Returns the object on one line; empty when it is no JSON object.
std::string OneLineObject(std::string text) {
  if (text.empty()) return {};
  const auto json = OwnedJson::Parse(std::move(text), JsonDialect::kDocument);
  return json.ok() && json->is_object() ? JsonText(json->value()) : "";
}

}  // namespace

std::string RpcIdText(const JsonValue& json) {
  const bool is_id =
      json.type == JsonValue::Type::kString || json.type == JsonValue::Type::kNumberText;
  return is_id ? JsonText(json) : "";
}

RpcMessage ReadRpcMessage(const JsonValue& json) {
  RpcMessage message;
  if (json.type != JsonValue::Type::kObject) {
    return Invalid(std::move(message), "a message is a JSON object");
  }
  const JsonValue* const id = json.Find("id");
  const JsonValue* const method = json.Find("method");
  if (!method && (json.Find("result") || json.Find("error"))) {
    message.kind = RpcMessage::Kind::kResponse;
    return message;
  }
  const JsonValue* params = json.Find("params");
  if (params && params->is_null()) params = nullptr;
  std::string complaint;
  if (id && (message.id = RpcIdText(*id)).empty()) {
    complaint = "\"id\" is a text or a number";
  } else if (!IsText(json.Find("jsonrpc"), "2.0")) {
    complaint = R"("jsonrpc" is "2.0")";
  } else if (!method) {
    complaint = R"(there is no "method")";
  } else if (method->type != JsonValue::Type::kString) {
    complaint = "\"method\" is a text";
  } else if (params && params->type != JsonValue::Type::kObject) {
    complaint = "\"params\" is an object";
  }
  message.kind = id ? RpcMessage::Kind::kRequest : RpcMessage::Kind::kNotification;
  if (complaint.empty()) {
    message.method = method->string();
    message.params = params;
    return message;
  }
  return id ? Invalid(std::move(message), std::move(complaint)) : message;
}

std::string RpcResult(std::string_view id, std::string_view result) {
  return JsonObjectText([&](JsonWriter& writer) {
    writer.StringMember("jsonrpc", "2.0");
    writer.RawMember("id", id);
    writer.RawMember("result", result);
  });
}

std::string RpcError(std::string_view id, RpcCode code, std::string_view message,
                     std::string_view data) {
  return JsonObjectText([&](JsonWriter& writer) {
    writer.StringMember("jsonrpc", "2.0");
    if (!id.empty()) writer.RawMember("id", id);
    writer.BeginObject("error");
    writer.IntegerMember("code", static_cast<std::int64_t>(code));
    writer.StringMember("message", message);
    if (!data.empty()) writer.RawMember("data", data);
    writer.EndObject();
  });
}

std::string RpcNotification(std::string_view method, std::string_view params) {
  return JsonObjectText([&](JsonWriter& writer) {
    writer.StringMember("jsonrpc", "2.0");
    writer.StringMember("method", method);
    writer.RawMember("params", params);
  });
}

std::optional<RpcFailure> ReadRequestMeta(std::string_view method, const JsonValue* params,
                                          RequestMeta* meta) {
  const JsonValue* const fields = params ? params->Find("_meta") : nullptr;
  if (fields && fields->type != JsonValue::Type::kObject) {
    return InvalidParams("\"_meta\" is an object");
  }
  const JsonValue* const version = fields ? fields->Find(kVersionKey) : nullptr;
  const JsonValue* const capabilities = fields ? fields->Find(kCapabilitiesKey) : nullptr;
  if (!version) {
    if (!capabilities && method != "server/discover") {
      if (const JsonValue* const token = fields ? fields->Find("progressToken") : nullptr) {
        meta->progress_token = RpcIdText(*token);
      }
      return std::nullopt;
    }
    return InvalidParams("\"_meta\" lacks \"" + std::string(kVersionKey) + "\"");
  }
  if (version->type != JsonValue::Type::kString) {
    return InvalidParams("\"" + std::string(kVersionKey) + "\" is a text");
  }
  meta->is_stateless = version->string() == kStatelessRevision;
  if (!meta->is_stateless && !IsHandshakeRevision(version->string())) {
    return UnsupportedRevision(version->string());
  }
  if (meta->is_stateless && (!capabilities || capabilities->type != JsonValue::Type::kObject)) {
    return InvalidParams("\"_meta\" lacks \"" + std::string(kCapabilitiesKey) +
                         "\", which is an object");
  }
  if (const JsonValue* const token = fields->Find("progressToken")) {
    meta->progress_token = RpcIdText(*token);
  }
  return std::nullopt;
}

std::string InitializeResult(const McpIdentity& identity, std::string_view revision) {
  return JsonObjectText([&](JsonWriter& writer) {
    writer.StringMember("protocolVersion",
                        IsHandshakeRevision(revision) ? revision : kHandshakeRevisions[0]);
    WriteCapabilities(writer);
    WriteServerInfo("serverInfo", identity, writer);
    writer.StringMember("instructions", identity.instructions);
  });
}

std::string DiscoverResult(const McpIdentity& identity) {
  return JsonObjectText([&](JsonWriter& writer) {
    WriteRevisions("supportedVersions", writer);
    WriteCapabilities(writer);
    writer.StringMember("instructions", identity.instructions);
    WriteLife(writer);
    WriteStatelessMembers(identity, writer);
  });
}

bool HasNullIds(std::string_view revision) {
  return IsHandshakeRevision(revision) && revision != kHandshakeRevisions[0];
}

std::string SubscriptionResult(const McpIdentity& identity, std::string_view id) {
  return JsonObjectText([&](JsonWriter& writer) {
    writer.StringMember("resultType", "complete");
    writer.BeginObject("_meta");
    writer.RawMember("io.modelcontextprotocol/subscriptionId", id);
    WriteServerInfo(kServerKey, identity, writer);
    writer.EndObject();
  });
}

std::string ToolListResult(const McpIdentity& identity, const ToolTable& tools,
                           const RequestMeta& meta) {
  return JsonObjectText([&](JsonWriter& writer) {
    writer.Name("tools");
    tools.WriteList(writer);
    if (meta.is_stateless) {
      WriteLife(writer);
      WriteStatelessMembers(identity, writer);
    }
  });
}

std::string ResourceListResult(const McpIdentity& identity, const RequestMeta& meta) {
  return JsonObjectText([&](JsonWriter& writer) {
    writer.Name("resources");
    WriteResourceList(writer);
    if (meta.is_stateless) {
      WriteLife(writer);
      WriteStatelessMembers(identity, writer);
    }
  });
}

std::string ResourceTemplateListResult(const McpIdentity& identity, const RequestMeta& meta) {
  return JsonObjectText([&](JsonWriter& writer) {
    writer.RawMember("resourceTemplates", "[]");
    if (meta.is_stateless) {
      WriteLife(writer);
      WriteStatelessMembers(identity, writer);
    }
  });
}

std::optional<std::string> ResourceResult(const McpIdentity& identity, std::string_view uri,
                                          const RequestMeta& meta) {
  bool is_known = false;
  std::string result = JsonObjectText([&](JsonWriter& writer) {
    writer.Name("contents");
    is_known = WriteResourceContents(uri, writer);
    if (!is_known) writer.Raw("[]");
    if (meta.is_stateless) {
      WriteLife(writer);
      WriteStatelessMembers(identity, writer);
    }
  });
  if (!is_known) return std::nullopt;
  return result;
}

std::string ToolCallResult(const McpIdentity& identity, const Result<ToolResult>& result,
                           const RequestMeta& meta) {
  return JsonObjectText([&](JsonWriter& writer) {
    writer.BeginArray("content");
    writer.BeginObject();
    writer.StringMember("type", "text");
    writer.StringMember("text", ValidText(result.ok() ? result->text : result.error().message));
    writer.EndObject();
    writer.EndArray();
    const std::string structured =
        result.ok() ? OneLineObject(ValidText(result->structured)) : std::string();
    if (!structured.empty()) writer.RawMember("structuredContent", structured);
    writer.BoolMember("isError", !result.ok());
    if (meta.is_stateless) WriteStatelessMembers(identity, writer);
  });
}

}  // namespace hashrange
