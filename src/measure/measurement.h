// Measurement: what one or several tables did under one traffic. The meter makes it (meter/), and
// so may any other source of traffic; cost, findings, first limits, budgets, comparisons and
// reports are pure functions of it. It is stored as JSON (measurement_json.h), whose members have
// the names of the members here; docs/measurement.schema.json is its schema. Plain data.
//
//   Measurement ─┬─ tables ── indexes            what was declared, and what is stored
//                ├─ resources                    a table or an index: units, keys, heat
//                ├─ partitions                   how the model cut a table or an index
//                ├─ patterns ── members          the calls, by what they ask for
//                ├─ entities                     the items, by the templates of their keys
//                ├─ sequences                    what one caller did one after another
//                └─ time                         all of it, in buckets of the server's clock
//
// Units are capacity units (docs/service/08-capacity.md), sizes are DynamoDB sizes in bytes, times
// are milliseconds since 1970 on the server's clock. An index that is empty text stands for the
// table itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "measure/distribution.h"
#include "simulation/partitions/partition_map.h"

namespace hashrange {

// One term of a key condition or one part of a key: `GSI1SK begins_with ORDER#`.
struct KeyTerm {
  std::string attribute = {};
  std::string op = {};     // "=", "<", "<=", ">", ">=", "begins_with", "BETWEEN"
  std::string value = {};  // a key template: "CUST#{customer_id}"
  std::string upper = {};  // the upper bound of BETWEEN, a key template
};

// One kind of access that the calls of a pattern make, on one table or index.
struct PatternMember {
  std::string kind = {};  // "get", "query", "scan", "put", "update", "delete", "check"
  std::string table = {};
  std::string index = {};
  std::vector<KeyTerm> key =
      {};  // the partition key's parts, then the sort key's; empty for a scan
  // The filter of a read or the condition of a write, with `?` for each value; empty: none.
  std::string condition = {};
  std::vector<std::string> condition_attributes = {};  // top-level names in `condition`
  std::string projection = {};                         // empty: all attributes
  std::vector<std::string> projected_attributes = {};  // top-level names in `projection`
  std::string update = {};                             // with `?` for each value
  std::vector<std::string> updated_attributes = {};    // top-level targets of `update`
  bool consistent = false;
  bool backward = false;
  bool counts_only = false;  // Select COUNT
  std::int64_t limit = 0;    // 0: none
};

struct NamedCount {
  std::string name = {};
  std::uint64_t count = 0;
};

// What one table or index took of the units of a pattern or an entity.
struct ResourceUnits {
  std::string table = {};
  std::string index = {};
  double read_units = 0;
  double write_units = 0;
};

// The sizes of calls, or of their pages.
struct CallSizes {
  Distribution read_units = {};
  Distribution write_units = {};
  Distribution items_examined = {};
  Distribution items_returned = {};
  Distribution bytes_examined = {};
  Distribution bytes_returned = {};
};

struct IndexMoves {
  std::string table = {};
  std::string index = {};
  std::uint64_t moved = 0;  // entries that got another place in the index
};

// The calls that ask for the same thing.
struct PatternMeasure {
  std::string id = {};    // the same in every measurement of the same pattern
  std::string name = {};  // given by the request header or by a list of matches; empty: none
  std::string text = {};  // the whole pattern on one line
  std::string operation = {};
  std::vector<PatternMember> members = {};

  // A call may consist of several pages: requests that continue one another.
  std::uint64_t calls = 0;                 // requests that continue no other
  std::uint64_t requests = 0;              // all requests, failed ones included
  std::vector<NamedCount> errors = {};     // by the error's name
  std::vector<NamedCount> throttles = {};  // by reason
  std::uint64_t conflicts = 0;
  std::uint64_t failed_conditions = 0;
  std::uint64_t unprocessed = 0;            // members of batches
  std::uint64_t abandoned_unprocessed = 0;  // of these, those that nobody sent again
  std::uint64_t replays = 0;                // of client request tokens
  std::uint64_t missing = 0;                // reads of one item that found none
  std::uint64_t empty = 0;                  // queries and scans that returned nothing

