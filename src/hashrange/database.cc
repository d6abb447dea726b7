#include "hashrange/database.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "base/log.h"
#include "base/output_buffer.h"
#include "hashrange/database_state.h"
#include "http/http_request.h"
#include "operation/caller.h"
#include "transfer/seed.h"

namespace hashrange {
namespace {

// A thread releases its output after an answer if the output has more memory than this.
constexpr std::size_t kKeptOutputBytes = 4 << 20;

constexpr int kTooLarge = 413;
constexpr int kDropped = 0;

}  // namespace

Database::Database() : Database(Options()) {}
Database::Database(const Options& options) : state_(std::make_unique<State>(options)) {}
Database::~Database() = default;

Answer Database::Call(std::string_view operation, std::string_view json, const Credential& as) {
  Answer answer;
  answer.status = Call(operation, json, answer.body, as);
  return answer;
}

int Database::Call(std::string_view operation, std::string_view json, std::string& body,
                   const Credential& as, std::string_view pattern) {
  if (json.size() > kMaxBodyBytes) {
    body.clear();
    return kTooLarge;
  }
  thread_local OutputBuffer out;
  out.Clear();
  const ApiAnswer answer =
      state_->dispatcher.Call({operation, json, CallerOf(as.access_key, as.region), pattern}, out);
  if (answer.send_after_ms > 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(answer.send_after_ms));
  }
  body.assign(answer.drop ? std::string_view() : out.view());
  if (out.capacity() > kKeptOutputBytes) out = {};
  return answer.drop ? kDropped : answer.http_status;
}

void Database::SetTime(std::int64_t epoch_ms) { state_->clock.FreezeAt(epoch_ms); }

bool Database::Seed(const std::string& path, std::string* error, const Credential& as,
                    SeedReport* report) {
  const TransferParts parts{state_->engine, state_->streams, state_->time_to_live,
                            state_->shared_tables};
  SeedRequest request{.caller = CallerOf(as.access_key, as.region), .path = path};
  if (report) request.counters = {&report->items_read, &report->items_stored};
  auto loaded = hashrange::Seed(parts, request);
  if (!loaded.ok()) {
    *error = std::move(loaded).error().message;
    return false;
  }
  for (std::string& warning : loaded->warnings) {
    warning += ".";
    if (!report) Log(LogLevel::kWarning, warning);
  }
  if (report) {
    report->tables = static_cast<int>(loaded->tables.size());
    report->warnings = std::move(loaded->warnings);
  }
  return true;
}

Answer Database::Control(std::string_view method, std::string_view path, std::string_view json) {
  const std::size_t mark = std::min(path.find('?'), path.size());
  ControlAnswer answer =
      state_->control.Answer({.method = std::string(method),
                              .path = std::string(path.substr(0, mark)),
                              .query = std::string(path.substr(mark)).erase(0, 1),
                              .body = std::string(json)});
  return {.status = answer.http_status, .body = std::move(answer.body)};
}

}  // namespace hashrange
