#include "store/level_db.h"

#include <cstdarg>

#include "store/log_repair.h"

namespace hashrange {
namespace {

// LevelDB reports its progress in a file of the directory, unless it has another place for it.
class NoReports : public leveldb::Logger {
 public:
  void Logv(const char*, std::va_list) override {}
};

}  // namespace

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
  const leveldb::Status status = leveldb::DB::Open(options, directory, &db);
  if (!status.ok()) return StoreError("cannot open " + directory + ": " + status.ToString());
  return std::unique_ptr<leveldb::DB>(db);
}

}  // namespace hashrange
