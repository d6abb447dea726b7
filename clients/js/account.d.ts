import type {
  Budgets, CheckAnswer, ClockState, CompareAnswer, Control, Fault, FaultRule, Key, MeasurementOptions, MeasurementStart, RecordedRequest,
  ReportChoice, Time,
} from './control-api'
import type { Measurement } from './measurement'

export interface Clock {
  now(): Promise<ClockState>
  /** Stops the clock now, or at an instant: a Date, "2026-01-31T12:00:00Z", or epoch seconds. */
  freeze(at?: Date | string | number): Promise<ClockState>
  /** Moves the clock forward, and deletes the items that have expired by then. */
  advance(time: Time): Promise<ClockState>
  scale(factor: number): Promise<ClockState>
  real(): Promise<ClockState>
}

export interface Faults {
  /** Adds rules for requests of this account. They end with the test. */
  add(...rules: (Fault | Fault[])[]): Promise<FaultRule[]>
  list(): Promise<FaultRule[]>
  clear(): Promise<void>
}

export interface Requests {
  /** Records requests from now on: the last `limit` requests of all accounts. Earlier requests of this account are forgotten. */
  record(options?: number | { limit?: number }): Promise<void>
  /** Stops recording for all accounts, so also for other workers. */
  stop(): Promise<void>
  /** The requests of this account, or only those of a table, operation or Region, or those after the id `since`. */
  list(only?: { table?: string; operation?: string; region?: string; since?: number }): Promise<RecordedRequest[]>
  /** Forgets the requests of this account. */
  clear(): Promise<void>
}

/** A measurement that runs: what the calls to the account's tables cost since measure(). It ends with the test, or with stop(). */
export interface Measured {
  /** The name without the account. */
  readonly name: string
  read(): Promise<Measurement>
  /** Returns a text, or with `format: 'json'` an object. */
  report(choice: ReportChoice & { format: 'json' }): Promise<object>
  report(choice?: ReportChoice & { format?: 'text' | 'html' }): Promise<string>
  /** Rejects with an Error that lists what exceeds the budgets: an object, or the path of a JSON file. */
  check(budgets: Budgets | string, options?: MeasurementOptions): Promise<CheckAnswer>
  /**
   * Rejects with an Error that lists what got worse than in the baseline: a measurement, or the path of a JSON file. With
   * `update: true`, or HASHRANGE_UPDATE_BASELINE=1, the file is written, and nothing is compared.
   */
  compare(baseline: Measurement | string, options?: MeasurementOptions & { update?: boolean }): Promise<CompareAnswer | undefined>
  /** Ends the measurement. */
  stop(): Promise<Measurement>
}

/** One account of a server, with methods for its tables and for the server. */
export class Account {
  readonly id: string
  /** The id of the account that fork() copies. */
  readonly seed: string
  readonly endpoint: string
  readonly region: string
  /** The clock of the server, which all its accounts share. */
  readonly clock: Clock
  readonly faults: Faults
  readonly requests: Requests
  /** The configuration with which an AWS SDK connects as this account: `new DynamoDBClient(connection())`. */
  connection(): {
    endpoint: string
    region: string
    credentials: { accessKeyId: string; secretAccessKey: string }
  }
  /** The same as environment variables for SDKs. Variables that would take precedence are undefined. */
  environment(): Record<string, string | undefined>
  /** Replaces the account's tables by those of the seed account, and ends the simulations of this account. */
  fork(): Promise<void>
  /** Deletes all tables of the account, or only the items of one table. */
  reset(scope?: string | { table: string }): Promise<void>
  /** Saves the account's tables as they are now, for restore(name). The name has a-z, A-Z, 0-9, '-', '_' and '.'. */
  snapshot(name: string): Promise<void>
  restore(name: string): Promise<void>
  /** Holds an item as a transaction under way would, until release(), the end of the test, the next fork, or the end of a time. */
  hold(table: string, key: Key, timeout?: Time | { timeout?: Time }): Promise<{ id: number; release(): Promise<void> }>
  /** Begins a measurement of the account's tables, or of those named by `tables`. Measurements of other workers may have the same name. */
  measure(name: string, options?: Omit<MeasurementStart, 'name' | 'account'>): Promise<Measured>
  /**
   * Makes any call of the control API: control('POST', 'throughput', { account: account().id, enforce: true }). No account is
   * added to the call. What the call starts ends with the test, too.
   */
  readonly control: Control
}

/** The server refused a control call. */
export class ControlError extends Error {
  readonly status: number
}
