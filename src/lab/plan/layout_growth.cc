#include "lab/plan/layout_growth.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "lab/language/data/population.h"
#include "lab/language/lab_facts.h"
#include "lab/plan/cost/key_matches.h"
#include "lab/plan/cost/layout_model.h"
#include "lab/plan/layout_plan.h"
#include "lab/plan/request/item_template.h"

namespace hashrange {
namespace {

constexpr double kMostInstancesOfAge = 1e15;
constexpr double kMsPerSecond = 1000;

// --- How many are created and deleted ---

// Of one entity, by all calls, in a millisecond.
struct EntityFlow {
  double created = 0;
  double deleted = 0;
};

// Returns the share of a pattern's calls whose `if` hold.
double ShareThatHolds(const FileModel& model, const LabPattern& pattern) {
  double share = 1;
  for (const LabWrite& write : pattern.writes) {
    if (write.kind == LabWrite::Kind::kCreate) continue;
    for (const LabCondition& condition : write.conditions) {
      const auto picked = std::ranges::find_if(pattern.pick.where, [&](const LabCondition& one) {
        return one.attribute == condition.attribute && one.op == LabCondition::Op::kEqual;
      });
      if (picked == pattern.pick.where.end()) {
        share *= model.ShareOf(condition);
      } else {
        const LabType type = LabAttributeAt(model.file(), condition.attribute).type;
        share *= ConditionHolds(condition, type, picked->values.front()) ? 1 : 0;
      }
    }
  }
  return share;
}

std::vector<EntityFlow> FlowsOf(const FileModel& model) {
  const LabFile& file = model.file();
  std::vector<EntityFlow> flows(file.entities.size());
  for (int i = 0; i < static_cast<int>(file.patterns.size()); ++i) {
    const LabPattern& pattern = PatternForm(file, i);
    if (!(pattern.calls_per_second > 0)) continue;
    const double calls = pattern.calls_per_second / kMsPerSecond * ShareThatHolds(model, pattern);
    const auto add = [&](LabWrite::Kind kind, int role) {
      const CallRole& one = model.shape(i).roles[static_cast<std::size_t>(role)];
      EntityFlow& flow = flows[static_cast<std::size_t>(one.entity)];
      const double count = calls * model.MeanInRole(i, role);
      if (kind == LabWrite::Kind::kCreate) flow.created += count;
      if (kind == LabWrite::Kind::kDelete) flow.deleted += count;
    };
    for (std::size_t j = 0; j < pattern.writes.size(); ++j) {
      const CallShape::WriteRoles& roles = model.shape(i).writes[j];
      add(pattern.writes[j].kind, roles.role);
      for (const int role : roles.with) add(pattern.writes[j].kind, role);
    }
  }
  return flows;
}

// --- How long items live ---

// The time at which items expire, where a table has a `ttl` that they hold.
struct Lifetime {
  LabAttributeRef attribute = {};
  AttributeTimes times = {};
  double present = 1;  // the share of the items that has it
};

std::optional<Lifetime> LifetimeOf(const PlannerInput& input, const FileModel& model,
                                   const LabItem& item) {
  const std::string& name = TableOfItem(input.layout, item).ttl_attribute;
  if (name.empty()) return std::nullopt;
  LabAttributeRef attribute = StoredAttribute(input.file, item.entity, name);
  if (const LabItemKey* const own = KeyOfItem(item, name); own != nullptr) {
    const bool is_value = own->text.parts.size() == 1 && own->text.parts.front().literal.empty() &&
                          own->text.parts.front().form == LabTemplatePart::Form::kAsIs;
    if (!is_value) return std::nullopt;
    attribute = own->text.parts.front().attribute;
  } else {
    const std::vector<LabAttributeRef> held = HeldAttributes(input, item);
    if (std::ranges::find(held, attribute) == held.end()) return std::nullopt;
  }
  if (attribute.entity == kLabNone) return std::nullopt;
  const LabGenerator& root = LabAttributeAt(input.file, RootOf(input.file, attribute)).generator;
  const bool is_seconds =
      root.kind == LabGenerator::Kind::kTime && root.time_form == LabGenerator::TimeForm::kSeconds;
  const std::optional<AttributeTimes> times = TimesOf(input.file, attribute);
  if (!is_seconds || !times) return std::nullopt;
  return Lifetime{attribute, *times, model.Present(attribute)};
}

// Returns how much of `age_ms` an instance that calls create lives on average, if it was created
// at the beginning.
double MeanLifeMs(const Lifetime& lifetime, double age_ms) {
  constexpr int kLives = 16;
  const double width = lifetime.times.latest_of_new_ms - lifetime.times.earliest_of_new_ms;
  double mean = 0;
  for (int i = 0; i < kLives; ++i) {
    const double life = lifetime.times.earliest_of_new_ms + width * (i + 0.5) / kLives;
    mean += std::clamp(life, 0.0, age_ms) / kLives;
  }
  return lifetime.present * mean + (1 - lifetime.present) * age_ms;
}

// What calls have done to one entity by an age.
struct EntityHistory {
  double created = 0;
  double deleted = 0;
  double created_per_ms = 0;  // at the end
};

// --- A layout ---

class GrowthFinder {
 public:
  GrowthFinder(const FileModel& model, const LabLayout& layout)
      : model_(model), file_(model.file()), input_{model.file(), layout}, layout_(layout) {}

