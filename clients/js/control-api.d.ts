// The calls of the control API, with their parameters and answers: see docs/control-api.md in the repository.

import type { Measurement, PartitionMap } from './measurement'

/** A whole number and its unit: "500ms", "2s", "5m", "2h", "2d". */
export type Time = `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`

/** "2026-01-31T12:00:00Z", or epoch seconds. */
export type Instant = string | number

/** DynamoDB JSON: `{ PK: { S: 'USER#1' } }`. */
export type Key = Record<string, { S: string } | { N: string } | { B: string }>

export type AttributeValue =
  | { S: string }
  | { N: string }
  | { B: string }
  | { BOOL: boolean }
  | { NULL: true }
  | { SS: string[] }
  | { NS: string[] }
  | { BS: string[] }
  | { L: AttributeValue[] }
  | { M: StoredItem }

/** DynamoDB JSON of an item. */
export interface StoredItem {
  [name: string]: AttributeValue
}

export type Operation =
  // operations: begin (scripts/update-operations)
  | 'BatchExecuteStatement' | 'BatchGetItem' | 'BatchWriteItem' | 'CreateGlobalTable' | 'CreateTable' | 'DeleteItem'
  | 'DeleteResourcePolicy' | 'DeleteTable' | 'DescribeContinuousBackups' | 'DescribeContributorInsights' | 'DescribeEndpoints'
  | 'DescribeGlobalTable' | 'DescribeGlobalTableSettings' | 'DescribeKinesisStreamingDestination' | 'DescribeLimits'
  | 'DescribeStream' | 'DescribeTable' | 'DescribeTableReplicaAutoScaling' | 'DescribeTimeToLive'
  | 'DisableKinesisStreamingDestination' | 'EnableKinesisStreamingDestination' | 'ExecuteStatement' | 'ExecuteTransaction'
  | 'GetItem' | 'GetRecords' | 'GetResourcePolicy' | 'GetShardIterator' | 'ListBackups' | 'ListBulkOperations'
  | 'ListContributorInsights' | 'ListExports' | 'ListGlobalTables' | 'ListImports' | 'ListStreams' | 'ListTables'
  | 'ListTagsOfResource' | 'PutItem' | 'PutResourcePolicy' | 'Query' | 'Scan' | 'SearchVectors' | 'TagResource' | 'TransactGetItems'
  | 'TransactWriteItems' | 'UntagResource' | 'UpdateContinuousBackups' | 'UpdateContributorInsights' | 'UpdateGlobalTable'
  | 'UpdateGlobalTableSettings' | 'UpdateItem' | 'UpdateKinesisStreamingDestination' | 'UpdateTable'
  | 'UpdateTableReplicaAutoScaling' | 'UpdateTimeToLive'
  // operations: end

/** All tables, or only those of an account, a Region or a name. */
export interface Scope {
  account?: string
  region?: string
  table?: string
}

/** One table. Default account and Region: `000000000000` and `us-east-1`. */
export interface TableName extends Scope {
  table: string
}

// ---- failures ----

/** Chooses the requests of a rule. */
export type Match = {
  operation?: Operation | Operation[]
  table?: string
  index?: string
  region?: string
  /** `skip`: the first matches are skipped. `every`: only each n-th match fires. `times`: how often the rule fires in all. */
  skip?: number
  every?: number
  times?: number
  /** Above 0, up to 1. */
  probability?: number
} & OneItem

/** The key of an item; or the beginning of the key attributes of items: `{ PK: 'USER#' }`. */
type OneItem = { key?: Key; key_prefix?: never } | { key?: never; key_prefix?: Record<string, string> }

export type ThrottlingReason = `${'Table' | 'Index'}${'Read' | 'Write'}${
  | 'ProvisionedThroughputExceeded' | 'KeyRangeThroughputExceeded' | 'MaxOnDemandThroughputExceeded' | 'AccountLimitExceeded'}`

export interface Throttle {
  reason: ThrottlingReason
  /** Default: the service's exception for the reason. */
  exception?: 'ProvisionedThroughputExceededException' | 'RequestLimitExceeded' | 'ThrottlingException'
  message?: string
}

