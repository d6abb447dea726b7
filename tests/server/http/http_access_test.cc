// Tests who may use the control API, that control requests are answered in order without delaying
// other connections, and which web pages may call.
#include "server/http/http_access.h"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "server/http/started_server.h"
#include "support/log_lines.h"
#include "support/raw_client.h"

namespace hashrange {
namespace {

struct AccessRow {
  const char* why;
  HttpRequest request;
  bool is_loopback = true;
  const char* token = "";
  int status = 0;  // 0: allowed
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
HttpRequest Forwarded(std::string_view authorization) {
  HttpRequest request = Asked("localhost:8000");
  request.is_forwarded = true;
  if (!authorization.empty()) request.authorization = authorization;
  return request;
}
HttpRequest WithAuthorization(std::string_view authorization) {
  HttpRequest request = Asked("db:8000");
  request.authorization = authorization;
  return request;
}

TEST(ControlAccess, IsForThisMachineOrCallersWithTheToken) {
  const AccessRow rows[] = {
      {"by address", Asked("127.0.0.1:8000")},
      {"by another of its addresses", Asked("127.9.9.9")},
      {"by name", Asked("localhost:8000")},
      {"by a name below it", Asked("dynamodb.localhost:8000")},
      {"by its IPv6 address", Asked("[::1]:8000")},
      {"without a Host", Asked("")},
      {"by name, in capitals", Asked("LOCALHOST:8000")},
      {"by name, with the full stop of the root", Asked("localhost.:8000")},
      {"without the digits of a port", Asked("localhost:")},
      {"by a name with another behind it", Asked("localhost:evil.example"), true, "", 403},
      {"by an address with a name behind it", Asked("127.0.0.1:1.evil.example"), true, "", 403},
      {"by an IPv6 address with a name behind it", Asked("[::1].evil.example"), true, "", 403},
      {"by half an IPv6 address", Asked("[::1"), true, "", 403},
      {"by no name", Asked(":8000"), true, "", 403},
      {"from elsewhere", Asked("localhost:8000"), false, "", 403},
      {"by a name that was made to mean this machine", Asked("evil.example:8000"), true, "", 403},
      {"by a name that begins like an address", Asked("127.0.0.1.evil.example"), true, "", 403},
      {"by a name that ends like one", Asked("evillocalhost"), true, "", 403},
      {"its own page", WithOrigin("localhost:8000", "http://localhost:8000")},
      {"its own page, in capitals", WithOrigin("LocalHost:8000", "HTTP://localhost:8000")},
      {"its own page, on the port of the scheme", WithOrigin("localhost", "http://localhost:80")},
      {"a page of its name by TLS", WithOrigin("localhost:8000", "https://localhost:8000"), true,
       "", 403},
      {"a page of another scheme", WithOrigin("localhost:8000", "x://localhost:8000"), true, "",
       403},
      {"an origin of no host", WithOrigin("", "http://"), true, "", 403},
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
      {"a proxy on this machine", Forwarded(""), true, "", 403},
      {"a proxy with the token", Forwarded("Bearer secret"), true, "secret"},
      {"a proxy without it", Forwarded(""), true, "secret", 401},
      {"no token, on this machine", Asked("localhost:8000"), true, "secret", 401},
  };
  for (const AccessRow& row : rows) {
    const auto refusal = RefuseControl(row.request, row.is_loopback, row.token);
    EXPECT_EQ(refusal ? refusal->http_status : 0, row.status) << row.why;
  }
  HttpRequest twice = Asked("localhost:8000");
  twice.is_ambiguous = true;
  EXPECT_EQ(RefuseControl(twice, true, "")->http_status, 400);
  HttpRequest page = WithAuthorization("Bearer secret");
  page.origin = "http://evil.example";
  EXPECT_EQ(RefuseControl(page, true, "secret")->http_status, 403);
}

TEST(ControlAccess, IsCheckedBelowTheControlPath) {
  for (const char* path : {"/_hashrange", "/_hashrange/", "/_hashrange/clock"}) {
    EXPECT_TRUE(IsControlPath(path)) << path;
  }
  for (const char* path :
       {"", "/", "/_hashrang", "/_hashranges", "//_hashrange/", "/_Hashrange/"}) {
    EXPECT_FALSE(IsControlPath(path)) << path;
  }
}

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

// The decision for a request with this Host and Origin; an empty text leaves the header out.
std::string Decide(const BrowserAccess& browsers, std::string_view host, std::string_view origin) {
  HttpRequest request;
  request.host = host;
  if (!origin.empty()) request.origin = origin;
  if (const auto refusal = browsers.Refuse(request)) return std::to_string(refusal->http_status);
  return origin.empty() ? "allowed" : std::string(browsers.AllowedOrigin(request));
}

TEST(BrowserAccess, PagesOfThisMachineMayCall) {
  const BrowserAccess browsers({}, {});
  for (const char* origin :
       {"http://localhost", "http://localhost:3000", "https://localhost:8443", "HTTP://LocalHost:1",
        "http://app.localhost:5173", "http://a.b.localhost", "http://127.0.0.1:8000",
        "https://127.9.9.9", "http://[::1]", "http://[::1]:3000"}) {
    EXPECT_EQ(Decide(browsers, "localhost:8000", origin), origin);
  }
  for (const char* origin : {"null",
                             "http://evil.example",
                             "http://localhost.evil.example",
                             "http://evillocalhost",
                             "http://127.0.0.1.evil.example",
                             "http://128.0.0.1",
                             "http://192.168.1.5:3000",
                             "http://[::2]",
                             "http://[::1].evil.example",
                             "http://localhost:3000.evil.example",
                             "http://localhost:evil",
                             "http://localhost/",
                             "http://evil@localhost",
                             "http://",
                             "localhost",
                             "file://",
                             "file://localhost",
                             "chrome-extension://abcdef",
                             "//localhost",
                             "http:localhost",
                             " http://localhost"}) {
    EXPECT_EQ(Decide(browsers, "localhost:8000", origin), "403") << origin;
  }
  EXPECT_EQ(Decide(browsers, "localhost:8000", "http://" + std::string(300, 'a') + ".localhost"),
            "403");
  HttpRequest empty;
  empty.origin = "";
  EXPECT_TRUE(browsers.Refuse(empty));
}

TEST(BrowserAccess, OriginsOfTheOptionAreAllowed) {
  const BrowserAccess browsers({"https://app.example:3000/", "null"}, {});
  EXPECT_EQ(Decide(browsers, "", "https://app.example:3000"), "https://app.example:3000");
  EXPECT_EQ(Decide(browsers, "", "HTTPS://App.example:3000"), "HTTPS://App.example:3000");
  EXPECT_EQ(Decide(browsers, "", "null"), "null");
  EXPECT_EQ(Decide(browsers, "", "http://localhost"), "http://localhost");
  EXPECT_EQ(Decide(browsers, "", "https://app.example"), "403");
  EXPECT_EQ(Decide(browsers, "", "http://app.example:3000"), "403");
}

// Every site can have "null" sent, so the log does not say how to let it in.
TEST(BrowserAccess, TheLogNamesOriginsThatWereRefused) {
  const test::LogLines log(LogLevel::kWarning);
  const BrowserAccess browsers({}, {});
  for (const char* origin : {"https://app.example", "null", "NULL"}) Decide(browsers, "", origin);
  const std::string no_origin =
      "a page without an origin, such as a file or a sandboxed frame, was refused";
  EXPECT_EQ(log.lines(), (std::vector<std::string>{
                             "a page of the origin https://app.example was refused: --cors "
                             "https://app.example lets it in; use that only if you trust this page",
                             no_origin, no_origin}));
}

TEST(BrowserAccess, AllOriginsMayBeAllowed) {
  const BrowserAccess browsers({"*"}, {});
  for (const char* origin : {"null", "http://evil.example", "http://localhost"}) {
    EXPECT_EQ(Decide(browsers, "", origin), "*");
  }
}

TEST(BrowserAccess, AServerOnLoopbackAddressesAcceptsNamesOfThisMachine) {
  BrowserAccess browsers({}, {"db.test", "Other.test:8000"});
  EXPECT_EQ(Decide(browsers, "evil.example:8000", ""), "allowed");
  browsers.EnableHostCheck(8000);
  for (const char* host :
       {"", "localhost", "LOCALHOST:8000", "localhost.", "localhost:8000", "localhost:9000",
        "db.localhost:1", "127.0.0.1:8000", "[::1]:8000", "192.168.1.5:8000", "[fe80::1]",
        "db.test", "DB.test:9000", "db.test.", "other.test"}) {
    EXPECT_EQ(Decide(browsers, host, ""), "allowed") << host;
  }
  for (const char* host : {"evil.example", "evil.example:8000", "localhost.evil.example",
                           "db.test.evil.example", "evildb.test", "127.0.0.1.evil.example",
                           "localhost:evil.example", "[::1].evil.example", ":8000", "."}) {
    EXPECT_EQ(Decide(browsers, host, ""), "403") << host;
    EXPECT_EQ(Decide(browsers, host, "http://localhost"), "403") << host;
  }
}

TEST(BrowserAccess, AnOriginIsASchemeAndAHost) {
  for (const char* text : {"null", "http://a", "https://a.b:1", "https://a.b:1/", "app://x"}) {
    EXPECT_TRUE(IsOrigin(text)) << text;
  }
  for (const char* text : {"", "localhost", "http://", "http:///", "://a", "http://a/b",
                           "http://a b", "http://a//", "*", "http://a*", "https://*.example"}) {
    EXPECT_FALSE(IsOrigin(text)) << text;
  }
}

}  // namespace
}  // namespace hashrange
