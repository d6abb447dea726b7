#include "lab/run/item_owners.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "lab/language/data/value_text.h"
#include "lab/language/lab_facts.h"
#include "lab/plan/request/item_template.h"
#include "lab/plan/request/layout_keys.h"
#include "measure/number_text.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostExamples = 2;
constexpr std::uint64_t kInstancesBetweenStops = 4096;
// The most instances that the answers of one pattern are compared with; then no more are judged.
constexpr std::uint64_t kMostCompared = 20'000'000;
// The most lost instances that are kept, over all patterns; patterns that lack some are not judged.
constexpr std::uint64_t kMostKept = 10'000'000;

// Returns the key of the item: it renders to nothing where an instance has no such item.
RequestTemplate KeyTemplateOf(const PlannerInput& input, const LabItem& item) {
  RequestTemplate key;
  key.table = TableOfItem(input.layout, item).name;
  RequestNodes nodes;
  AppendPrimaryKey(input, item, {}, nodes);
  AppendWhere(ConditionOfItem(input, item, 0), std::move(nodes), key.nodes);
  return key;
}

std::uint64_t HashOfKey(std::string_view table, std::string_view key) {
  return MixedHash({TextHash(table), TextHash(key)});
}

// Returns the bounds of a range as conditions. Its times are ISO 8601 or numbers.
std::vector<LabCondition> ConditionsOf(const LabFile& file, const LabRange& range,
                                       std::int64_t now_epoch_ms) {
  std::vector<LabCondition> conditions;
  const auto add = [&](LabCondition::Op op, std::string value) {
    conditions.push_back({.attribute = range.attribute, .op = op, .values = {std::move(value)}});
  };
  const auto time = [&](std::int64_t epoch_ms) {
    std::string text;
    AppendTimeInForm(epoch_ms, LabAttributeAt(file, range.attribute).generator.time_form, text);
    return text;
  };
  switch (range.kind) {
    case LabRange::Kind::kNone:
    case LabRange::Kind::kPrefix:
      break;
    case LabRange::Kind::kLast:
      add(LabCondition::Op::kAtLeast, time(now_epoch_ms - range.last_ms));
      break;
    case LabRange::Kind::kNext:
      add(LabCondition::Op::kAtLeast, time(now_epoch_ms));
      add(LabCondition::Op::kAtMost, time(now_epoch_ms + range.next_ms));
      break;
    case LabRange::Kind::kBetween:
      if (range.from) add(LabCondition::Op::kAtLeast, *range.from);
      if (range.to) add(LabCondition::Op::kAtMost, *range.to);
      break;
  }
  return conditions;
}

// Returns whether the item has a key that the request can find it by: of the table, or of the
// index.
bool IsIn(const LabLayout& layout, const LabItem& item, const RequestTemplate& request) {
  const LabTable& table = TableOfItem(layout, item);
  if (!request.table.empty() && request.table != table.name) return false;
  if (request.index.empty()) return true;
  const auto index = std::ranges::find(table.indexes, request.index, &LabIndex::name);
  return index != table.indexes.end() && KeyOfItem(item, index->hash.front()) != nullptr;
}

}  // namespace

bool ItemOwners::MayShareKeys(const LabFile& file, const LabLayout& layout) {
  return std::ranges::any_of(file.patterns, [&](const LabPattern& pattern) {
    return std::ranges::any_of(pattern.writes, [&](const LabWrite& write) {
      if (write.kind != LabWrite::Kind::kCreate) return false;
      return std::ranges::any_of(layout.items, [&](const LabItem& item) {
        const bool is_created =
            item.entity == write.entity || std::ranges::count(write.with, item.entity) > 0;
        return is_created && !KeyIdentifiesInstance(file, TableOfItem(layout, item), item);
      });
    });
  });
}

