// Any bytes as a log and as a manifest: what is sound of them is sound again when the rest is cut
// off.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "store/files/log_records.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hashrange;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);

  const LogScan log = ScanLog(bytes, std::nullopt);
  const LogScan cut_log = ScanLog(bytes.substr(0, log.sound_bytes), std::nullopt);
  if (cut_log.is_damaged || cut_log.records != log.records) __builtin_trap();
  if (cut_log.next_sequence != log.next_sequence) __builtin_trap();
  if (!log.is_damaged && log.sound_bytes + 7 <= size) __builtin_trap();

  const ManifestScan manifest = ScanManifest(bytes);
  const ManifestScan cut_manifest = ScanManifest(bytes.substr(0, manifest.sound_bytes));
  if (cut_manifest.is_damaged || cut_manifest.edits != manifest.edits) __builtin_trap();
  if (cut_manifest.log_number != manifest.log_number) __builtin_trap();
  if (manifest.edits > 0 && !HoldsLogRecord(bytes)) __builtin_trap();
  return 0;
}
