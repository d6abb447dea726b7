#include "server/http/browser_access.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/log_lines.h"

namespace hashrange {
namespace {

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
