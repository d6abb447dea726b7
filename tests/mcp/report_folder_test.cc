#include "mcp/report_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "support/temporary_folder.h"

namespace hashrange {
namespace {

namespace fs = std::filesystem;

class ReportFolderTest : public testing::Test {
 protected:
  const test::TemporaryFolder temporary_folder_;
  const fs::path& folder_ = temporary_folder_.path();
};

TEST_F(ReportFolderTest, FilesAreNumbered) {
  const fs::path below = folder_ / "a" / "b";
  ReportFolder reports(below.string());
  EXPECT_FALSE(fs::exists(below));
  EXPECT_EQ(*reports.Write("run.html", "one"), (below / "0001-run.html").string());
  EXPECT_EQ(*reports.Write("run.html", "two"), (below / "0002-run.html").string());
  EXPECT_EQ(fs::status(below / "0002-run.html").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  std::ifstream file(below / "0002-run.html");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "two");
}

TEST_F(ReportFolderTest, FilesThatAreThereStay) {
  std::ofstream(folder_ / "0001-x") << "mine";
  ReportFolder reports(folder_.string());
  EXPECT_EQ(*reports.Write("x", "new"), (folder_ / "0002-x").string());
}

TEST_F(ReportFolderTest, NamesLeadNowhereElse) {
  ReportFolder reports(folder_.string());
  EXPECT_EQ(*reports.Write("../../etc/\xff x", ""), (folder_ / "0001-..-..-etc---x").string());
}

TEST_F(ReportFolderTest, AnErrorSaysWhy) {
  std::ofstream(folder_ / "file") << "";
  ReportFolder reports((folder_ / "file" / "below").string());
  EXPECT_EQ(reports.Write("x", "").error().message,
            (folder_ / "file" / "below").string() + ": it cannot be written: Not a directory");
}

TEST_F(ReportFolderTest, ADirectoryThatCannotHaveReportsIsNamedBeforeTheFirst) {
  const auto refusal = [](const std::string& directory) {
    const Status prepared = ReportFolder(directory).Prepare();
    return prepared.ok() ? "none" : prepared.error().message;
  };
  EXPECT_EQ(refusal(""), "none");
  EXPECT_EQ(refusal((folder_ / "new" / "folder").string()), "none");
  EXPECT_TRUE(fs::is_directory(folder_ / "new" / "folder"));
  EXPECT_EQ(refusal(folder_.string()), "none");
  const std::string file = (folder_ / "file").string();
  std::ofstream(folder_ / "file") << "";
  EXPECT_EQ(refusal(file), file + ": it cannot be written: Not a directory");
  const std::string open = (folder_ / "open").string();
  fs::create_directory(folder_ / "open");
  fs::permissions(folder_ / "open", fs::perms::all);
  EXPECT_EQ(refusal(open), open + ": other users may write to the folder " + open +
                               ", whose mode is 0777: use another folder, or take this right from "
                               "them with chmod go-w");
}

TEST_F(ReportFolderTest, ReportsAreOfTheUserAlone) {
  ReportFolder reports((folder_ / "new").string());
  const std::string file = *reports.Write("x", "text");
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(fs::status(folder_ / "new").permissions(), fs::perms::owner_all);
  ReportFolder temporary("");
  const fs::path other = *temporary.Write("x", "text");
  EXPECT_EQ(fs::status(other.parent_path()).permissions(), fs::perms::owner_all);
  fs::remove_all(other.parent_path());
}

TEST_F(ReportFolderTest, ATextThatFitsStaysAsItIs) {
  ReportFolder reports("/nowhere/at/all");
  EXPECT_EQ(BoundedText("short", reports, "x", 5), "short");
}

TEST_F(ReportFolderTest, ATextThatIsTooLongIsCutBehindALine) {
  const std::string folder = (folder_ / "cut").string();
  ReportFolder reports(folder);
  EXPECT_EQ(BoundedText("one\ntwo\nthree\n", reports, "x.txt", 10),
            "one\ntwo\n… the first 8 of 14 bytes; all of it: " + folder + "/0001-x.txt\n");
  // Without a line end, between two characters.
  EXPECT_EQ(BoundedText("abcü", reports, "x.txt", 4),
            "abc\n… the first 3 of 5 bytes; all of it: " + folder + "/0002-x.txt\n");
}

}  // namespace
}  // namespace hashrange
