#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

#include "remote/copy/copy_fixture.h"

namespace hashrange {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

class CopyFolder : public CopyTest {
 protected:
  CopyFolder() : dump_(folder_ / "dump") {
    request_.to = nullptr;
    request_.folder = dump_;
  }

  // Returns all files of the dump by their paths.
  std::vector<std::string> Files() const {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(dump_)) {
      if (entry.is_regular_file()) {
        files.push_back(std::filesystem::relative(entry.path(), dump_).string());
      }
    }
    return files;
  }

  const std::filesystem::path dump_;
};

TEST_F(CopyFolder, ADumpOfTheCopyIsTheSameDatabase) {
  Ok(source_, "CreateTable", OnDemandTable("app"));
  Ok(source_, "CreateTable", OnDemandTable("empty"));
  Ok(source_, "UpdateTimeToLive",
     R"({"TableName":"app","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"n"}})");
  Ok(source_, "TagResource",
     R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/app","Tags":[{"Key":"a","Value":"b"}]})");
  source_.SetTime(0);  // nothing has expired
  destination_.SetTime(0);
  Fill(source_, "app", 100);
  request_.renames = {{"empty", "void"}};
  EXPECT_THAT(Copied(), ElementsAre("app>app 100 verified", "empty>void 0 verified"));
  EXPECT_THAT(Files(),
              UnorderedElementsAre("hashrange-dump.json", "app/table.json", "app/items.json",
                                   "void/table.json", "void/items.json"));
  ExpectDumpHasItems(dump_, "app");
  EXPECT_EQ(Ok(destination_, "ListTables", "{}"), R"({"TableNames":["app","void"]})");
  EXPECT_EQ(Ok(destination_, "DescribeTimeToLive", R"({"TableName":"app"})"),
            Ok(source_, "DescribeTimeToLive", R"({"TableName":"app"})"));
  const std::string arn = R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/app"})";
  EXPECT_EQ(Ok(destination_, "ListTagsOfResource", arn), R"({"Tags":[{"Key":"a","Value":"b"}]})");
}

TEST_F(CopyFolder, CompressedItemsAreLoadedToo) {
  Ok(source_, "CreateTable", OnDemandTable("app"));
  Ok(source_, "CreateTable", OnDemandTable("empty"));
  Fill(source_, "app", 100, 20'000);  // several pages, so several members of gzip
  request_.compresses = true;
  EXPECT_THAT(Copied(), ElementsAre("app>app 100 verified", "empty>empty 0 verified"));
  EXPECT_LT(std::filesystem::file_size(dump_ / "app/items.json.gz"), 100'000U);
  ExpectDumpHasItems(dump_, "app");
}

TEST_F(CopyFolder, AFolderIsCopiedToAnEndpoint) {
  std::filesystem::create_directories(dump_);
  WriteFile(dump_ / "users.table.json", OnDemandTable("users"));
  WriteFile(dump_ / "users.csv", "pk,n:N\na,1\nb,2\n");
  auto seeded = SeededEndpoint::Load(dump_);
  ASSERT_TRUE(seeded.ok()) << seeded.error().message;
  request_.from = seeded->get();
  request_.to = &to_;
  EXPECT_THAT(Copied(), ElementsAre("users>users 2 verified"));
  EXPECT_THAT(Items(destination_, "users"), ElementsAre(R"({"pk":{"S":"a"},"n":{"N":"1"}})",
                                                        R"({"pk":{"S":"b"},"n":{"N":"2"}})"));
}

TEST_F(CopyFolder, AFolderThatIsNoSeedIsASentence) {
  const auto none = SeededEndpoint::Load(folder_ / "none");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().message,
            (folder_ / "none").string() + ": there is no such file or folder");
  std::filesystem::create_directories(dump_);
  WriteFile(dump_ / "hashrange-dump.json.partial", "");
  const auto half = SeededEndpoint::Load(dump_);
  ASSERT_FALSE(half.ok());
  EXPECT_EQ(half.error().message, dump_.string() + ": a dump into this folder was not finished");
}

TEST_F(CopyFolder, AFolderWithFilesIsNotOverwritten) {
  Ok(source_, "CreateTable", OnDemandTable("app"));
  std::filesystem::create_directories(dump_);
  WriteFile(dump_ / "notes.txt", "mine");
  EXPECT_EQ(Failure(), dump_.string() +
                           ": the folder is not empty, and a copy overwrites nothing: name a new "
                           "folder");
  EXPECT_THAT(Files(), ElementsAre("notes.txt"));
  request_.folder = dump_ / "notes.txt";
  EXPECT_EQ(Failure(), (dump_ / "notes.txt").string() + ": it is no folder");
}

TEST_F(CopyFolder, AStateThatCannotBeWrittenLeavesNoHalfDump) {
  Ok(source_, "CreateTable", OnDemandTable("app"));
  request_.state_file = folder_ / "none/state";
  EXPECT_EQ(Failure(), (folder_ / "none/state").string() +
                           ": it cannot be written: No such file or directory");
  EXPECT_THAT(Files(), ElementsAre());
  request_.state_file = dump_ / "state";
  EXPECT_THAT(Copied(), ElementsAre("app>app 0 verified"));
}

TEST_F(CopyFolder, AFullDiskIsASentence) {
  MakeTable(source_, "app", 10, 20'000);
  AddFaults(source_, R"([{"match":{"operation":"Scan"},
    "do":{"error":{"type":"AccessDeniedException","message":"No."}}}])");
  EXPECT_THAT(Failure(), testing::HasSubstr("refuses Scan of the table app"));
  source_.Control("DELETE", "faults");
  const std::filesystem::path items = dump_ / "app/items.json.partial";
  request_.resumes = true;
  request_.segments = 1;
  // The limit is above the size of the state, and below the size of the items.
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit little = {.rlim_cur = 16 << 10, .rlim_max = before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &little), 0);
  const std::string failure = Failure();
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(failure,
            items.string() +
                ": it cannot be written: File too large; 0 of 1 table is copied, app is created "
                "at " +
                dump_.string() +
                ", perhaps with some of its items; to continue, run the same command with "
                "--resume; to begin anew, remove what "
                "was copied and " +
                request_.state_file.string());
}

