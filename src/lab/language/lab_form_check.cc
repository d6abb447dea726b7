#include "lab/language/lab_form_check.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/library_gaps.h"
#include "base/text/short_text.h"
#include "lab/language/joined_names.h"
#include "lab/language/lab_form.h"

namespace hashrange {
namespace {

using Names = std::vector<std::string_view>;
using Leaves = std::vector<const LabForm*>;

// Which leaf of a form a node is about.

void AddLeaves(const LabForm& form, Leaves& out) {
  if (form.alternatives.empty()) return out.push_back(&form);
  for (const LabForm& alternative : form.alternatives) AddLeaves(alternative, out);
}

Leaves LeavesOf(const LabForm& form) {
  Leaves leaves;
  AddLeaves(form, leaves);
  return leaves;
}

unsigned TypesOf(const Leaves& leaves) {
  unsigned types = 0;
  for (const LabForm* const leaf : leaves) types |= leaf->types;
  return types;
}

// Returns the form of a map's member; null where the form has none for it.
const LabForm* FormOfMember(const LabForm& leaf, std::string_view name) {
  const LabForm* found = leaf.others;
  ForEachLabMember(leaf, [&](const LabMemberForm& member) {
    if (member.name == name) found = member.form;
  });
  return found;
}

bool HasMember(const LabForm& leaf, std::string_view name) {
  const LabForm* const found = FormOfMember(leaf, name);
  return found != nullptr && found != leaf.others;
}

Names MembersOf(const LabForm& leaf) {
  Names names;
  ForEachLabMember(leaf, [&](const LabMemberForm& member) { names.push_back(member.name); });
  return names;
}

Names RequiredMembersOf(const LabForm& leaf) {
  Names names;
  ForEachLabMember(leaf, [&](const LabMemberForm& member) {
    if (IsRequired(leaf, member)) names.push_back(member.name);
  });
  return names;
}

void AddWords(const LabForm& leaf, Names& out) {
  ForEachLabWord(leaf, [&](std::string_view word) { out.push_back(word); });
}

bool IsWordOf(const LabForm& leaf, std::string_view text) {
  Names words;
  AddWords(leaf, words);
  return std::ranges::find(words, text) != words.end();
}

bool IsJsonNumber(std::string_view text, bool& is_whole) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t from = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    return at - from;
  };
  const bool has_leading_zero = text.substr(at).starts_with('0');
  const std::size_t whole = digits();
  if (whole == 0 || (has_leading_zero && whole > 1)) return false;
  is_whole = at == text.size();
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (digits() == 0) return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (digits() == 0) return false;
  }
  if (at != text.size()) return false;
  double value = 0;
  return FromChars(text.data(), text.data() + text.size(), value).ec == std::errc();
}

// Returns the type that a scalar has where the mask of types is allowed.
unsigned TypeOfScalar(const LabNode& node, unsigned allowed) {
  if (node.is_quoted) return kTextValue;
  if (node.IsNull()) return kNullValue;
  const bool is_flag = node.text == "true" || node.text == "false";
  if ((allowed & kFlagValue) != 0 && is_flag) return kFlagValue;
  bool is_whole = false;
  if ((allowed & kNumberValue) != 0 && IsJsonNumber(node.text, is_whole)) {
    return is_whole ? kWholeValue : kDecimalValue;
  }
  return kTextValue;
}

// These return how well a leaf fits; below 0: not at all.
int ScoreOfScalar(const LabForm& leaf, const LabNode& node, unsigned allowed) {
  const unsigned type = TypeOfScalar(node, allowed);
  if ((leaf.types & type) == 0) return -1;
  if (leaf.words.empty() || type == kNullValue) return 1;
  return IsWordOf(leaf, node.text) ? 2 : -1;
}

int ScoreOfMap(const LabForm& leaf, const LabNode& node, bool is_only_map) {
  if ((leaf.types & kMapValue) == 0) return -1;
  const std::string_view leading = leaf.leading.name;
  int score = is_only_map ? 1 : -1;
  if (leading.empty()) score = leaf.others != nullptr ? 50 : 1;
  if (!leading.empty() && node.Find(leading) != nullptr) score = 100;
  if (score < 0) return score;
  for (const LabNode::Member& member : node.members) score += HasMember(leaf, member.name);
  return score;
}