export type ErrorType =
  | 'AccessDeniedException' | 'BackupInUseException' | 'BackupNotFoundException' | 'ConditionalCheckFailedException'
  | 'ContinuousBackupsUnavailableException' | 'DuplicateItemException' | 'ExpiredIteratorException' | 'ExpiredTokenException'
  | 'ExportConflictException' | 'ExportNotFoundException' | 'GlobalTableAlreadyExistsException' | 'GlobalTableNotFoundException'
  | 'IdempotentParameterMismatchException' | 'ImportConflictException' | 'ImportNotFoundException' | 'IncompleteSignatureException'
  | 'IndexNotFoundException' | 'InternalFailure' | 'InternalServerError' | 'InvalidEndpointException' | 'InvalidExportTimeException'
  | 'InvalidRestoreTimeException' | 'InvalidSignatureException' | 'ItemCollectionSizeLimitExceededException' | 'LimitExceededException'
  | 'MissingAuthenticationTokenException' | 'PointInTimeRecoveryUnavailableException' | 'PolicyNotFoundException'
  | 'ProvisionedThroughputExceededException' | 'ReplicaAlreadyExistsException' | 'ReplicaNotFoundException'
  | 'ReplicatedWriteConflictException' | 'RequestLimitExceeded' | 'ResourceInUseException' | 'ResourceNotFoundException'
  | 'SerializationException' | 'ServiceUnavailable' | 'TableAlreadyExistsException' | 'TableInUseException' | 'TableNotFoundException'
  | 'ThrottlingException' | 'TransactionCanceledException' | 'TransactionConflictException' | 'TransactionInProgressException'
  | 'TrimmedDataAccessException' | 'UnknownOperationException' | 'UnrecognizedClientException' | 'ValidationException'

/** Without `message`, the error has the service's message. */
export type ErrorToGive =
  | { type: Exclude<ErrorType, 'TransactionCanceledException'>; message?: string; reasons?: never }
  | { type: 'TransactionCanceledException'; message?: string; /** A code for each member. */ reasons?: string[] }

interface Failures {
  throttle: ThrottlingReason | Throttle
  error: ErrorToGive
  status: 500 | 503
  /** The connection ends without an answer: 'before' the request is carried out, or 'after'. */
  drop: 'before' | 'after'
  /** This many keys of a batch are returned as unprocessed, but never all. */
  unprocessed: number
  conflict: true
  in_progress: true
  collection_full: true
}

/** One member of Failures. */
type Failure = { [Own in keyof Failures]: Pick<Failures, Own> & { [Other in Exclude<keyof Failures, Own>]?: never } }[keyof Failures]

export type Latency = Time | { min: Time; max: Time }

/** What happens to a request: one of the failures, with or without `latency`, or `latency` alone. */
export type Action = (Failure & { latency?: Latency }) | ({ [Any in keyof Failures]?: never } & { latency: Latency })

export interface Fault {
  name?: string
  match?: Match
  do: Action
}

/** A rule as the server keeps it. */
export interface FaultRule {
  id: number
  name?: string
  /** `hits`: how often the rule fired. `matches`: how many requests matched it. */
  hits: number
  matches: number
  match: Match & { account?: string }
  do: Action
}

export interface Hold {
  id: number
  table: string
  account: string
  region?: string
  key: Key
  until?: string
}

/** A time, or bounds of a random time for each change. */
export type Lag = Time | { min?: Time; max: Time }

interface Milliseconds {
  min: number
  max: number
}

export interface LaggingTable extends Required<Scope> {
  index_lag: Milliseconds
  stale_reads: Milliseconds
  seed: number
  waiting: { index_lag: number; stale_reads: number }
}

export interface Bucket {
  units_per_second: number
  units_left: number
  /** How many accesses were throttled. */
  throttled: number
}

interface Buckets {
  read?: Bucket
  write?: Bucket
}

export interface ThroughputState {
  rules: (Scope & { enforce: boolean })[]
  tables: (Required<Scope> & Buckets & { indexes: Record<string, Buckets> })[]
}

type KeyRangeError = 'ThrottlingException' | 'ProvisionedThroughputExceededException' | 'RequestLimitExceeded'

