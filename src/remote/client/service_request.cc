#include "remote/client/service_request.h"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <utility>

#include "base/crc32.h"
#include "remote/client/sigv4.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

constexpr std::string_view kStreamOperations[] = {"DescribeStream", "GetRecords",
                                                  "GetShardIterator", "ListStreams"};

std::string TargetOf(std::string_view operation) {
  const bool is_of_streams =
      std::ranges::find(kStreamOperations, operation) != std::end(kStreamOperations);
  return (is_of_streams ? "DynamoDBStreams_20120810." : "DynamoDB_20120810.") +
         std::string(operation);
}

bool HasWrongChecksum(const HttpAnswer& answer) {
  if (answer.crc32.empty()) return false;
  std::uint32_t announced = 0;
  const char* const end = answer.crc32.data() + answer.crc32.size();
  const auto [stop, failure] = std::from_chars(answer.crc32.data(), end, announced);
  return failure != std::errc() || stop != end || announced != Crc32(answer.body);
}

}  // namespace

std::string ServiceRequestHead(const EndpointUrl& url, std::string_view operation,
                               std::string_view json, std::string_view region,
                               const SigningKeys& keys, std::int64_t epoch_ms) {
  const HeaderFields headers = {{"Host", url.HostHeader()},
                                {"Content-Type", "application/x-amz-json-1.0"},
                                {"X-Amz-Target", TargetOf(operation)}};
  const UnsignedRequest request = {"POST", url.path, headers, json};
  std::string head = "POST " + url.path + " HTTP/1.1\r\n";
  const auto append = [&](const HeaderFields& fields) {
    for (const auto& [name, value] : fields) head.append(name).append(": ").append(value) += "\r\n";
  };
  append(headers);
  append(SignatureHeaders(request, {.region = region, .epoch_ms = epoch_ms}, keys));
  head += "User-Agent: hashrange\r\nContent-Length: " + std::to_string(json.size()) + "\r\n\r\n";
  return head;
}

// Other bodies, of proxies for example, have neither a type nor a message.
void ReadServiceError(ServiceReply& reply) {
  constexpr std::size_t kMostRead = 1 << 20;
  if (reply.body.size() > kMostRead) return;
  const auto json = OwnedJson::Parse(reply.body, JsonDialect::kRequest);
  if (!json.ok()) return;
  reply.error = TextMember(json.value().value(), "__type");
  reply.error.erase(0, reply.error.find('#') + 1);
  reply.message = TextMember(json.value().value(), "message");
  if (reply.message.empty()) reply.message = TextMember(json.value().value(), "Message");
}

ServiceReply ReadServiceAnswer(const EndpointUrl& url, HttpAnswer answer) {
  ServiceReply reply;
  if (answer.status != 0 && HasWrongChecksum(answer)) {
    answer.status = 0;
    answer.failure = {HttpFailure::Kind::kOther, "the checksum of the answer is wrong"};
  }
  if (answer.status == 0) {
    reply.message = url.Text() + " does not answer: " + answer.failure.why;
    return reply;
  }
  reply.status = answer.status;
  reply.body = std::move(answer.body);
  if (!reply.ok()) ReadServiceError(reply);
  return reply;
}

std::int64_t ParseHttpDate(const std::string& date) {
  std::tm parts = {};
  const char* const end = ::strptime(date.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  if (end == nullptr || *end != '\0') return 0;
  return static_cast<std::int64_t>(::timegm(&parts)) * 1000;
}

}  // namespace hashrange
