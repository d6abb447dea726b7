// A request to the control API and its answer, apart from HTTP.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace hashrange {

inline constexpr char kControlPath[] = "/_hashrange/";

// Which files of the machine a caller may have the server read and write: any the server itself
// may, or those below some folders.
struct FileRights {
  // Whether the caller has a right to any file. Empty: yes. http/ decides it when it reads the
  // request, and only of a body that names a path: to find a socket's owner may take a millisecond.
  std::function<bool()> to_any_file = {};
  // The folders for who has no right to any: absolute paths without links. Null: none.
  const std::vector<std::string>* folders = nullptr;
};

struct ControlRequest {
  std::string method;  // "GET", "POST", "DELETE"
  std::string path;    // behind kControlPath, without the query: "snapshots/seeded/restore"
  std::string query;   // behind '?'
  std::string body;    // JSON, or empty
  FileRights files = {};
};

struct ControlAnswer {
  int http_status = 200;
  std::string content_type = "application/json";
  std::string body;
};

}  // namespace hashrange
