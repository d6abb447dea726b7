// A builder whose allocations fail, one after the other: nothing was changed then, and the same
// slot can be appended again.
#include <gtest/gtest.h>

#include <new>

#include "engine/map/map_builder.h"
#include "engine/map/map_universe.h"
#include "support/allocation_failures.h"

namespace hashrange::test {
namespace {

// Appends the slot while the allocation of that number fails. Returns whether the builder has it.
bool Append(MapBuilder& builder, const Slot& slot, int number) {
  AllocationFailures failures(number, Failing::kOne);
  try {
    builder.Append(slot);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

TEST(MapBuilderFailures, ChangeNothing) {
  // One partition key: the separators between the leaves have bytes of their own.
  Universe all(KeysOf("pk", "sk"));
  for (int i = 0; i < 40 * kLeafSlots; ++i) {
    const std::string text = Numbered("sort key with a long beginning ", i);
    all.Add({{"pk", S("one")}, {"sk", S(text)}});
  }
  const std::int64_t before = BlocksInUse();
  int failed = 0;
  {
    MapBuilder builder(all.order());
    Items expected;
    for (int i = 0; i < all.size(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      const Position& position = all.positions[at];
      const Item* const item = all.items[at].get();
      item->AddRef();
      expected.push_back(item);
      const Slot slot(position.hash, item, DigestOf(position.bytes));
      for (int number = 0; !Append(builder, slot, number); ++number) ++failed;
    }
    OrderedMap map(all.order());
    map.StartFrom(builder.Finish());
    EXPECT_EQ(map.CheckInvariants(), "");
    EXPECT_EQ(Walk(map.Pin(), all.order(), Interval(), true), expected);
  }
  EXPECT_EQ(BlocksInUse(), before);
  EXPECT_GT(failed, 2 * 39);  // at least the leaf and the separator each time
}

}  // namespace
}  // namespace hashrange::test
