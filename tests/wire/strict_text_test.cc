#include "wire/strict_text.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

namespace hashrange {
namespace {

// Returns the error of a request of SearchVectors, with its code, or "ok".
std::string Checked(std::string_view text) {
  const Status status = CheckStrictText(*FindOperationShape("SearchVectors")->input, text);
  if (status.ok()) return "ok";
  return std::string(ErrorInfoOf(status.error().code).name) + ": " + status.error().message;
}

const std::string kSerialization = "SerializationException: ";
const std::string kRest = R"(,"IndexName":"vix","SearchVector":[{"N":"1"}],"TopK":1})";

struct StrictCase {
  std::string text;
  std::string answer;
};

TEST(StrictText, AcceptsRequests) {
  for (const std::string& text : std::initializer_list<std::string>{
           R"({"TableName":"t")" + kRest,
           " \n{ \"TableName\" : \"t\"\t" + kRest + "\r\n ",
           R"({"TableName":"t","ReturnConsumedCapacity":null)" + kRest,
           R"({"TableName":"\u00e9\ud83d\ude00\"\\\/\b\f\n\r\t")" + kRest,
           R"({"Other":[1,-2.5e+3,null,true,false,"x",{"a":{},"b":[[]]},[]],"TableName":"t")" +
               kRest,
           R"({"ExpressionAttributeNames":{"#a":"a"},"TableName":"t")" + kRest,
           R"({"ExpressionAttributeValues":{":a":{"L":[{"S":"x"},{"M":{"k":{"NULL":true}}}]},)"
           R"(":b":{"SS":["a"]},":c":{"BOOL":false,"other":[1]}},"TableName":"t")" +
               kRest,
           R"({"TableName":"","IndexName":"v","SearchVector":[],"TopK":-2147483648})",
       }) {
    EXPECT_EQ(Checked(text), "ok") << text;
  }
}

TEST(StrictText, NamesTheFirstRequiredMemberThatIsMissing) {
  const StrictCase cases[] = {
      {"{}", "missing field `TableName` at line 1 column 2"},
      {R"({"IndexName":"ab"})", "missing field `TableName` at line 1 column 18"},
      {"{\n\"TableName\":\"t\"\n}", "missing field `IndexName` at line 3 column 1"},
      {R"({"TableName":"t","IndexName":"v"})", "missing field `SearchVector` at line 1 column 33"},
      {R"({"TableName":"t","IndexName":"v","SearchVector":[]} )",
       "missing field `TopK` at line 1 column 51"},
  };
  for (const StrictCase& c : cases) {
    EXPECT_EQ(Checked(c.text), "ValidationException: " + c.answer) << c.text;
  }
}

TEST(StrictText, NamesTheTypeOfAWrongValue) {
  const StrictCase cases[] = {
      {R"({"TableName":null})", "invalid type: null, expected a string at line 1 column 17"},
      {R"({"SearchVector":null})", "invalid type: null, expected a sequence at line 1 column 20"},
      {R"({"TopK":null})", "invalid type: null, expected i32 at line 1 column 12"},
      {R"({"TopK":3.5})", "invalid type: floating point `3.5`, expected i32 at line 1 column 11"},
      {R"({"TopK":5.0})", "invalid type: floating point `5.0`, expected i32 at line 1 column 11"},
      {R"({"TopK":1e2})", "invalid type: floating point `100.0`, expected i32 at line 1 column 11"},
      {R"({"TopK":-0})", "invalid type: floating point `-0.0`, expected i32 at line 1 column 10"},
      {R"({"TopK":1e-400})",
       "invalid type: floating point `0.0`, expected i32 at line 1 column 14"},
      {R"({"TopK":99999999999999999999})",
       "invalid type: floating point `1e20`, expected i32 at line 1 column 28"},
      {R"({"TopK":2147483648})",
       "invalid value: integer `2147483648`, expected i32 at line 1 column 18"},
      {R"({"TopK":-2147483649})",
       "invalid value: integer `-2147483649`, expected i32 at line 1 column 19"},
      {R"({"TopK":18446744073709551615})",
       "invalid value: integer `18446744073709551615`, expected i32 at line 1 column 28"},
      {R"({"TopK":"1"})", R"(invalid type: string "1", expected i32 at line 1 column 11)"},
      {R"({"TopK":true})", "invalid type: boolean `true`, expected i32 at line 1 column 12"},
      {R"({"TopK":[1]})", "invalid type: sequence, expected i32 at line 1 column 8"},
      {R"({"TopK":{}})", "invalid type: map, expected i32 at line 1 column 8"},
      {R"({"TableName":7})", "invalid type: integer `7`, expected a string at line 1 column 14"},
      {R"({"SearchVector":"a\"b\\\n"})",
       R"(invalid type: string "a\"b\\\n", expected a sequence at line 1 column 26)"},
      {R"({"SearchVector":[null]})", "invalid type: null, expected a map at line 1 column 21"},
      {R"({"SearchVector":[1.5]})",
       "invalid type: floating point `1.5`, expected a map at line 1 column 20"},
      {R"({"SearchVector":[{"N":0.1}]})",
       "invalid type: floating point `0.1`, expected a string at line 1 column 25"},
      {R"({"SearchVector":[{"L":{}}]})",
       "invalid type: map, expected a sequence at line 1 column 22"},
      {R"({"SearchVector":[{"M":[]}]})",
       "invalid type: sequence, expected a map at line 1 column 22"},
      {R"({"SearchVector":[{"SS":[1]}]})",
       "invalid type: integer `1`, expected a string at line 1 column 25"},
      {R"({"SearchVector":[{"BOOL":"true"}]})",
       R"(invalid type: string "true", expected a boolean at line 1 column 31)"},
      {R"({"ExpressionAttributeNames":[]})",
       "invalid type: sequence, expected a map at line 1 column 28"},
      {R"({"ExpressionAttributeNames":{"#a":null}})",
       "invalid type: null, expected a string at line 1 column 38"},
      {R"(["t"])", "invalid type: sequence, expected struct SearchVectorsInput at line 1 column 0"},
      {R"({"TopK":1,"TopK" : 2})", "duplicate field `TopK` at line 1 column 17"},
  };
  for (const StrictCase& c : cases) EXPECT_EQ(Checked(c.text), kSerialization + c.answer) << c.text;
}

