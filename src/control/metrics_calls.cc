// metrics: the call that writes the server's counters and gauges in Prometheus' text format 0.0.4.
#include <prometheus/text_serializer.h>

#include <ostream>
#include <streambuf>

#include "control/control_call.h"
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

}  // namespace

ControlResult WriteMetrics(ControlCall& call, JsonWriter& answer) {
  call.parts.recorder.StartCounting();
  call.content_type = "text/plain; version=0.0.4; charset=utf-8";
  AppendingStreambuf buffer(answer.BeginValue());
  std::ostream stream(&buffer);
  // Without this the stream would ignore an exception, and the answer would be incomplete.
  stream.exceptions(std::ios_base::badbit);
  prometheus::TextSerializer().Serialize(stream, ServerMetrics(call.parts).Collect());
  return {};
}

}  // namespace hashrange
