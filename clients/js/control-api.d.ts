// The calls of the control API, with their parameters and answers: see docs/control-api.md in the repository.

import type { Measurement, PartitionMap } from './measurement'

/** A whole number and its unit: "500ms", "2s", "5m", "2h", "2d". */
export type Time = `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`

/** "2026-01-31T12:00:00Z", or epoch seconds. */
export type Instant = string | number

/** DynamoDB JSON: `{ PK: { S: 'USER#1' } }`. */
export type Key = Record<string, { S: string } | { N: string } | { B: string }>

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

interface SeedMembers extends Scope {
  format?: 'dynamodb' | 'json' | 'csv'
  /** The CreateTable request of a table that does not exist yet. */
  definition?: object
  threads?: number
}

/** Either files on the server's machine, or items as text. */
export type Seed = SeedMembers & ({ path: string; data?: never } | { data: string; path?: never })

export interface DumpOfFiles extends Scope {
  path: string
  format?: 'dynamodb' | 'json'
  gzip?: boolean
  overwrite?: boolean
}

export interface DumpOfText extends TableName {
  path?: never
  format?: 'dynamodb' | 'json'
}

/** How many items each table has. */
export interface ItemsOfTables {
  tables: Record<string, number>
}

/** An account with its tables in all Regions. */
export interface Account {
  account: string
  tables: number
  /** Whether a table that is created in the account is kept in the data directory. */
  durable: boolean
}

export interface Snapshot {
  name: string
  account?: string
  created: string
  tables: number
  items: number
  size_bytes: number
}

// ---- what happened ----

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

