// Two things of one name cannot meet: under src/ no two headers or sources have the same file
// name, and no two headers define a type of the same name in the same namespace. A program in
// which two such types meet is merged by the linker without a word.
//
// These tests read the text of the headers. Types that are defined in a .cc file are compared by
// the preset `odr`, which links all objects at once (scripts/build odr).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tree/source_tree.h"

namespace hashrange {
namespace {

// "lexer.cc: src/expression/lexer.cc src/partiql/lexer.cc" for each name that occurs twice.
using Places = std::map<std::string, std::set<std::string>>;
std::vector<std::string> WithSeveralPlaces(const Places& places) {
  std::vector<std::string> complaints;
  for (const auto& [name, files] : places) {
    if (files.size() < 2) continue;
    std::string complaint = name + ":";
    for (const std::string& file : files) complaint += " " + file;
    complaints.push_back(std::move(complaint));
  }
  return complaints;
}

// Of these rooms a build compiles one, so one of them may repeat the file names of another.
constexpr std::string_view kSystems[] = {"linux", "macos", "none"};

// Returns the name of the file, and in front of it the room of a system: "none/memory.cc".
std::string NameToCompare(const std::string& file) {
  const std::size_t name = file.rfind('/') + 1;
  for (const std::string_view system : kSystems) {
    const std::string room = "/" + std::string(system) + "/";
    if (std::string_view(file).substr(0, name).ends_with(room)) {
      return file.substr(name - room.size() + 1);
    }
  }
  return file.substr(name);
}

std::vector<std::string> RepeatedFileNames(const std::vector<std::string>& files) {
  Places places;
  for (const std::string& file : files) places[NameToCompare(file)].insert(file);
  return WithSeveralPlaces(places);
}

bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The words and signs of C++ text, one after another. Comments, literals and lines of the
// preprocessor are skipped; "::" is one sign.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {}

  // The next one; empty at the end.
  std::string_view Next() {
    while (SkipBlankOrComment() || SkipDirective() || SkipLiteral()) continue;
    std::size_t length = 0;
    const bool is_number = !text_.empty() && text_.front() >= '0' && text_.front() <= '9';
    const auto is_part = [is_number](char c) {
      return IsWordCharacter(c) || (is_number && c == '\'');  // 10'000
    };
    while (length < text_.size() && is_part(text_[length])) ++length;
    if (length == 0) length = text_.starts_with("::") ? 2 : 1;
    is_line_empty_ = false;
    return Take(std::min(length, text_.size()));
  }

 private:
  std::string_view Take(std::size_t length) {
    const std::string_view taken = text_.substr(0, length);
    text_.remove_prefix(taken.size());
    return taken;
  }
  // Takes the text up to the end of `end`.
  void SkipPast(std::string_view end) {
    const std::size_t at = text_.find(end);
    Take(at == std::string_view::npos ? at : at + end.size());
  }

  bool SkipBlankOrComment() {
    if (text_.empty()) return false;
    if (text_.starts_with("//")) {
      Take(text_.find('\n'));
    } else if (text_.starts_with("/*")) {
      SkipPast("*/");
    } else if (text_.front() == ' ' || text_.front() == '\t' || text_.front() == '\n') {
      is_line_empty_ |= text_.front() == '\n';
      Take(1);
    } else {
      return false;
    }
    return true;
  }

  // A line that ends with a backslash goes on in the next.
  bool SkipDirective() {
    if (!is_line_empty_ || !text_.starts_with('#')) return false;
    for (bool goes_on = true; goes_on && !text_.empty();) {
      const std::string_view line = Take(text_.find('\n'));
      goes_on = line.ends_with('\\');
      if (goes_on) Take(1);
    }
    return true;
  }

  bool SkipLiteral() {
    if (text_.starts_with("R\"(")) {
      SkipPast(")\"");
      return true;
    }
    const char quote = text_.empty() ? '\0' : text_.front();
    if (quote != '"' && quote != '\'') return false;
    std::size_t end = 1;
    while (end < text_.size() && text_[end] != quote) end += text_[end] == '\\' ? 2 : 1;
    Take(end + 1);
    return true;
  }

