// ReportFolder: the directory for what is too long for an answer: whole reports and JSON. Its files
// are numbered in the order in which they are written. Thread-safe.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "base/result.h"

namespace hashrange {

class ReportFolder {
 public:
  // `directory` is made with its first file if it is not there. Empty: a new directory below that
  // for temporary files, which only this user may read and which stays when the process ends.
  explicit ReportFolder(std::string directory) : directory_(std::move(directory)) {}

  // Writes the text to a new file, such as "0003-lab-run.html" for the name "lab-run.html", and
  // returns its absolute path. Of the name, characters other than letters, digits, '-', '_' and '.'
  // become '-'.
  // Errors: InternalServerError  the file cannot be written
  Result<std::string> Write(std::string_view name, std::string_view text);

 private:
  Status MakeDirectory();

  std::mutex mutex_;
  std::string directory_;
  bool is_made_ = false;
  int files_ = 0;
};

}  // namespace hashrange
