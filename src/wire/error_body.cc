#include "wire/error_body.h"

#include "wire/json_writer.h"

namespace hashrange {
namespace {

void WriteReasons(const std::vector<CancellationReason>& reasons, JsonWriter& writer) {
  writer.BeginArray("CancellationReasons");
  for (const CancellationReason& reason : reasons) {
    writer.BeginObject();
    writer.StringMember("Code", reason.code);
    if (!reason.item_json.empty()) writer.RawMember("Item", reason.item_json);
    if (!reason.message.empty()) writer.StringMember("Message", reason.message);
    writer.EndObject();
  }
  writer.EndArray();
}

void WriteThrottlingReasons(const ThrottlingDetails& details, ErrorCode code, JsonWriter& writer) {
  const bool is_lower_case = code == ErrorCode::kThrottlingException;
  writer.BeginArray(is_lower_case ? "throttlingReasons" : "ThrottlingReasons");
  for (const ThrottlingDetails::Reason& reason : details.reasons) {
    writer.BeginObject();
    writer.StringMember("reason", reason.reason);
    writer.StringMember("resource", reason.resource);
    writer.EndObject();
  }
  writer.EndArray();
}

// A failed condition whose body holds the item spells its message "Message" (measured;
// docs/service/01-wire-protocol.md, section 4).
std::string_view MessageMember(const Error& error, const ErrorInfo& info) {
  if (dynamic_cast<const ItemDetails*>(error.details.get())) return "Message";
  return info.message_member.empty() ? "message" : info.message_member;
}

void WriteDetails(const Error& error, JsonWriter& writer) {
  const ErrorDetails* const details = error.details.get();
  if (const auto* item = dynamic_cast<const ItemDetails*>(details)) {
    writer.RawMember("Item", item->item_json);
  } else if (const auto* cancellation = dynamic_cast<const CancellationDetails*>(details)) {
    WriteReasons(cancellation->reasons, writer);
  } else if (const auto* throttling = dynamic_cast<const ThrottlingDetails*>(details)) {
    WriteThrottlingReasons(*throttling, error.code, writer);
  }
}

}  // namespace

Error TransactionCanceled(std::vector<CancellationReason> reasons) {
  std::string message =
      "Transaction cancelled, please refer cancellation reasons for specific reasons [";
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    message.append(i == 0 ? "" : ", ").append(reasons[i].code);
  }
  message.push_back(']');
  auto details = std::make_shared<CancellationDetails>();
  details->reasons = std::move(reasons);
  return Error{ErrorCode::kTransactionCanceledException, std::move(message), std::move(details)};
}

void WriteErrorBody(const Error& error, OutputBuffer& out) {
  if (error.code == ErrorCode::kServiceUnavailable) {
    out.Append("<html><body><b>Http/1.1 Service Unavailable</b></body> </html>");
    return;
  }
  const ErrorInfo& info = ErrorInfoOf(error.code);
  JsonWriter writer(out);
  writer.BeginObject();
  writer.StringMember("__type", std::string(info.type_namespace).append("#").append(info.name));
  if (!error.message.empty()) writer.StringMember(MessageMember(error, info), error.message);
  if (error.details) WriteDetails(error, writer);
  writer.EndObject();
}

}  // namespace hashrange
