// DumpFolder: the folder that a dump is written into, as seed_plan.h reads it.
//
//   hashrange-dump.json     the tables, once all is there; until then hashrange-dump.json.partial
//   <table>/table.json      its definition
//   <table>/items.json      its items; .jsonl for plain JSON, .gz behind when they are compressed
//
// Files are written under names of their own (….partial) and take their places when the last one
// is done. Until then nothing that was there is touched, and what was begun goes with the
// object. A program that ends while they take their places leaves the .partial manifest behind,
// with which no seed reads the folder. One thread.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "transfer/byte_sink.h"
#include "transfer/manifest.h"

namespace hashrange {

class DumpFolder {
 public:
  // Makes the folder if it is not there. One that is must be empty or hold a dump, which the new
  // one replaces, unless it `overwrites`: then only files of the dump's names are replaced.
  // Errors: ValidationException  it cannot be written to, or may not. A sentence that begins
  //                              with the path.
  static Result<std::unique_ptr<DumpFolder>> Open(const std::filesystem::path& path,
                                                  const FileBounds& bounds, bool overwrites);
  ~DumpFolder();
  DumpFolder(const DumpFolder&) = delete;
  DumpFolder& operator=(const DumpFolder&) = delete;

  // A file of the table's folder, "items.json". Finished by the caller.
  Result<std::unique_ptr<ByteSink>> Create(const std::string& table, std::string_view file,
                                           bool compresses);
  // All files take their places.
  Status Finish();

 private:
  DumpFolder(const std::filesystem::path& path, const FileBounds& bounds)
      : path_(path), bounds_(bounds) {}

  Status Begin(bool overwrites);
  Status MakeFolder(const std::filesystem::path& folder);
  Status WriteManifest();
  void RemoveStale() const;

  const std::filesystem::path path_;
  const FileBounds bounds_;
  DumpManifest before_;  // of the dump that is replaced
  DumpManifest manifest_;
  std::vector<std::filesystem::path> made_folders_;
  std::vector<std::filesystem::path> files_;  // to come, by their last names
  bool is_placing_ = false;                   // and so no longer undone
};

}  // namespace hashrange
