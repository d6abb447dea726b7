#include "server/exchange/router.h"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/checksums.h"
#include "support/raw_client.h"

namespace hashrange {
namespace {

constexpr char kNotFound[] =
    "HTTP/1.1 404 Not Found\r\nServer: Server\r\nDate: <date>\r\nContent-Length: 29\r\n"
    "x-amzn-RequestId: <id>\r\nx-amz-crc32: 3552371480\r\n\r\n<UnknownOperationException/>\n";

const std::string kOk = "HTTP/1.1 200 OK\r\nServer: Server\r\nDate: <date>\r\n";
// The header lines after the allowed origin.
const std::string kExposed =
    "Access-Control-Expose-Headers: "
    "x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,x-amz-crc32,Date\r\n";

// A request with `body` and the writable byte after it.
class RouterTest : public testing::Test {
 protected:
  HttpRequest& Request(HttpMethod method, std::string_view type, std::string_view body) {
    body_ = std::string(body) + '#';
    request_ = {};
    request_.path = "/";
    request_.method = method;
    request_.content_type = type;
    request_.body = {body_.data(), body.size()};
    return request_;
  }

  // Returns the whole answer. The handler echoes the body and overwrites the byte after it.
  std::string Answer(int status = 200, bool close = false, const Routing& routing = {{{}, {}}}) {
    Output out;
    const ApiAnswer answer = RouteRequest(
        [status](const ApiRequest& request, OutputBuffer& bytes) {
          bytes.Append({request.body.data(), request.body.size()});
          request.body.data()[request.body.size()] = '\0';
          ApiAnswer said;
          said.http_status = status;
          return said;
        },
        routing, request_, close, out);
    std::string text(out.pending());
    EXPECT_EQ(text.substr(9, 3), std::to_string(answer.http_status));
    return WithoutIdsAndDates(text);
  }

