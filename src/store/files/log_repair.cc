#include "store/files/log_repair.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "store/files/file_names.h"
#include "store/files/log_records.h"

namespace hashrange {
namespace {

Result<std::string> ReadWholeFile(Disk& disk, const std::string& path) {
  std::string bytes;
  HR_RETURN_IF_ERROR(
      ToStatus(leveldb::ReadFileToString(&disk, path, &bytes), "cannot read " + path));
  return bytes;
}

Result<std::set<std::string>> FileNames(Disk& disk, const std::string& directory) {
  std::vector<std::string> names;
  HR_RETURN_IF_ERROR(ToStatus(disk.GetChildren(directory, &names), "cannot read " + directory));
  return std::set<std::string>(names.begin(), names.end());
}

// Finds the damaged ends. Changes nothing.
class Finder {
 public:
  // `ends`: what is known before the logs are read. All outlive the object.
  Finder(Disk& disk, const std::string& directory, LogEnds& ends)
      : disk_(disk), directory_(directory), ends_(ends) {}

  Result<std::vector<CutFile>> Find() {
    if (!disk_.FileExists(PathIn(directory_, kCurrentFileName))) {
      ends_.clear();
      return std::move(found_);
    }
    HR_RETURN_IF_ERROR(ReadManifest());
    ends_.erase(ends_.begin(), ends_.lower_bound(oldest_log_));
    HR_ASSIGN(const std::set<std::string> names, FileNames(disk_, directory_));
    for (const std::uint64_t number : LogsInForce(names)) {
      logs_.push_back({number, LogFileName(number)});
      HR_RETURN_IF_ERROR(ReadLog(names, &logs_.back()));
    }
    for (const Log& log : logs_) Judge(log);
    AddLogsThatOthersName();
    return std::move(found_);
  }

 private:
  struct Log {
    std::uint64_t number = 0;
    std::string name;
    std::size_t size = 0;
    LogScan scan = {};
    bool is_missing = false;
  };

  Status ReadManifest() {
    HR_ASSIGN(std::string name, ReadWholeFile(disk_, PathIn(directory_, kCurrentFileName)));
    if (name.ends_with('\n')) name.pop_back();
    const auto parsed = ParseStoreFileName(name);
    if (!parsed || parsed->kind != StoreFileKind::kManifest || name != NameInPath(name)) {
      return InternalError(PathIn(directory_, kCurrentFileName) + " is damaged");
    }
    const std::string path = PathIn(directory_, name);
    HR_ASSIGN(const std::string bytes, ReadWholeFile(disk_, path));
    const ManifestScan scan = ScanManifest(bytes);
    if (scan.edits == 0 || !scan.log_number) return InternalError(path + " is damaged");
    oldest_log_ = *scan.log_number;
    if (!scan.is_damaged) return {};
    // Only the last edit may be damaged.
    if (HoldsLogRecord(std::string_view(bytes).substr(scan.damage_at + 1))) {
      return InternalError(path + " is damaged");
    }
    found_.push_back({name, scan.sound_bytes, bytes.size() - scan.sound_bytes});
    return {};
  }

  // The logs that are there, and those that should be.
  std::set<std::uint64_t> LogsInForce(const std::set<std::string>& names) const {
    std::set<std::uint64_t> numbers;
    for (const std::string& name : names) {
      const auto parsed = ParseStoreFileName(name);
      const bool is_log = parsed && parsed->kind == StoreFileKind::kLog;
      if (is_log && parsed->number >= oldest_log_) numbers.insert(parsed->number);
    }
    for (const auto& [number, bytes] : ends_) numbers.insert(number);
    if (oldest_log_ != 0) numbers.insert(oldest_log_);
    return numbers;
  }

