// The documents that lead a newcomer through the source are compared with it.
//
//   src/README.md   its table of folders is the USES of every CMakeLists.txt, its picture of the
//                   rooms of operation/ is the same, each folder has its paragraph, and a function
//                   that a row of "Where is…" names occurs in a file of that row
//   all of them     each path in backticks, and each link, leads to a file or folder
//
// A path in backticks is a word that begins with the name of a folder of the repository or of src/,
// or that ends as our sources do. It is looked for in the root, in src/, in include/ and beside the
// document. What is behind the words "new file" is left out: the reader is asked to make it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tree/source_tree.h"

namespace hashrange {
namespace {

constexpr const char* kWalk = "src/README.md";
constexpr const char* kDocuments[] = {kWalk, "README.md", "CONTRIBUTING.md", "docs/debugging.md"};

// How the documents call a target that is not ours.
const std::map<std::string, std::string> kThirdPartyNames = {
    {"hr_absl", "Abseil"},        {"hr_boost", "Boost"},
    {"hr_deflate", "libdeflate"}, {"hr_prometheus", "prometheus-cpp"},
    {"hr_yaml", "yaml-cpp"},      {"hr_rapidjson", "RapidJSON"},
    {"hr_spdlog", "spdlog"},      {"hr_zlib", "zlib"},
    {"CLI11::CLI11", "CLI11"},
};

using Lines = std::vector<std::string>;

Lines SplitLines(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// Whether the line belongs to an indented block of code.
bool IsCode(std::string_view line) { return line.starts_with("    "); }

std::vector<std::string> SplitAt(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream{std::string(text)};
  for (std::string part; std::getline(stream, part, separator);) {
    if (!Trimmed(part).empty()) parts.emplace_back(Trimmed(part));
  }
  return parts;
}

// What is between backticks in a line: "a `b` c `d`" has b and d. With what is before each.
struct CodeSpan {
  std::string_view before;
  std::string text;
};

std::vector<CodeSpan> CodeSpans(std::string_view line) {
  std::vector<CodeSpan> spans;
  for (std::size_t at = line.find('`'); at != std::string_view::npos;) {
    const std::size_t end = line.find('`', at + 1);
    if (end == std::string_view::npos) break;
    spans.push_back({line.substr(0, at), std::string(line.substr(at + 1, end - at - 1))});
    at = line.find('`', end + 1);
  }
  return spans;
}

std::set<std::string> SpanTexts(std::string_view line) {
  std::set<std::string> texts;
  for (const CodeSpan& span : CodeSpans(line)) texts.insert(span.text);
  return texts;
}

// ---- src/README.md: folders --------------------------------------------------------------------

// The rows "| `folder` | `used`, `used` | library, library |" below the heading "| folder | uses
// |".
Uses ReadTable(const std::string& document) {
  Uses uses;
  bool is_in_table = false;
  for (const std::string& line : SplitLines(document)) {
    if (line.starts_with("| folder | uses |")) is_in_table = true;
    if (!line.starts_with("|")) is_in_table = false;
    if (!is_in_table || !line.starts_with("| `")) continue;
    const std::vector<std::string> cells = SplitAt(line, '|');
    std::set<std::string>& row = uses[CodeSpans(cells.at(0)).at(0).text];
    row = SpanTexts(cells.at(1));
    if (cells.at(2) == "–") continue;
    for (const std::string& name : SplitAt(cells.at(2), ',')) row.insert(name);
  }
  return uses;
}

// The lists, with libraries as the table names them.
Uses WithThirdPartyNames(const Uses& uses) {
  Uses named;
  for (const auto& [folder, names] : uses) {
    std::set<std::string>& row = named[folder];
    for (const std::string& name : names) {
      const auto third_party = kThirdPartyNames.find(name);
      row.insert(third_party == kThirdPartyNames.end() ? name : third_party->second);
    }
  }
  return named;
}

constexpr std::string_view kRooms = "operation/";

// The picture: the lines "    item → read, table" below the line that begins with "The rooms of".
Uses ReadPicture(const std::string& document) {
  Uses rooms;
  constexpr std::string_view kArrow = "→";
  bool is_in_picture = false;
  for (const std::string& line : SplitLines(document)) {
    if (!line.empty() && !IsCode(line)) is_in_picture = line.starts_with("The rooms of");
    const std::size_t arrow = line.find(kArrow);
    if (!is_in_picture || !IsCode(line) || arrow == std::string::npos) continue;
    std::set<std::string>& used =
        rooms[std::string(Trimmed(std::string_view(line).substr(0, arrow)))];
    for (const std::string& name : SplitAt(line.substr(arrow + kArrow.size()), ',')) {
      if (name != "–") used.insert(name);
    }
  }
  return rooms;
}

// Of the lists what the rooms use of each other.
Uses RoomsOf(const Uses& uses) {
  Uses rooms;
  for (const auto& [folder, names] : uses) {
    if (!folder.starts_with(kRooms)) continue;
    std::set<std::string>& used = rooms[folder.substr(kRooms.size())];
    for (const std::string& name : names) {
      if (name.starts_with(kRooms)) used.insert(name.substr(kRooms.size()));
    }
  }
  return rooms;
}

// The folders of the paragraphs that open with "**`folder/`**", and "main.cc".
std::vector<std::string> ReadParagraphs(const std::string& document) {
  std::vector<std::string> folders;
  for (const std::string& line : SplitLines(document)) {
    if (!line.starts_with("**`")) continue;
    std::string name = CodeSpans(line).at(0).text;
    if (name.ends_with('/')) name.pop_back();
    folders.push_back(name);
  }
  std::ranges::sort(folders);
  return folders;
}

std::vector<std::string> FoldersOf(const Uses& uses) {
  std::vector<std::string> folders;
  for (const auto& [folder, names] : uses) folders.push_back(folder);
  return folders;
}

// ---- Paths --------------------------------------------------------------------------------------

// Whether a path from the root ("" is the root itself) is there.
using Exists = std::function<bool(const std::string& path)>;

bool ExistsInProject(const std::string& path) {
  return std::filesystem::exists(SourceRoot() / path);
}

// What a build makes is named before it is there.
bool IsBuilt(std::string_view path) { return path.starts_with("build/"); }

bool HasPathCharactersOnly(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-' || c == '/';
  });
}

bool LooksLikePath(std::string_view word, const Exists& exists) {
  if (!HasPathCharactersOnly(word) || word.starts_with('/') || word == "." || word == "..") {
    return false;
  }
  for (const std::string_view ending : {".h", ".cc", ".def", ".inc", ".md"}) {
    if (word.size() > ending.size() && word.ends_with(ending)) return true;
  }
  const std::size_t slash = word.find('/');
  if (slash == std::string_view::npos) return false;
  const std::string first(word.substr(0, slash));
  return first == "build" || exists(first) || exists("src/" + first);
}

// The path from the root; empty when there is none.
std::string FindPath(std::string path, const std::string& document, const Exists& exists) {
  if (path.ends_with('/')) path.pop_back();
  const std::string beside = document.find('/') == std::string::npos
                                 ? std::string()
                                 : std::string(FolderOf(document)) + "/";
  for (const std::string& prefix :
       {std::string(), std::string("src/"), std::string("include/"), beside}) {
    if (exists(prefix + path)) return prefix + path;
  }
  return {};
}

// The targets of "[text](target)", without what follows '#'.
std::vector<std::string> LinkTargets(std::string_view line) {
  constexpr std::string_view kBetween = "](";
  std::vector<std::string> targets;
  for (std::size_t at = line.find(kBetween); at != std::string_view::npos;
       at = line.find(kBetween, at)) {
    at += kBetween.size();
    const std::string_view target = line.substr(at, line.find(')', at) - at);
    targets.emplace_back(target.substr(0, target.find('#')));
  }
  return targets;
}

// A document's lines without its blocks of code, which are indented or fenced.
Lines LinesOfProse(const std::string& text) {
  Lines prose;
  bool is_fenced = false;
  for (const std::string& line : SplitLines(text)) {
    const bool is_fence = Trimmed(line).starts_with("```");
    if (is_fence) is_fenced = !is_fenced;
    if (!is_fence && !is_fenced && !IsCode(line)) prose.push_back(line);
  }
  return prose;
}

std::vector<std::string> WrongPathsOf(const std::string& document, std::string_view line,
                                      const Exists& exists) {
  std::vector<std::string> wrong;
  if (std::ranges::count(line, '`') % 2 != 0) wrong.push_back("a backtick without its second");
  for (const CodeSpan& span : CodeSpans(line)) {
    if (span.before.ends_with("new file ")) continue;
    for (const std::string& word : SplitAt(span.text, ' ')) {
      if (!LooksLikePath(word, exists) || IsBuilt(word)) continue;
      if (FindPath(word, document, exists).empty()) wrong.push_back(word);
    }
  }
  for (const std::string& target : LinkTargets(line)) {
    if (target.empty() || target.find("://") != std::string::npos) continue;
    const std::filesystem::path path = std::filesystem::path(document).parent_path() / target;
    const std::string from_root = path.lexically_normal().generic_string();
    if (!IsBuilt(from_root) && !exists(from_root)) wrong.push_back(target);
  }
  return wrong;
}

std::vector<std::string> WrongPaths(const std::string& document, const std::string& text,
                                    const Exists& exists) {
  std::vector<std::string> wrong;
  for (const std::string& line : LinesOfProse(text)) {
    for (const std::string& path : WrongPathsOf(document, line, exists)) wrong.push_back(path);
  }
  return wrong;
}

// ---- Functions ----------------------------------------------------------------------------------

using ReadText = std::function<std::string(const std::string& path)>;

// A row of the table "| where is… |" names files and functions: "`engine/commit.cc`,
// `CommitRun::LockBases()`". The functions that occur in no file of their row.
std::vector<std::string> UnknownFunctions(const std::string& document, const std::string& text,
                                          const Exists& exists, const ReadText& read) {
  std::vector<std::string> unknown;
  for (const std::string& line : LinesOfProse(text)) {
    if (!line.starts_with("|")) continue;
    std::string files;
    for (const std::string& word : SpanTexts(line)) {
      if (!LooksLikePath(word, exists)) continue;
      if (const std::string path = FindPath(word, document, exists); !path.empty()) {
        files += read(path);
      }
    }
    for (const std::string& word : SpanTexts(line)) {
      if (!word.ends_with("()")) continue;
      std::string name = word.substr(0, word.size() - 2);
      if (const std::size_t colon = name.rfind(':'); colon != std::string::npos) {
        name.erase(0, colon + 1);
      }
      if (files.find(name + "(") == std::string::npos) unknown.push_back(word);
    }
  }
  return unknown;
}

std::string ReadOfProject(const std::string& path) {
  return std::filesystem::is_directory(SourceRoot() / path) ? std::string()
                                                            : ReadWholeFile(SourceRoot() / path);
}

TEST(Readme, TheTableSaysWhatTheListsSay) {
  EXPECT_EQ(ReadTable(ReadOfProject(kWalk)), WithThirdPartyNames(ReadUsesOfProject()));
}

TEST(Readme, ThePictureSaysWhatTheListsSay) {
  EXPECT_EQ(ReadPicture(ReadOfProject(kWalk)), RoomsOf(ReadUsesOfProject()));
}

TEST(Readme, EveryFolderHasItsParagraph) {
  EXPECT_EQ(ReadParagraphs(ReadOfProject(kWalk)), FoldersOf(ReadUsesOfProject()));
}

TEST(Readme, EveryPathIsThere) {
  for (const char* const document : kDocuments) {
    const std::string text = ReadOfProject(document);
    EXPECT_FALSE(text.empty()) << document;
    EXPECT_THAT(WrongPaths(document, text, ExistsInProject), testing::IsEmpty()) << document;
  }
}

TEST(Readme, EveryFunctionIsInItsFile) {
  EXPECT_THAT(UnknownFunctions(kWalk, ReadOfProject(kWalk), ExistsInProject, ReadOfProject),
              testing::IsEmpty());
}

TEST(Readme, MadeUpTablesAreRead) {
  const std::string document =
      "| `not` | `a row` | of the table |\n\n"
      "| folder | uses | third-party |\n|---|---|---|\n"
      "| `base` | – | libdeflate |\n"
      "| `a/b` | `base`, `value` | Abseil, zlib |\n"
      "| `c` | `base` | – |\n\n"
      "| `after` | `base` | – |\n";
  EXPECT_EQ(ReadTable(document), (Uses{{"base", {"libdeflate"}},
                                       {"a/b", {"base", "value", "Abseil", "zlib"}},
                                       {"c", {"base"}}}));
  EXPECT_EQ(WithThirdPartyNames({{"a/b", {"base", "hr_absl"}}}),
            (Uses{{"a/b", {"Abseil", "base"}}}));
}

TEST(Readme, MadeUpPicturesAreRead) {
  const std::string document =
      "In this order:\n\n    bytes → http → operation\n\n"
      "The rooms of it:\n\n"
      "    item  → read, table\n"
      "    table → –\n\nMore:\n\n    a → b\n";
  EXPECT_EQ(ReadPicture(document), (Uses{{"item", {"read", "table"}}, {"table", {}}}));
  EXPECT_EQ(RoomsOf({{"operation/item", {"operation/read", "operation", "hr_absl"}},
                     {"operation", {"base"}}}),
            (Uses{{"item", {"read"}}}));
}

TEST(Readme, MadeUpParagraphsAreRead) {
  EXPECT_THAT(ReadParagraphs("**`wire/`** — JSON.\n**Bold**\n**`a/b/`** — All.\n**`main.cc`** x\n"),
              testing::ElementsAre("a/b", "main.cc", "wire"));
}

TEST(Readme, MadeUpPathsAreJudged) {
  const std::set<std::string> there = {"src",           "src/wire",  "src/wire/json.h",
                                       "docs",          "docs/a.md", "scripts",
                                       "scripts/build", "include",   "include/hashrange/server.h"};
  const Exists exists = [&there](const std::string& path) { return there.contains(path); };
  const struct {
    std::string document, text;
    std::vector<std::string> wrong;
  } kCases[] = {
      {"README.md", "`src/wire/json.h` and `wire/json.h`, `wire/`", {}},
      {"README.md", "`scripts/build release a_test` and `hashrange/server.h`", {}},
      {"README.md", "[a](docs/a.md#part) [b](#part) [c](https://example.com/d)", {}},
      {"docs/b.md", "[a](a.md) [src](../src/wire/json.h) `a.md`", {}},
      {"README.md", "`application/json`, `/dev/null`, `Item`, `a.b`, `~/app/x`, `wire/*.h`", {}},
      {"README.md", "`build/release/hashrange`", {}},
      {"README.md", "    `wire/gone.h`\n```sh\n`wire/gone.h`\n```\n", {}},
      {"README.md", "the new file `src/wire/more.h`", {}},
      {"README.md", "the file `src/wire/more.h`", {"src/wire/more.h"}},
      {"README.md", "`wire/gone.h`, `src/gone/`", {"wire/gone.h", "src/gone/"}},
      {"README.md", "`json.h`", {"json.h"}},
      {"README.md",
       "`serve\n--seed`",
       {"a backtick without its second", "a backtick without its second"}},
      {"README.md", "`scripts/gone release`", {"scripts/gone"}},
      {"README.md", "[a](docs/gone.md)", {"docs/gone.md"}},
      {"docs/b.md", "[a](docs/a.md)", {"docs/a.md"}},
      {"README.md", "```sh\nx\n```\n`wire/gone.h`\n", {"wire/gone.h"}},
  };
  for (const auto& [document, text, wrong] : kCases) {
    EXPECT_EQ(WrongPaths(document, text, exists), wrong) << text;
  }
}

TEST(Readme, MadeUpFunctionsAreLookedFor) {
  const Exists exists = [](const std::string& path) { return path == "src/a.cc"; };
  const ReadText read = [](const std::string&) { return "void Part::Find(int key) {}"; };
  const auto unknown = [&](const std::string& text) {
    return UnknownFunctions("src/README.md", text, exists, read);
  };
  EXPECT_THAT(unknown("| it | `a.cc`, `Part::Find()`, `Find()` |"), testing::IsEmpty());
  EXPECT_THAT(unknown("`Gone()` in `a.cc`"), testing::IsEmpty()) << "not a row of a table";
  EXPECT_THAT(unknown("| it | `a.cc`, `Gone()` |"), testing::ElementsAre("Gone()"));
  EXPECT_THAT(unknown("| it | `b.cc`, `Find()` |"), testing::ElementsAre("Find()"));
}

}  // namespace
}  // namespace hashrange