// Returns the leaf that fits the node best; null where none fits at all.
const LabForm* BestLeaf(const Leaves& leaves, const LabNode& node) {
  const unsigned allowed = TypesOf(leaves);
  const auto maps = std::ranges::count_if(
      leaves, [](const LabForm* leaf) { return (leaf->types & kMapValue) != 0; });
  const LabForm* best = nullptr;
  int best_score = -1;
  for (const LabForm* const leaf : leaves) {
    int score = -1;
    switch (node.kind) {
      case LabNode::Kind::kScalar:
        score = ScoreOfScalar(*leaf, node, allowed);
        break;
      case LabNode::Kind::kList:
        score = (leaf->types & kListValue) != 0 ? 1 : -1;
        break;
      case LabNode::Kind::kMap:
        score = ScoreOfMap(*leaf, node, maps == 1);
        break;
    }
    if (score > best_score) {
      best = leaf;
      best_score = score;
    }
  }
  return best;
}

// Returns the alternative of the form that has the best leaf; null where none fits.
const LabForm* BestAlternative(const LabForm& form, const LabNode& node) {
  const LabForm* const best = BestLeaf(LeavesOf(form), node);
  for (const LabForm& alternative : form.alternatives) {
    const Leaves leaves = LeavesOf(alternative);
    if (std::ranges::find(leaves, best) != leaves.end()) return &alternative;
  }
  return nullptr;
}

// Sentences about nodes that have not the form of their place: what is there, what is allowed.

std::string TypesText(unsigned types) {
  struct TypeText {
    unsigned type;
    std::string_view text;
  };
  constexpr TypeText kTexts[] = {
      {kTextValue, "text"},          {kDecimalValue, "a number"}, {kWholeValue, "a whole number"},
      {kFlagValue, "true or false"}, {kListValue, "a list"},      {kMapValue, "a map"},
      {kNullValue, "null"},
  };
  Names names;
  for (const TypeText& row : kTexts) {
    const bool is_said = row.type == kWholeValue && (types & kDecimalValue) != 0;  // by "a number"
    if ((types & row.type) != 0 && !is_said) names.push_back(row.text);
  }
  return JoinedNames(names, "or");
}

// Returns what the form allows, by its title, its words or its types.
std::string AllowedText(const LabForm& form) {
  if (!form.title.empty()) return std::string(form.title);
  const Leaves leaves = LeavesOf(form);
  Names words;
  for (const LabForm* const leaf : leaves) AddWords(*leaf, words);
  return words.empty() ? TypesText(TypesOf(leaves)) : JoinedNames(words, "or");
}

std::string ScalarText(const LabNode& node) {
  constexpr std::size_t kMostBytes = 60;
  if (TypeOfScalar(node, kNumberValue) != kTextValue) return node.text;
  std::size_t bytes = std::min(node.text.size(), kMostBytes);
  while (bytes < node.text.size() && (node.text[bytes] & 0xC0) == 0x80) --bytes;
  const bool is_cut = bytes < node.text.size();
  return (node.is_quoted ? "the text \"" : "\"") + node.text.substr(0, bytes) +
         (is_cut ? "…\"" : "\"");
}

std::string NodeText(const LabNode& node) {
  switch (node.kind) {
    case LabNode::Kind::kScalar:
      if (node.IsNull()) return node.text.empty() ? "nothing" : node.text;
      return ScalarText(node);
    case LabNode::Kind::kList:
      if (node.elements.empty()) return "an empty list";
      return "a list of " + std::to_string(node.elements.size());
    case LabNode::Kind::kMap:
      return node.members.empty() ? "an empty map" : "a map";
  }
  return "";
}

std::string NotAllowed(const LabNode& node, const LabForm& form) {
  return NodeText(node) + " is not allowed here; allowed: " + AllowedText(form);
}

