// The standard streams as the C library has them; none of them is known to be a terminal.
#include "platform/streams.h"

#include <cstdio>

namespace hashrange {
namespace {

constexpr int kInput = 0, kOutput = 1, kErrors = 2;

}  // namespace

std::size_t ReadFromStream(int stream, std::span<char> room) {
  return stream == kInput ? std::fread(room.data(), 1, room.size(), stdin) : 0;
}

bool WriteToStream(int stream, std::string_view text) {
  std::FILE* const file = stream == kOutput ? stdout : stderr;
  return IsWritable(stream) && std::fwrite(text.data(), 1, text.size(), file) == text.size() &&
         std::fflush(file) == 0;
}

bool IsWritable(int stream) { return stream == kOutput || stream == kErrors; }
void CloseStream(int) {}
int TakeStdout() { return kOutput; }
bool StdoutIsTerminal() { return false; }
bool StderrIsTerminal() { return false; }
std::optional<std::size_t> StdoutColumns() { return std::nullopt; }

}  // namespace hashrange
