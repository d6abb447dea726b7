// What is left of new tables that could not be prepared: nothing.
#include "control/table_exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <string>
#include <vector>

#include "control/table_copy.h"
#include "engine/catalog_observer.h"
#include "engine/stream/stream_observer.h"
#include "support/api.h"

namespace hashrange {
namespace {

using testing::ElementsAre;

constexpr AccountName kAccount{"000000000000", "us-east-1"};

// Cannot prepare the second table. Notes what it is told of prepared tables and of streams.
class Notes : public CatalogObserver, public StreamObserver {
 public:
  void OnPrepare(const TableVersion& table, const TablePin& /*from*/) override {
    all.push_back("prepare " + table.name);
    if (++prepared_ == 2) throw std::bad_alloc();
  }
  void OnAbandon(const TableVersion& table) noexcept override {
    all.push_back("abandon " + table.name);
  }
  void OnPublish(const TableVersion& /*version*/) noexcept override {}
  void OnExchange(std::span<const TableRef> /*out*/, std::span<const TableRef> /*in*/,
                  std::span<const PendingSeed> /*seeds*/) noexcept override {}
  void OnTags(std::uint64_t /*table_id*/, std::span<const Tag> /*tags*/) noexcept override {}
  void OnOpen(Stream& stream) noexcept override {
    all.push_back("open " + stream.definition().table_name);
  }
  void OnClose(Stream& /*stream*/) noexcept override {}
  void OnForget(Stream& stream) noexcept override {
    all.push_back("forget " + stream.definition().table_name);
  }
  void OnRecord(Stream& /*stream*/, std::size_t /*shard*/, std::uint64_t /*number*/,
                const StreamRecord& /*record*/) noexcept override {}
  void OnTags(Stream& /*stream*/, std::span<const Tag> /*tags*/) noexcept override {}

  std::vector<std::string> all;

 private:
  int prepared_ = 0;
};

std::string Definition(const std::string& name) {
  return R"({"TableName":")" + name +
         R"(","BillingMode":"PAY_PER_REQUEST",
           "AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"}],
           "KeySchema":[{"AttributeName":"k","KeyType":"HASH"}],
           "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}})";
}

TEST(TableExchange, LeavesNothingOfTablesThatCouldNotBePrepared) {
  Notes notes;
  Api api;
  api.engine().catalog().SetObserver(notes);
  api.streams().SetObserver(notes);
  Backfiller backfiller(api.engine());
  for (const char* name : {"one", "two"}) api.Ok("CreateTable", Definition(name));
  const std::vector<TablePin> pins = api.engine().catalog().Pin(Scope{});
  ASSERT_EQ(pins.size(), 2u);
  notes.all.clear();
  {
    TableExchange exchange({api.engine(), api.streams(), api.time_to_live(), backfiller});
    const auto add = [&](const TablePin& pin) {
      exchange.Add(CopyDefinition(*pin.version, pin.version->account_id), &pin);
    };
    add(pins[0]);
    EXPECT_THROW(add(pins[1]), std::bad_alloc);
  }
  EXPECT_THAT(notes.all, ElementsAre("open one", "prepare one", "open two", "prepare two",
                                     "abandon two", "forget one", "forget two", "abandon one"));
  bool more = false;
  EXPECT_EQ(api.streams().List(kAccount, {.limit = 10}, &more).size(), 2u);
}

}  // namespace
}  // namespace hashrange
