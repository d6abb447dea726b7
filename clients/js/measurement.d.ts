// A measurement: what tables did under one traffic. docs/measurement.schema.json in the repository is its schema. Units are
// capacity units, sizes are DynamoDB sizes in bytes, times are milliseconds since 1970 on the server's clock. An index that is
// an empty text is the table itself. The rows of src/measure/measurement.def in the repository make this file.

/** How often each size was seen. A bucket is a pair: its greatest value and its count. Values up to 128 are exact. */
export interface Distribution {
  count: number
  sum: number
  p50: number
  p95: number
  p99: number
  max: number
  buckets: [number, number][]
}

/** One partition of a table or an index: a range of positions, in the order of the hashes of partition keys and, within one partition key, of sort keys. */
export interface PartitionMeasure {
  /** from 1, in the order of creation */
  number: number
  /** the partition that was cut; 0: there from the beginning */
  parent: number
  /** why it was made: "beginning", "size", "heat", or "throughput" for more provisioned units and for the growth of an on-demand table */
  cause: string
  began_epoch_ms: number
  /** when it was cut; 0: it is there still */
  ended_epoch_ms: number
  /** where the range begins, included: 16 hexadecimal digits */
  first_hash: string
  /** where the range ends, included: 16 hexadecimal digits */
  last_hash: string
  /** where the partition begins inside an item collection: its first key, "PK=ORDERS, SK=ORDER#500"; empty: it does not */
  first_key: string
  /** where the partition ends inside an item collection: the first key that is not in it any more; empty: it does not */
  last_key: string
  /** served, in all slices */
  read_units: number
  /** served, in all slices */
  write_units: number
  /** What was asked for, in all slices, refused accesses included, comparable with what a partition serves: units of eventually consistent reads count two thirds, as three replicas share them. */
  read_demand: number
  /** what was asked for, in all slices, refused accesses included */
  write_demand: number
  /** accesses refused for want of the partition's throughput; with the mode "watch": that would have been refused */
  throttled_reads: number
  /** as `throttled_reads` */
  throttled_writes: number
  /** the moving average of the demand, as a share of what the partition can serve; 1: all of it */
  read_heat: number
  /** as `read_heat` */
  write_heat: number
  /** Why it was not cut although it was hot long enough: "item" for one item that takes nearly all, "order" for keys that rise or fall, "range" for Queries and Scans that all read from one place on, "local index", "sort key" for an item collection without a sort key to cut it at, "limit" if there are too many partitions; empty: it was never that hot, or it was cut. */
  uncut: string
}

/** What one partition served and refused in one slice of time. */
export interface PartitionHeat {
  number: number
  read_units: number
  write_units: number
  /** as in PartitionMeasure */
  read_demand: number
  /** as in PartitionMeasure */
  write_demand: number
  throttled_reads: number
  throttled_writes: number
}

/** The partitions in which something happened, ascending by number. */
export interface PartitionSlice {
  begin_epoch_ms: number
  partitions: PartitionHeat[]
}

export interface ThrottleCount {
  /** "TableWriteKeyRangeThroughputExceeded" */
  reason: string
  /** of accesses */
  count: number
}

/** How a table or a global index was cut into partitions. What depends on a split, or on the growth of an on-demand table, is modelled. */
export interface PartitionMap {
  table: string
  /** empty: the table itself */
  index: string
  /** "watch", "enforce" */
  mode: string
  /** since then the table or index is modelled */
  began_epoch_ms: number
  /** Units that the table or index as a whole serves in a second: what it provisions, its maximum, or what an on-demand table has grown to, at most its quota. */
  read_limit: number
  /** as `read_limit` */
  write_limit: number
  /** Units that one partition serves in a second, compared with its demand. Eventually consistent reads get 1.5 times as many. */
  partition_read_units: number
  /** units that one partition serves in a second */
  partition_write_units: number
  /** ascending by reason */
  throttles: ThrottleCount[]
  /** ascending by number; partitions that ended are included */
  partitions: PartitionMeasure[]
  /** the length of a slice */
  slice_ms: number
  /** ascending; a slice in which nothing happened is left out */
  slices: PartitionSlice[]
}

/** One term of a key condition or one part of a key: `GSI1SK begins_with ORDER#`. */
export interface KeyTerm {
  attribute: string
  /** "=", "<", "<=", ">", ">=", "begins_with", "BETWEEN" */
  op: string
  /** a key template: "CUST#{customer_id}" */
  value: string
  /** the upper bound of BETWEEN, a key template */
  upper: string
}

