// Sentences of plans, in the words of a lab file. Pure functions; any thread.
#pragma once

#include <string>
#include <vector>

#include "lab/language/lab_file.h"
#include "lab/plan/read/asked_interval.h"
#include "lab/plan/read/plan_choice.h"
#include "lab/plan/read/returned_others.h"

namespace hashrange {

// Returns what a key is called: "shop", "GSI1", or "shop / GSI1" where there are several tables.
std::string KeyLabel(const LabLayout& layout, LabKey key);

// "a, b and c"
std::string Enumeration(const std::vector<std::string>& names);

// "its partition key PRODUCT#{sku} needs sku, which the caller does not know"
std::string ObstacleSentence(const LabFile& file, const ReadObstacle& obstacle);
// "GSI1: it holds no items of Line", of each other key; and of a Scan that was not taken.
std::vector<std::string> RejectedSentences(const ReadQuestion& question, const ReadChoice& choice);
// Returns why a read is made as it is, and what is left to the client.
std::vector<std::string> ReasonsOf(const ReadQuestion& question, const ReadCandidate& candidate);
// "User.name is read from the item of User, which the caller knows"
std::string WaySentence(const ReadQuestion& question, const ReturnedWay& way);
// "Order and Shop are asked for by themselves: one Query of all of them would take about 12 …"
std::string ApartSentence(const std::string& names, double units_together);
// "GSI2: it would take about 12 read units, GSI1 takes 0.5"
std::string DearerSentence(const LabLayout& layout, const ReadCandidate& dearer,
                           const ReadCandidate& taken);

}  // namespace hashrange
