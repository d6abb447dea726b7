// SeedPlan: which tables a seed has, and which files hold their definitions and their items.
//
//   a file       of items, of one table; or <table>.table.json, the definition of one
//   a folder     <table>.table.json            a table's definition
//                <table>.json[.gz] .jsonl .ndjson .csv   its items
//                <table>/table.json, <table>/*.json[.gz] …   the same in a folder of its own
//                hashrange-dump.json           a dump: the tables it names, each in its folder
//   one table's  table.json, *.json[.gz] …     the folder <table> of above by itself
//   an export    manifest-files.json, data/…   AWSDynamoDB/<id> of a bucket, or what holds it, with
//                                              a table.json beside; <table> of above may be one too
//
// What is named otherwise is left alone, as is what begins with a dot.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "transfer/data_format.h"
#include "transfer/file_bounds.h"

namespace hashrange {

// A file of a seed, or a text in its place.
struct SeedFile {
  std::string name;  // as messages say it
  std::filesystem::path path;
  std::optional<std::string> text = {};
  FileBounds bounds = {};
};

struct SeedItems {
  SeedFile file;
  bool is_csv = false;
};

struct SeedTable {
  // What the files call it; its definition's TableName goes before it.
  std::string label;
  std::optional<SeedFile> definition = {};
  std::vector<SeedItems> items = {};
};

struct SeedPlan {
  std::vector<SeedTable> tables;  // ascending by label
  // The path holds a folder of tables, of which one may be picked by its name.
  bool is_folder_of_tables = false;
};

// Errors: ResourceNotFoundException  there is no such path
//         ValidationException        it cannot be read, holds nothing of a seed, or is a dump that
//                                    was not finished. A sentence that begins with the path.
Result<SeedPlan> PlanSeed(const std::filesystem::path& path, const FileBounds& bounds = {});

// What a dump of ours says of itself, and what stands in its place while it is written.
inline constexpr const char* kDumpManifest = "hashrange-dump.json";
inline constexpr const char* kUnfinishedManifest = "hashrange-dump.json.partial";
// A table's definition in a folder of its own.
inline constexpr const char* kTableFile = "table.json";

}  // namespace hashrange
