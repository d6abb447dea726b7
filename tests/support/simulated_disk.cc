#include "support/simulated_disk.h"

#include <algorithm>
#include <utility>

#include "store/files/file_names.h"
#include "support/chance.h"

namespace hashrange::test {
namespace {

using leveldb::Slice;
using Outcome = leveldb::Status;

constexpr std::size_t kPageBytes = 512;
constexpr std::size_t kBufferBytes = 65536;  // that of LevelDB's files

Outcome Missing(const std::string& path) { return Outcome::NotFound(path, "no such file"); }
Outcome Failed(const std::string& path) { return Outcome::IOError(path, "simulated fault"); }

}  // namespace

class SimulatedDisk::Writer : public leveldb::WritableFile {
 public:
  Writer(SimulatedDisk& disk, std::string path, std::shared_ptr<Inode> inode)
      : disk_(disk), path_(std::move(path)), inode_(std::move(inode)), life_(disk.life_) {}
  ~Writer() override { Close(); }

  Outcome Append(const Slice& data) override {
    buffer_.append(data.data(), data.size());
    return buffer_.size() < kBufferBytes ? Outcome::OK() : Flush();
  }
  Outcome Close() override { return Flush(); }
  Outcome Flush() override {
    const std::lock_guard lock(disk_.mutex_);
    return WriteOut();
  }
  Outcome Sync() override {
    const std::lock_guard lock(disk_.mutex_);
    Outcome outcome;
    if (NameInPath(path_).starts_with("MANIFEST")) outcome = disk_.FlushNames(DirectoryOf(path_));
    if (outcome.ok()) outcome = WriteOut();
    return outcome.ok() ? disk_.Flush(*inode_) : outcome;
  }

 private:
  Outcome WriteOut() {
    if (buffer_.empty()) return Outcome::OK();
    const std::string bytes = std::exchange(buffer_, {});
    if (disk_.is_dead_ || life_ != disk_.life_) return Failed(path_);
    return disk_.Write(*inode_, bytes);
  }

  SimulatedDisk& disk_;
  const std::string path_;
  const std::shared_ptr<Inode> inode_;
  const std::uint64_t life_;
  std::string buffer_;
};

class SimulatedDisk::SequentialReader : public leveldb::SequentialFile {
 public:
  explicit SequentialReader(std::string content) : content_(std::move(content)) {}
  Outcome Read(std::size_t n, Slice* result, char* scratch) override {
    n = content_.copy(scratch, n, at_);
    at_ += n;
    *result = Slice(scratch, n);
    return Outcome::OK();
  }
  Outcome Skip(std::uint64_t n) override {
    at_ = std::min(content_.size(), at_ + n);
    return Outcome::OK();
  }

 private:
  const std::string content_;
  std::size_t at_ = 0;
};

class SimulatedDisk::RandomReader : public leveldb::RandomAccessFile {
 public:
  RandomReader(SimulatedDisk& disk, std::shared_ptr<Inode> inode)
      : disk_(disk), inode_(std::move(inode)) {}
  Outcome Read(std::uint64_t offset, std::size_t n, Slice* result, char* scratch) const override {
    const std::lock_guard lock(disk_.mutex_);
    n = offset < inode_->data.size() ? inode_->data.copy(scratch, n, offset) : 0;
    *result = Slice(scratch, n);
    return Outcome::OK();
  }

