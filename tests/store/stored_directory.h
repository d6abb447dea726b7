// A data directory on a simulated disk, for the tests of this folder that look at what is stored.
#pragma once

#include <gtest/gtest.h>
#include <leveldb/db.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "store/data_directory.h"
#include "store/journal.h"
#include "store/stored_content.h"
#include "support/items.h"
#include "support/simulated_disk.h"

namespace hashrange::test {

class StoredDirectory : public ::testing::Test {
 protected:
  std::string Refusal(const std::string& path = "d", bool creates = true) {
    DataDirectory::Options options;
    options.disk = &disk_;
    options.creates = creates;
    const auto opened = DataDirectory::Open(path, options);
    return opened.ok() ? "" : opened.error().message;
  }
  std::unique_ptr<DataDirectory> Open() {
    auto opened = OpenSmall(disk_, "d");
    EXPECT_TRUE(opened.ok()) << opened.error().message;
    return opened.ok() ? std::move(opened).value() : nullptr;
  }
  // Stores items "0" to "<count - 1>" in each of these tables, and their table records.
  void Store(const std::vector<std::uint64_t>& tables, int count, std::size_t bytes = 10) {
    Journal journal(Open(), {});
    for (const std::uint64_t table : tables) {
      Changes record;
      record.records.emplace_back(StoreKey::OfTable(table), "pk");
      record.AppendTo(journal);
      for (int i = 0; i < count; ++i) {
        Changes changes;
        changes.items.push_back({table,
                                 maker_.Make({{"pk", maker_.Text(std::to_string(i))},
                                              {"v", maker_.Text(std::string(bytes, 'x'))}}),
                                 false});
        changes.AppendTo(journal);
      }
    }
    journal.Start();
    EXPECT_TRUE(journal.Stop().ok());
  }
  // Returns the path of the only file whose name has that end: ".log" or ".ldb".
  std::string FileThatEndsWith(std::string_view end) {
    std::vector<std::string> paths;
    for (const std::string& name : disk_.FilesIn("d")) {
      if (name.ends_with(end)) paths.push_back("d/" + name);
    }
    EXPECT_EQ(paths.size(), 1u) << end;
    return paths.empty() ? "" : paths.front();
  }

  void RemoveAllFiles() {
    for (const std::string& name : disk_.FilesIn("d"))
      EXPECT_TRUE(disk_.RemoveFile("d/" + name).ok());
  }

  // Writes a record as it is.
  void StoreBytes(const std::string& key, const std::string& value) {
    const auto directory = Open();
    ASSERT_TRUE(directory->db()->Put({}, key, value).ok());
  }

  SimulatedDisk disk_{11};
  ItemMaker maker_{KeysOf("pk")};
  const KeySchema schema_ = KeysOf("pk");
};

}  // namespace hashrange::test
