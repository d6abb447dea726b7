// What the documents that lead a newcomer through the source name is there: each path in backticks
// and each link leads to a file or folder, and a function that a row of "Where is…" names occurs in
// a file of that row.
//
// A path in backticks is a word that begins with the name of a folder of the repository or of src/,
// or that ends as our sources do. It is looked for in the root, in src/, in include/ and beside the
// document. What is behind the words "new file" is left out: the reader is asked to make it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tree/document_lines.h"
#include "tree/source_tree.h"

namespace hashrange {
namespace {

constexpr const char* kWalk = "src/README.md";
constexpr const char* kDocuments[] = {kWalk, "README.md", "CONTRIBUTING.md", "docs/debugging.md"};

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
std::vector<std::string> LinesOfProse(const std::string& text) {
  std::vector<std::string> prose;
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

using TextReader = std::function<std::string(const std::string& path)>;

// A row of the table "| where is… |" names files and functions: "`engine/commit.cc`,
// `CommitRun::LockBases()`". The functions that occur in no file of their row.
std::vector<std::string> UnknownFunctions(const std::string& document, const std::string& text,
                                          const Exists& exists, const TextReader& read) {
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

TEST(ReadmePaths, EveryPathIsThere) {
  for (const char* const document : kDocuments) {
    const std::string text = ReadOfProject(document);
    EXPECT_FALSE(text.empty()) << document;
    EXPECT_THAT(WrongPaths(document, text, ExistsInProject), testing::IsEmpty()) << document;
  }
}

TEST(ReadmePaths, EveryFunctionIsInItsFile) {
  EXPECT_THAT(UnknownFunctions(kWalk, ReadOfProject(kWalk), ExistsInProject, ReadOfProject),
              testing::IsEmpty());
}

TEST(ReadmePaths, MadeUpPathsAreJudged) {
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

TEST(ReadmePaths, MadeUpFunctionsAreLookedFor) {
  const Exists exists = [](const std::string& path) { return path == "src/a.cc"; };
  const TextReader read = [](const std::string&) { return "void Part::Find(int key) {}"; };
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