ItemOwners::ItemOwners(const LabLayout& layout, const LayoutPlan& plan,
                       const Population& population)
    : layout_(layout), plan_(plan), population_(population), lost_(file_.entities.size()) {
  const PlannerInput input = {file_, layout};
  for (const LabItem& item : layout.items) keys_.push_back(KeyTemplateOf(input, item));
  for (int pattern = 0; pattern < static_cast<int>(file_.patterns.size()); ++pattern) {
    questions_.push_back(QuestionOf(pattern));
  }
}

ItemOwners::Question ItemOwners::QuestionOf(int number) const {
  Question question;
  const LabPattern& pattern = file_.patterns[static_cast<std::size_t>(number)];
  const bool is_judged =
      pattern.kind == LabPattern::Kind::kGet || pattern.kind == LabPattern::Kind::kQuery;
  if (!is_judged) return question;
  const CallRole& picked = plan_.shapes[static_cast<std::size_t>(number)].roles.front();
  for (const LabAttributeRef known : pattern.by) {
    const bool is_self =
        picked.via != kLabNone && known.entity == picked.entity && known.attribute == picked.via;
    question.known.push_back(is_self ? LabAttributeAt(file_, known).generator.other
                                     : AttributeFor(file_, picked.entity, known));
  }
  for (const int entity : pattern.entities) {
    const int host = HostOf(layout_, entity);
    Question::Asked asked = {.entity = host, .is_inside = host != entity};
    asked.known.emplace();
    for (const LabAttributeRef known : pattern.by) {
      const LabAttributeRef own = AttributeFor(file_, host, known);
      if (own.entity == kLabNone) {
        asked.known.reset();
        break;
      }
      asked.known->push_back(own);
    }
    question.asked.push_back(std::move(asked));
  }
  question.lost.resize(question.asked.size());
  return question;
}

// --- Keys and their owners ---

std::optional<std::uint64_t> ItemOwners::KeyOf(std::size_t item, InstanceId id) const {
  call_.roles.assign(1, {id});
  text_.clear();
  RenderRequest(keys_[item], population_, call_, text_);
  if (text_.empty()) return std::nullopt;
  return HashOfKey(keys_[item].table, text_);
}

std::vector<ItemCollisions> ItemOwners::Fill(const std::atomic<bool>* stop) {
  using Kinds = std::tuple<std::string, int, int>;  // the table, whose item, replaced by whose
  std::map<Kinds, ItemCollisions> collisions;
  std::map<std::pair<std::string, int>, std::uint64_t> items;
  std::uint64_t done = 0;
  for (std::size_t item = 0; item < layout_.items.size(); ++item) {
    const int entity = layout_.items[item].entity;
    const std::string& table = keys_[item].table;
    for (std::uint64_t number = 0; number < population_.InitialCount(entity); ++number) {
      const bool looks = ++done % kInstancesBetweenStops == 0 && stop != nullptr;
      if (looks && stop->load(std::memory_order_relaxed)) return {};
      const InstanceId id = {.entity = entity, .number = number};
      const auto key = KeyOf(item, id);
      if (!key) continue;
      ++items[{table, entity}];
      const auto [owner, is_new] = owners_.try_emplace(*key, id);
      if (is_new) continue;
      ItemCollisions& found = collisions[{table, owner->second.entity, entity}];
      ++found.replaced;
      if (found.examples.size() < kMostExamples) {
        found.examples.push_back({KeyText(item, id), NameOf(owner->second), NameOf(id)});
      }
      Lose(std::exchange(owner->second, id));
    }
  }
  std::vector<ItemCollisions> all;
  for (auto& [kinds, found] : collisions) {
    found.table = std::get<0>(kinds);
    found.entity = EntityAt(file_, std::get<1>(kinds)).name;
    found.by_entity = EntityAt(file_, std::get<2>(kinds)).name;
    found.items = items[{found.table, std::get<1>(kinds)}];
    all.push_back(std::move(found));
  }
  return all;
}

