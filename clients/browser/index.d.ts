import type { Asked, LabCheckOptions, LabCheckResult, LabExplainOptions, LabResult, LabRunOptions, LabRunResult } from './lab.js'
import type { DatabaseOptions, ModuleDatabase } from './module.js'

export * from './account.js'
export { Account } from './account.js' // and not the type of that name of the control API
export * from './control-api.js'
export { LabError } from './lab.js'
export type * from './lab.js'
export * from './measurement.js'
export type { ModuleAccount, ModuleDatabase, ModuleHandler } from './module.js'

export interface FilesOption {
  /** The URL of the folder with this package's files, where the bundler does not copy them. It may be relative to the page. */
  files?: string | URL
}

export interface BrowserOptions extends Omit<DatabaseOptions, 'region'>, FilesOption {
  /** The Region of connection(). Default: us-east-1. */
  region?: string
}

/**
 * Opens a database in a worker of its own: no server, and no other page or tab sees it. It ends with close(), and with the page.
 * Methods that take the path of a file fail: give them what the file has.
 */
export function openDatabase(options?: BrowserOptions): Promise<ModuleDatabase>

/** Compares the layouts of a lab file, whose text is YAML, as `hashrange lab run` does. A worker of its own does the work. */
export function runLab<Options extends LabRunOptions & FilesOption>(text: string | Uint8Array, options?: Options): Promise<Asked<Options, LabRunResult>>
export function checkLab<Options extends LabCheckOptions & FilesOption>(text: string | Uint8Array, options?: Options): Promise<Asked<Options, LabCheckResult>>
export function explainLab<Options extends LabExplainOptions & FilesOption>(text: string | Uint8Array, options?: Options): Promise<Asked<Options, LabResult>>
/** The JSON Schema of lab files, for editors. */
export function labSchema(options?: FilesOption): Promise<string>
/** A small lab file to start from. */
export function labStarter(options?: FilesOption): Promise<string>