  Result<LayoutGrowth> Find() {
    LayoutGrowth growth;
    HR_ASSIGN(GrowthStage now, StageOf(model_, {}));
    growth.stages.push_back(std::move(now));
    std::vector<EntityFlow> flows = FlowsOf(model_);
    std::vector<EntityHistory> history(file_.entities.size());
    for (std::size_t i = 1; i < kGrowthMonths.size(); ++i) {
      const double age_ms = kGrowthMonths[i] * kMsPerMonth;
      history = Continued(history, flows, age_ms, age_ms - kGrowthMonths[i - 1] * kMsPerMonth);
      const FileModel aged(file_, AgeOf(history, age_ms));
      HR_ASSIGN(GrowthStage stage, StageOf(aged, {&history, age_ms}));
      stage.months = kGrowthMonths[i];
      growth.stages.push_back(std::move(stage));
      flows = FlowsOf(aged);
    }
    growth.has_changes = HasChanges(growth);
    return growth;
  }

  FileAge AfterAMonth() const {
    return AgeOf(Continued(std::vector<EntityHistory>(file_.entities.size()), FlowsOf(model_),
                           kMsPerMonth, kMsPerMonth),
                 kMsPerMonth);
  }

 private:
  struct Moment {
    const std::vector<EntityHistory>* history = nullptr;  // null: now
    double age_ms = 0;
  };

  // Returns the history at the age, a step after `history`, at whose end the flows were these.
  std::vector<EntityHistory> Continued(const std::vector<EntityHistory>& history,
                                       const std::vector<EntityFlow>& flows, double age_ms,
                                       double step_ms) const {
    // What calls create may itself grow, so the rates at the end of the step count half.
    const std::vector<EntityHistory> guess = After(history, flows, flows, step_ms);
    return After(history, flows, FlowsOf(FileModel(file_, AgeOf(guess, age_ms))), step_ms);
  }

  static std::vector<EntityHistory> After(std::vector<EntityHistory> history,
                                          const std::vector<EntityFlow>& from,
                                          const std::vector<EntityFlow>& to, double step_ms) {
    for (std::size_t i = 0; i < history.size(); ++i) {
      history[i].created += (from[i].created + to[i].created) / 2 * step_ms;
      history[i].deleted += (from[i].deleted + to[i].deleted) / 2 * step_ms;
      history[i].created_per_ms = to[i].created;
    }
    return history;
  }

  static bool HasChanges(const LayoutGrowth& growth) {
    for (const GrowthStage& stage : growth.stages) {
      for (std::size_t i = 0; i < stage.keys.size(); ++i) {
        const double before = growth.stages.front().keys[i].items;
        if (std::abs(stage.keys[i].items - before) >= std::max(1.0, before * 1e-6)) return true;
      }
    }
    return false;
  }

  // The first item of an entity, or of what it is inside of, says when the instance expires.
  std::optional<Lifetime> LifetimeOfEntity(int entity) const {
    const int host = HostOf(layout_, entity);
    const auto main = std::ranges::find(layout_.items, host, &LabItem::entity);
    if (main == layout_.items.end()) return std::nullopt;
    return LifetimeOf(input_, model_, *main);
  }