TEST(StrictText, NamesTheFirstErrorOfTextThatIsNotJson) {
  const std::string deep(200, '[');
  const StrictCase cases[] = {
      {"", "EOF while parsing a value at line 1 column 0"},
      {"x", "expected value at line 1 column 1"},
      {"{", "EOF while parsing an object at line 1 column 1"},
      {"{\n 1", "key must be a string at line 2 column 2"},
      {R"({"a")", "EOF while parsing an object at line 1 column 4"},
      {R"({"a" 1})", "expected `:` at line 1 column 6"},
      {R"({"a":1)", "EOF while parsing an object at line 1 column 6"},
      {R"({"a":1 "b":2})", "expected `,` or `}` at line 1 column 8"},
      {R"({"a":1,})", "trailing comma at line 1 column 8"},
      {R"({"a":1,)", "EOF while parsing a value at line 1 column 7"},
      {R"({"a":nul})", "expected ident at line 1 column 9"},
      {R"({"a":01})", "invalid number at line 1 column 7"},
      {R"({"a":-})", "invalid number at line 1 column 7"},
      {R"({"a":1.})", "invalid number at line 1 column 8"},
      {R"({"a":1e)", "EOF while parsing a value at line 1 column 7"},
      {R"({"TopK":1e999})", "number out of range at line 1 column 13"},
      {R"({"a":[1 2]})", "expected `,` or `]` at line 1 column 9"},
      {R"({"a":[1,]})", "expected value at line 1 column 9"},
      {R"({"a":{"b" 1}})", "expected `:` at line 1 column 11"},
      {R"({"a":{"b":1 2}})", "expected `,` or `}` at line 1 column 13"},
      {R"({"a":{1}})", "key must be a string at line 1 column 7"},
      {R"({"a":)" + deep, "EOF while parsing a value at line 1 column 205"},
      {R"({"SearchVector":[{"N":"1"} {)", "expected `,` or `]` at line 1 column 28"},
      {R"({"SearchVector":[{"N":"1"},])", "trailing comma at line 1 column 28"},
      {R"({"SearchVector":[)", "EOF while parsing a list at line 1 column 17"},
      {R"({"TableName":"a)", "EOF while parsing a string at line 1 column 15"},
      {R"({"TableName":"a\)", "EOF while parsing a string at line 1 column 16"},
      {R"({"TableName":"\x")", "invalid escape at line 1 column 16"},
      {R"({"TableName":"\u12")", "EOF while parsing a string at line 1 column 19"},
      {R"({"TableName":"\u12g4")", "invalid escape at line 1 column 20"},
      {R"({"TableName":"\udc00")", "lone leading surrogate in hex escape at line 1 column 20"},
      {R"({"TableName":"\ud800x")", "unexpected end of hex escape at line 1 column 21"},
      {R"({"TableName":"\ud800\u0041")",
       "lone leading surrogate in hex escape at line 1 column 26"},
      {"{\"TableName\":\"a\tb\"}",
       "control character (\\u0000-\\u001F) found while parsing a string at line 1 column 16"},
      {R"({"TableName":"t")" + kRest + "}", "trailing characters at line 1 column 72"},
  };
  for (const StrictCase& c : cases) EXPECT_EQ(Checked(c.text), kSerialization + c.answer) << c.text;
}

TEST(StrictText, LimitsTheNestingOfValues) {
  std::string text = R"({"SearchVector":[)";
  for (int i = 0; i < 200; ++i) text += R"({"L":[)";
  EXPECT_EQ(Checked(text), kSerialization + "recursion limit exceeded at line 1 column 395");
}

}  // namespace
}  // namespace hashrange
