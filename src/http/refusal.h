// Refusal: why a request is not carried out, as its answer tells people.
#pragma once

#include <string>
#include <string_view>

namespace hashrange {

struct Refusal {
  int http_status;
  std::string_view sentence;  // of characters that JSON does not escape
};

// {"error":"…"}, as the control API says it.
std::string ControlErrorBody(const Refusal& refusal);
// {"__type":"com.amazon.coral.service#…","Message":"…"}, as SDKs read it. Of 503 one that they
// repeat.
std::string ApiErrorBody(const Refusal& refusal);

}  // namespace hashrange
