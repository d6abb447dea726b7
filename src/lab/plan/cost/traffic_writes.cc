// What the writes of the traffic do to the numbers of a FileModel: which instances they create and
// delete, for which parents, which references they give, and how many different instances they are
// about.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/portable_math.h"
#include "lab/language/lab_facts.h"
#include "lab/plan/cost/file_model.h"
#include "lab/plan/request/lab_call.h"

namespace hashrange {

// Returns the share of the role's instances that an earlier write of the call writes.
double FileModel::ShareWrittenBefore(int pattern, int role) const {
  const CallShape& calls = shape(pattern);
  const std::vector<RankBand>& bands = Bands(At(calls.roles, role).entity);
  const auto shares_of = [&](int one) {
    std::vector<double> shares = SharesInRole(pattern, one);
    if (!shares.empty()) return shares;
    for (const RankBand& band : bands) shares.push_back(band.count() / bands.back().last);
    return shares;
  };
  double same = 0;
  for (const int other : RolesWrittenBefore(calls, role)) {
    const std::vector<double> own = shares_of(role);
    const std::vector<double> before = shares_of(other);
    for (std::size_t band = 0; band < bands.size(); ++band) {
      same += own[band] * before[band] / bands[band].count();
    }
  }
  return std::min(1.0, same);
}

double FileModel::MeanDifferent(int pattern, int role) const {
  const CallRole& one = At(shape(pattern).roles, role);
  const double all = MeanInRole(pattern, role);
  if (one.source != CallRole::Source::kReferred || all <= 1) return all;
  const CallRole& from = At(shape(pattern).roles, one.of_role);
  if (EntityAt(file_, from.entity).distinct == one.via) return all;
  const InstanceLink link = {from.entity, one.via, one.entity};
  double different = 0;
  for (std::size_t part = 0; part < Spread::kParts; ++part) {
    const double mean = Children(from.entity).Mean();
    const double factor = mean > 0 ? Children(from.entity).part(part) / mean : 1;
    const std::vector<double> of_bands = DifferentLedTo(link, {.mean = all * factor});
    different += std::accumulate(of_bands.begin(), of_bands.end(), 0.0);
  }
  return different / Spread::kParts;
}

std::vector<double> FileModel::DifferentLedTo(const InstanceLink& link,
                                              const Moments& count) const {
  const std::vector<RankBand>& bands = Bands(link.other);
  const double all = std::max(1.0, Instances(link.entity));
  std::vector<double> different;
  for (std::size_t band = 0; band < bands.size(); ++band) {
    const double others = bands[band].count();
    const double share =
        link.via != kLabNone
            ? ReferenceShares({link.entity, link.via})[band] / others
            : Descendants(link.entity, link.other, static_cast<int>(band)).mean / all;
    different.push_back(others * (1 - ShareWithNone(count, std::min(share, 1.0))));
  }
  return different;
}

void FileModel::CountCreated() {
  for (std::size_t i = 0; i < file_.patterns.size(); ++i) {
    const auto& writes = file_.patterns[i].writes;
    for (std::size_t write = 0; write < writes.size(); ++write) {
      const bool creates = writes[write].kind == LabWrite::Kind::kCreate;
      if (!creates && writes[write].kind != LabWrite::Kind::kDelete) continue;
      const double count = Calls(static_cast<int>(i)) * written_[i][write];
      const auto add = [&](int entity, double more) {
        OfEntity& changed = entities_[static_cast<std::size_t>(entity)];
        (creates ? changed.created_in_all : changed.deleted_in_all) += more;
      };
      add(writes[write].entity, count);
      for (const int child : writes[write].with) {
        add(child, count * MeanOf(EntityAt(file_, child).count));
      }
    }
  }
  for (OfEntity& entity : entities_) {
    // On average, a call has half of the others before it.
    entity.created = std::clamp((entity.created_in_all - entity.deleted_in_all) / 2,
                                -entity.initial / 2, static_cast<double>(kMostInstances));
  }
}

// Adds the children that calls create for parents that are there.
void FileModel::AddCreatedChildren() {
  for (std::size_t i = 0; i < file_.patterns.size(); ++i) {
    const auto& writes = file_.patterns[i].writes;
    for (std::size_t write = 0; write < writes.size(); ++write) {
      if (writes[write].kind != LabWrite::Kind::kCreate) continue;
      const int pattern = static_cast<int>(i);
      const std::vector<double> shares = SharesOfParents(pattern, shapes_[i].writes[write].role);
      const double count = Calls(pattern) / 2 * written_[i][write];
      OfEntity& created = entities_[static_cast<std::size_t>(writes[write].entity)];
      for (std::size_t band = 0; band < shares.size(); ++band) {
        const int parent = EntityAt(file_, writes[write].entity).parent;
        const double mean = count * shares[band] / Bands(parent)[band].count();
        created.children_by_band[band].mean += mean;
        created.children_by_band[band].variance += mean;
        created.created_by_band[band] += mean;
      }
    }
  }
}

// Mixes the references that updates give into those that are there when the traffic begins. An
// instance that updates write w times in the whole traffic has still the first one in a share of
// (1 − e^(−w)) / w of the calls.
void FileModel::MixReferences(LabAttributeRef attribute) {
  const LabGenerator& initial = LabAttributeAt(file_, attribute).generator;
  if (initial.kind != LabGenerator::Kind::kRef) return;
  const std::size_t bands = Bands(initial.other.entity).size();
  double all = 0;  // writes of one instance
  std::vector<double> given(bands, 0);
  for (std::size_t i = 0; i < file_.patterns.size(); ++i) {
    const auto& writes = file_.patterns[i].writes;
    for (std::size_t write = 0; write < writes.size(); ++write) {
      if (writes[write].kind != LabWrite::Kind::kUpdate) continue;
      if (writes[write].entity != attribute.entity) continue;
      for (const LabChange& change : writes[write].changes) {
        const bool is_drawn = change.attribute == attribute.attribute &&
                              change.kind == LabChange::Kind::kSet &&
                              change.by_attribute.entity == kLabNone &&
                              change.generator.kind == LabGenerator::Kind::kRef &&
                              change.generator.other == initial.other;
        if (!is_drawn) continue;
        const double count = Calls(static_cast<int>(i)) * written_[i][write] /
                             std::max(1.0, Instances(attribute.entity));
        const std::vector<double> shares = SharesOfBands(
            initial.other.entity, Initial(initial.other.entity), change.generator.pick_exponent);
        all += count;
        for (std::size_t band = 0; band < bands; ++band) given[band] += count * shares[band];
      }
    }
  }
  if (all < 1e-9) return;
  OfValue& value = values_[static_cast<std::size_t>(attribute.entity)]
                          [static_cast<std::size_t>(attribute.attribute)];
  const double kept = (1 - PortableExp(-all)) / all;
  value.same = 0;
  for (std::size_t band = 0; band < bands; ++band) {
    double& share = value.reference_shares[band];
    share = kept * share + (1 - kept) * given[band] / all;
    value.same += share * share / Bands(initial.other.entity)[band].count();
  }
  value.greatest = value.reference_shares.front();
}

// Returns which share of what calls create in the role belongs to each band of the parents; empty:
// to none that is there already.
std::vector<double> FileModel::SharesOfParents(int pattern, int role) const {
  using Source = CallRole::Source;
  const std::vector<CallRole>& roles = shape(pattern).roles;
  const int parent = EntityAt(file_, At(roles, role).entity).parent;
  // What is created for a new instance has the parent of that one.
  do {
    role = At(roles, role).of_role;
  } while (role != kLabNone && At(roles, role).source == Source::kCreated &&
           At(roles, role).entity != parent);
  if (parent == kLabNone || role == kLabNone) return {};
  const CallRole& from = At(roles, role);
  if (from.source == Source::kCreated || !IsAncestorOrSelf(file_, parent, from.entity)) return {};
  std::vector<double> shares;
  if (from.entity == parent) shares = SharesInRole(pattern, role);
  const bool is_child_of_parent =
      from.source == Source::kChildren && At(roles, from.of_role).entity == parent;
  if (is_child_of_parent) shares = SharesOfFound(pattern, role);
  if (!shares.empty()) return shares;
  // A parent that has many of those that the write is repeated for is met by way of each of them.
  double all = 0;
  for (std::size_t band = 0; band < Bands(parent).size(); ++band) {
    shares.push_back(Descendants(from.entity, parent, static_cast<int>(band)).mean *
                     Bands(parent)[band].count());
    all += shares.back();
  }
  for (double& share : shares) share /= std::max(all, 1e-9);
  return shares;
}

}  // namespace hashrange
