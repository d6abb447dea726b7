// The plan of a pattern whose requests the layout says itself (`serve:`): DynamoDB's own JSON with
// placeholders of what the caller knows.
#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "base/memory/arena.h"
#include "base/text/time_text.h"
#include "lab/language/joined_names.h"
#include "lab/language/lab_document.h"
#include "lab/language/lab_reading.h"
#include "lab/language/lab_templates.h"
#include "lab/plan/planner.h"
#include "lab/plan/read/plan_sentences.h"
#include "lab/plan/read/read_question.h"
#include "lab/plan/request/request_template.h"
#include "wire/json.h"
#include "wire/owned_json.h"
#include "wire/shape.h"

namespace hashrange {
namespace {

// Where a placeholder of the time of the call stands in a text, such as {now}, {now - 7d},
// {now + 1h:day} or {now:seconds}, and what is put there.
struct NowPlaceholder {
  std::size_t begin = 0;  // of its brace
  std::size_t end = 0;    // behind its other brace
  RequestSlot slot = {};
};

std::string_view Trim(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Sets the form of the time, which is a part of ISO 8601 or a number. Returns whether it is one.
bool SetForm(std::string_view name, RequestSlot& slot) {
  using TimeForm = LabGenerator::TimeForm;
  if (const auto part = TimeFormNamed(name)) {
    slot.part.form = *part;
    return true;
  }
  slot.now_form = name == "seconds"        ? TimeForm::kSeconds
                  : name == "milliseconds" ? TimeForm::kMilliseconds
                                           : TimeForm::kIso;
  return slot.now_form != TimeForm::kIso;
}

// Returns what stands for the text within the braces, such as `now - 7d:month`.
std::optional<RequestSlot> SlotOfNow(std::string_view inner) {
  constexpr std::string_view kNow = "now";
  if (!inner.starts_with(kNow)) return std::nullopt;
  RequestSlot slot = {.source = RequestSlot::Source::kNow};
  std::string_view offset = inner.substr(kNow.size());
  if (const std::size_t colon = offset.find(':'); colon != std::string_view::npos) {
    if (!SetForm(Trim(offset.substr(colon + 1)), slot)) return std::nullopt;
    offset = offset.substr(0, colon);
  }
  offset = Trim(offset);
  if (offset.empty()) return slot;
  const bool is_before = offset.front() == '-';
  if (!is_before && offset.front() != '+') return std::nullopt;
  const auto duration = ParseDuration(Trim(offset.substr(1)));
  if (!duration) return std::nullopt;
  slot.offset_ms = is_before ? -*duration : *duration;
  return slot;
}

// Returns the first placeholder of the time; nothing where there is none. Braces that are written
// twice are text.
std::optional<NowPlaceholder> FindNowPlaceholder(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '{') continue;
    if (text.substr(at).starts_with("{{")) {
      ++at;
      continue;
    }
    const std::size_t end = text.find('}', at);
    if (end == std::string_view::npos) break;
    std::optional<RequestSlot> slot = SlotOfNow(Trim(text.substr(at + 1, end - at - 1)));
    if (slot) return NowPlaceholder{at, end + 1, *slot};
    at = end;
  }
  return std::nullopt;
}

struct DeclaredOperation {
  std::string_view name;
  bool is_paged;
  bool is_write;
};
constexpr std::array<DeclaredOperation, 10> kOperations = {{
    {"GetItem", false, false},
    {"BatchGetItem", false, false},
    {"TransactGetItems", false, false},
    {"Query", true, false},
    {"Scan", true, false},
    {"PutItem", false, true},
    {"UpdateItem", false, true},
    {"DeleteItem", false, true},
    {"BatchWriteItem", false, true},
    {"TransactWriteItems", false, true},
}};

// Returns what the caller of the pattern knows: of a write, all that is created or changed, too.
LabPattern KnownToCaller(const LabFile& file, const LabPattern& pattern) {
  if (pattern.kind != LabPattern::Kind::kWrite) return pattern;
  const LabWrite& write = pattern.writes.front();
  LabPattern known = pattern;
  known.entities = {write.entity};
  known.by = write.by;
  for (const LabChange& change : write.changes)
    known.by.push_back({write.entity, change.attribute});
  if (write.kind != LabWrite::Kind::kCreate) return known;
  const auto count = static_cast<int>(EntityAt(file, write.entity).attributes.size());
  for (int i = 0; i < count; ++i) known.by.push_back({write.entity, i});
  for (int entity = EntityAt(file, write.entity).parent; entity != kLabNone;
       entity = EntityAt(file, entity).parent) {
    known.by.push_back({entity, 0});
  }
  return known;
}

// Reads one request.
class DeclaredReader {
 public:
  DeclaredReader(const ReadQuestion& question, const LabRequest& request)
      : question_(question), request_(request), reading_(question.file.name) {
    reading_.file = question.file;
  }

