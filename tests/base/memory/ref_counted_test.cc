#include "base/memory/ref_counted.h"

#include <gtest/gtest.h>

#include <utility>

namespace hashrange {
namespace {

struct Counted {
  mutable int references = 1;
  void AddRef() const { ++references; }
  void Release() const { --references; }
};

TEST(Ref, CountsItsCopies) {
  Counted counted;
  {
    const Ref<const Counted> first = Ref<const Counted>::Adopt(&counted);
    EXPECT_EQ(counted.references, 1);
    Ref<const Counted> second = first;
    EXPECT_EQ(counted.references, 2);
    EXPECT_EQ(first, second);
    second = nullptr;
    EXPECT_EQ(counted.references, 1);
    EXPECT_FALSE(second);
    second = Ref<const Counted>::Share(&counted);
    EXPECT_EQ(counted.references, 2);
    EXPECT_EQ(second.get(), &counted);
  }
  EXPECT_EQ(counted.references, 0);
}

TEST(Ref, MovesWithoutCounting) {
  Counted counted;
  Ref<const Counted> first = Ref<const Counted>::Adopt(&counted);
  Ref<const Counted> second = std::move(first);
  EXPECT_EQ(counted.references, 1);
  EXPECT_EQ(second.get(), &counted);
  first = std::move(second);
  EXPECT_EQ(counted.references, 1);
  EXPECT_EQ(first.get(), &counted);
}

TEST(Ref, SurvivesAssignmentToItself) {
  Counted counted;
  Ref<const Counted> ref = Ref<const Counted>::Adopt(&counted);
  const Ref<const Counted>& same = ref;
  ref = same;
  EXPECT_EQ(counted.references, 1);
  EXPECT_EQ(ref.get(), &counted);
}

TEST(Ref, DetachLeavesTheReferenceToTheCaller) {
  Counted counted;
  {
    Ref<const Counted> ref = Ref<const Counted>::Adopt(&counted);
    EXPECT_EQ(ref.Detach(), &counted);
    EXPECT_FALSE(ref);
  }
  EXPECT_EQ(counted.references, 1);
  EXPECT_FALSE(Ref<const Counted>::Share(nullptr));
}

}  // namespace
}  // namespace hashrange
