#include "server/exchange/console_page.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace hashrange {
namespace {

const std::vector<ConsoleFile> kPage = {
    {"app-4F2A.js", "text/javascript; charset=utf-8", "\"js-etag\"", true, "packed"},
    {"index.html", "text/html; charset=utf-8", "\"html-etag\"", false, "<p>"},
};

const std::string kSafe =
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'\r\nX-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n";
const std::string kIndexLines = kSafe + "ETag: \"html-etag\"\r\nCache-Control: no-cache\r\n";
const std::string kScriptLines =
    kSafe +
    "ETag: \"js-etag\"\r\nCache-Control: public, max-age=31536000, immutable\r\n"
    "Content-Encoding: gzip\r\n";

HttpRequest GetOf(std::string_view path) {
  HttpRequest request;
  request.method = HttpMethod::kGet;
  request.path = path;
  return request;
}

// The answer in one text: status, type, header lines, body.
std::string ShowAnswer(const HttpRequest& request, std::string_view console = "on",
                       const std::vector<ConsoleFile>& files = kPage) {
  const ConsoleAnswer answer = AnswerConsole(request, console, files);
  return std::to_string(answer.http_status)
      .append("|")
      .append(answer.content_type)
      .append("|")
      .append(answer.lines)
      .append("|")
      .append(answer.body);
}

std::string Refused(int status, const std::string& sentence, const std::string& lines = "") {
  return std::to_string(status) + "|application/json|" + kSafe + lines + "|{\"error\":\"" +
         sentence + "\"}";
}

TEST(ConsolePage, HasItsPaths) {
  for (const char* path : {"/_hashrange/console", "/_hashrange/console/", "/_hashrange/console/a",
                           "/_hashrange/console/a/b"}) {
    EXPECT_TRUE(IsConsolePath(path)) << path;
  }
  for (const char* path : {"", "/", "/_hashrange/", "/_hashrange/consoles", "/_hashrange/Console",
                           "//_hashrange/console", "/console"}) {
    EXPECT_FALSE(IsConsolePath(path)) << path;
  }
}

TEST(ConsolePage, TheIndexIsAskedForAgainEachTime) {
  const std::string index = "200|text/html; charset=utf-8|" + kIndexLines + "|<p>";
  for (const char* path :
       {"/_hashrange/console", "/_hashrange/console/", "/_hashrange/console/index.html"}) {
    EXPECT_EQ(ShowAnswer(GetOf(path)), index) << path;
  }
  EXPECT_EQ(ShowAnswer(GetOf("/_hashrange/console"), "read-only"), index);
}

TEST(ConsolePage, AFileWithAHashInItsNameIsKeptForEver) {
  EXPECT_EQ(ShowAnswer(GetOf("/_hashrange/console/app-4F2A.js")),
            "200|text/javascript; charset=utf-8|" + kScriptLines + "|packed");
}

TEST(ConsolePage, AClientThatHasTheFileIsToldSo) {
  const auto status = [](std::string_view path, std::string_view etags) {
    HttpRequest request = GetOf(path);
    request.if_none_match = etags;
    return AnswerConsole(request, "on", kPage).http_status;
  };
  for (const char* etags : {"\"html-etag\"", "W/\"html-etag\"", "\"other\", \"html-etag\"", "*"}) {
    EXPECT_EQ(status("/_hashrange/console", etags), 304) << etags;
  }
  for (const char* etags : {"", "\"other\"", "html-etag", "\"js-etag\""}) {
    EXPECT_EQ(status("/_hashrange/console", etags), 200) << etags;
  }
  EXPECT_EQ(status("/_hashrange/console/app-4F2A.js", "\"js-etag\""), 304);
  HttpRequest request = GetOf("/_hashrange/console");
  request.if_none_match = "\"html-etag\"";
  EXPECT_EQ(ShowAnswer(request), "304|text/html; charset=utf-8|" + kIndexLines + "|<p>");
}

TEST(ConsolePage, PackedFilesAreForClientsThatUnpackThem) {
  const auto status = [](std::string_view codings) {
    HttpRequest request = GetOf("/_hashrange/console/app-4F2A.js");
    request.accept_encoding = codings;
    return AnswerConsole(request, "on", kPage).http_status;
  };
  for (const char* codings : {"gzip", "deflate, gzip", "br;q=1.0, GZIP;q=0.5", "*", "*;q=0, gzip",
                              " gzip ; q=0.01 ", "gzip;q=1"}) {
    EXPECT_EQ(status(codings), 200) << codings;
  }
  for (const char* codings : {"", "identity", "br", "gzip;q=0", "gzip; q=0.000", "*, gzip;q=0",
                              "*;q=0", "gzipped", ",,"}) {
    EXPECT_EQ(status(codings), 406) << codings;
  }
  HttpRequest request = GetOf("/_hashrange/console/app-4F2A.js");
  request.accept_encoding = "identity";
  EXPECT_EQ(
      ShowAnswer(request),
      Refused(406, "The console's files are gzipped, and Accept-Encoding does not allow that."));
  request.path = "/_hashrange/console";
  EXPECT_EQ(ShowAnswer(request).substr(0, 3), "200");
}

TEST(ConsolePage, OtherFilesAndMethodsAreRefused) {
  for (const char* path :
       {"/_hashrange/console/app.js", "/_hashrange/console/app-4F2A.js/", "/_hashrange/console//",
        "/_hashrange/console/../console", "/_hashrange/console/%69ndex.html"}) {
    EXPECT_EQ(ShowAnswer(GetOf(path)), Refused(404, "The console has no such file.")) << path;
  }
  HttpRequest request = GetOf("/_hashrange/console");
  for (const HttpMethod method :
       {HttpMethod::kPost, HttpMethod::kOptions, HttpMethod::kDelete, HttpMethod::kOther}) {
    request.method = method;
    EXPECT_EQ(ShowAnswer(request), Refused(405, "The console's files are read with GET or HEAD.",
                                           "Allow: GET, HEAD\r\n"));
  }
}

TEST(ConsolePage, AServerWithoutItSaysWhy) {
  EXPECT_EQ(ShowAnswer(GetOf("/_hashrange/console"), "off"),
            Refused(404,
                    "This server has no console: it was started with --console off, or in another "
                    "program, or it is a WebAssembly module."));
  EXPECT_EQ(ShowAnswer(GetOf("/_hashrange/console"), "on", {}),
            Refused(404,
                    "This program was built without the console: scripts/console builds the page, "
                    "and the next build of the program has it."));
}

// The files that this build has embedded, if any: those that the page names are there.
TEST(ConsolePage, TheEmbeddedFilesBelongTogether) {
  const std::string folder = std::string(kConsolePath) + "/";
  int named = 0;
  for (const ConsoleFile& file : ConsoleFiles()) {
    EXPECT_EQ(file.is_gzipped, file.name != "index.html") << file.name;
    EXPECT_EQ(file.bytes.substr(0, 2) == "\x1f\x8b", file.is_gzipped) << file.name;
    if (file.is_gzipped) continue;
    for (std::size_t at = 0; (at = file.bytes.find(folder, at)) != file.bytes.npos; ++named) {
      const std::string path(file.bytes.substr(at, file.bytes.find('"', at) - at));
      EXPECT_EQ(AnswerConsole(GetOf(path), "on", ConsoleFiles()).http_status, 200) << path;
      at += folder.size();
    }
  }
  EXPECT_EQ(named, ConsoleFiles().empty() ? 0 : 3);  // two scripts and a style
}

}  // namespace
}  // namespace hashrange
