#include "hashrange/database.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "base/log.h"
#include "base/memory/output_buffer.h"
#include "base/memory/thread_object.h"
#include "base/threads.h"
#include "base/work_queue.h"
#include "control/files/dump.h"
#include "control/files/seed.h"
#include "operation/call/caller.h"
#include "server/hashrange/database_state.h"
#include "wire/error_body.h"

namespace hashrange {
namespace {

// A thread releases its output after an answer if the output has more memory than this.
constexpr std::size_t kKeptOutputBytes = 4 << 20;

// Without threads, each call gives so much time to works that are due.
constexpr std::chrono::milliseconds kBudgetOfCall{5};

constexpr int kTooLarge = 413;
constexpr int kDropped = 0;

// Replaces an answer in `out` by an error, and returns the error's HTTP status.
int ReplaceByError(const Error& error, OutputBuffer& out) {
  out.Clear();
  WriteErrorBody(error, out);
  return ErrorInfoOf(error.code).http_status;
}

}  // namespace

std::unique_ptr<Database> Database::Open(const Options& options, std::string* error,
                                         OpenReport* report) {
  OpenReport unread;
  auto state = OpenState(options, error, report ? *report : unread);
  if (!state) return nullptr;
  return std::unique_ptr<Database>(new Database(std::move(state)));
}

std::unique_ptr<Database::State> Database::OpenState(const Options& options, std::string* error,
                                                     OpenReport& report) {
  static_assert(kNeverFlushed == KeptTables::kNeverFlushed);
  std::unique_ptr<KinesisSink> kinesis;
  if (!options.kinesis_directory.empty()) {
    auto opened = KinesisSink::Open(options.kinesis_directory);
    if (!opened.ok()) {
      *error = std::move(opened).error().message;
      return nullptr;
    }
    kinesis = std::move(*opened);
  }
  if (options.data_directory.empty()) {
    return std::make_unique<State>(options, nullptr, std::move(kinesis));
  }
  auto kept = OpenKeptTables(
      {.directory = options.data_directory, .sync_interval_ms = options.sync_interval_ms});
  if (!kept.ok()) {
    *error = std::move(kept).error().message;
    return nullptr;
  }
  auto state = std::make_unique<State>(options, std::move(*kept), std::move(kinesis));
  const auto tables = state->kept->Load({.engine = state->engine,
                                         .streams = state->streams,
                                         .time_to_live = state->time_to_live,
                                         .backfiller = state->backfiller,
                                         .clock = state->clock},
                                        report.items);
  if (!tables.ok()) {
    *error = tables.error().message;
    return nullptr;
  }
  report.tables = *tables;
  return state;
}

Database::Database() : Database(Options()) {}

Database::Database(const Options& options) {
  std::string error;
  OpenReport report;
  state_ = OpenState(options, &error, report);
  if (!state_) throw std::runtime_error(error);
}

Database::Database(std::unique_ptr<State> state) : state_(std::move(state)) {}
Database::~Database() = default;

struct Database::Request {
  std::string_view operation;
  std::string_view json;
  const Credential& as;
  std::string_view pattern = {};
};

Answer Database::Call(std::string_view operation, std::string_view json, const Credential& as,
                      std::string_view pattern) {
  Answer answer;
  const Outcome outcome = Run({operation, json, as, pattern}, answer.body);
  answer.status = outcome.status;
  answer.send_after_ms = outcome.send_after_ms;
  return answer;
}

int Database::Call(std::string_view operation, std::string_view json, std::string& body,
                   const Credential& as, std::string_view pattern) {
  return Run({operation, json, as, pattern}, body).status;
}

Database::Outcome Database::Run(const Request& request, std::string& body) {
  if (request.json.size() > kMaxInputBytes) {
    body.clear();
    return {kTooLarge, 0};
  }
  struct CallOutput {
    OutputBuffer bytes;
  };
  OutputBuffer& out = OfThread<CallOutput>().bytes;
  out.Clear();
  const ApiAnswer answer =
      state_->dispatcher.Call({request.operation, request.json,
                               CallerOf(request.as.access_key, request.as.region), request.pattern},
                              out);
  int http_status = answer.http_status;
  if (answer.safe_after > 0) {
    const Status safe = state_->durability()->WaitUntilSafe(answer.safe_after);
    if (!safe.ok()) http_status = ReplaceByError(safe.error(), out);
  }
  if (answer.send_after_ms > 0) SleepFor(std::chrono::milliseconds(answer.send_after_ms));
  body.assign(answer.drop ? std::string_view() : out.view());
  if (out.capacity() > kKeptOutputBytes) out = {};
  if constexpr (!kHasThreads) hashrange::RunDueWorks(kBudgetOfCall);
  return {answer.drop ? kDropped : http_status, kHasThreads ? 0 : answer.send_after_ms};
}

std::int64_t Database::RunDueWorks(std::int64_t budget_ms) {
  const auto next = hashrange::RunDueWorks(std::chrono::milliseconds(budget_ms));
  return next ? next->count() : -1;
}

void Database::SetTime(std::int64_t epoch_ms) {
  state_->clock.FreezeAt(epoch_ms);
  if (state_->kept) state_->kept->ClockWasSet();
}

bool Database::Seed(const std::string& path, std::string* error, const Credential& as,
                    SeedReport* report) {
  if (Durability* const durability = state_->durability()) {
    if (Status admitted = durability->AdmitChange(); !admitted.ok()) {
      *error = std::move(admitted).error().message;
      return false;
    }
  }
  const TransferParts parts = state_->transfer_parts();
  SeedRequest request{.caller = CallerOf(as.access_key, as.region), .path = path};
  if (report) request.counters = {&report->items_read, &report->items_stored};
  auto loaded = hashrange::Seed(parts, request);
  if (Durability* const durability = state_->durability(); durability && loaded.ok()) {
    Status safe = durability->WaitUntilSafe(durability->appended());
    if (!safe.ok()) loaded = std::move(safe).error();
  }
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

struct Database::TextDump::State {
  explicit State(const TransferParts& parts) : dump(parts) {}
  DumpOfAll dump;
  OutputBuffer lines;
};

Database::TextDump::TextDump(std::unique_ptr<State> state) : state_(std::move(state)) {}
Database::TextDump::~TextDump() = default;

bool Database::TextDump::Next(std::string& lines) {
  const bool has_lines = state_->dump.Next(state_->lines);
  lines.assign(state_->lines.view());
  return has_lines;
}

bool Database::TextDump::HasSameContent(const TextDump& other) const {
  return state_->dump.HasSameContent(other.state_->dump);
}

std::unique_ptr<Database::TextDump> Database::DumpAll() {
  auto state = std::make_unique<TextDump::State>(state_->transfer_parts());
  return std::unique_ptr<TextDump>(new TextDump(std::move(state)));
}

bool Database::Close(std::string* error) {
  if (state_->kinesis) state_->kinesis->Flush();
  if (!state_->kept) return true;
  Status stopped = state_->kept->Stop();
  if (!stopped.ok()) *error = std::move(stopped).error().message;
  return stopped.ok();
}

Answer Database::Control(std::string_view method, std::string_view path, std::string_view json) {
  const std::size_t mark = std::min(path.find('?'), path.size());
  ControlAnswer answer =
      state_->control.Answer({.method = std::string(method),
                              .path = std::string(path.substr(0, mark)),
                              .query = std::string(path.substr(mark)).erase(0, 1),
                              .body = std::string(json)});
  if constexpr (!kHasThreads) hashrange::RunDueWorks(kBudgetOfCall);
  return {.status = answer.http_status, .body = std::move(answer.body)};
}

}  // namespace hashrange
