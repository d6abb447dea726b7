// Refusal: why a request is not carried out, as the answer states it.
#pragma once

#include <string>
#include <string_view>

namespace hashrange {

struct Refusal {
  int http_status;
  std::string_view sentence;  // has no characters that JSON must escape
};

// Returns {"error":"…"}, the body of the control API's errors.
std::string ControlErrorBody(const Refusal& refusal);
// Returns {"__type":"com.amazon.coral.service#…","Message":"…"}, the body that SDKs read. For 503
// the type is one after which SDKs repeat the request.
std::string ApiErrorBody(const Refusal& refusal);

}  // namespace hashrange
