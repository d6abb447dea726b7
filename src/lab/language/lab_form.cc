#include "lab/language/lab_form.h"

#include <algorithm>
#include <array>

namespace hashrange {
namespace lab_forms {
namespace {

// The notations, and what the rows are made with.

// Takes "12" or "1.5" from the beginning of the text. Returns whether it is there.
bool TakeAmount(std::string_view& text, bool& is_more_than_0) {
  const auto take_digits = [&] {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (text.substr(0, digits).find_first_not_of('0') != text.npos) is_more_than_0 = true;
    text.remove_prefix(digits);
    return digits > 0;
  };
  is_more_than_0 = false;
  if (!take_digits()) return false;
  if (!text.starts_with('.')) return true;
  text.remove_prefix(1);
  return take_digits();
}

bool IsDurationUnit(std::string_view text) {
  return text == "ms" || text == "s" || text == "m" || text == "h" || text == "d";
}

bool IsDuration(std::string_view text) {
  bool is_more_than_0 = false;
  return TakeAmount(text, is_more_than_0) && IsDurationUnit(text);
}

bool IsLength(std::string_view text) {
  bool is_more_than_0 = false;
  return TakeAmount(text, is_more_than_0) && is_more_than_0 && IsDurationUnit(text);
}

bool IsRate(std::string_view text) {
  bool is_more_than_0 = false;
  return TakeAmount(text, is_more_than_0) && is_more_than_0 &&
         (text == "/s" || text == "/min" || text == "/h" || text == "/d");
}

bool IsDotted(std::string_view text) {
  const std::size_t point = text.find('.');
  return point != text.npos && point > 0 && point + 1 < text.size() &&
         text.find('.', point + 1) == text.npos && text.find(' ') == text.npos;
}

bool IsInstant(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00Z";
  return std::ranges::equal(text, kForm, [](char c, char form) {
    return form == '0' ? c >= '0' && c <= '9' : c == form;
  });
}

constexpr LabNotation kDottedText = {"^[^. ]+[.][^. ]+$", IsDotted};
constexpr LabNotation kInstantText = {"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$",
                                      IsInstant};
constexpr LabNotation kDurationText = {"^[0-9]+([.][0-9]+)?(ms|s|m|h|d)$", IsDuration};
constexpr LabNotation kLengthText = {
    "^([0-9]*[1-9][0-9]*([.][0-9]+)?|[0-9]+[.][0-9]*[1-9][0-9]*)(ms|s|m|h|d)$", IsLength};
constexpr LabNotation kRateText = {
    "^([0-9]*[1-9][0-9]*([.][0-9]+)?|[0-9]+[.][0-9]*[1-9][0-9]*)/(s|min|h|d)$", IsRate};

constexpr LabForm Any(unsigned types) { return {.types = types}; }
constexpr LabForm Number(std::int64_t least, std::int64_t greatest = LabForm::kGreatest) {
  return {.types = kNumberValue, .least = least, .greatest = greatest};
}
constexpr LabForm Positive() { return {.types = kNumberValue, .least = 0, .excludes_least = true}; }
constexpr LabForm Whole(std::int64_t least, std::int64_t greatest = LabForm::kGreatest) {
  return {.types = kWholeValue, .least = least, .greatest = greatest};
}
constexpr LabForm FilledText() { return {.types = kTextValue, .is_filled = true}; }
constexpr LabForm Written(const LabNotation& notation) {
  return {.types = kTextValue, .notation = notation};
}
constexpr LabForm Template(unsigned types) { return {.types = types, .is_template = true}; }
constexpr LabForm OneOf(std::string_view words, LabValueType type) {
  return {.types = type, .words = words};
}
constexpr LabForm ListOf(const LabForm& element, std::size_t least = 0,
                         std::size_t greatest = LabForm::kAnyCount) {
  return {
      .types = kListValue, .elements = &element, .least_count = least, .greatest_count = greatest};
}
constexpr LabForm MapOf(const LabForm& value, std::size_t least = 0,
                        std::size_t greatest = LabForm::kAnyCount) {
  return {.types = kMapValue, .others = &value, .least_count = least, .greatest_count = greatest};
}
constexpr LabForm Map(std::span<const LabMemberForm> members,
                      std::span<const LabMemberForm> shared = {}) {
  return {.types = kMapValue, .members = members, .shared = shared};
}
// A map that is one of several alternatives, which is known by its leading member.
constexpr LabForm Led(std::string_view description, const LabMemberForm& leading,
                      std::span<const LabMemberForm> members = {},
                      std::span<const LabMemberForm> shared = {}) {
  return {.description = description,
          .types = kMapValue,
          .leading = leading,
          .members = members,
          .shared = shared};
}
constexpr LabForm MapWithOthers(std::span<const LabMemberForm> members, const LabForm& others,
                                std::string_view excluded) {
  return {.types = kMapValue, .others = &others, .members = members, .excluded = excluded};
}
constexpr LabForm Either(std::span<const LabForm> alternatives) {
  return {.alternatives = {alternatives.data(), alternatives.size()}};
}
constexpr LabForm Counted(LabForm form, std::size_t least,
                          std::size_t greatest = LabForm::kAnyCount) {
  form.least_count = least;
  form.greatest_count = greatest;
  return form;
}
constexpr LabForm OrNull(LabForm form) {
  form.types |= kNullValue;
  return form;
}
constexpr LabForm Said(std::string_view description, LabForm form) {
  form.description = description;
  return form;
}
constexpr LabForm Titled(std::string_view title, LabForm form) {
  form.title = title;
  return form;
}
constexpr LabForm Form(std::string_view name, std::string_view title, std::string_view description,
                       LabForm form) {
  form.name = name;
  return Said(description, Titled(title, form));
}
constexpr auto kRequired = LabMemberForm::Presence::kRequired;

// The rows. A form stands behind the forms that it is made of.

// Scalars, and lists of them.
constexpr LabForm kName =
    Form("name", "a name", "A name that the file gives or has given elsewhere.", FilledText());
constexpr LabForm kNames = Form("names", "a list of names", "A list of names.", ListOf(kName));
constexpr LabForm kAttributeOf =
    Form("attribute_of", "an entity and an attribute, such as Product.sku",
         "An attribute of an entity, written Entity.attribute.", Written(kDottedText));
constexpr LabForm kConstant =
    Form("constant", "a value", "A value of an attribute: text, a number, or true or false.",
         Any(kTextValue | kNumberValue | kFlagValue));
constexpr LabForm kTemplate =
    Form("template", "a template in quotes, such as \"CUST#{customer_id}\"",
         "Text with placeholders in braces, always in quotes; {created_at:day}, {total:08} and "
         "{shard(customer_id, 8)} are forms of placeholders.",
         Template(kTextValue));
constexpr LabForm kDuration =
    Form("duration", "a duration in ms, s, m, h or d, such as 30m",
         "A whole or decimal number with its unit: ms, s, m, h or d.", Written(kDurationText));
constexpr LabForm kLength =
    Form("length", "a duration of more than 0 in ms, s, m, h or d, such as 30m",
         "A whole or decimal number of more than 0 with its unit: ms, s, m, h or d.",
         Written(kLengthText));
constexpr LabForm kRate =
    Form("rate", "a rate of more than 0, such as 400/s, 30/min, 20/h or 5/d",
         "How often, by second, minute, hour or day: 400/s, 30/min, 20/h, 5/d; 10000000/s at most.",
         Written(kRateText));
constexpr LabForm kShare =
    Form("share", "a share from 0 to 1", "A part of the whole, from 0 to 1.", Number(0, 1));
constexpr LabForm kNumber = Form("number", "a number", "A number.", Any(kNumberValue));
constexpr LabForm kFactor =
    Form("factor", "a factor, 0 or more", "A multiple of the declared rates.", Number(0));
constexpr LabForm kTwoFactors = Form("two_factors", "a list of two factors",
                                     "Two multiples of the declared rates.", ListOf(kFactor, 2, 2));
constexpr LabForm kTwoNumbers =
    Form("two_numbers", "a list of two numbers", "Two numbers.", ListOf(kNumber, 2, 2));
constexpr LabForm kNotNegative = Form("", "a number, 0 or more", "A number, 0 or more.", Number(0));
constexpr LabForm kTwoCounts = Form("two_counts", "a list of two numbers, 0 or more",
                                    "Two numbers, 0 or more.", ListOf(kNotNegative, 2, 2));

// Numbers that are drawn.
constexpr LabMemberForm kCountBounds[] = {
    {"min", &kNotNegative, "What is drawn is this at least."},
    {"max", &kNotNegative, "What is drawn is this at most."},
};
constexpr LabForm kExponent = Number(0);
constexpr LabForm kPositive = Titled("a number of more than 0", Positive());
constexpr LabMemberForm kZipfDraw = {
    "zipf", &kExponent, "The exponent; 0.99 is usual, and a greater one makes fewer ranks larger."};
constexpr LabMemberForm kZipfMean[] = {
    {"mean", &kPositive, "The mean of what is drawn.", kRequired},
};
constexpr LabMemberForm kPoissonDraw = {"poisson", &kExponent, "The mean."};
constexpr LabMemberForm kLognormalDraw = {"lognormal", &kTwoNumbers,
                                          "The mean and the standard deviation of the logarithm."};
constexpr LabMemberForm kNormalDraw = {"normal", &kTwoNumbers,
                                       "The mean and the standard deviation."};
// The ways to draw a number: the number alone, two bounds in a list, or a map whose numbers have
// these forms.
constexpr std::array<LabForm, 8> Distributions(const LabForm& alone, const LabForm& number,
                                               const LabForm& two_numbers,
                                               std::span<const LabMemberForm> bounds) {
  return {
      alone,
      two_numbers,
      Led("Always the same number.", {"fixed", &number, "The number itself."}, bounds),
      Led("Any number between two bounds, each alike.",
          {"uniform", &two_numbers, "The least and the greatest number."}, bounds),
      Led("Sizes of ranks by Zipf's law: few are large and many are small.", kZipfDraw, kZipfMean,
          bounds),
      Led("A count of independent events.", kPoissonDraw, bounds),
      Led("Numbers whose logarithm is normal: prices, sizes.", kLognormalDraw, bounds),
      Led("Numbers around a mean.", kNormalDraw, bounds),
  };
}
constexpr LabForm kSameNumber =
    Form("", "a number, 0 or more", "Always the same number.", Number(0));
constexpr std::array<LabForm, 8> kDistributions =
    Distributions(kSameNumber, kNotNegative, kTwoCounts, kCountBounds);
constexpr LabForm kDistribution =
    Form("distribution", "a number, a list of two numbers, or a map with a distribution",
         "A count or a length that is drawn: a number is always the same, two numbers in a list "
         "are the bounds of a uniform draw, and a map names a distribution.",
         Either(kDistributions));
constexpr LabForm kAnyNumber = Any(kNumberValue);
constexpr LabForm kDecimals = Whole(0, 10);
constexpr LabMemberForm kDecimalsMember = {"decimals", &kDecimals,
                                           "How many decimal places the number has."};
constexpr LabMemberForm kNumberBounds[] = {
    {"min", &kAnyNumber, "What is drawn is this at least."},
    {"max", &kAnyNumber, "What is drawn is this at most."},
    kDecimalsMember,
};
constexpr std::array<LabForm, 8> kNumberDistributions =
    Distributions(kNumber, kAnyNumber, kTwoNumbers, kNumberBounds);
constexpr LabForm kNumberDistribution =
    Form("number_distribution", "a number, a list of two numbers, or a map with a distribution",
         "A number that is drawn: a number is always the same, two numbers in a list are the "
         "bounds of a uniform draw, and a map names a distribution.",
         Either(kNumberDistributions));

// Generators: how the values of attributes come about.
constexpr LabForm kTimeForm = OneOf("iso seconds milliseconds", kTextValue);
constexpr LabMemberForm kSpanForm[] = {
    {"form", &kTimeForm,
     "How the time is written: as ISO 8601 text, or as a number of seconds or milliseconds since "
     "1970."},
};
constexpr LabMemberForm kWithin[] = {
    {"within", &kDuration, "The time is at most this long after the other attribute.", kRequired},
};
constexpr LabForm kTimeSpans[] = {
    Led("A span of time.",
        {"past", &kDuration,
         "The time is at most this long before the simulation begins, or the moment of creation "
         "for what traffic creates."},
        kSpanForm),
    Led("A span of time.",
        {"ahead", &kDuration,
         "The time is at most this long after the simulation begins, or after the moment of "
         "creation."},
        kSpanForm),
    Led("A span of time.", {"after", &kName, "The time follows that of this attribute."}, kWithin,
        kSpanForm),
};
constexpr LabForm kTimeSpan = Form("time_span", "a map with past, ahead, or after and within",
                                   "The span out of which a time is drawn.", Either(kTimeSpans));
constexpr LabForm kWeight =
    Form("", "a weight, 0 or more",
         "How often the value is chosen, in proportion to the other weights.", Number(0));
constexpr LabForm kWeights =
    Form("weights", "a map of values and their weights",
         "Values and their weights, which need not add up to anything.", MapOf(kWeight, 1));
constexpr LabForm kConstants =
    Form("constants", "a list of values", "A list of values.", ListOf(kConstant, 1));
constexpr LabMemberForm kPresence[] = {
    {"present", &kShare, "The share of the items that have the attribute."},
};
constexpr LabForm kSequenceWidth = Titled("a number of digits, 1 to 18", Whole(1, 18));
constexpr LabForm kFirstNumber =
    Titled("a whole number, 0 to 100000000000000000", Whole(0, 100000000000000000));
constexpr LabMemberForm kSequenceStart[] = {
    {"start", &kFirstNumber, "The first number, 1 by default."},
};
constexpr LabForm kDimensions = Titled("a whole number, 1 to 4096", Whole(1, 4096));
constexpr LabForm kTrue = OneOf("true", kFlagValue);
constexpr LabForm kChoices[] = {
    kWeights,
    kConstants,
};
constexpr LabForm kChoice =
    Titled("a list of values, or a map of values and their weights", Either(kChoices));
constexpr LabMemberForm kNumberDecimals[] = {kDecimalsMember};
constexpr LabForm kRefPicks[] = {
    OneOf("uniform zipf", kTextValue),
    Led("By Zipf's law with an exponent.", {"zipf", &kExponent, "The exponent."}),
};
constexpr LabForm kRefPick = Titled("uniform, zipf, or {zipf: exponent}", Either(kRefPicks));
constexpr LabMemberForm kRefChoice[] = {
    {"pick", &kRefPick, "How the other instance is drawn."},
    {"with", &kName,
     "The attribute of this entity that already refers to the other instance, which is then not "
     "drawn anew."},
};
constexpr LabForm kGenerators[] = {
    Form("", "a value or a template in quotes",
         "The same value for all, or a template where it has {placeholders}.",
         Template(kTextValue | kNumberValue | kFlagValue)),
    Led("Numbers that count up.",
        {"sequence", &kSequenceWidth,
         "The number of the instance, from `start` on, with zeros in front, in so many digits."},
        kSequenceStart, kPresence),
    Led("A ULID: text that sorts by time.",
        {"ulid", &kName, "The attribute whose time the ULID has."}, kPresence),
    Led("A UUID.", {"uuid", &kTrue, "A random UUID."}, kPresence),
    Led("Text that is made of other attributes.",
        {"template", &kTemplate, "Text with placeholders of other attributes."}, kPresence),
    Led("A time.",
        {"time", &kTimeSpan,
         "When: before the beginning, after it, or after another attribute's time."},
        kSpanForm, kPresence),
    Led("One of several values.",
        {"choice", &kChoice,
         "A list of values that are equally frequent, or a map of values and their weights."},
        kPresence),
    Led("Words.", {"text", &kDistribution, "How many bytes the text has."}, kPresence),
    Led("A number.", {"number", &kNumberDistribution, "What the number is drawn from."},
        kNumberDecimals, kPresence),
    Led("A vector: a list of 32-bit floating-point numbers that are drawn, of length 1.",
        {"vector", &kDimensions, "How many numbers it has."}, kPresence),
    Led("True or false.", {"flag", &kShare, "The share of the instances that have true."},
        kPresence),
    Led("The same value for all; also text that has braces.",
        {"constant", &kConstant, "The value."}, kPresence),
    Led("The value of an instance of another entity that is drawn.",
        {"ref", &kAttributeOf, "The attribute of another entity whose value this attribute has."},
        kRefChoice, kPresence),
    Led("The value of an ancestor, copied.",
        {"of", &kAttributeOf, "The attribute of an ancestor whose value this attribute has."},
        kPresence),
};
constexpr LabForm kGenerator =
    Form("generator", "a value, a template in quotes, or a map with a generator",
         "How the values of an attribute come about. A plain value is always the same; text with "
         "{placeholders} is a template.",
         Either(kGenerators));
constexpr LabForm kAttributes =
    Form("attributes", "a map of attributes and their generators",
         "The attributes by name; the first is the identity.", MapOf(kGenerator, 1));

// Entities.
constexpr LabMemberForm kEntityMembers[] = {
    {"of", &kName, "The parent entity, where each instance belongs to one."},
    {"count", &kDistribution, "How many instances there are, or how many of each parent.",
     kRequired},
    {"distinct", &kName,
     "Of the children of one parent, no two have the same value of this attribute."},
    {"attributes", &kAttributes, "", kRequired},
};
constexpr LabForm kEntity = Form("entity", "a map with count and attributes",
                                 "What the application stores, without keys.", Map(kEntityMembers));

// What an access pattern says: what its caller knows, conditions, bounds, picks.
constexpr LabForm kKnowns[] = {
    kName,
    Form("", "{attribute: value}", "Attributes and the constants that the caller asks for.",
         MapOf(kConstant, 1)),
};
constexpr LabForm kKnown = Form("known", "an attribute, or {attribute: value}",
                                "What the caller knows: an attribute's name, or an attribute with "
                                "the constant that the caller asks for.",
                                Either(kKnowns));
constexpr LabForm kBy =
    Form("by", "a list of attributes", "All that the caller knows.", ListOf(kKnown));
constexpr LabMemberForm kComparisonMembers[] = {
    {"equal", &kConstant, "The attribute has this value."},
    {"not", &kConstant, "The attribute has another value."},
    {"below", &kConstant, "The attribute is less than this."},
    {"at_most", &kConstant, "The attribute is this or less."},
    {"above", &kConstant, "The attribute is greater than this."},
    {"at_least", &kConstant, "The attribute is this or greater."},
    {"in", &kConstants, "The attribute has one of these values."},
};
constexpr LabForm kComparison =
    Form("comparison", "a map with a comparison", "Comparisons, all of which have to hold.",
         Counted(Map(kComparisonMembers), 1));
constexpr LabForm kConditionValues[] = {
    kConstant,
    kComparison,
};
constexpr LabForm kConditionOn =
    Form("", "a value, or a map with a comparison", "A value, or a map with a comparison.",
         Either(kConditionValues));
constexpr LabForm kConditions = Form(
    "conditions", "a map of attributes and their values",
    "Attributes and the values that they have to have, or comparisons.", MapOf(kConditionOn, 1));
constexpr LabForm kTwoConstants = Titled("a list of two values", ListOf(kConstant, 2, 2));
constexpr LabMemberForm kRangeFrom[] = {
    {"to", &kConstant, "The greatest value, included."},
};
constexpr LabForm kPrefixLength = Titled("a whole number, 1 to 1024", Whole(1, 1024));
constexpr LabForm kWaysOfBounds[] = {
    Led("Times from some time ago on.", {"last", &kDuration, "Times from this long ago on."}),
    Led("Times ahead.", {"next", &kDuration, "Times from now until this far ahead."}),
    Led("From a value to a value.",
        {"between", &kTwoConstants, "The least and the greatest value, both included."}),
    Led("From a value on.", {"from", &kConstant, "The least value, included."}, kRangeFrom),
    Led("Up to a value.", {"to", &kConstant, "The greatest value, included."}),
    Led("Text by its beginning.",
        {"prefix", &kPrefixLength,
         "How many characters of the picked instance's value the caller knows."}),
};
constexpr LabForm kBounds = Form("", "a map with last, next, between, from, to or prefix",
                                 "The bounds.", Either(kWaysOfBounds));
constexpr LabForm kRange =
    Form("range", "{attribute: bounds}", "One attribute and the bounds that the caller gives.",
         MapOf(kBounds, 1, 1));
constexpr LabMemberForm kPlainPickShare[] = {
    {"share", &kShare, "This share of the instances is hot.", kRequired},
    {"traffic", &kShare, "The hot instances get this share of the calls.", kRequired},
};
constexpr LabForm kHot = Map(kPlainPickShare);
constexpr LabForm kPlainPicks[] = {
    Said("Each alike, some more often by Zipf's law, or the newest more often.",
         OneOf("uniform zipf latest", kTextValue)),
    Led("By Zipf's law with an exponent.", {"zipf", &kExponent, "The exponent; 0.99 is usual."}),
    Led("The newest more often.",
        {"latest", &kExponent, "The exponent of Zipf's law; 0.99 is usual."}),
    Led("A few get most of the calls.", {"hot", &kHot, "The hot instances."}),
};
constexpr LabForm kPlainPick =
    Form("plain_pick", "uniform, zipf, latest, or a map with zipf, latest or hot",
         "How instances are chosen.", Either(kPlainPicks));
constexpr LabMemberForm kPickOf[] = {
    {"of", &kPlainPick, "How one of those that match is chosen."},
};
constexpr LabForm kPicks[] = {
    kPlainPick,
    Led("Only instances that match.",
        {"where", &kConditions, "What the chosen instances have to have."}, kPickOf),
};
constexpr LabForm kPick =
    Form("pick", "uniform, zipf, latest, or a map with zipf, latest, hot or where",
         "Which instances the calls are about.", Either(kPicks));

// What a pattern writes.
constexpr LabForm kChanges =
    Form("changes", "a map of attributes and their new values",
         "Attributes and the generators of their new values.", MapOf(kGenerator, 1));
constexpr LabForm kAddition =
    Form("", "a number, or \"{attribute}\" in quotes",
         "A number, or \"{attribute}\" or \"-{attribute}\".", Template(kTextValue | kNumberValue));
constexpr LabForm kAdditions =
    Form("additions", "a map of attributes and what is added",
         "Number attributes and what is added to them: a number, or \"{attribute}\" or "
         "\"-{attribute}\" of the entity that the write is for.",
         MapOf(kAddition, 1));
constexpr LabMemberForm kEachMember = {
    "each", &kName,
    "The write is repeated for each created or deleted instance of this child entity, or for each "
    "existing instance of an entity that is found by a value of the first written one."};
constexpr LabMemberForm kSetMember = {"set", &kChanges, "New values of attributes."};
constexpr LabMemberForm kUniqueMember = {"unique", &kNames,
                                         "Attributes whose value nobody else may have."};
constexpr LabMemberForm kWithMember = {"with", &kNames,
                                       "The child entities that are written along with it."};
constexpr LabMemberForm kFoundByMember = {
    "by", &kBy,
    "Where `each` is not written by `with`: the value by which its instances are found."};
constexpr LabMemberForm kAlsoCreate[] = {kEachMember, kFoundByMember, kSetMember, kUniqueMember,
                                         kWithMember};
constexpr LabMemberForm kByMember = {"by", &kBy, "What the caller knows of the written instance.",
                                     kRequired};
constexpr LabMemberForm kAddMember = {"add", &kAdditions, "What is added to number attributes."};
constexpr LabMemberForm kRemoveMember = {"remove", &kNames, "Attributes that are removed."};
constexpr LabMemberForm kIfMember = {"if", &kConditions,
                                     "What has to hold, else nothing is written."};
constexpr LabMemberForm kAlsoUpdate[] = {kEachMember, kByMember,     kSetMember,
                                         kAddMember,  kRemoveMember, kIfMember};
constexpr LabMemberForm kAlsoDelete[] = {kEachMember, kByMember, kWithMember, kIfMember};
constexpr LabMemberForm kAlsoCheck[] = {kEachMember, kByMember, kIfMember};
constexpr LabForm kAlsoWrites[] = {
    Led("Creates an instance.", {"create", &kName, "The entity that is created."}, kAlsoCreate),
    Led("Updates an instance.", {"update", &kName, "The entity that is updated."}, kAlsoUpdate),
    Led("Deletes an instance.", {"delete", &kName, "The entity that is deleted."}, kAlsoDelete),
    Led("Checks an instance, and changes nothing.",
        {"check", &kName, "The entity that is checked."}, kAlsoCheck),
};
constexpr LabForm kAlso =
    Form("also", "a map with create, update, delete or check",
         "What is written along with the pattern's own write.", Either(kAlsoWrites));

// Access patterns.
constexpr LabMemberForm kRateMember = {"rate", &kRate, "How often the application calls."};
constexpr LabMemberForm kPickMember = {"pick", &kPick, "Which instances the calls are about."};
constexpr LabMemberForm kCalls[] = {kRateMember, kPickMember};
constexpr LabForm kReturns = Titled("a list of names", ListOf(kName, 1));
constexpr LabForm kFlag = Any(kFlagValue);
constexpr LabForm kBatch = Titled("a whole number, 1 to 10000", Whole(1, 10000));
constexpr LabMemberForm kReturnsMember = {
    "returns", &kReturns,
    "The attributes that the caller needs, also of what one refers to or belongs to, as "
    "author.name; without it, every attribute."};
constexpr LabMemberForm kConsistentMember = {"consistent", &kFlag,
                                             "Whether the reads are strongly consistent."};
constexpr LabMemberForm kBatchMember = {"batch", &kBatch, "How many instances one call is about."};
constexpr LabMemberForm kTransactionMember = {"transaction", &kFlag,
                                              "Whether the call is a transaction; without it, it "
                                              "is one where more than one item must agree."};
constexpr LabMemberForm kFirstQueryMembers[] = {
    {"by", &kBy, "What the caller knows.", kRequired},
};
constexpr LabForm kFirstQuery =
    Titled("a map with query and by",
           Led("Instances that are queried first.",
               {"query", &kName, "The entity that is queried first."}, kFirstQueryMembers));
constexpr LabMemberForm kFirstQueryMember = {
    "each", &kFirstQuery,
    "What the caller queries first; it asks for each of the instances that come, by what they "
    "hold, and merges the answers."};
constexpr LabForm kOrder = Titled("an attribute, or -attribute", FilledText());
constexpr LabForm kMillion = Titled("a whole number, 1 to 1000000", Whole(1, 1000000));
constexpr LabMemberForm kOrderMember = {
    "order", &kOrder,
    "The attribute by which the answer is sorted; with a minus sign, the greatest comes first."};
constexpr LabMemberForm kLimitMember = {"limit", &kMillion, "How many instances the caller wants."};
constexpr LabMemberForm kRangeMember = {"range", &kRange,
                                        "Bounds of one attribute that the caller knows."};
constexpr LabMemberForm kGetMembers[] = {
    {"by", &kBy, "What the caller knows.", kRequired},
    kFirstQueryMember,
    kReturnsMember,
    kConsistentMember,
};
constexpr LabMemberForm kQueryMembers[] = {
    {"by", &kBy, "What the caller knows."},
    kFirstQueryMember,
    kRangeMember,
    kOrderMember,
    kLimitMember,
    kReturnsMember,
    kConsistentMember,
};
constexpr LabForm kTopK = Titled("a whole number, 1 to 100", Whole(1, 100));
constexpr LabMemberForm kSearchMembers[] = {
    {"vector", &kName,
     "The attribute whose vectors are compared with the one that the caller gives; without it, the "
     "only vector of the entity."},
    {"by", &kBy, "What the caller knows, of which each has to be equal."},
    {"limit", &kTopK, "TopK: how many of the nearest the caller wants.", kRequired},
    {"returns", &kReturns,
     "The attributes that the caller needs; without it, every attribute but the vectors."},
};
constexpr LabForm kOtherForms[] = {
    Led("Reads instances by their identity.", {"get", &kName, "The entity that is read."},
        kGetMembers),
    Led("Reads several instances.", {"query", &kName, "The entity that is read."}, kQueryMembers),
};
constexpr LabForm kOtherForm = Titled("a map with get or query", Either(kOtherForms));
constexpr LabMemberForm kOrMember = {
    "or", &kOtherForm,
    "The same in another form: where a layout does not serve the first one, or serves this one "
    "for less, calls are made so."};
constexpr LabMemberForm kCallsOfGet[] = {
    kBatchMember, kTransactionMember, kOrMember, kRateMember, kPickMember,
};
constexpr LabMemberForm kCallsOfQuery[] = {kOrMember, kRateMember, kPickMember};
constexpr LabForm kQueriedEntities[] = {
    kName,
    Form("", "a list of entities", "Several entities, of which the first leads.", ListOf(kName, 1)),
};
constexpr LabForm kQueried = Titled("an entity, or a list of entities", Either(kQueriedEntities));
constexpr LabForm kAlsoList = ListOf(kAlso, 1);
constexpr LabMemberForm kAlsoMember = {"also", &kAlsoList, "What else the call writes."};
constexpr LabMemberForm kPatternCreate[] = {kWithMember, kUniqueMember, kSetMember,
                                            kAlsoMember, kBatchMember,  kTransactionMember};
constexpr LabMemberForm kPatternUpdate[] = {
    kByMember, kSetMember, kAddMember, kRemoveMember, kIfMember, kAlsoMember, kTransactionMember};
constexpr LabMemberForm kPatternDelete[] = {kByMember,   kWithMember,  kIfMember,
                                            kAlsoMember, kBatchMember, kTransactionMember};
constexpr LabForm kKindsOfPattern[] = {
    Led("Reads instances by their identity.", {"get", &kName, "The entity that is read."},
        kGetMembers, kCallsOfGet),
    Led("Reads several instances.",
        {"query", &kQueried, "The entity that is read, or several of which the first leads."},
        kQueryMembers, kCallsOfQuery),
    Led("Finds the instances whose vectors are the nearest to one that the caller gives.",
        {"search", &kName, "The entity that is searched."}, kSearchMembers, kCalls),
    Led("Creates an instance.", {"create", &kName, "The entity that is created."}, kPatternCreate,
        kCalls),
    Led("Changes an instance.", {"update", &kName, "The entity that is changed."}, kPatternUpdate,
        kCalls),
    Led("Deletes an instance.", {"delete", &kName, "The entity that is deleted."}, kPatternDelete,
        kCalls),
};
constexpr LabForm kPattern =
    Form("pattern", "a map with get, query, search, create, update or delete",
         "What the application asks, in terms of entities, without keys.", Either(kKindsOfPattern));
constexpr LabForm kUpToFourHash = Titled("a list of one to four names", ListOf(kName, 1, 4));
constexpr LabForm kUpToFourRange = Titled("a list of up to four names", ListOf(kName, 0, 4));
constexpr LabMemberForm kRangeOfKey[] = {
    {"range", &kUpToFourRange, "The attributes of the sort key."},
};

// Layouts: keys, indexes, items, tables, requests.
constexpr LabForm kKeys[] = {
    Form("", "a list of one or two attributes", "The partition key and the sort key.",
         ListOf(kName, 1, 2)),
    Led("Keys of several attributes.",
        {"hash", &kUpToFourHash, "The attributes of the partition key."}, kRangeOfKey),
};
constexpr LabForm kKey = Form("key", "a list of one or two attributes, or {hash: […], range: […]}",
                              "The key of an index: partition key and sort key, each of one "
                              "attribute in a list, or of several in a map.",
                              Either(kKeys));
constexpr LabForm kOneHash = Titled("a list of one name", ListOf(kName, 1, 1));
constexpr LabForm kOneRange = Titled("a list of one name", ListOf(kName, 0, 1));
constexpr LabMemberForm kRangeOfTableKey[] = {
    {"range", &kOneRange, "The attribute of the sort key."},
};
constexpr LabForm kTableKeys[] = {
    Form("", "a list of one or two attributes", "The partition key and the sort key.",
         ListOf(kName, 1, 2)),
    Led("The partition key and the sort key by name.",
        {"hash", &kOneHash, "The attribute of the partition key."}, kRangeOfTableKey),
};
constexpr LabForm kTableKey =
    Form("table_key", "a list of one or two attributes, or {hash: […], range: […]}",
         "The key of a table: partition key and sort key.", Either(kTableKeys));
constexpr LabMemberForm kWriteUnits[] = {
    {"write", &kMillion, "Write units a second.", kRequired},
};
constexpr LabForm kBillings[] = {
    Said("By request.", OrNull(OneOf("on_demand", kTextValue))),
    Led("Provisioned throughput.", {"read", &kMillion, "Read units a second."}, kWriteUnits),
};
constexpr LabForm kBilling =
    Form("billing", "on_demand, or {read: units, write: units}",
         "How the throughput is paid: by request, or by what is provisioned.", Either(kBillings));
constexpr LabForm kProjections[] = {
    Said("All attributes, or the keys only.", OrNull(OneOf("all keys_only", kTextValue))),
    kNames,
};
constexpr LabForm kProjection = Form("projection", "all, keys_only, or a list of attributes",
                                     "The attributes that an index holds.", Either(kProjections));
constexpr LabForm kFlagOrNull = OrNull(Any(kFlagValue));
constexpr LabMemberForm kBillingMember = {"billing", &kBilling};
constexpr LabMemberForm kIndexMembers[] = {
    {"key", &kKey},
    {"projection", &kProjection},
    {"local", &kFlagOrNull, "Whether it is a local index, with the table's partition key."},
    kBillingMember,
};
constexpr LabForm kIndex =
    Form("index", "a map of an index", "A secondary index; null removes one that `like` brought.",
         OrNull(Map(kIndexMembers)));
constexpr LabForm kNameOrNull = Titled("a name, or null", OrNull(FilledText()));
constexpr LabForm kDistance = OrNull(OneOf("cosine euclidean dot_product", kTextValue));
constexpr LabForm kDimensionsOrNull = Titled("a whole number, 1 to 4096", OrNull(Whole(1, 4096)));
constexpr LabForm kFilters = Titled("a list of up to 18 names", OrNull(ListOf(kName, 0, 18)));
constexpr LabMemberForm kVectorIndexMembers[] = {
    {"attribute", &kName, "The attribute of items that is the vector."},
    {"dimensions", &kDimensionsOrNull, "Without it, those of the attribute's generator."},
    {"distance_function", &kDistance, "How vectors are compared, cosine by default."},
    {"hash", &kNameOrNull,
     "The HASH element of the search schema: each search names its value, and reads the vectors of "
     "that value only."},
    {"filters", &kFilters,
     "The INLINE_FILTER elements of the search schema, by which searches may be narrowed."},
    {"projection", &kProjection},
};
constexpr LabForm kVectorIndex =
    Form("vector_index", "a map of a vector index",
         "A vector index; null removes one that `like` brought.", OrNull(Map(kVectorIndexMembers)));
constexpr LabMemberForm kSparseKey[] = {
    {"when", &kConditions, "The attribute is there only where this holds."},
};
constexpr LabForm kKeyTemplates[] = {
    Form("", "a template in quotes",
         "Text with {placeholders}, always in quotes; null removes what `like` brought.",
         OrNull(Template(kTextValue))),
    Led("A template for a part of the instances: a sparse key.",
        {"template", &kTemplate, "The text with placeholders."}, kSparseKey),
};
constexpr LabForm kKeyTemplate =
    Form("key_template", "a template in quotes, {template, when}, or null",
         "The template of a key attribute, or of another attribute that the item has beside those "
         "of the entity.",
         Either(kKeyTemplates));
constexpr LabForm kEmbedTarget =
    Titled("Parent.attribute, such as Order.lines", Written(kDottedText));
constexpr LabMemberForm kMapBy[] = {
    {"map_by", &kName,
     "The attribute whose value is the key in a map; without it, the children are a list."},
};
constexpr LabMemberForm kItemMembers[] = {
    {"attributes", &kNames, "The attributes of the entity that the item has; without it, all."},
    {"when", &kConditions, "The item is stored only where this holds."},
};
constexpr LabForm kKindsOfItem[] = {
    Led("Stores the entity inside the item of its parent.",
        {"embed", &kEmbedTarget,
         "The parent entity and the attribute of its item that holds the children."},
        kMapBy),
    Form("", "a map of key attributes and their templates",
         "An item of its own: key attributes and their templates.",
         MapWithOthers(kItemMembers, kKeyTemplate, "embed")),
};
constexpr LabForm kItem =
    Form("item", "a map of key attributes and their templates, or {embed: Parent.attribute}",
         "An item that is stored for each instance of the entity, or where the entity is embedded.",
         Either(kKindsOfItem));
constexpr LabForm kItemLists[] = {
    kItem,
    Form("", "a list of items", "Several items of one entity.", ListOf(kItem, 1)),
    Any(kNullValue),
};
constexpr LabForm kItemsOfEntity = Form("", "a map of key attributes, a list of such maps, or null",
                                        "One item, several, or none.", Either(kItemLists));
constexpr LabForm kItems =
    Form("items", "a map of entities and their items",
         "For each entity its item, or a list of several; null removes what `like` brought.",
         MapOf(kItemsOfEntity));
constexpr LabForm kTableClass = OrNull(OneOf("standard infrequent_access", kTextValue));
constexpr LabForm kIndexes = Titled("a map of indexes", OrNull(MapOf(kIndex)));
constexpr LabForm kVectorIndexes =
    Titled("a map of up to five vector indexes", OrNull(MapOf(kVectorIndex, 0, 5)));
constexpr LabMemberForm kTableMembers[] = {
    {"key", &kTableKey},
    kBillingMember,
    {"class", &kTableClass, "The table class."},
    {"type_attribute", &kNameOrNull,
     "The attribute that holds the entity's name, entityType by default; none switches it off."},
    {"ttl", &kNameOrNull, "The attribute that holds the time at which an item expires."},
    {"stream", &kFlagOrNull, "Whether the table has a stream."},
    {"indexes", &kIndexes, "The secondary indexes by name."},
    {"vector_indexes", &kVectorIndexes, "The vector indexes by name."},
    {"items", &kItems},
};
constexpr LabForm kTable =
    Form("table", "a map of a table", "A table; null removes one that `like` brought.",
         OrNull(Map(kTableMembers)));
constexpr LabForm kAnyMap = Any(kMapValue);
constexpr LabMemberForm kRequestMembers[] = {
    {"Query", &kAnyMap, "The members of a Query request."},
    {"Scan", &kAnyMap, "The members of a Scan request."},
    {"GetItem", &kAnyMap, "The members of a GetItem request."},
    {"PutItem", &kAnyMap, "The members of a PutItem request."},
    {"UpdateItem", &kAnyMap, "The members of a UpdateItem request."},
    {"DeleteItem", &kAnyMap, "The members of a DeleteItem request."},
    {"BatchGetItem", &kAnyMap, "The members of a BatchGetItem request."},
    {"BatchWriteItem", &kAnyMap, "The members of a BatchWriteItem request."},
    {"TransactGetItems", &kAnyMap, "The members of a TransactGetItems request."},
    {"TransactWriteItems", &kAnyMap, "The members of a TransactWriteItems request."},
};
constexpr LabForm kRequest =
    Form("request", "a map with an operation",
         "One request: the operation and its members in DynamoDB's own JSON; its strings may have "
         "{placeholders} of what the caller knows.",
         Counted(Map(kRequestMembers), 1, 1));
constexpr LabForm kRequests = Form(
    "requests", "a list of requests, or null",
    "The requests by which the layout serves the pattern, in place of those that would be derived.",
    OrNull(ListOf(kRequest, 1)));
constexpr LabForm kTables = Titled("a map of tables", MapOf(kTable, 1));
constexpr LabForm kServe = Titled("a map of patterns and requests", MapOf(kRequests));
constexpr LabMemberForm kLayoutMembers[] = {
    {"like", &kName,
     "Another layout from which this one starts: maps merge, lists and `embed` replace, null "
     "removes."},
    {"tables", &kTables, "The tables by name."},
    {"serve", &kServe, "For some patterns, the requests that serve them."},
};
constexpr LabForm kLayout =
    Form("layout", "a map with tables, like or serve", "One way to lay the entities out in tables.",
         Counted(Map(kLayoutMembers), 1));

// Traffic, the client, and limits.
constexpr LabForm kHotEntities = Titled("a map of entities and shares", MapOf(kShare, 1));
constexpr LabMemberForm kPhaseTime[] = {
    {"for", &kLength, "How long this stretch of the traffic is.", kRequired},
    {"hot", &kHotEntities,
     "For some entities, the share of the picks that are for one single instance."},
};
constexpr LabMemberForm kPeriod[] = {
    {"period", &kLength, "From one low to the next; without it, the whole phase is one period."},
};
constexpr LabForm kPhases[] = {
    Led("A constant rate.", {"rate", &kFactor, "The factor all the time."}, kPhaseTime),
    Led("A rate that rises or falls evenly.",
        {"ramp", &kTwoFactors, "The factor at the beginning and the one at the end."}, kPhaseTime),
    Led("A rate that goes up and down, beginning at the least.",
        {"sinusoid", &kTwoFactors, "The least and the greatest factor."}, kPeriod, kPhaseTime),
    Led("A rate that rises and falls.",
        {"spike", &kFactor, "The factor in the middle; it is 1 at both ends."}, kPhaseTime),
};
constexpr LabForm kPhase =
    Form("phase", "a map with for, and one of rate, ramp, sinusoid and spike",
         "A stretch of the simulated time.", Either(kPhases));
constexpr LabForm kRetries = OneOf("standard none", kTextValue);
constexpr LabForm kAttempts = Titled("a whole number, 1 to 100", Whole(1, 100));
constexpr LabMemberForm kClientMembers[] = {
    {"retries", &kRetries, "The SDKs' standard mode, or no second attempt."},
    {"attempts", &kAttempts, "The most attempts of a request, the first one included."},
    {"base_delay", &kDuration, "The first wait after a throttled request, before it is drawn."},
    {"longest_delay", &kDuration, "No wait is longer."},
    {"latency", &kDuration, "How long a request takes."},
};
constexpr LabForm kClient = Form("client", "a map of the client's settings",
                                 "What the application's SDK does.", Map(kClientMembers));
constexpr LabForm kUnitsOfPartition = Titled("a whole number, 1 to 1000000", Whole(1, 1'000'000));
constexpr LabForm kUnitsOfTable =
    Titled("a whole number, 1 to 1000000000", Whole(1, 1'000'000'000));
constexpr LabForm kPartitionBytes =
    Titled("a whole number, 1 to 1125899906842624", Whole(1, 1LL << 50));
constexpr LabForm kSplitHeat = {.title = "a number of more than 0, 100 at most",
                                .types = kNumberValue,
                                .least = 0,
                                .greatest = 100,
                                .excludes_least = true};
constexpr LabForm kItemShare = {.title = "a share of more than 0, 1 at most",
                                .types = kNumberValue,
                                .least = 0,
                                .greatest = 1,
                                .excludes_least = true};
constexpr LabMemberForm kSplitDelayMembers[] = {
    {"min", &kDuration, "At least; 0 by default."},
    {"max", &kDuration, "At most.", kRequired},
};
constexpr LabForm kSplitDelay = Titled("a map with max, and min", Map(kSplitDelayMembers));
constexpr LabMemberForm kPartitionsMembers[] = {
    {"read_units", &kUnitsOfPartition,
     "What one partition serves in a second, of strongly consistent reads; 3000 by default."},
    {"write_units", &kUnitsOfPartition, "What one partition serves in a second; 1000 by default."},
    {"new_table_read_units", &kUnitsOfTable,
     "What a new table or index on demand serves in a second; 12000 by default."},
    {"new_table_write_units", &kUnitsOfTable, "As new_table_read_units; 4000 by default."},
    {"quota_read_units", &kUnitsOfTable,
     "The most that a table or an index on demand serves in a second; 40000 by default."},
    {"quota_write_units", &kUnitsOfTable, "As quota_read_units."},
    {"partition_bytes", &kPartitionBytes, "The greatest size of a partition; 10 GB by default."},
    {"burst", &kDuration, "How long a partition saves its units; 500ms by default, 300s at most."},
    {"average", &kLength, "Over how long the demand is averaged; 60s by default, 1s at least."},
    {"split_heat", &kSplitHeat,
     "The share of what a partition serves above which it is cut; 0.9 by default."},
    {"split_after", &kDuration,
     "How long a partition has to be so hot until it is cut; 5m by default."},
    {"split_delay", &kSplitDelay, "How much longer a cut takes; 1m to 5m by default."},
    {"one_item_share", &kItemShare,
     "A partition is not cut when one item takes this share of its demand; 0.8 by default."},
    {"growth_after", &kDuration,
     "How long after its busiest minute a table on demand serves twice as much; 30m by default."},
};
constexpr LabForm kPartitions =
    Form("partitions", "a map of what partitions serve, and when they are cut",
         "Other partitions than the service has, such as smaller ones for less traffic.",
         Map(kPartitionsMembers));
constexpr LabMemberForm kPatternLimitsMembers[] = {
    {"read_units", &kNotNegative, "Read units, on average."},
    {"write_units", &kNotNegative, "Write units, on average."},
    {"read_units_p99", &kNotNegative, "Read units of 99 in 100 calls."},
    {"write_units_p99", &kNotNegative, "Write units of 99 in 100 calls."},
    {"requests", &kNotNegative, "Requests, on average."},
    {"requests_p99", &kNotNegative, "Requests of 99 in 100 calls."},
};
constexpr LabForm kPatternLimits =
    Form("pattern_limits", "a map of limits", "The limits of one pattern, for one call.",
         Map(kPatternLimitsMembers));
constexpr LabForm kFindings = Titled("a whole number, 0 to 1000000", Whole(0, 1000000));
constexpr LabForm kLimitsOfPatterns =
    Titled("a map of patterns and their limits", MapOf(kPatternLimits));
constexpr LabMemberForm kLimitsMembers[] = {
    {"headroom", &kPositive, "The first limit is at least this multiple of the declared rates."},
    {"throttled", &kShare, "The greatest share of requests that are throttled."},
    {"failed", &kShare, "The greatest share of calls that fail after all attempts."},
    {"wrong", &kShare,
     "The greatest share of calls that are answered wrong, because items have the same key."},
    {"month_usd", &kPositive, "What a month costs at most, in US dollars."},
    {"storage_gb", &kPositive, "The size of all tables and indexes at most, in GB."},
    {"largest_collection_mb", &kPositive,
     "The size of the largest item collection at most, in MB."},
    {"severe_findings", &kFindings, "How many severe findings there may be."},
    {"patterns", &kLimitsOfPatterns, "Limits of single patterns, by name."},
};
constexpr LabForm kLimits = Form("limits", "a map of the limits of one layout, or of \"*\" for all",
                                 "What `hashrange lab check` holds.", Map(kLimitsMembers));

// The whole file.
constexpr LabForm kVersion = Titled("1, the version of the form", OneOf("1", kWholeValue));
constexpr LabForm kSeed = Titled("a whole number, 0 or more", Whole(0));
constexpr LabForm kStartTime =
    Titled("a time in UTC, such as 2026-01-01T00:00:00Z", Written(kInstantText));
constexpr LabForm kEntities = Titled("a map of entities", MapOf(kEntity, 1));
constexpr LabForm kPatterns = Titled("a map of access patterns", MapOf(kPattern, 1));
constexpr LabForm kLayouts = Titled("a map of layouts", MapOf(kLayout, 1));
constexpr LabForm kTraffic = Titled("a list of phases", ListOf(kPhase, 1));
constexpr LabForm kLimitsOfLayouts = Titled("a map of layouts and their limits", MapOf(kLimits));
constexpr LabMemberForm kRootMembers[] = {
    {"lab", &kVersion, "The version of the form of this file.", kRequired},
    {"seed", &kSeed,
     "Another seed gives other values and other calls; the same seed gives the same ones."},
    {"start", &kStartTime, "When the simulation begins."},
    {"tenant", &kName,
     "The attribute that names the tenant, as Entity.attribute or as the identity's name; each "
     "partition key has to be led by it."},
    {"entities", &kEntities, "What the application stores, by name, without keys.", kRequired},
    {"access_patterns", &kPatterns, "What the application asks, by name, in terms of entities.",
     kRequired},
    {"layouts", &kLayouts,
     "The layouts that are compared, by name; only `hashrange lab propose` can do without."},
    {"traffic", &kTraffic,
     "How the rates go over the simulated time; without it, the declared rates for ten minutes."},
    {"client", &kClient},
    {"partitions", &kPartitions},
    {"limits", &kLimitsOfLayouts,
     "What `hashrange lab check` holds, under \"*\" for all layouts or under a layout's name."},
};
constexpr LabForm kFile =
    Form("", "a Hashrange lab file: a map with lab, entities, access_patterns and layouts",
         "Several layouts of one application side by side: entities, access patterns, key layouts "
         "and traffic.",
         Map(kRootMembers));
constexpr const LabForm* kNamedForms[] = {
    &kName,       &kNames,         &kAttributeOf,  &kConstant,
    &kTemplate,   &kDuration,      &kLength,       &kRate,
    &kShare,      &kNumber,        &kFactor,       &kTwoFactors,
    &kTwoNumbers, &kTwoCounts,     &kDistribution, &kNumberDistribution,
    &kTimeSpan,   &kWeights,       &kConstants,    &kGenerator,
    &kAttributes, &kEntity,        &kKnown,        &kBy,
    &kComparison, &kConditions,    &kRange,        &kPlainPick,
    &kPick,       &kChanges,       &kAdditions,    &kAlso,
    &kPattern,    &kKey,           &kTableKey,     &kBilling,
    &kProjection, &kIndex,         &kVectorIndex,  &kKeyTemplate,
    &kItem,       &kItems,         &kTable,        &kRequest,
    &kRequests,   &kLayout,        &kPhase,        &kClient,
    &kPartitions, &kPatternLimits, &kLimits};
}  // namespace
}  // namespace lab_forms

const LabForm& LabFileForm() { return lab_forms::kFile; }

std::span<const LabForm* const> NamedLabForms() { return lab_forms::kNamedForms; }

}  // namespace hashrange
