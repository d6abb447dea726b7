#include "mcp/report_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "base/random.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostNameBytes = 80;
constexpr int kMostFiles = 100'000;

Error AsFailure(Error error) {
  error.code = ErrorCode::kInternalServerError;
  return error;
}

bool IsPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.';
}

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

}  // namespace hashrange
