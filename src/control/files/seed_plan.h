// SeedPlan says which tables a seed has, and which files contain their definitions and their items.
//
//   a file       the items of one table; or <table>.table.json, the definition of one table
//   a folder     <table>.table.json            a table's definition
//                <table>.json[.gz] .jsonl .ndjson .csv   its items
//                <table>/table.json, <table>/*.json[.gz] …   the same in a folder of the table
//                hashrange-dump.json           a dump: the tables it names, each in its folder, of
//                                              which only the files that a dump makes are read
//   a table's    table.json, *.json[.gz] …     a folder <table> as above, given by itself
//   folder
//   an export    manifest-files.json, data/…   AWSDynamoDB/<id> of a bucket, or the folder that
//                                              contains AWSDynamoDB; a table.json may be added.
//                                              The folder <table> above may be an export, too.
//
// Files with other names, and names that begin with a dot, are ignored. Any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/file_path.h"
#include "base/result.h"
#include "control/files/data_format.h"
#include "control/files/file_bounds.h"

namespace hashrange {

// A file of a seed, or a text in its place.
struct SeedFile {
  std::string name;  // for messages
  fs::path path;
  std::optional<std::string> text = {};
  FileBounds bounds = {};
};

struct SeedItems {
  SeedFile file;
  bool is_csv = false;
};

struct SeedTable {
  // The table's name by the names of the files. A TableName in the definition has precedence.
  std::string label;
  std::optional<SeedFile> definition = {};
  std::vector<SeedItems> items = {};
};

struct SeedPlan {
  std::vector<SeedTable> tables;  // ascending by the names of their files or folders
  // The path is a folder of tables, of which a request may pick one by its name.
  bool is_folder_of_tables = false;
};

// Returns the plan of the seed at `path`.
// Errors: ResourceNotFoundException  there is no such path
//         ValidationException        the path cannot be read, contains no part of a seed, or is an
//                                    unfinished dump. The message begins with the path.
Result<SeedPlan> PlanSeed(const fs::path& path, const FileBounds& bounds = {});

}  // namespace hashrange
