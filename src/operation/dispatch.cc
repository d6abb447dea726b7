#include "operation/dispatch.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <utility>

#include "base/log.h"
#include "base/memory/thread_object.h"
#include "operation/authentication.h"
#include "operation/call/operations.h"
#include "operation/unknown_operation.h"
#include "wire/error_body.h"
#include "wire/json.h"
#include "wire/strict_text.h"

namespace hashrange {
namespace {

// The rows of operations.def, which ascend by name.
std::span<const OperationRow> Rows() {
  static const OperationRow rows[] = {
#define HR_OPERATION(name, effect, ...) \
  {#name, name, OperationEffect::effect, FindOperationShape(#name)},
#include "operation/call/operations.def"
  };
  return rows;
}

}  // namespace

const OperationRow* FindOperation(std::string_view name) {
  const auto rows = Rows();
  const auto row = std::ranges::lower_bound(rows, name, {}, &OperationRow::name);
  return row != rows.end() && row->name == name ? &*row : nullptr;
}

namespace {

// Returns the row of "<api>.<Operation>", or null: each API answers its own operations only.
const OperationRow* FindRowOfTarget(std::string_view target) {
  const std::size_t dot = target.find('.');
  if (dot == std::string_view::npos) return nullptr;
  const OperationRow* const row = FindOperation(target.substr(dot + 1));
  return row && row->shape->api == target.substr(0, dot) ? row : nullptr;
}

// Returns the shape of "<api>.<Operation>", even of an operation that Hashrange does not implement;
// null when the service has no such operation.
const OperationShape* FindShapeOfTarget(std::string_view target) {
  const std::size_t dot = target.find('.');
  if (dot == std::string_view::npos) return nullptr;
  const OperationShape* const shape = FindOperationShape(target.substr(dot + 1));
  return shape && shape->api == target.substr(0, dot) ? shape : nullptr;
}

Error ErrorWithoutMessage(ErrorCode code) { return Error{code, {}, nullptr}; }

// The members of a Dispatcher, for the functions below.
struct DispatcherParts {
  Engine& engine;
  StreamSet& streams;
  const Dispatcher::Options& options;
};

// A request whose operation and caller are known.
struct Request {
  const OperationRow* row;
  const JsonValue* body;  // null: none was sent
  Caller caller;
  std::string_view host;
  // A copy of the body, as parsing overwrites the body. Set: the call may leave its thread.
  std::unique_ptr<std::string> body_to_repeat = {};
};

// A call and its gate, if there is one. The call keeps this gate until it ends.
struct GatedCall {
  explicit GatedCall(const GateSlot* slot) : gate(slot ? slot->load() : nullptr) {
    thread_local std::uint64_t calls = 0;
    if (gate) call.number = ++calls;
  }

