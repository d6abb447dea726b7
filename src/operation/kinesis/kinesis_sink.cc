#include "operation/kinesis/kinesis_sink.h"

#include <cerrno>
#include <new>
#include <system_error>
#include <utility>

#include "base/log.h"
#include "base/random.h"
#include "platform/files.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

// Lines are written when they have this many bytes, or when no other change waits.
constexpr std::size_t kMostBytesOfWrite = 1 << 20;

constexpr std::string_view kNoMemory = "there is not enough memory";

Result<Descriptor> OpenOrCreate(const OutputFolder& folder, const std::string& name) {
  return folder.Has(name) ? folder.OpenFile(name) : folder.Create(name);
}

Error FileError(const OutputFolder& folder, const std::string& name, int error_number) {
  return InternalError((folder.path() / name).string() + ": " +
                       std::generic_category().message(error_number));
}

}  // namespace

Result<std::unique_ptr<KinesisSink>> KinesisSink::Open(const fs::path& folder) {
  if constexpr (!kHasThreads) {
    return ValidationError("without threads, no record of a Kinesis destination is written");
  }
  HR_ASSIGN(OutputFolder opened, OutputFolder::Make(folder));
  return std::unique_ptr<KinesisSink>(new KinesisSink(std::move(opened)));
}

KinesisSink::KinesisSink(OutputFolder folder) : folder_(std::move(folder)) {
  thread_ = Thread([this] { Run(); });
}

KinesisSink::~KinesisSink() {
  {
    const MutexLock lock(mutex_);
    is_stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void KinesisSink::OnCommit(std::span<const Change> changes, const TokenRef& /*token*/) noexcept {
  Changes sent;
  for (const Change& change : changes) {
    if (change.is_none() || !change.table->settings.ActiveDestination()) continue;
    sent.push_back({TableRef::Share(change.table), change.before, change.after, change.epoch_ms,
                    change.origin});
  }
  if (sent.empty()) return;
  bool was_empty;
  {
    const MutexLock lock(mutex_);
    was_empty = waiting_.empty();
    queued_ += sent.size();
    waiting_.splice(waiting_.end(), sent);
  }
  if (was_empty) wake_.notify_one();
}

void KinesisSink::Flush() {
  MovableLock lock(mutex_);
  const std::uint64_t until = queued_;
  written_all_.wait(lock, [this, until] { return written_ >= until; });
}

std::string KinesisSink::ProblemOf(std::string_view stream_arn) const {
  const MutexLock lock(mutex_);
  const auto found = losses_.find(stream_arn);
  if (found == losses_.end()) return {};
  const std::uint64_t records = found->second.records;
  return std::to_string(records) + (records == 1 ? " record is lost: " : " records are lost: ") +
         found->second.reason;
}

void KinesisSink::AddLine(const SentChange& change, Lines& lines) {
  const std::size_t start = lines.text.size();
  try {
    JsonWriter writer(lines.text);
    WriteKinesisRecord(change, MakeUuid(Random::ThisThread()), writer);
    lines.text.Append('\n');
  } catch (const std::bad_alloc&) {
    lines.text.Truncate(start);
    throw;
  }
  ++lines.count;
}

void KinesisSink::Run() {
  MovableLock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return is_stopping_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    Changes changes = std::exchange(waiting_, Changes());
    const std::uint64_t count = changes.size();
    lock.unlock();
    Write(changes);
    changes.clear();
    lock.lock();
    written_ += count;
    written_all_.notify_all();
  }
}

// Without memory for a line, its record is lost, and the thread goes on.
void KinesisSink::Write(Changes& changes) {
  std::map<std::string, Lines, std::less<>> by_stream;
  for (; !changes.empty(); changes.pop_front()) {
    const std::string& arn = changes.front().table->settings.ActiveDestination()->stream_arn;
    try {
      Lines& lines = by_stream[arn];
      AddLine(changes.front(), lines);
      if (lines.text.size() >= kMostBytesOfWrite) Append(arn, lines);
    } catch (const std::bad_alloc&) {
      NoteLoss(arn, 1, kNoMemory);
    }
  }
  for (auto& [arn, lines] : by_stream) Append(arn, lines);
}

void KinesisSink::Append(const std::string& stream_arn, Lines& lines) {
  if (lines.count == 0) return;
  const std::uint64_t count = std::exchange(lines.count, 0);
  Status appended;
  try {
    appended = AppendToFile(KinesisFileName(stream_arn).value_or(""), lines.text.view());
  } catch (const std::bad_alloc&) {
    return NoteLoss(stream_arn, count, kNoMemory);
  }
  lines.text.Clear();
  if (!appended.ok()) return NoteLoss(stream_arn, count, appended.error().message);
  const MutexLock lock(mutex_);
  const auto found = losses_.find(stream_arn);
  if (found != losses_.end()) found->second.is_logged = false;
}

// The file is opened each time, so that a file that was moved away or removed is made anew. When a
// write fails, the file keeps none of the lines: part of a line would spoil the next one.
Status KinesisSink::AppendToFile(const std::string& name, std::string_view text) const {
  HR_ASSIGN(const Descriptor file, OpenOrCreate(folder_, name));
  const auto size_bytes = SizeOfFile(file.number());
  if (!size_bytes || !CutOpenFile(file.number(), *size_bytes)) {
    return FileError(folder_, name, errno);
  }
  if (WriteAll(file.number(), text)) return {};
  const Error failed = FileError(folder_, name, errno);
  (void)CutOpenFile(file.number(), *size_bytes);
  return failed;
}

void KinesisSink::NoteLoss(const std::string& stream_arn, std::uint64_t records,
                           std::string_view reason) {
  try {
    const MutexLock lock(mutex_);
    Loss& loss = losses_[stream_arn];
    loss.records += records;
    loss.reason = reason;
    if (std::exchange(loss.is_logged, true)) return;
    Log(LogLevel::kError, "records for " + stream_arn + " are lost: " + std::string(reason));
  } catch (const std::bad_alloc&) {
    // There is no memory to say that there is none.
  }
}

}  // namespace hashrange
