#include "lab/plan/plan_projection.h"

#include <algorithm>

#include "lab/plan/name_list.h"

namespace hashrange {
namespace {

// Finds the projection of one question, key and set of items.
class ProjectionFinder {
 public:
  ProjectionFinder(const ReadQuestion& question, const std::vector<AskedHost>& hosts,
                   const AskedInterval& interval, ReadRest& rest)
      : question_(question),
        hosts_(hosts),
        interval_(interval),
        rest_(rest),
        paths_(question, interval.key) {}

  void Find() {
    bool leaves_out = false;
    for (std::size_t i = 0; i < hosts_.size(); ++i) {
      leaves_out = question_.pattern.returns.empty() ? ProjectAll(i) || leaves_out
                                                     : ProjectReturns(i) || leaves_out;
    }
    if (!leaves_out) rest_.projection.clear();
    for (const LabAttributeRef ref : question_.pattern.returns) {
      const std::string& name = LabAttributeAt(paths_.file(), ref).name;
      if (!HasName(found_, name)) AddName(name, rest_.unheld);
    }
  }

 private:
  // Asks for everything of one host, or for all that is embedded in it, where it is not asked
  // itself. Returns whether that leaves out a part of its items.
  bool ProjectAll(std::size_t place) {
    const AskedHost& host = hosts_[place];
    const LabItem& item = *interval_.items[place];
    if (!host.is_asked) {
      for (const int part : host.parts) AddPart(part, {});
      return true;
    }
    if (item.attributes && !IsWholeItem(item)) {
      rest_.obstacle = "its items of " + EntityAt(paths_.file(), item.entity).name + " hold only " +
                       NamesOf(*item.attributes);
    }
    for (const LabAttributeRef ref : HeldAttributes(paths_.input(), item)) {
      const std::string& name = LabAttributeAt(paths_.file(), ref).name;
      if (!paths_.IsInKey(name)) AddName(name, rest_.lacking);
      AddPath(PathOfName(name));
    }
    for (const LabEmbedding* embedding : EmbeddedIn(paths_.input(), item)) {
      if (!paths_.IsInKey(embedding->attribute)) AddName(embedding->attribute, rest_.lacking);
      AddPath(PathOfName(embedding->attribute));
    }
    return false;
  }

  bool IsWholeItem(const LabItem& item) const {
    const std::size_t all = EntityAt(paths_.file(), item.entity).attributes.size();
    std::size_t own = 0;
    for (const LabAttributeRef ref : *item.attributes) own += ref.entity == item.entity ? 1U : 0U;
    return own >= all;
  }

  std::string NamesOf(const std::vector<LabAttributeRef>& refs) const {
    std::string names;
    for (const LabAttributeRef ref : refs) {
      names += (names.empty() ? "" : ", ") + LabAttributeAt(paths_.file(), ref).name;
    }
    return names;
  }

  bool ProjectReturns(std::size_t place) {
    const AskedHost& host = hosts_[place];
    const LabItem& item = *interval_.items[place];
    std::vector<LabAttributeRef> wanted = question_.pattern.returns;
    if (!interval_.has_order && question_.pattern.order.entity != kLabNone) {
      wanted.push_back(question_.pattern.order);
    }
    std::size_t held_count = 0;
    for (const LabAttributeRef ref : wanted) {
      const LabAttribute& attribute = LabAttributeAt(paths_.file(), ref);
      if (std::find(host.parts.begin(), host.parts.end(), ref.entity) != host.parts.end()) {
        AddPart(ref.entity, attribute.name);
        continue;
      }
      const LabAttributeRef held = paths_.HeldAs(item, ref);
      if (held.entity == kLabNone) continue;
      ++held_count;
      const std::string& name = LabAttributeAt(paths_.file(), held).name;
      AddName(attribute.name, found_);
      if (!paths_.IsInKey(name)) AddName(name, rest_.lacking);
      AddPath(PathOfName(name));
    }
    // Keys made of templates are a part of the item that nobody asks for.
    return held_count < HeldAttributes(paths_.input(), item).size() + item.keys.size();
  }

  // Asks for what is embedded: one attribute of the one element that the caller knows, or all.
  void AddPart(int entity, const std::string& attribute) {
    const LabEmbedding& embedding = *EmbeddingOf(question_.layout, entity);
    ItemPath path = paths_.PathOfPart(embedding);
    if (!attribute.empty()) AddName(attribute, found_);
    if (!paths_.IsInKey(path.front().hint)) AddName(path.front().hint, rest_.lacking);
    const bool is_one_element = path.size() > 1 && !attribute.empty() && paths_.IsDirect(embedding);
    if (is_one_element && !AsksKeyOf(embedding)) {
      path.push_back({attribute, LiteralText(attribute)});
    }
    AddPath(std::move(path));
  }

  // Returns whether the pattern asks for the key of a map, which its elements do not hold.
  bool AsksKeyOf(const LabEmbedding& embedding) const {
    const LabAttributeRef key = {embedding.entity, embedding.map_by};
    const std::vector<LabAttributeRef>& returns = question_.pattern.returns;
    return std::find(returns.begin(), returns.end(), key) != returns.end();
  }

  void AddPath(ItemPath path) {
    for (const ItemPath& one : rest_.projection) {
      if (one.size() != path.size()) continue;
      const bool is_same =
          std::equal(one.begin(), one.end(), path.begin(),
                     [](const ItemPathStep& a, const ItemPathStep& b) { return a.hint == b.hint; });
      if (is_same) return;
    }
    rest_.projection.push_back(std::move(path));
  }

  const ReadQuestion& question_;
  const std::vector<AskedHost>& hosts_;
  const AskedInterval& interval_;
  ReadRest& rest_;
  const ItemPaths paths_;
  std::vector<std::string> found_;  // names of what is asked and found
};

}  // namespace

void FindProjection(const ReadQuestion& question, const std::vector<AskedHost>& hosts,
                    const AskedInterval& interval, ReadRest& rest) {
  ProjectionFinder(question, hosts, interval, rest).Find();
}

}  // namespace hashrange