  std::string body_;
  HttpRequest request_;
};

TEST_F(RouterTest, ApiAnswersHaveTypeLengthIdAndCrc) {
  for (const auto& [status, line] :
       {std::pair(200, "200 OK"), {400, "400 Bad Request"}, {500, "500 Internal Server Error"}}) {
    Request(HttpMethod::kPost, "application/json", "{}");
    EXPECT_EQ(Answer(status),
              "HTTP/1.1 " + std::string(line) +
                  "\r\nServer: Server\r\nDate: <date>\r\nContent-Type: application/json"
                  "\r\nContent-Length: 2\r\n"
                  "x-amzn-RequestId: <id>\r\nx-amz-crc32: 2745614147\r\n\r\n{}");
  }
}

TEST_F(RouterTest, TheByteBehindTheBodyIsRestored) {
  Request(HttpMethod::kPost, "application/json", "{}");
  Answer();
  EXPECT_EQ(body_, "{}#");
}

TEST_F(RouterTest, TheRequestReachesTheHandler) {
  HttpRequest& request = Request(HttpMethod::kPost, "application/json", "{}");
  request.api_target = "target";
  request.authorization = "AWS4";
  request.has_date = true;
  request.host = "localhost:8000";
  request.query = "a=b";
  request.pattern = "pattern";
  request.user_agent = "agent";
  request.connection = 7;
  Output out;
  std::string seen;
  RouteRequest(
      [&seen](const ApiRequest& api, OutputBuffer&) {
        seen.append(api.target).append(" ").append(*api.authorization).append(" ");
        seen.append(api.has_date ? "date " : "")
            .append(api.host)
            .append(" ")
            .append(api.query)
            .append(" ")
            .append(api.pattern)
            .append(" ")
            .append(api.user_agent)
            .append(" ")
            .append(std::to_string(api.connection))
            .append(" ");
        seen.append(api.body.data(), api.body.size());
        return ApiAnswer{};
      },
      Routing{{{}, {}}}, request, false, out);
  EXPECT_EQ(seen, "target AWS4 date localhost:8000 a=b pattern agent 7 {}");
}

TEST_F(RouterTest, TheContentTypeDecidesAndIsEchoed) {
  struct Case {
    const char* sent;
    const char* body;
    const char* answered;  // null: 404
  };
  const Case cases[] = {
      {"application/x-amz-json-1.0", "{}", "application/x-amz-json-1.0"},
      {" application/x-amz-json-1.0 ; charset=utf-8", "{}", "application/x-amz-json-1.0"},
      {"application/json; charset=utf-8", "{}", "application/json"},
      {"application/json", "", "application/json"},
      {"application/x-amz-json-1.0", "", "application/x-amz-json-1.0"},
      {"text/plain", "", "application/json"},
      {"", "", "application/json"},
      {"", "{}", nullptr},
      {";", "{}", nullptr},
      {"text/plain", "{}", nullptr},
      {"application/x-amz-json-1.1", "{}", nullptr},
      {"application/jsonx", "{}", nullptr},
  };
  for (const Case& row : cases) {
    Request(HttpMethod::kPost, row.sent, row.body);
    const std::string body = row.body;
    const std::string expected =
        row.answered == nullptr
            ? kNotFound
            : kOk + "Content-Type: " + std::string(row.answered) +
                  "\r\nContent-Length: " + std::to_string(body.size()) +
                  "\r\nx-amzn-RequestId: <id>\r\nx-amz-crc32: " + std::to_string(Crc32(body)) +
                  "\r\n\r\n" + body;
    EXPECT_EQ(Answer(), expected) << "'" << row.sent << "' with '" << row.body << "'";
  }
}

TEST_F(RouterTest, OtherMethodsAndPagesAreNotFound) {
  Request(HttpMethod::kOther, "application/json", "{}");
  EXPECT_EQ(Answer(), kNotFound);
  Request(HttpMethod::kOptions, "", "");
  EXPECT_EQ(Answer(), kNotFound);
  Request(HttpMethod::kGet, "", "").path = "/any/path";
  EXPECT_EQ(Answer(), kNotFound);
  Request(HttpMethod::kGet, "", "").path = "/_hashrange/";  // this server has no control API
  EXPECT_EQ(Answer(), kNotFound);
  Request(HttpMethod::kHead, "", "");
  const std::string_view whole = kNotFound;
  EXPECT_EQ(Answer(), whole.substr(0, whole.find("\r\n\r\n") + 4));
}

TEST_F(RouterTest, GetIsHealthyInTheRegionOfTheRequest) {
  Request(HttpMethod::kGet, "", "");
  EXPECT_EQ(Answer(),
            kOk +
                "Content-Length: 42\r\nx-amzn-RequestId: <id>\r\n"
                "x-amz-crc32: 3128867991\r\n\r\nhealthy: dynamodb.us-east-1.amazonaws.com ");
  struct Case {
    const char* authorization;
    const char* region;
  };
  const Case cases[] = {
      {"AWS4-HMAC-SHA256 Credential=AKID/20260101/eu-west-2/dynamodb/aws4_request, Sign",
       "eu-west-2"},
      {"AWS4-HMAC-SHA256 Credential=AKID/20260101/eu-west-2", "eu-west-2"},
      {"AWS4-HMAC-SHA256 Credential=AKID/20260101", "us-east-1"},
      {"AWS4-HMAC-SHA256 Credential=AKID, Signature=a/b/c/d", "us-east-1"},
      {"AWS4-HMAC-SHA256 Credential=AKID/20260101//dynamodb", "us-east-1"},
      {"AWS4-HMAC-SHA256 Credential=AKID/20260101/<script>/dynamodb", "us-east-1"},
      {"Basic abc", "us-east-1"},
  };
  for (const Case& row : cases) {
    Request(HttpMethod::kGet, "", "").authorization = row.authorization;
    const std::string body = "healthy: dynamodb." + std::string(row.region) + ".amazonaws.com ";
    EXPECT_EQ(Answer(), kOk + "Content-Length: " + std::to_string(body.size()) +
                            "\r\nx-amzn-RequestId: <id>\r\nx-amz-crc32: " +
                            std::to_string(Crc32(body)) + "\r\n\r\n" + body)
        << row.authorization;
  }
}

TEST_F(RouterTest, TheRootMayBeRefusedAsDynamoDbLocalDoes) {
  const Routing routing{.browsers = {{}, {}}, .answers_root_with_400 = true};
  const std::string body =
      R"({"__type":"com.amazonaws.dynamodb.v20120810#MissingAuthenticationToken","Message":)"
      R"("Request must contain either a valid (registered) AWS access key ID or X.509 certificate."})";
  const std::string head =
      "HTTP/1.1 400 Bad Request\r\nServer: Server\r\nDate: <date>\r\n"
      "Content-Type: application/x-amz-json-1.0\r\nContent-Length: " +
      std::to_string(body.size()) +
      "\r\nx-amzn-RequestId: <id>\r\nx-amz-crc32: " + std::to_string(Crc32(body)) + "\r\n\r\n";
  Request(HttpMethod::kGet, "", "");
  EXPECT_EQ(Answer(400, false, routing), head + body);
  Request(HttpMethod::kHead, "", "");
  EXPECT_EQ(Answer(400, false, routing), head);
  Request(HttpMethod::kGet, "", "").path = "/shell/";
  EXPECT_EQ(Answer(404, false, routing), kNotFound);
}

TEST_F(RouterTest, APageOfThisMachineMayReadTheAnswer) {
  Request(HttpMethod::kPost, "application/json", "{}").origin = "http://localhost:3000";
  EXPECT_EQ(
      Answer(),
      OkAnswer("{}", "Access-Control-Allow-Origin: http://localhost:3000\r\nVary: Origin\r\n" +
                         kExposed));
  const Routing all{{{"*"}, {}}};
  EXPECT_EQ(Answer(200, false, all),
            OkAnswer("{}", "Access-Control-Allow-Origin: *\r\n" + kExposed));
}

constexpr char kForeignPage[] =
    R"({"__type":"com.amazon.coral.service#AccessDeniedException","Message":)"
    R"("This server answers pages of this machine only: hashrange serve --cors ORIGIN lets those )"
    R"(of another origin in."})";

