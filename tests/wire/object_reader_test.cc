#include "wire/object_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "wire/owned_json.h"
#include "wire/parsed.h"

namespace hashrange {
namespace {

// Reads one member of each type, and returns the sentence that refuses the object; empty: none.
std::string Refusal(std::string_view json, const std::string& place) {
  const Parsed parsed(json);
  ObjectReader fields(*parsed, place);
  fields.Require("name");
  fields.Text("name");
  fields.Number("rate");
  fields.Flag("is_on");
  fields.List("list");
  fields.Members("map");
  const Status read = fields.Finish();
  return read.ok() ? "" : read.error().message;
}

TEST(ObjectReader, RefusesWithTheFirstSentence) {
  struct RefusedObject {
    std::string_view json;
    std::string_view place;
    std::string_view sentence;
  };
  constexpr RefusedObject kObjects[] = {
      {R"({"name":"a","rate":0,"is_on":false,"list":[],"map":{}})", "", ""},
      {R"({"name":"a","rate":1.5,"is_on":true})", "", ""},
      {"[]", "", "The file is not an object."},
      {"[]", "a.b", "\"a.b\" is not an object."},
      {R"({"rate":-1})", "", "\"name\" is missing."},
      {R"({"name":1,"rate":"1"})", "a", "\"a.name\" is not a text."},
      {R"({"name":"a","rate":"1"})", "a", "\"a.rate\" is not a number of 0 or more."},
      {R"({"name":"a","rate":-1})", "", "\"rate\" is not a number of 0 or more."},
      {R"({"name":"a","is_on":1})", "", "\"is_on\" is neither true nor false."},
      {R"({"name":"a","list":{}})", "", "\"list\" is not a list."},
      {R"({"name":"a","map":[]})", "", "\"map\" is not an object."},
      {R"({"name":"a","nme":1,"x":1})", "a",
       "\"a.nme\" is not known here. The members are \"name\", \"rate\", \"is_on\", \"list\", "
       "\"map\"."},
  };
  for (const RefusedObject& each : kObjects) {
    EXPECT_EQ(Refusal(each.json, std::string(each.place)), each.sentence) << each.json;
  }
}

TEST(ObjectReader, WhatIsNotThereIsTheOtherValue) {
  const Parsed parsed(R"({"text":"a","null":null})");
  ObjectReader fields(*parsed, "");
  EXPECT_EQ(fields.Text("text", "b"), "a");
  EXPECT_EQ(fields.Text("none", "b"), "b");
  EXPECT_EQ(fields.Number("none", 7), 7);
  EXPECT_TRUE(fields.Flag("none", true));
  EXPECT_EQ(fields.Member("null"), nullptr);
  EXPECT_TRUE(fields.Finish().ok());
}

TEST(ObjectReader, NamesMayBeData) {
  const Parsed parsed(R"({"a":1,"b":-1})");
  ObjectReader fields(*parsed, "rates");
  double sum = 0;
  for (const JsonMember& member : fields.Entries()) sum += fields.Number(member.name);
  EXPECT_EQ(sum, 1);
  EXPECT_EQ(fields.Finish().error().message, "\"rates.b\" is not a number of 0 or more.");
}

TEST(ObjectReader, ListsAreBounded) {
  std::string list = "[0";
  for (int at = 1; at <= 1000; ++at) list += ",0";
  EXPECT_EQ(Refusal(R"({"name":"a","list":)" + list + "]}", "x"),
            "\"x.list\" has 1001 entries, and may have 1000.");
  const Parsed parsed(list + "]");
  EXPECT_EQ(ReadJsonList(*parsed, "x").error().message,
            "\"x\" has 1001 entries, and may have 1000.");
  const Parsed text("\"a\"");
  EXPECT_EQ(ReadJsonList(*text, "x").error().message, "\"x\" is not a list.");
}

TEST(ObjectReader, CollectsRemarksInOtherWords) {
  constexpr ObjectRules kRules = {.quote = "",
                                  .whole = "it",
                                  .no_object = "has to be an object",
                                  .no_text = "has to be a text",
                                  .no_number = "has to be at most 9",
                                  .no_flag = "",
                                  .no_texts = "has another element",
                                  .unknown = "is not known",
                                  .lists_known = false,
                                  .left_out = " and was left out",
                                  .greatest_number = 9,
                                  .reads_number_texts = true};
  const Parsed parsed(
      R"({"text":1,"number":"2.5","ten":"10","word":"two","zero":"0","flag":"yes","texts":["a",1],)"
      R"("new":1,"old":2,"other":3})");
  std::vector<std::string> remarks;
  ObjectReader fields(*parsed, "x", kRules, &remarks);
  EXPECT_EQ(fields.Text("text"), "");
  EXPECT_EQ(fields.Number("number"), 2.5);
  for (const char* const name : {"ten", "word", "zero"}) EXPECT_EQ(fields.Number(name), 0);
  EXPECT_FALSE(fields.Flag("flag"));
  EXPECT_EQ(fields.Texts("texts"), std::vector<std::string>{"a"});
  fields.Ignore({"old"});
  fields.Fail("new", "is new");
  fields.NameUnknown();
  const ObjectReader whole(*fields.Member("text"), "", kRules, &remarks);
  EXPECT_EQ(
      remarks,
      (std::vector<std::string>{
          "x.text has to be a text and was left out", "x.ten has to be at most 9 and was left out",
          "x.word has to be at most 9 and was left out",
          "x.zero has to be at most 9 and was left out", "x.texts has another element",
          "x.new is new", "x.new is not known and was left out",
          "x.other is not known and was left out", "it has to be an object"}));
  EXPECT_EQ(fields.PlaceOf("list", 3), "x.list[3]");
}

}  // namespace
}  // namespace hashrange
