// src/README.md is compared with the lists of the build: its table of folders is the USES of every
// CMakeLists.txt, its picture of the rooms of operation/ is the same, and each folder has its
// paragraph.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tree/document_lines.h"
#include "tree/source_tree.h"

namespace hashrange {
namespace {

// How the documents call a target that is not ours.
const std::map<std::string, std::string> kThirdPartyNames = {
    {"hr_absl", "Abseil"},
    {"hr_boost", "Boost"},
    {"hr_leveldb", "LevelDB"},
    {"hr_deflate", "libdeflate"},
    {"hr_prometheus", "prometheus-cpp"},
    {"hr_yaml", "yaml-cpp"},
    {"hr_openssl", "OpenSSL"},
    {"hr_rapidjson", "RapidJSON"},
    {"hr_spdlog", "spdlog"},
    {"hr_zlib", "zlib"},
    {"CLI11::CLI11", "CLI11"},
};

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

std::string Walk() { return ReadWholeFile(SourceRoot() / "src/README.md"); }

TEST(Readme, TheTableSaysWhatTheListsSay) {
  EXPECT_EQ(ReadTable(Walk()), WithThirdPartyNames(ReadUsesOfProject()));
}

TEST(Readme, ThePictureSaysWhatTheListsSay) {
  EXPECT_EQ(ReadPicture(Walk()), RoomsOf(ReadUsesOfProject()));
}

TEST(Readme, EveryFolderHasItsParagraph) {
  EXPECT_EQ(ReadParagraphs(Walk()), FoldersOf(ReadUsesOfProject()));
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

}  // namespace
}  // namespace hashrange
