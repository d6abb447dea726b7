/** What a call says while it works: a share of the work, from 0 to 1. */
export type LabProgress = (done: number) => void

export interface LabOptions {
  /** The lab file's name in sentences about it. Default: 'lab.yaml'. */
  name?: string
  /** Only these layouts. Default: all. */
  layout?: string | string[]
  /** What is expected while numbers of the file change: 'rates.NAME=1/s..100/s'. Not of checkLab. */
  vary?: string | string[]
  /** The width of the text. Default: 100. */
  columns?: number
  /** Whether the result has all figures as JSON. */
  json?: boolean
  /** Rejects the promise when it aborts, and ends the work. */
  signal?: AbortSignal
}

export interface LabRunOptions extends LabOptions {
  /** How many times the data of the file: [1, 10, 100] runs three sizes. Default: 1. */
  scale?: number | number[]
  /** Makes one of so many calls, which counts as so many. Default: 1. */
  thin?: number
  /** Does not confirm the first limit by runs about it, which takes several times as long. Not of checkLab. */
  noConfirm?: boolean
  /** Whether the result has the report as a page. */
  html?: boolean
  /** The run ends after this time, with a report of what was done until then. */
  seconds?: number
  onProgress?: LabProgress
}

export interface LabResult {
  /** What `hashrange lab` prints. */
  text: string
  /** Warnings and notes, a sentence each. */
  messages: string[]
  /** The same texts as the files of `--json` and `--html`, where the options ask for them. */
  json?: string
  html?: string
}

export interface LabRunResult extends LabResult {
  /** Whether the run ended early: the report is about what was done until then. */
  stopped: boolean
}

export interface LabCheckResult extends LabResult {
  /** Whether all limits of the file hold. */
  holds: boolean
}

/** The lab file or an option is wrong, or there is no verdict. The sentence has the place in the file. */
export class LabError extends Error {}

/** `text` is a lab file's text, as YAML. The work is done in a thread of its own. */
export function runLab(text: string, options?: LabRunOptions): Promise<LabRunResult>
export function checkLab(text: string, options?: LabRunOptions): Promise<LabCheckResult>
export function explainLab(text: string, options?: LabOptions): Promise<LabResult>
/** The JSON Schema of lab files, for editors. */
export function labSchema(): Promise<string>
/** A lab file to start from. */
export function labStarter(): Promise<string>