  // Returns the instances of the entity, if they live so long. What is deleted is any of those that
  // have ever been.
  FileAge::OfEntity InstancesAt(int entity, const EntityHistory& history, double age_ms,
                                const std::optional<Lifetime>& lifetime) const {
    const double first = model_.Initial(entity);
    const double ever = first + history.created;
    const double kept = ever > 0 ? std::max(0.0, 1 - history.deleted / ever) : 0;
    FileAge::OfEntity age = {first * kept, history.created * kept, age_ms};
    if (lifetime) {
      const double left = model_.ShareOfTimes(lifetime->attribute, age_ms, 1e18);
      age.first *= lifetime->present * left + 1 - lifetime->present;
      age.later_ms = MeanLifeMs(*lifetime, age_ms);
      // The rate changes evenly: of the last part of the time it is nearer to that of the end.
      const double mean = history.created / age_ms;
      const double last = history.created_per_ms;
      const double recent = last + (mean - last) * age.later_ms / age_ms;
      age.later = std::max(0.0, recent) * age.later_ms * kept;
    }
    age.first = std::min(age.first, kMostInstancesOfAge);
    age.later = std::min(age.later, kMostInstancesOfAge);
    return age;
  }

  FileAge AgeOf(const std::vector<EntityHistory>& history, double age_ms) const {
    FileAge age = {.age_ms = age_ms};
    for (int entity = 0; entity < static_cast<int>(history.size()); ++entity) {
      age.entities.push_back(InstancesAt(entity, history[static_cast<std::size_t>(entity)], age_ms,
                                         LifetimeOfEntity(entity)));
    }
    return age;
  }

  // Returns for how many instances of the entity the item is stored, its `when` aside.
  double InstancesOfItem(const LabItem& item, const Moment& moment) const {
    if (moment.history == nullptr) return model_.Initial(item.entity);
    const FileAge::OfEntity age =
        InstancesAt(item.entity, (*moment.history)[static_cast<std::size_t>(item.entity)],
                    moment.age_ms, LifetimeOf(input_, model_, item));
    return age.first + age.later;
  }

  Result<GrowthStage> StageOf(const FileModel& model, const Moment& moment) const {
    const LayoutModel layout_model(model, layout_);
    GrowthStage stage;
    for (const LabKey key : KeysOf(layout_)) {
      stage.keys.push_back(SizeOf(layout_model, key, moment));
    }
    stage.vector_bytes.resize(layout_.tables.size());
    for (const LabItem& item : layout_.items) {
      stage.vector_bytes[static_cast<std::size_t>(item.table)] +=
          InstancesOfItem(item, moment) * layout_model.VectorIndexBytes(item);
      AddFullest(layout_model, item, stage.fullest);
    }
    HR_ASSIGN(const LayoutPlan plan, PlanLayout(model, layout_));
    for (const PatternPlan& pattern : plan.patterns) {
      stage.patterns.push_back(pattern.cost);
      stage.services.push_back(pattern.service);
    }
    return stage;
  }

  // --- Tables and indexes ---

  bool IsInKey(const LabItem& item, LabKey key) const {
    if (item.table != key.table) return false;
    const auto has = [&](const std::string& name) { return KeyOfItem(item, name) != nullptr; };
    return std::ranges::all_of(HashOf(layout_, key), has) &&
           std::ranges::all_of(RangeOf(layout_, key), has);
  }

  KeySize SizeOf(const LayoutModel& model, LabKey key, const Moment& moment) const {
    KeySize size = {.key = key};
    std::vector<std::pair<std::string, double>> collections;  // by what the partition key is
    for (const LabItem& item : layout_.items) {
      if (!IsInKey(item, key)) continue;
      const double instances = InstancesOfItem(item, moment);
      const double items = instances * model.ShareInKey(item, key, {});
      const double bytes = items * model.Bytes(item, key, SizeOfItem::kWritten).Mean();
      size.items += items;
      size.bytes += bytes;
      const std::string hash = HashText(item, key);
      auto found = std::ranges::find(collections, hash, &std::pair<std::string, double>::first);
      if (found == collections.end()) found = collections.insert(found, {hash, 0});
      const double share = LargestShare(model.file_model(), item, key);
      found->second += share * (bytes + BytesInLocalIndexes(model, item, key, instances));
    }
    for (const auto& [hash, bytes] : collections) {
      if (bytes <= size.collection_bytes) continue;
      size.collection = hash;
      size.collection_bytes = bytes;
    }
    return size;
  }