/** One kind of access that the calls of a pattern make, on one table or index. */
export interface PatternMember {
  /** "get", "query", "scan", "search", "put", "update", "delete", "check" */
  kind: string
  table: string
  index: string
  /** the partition key's parts, then the sort key's; empty for a scan and a search */
  key: KeyTerm[]
  /** The filter of a read or the condition of a write, with `?` for each value; empty: none. */
  condition: string
  /** top-level names in `condition` */
  condition_attributes: string[]
  /** empty: all attributes */
  projection: string
  /** top-level names in `projection` */
  projected_attributes: string[]
  /** with `?` for each value */
  update: string
  /** top-level targets of `update` */
  updated_attributes: string[]
  consistent: boolean
  backward: boolean
  /** Select COUNT */
  counts_only: boolean
  /** 0: none */
  limit: number
}

export interface NamedCount {
  name: string
  count: number
}

/** What one table or index took of the units of a pattern or an entity. */
export interface ResourceUnits {
  table: string
  index: string
  read_units: number
  write_units: number
}

/** The sizes of calls, or of their pages. */
export interface CallSizes {
  read_units: Distribution
  write_units: Distribution
  items_examined: Distribution
  items_returned: Distribution
  bytes_examined: Distribution
  bytes_returned: Distribution
}

export interface IndexMoves {
  table: string
  index: string
  /** entries that got another place in the index */
  moved: number
}

/** The calls that ask for the same thing. */
export interface PatternMeasure {
  /** the same in every measurement of the same pattern */
  id: string
  /** given by the request header or by a list of matches; empty: none */
  name: string
  /** the whole pattern on one line */
  text: string
  operation: string
  members: PatternMember[]
  /** Requests without a start key: a call may consist of several pages, which continue one another. */
  calls: number
  /** all requests, failed ones included */
  requests: number
  /** by the error's name */
  errors: NamedCount[]
  /** by reason */
  throttles: NamedCount[]
  conflicts: number
  failed_conditions: number
  /** members of batches */
  unprocessed: number
  /** unprocessed members that nobody sent again */
  abandoned_unprocessed: number
  /** of client request tokens */
  replays: number
  /** reads of one item that found none */
  missing: number
  /** queries and scans that returned nothing */
  empty: number
  /** of successful calls: what the answers reported */
  units: ResourceUnits[]
  /** of failed calls */
  failed_read_units: number
  /** of failed calls */
  failed_write_units: number
  call: CallSizes
  /** empty when no call had several pages */
  page: CallSizes
  /** of batches and transactions */
  members_a_call: Distribution
  pages_a_call: Distribution
  request_bytes: Distribution
  /** writes that found no item */
  inserted: number
  /** writes that found one and left another */
  changed: number
  removed: number
  /** sizes of the items that were stored */
  item_bytes_written: number
  /** sizes of the attributes that updates set */
  changed_bytes: number
  /** that searches of vectors were charged */
  vector_bytes_searched: number
  /** that writes were charged by vector indexes */
  vector_bytes_written: number
  index_moves: IndexMoves[]
  /** calls by the SDK's app id */
  callers: NamedCount[]
}

/** A declared index, and what it stored when the measurement was read. */
export interface IndexMeasure {
  name: string
  is_local: boolean
  /** attribute names */
  hash: string[]
  /** attribute names */
  range: string[]
  /** "ALL", "KEYS_ONLY", "INCLUDE" */
  projection: string
  /** of INCLUDE */
  non_key_attributes: string[]
  /** 0 on demand */
  provisioned_read_units: number
  /** 0 on demand */
  provisioned_write_units: number
  items: number
  size_bytes: number
  items_at_begin: number
  size_bytes_at_begin: number
  /** before the measurement was read, with its table or without: what was stored is not known */
  is_deleted: boolean
}

/** What the walk through the items saw of the attribute of time to live. */
export interface ExpiryMeasure {
  /** empty: the table has no time to live */
  attribute: string
  seconds: number
  milliseconds: number
  not_numbers: number
  /** more than 50 years ahead */
  far_future: number
  /** more than 5 years ago: never deleted */
  long_past: number
  /** due, and still stored */
  expired: number
  /** others that look like a time to live */
  similar_attributes: string[]
}

