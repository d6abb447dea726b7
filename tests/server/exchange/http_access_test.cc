// Tests who may use the control API, and which web pages may call.
#include "server/exchange/http_access.h"

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

// The console on a server that other machines reach; see also ControlAccess.
TEST(BrowserAccess, TheServersOwnPageMayCallByAKnownName) {
  const BrowserAccess browsers({}, {"db.test"});
  for (const auto& [host, origin] : std::vector<std::pair<const char*, const char*>>{
           {"192.168.1.5:8000", "http://192.168.1.5:8000"},
           {"192.168.1.5", "http://192.168.1.5:80"},
           {"[fe80::1]:8000", "http://[fe80::1]:8000"},
           {"db.test:8000", "http://DB.test:8000"}}) {
    EXPECT_EQ(Decide(browsers, host, origin), origin);
  }
  for (const auto& [host, origin] : std::vector<std::pair<const char*, const char*>>{
           {"192.168.1.5:8000", "http://192.168.1.5:3000"},
           {"192.168.1.5:8000", "http://192.168.1.6:8000"},
           {"192.168.1.5:8000", "https://192.168.1.5:8000"},
           {"192.168.1.5:8000", "null"},
           {"", "http://192.168.1.5:8000"},
           // A site may make its own name mean the server.
           {"evil.example:8000", "http://evil.example:8000"}}) {
    EXPECT_EQ(Decide(browsers, host, origin), "403") << origin;
  }
  HttpRequest twice;
  twice.host = "192.168.1.5:8000";
  twice.origin = "http://192.168.1.5:8000";
  twice.is_ambiguous = true;
  EXPECT_TRUE(browsers.Refuse(twice));
  const std::string port(300, '0');
  EXPECT_EQ(Decide(browsers, "192.168.1.5:" + port, "http://192.168.1.5:" + port), "403");
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
