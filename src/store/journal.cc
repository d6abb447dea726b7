#include "store/journal.h"

#include <algorithm>
#include <new>
#include <optional>
#include <utility>

#include "base/log.h"
#include "base/memory/thread_object.h"

namespace hashrange {
namespace {

// With kInterval, a flush is not put off when so much could be lost.
constexpr std::size_t kMaxUnflushedBytes = 16 << 20;
// How much is removed between two looks at the queue.
constexpr int kRemovedAtOnce = 1000;

std::int64_t SteadyMs() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Status Ended() { return InternalError("The server ends."); }

// Returns what the work returns, or an error if it throws for want of memory.
template <typename Work>
Status OrNoMemory(Work work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return InternalError("there is not enough memory");
  }
}

std::string MegabytesText(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

}  // namespace

DataDirectory::Options Journal::DirectoryOptions(Flush flush) {
  DataDirectory::Options options;
  options.flushes_logs = flush != Flush::kNever;
  return options;
}

Journal::Journal(std::unique_ptr<DataDirectory> directory, const Options& options)
    : options_(options),
      directory_(std::move(directory)),
      writer_(*directory_, options.flush != Flush::kNever),
      last_progress_ms_(SteadyMs()) {}

Journal::~Journal() {
  const Status ignored = Stop();
  (void)ignored;  // it is logged
}

void Journal::Start() {
  CheckRoom();
  thread_ = std::thread([this] { Run(); });
}

Status Journal::Stop() {
  const std::lock_guard one_at_a_time(stop_mutex_);
  if (thread_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      is_stopping_ = true;
    }
    progress_.notify_all();
    queue_.Wake();
    thread_.join();
    if (outcome_.ok()) directory_->FlushLogs();
    SetState(State::kEnded);
  }
  return outcome_.ok() ? Status() : Status(outcome_.error());
}

std::size_t Journal::waiting_bytes() const {
  return queue_.size_bytes() + writer_bytes_.load(std::memory_order_relaxed);
}

Status Journal::AdmitChange() {
  if (is_stopping_.load(std::memory_order_relaxed)) return Ended();
  switch (state_.load(std::memory_order_acquire)) {
    case State::kWritable:
      break;
    case State::kFailed:
      return InternalError("The data directory cannot be written.");
    case State::kNoRoom:
      return InternalError("The disk of the data directory has too little room.");
    case State::kEnded:
      return Ended();
  }
  const std::size_t waiting = waiting_bytes();
  if (waiting <= options_.max_waiting_bytes) return {};
  const std::int64_t idle_ms = SteadyMs() - last_progress_ms_.load(std::memory_order_relaxed);
  if (idle_ms <= options_.stall.count() && waiting / kWaitingFactor <= options_.max_waiting_bytes) {
    return {};
  }
  return InternalError("The disk of the data directory is too slow.");
}

Status Journal::WaitForRoom() {
  while (waiting_bytes() > options_.max_waiting_bytes) {
    if (state_.load() == State::kEnded) return Ended();
    std::unique_lock lock(mutex_);
    progress_.wait_for(lock, std::chrono::milliseconds(10));
  }
  return {};
}

Status Journal::WaitUntilSafe(Position position) {
  if (safe() >= position) return {};
  std::unique_lock lock(mutex_);
  progress_.wait(lock, [&] { return safe() >= position || state_.load() == State::kEnded; });
  return safe() >= position ? Status() : Ended();
}

void Journal::AddListener(Listener& listener) {
  const std::lock_guard lock(listeners_mutex_);
  listeners_.push_back(&listener);
}

void Journal::RemoveListener(Listener& listener) {
  const std::lock_guard lock(listeners_mutex_);
  std::erase(listeners_, &listener);
}

void Journal::SetState(State state) {
  {
    const std::lock_guard lock(mutex_);
    state_.store(state, std::memory_order_release);
  }
  progress_.notify_all();
}

void Journal::Run() {
  PrepareThread();
  while (true) {
    queue_.WaitUntil(NextWork());
    // Read before the queue is: what was appended before Stop is written.
    const bool is_last = is_stopping_.load();
    const Status written = OrNoMemory([&] { return WriteAll(is_last); });
    if (!written.ok() && !RecoverFrom(written.error())) break;
    Publish();
    RecordFlushed();
    CheckRoom();
    if (is_last && written.ok() && work_.groups.empty()) break;
  }
}

Journal::Clock::time_point Journal::NextWork() const {
  const Clock::time_point now = Clock::now();
  if (is_stopping_ || !work_.empty() || writer_.has_waiting()) return now;
  Clock::time_point next = now + std::chrono::hours(1);
  if (state_.load() == State::kNoRoom) next = now + options_.retry;
  if (options_.flush == Flush::kInterval && writer_.has_unflushed()) {
    next = std::min(next, first_unflushed_ + options_.interval);
  }
  if (next_record_) next = std::min(next, *next_record_);
  return next;
}

