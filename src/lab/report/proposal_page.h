// The page of a proposal: the layouts that were found as a plot, why each is as it is, and the
// report of their run. A pure function; any thread.
#pragma once

#include <string>

#include "lab/language/lab_file.h"
#include "lab/propose/proposal.h"
#include "lab/run/lab_result.h"

namespace hashrange {

// The run of the proposed layouts, and the lab file that has them.
struct ProposalRun {
  const LabFile& file;
  const LabResult& result;
};

// Returns one page without script or network. `file` is what the proposal was made for. Without a
// run (null), the page ends behind the reasons.
std::string ProposalHtmlReport(const LabFile& file, const Proposal& proposal,
                               const ProposalRun* run);

}  // namespace hashrange
