#include "remote/copy/copy_state.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace hashrange {
namespace {

CopyState SampleState() {
  return {.from = "https://source",
          .to = "./dump",
          .compresses = true,
          .usd = 0.25,
          .tables = {{.name = "app",
                      .target = "new",
                      .stage = CopyStage::kItems,
                      .existed = true,
                      .had_items = false,
                      .source_id = "arn:1 id",
                      .target_id = "arn:2",
                      .difference = "app: it differs",
                      .digest = ItemDigest(7, 1, 0xabcdef),
                      .file_bytes = 12,
                      .segments = {{.next_key = R"({"pk":{"S":"\"ü"}})"}, {}, {.is_done = true}}},
                     {.name = "two", .target = "two"}}};
}

constexpr const char* kSampleText =
    R"({"version":1,"from":"https://source","to":"./dump","gzip":true,"usd":0.25,"tables":[)"
    R"({"name":"app","target":"new","stage":"items","existed":true,"had_items":false,)"
    R"("source_id":"arn:1 id","target_id":"arn:2",)"
    R"("difference":"app: it differs","items":7,)"
    R"("digest":"00000000000000010000000000abcdef","file_bytes":12,"segments":[)"
    R"({"next_key":{"pk":{"S":"\"ü"}}},{},{"is_done":true}]},)"
    R"({"name":"two","target":"two","stage":"waiting","existed":false,"had_items":false,)"
    R"("source_id":"","target_id":"","difference":"",)"
    R"("items":0,)"
    R"("digest":"00000000000000000000000000000000","file_bytes":0,"segments":[]}]})"
    "\n";

TEST(CopyState, IsWrittenAndRead) {
  EXPECT_EQ(CopyStateText(SampleState()), kSampleText);
  std::string text = kSampleText;
  const auto state = ParseCopyState(text);
  ASSERT_TRUE(state.ok());
  EXPECT_TRUE(*state == SampleState());
}

TEST(CopyState, AFileThatExistsIsNotReplaced) {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / ("copy_state_" + std::to_string(::getpid()));
  const auto first = CopyStateFile::Begin(path, SampleState());
  ASSERT_TRUE(first.ok()) << first.error().message;
  const auto second = CopyStateFile::Begin(path, {});
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().message, path.string() + ": there is such a file already");
  EXPECT_TRUE((*first)->UpdateNow([](CopyState& state) { state.usd = 7; }).ok());
  const auto third = CopyStateFile::Continue(path);
  ASSERT_FALSE(third.ok());
  EXPECT_EQ(third.error().message, path.string() + ": another copy is using it");
  (*first)->Remove();
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(CopyState, AnErrorNamesTheFileThatCannotBeWritten) {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / ("copy_unwritten_" + std::to_string(::getpid()));
  const auto file = CopyStateFile::Begin(path, SampleState());
  ASSERT_TRUE(file.ok()) << file.error().message;
  const std::filesystem::path next = path.string() + ".new";
  std::filesystem::create_directory(next);
  const Status refused = (*file)->UpdateNow([](CopyState& state) { state.usd = 7; });
  std::filesystem::remove(next);
  (*file)->Remove();
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kInternalServerError);
  EXPECT_EQ(refused.error().message, next.string() + ": it cannot be written: Is a directory");
}

// Returns "{},{},…".
std::string Segments(int count) {
  std::string text = "{}";
  for (int i = 1; i < count; ++i) text += ",{}";
  return text;
}

TEST(CopyState, AnyOtherTextIsRefused) {
  const std::string whole = kSampleText;
  const auto with = [&whole](const std::string& from, const std::string& to) {
    std::string text = whole;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  for (std::string text :
       {std::string(), std::string("[]"), std::string("{}"), whole.substr(0, whole.size() / 2),
        with("\"version\":1", "\"version\":2"), with("\"stage\":\"items\"", "\"stage\":\"half\""),
        with("\"items\":7", "\"items\":-7"), with("\"source_id\":\"", "\"source_is\":\""),
        with("\"usd\":0.25", "\"usd\":\"much\""), with("abcdef\"", "abcdeg\""),
        with("\"name\":\"app\"", "\"name\":\"../app\""), with("{\"pk\":{\"S\":\"\\\"ü\"}}", "7"),
        with("\"segments\":[]", "\"segments\":{}"), with("\"waiting\"", "\"items\""),
        with("{\"is_done\":true}", Segments(257)), with("\"file_bytes\":12", "\"file_bytes\":-1"),
        with("\"gzip\":true", "\"gzip\":1")}) {
    const std::string before = text;
    const auto state = ParseCopyState(text);
    ASSERT_FALSE(state.ok()) << before;
    EXPECT_EQ(state.error().message, "it is no state of a copy");
  }
}

}  // namespace
}  // namespace hashrange
