#include "base/file_text.h"

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>

#include "platform/files.h"

namespace hashrange {
namespace {

Error CannotRead(std::string_view name, const std::string& why) {
  return ValidationError("cannot read " + std::string(name) + ": " + why);
}

Error CannotRead(std::string_view name, int error_number) {
  return CannotRead(name, std::generic_category().message(error_number));
}

std::string SizeText(std::size_t bytes) {
  constexpr std::size_t kMegabyte = 1 << 20;
  return bytes < kMegabyte ? std::to_string(bytes >> 10) + " KB"
                           : std::to_string(bytes / kMegabyte) + " MB";
}

// Returns why a file of this kind is not read; empty if it is.
std::string WhyNotOfKind(FileKind kind, FileKinds kinds) {
  const bool reads_pipes = kinds == FileKinds::kFileOrPipe;
  if (kind == FileKind::kFolder) return std::generic_category().message(EISDIR);
  if (kind == FileKind::kFile || kind == FileKind::kNullDevice) return {};
  if (kind == FileKind::kPipe && reads_pipes) return {};
  return reads_pipes ? "it is neither a file nor a pipe" : "it is no file";
}

Result<std::string> ReadToEnd(std::string_view name, int descriptor, std::size_t max_bytes) {
  constexpr std::size_t kStepBytes = 64 << 10;
  std::string text;
  for (;;) {
    const std::size_t begin = text.size();
    // One byte more than allowed shows that the file is too large.
    text.resize(begin + std::min(kStepBytes, max_bytes + 1 - begin));
    const auto bytes = ReadSome(descriptor, {text.data() + begin, text.size() - begin});
    if (!bytes) return CannotRead(name, errno);
    text.resize(begin + *bytes);
    if (*bytes == 0) return text;
    if (text.size() > max_bytes) {
      return CannotRead(name, "it is larger than " + SizeText(max_bytes));
    }
  }
}

}  // namespace

Result<std::string> ReadFileText(const std::string& name, std::size_t max_bytes, FileKinds kinds) {
  // A pipe without a writer would keep the opening waiting.
  const Descriptor file =
      OpenForReading(name, kinds == FileKinds::kFile ? PipeWaits::kNo : PipeWaits::kYes);
  if (!file.is_open()) return CannotRead(name, errno);
  const auto found = FactsOf(file.number());
  if (!found) return CannotRead(name, errno);
  const std::string why = WhyNotOfKind(found->kind, kinds);
  if (!why.empty()) return CannotRead(name, why);
  return ReadToEnd(name, file.number(), max_bytes);
}

Result<std::string> ReadStdinText() { return ReadToEnd("stdin", kStdin, kMaxFileTextBytes); }

}  // namespace hashrange
