// What a power cut leaves at the ends of logs and of the manifest is cut off before LevelDB opens
// a directory: LevelDB's recovery would skip it, and what is behind it would come back without
// what was before. Everything from the first damage on is cut off, and a newer log too if the
// changes in it do not follow those that are left.
//
//   a log …                                        a start
//   is damaged behind what is known to be flushed  cuts it off: a power cut leaves such ends
//     (store/files/log_ends.h)
//   is damaged before that place, ends before it,  refuses: a power cut does not do this. Only a
//     or is missing                                  repair cuts it off
//
// A start does not flush the log that it has cut: after another power cut, the next start finds the
// same damaged end and cuts it again. A flush could fail, and lose what was written before the
// damage.
//
// The manifest is flushed after each edit, so a power cut can damage its last edit only, which then
// was not in force. Other damage of the manifest is an error that nothing repairs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/files/disk.h"
#include "store/files/log_ends.h"

namespace hashrange {

// A file that has, or had, a damaged end, or has lost its end.
struct CutFile {
  std::string name;                 // "000012.log"
  std::uint64_t kept_bytes = 0;     // the sound beginning
  std::uint64_t cut_bytes = 0;      // what is behind it
  std::uint64_t flushed_bytes = 0;  // at least this much of the file was on the disk
  std::uint64_t lost_changes = 0;   // at least this many whole changes are in the bytes cut off
  bool is_missing = false;
  std::string kept_as = {};  // the file that has what was cut off; "": none

  // Whether bytes are lost that were on the disk.
  bool is_loss() const { return is_missing || kept_bytes < flushed_bytes; }

  friend bool operator==(const CutFile&, const CutFile&) = default;
};
// Returns a clause. What a power cut explains: "the end of 000012.log is damaged: 17 of its 4113
// bytes are cut off". A loss: "000012.log is damaged from byte 4096 on, and at least 9000 bytes
// were on the disk: 4904 bytes, with 31 whole changes, are lost".
std::string CutFileText(const CutFile& file);

enum class CutMode {
  // At a start. A loss is an error. What is cut off is kept as "<name>.cut-<bytes before it>"; what
  // an earlier start has kept is removed then.
  kStart,
  // When a server opens its own directory again. A loss is an error. Nothing is kept: the end of
  // the log is a write of this server that has failed.
  kReopen,
  // On purpose. Losses are cut off, too, and flushed. What is cut off is kept as
  // "<name>.lost-<bytes before it>". May be interrupted and called again.
  kRepair,
};

struct CutResult {
  std::vector<CutFile> files;  // what was cut
  LogEnds ends;                // how far the logs that are left are known to be flushed
};

// Cuts the damaged ends off in the directory of a LevelDB that nobody has open. An empty directory
// has none. If it fails, nothing that was not kept is cut off.
// Errors: InternalServerError with a sentence  damage that no power cut explains; a file that
//                                              cannot be read, kept or cut
Result<CutResult> CutDamagedEnds(Disk& disk, const std::string& directory, CutMode mode);

}  // namespace hashrange
