// Tests of keys as people read them.

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "base/arena.h"
#include "value/key.h"

namespace hashrange {
namespace {

const KeySchema kKey = {.hash = {{"PK", AttributeType::kS}}, .range = {{"SK", AttributeType::kS}}};

std::string Encoded(const std::string& pk, const std::string& sk) {
  Arena arena;
  const std::array<ValueView, 2> parts = {ValueView{AttributeType::kS, pk},
                                          ValueView{AttributeType::kS, sk}};
  return std::string(EncodeParts(parts, arena));
}

TEST(KeyText, NamesThePartsThatAreThere) {
  const std::string whole = Encoded("ORDERS", "ORDER#5");
  EXPECT_EQ(KeyText(kKey, whole, whole.npos), "PK=ORDERS, SK=ORDER#5");
  EXPECT_EQ(KeyText(kKey, whole.substr(0, 8), whole.npos), "PK=ORDERS");
  EXPECT_EQ(KeyText(kKey, "", whole.npos), "");
}

TEST(KeyText, CutOffTextEndsWithAnEllipsis) {
  const std::string whole = Encoded("ORDERS", "ORDER#5");
  EXPECT_EQ(KeyText(kKey, whole.substr(0, 12), 12), "PK=ORDERS, SK=ORDE…");
}

// The bytes may end inside a character.
TEST(KeyText, CutOffTextHasWholeCharacters) {
  const std::string whole = Encoded("K", "aé€😀");
  const std::string shown[] = {"…",    "a…",   "a…",   "aé…",  "aé…",   "aé…",
                               "aé€…", "aé€…", "aé€…", "aé€…", "aé€😀…"};
  const std::size_t begin = 3;  // "K" and its end
  for (std::size_t bytes = 1; bytes < 11; ++bytes) {
    EXPECT_EQ(KeyText(kKey, whole.substr(0, begin + bytes), begin + bytes),
              "PK=K, SK=" + shown[bytes])
        << bytes;
  }
}

}  // namespace
}  // namespace hashrange