  Gate* const gate;
  Call call;
  bool has_begun = false;
  bool may_change = false;  // the log of changes has admitted the call
};

// Returns the account whose tables the caller sees.
AccountName VisibleAccount(const DispatcherParts& parts, const Caller& caller) {
  if (parts.options.shared_tables) return {kDefaultAccount, {}};
  return {caller.account_id, caller.region};
}

// Sets what a gate learns of the operation and its caller.
void IdentifyCall(const DispatcherParts& parts, std::string_view operation, const Caller& caller,
                  Call* call) {
  call->operation = operation;
  call->account = VisibleAccount(parts, caller);
  call->region = caller.region;
}

// Set what a gate learns of the request before it is read.
void DescribeRequest(const ApiRequest& request, Call* call) {
  call->request_bytes = request.body.size();
  call->pattern = request.pattern;
  call->user_agent = request.user_agent;
  call->connection = request.connection;
}
void DescribeRequest(const ApiCall& request, Call* call) {
  call->request_bytes = request.body.size();
  call->pattern = request.pattern;
}

// Returns the body of a request of that operation; `row` is null for an unknown operation.
Result<const JsonValue*> ParseBody(const OperationRow* row, std::span<char> body, Arena& arena) {
  if (row && row->shape->is_strict) {
    HR_RETURN_IF_ERROR(CheckStrictText(*row->shape->input, {body.data(), body.size()}));
  }
  if (body.empty()) return nullptr;
  return ParseJson(body, arena);
}

// Returns the request after the steps of docs/service/01-wire-protocol.md, section 2, from the JSON
// to the caller. For an unknown operation, also sets in `*call` what a gate learns of the call. The
// body is overwritten.
Result<Request> ReadRequest(const DispatcherParts& parts, const ApiRequest& request, Arena& arena,
                            Call* call) {
  const OperationRow* row = FindRowOfTarget(request.target);
  std::unique_ptr<std::string> body_to_repeat;
  if (row && row->effect == OperationEffect::kSearches && request.may_leave) [[unlikely]] {
    body_to_repeat = std::make_unique<std::string>(request.body.data(), request.body.size());
  }
  HR_ASSIGN(const JsonValue* body, ParseBody(row, request.body, arena));
  if (!row) {
    const auto unknown =
        UnknownOperationOf(request.target, FindShapeOfTarget(request.target), arena);
    call->operation = unknown.name;
    // The answer does not depend on the caller; a gate gets the caller when it is known.
    const auto caller = Authenticate(request, parts.options.key_owners, arena);
    if (caller.ok()) IdentifyCall(parts, unknown.name, *caller, call);
    return RefuseUnknown(unknown);
  }
  HR_ASSIGN(const Caller caller, Authenticate(request, parts.options.key_owners, arena));
  return Request{row, body, caller, request.host, std::move(body_to_repeat)};
}

// Returns the request of a call in process. The body of the call must not be overwritten, so a copy
// of the body is parsed.
Result<Request> ReadRequest(const DispatcherParts& parts, const ApiCall& request, Arena& arena,
                            Call* call) {
  const OperationRow* row = FindOperation(request.operation);
  const std::size_t size = request.body.size();
  char* const copy = arena.AllocateBytes(size + 1);
  request.body.copy(copy, size);
  HR_ASSIGN(const JsonValue* body, ParseBody(row, {copy, size}, arena));
  if (!row) {
    const OperationShape* const shape = FindOperationShape(request.operation);
    const auto unknown = UnknownOperationOf(request.operation, shape, arena);
    IdentifyCall(parts, unknown.name, request.caller, call);
    return RefuseUnknown(unknown);
  }
  return Request{row, body, request.caller, {}};
}

// Binds and runs the operation. Appends the answer's body. Sets `*leaves` to whether the call is to
// be made on another thread; then nothing was done.
Status RunOperation(const DispatcherParts& parts, const Request& request, Arena& arena,
                    GatedCall* gated, bool* leaves, OutputBuffer& out) {
  const auto& [row, body, caller, host, body_to_repeat] = request;
  const bool may_leave = body_to_repeat != nullptr;
  if (!body || body->type != JsonValue::Type::kObject) {
    return ErrorWithoutMessage(ErrorCode::kSerializationException);
  }
  if (gated->gate) IdentifyCall(parts, row->name, caller, &gated->call);
  // A gate sees a call on one thread only. So the call leaves at once where there is a gate.
  *leaves = may_leave && gated->gate;
  if (*leaves) return {};
  ValidationLayer handled_by;
  HR_RETURN_IF_ERROR(BindRequest(*row->shape, *body, &handled_by));
  OpenAccesses accesses(gated->gate, gated->call);
  Context context{.engine = parts.engine,
                  .streams = parts.streams,
                  .gate = gated->gate,
                  .accesses = &accesses,
                  .backfiller = parts.options.backfiller,
                  .time_to_live = parts.options.time_to_live,
                  .arena = arena,
                  .account = VisibleAccount(parts, caller),
                  .region = caller.region,
                  .host = host,
                  .transition_ms = parts.options.transition_ms,
                  .index_transition_ms = parts.options.index_transition_ms,
                  .layer = row->shape->layer,
                  .is_too_deep_for_layer = handled_by != row->shape->layer,
                  .memory = parts.options.memory,
                  .kinesis = parts.options.kinesis,
                  .may_leave = may_leave};
  JsonWriter writer(out);
  if (parts.options.durability && row->effect == OperationEffect::kChanges) {
    HR_RETURN_IF_ERROR(parts.options.durability->AdmitChange());
    gated->may_change = true;
  }
  if (gated->gate) {
    gated->call.request = body;
    gated->has_begun = true;
    if (auto refused = gated->gate->Begin(gated->call)) return *std::move(refused);
  }
  Status status = row->function(context, RequestObject(*body), writer);
  *leaves = context.leaves;
  return status;
}

// Memory may be what is missing, so the text is on the stack.
void LogException(const std::exception& exception) noexcept {
  char text[200];
  std::snprintf(text, sizeof text, "an operation threw: %s", exception.what());
  Log(LogLevel::kError, text);
}

// Logs the exception and returns the error that it becomes, without a message if memory is missing.
Error ErrorOf(const std::exception& exception) noexcept {
  LogException(exception);
  Error error = ErrorWithoutMessage(ErrorCode::kInternalServerError);
  try {
    error.message = "The request processing has failed.";
  } catch (const std::bad_alloc&) {
  }
  return error;
}

// Returns the thread's arena, emptied. Requests by HTTP and calls in process use the same arena.
Arena& FreshArena() {
  struct RequestArena {
    Arena arena;
  };
  Arena& arena = OfThread<RequestArena>().arena;
  arena.Reset();
  return arena;
}

// `received` is an ApiRequest or an ApiCall.
template <typename AnyRequest>
ApiAnswer AnswerRequest(const DispatcherParts& parts, const AnyRequest& received,
                        OutputBuffer& out) {
  const std::size_t begin = out.size();
  GatedCall gated(parts.options.gate);
  if (gated.gate) DescribeRequest(received, &gated.call);
  Status status;
  try {
    Arena& arena = FreshArena();
    Result<Request> request = ReadRequest(parts, received, arena, &gated.call);
    bool leaves = false;
    status = request.ok() ? RunOperation(parts, *request, arena, &gated, &leaves, out)
                          : Status(std::move(request).error());
    if (leaves) {
      out.Truncate(begin);
      ApiAnswer repeated;
      repeated.body_to_repeat = std::move(request->body_to_repeat);
      return repeated;
    }
  } catch (const std::exception& exception) {
    status = ErrorOf(exception);
  }
  if (gated.call.replacing_error) status = *std::move(gated.call.replacing_error);
  ApiAnswer answer;
  if (!status.ok()) {
    out.Truncate(begin);
    WriteErrorBody(status.error(), out);
    answer.http_status = ErrorInfoOf(status.error().code).http_status;
  }
  if (gated.may_change) answer.safe_after = parts.options.durability->appended();
  if (!gated.gate) return answer;
  const CallOutcome outcome{status.ok() ? nullptr : &status.error(), out.size() - begin};
  try {
    if (gated.has_begun) {
      gated.gate->End(gated.call, outcome);
    } else {
      gated.gate->Fail(gated.call, outcome);
    }
  } catch (const std::exception& exception) {
    LogException(exception);  // the call is not counted, but answered
  }
  if (!gated.has_begun) return answer;
  answer.send_after_ms = gated.call.send_after_ms;
  answer.drop = gated.call.drop;
  return answer;
}

}  // namespace

ApiAnswer Dispatcher::Handle(const ApiRequest& request, OutputBuffer& out) {
  return AnswerRequest(DispatcherParts{engine_, streams_, options_}, request, out);
}

ApiAnswer Dispatcher::Call(const ApiCall& call, OutputBuffer& out) {
  return AnswerRequest(DispatcherParts{engine_, streams_, options_}, call, out);
}

}  // namespace hashrange
