#include "lab/plan/read/equal_keys.h"

#include <algorithm>
#include <bitset>
#include <string>
#include <string_view>
#include <vector>

#include "lab/language/lab_facts.h"
#include "lab/plan/request/time_buckets.h"

namespace hashrange {
namespace {

using Form = LabTemplatePart::Form;
using Kind = KeyPiece::Kind;

}  // namespace

bool IsFormOfNumber(const LabTemplatePart& part) {
  return part.form == Form::kPadded || part.form == Form::kDescend;
}

namespace {

// The characters that a value may have.
using Alphabet = std::bitset<256>;

Alphabet AlphabetOf(std::string_view characters) {
  Alphabet alphabet;
  for (const char c : characters) alphabet.set(static_cast<unsigned char>(c));
  return alphabet;
}

constexpr std::string_view kDigits = "0123456789";

Alphabet AlphabetOf(const LabFile& file, LabAttributeRef attribute, int depth);
Alphabet AlphabetOf(const LabFile& file, const LabTemplatePart& part, int depth);

// `depth` says how many references led here.
Alphabet AlphabetOf(const LabFile& file, const LabGenerator& generator, int depth) {
  using GeneratorKind = LabGenerator::Kind;
  constexpr int kMostReferences = 8;
  if (depth > kMostReferences) return Alphabet().set();
  switch (generator.kind) {
    case GeneratorKind::kConstant:
      return AlphabetOf(generator.text);
    case GeneratorKind::kSequence:
      return AlphabetOf(kDigits);
    case GeneratorKind::kUlid:
      return AlphabetOf("0123456789ABCDEFGHJKMNPQRSTVWXYZ");
    case GeneratorKind::kUuid:
      return AlphabetOf("0123456789abcdef-");
    case GeneratorKind::kTime:
      return AlphabetOf("0123456789-T:.Z");
    case GeneratorKind::kNumber:
      return AlphabetOf("0123456789-.");
    case GeneratorKind::kFlag:
      return AlphabetOf("truefalse");
    case GeneratorKind::kVector:  // no key has it
      break;
    case GeneratorKind::kText:
      return AlphabetOf("abcdefghijklmnopqrstuvwxyz ");
    case GeneratorKind::kChoice: {
      Alphabet alphabet;
      for (const LabGenerator::Choice& choice : generator.choices) {
        alphabet |= AlphabetOf(choice.value);
      }
      return alphabet;
    }
    case GeneratorKind::kTemplate: {
      Alphabet alphabet;
      for (const LabTemplatePart& part : generator.text_template.parts) {
        alphabet |= AlphabetOf(part.literal);
        alphabet |= AlphabetOf(file, part, depth + 1);
      }
      return alphabet;
    }
    case GeneratorKind::kRef:
    case GeneratorKind::kOfRef:
    case GeneratorKind::kOfAncestor:
      return AlphabetOf(file, generator.other, depth + 1);
  }
  return Alphabet().set();
}

Alphabet AlphabetOf(const LabFile& file, LabAttributeRef attribute, int depth) {
  Alphabet alphabet = AlphabetOf(file, LabAttributeAt(file, attribute).generator, depth);
  for (const LabPattern& pattern : file.patterns) {
    for (const LabWrite& write : pattern.writes) {
      if (write.entity != attribute.entity) continue;
      for (const LabChange& change : write.changes) {
        if (change.attribute != attribute.attribute) continue;
        if (change.kind == LabChange::Kind::kSet) {
          alphabet |= AlphabetOf(file, change.generator, depth + 1);
        } else if (change.kind == LabChange::Kind::kAdd) {
          alphabet |= AlphabetOf("0123456789-.");
        }
      }
    }
  }
  return alphabet;
}

// Returns the characters of what stands in the place of a placeholder.
Alphabet AlphabetOf(const LabFile& file, const LabTemplatePart& part, int depth) {
  if (part.attribute.entity == kLabNone) return {};
  if (part.shards > 0) return AlphabetOf(kDigits);
  if (part.form == Form::kUpper || part.form == Form::kLower) return Alphabet().set();
  Alphabet alphabet = AlphabetOf(file, part.attribute, depth);
  // Digits are added in front, or changed; a number that is part of a time is written as a time.
  if (IsFormOfNumber(part)) alphabet |= AlphabetOf(kDigits);
  if (IsTimeForm(part.form)) alphabet |= AlphabetOf("0123456789-T:");
  return alphabet;
}

// The same of a piece of a key; all characters where nothing is known.
Alphabet AlphabetOf(const LabFile& file, const KeyPiece& piece) {
  const LabTemplatePart& part = piece.slot.part;
  return part.attribute.entity == kLabNone ? Alphabet().set() : AlphabetOf(file, part, 0);
}

// A character of a key's text for comparing, or a placeholder that may be any text of its alphabet.
struct KeyToken {
  bool is_any = false;
  Alphabet characters = {};
};

// Returns whether both texts begin, or end, with literals that differ, as most keys do.
bool DifferAtAnEnd(const KeyText& one, const KeyText& other) {
  if (one.empty() || other.empty()) return false;
  const std::string& a = one.front().text;
  const std::string& b = other.front().text;
  const std::size_t begin = std::min(a.size(), b.size());
  if (a.compare(0, begin, b, 0, begin) != 0) return true;
  const std::string& c = one.back().text;
  const std::string& d = other.back().text;
  const std::size_t end = std::min(c.size(), d.size());
  return c.compare(c.size() - end, end, d, d.size() - end, end) != 0;
}

std::vector<KeyToken> TokensOf(const LabFile& file, const KeyText& text) {
  std::vector<KeyToken> tokens;
  for (const KeyPiece& piece : text) {
    if (piece.kind != Kind::kLiteral) {
      tokens.push_back({true, AlphabetOf(file, piece)});
      continue;
    }
    for (const char c : piece.text) tokens.push_back({false, AlphabetOf(std::string_view(&c, 1))});
  }
  return tokens;
}

}  // namespace

bool CanBeEqual(const LabFile& file, const KeyText& one, const KeyText& other) {
  if (DifferAtAnEnd(one, other)) return false;
  const std::vector<KeyToken> a = TokensOf(file, one);
  const std::vector<KeyToken> b = TokensOf(file, other);
  // reachable[j]: the first i tokens of the one and the first j of the other can be equal texts.
  std::vector<bool> reachable(b.size() + 1, false);
  for (std::size_t i = 0; i <= a.size(); ++i) {
    std::vector<bool> next(b.size() + 1, false);
    for (std::size_t j = 0; j <= b.size(); ++j) {
      bool can = i == 0 && j == 0;
      if (i > 0) can = can || (reachable[j] && a[i - 1].is_any);  // the placeholder is empty
      if (j > 0) can = can || (next[j - 1] && b[j - 1].is_any);
      if (i > 0 && j > 0 && (a[i - 1].characters & b[j - 1].characters).any()) {
        // A placeholder goes on after a character.
        can = can || reachable[j - 1] || (next[j - 1] && a[i - 1].is_any) ||
              (reachable[j] && b[j - 1].is_any);
      }
      next[j] = can;
    }
    reachable = std::move(next);
  }
  return reachable[b.size()];
}

namespace {

// Returns the characters with which what stands in the token's place begins.
Alphabet BeginningsOf(const LabFile& file, const KeyPiece& piece) {
  const LabTemplatePart& part = piece.slot.part;
  const Alphabet alphabet = AlphabetOf(file, piece);
  if (part.attribute.entity == kLabNone || part.shards > 0) return alphabet;
  using GeneratorKind = LabGenerator::Kind;
  const GeneratorKind kind = LabAttributeAt(file, RootOf(file, part.attribute)).generator.kind;
  const bool begins_with_digit = kind == GeneratorKind::kTime || kind == GeneratorKind::kUlid;
  return begins_with_digit ? alphabet & AlphabetOf(kDigits) : alphabet;
}

}  // namespace

bool IsAlwaysBefore(const LabFile& file, const KeyText& one, const KeyText& other) {
  // Literals are compared character by character, and the rest of one with the next piece.
  const auto literal_of = [](const KeyText& text) {
    const bool is_literal = !text.empty() && text.front().kind == Kind::kLiteral;
    return is_literal ? std::string_view(text.front().text) : std::string_view();
  };
  const std::string_view a = literal_of(one);
  const std::string_view b = literal_of(other);
  const auto same = static_cast<std::size_t>(
      std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  const auto next = [&](const KeyText& text, std::string_view literal) {
    if (same < literal.size()) return AlphabetOf(literal.substr(same, 1));
    const std::size_t piece = literal.empty() ? 0 : 1;
    return piece < text.size() ? BeginningsOf(file, text[piece]) : Alphabet();
  };
  const Alphabet first = next(one, a);
  const Alphabet second = next(other, b);
  if (second.none()) return false;  // the other text has ended
  std::size_t least = 0;
  while (!second.test(least)) ++least;
  return (first >> least).none();
}

}  // namespace hashrange
