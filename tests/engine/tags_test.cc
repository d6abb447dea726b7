#include "engine/tags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "engine/engine_fixture.h"

namespace hashrange {

// The matchers find this operator by argument-dependent look-up.
static bool operator==(const Tag& a, const Tag& b) { return a.key == b.key && a.value == b.value; }

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<Tag> NumberedTags(int count) {
  std::vector<Tag> tags;
  for (int i = 0; i < count; ++i) tags.push_back({std::to_string(i), "v"});
  return tags;
}

TEST(TagSet, ReplacesTheValueOfAKeyInItsPlace) {
  TagSet tags({{"a", "1"}, {"b", "2"}});
  EXPECT_TRUE(tags.Add(std::vector<Tag>{{"c", "3"}, {"a", "4"}, {"A", ""}}));
  EXPECT_THAT(tags.All(), ElementsAre(Tag{"a", "4"}, Tag{"b", "2"}, Tag{"c", "3"}, Tag{"A", ""}));
}

TEST(TagSet, RemovesWhatIsThere) {
  TagSet tags({{"a", "1"}, {"b", "2"}, {"c", "3"}});
  tags.Remove(std::vector<std::string>{"c", "none", "a"});
  EXPECT_THAT(tags.All(), ElementsAre(Tag{"b", "2"}));
  tags.Remove(std::vector<std::string>{"b"});
  EXPECT_THAT(tags.All(), IsEmpty());
}

TEST(TagSet, HoldsFiftyAndRefusesTheRestAsAWhole) {
  TagSet tags(NumberedTags(49));
  EXPECT_FALSE(tags.Add(std::vector<Tag>{{"0", "new"}, {"x", ""}, {"y", ""}}));
  EXPECT_EQ(tags.All(), NumberedTags(49));
  EXPECT_TRUE(tags.Add(std::vector<Tag>{{"0", "new"}, {"x", ""}}));
  EXPECT_EQ(tags.All().size(), TagSet::kMaxTags);
  EXPECT_TRUE(tags.Add(NumberedTags(49)));
  EXPECT_FALSE(tags.Add(std::vector<Tag>{{"y", ""}}));
}

TEST(TagSet, IsSharedByTheVersionsOfATable) {
  const ManualClock clock(0);
  Engine engine(clock);
  const TableRef first = engine.catalog().Create(test::NewTable("app", test::KeysOf("pk")));
  const TableRef second = engine.catalog().Publish(first, std::make_unique<TableVersion>(*first));
  EXPECT_TRUE(first->tags->Add(NumberedTags(1)));
  EXPECT_EQ(second->tags->All(), NumberedTags(1));
}

TEST(TagSet, TheListenerIsToldOfEachChange) {
  TagSet tags;
  std::vector<std::vector<Tag>> told;
  tags.SetListener([&](std::span<const Tag> all) { told.emplace_back(all.begin(), all.end()); });
  EXPECT_TRUE(tags.Add(NumberedTags(2)));
  EXPECT_FALSE(tags.Add(NumberedTags(TagSet::kMaxTags + 1)));
  tags.Remove(std::vector<std::string>{NumberedTags(1)[0].key});
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[0], NumberedTags(2));
  EXPECT_EQ(told[1], tags.All());
}

TEST(TagSet, ThreadsSeeWholeChanges) {
  TagSet tags;
  std::vector<std::thread> writers;
  for (const char* const value : {"1", "2"}) {
    writers.emplace_back([&tags, value] {
      const std::vector<Tag> both{{"a", value}, {"b", value}};
      for (int i = 0; i < 2000; ++i) tags.Add(both);
    });
  }
  for (int i = 0; i < 2000; ++i) {
    const std::vector<Tag> all = tags.All();
    if (all.empty()) continue;
    EXPECT_EQ(all[0].value, all[1].value);
  }
  for (std::thread& writer : writers) writer.join();
}

}  // namespace
}  // namespace hashrange
