// hashrange::Database: all tables of one server, in this process's memory. Call it with
// DynamoDB's own JSON:
//
//   hashrange::Database database;
//   database.Call("CreateTable", R"({"TableName":"app",…})");
//   const auto answer = database.Call("GetItem", R"({"TableName":"app","Key":{…}})");
//   if (!answer.ok()) …                   // answer.body is {"__type":"…","message":"…"}
//
// and give it to a Server (server.h) to reach the same tables with any AWS SDK.
// Thread-safe, but for its destructor.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hashrange {

// Whose tables a call sees: what an SDK would sign it with.
struct Credential {
  std::string_view access_key = "";  // 12 digits: that account; anything else: 000000000000
  std::string_view region = "us-east-1";
};

// What the server would send for the call.
struct Answer {
  int status = 0;    // 200; 400 or 500 with an error; 413 without a body; 0: dropped by a fault
  std::string body;  // JSON: the operation's output, or {"__type":"…","message":"…"}

  bool ok() const { return status == 200; }
};

class Database {
 public:
  struct Options {
    // One set of tables for every access key and Region, instead of one for each pair.
    bool shared_tables = false;
    // How long a table is CREATING, UPDATING or DELETING, in milliseconds. At 0 the next
    // call already sees it ACTIVE, or gone; an index that is added to a table of 1,000 items
    // or more is ACTIVE when it is filled.
    std::int64_t transition_ms = 0;
    // The shards of a stream, from 1: ranges of the hashes of partition keys.
    int stream_shards = 1;
    // What the records of a stream may hold, in bytes as DynamoDB counts items: older ones
    // are trimmed, though they are not yet 24 hours old.
    std::int64_t stream_buffer_bytes = 256LL << 20;
    // How long expired items stay at most, in milliseconds: the interval between two sweeps
    // of time to live. At 0 nothing expires.
    std::int64_t ttl_interval_ms = 1000;
    // Calls are counted from the start, not from the first GET of the control API's metrics.
    bool metrics = false;
  };

  Database();  // the default options
  explicit Database(const Options& options);
  ~Database();  // after every call, and every Server that serves it
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // The answer to one call of an operation, "GetItem", with its input as JSON.
  // Errors: those of the service, in the answer; 413 when the input exceeds 16 MB.
  Answer Call(std::string_view operation, std::string_view json, const Credential& as = {});
  // The same with the answer's body in a string of the caller's, whose content it replaces.
  // Returns the status. Cost: a string that has the room is not allocated again.
  int Call(std::string_view operation, std::string_view json, std::string& body,
           const Credential& as = {});

  // How far a seed is, and what came of it.
  struct SeedReport {
    // Any thread may look at these while it runs.
    std::atomic<std::int64_t> items_read{0};    // and checked
    std::atomic<std::int64_t> items_stored{0};  // in tables that are found when it has ended
    // Once it has ended.
    int tables = 0;
    std::vector<std::string> warnings;  // sentences
  };
  // Loads tables and their items from a file or a folder, as the control API's "seed" does
  // (docs/control-api.md): all of it, or nothing and what is wrong in `*error`. What is to be
  // warned of goes into the log, or into `*report` where there is one.
  bool Seed(const std::string& path, std::string* error, const Credential& as = {},
            SeedReport* report = nullptr);

  // The answer to a call of the control API, docs/control-api.md: Control("POST", "fork",
  // R"({"from":"111122223333","to":"444455556666"})"). `path` is what follows "/_hashrange/".
  // Errors: 400, 404, 405, 409 with {"error":"One sentence."}.
  Answer Control(std::string_view method, std::string_view path, std::string_view json = {});

 private:
  friend class Server;
  struct State;

  const std::unique_ptr<State> state_;
};

}  // namespace hashrange