TEST_F(CopyFolder, FilesAreOfTheUserAlone) {
  Ok(source_, "CreateTable", OnDemandTable("app"));
  const mode_t mask = ::umask(0);
  const std::vector<std::string> copied = Copied();
  ::umask(mask);
  EXPECT_THAT(copied, ElementsAre("app>app 0 verified"));
  namespace fs = std::filesystem;
  EXPECT_EQ(fs::status(dump_).permissions(), fs::perms::owner_all);
  for (const auto& entry : fs::recursive_directory_iterator(dump_)) {
    EXPECT_EQ(entry.status().permissions(), entry.is_directory()
                                                ? fs::perms::owner_all
                                                : fs::perms::owner_read | fs::perms::owner_write)
        << entry.path();
  }
}

TEST_F(CopyFolder, AStateThatIsNoFileIsASentence) {
  Ok(source_, "CreateTable", OnDemandTable("app"));
  const std::string rest = ": the state of a copy is kept in a file, which --state names";
  for (const bool resumes : {false, true}) {
    request_.resumes = resumes;
    request_.state_file = folder_;
    EXPECT_EQ(Failure(), folder_.string() + " is a folder" + rest);
    request_.state_file = "/dev/null";
    EXPECT_EQ(Failure(), "/dev/null is no regular file" + rest);
  }
  EXPECT_FALSE(std::filesystem::exists(dump_));
}

TEST_F(CopyFolder, LinksInTheFolderAreNotWrittenThrough) {
  MakeTable(source_, "app", 10);
  AddFaults(source_, R"([{"match":{"operation":"Scan"},
    "do":{"error":{"type":"AccessDeniedException","message":"No."}}}])");
  EXPECT_THAT(Failure(), testing::HasSubstr("refuses Scan of the table app"));
  source_.Control("DELETE", "faults");
  WriteFile(folder_ / "precious", "mine");
  const std::filesystem::path items = dump_ / "app/items.json.partial";
  std::filesystem::remove(items);
  std::filesystem::create_symlink(folder_ / "precious", items);
  request_.resumes = true;
  EXPECT_THAT(Failure(), testing::StartsWith(items.string() + ": it is a link; "));
  EXPECT_EQ(FileText(folder_ / "precious"), "mine");
}

}  // namespace
}  // namespace hashrange
