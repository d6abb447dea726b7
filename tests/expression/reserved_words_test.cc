#include <gtest/gtest.h>

#include <string_view>

#include "expression/expression.h"

namespace hashrange {
namespace {

TEST(ReservedWords, AreFoundInAnyCase) {
  for (const std::string_view word :
       {"ABORT", "abort", "Abort", "ZONE", "zone", "LOCALTIMESTAMP", "localTimestamp", "AND", "or",
        "name", "status", "ttl", "URL", "By", "size", "user", "flattern", "innter", "loged"}) {
    EXPECT_TRUE(IsReservedWord(word)) << word;
  }
}

TEST(ReservedWords, OtherWordsAreNotReserved) {
  for (const std::string_view word :
       {"", "a", "pk", "sk", "names_", "nam", "LOCALTIMESTAMPS", "aborted", "zoned", "id", "email",
        "na\xC3\xAF", "#name", "contains", "begins_with"}) {
    EXPECT_FALSE(IsReservedWord(word)) << word;
  }
}

}  // namespace
}  // namespace hashrange
