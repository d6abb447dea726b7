// Tables of expressions that are refused when they are bound, with the service's messages.
#pragma once

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expression/expression_fixture.h"

namespace hashrange::testing {

struct ErrorCase {
  std::string_view text;
  std::string_view message;    // without "Invalid <Kind>: "; "ok": the expression has no error
  std::string_view rest = "";  // the end of the message
};

inline constexpr std::string_view kReserved =
    "Attribute name is a reserved keyword; reserved keyword: ";
inline constexpr std::string_view kNoName =
    "An expression attribute name used in the document path is not defined; attribute name: ";
inline constexpr std::string_view kNoValue =
    "An expression attribute value used in expression is not defined; attribute value: ";
inline constexpr std::string_view kCount =
    "Incorrect number of operands for operator or function; operator or function: ";
inline constexpr std::string_view kType =
    "Incorrect operand type for operator or function; operator or function: ";

// Checks every case, in a request with those names and a value of each type.
inline void CheckErrors(ExpressionKind kind, std::span<const ErrorCase> cases,
                        const std::vector<std::pair<std::string_view, std::string_view>>& names) {
  const std::string prefix = "Invalid " + std::string(ExpressionKindName(kind)) + ": ";
  for (const ErrorCase& test : cases) {
    Request request(names, {{":s", S("s")},
                            {":t", S("t")},
                            {":n", N("1")},
                            {":m", N("2.50")},
                            {":b", B("\xFF")},
                            {":z", B("\x01")},
                            {":bool", Bool(true)},
                            {":null", Null()},
                            {":ss", SS({"x"})},
                            {":ns", NS({"1"})},
                            {":bs", BS({"x"})},
                            {":l", L({})},
                            {":map", M({})}});
    const std::string expected = std::string(test.message) + std::string(test.rest);
    EXPECT_EQ(BindMessage(kind, test.text, request),
              expected == "ok" ? expected : prefix + expected)
        << test.text;
  }
}

}  // namespace hashrange::testing
