// The file HASHRANGE in a data directory says that the directory is ours, and which format its
// content has:
//
//   hashrange data
//   format 1
//
// It is written before anything else, and at the end of a backup, so a directory that has files but
// not this one is not touched.
#pragma once

#include <string>

#include "base/result.h"
#include "store/disk.h"

namespace hashrange {

inline constexpr int kStoreFormat = 1;

enum class DirectoryContent {
  kNone,   // the directory does not exist
  kEmpty,  // it has no file, or only those that an interrupted start has left
  kNew,    // it is ours, and holds no data yet
  kData,
};

// Returns what the directory has. Changes nothing.
// Errors: InternalServerError with a sentence  the directory is not ours, was written by a newer
//                                              version, lacks a file, or cannot be read
Result<DirectoryContent> InspectDirectory(Disk& disk, const std::string& directory);

// Writes the file and flushes it.
// Errors: InternalServerError with a sentence
Status WriteFormatFile(Disk& disk, const std::string& directory);

}  // namespace hashrange
