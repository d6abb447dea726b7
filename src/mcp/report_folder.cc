#include "mcp/report_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace hashrange {
namespace {

constexpr std::size_t kMostNameBytes = 80;
constexpr int kMostFiles = 100'000;

Error CannotWrite(const std::string& path, int why) {
  return Error{ErrorCode::kInternalServerError,
               "cannot write " + path + ": " + std::generic_category().message(why), nullptr};
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

// Writes a new file, which only this user may read: it has data of tables. Returns 0, or why it was
// not written; then there is no new file.
int WriteNewFile(const std::string& path, std::string_view text) {
  std::FILE* const file = std::fopen(path.c_str(), "wxe");
  if (!file) return errno;
  std::error_code refused;
  std::filesystem::permissions(
      path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write, refused);
  const bool is_written = !refused && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  int why = is_written ? 0 : refused ? refused.value() : errno;
  if (std::fclose(file) != 0 && why == 0) why = errno;
  if (why != 0) std::remove(path.c_str());
  return why;
}

}  // namespace

Status ReportFolder::MakeDirectory() {
  if (is_made_) return {};
  std::error_code why;
  if (directory_.empty()) {
    const auto above = std::filesystem::temp_directory_path(why);
    if (why) return CannotWrite("a temporary directory", why.value());
    std::string form = (above / "hashrange-reports-XXXXXX").string();
    if (!::mkdtemp(form.data())) return CannotWrite(form, errno);
    directory_ = form;
  } else {
    std::filesystem::create_directories(directory_, why);
    if (why) return CannotWrite(directory_, why.value());
    directory_ = std::filesystem::absolute(directory_, why).string();
  }
  is_made_ = true;
  return {};
}

Result<std::string> ReportFolder::Write(std::string_view name, std::string_view text) {
  std::lock_guard lock(mutex_);
  HR_RETURN_IF_ERROR(MakeDirectory());
  // Another process may have written to the same directory before.
  while (++files_ < kMostFiles) {
    char number[16];
    std::snprintf(number, sizeof number, "%04d-", files_);
    const std::string path =
        (std::filesystem::path(directory_) / (number + PlainName(name))).string();
    const int why = WriteNewFile(path, text);
    if (why == 0) return path;
    if (why != EEXIST) return CannotWrite(path, why);
  }
  return CannotWrite(directory_, EMFILE);
}

}  // namespace hashrange
