// Tests of CollectionDirectory at its limits, and of the directories that are kept. What the calls
// show of it is in content_calls_test.cc.
#include "control/content/collection_directory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "engine/engine.h"
#include "support/eventually.h"
#include "support/items.h"

namespace hashrange {
namespace {

using test::S;

constexpr AccountName kDirectoryAccount{"000000000000", "us-east-1"};

class CollectionDirectoryTest : public testing::Test {
 protected:
  CollectionDirectoryTest() : engine_(clock_), maker_(test::KeysOf("pk", "sk")) {
    auto version = std::make_unique<TableVersion>();
    version->account_id = kDirectoryAccount.account_id;
    version->region = kDirectoryAccount.region;
    version->name = "t";
    version->key = maker_.schema();
    table_ = engine_.catalog().Create(std::move(version));
  }

  void Put(std::string_view pk, std::string_view sk, std::string_view attribute = "a") {
    const auto put = [&](ItemView) {
      return Decision::Put(maker_.Make({{"pk", S(pk)}, {"sk", S(sk)}, {attribute, S("x")}}));
    };
    const ItemWrite write{{table_.get(), maker_.At({S(pk), S(sk)})}, put};
    WriteOutcome outcome;
    Arena arena;
    ASSERT_EQ(engine_.Commit({&write, 1}, {&outcome, 1}, arena), CommitResult::kCommitted);
  }
  std::vector<std::string> Templates(const CollectionDirectory& directory) {
    std::vector<std::string> texts;
    for (const auto& entity : directory.entities()) {
      texts.push_back(entity.templates[0] + " " + entity.templates[1] + " " +
                      std::to_string(entity.items));
    }
    return texts;
  }

  ManualClock clock_{1'700'000'000'000};
  Engine engine_;
  test::ItemMaker maker_;
  TableRef table_;
};

TEST_F(CollectionDirectoryTest, WithoutRoomItHasSomeOfTheCollections) {
  for (int i = 0; i < 100; ++i) {
    Put("USER#" + std::to_string(i), "A");
    Put("USER#" + std::to_string(i), "B");
  }
  const CollectionDirectory whole(engine_, *table_, nullptr);
  EXPECT_FALSE(whole.is_cut());
  EXPECT_EQ(whole.collections(), 100u);
  EXPECT_EQ(whole.items(), 200u);
  const CollectionDirectory cut(engine_, *table_, nullptr, 2000);
  EXPECT_TRUE(cut.is_cut());
  EXPECT_GT(cut.collections(), 5u);
  EXPECT_LT(cut.collections(), 100u);
  EXPECT_EQ(cut.items(), 2 * cut.collections());
  EXPECT_EQ(cut.entities()[0].items, cut.collections());
  EXPECT_EQ(cut.Find({.limit = 200}).entries.size(), cut.collections());
  const CollectionDirectory empty(engine_, *table_, nullptr, 0);
  EXPECT_TRUE(empty.is_cut());
  EXPECT_EQ(empty.collections(), 0u);
}

TEST_F(CollectionDirectoryTest, AtMostAHundredEntitiesAreListed) {
  for (int i = 0; i < 1100; ++i) {
    const std::string kind =
        std::string(1, static_cast<char>('A' + i % 26)) + static_cast<char>('a' + i / 26 % 26);
    Put("x", kind.substr(0, 1) + "#" + kind.substr(1) + "#1#2");
    Put("x", kind.substr(0, 1) + "#" + kind.substr(1) + "#1");
  }
  const CollectionDirectory directory(engine_, *table_, nullptr);
  EXPECT_LE(directory.entities().size(), CollectionDirectory::kMaxEntities);
  const auto page = directory.Find({.limit = 1});
  std::uint64_t listed = 0;
  for (const auto& entity : directory.entities()) listed += entity.items;
  std::uint64_t counted = 0;
  for (const auto& count : page.entries[0].entities) counted += count.items;
  EXPECT_EQ(listed, counted);
  EXPECT_EQ(page.entries[0].items, directory.items());
}

TEST_F(CollectionDirectoryTest, AttributesAreLimitedAndThoseOfMostItemsComeFirst) {
  for (int i = 0; i < 300; ++i) {
    Put("USER#" + std::to_string(i), "A", i % 3 == 0 ? "often" : "z" + std::to_string(i));
  }
  const CollectionDirectory directory(engine_, *table_, nullptr);
  const auto& names = directory.entities().at(0).attributes;
  EXPECT_EQ(names.size(), CollectionDirectory::kMaxAttributes);
  EXPECT_EQ((std::vector<std::string>{names[0], names[1], names[2]}),
            (std::vector<std::string>{"pk", "sk", "often"}));
}

TEST_F(CollectionDirectoryTest, FewKeysThatDifferInOnePlaceAreOneEntity) {
  for (const char* user : {"ada", "bob"}) {
    const std::string key = std::string("USER#") + user;
    Put(key, "PROFILE");
    Put(key, std::string("FRIEND#") + (user[0] == 'a' ? "bob" : "ada"));
    for (const char* order : {"1", "2"}) {
      Put(key, std::string("ORDER#") + order + "#META");
      Put(key, std::string("ORDER#") + order + "#NOTE");
    }
  }
  Put("CONFIG", "GLOBAL");
  const CollectionDirectory directory(engine_, *table_, nullptr);
  EXPECT_EQ(
      Templates(directory),
      (std::vector<std::string>{"USER#{…} ORDER#{digits}#META 4", "USER#{…} ORDER#{digits}#NOTE 4",
                                "USER#{…} FRIEND#{…} 2", "USER#{…} PROFILE 2", "CONFIG GLOBAL 1"}));
}

TEST_F(CollectionDirectoryTest, ItemsOfOneTypeAreOneEntity) {
  const auto put = [this](std::string_view sk, std::string_view type) {
    const ItemRef item = maker_.Make({{"pk", S("ORG")}, {"sk", S(sk)}, {"entityType", S(type)}});
    const auto decide = [&](ItemView) { return Decision::Put(item); };
    const ItemWrite write{{table_.get(), maker_.At({S("ORG"), S(sk)})}, decide};
    WriteOutcome outcome;
    Arena arena;
    engine_.Commit({&write, 1}, {&outcome, 1}, arena);
  };
  for (const char* name : {"ada", "bob", "eve"}) put(name, "Member");
  put("MAIN#1", "Office");
  const CollectionDirectory directory(engine_, *table_, nullptr);
  EXPECT_EQ(Templates(directory), (std::vector<std::string>{"ORG {…} 3", "ORG MAIN#{digits} 1"}));
}

TEST_F(CollectionDirectoryTest, TheSampleMeetsEveryKindOfCollectionsThatAreMadeAlike) {
  for (int i = 0; i < 30'000; ++i) {
    const std::string key = "USER#" + std::to_string(i);
    for (const char* sk : {"A", "B", "C", "D"}) Put(key, sk);
    maker_.Reset();
  }
  const CollectionDirectory directory(engine_, *table_, nullptr);
  EXPECT_EQ(Templates(directory),
            (std::vector<std::string>{"USER#{digits} A 30000", "USER#{digits} B 30000",
                                      "USER#{digits} C 30000", "USER#{digits} D 30000"}));
}

class KeptDirectories : public CollectionDirectoryTest {
 protected:
  using Time = CollectionDirectories::Time;
  static Time At(int seconds) { return Time{} + std::chrono::seconds(seconds); }

