// TemporaryFolder: an empty folder for one test, which is removed with the object.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace hashrange::test {

class TemporaryFolder {
 public:
  // Throws, so that the test fails, when no folder can be made.
  TemporaryFolder() {
    std::string form = ::testing::TempDir() + "hashrange-XXXXXX";
    if (mkdtemp(form.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = form;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace hashrange::test
