// EndpointUrl: where a service is: "https://dynamodb.eu-west-1.amazonaws.com",
// "http://127.0.0.1:8000". Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace hashrange {

struct EndpointUrl {
  bool is_tls = false;
  std::string host = {};  // an IPv6 address stands without brackets
  std::uint16_t port = 0;
  std::string path = "/";

  // Returns the value of the header Host: without the port where it is the usual one.
  std::string HostHeader() const;
  std::string Text() const;
};

// Errors: ValidationException  it is no URL of http or https; the sentence is for the user
Result<EndpointUrl> ParseEndpointUrl(std::string_view text);

// Returns the endpoint of DynamoDB in the Region. Regions of China have a domain of their own.
// Errors: ValidationException  it is not the name of a Region: letters, digits and hyphens
Result<EndpointUrl> DynamoDbEndpoint(std::string_view region);

// Returns whether the endpoint is one of AWS, where calls cost money.
bool IsAwsEndpoint(const EndpointUrl& url);

// Returns the Region in the name of AWS's host; empty where there is none.
std::string RegionOfEndpoint(const EndpointUrl& url);

}  // namespace hashrange