  // A table's collections and their entries in local indexes have one limit.
  double BytesInLocalIndexes(const LayoutModel& model, const LabItem& item, LabKey key,
                             double instances) const {
    if (key.index != kLabNone) return 0;
    double bytes = 0;
    const std::vector<LabIndex>& indexes = TableOfItem(layout_, item).indexes;
    for (int i = 0; i < static_cast<int>(indexes.size()); ++i) {
      const LabKey local = {.table = key.table, .index = i};
      if (!indexes[static_cast<std::size_t>(i)].is_local || !IsInKey(item, local)) continue;
      bytes += instances * model.ShareInKey(item, local, {}) * model.Bytes(item, local).Mean();
    }
    return bytes;
  }

  std::string HashText(const LabItem& item, LabKey key) const {
    std::string text;
    for (const std::string& name : HashOf(layout_, key)) {
      text += (text.empty() ? "" : ", ") + name + "=" + KeyOfItem(item, name)->text.text;
    }
    return text;
  }

  // Returns which share of the item's instances the partition key has that most of them have.
  double LargestShare(const FileModel& model, const LabItem& item, LabKey key) const {
    std::vector<LabTemplatePart> parts;
    for (const std::string& name : HashOf(layout_, key)) {
      for (const LabTemplatePart& part : KeyOfItem(item, name)->text.parts) {
        if (part.attribute.entity != kLabNone) parts.push_back(part);
      }
    }
    return HottestOfAll(file_, parts, [&](const LabTemplatePart& part) {
      LabTemplatePart value = part;
      value.shards = 0;
      const double share = LargestShareOf(model, item.entity, value);
      return part.shards > 0 ? share + (1 - share) / part.shards : share;
    });
  }

  double LargestShareOf(const FileModel& model, int entity, const LabTemplatePart& part) const {
    const LabAttributeRef ref = OriginalOf(file_, part.attribute);
    const bool is_of_ancestor =
        ref.attribute == 0 && ref.entity != entity && IsAncestorOrSelf(file_, ref.entity, entity);
    double share = model.GreatestValueShare(part);
    if (is_of_ancestor) {
      const double all = std::max(1.0, model.Instances(entity));
      for (int band = 0; band < static_cast<int>(model.Bands(ref.entity).size()); ++band) {
        share = std::max(share, model.Descendants(entity, ref.entity, band).mean / all);
      }
    } else if (ReferredEntity(file_, ref) != kLabNone) {
      const std::span<const double> shares = model.ReferenceShares(ref);
      const std::vector<RankBand>& bands = model.Bands(ReferredEntity(file_, ref));
      for (std::size_t band = 0; band < std::min(shares.size(), bands.size()); ++band) {
        share = std::max(share, shares[band] / bands[band].count());
      }
    }
    return std::min(share, 1.0);
  }

  // --- Items with children inside ---

  void AddFullest(const LayoutModel& model, const LabItem& item,
                  std::vector<FullestItem>& fullest) const {
    const LabKey table = {.table = item.table};
    double bytes = model.BytesWithoutChildren(item, table).Mean();
    double most = 0;
    FullestItem one = {.entity = item.entity};
    for (const LabEmbedding* const embedding : EmbeddedIn(input_, item)) {
      const double children = MostChildren(model.file_model(), embedding->entity, item.entity) *
                              model.ChildBytes(*embedding).Mean();
      bytes += children;
      if (children <= most) continue;
      most = children;
      one.embedded = embedding->entity;
    }
    one.bytes = bytes;
    if (one.embedded != kLabNone) fullest.push_back(one);
  }

  static double MostChildren(const FileModel& model, int entity, int parent) {
    double most = model.Children(entity).part(Spread::kParts - 1);
    for (int band = 0; band < static_cast<int>(model.Bands(parent).size()); ++band) {
      most = std::max(most, model.Descendants(entity, parent, band).mean);
    }
    return most;
  }

  const FileModel& model_;
  const LabFile& file_;
  const PlannerInput input_;
  const LabLayout& layout_;
};

}  // namespace

FileAge AgeAfterAMonth(const FileModel& model, const LabLayout& layout) {
  return GrowthFinder(model, layout).AfterAMonth();
}

Result<LayoutGrowth> GrowthOfLayout(const FileModel& model, const LabLayout& layout) {
  return GrowthFinder(model, layout).Find();
}

}  // namespace hashrange
