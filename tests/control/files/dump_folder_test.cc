#include "control/files/dump_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

#include "control/files/seed_plan.h"
#include "control/files/transfer_fixture.h"

namespace {

// How many calls of renameat and unlinkat succeed before one fails; negative: all succeed.
int calls_before_failure = -1;
// Whether all calls after that fail, too, as if the program had ended.
bool is_failure_the_end = false;

bool IsFailure() {
  if (calls_before_failure < 0) return false;
  if (calls_before_failure > 0) {
    --calls_before_failure;
    return false;
  }
  if (!is_failure_the_end) calls_before_failure = -1;
  errno = EIO;
  return true;
}

}  // namespace

// These take the place of the system library's functions in this program.
extern "C" int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  if (IsFailure()) return -1;
  return static_cast<int>(::syscall(SYS_renameat2, from_folder, from, to_folder, to, 0));
}
extern "C" int unlinkat(int folder, const char* name, int flags) noexcept {
  if (IsFailure()) return -1;
  return static_cast<int>(::syscall(SYS_unlinkat, folder, name, flags));
}

namespace hashrange {
namespace {

using test::Definition;

class DumpFolderTest : public test::TransferFixture {
 protected:
  DumpFolderTest() {
    for (const char* table : {"one", "two"}) api_.Ok("CreateTable", Definition(table));
    Put("one", "a");
    Put("two", "a");
  }
  ~DumpFolderTest() override { calls_before_failure = -1; }

  void Put(const std::string& table, const std::string& key) {
    api_.Ok("PutItem", R"({"TableName":")" + table + R"(","Item":{"PK":{"S":")" + key +
                           R"("},"SK":{"S":"1"}}})");
  }
  // Replaces table two by table three, and adds an item.
  void Change() {
    api_.Ok("DeleteTable", R"({"TableName":"two"})");
    api_.Ok("CreateTable", Definition("three"));
    Put("one", "b");
  }

  std::vector<std::string> Files(const fs::path& path) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder() / path)) {
      if (!entry.is_directory()) names.push_back(entry.path().lexically_relative(folder() / path));
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  // Returns what a seed of the folder reads: names and content; "refused" when it is refused.
  std::string Seeded(const fs::path& path) {
    const auto plan = PlanSeed(folder() / path);
    if (!plan.ok()) return "refused";
    std::string text;
    const auto add = [&](const SeedFile& file) {
      text += file.path.lexically_relative(folder() / path).string() + " " +
              Read(file.path.lexically_relative(folder())) + "\n";
    };
    for (const SeedTable& table : plan->tables) {
      if (table.definition) add(*table.definition);
      for (const SeedItems& items : table.items) add(items.file);
    }
    return text;
  }
  // Returns whether there is no manifest, or it is of one of these dumps, which is whole: also for
  // a reader who does not know what a .partial manifest means.
  bool IsManifestTrue(const fs::path& path, const std::string& before, const std::string& after) {
    if (!fs::exists(folder() / path / kDumpManifest)) return true;
    fs::remove_all(folder() / "seen");
    fs::copy(folder() / path, folder() / "seen", fs::copy_options::recursive);
    fs::remove(folder() / "seen" / kUnfinishedManifest);
    const std::string found = Seeded("seen");
    return found == before || found == after;
  }
};

TEST_F(DumpFolderTest, WhicheverStepFailsASeedFindsOneWholeDumpOrRefuses) {
  ASSERT_EQ(DumpInto("old", {.compresses = true}), "one 1, two 1");
  Change();
  ASSERT_EQ(DumpInto("new"), "one 2, three 0");
  const std::string before = Seeded("old");
  const std::string after = Seeded("new");
  ASSERT_NE(before, after);
  for (const bool is_end : {false, true}) {
    int steps = 0;
    for (bool has_failed = true; has_failed; ++steps) {
      fs::remove_all(folder() / "out");
      fs::copy(folder() / "old", folder() / "out", fs::copy_options::recursive);
      is_failure_the_end = is_end;
      calls_before_failure = steps;
      const std::string dumped = DumpInto("out");
      has_failed = is_end ? calls_before_failure == 0 : calls_before_failure < 0;
      calls_before_failure = -1;
      const std::string found = Seeded("out");
      EXPECT_TRUE(found == before || found == after || found == "refused")
          << steps << " " << dumped << ":\n"
          << found;
      if (dumped == "one 2, three 0") {
        EXPECT_EQ(found, after) << steps;
      }
      EXPECT_TRUE(IsManifestTrue("out", before, after)) << steps << " " << dumped;
      // The next dump replaces whatever there is.
      EXPECT_EQ(DumpInto("out"), "one 2, three 0") << steps;
      EXPECT_EQ(Files("out"), Files("new")) << steps;
      EXPECT_EQ(Seeded("out"), after) << steps;
    }
    EXPECT_GT(steps, 10);
  }
}

