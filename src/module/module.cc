// hashrange.wasm: one Database behind functions that a host calls (clients/js/lib/module.cjs).
//
//   at = hashrange_input(bytes)   there the host writes the texts of a call, one behind the other
//   status = hashrange_call(…)    their sizes, in order
//   hashrange_answer()            where the answer's body is, until the next call
//   hashrange_answer_bytes()
//   hashrange_send_after_ms()     for how long the host holds the answer back
//
// The host calls hashrange_open first, and hashrange_run_due_works whenever its timer says so. A
// host that has sockets also serves the database (module/serving.cc). All numbers of 64 bits are
// doubles, which every host has. No exception leaves a function.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include "hashrange/database.h"
#include "module/host_calls.h"
#include "module/module_state.h"

namespace hashrange {
namespace {

constexpr char kNoMemory[] =
    R"({"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"There is not enough memory."})";

// Runs `call`, which returns an answer, and keeps the answer for the host.
template <typename Call>
int KeepAnswer(Call call) noexcept {
  Module& module = TheModule();
  try {
    module.answer = call(module);
  } catch (const std::bad_alloc&) {
    module.answer.status = 500;
    module.answer.send_after_ms = 0;
    module.answer.body.clear();
    module.answer.body.shrink_to_fit();
    try {
      module.answer.body = kNoMemory;
    } catch (const std::bad_alloc&) {
      // The answer has no body.
    }
  }
  return module.answer.status;
}

}  // namespace
}  // namespace hashrange

using hashrange::Database;
using hashrange::InputTexts;
using hashrange::KeepAnswer;
using hashrange::Module;
using hashrange::TheModule;

// Opens the database. The parameters are those of Database::Options. Returns whether there was
// memory for the database.
HR_EXPORT(hashrange_open)
(bool shared_tables, bool tables_of_each_key, double transition_ms, double index_transition_ms,
 int stream_shards, double stream_buffer_bytes, double ttl_interval_ms, double max_memory_bytes,
 bool metrics)
    ->bool {
  Database::Options options;
  options.shared_tables = shared_tables;
  options.tables_of_each_key = tables_of_each_key;
  options.transition_ms = static_cast<std::int64_t>(transition_ms);
  options.index_transition_ms = static_cast<std::int64_t>(index_transition_ms);
  options.stream_shards = stream_shards;
  options.stream_buffer_bytes = static_cast<std::int64_t>(stream_buffer_bytes);
  options.ttl_interval_ms = static_cast<std::int64_t>(ttl_interval_ms);
  options.max_memory_bytes = static_cast<std::int64_t>(max_memory_bytes);
  options.metrics = metrics;
  try {
    TheModule().database = std::make_unique<Database>(options);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

// Returns where the host writes `bytes` bytes of input; null: there is no memory, or it is too
// much.
HR_EXPORT(hashrange_input)(std::size_t bytes)->char* {
  if (bytes > hashrange::kMostInputBytes) return nullptr;
  try {
    TheModule().input.resize(bytes);
    return TheModule().input.data();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

// Answers a call: the input has the operation, its JSON, the access key, the Region and the pattern
// (Database::Call). Returns the status (Answer::status).
HR_EXPORT(hashrange_call)
(std::size_t operation_bytes, std::size_t json_bytes, std::size_t access_key_bytes,
 std::size_t region_bytes, std::size_t pattern_bytes)
    ->int {
  return KeepAnswer([&](Module& module) {
    InputTexts texts(module.input);
    const std::string_view operation = texts.Next(operation_bytes);
    const std::string_view json = texts.Next(json_bytes);
    const std::string_view access_key = texts.Next(access_key_bytes);
    const std::string_view region = texts.Next(region_bytes);
    return module.database->Call(operation, json, {access_key, region}, texts.Next(pattern_bytes));
  });
}

// Answers a call of the control API: the input has the method, the path behind "/_hashrange/" and
// the body. Returns the status.
HR_EXPORT(hashrange_control)
(std::size_t method_bytes, std::size_t path_bytes, std::size_t body_bytes)->int {
  return KeepAnswer([&](Module& module) {
    InputTexts texts(module.input);
    const std::string_view method = texts.Next(method_bytes);
    const std::string_view path = texts.Next(path_bytes);
    return module.database->Control(method, path, texts.Next(body_bytes));
  });
}

HR_EXPORT(hashrange_answer)()->const char* { return TheModule().answer.body.data(); }
HR_EXPORT(hashrange_answer_bytes)()->std::size_t { return TheModule().answer.body.size(); }
HR_EXPORT(hashrange_send_after_ms)()->double {
  return static_cast<double>(TheModule().answer.send_after_ms);
}

// Does what is due, for about `budget_ms`. Returns in how many milliseconds more is due; -1:
// nothing waits.
HR_EXPORT(hashrange_run_due_works)(double budget_ms)->double {
  return static_cast<double>(Database::RunDueWorks(static_cast<std::int64_t>(budget_ms)));
}
