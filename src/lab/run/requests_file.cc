#include "lab/run/requests_file.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "wire/json_writer.h"

namespace hashrange {
namespace {

Error CannotWrite(const std::string& path) {
  return Error{ErrorCode::kInternalServerError, "The file " + path + " cannot be written to.", {}};
}

}  // namespace

Result<std::unique_ptr<RequestsFile>> RequestsFile::Open(const std::string& path) {
  std::unique_ptr<RequestsFile> file(new RequestsFile(path));
  if (!file->file_) return CannotWrite(path);
  return file;
}

void RequestsFile::Write(const LoggedRequest& request) {
  const bool reads = IsReadOperation(request.operation);
  line_.Clear();
  JsonWriter writer(line_);
  writer.BeginObject();
  writer.StringMember("layout", layout_);
  writer.StringMember("pattern", request.pattern);
  writer.StringMember("operation", request.operation);
  writer.Name("input");
  writer.Raw(request.input);
  writer.IntegerMember("status", request.status);
  writer.Name("read_units");
  writer.Double(reads ? request.units : 0);
  writer.Name("write_units");
  writer.Double(reads ? 0 : request.units);
  writer.EndObject();
  line_.Append('\n');
  file_ << line_.view();
}

Status RequestsFile::Close() {
  file_.close();
  if (!file_) return CannotWrite(path_);
  return {};
}

bool IsReadOperation(std::string_view operation) {
  constexpr std::string_view kReads[] = {"GetItem", "BatchGetItem", "TransactGetItems", "Query",
                                         "Scan"};
  return std::find(std::begin(kReads), std::end(kReads), operation) != std::end(kReads);
}

}  // namespace hashrange
