#include "measure/meter/stripe.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

namespace hashrange {
namespace {

// The numbers of tables and the nodes of keys are small, and begin with 0 and 1.
TEST(HashOfEntity, TellsTablesWhoseKeysHaveOnePartFromThoseWithTwo) {
  constexpr std::uint32_t kFew = 12;
  std::set<std::uint64_t> hashes;
  std::size_t entities = 0;
  const auto add = [&](std::uint32_t resource, const std::vector<KeyTree::NodeId>& nodes) {
    hashes.insert(HashOfEntity(resource, nodes, ""));
    hashes.insert(HashOfEntity(resource, nodes, "Order"));
    entities += 2;
  };
  for (std::uint32_t resource = 0; resource < kFew; ++resource) {
    for (std::uint32_t first = 0; first < kFew; ++first) {
      add(resource, {first});
      for (std::uint32_t second = 0; second < kFew; ++second) add(resource, {first, second});
    }
  }
  EXPECT_EQ(hashes.size(), entities);
}

}  // namespace
}  // namespace hashrange
