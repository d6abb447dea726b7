// EndpointAnswer: what a run has to know of an endpoint's answer. Unlike the answers of the engine
// (lab/run/answer_reader.h), its members may stand in any order, with blanks between them, and what
// is not asked for may be missing. Immutable.
#pragma once

#include <string>

#include "lab/run/answer_reader.h"
#include "remote/client/service_client.h"

namespace hashrange {

class EndpointAnswer {
 public:
  // An answer with the status 200 that is no JSON object is broken.
  explicit EndpointAnswer(const ServiceReply& reply);
  EndpointAnswer(const EndpointAnswer&) = delete;
  EndpointAnswer& operator=(const EndpointAnswer&) = delete;

  // Its views live as long as the object.
  const LabAnswer& answer() const { return answer_; }
  // Whether the endpoint said what the request consumed.
  bool has_units() const { return has_units_; }

 private:
  void ReadSuccess(const std::string& body);

  LabAnswer answer_ = {};
  bool has_units_ = false;
  std::string last_evaluated_key_ = {};
  std::string unprocessed_ = {};
};

}  // namespace hashrange
