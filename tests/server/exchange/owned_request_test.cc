#include "server/exchange/owned_request.h"

#include <gtest/gtest.h>

#include <string>

namespace hashrange {
namespace {

TEST(OwnedRequest, HasCopiesOfAllTexts) {
  std::string path = "/p", query = "q", host = "h", type = "t", target = "x", pattern = "y";
  std::string agent = "z", authorization = "auth", origin = "o", body = "body";
  std::string codings = "gzip", etag = "e";
  HttpRequest request;
  request.method = HttpMethod::kPost;
  request.path = path;
  request.query = query;
  request.host = host;
  request.content_type = type;
  request.api_target = target;
  request.pattern = pattern;
  request.user_agent = agent;
  request.authorization = authorization;
  request.origin = origin;
  request.accept_encoding = codings;
  request.if_none_match = etag;
  const OwnedRequest owned(request, body);
  for (std::string* text : {&path, &query, &host, &type, &target, &pattern, &agent, &authorization,
                            &origin, &body, &codings, &etag}) {
    text->assign(text->size(), '?');
  }
  const HttpRequest& copy = owned.request();
  EXPECT_EQ(copy.path, "/p");
  EXPECT_EQ(copy.query, "q");
  EXPECT_EQ(copy.host, "h");
  EXPECT_EQ(copy.content_type, "t");
  EXPECT_EQ(copy.api_target, "x");
  EXPECT_EQ(copy.pattern, "y");
  EXPECT_EQ(copy.user_agent, "z");
  EXPECT_EQ(copy.authorization, "auth");
  EXPECT_EQ(copy.origin, "o");
  EXPECT_EQ(copy.accept_encoding, "gzip");
  EXPECT_EQ(copy.if_none_match, "e");
  EXPECT_EQ(copy.requested_method, std::nullopt);
  EXPECT_EQ(std::string(copy.body.data(), copy.body.size()), "body");
  EXPECT_FALSE(copy.may_leave);
  EXPECT_EQ(copy.method, HttpMethod::kPost);
}

}  // namespace
}  // namespace hashrange