std::string MissingMembersSentence(const Names& missing, const LabForm& form) {
  if (missing.size() > 1) return JoinedNames(missing, "and") + " are missing";
  const std::string name(missing.front());
  Names words;
  AddWords(*FormOfMember(form, name), words);
  if (words.size() != 1) return name + " is missing";
  return name + " is missing; write `" + name + ": " + std::string(words.front()) + "`";
}

// `choice` is the form, one of whose alternatives the map's form is; null: it is of no choice.
std::string UnknownMemberSentence(std::string_view name, const LabForm& form,
                                  const LabForm* choice) {
  const std::string_view other = form.leading.name;
  if (choice != nullptr && !other.empty() && name != other) {
    for (const LabForm* const leaf : LeavesOf(*choice)) {
      if (leaf->leading.name != name) continue;
      return "only one of \"" + std::string(other) + "\" and \"" + std::string(name) +
             "\" may be here";
    }
  }
  const Names names = MembersOf(form);
  return "the name \"" + std::string(name) +
         "\" is not known here; allowed: " + JoinedNames(names, "") + DidYouMean(name, names);
}

std::string NoAlternativeSentence(const LabNode& node, const LabForm& form) {
  const Leaves leaves = LeavesOf(form);
  if (node.kind == LabNode::Kind::kScalar) {
    Names words;
    for (const LabForm* const leaf : leaves) AddWords(*leaf, words);
    return NotAllowed(node, form) + DidYouMean(node.text, words);
  }
  Names leading;
  for (const LabForm* const leaf : leaves) {
    const std::string_view name = leaf->leading.name;
    if (!name.empty()) leading.push_back(name);
  }
  if (node.kind == LabNode::Kind::kList || leading.empty()) return NotAllowed(node, form);
  std::string sentence = "a map has to have one of these names here: " + JoinedNames(leading, "");
  for (const LabNode::Member& member : node.members) {
    const std::string question = DidYouMean(member.name, leading);
    if (!question.empty()) return sentence + question;
  }
  return sentence;
}

// The search for the first node, in the order of the file, that has not the form of its place. What
// is wrong with a list or map as a whole comes behind what is wrong inside it.

// A node, and the nodes that it is in.
struct NodeInFile {
  const LabNode& node;
  const NodeInFile* parent = nullptr;
  std::string_view name = {};  // of the member of `parent`
  std::size_t number = 0;      // of the element of `parent`, from 1; 0: it is a member

  // Returns the names that lead here: "traffic > 2 > for".
  std::string Path() const {
    if (parent == nullptr) return "";
    const std::string before = parent->Path();
    const std::string last = number > 0 ? std::to_string(number) : std::string(name);
    return before.empty() ? last : before + " > " + last;
  }
  LabFault FaultAt(LabPlace place, const std::string& sentence) const {
    const std::string path = Path();
    return {place, path.empty() ? sentence : path + ": " + sentence};
  }
  LabFault Fault(const std::string& sentence) const { return FaultAt(node.place, sentence); }
};

std::optional<LabFault> FirstFault(const NodeInFile& at, const LabForm& form,
                                   const LabForm* choice);

bool IsInBounds(std::string_view text, unsigned type, const LabForm& leaf) {
  const char* const end = text.data() + text.size();
  if ((leaf.types & kDecimalValue) == 0) {
    std::int64_t whole = 0;
    return type == kWholeValue && std::from_chars(text.data(), end, whole).ec == std::errc() &&
           whole >= leaf.least && whole <= leaf.greatest;
  }
  double number = 0;
  FromChars(text.data(), end, number);
  const auto least = static_cast<double>(leaf.least);
  return (leaf.least == LabForm::kLeast ||
          (leaf.excludes_least ? number > least : number >= least)) &&
         (leaf.greatest == LabForm::kGreatest || number <= static_cast<double>(leaf.greatest));
}