interface PartitionFigures<Length, Delay> {
  /** What one partition serves in a second. */
  read_units: number
  write_units: number
  /** What a new on-demand table or index serves in a second. */
  new_table_read_units: number
  new_table_write_units: number
  /** The account's quota for an on-demand table or index. */
  quota_read_units: number
  quota_write_units: number
  partition_bytes: number
  burst: Length
  average: Length
  split_heat: number
  split_after: Length
  split_delay: Delay
  one_item_share: number
  growth_after: Length
  /** The error with a reason `…KeyRangeThroughputExceeded`. */
  key_range_error: KeyRangeError
}

/** What the model of partitions assumes. Others are as docs/control-api.md lists them. */
export type PartitionParameters = Partial<PartitionFigures<Time, Lag>>

export type PartitionMode = 'watch' | 'enforce'

export interface PartitionRule extends Scope {
  mode: PartitionMode
  seed: number
  /** Those that differ from the usual ones; times are milliseconds. */
  parameters: Partial<PartitionFigures<number, Milliseconds>>
}

export interface PartitionState {
  rules: PartitionRule[]
  tables: (Required<Scope> & { mode: PartitionMode; seed: number; resources: PartitionMap[] })[]
}

// ---- time ----

/** `advance` alone, or together with one of the others. */
export type ClockChange =
  | { mode: 'real'; frozen?: never; scale?: never; advance?: Time }
  | { frozen: true | Instant; mode?: never; scale?: never; advance?: Time }
  | { scale: number; mode?: never; frozen?: never; advance?: Time }
  | { advance: Time; mode?: never; frozen?: never; scale?: never }

export interface ClockState {
  mode: 'real' | 'frozen' | 'scaled'
  now: string
  epoch_ms: number
  scale: number
}

// ---- data and state ----

/** Either files on the server's machine, or items as text. */
export type Seed = Omit<SeedBody, 'path' | 'data'> & ({ path: string; data?: never } | { data: string; path?: never })

export type DumpOfFiles = DumpBody & { path: string }

export type DumpOfText = TableName & Pick<DumpBody, 'format'> & { path?: never }

export interface Snapshot {
  name: string
  account?: string
  created: string
  tables: number
  items: number
  size_bytes: number
}

// ---- what happened ----

/** A request whose operation and account are known. */
export type RecordedRequest = AnyRequest & Required<Pick<AnyRequest, 'operation' | 'account' | 'region'>>

// ---- what is stored ----

export type CollectionsChoice = TableName & Pick<CollectionsBody, 'index' | 'items' | 'limit'> & (
  | { order?: 'hash'; after?: Key; at?: never }
  | { order?: 'hash'; at?: number; after?: never }
  | ({ order: 'key'; after?: string } & Pick<CollectionsBody, 'directory' | 'entity' | 'prefix'>))

// ---- explanations ----

/** An error of the DynamoDB API. */
export interface ErrorBody {
  __type?: string
  message?: string
  Message?: string
  [member: string]: unknown
}

// ---- measurements ----

/** What is measured: all tables, or those that are named here. */
export interface MeasurementStart {
  name: string
  account?: string
  region?: string
  tables?: string[]
  /** Where keys are cut into tokens: "#:/|" if it is left out. */
  separators?: string
  /** The window in which a key's share is the largest: "1m" if it is left out. */
  window?: Time
  /** The attribute with the type of an item; found by its usual names if it is left out. */
  type_attribute?: string
}

export interface MeasurementSummary extends Pick<MeasurementStart, 'name' | 'account' | 'region' | 'tables'> {
  began: string
}

/** Names the patterns that all given members match, in which `*` matches anything. */
export interface PatternMatch {
  name: string
  operation?: Operation
  table?: string
  index?: string
  partition_key?: string
  sort_key?: string
  caller?: string
}

export interface MeasurementOptions {
  names?: PatternMatch[]
  /** Calls a second of each pattern, by its name. */
  rates?: Record<string, number>
  /** A price list, in place of the one that is built in. */
  prices?: object
  /** Which rules give findings. */
  profile?: 'single-table' | 'aws'
}

