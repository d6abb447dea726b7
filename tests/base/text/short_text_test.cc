#include "base/text/short_text.h"

#include <gtest/gtest.h>

#include <string>

namespace hashrange {
namespace {

TEST(SameText, ComparesEveryByteOfEveryLength) {
  EXPECT_TRUE(SameText({}, ""));
  for (std::size_t size = 0; size <= 40; ++size) {
    const std::string text(size, 'x');
    EXPECT_TRUE(SameText(text, std::string(text))) << size;
    EXPECT_FALSE(SameText(text, text + "x")) << size;
    EXPECT_FALSE(SameText(text + "x", text)) << size;
    for (std::size_t at = 0; at < size; ++at) {
      std::string other = text;
      other[at] = '\xff';
      EXPECT_FALSE(SameText(text, other)) << size << " " << at;
    }
  }
}

}  // namespace
}  // namespace hashrange
