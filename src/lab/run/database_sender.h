// DatabaseSender answers the requests of a lab's calls by a database in this process, at their
// simulated times. Used by one thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hashrange/database.h"
#include "lab/run/request_sender.h"

namespace hashrange {

class DatabaseSender final : public RequestSender {
 public:
  // `database` outlives the object.
  DatabaseSender(Database& database, std::int64_t start_epoch_ms)
      : database_(database), start_epoch_ms_(start_epoch_ms) {}

  std::optional<int> Send(const SentRequest& request, std::string& answer) override {
    constexpr std::int64_t kUsPerMs = 1000;
    database_.SetTime(start_epoch_ms_ + request.time_us / kUsPerMs);
    return database_.Call(request.operation, request.body, answer, {}, request.pattern);
  }

 private:
  Database& database_;
  const std::int64_t start_epoch_ms_;
};

}  // namespace hashrange
