#include "server/http/refusal.h"

namespace hashrange {
namespace {

std::string_view ErrorTypeForStatus(int http_status) {
  switch (http_status) {
    case 403:
      return "AccessDeniedException";
    case 413:
      return "RequestEntityTooLargeException";
    case 501:
      return "NotImplementedException";
    case 503:
      return "ServiceUnavailableException";
    default:
      return "SerializationException";
  }
}

}  // namespace

std::string ControlErrorBody(const Refusal& refusal) {
  return std::string(R"({"error":")").append(refusal.sentence).append("\"}");
}

std::string ApiErrorBody(const Refusal& refusal) {
  return std::string(R"({"__type":"com.amazon.coral.service#)")
      .append(ErrorTypeForStatus(refusal.http_status))
      .append(R"(","Message":")")
      .append(refusal.sentence)
      .append("\"}");
}

}  // namespace hashrange
