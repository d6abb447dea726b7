// metrics: the call that writes the server's counters and gauges in Prometheus' text format 0.0.4,
// and the one that begins to count.
#include <prometheus/text_serializer.h>

#include <ostream>
#include <streambuf>
#include <string_view>

#include "control/control_call.h"
#include "control/control_json.h"
#include "control/routes.h"
#include "control/server_metrics.h"
#include "simulation/recorder.h"

namespace hashrange {
namespace {

// Appends the output of a stream to an answer.
class AppendingStreambuf : public std::streambuf {
 public:
  explicit AppendingStreambuf(OutputBuffer& out) : out_(out) {}

 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    out_.Append({text, static_cast<std::size_t>(size)});
    return size;
  }
  int_type overflow(int_type c) override {
    if (c != traits_type::eof()) out_.Append(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }

 private:
  OutputBuffer& out_;
};

constexpr std::string_view kNotCounting =
    "# Calls are not counted: POST /_hashrange/metrics or hashrange serve --metrics begins.\n";

}  // namespace

ControlResult WriteMetrics(ControlCall& call, JsonWriter& answer) {
  call.content_type = "text/plain; version=0.0.4; charset=utf-8";
  OutputBuffer& out = answer.BeginValue();
  if (!call.parts.recorder.is_counting()) out.Append(kNotCounting);
  AppendingStreambuf buffer(out);
  std::ostream stream(&buffer);
  // Without this the stream would ignore an exception, and the answer would be incomplete.
  stream.exceptions(std::ios_base::badbit);
  prometheus::TextSerializer().Serialize(stream, ServerMetrics(call.parts).Collect());
  return {};
}

ControlResult SwitchMetrics(ControlCall& call, JsonWriter& answer) {
  constexpr Member kMembers[] = {{"enabled", MemberType::kBoolean}};
  HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kMembers));
  if (!body.Boolean("enabled").value_or(true)) {
    return ControlError(400, "The server counts until it ends.");
  }
  call.parts.recorder.StartCounting();
  answer.BeginObject();
  answer.Name("enabled");
  answer.Bool(true);
  answer.EndObject();
  return {};
}

}  // namespace hashrange