export interface ReportChoice {
  format?: 'text' | 'html' | 'json'
  options?: MeasurementOptions
  /** Other measurements, side by side. */
  against?: Measurement[]
}

type Limit = number | { p50?: number; p95?: number; p99?: number; max?: number; mean?: number }

/** What calls of a pattern may take: sizes of a call, and shares of the requests from 0 to 1. A number alone is the most. */
export interface PatternBudget {
  read_units?: Limit
  write_units?: Limit
  items_examined?: Limit
  items_returned?: Limit
  bytes_examined?: Limit
  bytes_returned?: Limit
  pages?: Limit
  examined_per_returned?: number
  errors?: number
  throttled?: number
  failed_conditions?: number
  /** Bytes that vector indexes charged for a call, in the mean. */
  vector_bytes_searched?: number
  vector_bytes_written?: number
  usd_per_million?: number
}

export interface TableBudget {
  usd_per_month?: number
  size_bytes?: number
  largest_collection_bytes?: number
}

export interface Budgets {
  /** By the name, id, text or operation of a pattern. `*` means every pattern. */
  patterns?: Record<string, PatternBudget>
  no_scans?: boolean
  tables?: Record<string, TableBudget>
  /** Calls a second of the measured mix, at least. */
  first_limit?: number
  findings?: { severe?: number; warning?: number; hint?: number }
  names?: PatternMatch[]
  rates?: Record<string, number>
}

/** What exceeds a budget. A number is null where it is infinite: items examined for each that is returned, when none is returned. */
export interface Violation {
  what: string
  /** A pattern or a table. */
  where: string
  is: number | null
  allowed: number
  sentence: string
}

/** What got worse than in the baseline. */
export interface Regression {
  /** The number of the measurement in `measurements`, which begin with the baseline. */
  measurement: number
  what: string
  where: string
  before: number | null
  now: number | null
  sentence: string
}

export interface CheckAnswer {
  passed: boolean
  violations: Violation[]
}

/** A pattern in one of the measurements that are compared. */
export type PatternSide =
  | { is_present: false }
  | {
      is_present: true
      calls: number
      read_units_a_call: number
      write_units_a_call: number
      p99_read_units: number
      p99_write_units: number
      /** null when nothing was returned. */
      examined_per_returned: number | null
      usd_per_million: number
    }

export interface CompareAnswer {
  passed: boolean
  regressions: Regression[]
  /** The baseline, and the measurement. */
  measurements: { name: string; calls: number; usd_per_million: number; storage_usd: number; first_limit?: string }[]
  patterns: { title: string; sides: PatternSide[] }[]
  storage: { table: string; index: string; sides: ({ is_present: false } | { is_present: true; items: number; billed_bytes: number })[] }[]
}

// ---- the calls ----

export interface Call<Answer, Body = undefined> {
  body: Body
  answer: Answer
}

interface StatusOfTable {
  table: string
  index?: string
  status: 'CREATING' | 'UPDATING' | 'ACTIVE'
}

interface RulesToAdd {
  /** The seed of the random numbers. */
  seed?: number
  rules: { name?: string; match: Match & { account?: string }; do: Action }[]
}

// rows: begin (scripts/update-control-types)
export interface ServerInfo {
  version: string
  pid: number
  uptime_ms: number
  /** Of all accounts. */
  tables: number
  /** The page in the browser. */
  console: 'on' | 'read-only' | 'off'
}

export interface ExplainBody {
  /** One that reads or writes items. */
  operation: Operation
  input: object
  account?: string
  region?: string
}

export interface IndexEntryChange {
  index: string
  entry: 'inserted' | 'removed' | 'moved' | 'changed' | 'unchanged'
  units: number
  bytes_before: number
  bytes_after: number
}

