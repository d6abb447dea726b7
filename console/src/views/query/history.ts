// Queries and statements that the browser keeps: the latest ones, and those that the reader saved.

import { signal } from '@preact/signals'

export interface KeptQuery {
  /** "Query": `content` is a form; "PartiQL": a statement's text. */
  kind: 'Query' | 'PartiQL'
  content: unknown
  /** In one line, for the list. */
  text: string
  table: string
  epoch_ms: number
  /** Only of those that were saved. */
  name?: string
}

const kStorageKey = 'hashrange-queries'
const kMaxRecent = 50
const kMaxSaved = 100
// What is larger is not kept, so that the browser's storage has room for the others.
const kMaxBytes = 10_000

export const kept_queries = signal<readonly KeptQuery[]>(readKept(globalThis.localStorage?.getItem(kStorageKey)))

/** Returns the queries of a stored text, where anything may stand. */
export function readKept(text: string | null | undefined): KeptQuery[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(list) ? list.filter(isKept).slice(0, kMaxRecent + kMaxSaved) : []
  } catch {
    return []
  }
}

function isKept(value: unknown): value is KeptQuery {
  const kept = value as KeptQuery | null
  return typeof kept === 'object' && kept !== null && (kept.kind === 'Query' || kept.kind === 'PartiQL') && typeof kept.text === 'string'
    && typeof kept.table === 'string' && typeof kept.epoch_ms === 'number' && (kept.name === undefined || typeof kept.name === 'string')
}

/** Returns the list with one more query: the latest first, one of each, and not more than there is room for. */
export function withQuery(list: readonly KeptQuery[], query: KeptQuery): KeptQuery[] {
  if (JSON.stringify(query).length > kMaxBytes) return [...list]
  const content = JSON.stringify(query.content)
  const isSame = (each: KeptQuery) => each.kind === query.kind && each.table === query.table && each.name === query.name
    && (query.name !== undefined || JSON.stringify(each.content) === content)
  const all = [query, ...list.filter((each) => !isSame(each))]
  return [
    ...all.filter((each) => each.name !== undefined).slice(0, kMaxSaved),
    ...all.filter((each) => each.name === undefined).slice(0, kMaxRecent)
  ]
}

export function keepQuery(query: KeptQuery): void {
  store(withQuery(kept_queries.peek(), query))
}

export function forgetQuery(query: KeptQuery): void {
  store(kept_queries.peek().filter((each) => each !== query))
}

function store(list: readonly KeptQuery[]): void {
  kept_queries.value = list
  try {
    localStorage.setItem(kStorageKey, JSON.stringify(list))
  } catch {
    // The storage is full or switched off: the list lasts as long as the page.
  }
}
