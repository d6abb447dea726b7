#include "cli/data_commands.h"

#include <cstdio>
#include <vector>

#include "measure/number_text.h"
#include "persistence/kept_check.h"

namespace hashrange {
namespace {

constexpr int kDamaged = 1;
constexpr int kFailed = 2;

int Fail(const Error& error) {
  std::fprintf(stderr, "hashrange: %s\n", error.message.c_str());
  return kFailed;
}

// Returns "12 tables".
std::string Counted(std::uint64_t count, const char* what) {
  return CountedText(static_cast<double>(count), what);
}

int TellDamagedEnds(const std::string& directory, const std::vector<CutFile>& ends) {
  for (const CutFile& end : ends) {
    std::printf("damaged: the end of %s/%s: %llu of its %llu bytes are sound\n", directory.c_str(),
                end.name.c_str(), static_cast<unsigned long long>(end.kept_bytes),
                static_cast<unsigned long long>(end.kept_bytes + end.cut_bytes));
  }
  std::printf(
      "The next start cuts this off, as a power cut leaves such an end. The rest was not\n");
  std::printf("checked. Copy the directory first if its data matter.\n");
  return kDamaged;
}

}  // namespace

int RunCheck(const std::string& directory) {
  const auto report = CheckKeptData(directory);
  if (!report.ok()) return Fail(report.error());
  if (!report->damaged_ends.empty()) return TellDamagedEnds(directory, report->damaged_ends);
  std::printf("%s: %s, %s, %s, %s, %s\n", directory.c_str(),
              Counted(report->tables, "table").c_str(), Counted(report->items, "item").c_str(),
              Counted(report->stream_records, "stream record").c_str(),
              Counted(report->other_records, "other record").c_str(),
              BytesText(static_cast<double>(report->bytes_on_disk)).c_str());
  if (report->left_items > 0) {
    std::printf("%s of deleted tables are still to be removed\n",
                Counted(report->left_items, "item").c_str());
  }
  for (const std::string& damage : report->damages) {
    std::printf("damaged: %s\n", damage.c_str());
  }
  if (report->damage_count > report->damages.size()) {
    std::printf("and %s more\n",
                Counted(report->damage_count - report->damages.size(), "damage").c_str());
  }
  if (report->damage_count > 0) return kDamaged;
  std::printf("nothing is damaged\n");
  return 0;
}

// A compaction would hide the damage: it cuts a damaged end off, and rewrites damaged files.
int RunCompact(const std::string& directory) {
  const auto checked = CheckKeptData(directory);
  if (!checked.ok()) return Fail(checked.error());
  if (!checked->damaged_ends.empty() || checked->damage_count > 0) {
    std::fprintf(
        stderr,
        "hashrange: %s is damaged, and was not compacted; hashrange check %s shows where%s\n",
        directory.c_str(), directory.c_str(),
        checked->damaged_ends.empty() ? "" : ", and a start cuts the end off");
    return kDamaged;
  }
  const auto report = CompactDirectory(directory);
  if (!report.ok()) return Fail(report.error());
  std::printf("%s: %s became %s\n", directory.c_str(),
              BytesText(static_cast<double>(report->bytes_before)).c_str(),
              BytesText(static_cast<double>(report->bytes_after)).c_str());
  return 0;
}

}  // namespace hashrange
