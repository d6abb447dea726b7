#include "remote/client/endpoint_url.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

// Returns "host port path", or the sentence of the error.
std::string Parts(std::string_view text) {
  const auto url = ParseEndpointUrl(text);
  if (!url.ok()) return url.error().message;
  return std::string(url.value().is_tls ? "TLS " : "") + url.value().host + " " +
         std::to_string(url.value().port) + " " + url.value().path;
}

TEST(EndpointUrl, HasHostPortAndPath) {
  EXPECT_EQ(Parts("http://127.0.0.1:8000"), "127.0.0.1 8000 /");
  EXPECT_EQ(Parts("http://LocalHost"), "localhost 80 /");
  EXPECT_EQ(Parts("HTTPS://dynamodb.eu-west-1.amazonaws.com"),
            "TLS dynamodb.eu-west-1.amazonaws.com 443 /");
  EXPECT_EQ(Parts("http://[::1]:8000/db/"), "::1 8000 /db/");
  EXPECT_EQ(Parts("http://[fd00:ec2::23]/v1/credentials"), "fd00:ec2::23 80 /v1/credentials");
}

TEST(EndpointUrl, OtherTextsAreErrors) {
  EXPECT_EQ(Parts("localhost:8000"),
            "\"localhost:8000\" is no endpoint: it begins with http:// or https://");
  EXPECT_EQ(Parts(""), "\"\" is no endpoint: it begins with http:// or https://");
  EXPECT_EQ(Parts("http://"), "\"http://\" is no endpoint: its host has from 1 to 253 characters");
  EXPECT_EQ(Parts("http://a:0"),
            "\"http://a:0\" is no endpoint: its port is a number from 1 to 65535");
  EXPECT_EQ(Parts("http://a:65536"),
            "\"http://a:65536\" is no endpoint: its port is a number from 1 to 65535");
  EXPECT_EQ(Parts("http://a:"),
            "\"http://a:\" is no endpoint: its port is a number from 1 to 65535");
  EXPECT_EQ(Parts("http://me:secret@a"),
            "\"…@a\" is no endpoint: a user's name does not belong into it");
  EXPECT_EQ(Parts("me:secret@a"), "\"…@a\" is no endpoint: it begins with http:// or https://");
  EXPECT_EQ(Parts("http://a\r\nX"),
            "\"http://a\r\nX\" is no endpoint: its host is a name or an IP address");
  EXPECT_EQ(Parts("http://[x]"),
            "\"http://[x]\" is no endpoint: an IPv6 address stands between brackets");
  EXPECT_EQ(Parts("http://a/?x=1"),
            "\"http://a/?x=1\" is no endpoint: its path has letters, digits and the characters "
            "/-._~%: only");
  EXPECT_EQ(Parts("http://a./x:y"), "a 80 /x:y");
}

TEST(EndpointUrl, TheHeaderHostHasThePortWhereItIsUnusual) {
  EXPECT_EQ(ParseEndpointUrl("http://[::1]:8000").value().HostHeader(), "[::1]:8000");
  EXPECT_EQ(ParseEndpointUrl("http://a:80").value().HostHeader(), "a");
  EXPECT_EQ(ParseEndpointUrl("http://a:443").value().HostHeader(), "a:443");
  EXPECT_EQ(ParseEndpointUrl("https://a:443").value().HostHeader(), "a");
  EXPECT_EQ(ParseEndpointUrl("https://a/db").value().Text(), "https://a/db");
  EXPECT_EQ(ParseEndpointUrl("http://a:8000/").value().Text(), "http://a:8000");
}

TEST(EndpointUrl, DynamoDbHasOneInEachRegion) {
  EXPECT_EQ(DynamoDbEndpoint("eu-west-1").value().Text(),
            "https://dynamodb.eu-west-1.amazonaws.com");
  EXPECT_EQ(DynamoDbEndpoint("cn-north-1").value().Text(),
            "https://dynamodb.cn-north-1.amazonaws.com.cn");
  EXPECT_EQ(DynamoDbEndpoint("eusc-de-east-1").value().Text(),
            "https://dynamodb.eusc-de-east-1.amazonaws.eu");
  EXPECT_EQ(DynamoDbEndpoint("eu/west").error().message,
            "\"eu/west\" is no Region: a Region is written as in eu-west-1");
}

TEST(EndpointUrl, AwsIsKnownByItsDomain) {
  const auto region = [](std::string_view text) {
    const EndpointUrl url = ParseEndpointUrl(text).value();
    return std::string(IsAwsEndpoint(url) ? "AWS " : "") + RegionOfEndpoint(url);
  };
  EXPECT_EQ(region("https://dynamodb.eu-west-1.amazonaws.com"), "AWS eu-west-1");
  EXPECT_EQ(region("https://dynamodb.cn-north-1.amazonaws.com.cn"), "AWS cn-north-1");
  EXPECT_EQ(region("https://111122223333.ddb.us-east-1.amazonaws.com"), "AWS us-east-1");
  EXPECT_EQ(region("https://vpce-0a-1b.dynamodb.eu-west-1.vpce.amazonaws.com"), "AWS eu-west-1");
  EXPECT_EQ(region("https://dynamodb.eu-west-1.api.aws"), "AWS eu-west-1");
  EXPECT_EQ(region("https://DynamoDB.eu-west-1.amazonaws.com."), "AWS eu-west-1");
  EXPECT_EQ(region("https://dynamodb.eusc-de-east-1.amazonaws.eu"), "AWS eusc-de-east-1");
  EXPECT_EQ(region("https://streams.dynamodb.eu-west-1.amazonaws.com"), "AWS eu-west-1");
  EXPECT_EQ(region("http://ec2-1-2-3-4.compute-1.amazonaws.com:8000"), "");
  EXPECT_EQ(region("http://my-lb-1.eu-west-1.elb.amazonaws.com"), "");
  EXPECT_EQ(region("https://amazonaws.com"), "");
  EXPECT_EQ(region("http://localhost:8000"), "");
  EXPECT_EQ(region("http://amazonaws.com.example.org"), "");
}

}  // namespace
}  // namespace hashrange
