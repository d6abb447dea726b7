// TransferFixture: a database and a temporary folder, for tests of seeds and dumps.
//
//   Write("users.jsonl", R"({"PK":"a"})");
//   EXPECT_EQ(Load("users.jsonl"), "users 1");                  // tables and how many items
//   EXPECT_EQ(Load("x.csv"), "400 x.csv: there is no header");  // or the error, without the folder
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "base/memory/output_buffer.h"
#include "control/files/dump.h"
#include "control/files/gzip.h"
#include "control/files/seed.h"
#include "support/api.h"
#include "support/temporary_folder.h"

namespace hashrange {
namespace fs = std::filesystem;
namespace test {

inline std::string Gzipped(std::string_view text) {
  OutputBuffer out;
  GzipCompressor compressor;
  compressor.Add(text, out);
  compressor.Finish(out);
  return std::string(out.view());
}

// Returns the definition of a table with the string keys PK and SK, and an index GSI1 on the number
// "age".
inline std::string Definition(std::string_view name) {
  return std::string(R"({"TableName":")")
      .append(name)
      .append(
          R"(","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[)"
          R"({"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"S"},)"
          R"({"AttributeName":"age","AttributeType":"N"}],)"
          R"("KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},)"
          R"({"AttributeName":"SK","KeyType":"RANGE"}],)"
          R"("GlobalSecondaryIndexes":[{"IndexName":"GSI1","KeySchema":[)"
          R"({"AttributeName":"age","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}]})");
}

class TransferFixture : public testing::Test {
 protected:
  const fs::path& folder() const { return folder_; }
  TransferParts parts() { return {api_.engine(), api_.streams(), api_.time_to_live()}; }

  void Write(const fs::path& file, std::string_view text) {
    fs::create_directories((folder_ / file).parent_path());
    std::ofstream(folder_ / file, std::ios::binary) << text;
  }
  std::string Read(const fs::path& file) {
    std::ifstream in(folder_ / file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::string Load(const fs::path& path, SeedRequest request = {}) {
    request.path = path.empty() ? folder_ : folder_ / path;
    return ResultText(hashrange::Seed(parts(), request));
  }
  std::string LoadText(std::string_view text, SeedRequest request = {}) {
    request.data = std::string(text);
    return ResultText(hashrange::Seed(parts(), request));
  }
  std::string DumpInto(const fs::path& path, const DumpRequest& request = {}) {
    return ResultText(hashrange::Dump(parts(), request, folder_ / path));
  }

  // Returns the tables and then the warnings: "users 1; users.json: it is …".
  std::string ResultText(const Result<LoadedSeed>& result) const {
    if (!result.ok()) return ResultText(result.error());
    std::string text = ResultText(Result<std::vector<TransferredTable>>(result->tables));
    for (const std::string& warning : result->warnings) text += "; " + WithoutFolder(warning);
    return text;
  }
  // Returns "users 1, orders 2", or the error as "404 …" without the fixture's folder.
  std::string ResultText(const Result<std::vector<TransferredTable>>& result) const {
    if (!result.ok()) return ResultText(result.error());
    std::string text;
    for (const TransferredTable& table : *result) {
      text.append(text.empty() ? "" : ", ").append(table.name + " " + std::to_string(table.items));
    }
    return text;
  }
  std::string ResultText(const Error& error) const {
    const std::string status = error.code == ErrorCode::kResourceNotFoundException ? "404 "
                               : error.code == ErrorCode::kResourceInUseException  ? "409 "
                               : error.code == ErrorCode::kInternalServerError     ? "500 "
                                                                                   : "400 ";
    return status + WithoutFolder(error.message);
  }
  std::string WithoutFolder(std::string text) const {
    const std::string prefix = folder_.string() + "/";
    for (auto at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) {
      text.erase(at, prefix.size());
    }
    return text;
  }

  Api api_;

 private:
  const TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
};

}  // namespace test
}  // namespace hashrange
