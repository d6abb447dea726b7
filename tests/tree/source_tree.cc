#include "tree/source_tree.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace hashrange {
namespace {

constexpr std::string_view kOurPrefix = "hr_";

// Targets without a header that another folder could include.
const std::set<std::string, std::less<>> kWithoutHeaders = {"hr_flags"};

// Stands before the libraries of a USES list of which only headers are included.
constexpr std::string_view kHeadersOf = "HEADERS_OF";

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

// One library of a CMakeLists.txt: "hr_engine", the folder it is in, and the words of its USES.
struct Library {
  std::string target;
  std::string folder;
  std::vector<std::string> uses;
};

std::vector<Library> ReadLibraries(const std::string& folder, std::string_view text) {
  constexpr std::string_view kCall = "hashrange_library(";
  std::vector<Library> libraries;
  for (std::size_t at = text.find(kCall); at != std::string_view::npos; at = text.find(kCall, at)) {
    at += kCall.size();
    const std::string_view call = text.substr(at, text.find(')', at) - at);
    const std::string name(call.substr(0, call.find_first_of(" \n")));
    libraries.push_back(
        {std::string(kOurPrefix) + name, folder, SplitWords(TextAfter(call, "USES", ")"))});
  }
  return libraries;
}

}  // namespace

std::filesystem::path SourceRoot() { return HASHRANGE_SOURCE_DIR; }

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

Uses ReadUses(const std::map<std::string, std::string>& texts) {
  std::vector<Library> libraries;
  for (const auto& [folder, text] : texts) {
    for (Library& library : ReadLibraries(folder, text)) libraries.push_back(std::move(library));
    const std::string_view program =
        TextAfter(text, "target_link_libraries(hashrange PRIVATE", ")");
    if (!program.empty()) libraries.push_back({"hashrange", "main.cc", SplitWords(program)});
  }
  std::map<std::string, std::string> folder_of_target;
  for (const Library& library : libraries) folder_of_target[library.target] = library.folder;
  Uses uses;
  for (const Library& library : libraries) {
    std::set<std::string>& used = uses[library.folder];
    for (const std::string& word : library.uses) {
      const auto ours = folder_of_target.find(word);
      const std::string& name = ours == folder_of_target.end() ? word : ours->second;
      const bool is_variable = word.front() == '$';
      if (name == library.folder || is_variable || word == kHeadersOf) continue;
      if (kWithoutHeaders.contains(word)) continue;
      used.insert(name);
    }
  }
  return uses;
}

Uses ReadUsesOfProject() {
  const std::filesystem::path root = SourceRoot() / "src";
  std::map<std::string, std::string> texts;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().filename() != "CMakeLists.txt") continue;
    const std::string folder = entry.path().parent_path().lexically_relative(root).generic_string();
    texts[folder] = ReadWholeFile(entry.path());
  }
  return ReadUses(texts);
}

}  // namespace hashrange