/** What the partitions of a table and of its indexes serve in a second: as the service's do, or by the rule that models the table's partitions. */
export interface PartitionLimits {
  /** one partition, of strongly consistent reads; of eventually consistent ones 1.5 times as many */
  read_units: number
  /** one partition */
  write_units: number
  /** all partitions of a table or an index on demand that was just made */
  new_table_read_units: number
  /** as `new_table_read_units` */
  new_table_write_units: number
  /** at most a table or an index on demand */
  quota_read_units: number
  /** as `quota_read_units` */
  quota_write_units: number
}

export interface TableMeasure {
  account: string
  region: string
  /** What every part of the measurement calls the table; no two tables have the same. It is the table's own name, after its account and its Region where the measurement has several of them: "111122223333 shop". "shop (2)" is a deleted table with other keys. */
  name: string
  /** attribute names */
  hash: string[]
  /** attribute names */
  range: string[]
  on_demand: boolean
  /** "STANDARD", "STANDARD_INFREQUENT_ACCESS" */
  table_class: string
  provisioned_read_units: number
  provisioned_write_units: number
  has_stream: boolean
  /** GetRecords calls */
  stream_reads: number
  indexes: IndexMeasure[]
  items: number
  size_bytes: number
  items_at_begin: number
  size_bytes_at_begin: number
  /** what the vector indexes held, which are no `indexes` */
  vector_index_bytes: number
  /** before the measurement was read: what was stored is not known */
  is_deleted: boolean
  /** How much of the table the walk visited, 0 to 1. Below 1, counts are multiplied up, and what is largest is the largest that was seen. */
  walked_share: number
  walked_items: number
  items_without_type: number
  keys_that_differ_in_case_only: number
  /** empty: none was found */
  type_attribute: string
  expiry: ExpiryMeasure
  partition_limits: PartitionLimits
}

/** A partition key, or a whole key, and what was counted for it. */
export interface KeyCount {
  /** "PK=CUST#7", "PK=CUST#7, SK=ORDER#1" */
  key: string
  /** the templates of the same: "PK=CUST#{id}" */
  shape: string
  /** at most; the true number is at least units - error */
  units: number
  error: number
}

/** The keys with the most units. Each counter covers a set of keys in turn (Space-Saving). */
export interface TopKeys {
  total_units: number
  /** units of a key that is not in the list, at most */
  missed_at_most: number
  /** descending by units */
  keys: KeyCount[]
}

/** The greatest part that one key had of a window of time. */
export interface HotWindow {
  begin_epoch_ms: number
  length_ms: number
  /** "read", "write" */
  direction: string
  key: KeyCount
  /** of the resource in this window and direction */
  total_units: number
  /** of the whole measurement in this window */
  calls: number
}

/** The units of each of the neighbouring ranges of key hashes from `first` to `last`, which are alike. There are 4,096 ranges. */
export interface HeatRun {
  first: number
  last: number
  read_units: number
  write_units: number
}

/** The units of one time bucket, by 32 ranges of key hashes. */
export interface HeatSlice {
  begin_epoch_ms: number
  read_units: number[]
  write_units: number[]
}

/** Item collections: the items with one partition key. */
export interface CollectionMeasure {
  count: number
  items: Distribution
  size_bytes: Distribution
  /** `units` is the size in bytes */
  largest: KeyCount[]
}

/** A table or an index: where its units went. */
export interface ResourceMeasure {
  table: string
  index: string
  /** of successful calls */
  read_units: number
  /** of successful calls */
  write_units: number
  failed_read_units: number
  failed_write_units: number
  throttled: number
  /** accessed; an estimate */
  distinct_partition_keys: number
  /** accessed; an estimate */
  distinct_items: number
  read_keys: TopKeys
  written_keys: TopKeys
  throttled_keys: TopKeys
  read_items: TopKeys
  written_items: TopKeys
  hot_windows: HotWindow[]
  /** ascending; a range without units is left out */
  heat: HeatRun[]
  heat_over_time: HeatSlice[]
  /** writes to a collection that was written before */
  writes_in_order_known: number
  /** how many writes in `writes_in_order_known` had a greater sort key than the write before */
  rising_writes: number
  collections: CollectionMeasure
}

/** A placeholder of a key template. */
export interface PlaceholderMeasure {
  /** as in the template: "customer_id", "date", "…" */
  text: string
  /** "digits", "date", "ulid", "uuid", "text", "number", "binary" */
  kind: string
  /** whose value it equals in every stored item; empty: unknown */
  attribute: string
  /** at least */
  distinct: number
  least_length: number
  greatest_length: number
  has_leading_zeros: boolean
}

