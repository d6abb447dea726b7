// A fork without memory, on a server that keeps its data: the account into which nothing was forked
// is kept on disk as before.
#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <string>
#include <vector>

#include "hashrange/database.h"
#include "support/allocation_failures.h"
#include "support/temporary_folder.h"

namespace hashrange {
namespace {

using test::AllocationFailures;
using test::Failing;

constexpr char kTable[] = R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}],
  "KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}],
  "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}})";

// Returns whether the fork was made while the allocation of that number failed.
bool Fork(Database& database, const std::string& to, std::int64_t number, bool* have_failed) {
  const std::string json = R"({"from":"000000000000","to":")" + to + "\"}";
  int status = 500;
  AllocationFailures failures(number, Failing::kOne);
  try {
    status = database.Control("POST", "fork", json).status;
  } catch (const std::bad_alloc&) {  // not even the error could be answered
  }
  *have_failed = failures.have_happened();
  return status == 200;
}

TEST(ForkFailures, LeaveAnAccountThatIsKept) {
  const test::TemporaryFolder folder;
  const Database::Options options{
      .ttl_interval_ms = 0, .data_directory = folder.path() / "data", .sync_interval_ms = 5};
  auto database = std::make_unique<Database>(options);
  ASSERT_TRUE(database->Call("CreateTable", kTable).ok());
  std::vector<std::string> kept;
  std::int64_t number = 0;
  for (bool have_failed = true; have_failed; ++number) {
    const std::string account = std::to_string(100'000'000'000 + number);
    // A fork that was made, but could not be answered, leaves a table.
    if (Fork(*database, account, number, &have_failed)) continue;
    if (database->Call("CreateTable", kTable, {account}).ok()) kept.push_back(account);
  }
  EXPECT_GT(kept.size(), 10u);
  database = nullptr;
  database = std::make_unique<Database>(options);
  for (const std::string& account : kept) {
    EXPECT_EQ(database->Call("ListTables", "{}", {account}).body, R"({"TableNames":["app"]})");
  }
}

}  // namespace
}  // namespace hashrange
