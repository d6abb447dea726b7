#include "mcp/tool_arguments.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/memory/output_buffer.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

constexpr std::string_view kWords[] = {"one", "two", "three"};
constexpr ToolArgument kKnown[] = {
    {.name = "name", .is_required = true, .description = "A name"},
    {.name = "word", .description = "A word", .values = kWords},
    {.name = "count",
     .type = ArgumentType::kWhole,
     .description = "So many",
     .least = 1,
     .greatest = 9},
    {.name = "is_big", .type = ArgumentType::kBoolean, .description = "Whether it is"},
    {.name = "input", .type = ArgumentType::kObject, .description = "Anything"},
    {.name = "tables", .type = ArgumentType::kTexts, .description = "Tables"}};

// Returns what the check says: "ok" or the sentence of its error.
std::string Check(const std::string& text) {
  const auto json = OwnedJson::Parse(text, JsonDialect::kDocument);
  const Status checked = CheckArguments(json->value(), kKnown);
  return checked.ok() ? "ok" : checked.error().message;
}

TEST(ToolArguments, EachIsChecked) {
  EXPECT_EQ(
      Check(R"({"name":"a","word":"two","count":3.0,"is_big":false,"input":{},"tables":["a"]})"),
      "ok");
  EXPECT_EQ(Check(R"({"name":"a","word":null,"count":null})"), "ok");
  EXPECT_EQ(Check("{}"), "\"name\" is missing; it has to be a text that is not empty");
  EXPECT_EQ(Check(R"({"name":""})"), "\"name\" has to be a text that is not empty");
  EXPECT_EQ(Check(R"({"name":null})"),
            "\"name\" is missing; it has to be a text that is not empty");
  EXPECT_EQ(Check(R"({"name":"a","word":"four"})"), R"("word" has to be "one", "two" or "three")");
  for (const std::string count :
       {"0", "10", "1.5", "\"3\"", "1e1", "99999999999999999999", "true"}) {
    EXPECT_EQ(Check(R"({"name":"a","count":)" + count + "}"),
              "\"count\" has to be a whole number from 1 to 9");
  }
  // The first member that is wrong is told.
  EXPECT_EQ(Check(R"({"name":"a","count":0,"zzzzzz":1,"is_big":1})"),
            "\"count\" has to be a whole number from 1 to 9");
  EXPECT_EQ(Check(R"({"name":"a","is_big":1})"), "\"is_big\" has to be true or false");
  EXPECT_EQ(Check(R"({"name":"a","input":[]})"), "\"input\" has to be a JSON object");
  EXPECT_EQ(Check(R"({"name":"a","tables":"a"})"), "ok");
  EXPECT_EQ(Check(R"({"name":"a","tables":["a",""]})"),
            "\"tables\" has to be a text, or a list of at most 100 texts, that are not empty");
  EXPECT_EQ(Check(R"({"nme":"a"})"), "unknown argument \"nme\"; did you mean name?");
  EXPECT_EQ(
      Check(R"({"zzzzzz":"a"})"),
      R"(unknown argument "zzzzzz"; the tool takes "name", "word", "count", "is_big", "input" or "tables")");
}

TEST(ToolArguments, AToolMayTakeNone) {
  const auto none = OwnedJson::Parse("{}", JsonDialect::kDocument);
  EXPECT_TRUE(CheckArguments(none->value(), {}).ok());
  const auto one = OwnedJson::Parse(R"({"a":1})", JsonDialect::kDocument);
  EXPECT_EQ(CheckArguments(one->value(), {}).error().message,
            "unknown argument \"a\"; the tool takes none");
}

TEST(ToolArguments, TheSchemaSaysTheSame) {
  OutputBuffer out;
  JsonWriter writer(out);
  WriteArgumentSchema(kKnown, writer);
  EXPECT_EQ(
      out.view(),
      R"({"type":"object","properties":{)"
      R"("name":{"type":"string","description":"A name","minLength":1},)"
      R"("word":{"type":"string","description":"A word","enum":["one","two","three"]},)"
      R"("count":{"type":"integer","description":"So many","minimum":1,"maximum":9},)"
      R"("is_big":{"type":"boolean","description":"Whether it is"},)"
      R"("input":{"type":"object","description":"Anything"},)"
      R"("tables":{"type":["string","array"],"description":"Tables","minLength":1,"items":{"type":"string","minLength":1},)"
      R"("maxItems":100}},"required":["name"],"additionalProperties":false})");
}

}  // namespace
}  // namespace hashrange
