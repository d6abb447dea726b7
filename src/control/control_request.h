// A request to the control API and its answer, without HTTP.
#pragma once

#include <string>
#include <vector>

namespace hashrange {

inline constexpr char kControlPath[] = "/_hashrange/";

// Says which files of the machine the server reads and writes for a caller: any file that the
// server's own user may read or write, or only files below some folders.
struct FileRights {
  // False: only files below `folders`. This is decided when the request has been read
  // (server/exchange/exchange.cc). On a server without a token, the connection has to find the
  // owner of the caller's socket for this, which may take a millisecond.
  bool may_name_any_file = true;
  // Absolute paths without links; null: there are no such folders.
  const std::vector<std::string>* folders = nullptr;
};

struct ControlRequest {
  std::string method;  // "GET", "POST", "DELETE"
  std::string path;    // behind kControlPath, without the query: "snapshots/seeded/restore"
  std::string query;   // behind '?'
  std::string body;    // JSON, or empty
  FileRights files = {};
  // Whether a program of another user than the server's and root makes the call, without a token.
  bool is_of_other_user = false;
  // Whether the server that was called has the console: "on", "read-only" or "off".
  std::string console = "off";
};

struct ControlAnswer {
  int http_status = 200;
  std::string content_type = "application/json";
  std::string body;
};

}  // namespace hashrange
