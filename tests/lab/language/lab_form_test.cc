#include "lab/language/lab_form.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "base/file_text.h"
#include "lab/language/lab_form_check.h"
#include "lab/language/lab_reader.h"
#include "lab/language/lab_texts.h"
#include "support/source_root.h"

namespace hashrange {
namespace {

std::string TextOfFile(const char* path) { return *ReadFileText(SourceRoot() / path); }

// To write the file anew: HASHRANGE_WRITE_SCHEMA=docs/lab.schema.json lab_language_test
TEST(LabForm, SchemaInTheDocumentsIsTheOneOfTheForms) {
  const std::string schema = LabSchemaText();
  if (const char* const path = std::getenv("HASHRANGE_WRITE_SCHEMA")) {
    std::ofstream(path) << schema;
  }
  EXPECT_EQ(TextOfFile("docs/lab.schema.json"), schema);
}

// Calls `use` for each form that the file's form is made of, once.
void ForEachForm(const LabForm& form, std::set<const LabForm*>& seen,
                 const std::function<void(const LabForm&)>& use) {
  if (!seen.insert(&form).second) return;
  use(form);
  for (const LabForm& alternative : form.alternatives) ForEachForm(alternative, seen, use);
  ForEachLabMember(form,
                   [&](const LabMemberForm& member) { ForEachForm(*member.form, seen, use); });
  if (form.elements) ForEachForm(*form.elements, seen, use);
  if (form.others) ForEachForm(*form.others, seen, use);
}

TEST(LabForm, ANotationMatchesWhatItsPatternMatches) {
  const std::vector<std::string> numbers = {"",    "0",  "00",  "7",     "0.0", "0.5",
                                            "1.",  ".5", "1.0", "10.25", "-1",  "+1",
                                            "1e3", "1 ", "x",   "0.0.1", "05",  "100."};
  const std::vector<std::string> units = {"",   "ms", "s",    "m",  "h",  "d",   "w",  "S", " s",
                                          "/s", "/m", "/min", "/h", "/d", "//s", "s/", "/"};
  std::vector<std::string> texts = {"a.b",
                                    "a.b.c",
                                    ".b",
                                    "a.",
                                    "a b.c",
                                    "Product.sku",
                                    "a",
                                    "2026-01-01T00:00:00Z",
                                    "2026-01-01T00:00:00",
                                    "2026-1-01T00:00:00Z",
                                    "2026-01-01T00:00:00z",
                                    "2026-01-01T00:00:00ZZ",
                                    "9999-99-99T99:99:99Z"};
  for (const std::string& number : numbers) {
    for (const std::string& unit : units) texts.push_back(number + unit);
  }
  std::set<const LabForm*> seen;
  std::set<std::string> patterns;
  ForEachForm(LabFileForm(), seen, [&](const LabForm& form) {
    if (!form.notation.matches) return;
    const std::string pattern(form.notation.pattern);
    if (!patterns.insert(pattern).second) return;
    const std::regex regex(pattern, std::regex::extended);
    for (const std::string& text : texts) {
      EXPECT_EQ(form.notation.matches(text), std::regex_match(text, regex))
          << pattern << " " << text;
    }
  });
  EXPECT_EQ(patterns.size(), 5U);
}

// Returns the names of the operations, whose members may be anything.
std::set<std::string_view> Operations() {
  std::set<std::string_view> names;
  for (const LabForm* const form : NamedLabForms()) {
    if (form->name != "request") continue;
    for (const LabMemberForm& member : form->members) names.insert(member.name);
  }
  return names;
}

// Appends all nodes of a tree that have a form.
void AppendNodes(LabNode& node, std::vector<LabNode*>& out) {
  out.push_back(&node);
  for (LabNode& element : node.elements) AppendNodes(element, out);
  for (LabNode::Member& member : node.members) {
    if (!Operations().contains(member.name)) AppendNodes(member.value, out);
  }
}

void AppendNames(const LabNode& node, std::set<std::string>& out) {
  for (const LabNode& element : node.elements) AppendNames(element, out);
  for (const LabNode::Member& member : node.members) {
    out.insert(member.name);
    AppendNames(member.value, out);
  }
}

class LabFormEverything : public ::testing::Test {
 protected:
  void SetUp() override {
    text_ = TextOfFile("tests/lab/language/everything.yaml");
    Result<LabNode> tree = ReadLabDocument(text_, "x");
    ASSERT_TRUE(tree.ok()) << tree.error().message;
    tree_ = *std::move(tree);
  }

  std::string text_;
  LabNode tree_;
};

TEST_F(LabFormEverything, HasEachMemberAndIsValid) {
  const Result<LabFile> file = ReadLabFile(text_, "x");
  EXPECT_TRUE(file.ok()) << file.error().message;
  std::set<std::string> names;
  AppendNames(tree_, names);
  std::set<const LabForm*> seen;
  ForEachForm(LabFileForm(), seen, [&](const LabForm& form) {
    ForEachLabMember(form, [&](const LabMemberForm& member) {
      EXPECT_TRUE(names.contains(std::string(member.name))) << member.name;
      EXPECT_FALSE(member.description.empty() && member.form->description.empty()) << member.name;
    });
  });
}

TEST_F(LabFormEverything, AValueOfNoFormIsRefusedWhereItStands) {
  LabNode wrong;  // [[]]
  wrong.kind = LabNode::Kind::kList;
  wrong.elements.resize(1);
  wrong.elements[0].kind = LabNode::Kind::kList;
  std::vector<LabNode*> nodes;
  AppendNodes(tree_, nodes);
  for (LabNode* const node : nodes) {
    const LabPlace place = node->place;
    wrong.place = wrong.elements[0].place = place;
    std::swap(*node, wrong);
    std::vector<std::string> warnings;
    const Status status = CheckLabForms(tree_, "x", &warnings);
    const std::string begin =
        "x:" + std::to_string(place.line) + ":" + std::to_string(place.column) + ": ";
    ASSERT_FALSE(status.ok()) << begin;
    EXPECT_EQ(status.error().message.substr(0, begin.size()), begin);
    std::swap(*node, wrong);
  }
}

TEST_F(LabFormEverything, AMisspeltNameIsRefused) {
  std::vector<LabNode*> nodes;
  AppendNodes(tree_, nodes);
  const std::set<std::string> forms = {"lab", "count",   "get",      "rate",       "key",
                                       "for", "latency", "headroom", "read_units", "share"};
  for (LabNode* const node : nodes) {
    if (node->members.empty() || !forms.contains(node->members[0].name)) continue;
    const std::string name = std::exchange(node->members[0].name, node->members[0].name + "x");
    std::vector<std::string> warnings;
    EXPECT_FALSE(CheckLabForms(tree_, "x", &warnings).ok()) << name;
    node->members[0].name = name;
  }
}

}  // namespace
}  // namespace hashrange
