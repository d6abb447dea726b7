#include "store/files/ordered_files.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "support/simulated_disk.h"

namespace hashrange {
namespace {

using test::SimulatedDisk;

class OrderedFilesTest : public ::testing::Test {
 protected:
  OrderedFilesTest() { disk_.CreateDir("d"); }

  static std::unique_ptr<leveldb::WritableFile> Make(OrderedFiles& files, const std::string& path) {
    leveldb::WritableFile* file = nullptr;
    const leveldb::Status status = files.NewWritableFile(path, &file);
    EXPECT_EQ(status.ok(), file != nullptr);
    return std::unique_ptr<leveldb::WritableFile>(file);
  }
  static void Write(leveldb::WritableFile& file, const std::string& bytes) {
    ASSERT_TRUE(file.Append(bytes).ok());
    ASSERT_TRUE(file.Flush().ok());
  }
  // Returns what a file holds after a power cut, or "–" if it is not there.
  std::string AfterCut(const std::string& path) {
    disk_.CutPower();
    disk_.StartAgain();
    return disk_.FileExists(path) ? disk_.Content(path) : "–";
  }

  SimulatedDisk disk_{5};
};

TEST_F(OrderedFilesTest, OldLogIsFlushedBeforeTheNewOneIsMade) {
  OrderedFiles files(disk_, {});
  const auto first = Make(files, "d/000003.log");
  Write(*first, "written");
  const auto second = Make(files, "d/000005.log");
  ASSERT_TRUE(second);
  EXPECT_EQ(AfterCut("d/000003.log"), "written");
  EXPECT_TRUE(disk_.FileExists("d/000005.log"));
}

TEST_F(OrderedFilesTest, NewLogIsNotMadeWhenTheOldOneCannotBeFlushed) {
  OrderedFiles files(disk_, {});
  const auto first = Make(files, "d/000003.log");
  Write(*first, "written");
  disk_.SetFaults({.all_flushes = true});
  EXPECT_FALSE(Make(files, "d/000005.log"));
  EXPECT_FALSE(disk_.FileExists("d/000005.log"));
}

TEST_F(OrderedFilesTest, LogsAreNotFlushedIfTheyNeedNotBe) {
  OrderedFiles files(disk_, {.flushes_logs = false});
  const auto first = Make(files, "d/000003.log");
  Write(*first, "written");
  const auto second = Make(files, "d/000005.log");
  EXPECT_EQ(disk_.flushes(), 0);
}

// LevelDB's thread may remove a log at any time.
class LosingDisk : public SimulatedDisk {
 public:
  LosingDisk() : SimulatedDisk(5) { CreateDir("d"); }
  leveldb::Status SyncFile(const std::string& path) override {
    if (files && path == "d/000003.log") (void)files->RemoveFile(path);
    return SimulatedDisk::SyncFile(path);
  }
  OrderedFiles* files = nullptr;
};

TEST_F(OrderedFilesTest, ALogThatIsRemovedDuringTheLastFlushIsNotMissed) {
  LosingDisk disk;
  OrderedFiles files(disk, {.flushes_logs = false});
  auto first = Make(files, "d/000003.log");
  Write(*first, "written");
  first.reset();
  const auto second = Make(files, "d/000005.log");
  Write(*second, "more");
  disk.files = &files;
  ASSERT_TRUE(files.FlushLogs().ok());
  const auto ends = ReadLogEnds(disk, "d");
  ASSERT_TRUE(ends.ok());
  EXPECT_EQ(*ends, (LogEnds{{5, 4}}));
}

TEST_F(OrderedFilesTest, ALogThatSomethingElseHasRemovedIsMissed) {
  OrderedFiles files(disk_, {.flushes_logs = false});
  auto first = Make(files, "d/000003.log");
  Write(*first, "written");
  first.reset();
  const auto second = Make(files, "d/000005.log");
  disk_.RemoveFile("d/000003.log");
  EXPECT_FALSE(files.FlushLogs().ok());
  EXPECT_FALSE(disk_.FileExists("d/HASHRANGE.logs"));
}

TEST_F(OrderedFilesTest, TableIsFlushedWithItsName) {
  OrderedFiles files(disk_, {.flushes_logs = false});
  const auto table = Make(files, "d/000007.ldb");
  Write(*table, "written");
  ASSERT_TRUE(table->Sync().ok());
  EXPECT_EQ(AfterCut("d/000007.ldb"), "written");
}

TEST_F(OrderedFilesTest, FileThatHasFailedTakesNothingMore) {
  OrderedFiles files(disk_, {});
  for (const char* path : {"d/000003.log", "d/MANIFEST-000002", "d/000007.ldb"}) {
    const auto file = Make(files, path);
    Write(*file, "written");
    disk_.SetFaults({.all_flushes = true});
    EXPECT_FALSE(file->Sync().ok());
    disk_.SetFaults({});
    EXPECT_FALSE(file->Append("more").ok());
    EXPECT_FALSE(file->Flush().ok());
    EXPECT_FALSE(file->Sync().ok());
    EXPECT_FALSE(file->Close().ok());
    EXPECT_EQ(disk_.Content(path), "written");
  }
}

TEST_F(OrderedFilesTest, LogThatIsClosedIsNotFlushed) {
  OrderedFiles files(disk_, {});
  Make(files, "d/000003.log").reset();
  const int flushes = disk_.flushes();
  const auto second = Make(files, "d/000005.log");
  EXPECT_EQ(disk_.flushes() - flushes, 3) << "the directory, and what is recorded of the logs";
}

TEST_F(OrderedFilesTest, DirectoryIsFlushedWhenCurrentIsRenamed) {
  OrderedFiles files(disk_, {});
  disk_.SetContent("d/000002.dbtmp", "MANIFEST-000002\n");
  ASSERT_TRUE(files.RenameFile("d/000002.dbtmp", "d/CURRENT").ok());
  EXPECT_EQ(AfterCut("d/CURRENT"), "MANIFEST-000002\n");
}

TEST_F(OrderedFilesTest, ManifestStaysWhenCurrentCannotBeRenamed) {
  OrderedFiles files(disk_, {});
  for (const char* number : {"000002", "000003", "000004"}) {
    disk_.SetContent("d/MANIFEST-" + std::string(number), "edits");
    disk_.SetContent("d/" + std::string(number) + ".dbtmp", number);
  }
  disk_.SetFaults({.all_flushes = true});
  EXPECT_FALSE(files.RenameFile("d/000003.dbtmp", "d/CURRENT").ok());
  disk_.SetFaults({});
  EXPECT_TRUE(files.RemoveFile("d/MANIFEST-000003").ok());
  EXPECT_TRUE(disk_.FileExists("d/MANIFEST-000003"));
  // Others are deleted.
  EXPECT_TRUE(files.RenameFile("d/000004.dbtmp", "d/CURRENT").ok());
  EXPECT_TRUE(files.RemoveFile("d/MANIFEST-000004").ok());
  EXPECT_FALSE(disk_.FileExists("d/MANIFEST-000004"));
  EXPECT_TRUE(files.RemoveFile("d/MANIFEST-000002").ok());
  EXPECT_FALSE(disk_.FileExists("d/MANIFEST-000002"));
}

}  // namespace
}  // namespace hashrange
