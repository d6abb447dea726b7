#include "platform/memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <string>
#include <thread>

#include "support/temporary_folder.h"

namespace hashrange {
namespace {

// A sanitizer's allocator ends the process at the limit.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)

// Of a block of this size, the process has room for one.
constexpr std::size_t kBytes = 512 << 20;

void LimitMemoryTo(std::size_t more_bytes) {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t bytes = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + more_bytes;
  const rlimit limit{bytes, bytes};
  if (::setrlimit(RLIMIT_AS, &limit) != 0) std::_Exit(2);
}

// Ends the process with 0 when a thread waits for a block until there is room for it, while another
// thread is told at once that there is none.
[[noreturn]] void TakeABlockThatIsFreedLater() {
  void* held = ::operator new(kBytes);
  std::atomic<bool> has_limit{false}, is_there{false};
  std::thread waiting([&] {
    WaitForMemoryOnThisThread();
    has_limit.wait(false);
    ::operator delete(::operator new(kBytes));
    is_there = true;
  });
  LimitMemoryTo(kBytes / 2);
  has_limit = true;
  has_limit.notify_one();
  int refusals = 0;
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    void* const more = ::operator new(kBytes, std::nothrow);
    if (!more) ++refusals;
    ::operator delete(more);
  }
  const bool was_early = is_there;
  ::operator delete(held);
  waiting.join();
  std::_Exit(refusals == 20 && !was_early && is_there ? 0 : 1);
}

TEST(WaitForMemory, AnAllocationWaitsUntilThereIsRoom) {
  EXPECT_EXIT(TakeABlockThatIsFreedLater(), testing::ExitedWithCode(0), "");
}

#endif

namespace fs = std::filesystem;

class SystemMemoryTest : public testing::Test {
 protected:
  void Write(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text << "\n";
  }

  const test::TemporaryFolder folder_;
  const fs::path root_ = folder_.path();
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
