// A proposal as text for a terminal, as a lab file, and as JSON. Pure functions; any
// thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/language/lab_document.h"
#include "lab/language/lab_file.h"
#include "lab/propose/proposal.h"
#include "wire/json_writer.h"

namespace hashrange {

// Returns what was found, and which layout to take: "Best within the stated space: 4 layouts that
// …".
std::string ProposalHeadline(const Proposal& proposal);

// Returns what the layout is the best in: "the cheapest and the simplest"; may be empty.
std::string RolesText(const ProposedLayout& one);

// Returns the headroom of keys: "81 ×"; "no limit" for infinity.
std::string HeadroomText(double headroom);

// Returns why the layout `at` is as it is, and what it costs beside the cheapest or the next best.
std::vector<std::string> WhyOf(const Proposal& proposal, std::size_t at);

// Returns the proposal for a terminal.
std::string ProposalText(const LabFile& file, const Proposal& proposal);

// Returns the text of the lab file, whose tree is `document`, with the layouts of the proposal in
// place of its own, and above each of them why it is as it is.
// Errors: those of WithLayouts (layout_yaml.h)
Result<std::string> WithProposal(std::string_view text, const LabNode& document,
                                 const LabFile& file, const Proposal& proposal);

// Writes the proposal as JSON.
void WriteProposalJson(const LabFile& file, const Proposal& proposal, JsonWriter& writer);

}  // namespace hashrange
