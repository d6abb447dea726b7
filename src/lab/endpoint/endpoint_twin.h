// EndpointTwin: a database in this process with the tables of an endpoint. It executes each request
// that the endpoint has answered with success, in the order in which the answers came, and its
// units are held against those that the endpoint reported.
//
// Where two requests are open at the same time and one of them writes, the endpoint may have
// executed them in another order than their answers came. A difference of such a request is counted
// as uncertain. Used by one thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lab/endpoint/endpoint_replies.h"
#include "lab/language/lab_file.h"
#include "lab/run/lab_result.h"
#include "lab/run/layout_database.h"

namespace hashrange {

// A request that the endpoint has answered with success.
struct AnsweredRequest {
  std::string_view operation;
  const std::string& body;
  const EndpointAnswer& answer;
  bool met_write = false;  // another request that was open at the same time writes
};

class EndpointTwin {
 public:
  // `database` has the tables, filled, and outlives the object.
  explicit EndpointTwin(LayoutDatabase& database) : database_(database) {}

  // Executes the request, counts how the units compare, and returns the units of the request: the
  // units that the endpoint reported, or where it reported none, the units of the twin.
  double Take(const AnsweredRequest& request, UnitComparison& counts);

 private:
  void Compare(const AnsweredRequest& request, double twin_units, UnitComparison& counts);

  LayoutDatabase& database_;
  std::string answer_ = {};
};

// Returns the part of a BatchWriteItem that was processed: the request without what its answer
// lists as unprocessed; empty where nothing is left, or where the request cannot be read.
// `unprocessed` is the member UnprocessedItems.
std::string ProcessedPart(std::string_view request, std::string_view unprocessed,
                          const LabLayout& layout);

}  // namespace hashrange