  Status ReadLog(const std::set<std::string>& names, Log* log) {
    log->is_missing = !names.contains(log->name);
    std::string bytes;
    if (!log->is_missing) {
      HR_ASSIGN(bytes, ReadWholeFile(disk_, PathIn(directory_, log->name)));
    }
    log->size = bytes.size();
    // LevelDB begins a new log when the one before is full, never when it is empty. So nothing
    // follows a log of which nothing is left.
    log->scan = ScanLog(bytes, is_behind_empty_log_ ? kNoSequence : next_sequence_);
    for (const auto& [number, flushed] : log->scan.flushed) {
      // What looks like a record behind damage may be the content of an item.
      const bool can_be = number < log->number || (number == log->number && flushed <= log->size);
      if (number >= oldest_log_ && can_be) Raise({number, flushed}, &ends_);
    }
    if (log->scan.next_sequence) next_sequence_ = log->scan.next_sequence;
    is_behind_empty_log_ = log->scan.records == 0;
    return {};
  }

  void Judge(const Log& log) {
    const auto end = ends_.find(log.number);
    CutFile file{log.name, log.scan.sound_bytes, log.size - log.scan.sound_bytes};
    file.flushed_bytes = end == ends_.end() ? 0 : end->second;
    file.lost_changes = log.scan.lost_changes;
    file.is_missing = log.is_missing;
    if (log.scan.is_damaged || file.is_loss()) found_.push_back(std::move(file));
  }

  // A log may state how far another was flushed that is missing.
  void AddLogsThatOthersName() {
    for (const auto& [number, flushed] : ends_) {
      if (std::ranges::find(logs_, number, &Log::number) != logs_.end()) continue;
      CutFile file{LogFileName(number)};
      file.flushed_bytes = flushed;
      file.is_missing = true;
      found_.push_back(std::move(file));
    }
  }

  // LevelDB's numbers have 56 bits.
  static constexpr auto kNoSequence = std::optional<std::uint64_t>(UINT64_MAX);

  Disk& disk_;
  const std::string& directory_;
  LogEnds& ends_;
  std::uint64_t oldest_log_ = 0;
  std::optional<std::uint64_t> next_sequence_;
  bool is_behind_empty_log_ = false;
  std::vector<Log> logs_;
  std::vector<CutFile> found_;
};

class Cutter {
 public:
  Cutter(Disk& disk, const std::string& directory, CutMode mode)
      : disk_(disk), directory_(directory), mode_(mode) {}

  Result<CutResult> Run() {
    HR_RETURN_IF_ERROR(ReadEnds());
    HR_ASSIGN(std::vector<CutFile> found, Finder(disk_, directory_, result_.ends).Find());
    if (mode_ != CutMode::kRepair) HR_RETURN_IF_ERROR(RefuseLosses(found));
    for (CutFile& file : found) {
      HR_RETURN_IF_ERROR(Cut(&file));
      result_.files.push_back(std::move(file));
    }
    if (mode_ == CutMode::kRepair && !result_.files.empty()) HR_RETURN_IF_ERROR(LowerEnds());
    return std::move(result_);
  }

 private:
  // A repair goes on without a damaged file of ends.
  Status ReadEnds() {
    Result<LogEnds> ends = ReadLogEnds(disk_, directory_);
    if (!ends.ok() && mode_ != CutMode::kRepair) {
      return InternalError(ends.error().message + "; " + Advice());
    }
    if (ends.ok()) {
      result_.ends = *std::move(ends);
      return {};
    }
    HR_ASSIGN(const std::string bytes, ReadWholeFile(disk_, PathIn(directory_, kLogEndsFileName)));
    CutFile file{std::string(kLogEndsFileName), 0, bytes.size()};
    file.flushed_bytes = std::max<std::size_t>(bytes.size(), 1);
    HR_RETURN_IF_ERROR(Keep(&file));
    result_.files.push_back(std::move(file));
    return {};
  }

  Status RefuseLosses(const std::vector<CutFile>& found) const {
    if (std::ranges::none_of(found, &CutFile::is_loss)) return {};
    std::string sentence;
    for (const CutFile& file : found) {
      if (file.is_loss()) sentence += CutFileText(file) + "; ";
    }
    return InternalError(PathIn(directory_, sentence) + Advice());
  }

  std::string Advice() const {
    return "hashrange repair " + directory_ +
           " cuts off what is damaged, and keeps it beside the rest";
  }

