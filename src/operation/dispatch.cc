#include "operation/dispatch.h"

#include <exception>

#include "base/log.h"
#include "operation/authentication.h"
#include "operation/operations.h"
#include "wire/error_body.h"
#include "wire/json.h"

namespace hashrange {
namespace {

constexpr std::string_view kApi = "DynamoDB_20120810.";

const OperationRow* RowOf(std::string_view target) {
  return target.starts_with(kApi) ? FindOperation(target.substr(kApi.size())) : nullptr;
}

Error Bare(ErrorCode code) { return Error{code, {}, nullptr}; }

// The pipeline of reference 01, section 2, from the JSON on. Appends the answer's body.
Status Answer(Engine& engine, const Dispatcher::Options& options, const ApiRequest& request,
              Arena& arena, std::string& out) {
  const JsonValue* body = nullptr;
  if (!request.body.empty()) {
    HR_ASSIGN(body, ParseJson(request.body, arena));
  }
  const OperationRow* row = RowOf(request.target);
  if (!row) return Bare(ErrorCode::kUnknownOperationException);
  HR_ASSIGN(const Caller caller, Authenticate(request, arena));
  if (!body || body->type != JsonValue::Type::kObject) {
    return Bare(ErrorCode::kSerializationException);
  }
  ValidationLayer handled_by;
  HR_RETURN_IF_ERROR(BindRequest(*row->shape, *body, &handled_by));
  Context context{.engine = engine,
                  .gate = options.gate,
                  .arena = arena,
                  .account = {caller.account_id, caller.region},
                  .region = caller.region,
                  .host = request.host,
                  .transition_ms = options.transition_ms,
                  .layer = row->shape->layer,
                  .is_too_deep_for_layer = handled_by != row->shape->layer};
  if (options.shared_tables) context.account = {kDefaultAccount, {}};
  JsonWriter writer(out);
  return row->function(context, RequestObject(*body), writer);
}

}  // namespace

ApiAnswer Dispatcher::Handle(const ApiRequest& request, std::string& out) {
  thread_local Arena arena;
  arena.Reset();
  const std::size_t begin = out.size();
  Status status;
  try {
    status = Answer(engine_, options_, request, arena, out);
  } catch (const std::exception& exception) {
    Log(LogLevel::kError, std::string("an operation threw: ") + exception.what());
    status = Error{ErrorCode::kInternalServerError, "The request processing has failed.", nullptr};
  }
  if (status.ok()) return {};
  out.resize(begin);
  WriteErrorBody(status.error(), out);
  return {.http_status = InfoOf(status.error().code).http_status};
}

}  // namespace hashrange
