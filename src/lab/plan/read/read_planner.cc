#include "lab/plan/read/read_planner.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "lab/plan/read/plan_choice.h"
#include "lab/plan/read/plan_sentences.h"
#include "lab/plan/read/returned_others.h"
#include "lab/plan/read/search_plan.h"

namespace hashrange {
namespace {

PlanService ServiceOf(const ReadCandidate& candidate) {
  if (candidate.is_scan) return PlanService::kScanned;
  if (FanOutOf(candidate.interval) > 1) return PlanService::kFannedOut;
  const bool is_filtered = !candidate.rest.filters.empty() ||
                           (!candidate.is_get && !candidate.rest.client_filters.empty());
  return is_filtered ? PlanService::kFiltered : PlanService::kKey;
}

bool ScansOnlyAsked(const ReadQuestion& question, const ReadCandidate& candidate) {
  const bool takes_some = question.pattern.limit > 0 && candidate.items == 0;
  return candidate.is_scan && candidate.interval.others.empty() && candidate.rest.filters.empty() &&
         candidate.rest.client_filters.empty() && !takes_some;
}

// Returns whether a Scan of the plan reads what is not asked for.
bool ScansMore(const PatternPlan& plan) {
  return plan.service == PlanService::kScanned && !plan.scans_only_asked;
}

PatternPlan ImpossiblePlan(const LabFile& file, const ReadObstacle& why) {
  PatternPlan plan;
  plan.impossible = ObstacleSentence(file, why);
  return plan;
}

PatternPlan PlanOf(const ReadQuestion& question, ReadChoice choice) {
  PatternPlan plan;
  plan.rejected = RejectedSentences(question, choice);
  if (!choice.taken) {
    if (choice.impossible) plan.impossible = ObstacleSentence(question.file, *choice.impossible);
    return plan;
  }
  const ReadCandidate& taken = *choice.taken;
  for (const ReadCandidate& dearer : choice.dearer) {
    plan.rejected.push_back(DearerSentence(question.layout, dearer, taken));
  }
  plan.service = ServiceOf(taken);
  plan.steps = StepsOfRead(question, taken);
  plan.sorts_at_client = taken.sorts_at_client;
  plan.scans_only_asked = ScansOnlyAsked(question, taken);
  plan.scan_beats_keys = taken.beats_keys;
  plan.reasons = ReasonsOf(question, taken);
  plan.cost = taken.cost;
  return plan;
}

// Adds the requests for other entities of the same question.
void AddPlan(PatternPlan more, PatternPlan& plan) {
  if (!more.impossible.empty()) plan.impossible = std::move(more.impossible);
  const bool scans_more = ScansMore(plan) || ScansMore(more);
  const bool scanned = plan.service == PlanService::kScanned;
  const bool more_scanned = more.service == PlanService::kScanned;
  plan.service = std::max(plan.service, more.service);
  plan.scans_only_asked = plan.service == PlanService::kScanned && !scans_more;
  plan.scan_beats_keys = plan.service == PlanService::kScanned &&
                         (plan.scan_beats_keys || !scanned) &&
                         (more.scan_beats_keys || !more_scanned);
  plan.sorts_at_client = plan.sorts_at_client || more.sorts_at_client;
  plan.cost.Add(more.cost);
  std::move(more.steps.begin(), more.steps.end(), std::back_inserter(plan.steps));
  std::move(more.reasons.begin(), more.reasons.end(), std::back_inserter(plan.reasons));
  std::move(more.rejected.begin(), more.rejected.end(), std::back_inserter(plan.rejected));
}

// Removes the requests and the cost of a plan that is not possible as a whole.
void LeaveOutIfImpossible(PatternPlan& plan) {
  if (plan.impossible.empty()) return;
  plan.steps.clear();
  plan.cost = {};
}

// Returns what the pattern asks of one host: its order and its limit are about one entity, and what
// it returns of the entities of other hosts is theirs.
LabPattern PatternOf(const ReadQuestion& question, const AskedHost& host) {
  LabPattern pattern = question.pattern;
  const bool returns_all = pattern.returns.empty();
  std::erase_if(pattern.returns, [&](LabAttributeRef one) {
    if (std::ranges::count(pattern.entities, one.entity) > 0) {
      return HostOf(question.layout, one.entity) != host.entity;
    }
    // What an ancestor of others is identified by, their items have.
    return !IsAncestorOrSelf(question.file, one.entity, host.entity) &&
           std::ranges::any_of(pattern.entities, [&](int entity) {
             return IsAncestorOrSelf(question.file, one.entity, entity);
           });
  });
  if (host.item != nullptr) {
    const std::vector<LabAttributeRef> held =
        HeldAttributes({question.file, question.layout}, *host.item);
    std::erase_if(pattern.returns, [&](LabAttributeRef one) {
      return one.entity == host.entity && std::ranges::count(held, one) == 0;
    });
  }
  if (pattern.returns.empty() && !returns_all) pattern.returns = {{host.entity, 0}};
  const int ordered = OrderedEntity(question.file, pattern);
  if (ordered == kLabNone || HostOf(question.layout, ordered) == host.entity) return pattern;
  pattern.order = {};
  pattern.limit = 0;
  return pattern;
}

// Asks for each host by itself. `why` is a sentence.
PatternPlan PlanApart(const ReadQuestion& question, const std::vector<AskedHost>& hosts,
                      std::string why, std::vector<std::string> rejected) {
  PatternPlan plan;
  plan.reasons.push_back(std::move(why));
  for (const AskedHost& host : hosts) {
    const LabPattern pattern = PatternOf(question, host);
    ReadQuestion one = question.Asking(pattern);
    one.referred = question.referred;
    one.by_name = question.by_name;
    AddPlan(PlanOf(one, ChooseRead(one, {host})), plan);
  }
  for (std::string& sentence : rejected) {
    const auto& known = plan.rejected;
    if (std::find(known.begin(), known.end(), sentence) != known.end()) continue;
    plan.rejected.push_back(std::move(sentence));
  }
  LeaveOutIfImpossible(plan);
  return plan;
}

std::string NamesOf(const ReadQuestion& question, const std::vector<AskedHost>& hosts) {
  std::vector<std::string> names;
  for (const AskedHost& host : hosts) AddName(EntityAt(question.file, host.entity).name, names);
  if (names.size() == 1) return "all items of " + names.front();
  return Enumeration(names);
}

// Plans what is asked of several hosts: by a key that holds all of them, or of each by itself where
// there is none, or where that costs less, because only some of one entity are asked for.
PatternPlan PlanTogether(const ReadQuestion& question, const std::vector<AskedHost>& hosts,
                         ReadChoice choice) {
  const std::string names = NamesOf(question, hosts);
  if (!choice.taken) {
    return PlanApart(question, hosts,
                     "No key holds " + names + " together, so each is asked for by itself",
                     RejectedSentences(question, choice));
  }
  const bool is_some = question.pattern.limit > 0 && question.pattern.order.entity != kLabNone;
  if (is_some) {
    const double units = choice.taken->cost.ReadUnits();
    PatternPlan apart = PlanApart(question, hosts, ApartSentence(names, units),
                                  RejectedSentences(question, choice));
    const bool serves = apart.impossible.empty() && apart.service != PlanService::kScanned;
    if (serves && apart.cost.ReadUnits() < units) return apart;
  }
  return PlanOf(question, std::move(choice));
}

// Gets an instance by way of another item of its entity, whose key the caller knows and which holds
// what the key of the asked item is made of: the item of an e-mail address has the customer_id.
// Returns nothing where no item leads there.
std::optional<PatternPlan> PlanByWay(const ReadQuestion& question, const AskedHost& host) {
  // The call knows what the item on the way holds only where it is about that very instance.
  const bool is_own = question.role_entity == host.entity;
  const bool is_get = question.pattern.kind == LabPattern::Kind::kGet;
  if (!is_get || !is_own || question.IsForEach()) return std::nullopt;
  for (const LabItem& item : question.layout.items) {
    if (item.entity != host.entity || !item.attributes) continue;
    LabPattern first = question.pattern;
    first.returns = *item.attributes;
    LabPattern second = question.pattern;
    second.by.insert(second.by.end(), item.attributes->begin(), item.attributes->end());
    const ReadQuestion way = question.Asking(first);
    ReadQuestion end = question.Asking(second);
    end.referred = question.referred;
    end.by_name = question.by_name;
    ReadChoice way_choice = ChooseRead(way, {host});
    ReadChoice end_choice = ChooseRead(end, {host});
    if (!way_choice.taken || way_choice.taken->is_scan) continue;
    if (!end_choice.taken || end_choice.taken->is_scan) continue;
    end_choice.rejected = way_choice.rejected;
    way_choice.rejected.clear();
    PatternPlan plan = PlanOf(way, std::move(way_choice));
    for (PlanStep& step : plan.steps) step.is_lookup = true;
    AddPlan(PlanOf(end, std::move(end_choice)), plan);
    plan.reasons.insert(plan.reasons.begin(), "Another item of " +
                                                  EntityAt(question.file, host.entity).name +
                                                  " is read first, which has what the key needs");
    return plan;
  }
  return std::nullopt;
}

PatternPlan AnswerAlone(const ReadQuestion& question) {
  for (const int entity : question.pattern.entities) {
    if (IsStored(question.layout, entity)) continue;
    return ImpossiblePlan(question.file,
                          {.kind = ReadObstacle::Kind::kNotStored, .entity = entity});
  }
  const std::vector<AskedHost> hosts = AskedHosts(question);
  if (const std::optional<std::vector<AskedHost>> by_item = HostsByItem(question, hosts)) {
    PatternPlan plan = PlanTogether(question, *by_item, ChooseRead(question, *by_item));
    if (plan.impossible.empty() && plan.service != PlanService::kScanned) return plan;
  }
  ReadChoice choice = ChooseRead(question, hosts);
  if (hosts.size() > 1) return PlanTogether(question, hosts, std::move(choice));
  if (!choice.taken || choice.taken->is_scan) {
    std::optional<PatternPlan> plan = PlanByWay(question, hosts.front());
    if (plan) return std::move(*plan);
  }
  return PlanOf(question, std::move(choice));
}

// Answers a question that asks for attributes of others, too.
PatternPlan Answer(const ReadQuestion& question) {
  if (question.pattern.returned_others.empty()) return AnswerAlone(question);
  ReturnedOthers others = FindReturnedOthers(question);
  if (others.impossible) return ImpossiblePlan(question.file, *others.impossible);
  ReadQuestion own = question.Asking(others.pattern);
  own.referred = std::move(others.referred);
  own.by_name = std::move(others.by_name);
  PatternPlan plan = AnswerAlone(own);
  for (const LabPattern& get : others.known) {
    PatternPlan known = AnswerAlone(question.Asking(get));
    for (PlanStep& step : known.steps) step.is_lookup = step.is_of_others = true;
    AddPlan(std::move(known), plan);
  }
  for (const ReturnedWay& way : others.ways) plan.reasons.push_back(WaySentence(question, way));
  LeaveOutIfImpossible(plan);
  return plan;
}

}  // namespace

namespace {

// Returns to which instances those lead that the first query finds, if these are what the pattern
// asks by: several that are found may lead to one.
std::optional<InstanceLink> LinkToAsked(const LabFile& file, const LabPattern& asked,
                                        const CallShape& shape) {
  const int entity = asked.each->entity;
  LabAttributeRef reference = {entity, asked.each->via};
  if (reference.attribute == kLabNone && shape.asked_by.size() == 1) {
    reference = OriginalOf(file, shape.asked_by.front());
  }
  if (reference.attribute != kLabNone) {
    const LabGenerator& generator = LabAttributeAt(file, reference).generator;
    const CallRole& found = shape.roles[static_cast<std::size_t>(FirstQueryRole(asked, shape))];
    const bool are_siblings = found.source == CallRole::Source::kChildren && found.of_role == 0;
    const bool differ = are_siblings && reference.entity == entity &&
                        EntityAt(file, entity).distinct == reference.attribute;
    if (differ) return std::nullopt;
    if (generator.kind == LabGenerator::Kind::kRef) {
      return InstanceLink{reference.entity, reference.attribute, generator.other.entity};
    }
  }
  InstanceLink link = {.entity = entity, .other = kLabNone};
  for (const LabAttributeRef one : shape.asked_by) {
    const LabAttributeRef original = OriginalOf(file, one);
    if (original.entity == entity || original.attribute != 0) return std::nullopt;
    const bool is_lower =
        link.other == kLabNone || IsAncestorOrSelf(file, link.other, original.entity);
    if (is_lower) link.other = original.entity;
  }
  return link.other == kLabNone ? std::nullopt : std::optional(link);
}

// Returns the role of which each instance has one of the link's others, for all that is found by
// way of it: the one that is the nearest to the picked instance. kLabNone: there is none.
int RoleOfSameOther(const LabFile& file, const CallShape& shape, int found,
                    const InstanceLink& link) {
  int same = kLabNone;
  const auto at = [&](int role) -> const CallRole& {
    return shape.roles[static_cast<std::size_t>(role)];
  };
  for (int role = found; at(role).source == CallRole::Source::kChildren && link.via == kLabNone;) {
    role = at(role).of_role;
    if (IsAncestorOrSelf(file, link.other, at(role).entity)) same = role;
  }
  return same;
}

// What a call asks for behind the first query.
struct AskedOnce {
  std::vector<CountCase> counts = {};  // how many different instances
  std::vector<double> shares = {};     // of each band of their entity; empty: as of what is found
};

// Returns to how many different instances `found` instances lead, of which the first query leaves
// this share of all that are there.
AskedOnce DifferentOf(const FileModel& numbers, int pattern, const InstanceLink& link,
                      std::vector<CountCase> found, double share) {
  const LabFile& file = numbers.file();
  const CallShape& shape = numbers.shape(pattern);
  const int found_role = FirstQueryRole(PatternForm(file, pattern), shape);
  const int same = RoleOfSameOther(file, shape, found_role, link);
  if (same > 0) {
    const int entity = shape.roles[static_cast<std::size_t>(same)].entity;
    const Moments of_one = numbers.Descendants(link.entity, entity, kAnyBand).Thinned(share);
    AskedOnce once = {.counts = numbers.CountsInRole(pattern, same)};
    for (CountCase& one : once.counts) one.count = one.count.Thinned(1 - ShareWithNone(of_one, 1));
    return once;
  }
  AskedOnce once;
  for (CountCase& one : found) {
    if (same == 0) {
      one.count = Moments{.mean = 1}.OrNone(1 - ShareWithNone(one.count, 1));
      continue;
    }
    if (one.count.mean <= 0) continue;
    const std::vector<double> different = numbers.DifferentLedTo(link, one.count);
    once.shares.resize(different.size());
    double all = 0;
    for (std::size_t band = 0; band < different.size(); ++band) {
      once.shares[band] += one.share * different[band];
      all += different[band];
    }
    const double left = std::min(1.0, all / one.count.mean);
    one.count = {one.count.mean * left, one.count.variance * left * left};
  }
  const double all = std::accumulate(once.shares.begin(), once.shares.end(), 0.0);
  for (double& one : once.shares) one /= std::max(all, 1e-9);
  once.counts = std::move(found);
  return once;
}

// Plans what is queried first, and then what is asked for each instance that it finds.
PatternPlan PlanEach(const LayoutModel& model, int pattern) {
  const FileModel& numbers = model.file_model();
  const LabFile& file = numbers.file();
  const CallShape& shape = numbers.shape(pattern);
  const LabPattern& asked = PatternForm(file, pattern);
  const LabPattern first = FirstQueryOf(asked);
  if (shape.roles.size() == 1) {
    return ImpossiblePlan(
        file, {.kind = ReadObstacle::Kind::kNothingToFollow, .entity = first.entities.front()});
  }
  const CallSubject picked = SubjectOf(numbers, pattern, 0);
  PatternPlan plan = Answer({.model = model,
                             .pattern = first,
                             .subject = {.model = numbers,
                                         .entity = picked.entity,
                                         .pick_shares = picked.pick_shares,
                                         .hottest_pick = picked.hottest_pick,
                                         .constants = first.constants,
                                         .referred_by = picked.referred_by},
                             .role = 0,
                             .role_entity = picked.entity});
  for (PlanStep& step : plan.steps) step.is_lookup = true;
  double share = 1;  // of those that the first query could find
  for (const LabCondition& one : first.constants) share *= numbers.ShareOf(one);
  std::vector<CountCase> found = numbers.CountsInRole(pattern, FirstQueryRole(asked, shape));
  for (CountCase& one : found) one.count = one.count.Thinned(share);
  const int role = static_cast<int>(shape.roles.size()) - 1;
  CallSubject each_found = SubjectOf(numbers, pattern, role);
  each_found.referred_by = ReferringAttribute(file, asked.by, each_found.entity);
  const std::optional<InstanceLink> link = LinkToAsked(file, asked, shape);
  AskedOnce once = {.counts = std::move(found)};
  if (link) once = DifferentOf(numbers, pattern, *link, std::move(once.counts), share);
  const CallSubject subject = once.shares.empty()
                                  ? each_found
                                  : CallSubject{.model = numbers,
                                                .entity = link->other,
                                                .pick_shares = once.shares,
                                                .hottest_pick = once.shares.front(),
                                                .constants = each_found.constants,
                                                .referred_by = each_found.referred_by};
  PatternPlan each = Answer({.model = model,
                             .pattern = asked,
                             .subject = subject,
                             .role = role,
                             .role_entity = shape.roles.back().entity,
                             .repeats = std::move(once.counts)});
  if (!each.reasons.empty()) {
    each.reasons.insert(each.reasons.begin(),
                        "What follows is asked for each " +
                            EntityAt(file, first.entities.front()).name +
                            " that was found, and the client merges the answers");
  }
  AddPlan(std::move(each), plan);
  plan.service = std::max(plan.service, PlanService::kFannedOut);
  LeaveOutIfImpossible(plan);
  return plan;
}

}  // namespace

PatternPlan PlanRead(const LayoutModel& model, int pattern) {
  const FileModel& numbers = model.file_model();
  if (PatternForm(numbers.file(), pattern).each) {
    PatternPlan plan = PlanEach(model, pattern);
    plan.pattern = pattern;
    return plan;
  }
  const ReadQuestion question = {.model = model,
                                 .pattern = PatternForm(numbers.file(), pattern),
                                 .subject = SubjectOf(numbers, pattern, 0),
                                 .role = 0,
                                 .role_entity = numbers.shape(pattern).roles.front().entity};
  const bool is_search = question.pattern.kind == LabPattern::Kind::kSearch;
  PatternPlan plan = is_search ? PlanSearch(question) : Answer(question);
  plan.pattern = pattern;
  return plan;
}

PatternPlan PlanLookUp(const LayoutModel& model, int pattern, const WriteLookUp& look_up) {
  const LabPattern asked = {
      .kind = look_up.is_of_children ? LabPattern::Kind::kQuery : LabPattern::Kind::kGet,
      .entities = {look_up.entity},
      .by = look_up.by,
      .returns = look_up.returns};
  const auto& roles = model.file_model().shape(pattern).roles;
  const int owner = roles[static_cast<std::size_t>(look_up.role)].entity;
  CallSubject subject = SubjectOf(model.file_model(), pattern, look_up.role);
  if (look_up.is_of_children) {
    subject.referred_by = ReferringAttribute(model.file_model().file(), asked.by, owner);
  }
  PatternPlan plan = Answer({.model = model,
                             .pattern = asked,
                             .subject = subject,
                             .role = look_up.role,
                             .role_entity = look_up.is_of_children ? owner : look_up.entity,
                             .is_look_up = true,
                             .assumed = look_up.assumed});
  for (PlanStep& step : plan.steps) step.is_lookup = true;
  return plan;
}

}  // namespace hashrange