  std::string_view text_;
  bool is_line_empty_ = true;  // so far
};

// Stands for a type where the braces of a header do not match: then the scan has misread it.
constexpr const char* kUnbalanced = "(unbalanced)";

// Walks through a header and keeps the types that it defines in namespaces. A type within a class
// or a function is not kept, nor is a forward declaration, nor the specialization of a template.
class TypeScan {
 public:
  explicit TypeScan(std::string_view text) : tokens_(text) {}

  std::vector<std::string> Run() {
    Advance();
    while (!token_.empty()) {
      if (token_ == "namespace") {
        ReadNamespace();
      } else if (token_ == "class" || token_ == "struct" || token_ == "union" || token_ == "enum") {
        ReadType();
      } else {
        if (token_ == "{") Open(kNoNamespace);
        if (token_ == "}") Close();
        Advance();
      }
    }
    if (!scopes_.empty()) is_balanced_ = false;
    if (!is_balanced_) types_.emplace_back(kUnbalanced);
    return std::move(types_);
  }

 private:
  static constexpr std::string_view kNoNamespace = "{";

  void Advance() { token_ = tokens_.Next(); }
  void Open(std::string_view scope) { scopes_.emplace_back(scope); }
  void Close() {
    if (scopes_.empty()) {
      is_balanced_ = false;
    } else {
      scopes_.pop_back();
    }
  }

  // "namespace a::b {": one scope. Of "namespace a = b;" nothing is opened.
  void ReadNamespace() {
    Advance();
    std::string name;
    for (; token_ != "{" && token_ != ";" && token_ != "=" && !token_.empty(); Advance()) {
      name += token_;
    }
    if (token_ != "{") return;
    Open(name.empty() ? "(anonymous)" : name);
    Advance();
  }

  // From "class" to the name, and on to "{" where the type is defined.
  void ReadType() {
    Advance();
    if (token_ == "class" || token_ == "struct") Advance();  // enum class
    SkipAttributes();
    if (token_.empty() || !IsWordCharacter(token_.front())) return;  // without a name
    const std::string name(token_);
    Advance();
    const bool is_nested_or_special = token_ == "::" || token_ == "<";
    if (token_ == "final") Advance();
    if (token_ == ":") {
      while (token_ != "{" && token_ != ";" && !token_.empty()) Advance();
    }
    if (token_ != "{" || is_nested_or_special) return;
    if (std::string prefix; IsInNamespacesOnly(&prefix)) types_.push_back(prefix + name);
  }

  // alignas(64) and [[…]].
  void SkipAttributes() {
    if (token_ == "alignas") {
      while (token_ != ")" && !token_.empty()) Advance();
      Advance();
    }
    while (token_ == "[") {
      while (token_ != "]" && !token_.empty()) Advance();
      while (token_ == "]") Advance();
    }
  }

  bool IsInNamespacesOnly(std::string* prefix) const {
    for (const std::string& scope : scopes_) {
      if (scope == kNoNamespace) return false;
      *prefix += scope + "::";
    }
    return true;
  }

