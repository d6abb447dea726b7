#include "cli/ready_line.h"

#include <cerrno>
#include <string_view>

#include "cli/terminal/program_output.h"
#include "platform/files.h"
#include "platform/process.h"
#include "platform/streams.h"

namespace hashrange {
bool WriteReadyLine(int descriptor, const std::string& endpoint, std::uint16_t port) {
  const std::string line = WrittenJson([&](JsonWriter& writer) {
    writer.BeginObject();
    writer.StringMember("endpoint", endpoint);
    writer.IntegerMember("port", port);
    writer.IntegerMember("pid", ProcessId());
    writer.EndObject();
  });
  const bool is_written = WriteAll(descriptor, line + "\n");
  CloseStream(descriptor);
  return is_written;
}

}  // namespace hashrange