std::string ItemOwners::NameOf(InstanceId id) const {
  std::string name = EntityAt(file_, id.entity).name;
  for (const LabAttributeRef part : IdentityOf(file_, id.entity)) {
    name += " " + population_.Value(id, part);
  }
  return name;
}

std::string ItemOwners::KeyText(std::size_t item, InstanceId id) const {
  const LabItem& stored = layout_.items[item];
  std::string text;
  for (const LabItemKey& key : stored.keys) {
    if (!IsPrimaryKeyOf(TableOfItem(layout_, stored), key.attribute)) continue;
    text += (text.empty() ? "" : ", ") + key.attribute + "=";
    AppendTemplate(population_, id, key.text, text);
  }
  return text;
}

void ItemOwners::Lose(InstanceId id) {
  if (lost_[static_cast<std::size_t>(id.entity)].insert(id.number).second) KeepLost(id);
}

void ItemOwners::KeepLost(InstanceId id) {
  for (Question& question : questions_) {
    for (std::size_t i = 0; i < question.asked.size(); ++i) {
      const Question::Asked& asked = question.asked[i];
      if (asked.entity != id.entity) continue;
      const auto values = asked.known ? ValuesOf(id, *asked.known) : std::string();
      if (!values) continue;
      if (kept_ >= kMostKept) {
        question.lacks_some = true;
      } else if (question.lost[i][*values].insert(id.number).second) {
        ++kept_;
      }
    }
  }
}

// --- Writes ---

void ItemOwners::AppendWrites(int pattern, LabCall& call, std::vector<OwnedWrite>& writes) const {
  std::string key;
  absl::flat_hash_set<std::pair<std::uint64_t, WrittenItem::Effect>> seen;
  for (const PlanStep& step : plan_.patterns[static_cast<std::size_t>(pattern)].steps) {
    for (const WrittenItem& item : step.written) {
      const int role = item.roles.front();
      const std::vector<InstanceId>& ids = call.roles[static_cast<std::size_t>(role)];
      for (std::size_t place = 0; place < ids.size(); ++place) {
        if (ids[place].entity == kLabNone) continue;
        call.window = {role, place, place + 1};
        key.clear();
        RenderRequest(item.key, population_, call, key);
        if (key.empty()) continue;
        // Several steps may be about the same items, each about a part of the instances.
        const InstanceId host =
            population_.AncestorOf(ids[place], HostOf(layout_, ids[place].entity));
        const OwnedWrite write = {HashOfKey(item.key.table, key), host, item.effect};
        if (seen.insert({write.key, write.effect}).second) writes.push_back(write);
      }
    }
  }
  call.window = {};
}

ItemOwners::Verdict ItemOwners::TakeWrites(const std::vector<OwnedWrite>& writes, bool is_done) {
  using Effect = WrittenItem::Effect;
  bool is_wrong = false;
  for (const OwnedWrite& write : writes) {
    const auto owner = owners_.find(write.key);
    const bool is_there = owner != owners_.end();
    const bool is_others = is_there && owner->second != write.id;
    is_wrong =
        is_wrong || is_others || (!is_there && write.effect != Effect::kPut && IsLost(write.id));
    if (is_done && IsLost(write.id)) KeepLost(write.id);
    if (!is_done || (write.effect == Effect::kUpdate && is_there)) continue;
    if (is_others) Lose(owner->second);
    if (write.effect == Effect::kDelete) {
      owners_.erase(write.key);
    } else {
      owners_.insert_or_assign(write.key, write.id);
    }
  }
  return is_wrong ? Verdict::kWrong : Verdict::kRight;
}

// --- Reads ---

std::optional<std::string> ItemOwners::ValuesOf(
    InstanceId id, const std::vector<LabAttributeRef>& attributes) const {
  std::string values;
  for (const LabAttributeRef attribute : attributes) {
    if (attribute.entity == kLabNone || !population_.Has(id, attribute)) return std::nullopt;
    population_.AppendValue(id, attribute, values);
    values += '\0';
  }
  return values;
}

