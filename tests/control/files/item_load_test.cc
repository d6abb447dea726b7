// Tests of ItemLoad at block boundaries: blocks of a few bytes, read by several threads, load the
// same items as one block.
#include "control/files/item_load.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "control/files/transfer_fixture.h"
#include "operation/table/create_table.h"

namespace hashrange {
namespace {

class ItemLoadTest : public test::TransferFixture {
 protected:
  ItemLoadTest() {
    api_.Ok("CreateTable", test::Definition("app"));
    table_ = api_.engine().catalog().Find({"000000000000", "us-east-1"}, "app");
  }

  // Loads the texts, each as a file. Returns how many items there are, or the error.
  std::string Load(const std::vector<std::string>& texts, bool is_csv, ItemLoadOptions options) {
    const TableVersion* const tables[] = {table_.get()};
    std::vector<LoadFile> files;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const SeedFile file{"file" + std::to_string(i), {}, texts[i]};
      files.push_back({{file, is_csv}, 0, table_.get()});
    }
    ItemLoad load(tables, std::move(files), options);
    const Status read = load.Read();
    if (!read.ok()) return read.error().message;
    const Status sorted = load.Sort();
    if (!sorted.ok()) return sorted.error().message;
    const std::string count = std::to_string(load.count(0));
    const Status stored =
        load.Commit({api_.engine(), nullptr}, 0, [&]() -> Result<TableRef> { return table_; });
    return stored.ok() ? count : stored.error().message;
  }

  TableRef table_;
};

TEST_F(ItemLoadTest, BlocksOfAnySizeHoldTheSameItems) {
  std::string lines, csv = "PK,SK,text\n";
  for (int i = 0; i < 300; ++i) {
    const std::string n = std::to_string(i);
    lines += "{\"PK\":\"" + n + "\",\"SK\":\"x\",\"text\":\"" + std::string(i % 50, 'y') + "\"}\n";
    csv += n + ",\"x\ny\"\"\",\"" + std::string(i % 50, 'z') + "\"\n";
  }
  for (const std::size_t block_bytes : {1, 16, 100, 5000, 1 << 20}) {
    for (const int threads : {1, 3}) {
      const ItemLoadOptions options{.threads = threads, .block_bytes = block_bytes};
      EXPECT_EQ(Load({lines}, false, options), "300") << block_bytes;
      EXPECT_EQ(Load({csv}, true, options), "300") << block_bytes;
    }
  }
  EXPECT_EQ(api_.engine().StatisticsOf(*table_, nullptr).item_count, 600);
}

TEST_F(ItemLoadTest, LinesAreCountedAcrossBlocks) {
  std::string lines, csv = "PK,SK\n";
  for (int i = 0; i < 200; ++i) {
    lines += "\n{\"PK\":\"" + std::to_string(i) + "\",\"SK\":\"x\"}\n";
    csv += std::to_string(i) + ",\"x\ny\"\n";
  }
  for (const std::size_t block_bytes : {16, 100, 1 << 20}) {
    const ItemLoadOptions options{.threads = 3, .block_bytes = block_bytes};
    EXPECT_EQ(Load({lines, lines + "{}\n" + lines}, false, options),
              "file1:401: One or more parameter values were invalid: Missing the key PK in the "
              "item");
    EXPECT_EQ(Load({csv, csv + "a\n" + csv}, true, options),
              "file1:402: it has 1 cell, the header 2");
  }
}

TEST_F(ItemLoadTest, TheFormatIsSeenBehindEmptyLines) {
  const std::string text = std::string(100, '\n') + "{\"PK\":\"a\",\"SK\":\"x\"}";
  EXPECT_EQ(Load({text}, false, {.threads = 2, .block_bytes = 16}), "1");
}

TEST_F(ItemLoadTest, EachFileHasItsFormatAndHeader) {
  EXPECT_EQ(Load({"{\"PK\":\"a\",\"SK\":\"x\"}", "{\"PK\":{\"S\":\"b\"},\"SK\":{\"S\":\"x\"}}", ""},
                 false, {.threads = 2}),
            "2");
  EXPECT_EQ(Load({"PK,SK\na,y\n", "\xEF\xBB\xBFSK,PK\ny,b\n"}, true, {.threads = 2}), "2");
}

}  // namespace
}  // namespace hashrange
