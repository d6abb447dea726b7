// FolderCopy is the folder that tables are copied into, in the form of a dump
// (control/files/seed_plan.h). Unlike a dump's, its files grow over several runs of a copy:
//
//   hashrange-dump.json.partial   the manifest; hashrange-dump.json when the copy is complete
//   hashrange-copy.state          the state of the copy (copy_state.h), until the copy is complete
//   <table>/table.json            the definition of the table
//   <table>/items.json.partial    the items; items.json when the copy is complete; with .gz behind
//                                 the name of what is compressed, page by page
//
// A seed refuses a folder with the .partial manifest.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "base/output_folder.h"
#include "remote/copy/copy_state.h"
#include "remote/copy/item_sink.h"

namespace hashrange {

inline constexpr const char* kCopyStateFile = "hashrange-copy.state";

class FolderCopy {
 public:
  FolderCopy(std::filesystem::path path, bool compresses)
      : path_(std::move(path)), compresses_(compresses) {}

  // Creates the folder, which has to be new or empty.
  // Errors: ValidationException  the folder is not empty, or cannot be written to
  Status Begin() const;
  // Writes the manifest of a copy that is not finished, unless the copy is finished. Idempotent.
  Status WriteManifest(const CopyState& state) const;
  // Writes the definition of a table.
  Status WriteDefinition(const std::string& table, const std::string& definition) const;
  // Gives all files their names, and removes nothing. Idempotent.
  // Errors: InternalServerError  a file cannot be renamed
  Status Finish(const CopyState& state) const;

  const std::filesystem::path& path() const { return path_; }
  // Returns the final name of the file of a table's items.
  std::string items_file() const;

 private:
  std::filesystem::path path_;
  bool compresses_;
};

class FolderSink : public ItemSink {
 public:
  // Opens the file of the items, and cuts off what is behind the bytes that the state names.
  // Errors: InternalServerError  the file cannot be written, or is shorter than that
  static Result<std::unique_ptr<FolderSink>> Open(const FolderCopy& folder, CopyStateFile& state,
                                                  std::size_t table);
  FolderSink(const FolderSink&) = delete;
  FolderSink& operator=(const FolderSink&) = delete;

  Status Write(const ScannedItems& items, const WrittenPage& page) override;
  Result<ItemDigest> ReadBack() override;

 private:
  FolderSink(std::filesystem::path file, bool compresses, CopyStateFile& state,
             Descriptor descriptor, std::int64_t bytes)
      : file_(std::move(file)),
        compresses_(compresses),
        state_(state),
        descriptor_(std::move(descriptor)),
        bytes_(bytes) {}

  const std::filesystem::path file_;
  const bool compresses_;
  CopyStateFile& state_;
  std::mutex mutex_;        // guards what follows
  bool is_broken_ = false;  // a part of a page could not be cut off
  const Descriptor descriptor_;
  std::int64_t bytes_;  // of the file, as the state has them
};

}  // namespace hashrange
