// Who may control a server, and that control requests are answered in their turn without
// holding up anybody else's.
#include "http/control_access.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>

#include "http/http_server.h"
#include "http/raw_client.h"

namespace hashrange {
namespace {

struct Row {
  const char* why;
  HttpRequest request;
  bool is_loopback = true;
  const char* token = "";
  int status = 0;  // 0: let in
};

HttpRequest Asked(std::string_view host) {
  HttpRequest request;
  request.path = "/_hashrange/";
  request.host = host;
  return request;
}
HttpRequest WithOrigin(std::string_view host, std::string_view origin) {
  HttpRequest request = Asked(host);
  request.origin = origin;
  return request;
}
HttpRequest FromSite(std::string_view site) {
  HttpRequest request = Asked("localhost:8000");
  request.fetch_site = site;
  return request;
}
HttpRequest WithAuthorization(std::string_view authorization) {
  HttpRequest request = Asked("db:8000");
  request.authorization = authorization;
  return request;
}

TEST(ControlAccess, IsForThisMachineOrWhoKnowsTheToken) {
  const Row rows[] = {
      {"by address", Asked("127.0.0.1:8000")},
      {"by another of its addresses", Asked("127.9.9.9")},
      {"by name", Asked("localhost:8000")},
      {"by a name below it", Asked("dynamodb.localhost:8000")},
      {"by its IPv6 address", Asked("[::1]:8000")},
      {"without a Host", Asked("")},
      {"from elsewhere", Asked("localhost:8000"), false, "", 403},
      {"by a name that was made to mean this machine", Asked("evil.example:8000"), true, "", 403},
      {"by a name that begins like an address", Asked("127.0.0.1.evil.example"), true, "", 403},
      {"by a name that ends like one", Asked("evillocalhost"), true, "", 403},
      {"its own page", WithOrigin("localhost:8000", "http://localhost:8000")},
      {"a page of another port", WithOrigin("localhost:8000", "http://localhost:3000"), true, "",
       403},
      {"a page from elsewhere", WithOrigin("localhost:8000", "https://evil.example"), true, "",
       403},
      {"a page without an origin", WithOrigin("localhost:8000", "null"), true, "", 403},
      {"a browser's address bar", FromSite("none")},
      {"a script of its own page", FromSite("same-origin")},
      {"an image in a page from elsewhere", FromSite("cross-site"), true, "", 403},
      {"a page of a neighbour", FromSite("same-site"), true, "", 403},
      {"the token", WithAuthorization("Bearer secret"), false, "secret"},
      {"another token", WithAuthorization("Bearer secreT"), false, "secret", 401},
      {"a part of the token", WithAuthorization("Bearer secre"), false, "secret", 401},
      {"the token of no kind", WithAuthorization("secret"), false, "secret", 401},
      {"no token, on this machine", Asked("localhost:8000"), true, "secret", 401},
  };
  for (const Row& row : rows) {
    const auto refusal = RefuseControl(row.request, row.is_loopback, row.token);
    EXPECT_EQ(refusal ? refusal->http_status : 0, row.status) << row.why;
  }
  HttpRequest page = WithAuthorization("Bearer secret");
  page.origin = "http://evil.example";
  EXPECT_EQ(RefuseControl(page, true, "secret")->http_status, 403);
}

std::string Get(const std::string& path) {
  return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
}

// What comes behind the head.
std::string BodyOf(const std::string& answer) {
  const std::size_t end = answer.find("\r\n\r\n");
  return end == std::string::npos ? answer : answer.substr(end + 4);
}

class ControlServerTest : public testing::Test {
 protected:
  void SetUp() override {
    HttpServer::Options options;
    options.port = 0;
    options.threads = 1;
    HttpServer::Handlers handlers{
        [](const ApiRequest& request, OutputBuffer& out) {
          out.Append({request.body.data(), request.body.size()});
          return ApiAnswer();
        },
        [this](const ControlRequest& request) {
          if (request.path == "wait") {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [this] { return released_; });
          }
          return ControlAnswer{.body = request.method + " " + request.path + "?" + request.query +
                                       " " + request.body};
        }};
    std::string error;
    server_ = HttpServer::Start(std::move(handlers), options, &error);
    ASSERT_EQ(error, "");
  }
  void Release() {
    {
      std::lock_guard lock(mutex_);
      released_ = true;
    }
    wake_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  bool released_ = false;
  std::unique_ptr<HttpServer> server_;
};

TEST_F(ControlServerTest, AnswersInTheOrderOfThePipeline) {
  RawClient client(server_->port());
  client.Send(Post("one") + Get("/_hashrange/a/b?c=d") + Post("two"));
  EXPECT_EQ(client.ReadAnswer(), OkAnswer("one"));
  EXPECT_EQ(BodyOf(client.ReadAnswer()), "GET a/b?c=d ");
  EXPECT_EQ(client.ReadAnswer(), OkAnswer("two"));
}

TEST_F(ControlServerTest, OneThatTakesLongHoldsUpNobody) {
  RawClient waiting(server_->port());
  waiting.Send(Get("/_hashrange/wait") + Post("behind"));
  RawClient other(server_->port());
  other.Send(Post("meanwhile"));
  EXPECT_EQ(other.ReadAnswer(), OkAnswer("meanwhile"));
  Release();
  EXPECT_EQ(BodyOf(waiting.ReadAnswer()), "GET wait? ");
  EXPECT_EQ(waiting.ReadAnswer(), OkAnswer("behind"));
}

TEST_F(ControlServerTest, ARefusedPageIsToldSo) {
  RawClient client(server_->port());
  client.Send(
      "POST /_hashrange/reset HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil\r\n"
      "Content-Length: 2\r\n\r\n{}");
  EXPECT_EQ(BodyOf(client.ReadAnswer()),
            R"({"error":"The control API does not answer pages of another origin."})");
  client.Send(
      "OPTIONS /_hashrange/reset HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil\r\n\r\n");
  const std::string answer = client.ReadAnswer();
  EXPECT_EQ(answer.find("Access-Control"), std::string::npos) << answer;
}

TEST_F(ControlServerTest, AHeadHasNoBody) {
  RawClient client(server_->port());
  client.Send("HEAD /_hashrange/a HTTP/1.1\r\nHost: localhost\r\n\r\n" + Post("next"));
  client.EndSending();
  const std::string answers = client.ReadToEnd();
  EXPECT_NE(answers.find("\r\n\r\nHTTP/1.1 200 OK"), std::string::npos) << answers;
}

TEST_F(ControlServerTest, AClientThatLeavesIsNotWaitedFor) {
  {
    RawClient client(server_->port());
    client.Send(Get("/_hashrange/wait"));
  }
  Release();
  RawClient other(server_->port());
  other.Send(Get("/_hashrange/next"));
  EXPECT_EQ(BodyOf(other.ReadAnswer()), "GET next? ");
}

TEST_F(ControlServerTest, TheServerStopsWhileACallIsUnderWay) {
  RawClient client(server_->port());
  client.Send(Get("/_hashrange/wait") + Post("never"));
  RawClient other(server_->port());
  other.Send(Get("/_hashrange/wait"));
  server_->Stop();  // though the call goes on
  Release();
  server_ = nullptr;
}

}  // namespace
}  // namespace hashrange