/** What one access of a request reads or writes, and takes. Members that do not concern it are absent. */
export interface ExplainedAccess {
  kind: 'get' | 'query' | 'scan' | 'search' | 'put' | 'update' | 'delete' | 'check'
  table: string
  index?: string
  /** The key of the item, or the key condition. */
  key?: string
  filter?: string
  condition?: string
  /** Of a statement. It names the key, too. */
  where?: string
  projection?: string
  update?: string
  limit?: number
  backward?: true
  counts_only?: true
  consistent?: true
  in_transaction?: true
  /** The page begins at an ExclusiveStartKey. */
  continues?: true
  /** A Scan reads one segment. */
  is_segment?: true
  units: number
  index_units: Record<string, number>
  /** Bytes that each vector index charged; only for a table with vector indexes. */
  vector_bytes?: Record<string, number>
  /** Nothing is written, and the units are charged. */
  is_failed?: true
  /** The error with which this write was refused. Without it, another action of the transaction was refused. */
  failure?: string
  items_examined?: number
  items_returned?: number
  bytes_examined?: number
  bytes_returned?: number
  has_more?: true
  bytes_before?: number
  bytes_after?: number
  indexes?: IndexEntryChange[]
}

/** What a request would take. */
export interface Explanation {
  operation: Operation
  status: number
  read_units: number
  write_units: number
  accesses: ExplainedAccess[]
  answer_bytes: number
  /** The body of the answer, if that is an error. */
  error?: ErrorBody
}

export interface CollectionsBody {
  table: string
  account?: string
  region?: string
  index?: string
  order?: 'hash' | 'key'
  /** From 1 to 200, 50 unless set. */
  limit?: number
  /** How many first items of each collection come with it, at most 100. */
  items?: number
  /** What the answer before had. */
  after?: Key | string
  /** In hash order: where to begin, from 0 to 1. */
  at?: number
  /** In key order: its `id` in an earlier answer. */
  directory?: string
  /** In key order: its number in the directory. */
  entity?: number
  /** In key order: what the first HASH attribute begins with. */
  prefix?: string
}

/** Items of a collection, as a Query answers them. */
export interface ItemPage {
  Items: StoredItem[]
  /** The ExclusiveStartKey of a Query of the next items. */
  LastEvaluatedKey?: Key
}

/** An item collection in the order of the hashes. */
export interface CollectionByHash {
  /** The HASH attributes. */
  key: Key
  /** The place among all hashes, from 0 to 1. */
  at: number
  /** At most 1,000. */
  items: number
  has_more_items: boolean
  /** By `items`, while the answer has less than 128 KB of items. */
  first_page?: ItemPage
}

export interface CollectionsByHash {
  order: 'hash'
  collections: CollectionByHash[]
  /** Goes into the next call; absent at the end. */
  after?: Key
}

/** What one pass over the items found. */
export interface CollectionDirectory {
  id: string
  made_epoch_ms: number
  took_ms: number
  items: number
  collections: number
  /** There was no room for all collections. */
  is_cut: boolean
}

/** One kind of items. */
export interface KeyEntity {
  /** Its number in the directory. */
  entity: number
  /** The template of each key attribute, such as "USER#{…}". */
  key: Record<string, string>
  items: number
  collections: number
  /** The keys, then the attributes that most of its items have. */
  attributes: string[]
}

export interface EntityCount {
  entity: number
  items: number
}

/** An item collection in the order of the keys. */
export interface CollectionByKey {
  /** The HASH attributes. */
  key: Key
  items: number
  /** Without the items that are in no entity. */
  entities: EntityCount[]
  /** By `items`, while the answer has less than 128 KB of items. */
  first_page?: ItemPage
}

export interface CollectionsByKey {
  order: 'key'
  directory: CollectionDirectory
  entities: KeyEntity[]
  collections: CollectionByKey[]
  /** Goes into the next call; absent at the end. */
  after?: string
}

export interface PlacesBody {
  table: string
  account?: string
  region?: string
  key: Key
}

export interface ItemPlace {
  /** Absent: the table itself. */
  index?: string
  key: Key
  /** Of the entry in the index. */
  size_bytes?: number
  /** The attributes that the index does not project. */
  missing?: string[]
}

export interface ItemAbsence {
  index: string
  /** A sentence. */
  reason: string
}

/** An item, and where it is. */
export interface Places {
  item: StoredItem
  size_bytes: number
  /** The table's own comes first. */
  places: ItemPlace[]
  absent: ItemAbsence[]
}

