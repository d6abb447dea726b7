// What a power cut leaves at the ends of logs and of the manifest is cut off before LevelDB opens
// a directory: LevelDB's recovery would skip it, and what is behind it would come back without
// what was before. Everything from the first damage on is dropped, and a newer log too if the
// changes in it do not follow those that are left. What is cut is not flushed: after another power
// cut, the same end would be found damaged again. A flush could fail, and take with it what was
// written before the damage.
//
// The manifest is flushed after each edit, so a power cut can damage its last edit only, which then
// was not in force. Other damage of the manifest is an error, and so is a log that it names and
// that is missing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/disk.h"

namespace hashrange {

// A file that has, or had, a damaged end.
struct CutFile {
  std::string name;              // "000012.log"
  std::uint64_t kept_bytes = 0;  // the sound beginning
  std::uint64_t cut_bytes = 0;

  friend bool operator==(const CutFile&, const CutFile&) = default;
};
// "the end of 000012.log is damaged: 17 of its 4113 bytes are cut off"
std::string CutFileText(const CutFile& file);

// Finds the damaged ends in the directory of a LevelDB that nobody has open. Changes nothing. An
// empty directory has none.
// Errors: InternalServerError with a sentence  damage that no power cut explains; a file that
//                                              cannot be read
Result<std::vector<CutFile>> FindDamagedEnds(Disk& disk, const std::string& directory);
// Cuts them off and returns what was cut.
// Errors: as above, and a file that cannot be cut
Result<std::vector<CutFile>> CutDamagedEnds(Disk& disk, const std::string& directory);

// Returns an InternalServerError with that message.
Error StoreError(std::string message);

}  // namespace hashrange
