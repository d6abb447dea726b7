// lab.wasm: the lab behind functions that a host calls (clients/js/lib/lab-module.cjs).
//
//   at = lab_input(bytes)          there the host writes the request and the lab file's text
//   lab_call(request, text)        their sizes; lab/command/lab_request.h has the members
//   lab_answer()                   where the answer's JSON is, until the next call
//   lab_answer_bytes()
//
// While layouts run, the module calls the host's function hashrange.progress. No exception leaves a
// function. After an answer about memory, the host ends the instance: WebAssembly's memory never
// shrinks.
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "lab/command/lab_request.h"
#include "module/host_calls.h"

// Returns whether the run shall end.
extern "C" __attribute__((import_module("hashrange"), import_name("progress"))) int HostProgress(
    double done);

namespace hashrange {
namespace {

// A quarter of the greatest memory is left for plans, reports and growth.
constexpr std::int64_t kMostMemoryBytes = std::int64_t{3} << 30;

struct LabModule {
  std::string input;
  std::string answer;
};

LabModule& TheLabModule() {
  static LabModule module;
  return module;
}

constexpr char kNoLabMemory[] =
    R"({"outcome":"failed","text":"","messages":["There is not enough memory."]})";
constexpr char kLabDefect[] =
    R"({"outcome":"failed","text":"","messages":["The lab has a defect, and has stopped."]})";

// Leaves the answer empty where there is no memory for it.
void KeepFailure(const char* answer) noexcept {
  TheLabModule().answer.clear();
  try {
    TheLabModule().answer = answer;
  } catch (const std::bad_alloc&) {
    // The answer has no text.
  }
}

}  // namespace
}  // namespace hashrange

using hashrange::TheLabModule;

// Returns where the host writes `bytes` bytes of input; null: there is no memory, or it is too
// much.
HR_EXPORT(lab_input)(std::size_t bytes)->char* {
  if (bytes > hashrange::kMostInputBytes) return nullptr;
  try {
    TheLabModule().input.resize(bytes);
    return TheLabModule().input.data();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

// Answers the request of the input.
HR_EXPORT(lab_call)(std::size_t request_bytes, std::size_t text_bytes)->void {
  hashrange::InputTexts texts(TheLabModule().input);
  const std::string_view request = texts.Next(request_bytes);
  try {
    TheLabModule().answer = hashrange::AnswerLabRequest(
        request, texts.Next(text_bytes), [](double done) { return HostProgress(done) != 0; },
        hashrange::kMostMemoryBytes);
  } catch (const std::bad_alloc&) {
    hashrange::KeepFailure(hashrange::kNoLabMemory);
  } catch (const std::exception&) {
    hashrange::KeepFailure(hashrange::kLabDefect);
  }
}

HR_EXPORT(lab_answer)()->const char* { return TheLabModule().answer.data(); }
HR_EXPORT(lab_answer_bytes)()->std::size_t { return TheLabModule().answer.size(); }
