// RequestsFile: every request of a run and what it consumed, so that a script can send the same to
// another server. One JSON object a line, in the order of the requests:
//
//   {"layout":"overloaded","pattern":"customer","operation":"GetItem","input":{…},"status":200,
//    "read_units":0.5,"write_units":0.0}
//
// Requests that fill the tables have an empty pattern. Used by one thread at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/memory/output_buffer.h"
#include "base/output_folder.h"
#include "base/result.h"

namespace hashrange {

struct LoggedRequest {
  std::string_view pattern;
  std::string_view operation;
  std::string_view input;  // JSON
  int status = 0;
  double units = 0;
};

class RequestsFile {
 public:
  // The file has its name when it is closed.
  // Errors: ValidationException  the file cannot be written to
  static Result<std::unique_ptr<RequestsFile>> Open(const std::string& path);

  void BeginLayout(std::string_view layout) { layout_ = layout; }
  void Write(const LoggedRequest& request);
  // Errors: InternalServerError  a part of the file was not written
  Status Close();

 private:
  explicit RequestsFile(OutputFile file) : file_(std::move(file)) {}

  OutputFile file_;
  std::string layout_ = {};
  OutputBuffer lines_ = {};  // not written yet
  Status written_ = {};
};

// Returns whether the operation only reads, so that its units are read units.
bool IsReadOperation(std::string_view operation);

}  // namespace hashrange
