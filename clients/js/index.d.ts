/** "500ms", "2s", "5m" or "2d": a whole number and its unit. */
export type Time = string

/** DynamoDB JSON: `{ PK: { S: 'USER#1' } }`. */
export type Key = Record<string, Record<string, unknown>>

export interface Options {
  /** The program: else HASHRANGE_BINARY, else `hashrange` on PATH. */
  binary?: string
  /** Further arguments for `hashrange serve`: ['--transition-ms', '50']. */
  args?: string[]
  /** A file or folder of tables and items to begin with, as `hashrange dump` writes it. */
  seed?: string
  /**
   * Makes the first tables and items, once: a function, or the path of a module that exports one by default: one that
   * Node.js itself imports (.mjs, .cjs, .js); in the plugin of Vitest, one that Vite does (.ts, too).
   */
  setup?: string | ((seed: Account) => unknown)
  /** When a worker's account becomes a copy of the seeded one: before each file (the default), each test, or never. */
  fork?: 'file' | 'test' | false
  /** The Region of connection(): else AWS_REGION, else us-east-1. */
  region?: string
  /** A server that runs already: else HASHRANGE_ENDPOINT; else one is started. */
  endpoint?: string
  /** The control token of that server (else HASHRANGE_TOKEN), or for the one that is started. */
  token?: string
}

export interface ClockState {
  mode: 'real' | 'frozen' | 'scaled'
  now: string
  epoch_ms: number
  scale: number
}

export interface Clock {
  now(): Promise<ClockState>
  /** Stops the clock now, or at an instant: a Date, "2026-01-31T12:00:00Z", or epoch seconds. */
  freeze(at?: Date | string | number): Promise<ClockState>
  /** Moves it, and deletes what has expired by then. */
  advance(time: Time): Promise<ClockState>
  scale(factor: number): Promise<ClockState>
  real(): Promise<ClockState>
}

/** Which requests a rule is about: docs/control-api.md. */
export interface Match {
  operation?: string | string[]
  table?: string
  index?: string
  region?: string
  /** The item. */
  key?: Key
  /** Items whose key attributes begin so: `{ PK: 'USER#' }`. */
  key_prefix?: Record<string, string>
  skip?: number
  every?: number
  times?: number
  probability?: number
}

/** What becomes of a request: one of these, and `latency` beside it or alone. */
export interface Action {
  /** 'TableWriteProvisionedThroughputExceeded' or another of the service's reasons. */
  throttle?: string
  error?: { type: string; message?: string }
  /** 500 or 503. */
  status?: number
  /** 'before' or 'after'. */
  drop?: string
  unprocessed?: number
  conflict?: boolean
  in_progress?: boolean
  collection_full?: boolean
  latency?: Time | { min?: Time; max: Time }
}

export interface Fault {
  name?: string
  match?: Match
  do: Action
}

/** A rule as the server keeps it. */
export interface FaultRule {
  id: number
  name?: string
  /** How often it fired, and how many requests it was about. */
  hits: number
  matches: number
  match: Match & { account: string }
  do: Action
}

export interface Faults {
  /** Adds rules for requests of this account. They end with the test. */
  add(...rules: (Fault | Fault[])[]): Promise<FaultRule[]>
  list(): Promise<FaultRule[]>
  clear(): Promise<void>
}

export interface Access {
  table: string
  index?: string
  kind: 'read' | 'write' | 'condition_check' | 'query' | 'scan'
  /** Of a query, what it asks of the sort key. */
  sort_key?: '=' | '<' | '<=' | '>' | '>=' | 'BETWEEN' | 'begins_with' | 'none'
  count: number
  units: number
  table_units: number
  index_units?: Record<string, number>
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
  duration_us: number
  delay_ms?: number
  dropped?: true
  request_bytes: number
  answer_bytes: number
  accesses: Access[]
}

export interface Requests {
  /** From now on the server keeps what it is asked, the last `limit` requests of all accounts; what it kept of this one is forgotten. */
  record(options?: number | { limit?: number }): Promise<void>
  /** For all accounts, so for workers beside this one, too. */
  stop(): Promise<void>
  /** Those of this account, or only of one table, operation or Region, or those behind the one with the id `since`. */
  list(only?: { table?: string; operation?: string; region?: string; since?: number }): Promise<RecordedRequest[]>
  /** Forgets those of this account. */
  clear(): Promise<void>
}

/** One account of a server: the tables a test sees, and what it may do with them and with the server. */
export class Account {
  readonly id: string
  /** The id of the account that fork() copies. */
  readonly seed: string
  readonly endpoint: string
  readonly region: string
  /** All accounts of a server live by one clock. */
  readonly clock: Clock
  readonly faults: Faults
  readonly requests: Requests
  /** How an AWS SDK connects as this account: `new DynamoDBClient(connection())`. */
  connection(): {
    endpoint: string
    region: string
    credentials: { accessKeyId: string; secretAccessKey: string }
  }
  /** The same as the variables that SDKs read. Those that would win over them are undefined. */
  environment(): Record<string, string | undefined>
  /** Replaces the account's tables by those of the seed account, and ends what is simulated for it. */
  fork(): Promise<void>
  /** Deletes all tables of the account, or the items of one. */
  reset(scope?: string | { table: string }): Promise<void>
  /** Keeps the account's tables as they are now under a name of a-z, A-Z, 0-9, '-', '_' and '.', for restore(name). */
  snapshot(name: string): Promise<void>
  restore(name: string): Promise<void>
  /** Holds an item as a transaction under way would, until released, until the test ends, until the next fork, or for a time. */
  hold(table: string, key: Key, timeout?: Time | { timeout?: Time }): Promise<{ id: number; release(): Promise<void> }>
  /**
   * Any call of the control API: control('POST', 'throughput', { account: account().id, enforce: true }). It says whom it
   * is about by itself; what it starts ends with the test, too.
   */
  control(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<any>
}

/** The server refused a control call. */
export class ControlError extends Error {
  readonly status: number
}

/** The account of this worker. The functions below are its methods. */
export function account(): Account
export const clock: Clock
export const connection: Account['connection']
export const control: Account['control']
export const faults: Faults
export const fork: Account['fork']
export const hold: Account['hold']
export const requests: Requests
export const reset: Account['reset']
export const restore: Account['restore']
export const snapshot: Account['snapshot']

/**
 * A server of one's own, for a test that moves the clock. It is gone with this process, and what is started there ends
 * with it, not with the test. A path of `setup` or `seed` is from the root of the project.
 */
export function start(options?: Options): Promise<Account & { stop(): Promise<void> }>
