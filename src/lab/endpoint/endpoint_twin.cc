#include "lab/endpoint/endpoint_twin.h"

#include <cmath>

#include "lab/endpoint/batch_part.h"
#include "lab/run/answer_reader.h"
#include "lab/run/requests_file.h"
#include "measure/number_text.h"

namespace hashrange {
namespace {

constexpr int kOkStatus = 200;
constexpr double kLeastDifference = 1e-6;  // of units, which are multiples of 0.5
constexpr std::size_t kMostShown = 200;    // bytes of a request

// Returns whether the answer is a part of a Scan. Each server has its own order of the items, so
// pages of two servers have other items.
bool IsPartOfScan(const AnsweredRequest& request) {
  return request.operation == "Scan" &&
         (!request.answer.answer().last_evaluated_key.empty() ||
          request.body.find(R"("ExclusiveStartKey":)") != request.body.npos);
}

std::string ShownRequest(const AnsweredRequest& request) {
  std::string text(request.operation);
  text.append(" ").append(request.body, 0, kMostShown);
  return request.body.size() > kMostShown ? text + "…" : text;
}

}  // namespace

double EndpointTwin::Take(const AnsweredRequest& request, UnitComparison& counts) {
  const LabAnswer& answer = request.answer.answer();
  const bool reads = IsReadOperation(request.operation);
  const bool is_part = !answer.unprocessed.empty() || IsPartOfScan(request);
  if (is_part) ++counts.not_comparable;
  if (is_part && reads && request.answer.has_units()) return answer.units;
  std::string processed;
  if (!answer.unprocessed.empty() && !reads) {
    processed = ProcessedPart(request.body, answer.unprocessed, database_.layout());
    if (processed.empty()) return answer.units;
  }
  const int status = database_.database().Call(
      request.operation, processed.empty() ? request.body : processed, answer_);
  const double twin_units = ReadLabAnswer(status, answer_).units;
  if (status != kOkStatus) {
    ++counts.twin_refused;
    return answer.units;
  }
  if (!request.answer.has_units()) {
    ++counts.unreported;
    return twin_units;
  }
  if (!is_part) Compare(request, twin_units, counts);
  return answer.units;
}

void EndpointTwin::Compare(const AnsweredRequest& request, double twin_units,
                           UnitComparison& counts) {
  const double reported = request.answer.answer().units;
  ++counts.compared;
  counts.reported_units += reported;
  counts.twin_units += twin_units;
  if (std::abs(reported - twin_units) < kLeastDifference) return;
  const bool is_first_certain = !request.met_write && counts.different == counts.uncertain;
  ++counts.different;
  if (request.met_write) ++counts.uncertain;
  if (!is_first_certain && !counts.first_difference.empty()) return;
  counts.first_difference = ShownRequest(request) + ": the endpoint reported " +
                            NumberText(reported) + ", the twin took " + NumberText(twin_units);
}

}  // namespace hashrange
