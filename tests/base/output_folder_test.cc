#include "base/output_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/temporary_folder.h"

namespace hashrange {
namespace {

namespace fs = std::filesystem;

constexpr uid_t kOtherUser = 4242;
constexpr gid_t kOtherGroup = 4243;

// A folder with a file of the user that nothing may change, and whatever a test makes.
class OutputTest : public testing::Test {
 protected:
  OutputTest() : umask_(::umask(0)) { Write("precious", "mine"); }
  ~OutputTest() override { ::umask(umask_); }

  fs::path Path(const fs::path& name) const { return folder_ / name; }
  void Write(const fs::path& name, const std::string& text) const {
    std::ofstream(Path(name)) << text;
  }
  std::string Read(const fs::path& name) const {
    std::ifstream file(Path(name));
    return file ? std::string(std::istreambuf_iterator<char>(file), {}) : "none";
  }
  void MakeFolder(const fs::path& name, mode_t mode) const {
    fs::create_directory(Path(name));
    ASSERT_EQ(::chmod(Path(name).c_str(), mode), 0);
  }
  // Returns "0600" for a file with this mode.
  std::string Mode(const fs::path& name) const {
    struct stat facts {};
    EXPECT_EQ(::lstat(Path(name).c_str(), &facts), 0) << name;
    char text[8];
    std::snprintf(text, sizeof text, "%04o", static_cast<unsigned>(facts.st_mode & 07777));
    return text;
  }
  void GiveToOther(const fs::path& name) const {
    ASSERT_EQ(
        ::fchownat(AT_FDCWD, Path(name).c_str(), kOtherUser, kOtherGroup, AT_SYMLINK_NOFOLLOW), 0);
  }
  void GiveToOtherGroup(const fs::path& name) const {
    ASSERT_EQ(::chown(Path(name).c_str(), ::geteuid(), kOtherGroup), 0);
  }
  // Returns the names of what is in the folder, without "precious".
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      const std::string name = entry.path().lexically_relative(folder_).string();
      if (name != "precious") names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  // Returns the message without the folder, or "done".
  template <typename T>
  std::string Said(const T& result) const {
    if (result.ok()) return "done";
    std::string text = result.error().message;
    for (auto at = text.find(folder_.string() + "/"); at != text.npos;
         at = text.find(folder_.string() + "/")) {
      text.erase(at, folder_.string().size() + 1);
    }
    return text;
  }
  std::string Open(const fs::path& name) const { return Said(OutputFolder::Open(Path(name))); }
  std::string Make(const fs::path& name) const { return Said(OutputFolder::Make(Path(name))); }
  std::string WriteOutput(const fs::path& name, const std::string& text = "text") const {
    auto file = OutputFile::Open(Path(name));
    return file.ok() ? Said(file->WriteWhole(text)) : Said(file);
  }

  static bool IsRoot() { return ::geteuid() == 0; }

