export interface LabOptions {
  /** The lab file's name in sentences about it. Default: 'lab.yaml'. */
  name?: string
  /** Only these layouts. Default: all. */
  layout?: string | string[]
  /** The width of `text`. Default: 100. */
  columns?: number
  /** Whether the result has all figures as JSON. */
  json?: boolean
  /** Beyond it, the data of the layouts is an error. Default: 3 GiB. */
  maxMemoryBytes?: number
  /** When it aborts, the promise is rejected and the work ends. */
  signal?: AbortSignal
}

export interface LabCheckOptions extends LabOptions {
  /** How many times the data of the file: [1, 10, 100] runs three sizes. Default: 1. */
  scale?: number | number[]
  /** Makes one of so many calls, which counts as so many. Default: 1. */
  thin?: number
  /** Whether the result has the report as a page. */
  html?: boolean
  /** Called up to ten times a second with how much is done, 0 to 1. */
  onProgress?: (done: number) => void
}

export interface LabExplainOptions extends LabOptions {
  /** What is expected while numbers of the file change: 'rates.NAME=1/s..100/s'. */
  vary?: string | string[]
}

export interface LabRunOptions extends LabCheckOptions, LabExplainOptions {
  /** Does not confirm the first limit by runs about it, which take several times as long. */
  noConfirm?: boolean
  /** The run ends after this time, with a report of what was done until then. */
  seconds?: number
}

export interface LabResult {
  /** What `hashrange lab` prints. */
  text: string
  /** Warnings and notes, a sentence each. */
  messages: string[]
  /** The text that `--json FILE` writes, where the options ask for it. */
  json?: string
}

export interface LabCheckResult extends LabResult {
  /** Whether all limits of the file hold; `text` names those that do not. */
  holds: boolean
  /** The page that `--html FILE` writes, where the options ask for it. */
  html?: string
}

export interface LabRunResult extends LabResult {
  /** Whether the run ended before its end: the report is about what was done until then. */
  stopped: boolean
  html?: string
}

/** A result that has what its options ask for. */
export type Asked<Options, Result> = Result & (Options extends { html: true } ? { html: string } : {}) &
  (Options extends { json: true } ? { json: string } : {})

/** The lab file or an option is wrong; the sentences have the places in the file. Or there was not enough memory. */
export class LabError extends Error {}

/**
 * Compares the layouts of a lab file, whose text is YAML, as `hashrange lab run` does: the same file, options and result, to the byte.
 * A thread of its own does the work.
 */
export function runLab<Options extends LabRunOptions>(text: string | Uint8Array, options?: Options): Promise<Asked<Options, LabRunResult>>
export function checkLab<Options extends LabCheckOptions>(text: string | Uint8Array, options?: Options): Promise<Asked<Options, LabCheckResult>>
export function explainLab<Options extends LabExplainOptions>(text: string | Uint8Array, options?: Options): Promise<Asked<Options, LabResult>>
/** The JSON Schema of lab files, for editors. */
export function labSchema(): Promise<string>
/** A small lab file to start from. */
export function labStarter(): Promise<string>
