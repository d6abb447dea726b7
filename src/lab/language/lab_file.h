// LabFile: what a lab file says, after it was checked and every `like:` was resolved: entities and
// access patterns without keys, the layouts that are compared, and the traffic. Names have become
// numbers: an `int` that is called entity, attribute, pattern or table is a place in the vector of
// that name. Plain data. docs/lab.md explains the file, docs/lab.schema.json is its schema.
//
//   LabFile ─┬─ entities ── attributes      what is stored, without keys
//            ├─ patterns                    what the application asks, without keys
//            ├─ layouts ── tables ── items  where each entity's items lie, by key templates
//            ├─ traffic, client             when it asks, and how it tries again
//            ├─ partitions                  what the service's partitions serve
//            └─ limits                      what `lab check` holds
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "simulation/partitions/partition_parameters.h"

namespace hashrange {

// Where something stands in the lab file, from 1; 0: nowhere, it is a default.
struct LabPlace {
  int line = 0;
  int column = 0;
};

inline constexpr int kLabNone = -1;  // no entity, attribute, table, …

// The most instances of one entity. More would not fit into memory, and are an error of the file.
inline constexpr std::uint64_t kMostInstances = 2'000'000'000;

// The types of DynamoDB that attributes of entities have. A vector is a list of numbers.
enum class LabType : std::uint8_t { kString, kNumber, kBool, kVector };

// A number that is drawn: `[1, 5]`, `{zipf: 0.9, mean: 10, max: 2000}`, `{lognormal: [4, 1]}`.
struct LabDistribution {
  enum class Kind : std::uint8_t {
    kFixed,      // `first` always
    kUniform,    // from `first` to `second`, both included
    kZipf,       // sizes of ranks by exponent `first`, whose mean is `second`
    kPoisson,    // of mean `first`
    kLognormal,  // e to the power of a normal number with mean `first` and deviation `second`
    kNormal,     // of mean `first` and deviation `second`
  };
  Kind kind = Kind::kFixed;
  double first = 0;
  double second = 0;
  double least = 0;  // what is drawn is clamped
  double greatest = std::numeric_limits<double>::infinity();
};

// The attribute of an entity, of the entity itself or of an ancestor.
struct LabAttributeRef {
  int entity = kLabNone;
  int attribute = kLabNone;

  friend bool operator==(const LabAttributeRef&, const LabAttributeRef&) = default;
};

// One piece of a template: the literal text before a placeholder, and the placeholder.
struct LabTemplatePart {
  // How the placeholder's value is written. A time is ISO 8601 unless its attribute says otherwise.
  enum class Form : std::uint8_t {
    kAsIs,    // {created_at}
    kPadded,  // {score:08}: a whole number with zeros in front, `width` digits
    kDescend,  // {score:desc8}: 10^width − 1 − number, padded, so that greater numbers come first
    kYear,     // {created_at:year}: the first 4 characters of a time
    kMonth,    // 7 characters: 2026-01
    kDay,      // 10 characters: 2026-01-31
    kHour,     // 13 characters: 2026-01-31T12
    kMinute,  // 16 characters
    kLower,
    kUpper,
    kPrefix,  // {sku:prefix3}: the first `width` characters
    // Of a time: the 10 characters with which an ULID of that time begins. No file can say it: a
    // request has it where a key has an ULID, and the caller knows a time.
    kUlidTime,
  };
  std::string literal = {};
  LabAttributeRef attribute = {};  // entity kLabNone: the template ends with the literal
  Form form = Form::kAsIs;
  int width = 0;
  // More than 0: the placeholder is `shard(attribute, shards)`, a number from 0 to shards − 1 that
  // is a hash of the attribute's value.
  int shards = 0;
};

// "ORDER#{created_at}#{order_id}".
struct LabTemplate {
  std::string text = {};  // as in the file
  std::vector<LabTemplatePart> parts = {};
  LabPlace place = {};
};

// `{status: OPEN}`: an attribute and the value that it has to have, or one of several.
struct LabCondition {
  enum class Op : std::uint8_t { kEqual, kNotEqual, kLess, kAtMost, kGreater, kAtLeast, kIn };
  LabAttributeRef attribute = {};
  Op op = Op::kEqual;
  std::vector<std::string> values = {};  // one, or several of kIn; as the attribute writes them
  std::vector<LabPlace> places = {};     // of each value
};

// How the values of an attribute come about.
struct LabGenerator {
  enum class Kind : std::uint8_t {
    kConstant,  // `text`
    kSequence,  // the entity's number, from `first_number` on, padded to `width`
    kUlid,      // with the time of the attribute `other`, which is of the same entity
    kUuid,
    kTemplate,  // `text_template`
    kTime,
    kChoice,      // one of `choices`, by their weights
    kText,        // words, whose number of bytes is drawn
    kVector,      // `width` numbers, a vector of length 1
    kNumber,      // drawn, with `decimals`
    kFlag,        // true in a share of `probability`
    kRef,         // `other` of an entity that is drawn by `pick`
    kOfRef,       // `other` of the entity that the attribute `with` of this entity referred to
    kOfAncestor,  // `other`, of an ancestor
  };
  struct Choice {
    std::string value = {};
    double weight = 1;
  };
  enum class TimeForm : std::uint8_t { kIso, kSeconds, kMilliseconds };  // the latter are numbers

