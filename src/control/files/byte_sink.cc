#include "control/files/byte_sink.h"

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

namespace hashrange {
namespace {

Error CannotWrite(const std::filesystem::path& path, int error_number) {
  return ValidationError(
      path.string() + ": it cannot be written: " + std::generic_category().message(error_number));
}

}  // namespace

Result<std::unique_ptr<ByteSink>> ByteSink::Create(const OutputFolder& folder,
                                                   const std::string& name, bool compresses) {
  const std::filesystem::path path = folder.path() / name;
  HR_ASSIGN(Descriptor made, folder.Replace(name));
  std::FILE* const file = fdopen(made.number(), "wb");
  if (!file) return CannotWrite(path, errno);
  made.Release();
  return std::unique_ptr<ByteSink>(new ByteSink(path, file, compresses));
}

ByteSink::ByteSink(const std::filesystem::path& path, std::FILE* file, bool compresses)
    : path_(path), file_(file) {
  if (compresses) compressor_ = std::make_unique<GzipCompressor>();
}

ByteSink::~ByteSink() {
  if (file_) std::fclose(file_);
}

Status ByteSink::Write(std::string_view bytes) {
  if (!compressor_) return WriteThrough(bytes);
  compressed_.Clear();
  compressor_->Add(bytes, compressed_);
  return WriteThrough(compressed_.view());
}

Status ByteSink::WriteThrough(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size()) return {};
  return CannotWrite(path_, errno);
}

Status ByteSink::Finish() {
  if (compressor_) {
    compressed_.Clear();
    compressor_->Finish(compressed_);
    HR_RETURN_IF_ERROR(WriteThrough(compressed_.view()));
  }
  if (std::fclose(std::exchange(file_, nullptr)) == 0) return {};
  return CannotWrite(path_, errno);
}

}  // namespace hashrange
