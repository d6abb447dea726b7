// DumpFolder is the folder into which a dump is written, in the form that seed_plan.h reads.
//
//   hashrange-dump.json     the manifest; hashrange-dump.json.partial until the dump is complete
//   <table>/table.json      the definition of the table
//   <table>/items.json      the items; .jsonl for plain JSON, with .gz behind when compressed
//
// Files are written under temporary names (….partial) and are renamed when the last file is done.
// Until then the earlier files are not touched, and the destructor removes the temporary ones. A
// program that is ended before the renaming is done leaves the .partial manifest behind. A seed
// refuses a folder with this file. One thread at a time.
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
  // Creates the folder if it does not exist. An existing folder must be empty or contain a dump,
  // finished or not, which the new dump replaces. With `overwrites` it may contain other files,
  // which stay unless they have the name of a file of the dump.
  // Errors: ValidationException  the folder cannot or may not be written to. The message begins
  //                              with the path.
  static Result<std::unique_ptr<DumpFolder>> Open(const std::filesystem::path& path,
                                                  const FileBounds& bounds, bool overwrites);
  ~DumpFolder();
  DumpFolder(const DumpFolder&) = delete;
  DumpFolder& operator=(const DumpFolder&) = delete;

  // Returns a new file in the table's folder, such as "items.json". The caller finishes the file.
  // Errors: ValidationException  as for Open
  Result<std::unique_ptr<ByteSink>> Create(const std::string& table, std::string_view file,
                                           bool compresses);
  // Renames all files to their final names.
  // Errors: ValidationException  as for Open. Some files may have been renamed then.
  Status Finish();

 private:
  DumpFolder(const std::filesystem::path& path, const FileBounds& bounds)
      : path_(path), bounds_(bounds) {}

  // Checks and creates the folder, and writes the temporary manifest.
  Status Begin(bool overwrites);
  Status MakeFolder(const std::filesystem::path& folder);
  Status WriteManifest();
  void RemoveStale() const;

  const std::filesystem::path path_;
  const FileBounds bounds_;
  DumpManifest before_;  // the manifest of the dump that is replaced
  DumpManifest manifest_;
  std::vector<std::filesystem::path> made_folders_;
  std::vector<std::filesystem::path> files_;  // the files of this dump, by their final names
  bool is_renaming_ = false;                  // the renaming has begun: nothing is undone
};

}  // namespace hashrange
