// seed, dump and backup: the calls that name files of the server's machine. A seed loads tables
// from files (control/files/seed.h), a dump writes tables into files (control/files/dump.h), and a
// backup copies what the server keeps in its data directory, while it serves.
#include <string>
#include <utility>
#include <vector>

#include "base/file_path.h"
#include "base/text/text_encodings.h"
#include "control/call_input.h"
#include "control/files/dump.h"
#include "control/files/file_bounds.h"
#include "control/files/folder.h"
#include "control/files/seed.h"
#include "control/routes.h"
#include "store/kept/kept_tables.h"

namespace hashrange {
namespace {

constexpr std::size_t kMaxPathBytes = 4096;

TransferParts TransferPartsOf(const ControlParts& parts) {
  return {parts.engine, parts.streams,       parts.time_to_live,
          parts.memory, parts.shared_tables, parts.kept ? &parts.kept->durability() : nullptr};
}

// Checks the member "path" of a call, if it is there. A path with a zero byte is refused, as the
// system would use only the text before that byte.
Status CheckPath(const ControlObject& body) {
  const auto path = body.Text("path");
  if (!path) return {};
  if (path->size() > kMaxPathBytes) {
    return ValidationError("\"path\" is longer than " + std::to_string(kMaxPathBytes) + " bytes.");
  }
  if (path->find('\0') == std::string_view::npos) return {};
  return ValidationError("\"path\" holds a zero byte.");
}

Result<Caller> ReadCaller(const ControlObject& body) {
  HR_RETURN_IF_ERROR(CheckAccountId(body));
  Caller caller;
  if (const auto account = body.Text("account")) caller.account_id = *account;
  if (const auto region = body.Text("region")) caller.region = *region;
  return caller;
}

std::optional<std::string> OptionalText(const ControlObject& body, std::string_view name) {
  const auto text = body.Text(name);
  return text ? std::optional<std::string>(*text) : std::nullopt;
}

std::string WithFullStop(std::string text) {
  if (!text.ends_with('.')) text += '.';
  return text;
}

// Returns the error as a sentence for an answer: with a full stop, of limited length, and in valid
// UTF-8, although it may quote the content of a file.
ControlError ToAnswerSentence(Error error) {
  constexpr std::size_t kMaxBytes = 2000;
  std::string& text = error.message;
  if (text.size() > kMaxBytes) {
    text.resize(kMaxBytes);
    while (!text.empty() && static_cast<signed char>(text.back()) < 0) text.pop_back();
    text += "…";
  }
  if (!IsValidUtf8(text)) {
    for (char& c : text) c = static_cast<signed char>(c) < 0 ? '?' : c;
  }
  text = WithFullStop(std::move(text));
  return ControlError(std::move(error));
}

void WriteTables(const std::vector<TransferredTable>& tables, JsonWriter& answer) {
  answer.BeginObject("tables");
  for (const TransferredTable& table : tables) {
    answer.IntegerMember(table.name, table.items);
  }
  answer.EndObject();
}

void WriteSeed(const LoadedSeed& loaded, JsonWriter& answer) {
  answer.BeginObject();
  WriteTables(loaded.tables, answer);
  if (!loaded.warnings.empty()) {
    WriteList("warnings", loaded.warnings, answer,
              [&](const std::string& warning) { answer.String(warning + "."); });
  }
  answer.EndObject();
}

// Does nothing for a caller who may name any file. For another caller, replaces the path by the
// absolute path, and sets in `bounds` which files the caller may use. Returns an error when the
// caller may not use the path.
ControlResult RestrictPath(const ControlCall& call, fs::path* path, FileBounds* bounds) {
  const FileRights& rights = call.request.files;
  if (rights.may_name_any_file) return std::nullopt;
  *bounds = FileBounds(rights.folders ? *rights.folders : std::vector<std::string>());
  auto resolved = bounds->Resolve(*path);
  if (!resolved) {
    return ControlError(403,
                        "Only the server's own user and callers with its control token may use any "
                        "path; other callers may use paths below the folders of hashrange serve "
                        "--files.");
  }
  *path = std::move(*resolved);
  return std::nullopt;
}

// Returns an error that names the path only. The place and the reason of the error might quote the
// content of a file that the caller may not read.
ControlError AnswerWithoutContent(Error error, const std::string& path) {
  error.message = path +
                  ": it cannot be read or written. Only the server's own user and callers with its "
                  "control token are told why";
  return ToAnswerSentence(std::move(error));
}

Result<SeedRequest> ReadSeedRequest(const ControlObject& body) {
  SeedRequest request;
  HR_ASSIGN(request.caller, ReadCaller(body));
  HR_RETURN_IF_ERROR(CheckPath(body));
  if (body.Has("path") == body.Has("data")) {
    return ValidationError("A seed has either \"path\" or \"data\".");
  }
  if (const auto path = body.Text("path")) request.path = *path;
  request.data = OptionalText(body, "data");
  request.table = OptionalText(body, "table");
  request.definition = body.Find("definition");
  if (const auto format = body.Text("format")) {
    request.format = ParseDataFormat(*format);
    if (!request.format) {
      return ValidationError("\"format\" is not \"dynamodb\", \"json\" or \"csv\".");
    }
  }
  request.threads =
      static_cast<int>(std::min<std::int64_t>(body.Whole("threads").value_or(0), 1024));
  return request;
}

Result<DumpRequest> ReadDumpRequest(const ControlObject& body) {
  DumpRequest request;
  HR_ASSIGN(request.caller, ReadCaller(body));
  HR_RETURN_IF_ERROR(CheckPath(body));
  request.table = OptionalText(body, "table");
  request.compresses = body.Boolean("gzip").value_or(false);
  request.overwrites = body.Boolean("overwrite").value_or(false);
  if (const auto format = body.Text("format")) {
    const auto known = ParseDataFormat(*format);
    if (!known || *known == DataFormat::kCsv) {
      return ValidationError("\"format\" is not \"dynamodb\" or \"json\".");
    }
    request.format = *known;
  }
  if (body.Has("path")) return request;
  if (!request.table) return ValidationError("A dump without \"path\" needs \"table\".");
  if (request.compresses || request.overwrites) {
    return ValidationError("A dump without \"path\" has neither \"gzip\" nor \"overwrite\".");
  }
  return request;
}

}  // namespace

ControlResult SeedTables(ControlCall& call, JsonWriter& answer) {
  HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kSeedBody));
  HR_ASSIGN(SeedRequest request, ReadSeedRequest(body));
  if (request.path) {
    if (auto refused = RestrictPath(call, &*request.path, &request.bounds)) return refused;
    if (!PathExists(*request.path)) {
      return ControlError(404, request.path->string() + ": there is no such file or folder.");
    }
  }
  auto loaded = Seed(TransferPartsOf(call.parts), request);
  if (!loaded.ok() && request.bounds.are_set()) {
    return AnswerWithoutContent(std::move(loaded).error(), request.path->string());
  }
  if (!loaded.ok()) return ToAnswerSentence(std::move(loaded).error());
  // Warnings are dropped: they name files, and some of these names are the content of another file.
  if (request.bounds.are_set()) loaded->warnings.clear();
  WriteSeed(*loaded, answer);
  return std::nullopt;
}

