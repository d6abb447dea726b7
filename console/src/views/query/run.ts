// A read or a statement that the page makes: its pages, and what they took.

import type { Signal } from '@preact/signals'
import type { CallError } from '../../api/answer'
import { control } from '../../api/control'
import type { Explanation, Operation } from '../../api/control-types'
import { call } from '../../api/dynamodb'
import type { Item } from '../../api/values'
import type { Place } from '../../frame/routes'
import { addRows, unitRows, wholeOf, type ConsumedCapacity, type UnitRow, type Whole } from '../../model/price'
import { indexesOf, table } from '../../state/tables'

export interface Run {
  place: Place
  operation: 'Query' | 'Scan' | 'ExecuteStatement'
  input: Record<string, unknown>
  is_write: boolean
  is_running: boolean
  items: Item[]
  pages: number
  /** Undefined where the answer does not say it: a statement's comes from `explain`. */
  examined?: number
  returned: number
  units: UnitRow[]
  took_ms: number
  /** What the next page begins with. */
  next?: Record<string, unknown>
  /** What the whole answer takes without a limit; undefined where the first page is the last one, or where nothing tells. */
  whole?: Whole
  error?: CallError
}

/** Returns a text that two requests have in common when they are the same. */
export function requestText(operation: string, input: object): string {
  return JSON.stringify([operation, input])
}

interface ReadAnswer {
  Items?: Item[]
  Count?: number
  ScannedCount?: number
  LastEvaluatedKey?: Item
  NextToken?: string
  ConsumedCapacity?: ConsumedCapacity
}

// A reader looks at no more items than this; the grid could show more, the memory of the page is the reason.
export const kMaxItems = 10_000

export type RunSignal = Signal<Run | null>
const controllers = new WeakMap<RunSignal, AbortController>()

/** Begins a run in place of the one that `run` has, and fetches its first page. */
export function startRun(run: RunSignal, start: Pick<Run, 'place' | 'operation' | 'input' | 'is_write'>): Promise<void> {
  run.value = { ...start, is_running: false, items: [], pages: 0, returned: 0, units: [], took_ms: 0 }
  return fetchPage(run)
}

/** Stops the call that is under way; what came stays. */
export function stopRun(run: RunSignal): void {
  controllers.get(run)?.abort()
  if (run.peek()?.is_running) run.value = { ...run.peek()!, is_running: false }
}

export async function fetchPage(run: RunSignal): Promise<void> {
  const before = run.peek()
  if (!before) return
  controllers.get(run)?.abort()
  const controller = new AbortController()
  controllers.set(run, controller)
  const { error: _, ...rest } = before
  run.value = { ...rest, is_running: true }
  const input = { ...before.input, ...before.next, ReturnConsumedCapacity: 'INDEXES' }
  const began = performance.now()
  const answer = await call<ReadAnswer>(before.place, before.operation, input, { signal: controller.signal })
  const took_ms = performance.now() - began
  if (controllers.get(run) !== controller) return
  const now = run.peek()
  if (!now || controller.signal.aborted) return
  if (!answer.ok) {
    run.value = { ...now, is_running: false, error: answer.error }
    return
  }
  const { Items = [], Count, ScannedCount, LastEvaluatedKey, NextToken, ConsumedCapacity } = answer.value
  const units = ConsumedCapacity ? unitRows(ConsumedCapacity, now.is_write ? 'write' : 'read') : []
  const { next: __, ...without_next } = now
  const examined = ScannedCount === undefined ? now.examined : (now.examined ?? 0) + ScannedCount
  run.value = {
    ...(before.operation === 'ExecuteStatement' ? withoutExamined(without_next) : without_next),
    is_running: false,
    items: [...now.items, ...Items],
    pages: now.pages + 1,
    returned: now.returned + (Count ?? Items.length),
    units: addRows(now.units, units),
    took_ms: now.took_ms + took_ms,
    ...(examined !== undefined && { examined }),
    ...(before.operation === 'ExecuteStatement'
      ? NextToken && { next: { NextToken } }
      : LastEvaluatedKey && { next: { ExclusiveStartKey: LastEvaluatedKey } })
  }
  if (now.pages === 0 && LastEvaluatedKey) void tellWhole(run, before)
}

async function tellWhole(run: RunSignal, { place, operation, input }: Run): Promise<void> {
  const whole = await wholeOfRead(place, operation, input)
  if (whole && run.peek()?.input === input) run.value = { ...run.peek()!, whole }
}

/** Returns what a read takes when it is read to its end without a limit; undefined where nothing tells. */
export async function wholeOfRead(place: Place, operation: Operation, input: object): Promise<Whole | undefined> {
  const { Limit: _, ...without_limit } = input as Record<string, unknown>
  const told = await explain(place, operation, without_limit)
  return told.ok ? wholeOfExplanation(place, told.value) : undefined
}

/** The same, as the explanation of the read without a limit tells. */
export function wholeOfExplanation(place: Place, { read_units, write_units, accesses }: Explanation): Whole | undefined {
  const [access] = accesses
  if (!access) return undefined
  const examined = accesses.reduce((sum, each) => sum + (each.items_examined ?? 0), 0)
  const has_more = accesses.some((each) => each.has_more)
  return wholeOf({ read_units, write_units, examined, has_more }, access.kind === 'scan' ? itemsOf(place, access.index) : undefined)
}

/** Returns how many items the chosen table or its index has; undefined where that is not known. */
function itemsOf(place: Place, index: string | undefined): number | undefined {
  const description = table.peek()
  if (description?.TableName !== place.table) return undefined
  return index === undefined ? description.ItemCount : indexesOf(description).find((each) => each.IndexName === index)?.ItemCount
}

// What `explain` told of a statement is of its first page.
function withoutExamined({ examined: _, ...rest }: Run): Run {
  return rest
}

/** Asks again for a page that got no answer because the server was gone. What writes is not repeated. */
export function askAgain(run: RunSignal): void {
  const { error, is_write } = run.peek() ?? {}
  if (error?.type === 'Unreachable' && !is_write) void fetchPage(run)
}

/** Fetches pages until the last one, or until the page has kMaxItems. */
export async function fetchAllPages(run: RunSignal): Promise<void> {
  for (;;) {
    const before = run.peek()
    if (!before?.next || before.error || before.items.length >= kMaxItems) return
    await fetchPage(run)
    if (run.peek()?.pages !== before.pages + 1) return
  }
}

/** Returns what a request would read, write and take; nothing changes. */
export async function explain(place: Place, operation: Operation, input: object) {
  const { account, region } = place
  return control('POST', 'explain', { account, region, operation, input })
}
