// What is too long for an answer goes to a file, since an agent's context is small: ReportFolder is
// the directory for whole reports and JSON. Thread-safe.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/output_folder.h"
#include "base/result.h"

namespace hashrange {

// The files are numbered in the order in which they are written.
class ReportFolder {
 public:
  // If `directory` is empty, the first file makes a new directory below that for temporary files.
  // It stays when the process ends.
  explicit ReportFolder(std::string directory) : directory_(std::move(directory)) {}

  // Makes the directory if it has a name and is not there.
  // Errors: InternalServerError  the directory cannot have the reports
  Status Prepare();

  // Writes the text to a new file, such as "0003-lab-run.html" for the name "lab-run.html", and
  // returns its absolute path. Of the name, characters other than letters, digits, '-', '_' and '.'
  // become '-'.
  // Errors: InternalServerError  the file cannot be written
  Result<std::string> Write(std::string_view name, std::string_view text);

 private:
  Status MakeDirectory();  // with `mutex_` held

  std::mutex mutex_;
  std::string directory_;
  std::optional<OutputFolder> folder_ = {};  // since the first file
  int files_ = 0;
};

// The most bytes of a result's text, of a result's data, and of the text that a tool cuts itself,
// so that the names of files fit behind it.
inline constexpr std::size_t kMostResultBytes = 12'000;
inline constexpr std::size_t kMostStructuredBytes = 12'000;
inline constexpr std::size_t kMostToolBytes = 11'000;

// Returns the text; if it is longer than `most`, its first lines, and a last line that names the
// file in `reports` to which all of it was written.
std::string BoundedText(std::string text, ReportFolder& reports, std::string_view file_name,
                        std::size_t most = kMostToolBytes);

// Writes the text to a file, and returns "NAME: /path/to/file" with a line end; where it cannot be
// written, the reason.
std::string FileLine(std::string_view what, ReportFolder& reports, std::string_view file_name,
                     std::string_view text);

}  // namespace hashrange