bool ItemOwners::Reads(const ReadCall::Request& request, std::size_t item, InstanceId id) const {
  const LabItem& stored = layout_.items[item];
  if (!IsIn(layout_, stored, request.step.request)) return false;
  const auto is_other = [&](const LabItem& other) {
    return other.entity == stored.entity && &other != &stored &&
           IsIn(layout_, other, request.step.request);
  };
  if (request.step.request.operation == "Scan") return true;
  if (std::ranges::none_of(layout_.items, is_other)) return true;
  // Of several items of the entity, the request names the partition key of the one that it reads.
  const LabTable& table = TableOfItem(layout_, stored);
  const auto index = std::ranges::find(table.indexes, request.step.request.index, &LabIndex::name);
  const std::string& hash = index == table.indexes.end() ? table.hash.front() : index->hash.front();
  std::string value;
  AppendTemplate(population_, id, KeyOfItem(stored, hash)->text, value);
  return request.body.find(QuotedJson(value)) != std::string_view::npos;
}

bool ItemOwners::Lacks(InstanceId id, const ReadCall& read) const {
  for (std::size_t item = 0; item < layout_.items.size(); ++item) {
    if (layout_.items[item].entity != id.entity) continue;
    const bool is_read = std::ranges::any_of(
        read.requests, [&](const ReadCall::Request& request) { return Reads(request, item, id); });
    if (!is_read) continue;
    const auto key = KeyOf(item, id);
    if (!key) continue;
    const auto owner = owners_.find(*key);
    if (owner == owners_.end() || owner->second != id) return true;
  }
  return false;
}

bool ItemOwners::IsAskedFor(InstanceId id, const LabPattern& pattern, const LabCall& call) const {
  if (!population_.Matches(id, pattern.constants)) return false;
  const LabRange& range = pattern.range;
  if (range.kind != LabRange::Kind::kPrefix) {
    return population_.Matches(id, ConditionsOf(file_, range, call.now_epoch_ms));
  }
  const InstanceId picked = call.roles.front().front();
  const LabAttributeRef of_picked = AttributeFor(file_, picked.entity, range.attribute);
  const auto own = ValuesOf(id, {range.attribute});
  const auto asked = ValuesOf(picked, {of_picked});
  const auto length = static_cast<std::size_t>(range.prefix);
  return own && asked && own->substr(0, length) == asked->substr(0, length);
}

ItemOwners::Verdict ItemOwners::JudgeGet(const ReadCall& read) const {
  for (const InstanceId id : read.call.roles.front()) {
    const InstanceId host = population_.AncestorOf(id, HostOf(layout_, id.entity));
    if (host.entity != kLabNone && IsLost(host) && Lacks(host, read)) return Verdict::kWrong;
  }
  return Verdict::kRight;
}

ItemOwners::Verdict ItemOwners::JudgeLack(InstanceId id, const ReadCall& read,
                                          Question& question) const {
  const LabPattern& pattern = file_.patterns[static_cast<std::size_t>(read.pattern)];
  const auto limit = static_cast<std::uint64_t>(pattern.limit);
  if (limit == 0 || read.items < limit) return Verdict::kWrong;
  if (pattern.order.entity == kLabNone) return Verdict::kRight;  // any items are an answer
  const InstanceId parent = population_.ParentOf(id);
  const bool has_siblings_only = pattern.entities.size() == 1 &&
                                 parent == read.call.roles.front().front() &&
                                 IdentifiesInstance(file_, parent.entity, question.known);
  if (!has_siblings_only || !population_.Has(id, pattern.order)) return Verdict::kDoubtful;
  using Op = LabCondition::Op;
  const LabCondition before = {.attribute = pattern.order,
                               .op = pattern.is_descending ? Op::kGreater : Op::kLess,
                               .values = {population_.Value(id, pattern.order)}};
  LabCondition level = before;
  level.op = Op::kEqual;
  std::uint64_t ahead = 0;
  std::uint64_t ties = 0;
  std::vector<InstanceId> siblings;
  population_.AppendChildren(parent, id.entity, siblings);
  for (const InstanceId other : siblings) {
    ++question.compared;
    if (!IsAskedFor(other, pattern, read.call) || (IsLost(other) && Lacks(other, read))) continue;
    if (population_.Matches(other, {before})) ++ahead;
    if (population_.Matches(other, {level})) ++ties;
  }
  if (ahead >= limit) return Verdict::kRight;
  return ahead + ties < limit ? Verdict::kWrong : Verdict::kDoubtful;
}

