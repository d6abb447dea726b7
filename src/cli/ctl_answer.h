// What `hashrange ctl` prints of an answer of the control API.
#pragma once

#include <string>

#include "http/http_call.h"

namespace hashrange {

enum class CtlOutput {
  kAsItCame,  // for a program
  kJson,      // for a person: laid out over several lines
  kTable,     // for a person
};

// For stdout as it is: a terminal gets tables, or JSON where that is asked for.
CtlOutput ChooseOutput(bool asks_for_json);

// Of an answer that is no JSON, as the metrics, always as it came. True when it was written.
bool PrintAnswer(const HttpReply& reply, CtlOutput output);

// Why the server refuses.
std::string ErrorSentence(const HttpReply& reply);

}  // namespace hashrange