  std::string Keep(Time now, const std::string& index = "") {
    CollectionDirectories::Kept made;
    made.table_id = "table";
    made.index = index;
    made.directory = std::make_shared<const CollectionDirectory>(engine_, *table_, nullptr);
    return directories_.Keep(std::move(made), now)->id;
  }
  bool Has(const std::string& id, Time now) {
    return directories_.Use(id, "table", "", now) != nullptr;
  }

  CollectionDirectories directories_;
};

TEST_F(KeptDirectories, AreDroppedAMinuteAfterTheirLastUse) {
  const std::string first = Keep(At(0)), second = Keep(At(0));
  EXPECT_TRUE(Has(first, At(59)));
  EXPECT_FALSE(Has(second, At(60)));
  EXPECT_TRUE(Has(first, At(118)));
  EXPECT_FALSE(Has(first, At(178)));
}

TEST_F(KeptDirectories, AreDroppedByThemselves) {
  const auto make = [this] {
    return std::make_shared<const CollectionDirectory>(engine_, *table_, nullptr);
  };
  CollectionDirectories directories(std::chrono::milliseconds(20));
  // The second one comes after the work that drops the first one has ended.
  for (int i = 0; i < 2; ++i) {
    std::weak_ptr<const CollectionDirectory> kept;
    {
      auto directory = make();
      kept = directory;
      CollectionDirectories::Kept made;
      made.table_id = "table";
      made.directory = std::move(directory);
      directories.Keep(std::move(made), std::chrono::steady_clock::now());
    }
    EXPECT_TRUE(test::Eventually([&] { return kept.expired(); }));
  }
}

TEST_F(KeptDirectories, AreAtMostEight) {
  std::vector<std::string> ids;
  for (int i = 0; i < 8; ++i) ids.push_back(Keep(At(0)));
  EXPECT_TRUE(Has(ids[0], At(1)));
  ids.push_back(Keep(At(2)));
  EXPECT_EQ(ids.back(), "d9");
  EXPECT_TRUE(Has(ids[0], At(3)));
  EXPECT_FALSE(Has(ids[1], At(3)));
  EXPECT_TRUE(Has(ids[2], At(3)));
  directories_.Clear();
  EXPECT_FALSE(Has(ids[0], At(3)));
}

TEST_F(KeptDirectories, AreOfOneTableAndIndex) {
  const std::string id = Keep(At(0), "byG");
  EXPECT_FALSE(Has(id, At(0)));
  EXPECT_EQ(directories_.Use(id, "other", "byG", At(0)), nullptr);
  EXPECT_NE(directories_.Use(id, "table", "byG", At(0)), nullptr);
}

}  // namespace
}  // namespace hashrange
