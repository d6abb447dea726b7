#include "remote/copy/copy_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "control/files/folder.h"
#include "measure/number_text.h"
#include "remote/copy/copy_plan.h"
#include "remote/copy/table_stages.h"

namespace hashrange {
namespace {

// Before that, a rate says nothing.
constexpr double kLeastSeconds = 1;

std::string TimeLeftText(double seconds) {
  if (seconds < 100) return NumberText(std::ceil(seconds)) + " s";
  if (seconds < 100 * 60) return NumberText(std::ceil(seconds / 60)) + " min";
  return NumberText(std::ceil(seconds / 3600)) + " h";
}

std::string CountOf(std::int64_t items) {
  return CountText(static_cast<std::uint64_t>(std::max<std::int64_t>(0, items)));
}

}  // namespace

std::string CopyProgressText(const CopyProgressFigures& figures) {
  if (figures.table.empty()) return {};
  if (figures.is_verifying) return "Verifying " + figures.table;
  std::string text = "Copying " + figures.table + ": " + CountOf(figures.items);
  if (figures.expected > 0) text += " of about " + CountOf(figures.expected);
  text += " items";
  const std::int64_t now = figures.items - figures.before;
  if (figures.seconds < kLeastSeconds || now <= 0) return text;
  const double rate = static_cast<double>(now) / figures.seconds;
  text += ", " + NumberText(std::round(rate)) + " a second";
  if (figures.expected > figures.items) {
    text += ", about " +
            TimeLeftText(static_cast<double>(figures.expected - figures.items) / rate) + " left";
  }
  return text;
}

void CopyProgress::BeginTable(const std::string& table, std::int64_t before,
                              std::int64_t expected) {
  std::lock_guard lock(mutex_);
  figures_ = {.table = table, .items = before, .before = before, .expected = expected};
  begin_ = std::chrono::steady_clock::now();
}

void CopyProgress::AddItems(std::int64_t items) {
  std::lock_guard lock(mutex_);
  figures_.items += items;
}

void CopyProgress::BeginVerifying() {
  std::lock_guard lock(mutex_);
  figures_.is_verifying = true;
}

std::string CopyProgress::Text() const {
  std::lock_guard lock(mutex_);
  CopyProgressFigures figures = figures_;
  figures.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  return CopyProgressText(figures);
}

namespace {

// Returns what stands where, and how to go on: for the sentence about a copy that has ended early.
std::string StandText(const CopyRequest& request, const CopyState& state) {
  std::size_t done = 0;
  const TableState* half = nullptr;
  for (const TableState& table : state.tables) {
    if (table.stage == CopyStage::kDone) ++done;
    if (!half && table.stage != CopyStage::kDone && table.stage != CopyStage::kWaiting) {
      half = &table;
    }
  }
  std::string text =
      std::to_string(done) + " of " +
      CountedText(static_cast<double>(state.tables.size()), "table is copied", "tables are copied");
  if (half && half->stage == CopyStage::kCreating) {
    text += ", " + half->target + " is perhaps created at " + state.to;
  } else if (half && half->digest.items() == 0) {
    text += ", " + half->target + " is created at " + state.to + ", perhaps with some of its items";
  } else if (half) {
    text += ", of " + half->target + " at least " +
            CountedText(static_cast<double>(half->digest.items()), "item is", "items are") +
            " at " + state.to;
  }
  const bool any_existed = std::ranges::any_of(state.tables, &TableState::existed);
  return text + "; to continue, run the same command with --resume; to begin anew, remove " +
         (any_existed
              ? "the tables that the copy has created, not those that existed before it, and "
              : "what was copied and ") +
         request.state_file.string();
}

// The parts of one copy, in the order in which they are constructed.
class CopyRun {
 public:
  explicit CopyRun(const CopyRequest& request)
      : request_(request),
        stop_(request.stop),
        from_(*request.from, request.patience, stop_, request.note),
        folder_(request.folder, request.compresses) {
    if (request.to) to_.emplace(*request.to, request.patience, stop_, request.note);
  }

