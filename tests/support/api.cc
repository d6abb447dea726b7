#include "support/api.h"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "wire/shape.h"

namespace hashrange {
namespace {

// Returns a string member of an error body; empty without one.
std::string MemberText(const rapidjson::Document& body, const char* member) {
  if (!body.IsObject() || !body.HasMember(member) || !body[member].IsString()) return {};
  return {body[member].GetString(), body[member].GetStringLength()};
}

std::string ErrorMessage(const rapidjson::Document& body) {
  const std::string message = MemberText(body, "message");
  return message.empty() ? MemberText(body, "Message") : message;
}

// Returns the target header of an operation. An operation of no API gets the prefix of the main
// API.
std::string TargetHeader(std::string_view operation) {
  const OperationShape* const shape = FindOperationShape(operation);
  return std::string(shape ? shape->api : "DynamoDB_20120810").append(".").append(operation);
}

}  // namespace

Api::Api(Dispatcher::Options options, StreamOptions stream_options)
    : streams_(clock_, stream_options),
      dispatcher_(engine_, streams_, (options.time_to_live = &time_to_live_, options)) {
  engine_.AddObserver(streams_);
  SignAs("AKIDEXAMPLE", "us-east-1");
}

void Api::SignAs(std::string_view access_key, std::string_view region) {
  authorization_ = std::string("AWS4-HMAC-SHA256 Credential=")
                       .append(access_key)
                       .append("/20260101/")
                       .append(region)
                       .append("/dynamodb/aws4_request, SignedHeaders=host, Signature=00");
}

Api::Reply Api::Call(std::string_view operation, std::string_view json) {
  std::string body(json);
  body.push_back('\0');
  const std::string target = TargetHeader(operation);
  ApiRequest request;
  request.target = target;
  request.authorization = authorization_;
  request.has_date = true;
  request.pattern = pattern_;
  request.body = {body.data(), body.size() - 1};
  OutputBuffer out;
  const ApiAnswer answer = dispatcher_.Handle(request, out);
  return {answer.http_status, std::string(out.view()), answer.send_after_ms, answer.drop};
}

std::string Api::Ok(std::string_view operation, std::string_view json) {
  Reply reply = Call(operation, json);
  EXPECT_EQ(reply.http_status, 200) << operation << " " << json << "\n" << reply.body;
  return std::move(reply.body);
}

void Api::Answers(std::string_view operation, std::string_view json, std::string_view answer) {
  const std::string body = Ok(operation, json);
  EXPECT_TRUE(SameJson(body, answer))
      << operation << " " << json << "\n  answered " << body << "\n  expected " << answer;
}

std::string Api::Fails(std::string_view operation, std::string_view json, std::string_view type,
                       std::string_view message) {
  Reply reply = Call(operation, json);
  EXPECT_NE(reply.http_status, 200) << operation << " " << json << "\n" << reply.body;
  rapidjson::Document body;
  body.Parse(reply.body.data(), reply.body.size());
  const std::string full_type = MemberText(body, "__type");
  EXPECT_EQ(full_type.substr(full_type.find('#') + 1), type) << operation << " " << json;
  EXPECT_EQ(ErrorMessage(body), message) << operation << " " << json;
  return std::move(reply.body);
}

bool SameJson(std::string_view a, std::string_view b) {
  rapidjson::Document x, y;
  x.Parse(a.data(), a.size());
  y.Parse(b.data(), b.size());
  EXPECT_FALSE(x.HasParseError()) << a;
  EXPECT_FALSE(y.HasParseError()) << b;
  return x == y;
}

}  // namespace hashrange
