#include "mcp/json_rpc.h"

#include "base/output_buffer.h"
#include "wire/json_writer.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

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
  if (!id.empty()) {
    writer.Name("id");
    writer.Raw(id);
  }
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