bool Journal::MustFlush(bool is_last) const {
  switch (options_.flush) {
    case Flush::kAlways:
      return true;
    case Flush::kNever:
      return false;
    case Flush::kInterval:
      break;
  }
  return is_last || writer_.unflushed_bytes() > kMaxUnflushedBytes ||
         (writer_.has_unflushed() && Clock::now() >= first_unflushed_ + options_.interval);
}

Status Journal::WriteAll(bool is_last) {
  queue_.MoveTo(&work_);
  last_progress_ms_.store(SteadyMs(), std::memory_order_relaxed);
  writer_bytes_.store(writer_.waiting_bytes() + work_.size_bytes, std::memory_order_relaxed);
  writer_.Add(&work_, options_.most_bytes_at_once);
  const bool had_unflushed = writer_.has_unflushed();
  HR_RETURN_IF_ERROR(writer_.Write(MustFlush(is_last)));
  if (!had_unflushed) first_unflushed_ = Clock::now();
  // A range may have had changes that were appended before, and are still to be written.
  const bool removes = work_.groups.empty() && !work_.removals.empty() && !is_last;
  return removes ? RemoveSome() : Status();
}

Status Journal::RemoveSome() {
  HR_ASSIGN(const bool has_more, writer_.RemoveSome(work_.removals.front(), kRemovedAtOnce));
  if (!has_more) work_.removals.pop_front();
  return {};
}

// Returns false when the journal gives up, because it has to end.
bool Journal::RecoverFrom(Error error) {
  SetState(State::kFailed);
  Log(LogLevel::kError, "The data directory " + path() + " cannot be written (" + error.message +
                            "). Changes are refused until it can.");
  while (true) {
    const bool is_last = !WaitForRetry();
    const Status recovered = OrNoMemory([this] { return writer_.Recover(); });
    if (recovered.ok()) break;
    if (!is_last) continue;
    const Position lost = appended() - safe();
    outcome_ = InternalError("The last " + std::to_string(lost) +
                             " changes are not stored: " + recovered.error().message);
    Log(LogLevel::kError, outcome_.error().message);
    SetState(State::kEnded);
    return false;
  }
  Log(LogLevel::kInfo, "The data directory " + path() + " can be written again.");
  SetState(State::kWritable);
  return true;
}

// Returns false if the journal has to end.
bool Journal::WaitForRetry() {
  std::unique_lock lock(mutex_);
  return !progress_.wait_for(lock, options_.retry, [this] { return is_stopping_.load(); });
}

// That takes some flushes, so it is done rarely. It tells a log that a killed server has left from
// one that was cut short afterwards.
void Journal::RecordFlushed() {
  if (writer_.flushed() == recorded_) return;
  const Clock::time_point now = Clock::now();
  if (!next_record_) next_record_ = now + options_.record;
  if (now < *next_record_) return;
  directory_->RecordFlushed();
  recorded_ = writer_.flushed();
  next_record_.reset();
}

void Journal::CheckRoom() {
  const std::optional<std::uint64_t> free = directory_->FreeBytes();
  if (!free) return;
  const bool has_no_room = state_.load() == State::kNoRoom;
  // Some more room is wanted than was too little, so that the state does not change all the time.
  const std::uint64_t least =
      has_no_room ? options_.reserve_bytes + options_.reserve_bytes / 8 : options_.reserve_bytes;
  if ((*free < least) == has_no_room) return;
  if (has_no_room) {
    Log(LogLevel::kInfo, "The disk of the data directory " + path() + " has room again.");
  } else {
    Log(LogLevel::kError, "The disk of the data directory " + path() + " has less than " +
                              MegabytesText(options_.reserve_bytes) +
                              " left. Changes are refused until it has more.");
  }
  SetState(has_no_room ? State::kWritable : State::kNoRoom);
}

void Journal::Publish() {
  writer_bytes_.store(writer_.waiting_bytes() + work_.size_bytes, std::memory_order_relaxed);
  last_progress_ms_.store(SteadyMs(), std::memory_order_relaxed);
  const Position safe_now =
      options_.flush == Flush::kAlways ? writer_.flushed() : writer_.written();
  const bool has_grown = safe_now > safe_.load(std::memory_order_relaxed);
  {
    const std::lock_guard lock(mutex_);
    safe_.store(safe_now, std::memory_order_release);
  }
  progress_.notify_all();
  if (!has_grown) return;
  const std::lock_guard lock(listeners_mutex_);
  for (Listener* const listener : listeners_) listener->OnSafe(safe_now);
}

Status Journal::Backup(const std::string& directory) {
  const Position position = appended();
  {
    std::unique_lock lock(mutex_);
    progress_.wait(lock, [&] {
      const State state = state_.load();
      return safe() >= position || state == State::kFailed || state == State::kEnded;
    });
  }
  if (safe() < position) return InternalError("The data directory cannot be written.");
  DataDirectory::Use use(*directory_);
  return CopyData(use, directory_->disk(), directory, options_.reserve_bytes);
}

}  // namespace hashrange
