// A request to the control API and its answer, apart from HTTP.
#pragma once

#include <string>

namespace hashrange {

inline constexpr char kControlPath[] = "/_hashrange/";

struct ControlRequest {
  std::string method;  // "GET", "POST", "DELETE"
  std::string path;    // behind kControlPath, without the query: "snapshots/seeded/restore"
  std::string query;   // behind '?'
  std::string body;    // JSON, or empty
};

struct ControlAnswer {
  int http_status = 200;
  std::string content_type = "application/json";
  std::string body;
};

}  // namespace hashrange