std::optional<LabFault> FaultOfScalar(const NodeInFile& at, const LabForm& leaf) {
  const LabNode& node = at.node;
  const unsigned type = TypeOfScalar(node, leaf.types);
  const bool has_type = (leaf.types & type) != 0;
  if (has_type && type == kNullValue) return {};
  if (has_type && !leaf.words.empty()) {
    if (IsWordOf(leaf, node.text)) return {};
    Names words;
    if ((leaf.types & kTextValue) != 0) AddWords(leaf, words);
    return at.Fault(NotAllowed(node, leaf) + DidYouMean(node.text, words));
  }
  bool is_allowed = has_type;
  if (has_type && (type & kNumberValue) != 0) is_allowed = IsInBounds(node.text, type, leaf);
  if (has_type && type == kTextValue) {
    const bool is_written = !leaf.notation.matches || leaf.notation.matches(node.text);
    is_allowed = is_written && !(leaf.is_filled && node.text.empty());
  }
  return is_allowed ? std::nullopt : std::optional(at.Fault(NotAllowed(node, leaf)));
}

std::optional<LabFault> FaultOfList(const NodeInFile& at, const LabForm& leaf) {
  const std::vector<LabNode>& elements = at.node.elements;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    auto fault = FirstFault({elements[i], &at, "", i + 1}, *leaf.elements, nullptr);
    if (fault) return fault;
  }
  const bool has_count =
      elements.size() >= leaf.least_count && elements.size() <= leaf.greatest_count;
  return has_count ? std::nullopt : std::optional(at.Fault(NotAllowed(at.node, leaf)));
}

std::optional<LabFault> FaultOfMap(const NodeInFile& at, const LabForm& leaf,
                                   const LabForm* choice) {
  const LabNode& node = at.node;
  const bool takes_anything = leaf.others == nullptr && leaf.leading.form == nullptr &&
                              leaf.members.empty() && leaf.shared.empty();
  if (takes_anything) return {};
  for (const LabNode::Member& member : node.members) {
    const LabForm* const form = FormOfMember(leaf, member.name);
    if (form == nullptr) {
      return at.FaultAt(member.place, UnknownMemberSentence(member.name, leaf, choice));
    }
    auto fault = FirstFault({member.value, &at, member.name}, *form, nullptr);
    if (fault) return fault;
  }
  Names missing = RequiredMembersOf(leaf);
  std::erase_if(missing, [&](std::string_view name) { return node.Find(name) != nullptr; });
  if (!missing.empty()) return at.Fault(MissingMembersSentence(missing, leaf));
  const std::size_t count = node.members.size();
  const bool has_count = count >= leaf.least_count && count <= leaf.greatest_count;
  return has_count ? std::nullopt : std::optional(at.Fault(NotAllowed(node, leaf)));
}

std::optional<LabFault> FirstFault(const NodeInFile& at, const LabForm& form,
                                   const LabForm* choice) {
  const LabNode& node = at.node;
  if (!form.alternatives.empty()) {
    const LabForm* const best = BestAlternative(form, node);
    if (best == nullptr) return at.Fault(NoAlternativeSentence(node, form));
    return FirstFault(at, *best, &form);
  }
  if (node.kind == LabNode::Kind::kScalar) return FaultOfScalar(at, form);
  const bool is_list = node.kind == LabNode::Kind::kList;
  if ((form.types & (is_list ? kListValue : kMapValue)) == 0) {
    return at.Fault(NotAllowed(node, form));
  }
  return is_list ? FaultOfList(at, form) : FaultOfMap(at, form, choice);
}

// What other readers of YAML take a text without quotes for.

constexpr std::string_view kPlainNumber = "a number";  // JSON writes it in the same way: 5, -2.5
constexpr std::string_view kOddNumber = "a number of another form";
constexpr std::string_view kSexagesimal = "a number of minutes and seconds";

bool IsAllOf(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == text.npos;
}

// Returns whether the text is as YAML writes words: word, Word or WORD.
bool IsYamlWord(std::string_view text, std::string_view word) {
  const auto is_same = [](char c, char lower) { return LowerCase(c) == lower; };
  if (!std::ranges::equal(text, word, is_same)) return false;
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto uppers = std::ranges::count_if(text, is_upper);
  const auto letters = std::ranges::count_if(text, [](char c) { return c != '.'; });
  return uppers == 0 || uppers == letters || (uppers == 1 && is_upper(text[0]));
}

