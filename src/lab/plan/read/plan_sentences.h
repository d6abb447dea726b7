// Sentences of plans, in the words of a lab file. Pure functions; any thread.
#pragma once

#include <string>
#include <vector>

#include "lab/language/lab_file.h"
#include "lab/plan/read/asked_interval.h"
#include "lab/plan/read/plan_choice.h"

namespace hashrange {

// Returns what a key is called: "shop", "GSI1", or "shop / GSI1" where there are several tables.
std::string KeyLabel(const LabLayout& layout, LabKey key);

// "its partition key PRODUCT#{sku} needs sku, which the caller does not know"
std::string NeedsSentence(const LabFile& file, const LabTemplate& text, LabAttributeRef attribute);
// "it holds only items whose status is OPEN"
std::string HoldsOnlySentence(const LabFile& file, const std::vector<LabCondition>& conditions);
// "a, b and c"
std::string Enumeration(const std::vector<std::string>& names);

// Why a walk over periods, which ends after kMostTimeBuckets of them, does not serve.
std::string ShortWalkSentence(const ReadQuestion& question, const ReadCandidate& candidate);
// Returns why a read is made as it is, and what is left to the client.
std::vector<std::string> ReasonsOf(const ReadQuestion& question, const ReadCandidate& candidate);
// "shop: a Scan would take about 10 read units, GSI1 takes about 15, but the Scan …"
std::string CheaperScanSentence(const LabLayout& layout, const ReadCandidate& scan,
                                const ReadCandidate& taken);
// "Order and Shop are asked for by themselves: one Query of all of them would take about 12 …"
std::string ApartSentence(const std::string& names, double units_together);
// "GSI2: it would take about 12 read units, GSI1 takes 0.5"
std::string DearerSentence(const LabLayout& layout, const ReadCandidate& dearer,
                           const ReadCandidate& taken);

}  // namespace hashrange