 private:
  SimulatedDisk& disk_;
  const std::shared_ptr<Inode> inode_;
};

class SimulatedDisk::Lock : public leveldb::FileLock {
 public:
  explicit Lock(std::string locked) : path(std::move(locked)) {}
  const std::string path;
};

SimulatedDisk::SimulatedDisk(std::uint64_t seed) : Disk(leveldb::Env::Default()), random_(seed) {}
SimulatedDisk::~SimulatedDisk() = default;

void SimulatedDisk::SetFaults(const Faults& faults) {
  const std::lock_guard lock(mutex_);
  faults_ = faults;
  changes_ = 0;
}

void SimulatedDisk::Kill() {
  const std::lock_guard lock(mutex_);
  is_dead_ = true;
}

void SimulatedDisk::CutPower() {
  const std::lock_guard lock(mutex_);
  is_dead_ = true;
  for (const NameChange& change : unflushed_names_) {
    if (Below(random_, 2) == 0) Apply(change, &flushed_names_);
  }
  unflushed_names_.clear();
  std::map<const Inode*, std::shared_ptr<Inode>> torn;
  names_.clear();
  for (auto& [path, inode] : flushed_names_) {
    std::shared_ptr<Inode>& left = torn[inode.get()];
    if (!left) {
      left = std::make_shared<Inode>();
      left->data = left->flushed = TornContent(*inode);
    }
    names_[path] = left;
  }
  flushed_names_ = names_;
}

void SimulatedDisk::StartAgain() {
  const std::lock_guard lock(mutex_);
  is_dead_ = false;
  ++life_;
  locks_.clear();
}

std::string SimulatedDisk::TornContent(const Inode& inode) {
  if (inode.data == inode.flushed) return inode.data;
  const std::size_t least = std::min(inode.data.size(), inode.flushed.size());
  const std::size_t most = std::max(inode.data.size(), inode.flushed.size());
  std::size_t size = least + Below(random_, most - least + 1);
  if (Below(random_, 2) == 0) size = Below(random_, 2) == 0 ? least : most;
  std::string content = inode.flushed;
  content.resize(size);
  // One program loses most of its pages, another few.
  const int kept_of_8 = Below(random_, 9);
  for (std::size_t page = 0; page * kPageBytes < std::min(size, inode.data.size()); ++page) {
    if (inode.dropped.contains(page) || Below(random_, 8) >= kept_of_8) continue;
    const std::size_t at = page * kPageBytes;
    std::size_t bytes = std::min({kPageBytes, inode.data.size() - at, size - at});
    if (Below(random_, 8) == 0) bytes = Below(random_, bytes + 1);
    content.replace(at, bytes, inode.data, at, bytes);
  }
  return content;
}

std::vector<std::string> SimulatedDisk::FilesIn(const std::string& directory) {
  std::vector<std::string> names;
  GetChildren(directory, &names);
  return names;
}

std::string SimulatedDisk::Content(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const auto found = names_.find(path);
  return found == names_.end() ? "" : found->second->data;
}

void SimulatedDisk::SetContent(const std::string& path, const std::string& content) {
  const std::lock_guard lock(mutex_);
  const auto inode = std::make_shared<Inode>();
  inode->data = inode->flushed = content;
  names_[path] = flushed_names_[path] = inode;
}

void SimulatedDisk::Flip(const std::string& path, std::size_t at, int mask) {
  std::string content = Content(path);
  content.at(at) = static_cast<char>(content[at] ^ mask);
  SetContent(path, content);
}

int SimulatedDisk::flushes() {
  const std::lock_guard lock(mutex_);
  return flushes_;
}

std::uint64_t SimulatedDisk::used_bytes() {
  const std::lock_guard lock(mutex_);
  return Used();
}

std::uint64_t SimulatedDisk::Used() const {
  std::uint64_t bytes = 0;
  for (const auto& [path, inode] : names_) bytes += inode->data.size();
  return bytes;
}

Outcome SimulatedDisk::Check() const { return is_dead_ ? Failed("disk") : Outcome::OK(); }

bool SimulatedDisk::IsFault() {
  ++changes_;
  if (faults_.from_nth_change != 0 && changes_ >= faults_.from_nth_change) return true;
  if (faults_.every_nth_change != 0) return changes_ % faults_.every_nth_change == 0;
  return faults_.one_change_in != 0 && Below(random_, faults_.one_change_in) == 0;
}

Outcome SimulatedDisk::Write(Inode& inode, const std::string& bytes) {
  std::size_t written = bytes.size();
  if (faults_.capacity_bytes) {
    const std::uint64_t used = Used();
    const std::uint64_t room = used < *faults_.capacity_bytes ? *faults_.capacity_bytes - used : 0;
    written = std::min<std::size_t>(written, room);
  }
  if (IsFault() || faults_.all_writes) written = Below(random_, written + 1);
  for (std::size_t page = inode.data.size() / kPageBytes;
       page <= (inode.data.size() + written) / kPageBytes; ++page) {
    inode.dropped.erase(page);
  }
  inode.data.append(bytes, 0, written);
  return written == bytes.size() ? Outcome::OK() : Outcome::IOError("write", "simulated fault");
}

Outcome SimulatedDisk::Flush(Inode& inode) {
  if (const Outcome dead = Check(); !dead.ok()) return dead;
  ++flushes_;
  if (IsFault() || faults_.all_flushes) {
    DropUnflushed(inode);
    return Failed("flush");
  }
  inode.flushed = WithoutDropped(inode);
  return Outcome::OK();
}

void SimulatedDisk::DropUnflushed(Inode& inode) {
  for (std::size_t page = 0; page * kPageBytes < inode.data.size(); ++page) {
    const std::size_t at = page * kPageBytes;
    if (inode.flushed.size() < std::min(at + kPageBytes, inode.data.size()) ||
        inode.data.compare(at, kPageBytes, inode.flushed, at, kPageBytes) != 0) {
      inode.dropped.insert(page);
    }
  }
  if (faults_.hides_dropped && Below(random_, 2) == 0) inode.data = WithoutDropped(inode);
}

std::string SimulatedDisk::WithoutDropped(const Inode& inode) {
  std::string content = inode.data;
  for (const std::size_t page : inode.dropped) {
    const std::size_t at = page * kPageBytes;
    if (at >= content.size()) continue;
    std::string before = at < inode.flushed.size() ? inode.flushed.substr(at, kPageBytes) : "";
    before.resize(std::min(kPageBytes, content.size() - at));
    content.replace(at, before.size(), before);
  }
  return content;
}

Outcome SimulatedDisk::FlushNames(const std::string& directory) {
  if (const Outcome dead = Check(); !dead.ok()) return dead;
  ++flushes_;
  if (IsFault() || faults_.all_flushes) return Failed(directory);
  const auto is_of_it = [&](const std::string& path) { return DirectoryOf(path) == directory; };
  std::erase_if(flushed_names_, [&](const auto& entry) { return is_of_it(entry.first); });
  for (const auto& [path, inode] : names_) {
    if (is_of_it(path)) flushed_names_[path] = inode;
  }
  std::erase_if(unflushed_names_, [&](const NameChange& change) {
    return is_of_it(change.set.empty() ? change.removed : change.set);
  });
  return Outcome::OK();
}

void SimulatedDisk::Apply(const NameChange& change, Names* names) {
  if (!change.removed.empty()) names->erase(change.removed);
  if (!change.set.empty()) (*names)[change.set] = change.inode;
}

void SimulatedDisk::Change(const NameChange& change) {
  Apply(change, &names_);
  unflushed_names_.push_back(change);
}

Outcome SimulatedDisk::SyncDirectory(const std::string& directory) {
  const std::lock_guard lock(mutex_);
  return FlushNames(directory);
}

Outcome SimulatedDisk::TruncateFile(const std::string& path, std::uint64_t size_bytes) {
  const std::lock_guard lock(mutex_);
  if (const Outcome dead = Check(); !dead.ok()) return dead;
  const auto found = names_.find(path);
  if (found == names_.end()) return Missing(path);
  if (IsFault()) return Failed(path);
  found->second->data.resize(size_bytes);
  return Outcome::OK();
}

Outcome SimulatedDisk::SyncFile(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const auto found = names_.find(path);
  return found == names_.end() ? Missing(path) : Flush(*found->second);
}

bool SimulatedDisk::IsLocked(const std::string& path) {
  const std::lock_guard lock(mutex_);
  return locks_.contains(path);
}

int SimulatedDisk::looks_at_room() {
  const std::lock_guard lock(mutex_);
  return looks_at_room_;
}

std::optional<std::uint64_t> SimulatedDisk::FreeBytes(const std::string&) {
  const std::lock_guard lock(mutex_);
  ++looks_at_room_;
  if (!faults_.capacity_bytes) return std::nullopt;
  const std::uint64_t used = Used();
  return used < *faults_.capacity_bytes ? *faults_.capacity_bytes - used : 0;
}

Outcome SimulatedDisk::NewSequentialFile(const std::string& path, leveldb::SequentialFile** file) {
  const std::lock_guard lock(mutex_);
  *file = nullptr;
  if (const Outcome dead = Check(); !dead.ok()) return dead;
  const auto found = names_.find(path);
  if (found == names_.end()) return Missing(path);
  *file = new SequentialReader(found->second->data);
  return Outcome::OK();
}

Outcome SimulatedDisk::NewRandomAccessFile(const std::string& path,
                                           leveldb::RandomAccessFile** file) {
  const std::lock_guard lock(mutex_);
  *file = nullptr;
  if (const Outcome dead = Check(); !dead.ok()) return dead;
  const auto found = names_.find(path);
  if (found == names_.end()) return Missing(path);
  *file = new RandomReader(*this, found->second);
  return Outcome::OK();
}

Outcome SimulatedDisk::NewWritableFile(const std::string& path, leveldb::WritableFile** file) {
  const std::lock_guard lock(mutex_);
  *file = nullptr;
  if (const Outcome dead = Check(); !dead.ok()) return dead;
  if (IsFault()) return Failed(path);
  const auto found = names_.find(path);
  std::shared_ptr<Inode> inode;
  if (found != names_.end()) {
    inode = found->second;
    inode->data.clear();
  } else {
    inode = std::make_shared<Inode>();
    Change({"", path, inode});
  }
  *file = new Writer(*this, path, inode);
  return Outcome::OK();
}

Outcome SimulatedDisk::NewAppendableFile(const std::string& path, leveldb::WritableFile** file) {
  *file = nullptr;
  return Outcome::NotSupported(path, "appending");
}

bool SimulatedDisk::FileExists(const std::string& path) {
  const std::lock_guard lock(mutex_);
  return names_.contains(path) || directories_.contains(path);
}

Outcome SimulatedDisk::GetChildren(const std::string& directory, std::vector<std::string>* names) {
  const std::lock_guard lock(mutex_);
  names->clear();
  if (const Outcome dead = Check(); !dead.ok()) return dead;
  if (!directories_.contains(directory)) return Missing(directory);
  for (const auto& [path, inode] : names_) {
    if (DirectoryOf(path) == directory) names->push_back(std::string(NameInPath(path)));
  }
  return Outcome::OK();
}

Outcome SimulatedDisk::RemoveFile(const std::string& path) {
  const std::lock_guard lock(mutex_);
  if (const Outcome dead = Check(); !dead.ok()) return dead;
  if (!names_.contains(path)) return Missing(path);
  if (IsFault()) return Failed(path);
  Change({path, "", nullptr});
  return Outcome::OK();
}

Outcome SimulatedDisk::CreateDir(const std::string& directory) {
  const std::lock_guard lock(mutex_);
  if (const Outcome dead = Check(); !dead.ok()) return dead;
  if (!directories_.insert(directory).second) return Outcome::IOError(directory, "File exists");
  return Outcome::OK();
}

Outcome SimulatedDisk::RemoveDir(const std::string& directory) {
  const std::lock_guard lock(mutex_);
  if (const Outcome dead = Check(); !dead.ok()) return dead;
  return directories_.erase(directory) > 0 ? Outcome::OK() : Missing(directory);
}

Outcome SimulatedDisk::GetFileSize(const std::string& path, std::uint64_t* size) {
  const std::lock_guard lock(mutex_);
  const auto found = names_.find(path);
  if (found == names_.end()) return Missing(path);
  *size = found->second->data.size();
  return Outcome::OK();
}

Outcome SimulatedDisk::RenameFile(const std::string& from, const std::string& to) {
  const std::lock_guard lock(mutex_);
  if (const Outcome dead = Check(); !dead.ok()) return dead;
  const auto found = names_.find(from);
  if (found == names_.end()) return Missing(from);
  const NameChange change = {from, to, found->second};
  if (!IsFault()) {
    Change(change);
    return Outcome::OK();
  }
  const int outcome = Below(random_, 3);
  if (outcome == 0) Change(change);
  if (outcome == 1) unflushed_names_.push_back(change);
  return Failed(from);
}

Outcome SimulatedDisk::LockFile(const std::string& path, leveldb::FileLock** lock) {
  const std::lock_guard guard(mutex_);
  *lock = nullptr;
  if (const Outcome dead = Check(); !dead.ok()) return dead;
  if (!locks_.insert(path).second) return Outcome::IOError(path, "already held");
  if (!names_.contains(path)) Change({"", path, std::make_shared<Inode>()});
  *lock = new Lock(path);
  return Outcome::OK();
}

Outcome SimulatedDisk::UnlockFile(leveldb::FileLock* lock) {
  const std::lock_guard guard(mutex_);
  const std::unique_ptr<Lock> owned(static_cast<Lock*>(lock));
  locks_.erase(owned->path);
  return Outcome::OK();
}

Outcome SimulatedDisk::NewLogger(const std::string& path, leveldb::Logger** logger) {
  *logger = nullptr;
  return Outcome::NotSupported(path, "logs");
}

}  // namespace hashrange::test
