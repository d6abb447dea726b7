#include "lab/run/requests_file.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "wire/json_writer.h"

namespace hashrange {
namespace {

constexpr std::size_t kWrittenAtOnceBytes = 64 << 10;

}  // namespace

Result<std::unique_ptr<RequestsFile>> RequestsFile::Open(const std::string& path) {
  HR_ASSIGN(OutputFile file, OutputFile::Open(path));
  return std::unique_ptr<RequestsFile>(new RequestsFile(std::move(file)));
}

void RequestsFile::Write(const LoggedRequest& request) {
  const bool reads = IsReadOperation(request.operation);
  JsonWriter writer(lines_);
  writer.BeginObject();
  writer.StringMember("layout", layout_);
  writer.StringMember("pattern", request.pattern);
  writer.StringMember("operation", request.operation);
  writer.RawMember("input", request.input);
  writer.IntegerMember("status", request.status);
  writer.DoubleMember("read_units", reads ? request.units : 0);
  writer.DoubleMember("write_units", reads ? 0 : request.units);
  writer.EndObject();
  lines_.Append('\n');
  if (lines_.size() < kWrittenAtOnceBytes) return;
  if (written_.ok()) written_ = file_.Write(lines_.view());
  lines_.Clear();
}

Status RequestsFile::Close() {
  HR_RETURN_IF_ERROR(std::move(written_));
  return file_.WriteWhole(lines_.view());
}

bool IsReadOperation(std::string_view operation) {
  constexpr std::string_view kReads[] = {"GetItem", "BatchGetItem", "TransactGetItems",
                                         "Query",   "Scan",         "SearchVectors"};
  return std::ranges::find(kReads, operation) != std::end(kReads);
}

}  // namespace hashrange
