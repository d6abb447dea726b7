// Api: a database without sockets. Requests go through the real dispatcher.
//
//   Api api;
//   api.Ok("PutItem", R"({"TableName":"T","Item":{…}})");
//   api.Fails("GetItem", R"({…})", "ValidationException", "The provided key element …");
//   api.Answers("GetItem", R"({…})", R"({"Item":{…}})");    // the whole answer, as JSON values
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "engine/engine.h"
#include "engine/stream/stream_set.h"
#include "engine/ttl/time_to_live.h"
#include "operation/dispatch.h"

namespace hashrange {

class Api {
 public:
  explicit Api(Dispatcher::Options options = {}, StreamOptions stream_options = {});

  struct Reply {
    int http_status;
    std::string body;
    std::int64_t send_after_ms = 0;
    bool drop = false;
  };
  // Returns the raw answer to an operation of the 2012-08-10 APIs, signed as SignAs says.
  Reply Call(std::string_view operation, std::string_view json);

  // Returns the body of a call that must succeed.
  std::string Ok(std::string_view operation, std::string_view json);
  // Makes a call that must succeed with exactly this answer.
  void Answers(std::string_view operation, std::string_view json, std::string_view answer);
  // Makes a call that must fail with exactly this "__type" (without its namespace) and message.
  // Returns the body.
  std::string Fails(std::string_view operation, std::string_view json, std::string_view type,
                    std::string_view message);

  // Sets the Credential with which the next calls are signed.
  void SignAs(std::string_view access_key, std::string_view region);

  // Sets the pattern that the next calls name (X-Hashrange-Pattern); empty: none.
  void NamePattern(std::string_view pattern) { pattern_ = pattern; }

  Engine& engine() { return engine_; }
  ManualClock& clock() { return clock_; }
  StreamSet& streams() { return streams_; }
  // Items expire only when the test calls its Sweep.
  TimeToLive& time_to_live() { return time_to_live_; }
  Dispatcher& dispatcher() { return dispatcher_; }

 private:
  ManualClock clock_{1'700'000'000'000};
  StreamSet streams_;
  Engine engine_{clock_};
  TimeToLive time_to_live_{engine_, 0};
  Dispatcher dispatcher_;
  std::string authorization_;
  std::string pattern_;
};

// Returns whether two texts are the same JSON value: the order of members does not matter, and 1
// equals 1.0.
bool SameJson(std::string_view a, std::string_view b);

}  // namespace hashrange
