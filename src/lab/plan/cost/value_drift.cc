#include "lab/plan/cost/value_drift.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "base/portable_math.h"
#include "lab/language/data/population.h"
#include "lab/language/lab_facts.h"

namespace hashrange {
namespace {

// What one write of a pattern does to the condition.
struct Writer {
  std::vector<double> writes = {};  // of one instance in the whole traffic, for each band of ranks
  double share_after = 0;           // of the written instances: the condition holds
  // Where the written instances all have met the condition before, or none of them has.
  std::optional<bool> before = {};
  // Whether calls pick only such instances (`where`), rather than fail for the others (`if`).
  bool is_picked = false;
};

// Returns whether the condition holds where all of `known` do; nothing: they do not say it.
std::optional<bool> DecidedBy(const std::vector<LabCondition>& known, const LabCondition& condition,
                              LabType type) {
  for (const LabCondition& one : known) {
    const bool is_equal = one.op == LabCondition::Op::kEqual;
    if (!is_equal || one.attribute != condition.attribute) continue;
    return ConditionHolds(condition, type, one.values.front());
  }
  return std::nullopt;
}

double ShareAfter(const FileModel& model, const LabCondition& condition, const LabChange& change) {
  switch (change.kind) {
    case LabChange::Kind::kRemove:
      return 0;
    case LabChange::Kind::kAdd:
      return condition.op == LabCondition::Op::kEqual ? 0 : model.ShareOf(condition);
    case LabChange::Kind::kSet:
      break;
  }
  const LabType type = LabAttributeAt(model.file(), condition.attribute).type;
  const bool is_copy = change.by_attribute.entity != kLabNone;
  const auto share = is_copy ? std::nullopt : ShareMade(condition, type, change.generator);
  return share.value_or(model.ShareOf(condition));
}

// Returns the share of the role's instances in each band; of all instances where that is not known.
std::vector<double> SharesOfBands(const FileModel& model, int pattern, int role, int entity) {
  std::vector<double> shares;
  if (model.shape(pattern).roles[static_cast<std::size_t>(role)].entity == entity) {
    shares = model.SharesInRole(pattern, role);
  }
  if (!shares.empty()) return shares;
  for (const RankBand& band : model.Bands(entity)) {
    shares.push_back(band.count() / model.Bands(entity).back().last);
  }
  return shares;
}

const LabChange* ChangeOfAttribute(const LabWrite& write, LabAttributeRef attribute) {
  if (write.kind != LabWrite::Kind::kUpdate || write.entity != attribute.entity) return nullptr;
  const auto found = std::ranges::find(write.changes, attribute.attribute, &LabChange::attribute);
  return found == write.changes.end() ? nullptr : &*found;
}

std::vector<Writer> WritersOf(const FileModel& model, const LabCondition& condition) {
  const LabFile& file = model.file();
  const LabAttributeRef attribute = condition.attribute;
  const LabType type = LabAttributeAt(file, attribute).type;
  std::vector<Writer> writers;
  for (int number = 0; number < static_cast<int>(file.patterns.size()); ++number) {
    const LabPattern& pattern = PatternForm(file, number);
    for (std::size_t i = 0; i < pattern.writes.size(); ++i) {
      const LabWrite& write = pattern.writes[i];
      const LabChange* const change = ChangeOfAttribute(write, attribute);
      if (change == nullptr || !(model.Calls(number) > 0)) continue;
      const int role = model.shape(number).writes[i].role;
      Writer writer = {.share_after = ShareAfter(model, condition, *change)};
      double writes = model.Calls(number) * model.MeanInRole(number, role);
      if (i == 0) writer.before = DecidedBy(pattern.pick.where, condition, type);
      writer.is_picked = writer.before.has_value();
      if (!writer.is_picked) writer.before = DecidedBy(write.conditions, condition, type);
      for (const LabCondition& one : write.conditions) {
        if (one.attribute != attribute) writes *= model.ShareOf(one);
      }
      const std::vector<double> shares = SharesOfBands(model, number, role, attribute.entity);
      for (std::size_t band = 0; band < shares.size(); ++band) {
        writer.writes.push_back(writes * shares[band] /
                                model.Bands(attribute.entity)[band].count());
      }
      writers.push_back(std::move(writer));
    }
  }
  return writers;
}

// Returns the share x of a band's instances that meets the condition, on average over the traffic,
// which begins with `share`. In one step of it, x' = a − b·x.
double MeanShare(const std::vector<Writer>& writers, std::size_t band, double share) {
  constexpr int kSteps = 16;  // after each of which x is kept between 0 and 1
  double gained = 0;          // a
  double lost = 0;            // b
  for (const Writer& writer : writers) {
    const double writes = writer.writes[band] / kSteps;
    const double held = writer.before.value_or(false) ? 1 : 0;
    if (!writer.before) {
      gained += writes * writer.share_after;
      lost += writes;
    } else if (writer.is_picked) {
      gained += writes * (writer.share_after - held);
    } else {
      const double moved = writes * std::abs(writer.share_after - held);
      gained += held > 0 ? 0 : moved;
      lost += moved;
    }
  }
  double sum = 0;
  for (int step = 0; step < kSteps; ++step) {
    const double before = share;
    if (lost > 1e-9) {
      const double end = gained / lost;
      const double mean = end + (share - end) * (1 - PortableExp(-lost)) / lost;
      share = end + (share - end) * PortableExp(-lost);
      sum += std::clamp(mean, 0.0, 1.0);
    } else {
      share += gained;
      sum += (std::clamp(before, 0.0, 1.0) + std::clamp(share, 0.0, 1.0)) / 2;
    }
    share = std::clamp(share, 0.0, 1.0);
  }
  return sum / kSteps;
}

// Returns the share of created instances that meets the condition, as their creates give it.
double ShareCreated(const FileModel& model, const LabCondition& condition) {
  const LabFile& file = model.file();
  double all = 0;
  double holding = 0;
  for (int number = 0; number < static_cast<int>(file.patterns.size()); ++number) {
    const auto& writes = PatternForm(file, number).writes;
    for (std::size_t i = 0; i < writes.size(); ++i) {
      const bool creates = writes[i].kind == LabWrite::Kind::kCreate &&
                           writes[i].entity == condition.attribute.entity;
      if (!creates || !(model.Calls(number) > 0)) continue;
      const double count =
          model.Calls(number) * model.MeanInRole(number, model.shape(number).writes[i].role);
      const auto change = std::ranges::find(writes[i].changes, condition.attribute.attribute,
                                            &LabChange::attribute);
      all += count;
      holding +=
          count * (change == writes[i].changes.end() ? model.ShareOf(condition)
                                                     : ShareAfter(model, condition, *change));
    }
  }
  return all > 0 ? holding / all : model.ShareOf(condition);
}

}  // namespace

double ShareBeforeCall(const FileModel& model, int pattern, int role,
                       const LabCondition& condition) {
  const double share = model.ShareOf(condition);
  const std::vector<Writer> writers = WritersOf(model, condition);
  const int entity = condition.attribute.entity;
  const std::vector<double> shares = SharesOfBands(model, pattern, role, entity);
  double mean = 0;
  for (std::size_t band = 0; band < shares.size(); ++band) {
    mean += shares[band] * (writers.empty() ? share : MeanShare(writers, band, share));
  }
  const double created =
      model.Created(entity) > 0 ? model.Created(entity) / model.Instances(entity) : 0;
  return (1 - created) * mean + created * ShareCreated(model, condition);
}

}  // namespace hashrange
