#include "lab/plan/cost/key_matches.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "lab/language/lab_facts.h"
#include "lab/plan/request/lab_call.h"

namespace hashrange {
namespace {

using GeneratorKind = LabGenerator::Kind;

const LabGenerator& GeneratorOf(const FileModel& model, LabAttributeRef ref) {
  return LabAttributeAt(model.file(), ref).generator;
}

bool IsReference(const FileModel& model, LabAttributeRef ref) {
  return GeneratorOf(model, ref).kind == GeneratorKind::kRef;
}

const LabCondition* ConstantOf(const CallSubject& subject, LabAttributeRef ref) {
  for (const LabCondition& one : subject.constants) {
    if (one.attribute == ref) return &one;
  }
  return nullptr;
}

// Returns how many instances of the attribute's entity there are for one of the entity, where they
// stand inside of it: one of them with the value is enough. Else 1.
double ChildrenWith(const FileModel& model, int entity, LabAttributeRef ref) {
  if (ref.entity == entity || !IsAncestorOrSelf(model.file(), entity, ref.entity)) return 1;
  return model.Instances(ref.entity) / std::max(1.0, model.Instances(entity));
}

// Returns what is in proportion to the numbers of one list, and for a share of it to those of the
// other list, whose sum may be 0; all add up to 1.
std::vector<double> Mixed(std::span<const double> one, std::span<const double> other,
                          double share) {
  const double of_one = std::accumulate(one.begin(), one.end(), 0.0);
  const double of_other = std::accumulate(other.begin(), other.end(), 0.0);
  if (of_other <= 0) share = 0;
  if (of_one <= 0 && of_other > 0) share = 1;
  std::vector<double> mixed;
  for (std::size_t i = 0; i < one.size(); ++i) {
    const double first = of_one > 0 ? one[i] / of_one : 1.0 / static_cast<double>(one.size());
    mixed.push_back((1 - share) * first + (share > 0 ? share * other[i] / of_other : 0));
  }
  return mixed;
}

// Returns the share of an entity's instances that calls are about, for each band of its ranks.
std::vector<double> SharesOfRanks(const CallSubject& subject, int entity,
                                  LabAttributeRef reference) {
  const FileModel& model = subject.model;
  const std::vector<RankBand>& bands = model.Bands(entity);
  if (entity == subject.owner) return subject.owner_shares;
  if (subject.entity == entity && !subject.pick_shares.empty()) {
    return {subject.pick_shares.begin(), subject.pick_shares.end()};
  }
  if (subject.entity != kLabNone && reference.entity != kLabNone &&
      IsAncestorOrSelf(model.file(), reference.entity, subject.entity)) {
    const std::span<const double> shares = model.ReferenceShares(reference);
    return {shares.begin(), shares.end()};
  }
  const bool is_ancestor = subject.entity != kLabNone && subject.entity != entity &&
                           IsAncestorOrSelf(model.file(), entity, subject.entity);
  std::vector<double> old;
  std::vector<double> created;
  for (std::size_t band = 0; band < bands.size(); ++band) {
    // An instance that has many descendants is met by way of each of them.
    const int number = static_cast<int>(band);
    const double all = is_ancestor ? model.Descendants(subject.entity, entity, number).mean : 1;
    const double fresh =
        is_ancestor ? model.CreatedDescendants(subject.entity, entity, number).mean : 0;
    old.push_back(std::max(0.0, all - fresh) * bands[band].count());
    created.push_back(fresh * bands[band].count());
  }
  return Mixed(old, created, subject.created_share);
}

}  // namespace

CallSubject SubjectOf(const FileModel& model, int pattern, int role) {
  role = SameInstanceRole(model.shape(pattern), role);
  const LabPattern& declared = PatternForm(model.file(), pattern);
  const CallRole& one = model.shape(pattern).roles[static_cast<std::size_t>(role)];
  CallSubject subject = {.model = model, .entity = one.entity, .constants = declared.constants};
  if (one.source == CallRole::Source::kPicked && role == 0) {
    if (one.via != kLabNone) subject.referred_by = {one.entity, one.via};
    subject.pick_shares = model.PickShares(pattern);
    subject.hottest_pick = model.HottestPick(pattern);
    subject.created_share = model.CreatedPickShare(pattern);
  } else if (one.source == CallRole::Source::kReferred) {
    const int from = model.shape(pattern).roles[static_cast<std::size_t>(one.of_role)].entity;
    subject.pick_shares = model.ReferenceShares({from, one.via});
    subject.hottest_pick = subject.pick_shares.empty() ? 0 : subject.pick_shares.front();
  } else if (one.source == CallRole::Source::kChildren ||
             one.source == CallRole::Source::kReferring) {
    subject.owner_shares = model.SharesOfFound(pattern, role);
    const int owner = model.shape(pattern).roles[static_cast<std::size_t>(one.of_role)].entity;
    if (!subject.owner_shares.empty()) subject.owner = owner;
    subject.refers_to_owner = one.source == CallRole::Source::kReferring;
  } else if (one.source == CallRole::Source::kAncestor) {
    // An ancestor is met by way of the instance below it.
    return SubjectOf(model, pattern, one.of_role);
  }
  return subject;
}

// Returns whether the values say which instance of `owner` it is.
bool KeyMatches::IsIdentified(int owner, const std::vector<LabTemplatePart>& known) const {
  const LabFile& file = subject_.model.file();
  return std::ranges::all_of(IdentityOf(file, owner), [&](LabAttributeRef one) {
    return std::ranges::any_of(known, [&](const LabTemplatePart& part) {
      return part.shards == 0 && OriginalOf(file, part.attribute) == one;
    });
  });
}

void KeyMatches::FindAnchor(Group& group) const {
  const LabFile& file = subject_.model.file();
  for (int owner = group.entity; owner != kLabNone; owner = EntityAt(file, owner).parent) {
    if (!IsIdentified(owner, group.known)) continue;
    group.owner = owner;
    return;
  }
  double least = 2;
  for (const LabTemplatePart& part : group.known) {
    const LabAttributeRef ref = OriginalOf(file, part.attribute);
    const bool is_own = part.shards == 0 && IsReference(subject_.model, ref) &&
                        (IsAncestorOrSelf(file, ref.entity, group.entity) ||
                         IsAncestorOrSelf(file, group.entity, ref.entity)) &&
                        ConstantOf(subject_, part.attribute) == nullptr;
    const double same = subject_.model.SameValueShare(ref);
    if (!is_own || same >= least) continue;
    least = same;
    group.reference = ref;
  }
}

KeyMatches::KeyMatches(const CallSubject& subject, int entity,
                       const std::vector<LabTemplatePart>& known)
    : subject_(subject) {
  Group group = {.entity = entity, .known = known};
  FindAnchor(group);
  ranked_ = group.owner;
  if (group.reference.entity != kLabNone) {
    ranked_ = GeneratorOf(subject.model, group.reference).other.entity;
  }
  if (ranked_ != kLabNone) shares_ = SharesOfRanks(subject, ranked_, group.reference);
}

// Returns the share of the references that is to the instance which is picked, on average.
double KeyMatches::SharePicked(LabAttributeRef reference) const {
  const FileModel& model = subject_.model;
  const std::vector<RankBand>& bands = model.Bands(subject_.entity);
  if (subject_.pick_shares.empty()) return 1 / std::max(1.0, model.Instances(subject_.entity));
  double share = 0;
  for (std::size_t band = 0; band < bands.size(); ++band) {
    share +=
        subject_.pick_shares[band] * model.ReferenceShares(reference)[band] / bands[band].count();
  }
  return share;
}

KeyMatches::Group KeyMatches::GroupOf(int entity, const std::vector<LabTemplatePart>& known) const {
  const FileModel& model = subject_.model;
  const LabFile& file = model.file();
  Group group = {.entity = entity, .known = known};
  FindAnchor(group);
  std::vector<LabAttributeRef> counted;
  for (const LabTemplatePart& part : known) {
    const LabAttributeRef ref = OriginalOf(file, part.attribute);
    const LabCondition* const constant = ConstantOf(subject_, part.attribute);
    const bool is_copy = constant != nullptr && ref != part.attribute && ref.attribute != 0;
    const bool is_same = group.owner != kLabNone && IsAncestorOrSelf(file, ref.entity, group.owner);
    if ((is_same && !is_copy) || std::ranges::find(counted, ref) != counted.end()) continue;
    counted.push_back(ref);
    if (is_same) {
      group.of_owners *= model.ShareOf(*constant);
      continue;
    }
    const bool is_reference = part.shards == 0 && IsReference(model, ref);
    const int referred = is_reference ? GeneratorOf(model, ref).other.entity : kLabNone;
    if (constant == nullptr && is_reference && referred == ranked_) {
      group.by_case.push_back(ref);
      continue;
    }
    const bool is_picked = is_reference && referred == subject_.entity;
    double each =
        constant != nullptr
            ? model.ShareOf(*constant)
            : model.Present(ref) * (is_picked ? SharePicked(ref) : model.SameValueShare(part));
    group.share *= std::min(1.0, each * ChildrenWith(model, entity, ref));
  }
  return group;
}

double KeyMatches::ShareOf(const Group& group, std::size_t number) const {
  const FileModel& model = subject_.model;
  double share = group.share;
  for (const LabAttributeRef ref : group.by_case) {
    const double each = model.Present(ref) * model.ReferenceShares(ref)[number] /
                        model.Bands(ranked_)[number].count();
    share *= std::min(1.0, each * ChildrenWith(model, group.entity, ref));
  }
  return share;
}

int KeyMatches::BandOf(const Group& group, std::size_t number) const {
  return group.owner == ranked_ ? static_cast<int>(number) : kAnyBand;
}

// Returns by which factor the owner has more of the group's entity than owners have on average: an
// owner is met by way of each of its descendants that calls may pick, so by way of many where it
// has many.
double KeyMatches::SizeBias(const Group& group, std::size_t number) const {
  const LabFile& file = subject_.model.file();
  const int picked = subject_.entity;
  const bool is_met_by_way = group.owner != kLabNone && picked != kLabNone &&
                             subject_.referred_by.entity == kLabNone &&
                             IsAncestorOrSelf(file, group.owner, picked);
  if (!is_met_by_way) return 1;
  // The numbers of two entities go together as far as they have the same ancestors.
  int common = group.entity;
  while (!IsAncestorOrSelf(file, common, picked)) common = EntityAt(file, common).parent;
  const Moments count = subject_.model.Descendants(common, group.owner, BandOf(group, number));
  return count.mean > 0 ? 1 + count.variance / (count.mean * count.mean) : 1;
}

Moments KeyMatches::Count(const Group& group, std::size_t number) const {
  const FileModel& model = subject_.model;
  Moments count = {model.Instances(group.entity), 0};
  if (group.owner != kLabNone) {
    count = model.Descendants(group.entity, group.owner, BandOf(group, number));
    count.mean *= SizeBias(group, number);
  }
  count = count.Thinned(ShareOf(group, number)).OrNone(group.of_owners);
  // The instance that the call is about is one of them.
  const bool is_one_of_them =
      subject_.entity == group.entity && subject_.referred_by.entity == kLabNone;
  if (is_one_of_them && count.mean < 1) count = {1, 0};
  return count;
}

Moments KeyMatches::CountCreated(const Group& group, std::size_t number) const {
  const FileModel& model = subject_.model;
  Moments count = {std::max(0.0, model.Created(group.entity)), 0};
  if (group.owner != kLabNone) {
    count = model.CreatedDescendants(group.entity, group.owner, BandOf(group, number));
    count.mean *= SizeBias(group, number);
  }
  return count.Thinned(ShareOf(group, number)).OrNone(group.of_owners);
}

namespace {

// Returns the greatest share of an instance of the entity, an ancestor of the one that calls pick.
double HottestAncestor(const CallSubject& subject, int entity) {
  const std::vector<double> shares = SharesOfRanks(subject, entity, {});
  double greatest = 0;
  double of_others = 0;  // of the ancestor of the hottest instance: what else is picked of it
  for (std::size_t band = 0; band < shares.size(); ++band) {
    const double each = shares[band] / subject.model.Bands(entity)[band].count();
    greatest = std::max(greatest, each);
    of_others += shares[band] * each;
  }
  return std::max(greatest, subject.hottest_pick + (1 - subject.hottest_pick) * of_others);
}

// Returns the template that a placeholder's value is made of; null: it is not, or not wholly.
const LabTemplate* TextOf(const LabFile& file, const LabTemplatePart& part) {
  const LabGenerator& generator = LabAttributeAt(file, OriginalOf(file, part.attribute)).generator;
  const bool is_template = generator.kind == GeneratorKind::kTemplate && part.shards == 0 &&
                           part.form == LabTemplatePart::Form::kAsIs;
  return is_template ? &generator.text_template : nullptr;
}

// Appends the placeholder, or those of the template that its value is made of. `depth` is how many
// templates it is inside of.
void AppendPartsOf(const LabFile& file, const LabTemplatePart& part, int depth,
                   std::vector<LabTemplatePart>& parts) {
  constexpr int kMostTemplates = 8;
  if (part.attribute.entity == kLabNone) return;
  const LabTemplate* const text = depth < kMostTemplates ? TextOf(file, part) : nullptr;
  if (text == nullptr) return parts.push_back(part);
  for (const LabTemplatePart& one : text->parts) AppendPartsOf(file, one, depth + 1, parts);
}

// The same as HottestOfPart for the value as it is, shards aside.
double HottestValue(const CallSubject& subject, const LabTemplatePart& part) {
  constexpr double kHardlyShared = 0.001;
  const FileModel& model = subject.model;
  const LabFile& file = model.file();
  const double share = model.GreatestValueShare(part);
  if (subject.entity == kLabNone) return share;
  const LabAttributeRef supplied = AttributeFor(file, subject.entity, part.attribute);
  const LabAttributeRef ref =
      OriginalOf(file, supplied.entity == kLabNone ? part.attribute : supplied);
  LabTemplatePart own = part;
  own.attribute = ref;
  if (TextOf(file, own) != nullptr) {
    // The text is as hot as what it is made of.
    std::vector<LabTemplatePart> values;
    AppendPartsOf(file, own, 0, values);
    return HottestOfAll(file, values, [&](const LabTemplatePart& one) {
      return TextOf(file, one) == nullptr ? HottestOfPart(subject, one)
                                          : model.GreatestValueShare(one);
    });
  }
  if (IsReference(model, ref)) {
    const bool is_to_owner = GeneratorOf(model, ref).other.entity == subject.owner;
    return is_to_owner ? HottestAncestor(subject, subject.owner) : share;
  }
  if (ref.entity == subject.entity) {
    // A value that hardly two instances share is as hot as the instance.
    const bool is_shared = model.SameValueShare(part) >= kHardlyShared;
    return is_shared ? std::max(share, subject.hottest_pick) : subject.hottest_pick;
  }
  const bool is_identity_of_ancestor =
      ref.attribute == 0 && IsAncestorOrSelf(file, ref.entity, subject.entity);
  if (!is_identity_of_ancestor) return share;
  // The ancestors of what refers to the owner are others, also where they are of its entity.
  CallSubject found = subject;
  if (subject.refers_to_owner) found.owner = kLabNone;
  return HottestAncestor(found, ref.entity);
}

}  // namespace

double HottestOfPart(const CallSubject& subject, const LabTemplatePart& part) {
  if (ConstantOf(subject, part.attribute) != nullptr) return 1;
  LabTemplatePart value = part;
  value.shards = 0;
  if (part.attribute == subject.referred_by) {
    value.attribute = GeneratorOf(subject.model, part.attribute).other;
  }
  const double share = HottestValue(subject, value);
  return part.shards > 0 ? share + (1 - share) / part.shards : share;
}

double HottestOfAll(const LabFile& file, const std::vector<LabTemplatePart>& parts,
                    absl::FunctionRef<double(const LabTemplatePart&)> hottest) {
  // An identity says all of its instance and of the ancestors, also inside of a template.
  int identified = kLabNone;
  std::vector<LabTemplatePart> values;
  for (const LabTemplatePart& part : parts) AppendPartsOf(file, part, 0, values);
  for (const LabTemplatePart& part : values) {
    const LabAttributeRef ref = OriginalOf(file, part.attribute);
    const bool is_identity = part.shards == 0 && part.form == LabTemplatePart::Form::kAsIs &&
                             ref.attribute == 0 &&
                             LabAttributeAt(file, ref).generator.kind != GeneratorKind::kRef;
    const bool is_deeper = identified == kLabNone || IsAncestorOrSelf(file, identified, ref.entity);
    if (is_identity && is_deeper) identified = ref.entity;
  }
  double share = 1;
  double of_identity = 1;
  for (const LabTemplatePart& part : parts) {
    const LabAttributeRef ref = OriginalOf(file, part.attribute);
    const bool is_said = identified != kLabNone && IsAncestorOrSelf(file, ref.entity, identified);
    if (is_said) {
      of_identity = std::min(of_identity, hottest(part));
    } else {
      share *= hottest(part);
    }
  }
  return share * of_identity;
}

double HottestShare(const CallSubject& subject, const std::vector<LabTemplatePart>& known) {
  return HottestOfAll(subject.model.file(), known,
                      [&](const LabTemplatePart& part) { return HottestOfPart(subject, part); });
}

}  // namespace hashrange