ItemOwners::Verdict ItemOwners::JudgeRead(const ReadCall& read) {
  const LabPattern& pattern = file_.patterns[static_cast<std::size_t>(read.pattern)];
  // Which of the vectors are the nearest is not known without a search.
  if (pattern.kind == LabPattern::Kind::kSearch) return Verdict::kNotJudged;
  Question& question = questions_[static_cast<std::size_t>(read.pattern)];
  const CallRole& picked = plan_.shapes[static_cast<std::size_t>(read.pattern)].roles.front();
  const bool asks_for_picked = picked.entity == pattern.entities.front() && picked.via == kLabNone;
  if (pattern.kind == LabPattern::Kind::kGet && asks_for_picked) return JudgeGet(read);
  if (question.lacks_some || question.compared > kMostCompared) return Verdict::kNotJudged;
  const auto known = ValuesOf(read.call.roles.front().front(), question.known);
  Verdict verdict = Verdict::kRight;
  for (std::size_t i = 0; known && i < question.asked.size(); ++i) {
    const Question::Asked& asked = question.asked[i];
    const auto found = question.lost[i].find(asked.known ? *known : std::string());
    if (found == question.lost[i].end()) continue;
    for (const std::uint64_t number : found->second) {
      const InstanceId id = {.entity = asked.entity, .number = number};
      ++question.compared;
      if (!population_.Exists(id)) continue;
      if (asked.known && ValuesOf(id, *asked.known) != known) continue;
      if (!asked.is_inside && !IsAskedFor(id, pattern, read.call)) continue;
      if (!Lacks(id, read)) continue;
      Verdict of_one = Verdict::kDoubtful;
      if (asked.known && !asked.is_inside) of_one = JudgeLack(id, read, question);
      if (of_one == Verdict::kWrong) return of_one;
      if (of_one == Verdict::kDoubtful) verdict = of_one;
    }
  }
  return verdict;
}

// --- Findings ---

std::vector<PlanFinding> FindCollidingItems(const std::vector<ItemCollisions>& collisions) {
  std::vector<PlanFinding> findings;
  for (const ItemCollisions& found : collisions) {
    std::string evidence = CountText(found.replaced) + " of " + CountText(found.items) +
                           " items of the sample data were replaced";
    std::string before = ": ";
    for (const ItemCollisions::Example& example : found.examples) {
      evidence +=
          before + example.key + " is the key of " + example.replaced + " and of " + example.by;
      before = "; ";
    }
    const bool is_one = found.entity == found.by_entity;
    findings.push_back(
        {.rule = "colliding-items",
         .severity = "severe",
         .what = is_one ? "Items of " + found.entity +
                              " have the same key, so one takes the place of the other."
                        : "Items of " + found.by_entity + " have the keys of items of " +
                              found.entity + ", and take their place.",
         .where = found.table + ", " + found.entity,
         .evidence = evidence + ".",
         .advice = is_one
                       ? "Let the key have what identifies the instances of " + found.entity + "."
                       : "Let the keys of both begin with different texts."});
  }
  return findings;
}

}  // namespace hashrange
