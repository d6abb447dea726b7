// ReportFolder: the directory for what is too long for an answer: whole reports and JSON. Its files
// are numbered in the order in which they are written. Thread-safe.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/output_folder.h"
#include "base/result.h"

namespace hashrange {

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

}  // namespace hashrange
