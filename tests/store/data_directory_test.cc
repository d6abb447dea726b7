#include "store/data_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include "store/data_reader.h"
#include "store/files/file_names.h"
#include "store/files/log_records.h"
#include "store/stored_directory.h"
#include "support/temporary_folder.h"

namespace hashrange {
namespace {

using test::Changes;
using test::ContentOf;
using test::S;
using test::SimulatedDisk;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

class DataDirectoryTest : public test::StoredDirectory {
 protected:
  // Appends five changes, of which each is flushed before the next is appended.
  static void AppendFive(Journal& journal) {
    for (int i = 0; i < 5; ++i) {
      Changes changes;
      changes.records.emplace_back(StoreKey::OfCounter(1), std::to_string(i));
      EXPECT_TRUE(journal.WaitUntilSafe(changes.AppendTo(journal)).ok());
    }
  }

  // Stores an item in a directory on the system's disk, and makes a copy of the directory.
  void StoreAndCopy(std::unique_ptr<DataDirectory> directory, const std::string& copy) {
    Journal journal(std::move(directory), {});
    journal.Start();
    Changes changes;
    changes.items.push_back({1, maker_.Make({{"pk", S("a")}}), false});
    EXPECT_TRUE(journal.WaitUntilSafe(changes.AppendTo(journal)).ok());
    EXPECT_TRUE(journal.Backup(copy).ok());
    EXPECT_TRUE(journal.Stop().ok());
  }
};

TEST_F(DataDirectoryTest, MissingDirectoryIsMade) {
  const auto directory = Open();
  EXPECT_TRUE(directory->is_new());
  EXPECT_THAT(directory->cut_files(), IsEmpty());
  EXPECT_EQ(disk_.Content("d/HASHRANGE"), "hashrange data\nformat 2\n");
  EXPECT_THAT(ContentOf(*directory), IsEmpty());
}

TEST_F(DataDirectoryTest, DirectoryIsOpenedAgain) {
  Store({1}, 3);
  EXPECT_FALSE(Open()->is_new());
  EXPECT_EQ(ContentOf(*Open()).size(), 4u);
}

TEST_F(DataDirectoryTest, OneServerHoldsIt) {
  const auto directory = Open();
  EXPECT_EQ(Refusal(), "d is used by another server");
  EXPECT_EQ(Refusal("d/"), "d is used by another server");
}

TEST_F(DataDirectoryTest, ForeignDirectoriesAreNotTouched) {
  ASSERT_TRUE(disk_.CreateDir("d").ok());
  disk_.SetContent("d/notes.txt", "mine");
  EXPECT_EQ(Refusal(),
            "d is not a data directory of Hashrange, or an unfinished one: it has files, but no "
            "file HASHRANGE");
  EXPECT_THAT(disk_.FilesIn("d"), ElementsAre("notes.txt"));
  // Another program's LevelDB is foreign, too.
  disk_.SetContent("d/CURRENT", "MANIFEST-000001\n");
  EXPECT_THAT(Refusal(), StartsWith("d is not a data directory of Hashrange"));
}

TEST_F(DataDirectoryTest, EmptyDirectoryIsUsed) {
  ASSERT_TRUE(disk_.CreateDir("d").ok());
  disk_.SetContent("d/HASHRANGE.tmp", "hash");
  EXPECT_TRUE(Open()->is_new());
}

TEST_F(DataDirectoryTest, NewerAndDamagedFormatsAreRefused) {
  Store({1}, 1);
  disk_.SetContent("d/HASHRANGE", "hashrange data\nformat 3\n");
  EXPECT_EQ(Refusal(),
            "d has format 3, which a newer version of Hashrange has written; this version reads "
            "format 2");
  for (const char* text : {"", "hashrange data\nformat 1", "hashrange data\nformat \n",
                           "hashrange data\nformat 0\n", "hashrange data\nformat 1x\n", "x"}) {
    disk_.SetContent("d/HASHRANGE", text);
    EXPECT_EQ(Refusal(), "d/HASHRANGE is damaged") << text;
  }
}

// A server that has ended leaves a log whose end is known, in each mode.
TEST_F(DataDirectoryTest, ALogThatIsCutShortAfterTheEndIsRefused) {
  for (const auto flush :
       {Journal::Flush::kAlways, Journal::Flush::kInterval, Journal::Flush::kNever}) {
    RemoveAllFiles();
    {
      auto options = Journal::DirectoryOptions(flush);
      options.disk = &disk_;
      auto opened = DataDirectory::Open("d", options);
      ASSERT_TRUE(opened.ok());
      Journal::Options how;
      how.flush = flush;
      Journal journal(std::move(opened).value(), how);
      journal.Start();
      AppendFive(journal);
      EXPECT_TRUE(journal.Stop().ok());
      // A program may end without the destructors.
      EXPECT_EQ(*ReadLogEnds(disk_, "d"), (LogEnds{{3, disk_.Content("d/000003.log").size()}}));
    }
    const std::string log = disk_.Content("d/000003.log");
    ASSERT_FALSE(log.empty());
    for (std::size_t size = 0; size < log.size(); ++size) {
      disk_.SetContent("d/000003.log", log.substr(0, size));
      EXPECT_THAT(Refusal(), StartsWith("d/000003.log ")) << size;
    }
    disk_.SetContent("d/000003.log", log);
    EXPECT_EQ(Refusal(), "");
  }
}

// Each record behind the first says that the one before it was flushed.
TEST_F(DataDirectoryTest, DamageInTheMiddleOfTheLogOfAKilledServerIsRefused) {
  {
    Journal journal(Open(), {});
    journal.Start();
    AppendFive(journal);
    disk_.Kill();
  }
  disk_.StartAgain();
  const std::string log = disk_.Content("d/000003.log");
  LogRecordReader reader(log);
  std::size_t last = 0;
  while (true) {
    const std::size_t begin = reader.end_of_records();
    if (!reader.Next()) break;
    last = begin;
  }
  ASSERT_GT(last, 100u);
  for (std::size_t at = 0; at < last; ++at) {
    disk_.Flip("d/000003.log", at);
    EXPECT_THAT(Refusal(), StartsWith("d/000003.log is damaged from byte ")) << at;
    disk_.SetContent("d/000003.log", log);
  }
}

// As it was left by a program that knew nothing of what is recorded of logs.
TEST_F(DataDirectoryTest, ADirectoryOfFormat1IsOpenedAndBecomesFormat2) {
  ASSERT_TRUE(disk_.CreateDir("d").ok());
  disk_.SetContent("d/HASHRANGE", "hashrange data\nformat 1\n");
  {
    leveldb::Options options;
    options.create_if_missing = true;
    options.env = &disk_;
    leveldb::DB* made = nullptr;
    ASSERT_TRUE(leveldb::DB::Open(options, "d", &made).ok());
    const std::unique_ptr<leveldb::DB> db(made);
    for (int i = 0; i < 5; ++i) {
      ASSERT_TRUE(db->Put({}, std::string(StoreKey::OfTable(static_cast<std::uint64_t>(i)).bytes()),
                          std::string(50, 'x'))
                      .ok());
    }
  }
  disk_.RemoveFile("d/LOG");
  disk_.SetContent("d/000003.log", disk_.Content("d/000003.log") + "torn");
  {
    const auto directory = Open();
    ASSERT_TRUE(directory);
    EXPECT_FALSE(directory->is_new());
    EXPECT_EQ(directory->cut_files().size(), 1u);
    EXPECT_EQ(ContentOf(*directory).size(), 5u);
  }
  EXPECT_EQ(disk_.Content("d/HASHRANGE"), "hashrange data\nformat 2\n");
  EXPECT_EQ(ContentOf(*Open()).size(), 5u);
}

TEST_F(DataDirectoryTest, ADirectoryThatHasNothingButItsMarkerIsRefused) {
  for (const char* const format : {"1", "2"}) {
    Store({1}, 1);
    RemoveAllFiles();
    disk_.SetContent("d/HASHRANGE", "hashrange data\nformat " + std::string(format) + "\n");
    EXPECT_EQ(Refusal(), "d has lost its data: it has nothing but the file HASHRANGE");
    ASSERT_TRUE(disk_.RemoveFile("d/HASHRANGE").ok());
  }
  disk_.SetContent("d/HASHRANGE", "hashrange data\nformat 2\nnew\n");
  EXPECT_EQ(Refusal(), "") << "the first start was interrupted";
}

TEST_F(DataDirectoryTest, AStartNamesTheDamagedTable) {
  Store({1}, 5);
  Open();  // the log becomes a table
  const std::string table = FileThatEndsWith(".ldb");
  disk_.Flip(table, 20);
  const auto directory = Open();
  const Status read =
      DataReader(*directory)
          .ForEachRecord(RecordKind::kTable,
                         [](const StoreKeyParts&, std::string_view) { return Status(); });
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().message, "cannot read d: " + std::string(NameInPath(table)) +
                                      " is damaged: Corruption: block checksum mismatch");
}

TEST_F(DataDirectoryTest, DataWithoutCurrentIsRefused) {
  Store({1}, 1);
  ASSERT_TRUE(disk_.RemoveFile("d/CURRENT").ok());
  const auto files = disk_.FilesIn("d");
  EXPECT_EQ(Refusal(), "d/CURRENT is missing");
  EXPECT_THAT(disk_.FilesIn("d"), testing::IsSupersetOf(files));
}

TEST_F(DataDirectoryTest, EachInterruptedFirstStartIsFinishedLater) {
  for (int nth = 1; nth < 25; ++nth) {
    SimulatedDisk disk(static_cast<std::uint64_t>(nth));
    disk.SetFaults({.every_nth_change = nth});
    {
      const auto first = test::OpenSmall(disk, "d");
      (void)first.ok();
      disk.CutPower();
    }
    disk.SetFaults({});
    disk.StartAgain();
    const auto second = test::OpenSmall(disk, "d");
    ASSERT_TRUE(second.ok()) << nth << ": " << second.error().message;
    EXPECT_THAT(ContentOf(**second), IsEmpty());
  }
}

TEST_F(DataDirectoryTest, SystemDiskKeepsData) {
  const test::TemporaryFolder temporary;
  const std::string path = temporary.path() / "data";
  {
    auto opened = DataDirectory::Open(path, {});
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    EXPECT_GT((*opened)->FreeBytes().value(), 0u);
    EXPECT_EQ(DataDirectory::Open(path, {}).error().message, path + " is used by another server");
    StoreAndCopy(std::move(opened).value(), path + ".backup/");
  }
  // A log that was cut short.
  for (const auto& file : std::filesystem::directory_iterator(path)) {
    if (file.path().extension() == ".log") std::ofstream(file.path(), std::ios::app) << "torn";
  }
  for (const std::string& each : {path, path + ".backup"}) {
    const auto opened = DataDirectory::Open(each, {});
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    EXPECT_EQ((*opened)->cut_files().size(), each == path ? 1u : 0u);
    EXPECT_EQ(ContentOf(**opened).size(), 1u);
  }
  EXPECT_THAT(DataDirectory::Open(path + "/missing/d", {}).error().message,
              StartsWith("cannot create " + path + "/missing/d: "));
}

TEST_F(DataDirectoryTest, FilesAreOfTheServersUserAlone) {
  namespace fs = std::filesystem;
  const test::TemporaryFolder temporary;
  const std::string folder = temporary.path();
  for (const mode_t mask : {0000, 0077}) {
    const mode_t before = ::umask(mask);
    auto opened = DataDirectory::Open(folder + "/data", {});
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    StoreAndCopy(std::move(opened).value(), folder + "/copy");
    ::umask(before);
    int files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      files += entry.is_regular_file();
      EXPECT_EQ(entry.status().permissions(), entry.is_directory()
                                                  ? fs::perms::owner_all
                                                  : fs::perms::owner_read | fs::perms::owner_write)
          << entry.path();
    }
    EXPECT_GT(files, 8);
    for (const char* made : {"/data", "/copy"}) fs::remove_all(folder + made);
  }
}

