#include "remote/client/sigv4.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "base/memory/arena.h"
#include "base/text/time_text.h"
#include "support/source_root.h"
#include "wire/json.h"

namespace hashrange {
namespace {

// AWS's published cases (data/sigv4_vectors.json says from where).
class Vectors {
 public:
  Vectors() {
    std::ifstream file(SourceRoot() / "tests/remote/client/data/sigv4_vectors.json");
    text_.assign(std::istreambuf_iterator<char>(file), {});
    const std::size_t size = text_.size();
    text_.push_back('\0');
    const auto json = ParseJson({text_.data(), size}, arena_);
    if (json.ok()) list_ = (*json)->Find("vectors");
  }
  std::span<const JsonValue> list() const {
    return list_ == nullptr ? std::span<const JsonValue>() : list_->elements();
  }

 private:
  Arena arena_;
  std::string text_ = {};
  const JsonValue* list_ = nullptr;
};

std::string Text(const JsonValue& vector, std::string_view name) {
  return std::string(vector.Find(name)->string());
}

// A request as it is written in a case: the first line, header fields, perhaps a body.
struct WrittenRequest {
  std::string method = {};
  std::string target = {};
  HeaderFields headers = {};
  std::string body = {};
};

WrittenRequest ReadRequest(const std::string& text) {
  WrittenRequest request;
  const std::size_t head_end = std::min(text.find("\n\n"), text.size());
  request.body = text.substr(std::min(head_end + 2, text.size()));
  std::string_view head = std::string_view(text).substr(0, head_end);
  bool is_first = true;
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find('\n'));
    head.remove_prefix(std::min(line.size() + 1, head.size()));
    if (is_first) {
      request.method = line.substr(0, line.find(' '));
      const std::size_t begin = request.method.size() + 1;
      request.target = line.substr(begin, line.rfind(' ') - begin);
      is_first = false;
    } else if (line.starts_with(' ')) {  // goes on with the value of the line before
      request.headers.back().second.append("\n").append(line);
    } else if (!line.empty()) {
      const std::size_t colon = line.find(':');
      request.headers.emplace_back(line.substr(0, colon), line.substr(colon + 1));
    }
  }
  return request;
}

TEST(SigV4, SignsAsAwsPublished) {
  const Vectors vectors;
  ASSERT_EQ(vectors.list().size(), 31u);
  for (const JsonValue& vector : vectors.list()) {
    SCOPED_TRACE(Text(vector, "name"));
    WrittenRequest written = ReadRequest(Text(vector, "request"));
    if (vector.Find("sign_body")->type == JsonValue::Type::kTrue) {
      written.headers.emplace_back("x-amz-content-sha256", HexText(Sha256(written.body)));
    }
    const UnsignedRequest request = {written.method, written.target, written.headers, written.body};
    const std::string region = Text(vector, "region");
    const std::string service = Text(vector, "service");
    const std::int64_t epoch_ms = ParseInstant(Text(vector, "time")).value_or(0);
    SigningKeys keys;
    keys.access_key = Text(vector, "access_key");
    keys.secret_key = Text(vector, "secret_key");
    keys.session_token = Text(vector, "session_token");
    if (keys.session_token.empty()) {
      EXPECT_EQ(CanonicalRequest(request, epoch_ms), Text(vector, "canonical_request"));
    }
    const HeaderFields signature = SignatureHeaders(request, {region, service, epoch_ms}, keys);
    EXPECT_THAT(signature.back().second,
                testing::EndsWith(", Signature=" + Text(vector, "signature")));
  }
}

TEST(SigV4, TheHeadersOfACall) {
  const HeaderFields headers = {{"Host", "dynamodb.eu-west-1.amazonaws.com"},
                                {"X-Amz-Target", "DynamoDB_20120810.ListTables"}};
  const SigningKeys keys = {"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "token", 0};
  const HeaderFields signature = SignatureHeaders(
      {"POST", "/", headers, "{}"}, {"eu-west-1", "dynamodb", 1'440'938'160'000}, keys);
  ASSERT_EQ(signature.size(), 3u);
  EXPECT_EQ(signature[0], HeaderFields::value_type("X-Amz-Security-Token", "token"));
  EXPECT_EQ(signature[1], HeaderFields::value_type("X-Amz-Date", "20150830T123600Z"));
  EXPECT_EQ(signature[2].first, "Authorization");
  EXPECT_THAT(signature[2].second,
              testing::StartsWith(
                  "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/eu-west-1/dynamodb/"
                  "aws4_request, SignedHeaders=host;x-amz-date;x-amz-security-token;x-amz-target, "
                  "Signature="));
}

}  // namespace
}  // namespace hashrange
