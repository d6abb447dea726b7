#include "store/files/log_ends.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>

#include "base/checksums.h"
#include "base/text/parse_whole.h"
#include "store/files/file_names.h"
#include "store/files/store_keys.h"

namespace hashrange {
namespace {

constexpr std::string_view kChecksumWord = "checksum ";
constexpr std::size_t kNumberBytes = 8;

std::string ChecksumLine(std::string_view text) {
  char line[32];
  const int size = std::snprintf(line, sizeof line, "checksum %08x\n", Crc32c(text));
  return std::string(line, static_cast<std::size_t>(size));
}

// Returns the position in a line such as "000012.log 4113".
std::optional<LogPosition> ParseLine(std::string_view line) {
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const auto name = ParseStoreFileName(line.substr(0, space));
  if (!name || name->kind != StoreFileKind::kLog) return std::nullopt;
  const auto bytes = ParseWhole<std::uint64_t>(line.substr(space + 1));
  return bytes ? std::optional(LogPosition{name->number, *bytes}) : std::nullopt;
}

// The lines with the positions, and a line with their checksum.
std::optional<LogEnds> ParseLogEnds(std::string_view text) {
  const std::size_t checked = text.rfind(kChecksumWord);
  if (checked == std::string_view::npos) return std::nullopt;
  std::string_view lines = text.substr(0, checked);
  if (text.substr(checked) != ChecksumLine(lines)) return std::nullopt;
  LogEnds ends;
  while (!lines.empty()) {
    const std::size_t size = std::min(lines.find('\n'), lines.size());
    const std::optional<LogPosition> position = ParseLine(lines.substr(0, size));
    if (!position) return std::nullopt;
    ends[position->log] = position->bytes;
    lines.remove_prefix(std::min(size + 1, lines.size()));
  }
  return ends;
}

}  // namespace

void Raise(const LogPosition& position, LogEnds* ends) {
  std::uint64_t& end = (*ends)[position.log];
  end = std::max(end, position.bytes);
}

std::string EncodeLogPosition(const LogPosition& position) {
  std::string value;
  AppendBigEndian(position.log, kNumberBytes, &value);
  AppendBigEndian(position.bytes, kNumberBytes, &value);
  return value;
}

std::optional<LogPosition> DecodeLogPosition(std::string_view value) {
  if (value.size() != 2 * kNumberBytes) return std::nullopt;
  return LogPosition{ReadBigEndian(value.substr(0, kNumberBytes)),
                     ReadBigEndian(value.substr(kNumberBytes))};
}

Result<LogEnds> ReadLogEnds(Disk& disk, const std::string& directory) {
  const std::string path = PathIn(directory, kLogEndsFileName);
  std::string text;
  const leveldb::Status status = leveldb::ReadFileToString(&disk, path, &text);
  if (status.IsNotFound()) return LogEnds();
  HR_RETURN_IF_ERROR(ToStatus(status, "cannot read " + path));
  std::optional<LogEnds> ends = ParseLogEnds(text);
  if (!ends) return InternalError(path + " is damaged");
  return *std::move(ends);
}

leveldb::Status WriteLogEnds(Disk& disk, const std::string& directory, const LogEnds& ends) {
  std::string text;
  for (const auto& [log, bytes] : ends) {
    text += LogFileName(log) + " " + std::to_string(bytes) + "\n";
  }
  return ReplaceFile(disk, PathIn(directory, kLogEndsFileName), text + ChecksumLine(text));
}

}  // namespace hashrange
