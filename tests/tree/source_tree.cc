#include "tree/source_tree.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include "support/source_root.h"

namespace hashrange {
namespace {

std::string_view TextAfter(std::string_view text, std::string_view word, std::string_view end) {
  const std::size_t at = text.find(word);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + word.size());
  return text.substr(0, text.find(end));
}

std::vector<std::string> SplitWords(std::string_view text) {
  std::istringstream words{std::string(text)};
  return {std::istream_iterator<std::string>(words), {}};
}

// One row: a folder, and what it may use.
struct LibraryRow {
  std::string folder;
  std::vector<std::string> uses;
};

std::vector<LibraryRow> ReadRows(std::string_view text) {
  constexpr std::string_view kCall = "\nhashrange_library(";
  std::vector<LibraryRow> rows;
  for (std::size_t at = text.find(kCall); at != std::string_view::npos; at = text.find(kCall, at)) {
    at += kCall.size();
    const std::vector<std::string> words = SplitWords(text.substr(at, text.find(')', at) - at));
    if (words.empty()) continue;
    LibraryRow row{.folder = words.front(), .uses = {}};
    bool is_used = false;
    for (const std::string& word : words) {
      const bool is_keyword = word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == word.npos;
      if (is_keyword) {
        is_used = word == "USES" || word == "HEADERS_OF";
      } else if (is_used) {
        row.uses.push_back(word);
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

// "hr_server_http" is the target of the folder server/http.
std::string FolderOfTarget(const std::vector<LibraryRow>& rows, const std::string& target) {
  for (const LibraryRow& row : rows) {
    std::string name = "hr_" + row.folder;
    std::ranges::replace(name, '/', '_');
    if (name == target) return row.folder;
  }
  return target;
}

}  // namespace

std::string ReadWholeFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> FilesBelow(std::string_view folder, std::set<std::string> endings) {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(SourceRoot() / std::string(folder))) {
    if (!entry.is_regular_file()) continue;
    if (!endings.empty() && !endings.contains(entry.path().extension().string())) continue;
    files.push_back(entry.path().lexically_relative(SourceRoot()).generic_string());
  }
  std::ranges::sort(files);
  return files;
}

std::string_view FolderOf(std::string_view file) {
  const std::size_t slash = file.rfind('/');
  return slash == std::string_view::npos ? file : file.substr(0, slash);
}

std::vector<Include> ReadIncludes(const std::string& file, const std::string& text) {
  std::vector<Include> includes;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    constexpr std::string_view kBlanks = " \t";
    std::string_view rest = line;
    const auto skip_blanks = [&] {
      rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
    };
    skip_blanks();
    if (rest.empty() || rest.front() != '#') continue;
    rest.remove_prefix(1);
    skip_blanks();
    if (rest.substr(0, 7) != "include") continue;
    rest.remove_prefix(7);
    skip_blanks();
    if (rest.empty() || (rest.front() != '<' && rest.front() != '"')) continue;
    const bool in_quotes = rest.front() == '"';
    rest.remove_prefix(1);
    const std::string_view name = rest.substr(0, rest.find(in_quotes ? '"' : '>'));
    includes.push_back({file, number, std::string(name), in_quotes});
  }
  return includes;
}

std::vector<Include> ReadIncludesOfProject() {
  std::vector<Include> includes;
  for (const char* const below : {"src", "include"}) {
    const std::filesystem::path root = SourceRoot() / below;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      const std::string ending = entry.path().extension().string();
      if (ending != ".cc" && ending != ".h" && ending != ".def" && ending != ".inc") continue;
      const std::string file = entry.path().lexically_relative(root).generic_string();
      for (Include& include : ReadIncludes(file, ReadWholeFile(entry.path()))) {
        includes.push_back(std::move(include));
      }
    }
  }
  return includes;
}

Uses ReadUses(std::string_view text) {
  const std::vector<LibraryRow> rows = ReadRows(text);
  Uses uses;
  for (const LibraryRow& row : rows) uses[row.folder] = {row.uses.begin(), row.uses.end()};
  for (const std::string& target :
       SplitWords(TextAfter(text, "target_link_libraries(hashrange PRIVATE", ")"))) {
    if (target != "hr_flags") uses["main.cc"].insert(FolderOfTarget(rows, target));
  }
  return uses;
}

std::vector<std::string> RowsOutOfOrder(std::string_view text) {
  const std::vector<LibraryRow> rows = ReadRows(text);
  std::set<std::string> before;
  std::vector<std::string> out_of_order;
  for (const LibraryRow& row : rows) {
    for (const std::string& use : row.uses) {
      const bool is_folder = std::ranges::any_of(
          rows, [&use](const LibraryRow& other) { return other.folder == use; });
      if (is_folder && !before.contains(use)) out_of_order.push_back(row.folder);
    }
    before.insert(row.folder);
  }
  return out_of_order;
}

std::string ReadLibraryRows() { return ReadWholeFile(SourceRoot() / "src/CMakeLists.txt"); }

}  // namespace hashrange
