// A request to the lab as JSON, for hosts that have no command line: lab.wasm (module/lab).
//
//   {"command":"run","name":"shop.yaml","layout":["plain"],"scale":[1,10],"thin":10,
//    "vary":["rates.submit=1/s..100/s"],"no_confirm":true,"columns":100,"json":true,"html":true}
//
// The members are named as the options of `hashrange lab`, and mean the same. `command` is `run`,
// `check`, `explain`, `schema` or `init`, and all others may be absent. `max_memory_bytes` bounds
// the data of a run. The answer is JSON, too:
//
//   {"outcome":"done","text":"…","messages":["warning: …"],"json":"…","html":"…"}
//
//   outcome   done          all went well
//             exceeded      `check` found a limit that does not hold
//             interrupted   the host stopped the work; `text` is about what was done until then
//             wrong         the request or the lab file is wrong; `messages` say why
//             failed        there was not enough memory, or a defect
//   text      what the command prints
//   messages  what it writes to stderr, a line each
//   json, html  the texts of its files, where the request asks for them
//
// Any thread; a request is answered on the caller's.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace hashrange {

// Called now and then with how much of a run is done, 0 to 1. Returns whether the run shall end.
using LabStopper = std::function<bool(double done)>;

// Answers the request about the lab file of that text. `most_memory_bytes` counts where the request
// has no bound.
std::string AnswerLabRequest(std::string_view request, std::string_view text,
                             const LabStopper& progress, std::int64_t most_memory_bytes = 0);

}  // namespace hashrange