TEST_F(DumpFolderTest, AnOverwrittenFolderIsExactlyTheNewDump) {
  ASSERT_EQ(DumpInto("out", {.format = DataFormat::kJson, .compresses = true}), "one 1, two 1");
  Write("out/hashrange-dump.json", "damaged");
  Write("out/notes.txt", "mine");
  Write("out/more.jsonl", R"({"PK":"x","SK":"y"})");
  Write("out/one/more.jsonl", R"({"PK":"x","SK":"y"})");
  Write("out/other/data.csv", "mine");
  Write("out/one/items.json", "of an earlier dump");
  Change();
  EXPECT_EQ(DumpInto("out"),
            "400 out/hashrange-dump.json: it is no JSON: Invalid value. (at byte 1)");
  ASSERT_EQ(DumpInto("new"), "one 2, three 0");
  EXPECT_EQ(DumpInto("out", {.overwrites = true}), "one 2, three 0");
  EXPECT_EQ(Seeded("out"), Seeded("new"));
  EXPECT_EQ(Files("out"),
            (std::vector<std::string>{"hashrange-dump.json", "more.jsonl", "notes.txt",
                                      "one/items.json", "one/more.jsonl", "one/table.json",
                                      "other/data.csv", "three/items.json", "three/table.json"}));
}

// A folder that was no dump keeps what is not of the dump.
TEST_F(DumpFolderTest, OtherTablesOfAFolderThatWasNoDumpStay) {
  Write("out/mine/table.json", "mine");
  Write("out/mine/items.json", "mine");
  ASSERT_EQ(DumpInto("new"), "one 1, two 1");
  EXPECT_EQ(DumpInto("out", {.overwrites = true}), "one 1, two 1");
  EXPECT_EQ(Read("out/mine/table.json") + Read("out/mine/items.json"), "minemine");
  EXPECT_EQ(Seeded("out"), Seeded("new"));
}

TEST_F(DumpFolderTest, AnUnfinishedDumpStaysUnfinishedWhenTheNextFails) {
  Write("out/hashrange-dump.json.partial", "");
  Write("out/one/table.json", "half");
  Write("out/one/items.json.partial/x", "");
  EXPECT_EQ(DumpInto("out"),
            "400 out/one/items.json.partial: it cannot be written: Is a directory");
  EXPECT_EQ(Seeded("out"), "refused");
}

TEST_F(DumpFolderTest, FilesAreOfTheServersUserAlone) {
  const mode_t mask = ::umask(0);
  EXPECT_EQ(DumpInto("new/dump"), "one 1, two 1");
  ::umask(mask);
  for (const auto& entry : fs::recursive_directory_iterator(folder() / "new")) {
    EXPECT_EQ(entry.status().permissions(), entry.is_directory()
                                                ? fs::perms::owner_all
                                                : fs::perms::owner_read | fs::perms::owner_write)
        << entry.path();
  }
}

TEST_F(DumpFolderTest, NothingIsWrittenThroughWhatAnotherUserPrepared) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root makes files of another user";
  constexpr uid_t kOther = 4242;
  const auto give = [this](const fs::path& path) {
    ASSERT_EQ(::fchownat(AT_FDCWD, (folder() / path).c_str(), kOther, kOther, AT_SYMLINK_NOFOLLOW),
              0);
  };
  Write("precious", "mine");
  // A folder in which everybody may write has links in the place of all files.
  fs::create_directories(folder() / "open/one");
  for (const char* name : {"hashrange-dump.json.partial", "one/items.json.partial",
                           "one/table.json.partial", "one/items.json", "two"}) {
    fs::create_symlink(folder() / "precious", folder() / "open" / name);
    give(fs::path("open") / name);
  }
  for (const mode_t mode : {0777, 01777}) {
    ASSERT_EQ(::chmod((folder() / "open").c_str(), mode), 0);
    ASSERT_EQ(::chmod((folder() / "open/one").c_str(), mode), 0);
    EXPECT_EQ(DumpInto("open", {.overwrites = true}),
              mode == 0777
                  ? "400 open: other users may write to the folder open, whose mode is 0777: use "
                    "another folder, or take this right from them with chmod go-w"
                  : "400 open/hashrange-dump.json.partial: it belongs to another user");
  }
  // A folder of the other user, in a folder in which everybody may make one.
  fs::remove(folder() / "open/hashrange-dump.json.partial");
  fs::remove(folder() / "open/two");
  give("open/one");
  EXPECT_EQ(DumpInto("open", {.overwrites = true}),
            "400 open/one: the folder open/one belongs to another user: use a folder of your own, "
            "or run this program as that user");
  EXPECT_EQ(Read("precious"), "mine");
}

}  // namespace
}  // namespace hashrange
