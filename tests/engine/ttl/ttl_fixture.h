// Tables whose items expire, for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine_fixture.h"
#include "engine/ttl/expiry_set.h"

namespace hashrange::test {

inline constexpr std::int64_t kStartS = 1'700'000'000;

// Returns a table without a stream.
inline std::unique_ptr<TableVersion> NewQuietTable(std::string name,
                                                   std::vector<IndexVersion> indexes = {}) {
  auto version = NewTable(std::move(name), KeysOf("pk"), std::move(indexes));
  version->settings.stream.reset();
  return version;
}

inline TableRef FindTable(Engine& engine, std::string_view name) {
  return engine.catalog().Find(kAccount, name);
}

// Publishes a version whose items expire by `attribute`, or never if `attribute` is empty.
inline TableRef Publish(Engine& engine, std::string_view name, const std::string& attribute) {
  const auto set_attribute = [&](TableVersion* next) {
    next->settings.ttl_attribute.reset();
    next->settings.expiries.reset();
    if (attribute.empty()) return;
    next->settings.ttl_attribute = attribute;
    next->settings.expiries = std::make_shared<ExpirySet>(attribute);
  };
  TableRef published;
  while (!published) {
    published = PublishChange(engine.catalog(), FindTable(engine, name), set_attribute);
  }
  return published;
}

// Writes items to the tables above. Each thread has its own Writer.
class Writer {
 public:
  explicit Writer(Engine& engine) : engine_(engine) {}

  // Puts the item `key`, whose `attribute` is the time `epoch_s`.
  ItemRef Put(std::string_view table, const std::string& key, const std::string& attribute,
              std::int64_t epoch_s) {
    return Put(table, key, {{maker_.arena().Copy(attribute), maker_.N(epoch_s)}});
  }
  ItemRef Put(std::string_view table, const std::string& key,
              std::vector<Attribute> attributes = {}) {
    attributes.push_back({"pk", maker_.Text(key)});
    const ItemRef item = maker_.Make(std::move(attributes));
    while (hashrange::test::Put(engine_, *FindTable(engine_, table), item).result !=
           CommitResult::kCommitted) {
    }
    maker_.Reset();
    return item;
  }
  void Erase(std::string_view table, const std::string& key) {
    while (hashrange::test::Erase(engine_, *FindTable(engine_, table), At(key)).result !=
           CommitResult::kCommitted) {
    }
    maker_.Reset();
  }
  bool Has(std::string_view table, const std::string& key) {
    return ReadOne(engine_, *FindTable(engine_, table), At(key)) != nullptr;
  }
  ItemMaker& maker() { return maker_; }

 private:
  Position At(const std::string& key) { return maker_.At({maker_.Text(key)}); }

  Engine& engine_;
  ItemMaker maker_{KeysOf("pk")};
};

// Records the keys of the items that time to live deletes, in order.
class DeletionLog : public ChangeObserver {
 public:
  explicit DeletionLog(Engine& engine) { engine.AddObserver(*this); }
  void OnCommit(std::span<const Change> changes, const TokenRef& /*token*/) noexcept override {
    for (const Change& change : changes) {
      if (change.origin != WriteOrigin::kTimeToLive) continue;
      EXPECT_EQ(change.after, nullptr);
      EXPECT_EQ(changes.size(), 1u);
      const ItemView before(change.table->key, change.before.get());
      keys.emplace_back(before.Find("pk")->bytes());
    }
  }
  std::vector<std::string> keys;
};

}  // namespace hashrange::test
