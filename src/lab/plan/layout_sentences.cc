#include "lab/plan/layout_sentences.h"

#include <algorithm>
#include <cstddef>

#include "lab/language/joined_names.h"
#include "lab/language/lab_facts.h"
#include "lab/plan/read/plan_sentences.h"

namespace hashrange {
namespace {

// Which patterns read by which key.
std::vector<std::string> KeySentences(const LabFile& file, const LabLayout& layout,
                                      const LayoutPlan& plan) {
  std::vector<std::string> sentences;
  for (const LabKey key : KeysOf(layout)) {
    std::vector<int> patterns;
    for (const PatternPlan& one : plan.patterns) {
      const bool reads = std::ranges::any_of(
          one.cost.keys, [&](const KeyCost& cost) { return cost.key == key && !cost.is_write; });
      if (reads) patterns.push_back(one.pattern);
    }
    const std::string label = KeyLabel(layout, key);
    if (!patterns.empty()) {
      sentences.push_back(label + " serves " + PatternNames(file, patterns) + ".");
    } else if (key.index != kLabNone) {
      sentences.push_back(label + " is read by no pattern with a rate.");
    }
  }
  return sentences;
}

// What the layout asks of the application besides.
std::vector<std::string> BurdenSentences(const LabFile& file, const LayoutPlan& plan) {
  struct Burden {
    bool (*holds)(const PatternPlan& plan);
    const char* of_one;
    const char* of_several;
  };
  constexpr Burden kBurdens[] = {
      {[](const PatternPlan& one) { return one.service == PlanService::kFannedOut; },
       " asks several partition keys, and the application merges.",
       " ask several partition keys, and the application merges."},
      {[](const PatternPlan& one) { return one.service == PlanService::kLookedUp; },
       " reads first what its keys are made of.", " read first what their keys are made of."},
      {[](const PatternPlan& one) { return one.service == PlanService::kFiltered; },
       " reads items besides that it does not ask for.",
       " read items besides that they do not ask for."},
      {[](const PatternPlan& one) {
         return one.service == PlanService::kScanned && one.scans_only_asked;
       },
       " is a Scan, of what has nothing else.", " are Scans, of what has nothing else."},
      {[](const PatternPlan& one) {
         return one.service == PlanService::kScanned && !one.scans_only_asked;
       },
       " is a Scan.", " are Scans."}};
  std::vector<std::string> sentences;
  for (const Burden& burden : kBurdens) {
    std::vector<int> patterns;
    for (const PatternPlan& one : plan.patterns) {
      if (burden.holds(one)) patterns.push_back(one.pattern);
    }
    if (patterns.empty()) continue;
    sentences.push_back(PatternNames(file, patterns) +
                        (patterns.size() == 1 ? burden.of_one : burden.of_several));
  }
  return sentences;
}

// What is stored besides one item for each instance, or not as an item.
std::vector<std::string> ItemSentences(const LabFile& file, const LabLayout& layout) {
  std::vector<std::string> sentences;
  std::vector<std::string> copied;
  for (int entity = 0; entity < static_cast<int>(file.entities.size()); ++entity) {
    const std::string& name = EntityAt(file, entity).name;
    if (const LabEmbedding* const embedding = EmbeddingOf(layout, entity)) {
      sentences.push_back(name + " is inside of " + EntityAt(file, embedding->parent).name +
                          ", in " + embedding->attribute + ".");
    }
    const auto is_of_it = [&](const LabItem& item) { return item.entity == entity; };
    const auto is_whole = [&](const LabItem& item) { return is_of_it(item) && !item.attributes; };
    if (std::ranges::count_if(layout.items, is_of_it) < 2) continue;
    if (std::ranges::any_of(layout.items, is_whole)) {
      copied.push_back(name);
    } else {
      sentences.push_back("The attributes of " + name +
                          " are in several items, and what changes some of them writes no others.");
    }
  }
  if (!copied.empty()) {
    sentences.push_back("Besides its own, further items are written for " + Enumeration(copied) +
                        ", in one transaction.");
  }
  return sentences;
}

}  // namespace

std::string PatternNames(const LabFile& file, const std::vector<int>& patterns) {
  std::vector<std::string> names;
  for (const int pattern : patterns) {
    names.push_back("\"" + file.patterns[static_cast<std::size_t>(pattern)].name + "\"");
  }
  return Enumeration(names);
}

std::vector<std::string> LayoutSentences(const LabFile& file, const LabLayout& layout,
                                         const LayoutPlan& plan) {
  std::vector<std::string> sentences = KeySentences(file, layout, plan);
  std::ranges::move(BurdenSentences(file, plan), std::back_inserter(sentences));
  std::ranges::move(ItemSentences(file, layout), std::back_inserter(sentences));
  return sentences;
}

}  // namespace hashrange