ControlResult DumpTables(ControlCall& call, JsonWriter& answer) {
  HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kDumpBody));
  HR_ASSIGN(DumpRequest request, ReadDumpRequest(body));
  const TransferParts parts = TransferPartsOf(call.parts);
  if (const auto text = body.Text("path")) {
    fs::path path = *text;
    if (auto refused = RestrictPath(call, &path, &request.bounds)) return refused;
    auto dumped = Dump(parts, request, path);
    if (!dumped.ok() && request.bounds.are_set()) {
      return AnswerWithoutContent(std::move(dumped).error(), path.string());
    }
    if (!dumped.ok()) return ToAnswerSentence(std::move(dumped).error());
    answer.BeginObject();
    WriteTables(*dumped, answer);
    answer.EndObject();
    return std::nullopt;
  }
  call.content_type = "application/x-ndjson";
  Status written = DumpText(parts, request, answer.BeginValue());
  if (!written.ok()) return ToAnswerSentence(std::move(written).error());
  return std::nullopt;
}

ControlResult BackUp(ControlCall& call, JsonWriter& answer) {
  constexpr Member kMembers[] = {{"path", MemberType::kText, true}};
  HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kMembers));
  HR_RETURN_IF_ERROR(CheckPath(body));
  if (!call.parts.kept) {
    return ControlError(409, "This server keeps no data, as it was started without --data.");
  }
  if (!call.request.files.may_name_any_file) {
    return ControlError(403,
                        "Only the server's own user and callers with its control token may make "
                        "backups.");
  }
  const std::string path(*body.Text("path"));
  if (Status done = call.parts.kept->Backup(path); !done.ok()) {
    const bool is_callers = done.error().code == ErrorCode::kValidationException;
    return ControlError(is_callers ? 409 : 500, WithFullStop(std::move(done).error().message));
  }
  answer.BeginObject();
  answer.StringMember("path", path);
  answer.EndObject();
  return std::nullopt;
}

}  // namespace hashrange
