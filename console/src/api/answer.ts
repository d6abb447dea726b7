// What a call to the server gives: a value, or an error that is a value, too. No call throws.

import { noteUnanswered } from '../state/connection'

/** `type` is the exception's name without its namespace, "Aborted", "Unreachable", or "" for an error of the control API. */
export interface CallError {
  type: string
  message: string
  /** The HTTP status; 0 when no answer came. */
  status: number
  /** The whole JSON body of the answer, such as the reasons of a cancelled transaction. */
  body?: unknown
}

export type Answer<Value> = { ok: true; value: Value } | { ok: false; error: CallError }

export interface CallOptions {
  signal?: AbortSignal
}

/** Returns the error for a request that got no answer, and notes it: state/connection.ts. */
export function unansweredError(thrown: unknown): CallError {
  if (thrown instanceof DOMException && thrown.name === 'AbortError') {
    return { type: 'Aborted', message: 'The call was stopped.', status: 0 }
  }
  noteUnanswered()
  return { type: 'Unreachable', message: 'The server does not answer.', status: 0 }
}

/** Returns the JSON value of a text; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
