// Every citation of docs/service in the sources names a file that exists, and sections that are
// headings of it. A citation may name several sections and several files:
//
//   docs/service/04-expressions.md, sections 2 and 4 to 6; section 7, stage A;
//   06-query-and-scan.md, section 3, rows 1 to 8
//
// Rows, steps, rules and stages are parts of the section before them and are not looked up.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/source_root.h"

namespace hashrange {
namespace {

constexpr std::string_view kFolder = "docs/service/";

// The numbers and letters that the headings of each file begin with: "4", "A", "C2".
using Sections = std::map<std::string, std::set<std::string>, std::less<>>;

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool IsUpper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// A reader of words, from the front of a text.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}

  bool Skip(std::string_view word) {
    if (rest_.substr(0, word.size()) != word) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  // "7", "A" or "C2"; empty when something else is next.
  std::string TakeSection() {
    std::size_t size = !rest_.empty() && IsUpper(rest_[0]) ? 1 : 0;
    while (size < rest_.size() && IsDigit(rest_[size])) ++size;
    if (size < rest_.size() && IsWord(rest_[size])) return {};
    return Take(size);
  }

  // "04-expressions.md" or "README.md"; empty when something else is next.
  std::string TakeFile() {
    std::size_t size = 0;
    while (size < rest_.size() && (IsWord(rest_[size]) || rest_[size] == '-')) ++size;
    if (rest_.substr(size, 3) != ".md") return {};
    return Take(size + 3);
  }

 private:
  std::string Take(std::size_t size) {
    const std::string taken(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
};

// Returns the sections from `first` to `last`, as in "7 to 10" or "A1 to A3"; of two that cannot be
// counted from one to the other, those two alone.
std::vector<std::string> SectionsBetween(const std::string& first, const std::string& last) {
  const std::size_t letters = IsUpper(first[0]) ? 1 : 0;
  const std::string letter = first.substr(0, letters);
  if (first.size() == letters || last.size() == letters || last.substr(0, letters) != letter) {
    return {first, last};
  }
  std::vector<std::string> sections;
  const int end = std::stoi(last.substr(letters));
  for (int i = std::stoi(first.substr(letters)); i <= end; ++i) {
    sections.push_back(letter + std::to_string(i));
  }
  return sections.empty() ? std::vector<std::string>{first, last} : sections;
}

// Reads "2 and 4 to 6" or "A4, A5 and B". Returns every section that the list means.
std::vector<std::string> ReadList(Words& words) {
  std::vector<std::string> sections = {words.TakeSection()};
  for (Words ahead = words;;) {
    const bool is_range = ahead.Skip(" to ");
    if (!is_range && !ahead.Skip(" and ") && !ahead.Skip(", ")) break;
    const std::string next = ahead.TakeSection();
    if (next.empty()) break;
    if (is_range) {
      const std::string first = sections.back();
      sections.pop_back();
      for (std::string& section : SectionsBetween(first, next)) {
        sections.push_back(std::move(section));
      }
    } else {
      sections.push_back(next);
    }
    words = ahead;
  }
  return sections;
}

struct Citation {
  std::string file;
  std::vector<std::string> sections;
};

// Reads ", section 4" or "; sections 2 and 7". Returns whether that was next.
bool ReadSections(Words& words, Citation* citation) {
  Words ahead = words;
  if (!ahead.Skip(", ") && !ahead.Skip("; ")) return false;
  if (!ahead.Skip("sections ") && !ahead.Skip("section ")) return false;
  for (std::string& section : ReadList(ahead)) citation->sections.push_back(std::move(section));
  words = ahead;
  return true;
}

// Skips ", rows 5 to 12" or ", stage A". Returns whether that was next.
bool SkipParts(Words& words) {
  Words ahead = words;
  if (!ahead.Skip(", ")) return false;
  for (const std::string_view part : {"rows ", "row ", "steps ", "step ", "rule ", "stage "}) {
    if (!ahead.Skip(part)) continue;
    ReadList(ahead);
    words = ahead;
    return true;
  }
  return false;
}

// Reads "; 06-query-and-scan.md". Returns the file, or an empty text where none was next.
std::string ReadNextFile(Words& words) {
  Words ahead = words;
  if (!ahead.Skip("; ")) return {};
  const std::string file = ahead.TakeFile();
  if (!file.empty()) words = ahead;
  return file;
}

// Returns the citations at the front of `text`, which follows the folder's name: none where no
// file is named, because a comment may be about the folder itself.
std::vector<Citation> ReadCitations(std::string_view text) {
  std::vector<Citation> citations;
  Words words(text);
  for (std::string file = words.TakeFile(); !file.empty(); file = ReadNextFile(words)) {
    Citation& citation = citations.emplace_back();
    citation.file = file;
    while (ReadSections(words, &citation) || SkipParts(words)) {
    }
  }
  return citations;
}

// Returns where "reference 04" begins, the form in which comments once cited the notes, or npos.
std::size_t FindOldCitation(std::string_view text, std::size_t from) {
  constexpr std::string_view kWord = "eference ";  // also at the beginning of a sentence
  for (std::size_t at = text.find(kWord, from); at != std::string_view::npos;
       at = text.find(kWord, at + 1)) {
    const std::string_view next = text.substr(at + kWord.size());
    if (next.size() >= 2 && IsDigit(next[0]) && IsDigit(next[1])) return at;
  }
  return std::string_view::npos;
}

// A file's text with the lines of a comment joined, and the line each character is from.
struct Text {
  std::string text;
  std::vector<int> lines;
};

Text ReadSourceText(std::istream& file) {
  Text joined;
  bool was_comment = false;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    std::string_view rest = line;
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    const bool is_comment = rest.substr(0, 2) == "//";
    if (is_comment && was_comment) {
      rest.remove_prefix(2);
      rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
      joined.text += ' ';
    } else {
      rest = line;
      joined.text += '\n';
    }
    joined.text += rest;
    joined.lines.resize(joined.text.size(), number);
    was_comment = line.find("//") != std::string::npos;
  }
  return joined;
}

std::vector<std::string> Complaints(const Citation& citation, const Sections& known) {
  const auto file = known.find(citation.file);
  if (file == known.end()) return {"there is no " + citation.file};
  std::vector<std::string> complaints;
  for (const std::string& section : citation.sections) {
    if (file->second.count(section) != 0) continue;
    complaints.push_back(citation.file + " has no section " +
                         (section.empty() ? "without a number" : section));
  }
  return complaints;
}

// What is wrong with the citations of a file, each with its line.
std::vector<std::string> Violations(const std::string& name, std::istream& file,
                                    const Sections& known, std::size_t* citations) {
  std::vector<std::string> violations;
  const Text source = ReadSourceText(file);
  const std::string_view text = source.text;
  const auto complain = [&](std::size_t at, const std::string& complaint) {
    violations.push_back(name + ":" + std::to_string(source.lines[at]) + ": " + complaint);
  };
  for (std::size_t at = FindOldCitation(text, 0); at != std::string_view::npos;
       at = FindOldCitation(text, at + 1)) {
    complain(at, "cites by number, not by file");
  }
  for (std::size_t at = text.find(kFolder); at != std::string_view::npos;
       at = text.find(kFolder, at + 1)) {
    for (const Citation& citation : ReadCitations(text.substr(at + kFolder.size()))) {
      ++*citations;
      for (const std::string& complaint : Complaints(citation, known)) complain(at, complaint);
    }
  }
  return violations;
}

// "## 5. Paging" and "### A1. Members" are the sections 5 and A1.
std::set<std::string> ReadHeadings(std::istream& file) {
  std::set<std::string> sections;
  std::string line;
  while (std::getline(file, line)) {
    const std::size_t level = line.find_first_not_of('#');
    if (level == 0 || level == std::string::npos || line[level] != ' ') continue;
    Words words(std::string_view(line).substr(level + 1));
    const std::string section = words.TakeSection();
    if (!section.empty() && words.Skip(".")) sections.insert(section);
  }
  return sections;
}

Sections ReadFolder(const std::filesystem::path& folder) {
  Sections sections;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".md") continue;
    std::ifstream file(entry.path());
    sections[entry.path().filename().string()] = ReadHeadings(file);
  }
  return sections;
}

bool IsSource(const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  if (path.filename() == "citations_test.cc") return false;  // this file: made-up ones
  return ending == ".cc" || ending == ".h" || ending == ".def" || ending == ".inc";
}

TEST(Citations, NameFilesAndSectionsThatExist) {
  const std::filesystem::path root = SourceRoot();
  const Sections known = ReadFolder(root / "docs" / "service");
  std::vector<std::string> violations;
  std::size_t citations = 0;
  for (const char* const folder : {"src", "include", "tests", "bench"}) {
    if (!std::filesystem::exists(root / folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      if (!IsSource(entry.path())) continue;
      std::ifstream file(entry.path());
      const std::string name = entry.path().lexically_relative(root).generic_string();
      for (std::string& violation : Violations(name, file, known, &citations)) {
        violations.push_back(std::move(violation));
      }
    }
  }
  EXPECT_THAT(violations, testing::IsEmpty());
  EXPECT_GT(citations, 100u) << "too few to be those of the whole source";
}

TEST(Citations, MadeUpLinesAreJudged) {
  const Sections known = {{"04-expressions.md", {"2", "4", "5", "6", "7", "12"}},
                          {"12-streams.md", {"A", "A1", "A2", "B"}},
                          {"README.md", {}}};
  const struct {
    std::string lines;
    std::vector<std::string> violations;
  } kCases[] = {
      {"// (docs/service/04-expressions.md).", {}},
      {"// docs/service/README.md says so, section 9 of ours too", {}},
      {"// The folder docs/service/ has more.", {}},
      {"// (docs/service/04-expressions.md, section 4)", {}},
      {"// docs/service/04-expressions.md, section 4 has them.", {}},
      {"// docs/service/04-expressions.md, sections 2, 4 and 5, and this", {}},
      {"// docs/service/04-expressions.md, sections 4 to 7 and 12", {}},
      {"// docs/service/04-expressions.md, section 6, rows 5 to 12; section 7, stage A.", {}},
      {"// docs/service/12-streams.md, sections A1, A2 and B; 04-expressions.md, section 5", {}},
      {"int a;  // docs/service/04-expressions.md, section 4", {}},
      {"  // docs/service/04-expressions.md,\n  // sections 2\n  //         and 4.", {}},
      {"// A reference of its own, and references 10 at a time.", {}},
      {"// (docs/service/04-expression.md, section 4)", {"a.h:1: there is no 04-expression.md"}},
      {"// (docs/service/04-expressions.md, section 3)",
       {"a.h:1: 04-expressions.md has no section 3"}},
      {"// (docs/service/04-expressions.md, section four)",
       {"a.h:1: 04-expressions.md has no section without a number"}},
      {"// docs/service/04-expressions.md, sections 2 to 4",
       {"a.h:1: 04-expressions.md has no section 3"}},
      {"// docs/service/04-expressions.md, section 4, row 3; section 13",
       {"a.h:1: 04-expressions.md has no section 13"}},
      {"// docs/service/12-streams.md, sections A1 to A3",
       {"a.h:1: 12-streams.md has no section A3"}},
      {"// docs/service/04-expressions.md; 13-more.md, section 1",
       {"a.h:1: there is no 13-more.md"}},
      {"\n// docs/service/04-expressions.md, section 4;\n// 12-streams.md,\n// section C",
       {"a.h:2: 12-streams.md has no section C"}},
      {"// (reference 04, section 5)", {"a.h:1: cites by number, not by file"}},
      {"\n\n// Reference\n// 04 has it", {"a.h:3: cites by number, not by file"}},
  };
  for (const auto& [lines, violations] : kCases) {
    std::istringstream file(lines + "\n");
    std::size_t citations = 0;
    EXPECT_EQ(Violations("a.h", file, known, &citations), violations) << lines;
  }
}

TEST(Citations, HeadingsAreSections) {
  std::istringstream file(
      "# 12 — Streams\n\n## A. Streams\n### A1. Members\n## 10. Limits\n### Files\n#1. no\n2. "
      "no\n");
  EXPECT_THAT(ReadHeadings(file), testing::ElementsAre("10", "A", "A1"));
}

}  // namespace
}  // namespace hashrange
