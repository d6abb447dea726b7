#include "mcp/report_folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace hashrange {
namespace {

namespace fs = std::filesystem;

class ReportFolderTest : public testing::Test {
 protected:
  ReportFolderTest() {
    std::string form = (fs::temp_directory_path() / "report-folder-XXXXXX").string();
    EXPECT_TRUE(::mkdtemp(form.data()));
    folder_ = form;
  }
  ~ReportFolderTest() override { fs::remove_all(folder_); }

  fs::path folder_;
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
            "cannot write " + (folder_ / "file" / "below").string() + ": Not a directory");
}

}  // namespace
}  // namespace hashrange
