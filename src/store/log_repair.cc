#include "store/log_repair.h"

#include <algorithm>
#include <optional>

#include "store/file_names.h"
#include "store/log_records.h"

namespace hashrange {
namespace {

Result<std::string> ReadWholeFile(Disk& disk, const std::string& path) {
  std::string bytes;
  const leveldb::Status status = leveldb::ReadFileToString(&disk, path, &bytes);
  if (!status.ok()) return StoreError("cannot read " + path + ": " + status.ToString());
  return bytes;
}

Result<std::vector<std::uint64_t>> LogNumbers(Disk& disk, const std::string& directory) {
  std::vector<std::string> names;
  const leveldb::Status status = disk.GetChildren(directory, &names);
  if (!status.ok()) return StoreError("cannot read " + directory + ": " + status.ToString());
  std::vector<std::uint64_t> numbers;
  for (const std::string& name : names) {
    const auto parsed = ParseStoreFileName(name);
    if (parsed && parsed->kind == StoreFileKind::kLog) numbers.push_back(parsed->number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

class Finder {
 public:
  Finder(Disk& disk, const std::string& directory) : disk_(disk), directory_(directory) {}

  Result<std::vector<CutFile>> Find() {
    if (!disk_.FileExists(PathIn(directory_, kCurrentFileName))) return std::move(found_);
    HR_RETURN_IF_ERROR(ReadManifest());
    HR_ASSIGN(const std::vector<std::uint64_t> numbers, LogNumbers(disk_, directory_));
    const auto first = std::lower_bound(numbers.begin(), numbers.end(), oldest_log_);
    if (oldest_log_ != 0 && (first == numbers.end() || *first != oldest_log_)) {
      return StoreError(PathIn(directory_, LogFileName(oldest_log_)) + " is missing");
    }
    for (auto at = first; at != numbers.end(); ++at) {
      HR_RETURN_IF_ERROR(ReadLog(LogFileName(*at)));
    }
    return std::move(found_);
  }

 private:
  Status ReadManifest() {
    HR_ASSIGN(std::string name, ReadWholeFile(disk_, PathIn(directory_, kCurrentFileName)));
    if (name.ends_with('\n')) name.pop_back();
    const auto parsed = ParseStoreFileName(name);
    if (!parsed || parsed->kind != StoreFileKind::kManifest || name != NameInPath(name)) {
      return StoreError(PathIn(directory_, kCurrentFileName) + " is damaged");
    }
    const std::string path = PathIn(directory_, name);
    HR_ASSIGN(const std::string bytes, ReadWholeFile(disk_, path));
    const ManifestScan scan = ScanManifest(bytes);
    oldest_log_ = scan.log_number;
    if (scan.edits == 0) return StoreError(path + " is damaged");
    if (!scan.is_damaged) return {};
    // The edit that begins here is damaged. No other may follow.
    if (HoldsLogRecord(std::string_view(bytes).substr(scan.sound_bytes + 1))) {
      return StoreError(path + " is damaged");
    }
    Add(name, scan.sound_bytes, bytes.size());
    return {};
  }

  Status ReadLog(const std::string& name) {
    HR_ASSIGN(const std::string bytes, ReadWholeFile(disk_, PathIn(directory_, name)));
    if (bytes.empty()) {
      is_behind_empty_log_ = true;
      return {};
    }
    // LevelDB begins a new log when the one before is full, never when it is empty.
    if (is_behind_empty_log_) {
      Add(name, 0, bytes.size());
      return {};
    }
    const LogScan scan = ScanLog(bytes, next_sequence_);
    next_sequence_ = scan.next_sequence;
    is_behind_empty_log_ = scan.records == 0;
    if (scan.is_damaged) Add(name, scan.sound_bytes, bytes.size());
    return {};
  }

  void Add(const std::string& name, std::size_t kept, std::size_t size) {
    found_.push_back({name, kept, size - kept});
  }

  Disk& disk_;
  const std::string& directory_;
  std::uint64_t oldest_log_ = 0;
  std::optional<std::uint64_t> next_sequence_;
  bool is_behind_empty_log_ = false;
  std::vector<CutFile> found_;
};

}  // namespace

std::string CutFileText(const CutFile& file) {
  return "the end of " + file.name + " is damaged: " + std::to_string(file.cut_bytes) + " of its " +
         std::to_string(file.kept_bytes + file.cut_bytes) + " bytes are cut off";
}

Result<std::vector<CutFile>> FindDamagedEnds(Disk& disk, const std::string& directory) {
  return Finder(disk, directory).Find();
}

Result<std::vector<CutFile>> CutDamagedEnds(Disk& disk, const std::string& directory) {
  HR_ASSIGN(std::vector<CutFile> found, FindDamagedEnds(disk, directory));
  for (const CutFile& file : found) {
    const std::string path = PathIn(directory, file.name);
    const leveldb::Status status = disk.TruncateFile(path, file.kept_bytes);
    if (!status.ok()) return StoreError("cannot cut " + path + ": " + status.ToString());
  }
  return found;
}

Error StoreError(std::string message) {
  return Error{ErrorCode::kInternalServerError, std::move(message), nullptr};
}

}  // namespace hashrange
