// Tests over real sockets that control requests are answered in order, without delaying other
// connections, and that their callers are checked.
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "server/http/started_server.h"
#include "support/raw_client.h"

namespace hashrange {
namespace {

std::string Get(const std::string& path, const std::string& fields = "Host: localhost\r\n") {
  return "GET " + path + " HTTP/1.1\r\n" + fields + "\r\n";
}

std::string AnswerBody(const std::string& answer) {
  const std::size_t end = answer.find("\r\n\r\n");
  return end == std::string::npos ? answer : answer.substr(end + 4);
}

class ControlServerTest : public testing::Test {
 protected:
  void SetUp() override {
    HttpServer::Options options;
    options.threads = 1;
    HttpServer::Handlers handlers{
        [](const ApiRequest& request, OutputBuffer& out) {
          out.Append({request.body.data(), request.body.size()});
          return ApiAnswer();
        },
        {[this](const ControlRequest& request) {
           if (request.path == "wait") {
             std::unique_lock lock(mutex_);
             wake_.wait(lock, [this] { return released_; });
           }
           if (request.path == "files") {
             return ControlAnswer{
                 .body = std::string(request.files.may_name_any_file ? "any" : "some") +
                         (request.is_of_other_user ? ", other" : ", own")};
           }
           if (request.path == "files/later") {
             std::unique_lock lock(mutex_);
             is_called_ = true;
             wake_.notify_all();
             wake_.wait(lock, [this] { return released_; });
             had_rights_ = request.files.may_name_any_file;
             was_asked_ = true;
             wake_.notify_all();
           }
           return ControlAnswer{.body = request.method + " " + request.path + "?" + request.query +
                                        " " + request.body};
         },
         [](const ControlRequest&) { return false; }}};
    server_ = StartServer(std::move(handlers), options);
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
  bool is_called_ = false;
  bool was_asked_ = false;
  bool had_rights_ = false;
  std::unique_ptr<HttpServer> server_;
};

TEST_F(ControlServerTest, AnswersInTheOrderOfThePipeline) {
  RawClient client(server_->port());
  client.Send(Post("one") + Get("/_hashrange/a/b?c=d") + Post("two"));
  EXPECT_EQ(client.ReadAnswer(), OkAnswer("one"));
  EXPECT_EQ(AnswerBody(client.ReadAnswer()), "GET a/b?c=d ");
  EXPECT_EQ(client.ReadAnswer(), OkAnswer("two"));
}

TEST_F(ControlServerTest, ACallThatTakesLongDelaysNoOtherRequest) {
  RawClient waiting(server_->port());
  waiting.Send(Get("/_hashrange/wait") + Post("behind"));
  RawClient other(server_->port());
  other.Send(Post("meanwhile"));
  EXPECT_EQ(other.ReadAnswer(), OkAnswer("meanwhile"));
  Release();
  EXPECT_EQ(AnswerBody(waiting.ReadAnswer()), "GET wait? ");
  EXPECT_EQ(waiting.ReadAnswer(), OkAnswer("behind"));
}

TEST_F(ControlServerTest, ACallOfAnotherOriginIsRefused) {
  RawClient client(server_->port());
  client.Send(
      "POST /_hashrange/reset HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil\r\n"
      "Content-Length: 2\r\n\r\n{}");
  EXPECT_EQ(AnswerBody(client.ReadAnswer()),
            R"({"error":"The control API does not answer pages of another origin."})");
  client.Send(
      "OPTIONS /_hashrange/reset HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil\r\n\r\n");
  const std::string answer = client.ReadAnswer();
  EXPECT_EQ(answer.find("Access-Control"), std::string::npos) << answer;
}

TEST_F(ControlServerTest, ThePeerAddressIsReadFromTheSocket) {
  const std::string own = "Host: localhost\r\n";
  const std::pair<std::string, std::string> rows[] = {
      {own, "200"},
      {own + "Sec-Fetch-Site: none\r\n", "200"},
      {own + "X-Forwarded-For: 192.168.1.5\r\n", "403"},
      {own + "Forwarded: for=192.168.1.5\r\n", "403"},
      {own + "Sec-Fetch-Site: same-origin\r\n", "200"},
      {own + "Sec-Fetch-Site: same-site\r\n", "403"},
      {own + "Sec-Fetch-Site: cross-site\r\n", "403"},
      {own + "SEC-FETCH-SITE: cross-site\r\n", "403"},
      {own + "Origin: http://localhost\r\n", "200"},
      {own + "Origin: https://localhost\r\n", "403"},
      {"Host: evil.example\r\n", "403"},
      {"Host: evil.example\r\n" + own, "400"},
      {own + own, "400"},
      {own + "Origin: http://evil.example\r\nOrigin: http://localhost\r\n", "400"},
      {own + "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Site: none\r\n", "400"},
  };
  for (const auto& [fields, status] : rows) {
    RawClient client(server_->port());
    client.Send(Get("/_hashrange/", fields));
    EXPECT_EQ(client.ReadAnswer().substr(9, 3), status) << fields;
  }
}

TEST_F(ControlServerTest, TheLastSlashOfItsPathMayBeMissing) {
  RawClient client(server_->port());
  client.Send(Get("/_hashrange") + Get("/_hashrange?a=b") + Get("//_hashrange/"));
  EXPECT_EQ(AnswerBody(client.ReadAnswer()), "GET ? ");
  EXPECT_EQ(AnswerBody(client.ReadAnswer()), "GET ?a=b ");
  EXPECT_EQ(AnswerBody(client.ReadAnswer()), "<UnknownOperationException/>\n");
}

TEST_F(ControlServerTest, UnreadableRequestsAreAnsweredWithASentence) {
  const std::string malformed =
      R"({"error":"This is no HTTP request, or its head has more than 16 KiB."})";
  const std::string too_large =
      R"({"error":"A body may have 16 MiB; a seed of more is read from a path."})";
  const std::string post = "POST /_hashrange/seed HTTP/1.1\r\nHost: localhost\r\n";
  const struct {
    std::string request;
    std::string status;
    std::string body;
  } rows[] = {
      {post + "Content-Length: 16777217\r\n\r\n", "413 Request Entity Too Large", too_large},
      {post + "Transfer-Encoding: chunked\r\n\r\n1000001\r\n", "413 Request Entity Too Large",
       too_large},
      {post + "Content-Length: x\r\n\r\n", "400 Bad Request", malformed},
      {Get("/_hashrange/" + std::string(70'000, 'x')), "400 Bad Request", malformed},
      {Get("/_hashrange?" + std::string(70'000, 'x')), "400 Bad Request", malformed},
      {post + "Transfer-Encoding: gzip\r\n\r\n", "501 Not Implemented",
       R"({"error":"A body comes as it is or in chunks: no other Transfer-Encoding is read."})"},
      {Get("/?" + std::string(70'000, 'x')), "400 Bad Request",
       R"({"__type":"com.amazon.coral.service#SerializationException","Message":)"
       R"("This is no HTTP request, or its head has more than 16 KiB."})"},
  };
  for (const auto& row : rows) {
    RawClient client(server_->port());
    client.Send(row.request);
    client.EndSending();
    const std::string answer = client.ReadToEnd();
    EXPECT_EQ(answer.substr(0, answer.find('\r')), "HTTP/1.1 " + row.status);
    EXPECT_EQ(AnswerBody(answer), row.body);
    EXPECT_NE(answer.find("\r\nConnection: close\r\n"), std::string::npos) << answer;
  }
}

TEST_F(ControlServerTest, TheServersUserMayNameAnyFile) {
  RawClient client(server_->port());
  const auto post = [](std::string_view path, std::string_view body) {
    return "POST /_hashrange/" + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\n" +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
  };
  client.Send(post("files", R"({"path":"/a"})"));
  EXPECT_EQ(AnswerBody(client.ReadAnswer()), "any, own");
  // The user is found when the request arrives: a later user of the same port has no effect.
  {
    RawClient leaving(server_->port());
    leaving.Send(post("files/later", R"({"path":"/a"})"));
    std::unique_lock lock(mutex_);
    ASSERT_TRUE(wake_.wait_for(lock, std::chrono::seconds(30), [this] { return is_called_; }));
  }
  Release();
  std::unique_lock lock(mutex_);
  ASSERT_TRUE(wake_.wait_for(lock, std::chrono::seconds(30), [this] { return was_asked_; }));
  EXPECT_TRUE(had_rights_);
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
  EXPECT_EQ(AnswerBody(other.ReadAnswer()), "GET next? ");
}

TEST_F(ControlServerTest, TheServerStopsWhileACallIsUnderWay) {
  RawClient client(server_->port());
  client.Send(Get("/_hashrange/wait") + Post("never"));
  RawClient other(server_->port());
  other.Send(Get("/_hashrange/wait"));
  server_->Stop();  // the call still runs
  Release();
  server_ = nullptr;
  EXPECT_EQ(client.ReadToEnd(), "");
  EXPECT_EQ(other.ReadToEnd(), "");
}

}  // namespace
}  // namespace hashrange
