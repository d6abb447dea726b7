// backup: the call that copies what a server keeps in its data directory, while it serves.
#include <string>
#include <utility>

#include "control/call_path.h"
#include "control/routes.h"
#include "store/load/kept_data.h"

namespace hashrange {
namespace {

std::string AsSentence(std::string text) {
  if (!text.ends_with('.')) text += '.';
  return text;
}

}  // namespace

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
    return ControlError(is_callers ? 409 : 500, AsSentence(std::move(done).error().message));
  }
  answer.BeginObject();
  answer.Name("path");
  answer.String(path);
  answer.EndObject();
  return std::nullopt;
}

}  // namespace hashrange
