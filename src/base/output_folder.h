// OutputFolder: an open folder in which this program makes files and folders. Every file that the
// program makes is made here: data, dumps, copies, backups, reports, states, results.
//
//   HR_ASSIGN(OutputFolder folder, OutputFolder::Make("out/dump"));
//   HR_ASSIGN(Descriptor file, folder.Replace("items.json.partial"));
//   … write …
//   HR_RETURN_IF_ERROR(folder.Rename("items.json.partial", "items.json"));
//
// Another user who may write to a folder could put a link where a file is made, and so have any
// file of this program's user overwritten. Therefore:
//
// - A folder has to belong to the program's user (the effective one) or to root. No other user may
//   write to it, unless it is sticky, as the folder for temporary files is.
// - A link on the way to the folder is followed only in a folder to which no other user may write.
// - A name in the folder is never followed: a file is made anew, and one that is continued is a
//   regular file of the program's user or of root.
// - In a sticky folder, files and folders of another user are refused, and so is a file to continue
//   that has a second name, which another user may have given it.
//
// A group that may write counts as another user, unless it is the private group of the folder's
// owner or of the program's user: it has the user's name in /etc/group, or the user's number, and
// no other member there.
//
// What is made belongs to the program's user alone, whatever the umask: files have the mode 0600,
// folders 0700. Names are single names, without "/".
//
// Errors are ValidationExceptions, unless a function says otherwise; their messages begin with the
// path and say why. One thread at a time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file_path.h"
#include "base/result.h"
#include "platform/files.h"

namespace hashrange {

class OutputFolder {
 public:
  // Returns whether the program may use an open folder, beside the rules above.
  using Allows = std::function<bool(int descriptor)>;

  // Opens the folder.
  // Errors: ResourceNotFoundException  it does not exist
  static Result<OutputFolder> Open(const fs::path& path);
  // Opens the folder of a file, which the messages name.
  // Errors: ResourceNotFoundException  the folder does not exist
  static Result<OutputFolder> OpenOf(const fs::path& file);
  // Opens the folder. Makes it, and the folders above it, where they do not exist: but nothing in a
  // folder that breaks the rules or that `allows` refuses.
  static Result<OutputFolder> Make(const fs::path& path, const Allows& allows = {});

  // Removes the folders that Make() made, as far as they are empty.
  void Unmake();

  const fs::path& path() const { return path_; }
  int descriptor() const { return folder_.number(); }
  // Returns whether other users may write to the folder, which is sticky then.
  bool is_shared() const { return is_shared_; }

  // Returns whether there is something of that name: a link, too.
  bool Has(const std::string& name) const;
  // Returns an error when there is something that the program would trust although it belongs to
  // another user.
  Status CheckOwner(const std::string& name) const;

  // Makes a file and opens it for writing.
  // Errors: ResourceInUseException  there is one
  Result<Descriptor> Create(const std::string& name) const;
  // Removes the file of that name, if there is one, and makes a new one.
  Result<Descriptor> Replace(const std::string& name) const;
  // Opens a file for reading and writing.
  // Errors: ResourceNotFoundException  there is none
  Result<Descriptor> OpenFile(const std::string& name) const;
  // Gives a file a new content, which takes the place of the old one as a whole. Until then, the
  // new content is in `<name>.new`, a name that nothing else may use.
  Status WriteFile(const std::string& name, std::string_view text) const;

  // Opens a folder in this one.
  // Errors: ResourceNotFoundException  there is none
  Result<OutputFolder> OpenFolder(const std::string& name) const;
  // Opens a folder in this one, and makes it if there is none.
  Result<OutputFolder> MakeFolder(const std::string& name) const;

  // Renames a file, over one that has the new name.
  Status Rename(const std::string& from, const std::string& to) const;
  // Idempotent: it is no error when there is none.
  Status RemoveFile(const std::string& name) const;
  // Removes an empty folder. Returns false when there is none, or it is not empty.
  bool RemoveFolder(const std::string& name) const;
  // Flushes the names in the folder.
  Status Flush() const;

 private:
  friend class OutputFile;
  struct MadeFolder {
    Descriptor in;
    std::string name;
  };

  OutputFolder(fs::path path, Descriptor folder)
      : path_(std::move(path)), folder_(std::move(folder)) {}

  static Result<OutputFolder> CheckedFolder(fs::path path, Descriptor folder);
  Error ErrorAbout(const std::string& name, int error_number) const;

  fs::path path_;      // as it was given, for messages
  Descriptor folder_;  // for use as a place only (O_PATH)
  bool is_shared_ = false;
  std::vector<MadeFolder> made_ = {};
};

// OutputFile: a file that the user has named, for a result. It is found before the work for the
// result, so that no work is done whose result could not be kept. It gets a new content at the end
// and all at once: a file with another name takes the place of the one that was there. A link is
// followed to the file that it names, in a folder to which no other user may write; elsewhere it is
// refused. A pipe or a device, such as /dev/stdout, is written to as it is; a pipe has to belong to
// the program's user or to root. One thread at a time.
class OutputFile {
 public:
  // Returns the file; nothing is made or changed before Write.
  static Result<OutputFile> Open(const fs::path& path);
  // Makes a file that was not there before.
  static Result<OutputFile> Make(const fs::path& path);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  // Removes what was written, unless it was finished.
  ~OutputFile();

  // Appends to the new content.
  // Errors: InternalServerError  it cannot be written
  Status Write(std::string_view text);
  // Flushes the new content and gives it the name. Called once, at the end.
  // Errors: InternalServerError  it cannot be written
  Status Finish();
  // Write and Finish.
  Status WriteWhole(std::string_view text);

 private:
  OutputFile(fs::path path, std::optional<OutputFolder> folder)
      : path_(std::move(path)), folder_(std::move(folder)) {}
  Status CannotBeWritten() const;

  fs::path path_;
  std::optional<OutputFolder> folder_;  // none: a pipe or a device
  std::string name_ = {};               // in the folder
  std::string temporary_ = {};          // the name until Finish; empty: there is no new file
  Descriptor file_ = Descriptor();
};

}  // namespace hashrange
