// The console is a page in the browser that the server serves itself (docs/console.md). The build
// embeds the files of console/dist in the program; this header has the files, and the answers to
// requests for them. The page's own calls go to the API and to the control API, like those of any
// other program.
//
//   /_hashrange/console                  ──▶ index.html, which may change with each version
//   /_hashrange/console/app-4F2A1B.js    ──▶ a file whose content belongs to its name for ever
//
// Any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "server/exchange/http_request.h"

namespace hashrange {

inline constexpr std::string_view kConsolePath = "/_hashrange/console";

struct ConsoleFile {
  std::string_view name;  // "index.html", "app-4F2A1B.js"
  std::string_view content_type;
  std::string_view etag;  // with its quotes
  bool is_gzipped;        // what the bytes are; all files but index.html
  std::string_view bytes;
};

// Returns the files in this program; none when console/dist was not there at the build.
std::span<const ConsoleFile> ConsoleFiles();

// Returns whether `path`, given without its query, belongs to the console.
bool IsConsolePath(std::string_view path);

struct ConsoleAnswer {
  int http_status = 200;
  std::string_view content_type;
  std::string lines;      // header lines besides those of every answer, each with its end
  std::string_view body;  // of a GET
};

// Returns the answer to a request of a console path. `console`: "on", "read-only" or "off".
// Errors: 404  there is no such file, the console is off, or the program has none
//         405  the method is neither GET nor HEAD
//         406  Accept-Encoding does not allow gzip, and the file is gzipped
//         The body is that of the control API's errors.
ConsoleAnswer AnswerConsole(const HttpRequest& request, std::string_view console,
                            std::span<const ConsoleFile> files);

}  // namespace hashrange
