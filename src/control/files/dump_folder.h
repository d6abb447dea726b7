// The folder of a dump: which files it has, and DumpFolder, which writes it. seed_plan.h reads it.
//
//   hashrange-dump.json     the manifest; hashrange-dump.json.partial until the dump is complete
//   <table>/table.json      the definition of the table
//   <table>/items.json      the items; .jsonl for plain JSON, with .gz behind when compressed
//
// Files are written under temporary names (….partial). When the last is done, they take the place
// of an earlier dump in these steps:
//
//   1. The earlier manifest is removed.
//   2. Files of earlier dumps are removed.
//   3. The new files are renamed.
//   4. The .partial manifest is renamed.
//
// Between the first and the last step, a seed refuses the folder because of its .partial manifest.
// That manifest names all tables of this dump and of earlier ones, so a later dump can remove their
// files. Whenever the program ends, there is the earlier dump, a folder that a seed refuses, or the
// new dump. Before the first step, the earlier files are not touched, and the destructor removes
// the temporary ones. The files are not flushed to the disk. One thread at a time uses an object;
// the functions are for any thread.
#pragma once

#include <array>
#include <cstdio>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file_path.h"
#include "base/memory/output_buffer.h"
#include "base/output_folder.h"
#include "base/result.h"
#include "control/files/file_bounds.h"
#include "control/files/gzip.h"

namespace hashrange {

// The name of the manifest of a dump, and its name while the dump is written.
inline constexpr const char* kDumpManifest = "hashrange-dump.json";
inline constexpr const char* kUnfinishedManifest = "hashrange-dump.json.partial";
// The file with a table's definition in the folder of the table.
inline constexpr const char* kTableFile = "table.json";
// The files that a dump may have in the folder of a table. A seed of a dump reads no other files.
inline constexpr std::array<const char*, 5> kDumpFilesOfTable = {
    kTableFile, "items.json", "items.json.gz", "items.jsonl", "items.jsonl.gz"};

// Lists the tables of a dump. It is stored in a file at the root of the dump. The dump is complete
// when this file exists.
//
//   {"version":1,"tables":["app","users"]}        each table is in the folder of its name
struct DumpManifest {
  std::vector<std::string> tables;
};

// Returns whether `name` may be the name of a table. Such a name cannot lead out of the dump's
// folder: it has no '/', and is longer than "..".
bool IsTableName(std::string_view name);

// Returns the manifest in the file.
// Errors: ValidationException  the file cannot be read, or has another form. The message begins
//                              with the path.
Result<DumpManifest> ReadManifest(const fs::path& path, const FileBounds& bounds = {});

// Returns the text of the file.
std::string ManifestText(const DumpManifest& manifest);

// Writes a file, compressed or not.
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
  ByteSink(const fs::path& path, std::FILE* file, bool compresses);
  Status WriteThrough(std::string_view bytes);

  const fs::path path_;
  std::FILE* file_;
  std::unique_ptr<GzipCompressor> compressor_;  // null: the file is not compressed
  OutputBuffer compressed_;
};

struct DumpFolderOptions {
  std::vector<std::string> tables = {};  // of the dump
  FileBounds bounds = {};                // the folder is a path that bounds.Resolve has returned
  // Whether the folder may have other files. They stay, unless they have the name of a file of the
  // dump.
  bool overwrites = false;
};

class DumpFolder {
 public:
  // Creates the folder if it does not exist. An existing folder must be empty or contain a dump,
  // finished or not, which the new dump replaces.
  // Errors: ValidationException  the folder cannot or may not be written to. The message begins
  //                              with the path.
  static Result<std::unique_ptr<DumpFolder>> Open(const fs::path& path, DumpFolderOptions options);
  ~DumpFolder();
  DumpFolder(const DumpFolder&) = delete;
  DumpFolder& operator=(const DumpFolder&) = delete;

  // Returns a new file in the table's folder, such as "items.json". The caller finishes the file.
  // Errors: ValidationException  as for Open
  Result<std::unique_ptr<ByteSink>> Create(const std::string& table, const std::string& file,
                                           bool compresses);
  // Puts the dump in the place of an earlier one.
  // Errors: ValidationException  as for Open. A seed may refuse the folder then.
  Status Finish();

 private:
  struct TableFile {
    std::string table;
    std::string name;
  };

  DumpFolder(fs::path path, DumpFolderOptions options)
      : path_(std::move(path)), options_(std::move(options)) {}

  // Checks and creates the folder, and writes the .partial manifest.
  Status Begin();
  Status FindEarlierDumps(const std::vector<std::string>& names);
  Status RemoveEarlierFiles() const;
  Status RemoveEarlierFilesOf(const std::string& table) const;

  const fs::path path_;
  const DumpFolderOptions options_;
  std::optional<OutputFolder> folder_;
  std::set<std::string> earlier_tables_;  // earlier dumps may have files of these
  std::vector<TableFile> files_;          // of this dump, by their final names
  std::vector<std::string> made_tables_;  // folders that this dump has made
  bool was_unfinished_ = false;           // there was a .partial manifest before
  bool is_replacing_ = false;             // the first step was done: nothing is undone
};

}  // namespace hashrange
