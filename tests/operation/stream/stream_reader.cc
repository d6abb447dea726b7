#include "operation/stream/stream_reader.h"

#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>

namespace hashrange::test {
namespace {

using rapidjson::Document;
using rapidjson::Value;

Document Parse(std::string_view json) {
  Document document;
  document.Parse(json.data(), json.size());
  EXPECT_FALSE(document.HasParseError()) << json;
  return document;
}

std::string JsonText(const Value& json) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer writer(buffer);
  json.Accept(writer);
  return {buffer.GetString(), buffer.GetSize()};
}

void ExpectAndRemove(Value& record, const char* member, std::string_view text) {
  ASSERT_TRUE(record.HasMember(member)) << JsonText(record);
  EXPECT_EQ(record[member].GetString(), text);
  record.RemoveMember(member);
}

void RemoveEventId(Value& record) {
  ASSERT_TRUE(record.HasMember("eventID")) << JsonText(record);
  const std::string_view id = record["eventID"].GetString();
  EXPECT_EQ(id.size(), 32u) << id;
  EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string_view::npos) << id;
  record.RemoveMember("eventID");
}

}  // namespace

std::string TextAt(std::string_view json, std::string_view path) {
  const Document document = Parse(json);
  const Value* value = &document;
  while (!path.empty()) {
    const std::string name(path.substr(0, path.find('/')));
    path.remove_prefix(std::min(name.size() + 1, path.size()));
    if (value->IsArray()) {
      const auto index = static_cast<rapidjson::SizeType>(std::stoul(name));
      if (index >= value->Size()) return {};
      value = &(*value)[index];
    } else {
      if (!value->IsObject() || !value->HasMember(name.c_str())) return {};
      value = &(*value)[name.c_str()];
    }
  }
  return value->IsString() ? value->GetString() : JsonText(*value);
}

StreamReader::StreamReader(Api& api, std::string_view table) : api_(api) {
  const std::string request = std::string(R"({"TableName":")").append(table).append("\"}");
  arn_ = TextAt(api_.Ok("DescribeTable", request), "Table/LatestStreamArn");
  EXPECT_NE(arn_, "");
}

std::string StreamReader::ShardId(int shard) {
  const std::string described = api_.Ok("DescribeStream", R"({"StreamArn":")" + arn_ + "\"}");
  return TextAt(described, "StreamDescription/Shards/" + std::to_string(shard) + "/ShardId");
}

std::string StreamReader::IteratorRequest(std::string_view type, std::string_view more, int shard) {
  std::string request = R"({"StreamArn":")" + arn_ + R"(","ShardId":")" + ShardId(shard) +
                        R"(","ShardIteratorType":")" + std::string(type) + "\"";
  if (!more.empty()) request.append(",").append(more);
  return request + "}";
}

std::string StreamReader::Iterator(std::string_view type, std::string_view more, int shard) {
  return TextAt(api_.Ok("GetShardIterator", IteratorRequest(type, more, shard)), "ShardIterator");
}

std::string StreamReader::RecordsRequest(std::string_view iterator, int limit) {
  return std::string(R"({"ShardIterator":")")
      .append(iterator)
      .append(R"(","Limit":)")
      .append(std::to_string(limit))
      .append("}");
}

StreamReader::Page StreamReader::Read(std::string_view iterator, int limit) {
  const std::string body = api_.Ok("GetRecords", RecordsRequest(iterator, limit));
  Document answer = Parse(body);
  Page page;
  page.next = TextAt(body, "NextShardIterator");
  EXPECT_EQ(answer.MemberCount(), page.next.empty() ? 1u : 2u) << body;
  for (Value& record : answer["Records"].GetArray()) {
    RemoveEventId(record);
    ExpectAndRemove(record, "eventVersion", "1.1");
    ExpectAndRemove(record, "eventSource", "aws:dynamodb");
    ExpectAndRemove(record, "awsRegion", "us-east-1");
    ++page.count;
  }
  page.records = JsonText(answer["Records"]);
  return page;
}

void StreamReader::Expect(std::string_view records) {
  const Page page = Read(Iterator("TRIM_HORIZON"));
  EXPECT_TRUE(SameJson(page.records, records))
      << "  read     " << page.records << "\n  expected " << records;
}

}  // namespace hashrange::test
