#include "lab/yaml/layout_yaml.h"

#include <algorithm>
#include <set>

#include "lab/language/lab_facts.h"
#include "lab/language/lab_templates.h"
#include "lab/yaml/yaml_text.h"

namespace hashrange {
namespace {

std::string ValueYaml(const LabFile& file, const LabCondition& condition, std::size_t value) {
  const std::string& text = condition.values[value];
  const bool is_text = LabAttributeAt(file, condition.attribute).type == LabType::kString;
  return is_text ? YamlPlain(text) : text;
}

// "{status: OPEN, stock: {at_least: 1}}"
std::string ConditionsYaml(const LabFile& file, const std::vector<LabCondition>& conditions) {
  std::string yaml;
  for (const LabCondition& one : conditions) {
    yaml += (yaml.empty() ? "" : ", ") + YamlPlain(LabAttributeAt(file, one.attribute).name) + ": ";
    std::string values;
    for (std::size_t i = 0; i < one.values.size(); ++i) {
      values += (values.empty() ? "" : ", ") + ValueYaml(file, one, i);
    }
    switch (one.op) {
      case LabCondition::Op::kEqual:
        yaml += values;
        break;
      case LabCondition::Op::kNotEqual:
        yaml += "{not: " + values + "}";
        break;
      case LabCondition::Op::kLess:
        yaml += "{below: " + values + "}";
        break;
      case LabCondition::Op::kAtMost:
        yaml += "{at_most: " + values + "}";
        break;
      case LabCondition::Op::kGreater:
        yaml += "{above: " + values + "}";
        break;
      case LabCondition::Op::kAtLeast:
        yaml += "{at_least: " + values + "}";
        break;
      case LabCondition::Op::kIn:
        yaml += "{in: [" + values + "]}";
        break;
    }
  }
  return "{" + yaml + "}";
}

std::string ProjectionYaml(const LabIndex& index) {
  if (index.projection == LabIndex::Projection::kAll) return "all";
  return index.projection == LabIndex::Projection::kKeysOnly ? "keys_only"
                                                             : YamlList(index.included);
}

// Returns whether the reader takes the attribute for the key where the item says nothing: the item
// stores it.
bool IsImplied(const LabFile& file, const LabItem& item, const LabItemKey& key) {
  return key.when.empty() && IsBarePlaceholder(key.text) &&
         StoredAttribute(file, item.entity, key.attribute) == key.text.parts.front().attribute;
}

std::string ItemYaml(const LabFile& file, const LabItem& item) {
  std::string yaml;
  const auto add = [&](const std::string& member) { yaml += (yaml.empty() ? "" : ", ") + member; };
  for (const LabItemKey& key : item.keys) {
    if (IsImplied(file, item, key)) continue;
    const std::string text = YamlQuoted(key.text.text);
    add(YamlPlain(key.attribute) + ": " +
        (key.when.empty()
             ? text
             : "{template: " + text + ", when: " + ConditionsYaml(file, key.when) + "}"));
  }
  if (item.attributes) {
    std::vector<std::string> names;
    for (const LabAttributeRef ref : *item.attributes) {
      names.push_back(LabAttributeAt(file, ref).name);
    }
    add("attributes: " + YamlList(names));
  }
  if (!item.when.empty()) add("when: " + ConditionsYaml(file, item.when));
  return "{" + yaml + "}";
}

// "{embed: Order.lines, map_by: sku}"
std::string EmbeddingYaml(const LabFile& file, const LabEmbedding& embedding) {
  std::string yaml =
      "{embed: " + YamlPlain(EntityAt(file, embedding.parent).name + "." + embedding.attribute);
  if (embedding.map_by != kLabNone) {
    const LabAttributeRef map_by = {embedding.entity, embedding.map_by};
    yaml += ", map_by: " + YamlPlain(LabAttributeAt(file, map_by).name);
  }
  return yaml + "}";
}

// Returns whether the table is the first that stores the entity.
bool IsFirstTableOf(const LabLayout& layout, int entity, int number) {
  const auto item = std::ranges::find(layout.items, entity, &LabItem::entity);
  return item != layout.items.end() && item->table == number;
}

void AddTable(const LabFile& file, const LabLayout& layout, int number, std::string& yaml) {
  const LabTable& table = layout.tables[static_cast<std::size_t>(number)];
  yaml += "      " + YamlPlain(table.name) + ":\n";
  yaml += "        key: " + YamlKey(table.hash, table.range) + "\n";
  yaml += "        billing: on_demand\n";
  if (table.type_attribute.empty()) yaml += "        type_attribute: none\n";
  if (!table.ttl_attribute.empty()) {
    yaml += "        ttl: " + YamlPlain(table.ttl_attribute) + "\n";
  }
  if (!table.indexes.empty()) yaml += "        indexes:\n";
  for (const LabIndex& index : table.indexes) {
    yaml += "          " + YamlPlain(index.name) + ": {key: " + YamlKey(index.hash, index.range) +
            (index.is_local ? ", local: true" : "") + ", projection: " + ProjectionYaml(index) +
            "}\n";
  }
  yaml += "        items:\n";
  for (int entity = 0; entity < static_cast<int>(file.entities.size()); ++entity) {
    std::vector<std::string> items;
    for (const LabItem& item : layout.items) {
      if (item.table == number && item.entity == entity) items.push_back(ItemYaml(file, item));
    }
    if (const LabEmbedding* const embedding = EmbeddingOf(layout, entity)) {
      if (IsFirstTableOf(layout, HostOf(layout, entity), number)) {
        items.push_back(EmbeddingYaml(file, *embedding));
      }
    }
    if (items.empty()) continue;
    const std::string name = "          " + YamlPlain(EntityAt(file, entity).name) + ":";
    if (items.size() == 1) {
      yaml += name + " " + items.front() + "\n";
      continue;
    }
    yaml += name + "\n";
    for (const std::string& item : items) yaml += "            - " + item + "\n";
  }
}

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end == text.npos ? text.size() : end + 1));
    text.remove_prefix(lines.back().size());
  }
  return lines;
}