TEST_F(DataDirectoryTest, ADirectoryThatAnotherUserCouldChangeIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root makes files of another user";
  constexpr uid_t kOther = 4242;
  const test::TemporaryFolder temporary;
  const std::string path = std::filesystem::canonical(temporary.path()) / "data";
  const auto refusal = [](const std::string& directory) {
    const auto opened = DataDirectory::Open(directory, {});
    return opened.ok() ? "none" : opened.error().message;
  };
  std::filesystem::create_directory(path);
  ASSERT_EQ(::chmod(path.c_str(), 0777), 0);
  EXPECT_EQ(refusal(path), path + ": other users may write to the folder " + path +
                               ", whose mode is 0777: use another folder, or take this right from "
                               "them with chmod go-w");
  ASSERT_EQ(::chmod(path.c_str(), 01777), 0);
  EXPECT_EQ(refusal(path), path + ": other users may write to it: use a directory of its own");
  EXPECT_EQ(refusal(path + "/new"), "none");  // as below the folder for temporary files
  ASSERT_EQ(::chmod(path.c_str(), 0755), 0);
  ASSERT_EQ(::chown(path.c_str(), kOther, kOther), 0);
  for (const std::string& directory : {path, path + "/other"}) {
    EXPECT_EQ(refusal(directory),
              directory + ": the folder " + path +
                  " belongs to another user: use a folder of your own, or run this "
                  "program as that user");
  }
}

TEST_F(DataDirectoryTest, ALinkInThePlaceOfTheLockIsNotFollowed) {
  const test::TemporaryFolder temporary;
  const std::string folder = temporary.path();
  std::filesystem::create_directory(folder + "/data");
  std::filesystem::create_symlink(folder + "/made", folder + "/data/HASHRANGE.lock");
  const auto opened = DataDirectory::Open(folder + "/data", {});
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().message, "cannot lock " + folder + "/data: IO error: " + folder +
                                        "/data/HASHRANGE.lock: it is a link");
  EXPECT_FALSE(std::filesystem::exists(folder + "/made"));
}

TEST_F(DataDirectoryTest, DataAreAskedForWhereNoneAreMade) {
  EXPECT_EQ(Refusal("d", false), "d does not exist");
  ASSERT_TRUE(disk_.CreateDir("d").ok());
  EXPECT_EQ(Refusal("d", false), "d has no data");
  EXPECT_THAT(disk_.FilesIn("d"), IsEmpty());
}

}  // namespace
}  // namespace hashrange
