import type { Account } from './account'

export { Account, ControlError } from './account'

export interface DatabaseOptions {
  /** Creates the first tables and items, once. Its account is the one that fork() copies. */
  setup?: (seed: ModuleAccount) => unknown
  /** The Region of connection(). Default: AWS_REGION, then us-east-1. */
  region?: string
  /** One set of tables for every account and Region. */
  sharedTables?: boolean
  /** How long a table is CREATING, UPDATING or DELETING. Default: 0. */
  transitionMs?: number
  /** The number of shards of a stream. Default: 1. */
  streamShards?: number
  /** How often expired items are deleted. Default: 1000. */
  ttlIntervalMs?: number
  /** Beyond it, operations that store something answer InternalServerError. Default: 0, no bound but that of the module, 4 GiB. */
  maxMemoryBytes?: number
}

/** A request handler of AWS SDK clients. */
export interface ModuleHandler {
  readonly metadata: { handlerProtocol: string }
  handle(request: any, options?: { abortSignal?: any }): Promise<{ response: any }>
  updateHttpClientConfig(key: never, value: never): void
  httpHandlerConfigs(): {}
  destroy(): void
}

/** An account of a database in this process. */
export interface ModuleAccount extends Omit<Account, 'connection'> {
  /** The configuration of an AWS SDK client of this account: `new DynamoDBClient(db.connection())`. */
  connection(): ReturnType<Account['connection']> & { requestHandler: ModuleHandler }
}

/** A database in this process, as one of its accounts. Other databases of the process are apart from it. */
export interface ModuleDatabase extends ModuleAccount {
  /** Another account of the same database: an id of 12 digits. */
  account(id: string): ModuleAccount
  /** For clients with credentials of their own. */
  readonly requestHandler: ModuleHandler
  /** Ends the database and releases its memory. Calls that follow fail. */
  close(): Promise<void>
}

/**
 * Opens a database in this process: no server, no port. The methods are those of the account of a server; `hashrange.wasm` of
 * this package is compiled once for all databases of the process.
 */
export function openDatabase(options?: DatabaseOptions): Promise<ModuleDatabase>
