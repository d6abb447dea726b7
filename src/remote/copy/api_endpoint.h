// ApiEndpoint: where a copy reads tables from or writes them to, as something that answers calls of
// the DynamoDB API. There are two kinds:
//
//   ClientEndpoint   a service that is called over HTTP (client_endpoint.h)
//   SeededEndpoint   the files of a folder, in a database of this process (seeded_endpoint.h)
//
// Thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "remote/client/service_client.h"

namespace hashrange {

class ApiEndpoint {
 public:
  virtual ~ApiEndpoint() = default;
  // Makes one call, and waits for its answer.
  virtual ServiceReply Call(std::string_view operation, std::string json) = 0;
  // Returns how sentences name it: "https://dynamodb.eu-west-1.amazonaws.com",
  // "http://127.0.0.1:8000 (us-east-1)", "./dump".
  virtual const std::string& name() const = 0;
  // Whether its tables outlive this process, with their TableIds.
  virtual bool keeps_tables() const { return true; }
};

}  // namespace hashrange