export interface RecordedRequest {
  id: number
  time: string
  operation: string
  account: string
  region: string
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

/** A request of any account. The account is missing if the request could not be read. */
export type AnyRequest = Omit<RecordedRequest, 'operation' | 'account' | 'region'> &
  Partial<Pick<RecordedRequest, 'operation' | 'account' | 'region'>>

export interface RecorderState {
  enabled: boolean
  limit: number
  last_id: number
  forgotten: number
}

// ---- what is stored ----

/** DynamoDB JSON of an item. */
export type StoredItem = Record<string, object>

export interface CollectionsByHash {
  order: 'hash'
  /** `key`: the HASH attributes. `at`: the place among all hashes, from 0 to 1. `items`: at most 1,000. */
  collections: { key: Key; at: number; items: number; has_more_items: boolean }[]
  /** Goes into the next call; absent at the end. */
  after?: Key
}

export interface CollectionsByKey {
  order: 'key'
  directory: { id: string; made_epoch_ms: number; took_ms: number; items: number; collections: number; is_cut: boolean }
  /** `key`: the template of each key attribute, such as "USER#{…}". */
  entities: { entity: number; key: Record<string, string>; items: number; collections: number; attributes: string[] }[]
  collections: { key: Key; items: number; entities: { entity: number; items: number }[] }[]
  after?: string
}

type CollectionsChoice = TableName & { index?: string; limit?: number } & (
  | { order?: 'hash'; after?: Key; at?: never }
  | { order?: 'hash'; at?: number; after?: never }
  | { order: 'key'; after?: string; directory?: string; entity?: number; prefix?: string })

export interface Places {
  item: StoredItem
  size_bytes: number
  /** First the table's own, without `index`. `missing`: attributes that the index does not project. */
  places: { index?: string; key: Record<string, object>; size_bytes?: number; missing?: string[] }[]
  absent: { index: string; reason: string }[]
}

export interface ItemChange {
  id: number
  time: string
  event: 'INSERT' | 'MODIFY' | 'REMOVE'
  key: Key
  old?: StoredItem
  new?: StoredItem
  by_ttl: boolean
}

// ---- explanations ----

/** What one access of a request reads or writes, and takes. Members that do not concern it are absent. */
export interface ExplainedAccess {
  kind: 'get' | 'query' | 'scan' | 'search' | 'put' | 'update' | 'delete' | 'check'
  table: string
  index?: string
  /** The key of the item, or the key condition. */
  key?: string
  filter?: string
  condition?: string
  update?: string
  projection?: string
  limit?: number
  backward?: true
  counts_only?: true
  consistent?: true
  in_transaction?: true
  /** The page begins at an ExclusiveStartKey. */
  continues?: true
  units: number
  index_units: Record<string, number>
  /** Bytes that each vector index charged; only for a table with vector indexes. */
  vector_bytes?: Record<string, number>
  /** The condition does not hold: nothing is written, and the units are charged. */
  is_failed?: true
  items_examined?: number
  items_returned?: number
  bytes_examined?: number
  bytes_returned?: number
  has_more?: true
  bytes_before?: number
  bytes_after?: number
  indexes?: {
    index: string
    entry: 'inserted' | 'removed' | 'moved' | 'changed' | 'unchanged'
    units: number
    bytes_before: number
    bytes_after: number
  }[]
}

/** What a request would take. `error` is the body of the answer, if that is an error. */
export interface Explanation {
  operation: string
  status: number
  read_units: number
  write_units: number
  accesses: ExplainedAccess[]
  answer_bytes: number
  error?: object
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

interface Call<Answer, Body = undefined> {
  body: Body
  answer: Answer
}

interface TablesCounted {
  tables: number
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

/** method -> path -> the parameters and the answer of the call. */
export interface ControlCalls {
  GET: {
    '': Call<{ version: string; pid: number; uptime_ms: number; tables: number; console: 'on' | 'read-only' | 'off' }>
    accounts: Call<{ accounts: Account[] }>
    snapshots: Call<{ snapshots: Snapshot[] }>
    clock: Call<ClockState>
    faults: Call<{ rules: FaultRule[] }>
    [path: `faults/${number}`]: Call<FaultRule>
    holds: Call<{ holds: Hold[] }>
    consistency: Call<{ tables: LaggingTable[] }>
    throughput: Call<ThroughputState>
    partitions: Call<PartitionState>
    [path: `partitions?${string}`]: Call<PartitionState>
    requests: Call<RecorderState & { requests: AnyRequest[] }>
    /** `missed`, with `since`: how many calls after it were dropped because the list was full. */
    [path: `requests?${string}`]: Call<RecorderState & { missed?: number; requests: AnyRequest[] }>
    /** `missed`, with `since`: how many changes after it were dropped because there was no room. */
    [path: `changes?${string}`]: Call<RecorderState & { missed?: number; changes: ItemChange[] }>
    metrics: Call<string>
    measurements: Call<{ measurements: MeasurementSummary[] }>
    [path: `measurements/${string}`]: Call<Measurement>
  }
  POST: {
    seed: Call<ItemsOfTables & { warnings?: string[] }, Seed>
    /** Without `path`, the answer is a text. */
    dump: Call<ItemsOfTables | string, DumpOfFiles | DumpOfText>
    /** `path` is a directory on the server's machine that is absent or empty. */
    backup: Call<{ path: string }, { path: string }>
    /** `durable` needs a server with a data directory. */
    fork: Call<TablesCounted, { from: string; to: string; durable?: boolean }>
    reset: Call<TablesCounted, (Scope & { simulation?: boolean }) | undefined>
    snapshots: Call<Snapshot, { name: string; account?: string }>
    [path: `snapshots/${string}/restore`]: Call<TablesCounted>
    clock: Call<ClockState, ClockChange>
    faults: Call<{ rules: FaultRule[] }, RulesToAdd>
    holds: Call<{ id: number }, TableName & { key: Key; timeout?: Time }>
    status: Call<StatusOfTable, Scope & StatusOfTable>
    consistency: Call<{ tables: LaggingTable[] }, TableName & { index_lag?: Lag; stale_reads?: Lag; seed?: number }>
    throughput: Call<ThroughputState, Scope & { enforce: boolean }>
    partitions: Call<PartitionState, Scope & { mode: PartitionMode; parameters?: PartitionParameters; seed?: number }>
    requests: Call<RecorderState, { enabled?: boolean; limit?: number }>
    collections: Call<CollectionsByHash | CollectionsByKey, CollectionsChoice>
    places: Call<Places, TableName & { key: Key }>
    changes: Call<RecorderState, TableName & { enabled?: boolean; limit?: number }>
    /** Begins to count calls for `metrics`, until the server ends. */
    metrics: Call<{ enabled: true }, { enabled?: true } | undefined>
    explain: Call<Explanation, { operation: Operation; input: object; account?: string; region?: string }>
    measurements: Call<MeasurementSummary, MeasurementStart>
    [path: `measurements/${string}/report`]: Call<string | object, ReportChoice | undefined>
    [path: `measurements/${string}/check`]: Call<CheckAnswer, { budgets: Budgets; options?: MeasurementOptions }>
    [path: `measurements/${string}/compare`]: Call<CompareAnswer, { against: Pick<Measurement, 'version'> & Partial<Measurement>; options?: MeasurementOptions }>
  }
  DELETE: {
    [path: `snapshots/${string}`]: Call<{}>
    faults: Call<{ rules: number }>
    [path: `faults/${number}`]: Call<{ rules: number }>
    holds: Call<{ holds: number }>
    [path: `holds/${number}`]: Call<{ holds: number }>
    consistency: Call<TablesCounted, Scope | undefined>
    throughput: Call<ThroughputState, Scope | undefined>
    partitions: Call<PartitionState, Scope | undefined>
    requests: Call<{ requests: number }>
    [path: `requests?${string}`]: Call<{ requests: number }>
    measurements: Call<{ measurements: number }>
    [path: `measurements/${string}`]: Call<Measurement>
  }
}

type Method = keyof ControlCalls

// A path that is not known when the test is compiled may be any path.
type CallOf<Own extends Method, Path extends string> =
  string extends Path ? Call<any, object | undefined> : Path extends keyof ControlCalls[Own] ? ControlCalls[Own][Path] : never
type PathOf<Own extends Method, Path extends string> =
  string extends Path ? Path : Path extends keyof ControlCalls[Own] ? Path : keyof ControlCalls[Own]
type BodyOf<Called> = Called extends Call<any, infer Body> ? (undefined extends Body ? [body?: Body] : [body: Body]) : []
type AnswerOf<Called> = Called extends Call<infer Answer, any> ? Answer : never

export interface Control {
  <Own extends Method, Path extends string>(
    method: Own,
    path: PathOf<Own, Path>,
    ...body: BodyOf<CallOf<Own, Path>>
  ): Promise<AnswerOf<CallOf<Own, Path>>>
}