/** A list of the latest requests or changes. */
export interface RecorderState {
  enabled: boolean
  /** How many are kept. */
  limit: number
  last_id: number
  /** How many were dropped for lack of room. */
  forgotten: number
}

export interface ChangesQuery {
  table: string
  account?: string
  region?: string
  /** Only changes after this id. */
  since?: number
}

export interface ItemChange {
  id: number
  time: string
  event: 'INSERT' | 'MODIFY' | 'REMOVE'
  key: Key
  old?: StoredItem
  new?: StoredItem
  /** The item had expired. */
  by_ttl: boolean
}

export interface ChangeList {
  /** With `since`: how many changes after it were dropped. */
  missed?: number
  changes: ItemChange[]
}

export interface ChangesBody {
  table: string
  account?: string
  region?: string
  enabled?: boolean
  limit?: number
}

export interface ResetBody {
  account?: string
  region?: string
  /** Only its items are deleted. */
  table?: string
  /** Everything simulated ends, for all accounts. */
  simulation?: boolean
}

export interface TablesCounted {
  tables: number
}

export interface Account {
  account: string
  /** In all Regions. */
  tables: number
  /** Whether a table that is created in the account is kept in the data directory. */
  durable: boolean
}

export interface AccountList {
  accounts: Account[]
}

export interface SeedBody {
  /** A file or a folder on the server's machine. */
  path?: string
  /** Items as text. */
  data?: string
  format?: 'dynamodb' | 'json' | 'csv'
  table?: string
  /** The CreateTable request of a table that does not exist yet. */
  definition?: object
  account?: string
  region?: string
  threads?: number
}

export interface ItemsOfTables {
  /** How many items each table has. */
  tables: Record<string, number>
}

export interface SeedWarnings {
  /** Sentences. */
  warnings?: string[]
}

export interface DumpBody {
  /** A folder on the server's machine. */
  path?: string
  table?: string
  format?: 'dynamodb' | 'json'
  gzip?: boolean
  account?: string
  region?: string
  overwrite?: boolean
}

export interface RequestsQuery {
  account?: string
  region?: string
  table?: string
  operation?: string
  /** Only requests after this id. */
  since?: number
}

/** What a request did with a table or an index. */
export interface Access {
  table: string
  index?: string
  kind: 'read' | 'write' | 'condition_check' | 'query' | 'scan' | 'search'
  /** For a query: its condition on the sort key. */
  sort_key?: '=' | '<' | '<=' | '>' | '>=' | 'BETWEEN' | 'begins_with' | 'none'
  count: number
  units: number
  table_units: number
  index_units?: Record<string, number>
  /** Bytes that vector indexes charged. */
  vector_bytes?: number
  examined: number
  returned: number
  written: number
}

/** A request of any account. Operation and account are missing if the request could not be read. */
export interface AnyRequest {
  id: number
  time: string
  operation?: string
  account?: string
  region?: string
  status: number
  error?: string
  /** The message of the error. */
  message?: string
  duration_us: number
  delay_ms?: number
  dropped?: true
  request_bytes: number
  answer_bytes: number
  accesses: Access[]
}

export interface RequestList {
  /** With `since`: how many requests after it were dropped. */
  missed?: number
  requests: AnyRequest[]
}

export interface RequestsBody {
  enabled?: boolean
  limit?: number
}

export interface RequestsCounted {
  requests: number
}

interface GetCalls {
  '': Call<ServerInfo>
  [path: `changes?${string}`]: Call<RecorderState & ChangeList>
  accounts: Call<AccountList>
  requests: Call<RecorderState & RequestList>
  [path: `requests?${string}`]: Call<RecorderState & RequestList>
}

interface PostCalls {
  explain: Call<Explanation, ExplainBody>
  collections: Call<CollectionsByHash | CollectionsByKey, CollectionsChoice>
  places: Call<Places, PlacesBody>
  changes: Call<RecorderState, ChangesBody>
  reset: Call<TablesCounted, ResetBody | undefined>
  seed: Call<ItemsOfTables & SeedWarnings, Seed>
  dump: Call<ItemsOfTables | string, DumpOfFiles | DumpOfText>
  requests: Call<RecorderState, RequestsBody>
}

