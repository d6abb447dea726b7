// LabReading: a lab file while it is read, the first error, and the warnings. The functions that
// read parts of a file report what is wrong here and go on with a default, so none of them has to
// pass errors on. Used by one thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/language/lab_file.h"

namespace hashrange {

class LabReading {
 public:
  // `name` is that of the file, for sentences.
  explicit LabReading(std::string_view name) : name_(name) {}

  // Keeps the sentence "name:line:column: sentence". Only the first one counts.
  void Fail(LabPlace place, std::string_view sentence);
  void Warn(LabPlace place, std::string_view sentence);
  bool ok() const { return error_.ok(); }

  // Ends one of several parts that do not depend on each other, such as the access patterns: the
  // next part is read although this one has an error.
  void EndPart();
  // Ends the last part: what follows is not read where a part has an error.
  void EndParts();
  // Returns the errors of the parts, or the only one.
  std::vector<std::string> Faults() const;

  // Returns the file, with the warnings.
  // Errors: the first one that was reported
  Result<LabFile> TakeFile();

  LabFile file;

 private:
  std::string name_;
  Status error_;
  std::vector<Error> faults_;  // of the parts that have ended
};

}  // namespace hashrange
