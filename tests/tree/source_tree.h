// The project's own files, as the tests of its structure read them.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hashrange {

std::string ReadWholeFile(const std::filesystem::path& path);

// The folder part of "operation/item/get_item.cc": "operation/item". Of a file without a folder,
// its own name: "main.cc".
std::string_view FolderOf(std::string_view file);

// One #include line of a file.
struct Include {
  std::string file;  // below src/ or include/
  int line = 0;
  std::string name;  // what is included: "value/item.h"
  bool in_quotes = false;
};

// The includes among the lines of one file.
std::vector<Include> ReadIncludes(const std::string& file, const std::string& text);

// Those of every file below src/ and include/.
std::vector<Include> ReadIncludesOfProject();

// The files below a folder of the repository, with these endings (".h"; none: all), ascending, as
// paths from the root: "src/value/item.h".
std::vector<std::string> FilesBelow(std::string_view folder, std::set<std::string> endings = {});

// What each folder of src/ may use: folders, and targets of libraries that are not ours
// ("hr_absl"). From the text of src/CMakeLists.txt: the words behind USES and HEADERS_OF of each
// hashrange_library. "main.cc" has what the program is linked with.
using Uses = std::map<std::string, std::set<std::string>, std::less<>>;
Uses ReadUses(std::string_view text);

// The folders of the rows in which a folder stands before one that it uses.
std::vector<std::string> RowsOutOfOrder(std::string_view text);

std::string ReadLibraryRows();

}  // namespace hashrange
