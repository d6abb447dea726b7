#include "cli/ctl_answer.h"

#include <gtest/gtest.h>

#include <string>

namespace hashrange {
namespace {

std::string PrintedText(const HttpReply& reply, CtlOutput output) {
  testing::internal::CaptureStdout();
  EXPECT_TRUE(PrintAnswer(reply, output));
  return testing::internal::GetCapturedStdout();
}

// The names are not escaped in the JSON, as a server may answer them.
TEST(CtlAnswer, NothingInItControlsTheTerminal) {
  const HttpReply reply{200, "application/json", "{\"name\":\"\u009B2J\u202E\"}"};
  EXPECT_EQ(PrintedText(reply, CtlOutput::kAsItCame), "{\"name\":\"\u009B2J\u202E\"}\n");
  EXPECT_EQ(PrintedText(reply, CtlOutput::kJson), "{\n  \"name\": \"\\u009B2J\\u202E\"\n}\n");
  EXPECT_EQ(PrintedText(reply, CtlOutput::kTable), "name  \\u{9B}2J\\u{202E}\n");
  EXPECT_EQ(PrintedText({200, "application/json", "no \x1B[2J JSON"}, CtlOutput::kTable),
            "no \\u{1B}[2J JSON\n");
}

// Reports and metrics have names from the traffic, and a dump has items.
TEST(CtlAnswer, WhatIsNoJsonDocumentIsEscapedLineByLine) {
  const HttpReply text{200, "text/plain; charset=utf-8", "one \x1B[2J\n\ntwo\r\u009B\n"};
  for (const CtlOutput output : {CtlOutput::kTable, CtlOutput::kJson}) {
    EXPECT_EQ(PrintedText(text, output), "one \\u{1B}[2J\n\ntwo\\u{D}\\u{9B}\n");
  }
  EXPECT_EQ(PrintedText(text, CtlOutput::kAsItCame), text.body);
  const HttpReply lines{200, "application/x-ndjson", "{\"a\":\"\u009B\"}\n{\"b\":\"\u202E\"}"};
  EXPECT_EQ(PrintedText(lines, CtlOutput::kTable), "{\"a\":\"\\u009B\"}\n{\"b\":\"\\u202E\"}\n");
  EXPECT_EQ(PrintedText(lines, CtlOutput::kAsItCame), lines.body + "\n");
}

TEST(CtlAnswer, AnErrorControlsNoTerminal) {
  testing::internal::CaptureStderr();
  PrintCtlError("there is no table \x1B[2J");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "hashrange: there is no table \\u{1B}[2J\n");
}

}  // namespace
}  // namespace hashrange