  Tokens tokens_;
  std::string_view token_;
  std::vector<std::string> scopes_;
  bool is_balanced_ = true;
  std::vector<std::string> types_;
};

std::vector<std::string> TypesOf(std::string_view text) { return TypeScan(text).Run(); }

// `texts`: by file.
std::vector<std::string> RepeatedTypes(const std::map<std::string, std::string>& texts) {
  Places places;
  for (const auto& [file, text] : texts) {
    for (const std::string& type : TypesOf(text)) places[type].insert(file);
  }
  return WithSeveralPlaces(places);
}

std::map<std::string, std::string> HeadersOfProject() {
  std::map<std::string, std::string> texts;
  for (const std::string_view folder : {"src", "include"}) {
    for (const std::string& file : FilesBelow(folder, {".h"})) {
      texts[file] = ReadWholeFile(SourceRoot() / file);
    }
  }
  return texts;
}

TEST(Names, NoFileNameOccursTwice) {
  const std::vector<std::string> files = FilesBelow("src", {".h", ".cc", ".def", ".inc"});
  EXPECT_GT(files.size(), 300u) << "too few to be the whole source";
  EXPECT_THAT(RepeatedFileNames(files), testing::IsEmpty());
}

TEST(Names, NoTypeIsDefinedInTwoHeaders) {
  const std::map<std::string, std::string> texts = HeadersOfProject();
  EXPECT_THAT(TypesOf(texts.at("src/base/clock.h")),
              testing::IsSupersetOf({"hashrange::Clock", "hashrange::SystemClock"}));
  EXPECT_THAT(TypesOf(texts.at("src/server/exchange/limits.h")),
              testing::ElementsAre("hashrange::Limits"));
  EXPECT_THAT(RepeatedTypes(texts), testing::IsEmpty());
  for (const auto& [file, text] : texts) {
    EXPECT_THAT(TypesOf(text), testing::Not(testing::Contains(kUnbalanced))) << file;
  }
}

TEST(Names, MadeUpFileNamesAreCompared) {
  EXPECT_THAT(RepeatedFileNames({"src/a/one.h", "src/a/one.cc", "src/b/two.h"}),
              testing::IsEmpty());
  EXPECT_THAT(RepeatedFileNames({"src/a/lexer.cc", "src/b/c/lexer.cc", "src/b/token.h"}),
              testing::ElementsAre("lexer.cc: src/a/lexer.cc src/b/c/lexer.cc"));
  EXPECT_THAT(RepeatedFileNames({"src/a/linux/one.cc", "src/a/none/one.cc"}), testing::IsEmpty());
  EXPECT_THAT(RepeatedFileNames({"src/a/none/one.cc", "src/b/none/one.cc"}),
              testing::ElementsAre("none/one.cc: src/a/none/one.cc src/b/none/one.cc"));
}

TEST(Names, MadeUpHeadersAreCompared) {
  EXPECT_THAT(RepeatedTypes({{"a.h", "namespace x { struct A { int i; }; class B; }"},
                             {"b.h", "namespace x { struct A {}; class B {}; }"},
                             {"c.h", "namespace x::y { struct A {}; }"}}),
              testing::ElementsAre("x::A: a.h b.h"));
  // The same text twice in one header is the compiler's to refuse.
  EXPECT_THAT(RepeatedTypes({{"a.h", "struct A {}; struct A {};"}}), testing::IsEmpty());
}

TEST(Names, MadeUpTypesAreFound) {
  const struct {
    std::string text;
    std::vector<std::string> types;
  } kCases[] = {
      {"struct A {};", {"A"}},
      {"namespace x { class A final : public B<C> { int i; }; }", {"x::A"}},
      {"namespace x { enum class A : std::uint8_t { kOne }; enum B { kTwo }; }", {"x::A", "x::B"}},
      {"namespace x { namespace y { struct A {}; } struct B {}; }", {"x::y::A", "x::B"}},
      {"namespace x::y { struct alignas(64) A {}; struct [[nodiscard]] B {}; }",
       {"x::y::A", "x::y::B"}},
      {"namespace { struct A {}; }", {"(anonymous)::A"}},
      {"template <typename T, class U>\nclass A {\n  struct Inner {};\n};", {"A"}},
      {"struct A { union { int i; }; };\nstruct B {};", {"A", "B"}},
      {"class A { enum class B { kOne }; };\nstruct C {};", {"A", "C"}},
      {"#define HR_A struct A { \\\n  int i; };\nstruct B {};", {"B"}},
      {"// struct A {};\n/* struct B {}; */\nconst char c = '{'; struct C {};", {"C"}},
      {"inline const char* kText = \"struct A {};\"; struct B {};", {"B"}},
      {"inline constexpr int kMost = 10'000; struct A {};", {"A"}},
      {"inline const char* kText = R\"(struct A \" {)\"; struct B {};", {"B"}},
      // Neither is a definition of a type that another header could repeat.
      {"class A; struct B; enum class C : int;", {}},
      {"struct A::B { int i; };", {}},
      {"template <> struct hash<A> { int i; };", {}},
      {"inline void F(struct A* a) { struct Local { int i; }; }", {}},
      {"class A { friend class B; };", {"A"}},
      {"namespace a = b::c; struct D {};", {"D"}},
      {"struct A { int i;", {"A", kUnbalanced}},
      {"struct A {}; }", {"A", kUnbalanced}},
  };
  for (const auto& [text, types] : kCases) EXPECT_EQ(TypesOf(text), types) << text;
}

}  // namespace
}  // namespace hashrange
