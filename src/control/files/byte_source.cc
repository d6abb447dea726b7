#include "control/files/byte_source.h"

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>
#include <utility>

#include "control/files/gzip.h"
#include "platform/files.h"

namespace hashrange {
namespace {

Error CannotRead(int error_number) {
  return ValidationError("it cannot be read: " + std::generic_category().message(error_number));
}

class FileSource : public ByteSource {
 public:
  explicit FileSource(std::FILE* file) : file_(file) { std::setvbuf(file_, nullptr, _IONBF, 0); }
  ~FileSource() override { std::fclose(file_); }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  Result<std::size_t> Read(std::span<char> room) override {
    const std::size_t bytes = std::fread(room.data(), 1, room.size(), file_);
    if (bytes == 0 && std::ferror(file_)) return CannotRead(errno);
    return bytes;
  }
  void Rewind() { std::rewind(file_); }

 private:
  std::FILE* const file_;
};

class TextSource : public ByteSource {
 public:
  explicit TextSource(std::string_view text) : left_(text) {}

  Result<std::size_t> Read(std::span<char> room) override {
    const std::size_t bytes = left_.copy(room.data(), room.size());
    left_.remove_prefix(bytes);
    return bytes;
  }

 private:
  std::string_view left_;
};

// Gives bytes that were read already, then the error of reading them, if any, then the rest.
class PeekedSource : public ByteSource {
 public:
  PeekedSource(std::string head, Status status, std::unique_ptr<ByteSource> rest)
      : head_(std::move(head)), left_(head_), status_(std::move(status)), rest_(std::move(rest)) {}

  Result<std::size_t> Read(std::span<char> room) override {
    if (left_.empty()) {
      if (!status_.ok()) return status_.error();
      return rest_->Read(room);
    }
    const std::size_t bytes = left_.copy(room.data(), room.size());
    left_.remove_prefix(bytes);
    return bytes;
  }

 private:
  const std::string head_;
  std::string_view left_;
  const Status status_;
  const std::unique_ptr<ByteSource> rest_;
};

// Other kinds of files are refused: opening a pipe, for example, might wait forever.
Status CheckIsFile(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    return Error{ErrorCode::kResourceNotFoundException, "there is no such file", nullptr};
  }
  if (error) return CannotRead(error.value());
  if (!fs::is_regular_file(status)) return ValidationError("it is no regular file");
  return {};
}

}  // namespace

Result<std::unique_ptr<ByteSource>> OpenFile(const fs::path& path, const FileBounds& bounds) {
  HR_RETURN_IF_ERROR(CheckIsFile(path));
  Descriptor opened(bounds.OpenForReading(path));
  if (!opened.is_open()) return CannotRead(errno);
  std::FILE* const file = ReadableFile(std::move(opened));
  if (!file) return CannotRead(errno);
  auto plain = std::make_unique<FileSource>(file);
  char head[2];
  HR_ASSIGN(const std::size_t bytes, plain->Read(head));
  plain->Rewind();
  const bool is_gzip = IsGzip({head, bytes});
  if (is_gzip) return std::unique_ptr<ByteSource>(DecompressGzip(std::move(plain)));
  if (path.extension() == ".gz") return ValidationError("it is named .gz and is no gzip file");
  return std::unique_ptr<ByteSource>(std::move(plain));
}

std::unique_ptr<ByteSource> OpenText(std::string_view text) {
  return std::make_unique<TextSource>(text);
}

std::string PeekHead(std::unique_ptr<ByteSource>* source, std::size_t bytes) {
  std::string head(bytes, '\0');
  std::size_t size = 0;
  Status status;
  while (size < bytes) {
    const auto read = (*source)->Read({head.data() + size, bytes - size});
    if (!read.ok()) status = read.error();
    if (!read.ok() || *read == 0) break;
    size += *read;
  }
  head.resize(size);
  *source = std::make_unique<PeekedSource>(head, std::move(status), std::move(*source));
  return head;
}

Result<std::string> ReadWholeFile(const fs::path& path, std::size_t max_bytes,
                                  const FileBounds& bounds) {
  constexpr std::size_t kStepBytes = 64 << 10;
  HR_ASSIGN(const std::unique_ptr<ByteSource> source, OpenFile(path, bounds));
  std::string text;
  for (;;) {
    const std::size_t begin = text.size();
    text.resize(begin + kStepBytes);
    HR_ASSIGN(const std::size_t bytes, source->Read({text.data() + begin, kStepBytes}));
    text.resize(begin + bytes);
    if (bytes == 0) break;
    if (text.size() > max_bytes) {
      return ValidationError("it is larger than " + std::to_string(max_bytes >> 20) + " MB");
    }
  }
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  return text;
}

}  // namespace hashrange