  Result<PlanStep> Read() {
    HR_ASSIGN(const DeclaredOperation operation, FindOperation());
    std::string text = request_.json;
    text.push_back('\0');  // the parser's terminator
    Arena arena;
    Result<const JsonValue*> json =
        ParseJsonData(std::span(text.data(), text.size() - 1), JsonDialect::kDocument, arena);
    if (!json.ok()) return Refused("the request is no JSON: " + json.error().message);
    if ((*json)->type != JsonValue::Type::kObject) return Refused("the request is no map");
    step_.request.operation = request_.operation;
    step_.place = request_.place;
    HR_RETURN_IF_ERROR(
        CheckMembers(**json, *FindOperationShape(request_.operation)->input, "the request"));
    HR_RETURN_IF_ERROR(ReadTarget(**json));
    AppendObject(**json, true);
    if (!reading_.ok()) return std::move(reading_.TakeFile().error());
    if (!refusal_.empty()) return Refused(refusal_);
    step_.is_paged = operation.is_paged && (*json)->Find("Limit") == nullptr;
    if (step_.is_paged) step_.items = question_.pattern.limit;
    // Placeholders of a write are about the instances of its first role.
    if (operation.is_write) step_.written = {{.roles = {question_.role}}};
    return std::move(step_);
  }

 private:
  Error Refused(const std::string& sentence) const {
    return LabErrorAt(question_.file.name, request_.place,
                      "in the layout \"" + question_.layout.name + "\", " + sentence);
  }

  Result<DeclaredOperation> FindOperation() const {
    std::vector<std::string> names;
    for (const DeclaredOperation& operation : kOperations) {
      if (operation.name == request_.operation) return operation;
      names.emplace_back(operation.name);
    }
    return Refused("`serve` has no operation " + request_.operation + "; it has " +
                   Enumeration(names));
  }

  // Refuses members that the API does not know, and the absence of those that it needs. `what` is
  // called so in sentences.
  Status CheckMembers(const JsonValue& json, const Shape& shape, const std::string& what) const {
    if (shape.kind == ShapeKind::kList && json.type == JsonValue::Type::kArray) {
      for (const JsonValue& element : json.elements()) {
        HR_RETURN_IF_ERROR(CheckMembers(element, *shape.element, "an element of " + what));
      }
    }
    if (json.type != JsonValue::Type::kObject) return {};
    if (shape.kind == ShapeKind::kMap) {
      for (const JsonMember& member : json.members()) {
        HR_RETURN_IF_ERROR(CheckMembers(member.value, *shape.element, std::string(member.name)));
      }
    }
    return shape.kind == ShapeKind::kStructure ? CheckStructure(json, shape, what) : Status();
  }

  Status CheckStructure(const JsonValue& json, const Shape& shape, const std::string& what) const {
    for (const JsonMember& member : json.members()) {
      const auto known = std::ranges::find(shape.members, member.name, &ShapeMember::name);
      if (known == shape.members.end()) {
        return Refused(what + " of " + request_.operation + " has no member \"" +
                       std::string(member.name) + "\"" +
                       KnownNames(member.name, NamesIn(shape.members)));
      }
      HR_RETURN_IF_ERROR(CheckMembers(member.value, *known->shape, std::string(member.name)));
    }
    for (const ShapeMember& member : shape.members) {
      if (!member.is_required || json.Find(member.name) != nullptr) continue;
      return Refused(what + " of " + request_.operation + " needs the member \"" +
                     std::string(member.name) + "\"");
    }
    return {};
  }

  Status ReadTarget(const JsonValue& json) {
    const JsonValue* name = json.Find("TableName");
    if (name == nullptr || name->type != JsonValue::Type::kString) return {};
    for (const LabTable& table : question_.layout.tables) {
      if (table.name != name->string()) continue;
      step_.request.table = table.name;
      return ReadIndex(json, table);
    }
    return Refused("the layout has no table " + std::string(name->string()));
  }

  Status ReadIndex(const JsonValue& json, const LabTable& table) {
    const JsonValue* name = json.Find("IndexName");
    if (name == nullptr || name->type != JsonValue::Type::kString) return {};
    for (const LabIndex& index : table.indexes) {
      if (index.name != name->string()) continue;
      step_.request.index = index.name;
      return {};
    }
    return Refused("the table " + table.name + " has no index " + std::string(name->string()));
  }

