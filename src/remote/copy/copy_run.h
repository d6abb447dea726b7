// RunCopy copies tables from an endpoint, or from a folder of files, to another endpoint, or into a
// folder in the form of a dump:
//
//   which tables, are they free at the destination, what does it cost ──▶ the state file
//   ──▶ for each table: create ──▶ items, by parallel scans ──▶ count and digest are compared
//                              ──▶ time to live
//   ──▶ the state file is removed
//
// Nothing is written before all tables are checked. From then on, the state file (copy_state.h)
// says how far the copy has come.
#pragma once

#include "base/result.h"
#include "remote/copy/copy_request.h"

namespace hashrange {

// Waits for the end of the copy. A table that does not equal what was read is in the result, with
// its difference. Only one copy at a time uses a state file.
// Errors: ValidationException  nothing was copied: the request does not fit what is there
//         InternalServerError  an endpoint, the disk, the user or the costs have ended the copy
//         The message is a sentence without a full stop. Where something was written, the sentence
//         says what stands where, and how to go on.
Result<CopyResult> RunCopy(const CopyRequest& request);

}  // namespace hashrange
