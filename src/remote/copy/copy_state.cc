#include "remote/copy/copy_state.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <system_error>
#include <utility>

#include "base/memory/arena.h"
#include "control/files/byte_source.h"
#include "control/files/dump_folder.h"
#include "control/files/folder.h"
#include "platform/files.h"
#include "remote/copy/segment_scan.h"
#include "wire/json.h"
#include "wire/json_writer.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

using Type = JsonValue::Type;

constexpr std::int64_t kVersion = 1;
// In the order of CopyStage.
constexpr std::array<std::string_view, 5> kStages = {"waiting", "creating", "items", "verifying",
                                                     "done"};

void WriteSegment(const SegmentState& segment, JsonWriter& json) {
  json.BeginObject();
  if (segment.is_done) {
    json.BoolMember("is_done", true);
  } else if (!segment.next_key.empty()) {
    json.RawMember("next_key", segment.next_key);
  }
  json.EndObject();
}

void WriteTable(const TableState& table, JsonWriter& json) {
  json.BeginObject();
  json.StringMember("name", table.name);
  json.StringMember("target", table.target);
  json.StringMember("stage", kStages[static_cast<std::size_t>(table.stage)]);
  json.BoolMember("existed", table.existed);
  json.BoolMember("had_items", table.had_items);
  json.StringMember("source_id", table.source_id);
  json.StringMember("target_id", table.target_id);
  json.StringMember("difference", table.difference);
  json.IntegerMember("items", table.digest.items());
  json.StringMember("digest", table.digest.Text());
  json.IntegerMember("file_bytes", table.file_bytes);
  json.BeginArray("segments");
  for (const SegmentState& segment : table.segments) WriteSegment(segment, json);
  json.EndArray();
  json.EndObject();
}

// Reads members of one object, and notes whether one of them is not what it has to be.
class StateReader {
 public:
  explicit StateReader(const JsonValue& json) : json_(json) {
    if (json.type != Type::kObject) is_wrong_ = true;
  }

  const JsonValue* Member(std::string_view name, Type type) {
    const JsonValue* const value = json_.Find(name);
    if (value && value->type == type) return value;
    is_wrong_ = true;
    return nullptr;
  }
  std::string Text(std::string_view name) {
    const JsonValue* const value = Member(name, Type::kString);
    return value ? std::string(value->string()) : "";
  }
  std::int64_t Count(std::string_view name) {
    const JsonValue* const value = Member(name, Type::kInteger);
    if (!value) return 0;
    if (value->integer < 0) is_wrong_ = true;
    return value->integer;
  }
  bool Bool(std::string_view name) {
    const JsonValue* const value = json_.Find(name);
    if (value && value->type == Type::kTrue) return true;
    Member(name, Type::kFalse);  // notes a value that is neither
    return false;
  }
  double Amount(std::string_view name) {
    const JsonValue* const value = json_.Find(name);
    double amount = -1;
    if (value && value->type == Type::kDecimal) amount = value->decimal;
    if (value && value->type == Type::kInteger) amount = static_cast<double>(value->integer);
    if (!(amount >= 0) || !std::isfinite(amount)) is_wrong_ = true;
    return amount;
  }
  bool is_wrong() const { return is_wrong_; }

 private:
  const JsonValue& json_;
  bool is_wrong_ = false;
};

Error NoState() { return ValidationError("it is no state of a copy"); }

Result<SegmentState> ReadSegment(const JsonValue& json) {
  if (json.type != Type::kObject) return NoState();
  SegmentState segment;
  const JsonValue* const is_done = json.Find("is_done");
  segment.is_done = is_done && is_done->type == Type::kTrue;
  if (const JsonValue* const key = json.Find("next_key")) {
    if (key->type != Type::kObject) return NoState();
    segment.next_key = JsonText(*key);
  }
  return segment;
}

Result<TableState> ReadTable(const JsonValue& json) {
  StateReader reader(json);
  TableState table;
  table.name = reader.Text("name");
  table.target = reader.Text("target");
  const std::string stage = reader.Text("stage");
  table.existed = reader.Bool("existed");
  table.had_items = reader.Bool("had_items");
  table.source_id = reader.Text("source_id");
  table.target_id = reader.Text("target_id");
  table.difference = reader.Text("difference");
  const std::int64_t items = reader.Count("items");
  const auto digest = ParseItemDigest(items, reader.Text("digest"));
  table.file_bytes = reader.Count("file_bytes");
  const JsonValue* const segments = reader.Member("segments", Type::kArray);
  const auto known = std::find(kStages.begin(), kStages.end(), stage);
  if (reader.is_wrong() || !digest || known == kStages.end() || !IsTableName(table.name) ||
      !IsTableName(table.target)) {
    return NoState();
  }
  table.digest = *digest;
  table.stage = static_cast<CopyStage>(known - kStages.begin());
  const bool is_begun = table.stage != CopyStage::kWaiting;
  if (segments->size > kMostSegments || (is_begun && segments->size == 0)) return NoState();
  for (const JsonValue& element : segments->elements()) {
    HR_ASSIGN(SegmentState segment, ReadSegment(element));
    table.segments.push_back(std::move(segment));
  }
  return table;
}

}  // namespace