 private:
  const mode_t umask_;
  const test::TemporaryFolder temporary_;
  const fs::path folder_ = fs::canonical(temporary_.path());
};

#define SKIP_UNLESS_ROOT() \
  if (!IsRoot()) GTEST_SKIP() << "only root makes files of another user"

TEST_F(OutputTest, WhatIsMadeIsOfItsUserAloneWhateverTheUmask) {
  for (const mode_t mask : {0000, 0022, 0077, 0777}) {
    ::umask(mask);
    auto folder = OutputFolder::Make(Path("a/b"));
    ASSERT_TRUE(folder.ok()) << folder.error().message;
    EXPECT_TRUE(folder->Create("new").ok());
    EXPECT_TRUE(folder->Replace("new").ok());
    EXPECT_TRUE(folder->WriteFile("whole", "text").ok());
    EXPECT_TRUE(folder->MakeFolder("c").ok());
    EXPECT_EQ(WriteOutput("a/named"), "done");
    {
      auto file = OutputFile::Make(Path("a/made"));
      ASSERT_TRUE(file.ok());
      EXPECT_TRUE(file->WriteWhole("x").ok());
    }
    ::umask(0);
    EXPECT_EQ(Names(), (std::vector<std::string>{"a", "a/b", "a/b/c", "a/b/new", "a/b/whole",
                                                 "a/made", "a/named"}));
    for (const char* made : {"a", "a/b", "a/b/c"}) EXPECT_EQ(Mode(made), "0700") << made;
    for (const char* made : {"a/b/new", "a/b/whole", "a/made", "a/named"}) {
      EXPECT_EQ(Mode(made), "0600") << made;
    }
    fs::remove_all(Path("a"));
  }
}

TEST_F(OutputTest, AFolderOfAnotherUserIsRefused) {
  SKIP_UNLESS_ROOT();
  MakeFolder("theirs", 0755);
  GiveToOther("theirs");
  const std::string why =
      ": the folder theirs belongs to another user: use a folder of your own, or run this program "
      "as that user";
  EXPECT_EQ(Open("theirs"), "theirs" + why);
  EXPECT_EQ(Make("theirs"), "theirs" + why);
  EXPECT_EQ(Make("theirs/new/folder"), "theirs/new/folder" + why);
  EXPECT_EQ(WriteOutput("theirs/file"), "theirs/file" + why);
  EXPECT_EQ(Said(OutputFile::Make(Path("theirs/file"))), "theirs/file" + why);
  EXPECT_EQ(Names(), std::vector<std::string>{"theirs"});
}

TEST_F(OutputTest, AFolderToWhichOthersMayWriteIsRefused) {
  MakeFolder("open", 0777);
  const std::string why =
      ": other users may write to the folder open, whose mode is 0777: use another folder, or take "
      "this right from them with chmod go-w";
  EXPECT_EQ(Open("open"), "open" + why);
  EXPECT_EQ(Make("open/new"), "open/new" + why);
  EXPECT_EQ(WriteOutput("open/file"), "open/file" + why);
  EXPECT_EQ(Names(), std::vector<std::string>{"open"});
  MakeFolder("mine", 0700);
  MakeFolder("open/mine", 0700);
  EXPECT_EQ(Open("open/mine"), "done");  // what matters is the folder with the files
}

TEST_F(OutputTest, AGroupCountsAsOthersUnlessItIsTheUsersOwn) {
  SKIP_UNLESS_ROOT();
  MakeFolder("group", 0775);
  EXPECT_EQ(Open("group"), "done");  // the group has the user's number
  GiveToOtherGroup("group");
  EXPECT_EQ(Open("group"),
            "group: other users may write to the folder group, whose mode is 0775: use another "
            "folder, or take this right from them with chmod go-w");
  ASSERT_EQ(::chmod(Path("group").c_str(), 0755), 0);
  EXPECT_EQ(Open("group"), "done");
}

TEST_F(OutputTest, AStickyFolderIsUsedButNotWhatOthersHaveThere) {
  SKIP_UNLESS_ROOT();
  MakeFolder("shared", 01777);
  EXPECT_EQ(Make("shared/mine"), "done");
  EXPECT_EQ(WriteOutput("shared/file"), "done");
  MakeFolder("shared/theirs", 0755);
  GiveToOther("shared/theirs");
  EXPECT_EQ(Make("shared/theirs"),
            "shared/theirs: the folder shared/theirs belongs to another user: use a folder of your "
            "own, or run this program as that user");
  Write("shared/old", "theirs");
  GiveToOther("shared/old");
  auto folder = OutputFolder::Open(Path("shared"));
  ASSERT_TRUE(folder.ok());
  EXPECT_TRUE(folder->is_shared());
  EXPECT_TRUE(folder->WriteFile("mine.txt", "text").ok());
  const std::string why = "shared/old: it belongs to another user";
  EXPECT_EQ(Said(folder->CheckOwner("old")), why);
  EXPECT_EQ(Said(folder->WriteFile("old", "new")), why);
  EXPECT_EQ(Said(folder->Replace("old")), why);
  EXPECT_EQ(Said(folder->RemoveFile("old")), why);
  EXPECT_EQ(Said(folder->Rename("mine.txt", "old")), why);
  EXPECT_EQ(Said(folder->OpenFile("old")), why);
  EXPECT_EQ(WriteOutput("shared/old"), why);
  EXPECT_EQ(Read("shared/old"), "theirs");
}

TEST_F(OutputTest, AFileThatIsMadeFollowsNoLink) {
  MakeFolder("dump", 0700);
  auto folder = OutputFolder::Open(Path("dump"));
  ASSERT_TRUE(folder.ok());
  for (const char* name : {"new", "replaced", "whole"}) {
    fs::create_symlink(Path("precious"), Path("dump") / name);
  }
  EXPECT_EQ(folder->Create("new").error().code, ErrorCode::kResourceInUseException);
  EXPECT_TRUE(folder->Replace("replaced").ok());
  EXPECT_TRUE(folder->WriteFile("whole", "text").ok());
  EXPECT_EQ(Said(folder->OpenFile("new")), "dump/new: it is a link");
  fs::create_directory_symlink(Path(""), Path("dump/folder"));
  EXPECT_EQ(Said(folder->OpenFolder("folder")), "dump/folder: it is a link");
  EXPECT_EQ(Said(folder->MakeFolder("folder")), "dump/folder: it is a link");
  EXPECT_EQ(Read("precious"), "mine");
  EXPECT_EQ(Mode("dump/replaced") + Mode("dump/whole"), "06000600");
}

TEST_F(OutputTest, AFileThatIsContinuedIsARegularFileOfTheUser) {
  auto folder = OutputFolder::Open(Path(""));
  ASSERT_TRUE(folder.ok());
  EXPECT_EQ(folder->OpenFile("none").error().code, ErrorCode::kResourceNotFoundException);
  EXPECT_TRUE(folder->OpenFile("precious").ok());
  fs::create_hard_link(Path("precious"), Path("second"));
  EXPECT_TRUE(folder->OpenFile("second").ok());
  MakeFolder("shared", 01777);
  fs::create_hard_link(Path("precious"), Path("shared/third"));
  auto shared = OutputFolder::Open(Path("shared"));
  ASSERT_TRUE(shared.ok());
  EXPECT_EQ(Said(shared->OpenFile("third")), "shared/third: the file has another name as well");
  MakeFolder("folder", 0700);
  EXPECT_EQ(Said(folder->OpenFile("folder")), "folder: it is a folder");
  ASSERT_EQ(::mkfifo(Path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(Said(folder->OpenFile("pipe")), "pipe: it is no regular file");
  if (!IsRoot()) return;
  Write("theirs", "");
  GiveToOther("theirs");
  EXPECT_EQ(Said(folder->OpenFile("theirs")), "theirs: it belongs to another user");
}

TEST_F(OutputTest, LinksAreFollowedOnlyWhereNobodyElseMakesThem) {
  MakeFolder("real", 0700);
  fs::create_directory_symlink("real", Path("link"));
  fs::create_directory_symlink(Path("link"), Path("link-to-link"));
  EXPECT_EQ(Make("link-to-link/new"), "done");
  EXPECT_EQ(WriteOutput("link/file"), "done");
  EXPECT_EQ(Read("real/file"), "text");
  MakeFolder("shared", 01777);
  fs::create_directory_symlink(Path("real"), Path("shared/link"));
  const std::string why =
      ": link is a link, and other users may write to the folder shared, whose mode is 1777: such "
      "links are not followed";
  EXPECT_EQ(Open("shared/link"), "shared/link" + why);
  EXPECT_EQ(Make("shared/link/more"), "shared/link/more" + why);
  EXPECT_EQ(WriteOutput("shared/link/file"), "shared/link/file" + why);
  fs::create_directory_symlink("circle", Path("circle"));
  EXPECT_EQ(Open("circle"), "circle: it cannot be written: Too many levels of symbolic links");
  if (!IsRoot()) return;
  MakeFolder("theirs", 0755);
  fs::create_directory_symlink(Path("real"), Path("theirs/link"));
  GiveToOther("theirs");
  EXPECT_EQ(Open("theirs/link"),
            "theirs/link: link is a link in the folder theirs, which belongs to another user: such "
            "links are not followed");
}

TEST_F(OutputTest, FoldersThatCannotBeMadeAreNamedAndUnmade) {
  Write("file", "");
  EXPECT_EQ(Make("file"), "file: it cannot be written: Not a directory");
  EXPECT_EQ(Make("file/below"), "file/below: it cannot be written: Not a directory");
  EXPECT_EQ(Make("new/" + std::string(300, 'x')),
            "new/" + std::string(300, 'x') + ": it cannot be written: File name too long");
  EXPECT_EQ(Names(), std::vector<std::string>{"file"});
  EXPECT_EQ(OutputFolder::Open(Path("none")).error().code, ErrorCode::kResourceNotFoundException);
  auto refused = OutputFolder::Make(Path("new"), [](int) { return false; });
  EXPECT_EQ(Said(refused), "new: it cannot be written: Permission denied");
  auto made = OutputFolder::Make(Path("a/../b/c/"));
  ASSERT_TRUE(made.ok()) << made.error().message;
  EXPECT_EQ(Names(), (std::vector<std::string>{"a", "b", "b/c", "file"}));
  made->Unmake();
  EXPECT_EQ(Names(), std::vector<std::string>{"file"});
}

TEST_F(OutputTest, TheOldContentIsReplacedWhenTheNewOneIsComplete) {
  Write("result", "an old and long text");
  {
    auto file = OutputFile::Open(Path("result"));
    ASSERT_TRUE(file.ok());
    EXPECT_TRUE(file->Write("new").ok());
    EXPECT_TRUE(file->Write(" text").ok());
    EXPECT_EQ(Read("result"), "an old and long text");
    EXPECT_TRUE(file->Finish().ok());
  }
  EXPECT_EQ(Read("result"), "new text");
  {
    auto file = OutputFile::Open(Path("result"));
    ASSERT_TRUE(file.ok());
    EXPECT_TRUE(file->Write("half").ok());
  }
  EXPECT_EQ(Read("result"), "new text");
  EXPECT_EQ(WriteOutput("empty", ""), "done");
  EXPECT_EQ(Names(), (std::vector<std::string>{"empty", "result"}));
}

TEST_F(OutputTest, WithoutAResultEverythingStays) {
  Write("old", "text");
  {
    const auto first = OutputFile::Open(Path("old"));
    const auto second = OutputFile::Open(Path("new"));
    EXPECT_TRUE(first.ok() && second.ok());
    const auto made = OutputFile::Make(Path("made"));
    EXPECT_EQ(Read("made"), "");
  }
  EXPECT_EQ(Read("old"), "text");
  EXPECT_EQ(Names(), std::vector<std::string>{"old"});
}

TEST_F(OutputTest, AnOutputThatIsALinkChangesTheFileThatItNames) {
  Write("real", "old");
  fs::create_symlink("real", Path("link"));
  EXPECT_EQ(WriteOutput("link"), "done");
  EXPECT_EQ(Read("real"), "text");
  EXPECT_TRUE(fs::is_symlink(Path("link")));
  MakeFolder("shared", 01777);
  fs::create_symlink(Path("precious"), Path("shared/link"));
  EXPECT_EQ(WriteOutput("shared/link"),
            "shared/link: link is a link, and other users may write to the folder shared, whose "
            "mode is 1777: such links are not followed");
  EXPECT_EQ(Said(OutputFile::Make(Path("shared/link"))),
            "shared/link: it cannot be written: File exists");
  EXPECT_EQ(Read("precious"), "mine");
}

TEST_F(OutputTest, PipesAndDevicesAreWrittenTo) {
  ASSERT_EQ(::mkfifo(Path("pipe").c_str(), 0600), 0);
  const Descriptor reader(::open(Path("pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  EXPECT_EQ(WriteOutput("pipe"), "done");
  char text[8] = {};
  EXPECT_EQ(::read(reader.number(), text, sizeof text), 4);
  EXPECT_EQ(std::string(text), "text");
  EXPECT_EQ(WriteOutput("/dev/null"), "done");
  EXPECT_EQ(WriteOutput("/dev/full"), "/dev/full: it cannot be written: No space left on device");
  int ends[2] = {};
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const Descriptor read_end(ends[0]);
  const Descriptor write_end(ends[1]);
  EXPECT_EQ(WriteOutput("/dev/fd/" + std::to_string(ends[1]), "more"), "done");
  EXPECT_EQ(::read(ends[0], text, sizeof text), 4);
  EXPECT_EQ(std::string(text, 4), "more");
  if (!IsRoot()) return;
  GiveToOther("pipe");
  EXPECT_EQ(WriteOutput("pipe"), "pipe: it is a pipe of another user");
}

TEST_F(OutputTest, AnOutputThatCannotBeWrittenIsNamed) {
  EXPECT_EQ(WriteOutput("no/such/folder"),
            "no/such/folder: it cannot be written: No such file or directory");
  EXPECT_EQ(WriteOutput("folder/"), "folder/: it cannot be written: Is a directory");
  MakeFolder("folder", 0700);
  EXPECT_EQ(WriteOutput("folder"), "folder: it cannot be written: Is a directory");
  EXPECT_EQ(Said(OutputFile::Make(Path("precious"))),
            "precious: it cannot be written: File exists");
  auto file = OutputFile::Open(Path("new"));
  ASSERT_TRUE(file.ok());
  MakeFolder("new", 0700);
  EXPECT_EQ(Said(file->WriteWhole("text")), "new: it cannot be written: Is a directory");
}

TEST_F(OutputTest, AnOutputThatFailsIsNotLeft) {
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  for (const bool is_new : {false, true}) {
    auto file = is_new ? OutputFile::Make(Path("new")) : OutputFile::Open(Path("new"));
    ASSERT_TRUE(file.ok());
    const rlimit nothing = {.rlim_cur = 0, .rlim_max = before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &nothing), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const Status written = file->WriteWhole("text");
    std::signal(SIGXFSZ, handler);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    EXPECT_EQ(Said(written), "new: it cannot be written: File too large");
    ASSERT_FALSE(written.ok());
    EXPECT_EQ(written.error().code, ErrorCode::kInternalServerError);
  }
  EXPECT_EQ(Names(), std::vector<std::string>{});
}

}  // namespace
}  // namespace hashrange
