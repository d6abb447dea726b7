#include "server/exchange/request_parser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hashrange {
namespace {

using Progress = RequestParser::Progress;

void Append(ReadBuffer& buffer, std::string_view text) {
  while (!text.empty()) {
    const std::span<char> room = buffer.Prepare();
    const std::size_t count = std::min(room.size(), text.size());
    std::memcpy(room.data(), text.data(), count);
    buffer.Commit(count);
    text.remove_prefix(count);
  }
}

// The parsed request in one line. The views are read only here, after all moves of the buffer.
std::string Describe(const HttpRequest& request) {
  std::string text = std::to_string(static_cast<int>(request.method));
  text.append(" ").append(request.path).append("|").append(request.query);
  text.append("|")
      .append(request.host)
      .append("|")
      .append(request.content_type)
      .append("|")
      .append(request.api_target);
  text.append("|").append(request.authorization.value_or("none"));
  text.append("|").append(request.requested_headers.value_or("none"));
  text.append("|").append(request.requested_method.value_or("none"));
  for (const bool flag :
       {request.origin.has_value(), request.has_date, request.is_http_1_0, request.keep_alive}) {
    text.append(flag ? " 1" : " 0");
  }
  return text.append(" ").append(request.body.data(), request.body.size());
}

// Feeds `text` in pieces of `step` bytes and describes every request that is found; the last word
// is the state of the parser at the end.
std::string Parse(std::string_view text, std::size_t step) {
  ReadBuffer buffer;
  RequestParser parser;
  std::string found;
  for (std::size_t at = 0; at < text.size(); at += step) {
    Append(buffer, text.substr(at, step));
    for (bool more = true; more;) {
      switch (parser.Advance(buffer)) {
        case Progress::kNeedMore:
          more = false;
          break;
        case Progress::kSendContinue:
          found += "continue\n";
          break;
        case Progress::kComplete:
          found += Describe(parser.request()) + "\n";
          parser.Finish(buffer);
          break;
        case Progress::kMalformed:
          return found + "malformed";
        case Progress::kTooLarge:
          return found + "too large";
        case Progress::kOtherCoding:
          return found + "another coding";
        case Progress::kHttp2:
          return found + "HTTP/2";
      }
    }
  }
  return found + (parser.in_progress() ? "open" : "idle");
}

struct Case {
  const char* name;
  std::string text;
  std::string expected;
};

std::vector<Case> Cases() {
  return {
      {"fields",
       "POST /any/path?a=1&b HTTP/1.1\r\nHost: h:1\r\nContent-Type: application/json\r\n"
       "x-AMZ-target:  DynamoDB_20120810.GetItem \r\nX-Amz-Date: 20260101T000000Z\r\n"
       "Authorization: AWS4 x\r\nOrigin: o\r\ncontent-length: 2\r\n\r\n{}",
       "2 /any/path|a=1&b|h:1|application/json|DynamoDB_20120810.GetItem|AWS4 x|none|none"
       " 1 1 0 1 {}\nidle"},
      {"two in a row, a blank line between",
       "POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\na\r\nPOST / HTTP/1.1\r\nContent-Length: "
       "1\r\n\r\nb",
       "2 /|||||none|none|none 0 0 0 1 a\n2 /|||||none|none|none 0 0 0 1 b\nidle"},
      {"chunks with an extension and a trailer",
       "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
       "3;x=y\r\nabc\r\n0a\r\n0123456789\r\n0\r\nOrigin: no\r\n\r\nGET / HTTP/1.0\r\n\r\n",
       "2 /|||||none|none|none 0 0 0 1 abc0123456789\n0 /|||||none|none|none 0 0 1 0 \nidle"},
      {"no chunks at all", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
       "2 /|||||none|none|none 0 0 0 1 \nidle"},
      {"neither length nor chunks", "POST / HTTP/1.1\r\n\r\n",
       "2 /|||||none|none|none 0 0 0 1 \nidle"},
      {"keep-alive of HTTP/1.0", "HEAD / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n",
       "1 /|||||none|none|none 0 0 1 1 \nidle"},
      {"close", "PUT / HTTP/1.1\r\nConnection: x, close\r\nDate: d\r\n\r\n",
       "5 /|||||none|none|none 0 1 0 0 \nidle"},
      {"preflight fields",
       "OPTIONS * HTTP/1.1\r\nAccess-Control-Request-Headers: a, b\r\n"
       "Access-Control-Request-Method: POST\r\n\r\n",
       "3 *|||||none|a, b|POST 0 0 0 1 \nidle"},
      {"empty fields", "POST / HTTP/1.1\r\nX-Amz-Target:\r\nAuthorization: \r\n\r\n",
       "2 /||||||none|none 0 0 0 1 \nidle"},
      {"half a body", "POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\nabc", "open"},
      {"half a head", "POST / HTTP/1.1\r\nContent-", "open"},
      {"not HTTP", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "malformed"},
      {"no version", "GET /\r\n\r\n", "malformed"},
      {"HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "HTTP/2"},
      {"HTTP/2 by the name of a method", "PRI / HTTP/2.0\r\n\r\n", "malformed"},
      {"a field without colon", "GET / HTTP/1.1\r\nnonsense\r\n\r\n", "malformed"},
      {"a folded field that counts", "GET / HTTP/1.1\r\nAuthorization: a\r\n b\r\n\r\n",
       "malformed"},
      {"a bad length", "POST / HTTP/1.1\r\nContent-Length: 1x\r\n\r\n", "malformed"},
      {"a negative length", "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "malformed"},
      {"two lengths", "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
       "malformed"},
      {"length and chunks",
       "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", "malformed"},
      {"an unknown coding", "POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", "another coding"},
      {"an unknown coding before chunks",
       "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", "another coding"},
      {"an unknown coding in a field of its own",
       "POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n",
       "another coding"},
      {"chunks in capitals", "POST / HTTP/1.1\r\nTransfer-Encoding: Chunked \r\n\r\n0\r\n\r\n",
       "2 /|||||none|none|none 0 0 0 1 \nidle"},
      {"a bad chunk size", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
       "malformed"},
      {"a length above 16 MiB", "POST / HTTP/1.1\r\nContent-Length: 16777217\r\n\r\n", "too large"},
      {"a length no integer holds",
       "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n", "malformed"},
      {"a chunk above 16 MiB", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1000001\r\n",
       "too large"},
  };
}

TEST(RequestParserTest, FindsTheSameHoweverTheBytesArrive) {
  for (const Case& row : Cases()) {
    for (std::size_t step = 1; step < row.text.size(); ++step) {
      ASSERT_EQ(Parse(row.text, step), row.expected) << row.name << ", " << step << " at a time";
    }
    EXPECT_EQ(Parse(row.text, row.text.size()), row.expected) << row.name;
  }
}

// The fields of the request that identify the caller.
std::string Sender(const std::string& fields) {
  ReadBuffer buffer;
  RequestParser parser;
  Append(buffer, "GET / HTTP/1.1\r\n" + fields + "\r\n");
  if (parser.Advance(buffer) != Progress::kComplete) return "malformed";
  const HttpRequest& request = parser.request();
  return std::string(request.host)
      .append("|")
      .append(request.origin.value_or("none"))
      .append("|")
      .append(request.fetch_site.value_or("none"))
      .append("|")
      .append(request.authorization.value_or("none"))
      .append(request.is_ambiguous ? " ambiguous" : "");
}

TEST(RequestParserTest, TheSenderIsFoundHoweverItsFieldsAreWritten) {
  EXPECT_EQ(Sender("Host: h\r\nOrigin: o\r\nSec-Fetch-Site: cross-site\r\nAuthorization: a\r\n"),
            "h|o|cross-site|a");
  EXPECT_EQ(Sender("HOST:h\r\nORIGIN:o\r\nsEC-fETCH-sITE:same-site\r\naUTHORIZATION:a\r\n"),
            "h|o|same-site|a");
  EXPECT_EQ(Sender("User-Agent: sec-fetch-site\r\n"), "|none|none|none");
  EXPECT_EQ(Sender("Sec-Fetch-Site: cross\r\n -site\r\n"), "malformed");
}

// What a request says of the program that sent it.
std::string Program(const std::string& fields) {
  ReadBuffer buffer;
  RequestParser parser(7);
  Append(buffer, "POST / HTTP/1.1\r\n" + fields + "\r\n");
  if (parser.Advance(buffer) != Progress::kComplete) return "malformed";
  const HttpRequest& request = parser.request();
  return std::string(request.pattern)
      .append("|")
      .append(request.user_agent)
      .append("|")
      .append(std::to_string(request.connection));
}

TEST(RequestParserTest, TheProgramIsFoundHoweverItsFieldsAreWritten) {
  EXPECT_EQ(Program("X-Hashrange-Pattern: orders of a customer\r\nUser-Agent: app/shop\r\n"),
            "orders of a customer|app/shop|7");
  EXPECT_EQ(Program("x-hASHRANGE-pATTERN:p\r\nuSER-aGENT:u\r\n"), "p|u|7");
  EXPECT_EQ(Program("X-Hashrange-Patterns: p\r\nX-Amz-User-Agent: u\r\n"), "||7");
}

TEST(RequestParserTest, WhatTheClientTakesAndHasIsKnown) {
  ReadBuffer buffer;
  RequestParser parser;
  Append(buffer,
         "GET / HTTP/1.1\r\naccept-encoding: gzip, br\r\nIF-NONE-MATCH:\"a\"\r\n\r\nGET / "
         "HTTP/1.1\r\n\r\n");
  ASSERT_EQ(parser.Advance(buffer), Progress::kComplete);
  EXPECT_EQ(parser.request().accept_encoding, "gzip, br");
  EXPECT_EQ(parser.request().if_none_match, "\"a\"");
  parser.Finish(buffer);
  ASSERT_EQ(parser.Advance(buffer), Progress::kComplete);
  EXPECT_EQ(parser.request().accept_encoding, std::nullopt);
  EXPECT_EQ(parser.request().if_none_match, std::nullopt);
}

TEST(RequestParserTest, ASenderThatIsNamedTwiceIsAmbiguous) {
  EXPECT_EQ(Sender("Host: evil\r\nhost: h\r\n"), "h|none|none|none ambiguous");
  EXPECT_EQ(Sender("Host: h\r\nHost: h\r\n"), "h|none|none|none ambiguous");
  EXPECT_EQ(Sender("Host:\r\nHost: h\r\n"), "h|none|none|none ambiguous");
  EXPECT_EQ(Sender("Origin: evil\r\nOrigin: o\r\n"), "|o|none|none ambiguous");
  EXPECT_EQ(Sender("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Site: none\r\n"),
            "|none|none|none ambiguous");
  EXPECT_EQ(Sender("Authorization: a\r\nAuthorization: b\r\n"), "|none|none|b ambiguous");
  EXPECT_EQ(Sender("Host: h\r\nX: 1\r\nX: 2\r\n"), "h|none|none|none");
}

TEST(RequestParserTest, AProxyIsRecognisedByItsFields) {
  const auto is_forwarded = [](const std::string& fields) {
    ReadBuffer buffer;
    RequestParser parser;
    Append(buffer, "GET / HTTP/1.1\r\n" + fields + "\r\n");
    EXPECT_EQ(parser.Advance(buffer), Progress::kComplete);
    return parser.request().is_forwarded;
  };
  for (const char* field : {"Forwarded: for=1.2.3.4", "X-Forwarded-For: 1.2.3.4",
                            "x-forwarded-proto: https", "X-FORWARDED-HOST:", "forwarded:"}) {
    EXPECT_TRUE(is_forwarded(field + std::string("\r\n"))) << field;
  }
  for (const char* field :
       {"Host: x-forwarded-for", "X-Forwarded: a", "X-Forward: a", "AX-Forwarded-For: a"}) {
    EXPECT_FALSE(is_forwarded(field + std::string("\r\n"))) << field;
  }
}

TEST(RequestParserTest, ThePathOfAnUnreadableRequestIsKnown) {
  const std::pair<std::string, std::string> rows[] = {
      {"POST /a/b?c=d HTTP/1.1\r\nContent-Length: x\r\n\r\n", "/a/b"},
      {"GET /a", "/a"},
      {"GET /a HTTP/9\r\n", "/a"},
      {"GET\r\nX: /a /b\r\n", ""},
      {"GET", ""},
      {"", ""},
      {"GET /" + std::string(100'000, 'x'), "/" + std::string((16 << 10) - 5, 'x')},
  };
  for (const auto& [text, path] : rows) {
    ReadBuffer buffer;
    Append(buffer, text);
    EXPECT_EQ(RequestParser::PathIn(buffer), path);
  }
}

TEST(RequestParserTest, ContinueIsSentOnceAndOnlyWhileTheBodyIsMissing) {
  const std::string head = "POST / HTTP/1.1\r\nExpect: 100-Continue\r\nContent-Length: 3\r\n\r\n";
  const std::string request = "2 /|||||none|none|none 0 0 0 1 abc\nidle";
  EXPECT_EQ(Parse(head + "abc", 1), "continue\n" + request);
  EXPECT_EQ(Parse(head + "abc", head.size() + 3), request);
  EXPECT_EQ(Parse("POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n", 1),
            "open");
  EXPECT_EQ(Parse("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 16777217\r\n\r\n", 1),
            "too large");
}

// A head of exactly `size` bytes.
std::string MakeHead(std::size_t size) {
  const std::string begin = "POST / HTTP/1.1\r\nContent-Length: 2\r\nX: ";
  return begin + std::string(size - begin.size() - 4, 'x') + "\r\n\r\n";
}

TEST(RequestParserTest, AHeadMayHave16KiB) {
  for (const std::size_t step : {std::size_t{1000}, std::size_t{1} << 20}) {
    EXPECT_EQ(Parse(MakeHead(16 << 10) + "{}", step), "2 /|||||none|none|none 0 0 0 1 {}\nidle");
    EXPECT_EQ(Parse(MakeHead((16 << 10) + 1) + "{}", step), "malformed");
    EXPECT_EQ(Parse("GET /" + std::string(20'000, 'x'), step), "malformed");
    EXPECT_EQ(Parse("GET / HTTP/1.1\r\n" + std::string(20'000, 'x'), step), "malformed");
  }
}

TEST(RequestParserTest, ChunkFramingIsBounded) {
  const std::string head = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(Parse(head + "1;" + std::string(20'000, 'x'), 1000), "malformed");
  EXPECT_EQ(Parse(head + "0\r\nX: " + std::string(20'000, 'x'), 1000), "malformed");
}

TEST(RequestParserTest, TinyChunksTakeNoMoreRoomThanTheirBody) {
  ReadBuffer buffer;
  RequestParser parser;
  Append(buffer, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (int i = 0; i < 50'000; ++i) {
    Append(buffer, "1;extension\r\nx\r\n");
    ASSERT_EQ(parser.Advance(buffer), Progress::kNeedMore);
  }
  EXPECT_LE(buffer.capacity(), 128u << 10);
  Append(buffer, "0\r\n\r\n");
  ASSERT_EQ(parser.Advance(buffer), Progress::kComplete);
  EXPECT_EQ(parser.request().body.size(), 50'000u);
}

TEST(ReadBufferTest, GivesTheMemoryOfALargeRequestBack) {
  ReadBuffer buffer;
  Append(buffer, std::string(1 << 20, 'x'));
  EXPECT_GE(buffer.capacity(), 1u << 20);
  buffer.ReleaseExcess();
  EXPECT_GE(buffer.capacity(), 1u << 20);
  buffer.Consume((1 << 20) - 3);
  buffer.ReleaseExcess();
  EXPECT_EQ(buffer.capacity(), ReadBuffer::kInitialBytes);
  EXPECT_EQ(std::string(buffer.data(), buffer.size()), "xxx");
}

}  // namespace
}  // namespace hashrange