TEST_F(RouterTest, ACallOfAnotherOriginIsRefusedAndNotCarriedOut) {
  for (const HttpMethod method : {HttpMethod::kPost, HttpMethod::kOptions, HttpMethod::kGet}) {
    HttpRequest& request = Request(method, "application/json", "{}");
    request.origin = "http://evil.example";
    request.requested_method = "POST";
    Output out;
    const auto never = [](const ApiRequest&, OutputBuffer&) {
      ADD_FAILURE() << "the request was carried out";
      return ApiAnswer{};
    };
    EXPECT_EQ(RouteRequest(never, Routing{{{}, {}}}, request, false, out).http_status, 403);
    EXPECT_EQ(WithoutIdsAndDates(std::string(out.pending())),
              "HTTP/1.1 403 Forbidden\r\nServer: Server\r\nDate: <date>\r\n"
              "Content-Type: application/x-amz-json-1.0\r\nContent-Length: " +
                  std::to_string(sizeof(kForeignPage) - 1) +
                  "\r\nx-amzn-RequestId: <id>\r\nx-amz-crc32: " +
                  std::to_string(Crc32(kForeignPage)) + "\r\n\r\n" + kForeignPage);
  }
}

TEST_F(RouterTest, APreflightEchoesWhatItAsksFor) {
  HttpRequest& request = Request(HttpMethod::kOptions, "", "");
  request.origin = "http://[::1]:5173";
  const std::string head = kOk +
                           "Content-Length: 0\r\nx-amzn-RequestId: <id>\r\nx-amz-crc32: 0\r\n"
                           "Access-Control-Allow-Origin: http://[::1]:5173\r\nVary: Origin\r\n" +
                           kExposed;
  EXPECT_EQ(Answer(), head + "Access-Control-Max-Age: 172800\r\n\r\n");
  request.requested_headers = "x-amz-target, content-type";
  request.requested_method = "POST";
  EXPECT_EQ(Answer(), head +
                          "Access-Control-Allow-Headers: x-amz-target, content-type\r\n"
                          "Access-Control-Allow-Methods: POST\r\n"
                          "Access-Control-Max-Age: 172800\r\n\r\n");
}

