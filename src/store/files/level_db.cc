#include "store/files/level_db.h"

#include <leveldb/table.h>

#include <algorithm>
#include <cstdarg>

#include "store/files/file_names.h"

namespace hashrange {
namespace {

// LevelDB reports its progress in a file of the directory, unless it has another place for it.
class NoReports : public leveldb::Logger {
 public:
  void Logv(const char*, std::va_list) override {}
};

leveldb::Status ReadTable(leveldb::Env& files, const std::string& path) {
  std::uint64_t size = 0;
  leveldb::RandomAccessFile* opened = nullptr;
  leveldb::Status status = files.GetFileSize(path, &size);
  if (status.ok()) status = files.NewRandomAccessFile(path, &opened);
  const std::unique_ptr<leveldb::RandomAccessFile> file(opened);
  leveldb::Table* table = nullptr;
  leveldb::Options checks;
  checks.paranoid_checks = true;  // of the blocks that say where the others are
  if (status.ok()) status = leveldb::Table::Open(checks, opened, size, &table);
  const std::unique_ptr<leveldb::Table> owned(table);
  if (!status.ok()) return status;
  const std::unique_ptr<leveldb::Iterator> at(table->NewIterator(CheckedOnce()));
  for (at->SeekToFirst(); at->Valid(); at->Next()) continue;
  return at->status();
}

}  // namespace

std::vector<std::string> FindDamagedTables(leveldb::Env& files, const std::string& directory) {
  std::vector<std::string> names;
  (void)files.GetChildren(directory, &names);
  std::sort(names.begin(), names.end());
  std::vector<std::string> damages;
  for (const std::string& name : names) {
    const auto parsed = ParseStoreFileName(name);
    if (!parsed || parsed->kind != StoreFileKind::kTable) continue;
    const leveldb::Status status = ReadTable(files, PathIn(directory, name));
    if (!status.ok()) damages.push_back(name + " is damaged: " + status.ToString());
  }
  return damages;
}

Result<std::unique_ptr<leveldb::DB>> OpenLevelDb(OrderedFiles& files, const std::string& directory,
                                                 std::size_t log_bytes) {
  static NoReports& no_reports = *new NoReports();
  leveldb::Options options;
  options.create_if_missing = true;
  options.paranoid_checks = true;
  options.env = &files;
  options.info_log = &no_reports;
  options.write_buffer_size = log_bytes;
  // Tables are read from begin to end, so they may be large, and so may their blocks.
  options.max_file_size = 8 << 20;
  options.block_size = 16 << 10;
  leveldb::DB* db = nullptr;
  HR_RETURN_IF_ERROR(
      ToStatus(leveldb::DB::Open(options, directory, &db), "cannot open " + directory));
  return std::unique_ptr<leveldb::DB>(db);
}

}  // namespace hashrange
