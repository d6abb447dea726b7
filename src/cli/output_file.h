// OutputFile: a file for the result of a command. It is found before the command does its work, so
// that work which cannot be repeated is not begun when its result could not be kept. Nothing is
// written before the result is there: a file keeps its old content until then, and a new file is
// not there before it is complete. Used by one thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace hashrange {

class OutputFile {
 public:
  // Returns the file. A file that is there is opened; of a new one, the directory is checked.
  // Errors: ValidationException  the file cannot be written
  static Result<OutputFile> Open(std::string name);

  // Returns a file that was not there before, and that is made at once.
  // Errors: ValidationException  there is a file of that name, or it cannot be made
  static Result<OutputFile> Make(std::string name);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) = delete;
  // Removes what Make() made, unless all of a text was written.
  ~OutputFile();

  // Replaces the content of the file; a new file gets its name when all of the text is in it.
  // Called once.
  // Errors: InternalServerError  the text cannot be written
  Status Write(std::string_view text);

 private:
  OutputFile(std::string name, int descriptor, bool is_made);

  std::string name_;
  int descriptor_;  // -1: moved from, or a new file of Open()
  bool is_made_;    // by Make(), and no text was written yet
};

}  // namespace hashrange
