// The file HASHRANGE in a data directory says that the directory is ours, and which format its
// content has:
//
//   hashrange data
//   format 2
//
// It is written before anything else, and at the end of a backup, so a directory that has files but
// not this one is not touched. At first it has a third line, "new", until there is a LevelDB: a
// directory that has nothing but this file without that line has lost its data.
//
//   format   is written by
//   1        earlier programs; it has no HASHRANGE.logs and no records L (store/files/log_ends.h)
//   2        this one, which makes it of a directory of format 1 that it opens
#pragma once

#include <string>

#include "base/result.h"
#include "store/files/disk.h"

namespace hashrange {

inline constexpr int kStoreFormat = 2;

enum class DirectoryContent {
  kNone,   // the directory does not exist
  kEmpty,  // it has no file, or only those that an interrupted start has left
  kNew,    // it is ours, and holds no data yet
  kData,
};

// Returns what the directory has. Changes nothing.
// Errors, with a sentence: ValidationException  the directory is not ours, was written by a newer
//                                               version, or cannot be read
//                          InternalServerError  a file is damaged or missing
Result<DirectoryContent> InspectDirectory(Disk& disk, const std::string& directory);

// Writes the file and flushes it, unless it says the same already. `is_new`: there is no LevelDB
// yet.
// Errors: InternalServerError with a sentence
Status WriteFormatFile(Disk& disk, const std::string& directory, bool is_new);

}  // namespace hashrange
