// LabReading: a lab file while it is read, the first error, and the warnings. The functions that
// read parts of a file report what is wrong here and go on with a default, so none of them has to
// pass errors on. Used by one thread.
#pragma once

#include <span>
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

// Returns `"a", "b" and "c"`; of many names, the first ones and how many more there are.
std::string NameList(std::span<const std::string> names);

// Returns the end of a sentence about a name that is not known: `; did you mean "status"? Known are
// "order_id" and "status"`, without the question where no name is near.
std::string KnownNames(std::string_view given, std::span<const std::string> names);

}  // namespace hashrange
