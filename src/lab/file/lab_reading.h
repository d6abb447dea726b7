// LabReading: a lab file while it is read, the first error, and the warnings. The functions that
// read parts of a file report what is wrong here and go on with a default, so none of them has to
// pass errors on. Used by one thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "lab/file/lab_file.h"

namespace hashrange {

class LabReading {
 public:
  // `name` is that of the file, for sentences.
  explicit LabReading(std::string_view name) : name_(name) {}

  // Keeps the sentence "name:line:column: sentence". Only the first one counts.
  void Fail(LabPlace place, std::string_view sentence);
  void Warn(LabPlace place, std::string_view sentence);
  bool ok() const { return error_.ok(); }

  // Returns the file, with the warnings.
  // Errors: the first one that was reported
  Result<LabFile> TakeFile();

  LabFile file;

 private:
  std::string name_;
  Status error_;
};

}  // namespace hashrange
