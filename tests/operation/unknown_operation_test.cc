// Calls of operations that Hashrange does not implement: the log names them.
#include "operation/unknown_operation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "operation/call/operations.h"
#include "support/api.h"
#include "support/log_lines.h"
#include "wire/shape.h"

namespace hashrange {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Returns an operation of the service that Hashrange does not implement. Each call returns another
// one, for the same line is logged only once a minute.
std::string NextUnimplementedOperation() {
  static std::size_t next = 0;
  std::vector<std::string> names;
  for (const OperationShape& shape : OperationShapes()) {
    if (!FindOperation(shape.name)) names.emplace_back(shape.name);
  }
  return names[next++ % names.size()];
}

TEST(UnknownOperation, OperationOfTheServiceIsLoggedOnceAMinute) {
  Api api;
  const test::LogLines logged(LogLevel::kWarning);
  const std::string first = NextUnimplementedOperation(), second = NextUnimplementedOperation();
  for (int i = 0; i < 20; ++i) {
    for (const std::string& name : {first, second}) {
      api.Fails(name, "{}", "UnknownOperationException",
                "Hashrange does not implement " + name + ".");
    }
  }
  EXPECT_THAT(logged.lines(),
              ElementsAre("a call of " + first + ", which Hashrange does not implement",
                          "a call of " + second + ", which Hashrange does not implement"));
}

TEST(UnknownOperation, AnyOtherNameIsLoggedAsSentAndAnsweredWithoutMessage) {
  static int repetition = 0;
  const std::string name = "Frobnicate" + std::to_string(repetition++);
  Api api;
  const test::LogLines logged(LogLevel::kWarning);
  api.Fails(name, "{}", "UnknownOperationException", "");
  EXPECT_THAT(logged.lines(), ElementsAre("a call of DynamoDB_20120810." + name +
                                          ", which is no operation of DynamoDB"));
}

TEST(UnknownOperation, EmptyNameIsNotLogged) {
  const test::LogLines logged(LogLevel::kWarning);
  Arena arena;
  EXPECT_EQ(RefuseUnknown(UnknownOperationOf("", nullptr, arena)).message, "");
  EXPECT_THAT(logged.lines(), IsEmpty());
}

TEST(UnknownOperation, NameIsPrintableAndShort) {
  Arena arena;
  EXPECT_EQ(UnknownOperationOf("a\nb\x1b\xff\"c", nullptr, arena).name, "a?b??\"c");
  const std::string text(10'000, 'x');
  EXPECT_EQ(UnknownOperationOf(text, nullptr, arena).name,
            text.substr(0, UnknownOperation::kMaxNameBytes));
  EXPECT_EQ(UnknownOperationOf("?", FindOperationShape("CreateBackup"), arena).name,
            "CreateBackup");
}

}  // namespace
}  // namespace hashrange