// Lines from `first` to `last`, the latter excluded, from 0.
struct LineRange {
  std::size_t first = 0;
  std::size_t last = 0;
};

// Returns the lines of a member of a map, up to the next member. `end` is where the map ends.
LineRange LinesOfMember(const LabNode& map, std::size_t member, std::size_t end) {
  const auto line = [&](std::size_t at) {
    return static_cast<std::size_t>(map.members[at].place.line - 1);
  };
  return {line(member), member + 1 < map.members.size() ? line(member + 1) : end};
}

}  // namespace

std::string LayoutYaml(const LabFile& file, const LabLayout& layout,
                       const std::vector<std::string>& comments) {
  std::string yaml;
  for (const std::string& comment : comments) yaml += "  # " + YamlComment(comment) + "\n";
  yaml += "  " + YamlPlain(layout.name) + ":\n    tables:\n";
  for (int i = 0; i < static_cast<int>(layout.tables.size()); ++i) {
    AddTable(file, layout, i, yaml);
  }
  return yaml;
}

Result<std::string> WithLayouts(std::string_view text, const LabNode& document,
                                const std::vector<std::string>& layouts) {
  if (document.is_flow) {
    return ValidationError(
        "layouts are written into a lab file of YAML, whose parts begin in the first column; this "
        "one is JSON, or is in braces");
  }
  const std::vector<std::string_view> lines = LinesOf(text);
  std::set<std::size_t> left_out;
  const auto leave_out = [&](LineRange range) {
    for (std::size_t line = range.first; line < range.last; ++line) left_out.insert(line);
  };
  for (std::size_t i = 0; i < document.members.size(); ++i) {
    const LabNode::Member& member = document.members[i];
    const LineRange range = LinesOfMember(document, i, lines.size());
    if (member.name == "layouts") leave_out(range);
    if (member.name != "limits") continue;
    std::size_t of_layouts = 0;
    for (const LabNode::Member& one : member.value.members) of_layouts += one.name != "*" ? 1 : 0;
    const bool has_all = of_layouts < member.value.members.size();
    if (of_layouts == 0) continue;
    if (!has_all || member.value.is_flow) {
      leave_out(range);
      continue;
    }
    for (std::size_t at = 0; at < member.value.members.size(); ++at) {
      if (member.value.members[at].name == "*") continue;
      leave_out(LinesOfMember(member.value, at, range.last));
    }
  }
  std::string whole;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    if (!left_out.contains(line)) whole += lines[line];
  }
  if (!whole.empty() && !whole.ends_with('\n')) whole += '\n';
  whole += "layouts:\n";
  for (const std::string& layout : layouts) whole += layout;
  return whole;
}

}  // namespace hashrange
