// Files for tests of commands that read files, below a folder which is removed with the object.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "base/memory/output_buffer.h"
#include "measure/measurement_json.h"
#include "support/temporary_folder.h"
#include "wire/json_writer.h"

namespace hashrange {

class StoredFiles {
 public:
  std::string Path(std::string_view name) const { return folder_.path() / name; }

  // Writes the file and returns its path.
  std::string Add(std::string_view name, std::string_view text) const {
    std::ofstream(Path(name)) << text;
    return Path(name);
  }
  std::string Add(std::string_view name, const Measurement& measurement) const {
    OutputBuffer out;
    JsonWriter writer(out);
    WriteMeasurement(measurement, writer);
    return Add(name, out.view());
  }

  // Returns the content of the file; "none" when there is no such file.
  std::string Content(std::string_view name) const {
    std::ifstream file(Path(name));
    std::ostringstream text;
    if (!file) return "none";
    text << file.rdbuf();
    return std::move(text).str();
  }

 private:
  const test::TemporaryFolder folder_;
};

}  // namespace hashrange