/** A template of a key attribute. */
export interface KeyTemplateMeasure {
  table: string
  index: string
  attribute: string
  /** "ORDER#{date}#{order_id}" */
  text: string
  placeholders: PlaceholderMeasure[]
  /** stored; 0: only asked for */
  items: number
}

/** What an entity has in one index. */
export interface EntityIndex {
  index: string
  /** how many of the entity's items are in the index */
  items: number
  size_bytes: number
  /** the template of the first item's key in the index */
  partition_key: string
  /** the template of the first item's key in the index */
  sort_key: string
  /** other items have other templates */
  has_other_partition_keys: boolean
  /** other items have other templates */
  has_other_sort_keys: boolean
}

export interface AttributeMeasure {
  name: string
  count: number
  /** names and values, all items together */
  size_bytes: number
  /** the part of the names */
  name_bytes: number
  /** "S", "N, S" */
  types: string
  /** "ISO", "seconds", "milliseconds", or several of them; empty: no time */
  time_forms: string
  /** elements */
  largest_list: number
}

/** The items whose keys have the same templates and whose type attribute has the same value. */
export interface EntityMeasure {
  table: string
  /** the type attribute's value; empty: the items have none */
  type: string
  partition_key: string
  sort_key: string
  items: number
  size_bytes: Distribution
  indexes: EntityIndex[]
  /** the most frequent */
  attributes: AttributeMeasure[]
  /** since the measurement began */
  inserted: number
  /** since the measurement began */
  changed: number
  /** since the measurement began */
  removed: number
  /** of writes: of the table and of each index */
  units: ResourceUnits[]
}

/** What one caller (a connection of an app) did one after another, within a second. */
export interface SequenceMeasure {
  /** "gets in a burst": several reads of one item each, by one template, right after one another. "gets of one collection in a burst": the same, where all items have one partition key. "read after write": a read of the item that the caller wrote just before. "read before create": a read that found nothing, then a create of the same key. "together": reads of `first` that a read of `second` followed. */
  kind: string
  /** a pattern's id */
  first: string
  /** a pattern's id */
  second: string
  count: number
  /** calls of `first` and `second` in these sequences */
  calls: number
  /** of bursts: the most calls */
  largest: number
}

export interface TimeBucket {
  begin_epoch_ms: number
  calls: number
  errors: number
  /** by reason, or by the error's name if it has none */
  throttles: NamedCount[]
  read_units: number
  write_units: number
  /** of the busiest second */
  peak_second_read_units: number
  /** of the busiest second */
  peak_second_write_units: number
  /** of the busiest minute that ends in the bucket */
  peak_minute_read_units: number
  /** of the busiest minute that ends in the bucket */
  peak_minute_write_units: number
}

export interface TimeMeasure {
  bucket_ms: number
  /** ascending; a bucket in which nothing happened is left out */
  buckets: TimeBucket[]
}

/** How long the server worked. It differs from run to run. */
export interface ServerTime {
  /** its id */
  pattern: string
  microseconds: Distribution
}

export interface MeasurementSettings {
  /** where keys are cut into tokens */
  separators: string
  /** of HotWindow */
  window_ms: number
  /** empty: found by its usual names */
  type_attribute: string
}

/** What was counted only in part, because there was more of it than is kept. */
export interface MeasurementLimits {
  /** calls that are counted in the pattern "other" */
  other_patterns: number
  /** accesses of tables and indexes without counters */
  other_resources: number
  /** calls whose pages could not be linked any more */
  open_pages: number
}

export interface Measurement {
  /** of the form of the JSON */
  version: number
  name: string
  /** empty: all */
  account: string
  /** empty: all */
  region: string
  /** empty: all */
  only_tables: string[]
  began_epoch_ms: number
  /** when it ended or, while it runs, was read */
  ended_epoch_ms: number
  is_running: boolean
  /** What a model of another layout changed, a sentence each: then the figures are modelled. */
  changes: string[]
  settings: MeasurementSettings
  limits: MeasurementLimits
  tables: TableMeasure[]
  resources: ResourceMeasure[]
  /** of the tables and indexes that are modelled; empty: none is */
  partitions: PartitionMap[]
  /** descending by cost */
  patterns: PatternMeasure[]
  entities: EntityMeasure[]
  key_templates: KeyTemplateMeasure[]
  sequences: SequenceMeasure[]
  time: TimeMeasure
  /** of requests that reached no pattern */
  other_errors: NamedCount[]
  server_time: ServerTime[]
}
