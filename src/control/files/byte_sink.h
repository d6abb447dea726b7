// ByteSink writes a file, compressed or not. One thread at a time.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/output_buffer.h"
#include "base/output_folder.h"
#include "base/result.h"
#include "control/files/gzip.h"

namespace hashrange {

class ByteSink {
 public:
  // Makes a file, in the place of one that has the name.
  // Errors: ValidationException  the file cannot be written. The message begins with the path.
  static Result<std::unique_ptr<ByteSink>> Create(const OutputFolder& folder,
                                                  const std::string& name, bool compresses);
  ~ByteSink();  // closes the file, which is incomplete without Finish
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;

  // Errors: ValidationException  as for Create
  Status Write(std::string_view bytes);
  // Writes the rest and closes the file.
  // Errors: ValidationException  as for Create
  Status Finish();

 private:
  ByteSink(const std::filesystem::path& path, std::FILE* file, bool compresses);
  Status WriteThrough(std::string_view bytes);

  const std::filesystem::path path_;
  std::FILE* file_;
  std::unique_ptr<GzipCompressor> compressor_;  // null: the file is not compressed
  OutputBuffer compressed_;
};

}  // namespace hashrange
