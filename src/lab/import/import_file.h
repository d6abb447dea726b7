// ImportFile: a file or folder that a user names, as far as it has to be read to know what it is.
// Used by one thread.
#pragma once

#include <memory>
#include <string>

#include "base/arena.h"
#include "base/result.h"
#include "wire/json.h"

namespace hashrange {

struct ImportFile {
  std::string name = {};
  bool is_stdin = false;
  bool is_folder = false;
  std::size_t bytes = 0;  // of a file with `json`
  // Null: the file is not one JSON value, such as lines of items, or is too large for a model;
  // `why_no_json` says it.
  const JsonValue* json = nullptr;
  std::string why_no_json = {};

  // What `json` lies in.
  std::unique_ptr<std::string> text = {};
  std::unique_ptr<Arena> arena = {};
};

// Returns the file; "-" is stdin.
// Errors: ValidationException  the file cannot be read, or has more bytes than items may have
Result<ImportFile> OpenImportFile(const std::string& name);

}  // namespace hashrange