TEST_F(RouterTest, TheLongestOriginFitsIntoTheHead) {
  const std::string origin = "http://" + std::string(300 - 17, 'a') + ".localhost";
  HttpRequest& request = Request(HttpMethod::kPost, "application/x-amz-json-1.0", "{}");
  request.origin = origin;
  request.is_http_1_0 = true;
  EXPECT_NE(Answer(505).find("\r\nAccess-Control-Allow-Origin: " + origin + "\r\n"),
            std::string::npos);
  const std::string longer = "http://a" + origin.substr(7);
  request.origin = longer;
  EXPECT_EQ(Answer(403).find("Access-Control"), std::string::npos);
}

// What the answers say is tested in console_page_test.cc.
TEST_F(RouterTest, TheConsoleIsAnsweredByFilesForItsOwnPageOnly) {
  const ConsoleFile file{"index.html", "text/html", "\"1\"", false, "<p>"};
  const Routing routing{
      .browsers = {{}, {}}, .console = "on", .console_files = std::span(&file, 1)};
  HttpRequest& request = Request(HttpMethod::kGet, "", "");
  request.path = kConsolePath;
  const auto lines = AnswerConsole(request, "on", routing.console_files).lines;
  const auto page = [&](const std::string& status) {
    return "HTTP/1.1 " + status +
           "\r\nServer: Server\r\nDate: <date>\r\nContent-Type: text/html\r\n"
           "Content-Length: 3\r\nx-amzn-RequestId: <id>\r\nx-amz-crc32: " +
           std::to_string(Crc32("<p>")) + "\r\n" + lines + "\r\n";
  };
  EXPECT_EQ(Answer(200, false, routing), page("200 OK") + "<p>");
  request.if_none_match = "\"1\"";
  EXPECT_EQ(Answer(304, false, routing), page("304 Not Modified"));
  request.if_none_match = std::nullopt;
  request.method = HttpMethod::kHead;
  EXPECT_EQ(Answer(200, false, routing), page("200 OK"));
  // A page of another origin that may call cannot read it.
  request.method = HttpMethod::kGet;
  request.origin = "http://localhost:3000";
  EXPECT_EQ(Answer(200, false, routing), page("200 OK") + "<p>");
  request.origin = "http://evil.example";
  EXPECT_EQ(Answer(403, false, routing).substr(0, 12), "HTTP/1.1 403");
  request.origin = std::nullopt;
  EXPECT_EQ(Answer(404).substr(0, 12), "HTTP/1.1 404");  // the console is off
}

TEST_F(RouterTest, TheConnectionFieldIsSentWhenNeeded) {
  HttpRequest& request = Request(HttpMethod::kPost, "application/json", "{}");
  EXPECT_EQ(Answer(200, true), OkAnswer("{}", "Connection: close\r\n"));
  request.is_http_1_0 = true;
  EXPECT_EQ(Answer(200, true), OkAnswer("{}", "Connection: close\r\n"));
  EXPECT_EQ(Answer(200, false), OkAnswer("{}", "Connection: keep-alive\r\n"));
}

TEST_F(RouterTest, AnswersOfOneOutputFollowWithoutAGap) {
  Output out;
  const ApiHandler echo = [](const ApiRequest& request, OutputBuffer& bytes) {
    bytes.Append({request.body.data(), request.body.size()});
    return ApiAnswer{};
  };
  const Routing routing{{{}, {}}};
  std::string expected;
  for (const std::string& body : {std::string("{}"), std::string(100'000, 'x'), std::string()}) {
    RouteRequest(echo, routing, Request(HttpMethod::kPost, "application/json", body), false, out);
    expected += OkAnswer(body);
  }
  EXPECT_EQ(WithoutIdsAndDates(std::string(out.pending())), expected);
}

}  // namespace
}  // namespace hashrange
