#include "cli/lab_input.h"

#include <gtest/gtest.h>

#include "cli/stored_files.h"

namespace hashrange {
namespace {

// Returns the sentence about a file that cannot be loaded.
std::string Complaint(const std::string& name) {
  const Result<LabFile> file = LoadLabFile(name);
  return file.ok() ? "it was loaded" : file.error().message;
}

TEST(LabInput, WhatCannotBeReadIsNamedWithTheReason) {
  const StoredFiles files;
  const std::string none = files.Path("none.yaml");
  EXPECT_EQ(Complaint(none), "cannot read " + none + ": No such file or directory");
  const std::string folder = files.Path("");
  EXPECT_EQ(Complaint(folder), "cannot read " + folder + ": Is a directory");
  const std::string inside = files.Add("file", "") + "/a.yaml";
  EXPECT_EQ(Complaint(inside), "cannot read " + inside + ": Not a directory");
}

TEST(LabInput, AnEmptyFileIsReadAndIsEmpty) {
  const StoredFiles files;
  const std::string name = files.Add("empty.yaml", "");
  EXPECT_EQ(Complaint(name), name + ":1:1: the file is empty");
}

TEST(LabInput, WarningsSayThatTheyAreWarnings) {
  const StoredFiles files;
  const std::string name = files.Add("warned.yaml", R"(lab: 1
entities: {Page: {count: 9, attributes: {id: {sequence: 4}, kind: {choice: [a, b]}}}}
access_patterns: {look: {query: Page, by: [{kind: c}], rate: 1/s}}
layouts: {only: {tables: {pages: {key: [id], items: {Page: {}}}}}}
traffic: [{for: 1m, rate: 1}]
)");
  testing::internal::CaptureStderr();
  EXPECT_EQ(Complaint(name), "it was loaded");
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(said.starts_with("hashrange: warning: " + name + ":3:")) << said;
}

TEST(LabInput, UnknownLayoutsAreNamedWithThoseOfTheFile) {
  LabFile file;
  file.layouts = {{.name = "plain"}, {.name = "lines inside"}};
  EXPECT_TRUE(CheckLayoutNames(file, {}).ok());
  EXPECT_TRUE(CheckLayoutNames(file, {"lines inside", "plain"}).ok());
  const Status near = CheckLayoutNames(file, {"plain", "line inside"});
  ASSERT_FALSE(near.ok());
  EXPECT_EQ(near.error().message,
            "unknown layout \"line inside\"; did you mean lines inside? The file has \"plain\", "
            "\"lines inside\"");
  const Status far = CheckLayoutNames(file, {"sharded"});
  ASSERT_FALSE(far.ok());
  EXPECT_EQ(far.error().message,
            "unknown layout \"sharded\". The file has \"plain\", \"lines inside\"");
}

}  // namespace
}  // namespace hashrange
