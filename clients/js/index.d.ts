import type { Account, Clock, Faults, Requests } from './account'

export * from './account'
export { Account } from './account' // and not the type of that name of the control API
export * from './control-api'
export * from './measurement'

export interface Options {
  /** The path of the program. Default: HASHRANGE_BINARY, then the one in the npm package `hashrange`, then `hashrange` on PATH. */
  binary?: string
  /** More arguments for `hashrange serve`: ['--transition-ms', '50']. */
  args?: string[]
  /** A file or folder with the first tables and items, as `hashrange ctl dump` writes it. */
  seed?: string
  /**
   * Creates the first tables and items, once: a function, or the path of a module whose default export is one. Node.js
   * must be able to import the module (.mjs, .cjs, .js); the plugin of Vitest also takes a module that only Vite can import (.ts).
   */
  setup?: string | ((seed: Account) => unknown)
  /** When a worker's account becomes a copy of the seeded one: before each file (the default), each test, or never. */
  fork?: 'file' | 'test' | false
  /** The Region of connection(). Default: AWS_REGION, then us-east-1. */
  region?: string
  /** The URL of a server that is already running. Default: HASHRANGE_ENDPOINT; without either, a server is started. */
  endpoint?: string
  /** The control token of that server (default: HASHRANGE_TOKEN), or of the server that is started. */
  token?: string
}

/** The account of this worker. The functions below are its methods. */
export function account(): Account
export const clock: Clock
export const connection: Account['connection']
export const control: Account['control']
export const faults: Faults
export const fork: Account['fork']
export const hold: Account['hold']
export const measure: Account['measure']
export const requests: Requests
export const reset: Account['reset']
export const restore: Account['restore']
export const snapshot: Account['snapshot']

/**
 * Runs `work`, and names the access pattern of the calls that `client` makes within it, for measurements. `client` is an AWS
 * SDK client (version 3). Work that runs at the same time may have other names.
 */
export function pattern<Result>(
  name: string,
  client: { middlewareStack: { add(middleware: any, options: any): void } },
  work: () => Result,
): Promise<Awaited<Result>>

/**
 * Starts another server, for example for a test that moves the clock. The server ends with this process. What is started on
 * it ends with the server, not with the test. A path of `setup` or `seed` is relative to the root of the project.
 */
export function start(options?: Options): Promise<Account & { stop(): Promise<void> }>