  Kind kind = Kind::kConstant;
  std::string text = {};
  int width = 0;
  std::uint64_t first_number = 1;
  LabTemplate text_template = {};
  LabAttributeRef other = {};
  int with = kLabNone;
  LabDistribution distribution = {};  // of kText and kNumber
  int decimals = 0;
  double probability = 0;
  std::vector<Choice> choices = {};
  // A time from `earliest_ms` to `latest_ms`, which count from the beginning of the simulation, or
  // from the attribute `other` where it is given. In what traffic creates, the time is now: `past`
  // becomes the moment of creation, and what is ahead counts from then.
  std::int64_t earliest_ms = 0;
  std::int64_t latest_ms = 0;
  TimeForm time_form = TimeForm::kIso;
  // How kRef draws: zipf with the exponent `pick_exponent`, or uniform when that is 0.
  double pick_exponent = 0;
};

struct LabAttribute {
  std::string name = {};
  LabType type = LabType::kString;
  LabGenerator generator = {};
  double present = 1;  // the share of the entity's items that have the attribute
  LabPlace place = {};
};

struct LabEntity {
  std::string name = {};
  int parent = kLabNone;  // `of`
  // How many there are: of the whole, or of each parent.
  LabDistribution count = {};
  // Of the children of one parent, no two have the same value of this attribute. kLabNone: any may.
  int distinct = kLabNone;
  std::vector<LabAttribute> attributes = {};  // the first is the identity
  // Whether the value of the identity alone says which instance it is: sequence, ulid and uuid.
  // Else it does so only together with the identities of the ancestors.
  bool identity_is_global = false;
  LabPlace place = {};
};

// How the instances are chosen that calls are about.
struct LabPick {
  enum class Kind : std::uint8_t { kUniform, kZipf, kLatest, kHot };
  Kind kind = Kind::kUniform;
  double exponent = 0.99;                // of kZipf and kLatest
  double hot_share = 0.2;                // of kHot: this share of the instances …
  double hot_traffic = 0.8;              // … gets this share of the calls
  std::vector<LabCondition> where = {};  // only instances that match are chosen
};

// `{created_at: {last: 7d}}`: bounds of one attribute that the caller knows.
struct LabRange {
  enum class Kind : std::uint8_t {
    kNone,
    kLast,     // times from `last_ms` before now on
    kNext,     // times from now until `next_ms` ahead
    kBetween,  // `from` to `to`, both included; either may be absent
    kPrefix,   // text that begins with the first `prefix` characters of the picked instance's value
  };
  Kind kind = Kind::kNone;
  LabAttributeRef attribute = {};
  std::int64_t last_ms = 0;
  std::int64_t next_ms = 0;
  std::optional<std::string> from = {};
  std::optional<std::string> to = {};
  int prefix = 0;
};

// What an update gives to an attribute.
struct LabChange {
  enum class Kind : std::uint8_t {
    kSet,  // to what `generator` makes
    kAdd,  // `amount`, or `amount` times `by_attribute` of the role that the write is `each` of
    kRemove,
  };
  Kind kind = Kind::kSet;
  int attribute = kLabNone;  // of the entity that is written
  LabGenerator generator = {};
  double amount = 0;
  // Of kAdd, the factor. Of kSet, the value itself, in place of what `generator` makes: an
  // attribute of the first write's instance; entity kLabNone: there is none.
  LabAttributeRef by_attribute = {};
  LabPlace place = {};  // of the given value
};

inline bool IsSetToTemplate(const LabChange& change) {
  return change.kind == LabChange::Kind::kSet &&
         change.generator.kind == LabGenerator::Kind::kTemplate;
}

// One entity that a pattern writes.
struct LabWrite {
  enum class Kind : std::uint8_t { kCreate, kUpdate, kDelete, kCheck };
  Kind kind = Kind::kCreate;
  int entity = kLabNone;
  std::vector<int> with = {};  // child entities that are created, or deleted, along with it
  // What this write is repeated for: the children of an entity of the first write's `with`, or
  // instances that are found by a value (`found_by`); kLabNone: one write. Only of `also`.
  int each = kLabNone;
  // Where `each` is not written by `with`: the existing instances of `each` whose `found_by` has
  // the value that `found_from` of the first write's instance has. Entity kLabNone: it is.
  LabAttributeRef found_by = {};
  LabAttributeRef found_from = {};
  // What the caller knows of the written instance; of kCreate: everything.
  std::vector<LabAttributeRef> by = {};
  // Which instance an `also` writes, where it does not create one: `via` is an attribute of the
  // entity of `each`, or of the first write's entity, that refers to the written instance.
  // kLabNone: the instance is an ancestor of that one, or that one itself.
  int via = kLabNone;
  std::vector<LabChange> changes = {};        // of kUpdate, and `set` of kCreate
  std::vector<LabCondition> conditions = {};  // `if`
  std::vector<int> unique = {};               // of kCreate: attributes whose value nobody else has
  LabPlace place = {};
};

// `each` of a get or a query: instances that the caller queries first. The pattern is asked for
// each of them, and the caller merges the answers.
struct LabFirstQuery {
  int entity = kLabNone;
  std::vector<LabAttributeRef> by = {};  // known by the caller, from the picked instance
  std::vector<LabCondition> constants = {};
  std::vector<LabAttributeRef> returns = {};  // what the pattern's `by` needs of each
  // The pattern's `by` are values of what this attribute of `entity` refers to; kLabNone: they are
  // values of the instance itself.
  int via = kLabNone;
};

// An attribute of another instance that a read returns: `author.name` of a Post whose `author` is a
// `ref` to a User, or `Customer.name` of an Order.
struct LabReturnedOther {
  int of = kLabNone;  // the entity that is asked
  // The attribute of it that refers to the other instance; kLabNone: this is an ancestor.
  int via = kLabNone;
  LabAttributeRef attribute = {};  // of the other instance
  std::string name = {};           // "author.name"
};

struct LabPattern {
  enum class Kind : std::uint8_t { kGet, kQuery, kSearch, kWrite };
  std::string name = {};
  Kind kind = Kind::kGet;
  // Of kGet and kSearch one, of kQuery one or several: the first leads.
  std::vector<int> entities = {};
  LabAttributeRef search_vector = {};  // of kSearch: the vectors that are compared
  std::optional<LabFirstQuery> each = {};
  // Known by the caller, from the picked instance, or from each of those that are queried first.
  std::vector<LabAttributeRef> by = {};
  std::vector<LabCondition> constants = {};  // known by the caller: `by: [{status: OPEN}]`
  LabRange range = {};
  LabAttributeRef order = {};  // entity kLabNone: any order
  bool is_descending = false;
  std::int64_t limit = 0;                     // 0: all
  std::vector<LabAttributeRef> returns = {};  // empty: every attribute
  std::vector<LabReturnedOther> returned_others = {};
  bool is_consistent = false;
  // The writes of kWrite: the pattern's own, then the writes of `also`.
  std::vector<LabWrite> writes = {};
  // Whether the call is a transaction, where the file says so.
  std::optional<bool> is_transaction = {};
  int batch = 1;  // how many instances one call gets, creates or deletes
  // `or`: the number, as of PatternForm, of the other form in which a get or a query may be asked,
  // where a layout does not serve this one or serves the other for less; kLabNone: there is none.
  int or_form = kLabNone;
  // Calls a second; below 0: the file has no rate (docs/service/21-layout-lab.md, rule 39).
  double calls_per_second = -1;
  LabPick pick = {};
  LabPlace place = {};
};

// A key attribute of an item, or another attribute that is written as a template says.
struct LabItemKey {
  std::string attribute = {};
  LabTemplate text = {};
  std::vector<LabCondition> when = {};  // the attribute is there only where all of them hold
};

// One item that is stored for each instance of an entity.
struct LabItem {
  int entity = kLabNone;
  int table = kLabNone;
  std::vector<LabItemKey> keys = {};  // of the table's key first, in its order, then of indexes
  // Which attributes of the entity the item has; nothing: all of them. The identities of the
  // entity's parent count as its own attributes and are stored, too.
  std::optional<std::vector<LabAttributeRef>> attributes = {};
  std::vector<LabCondition> when = {};  // the item is stored only where all of them hold
  LabPlace place = {};
};

// An entity that is stored inside the item of its parent.
struct LabEmbedding {
  int entity = kLabNone;
  int parent = kLabNone;
  std::string attribute = {};  // of the parent's item: "lines"
  int map_by = kLabNone;       // the attribute whose value is the key in a map; kLabNone: a list
  LabPlace place = {};
};

struct LabThroughput {
  bool on_demand = true;
  std::int64_t read_units = 0;
  std::int64_t write_units = 0;
};

struct LabIndex {
  std::string name = {};
  bool is_local = false;
  std::vector<std::string> hash = {};  // attribute names
  std::vector<std::string> range = {};
  enum class Projection : std::uint8_t { kAll, kKeysOnly, kInclude };
  Projection projection = Projection::kAll;
  std::vector<std::string> included = {};
  LabThroughput throughput = {};
  LabPlace place = {};
};

// An index of vectors (docs/service/15-vector-search.md).
struct LabVectorIndex {
  enum class Distance : std::uint8_t { kCosine, kEuclidean, kDotProduct };
  std::string name = {};
  std::string attribute = {};  // of items: the vector
  int dimensions = 0;          // 0 until the items of the table were read, if the file has none
  Distance distance = Distance::kCosine;
  // The elements of the search schema: attribute names.
  std::string hash = {};  // empty: it has no HASH element
  std::vector<std::string> filters = {};
  LabIndex::Projection projection = LabIndex::Projection::kAll;
  std::vector<std::string> included = {};
  LabPlace place = {};
};

struct LabTable {
  std::string name = {};
  std::vector<std::string> hash = {};
  std::vector<std::string> range = {};
  // Of all key attributes, also of indexes, and of the search schemas of vector indexes.
  std::map<std::string, LabType> key_types = {};
  LabThroughput throughput = {};
  bool is_infrequent_access = false;
  std::vector<LabIndex> indexes = {};
  std::vector<LabVectorIndex> vector_indexes = {};
  std::string type_attribute = {};  // holds the entity's name; empty: there is none
  std::string ttl_attribute = {};   // empty: none
  bool has_stream = false;
  LabPlace place = {};
};

// One request of `serve:`, in DynamoDB's own JSON, with placeholders in its strings.
struct LabRequest {
  std::string operation = {};  // "Query"
  std::string json = {};       // compact
  LabPlace place = {};
};

// The requests by which a layout serves a pattern, in place of those that would be derived.
struct LabServe {
  int pattern = kLabNone;
  std::vector<LabRequest> requests = {};
};

struct LabLayout {
  std::string name = {};
  std::vector<LabTable> tables = {};
  // Several items of one entity stand behind one another. The first item of an entity that has all
  // of its attributes is its main item.
  std::vector<LabItem> items = {};
  std::vector<LabEmbedding> embeddings = {};
  std::vector<LabServe> serves = {};
  LabPlace place = {};
};

// A stretch of the simulated time.
struct LabPhase {
  enum class Kind : std::uint8_t { kConstant, kRamp, kSinusoid, kSpike };
  Kind kind = Kind::kConstant;
  std::int64_t length_ms = 0;
  // Factors of the declared rates. kConstant: `from`; kRamp: `from` to `to`; kSinusoid: `from` is
  // the least and `to` the greatest, once every `period_ms`, beginning at the least; kSpike: `from`
  // at both ends and `to` in the middle, rising and falling evenly.
  double from = 1;
  double to = 1;
  std::int64_t period_ms = 0;
  // `hot: {Product: 0.5}`: this share of the picks of an entity is for one single instance.
  std::map<int, double> hot = {};
};

// What the application's SDK does.
struct LabClient {
  int attempts = 3;                  // in all; 1: it never tries again
  std::int64_t base_delay_ms = 500;  // of the first wait after a throttle, before the jitter
  std::int64_t longest_delay_ms = 20'000;
  std::int64_t latency_ms = 5;  // of a request; the next request of the same call waits for it
};

// What `lab check` holds; a member that is absent is not checked.
struct LabPatternLimits {
  std::optional<double> read_units = {};  // of a call, on average
  std::optional<double> write_units = {};
  std::optional<double> read_units_p99 = {};
  std::optional<double> write_units_p99 = {};
  std::optional<double> requests = {};  // of a call, on average
  std::optional<double> requests_p99 = {};
};
struct LabLimits {
  std::optional<double> headroom = {};   // the first limit is at least this multiple of the rates
  std::optional<double> throttled = {};  // the greatest share of requests
  std::optional<double> failed = {};     // the greatest share of calls that fail after all attempts
  std::optional<double> wrong = {};      // the greatest share of calls that are answered wrong
  std::optional<double> month_usd = {};
  std::optional<double> storage_gb = {};
  std::optional<double> largest_collection_mb = {};
  std::optional<int> severe_findings = {};
  std::map<int, LabPatternLimits> patterns = {};
  LabPlace place = {};
};

struct LabFile {
  std::string name = {};  // of the file, for sentences
  std::uint64_t seed = 1;
  std::int64_t start_epoch_ms = 0;  // when the simulation begins
  LabAttributeRef tenant = {};      // leads each partition key where one is declared (rule 41)
  std::vector<LabEntity> entities = {};
  std::vector<LabPattern> patterns = {};
  std::vector<LabPattern> other_forms = {};  // LabPattern::or_form
  std::vector<LabLayout> layouts = {};
  std::vector<LabPhase> traffic = {};  // not empty
  LabClient client = {};
  PartitionParameters partitions = {};     // of the model, and of all figures about what keys get
  LabLimits limits_of_all = {};            // "*"
  std::map<int, LabLimits> limits = {};    // by layout; each member that is given counts there
  std::vector<std::string> warnings = {};  // sentences about what other readers would understand
};

}  // namespace hashrange
