// A request of the DynamoDB API as bytes, and what its answer says. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "remote/client/credential_source.h"
#include "remote/client/endpoint_url.h"
#include "remote/client/http_connection.h"
#include "remote/client/service_client.h"

namespace hashrange {

// Returns the head of the request for an operation, signed for the time `epoch_ms`.
std::string ServiceRequestHead(const EndpointUrl& url, std::string_view operation,
                               std::string_view json, std::string_view region,
                               const SigningKeys& keys, std::int64_t epoch_ms);

// Returns what an answer says. Without a whole answer, or when its checksum is wrong: a reply with
// status 0. Its message then has the sentence for the user. Attempts and times are left as they
// are.
ServiceReply ReadServiceAnswer(const EndpointUrl& url, HttpAnswer answer);

// Sets the error and the message of a reply by its body:
// {"__type":"com.amazonaws.dynamodb.v20120810#ThrottlingException","message":"…"}.
void ReadServiceError(ServiceReply& reply);

// Returns the milliseconds since 1970 of a header such as "Tue, 15 Nov 1994 08:12:31 GMT"; 0 for
// any other text.
std::int64_t ParseHttpDate(const std::string& date);

}  // namespace hashrange
