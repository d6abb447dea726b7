#include "measure/key_token.h"

#include <gtest/gtest.h>

#include <string>

namespace hashrange {
namespace {

// Returns "USER#:text 7:digits" for "USER#7".
std::string TokensOf(std::string_view text, std::string_view separators = "#:/|") {
  std::string tokens;
  while (!text.empty()) {
    const KeyToken token = FirstToken(text, KeySeparators(separators));
    tokens.append(tokens.empty() ? "" : " ").append(token.text).append(":");
    tokens += KeyTokenKindName(token.kind);
    text.remove_prefix(token.text.size());
  }
  return tokens;
}

TEST(KeyToken, AreCutBehindSeparators) {
  struct Case {
    std::string text, tokens;
  };
  const Case cases[] = {
      {"PROFILE", "PROFILE:text"},
      {"USER#alice", "USER#:text alice:text"},
      {"USER#7", "USER#:text 7:digits"},
      {"USER#", "USER#:text"},
      {"#", "#:text"},
      {"account:1#user:2", "account::text 1#:digits user::text 2:digits"},
      {"a/b|c", "a/:text b|:text c:text"},
      {"ORDER#2026-01-31#00000007", "ORDER#:text 2026-01-31#:date 00000007:digits"},
      {"2026-01-31T12:30:05.123Z#x", "2026-01-31T12:30:05.123Z#:date x:text"},
      {"2026-01-31T12:30:05+02:00", "2026-01-31T12:30:05+02:00:date"},
      {"2026-01-31 12:30", "2026-01-31 12:30:date"},
      {"2026-01", "2026-01:date"},
      {"2026-0", "2026-0:date"},
      {"2026", "2026:digits"},
      {"2026-01-31x", "2026-01-31x:text"},
      {"2026-01-31T9:x", "2026-01-31T9::text x:text"},
      {"1234-abcd", "1234-abcd:text"},
      {"01ARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3NDEKTSV4RRFFQ69G5FAV:ulid"},
      {"01ARZ3NDEKTSV4RRFFQ69G5FAU", "01ARZ3NDEKTSV4RRFFQ69G5FAU:text"},
      {"81ARZ3NDEKTSV4RRFFQ69G5FAV", "81ARZ3NDEKTSV4RRFFQ69G5FAV:text"},
      {"u#3f333df6-90a4-4fda-8dd3-9485d27cee36",
       "u#:text 3f333df6-90a4-4fda-8dd3-9485d27cee36:uuid"},
      {"3f333df6-90a4-4fda-8dd3-9485d27cee3g", "3f333df6-90a4-4fda-8dd3-9485d27cee3g:text"},
  };
  for (const Case& each : cases) EXPECT_EQ(TokensOf(each.text), each.tokens);
}

TEST(KeyToken, OtherSeparatorsCutElsewhere) {
  EXPECT_EQ(TokensOf("a#b.c", "."), "a#b.:text c:text");
  EXPECT_EQ(TokensOf("a#b.c", ""), "a#b.c:text");
}

}  // namespace
}  // namespace hashrange