// Returns what a text of digits with a point or an exponent is taken for.
std::string_view MeaningOfNumber(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789";
  const bool has_plus = text.starts_with('+');
  if (has_plus || text.starts_with('-')) text.remove_prefix(1);
  if (text.empty()) return "";
  if (text.starts_with("0x")) {
    return IsAllOf(text.substr(2), "0123456789abcdefABCDEF_") ? kOddNumber : "";
  }
  if (text.starts_with("0o")) return IsAllOf(text.substr(2), "01234567") ? kOddNumber : "";
  if (text.starts_with("0b")) return IsAllOf(text.substr(2), "01_") ? kOddNumber : "";
  if (const std::size_t colon = text.find(':'); colon != text.npos) {
    const bool is_time = kDigits.find(text[0]) != kDigits.npos && text.back() != ':' &&
                         text.find("::") == text.npos && IsAllOf(text, "0123456789:");
    return is_time ? kSexagesimal : "";
  }
  const std::size_t exponent = text.find_first_of("eE");
  std::string_view power = exponent == text.npos ? "" : text.substr(exponent + 1);
  if (power.starts_with('+') || power.starts_with('-')) power.remove_prefix(1);
  if (exponent != text.npos && !IsAllOf(power, kDigits)) return "";
  const std::string_view mantissa = text.substr(0, exponent);
  const std::size_t point = mantissa.find('.');
  const std::string_view whole = mantissa.substr(0, point);
  const std::string_view fraction = point == mantissa.npos ? "0" : mantissa.substr(point + 1);
  if (whole.empty() && fraction.empty()) return "";
  if (!whole.empty() && (!IsAllOf(whole, "0123456789_") || whole[0] == '_')) return "";
  if (!fraction.empty() && !IsAllOf(fraction, kDigits)) return "";
  const bool is_plain = !has_plus && exponent == text.npos && IsAllOf(whole, kDigits) &&
                        !fraction.empty() && (whole.size() == 1 || whole[0] != '0');
  return is_plain ? kPlainNumber : kOddNumber;
}

std::string OtherMeaningSentence(std::string_view text, std::string_view meaning) {
  std::string sentence = "other readers of YAML take " + std::string(text) + " for ";
  sentence.append(meaning);
  return sentence + "; put it into quotes: \"" + std::string(text) + "\"";
}

// The traps of YAML: places where it gives something else than what was surely meant, which are
// faults, and texts that other readers take for something else, which are warnings.

bool IsNothing(const LabNode& node) { return node.IsNull() && node.text.empty(); }

bool AllowTemplate(const Leaves& leaves) {
  return std::ranges::any_of(leaves, [](const LabForm* leaf) { return leaf->is_template; });
}

class TrapSearch {
 public:
  // `form` is null where anything is allowed.
  void Look(const LabNode& node, const LabForm* form);

  std::optional<LabFault> trap = {};  // the first one
  std::vector<LabFault> warnings = {};

 private:
  void LookForBraces(const LabNode& node, const Leaves& leaves);
  void LookAtName(const LabNode::Member& member, const LabForm* leaf);
  void LookAtText(const LabNode& node, const Leaves& leaves, const LabForm* best);
  void Trap(LabPlace place, std::string sentence) {
    if (!trap) trap = LabFault{place, std::move(sentence)};
  }
  void Warn(LabPlace place, std::string sentence) {
    warnings.push_back({place, std::move(sentence)});
  }
};

void TrapSearch::Look(const LabNode& node, const LabForm* form) {
  Leaves leaves;
  if (form != nullptr) AddLeaves(*form, leaves);
  const LabForm* const best = BestLeaf(leaves, node);
  if (form != nullptr && node.is_flow) LookForBraces(node, leaves);
  if (node.kind == LabNode::Kind::kScalar) return LookAtText(node, leaves, best);
  for (const LabNode& element : node.elements) Look(element, best ? best->elements : nullptr);
  for (const LabNode::Member& member : node.members) {
    LookAtName(member, best);
    Look(member.value, best ? FormOfMember(*best, member.name) : nullptr);
  }
}

