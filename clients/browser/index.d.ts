import type { DatabaseOptions, ModuleDatabase } from './module.js'

export * from './account.js'
export * from './control-api.js'
export * from './measurement.js'
export type { ModuleAccount, ModuleDatabase, ModuleHandler } from './module.js'

export interface BrowserOptions extends Omit<DatabaseOptions, 'region'> {
  /** The Region of connection(). Default: us-east-1. */
  region?: string
  /** The URL of the folder with this package's files, where the bundler does not copy them. It may be relative to the page. */
  files?: string | URL
}

/**
 * Opens a database in a worker of its own: no server, and no other page or tab sees it. It ends with close(), and with the page.
 * Methods that take the path of a file fail: give them the file's content.
 */
export function openDatabase(options?: BrowserOptions): Promise<ModuleDatabase>