interface DeleteCalls {
  requests: Call<RequestsCounted>
  [path: `requests?${string}`]: Call<RequestsCounted>
}

// rows: end

/** method -> path -> the parameters and the answer of the call. */
export interface ControlCalls {
  GET: GetCalls & {
    snapshots: Call<{ snapshots: Snapshot[] }>
    clock: Call<ClockState>
    faults: Call<{ rules: FaultRule[] }>
    [path: `faults/${number}`]: Call<FaultRule>
    holds: Call<{ holds: Hold[] }>
    consistency: Call<{ tables: LaggingTable[] }>
    throughput: Call<ThroughputState>
    partitions: Call<PartitionState>
    [path: `partitions?${string}`]: Call<PartitionState>
    metrics: Call<string>
    measurements: Call<{ measurements: MeasurementSummary[] }>
    [path: `measurements/${string}`]: Call<Measurement>
  }
  POST: PostCalls & {
    /** `path` is a directory on the server's machine that is absent or empty. */
    backup: Call<{ path: string }, { path: string }>
    /** `durable` needs a server with a data directory. */
    fork: Call<TablesCounted, { from: string; to: string; durable?: boolean }>
    snapshots: Call<Snapshot, { name: string; account?: string }>
    [path: `snapshots/${string}/restore`]: Call<TablesCounted>
    clock: Call<ClockState, ClockChange>
    faults: Call<{ rules: FaultRule[] }, RulesToAdd>
    holds: Call<{ id: number }, TableName & { key: Key; timeout?: Time }>
    status: Call<StatusOfTable, Scope & StatusOfTable>
    consistency: Call<{ tables: LaggingTable[] }, TableName & { index_lag?: Lag; stale_reads?: Lag; seed?: number }>
    throughput: Call<ThroughputState, Scope & { enforce: boolean }>
    partitions: Call<PartitionState, Scope & { mode: PartitionMode; parameters?: PartitionParameters; seed?: number }>
    /** Begins to count calls for `metrics`, until the server ends. */
    metrics: Call<{ enabled: true }, { enabled?: true } | undefined>
    measurements: Call<MeasurementSummary, MeasurementStart>
    [path: `measurements/${string}/report`]: Call<string | object, ReportChoice | undefined>
    [path: `measurements/${string}/check`]: Call<CheckAnswer, { budgets: Budgets; options?: MeasurementOptions }>
    [path: `measurements/${string}/compare`]: Call<CompareAnswer, { against: Pick<Measurement, 'version'> & Partial<Measurement>; options?: MeasurementOptions }>
  }
  DELETE: DeleteCalls & {
    [path: `snapshots/${string}`]: Call<{}>
    faults: Call<{ rules: number }>
    [path: `faults/${number}`]: Call<{ rules: number }>
    holds: Call<{ holds: number }>
    [path: `holds/${number}`]: Call<{ holds: number }>
    consistency: Call<TablesCounted, Scope | undefined>
    throughput: Call<ThroughputState, Scope | undefined>
    partitions: Call<PartitionState, Scope | undefined>
    measurements: Call<{ measurements: number }>
    [path: `measurements/${string}`]: Call<Measurement>
  }
}

type Method = keyof ControlCalls

// A path that is not known when the test is compiled may be any path.
export type CallOf<Own extends Method, Path extends string> =
  string extends Path ? Call<any, object | undefined> : Path extends keyof ControlCalls[Own] ? ControlCalls[Own][Path] : never
export type PathOf<Own extends Method, Path extends string> =
  string extends Path ? Path : Path extends keyof ControlCalls[Own] ? Path : keyof ControlCalls[Own]
type BodyOf<Called> = Called extends Call<any, infer Body> ? (undefined extends Body ? [body?: Body] : [body: Body]) : []
export type AnswerOf<Called> = Called extends Call<infer Answer, any> ? Answer : never

export interface Control {
  <Own extends Method, Path extends string>(
    method: Own,
    path: PathOf<Own, Path>,
    ...body: BodyOf<CallOf<Own, Path>>
  ): Promise<AnswerOf<CallOf<Own, Path>>>
}