  std::vector<ResourceUnits> units = {};  // of successful calls: what the answers reported
  double failed_read_units = 0;           // of failed calls
  double failed_write_units = 0;

  CallSizes call = {};
  CallSizes page = {};               // empty when no call had several pages
  Distribution members_a_call = {};  // of batches and transactions
  Distribution pages_a_call = {};
  Distribution request_bytes = {};

  std::uint64_t inserted = 0;  // writes that found no item
  std::uint64_t changed = 0;   // writes that found one and left another
  std::uint64_t removed = 0;
  double item_bytes_written = 0;  // sizes of the items that were stored
  double changed_bytes = 0;       // sizes of the attributes that updates set
  std::vector<IndexMoves> index_moves = {};
  std::vector<NamedCount> callers = {};  // calls by the SDK's app id
};

// A declared index, and what it stored when the measurement was read.
struct IndexMeasure {
  std::string name = {};
  bool is_local = false;
  std::vector<std::string> hash = {};  // attribute names
  std::vector<std::string> range = {};
  std::string projection = {};                       // "ALL", "KEYS_ONLY", "INCLUDE"
  std::vector<std::string> non_key_attributes = {};  // of INCLUDE
  std::int64_t provisioned_read_units = 0;           // 0 on demand
  std::int64_t provisioned_write_units = 0;
  std::int64_t items = 0;
  std::int64_t size_bytes = 0;
  std::int64_t items_at_begin = 0;
  std::int64_t size_bytes_at_begin = 0;
  bool is_deleted = false;  // before the measurement was read, with its table or without
};

// What the walk through the items saw of the attribute of time to live.
struct ExpiryMeasure {
  std::string attribute = {};  // empty: the table has no time to live
  std::uint64_t seconds = 0;
  std::uint64_t milliseconds = 0;
  std::uint64_t not_numbers = 0;
  std::uint64_t far_future = 0;                      // more than 50 years ahead
  std::uint64_t long_past = 0;                       // more than 5 years ago: never deleted
  std::uint64_t expired = 0;                         // due, and still stored
  std::vector<std::string> similar_attributes = {};  // others that look like a time to live
};

struct TableMeasure {
  std::string account = {};
  std::string region = {};
  // Every part of a measurement calls the table by this name, and no two tables have the same. It
  // is the table's own, after its account and its Region where the measurement has several of them:
  // "111122223333 shop". "shop (2)" is a deleted table whose keys were others than those of "shop".
  std::string name = {};
  std::vector<std::string> hash = {};  // attribute names
  std::vector<std::string> range = {};
  bool on_demand = false;
  std::string table_class = {};  // "STANDARD", "STANDARD_INFREQUENT_ACCESS"
  std::int64_t provisioned_read_units = 0;
  std::int64_t provisioned_write_units = 0;
  bool has_stream = false;
  std::uint64_t stream_reads = 0;  // GetRecords calls
  std::vector<IndexMeasure> indexes = {};
  std::int64_t items = 0;
  std::int64_t size_bytes = 0;
  std::int64_t items_at_begin = 0;
  std::int64_t size_bytes_at_begin = 0;
  bool is_deleted = false;  // before the measurement was read: what it stored is not known
  // How much of the table the walk visited, 0 to 1. Below 1, counts are multiplied up, and what
  // is largest is the largest that was seen.
  double walked_share = 0;
  std::uint64_t walked_items = 0;
  std::uint64_t items_without_type = 0;
  std::uint64_t keys_that_differ_in_case_only = 0;
  std::string type_attribute = {};  // empty: none was found
  ExpiryMeasure expiry = {};
};

// A partition key, or a whole key, and what was counted for it.
struct KeyCount {
  std::string key = {};    // "PK=CUST#7", "PK=CUST#7, SK=ORDER#1"
  std::string shape = {};  // the templates of the same: "PK=CUST#{id}"
  double units = 0;        // at most; the true number is at least units - error
  double error = 0;
};

// The keys with the most units. Each counter covers a set of keys in turn (Space-Saving).
struct TopKeys {
  double total_units = 0;
  double missed_at_most = 0;        // units of a key that is not in the list, at most
  std::vector<KeyCount> keys = {};  // descending by units
};

// The greatest part that one key had of a window of time.
struct HotWindow {
  std::int64_t begin_epoch_ms = 0;
  std::int64_t length_ms = 0;
  std::string direction = {};  // "read", "write"
  KeyCount key = {};
  double total_units = 0;   // of the resource in this window and direction
  std::uint64_t calls = 0;  // of the whole measurement in this window
};

// How many ranges of key hashes there are.
inline constexpr std::uint32_t kHashRanges = 4096;

// The units of one range of key hashes.
struct HeatRange {
  std::uint32_t range = 0;
  double read_units = 0;
  double write_units = 0;
};

// The units of one time bucket, by 32 ranges of key hashes.
struct HeatSlice {
  std::int64_t begin_epoch_ms = 0;
  std::vector<double> read_units = {};
  std::vector<double> write_units = {};
};

// Item collections: the items with one partition key.
struct CollectionMeasure {
  std::uint64_t count = 0;
  Distribution items = {};
  Distribution size_bytes = {};
  std::vector<KeyCount> largest = {};  // `units` is the size in bytes
};

// A table or an index: where its units went.
struct ResourceMeasure {
  std::string table = {};
  std::string index = {};
  double read_units = 0;  // of successful calls
  double write_units = 0;
  double failed_read_units = 0;
  double failed_write_units = 0;
  std::uint64_t throttled = 0;
  double distinct_partition_keys = 0;  // accessed; an estimate
  double distinct_items = 0;
  TopKeys read_keys = {};
  TopKeys written_keys = {};
  TopKeys throttled_keys = {};
  TopKeys read_items = {};
  TopKeys written_items = {};
  std::vector<HotWindow> hot_windows = {};
  std::vector<HeatRange> heat = {};  // ascending; a range without units is left out
  std::vector<HeatSlice> heat_over_time = {};
  // Writes to a collection that was written before, and how many of these had a greater sort key
  // than the write before.
  std::uint64_t writes_in_order_known = 0;
  std::uint64_t rising_writes = 0;
  CollectionMeasure collections = {};
};

// A placeholder of a key template.
struct PlaceholderMeasure {
  std::string text = {};       // as in the template: "customer_id", "date", "…"
  std::string kind = {};       // "digits", "date", "ulid", "uuid", "text", "number", "binary"
  std::string attribute = {};  // whose value it equals in every stored item; empty: unknown
  std::uint64_t distinct = 0;  // at least
  std::uint32_t least_length = 0;
  std::uint32_t greatest_length = 0;
  bool has_leading_zeros = false;
};

// A template of a key attribute.
struct KeyTemplateMeasure {
  std::string table = {};
  std::string index = {};
  std::string attribute = {};
  std::string text = {};  // "ORDER#{date}#{order_id}"
  std::vector<PlaceholderMeasure> placeholders = {};
  std::uint64_t items = 0;  // stored; 0: only asked for
};

// What an entity has in one index.
struct EntityIndex {
  std::string index = {};
  std::uint64_t items = 0;  // how many of the entity's items are in the index
  double size_bytes = 0;
  std::string partition_key = {};  // templates of the first item's key in the index
  std::string sort_key = {};
  bool has_other_partition_keys = false;  // other items have other templates
  bool has_other_sort_keys = false;
};

struct AttributeMeasure {
  std::string name = {};
  std::uint64_t count = 0;
  double size_bytes = 0;   // names and values, all items together
  double name_bytes = 0;   // the part of the names
  std::string types = {};  // "S", "N, S"
  std::string time_forms =
      {};  // "ISO", "seconds", "milliseconds", or several of them; empty: no time
  std::uint64_t largest_list = 0;  // elements
};

// The items whose keys have the same templates and whose type attribute has the same value.
struct EntityMeasure {
  std::string table = {};
  std::string type = {};  // the type attribute's value; empty: the items have none
  std::string partition_key = {};
  std::string sort_key = {};
  std::uint64_t items = 0;
  Distribution size_bytes = {};
  std::vector<EntityIndex> indexes = {};
  std::vector<AttributeMeasure> attributes = {};  // the most frequent
  // Since the measurement began:
  std::uint64_t inserted = 0;
  std::uint64_t changed = 0;
  std::uint64_t removed = 0;
  std::vector<ResourceUnits> units = {};  // of writes: of the table and of each index
};

// What one caller (a connection of an app) did one after another, within a second.
struct SequenceMeasure {
  // "gets in a burst": several reads of one item each, by one template, right after one another
  // "gets of one collection in a burst": the same, where all items have one partition key
  // "read after write": a read of the item that the caller wrote just before
  // "read before create": a read that found nothing, then a create of the same key
  // "together": reads of `first` that a read of `second` followed
  std::string kind = {};
  std::string first = {};  // a pattern's id
  std::string second = {};
  std::uint64_t count = 0;
  std::uint64_t calls = 0;    // calls of `first` and `second` in these sequences
  std::uint64_t largest = 0;  // of bursts: the most calls
};

struct TimeBucket {
  std::int64_t begin_epoch_ms = 0;
  std::uint64_t calls = 0;
  std::uint64_t errors = 0;
  std::vector<NamedCount> throttles = {};  // by reason, or by the error's name if it has none
  double read_units = 0;
  double write_units = 0;
  double peak_second_read_units = 0;  // of the busiest second
  double peak_second_write_units = 0;
  double peak_minute_read_units = 0;  // of the busiest minute that ends in the bucket
  double peak_minute_write_units = 0;
};

struct TimeMeasure {
  std::int64_t bucket_ms = 0;
  std::vector<TimeBucket> buckets = {};  // ascending, without those in which nothing happened
};

// How long the server worked. It differs from run to run.
struct ServerTime {
  std::string pattern = {};  // its id
  Distribution microseconds = {};
};

struct MeasurementSettings {
  std::string separators = "#:/|";  // where keys are cut into tokens
  std::int64_t window_ms = 60000;   // of HotWindow
  std::string type_attribute = {};  // empty: found by its usual names
};

// What was counted only in part, because there was more of it than is kept.
struct MeasurementLimits {
  std::uint64_t other_patterns = 0;   // calls that are counted in the pattern "other"
  std::uint64_t other_resources = 0;  // accesses of tables and indexes without counters
  std::uint64_t open_pages = 0;       // calls whose pages could not be linked any more
};

struct Measurement {
  std::int64_t version = 2;  // of the form of the JSON
  std::string name = {};
  std::string account = {};                   // empty: all
  std::string region = {};                    // empty: all
  std::vector<std::string> only_tables = {};  // empty: all
  std::int64_t began_epoch_ms = 0;
  std::int64_t ended_epoch_ms = 0;  // when it ended or, while it runs, was read
  bool is_running = false;
  // What a what-if changed, a sentence each (what_if.h). Not empty: the figures are modelled.
  std::vector<std::string> changes = {};
  MeasurementSettings settings = {};
  MeasurementLimits limits = {};
  std::vector<TableMeasure> tables = {};
  std::vector<ResourceMeasure> resources = {};
  // Of the tables and indexes that are modelled; empty: none is. Files of this version may lack it.
  std::vector<PartitionMap> partitions = {};
  std::vector<PatternMeasure> patterns = {};  // descending by cost
  std::vector<EntityMeasure> entities = {};
  std::vector<KeyTemplateMeasure> key_templates = {};
  std::vector<SequenceMeasure> sequences = {};
  TimeMeasure time = {};
  std::vector<NamedCount> other_errors = {};  // of requests that reached no pattern
  std::vector<ServerTime> server_time = {};
};

}  // namespace hashrange
