#include "base/random.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <thread>

namespace hashrange {
namespace {

TEST(Random, TheSameSeedGivesTheSameNumbers) {
  Random a(7);
  Random b(7);
  Random other(8);
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t value = a.Next();
    EXPECT_EQ(value, b.Next());
    EXPECT_NE(value, other.Next());
  }
}

TEST(Random, ThreadsDiffer) {
  const std::uint64_t here = Random::ThisThread().Next();
  std::uint64_t there = 0;
  std::thread([&] { there = Random::ThisThread().Next(); }).join();
  EXPECT_NE(here, there);
}

TEST(Random, UuidsAreOfVersionFour) {
  Random random(1);
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::string uuid = MakeUuid(random);
    ASSERT_EQ(uuid.size(), 36u);
    for (std::size_t at = 0; at < uuid.size(); ++at) {
      const std::string_view allowed = at == 8 || at == 13 || at == 18 || at == 23 ? "-"
                                       : at == 14                                  ? "4"
                                       : at == 19                                  ? "89ab"
                                                  : "0123456789abcdef";
      ASSERT_NE(allowed.find(uuid[at]), std::string_view::npos) << uuid;
    }
    EXPECT_TRUE(seen.insert(uuid).second);
  }
}

TEST(Random, RequestIdsConsistOfCapitalsAndDigits) {
  Random random(1);
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    std::string id(kRequestIdLength + 1, '!');
    WriteRequestId(random, id.data());
    EXPECT_EQ(id.back(), '!');
    id.pop_back();
    EXPECT_EQ(id.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"), std::string::npos);
    EXPECT_TRUE(seen.insert(id).second);
  }
}

}  // namespace
}  // namespace hashrange
