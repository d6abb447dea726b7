// Tests of a seed that runs out of memory at any point before items are stored: it returns an
// error, and nothing is half loaded.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <string>

#include "control/files/transfer_fixture.h"
#include "engine/catalog_observer.h"

namespace {

// The number of allocations that succeed before one fails; below 0: all succeed.
std::atomic<std::int64_t> allocations_left{-1};
// Allocations of exactly this size fail; 0: none.
std::atomic<std::size_t> failing_bytes{0};

}  // namespace

void* operator new(std::size_t bytes) {
  if (allocations_left.load(std::memory_order_relaxed) >= 0 && allocations_left-- == 0) {
    throw std::bad_alloc();
  }
  if (bytes > 0 && bytes == failing_bytes.load(std::memory_order_relaxed)) throw std::bad_alloc();
  void* const memory = std::malloc(bytes > 0 ? bytes : 1);
  if (!memory) throw std::bad_alloc();
  return memory;
}
// A sanitizer's own nothrow `new` would not match the `delete` below.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  try {
    return operator new(bytes);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
// Not inlined, as the compiler would warn of the pair of `new` and `free`.
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace hashrange {
namespace {

class OutOfMemory : public test::TransferFixture {
 protected:
  void WriteSeed(std::string_view name, std::string_view items) {
    Write("app.table.json", test::Definition("app"));
    Write("more.table.json", test::Definition("more"));
    Write(name, items);
  }

  // Each allocation of a seed fails once, later allocations in growing steps. When none fails, the
  // seed is refused for the error in its last item, after everything was read.
  void FailEachAllocation(int threads, std::string_view refusal) {
    const SeedRequest request{.path = folder(), .threads = threads};
    const TransferParts its_parts = parts();
    bool has_failed = true;
    for (std::int64_t count = 0; has_failed; count += 1 + count / 50) {
      allocations_left = count;
      const auto result = hashrange::Seed(its_parts, request);
      has_failed = allocations_left < 0;
      allocations_left = -1;
      // Where only a thread could not be started, the other threads do its work.
      const std::string message = ResultText(result);
      if (!has_failed || message != kNoMemory) {
        EXPECT_EQ(message, refusal) << count;
      }
      ASSERT_EQ(api_.Ok("ListTables", "{}"), R"({"TableNames":[]})") << count;
    }
  }

  static constexpr std::string_view kNoMemory =
      "500 there is not enough memory for it: nothing was loaded";
};

TEST_F(OutOfMemory, LoadsNothingFromLines) {
  std::string lines;
  for (int i = 0; i < 300; ++i) {
    lines += "{\"PK\":\"" + std::to_string(i) + "\",\"SK\":\"x\",\"age\":7}\n";
  }
  WriteSeed("app.jsonl", lines + R"({"PK":"0","SK":"x"})");
  FailEachAllocation(1, "400 app.jsonl:301: the item has the key of that of app.jsonl:1");
}

TEST_F(OutOfMemory, LoadsNothingFromAnArrayInGzipByThreads) {
  std::string array = "[";
  for (int i = 0; i < 300; ++i) {
    array +=
        (i > 0 ? ",\n" : "") + std::string(R"({"PK":")") + std::to_string(i) + R"(","SK":"x"})";
  }
  WriteSeed("app.json.gz", test::Gzipped(array + ",\n" + R"({"PK":"0","SK":"x"}])"));
  FailEachAllocation(3, "400 app.json.gz:301: the item has the key of that of app.json.gz:1");
}

TEST_F(OutOfMemory, LoadsNothingFromCsv) {
  std::string csv = "PK,SK,age:N\n";
  for (int i = 0; i < 100; ++i) csv += std::to_string(i) + ",x,7\n";
  WriteSeed("app.csv", csv + "0,x,7\n");
  FailEachAllocation(2, "400 app.csv:102: the item has the key of that of app.csv:2");
}

// Cannot prepare the second table. Counts the prepared tables that are not abandoned.
class PreparedTablesCount : public CatalogObserver {
 public:
  void OnPrepare(const TableVersion& /*table*/, const TablePin& /*from*/) override {
    ++left;
    if (++calls == 2) throw std::bad_alloc();
  }
  void OnAbandon(const TableVersion& /*table*/) noexcept override { --left; }
  void OnPublish(const TableVersion& /*version*/) noexcept override {}
  void OnExchange(std::span<const TableRef> /*out*/, std::span<const TableRef> /*in*/,
                  std::span<const PendingSeed> /*seeds*/) noexcept override {}
  void OnTags(std::uint64_t /*table_id*/, std::span<const Tag> /*tags*/) noexcept override {}

  int calls = 0;
  int left = 0;
};

TEST_F(OutOfMemory, LeavesNothingOfPreparedTables) {
  PreparedTablesCount count;
  api_.engine().catalog().SetObserver(count);
  WriteSeed("app.jsonl", R"({"PK":"a","SK":"x"})");
  EXPECT_EQ(Load(""), kNoMemory);
  EXPECT_EQ(count.calls, 2);
  EXPECT_EQ(count.left, 0);
  EXPECT_EQ(api_.Ok("ListTables", "{}"), R"({"TableNames":[]})");
}

TEST_F(OutOfMemory, LoadsNothingWhenTheMemoryForTheCommitIsMissing) {
  std::string lines;
  for (int i = 0; i < 301; ++i) lines += "{\"PK\":\"" + std::to_string(i) + "\",\"SK\":\"x\"}\n";
  WriteSeed("app.jsonl", lines);
  failing_bytes = 301 * (24 + 48);  // as ItemLoad counts an item and its entry in the index
  EXPECT_EQ(Load(""), kNoMemory);
  failing_bytes = 0;
  EXPECT_EQ(api_.Ok("ListTables", "{}"), R"({"TableNames":[]})");
  EXPECT_EQ(Load(""), "app 301, more 0");
}

}  // namespace
}  // namespace hashrange
