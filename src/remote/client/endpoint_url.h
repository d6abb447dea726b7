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

// Returns the endpoint of DynamoDB in the Region. Regions of China and of the European Sovereign
// Cloud have domains of their own.
// Errors: ValidationException  it is not the name of a Region
Result<EndpointUrl> DynamoDbEndpoint(std::string_view region);

// Returns whether the text has the form of a Region's name: lower-case letters, digits, hyphens.
bool IsRegionName(std::string_view text);

// Returns whether the endpoint is DynamoDB at AWS, where calls cost money: by the name of its host.
// A server of somebody else on a machine of AWS is none.
bool IsAwsEndpoint(const EndpointUrl& url);

// Returns the Region in the name of AWS's host; empty where there is none.
std::string RegionOfEndpoint(const EndpointUrl& url);

}  // namespace hashrange