  RequestNodes& nodes() { return step_.request.nodes; }

  void AppendObject(const JsonValue& json, bool is_outermost) {
    bool is_first = true;
    AppendText("{", nodes());
    for (const JsonMember& member : json.members()) {
      AppendText((is_first ? "" : ",") + QuotedJson(member.name) + ":", nodes());
      AppendValue(member.value);
      is_first = false;
    }
    if (is_outermost && json.Find("ReturnConsumedCapacity") == nullptr) {
      AppendText((is_first ? "" : ",") + std::string(kReturnConsumedCapacity), nodes());
    }
    AppendText("}", nodes());
  }

  void AppendValue(const JsonValue& json) {
    switch (json.type) {
      case JsonValue::Type::kObject:
        return AppendObject(json, false);
      case JsonValue::Type::kArray: {
        AppendText("[", nodes());
        for (const JsonValue& element : json.elements()) {
          if (&element != json.elements().data()) AppendText(",", nodes());
          AppendValue(element);
        }
        return AppendText("]", nodes());
      }
      case JsonValue::Type::kString:
        return AppendString(json.string());
      default:
        return AppendText(JsonText(json), nodes());
    }
  }

  void AppendString(std::string_view text) {
    if (!HasBraces(text)) return AppendText(QuotedJson(text), nodes());
    AppendText("\"", nodes());
    const int entity = question_.pattern.entities.front();
    const bool is_attribute = KnownAttribute(question_.file, entity, "now").entity != kLabNone;
    for (auto now = FindNowPlaceholder(text); now && !is_attribute;
         now = FindNowPlaceholder(text)) {
      AppendTemplate(text.substr(0, now->begin));
      AppendSlot(now->slot, nodes());
      text.remove_prefix(now->end);
    }
    AppendTemplate(text);
    AppendText("\"", nodes());
  }

  // Appends a text with placeholders of what the caller knows, within quotes.
  void AppendTemplate(std::string_view text) {
    if (text.empty()) return;
    LabNode node;
    node.place = request_.place;
    node.text = text;
    node.is_quoted = true;
    const LabTemplate parsed = ReadTemplate(node, question_.pattern.entities.front(), reading_);
    if (!reading_.ok()) return;
    KeyText resolved = ResolveTemplate(question_, parsed);
    for (KeyPiece& piece : resolved) ResolvePiece(piece);
    AppendKeyText(resolved, nodes());
  }

  // Makes a slot of a shard's number, and refuses what the caller does not know.
  void ResolvePiece(KeyPiece& piece) {
    const bool is_write = question_.pattern.kind == LabPattern::Kind::kWrite;
    if (piece.kind == KeyPiece::Kind::kSlot && is_write) {
      piece.slot.source = RequestSlot::Source::kNewValue;
    }
    if (piece.kind != KeyPiece::Kind::kUnknown) return;
    const LabTemplatePart& part = piece.slot.part;
    if (part.shards > 0 && (step_.shards == 1 || step_.shards == part.shards)) {
      step_.shards = part.shards;
      piece.kind = KeyPiece::Kind::kSlot;
      piece.slot.source = RequestSlot::Source::kShard;
      return;
    }
    refusal_ = "the caller of " + question_.pattern.name + " does not know " +
               LabAttributeAt(question_.file, part.attribute).name;
  }

  const ReadQuestion& question_;
  const LabRequest& request_;
  LabReading reading_;
  PlanStep step_;
  std::string refusal_;
};

}  // namespace

Result<PatternPlan> PlanDeclared(const LayoutModel& model, const LabServe& serve) {
  const LabFile& file = model.file_model().file();
  const LabPattern known =
      KnownToCaller(file, file.patterns[static_cast<std::size_t>(serve.pattern)]);
  const CallShape& shape = model.file_model().shape(serve.pattern);
  const int role = shape.writes.empty() ? 0 : shape.writes.front().role;
  const ReadQuestion question = {.model = model,
                                 .pattern = known,
                                 .subject = SubjectOf(model.file_model(), serve.pattern, role),
                                 .role = role,
                                 .role_entity = shape.roles[static_cast<std::size_t>(role)].entity};
  PatternPlan plan = {.pattern = serve.pattern, .service = PlanService::kDeclared};
  for (const LabRequest& request : serve.requests) {
    HR_ASSIGN(PlanStep step, DeclaredReader(question, request).Read());
    plan.steps.push_back(std::move(step));
  }
  plan.reasons.push_back("The layout says the requests itself, under `serve`");
  return plan;
}

}  // namespace hashrange
