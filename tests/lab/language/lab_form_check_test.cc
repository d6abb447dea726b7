#include "lab/language/lab_form_check.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/file_text.h"
#include "support/source_root.h"

namespace hashrange {
namespace {

constexpr std::string_view kGood = R"(lab: 1
entities:
  Customer: {count: 5, attributes: {customer_id: {sequence: 8}, created_at: {time: {past: 730d}}}}
access_patterns:
  customer: {get: Customer, by: [customer_id], rate: 4/s}
layouts:
  one:
    tables:
      shop:
        key: [PK, SK]
        items:
          Customer: {PK: "C#{customer_id}", SK: METADATA}
)";

// A change of the good file, and the sentence that it gets.
struct Change {
  std::string_view from;  // "": `to` is added at the end
  std::string_view to;
  std::string_view sentence;
};

std::string Changed(const Change& change) {
  std::string text(kGood);
  if (change.from.empty()) return text.append(change.to);
  return text.replace(text.find(change.from), change.from.size(), change.to);
}

// Returns "ok" with the warnings behind it, each in a line, or the error's sentence.
std::string Check(std::string_view text) {
  const Result<LabNode> tree = ReadLabDocument(text, "x");
  if (!tree.ok()) return tree.error().message;
  std::vector<std::string> warnings;
  const Status status = CheckLabForms(*tree, "x", &warnings);
  if (!status.ok()) return status.error().message;
  std::string lines = "ok";
  for (const std::string& warning : warnings) lines += '\n' + warning;
  return lines;
}

// clang-format off
constexpr Change kWrong[] = {
    {"lab: 1", "lab: 2",
     "x:1:6: lab: 2 is not allowed here; allowed: 1, the version of the form"},
    {"lab: 1", "lab: one",
     R"(x:1:6: lab: "one" is not allowed here; allowed: 1, the version of the form)"},
    {"lab: 1\n", "",
     "x:1:1: lab is missing; write `lab: 1`"},
    {"entities:", "entites:",
     R"(x:2:1: the name "entites" is not known here; allowed: lab, seed, start, tenant, entities, access_patterns, layouts, traffic, client, partitions, limits; did you mean "entities"?)"},
    {"count: 5", "count: many",
     R"(x:3:21: entities > Customer > count: "many" is not allowed here; allowed: a number, a list of two numbers, or a map with a distribution)"},
    {"count: 5", "count: [1]",
     "x:3:21: entities > Customer > count: a list of 1 is not allowed here; allowed: a list of two numbers, 0 or more"},
    {"count: 5", "count: {zipf: 0.9}",
     "x:3:21: entities > Customer > count: mean is missing"},
    {"count: 5", "count: {zipff: 0.9, mean: 3}",
     R"(x:3:21: entities > Customer > count: a map has to have one of these names here: fixed, uniform, zipf, poisson, lognormal, normal; did you mean "zipf"?)"},
    {"count: 5", "count: {poisson: 3, maximum: 4}",
     R"(x:3:34: entities > Customer > count: the name "maximum" is not known here; allowed: poisson, min, max)"},
    {"count: 5, ", "",
     "x:3:13: entities > Customer: count is missing"},
    {"{sequence: 8}", "{sequence: 80}",
     "x:3:61: entities > Customer > attributes > customer_id > sequence: 80 is not allowed here; allowed: a number of digits, 1 to 18"},
    {"{sequence: 8}", R"({sequence: "8"})",
     R"(x:3:61: entities > Customer > attributes > customer_id > sequence: the text "8" is not allowed here; allowed: a number of digits, 1 to 18)"},
    {"{sequence: 8}", "{sequnce: 8}",
     R"(x:3:50: entities > Customer > attributes > customer_id: a map has to have one of these names here: sequence, ulid, uuid, template, time, choice, text, number, vector, flag, constant, ref, of; did you mean "sequence"?)"},
    {"{sequence: 8}", "{customer_id}",
     R"(x:3:50: YAML reads the unquoted {customer_id} as a map; put the template into quotes: "{customer_id}")"},
    {"{sequence: 8}", "C{customer_id}",
     "x:3:51: inside of brackets, a text without quotes ends before `{`; put the text into quotes"},
    {"{sequence: 8}", "",
     "x:3:37: there is no text here; put templates into quotes, because ` #` and a `#` at the beginning start a comment"},
    {"{sequence: 8}", "{sequence: 8, text: 4}",
     R"(x:3:64: entities > Customer > attributes > customer_id: only one of "sequence" and "text" may be here)"},
    {"{sequence: 8}", "{choice: {NO: 3, YES: x}}",
     R"(x:3:72: entities > Customer > attributes > customer_id > choice > YES: "x" is not allowed here; allowed: a weight, 0 or more)"},
    {"{sequence: 8}", "{choice: []}",
     "x:3:59: entities > Customer > attributes > customer_id > choice: an empty list is not allowed here; allowed: a list of values"},
    {"{sequence: 8}", "{uuid: false}",
     R"(x:3:57: entities > Customer > attributes > customer_id > uuid: "false" is not allowed here; allowed: true)"},
    {"{sequence: 8}", "{uuid}",
     "x:3:51: entities > Customer > attributes > customer_id > uuid: nothing is not allowed here; allowed: true"},
    {"{sequence: 8}", "{ref: sku}",
     R"(x:3:56: entities > Customer > attributes > customer_id > ref: "sku" is not allowed here; allowed: an entity and an attribute, such as Product.sku)"},
    {"{sequence: 8}", "{ref: Product.sku, pick: zip}",
     R"(x:3:75: entities > Customer > attributes > customer_id > pick: "zip" is not allowed here; allowed: uniform, zipf, or {zipf: exponent}; did you mean "zipf"?)"},
    {"{sequence: 8}", "[1, 2]",
     "x:3:50: an unquoted `[` begins a list, and a template is expected here; put the template into quotes"},
    {"730d", "730",
     "x:3:91: entities > Customer > attributes > created_at > time > past: 730 is not allowed here; allowed: a duration in ms, s, m, h or d, such as 30m"},
    {"730d", "730 days",
     R"(x:3:91: entities > Customer > attributes > created_at > time > past: "730 days" is not allowed here; allowed: a duration in ms, s, m, h or d, such as 30m)"},
    {"{past: 730d}", "730d",
     R"(x:3:84: entities > Customer > attributes > created_at > time: "730d" is not allowed here; allowed: a map with past, ahead, or after and within)"},
    {"{past: 730d}", "{past: 3d, form: second}",
     R"(x:3:101: entities > Customer > attributes > created_at > time > form: "second" is not allowed here; allowed: iso, seconds or milliseconds; did you mean "seconds"?)"},
    {"{past: 730d}", "{after: x}",
     "x:3:84: entities > Customer > attributes > created_at > time: within is missing"},
    {"4/s", "4",
     "x:5:54: access_patterns > customer > rate: 4 is not allowed here; allowed: a rate of more than 0, such as 400/s, 30/min, 20/h or 5/d"},
    {"4/s", "4/sec",
     R"(x:5:54: access_patterns > customer > rate: "4/sec" is not allowed here; allowed: a rate of more than 0, such as 400/s, 30/min, 20/h or 5/d)"},
    {"rate: 4/s", "rate:4/s",
     "x:5:48: a blank is missing behind the `:` of rate:4/s; without it, YAML takes all of it for a name"},
    {"get: Customer", "gets: Customer",
     R"(x:5:13: access_patterns > customer: a map has to have one of these names here: get, query, search, create, update, delete; did you mean "get"?)"},
    {"get: Customer", "get: [Customer]",
     "x:5:19: access_patterns > customer > get: a list of 1 is not allowed here; allowed: a name"},
    {"[customer_id]", "customer_id",
     R"(x:5:33: access_patterns > customer > by: "customer_id" is not allowed here; allowed: a list of attributes)"},
    {"[customer_id]", "[{customer_id}]",
     "x:5:34: YAML reads the unquoted {customer_id} as a map; write customer_id without braces"},
    {"[customer_id]", "[customer_id, {status: [1]}]",
     "x:5:56: access_patterns > customer > by > 2 > status: a list of 1 is not allowed here; allowed: a value"},
    {"rate: 4/s", "limit: 4",
     R"(x:5:48: access_patterns > customer: the name "limit" is not known here; allowed: get, by, each, returns, consistent, batch, transaction, or, rate, pick)"},
    {"rate: 4/s", "consistent: yes",
     R"(x:5:60: access_patterns > customer > consistent: "yes" is not allowed here; allowed: true or false)"},
    {"rate: 4/s", "pick: hot",
     R"(x:5:54: access_patterns > customer > pick: "hot" is not allowed here; allowed: uniform, zipf, latest, or a map with zipf, latest, hot or where)"},
    {"rate: 4/s", "pick: latests",
     R"(x:5:54: access_patterns > customer > pick: "latests" is not allowed here; allowed: uniform, zipf, latest, or a map with zipf, latest, hot or where; did you mean "latest"?)"},
    {"rate: 4/s", "pick: {hot: {share: 2, traffic: 0.5}}",
     "x:5:68: access_patterns > customer > pick > hot > share: 2 is not allowed here; allowed: a share from 0 to 1"},
    {"rate: 4/s", "pick: {zip: 1}",
     R"(x:5:54: access_patterns > customer > pick: a map has to have one of these names here: zipf, latest, hot, where; did you mean "zipf"?)"},
    {"rate: 4/s", "batch: 0",
     "x:5:55: access_patterns > customer > batch: 0 is not allowed here; allowed: a whole number, 1 to 10000"},
    {"key: [PK, SK]", "key: [PK, SK, X]",
     "x:10:14: layouts > one > tables > shop > key: a list of 3 is not allowed here; allowed: a list of one or two attributes"},
    {"key: [PK, SK]", "key: PK",
     R"(x:10:14: layouts > one > tables > shop > key: "PK" is not allowed here; allowed: a list of one or two attributes, or {hash: […], range: […]})"},
    {"key: [PK, SK]", "keys: [PK, SK]",
     R"(x:10:9: layouts > one > tables > shop: the name "keys" is not known here; allowed: key, billing, class, type_attribute, ttl, stream, indexes, vector_indexes, items; did you mean "key"?)"},
    {"key: [PK, SK]", "billing: ondemand",
     R"(x:10:18: layouts > one > tables > shop > billing: "ondemand" is not allowed here; allowed: on_demand, or {read: units, write: units}; did you mean "on_demand"?)"},
    {"key: [PK, SK]", "billing: {read: 1}",
     "x:10:18: layouts > one > tables > shop > billing: write is missing"},
    {"key: [PK, SK]", "indexes: {G: {key: [A], projection: some}}",
     R"(x:10:45: layouts > one > tables > shop > indexes > G > projection: "some" is not allowed here; allowed: all, keys_only, or a list of attributes)"},
    {"key: [PK, SK]", "class: cheap",
     R"(x:10:16: layouts > one > tables > shop > class: "cheap" is not allowed here; allowed: standard or infrequent_access)"},
    {R"("C#{customer_id}")", "C#{customer_id}",
     "x:12:28: inside of brackets, a text without quotes ends before `{`; put the text into quotes"},
    {R"("C#{customer_id}")", "{customer_id}",
     R"(x:12:26: YAML reads the unquoted {customer_id} as a map; put the template into quotes: "{customer_id}")"},
    {R"("C#{customer_id}")", "{score:010}",
     R"(x:12:26: YAML reads the unquoted {score:010} as a map; put the template into quotes: "{score:010}")"},
    {R"("C#{customer_id}")", "{template:x}",
     "x:12:27: a blank is missing behind the `:` of template:x; without it, YAML takes all of it for a name"},
    {R"("C#{customer_id}")", "[{customer_id}]",
     "x:12:26: an unquoted `[` begins a list, and a template is expected here; put the template into quotes"},
    {R"("C#{customer_id}")", "{customer_id}#X",
     "x:12:21: this `{` is not closed; mind that a `#` behind a blank or a bracket begins a comment"},
    {R"("C#{customer_id}")", "C #{customer_id}\n             ",
     "x:12:26: the text ends before ` #`, which begins a comment; put the text into quotes if what follows belongs to it"},
    {R"("C#{customer_id}")", "{template: 7, whn: {a: b}}",
     R"(x:12:40: layouts > one > tables > shop > items > Customer > PK: the name "whn" is not known here; allowed: template, when; did you mean "when"?)"},
    {"SK: METADATA", "SK: @x",
     "x:12:49: a text without quotes may not begin with `@`; put the text into quotes"},
    {"SK: METADATA", "SK: `x",
     "x:12:49: a text without quotes may not begin with a backtick; put the text into quotes"},
    {"SK: METADATA", "SK: *x",
     "x:12:49: an unquoted `*` begins an alias, and there is no anchor of that name; put the text into quotes"},
    {"SK: METADATA", "SK: &x",
     "x:12:49: an unquoted `&` begins an anchor, and nothing follows it; put the text into quotes"},
    {"SK: METADATA", "SK: %x",
     "x:12:49: a text without quotes may not begin with `%`; put the text into quotes"},
    {"SK: METADATA", "SK: !x",
     "x:12:49: an unquoted `!` begins a tag, which a lab file has none of; put the text into quotes"},
    {"SK: METADATA", "SK: a: b",
     "x:12:50: a second `:` in one member; put a text with a `:` into quotes"},
    {"SK: METADATA", "embed: Order",
     R"(x:12:22: layouts > one > tables > shop > items > Customer: the name "PK" is not known here; allowed: embed, map_by)"},
    {R"(Customer: {PK: "C#{customer_id}", SK: METADATA})", "Customer: {embed: Order.lines, by: x}",
     R"(x:12:42: layouts > one > tables > shop > items > Customer: the name "by" is not known here; allowed: embed, map_by)"},
    {R"(Customer: {PK: "C#{customer_id}", SK: METADATA})", "Customer:\n            PK: USER #{id}",
     "x:13:17: the text ends before ` #`, which begins a comment; put the text into quotes if what follows belongs to it"},
    {R"(Customer: {PK: "C#{customer_id}", SK: METADATA})", "Customer:\n            PK: USER#{id}\n            SK: USER #{id}",
     "x:14:17: the text ends before ` #`, which begins a comment; put the text into quotes if what follows belongs to it"},
    {R"(Customer: {PK: "C#{customer_id}", SK: METADATA})", "Customer:\n            PK: #{id}\n            SK: x",
     "x:13:13: there is no text here; put templates into quotes, because ` #` and a `#` at the beginning start a comment"},
    {R"(Customer: {PK: "C#{customer_id}", SK: METADATA})", "Customer:\n            PK: {id}#x\n            SK: x",
     R"(x:13:17: YAML reads the unquoted {id} as a map; put the template into quotes: "{id}")"},
    {R"(Customer: {PK: "C#{customer_id}", SK: METADATA})", "Customer:\n            PK:x\n            SK: x",
     "x:13:15: a blank is missing behind this `:`; without it, YAML takes all of it for one text"},
    {R"(Customer: {PK: "C#{customer_id}", SK: METADATA})", "Customer:\n\t\tPK: x",
     "x:13:1: a tab indents this line; YAML takes blanks only"},
    {R"(Customer: {PK: "C#{customer_id}", SK: METADATA})", "Customer:\n            PK: a: b",
     "x:13:18: a `:` does not belong here; put a text with a `:` into quotes"},
    {R"(Customer: {PK: "C#{customer_id}", SK: METADATA})", "Customer:\n            PK: @b",
     "x:13:17: a text without quotes may not begin with `@`; put the text into quotes"},
    {R"(Customer: {PK: "C#{customer_id}", SK: METADATA})", "Customer:\n            PK: `b",
     "x:13:17: a text without quotes may not begin with a backtick; put the text into quotes"},
    {R"(Customer: {PK: "C#{customer_id}", SK: METADATA})", "Customer:\n            PK: *b",
     "x:13:17: an unquoted `*` begins an alias, and there is no anchor of that name; put the text into quotes"},
    {R"(Customer: {PK: "C#{customer_id}", SK: METADATA})", "Customer:\n            PK: & b",
     "x:13:17: an unquoted `&` begins an anchor, and no name follows; put the text into quotes"},
    {R"(Customer: {PK: "C#{customer_id}", SK: METADATA})", "Customer:\n            PK: %b",
     "x:13:17: a text without quotes may not begin with `%`; put the text into quotes"},
    {R"(Customer: {PK: "C#{customer_id}", SK: METADATA})", "Customer:\n            PK: \"b",
     "x:13:17: this quote is not closed"},
    {R"(Customer: {PK: "C#{customer_id}", SK: METADATA})", "Customer:\n            PK: \"b\\d\"",
     "x:13:21: in double quotes, a backslash begins an escape, and this is none; write two backslashes, or use single quotes"},
    {R"(Customer: {PK: "C#{customer_id}", SK: METADATA})", "Customer:\n            PK: \"a\"b",
     R"(x:13:20: behind the `"` that closes it, the value is over; put all of the text into quotes)"},
    {R"(Customer: {PK: "C#{customer_id}", SK: METADATA})", "Customer: {PK: a, SK: [b",
     "x:12:33: this `[` is not closed; mind that a `#` behind a blank or a bracket begins a comment"},
    {R"(Customer: {PK: "C#{customer_id}", SK: METADATA})", "Customer: {PK: a, SK: b",
     "x:12:21: this `{` is not closed; mind that a `#` behind a blank or a bracket begins a comment"},
    {R"(Customer: {PK: "C#{customer_id}", SK: METADATA})", "Customer: {PK: a, PK: b}",
     R"(x:12:29: the name "PK" is here a second time; line 12 has it, too. A name may be given once)"},
    {R"(Customer: {PK: "C#{customer_id}", SK: METADATA})", "Customer: {PK: {{a}}, PK: b}",
     "x:12:27: a name has to be a text; an unquoted `{` begins a map and an unquoted `[` a list. Put the text into quotes"},
    {R"(Customer: {PK: "C#{customer_id}", SK: METADATA})", "Customer: {PK: a]}",
     "x:12:27: this `]` closes nothing that was opened before it"},
    {R"(Customer: {PK: "C#{customer_id}", SK: METADATA})", "Customer: {PK: a}}",
     "x:12:28: this `}` closes nothing that was opened before it"},
    {R"(Customer: {PK: "C#{customer_id}", SK: METADATA})", "- Customer",
     "x:12:11: layouts > one > tables > shop > items: a list of 1 is not allowed here; allowed: a map of entities and their items"},
    {R"(Customer: {PK: "C#{customer_id}", SK: METADATA})", "  Customer: x\n         Order: y",
     "x:13:10: this line does not fit the lines above it; check its indentation, and that a `:` follows the name"},
    {"  one:", "  one: []\n  two:",
     "x:7:8: layouts > one: an empty list is not allowed here; allowed: a map with tables, like or serve"},
    {"  one:", "  one: {like: x, sevre: {}}\n  two:",
     R"(x:7:18: layouts > one: the name "sevre" is not known here; allowed: like, tables, serve; did you mean "serve"?)"},
    {"  one:", "  one: {serve: {x: [{Querry: {TableName: x}}]}}\n  two:",
     R"(x:7:22: layouts > one > serve > x > 1: the name "Querry" is not known here; allowed: Query, Scan, GetItem, PutItem, UpdateItem, DeleteItem, BatchGetItem, BatchWriteItem, TransactGetItems, TransactWriteItems; did you mean "Query"?)"},
    {"", "traffic: [{for: 1h}]",
     "x:13:11: traffic > 1: a map has to have one of these names here: rate, ramp, sinusoid, spike"},
    {"", "traffic: []",
     "x:13:10: traffic: an empty list is not allowed here; allowed: a list of phases"},
    {"", "traffic: {for: 1h, rate: 1}",
     "x:13:10: traffic: a map is not allowed here; allowed: a list of phases"},
    {"", "traffic: [{for: 1h, rate: -1}]",
     "x:13:27: traffic > 1 > rate: -1 is not allowed here; allowed: a factor, 0 or more"},
    {"", "traffic: [{for: 1h, ramp: [1]}]",
     "x:13:27: traffic > 1 > ramp: a list of 1 is not allowed here; allowed: a list of two factors"},
    {"", "traffic: [{for: 1h, sinusoid: [1]}]",
     "x:13:31: traffic > 1 > sinusoid: a list of 1 is not allowed here; allowed: a list of two factors"},
    {"", "traffic: [{rate: 1}]",
     "x:13:11: traffic > 1: for is missing"},
    {"", "traffic: [{for: 1 h, rate: 1}]",
     R"(x:13:17: traffic > 1 > for: "1 h" is not allowed here; allowed: a duration of more than 0 in ms, s, m, h or d, such as 30m)"},
    {"", "traffic: [{for: 1h, rate: 1, hot: {Product: 3}}]",
     "x:13:45: traffic > 1 > hot > Product: 3 is not allowed here; allowed: a share from 0 to 1"},
    {"", R"(limits: {"*": {headrom: 5}})",
     R"(x:13:16: limits > *: the name "headrom" is not known here; allowed: headroom, throttled, failed, wrong, month_usd, storage_gb, largest_collection_mb, severe_findings, patterns; did you mean "headroom"?)"},
    {"", "limits: {headroom: 5}",
     R"(x:13:20: limits > headroom: 5 is not allowed here; allowed: a map of the limits of one layout, or of "*" for all)"},
    {"", R"(limits: {"*": {throttled: 5}})",
     "x:13:27: limits > * > throttled: 5 is not allowed here; allowed: a share from 0 to 1"},
    {"", "client: {attempts: 0}",
     "x:13:20: client > attempts: 0 is not allowed here; allowed: a whole number, 1 to 100"},
    {"", "client: {retries: adaptive}",
     R"(x:13:19: client > retries: "adaptive" is not allowed here; allowed: standard or none)"},
    {"", "seed: -1",
     "x:13:7: seed: -1 is not allowed here; allowed: a whole number, 0 or more"},
    {"", "seed: 1.5",
     "x:13:7: seed: 1.5 is not allowed here; allowed: a whole number, 0 or more"},
    {"", "start: 2026-01-01",
     R"(x:13:8: start: "2026-01-01" is not allowed here; allowed: a time in UTC, such as 2026-01-01T00:00:00Z)"},
    {"", "tenant: [a]",
     "x:13:9: tenant: a list of 1 is not allowed here; allowed: a name"},
    {"", "seed: 99999999999999999999",
     "x:13:7: seed: 99999999999999999999 is not allowed here; allowed: a whole number, 0 or more"},
    {"", "seed: 1e400",
     R"(x:13:7: seed: "1e400" is not allowed here; allowed: a whole number, 0 or more)"},
};

constexpr Change kDoubtful[] = {
    {"{sequence: 8}", "NO",
     R"(x:3:50: other readers of YAML take NO for false; put it into quotes: "NO")"},
    {"{sequence: 8}", "0007",
     R"(x:3:50: other readers of YAML take 0007 for a number of another form; put it into quotes: "0007")"},
    {"{sequence: 8}", "{choice: {NO: 3, YES: 1}}",
     "x:3:60: other readers of YAML take NO for false; put it into quotes: \"NO\"\nx:3:67: other readers of YAML take YES for true; put it into quotes: \"YES\""},
    {"SK: METADATA", "SK: 0007",
     R"(x:12:49: other readers of YAML take 0007 for a number of another form; put it into quotes: "0007")"},
    {"SK: METADATA", "SK: 7",
     R"(x:12:49: other readers of YAML take 7 for a number; put it into quotes: "7")"},
    {"SK: METADATA", "SK: NO",
     R"(x:12:49: other readers of YAML take NO for false; put it into quotes: "NO")"},
    {"SK: METADATA", "SK: 12:30",
     R"(x:12:49: other readers of YAML take 12:30 for a number of minutes and seconds; put it into quotes: "12:30")"},
    {"SK: METADATA", "SK: 1e3",
     R"(x:12:49: other readers of YAML take 1e3 for a number of another form; put it into quotes: "1e3")"},
    {"SK: METADATA", "SK: 0x1F",
     R"(x:12:49: other readers of YAML take 0x1F for a number of another form; put it into quotes: "0x1F")"},
};
// clang-format on

TEST(LabFormCheck, GoodFilesGetNoSentence) {
  EXPECT_EQ(Check(kGood), "ok");
  const std::string source = SourceRoot().string();
  std::vector<std::filesystem::path> files = {
      source + "/tests/fuzz/corpus/lab_file/shop.yaml",
      source + "/tests/fuzz/corpus/lab_file/one_layout.yaml",
      source + "/tests/fuzz/corpus/lab_file/json.json"};
  for (const auto& entry : std::filesystem::directory_iterator(source + "/lab/examples")) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  EXPECT_GE(files.size(), 8U);
  for (const std::filesystem::path& file : files) {
    EXPECT_EQ(Check(*ReadFileText(file)), "ok") << file;
  }
}

TEST(LabFormCheck, WrongFilesGetASentenceOfWhatIsAllowed) {
  for (const Change& change : kWrong) {
    EXPECT_EQ(Check(Changed(change)), change.sentence) << change.to;
  }
}

TEST(LabFormCheck, TextsThatOtherReadersTakeForSomethingElseGetAWarning) {
  for (const Change& change : kDoubtful) {
    EXPECT_EQ(Check(Changed(change)), "ok\n" + std::string(change.sentence)) << change.to;
  }
}

TEST(LabFormCheck, OtherDocumentsAreNoLabFiles) {
  EXPECT_EQ(Check("hello"),
            "x:1:1: \"hello\" is not allowed here; allowed: a Hashrange lab file: a map with lab, "
            "entities, access_patterns and layouts");
  EXPECT_EQ(Check("{}"), "x:1:1: lab, entities and access_patterns are missing");
}

}  // namespace
}  // namespace hashrange
