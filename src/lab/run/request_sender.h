// RequestSender: what answers the requests of a lab's calls: the database of a layout, at once, or
// an endpoint, later. Used by one thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hashrange/database.h"
#include "lab/run/traffic_arrivals.h"

namespace hashrange {

struct SentRequest {
  std::string_view pattern;    // the name
  std::string_view operation;  // "GetItem"
  const std::string& body;     // JSON
  std::int64_t time_us = 0;    // from the beginning of the traffic
  // Which request of which open call; a later answer names both (CallRunner::TakeLateAnswer).
  std::uint32_t call = 0;
  std::uint32_t place = 0;
};

// A call that has ended.
struct EndedCall {
  int pattern = 0;
  std::int64_t start_us = 0;  // when it was to begin
  std::int64_t end_us = 0;
};

class RequestSender {
 public:
  virtual ~RequestSender() = default;
  // Sends a request. Returns the status of its answer and replaces `answer` by the body, or returns
  // nothing where the answer comes later.
  virtual std::optional<int> Send(const SentRequest& request, std::string& answer) = 0;
  virtual void NoteEnd(const EndedCall&) {}
};

// A database in this process, which answers at the simulated times of the requests.
class DatabaseSender final : public RequestSender {
 public:
  // `database` outlives the object.
  DatabaseSender(Database& database, std::int64_t start_epoch_ms)
      : database_(database), start_epoch_ms_(start_epoch_ms) {}

  std::optional<int> Send(const SentRequest& request, std::string& answer) override {
    database_.SetTime(start_epoch_ms_ + request.time_us / kUsPerMs);
    return database_.Call(request.operation, request.body, answer, {}, request.pattern);
  }

 private:
  Database& database_;
  const std::int64_t start_epoch_ms_;
};

}  // namespace hashrange