  Status Cut(CutFile* file) {
    if (file->cut_bytes == 0) return {};
    HR_RETURN_IF_ERROR(Keep(file));
    const std::string path = PathIn(directory_, file->name);
    leveldb::Status status = disk_.TruncateFile(path, file->kept_bytes);
    if (status.ok() && mode_ == CutMode::kRepair) status = disk_.SyncFile(path);
    return ToStatus(status, "cannot cut " + path);
  }

  Status Keep(CutFile* file) {
    if (mode_ == CutMode::kReopen || file->cut_bytes == 0) return {};
    HR_ASSIGN(const std::string bytes, ReadWholeFile(disk_, PathIn(directory_, file->name)));
    const std::string cut = bytes.substr(file->kept_bytes);
    const std::string_view suffix = mode_ == CutMode::kStart ? kCutSuffix : ".lost-";
    const std::string name = file->name + std::string(suffix) + std::to_string(file->kept_bytes);
    file->kept_as = name;
    // A file of an earlier repair is not replaced by other bytes.
    for (int copy = 2; mode_ == CutMode::kRepair; ++copy) {
      const std::string path = PathIn(directory_, file->kept_as);
      if (!disk_.FileExists(path)) break;
      HR_ASSIGN(const std::string kept, ReadWholeFile(disk_, path));
      if (kept == cut) return {};
      file->kept_as = name + "-" + std::to_string(copy);
    }
    const std::string path = PathIn(directory_, file->kept_as);
    HR_RETURN_IF_ERROR(ToStatus(ReplaceFile(disk_, path, cut), "cannot write " + path));
    kept_.insert(file->kept_as);
    return mode_ == CutMode::kStart ? RemoveEarlierCuts() : Status();
  }

  // So the files of starts do not become more and more.
  Status RemoveEarlierCuts() {
    HR_ASSIGN(const std::set<std::string> names, FileNames(disk_, directory_));
    for (const std::string& name : names) {
      if (name.find(kCutSuffix) == std::string::npos || kept_.contains(name)) continue;
      const std::string path = PathIn(directory_, name);
      HR_RETURN_IF_ERROR(ToStatus(disk_.RemoveFile(path), "cannot remove " + path));
    }
    return {};
  }

  // From now on, what was cut off is not missed.
  Status LowerEnds() {
    for (const CutFile& file : result_.files) {
      const auto parsed = ParseStoreFileName(file.name);
      if (!parsed || parsed->kind != StoreFileKind::kLog) continue;
      if (file.is_missing) {
        result_.ends.erase(parsed->number);
      } else {
        std::uint64_t& end = result_.ends[parsed->number];
        end = std::min(end, file.kept_bytes);
      }
    }
    return ToStatus(WriteLogEnds(disk_, directory_, result_.ends),
                    "cannot write " + PathIn(directory_, kLogEndsFileName));
  }

  static constexpr std::string_view kCutSuffix = ".cut-";

  Disk& disk_;
  const std::string& directory_;
  const CutMode mode_;
  CutResult result_;
  std::set<std::string> kept_;  // the files that this cut has made
};

}  // namespace

std::string CutFileText(const CutFile& file) {
  const std::string kept = std::to_string(file.kept_bytes);
  const std::string cut = std::to_string(file.cut_bytes);
  const std::string flushed = std::to_string(file.flushed_bytes);
  if (file.is_missing) {
    return file.name + " is missing" +
           (file.flushed_bytes > 0 ? ", and at least " + flushed + " bytes of it were on the disk"
                                   : "");
  }
  if (!file.is_loss()) {
    return "the end of " + file.name + " is damaged: " + cut + " of its " +
           std::to_string(file.kept_bytes + file.cut_bytes) + " bytes are cut off";
  }
  if (file.cut_bytes == 0) {
    return file.name + " has lost its end: it has " + kept + " bytes, and at least " + flushed +
           " bytes were on the disk";
  }
  return file.name + " is damaged from byte " + kept + " on, and at least " + flushed +
         " bytes were on the disk: " + cut + " bytes, with " + std::to_string(file.lost_changes) +
         " whole changes, are lost";
}

Result<CutResult> CutDamagedEnds(Disk& disk, const std::string& directory, CutMode mode) {
  return Cutter(disk, directory, mode).Run();
}

}  // namespace hashrange