std::string CopyStateText(const CopyState& state) {
  return JsonObjectText([&](JsonWriter& json) {
           json.IntegerMember("version", kVersion);
           json.StringMember("from", state.from);
           json.StringMember("to", state.to);
           json.BoolMember("gzip", state.compresses);
           json.DoubleMember("usd", state.usd);
           json.BeginArray("tables");
           for (const TableState& table : state.tables) WriteTable(table, json);
           json.EndArray();
         }) +
         "\n";
}

Result<CopyState> ParseCopyState(std::string& text) {
  Arena arena;
  const auto json = ParseJsonData({text.data(), text.size()}, JsonDialect::kRequest, arena);
  if (!json.ok()) return NoState();
  StateReader reader(**json);
  CopyState state;
  const std::int64_t version = reader.Count("version");
  state.from = reader.Text("from");
  state.to = reader.Text("to");
  state.compresses = reader.Bool("gzip");
  state.usd = reader.Amount("usd");
  const JsonValue* const tables = reader.Member("tables", Type::kArray);
  if (reader.is_wrong() || version != kVersion) return NoState();
  for (const JsonValue& element : tables->elements()) {
    HR_ASSIGN(TableState table, ReadTable(element));
    state.tables.push_back(std::move(table));
  }
  return state;
}

namespace {

constexpr std::chrono::milliseconds kWrittenEvery{200};
constexpr std::size_t kMaxStateBytes = 256 << 20;

Error StateError(ErrorCode code, const std::filesystem::path& path, const std::string& why) {
  return {code, path.string() + ": " + why, nullptr};
}

std::string SystemMessage() { return std::generic_category().message(errno); }

// Returns whether the descriptor is of the file that has the name now.
bool IsFileIn(const OutputFolder& folder, const std::string& name, const Descriptor& file) {
  const auto opened = FactsOf(file.number());
  const auto named = FactsIn(folder.descriptor(), name);
  return opened && named && opened->file_number == named->file_number &&
         opened->device_number == named->device_number;
}

}  // namespace

Result<std::unique_ptr<CopyStateFile>> CopyStateFile::Begin(const std::filesystem::path& path,
                                                            CopyState state) {
  std::unique_ptr<CopyStateFile> file(new CopyStateFile(path, std::move(state)));
  HR_ASSIGN(file->folder_, OutputFolder::OpenOf(path));
  // Only one process can create the file: who has it, locked, may replace it.
  auto made = file->folder_->Create(file->name());
  if (!made.ok()) {
    if (made.error().code != ErrorCode::kResourceInUseException) return std::move(made).error();
    return StateError(ErrorCode::kValidationException, path, "there is such a file already");
  }
  file->file_ = std::move(*made);
  if (!LockFile(file->file_.number())) {
    return StateError(ErrorCode::kValidationException, path, "another copy is using it");
  }
  const Status written = file->Write();
  if (written.ok()) return file;
  file->Remove();
  return written.error();
}

Result<std::unique_ptr<CopyStateFile>> CopyStateFile::Continue(const std::filesystem::path& path) {
  std::unique_ptr<CopyStateFile> file(new CopyStateFile(path, {}));
  HR_ASSIGN(file->folder_, OutputFolder::OpenOf(path));
  HR_ASSIGN(file->file_, file->folder_->OpenFile(file->name()));
  if (!LockFile(file->file_.number()) || !IsFileIn(*file->folder_, file->name(), file->file_)) {
    return StateError(ErrorCode::kValidationException, path, "another copy is using it");
  }
  auto text = ReadWholeFile(path, kMaxStateBytes);
  if (!text.ok()) return std::move(text).error();
  auto state = ParseCopyState(*text);
  if (!state.ok()) return WithFileName(path.string(), std::move(state).error());
  file->state_ = std::move(*state);
  return file;
}

CopyState CopyStateFile::Get() const {
  std::lock_guard lock(mutex_);
  return state_;
}

Status CopyStateFile::Update(const Change& change) {
  std::lock_guard lock(mutex_);
  change(state_);
  if (std::chrono::steady_clock::now() < next_write_) return {};
  return Write();
}

Status CopyStateFile::UpdateNow(const Change& change) {
  std::lock_guard lock(mutex_);
  change(state_);
  return Write();
}

// The new file is locked before it gets the name, so there is no moment without a lock. Nobody else
// writes it, as the file of the name is locked; an earlier process may have left one.
Status CopyStateFile::Write() {
  const std::string next = name() + ".new";
  auto made = folder_->Replace(next);
  Status written = made.ok() ? Status() : Status(made.error());
  if (made.ok() &&
      (!LockFile(made->number()) || !WriteAll(made->number(), CopyStateText(state_)))) {
    written = StateError(ErrorCode::kInternalServerError, path_,
                         "it cannot be written: " + SystemMessage());
  }
  if (written.ok()) written = folder_->Rename(next, name());
  if (!written.ok()) {
    if (made.ok()) (void)folder_->RemoveFile(next);
    return InternalError(written.error().message);
  }
  file_ = std::move(*made);
  next_write_ = std::chrono::steady_clock::now() + kWrittenEvery;
  return {};
}

void CopyStateFile::Remove() {
  std::lock_guard lock(mutex_);
  (void)folder_->RemoveFile(name());
}

}  // namespace hashrange
