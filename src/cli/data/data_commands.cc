#include "cli/data/data_commands.h"

#include <cstdio>
#include <vector>

#include "measure/number_text.h"
#include "store/load/kept_data.h"

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

void TellDamagedEnds(const std::string& directory, const std::vector<CutFile>& ends) {
  bool has_loss = false;
  for (const CutFile& end : ends) {
    std::printf("damaged: %s\n", CutFileText(end).c_str());
    has_loss = has_loss || end.is_loss();
  }
  if (ends.empty()) return;
  if (has_loss) {
    std::printf("A server refuses the directory. hashrange repair %s cuts off what is damaged,\n",
                directory.c_str());
    std::printf("and keeps it beside the rest.\n");
  } else {
    std::printf("The next start cuts this off, as a power cut leaves such an end.\n");
  }
}

}  // namespace

int RunCheck(const std::string& directory) {
  const auto report = CheckKeptData(directory);
  if (!report.ok()) return Fail(report.error());
  if (!report->is_unreadable) {
    std::printf("%s: %s, %s, %s, %s, %s\n", directory.c_str(),
                Counted(report->tables, "table").c_str(), Counted(report->items, "item").c_str(),
                Counted(report->stream_records, "stream record").c_str(),
                Counted(report->other_records, "other record").c_str(),
                BytesText(static_cast<double>(report->bytes_on_disk)).c_str());
  }
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
  TellDamagedEnds(directory, report->damaged_ends);
  if (report->damage_count > 0 || !report->damaged_ends.empty()) return kDamaged;
  std::printf("nothing is damaged\n");
  return 0;
}

// A compaction would hide the damage: it cuts a damaged end off, and rewrites damaged files.
int RunCompact(const std::string& directory) {
  const auto checked = CheckKeptData(directory);
  if (!checked.ok()) return Fail(checked.error());
  if (!checked->damaged_ends.empty() || checked->damage_count > 0) {
    std::fprintf(
        stderr, "hashrange: %s is damaged, and was not compacted; hashrange check %s shows where\n",
        directory.c_str(), directory.c_str());
    return kDamaged;
  }
  const auto report = CompactDirectory(directory);
  if (!report.ok()) return Fail(report.error());
  std::printf("%s: %s became %s\n", directory.c_str(),
              BytesText(static_cast<double>(report->bytes_before)).c_str(),
              BytesText(static_cast<double>(report->bytes_after)).c_str());
  return 0;
}

int RunRepair(const std::string& directory) {
  const auto cut = RepairDirectory(directory);
  if (!cut.ok()) {
    const int code = Fail(cut.error());
    return cut.error().code == ErrorCode::kValidationException ? code : kDamaged;
  }
  for (const CutFile& file : *cut) {
    std::printf("%s\n", CutFileText(file).c_str());
    if (file.kept_as.empty()) continue;
    std::printf("cut off and kept: %s in %s/%s\n",
                BytesText(static_cast<double>(file.cut_bytes)).c_str(), directory.c_str(),
                file.kept_as.c_str());
  }
  std::printf(cut->empty() ? "there was nothing to cut off\n" : "the directory can be used\n");
  return 0;
}

}  // namespace hashrange
