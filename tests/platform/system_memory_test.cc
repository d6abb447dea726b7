#include "platform/memory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace hashrange {
namespace {

namespace fs = std::filesystem;

class SystemMemoryTest : public testing::Test {
 protected:
  void SetUp() override { fs::remove_all(root_); }
  void TearDown() override { fs::remove_all(root_); }

  void Write(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text << "\n";
  }

  const fs::path root_ = fs::path(testing::TempDir()) / "system_memory_test";
  const std::int64_t machine_ = MemoryOfSystem(root_);  // of a system without files
};

TEST_F(SystemMemoryTest, WithoutAGroupItIsTheMachines) {
  EXPECT_GT(machine_, 64 << 20);
  Write("proc/self/cgroup", "0::/");
  Write("sys/fs/cgroup/memory.max", "max");
  EXPECT_EQ(MemoryOfSystem(root_), machine_);
}

TEST_F(SystemMemoryTest, VersionTwoIsTheLeastOfTheGroupAndThoseAboveIt) {
  Write("proc/self/cgroup", "0::/system.slice/app.service");
  Write("sys/fs/cgroup/system.slice/memory.max", "33554432");
  Write("sys/fs/cgroup/system.slice/app.service/memory.max", "max");
  EXPECT_EQ(MemoryOfSystem(root_), 33'554'432);
  Write("sys/fs/cgroup/system.slice/app.service/memory.max", "16777216");
  EXPECT_EQ(MemoryOfSystem(root_), 16'777'216);
}

TEST_F(SystemMemoryTest, VersionOneIsTheGroupOfTheMemoryController) {
  Write("proc/self/cgroup", "12:cpu,cpuacct:/a\n7:memory:/docker/abc\n1:name=systemd:/a\n0::/a");
  Write("sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "20971520");
  Write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
  Write("sys/fs/cgroup/cpu,cpuacct/a/memory.limit_in_bytes", "1");
  EXPECT_EQ(MemoryOfSystem(root_), 20'971'520);
}

TEST_F(SystemMemoryTest, InAContainerTheGroupIsTheTopOne) {
  Write("proc/self/cgroup", "7:blkio,memory:/docker/abc");
  Write("sys/fs/cgroup/memory/memory.limit_in_bytes", "25165824");
  EXPECT_EQ(MemoryOfSystem(root_), 25'165'824);
}

TEST_F(SystemMemoryTest, ALimitAboveTheMachinesMemoryIsNone) {
  Write("proc/self/cgroup", "0::/");
  Write("sys/fs/cgroup/memory.max", "9223372036854771712");
  EXPECT_EQ(MemoryOfSystem(root_), machine_);
}

}  // namespace
}  // namespace hashrange