// `{customer_id}` without quotes is a map with one name and nothing behind it, and so is
// `{score:08}`; in `{sequence:8}`, a blank is missing (LookAtName).
void TrapSearch::LookForBraces(const LabNode& node, const Leaves& leaves) {
  const unsigned types = TypesOf(leaves);
  if ((types & kTextValue) == 0) return;
  if (node.kind == LabNode::Kind::kList) {
    if ((types & kListValue) != 0 || !AllowTemplate(leaves)) return;
    return Trap(node.place,
                "an unquoted `[` begins a list, and a template is expected here; put the template "
                "into quotes");
  }
  if (node.members.size() != 1 || !IsNothing(node.members[0].value)) return;
  const std::string& name = node.members[0].name;
  const std::string before_colon = name.substr(0, name.find(':'));
  const auto has_member = [&](const LabForm* leaf) { return HasMember(*leaf, before_colon); };
  if (std::ranges::any_of(leaves, has_member)) return;
  if (before_colon != name && !AllowTemplate(leaves)) return;
  const std::string what = "YAML reads the unquoted {" + name + "} as a map; ";
  Trap(node.place, AllowTemplate(leaves) ? what + "put the template into quotes: \"{" + name + "}\""
                                         : what + "write " + name + " without braces");
}

void TrapSearch::LookAtName(const LabNode::Member& member, const LabForm* leaf) {
  const std::size_t colon = member.name.find(':');
  if (!member.is_quoted && colon != std::string::npos && IsNothing(member.value)) {
    Trap(member.place, "a blank is missing behind the `:` of " + member.name +
                           "; without it, YAML takes all of it for a name");
  }
  if (member.is_quoted || (leaf != nullptr && HasMember(*leaf, member.name))) return;
  const std::string_view meaning = OtherMeaningOf(member.name);
  if (meaning.empty() || meaning == kPlainNumber) return;
  Warn(member.place, OtherMeaningSentence(member.name, meaning));
}

void TrapSearch::LookAtText(const LabNode& node, const Leaves& leaves, const LabForm* best) {
  if (node.is_quoted || leaves.empty()) return;
  if (IsNothing(node) && AllowTemplate(leaves)) {
    return Trap(node.place,
                "there is no text here; put templates into quotes, because ` #` and a `#` at the "
                "beginning start a comment");
  }
  // What is written in a fixed way needs no warning: another text would be an error.
  const bool is_free = best != nullptr && (best->types & kTextValue) != 0 && best->words.empty() &&
                       best->notation.matches == nullptr;
  if (!is_free) return;
  if (node.is_cut) {
    const std::string cut =
        "the text ends before ` #`, which begins a comment; put the text into "
        "quotes if what follows belongs to it";
    if (AllowTemplate(leaves)) return Trap(node.place, cut);
    Warn(node.place, cut);
  }
  const unsigned type = TypeOfScalar(node, TypesOf(leaves));
  const std::string_view meaning = OtherMeaningOf(node.text);
  if (meaning.empty() || type == kFlagValue || type == kNullValue) return;
  if (meaning == kPlainNumber && type != kTextValue) return;
  Warn(node.place, OtherMeaningSentence(node.text, meaning));
}

}  // namespace

Status CheckLabForms(const LabNode& root, std::string_view name,
                     std::vector<std::string>* warnings) {
  TrapSearch search;
  search.Look(root, &LabFileForm());
  const std::optional<LabFault> fault =
      search.trap ? search.trap : FirstFault({root}, LabFileForm(), nullptr);
  if (fault) return LabErrorAt(name, fault->place, fault->sentence);
  for (const LabFault& warning : search.warnings) {
    warnings->push_back(LabErrorAt(name, warning.place, warning.sentence).message);
  }
  return {};
}

std::string_view OtherMeaningOf(std::string_view text) {
  struct Word {
    std::string_view text;
    std::string_view meaning;
  };
  constexpr Word kWords[] = {
      {"yes", "true"},  {"on", "true"},     {"true", "true"},     {"no", "false"},
      {"off", "false"}, {"false", "false"}, {".inf", kOddNumber}, {".nan", kOddNumber},
  };
  for (const Word& word : kWords) {
    if (IsYamlWord(text, word.text)) return word.meaning;
  }
  return MeaningOfNumber(text);
}

}  // namespace hashrange
