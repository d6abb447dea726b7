#include "lab/language/lab_attribute_types.h"

#include <map>
#include <string>
#include <utility>

#include "lab/language/lab_names.h"
#include "lab/language/lab_templates.h"

namespace hashrange {
namespace {

using Kind = LabGenerator::Kind;

// Visits each attribute after its sources.
class TypeResolver {
 public:
  explicit TypeResolver(LabReading& reading) : reading_(reading) {}

  void Visit(LabAttributeRef attribute);

 private:
  enum class State : std::uint8_t { kUnseen, kOpen, kDone };

  void SetType(LabAttributeRef attribute);

  LabReading& reading_;
  std::map<std::pair<int, int>, State> states_;
};

void TypeResolver::Visit(LabAttributeRef attribute) {
  State& state = states_[{attribute.entity, attribute.attribute}];
  if (state == State::kDone || !reading_.ok()) return;
  const LabAttribute& described = LabAttributeAt(reading_.file, attribute);
  if (state == State::kOpen) {
    return reading_.Fail(described.place, "the value of \"" +
                                              EntityAt(reading_.file, attribute.entity).name + "." +
                                              described.name + "\" would depend on itself");
  }
  state = State::kOpen;
  for (const LabAttributeRef source : SourcesOf(described.generator, attribute.entity))
    Visit(source);
  if (reading_.ok()) SetType(attribute);
  states_[{attribute.entity, attribute.attribute}] = State::kDone;
}

void TypeResolver::SetType(LabAttributeRef attribute) {
  LabFile& file = reading_.file;
  LabAttribute& described = file.entities[static_cast<std::size_t>(attribute.entity)]
                                .attributes[static_cast<std::size_t>(attribute.attribute)];
  const LabGenerator& generator = described.generator;
  const bool copies = generator.kind == Kind::kRef || generator.kind == Kind::kOfRef ||
                      generator.kind == Kind::kOfAncestor;
  if (copies) described.type = LabAttributeAt(file, generator.other).type;
  CheckTemplateForms(generator.text_template, reading_);
}

void CheckSources(const LabAttribute& attribute, int entity, LabReading& reading) {
  const LabFile& file = reading.file;
  const LabGenerator& generator = attribute.generator;
  const bool needs_time = generator.other.entity != kLabNone &&
                          (generator.kind == Kind::kUlid || generator.kind == Kind::kTime);
  if (needs_time) {
    const LabAttribute& time = LabAttributeAt(file, generator.other);
    if (time.generator.kind == Kind::kTime) return;
    reading.Fail(attribute.place, "\"" + attribute.name + "\" takes its time from \"" + time.name +
                                      "\", which is no `time`");
  }
  if (generator.kind != Kind::kOfRef) return;
  const LabAttribute& with = LabAttributeAt(file, {entity, generator.with});
  const bool is_ref =
      with.generator.kind == Kind::kRef && with.generator.other.entity == generator.other.entity;
  if (is_ref) return;
  reading.Fail(attribute.place, "`with: " + with.name +
                                    "` has to name an attribute that is a `ref` to " +
                                    EntityAt(file, generator.other.entity).name);
}

}  // namespace

std::vector<LabAttributeRef> SourcesOf(const LabGenerator& generator, int entity) {
  std::vector<LabAttributeRef> sources;
  if (generator.other.entity != kLabNone) sources.push_back(generator.other);
  if (generator.with != kLabNone) sources.push_back({entity, generator.with});
  for (const LabTemplatePart& part : generator.text_template.parts) {
    if (part.attribute.entity != kLabNone) sources.push_back(part.attribute);
  }
  return sources;
}

void ResolveAttributeTypes(LabReading& reading) {
  TypeResolver resolver(reading);
  for (std::size_t entity = 0; entity < reading.file.entities.size(); ++entity) {
    const int number = static_cast<int>(entity);
    const std::vector<LabAttribute>& attributes = reading.file.entities[entity].attributes;
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      resolver.Visit({number, static_cast<int>(i)});
    }
    for (const LabAttribute& attribute : attributes) {
      if (reading.ok()) CheckSources(attribute, number, reading);
    }
  }
}

}  // namespace hashrange
