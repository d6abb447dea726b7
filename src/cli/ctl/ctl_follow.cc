#include "cli/ctl/ctl_follow.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <thread>
#include <utility>

#include "cli/ctl/answer_text.h"
#include "cli/ctl/server_call.h"
#include "measure/number_text.h"
#include "measure/report/readable_text.h"
#include "platform/signals.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

constexpr std::chrono::milliseconds kInterval{250};

std::string MemberText(const JsonValue& request, std::string_view name) {
  return CellText(request.Find(name));
}

std::uint64_t MemberNumber(const JsonValue& object, std::string_view name) {
  const JsonValue* const json = object.Find(name);
  std::uint64_t number = 0;
  if (!json || json->type != JsonValue::Type::kNumberText) return 0;
  const std::string_view text = json->string();
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// Returns a text such as "app/GSI1 query 0.5".
std::string AccessText(const JsonValue& access) {
  std::string text = MemberText(access, "table");
  if (access.Find("index")) text += "/" + MemberText(access, "index");
  return text + " " + MemberText(access, "kind") + " " + MemberText(access, "units");
}

class Follower {
 public:
  Follower(HttpCall call, std::string since, OutputForm output)
      : call_(std::move(call)), since_(std::move(since)), output_(output) {
    skips_listed_calls_ = since_.empty();
    std::from_chars(since_.data(), since_.data() + since_.size(), last_id_);
    // No call has a higher id, so the first answer has the server's last id, and no calls.
    if (skips_listed_calls_) since_ = std::to_string(UINT64_MAX);
  }

  int Run() {
    while (!is_interrupted_) {
      if (!Poll()) return is_interrupted_ ? 0 : 1;
      std::this_thread::sleep_for(kInterval);
    }
    return 0;
  }

 private:
  // Prints the new calls. Returns false, after a line on stderr, when that fails.
  bool Poll() {
    HttpCall call = call_;
    call.target += call_.target.find('?') == std::string::npos ? "?" : "&";
    call.target.append("since=").append(since_);
    HttpReply reply;
    return Ask(call, &reply) && ShowAnswer(std::move(reply.body));
  }

  bool Ask(const HttpCall& call, HttpReply* reply) {
    Result<HttpReply> answer = SendCtlCall(call);
    if (answer.ok()) {
      *reply = std::move(answer).value();
      return true;
    }
    if (is_interrupted_) return false;
    PrintError(answer.error().message);
    return false;
  }

  bool ShowAnswer(std::string body) {
    const auto json = OwnedJson::Parse(std::move(body), JsonDialect::kDocument);
    if (!json.ok() || !json->is_object()) {
      std::fprintf(stderr, "hashrange: the server's list of calls is no JSON object\n");
      return false;
    }
    const JsonValue& answer = json->value();
    const std::uint64_t newest = MemberNumber(answer, "last_id");
    if (newest < last_id_) last_id_ = 0;  // the server was restarted and counts from 1
    if (!skips_listed_calls_) ReportMissed(MemberNumber(answer, "missed"));
    if (const JsonValue* const requests = answer.Find("requests")) PrintAll(*requests);
    last_id_ = std::max(last_id_, newest);
    since_ = std::to_string(last_id_);
    skips_listed_calls_ = false;
    const JsonValue* const enabled = answer.Find("enabled");
    const bool is_listing = enabled && enabled->type == JsonValue::Type::kTrue;
    return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && (is_listing || Enable());
  }

  bool Enable() {
    HttpCall call = call_;
    call.method = "POST";
    call.target.erase(std::min(call.target.find('?'), call.target.size()));
    call.body = R"({"enabled":true})";
    HttpReply reply;
    if (!Ask(call, &reply)) return false;
    std::fprintf(stderr, "hashrange: the server listed no calls; from now on it does\n");
    return true;
  }

  // `missed` is how many calls the server has dropped for lack of space since the last poll. It
  // does not know which of them a filter would have chosen.
  void ReportMissed(std::uint64_t missed) const {
    if (missed == 0) return;
    const bool is_filtered = call_.target.find('?') != std::string::npos;
    PrintError(CountedText(static_cast<double>(missed),
                           "call was forgotten before it could be shown",
                           "calls were forgotten before they could be shown") +
               (is_filtered ? ", and may have been of another kind" : ""));
  }

  void PrintAll(const JsonValue& requests) {
    if (requests.type != JsonValue::Type::kArray) return;
    for (const JsonValue& request : requests.elements()) {
      const std::string line =
          output_ == OutputForm::kTable ? RequestLine(request) : RequestJson(request);
      std::fwrite(line.data(), 1, line.size(), stdout);
      std::fputc('\n', stdout);
      last_id_ = std::max(last_id_, MemberNumber(request, "id"));
    }
  }

  std::string RequestJson(const JsonValue& request) const {
    const std::string text = JsonText(request);
    return output_ == OutputForm::kJson ? ReadableJson(text) : text;
  }

  const std::atomic<bool>& is_interrupted_ = CatchCtrlC();
  HttpCall call_;
  std::string since_;  // the next poll asks for the calls after the one with this id
  const OutputForm output_;
  bool skips_listed_calls_ = false;  // until the first poll: the calls listed so far are not shown
  std::uint64_t last_id_ = 0;        // the id of the last call that was shown or skipped
};

}  // namespace

std::string RequestLine(const JsonValue& request) {
  constexpr std::size_t kTimeOfDay = 11, kTimeOfDayBytes = 12;  // in 2026-01-31T12:00:00.000Z
  const std::string time = MemberText(request, "time");
  char duration[32];
  std::snprintf(duration, sizeof duration, "%.3f ms",
                static_cast<double>(MemberNumber(request, "duration_us")) / 1000);
  std::string operation = MemberText(request, "operation");
  operation.resize(std::max<std::size_t>(operation.size(), 18), ' ');
  std::string line = time.size() > kTimeOfDay ? time.substr(kTimeOfDay, kTimeOfDayBytes) : time;
  line += "  " + MemberText(request, "account") + "  " + operation + "  " +
          MemberText(request, "status") + "  " + duration;
  const JsonValue* const accesses = request.Find("accesses");
  if (accesses && accesses->type == JsonValue::Type::kArray) {
    std::string_view joint = "  ";
    for (const JsonValue& access : accesses->elements()) {
      line.append(std::exchange(joint, ", ")).append(AccessText(access));
    }
  }
  for (const char* name : {"error", "message"}) {
    if (request.Find(name)) line += "  " + MemberText(request, name);
  }
  return line;
}

int FollowRequests(HttpCall call, std::string since, OutputForm output) {
  return Follower(std::move(call), std::move(since), output).Run();
}

}  // namespace hashrange