  Result<CopyResult> Run() {
    auto begun = request_.resumes ? Continue() : Begin();
    if (!begun.ok() && stop_.IsAsked()) {
      return InternalError("the copy was interrupted before it began");
    }
    HR_ASSIGN(CopyPlan plan, std::move(begun));
    Spending spending(request_.spend_usd.value_or(std::numeric_limits<double>::infinity()),
                      plan.state.usd);
    UnitMeter reads(request_.read_units_a_second, spending, stop_);
    UnitMeter writes(request_.write_units_a_second, spending, stop_);
    UnitMeter verifying(0, spending, stop_);
    const CopyParts parts{.request = request_,
                          .from = from_,
                          .to = to_ ? &*to_ : nullptr,
                          .folder = to_ ? nullptr : &folder_,
                          .reads = reads,
                          .writes = writes,
                          .verifying = verifying,
                          .spending = spending,
                          .stop = stop_,
                          .state = *state_};
    CopyResult result;
    Status status = CopyTables(parts, plan, &result);
    if (status.ok() && !to_) status = folder_.Finish(state_->Get());
    if (!status.ok()) return WithStand(std::move(status).error());
    state_->Remove();
    result.read_units = reads.units();
    result.write_units = writes.units();
    result.verifying_units = verifying.units();
    result.usd = spending.usd();
    return result;
  }

 private:
  Result<CopyPlan> Begin() {
    HR_RETURN_IF_ERROR(CheckStateFile());
    if (PathExists(request_.state_file)) {
      return ValidationError(request_.state_file.string() +
                             " is of a copy that was not finished: continue it with --resume, or "
                             "remove " +
                             (request_.into_existing ? "" : "what was copied and ") + "this file");
    }
    HR_ASSIGN(CopyPlan plan, PlanCopy(request_, from_, to_ ? &*to_ : nullptr));
    HR_RETURN_IF_ERROR(CheckCost(request_, plan));
    if (!to_) HR_RETURN_IF_ERROR(folder_.Begin());
    HR_ASSIGN(state_, CopyStateFile::Begin(request_.state_file, plan.state));
    if (!to_) HR_RETURN_IF_ERROR(folder_.WriteManifest(plan.state));
    return plan;
  }

  // Refuses a path of the state that is a folder or a device.
  Status CheckStateFile() const {
    std::error_code none;
    if (!std::filesystem::exists(request_.state_file, none) ||
        std::filesystem::is_regular_file(request_.state_file, none)) {
      return {};
    }
    return ValidationError(request_.state_file.string() + " is " +
                           (IsFolder(request_.state_file) ? "a folder" : "no regular file") +
                           ": the state of a copy is kept in a file, which --state names");
  }

  Result<CopyPlan> Continue() {
    HR_RETURN_IF_ERROR(CheckStateFile());
    auto state = CopyStateFile::Continue(request_.state_file);
    if (!state.ok()) {
      if (state.error().code != ErrorCode::kResourceNotFoundException) {
        return std::move(state).error();
      }
      return ValidationError("there is no copy to continue: there is no file " +
                             request_.state_file.string());
    }
    state_ = std::move(*state);
    folder_ = FolderCopy(request_.folder, state_->Get().compresses);
    HR_ASSIGN(CopyPlan plan,
              PlanContinuation(request_, state_->Get(), from_, to_ ? &*to_ : nullptr));
    HR_RETURN_IF_ERROR(CheckCost(request_, plan));
    if (!to_) HR_RETURN_IF_ERROR(folder_.WriteManifest(plan.state));
    return plan;
  }

  Status CopyTables(const CopyParts& parts, const CopyPlan& plan, CopyResult* result) const {
    for (std::size_t table = 0; table < plan.tables.size(); ++table) {
      if (stop_.IsSet()) return StoppedError();
      HR_ASSIGN(CopiedTable copied, TableStages(parts, table, plan.tables[table]).Run());
      result->tables.push_back(std::move(copied));
    }
    return {};
  }

  Error WithStand(Error error) const {
    error.code = ErrorCode::kInternalServerError;
    if (stop_.IsAsked()) error.message = "the copy was interrupted";
    error.message += "; " + StandText(request_, state_->Get());
    return error;
  }

  const CopyRequest& request_;
  CopyStop stop_;
  const PatientCaller from_;
  std::optional<PatientCaller> to_;
  FolderCopy folder_;
  std::unique_ptr<CopyStateFile> state_;
};

}  // namespace

Result<CopyResult> RunCopy(const CopyRequest& request) { return CopyRun(request).Run(); }

}  // namespace hashrange
