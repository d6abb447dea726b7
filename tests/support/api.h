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
#include "operation/dispatch.h"
#include "stream/stream_set.h"
#include "ttl/time_to_live.h"

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
  // The raw answer to an operation of the 2012-08-10 APIs, for this account and region.
  Reply Call(std::string_view operation, std::string_view json);

  // The body of a call that must succeed.
  std::string Ok(std::string_view operation, std::string_view json);
  // A call that must succeed with exactly this answer.
  void Answers(std::string_view operation, std::string_view json, std::string_view answer);
  // A call that must fail with exactly this "__type" (without its namespace) and text.
  // Returns the body.
  std::string Fails(std::string_view operation, std::string_view json, std::string_view type,
                    std::string_view message);

  // The Credential that the next calls are signed with.
  void SignAs(std::string_view access_key, std::string_view region);

  Engine& engine() { return engine_; }
  ManualClock& clock() { return clock_; }
  StreamSet& streams() { return streams_; }
  // Items expire with its Sweep only.
  TimeToLive& time_to_live() { return time_to_live_; }
  Dispatcher& dispatcher() { return dispatcher_; }

 private:
  ManualClock clock_{1'700'000'000'000};
  StreamSet streams_;
  Engine engine_{clock_};
  TimeToLive time_to_live_{engine_, 0};
  Dispatcher dispatcher_;
  std::string authorization_;
};

// Whether two texts are the same JSON value: members in any order, 1 and 1.0 alike.
bool SameJson(std::string_view a, std::string_view b);

}  // namespace hashrange
