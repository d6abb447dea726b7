#include "mcp/report_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "base/random.h"
#include "base/text/short_text.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostNameBytes = 80;
constexpr int kMostFiles = 100'000;

Error AsFailure(Error error) {
  error.code = ErrorCode::kInternalServerError;
  return error;
}

bool IsPlain(char c) { return IsLetter(c) || IsDigit(c) || c == '-' || c == '_' || c == '.'; }

std::string PlainName(std::string_view name) {
  std::string plain(name.substr(name.size() - std::min(name.size(), kMostNameBytes)));
  for (char& c : plain) c = IsPlain(c) ? c : '-';
  return plain;
}

// Makes a folder of a name that nobody else uses.
Result<OutputFolder> MakeTemporaryFolder() {
  std::error_code none;
  const std::filesystem::path above = std::filesystem::temp_directory_path(none);
  if (none) return ValidationError("there is no directory for temporary files");
  char name[48];
  std::snprintf(name, sizeof name, "hashrange-reports-%016llx",
                static_cast<unsigned long long>(Random::ThisThread().Next()));
  return OutputFolder::Make(above / name);
}

// Returns where to cut: behind the last line that fits, or else between two characters.
std::size_t CutAt(std::string_view text, std::size_t most) {
  const std::size_t line_end = text.rfind('\n', most - 1);
  if (line_end != text.npos && line_end > most / 2) return line_end + 1;
  std::size_t at = most;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) --at;
  return at;
}

}  // namespace

Status ReportFolder::Prepare() {
  std::lock_guard lock(mutex_);
  return directory_.empty() ? Status() : MakeDirectory();
}

Status ReportFolder::MakeDirectory() {
  if (folder_) return {};
  std::error_code none;
  auto made = directory_.empty() ? MakeTemporaryFolder()
                                 : OutputFolder::Make(std::filesystem::absolute(directory_, none));
  if (!made.ok()) return AsFailure(std::move(made).error());
  folder_ = std::move(*made);
  return {};
}

Result<std::string> ReportFolder::Write(std::string_view name, std::string_view text) {
  std::lock_guard lock(mutex_);
  HR_RETURN_IF_ERROR(MakeDirectory());
  // Another process may have written to the same directory before.
  while (++files_ < kMostFiles) {
    char number[16];
    std::snprintf(number, sizeof number, "%04d-", files_);
    const std::string file = number + PlainName(name);
    const std::string path = (folder_->path() / file).string();
    const auto made = folder_->Create(file);
    if (!made.ok() && made.error().code == ErrorCode::kResourceInUseException) continue;
    if (!made.ok()) return AsFailure(made.error());
    if (WriteAll(made.value().number(), text)) return path;
    const std::string why = std::generic_category().message(errno);
    (void)folder_->RemoveFile(file);
    return AsFailure(ValidationError(path + ": it cannot be written: " + why));
  }
  return AsFailure(ValidationError(folder_->path().string() + ": it has too many files"));
}

std::string BoundedText(std::string text, ReportFolder& reports, std::string_view file_name,
                        std::size_t most) {
  if (text.size() <= most) return text;
  const std::size_t end = CutAt(text, most);
  const std::string bytes = std::to_string(end) + " of " + std::to_string(text.size()) + " bytes";
  const auto path = reports.Write(file_name, text);
  text.resize(end);
  if (!text.ends_with('\n')) text += "\n";
  text += "… the first " + bytes + "; ";
  text += path.ok() ? "all of it: " + *path : path.error().message;
  return text + "\n";
}

std::string FileLine(std::string_view what, ReportFolder& reports, std::string_view file_name,
                     std::string_view text) {
  const auto path = reports.Write(file_name, text);
  return std::string(what) + ": " + (path.ok() ? *path : path.error().message) + "\n";
}

}  // namespace hashrange
