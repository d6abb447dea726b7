#include "mcp/json_rpc.h"

#include "base/output_buffer.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

std::string TextOfJson(const JsonValue& json) {
  OutputBuffer out;
  JsonWriter writer(out);
  WriteJson(json, writer);
  return std::string(out.view());
}

bool IsText(const JsonValue* json, std::string_view text) {
  return json && json->type == JsonValue::Type::kString && json->string() == text;
}

RpcMessage Invalid(RpcMessage message, std::string complaint) {
  message.kind = RpcMessage::Kind::kInvalid;
  message.complaint = std::move(complaint);
  return message;
}

}  // namespace

std::string RpcIdText(const JsonValue& json) {
  const bool is_id =
      json.type == JsonValue::Type::kString || json.type == JsonValue::Type::kNumberText;
  return is_id ? TextOfJson(json) : "";
}

RpcMessage ReadRpcMessage(const JsonValue& json) {
  RpcMessage message;
  if (json.type != JsonValue::Type::kObject) {
    return Invalid(std::move(message), "a message is a JSON object");
  }
  const JsonValue* const id = json.Find("id");
  if (id) {
    message.id = RpcIdText(*id);
    if (message.id.empty()) {
      message.id = "null";
      return Invalid(std::move(message), "\"id\" is a text or a number");
    }
  }
  if (!IsText(json.Find("jsonrpc"), "2.0")) {
    return Invalid(std::move(message), R"("jsonrpc" is "2.0")");
  }
  const JsonValue* const method = json.Find("method");
  if (!method) {
    if (id && (json.Find("result") || json.Find("error"))) {
      message.kind = RpcMessage::Kind::kResponse;
      return message;
    }
    return Invalid(std::move(message), R"(there is no "method")");
  }
  if (method->type != JsonValue::Type::kString) {
    return Invalid(std::move(message), "\"method\" is a text");
  }
  message.method = method->string();
  const JsonValue* const params = json.Find("params");
  if (params && params->type != JsonValue::Type::kObject) {
    return Invalid(std::move(message), "\"params\" is an object");
  }
  message.params = params;
  message.kind = id ? RpcMessage::Kind::kRequest : RpcMessage::Kind::kNotification;
  return message;
}

std::string RpcResult(std::string_view id, std::string_view result) {
  OutputBuffer out;
  JsonWriter writer(out);
  writer.BeginObject();
  writer.StringMember("jsonrpc", "2.0");
  writer.Name("id");
  writer.Raw(id);
  writer.Name("result");
  writer.Raw(result);
  writer.EndObject();
  return std::string(out.view());
}

std::string RpcError(std::string_view id, RpcCode code, std::string_view message,
                     std::string_view data) {
  OutputBuffer out;
  JsonWriter writer(out);
  writer.BeginObject();
  writer.StringMember("jsonrpc", "2.0");
  writer.Name("id");
  writer.Raw(id);
  writer.Name("error");
  writer.BeginObject();
  writer.IntegerMember("code", static_cast<std::int64_t>(code));
  writer.StringMember("message", message);
  if (!data.empty()) {
    writer.Name("data");
    writer.Raw(data);
  }
  writer.EndObject();
  writer.EndObject();
  return std::string(out.view());
}

std::string RpcNotification(std::string_view method, std::string_view params) {
  OutputBuffer out;
  JsonWriter writer(out);
  writer.BeginObject();
  writer.StringMember("jsonrpc", "2.0");
  writer.StringMember("method", method);
  writer.Name("params");
  writer.Raw(params);
  writer.EndObject();
  return std::string(out.view());
}

}  // namespace hashrange
