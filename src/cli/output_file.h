// OutputFile: a file for the result of a command. It is opened before the command does its work, so
// that work which cannot be repeated is not begun when its result could not be kept. The file keeps
// its old content until the result is written. Used by one thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace hashrange {

class OutputFile {
 public:
  // Returns the file, which is made if there is none of that name.
  // Errors: ValidationException  the file cannot be opened for writing
  static Result<OutputFile> Open(std::string name);

  // The same, but never returns a file that was there before.
  // Errors: ValidationException  there is a file of that name, or it cannot be made
  static Result<OutputFile> Make(std::string name);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) = delete;
  // Removes the file again if it is new and nothing was written.
  ~OutputFile();

  // Replaces the content of the file. Called once.
  // Errors: InternalServerError  the text cannot be written
  Status Write(std::string_view text);

 private:
  OutputFile(std::string name, int descriptor, bool is_new);

  std::string name_;
  int descriptor_;  // -1: moved from
  bool is_new_;     // not there before, and nothing was written yet
};

}  // namespace hashrange
